"""Sample points satisfy the facts, detect what fails at one of them, and never contradict what
holds.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ahdp_verify.kernel.numbers.algebra import polynomial_names
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.proving.float_filter import POINTS, SamplePoints

FACTS = ("0 < e", "-1 <= d <= 1", "q <= p", "q + d <= p", "r == p - 2", "1 <= n")
HERE = Context.empty(frozenset(("n",)))
for text in FACTS:
    HERE = assume_condition(parse(text), HERE)
NAMES = frozenset(("e", "d", "p", "q", "r", "n"))


def test_points_satisfy_all_facts() -> None:
    points = SamplePoints.of(HERE, NAMES)
    assert points.size == POINTS
    for f in HERE.facts:
        values = points.polynomial(f.polynomial)
        assert len(values) == POINTS
        assert all(abs(v) < 1e-9 if f.relation == "=" else v >= 0 for v in values)
    assert all(n == round(n) for n in points.names["n"])


def test_points_are_the_same_on_every_run() -> None:
    assert SamplePoints.of(HERE, NAMES).names == SamplePoints.of(HERE, frozenset(NAMES)).names


def test_facts_that_contradict_each_other_leave_no_point() -> None:
    here = assume_condition(parse("p <= q - 3"), HERE)
    assert SamplePoints.of(here, NAMES).size == 0
    assert SamplePoints.of(here, NAMES).may_hold(normal(parse("-1 - e"), here).num)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("exp(e) - 1 - e", True),
        ("1 - d", True),
        ("d", False),
        ("exp(q - p) - 1", False),
        ("exp(1000*p) + exp(-1000*p)", True),
        ("p - r - 2", True),
        ("exp(e*p) - exp(e*q)", True),
        ("exp(e*q) - exp(e*p)", False),
        ("abs(d) - d", True),
        ("n - 1", True),
        ("n - 2", False),
        ("1 - log(2)", True),
    ],
)
def test_what_fails_somewhere_is_reported(text: str, expected: bool) -> None:
    p = normal(parse(text), HERE).num
    assert SamplePoints.of(HERE, polynomial_names(p)).may_hold(p) is expected


@given(
    st.fractions(-3, 3, max_denominator=8),
    st.fractions(0, 3, max_denominator=8),
    st.integers(-2, 2),
)
def test_values_are_those_of_the_mathematics(p: object, e: object, k: int) -> None:
    polynomial = normal(parse(f"2*exp({k}*p*e) - p*e + abs(p)"), Context.empty()).num
    a, b = float(p), float(e)  # type: ignore[arg-type]
    assert math.isclose(
        SamplePoints(1, {"p": [a], "e": [b]}).polynomial(polynomial)[0],
        2 * math.exp(k * a * b) - a * b + abs(a),
        abs_tol=1e-9,
    )


@pytest.mark.parametrize("text", ["exp(e*p) - 2", "floor(p)^2 - 1", "1/e - 2"])
def test_without_points_anything_may_hold(text: str) -> None:
    here = assume_condition(parse("p <= q - 3"), HERE)
    assert SamplePoints.of(here, NAMES).may_hold(normal(parse(text), here).num)


def test_what_has_no_value_speaks_against_nothing() -> None:
    here = assume_condition(parse("p > 0"), Context.empty())
    points = SamplePoints(2, {"p": [-1.0, 1e200], "e": [0.0, 1e200]})
    for text in ("log(p) - 400", "floor(p)^2 - 1", "exp(e*p) - 1", "z - 1"):
        assert points.may_hold(normal(parse(text), here).num)
    assert not SamplePoints(2, {"p": [-1.0, 2.0]}).may_hold(normal(parse("log(p) - 1"), here).num)
