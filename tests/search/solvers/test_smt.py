"""The solvers against the linear procedure: they agree, never prove what is false, and their models
refute.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ahdp_verify.files.load import load
from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import Certificate, Declined, SolverWord
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.model.privacy import ahdp, dp
from ahdp_verify.kernel.rules.obligations import tasks
from ahdp_verify.kernel.terms.expression import Abs, exp
from ahdp_verify.kernel.verdict import Proved
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
from ahdp_verify.verdicts import Unknown

ROOT = Path(__file__).resolve().parents[3]
SOME = (
    "field/laplace-one-query",
    "paper/linear-query-universal",
    "paper/linear-query-three-records",
    "field/sum-noise-from-least-demand-of-domain",
)
LIMITS = Limits(seconds=60)
RIGHT = [
    ("field/randomised-response-one-bit", 0),
    ("field/demand-weighted-sum-scale-from-domain", 0),
    ("field/laplace-histogram-inverted-scale-eps-at-least-1", 1),
    ("field/laplace-twenty-copies-eps-1-200", 0),
    ("paper/mean-numerator-and-denominator", 1),
    ("paper/geometric-counts-two-values-log-demands", 0),
    ("public/randomised-response-eps-depends-on-the-value", 2),
    ("public/count-inverted-laplace-scale-eps-at-least-1", 0),
    ("public/k-ary-response-with-pick-rate-every-eps", 0),
    ("public/basic-rappor-two-bits-every-f", 0),
    ("public/basic-rappor-four-hashes", 0),
    ("public/censored-geometric-clamped-input-every-eps", 0),
    ("public/bit-without-noise", 2),
]
WRONG = [
    ("public/randomised-response-eps-depends-on-the-value", 0),
    ("public/count-inverted-laplace-scale-eps-at-least-1", 2),
    ("public/k-ary-response-never-picks-the-truth-every-eps", 0),
    ("public/bit-without-noise", 3),
    ("paper/mean-half-noise-in-numerator", 0),
    ("public/basic-rappor-two-bits", 1),
]


def noisy_size(level: object) -> Claim:
    s, W = real("s"), Domain([(1, 1)])
    return dp(
        Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="noisy size"), level
    )


@pytest.mark.sweep(2)
@pytest.mark.parametrize("file", SOME)
def test_the_solvers_give_the_answers_that_the_files_expect(file: str) -> None:
    stored = load(ROOT / "proofs" / f"{file}.toml")
    for claim, note in zip(stored.claims, stored.notes, strict=True):
        assert verify(claim, LIMITS, procedure="smt").outcome == note.expect, str(claim)


def test_a_word_names_two_solvers_and_the_kernel_alone_does_not_take_it() -> None:
    believed = verify(noisy_size(1), LIMITS, procedure="smt")
    assert isinstance(believed, Proved) and len(believed.trusts) == 2
    assert isinstance(verify(noisy_size(1), LIMITS, procedure="smt", trust="kernel"), Unknown)
    with pytest.raises(Rejected, match="attested by solvers only"):
        check(believed.claim, believed.certificate)


def test_nobody_confirms_what_is_false() -> None:
    assert all(smt.attesting_solvers(noisy_size(1), task) for task in tasks(noisy_size(1)))
    assert any(
        not smt.attesting_solvers(noisy_size("1/2"), task) for task in tasks(noisy_size("1/2"))
    )


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
        check(lowered, from_other, smt.attesting_solvers)


def stored(file: str, i: int) -> Claim:
    return load(ROOT / "proofs" / f"{file}.toml").claims[i]


@pytest.mark.sweep(4)
@pytest.mark.parametrize(("file", "i"), RIGHT)
def test_two_solvers_confirm_what_is_true(file: str, i: int) -> None:
    claim = stored(file, i)
    certificate = smt.prove_by_solvers(claim, LIMITS.clock())
    assert isinstance(certificate, Certificate), certificate
    assert set(certificate.evidence) == {SolverWord((cvc5_version(), z3_version()))}
    assert check(claim, certificate, smt.attesting_solvers).trusts == (cvc5_version(), z3_version())
    with pytest.raises(Rejected, match="fewer than two"):
        check(claim, certificate, lambda c, t: smt.attesting_solvers(c, t)[:1])


@pytest.mark.parametrize(("file", "i"), WRONG)
def test_a_wrong_claim_is_declined_with_the_place_where_it_fails(file: str, i: int) -> None:
    answer = smt.prove_by_solvers(stored(file, i), LIMITS.clock())
    assert isinstance(answer, Declined) and "z3 finds a point" in answer.reason


def test_counts_are_tried_where_opaque_sums_are_too_coarse() -> None:
    """A mean needs that the sum is at most the size, which opaque sums do not know."""
    claim = stored("public/mean-noise-for-four-records-at-least-four", 0)
    assert isinstance(smt.prove_by_solvers(claim, LIMITS.clock(), counts=False), Declined)
    proof = smt.prove_by_solvers(claim, LIMITS.clock())
    assert (
        isinstance(proof, Certificate)
        and proof.counts
        and check(claim, proof, smt.attesting_solvers).trusts == (cvc5_version(), z3_version())
    )


def test_a_law_without_mass_one_is_not_proved() -> None:
    s = real("s")
    assert isinstance(
        smt.prove_by_solvers(
            ahdp(Mechanism(Domain([(0, 1), (1, 1)]), outputs=[s], density=exp(-Abs(s)))),
            LIMITS.clock(),
        ),
        Declined,
    )


def test_without_cvc5_there_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = noisy_size(1)
    certificate = smt.prove_by_solvers(claim, LIMITS.clock())
    assert isinstance(certificate, Certificate)
    monkeypatch.setattr(solvers, "cvc5_version", str)
    monkeypatch.setattr(smt, "cvc5_version", str)
    monkeypatch.setattr(smt, "SOLVERS", ((z3_version, z3_answer), (str, cvc5_answer)))
    smt._solvers_that_confirm.cache_clear()
    answer = smt.prove_by_solvers(claim, LIMITS.clock())
    assert isinstance(answer, Declined) and "install ahdp-verify[cvc5]" in answer.reason
    assert smt.attesting_solvers(claim, next(tasks(claim))) == (z3_version(),)
    with pytest.raises(Rejected, match="fewer than two solvers"):
        check(claim, certificate, smt.attesting_solvers)
    smt._solvers_that_confirm.cache_clear()


@pytest.mark.parametrize(
    ("file", "i", "cure"),
    [
        ("paper/linear-regression-d-8", 0, "--seconds"),
        ("field/one-time-rappor-two-values", 0, "--procedure linear"),
        ("public/one-sided-exponential-noise-eps-log-2", 2, "integrals"),
    ],
)
def test_every_refusal_says_what_would_help(file: str, i: int, cure: str) -> None:
    answer = smt.prove_by_solvers(stored(file, i), Limits(seconds=1).clock())
    assert isinstance(answer, Declined) and cure in answer.reason
