"""One proof for all levels of a range gives each of them, and no other."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.evidence.certificate import (
    ByRule,
    InequalityLeaf,
    SolverWord,
    StatedPremise,
)
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite
from ahdp_verify.kernel.rules.composition import _rules_of_open_premise
from ahdp_verify.kernel.rules.open_level import claim_at_open_level
from ahdp_verify.kernel.terms.expression import Expression, exp, number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.stored import from_stored, to_stored
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify
from tests.stored import ANY_KIND

LAW = parse("piecewise((3/4, r == v), (1/4, true))", "law")
FLIP = Mechanism(Values([0, 1]), outputs=[finite("r", [0, 1])], density=LAW, name="flip")
AMONG = parse("0 <= L and L <= 1", "condition")
SAID = StatedPremise("any", AMONG, parse("3/4 - exp(L)/4", "delta"))
AT_HALF = Claim(FLIP, "any", number("1/2"), number("3/4") - exp(number("1/2")) / 4)


@pytest.fixture(scope="module")
def proof() -> ByRule:
    """The proof at level 1/2."""
    shown = verify(claim_at_open_level(AT_HALF, SAID), limits=Limits(seconds=20))
    assert isinstance(shown, Proved)
    return ByRule(AT_HALF.fingerprint, "open_level", 1, SAID, (shown.certificate,), ())


def concluded(claim: Claim, proof: ByRule, sides: int = 0) -> Proved:
    return check(
        claim, replace(proof, claim=claim.fingerprint, evidence=(InequalityLeaf(),) * sides)
    )


def test_each_level_follows_with_its_delta(proof: ByRule) -> None:
    for level in (number(0), number("1/2"), number(1), parse("log(2)", "level")):
        at = replace(AT_HALF, level=level, delta=number("3/4") - exp(level) / 4)
        assert "the composition rules" in str(concluded(at, proof))
    larger = replace(AT_HALF, delta=number("1/2"))
    assert concluded(larger, proof, 1).claim == larger


@pytest.mark.parametrize("level", ["11/10", "2", "log(3)", "eps", "log(1/2)", "1/0"])
def test_another_level_does_not(proof: ByRule, level: str) -> None:
    own = Mechanism(
        FLIP.inputs, outputs=FLIP.outputs, density=LAW, name="flip", parameters={"eps": ""}
    )
    found = parse(level, "level") if level != "1/0" else Expression("^", (number(0), number(-1)))
    with pytest.raises(Rejected):
        concluded(Claim(own, "any", found, number(1)), proof, 1)


def test_a_smaller_delta_does_not(proof: ByRule) -> None:
    smaller = replace(AT_HALF, delta=AT_HALF.delta - Fraction(1, 10**9))
    for sides in (0, 1):
        with pytest.raises(Rejected):
            concluded(smaller, proof, sides)


def test_the_premise_is_that_of_this_mechanism(proof: ByRule) -> None:
    """Nor does a premise that was accepted for one mechanism, and is remembered, serve another."""
    other = parse("piecewise((7/8, r == v), (1/8, true))", "law")
    less = Mechanism(FLIP.inputs, outputs=FLIP.outputs, density=other, name="flip")
    concluded(AT_HALF, proof)
    with pytest.raises(Rejected):
        concluded(replace(AT_HALF, mechanism=less), proof)


@pytest.mark.parametrize(
    ("among", "slack"),
    [
        ("0 <= L", "3/4 - exp(L)/4"),
        ("0 <= L and L <= 2", "3/4 - exp(L)/4"),
        ("0 <= L and L <= 1", "1/2 - exp(L)/4"),
        ("0 <= L and L <= M", "3/4 - exp(L)/4"),
        ("true", "1/2"),
        ("0 <= r and r <= 1", "3/4"),
        ("0 <= v and v <= 1", "3/4"),
    ],
)
def test_another_premise_is_not_shown_by_this_proof(proof: ByRule, among: str, slack: str) -> None:
    said = StatedPremise("any", parse(among, "condition"), parse(slack, "delta"))
    claim = replace(AT_HALF, delta=number("3/4"))
    for sides in (0, 1):
        with pytest.raises(Rejected):
            concluded(claim, replace(proof, stated=said), sides)


def test_a_name_of_the_mechanism_is_not_a_level_of_its_own() -> None:
    """A premise about the parameter e that the law depends on would speak of other laws."""
    law = parse("piecewise((exp(e)/(1 + exp(e)), r == v), (1/(1 + exp(e)), true))", "law")
    own = Mechanism(FLIP.inputs, outputs=FLIP.outputs, density=law, parameters={"e": "e >= 0"})
    claim = Claim(own, "any", number(0))
    with pytest.raises(BadInput, match="declared twice"):
        claim_at_open_level(claim, StatedPremise("any", parse("0 <= e", "condition"), number(0)))


def test_a_demand_is_not_a_level_of_its_own() -> None:
    people = Domain([(0, 1), (1, 2)])
    coin = Mechanism(people, outputs=[finite("r", [0, 1])], density=number("1/2"))
    said = StatedPremise("ahdp", parse("0 <= eps", "condition"), number(0))
    with pytest.raises(BadInput, match="demand of a record"):
        claim_at_open_level(Claim(coin, "ahdp", number(1)), said)


def test_what_solvers_attest_for_many_levels_is_not_concluded(proof: ByRule) -> None:
    (premise,) = proof.premises
    said = ("cvc5", "z3")
    attested = replace(premise, evidence=(SolverWord(said),) * len(premise.evidence))
    claimed = replace(proof, premises=(attested,))
    with pytest.raises(Rejected, match="by the checker alone"):
        check(AT_HALF, claimed, lambda claim, task: said)


def test_a_refused_premise_is_not_remembered(proof: ByRule) -> None:
    (premise,) = proof.premises
    short = replace(premise, uses=premise.uses[:-1])
    for _ in range(2):
        with pytest.raises(Rejected):
            concluded(AT_HALF, replace(proof, premises=(short,)))
    _rules_of_open_premise.cache_clear()
    assert concluded(AT_HALF, proof).beyond == concluded(AT_HALF, proof).beyond


def test_it_is_stored(proof: ByRule) -> None:
    assert from_stored(ANY_KIND, to_stored(proof)) == proof
