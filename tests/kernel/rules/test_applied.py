"""The rule `by_sensitivity`: it takes both premises, and no other evidence."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import exp, log
from typing import Any

import pytest

from ahdp_verify.catalogue.noisy_max import noisy_max
from ahdp_verify.files.records import recheck_record
from ahdp_verify.kernel.checker import check, refute_applied
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.evidence.certificate import ByRule, InequalityLeaf, StatedPremise
from ahdp_verify.kernel.evidence.of_vectors import AppliedAlignment, VectorCounterexample
from ahdp_verify.kernel.model.answers import Answers
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Queries
from ahdp_verify.kernel.model.entries import Entries
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.model.privacy import dp
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.refuted import Refuted, RefutedApplied
from ahdp_verify.kernel.terms.expression import ZERO, label, name, number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.verify import verify

EPS = name("eps")


def noisy(relation: str = "one", answers: int = 1, level: str = "1") -> Claim:
    law = parse("exp(-abs(s - q[1]))/2")
    mechanism = Mechanism(Queries(answers), outputs=[real("s")], density=law, name="noisy answer")
    return dp(mechanism, level, relation)


def moves(query: str, bound: str, least: str = "n >= 1") -> SensitivityClaim:
    inputs = Entries("n", "0 <= x <= 1", {"n": least})
    return SensitivityClaim(inputs, parse(query, nested=True), parse(bound))


MEAN = AppliedClaim(noisy(), moves("sum(x)/n", "1/n"))


def test_both_premises_prove_the_claim() -> None:
    found = verify(MEAN)
    assert isinstance(found, Proved) and isinstance(found.certificate, ByRule)
    assert not found.vacuous and "the rule of sensitivity" in found.beyond
    assert AppliedClaim.from_json(MEAN.to_json()) == MEAN


HALF = AppliedClaim(noisy(), moves("sum(x)/n", "1/(2*n)"))


@pytest.mark.parametrize(
    ("claim", "moved"),
    [
        (AppliedClaim(noisy(level="1/2"), MEAN.sensitivity), 1),
        (HALF, 2),
        (AppliedClaim(noisy(), moves("sum(log(1 + x))", "log(3/2)")), log(2) / log(1.5)),
        (AppliedClaim(noisy(), moves("ordered(x, 2)", "1/3", "n >= 2")), 3),
    ],
)
def test_a_false_claim_is_refuted_at_vectors(claim: AppliedClaim, moved: float) -> None:
    """The probabilities are those of Laplace noise of scale 1 around 0 and around how far the
    answer moves, by the closed form of its distribution function.
    """
    found = verify(claim)
    assert isinstance(found, RefutedApplied) and isinstance(found.there, Refuted)
    ((*entries, new),) = found.vectors
    assert new[0].endswith("'") and {key for key, _ in entries} >= {"n", "x[1]"}
    sides = [float(enclose(answer)[0]) for answer in claim.sensitivity.answers_at(found.vectors[0])]
    assert abs(sides[1] - sides[0]) / sides[2] == pytest.approx(moved)
    ((_, low, high),) = found.there.counterexample.event.intervals
    centres = [side / sides[2] for side in sides[:2]]
    if found.there.counterexample.first != (label("before"),):
        centres.reverse()
    ends = [float(Fraction(str(end))) if end is not None else None for end in (low, high)]
    shares = [share_of_laplace(centre, *ends) for centre in centres]
    shown = found.there.first_probability, found.there.second_probability
    assert [float(enclose(p)[0]) for p in shown] == pytest.approx(shares)
    assert shares[0] > exp(float(Fraction(str(claim.base.level)))) * shares[1]  # type: ignore[union-attr]
    assert found.outcome == "refuted" and "the rule of sensitivity" in found.beyond
    assert str(recheck_record(found.to_json(), "here")) == str(found)


def share_of_laplace(centre: float, low: float | None, high: float | None) -> float:
    """The probability of an interval under Laplace noise of scale 1 around a number."""

    def below(end: float) -> float:
        gap = end - centre
        return exp(gap) / 2 if gap < 0 else 1 - exp(-gap) / 2

    return (1 if high is None else below(high)) - (0 if low is None else below(low))


def test_several_answers_are_those_of_several_vectors() -> None:
    """Of the difference of two answers the second has to move the other way."""
    law = parse("exp(-abs(s - q[1] + q[2]))/2")
    mechanism = Mechanism(Queries(2), outputs=[real("s")], density=law, name="difference")
    claim = AppliedClaim(dp(mechanism, "3/2", "all"), moves("maximum(x)", "1"))
    found = verify(claim)
    assert isinstance(found, RefutedApplied) and len(found.vectors) == 2
    changes = [claim.sensitivity.answers_at(vector) for vector in found.vectors]
    gaps = [after - before for before, after, _ in changes]
    assert (gaps[0] + gaps[1]).is_zero and not gaps[0].is_zero


@pytest.mark.parametrize(
    ("vectors", "parameters"),
    [
        ((), ()),
        ((0, 0), ()),
        ((1,), ()),
        ((0,), (("n", number(7)),)),
    ],
)
def test_other_vectors_are_refused(vectors: tuple[int, ...], parameters: Any) -> None:
    """Too few, too many, one that does not move, and a parameter of another value."""
    found = verify(HALF)
    assert isinstance(found, RefutedApplied)
    (true,) = found.vectors
    still = (*true[:-1], (true[-1][0], dict(true)[true[-1][0][:-1]]))
    there = replace(found.there.counterexample, parameters=parameters)  # type: ignore[type-var]
    listed = tuple((true, still)[i] for i in vectors)
    with pytest.raises(Rejected):
        refute_applied(HALF, VectorCounterexample(listed, there))


def test_another_notion_is_refuted_at_vectors() -> None:
    """N(0, 1) and N(2, 1) are 2-GDP and no less: |m - n|/sigma."""
    law = parse("exp(-(s - q[1])^2/2)/sqrt(2*pi)")
    mechanism = Mechanism(Queries(1), outputs=[real("s")], density=law, name="gaussian")
    claim = NotionClaim(Claim(mechanism, "one", parse("1")), "gdp")
    found = verify(AppliedClaim(claim, HALF.sensitivity))
    assert isinstance(found, RefutedApplied) and "mu 2, which is larger than 1" in str(found)
    assert recheck_record(found.to_json(), "here").outcome == "refuted"


def test_a_noise_program_is_a_premise() -> None:
    program, _ = noisy_max().answering(None)
    claim = AppliedClaim(ProgramClaim(program, "all", parse("eps")), MEAN.sensitivity)
    found = verify(claim)
    assert isinstance(found, Proved) and isinstance(found.certificate, AppliedAlignment)
    assert AppliedClaim.from_json(claim.to_json()) == claim
    assert str(recheck_record(found.to_json(), "here")) == str(found)
    other = replace(found.certificate, claim="0" * 64)
    with pytest.raises(Rejected, match="another claim"):
        check(claim, other)
    less = AppliedClaim(ProgramClaim(program, "all", parse("eps/2")), MEAN.sensitivity)
    with pytest.raises(Rejected):
        check(less, replace(found.certificate, claim=less.fingerprint))
    said = str(verify(less))
    assert said.startswith("Unknown") and "proved here, never refuted" in said
    whole = replace(program, inputs=Answers(None, whole=True))
    for base in (ProgramClaim(program, "one", parse("eps")), ProgramClaim(whole, "all", EPS)):
        with pytest.raises(BadInput):
            AppliedClaim(base, MEAN.sensitivity)


@pytest.mark.parametrize(
    "change",
    [
        {"claim": "0" * 64},
        {"rule": "compose"},
        {"version": 2},
        {"stated": StatedPremise("one", ZERO, ZERO)},
        {"evidence": (InequalityLeaf(),)},
        {"premises": ()},
    ],
)
def test_nothing_else_is_accepted(change: dict[str, Any]) -> None:
    found = verify(MEAN)
    assert isinstance(found, Proved) and isinstance(found.certificate, ByRule)
    with pytest.raises(Rejected):
        check(MEAN, replace(found.certificate, **change))
    of_mechanism, of_query = found.certificate.premises
    for pair in ((of_query, of_mechanism), (of_mechanism, of_mechanism), (of_query, of_query)):
        with pytest.raises(Rejected):
            check(MEAN, replace(found.certificate, premises=pair))


def test_a_bound_that_may_be_0_is_not_divided_by() -> None:
    """Of one entry, the distances from the mean do not move, and 0/0 is no answer."""
    at_least_one = AppliedClaim(noisy(), moves("sum(abs(x - sum(x)/n))", "2*(n - 1)/n"))
    assert "not known to be > 0" in str(verify(at_least_one))
    two = AppliedClaim(noisy(), moves("sum(abs(x - sum(x)/n))", "2*(n - 1)/n", "n >= 2"))
    assert isinstance(verify(two), Proved)


def test_only_claims_about_answers_are_applied() -> None:
    of_data = Mechanism(Domain([(0, 1)]), outputs=[finite("y", [0])], density=1)
    law = parse("exp(-abs(s - q[1]))/2")
    of_entry = Mechanism(
        Queries(1),
        outputs=[real("s")],
        density=parse("x*exp(-x*abs(s - q[1]))/2"),
        parameters={"x": "x > 1/2"},
    )
    positive = Mechanism(Queries(1), outputs=[real("s")], density=law, defined="q[1] >= 0")
    for base in (
        dp(of_data, 1),
        dp(of_entry, "x", "one"),
        dp(positive, 1, "one"),
        noisy("one", 2),
        noisy("increasing"),
        MEAN,
    ):
        with pytest.raises(BadInput):
            AppliedClaim(base, MEAN.sensitivity)  # type: ignore[arg-type]
    of_position = SensitivityClaim(MEAN.sensitivity.inputs, parse("sum(i*x)"), parse("i"))
    with pytest.raises(BadInput):
        AppliedClaim(noisy(), of_position)
    assert isinstance(verify(AppliedClaim(noisy("all", 2), MEAN.sensitivity)), Proved)
