"""Decimals of constants for display."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from ahdp_verify.decimals import decimal
from ahdp_verify.kernel.numbers.algebra import constant


@given(st.fractions(min_value="1/1000", max_value=1000))
def test_a_decimal_may_be_rounded_to_one_side(value: Fraction) -> None:
    low, high = (
        Fraction(decimal(constant(value), rounding=side)) for side in (ROUND_FLOOR, ROUND_CEILING)
    )
    assert low <= value <= high and high - low <= value / 10**4
