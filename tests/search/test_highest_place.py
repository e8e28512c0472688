"""Places at which a function is largest, against calculus."""

from __future__ import annotations

import math

import pytest

from ahdp_verify.kernel.terms.expression import name, number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.highest_place import highest_place, simple_place, turning_places

M = name("m")


@pytest.mark.parametrize(
    ("f", "place"),
    [
        (lambda x: x * (1 - x), 0.5),
        (lambda x: x * x * (1 - x), 2 / 3),
        (lambda x: x * math.exp(-3 * x), 1 / 3),
        (lambda x: -abs(x - 0.3), 0.3),
        (math.exp, 1.0),
        (lambda x: -math.exp(x), 0.0),
    ],
)
def test_the_highest_place_is_the_one_of_calculus(f: object, place: float) -> None:
    assert highest_place(f, 0.0, 1.0) == pytest.approx(place, abs=1e-6)  # type: ignore[arg-type]


def test_only_simple_numbers_stand_for_places() -> None:
    assert simple_place(2 / 3) == number("2/3")
    assert simple_place(math.sqrt(0.5)) is None


def test_a_place_may_be_a_name() -> None:
    """What one record changes in the sum of (x - m)^2 is largest with one of them at m."""
    change = parse("abs((x - m)^2 - (y - m)^2)")
    samples = [{"m": number(v), "y": number(1)} for v in ("1/4", "3/8")]
    found = turning_places(change, "x", (number(0), number(1)), samples)
    assert M in found
    assert not turning_places(parse("x + m"), "x", (number(0), number(1)), samples)
