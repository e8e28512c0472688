"""Placeholder until the solver procedure is in place."""

from __future__ import annotations

from collections.abc import Iterator

from ahdp_verify.certificate import Declined
from ahdp_verify.counterexample import Counterexample
from ahdp_verify.limits import Clock
from ahdp_verify.privacy import Claim, Task


def models(claim: Claim, clock: Clock) -> Iterator[Counterexample]:
    """Nothing yet."""
    return iter(())


def prove(claim: Claim, clock: Clock) -> Declined:
    """A refusal."""
    return Declined("smt", "not available")


def ask(claim: Claim, task: Task) -> tuple[str, ...]:
    """Nobody confirms."""
    return ()
