"""Where statements fail: simple values first, ends of conditions, logarithms and roots, and descent
on the gap; everything else is left to the checker.
"""

from __future__ import annotations

import pytest

from ahdp_verify.kernel.checker import refute_inequality
from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.terms.expression import TRUE
from ahdp_verify.kernel.terms.grammar import parse_condition
from ahdp_verify.search.limits import Limits, OutOfLimits
from ahdp_verify.search.refuting.values import (
    UnknownEnds,
    candidate_points,
    failing_values,
    undefined_values,
)

Given = dict[str, object]


def first(given: Given, left: str, relation: str, right: str) -> str | None:
    """The first values with which the checker agrees; None if there are none."""
    s = Inequality.of(given, left, relation, right)
    for values in failing_values(s, Limits(seconds=30).clock(), candidate_points(s)):
        try:
            refute_inequality(s, values)
        except Rejected:  # 0 only in floating point
            continue
        return ", ".join(f"{key} = {value}" for key, value in values)
    return None


@pytest.mark.parametrize(
    ("case", "values"),
    [
        (({"x": ""}, "x^2", "<=", "0"), "x = 1"),
        (({"x": ""}, "x^2", ">", "0"), "x = 0"),
        (({"x": ""}, "(exp(x) - 2)^2", ">", "0"), "x = log(2)"),
        (({"x": "x >= 0"}, "(x^2 - 2)^2", ">", "0"), "x = sqrt(2)"),
        (
            ({"x": "x > 0", "y": "y == 3*x + 1/7"}, "y", "<=", "3*x"),
            "x = 1, y = 22/7",
        ),  # nothing else satisfies the condition
        (
            ({"t": "t > 0", "y": "0 <= y and y <= t^2/1000"}, "y", "<", "t^2/1000"),
            "t = 1, y = 1/1000",
        ),  # only at an end of the condition
        (
            ({"t": "t > 0", "y": "exp(t) <= y and y <= exp(t) + 1/1000"}, "y", ">", "exp(t)"),
            "t = 1, y = exp(1)",
        ),
        (({}, "2", "<=", "1"), ""),
        (({}, "exp(1)", "<=", "exp(1) - 1/10^40"), ""),  # by less than floats see
    ],
)
def test_the_values_are_simple(case: tuple[Given, str, str, str], values: str) -> None:
    assert first(*case) == values


@pytest.mark.parametrize(
    "case",
    [
        ({"x": ""}, "(x - 777/100)^2", ">=", "1/10000"),  # fails within 1/100 of 777/100
        ({"x": "", "y": ""}, "(x - 777/100)^2 + (y + 1234/100)^2", ">=", "1/1000"),
        (
            {"x": "0 <= x and x <= 1", "y": "x <= y and y <= x + 1/100"},
            "(x - 37/100)^2 + (y - 3715/10000)^2",
            ">=",
            "1/100000",
        ),
    ],
)
def test_what_fails_in_a_small_place_is_found_by_descent(case: tuple[Given, str, str, str]) -> None:
    assert first(*case) is not None


@pytest.mark.parametrize("gap", ["10^-9", "10^-12", "10^-40"])
def test_a_gap_that_rounding_could_have_made_is_decided_exactly(gap: str) -> None:
    """x (1 - x) is at most 1/4, at 1/2 only."""
    inside: Given = {"x": "0 <= x and x <= 1"}
    assert first(inside, "x*(1 - x)", "<=", f"1/4 - {gap}") == "x = 1/2"
    assert first(inside, "x*(1 - x)", "<=", "1/4") is None
    assert first({"x": ""}, f"(x - 1)^2 + {gap}", ">=", f"2*{gap}") == "x = 1"
    assert first({"x": ""}, f"(x - 1)^2 + 2*{gap}", ">=", gap) is None


@pytest.mark.parametrize(
    "case",
    [
        ({"x": ""}, "2*x", "<=", "x^2 + 1"),  # touches at 1
        ({"x": "x > 0"}, "log(x)", "<=", "x - 1"),
        ({"x": "x < 0 and x > 0"}, "1", "<=", "0"),  # no values at all
        ({"x": ""}, "1/x^2", ">", "0"),  # where there is no value nothing fails
        ({"x": "0 < x"}, "piecewise((x, 0 < x))", ">", "0"),
        ({}, "exp(1) - 1/10^40", "<", "exp(1)"),
    ],
)
def test_of_what_is_true_nothing_is_found(case: tuple[Given, str, str, str]) -> None:
    assert first(*case) is None


@pytest.mark.parametrize(
    ("given", "left", "where"),
    [
        ("", "1/x", "0"),
        ("", "log(x)", "0"),
        ("x >= 1", "1/(x - 1)", "1"),
        ("x >= 2", "log(x - 5/2)", "2"),
        ("x > 0", "1/x", None),
        ("", "piecewise((1, x < 0))", "0"),
        ("x < 0", "piecewise((1, x < 0))", None),
    ],
)
def test_where_a_side_has_no_value_is_reported(given: str, left: str, where: str | None) -> None:
    found = undefined_values(Inequality.of({"x": given}, left, ">=", "0"), Limits().clock())
    assert (None if found is None else str(found[0][1])) == where


def test_the_ends_of_a_condition() -> None:
    of = UnknownEnds.of(
        "y", parse_condition("0 <= y and y <= t and y < 2*z and y != 3 and t <= 5"), frozenset("t")
    )
    assert [str(e) for e in (*of.lower, *of.upper)] == ["0", "t"] and not of.equal  # z comes later
    assert [
        str(e) for e in UnknownEnds.of("y", parse_condition("2*t == y"), frozenset("t")).equal
    ] == ["2*t"]
    assert UnknownEnds.of("y", TRUE, frozenset()) == UnknownEnds((), (), ())


def test_the_search_ends_in_time() -> None:
    with pytest.raises(OutOfLimits):
        s = Inequality.of({"x": ""}, "x", "<=", "x")
        list(failing_values(s, Limits(seconds=1e-6).clock(), candidate_points(s)))
