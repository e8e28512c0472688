"""Inputs at which a claim about a noise program may fail."""

from __future__ import annotations

from collections.abc import Iterator

from ahdp_verify.kernel.evidence.program_counterexample import ProgramCounterexample
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.search.limits import Clock


def counterexamples(claim: ProgramClaim, clock: Clock) -> Iterator[ProgramCounterexample]:
    """Proposals, best first."""
    del claim, clock
    return iter(())
