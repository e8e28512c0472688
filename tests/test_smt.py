"""The solvers as a second opinion: they agree with the linear procedure, never prove what is
false, and their models replay.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ahdp_verify.files.load import load
from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import Certificate, Declined, SolverWord
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.claims import ahdp, dp
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism, real
from ahdp_verify.kernel.rules.obligations import tasks
from ahdp_verify.kernel.terms.expression import Abs, exp
from ahdp_verify.kernel.verdict import Proved, Unknown
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.solvers import processes as solvers
from ahdp_verify.search.solvers import smt
from ahdp_verify.search.solvers.processes import (
    cvc5_answer,
    cvc5_version,
    z3_answer,
    z3_version,
)
from ahdp_verify.search.verify import verify

ROOT = Path(__file__).resolve().parent.parent
SOME = ("field/m1", "paper/linear-query-universal", "paper/linear-query-ex-sum", "field/a1")
LIMITS = Limits(seconds=60)
RIGHT = [
    ("field/m33", 0),
    ("field/a3", 0),
    ("field/m10-large", 1),
    ("field/m2-concrete", 0),
    ("paper/mean", 1),
    ("paper/claim-3-witness-repaired", 0),
    ("public/he-07", 2),
    ("public/ns-01-large", 0),
    ("public/rr-05-symbolic", 0),
    ("public/rr-04-symbolic", 0),
    ("public/rr-04-hashes", 0),
    ("public/sh-07-a-symbolic", 0),
    ("public/de-03", 2),
]
WRONG = [
    ("public/he-07", 0),
    ("public/ns-01-large", 2),
    ("public/rr-05-mutant-symbolic", 0),
    ("public/de-03", 3),
    ("paper/mean-half", 0),
    ("public/rr-04", 1),
]


def noisy_size(level: object) -> Claim:
    s, W = real("s"), Domain([(1, 1)])
    return dp(
        Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="noisy size"), level
    )


@pytest.mark.parametrize("file", SOME)
def test_the_solvers_give_the_answers_that_the_files_expect(file: str) -> None:
    stored = load(ROOT / "proofs" / f"{file}.toml")
    for claim, note in zip(stored.claims, stored.notes, strict=True):
        assert verify(claim, LIMITS, procedure="smt").outcome == note.expect, str(claim)


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
        lowered.fingerprint,
        believed.certificate.counts,
        believed.certificate.conditions,
        believed.certificate.mass,
        believed.certificate.evidence,
        believed.certificate.uses,
    )
    with pytest.raises(Rejected, match="fewer than two solvers"):
        check(lowered, from_other, smt.ask)


def stored(file: str, i: int) -> Claim:
    return load(ROOT / "proofs" / f"{file}.toml").claims[i]


@pytest.mark.parametrize(("file", "i"), RIGHT)
def test_two_solvers_confirm_what_is_true(file: str, i: int) -> None:
    claim = stored(file, i)
    certificate = smt.prove(claim, LIMITS.clock())
    assert isinstance(certificate, Certificate), certificate
    assert set(certificate.evidence) == {SolverWord((cvc5_version(), z3_version()))}
    assert check(claim, certificate, smt.ask).trusts == (cvc5_version(), z3_version())
    with pytest.raises(Rejected, match="fewer than two"):
        check(claim, certificate, lambda c, t: smt.ask(c, t)[:1])


@pytest.mark.parametrize(("file", "i"), WRONG)
def test_a_wrong_claim_is_declined_with_the_place_where_it_fails(file: str, i: int) -> None:
    answer = smt.prove(stored(file, i), LIMITS.clock())
    assert isinstance(answer, Declined) and "z3 finds a point" in answer.reason


def test_counts_are_tried_where_opaque_sums_are_too_coarse() -> None:
    """A mean needs that the sum is at most the size, which opaque sums do not know."""
    claim = stored("public/nr-01-b-large", 0)
    assert isinstance(smt.prove(claim, LIMITS.clock(), counts=False), Declined)
    proof = smt.prove(claim, LIMITS.clock())
    assert (
        isinstance(proof, Certificate)
        and proof.counts
        and check(claim, proof, smt.ask).trusts == (cvc5_version(), z3_version())
    )


def test_a_law_without_mass_one_is_not_proved() -> None:
    s = real("s")
    assert isinstance(
        smt.prove(
            ahdp(Mechanism(Domain([(0, 1), (1, 1)]), outputs=[s], density=exp(-Abs(s)))),
            LIMITS.clock(),
        ),
        Declined,
    )


def test_without_cvc5_there_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = noisy_size(1)
    certificate = smt.prove(claim, LIMITS.clock())
    assert isinstance(certificate, Certificate)
    monkeypatch.setattr(solvers, "cvc5_version", str)
    monkeypatch.setattr(smt, "cvc5_version", str)
    monkeypatch.setattr(smt, "SOLVERS", ((z3_version, z3_answer), (str, cvc5_answer)))
    smt._voices.cache_clear()
    answer = smt.prove(claim, LIMITS.clock())
    assert isinstance(answer, Declined) and "install ahdp-verify[cvc5]" in answer.reason
    assert smt.ask(claim, next(tasks(claim))) == (z3_version(),)
    with pytest.raises(Rejected, match="fewer than two solvers"):
        check(claim, certificate, smt.ask)
    smt._voices.cache_clear()


@pytest.mark.parametrize(
    ("file", "i", "cure"),
    [
        ("paper/regression-8", 0, "--seconds"),
        ("field/m34", 0, "--procedure linear"),
        ("public/sh-03", 2, "integrals"),
    ],
)
def test_every_refusal_says_what_would_help(file: str, i: int, cure: str) -> None:
    answer = smt.prove(stored(file, i), Limits(seconds=1).clock())
    assert isinstance(answer, Declined) and cure in answer.reason
