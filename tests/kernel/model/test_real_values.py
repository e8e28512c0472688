"""Values of an interval or a box: names, conditions, canonical JSON, and which moves and
counterexamples there are.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from ahdp_verify.kernel.checker import refute
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import Composite
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.model.privacy import ahdp, dp
from ahdp_verify.kernel.model.real_values import RealValues
from ahdp_verify.kernel.rules.compared import ComparedPair, check_compared
from ahdp_verify.kernel.rules.obligations import input_states, moves
from ahdp_verify.kernel.terms.expression import Expression, label, name, number, oo
from ahdp_verify.kernel.terms.grammar import parse

UNIT = RealValues({"v": "0 <= v <= 1"})
BIT = Mechanism(
    UNIT,
    outputs=[finite("b", [0, 1])],
    density=parse("piecewise(((1 + v)/3, b == 1), ((2 - v)/3, true))"),
    name="bit",
)
# P[b = 1] is 2/3 at v = 1 and 1/3 at v = 0: the loss is log(2), more than 1/2
ONE, ZERO_, HALF = (number(1),), (number(0),), (number("1/2"),)
ON = Event(values=(("b", (number(1),)),))
FALSE = dp(BIT, Fraction(1, 2), "any")
GOOD = Counterexample((), (), ONE, ZERO_, ON)


def test_names_stand_for_the_value_and_its_neighbour() -> None:
    box = RealValues({"v[2]": "0 <= v and v <= r"})
    assert box.bound == ("v[1]", "v[2]")
    assert box.pair_names == {"v[1]", "v[2]", "other[1]", "other[2]"}
    assert box.reserved == {"v", "other"}
    assert [str(c) for _, c in box.conditions] == [
        "0 <= v[1] and v[1] <= r",
        "0 <= v[2] and v[2] <= r",
    ]


@pytest.mark.parametrize(
    "thing",
    [UNIT, RealValues({"v": ""}), RealValues({"v[2]": "v[1]^2 + v[2]^2 <= 1"})],
)
def test_values_read_back_from_json(thing: RealValues) -> None:
    assert RealValues.from_json(thing.to_json()) == thing
    law = Mechanism(thing, outputs=[real("s")], density=parse("exp(-abs(s))/2"))
    again = Mechanism.from_json(law.to_json())
    assert again.inputs == thing and again.fingerprint == law.fingerprint


@pytest.mark.parametrize(
    "data",
    [
        None,
        {"reals": []},
        {"reals": [["w", ["boolean", True]]]},
        {"reals": [["v[2]", ["boolean", True]]]},
        {"reals": [["v", ["boolean", True]], ["v", ["boolean", True]]]},
        {"reals": [["v", ["boolean", True]], ["v[1]", ["boolean", True]]]},
        {"reals": [["v", ["boolean", True]]], "parameters": []},
        {"reals": {"v": ["boolean", True]}},
    ],
)
def test_odd_json_is_not_a_value(data: Any) -> None:
    with pytest.raises(BadInput):
        RealValues.from_json(data)


@pytest.mark.parametrize("given", [{}, {"w": ""}, {"v": "", "w": ""}, [1, 2], "v"])
def test_the_value_is_called_v(given: Any) -> None:
    with pytest.raises(BadInput, match="not called v"):
        RealValues(given)


@pytest.mark.parametrize(
    ("condition", "density", "output", "reason"),
    [
        ("v <= r", "exp(-abs(s - v))/2", "s", "r is not known"),
        ("v <= other", "exp(-abs(s - v))/2", "s", "other is not known"),
        ("v <= s", "exp(-abs(s - v))/2", "s", "s is not known"),
        ("v <= 1", "exp(-abs(s - other))/2", "s", "other is not known"),
        ("v <= 1", "exp(-abs(v - other))/2", "other", "already names a part of the input"),
        ("v == 'a'", "exp(-abs(s - v))/2", "s", "is a label"),
        ("v <= 1", "exp(-abs(s - sum(1)))/2", "s", "needs a dataset"),
    ],
)
def test_names_without_a_meaning_are_refused(
    condition: str, density: str, output: str, reason: str
) -> None:
    with pytest.raises(BadInput, match=reason):
        Mechanism(
            RealValues({"v": condition.replace("'", '"')}),
            outputs=[real(output)],
            density=parse(density),
        )


def test_other_relations_and_composites_are_refused() -> None:
    with pytest.raises(BadInput, match="use any for single values"):
        ahdp(BIT)
    with pytest.raises(BadInput, match="use any for single values"):
        dp(BIT, 1, "one")
    with pytest.raises(BadInput, match="composition is worked out for"):
        Composite("compose", (dp(BIT, 1, "any"),))


def test_one_move_stands_for_all_pairs() -> None:
    claim = Claim(BIT, "any", parse("abs(v - other)"))
    (move,) = moves(claim)
    assert move.after == {name("v"): name("other")} and move.level == claim.level
    assert [str(c) for c in move.conditions] == ["0 <= v and v <= 1", "0 <= other and other <= 1"]
    assert move.gaps is not None and [str(g) for g in move.gaps] == ["other - v"]
    assert list(moves(Claim(BIT, "any", oo))) == []


def test_conditions_and_the_domain_of_definition_are_facts_of_the_state() -> None:
    inside = replace(BIT, defined=parse("v != 1/2 and 1/4 <= v"))
    (state,) = input_states(inside, False)
    assert len(state.here.facts) >= 3


def test_a_true_counterexample_is_accepted() -> None:
    found = refute(FALSE, GOOD)
    both = (found.first_probability, found.second_probability)
    assert [p.as_rational for p in both] == [Fraction(2, 3), Fraction(1, 3)]


@pytest.mark.parametrize(
    ("example", "reason"),
    [
        (replace(GOOD, first=(number(2),)), "does not satisfy"),
        (replace(GOOD, second=(number("-1/100"),)), "does not satisfy"),
        (replace(GOOD, first=(number(1), number(1))), "malformed"),
        (replace(GOOD, first=()), "malformed"),
        (replace(GOOD, second=ONE), "not known to differ"),
        (replace(GOOD, first=(label("a"),)), "is not a number"),
        (replace(GOOD, first=(name("v"),)), "is not a number"),
        (replace(GOOD, parameters=(("v", number(1)),)), "parameters are not those"),
        (replace(GOOD, second=HALF), "not shown to violate"),
    ],
)
def test_what_is_no_counterexample_is_rejected(example: Counterexample, reason: str) -> None:
    """The loss between 1 and 1/2 is log(4/3), below the claimed 1/2."""
    with pytest.raises(Rejected, match=reason):
        refute(FALSE, example)


def test_one_value_written_in_two_ways_is_no_pair() -> None:
    """A level that is negative between equal values is refuted by no pair of them."""
    claim = Claim(BIT, "any", parse("abs(v - other) - 1"))
    half: Expression = Expression("^", (number("1/4"), number("1/2")))
    with pytest.raises(Rejected, match="not known to differ"):
        refute(claim, replace(GOOD, first=HALF, second=(half,)))


def test_the_level_is_taken_at_both_values() -> None:
    """The loss from 1 to 0 is log(2): more than 1/2, and less than 1."""
    assert str(refute(Claim(BIT, "any", parse("v/2")), GOOD).level) == "1/2"
    with pytest.raises(Rejected, match="not shown to violate"):
        refute(Claim(BIT, "any", parse("v")), GOOD)
    with pytest.raises(Rejected, match="level oo"):
        unbounded = parse("piecewise((oo, other == 0), (0, true))")
        refute(Claim(BIT, "any", unbounded), GOOD)


def test_what_is_compared_lies_inside_and_differs() -> None:
    check_compared(FALSE, None, ComparedPair((), (), ONE, ZERO_))
    for before, after in ((ONE, ONE), (ONE, (number(3),))):
        with pytest.raises(Rejected):
            check_compared(FALSE, None, ComparedPair((), (), before, after))


@pytest.mark.parametrize("place", ["v", "floor(v)", "s", "2*v + 1"])
def test_an_atom_that_reads_as_the_value_is_refused(place: str) -> None:
    """It would be a label, at which every value puts the same mass, and not the place v."""
    with pytest.raises(BadInput, match="would be a label, not the value"):
        Mechanism(
            UNIT,
            outputs=[real("s")],
            density=parse("exp(-abs(s - v))/4"),
            atoms={place: Fraction(1, 2)},
        )
    named = {"value": Fraction(1, 2)}
    Mechanism(UNIT, outputs=[real("s")], density=parse("exp(-abs(s - v))/4"), atoms=named)
