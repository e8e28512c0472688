"""sin, cos, atan and erf in the algebra, in balls and in recheck's intervals, against mpmath."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ahdp_verify.kernel.numbers.ball import constant_sign, enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.numbers.smooth import function_value
from ahdp_verify.kernel.terms.expression import number, substitute
from ahdp_verify.kernel.terms.functions import atan, cos, erf, sin
from ahdp_verify.kernel.terms.grammar import parse

sys.path.insert(0, str(Path(__file__).parents[3] / "proofs"))
from recheck import enclosures, smooth
from recheck.limits import CLOCK

EMPTY = Context.empty()
FUNCTIONS = {"sin": mpmath.sin, "cos": mpmath.cos, "atan": mpmath.atan, "erf": mpmath.erf}
POINTS = st.fractions(min_value=-40, max_value=40, max_denominator=10**4)


def exact(value: Fraction) -> mpmath.mpf:
    return mpmath.mpf(value.numerator) / value.denominator


@given(st.sampled_from(sorted(FUNCTIONS)), POINTS)
def test_balls_contain_the_values(head: str, x: Fraction) -> None:
    """And are narrow."""
    low, high = enclose(function_value(head, normal(number(x), EMPTY)), 128)
    with mpmath.workdps(60):
        assert exact(low) <= FUNCTIONS[head](exact(x)) <= exact(high)
    assert high - low < Fraction(1, 10**30)


def from_end(a: enclosures.End) -> Fraction:
    return Fraction(a[0]) * Fraction(2) ** a[1]


@given(st.sampled_from(sorted(FUNCTIONS)), POINTS, st.fractions(0, 8, max_denominator=50))
def test_intervals_of_the_second_checker(head: str, x: Fraction, width: Fraction) -> None:
    """recheck's interval contains the values at points of the interval, and one of a point is
    narrow.
    """
    CLOCK.start(0)  # no limit is left from a record that was checked before
    both = enclosures.of_rational(x)[0], enclosures.of_rational(x + width)[1]
    low, high = map(from_end, getattr(smooth, head)(both))
    with mpmath.workdps(120):
        values = [FUNCTIONS[head](exact(x + width * Fraction(i, 64))) for i in range(65)]
        assert all(exact(low) <= v <= exact(high) for v in values)
        slack = mpmath.mpf(float(width)) ** 2 / 8 + mpmath.mpf(2) ** -250
        assert min(values) - exact(low) <= slack and exact(high) - max(values) <= slack


@pytest.mark.parametrize("head", sorted(FUNCTIONS))
@pytest.mark.parametrize("twelfths", range(-30, 31))
def test_exact_values(head: str, twelfths: int) -> None:
    """At multiples of pi/12, and atan at their tangents."""
    tree = parse(f"{head}({twelfths}*pi/12)")
    with mpmath.workdps(40):
        expected = FUNCTIONS[head](mpmath.pi * twelfths / 12)
        low, high = enclose(normal(tree, EMPTY), 256)
        assert exact(low) - mpmath.mpf(10) ** -38 <= expected <= exact(high) + mpmath.mpf(10) ** -38


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("sin(pi*(1 - x))", "sin(pi*x)"),
        ("cos(x - pi/2)", "sin(x)"),
        ("sin(-x + pi/3)", "-sin(x - pi/3)"),
        ("cos(3*pi/2 + x - y)", "sin(x - y)"),
        ("sin(x + 7*pi)", "-sin(x)"),
        ("erf(1 - x)", "-erf(x - 1)"),
        ("atan(-1/sqrt(3))", "-pi/6"),
        ("sin(pi/4)*cos(pi/4)", "1/2"),
        ("sqrt(pi)*sqrt(pi)/pi", "1"),
        ("log(sqrt(2*pi))", "log(2)/2 + log(pi)/2"),
        ("pi^(3/2)/sqrt(pi)", "pi"),
    ],
)
def test_symmetries(left: str, right: str) -> None:
    """The normal forms are the same, and so are the values at a point."""
    a, b = parse(left), parse(right)
    assert (normal(a, EMPTY) - normal(b, EMPTY)).is_zero
    at = {"x": number(Fraction(3, 7)), "y": number(Fraction(-5, 3))}
    values = [enclose(normal(substitute(e, at), EMPTY), 128)[0] for e in (a, b)]
    assert abs(values[0] - values[1]) < Fraction(1, 10**30)


@given(st.sampled_from((sin, cos, atan, erf)), POINTS, POINTS)
def test_signs_by_range(function: object, x: Fraction, c: Fraction) -> None:
    """The signs that are claimed for every argument contain that at one of them."""
    tree = function(parse("x")) * c + number(x)  # type: ignore[operator]
    found = EMPTY.ratio_signs(normal(tree, EMPTY))
    there = constant_sign(normal(substitute(tree, {"x": number(x)}), EMPTY))
    assert there in found


def test_signs_follow_from_arguments() -> None:
    """atan and erf have the sign of their argument; sine and cosine where an arch is known."""
    here = EMPTY.given(normal(parse("x"), EMPTY).num, ">")
    below = here.given(normal(parse("1 - x"), EMPTY).num, ">=")
    assert here.ratio_signs(normal(parse("erf(x)*atan(2*x)"), here)) == {1}
    assert here.ratio_signs(normal(parse("sin(x)"), here)) == {-1, 0, 1}
    assert below.ratio_signs(normal(parse("sin(x)"), below)) == {1}
    assert below.ratio_signs(normal(parse("cos(x)"), below)) == {1}
    assert below.ratio_signs(normal(parse("sin(4*x)"), below)) == {-1, 0, 1}


@given(st.sampled_from((sin, cos, atan, erf)), POINTS)
def test_trees_of_forms(function: object, x: Fraction) -> None:
    """A normal form as a tree has the same normal form."""
    r = normal(function(parse("x") * x + 1), EMPTY)  # type: ignore[operator]
    assert (normal(to_expression(r), EMPTY) - r).is_zero
