"""Noise of a distance: the bounds of a refutation against SciPy's integrals over the box."""

from __future__ import annotations

from dataclasses import replace
from math import exp, pi, sqrt

import pytest
from scipy.integrate import dblquad

from ahdp_verify import Mechanism, Values, real, verify
from ahdp_verify.kernel.checker import refute
from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.real_values import RealValues
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms.expression import number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.verify import verify as decide

LAW = "exp(-sqrt((s[1] - v[1])^2 + (s[2] - v[2])^2))/(2*pi)"
TWO = Mechanism(Values([(0, 0), (3, 4)]), outputs=real("s", 2), density=parse(LAW), name="places")


def share(centre: tuple[float, float], box: list[tuple[float, float]]) -> float:
    """The probability of a box under exp(-|s - centre|)/(2 pi)."""

    def density(y: float, x: float) -> float:
        return exp(-sqrt((x - centre[0]) ** 2 + (y - centre[1]) ** 2)) / (2 * pi)

    (low, high), (below, above) = box
    return float(dblquad(density, low, high, below, above, epsabs=1e-14)[0])


def refuted_at(level: str) -> Refuted:
    found = verify(Claim(TWO, "any", parse(level)))
    assert isinstance(found, Refuted)
    return found


@pytest.mark.parametrize("level", ["0", "1", "4", "49/10", "499/100"])
def test_the_bounds_hold_and_are_close(level: str) -> None:
    """The distance of the two places is 5."""
    found = refuted_at(level)
    box = [(float(low.args[0]), float(high.args[0])) for _, low, high in intervals(found)]
    places = [tuple(float(e.args[0]) for e in side) for side in sides(found)]
    first, second = (
        float(enclose(r)[0]) for r in (found.first_probability, found.second_probability)
    )
    truth = [share(place, box) for place in places]  # type: ignore[arg-type]
    assert first <= truth[0] <= first * 1.6 and second / 1.6 <= truth[1] <= second
    assert truth[0] > exp(float(parse(level).args[0])) * truth[1]
    assert "probability at least" in str(found) and "against at most" in str(found)


def intervals(found: Refuted) -> tuple:  # type: ignore[type-arg]
    return found.counterexample.event.intervals


def sides(found: Refuted) -> tuple:  # type: ignore[type-arg]
    return found.counterexample.first, found.counterexample.second


def test_nothing_else_is_a_box() -> None:
    """A box that is turned around or has a side of length 0, one around the second place, and
    points.
    """
    found = refuted_at("49/10")
    event = found.counterexample.event
    (a, low, high), other = event.intervals
    around = tuple((key, number(-1), number(1)) for key, _, _ in event.intervals)
    for intervals_ in (((a, high, low), other), ((a, low, low), other), around, ((a, low, high),)):
        wrong = replace(found.counterexample, event=replace(event, intervals=intervals_))
        with pytest.raises(Rejected):
            refute(found.claim, wrong)
    with pytest.raises(Rejected):
        points = ((("s[1]", ()),), ())
        refute(found.claim, replace(found.counterexample, points=points))
    turned = replace(
        found.counterexample,
        first=found.counterexample.second,
        second=found.counterexample.first,
    )
    with pytest.raises(Rejected):
        refute(found.claim, turned)


def test_a_level_that_holds_is_not_refuted() -> None:
    assert isinstance(verify(Claim(TWO, "any", parse("5"))), Proved)


def test_places_of_a_square() -> None:
    """Its diagonal is 1.414...; in space that of a cube is 1.732..."""
    square = "0 <= v[1] and v[1] <= 1 and 0 <= v[2] and v[2] <= 1"
    places = RealValues({"v[2]": square})
    plane = Mechanism(places, outputs=real("s", 2), density=parse(LAW), name="square")
    assert isinstance(decide(Claim(plane, "any", parse("7/5"))), Refuted)
    less = parse("9/10*sqrt((v[1] - other[1])^2 + (v[2] - other[2])^2)")
    assert isinstance(decide(Claim(plane, "any", less)), Refuted)
    law = "exp(-sqrt((s[1] - v[1])^2 + (s[2] - v[2])^2 + (s[3] - v[3])^2))/(8*pi)"
    corners = Values([(0, 0, 0), (1, 1, 1)])
    space = Mechanism(corners, outputs=real("s", 3), density=parse(law), name="cube")
    assert isinstance(decide(Claim(space, "any", parse("17/10"))), Refuted)
    assert isinstance(decide(Claim(space, "any", parse("sqrt(3)"))), Proved)
