"""The solvers as a second opinion: they agree with the linear procedure, never prove what is false, and their models replay."""

from __future__ import annotations

from pathlib import Path

import pytest

from ahdp_verify.checker import check
from ahdp_verify.decide import smt
from ahdp_verify.domain import Domain
from ahdp_verify.errors import Rejected
from ahdp_verify.expression import Abs, exp
from ahdp_verify.files import load
from ahdp_verify.limits import Limits
from ahdp_verify.mechanism import Mechanism, real
from ahdp_verify.privacy import Claim, dp, tasks
from ahdp_verify.search import verify
from ahdp_verify.verdict import Proved, Unknown

ROOT = Path(__file__).resolve().parent.parent
SOME = ("field/m1", "paper/linear-query-universal", "paper/linear-query-ex-sum", "field/a1")
LIMITS = Limits(seconds=60)


def noisy_size(level: object) -> Claim:
    s, W = real("s"), Domain([(1, 1)])
    return dp(Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="noisy size"), level)


@pytest.mark.parametrize("file", SOME)
def test_the_solvers_give_the_answers_that_the_files_expect(file: str) -> None:
    stored = load(ROOT / "proofs" / f"{file}.toml")
    for claim, note in zip(stored.claims, stored.notes, strict=True):
        assert type(verify(claim, LIMITS, procedure="smt")).__name__.lower() == note.expect, str(claim)


def test_a_word_names_two_solvers_and_the_kernel_alone_does_not_take_it() -> None:
    believed = verify(noisy_size(1), LIMITS, procedure="smt")
    assert isinstance(believed, Proved) and len(believed.trusts) == 2
    assert isinstance(verify(noisy_size(1), LIMITS, procedure="smt", trust="kernel"), Unknown)
    with pytest.raises(Rejected, match="word of solvers"):
        check(believed.claim, believed.certificate)


def test_nobody_confirms_what_is_false() -> None:
    assert all(smt.ask(noisy_size(1), task) for task in tasks(noisy_size(1)))
    assert any(not smt.ask(noisy_size("1/2"), task) for task in tasks(noisy_size("1/2")))


def test_a_forged_word_is_asked_again() -> None:
    believed = verify(noisy_size(1), LIMITS, procedure="smt")
    assert isinstance(believed, Proved)
    lowered = noisy_size("999/1000")
    from_other = believed.certificate.__class__(
        lowered.fingerprint, believed.certificate.counts, believed.certificate.conditions, believed.certificate.mass, believed.certificate.evidence, believed.certificate.uses
    )
    with pytest.raises(Rejected, match="fewer than two solvers"):
        check(lowered, from_other, smt.ask)
