"""Inequalities from textbooks, most of them equalities somewhere: proved, and refuted or left open
with a little less.
"""

from __future__ import annotations

import mpmath
import pytest

from ahdp_verify import Inequality, Limits, Proved, Unknown, verify
from ahdp_verify.kernel.errors import Undecided
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
from ahdp_verify.kernel.refuted import RefutedInequality
from ahdp_verify.kernel.rules.inequalities import check_sign, extend_context
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.proving.open_region import open_region_text, slack_text
from ahdp_verify.search.proving.regions import (
    is_curved,
    is_smooth,
    least_point,
    prove_on_region,
    recognised,
    region_lemmas,
    stationary_guard,
)

COINS = {"p": "0 < p and p < 1", "q": "0 < q and q < 1"}
TRUE = (
    ({"x": "x > 0"}, "log(x)", "<=", "x - 1"),
    ({"x": "x > 0"}, "sin(x)", "<", "x"),
    ({"x": "x > 1"}, "log(x)", "<", "(x - 1)/sqrt(x)"),  # the logarithmic mean
    ({"x": "0 <= x and x <= pi/2"}, "sin(x)", ">=", "2*x/pi"),  # Jordan
    ({"x": ""}, "cos(x)", ">=", "1 - x^2/2"),
    ({"x": "x > 0"}, "atan(x)", ">", "3*x/(1 + 2*sqrt(1 + x^2))"),  # Shafer 1966
    ({"x": "x >= 0"}, "erf(x)", "<=", "2*x/sqrt(pi)"),
    ({"x": "x > 0"}, "1 - erf(x)", "<=", "exp(-x^2)/(x*sqrt(pi))"),  # Gordon 1941
    ({"x": "x >= 0"}, "1 - erf(x)", "<=", "exp(-x^2)"),
    ({"t": ""}, "(exp(t) + exp(-t))/2", "<=", "exp(t^2/2)"),
    ({"x": "x > -1", "n": "n >= 1"}, "(1 + x)^n", ">=", "1 + n*x"),  # Bernoulli
    (COINS, "p*log(p/q) + (1 - p)*log((1 - p)/(1 - q))", ">=", "2*(p - q)^2"),  # Pinsker
    ({"p": "0 <= p and p <= 1", "t": ""}, "log(1 - p + p*exp(t))", "<=", "p*t + t^2/8"),
    ({"e": "e >= 0", "p": "0 <= p and p <= 1"}, "log(1 + p*(exp(e) - 1))", "<=", "e"),
    ({"x": "0 <= x and x <= 1"}, "1 - sin(pi*x)", ">=", "0"),
)
LESS = (
    ({"x": "x > 0"}, "log(x)", "<=", "x - 101/100"),
    ({"x": "0 <= x and x <= pi/2"}, "sin(x)", ">=", "2*x/pi*101/100"),
    ({"x": ""}, "cos(x)", ">=", "1 - x^2*49/100"),
    ({"x": "x >= 0"}, "erf(x)", "<=", "2*x/sqrt(pi)*99/100"),
    ({"t": ""}, "(exp(t) + exp(-t))/2", "<=", "exp(t^2/2*9/10)"),
    (COINS, "p*log(p/q) + (1 - p)*log((1 - p)/(1 - q))", ">=", "202/100*(p - q)^2"),
)


@pytest.mark.parametrize(("unknowns", "left", "relation", "right"), TRUE)
def test_true_inequalities_are_proved(
    unknowns: dict[str, str], left: str, relation: str, right: str
) -> None:
    found = verify(Inequality.of(unknowns, left, relation, right), Limits(seconds=20))
    assert isinstance(found, Proved), str(found)


@pytest.mark.parametrize(("unknowns", "left", "relation", "right"), LESS)
def test_a_little_less_is_refuted(
    unknowns: dict[str, str], left: str, relation: str, right: str
) -> None:
    found = verify(Inequality.of(unknowns, left, relation, right), Limits(seconds=20))
    assert isinstance(found, RefutedInequality), str(found)


def test_what_is_left_is_said() -> None:
    """(sin(3 x) - 1/2)^2 e^x is 0 at pi/18 and 5 pi/18, and nowhere below by more than 10^-40."""
    unknowns = {"x": "0 <= x and x <= 1"}
    asked = Inequality.of(unknowns, "(sin(3*x) - 1/2)^2*exp(x)", ">=", "1/10^40")
    found = verify(asked, Limits(seconds=20))
    assert isinstance(found, Unknown)
    said = str(found)
    assert "shown but for" in said and "the least value found is 0" in said


def context(condition: str) -> Context:
    return assume_condition(parse(condition), Context.empty())


def test_a_region_that_is_left_contains_the_zeros() -> None:
    here = context("0 <= x and x <= 1")
    said = open_region_text(normal(parse("(sin(3*x) - 1/2)^2"), here).num, ">=", here)
    intervals = [
        part.split(" <= x <= ") for part in said.split(";")[0].split("for ")[1].split(" and ")
    ]
    for zero in (mpmath.pi / 18, 5 * mpmath.pi / 18):
        assert any(float(a) <= zero <= float(b) for a, b in intervals), said


def test_the_share_of_the_level_is_that_of_the_largest_loss() -> None:
    """exp(-|s - x|/2) against exp(-|s|/2): the largest loss is x/2, 5/8 of the level at x = 1."""
    here = context("0 <= x and x <= 1")
    sides = (parse("exp(-abs(s - x)/2)"), parse("exp(-abs(s)/2)"))
    said = slack_text(*sides, parse("4/5"), here)
    share = float(said.split("reaches ")[1].split(" %")[0])
    assert 62 < share <= 62.5 + 1e-6


@pytest.mark.parametrize(
    ("text", "smooth", "curved"),
    [
        ("x + exp(x)", False, False),
        ("x^2", False, True),
        ("sin(x)", True, False),
        ("exp(x*y)", False, False),
        ("exp(x*log(y))", False, False),
        ("exp(x^2)", True, False),
        ("log(1 + x^2)", True, False),
        ("sin(1)*x", False, False),
    ],
)
def test_kinds_of_requirements(text: str, smooth: bool, curved: bool) -> None:
    p = normal(parse(text), context("0 < x and 0 < y")).num
    assert (is_smooth(p), is_curved(p)) == (smooth, curved)


def test_least_points_and_constants() -> None:
    """The least value of x^2 - x + y is -1/4 - 1, at x = 1/2 and y = -1."""
    p = normal(parse("x^2 - x + y"), Context.empty()).num
    point, value = least_point(p, {"x": (0.0, 2.0), "y": (-1.0, 3.0)})
    assert abs(value + 1.25) < 1e-6 and abs(point["x"] - 0.5) < 1e-2
    for text in ("3/7", "2*pi/3", "log(5)", "sqrt(2)", "-1/2"):
        exact = normal(parse(text), Context.empty())
        near = float(enclose(exact, 128)[0])
        found = recognised(near + 1e-7, 1e-5)
        assert found is not None and (found - exact).is_zero, text
    assert recognised(0.123456789, 1e-9) is None


def test_guards() -> None:
    """The slope of (x - y)^2 in x, and where a requirement is 0 along a line."""
    here = context("0 <= x and x <= 1 and 0 <= y and y <= 1")
    clock = Limits().clock()
    p = normal(parse("(x - y)^2 + y"), here).num
    guard = stationary_guard(p, here, clock)
    assert guard is not None and guard.key in ("x + -1*y", "-1*x + y")
    lemmas = region_lemmas(normal(parse("1 - x*y/2"), here).num, here, clock)
    assert lemmas and extend_context(lemmas, here).signs(normal(parse("1 - x*y/2"), here).num) == {
        1
    }
    assert region_lemmas(normal(parse("1/2 - x*y"), here).num, here, clock) == ()


def test_nothing_false_is_shown() -> None:
    """Requirements that fail by a little, of which some seem to hold at all sample points."""
    here = context("0 <= x and x <= 1")
    clock = Limits(seconds=20).clock()
    for text in ("(x - 1/3)^2 - 1/10^9", "sin(x) - x + x^3/6 - x^5/119", "exp(x) - 1 - 2*x + 3/10"):
        p = normal(parse(text), here).num
        try:
            found = prove_on_region(p, ">=", here, clock)
        except Undecided:
            continue
        assert found is None, text
    shown = prove_on_region(normal(parse("sin(x) - x + x^3/6"), here).num, ">=", here, clock)
    assert shown is not None
    lemmas, proof = shown
    larger = extend_context(lemmas, here)
    check_sign(normal(parse("sin(x) - x + x^3/6"), larger), ">=", proof, larger)


def test_slopes_whose_terms_cancel_are_not_screened_away() -> None:
    """The Rényi divergence of Laplace noise (Mironov 2017, proposition 6) is at most a rho with
    rho = e + exp(-e) - 1, its limit at order 1, for every order and e: near e = 0 both sides agree
    to second order, and floats see only noise in their slopes.
    """
    left = "a/(2*a - 1)*exp((a - 1)*e) + (a - 1)/(2*a - 1)*exp(-a*e)"
    right = "exp((a - 1)*a*(e + exp(-e) - 1){})"
    unknowns = {"e": "e >= 0", "a": "a > 1"}
    found = verify(Inequality.of(unknowns, left, "<=", right.format("")), Limits(seconds=60))
    assert isinstance(found, Proved)
    less = verify(Inequality.of(unknowns, left, "<=", right.format("*99/100")), Limits(seconds=60))
    assert isinstance(less, RefutedInequality)
