"""Totals of powers times exponentials agree with mpmath's quadrature and sums."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ahdp_verify.kernel.errors import DecayNotShown, Undecided, Unsupported
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of, symbol
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.rules.integration_by_parts import total_by_parts

S, A = symbol("s"), symbol("a")
HERE = Context.empty()
RATES = st.fractions(Fraction(-3), Fraction(3), max_denominator=4)
ENDS = st.integers(-4, 4)


def near(found: Ratio, wanted: Any) -> bool:
    low, high = enclose(found, 128)
    return (
        bool(abs(mpmath.mpf(low.numerator) / low.denominator - wanted) < 1e-9 * (1 + abs(wanted)))
        and high - low < 1
    )


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 5), RATES, ENDS, st.integers(0, 5))
def test_between_two_ends(power: int, rate: Fraction, low: int, length: int) -> None:
    law = S**power * exp_of(S * constant(rate))
    ends = constant(low), constant(low + length)

    def value(x: Any) -> Any:
        return mpmath.mpf(x) ** power * mpmath.exp(
            x * mpmath.mpf(rate.numerator) / rate.denominator
        )

    whole = mpmath.fsum(value(k) for k in range(low, low + length))
    assert near(total_by_parts(law, "s", "integer", ends, HERE), whole)
    area = mpmath.quad(value, [low, low + length])
    assert near(total_by_parts(law, "s", "real", ends, HERE), area)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 5), st.fractions(Fraction(1, 3), 3, max_denominator=3), ENDS, st.booleans())
def test_up_to_an_infinite_end(power: int, rate: Fraction, end: int, up: bool) -> None:
    side = 1 if up else -1
    law = S**power * exp_of(-S * constant(side * rate))
    ends = (constant(end), None) if up else (None, constant(end))

    def value(x: Any) -> Any:
        return mpmath.mpf(x) ** power * mpmath.exp(
            -side * x * mpmath.mpf(rate.numerator) / rate.denominator
        )

    far = end + side * 400
    listed = range(end, far) if up else range(far, end)
    assert near(
        total_by_parts(law, "s", "integer", ends, HERE), mpmath.fsum(value(k) for k in listed)
    )
    path = [end + side * k for k in (0, 1, 5, 20, 80, 400)]
    area = side * mpmath.quad(value, path)
    assert near(total_by_parts(law, "s", "real", ends, HERE), area)


def test_a_rate_that_may_be_zero_or_of_the_wrong_sign_is_not_integrated() -> None:
    law = S * exp_of(-A * S)
    for ends in ((constant(0), None), (constant(0), constant(1))):
        with pytest.raises(Undecided):
            total_by_parts(law, "s", "real", ends, HERE)
    below = HERE.given(A.num, "<")
    with pytest.raises(DecayNotShown):
        total_by_parts(law, "s", "real", (constant(0), None), below)
    with pytest.raises(DecayNotShown):
        total_by_parts(S, "s", "real", (constant(0), None), HERE)


def test_other_forms_are_refused() -> None:
    ends = constant(1), constant(2)
    for law in (constant(1) / S, exp_of(S * S), S**65, exp_of(exp_of(S))):
        with pytest.raises(Unsupported):
            total_by_parts(law, "s", "real", ends, HERE)
