"""Expressions in floats agree with exact arithmetic, and what has no numerical value is refused."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ahdp_verify.decimals import approximate_rational
from ahdp_verify.kernel.errors import NotWorkedOut
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    Max,
    Min,
    binomial,
    eq,
    exp,
    floor,
    label,
    log,
    name,
    number,
    oo,
    piecewise,
    substitute,
    sum_over_records,
)

np = pytest.importorskip("numpy")

from ahdp_verify.sampling.floats import (  # noqa: E402
    equal_columns,
    evaluate_columns,
    numeric_column,
    ratio_values,
)

X, Y = name("x"), name("y")
FORMS = [
    (X + 1) ** 2 / (1 + Abs(X - 3)),
    Min(X, 2) - Max(Y, X / 3, -1),
    floor(X / 2) + X % 3,
    piecewise((X, X < Y), (exp(Y) - 1, eq(X, 2)), (log(2 + Abs(Y)), True)),
    X ** number(-1) * Y**3,
    binomial(Abs(floor(X)), 2),
    X * Y - exp(-Abs(X)) / 7,
]
RATIONAL = st.fractions(min_value=-9, max_value=9, max_denominator=8).filter(bool)


@given(st.sampled_from(FORMS), st.lists(st.tuples(RATIONAL, RATIONAL), min_size=1, max_size=4))
def test_the_values_of_columns_are_the_exact_ones(
    e: Expression, points: list[tuple[Fraction, Fraction]]
) -> None:
    columns = {k: np.array([float(p[i]) for p in points]) for i, k in enumerate(("x", "y"))}
    exact = [
        float(
            approximate_rational(
                normal(substitute(e, {"x": number(x), "y": number(y)}), Context.empty())
            )
        )
        for x, y in points
    ]
    assert np.broadcast_to(evaluate_columns(e, columns), len(points)).tolist() == pytest.approx(
        exact, rel=1e-12, abs=1e-12
    )


def test_a_ratio_puts_exponentials_together_before_they_are_taken() -> None:
    """exp(1000 x) exp(-1000 y) at x = y = 3 is 1, and neither factor is a float."""
    r = normal(exp(1000 * X) * exp(-1000 * Y) / (1 + exp(Y)), Context.empty())
    assert ratio_values(r, {"x": np.array([3.0]), "y": np.array([3.0])}).tolist() == pytest.approx(
        [1 / (1 + math.e**3)], rel=1e-14
    )


def test_constants_are_worked_out_exactly() -> None:
    """(1 + 10^-20) - 1, which floats take for 0."""
    assert evaluate_columns((1 + number("1/100000000000000000000")) - 1, {}) == 1e-20
    assert evaluate_columns(log(number(2)), {}) == math.log(2)
    assert evaluate_columns(oo, {}) == math.inf


def test_texts_are_compared_and_never_computed_with() -> None:
    mixed = np.array(["none", 2, 3.5], dtype=object)
    chosen = evaluate_columns(
        piecewise((0, eq(name("y"), label("none"))), (name("y") * 2, True)), {"y": mixed}
    )
    assert chosen.tolist() == [0, 4, 7]
    assert equal_columns(np.array([1.0, 2.0]), "none").tolist() == [False, False]
    assert equal_columns(mixed, "none").tolist() == [True, False, False]
    assert np.isnan(numeric_column(np.array(["a"]))).all() and numeric_column(mixed)[
        1:
    ].tolist() == [2, 3.5]


def test_sums_over_records_are_refused() -> None:
    with pytest.raises(NotWorkedOut, match="sum cannot be evaluated here"):
        evaluate_columns(sum_over_records(X) + Y, {"y": np.array([1.0])})
