"""Laws of several finite outputs: events of those that one factor couples, and factors below 0.

The probabilities are added up here, over the listed values, by a function that states the law a
second time.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from ahdp_verify.kernel.checker import check, refute
from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import (
    Certificate,
    CoordinatesLeaf,
    InequalityLeaf,
    Mass,
    TotalLeaf,
)
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.evidence.event import Event, Points
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.rules.events import event_probability
from ahdp_verify.kernel.terms.expression import number
from ahdp_verify.kernel.terms.grammar import parse

BITS = (0, 1)
A, B = finite("a", BITS), finite("b", BITS)
# a formula that decays in both outputs, so that it has a finite sum over all whole numbers too
COUPLED = "12/35*(1/2)^abs(a)*((1/2)^abs(b) + abs(a)*(1/3)^abs(b))"
ZERO_OF_EACH = (("a", (number(0),)), ("b", (number(0),)))


def probability(a: int, b: int) -> Fraction:
    return Fraction(12, 35) * Fraction(1, 2) ** a * (Fraction(1, 2) ** b + a * Fraction(1, 3) ** b)


def test_the_formula_is_a_distribution_on_the_listed_values() -> None:
    assert sum(probability(a, b) for a, b in itertools.product(BITS, BITS)) == 1


@pytest.mark.parametrize("points", [(), ZERO_OF_EACH])
@pytest.mark.parametrize("chosen", [(0,), (1,)])
def test_an_event_of_a_finite_output_counts_its_listed_values_only(
    chosen: tuple[int, ...], points: Points
) -> None:
    wanted = sum(probability(a, b) for a, b in itertools.product(chosen, BITS))
    event = Event(values=(("a", tuple(map(number, chosen))),))
    found = event_probability(parse(COUPLED), (), (A, B), event, points)
    assert found.as_rational == wanted


@pytest.mark.parametrize("chosen", [(0,), (1,)])
def test_it_does_so_beside_an_output_that_is_not_finite(chosen: tuple[int, ...]) -> None:
    wanted = sum(probability(a, b) for a, b in itertools.product(chosen, BITS)) / 2
    event = Event(values=(("a", tuple(map(number, chosen))),), intervals=(("s", number(0), None),))
    found = event_probability(
        parse(f"{COUPLED}*exp(-abs(s))/2"),
        (),
        (A, B, real("s")),
        event,
        (*ZERO_OF_EACH, ("s", (number(0),))),
    )
    assert found.as_rational == wanted


def test_a_true_claim_about_coupled_outputs_is_not_refuted() -> None:
    density = parse(f"piecewise(({COUPLED}, v == 0), (1/4, true))")
    losses = [probability(a, b) / Fraction(1, 4) for a, b in itertools.product(BITS, BITS)]
    assert Fraction(1, 2) < min(losses) < max(losses) < 2  # so that the level 1 is valid
    claim = Claim(Mechanism(Values(list(BITS)), outputs=[A, B], density=density), "any", number(1))
    event = Event(values=(("a", (number(0),)),))
    example = Counterexample((), (), (number(0),), (number(1),), event, (ZERO_OF_EACH, ()))
    with pytest.raises(Rejected):
        refute(claim, example)


def test_factors_below_zero_do_not_bound_their_product() -> None:
    """(1/3, 2/3) and (2/5, 3/5) as products of two factors below 0, each of which is at most as
    large as the other one where the product is larger.
    """
    laws = (Fraction(1, 3), Fraction(2, 3)), (Fraction(2, 5), Fraction(3, 5))
    pairs = list(itertools.product(BITS, BITS))
    ratios = [laws[0][a] * laws[0][b] / (laws[1][a] * laws[1][b]) for a, b in pairs]
    assert min(ratios) == Fraction(25, 36) and max(ratios) == Fraction(100, 81)  # not level 0
    told = "((v - 1)*(1 + {0}^2)/3 - v*(2 + {0}^2)/5)"
    density = parse(f"{told.format('a')}*{told.format('b')}")
    claim = Claim(Mechanism(Values(list(BITS)), outputs=[A, B], density=density), "any", number(0))
    said = claim.fingerprint, False, ()
    evidence = tuple(
        CoordinatesLeaf((), "log", (parse(level),) * 2, (InequalityLeaf((), "direct"),) * 4)
        for level in ("log(5/6)", "log(9/10)")
    )
    iterated = tuple(map(parse, ("1", "(1 + a^2)/3", "1", "(2 + a^2)/5")))
    for mass in (Mass((), (TotalLeaf(),) * 2), Mass(iterated, (TotalLeaf(),) * 4)):
        with pytest.raises(Rejected):
            check(claim, Certificate(*said, mass, evidence, (0, 1)))
