"""The rule `by_sensitivity`: it takes both premises, and no other evidence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.evidence.certificate import ByRule, InequalityLeaf, StatedPremise
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Queries
from ahdp_verify.kernel.model.entries import Entries
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.model.privacy import dp
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.terms.expression import ZERO
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.verify import verify


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


def test_a_premise_that_fails_is_named() -> None:
    for claim, word in (
        (AppliedClaim(noisy(level="1/2"), MEAN.sensitivity), "level 1/2"),
        (AppliedClaim(noisy(), moves("sum(x)/n", "1/(2*n)")), "sensitivity"),
    ):
        found = verify(claim)
        assert found.outcome == "unknown" and "refuted" in str(found) and word in str(found)


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
