"""Enclosures contain the number, checked by an arithmetic of another library."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from ahdp_verify.kernel.numbers.algebra import constant, exp_of
from ahdp_verify.kernel.terms.expression import log, name, oo
from ahdp_verify.reporting.numbers import (
    constant_value,
    enclosed_text,
    enclosure,
    interval_text,
    upper_decimal,
)

LEVELS = [Fraction(n, d) for n in (-40, -1, 1, 2, 7, 30, 100) for d in (1, 3, 64)]


@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_an_enclosure_of_an_exponential_contains_it(level: Fraction) -> None:
    low, high = enclosure(exp_of(constant(level)))
    with localcontext() as context:
        context.prec = 60
        value = (Decimal(level.numerator) / Decimal(level.denominator)).exp()
    assert Decimal(low) < value < Decimal(high)
    assert Decimal(high) - Decimal(low) <= Decimal("1.1e-5") * Decimal(high)
    assert upper_decimal(exp_of(constant(level))) == high


def test_a_rational_number_is_exact_or_enclosed() -> None:
    assert enclosed_text(constant(Fraction(1, 7))) == "exactly 1/7"
    assert interval_text(constant(Fraction(1, 7))) == "1/7"
    long = Fraction(10**20 + 1, 3)
    low, high = (Fraction(Decimal(text)) for text in enclosure(constant(long)))
    assert low < long < high
    assert interval_text(constant(long)).startswith("[")


def test_what_is_too_large_is_not_called_enclosed() -> None:
    assert enclosed_text(exp_of(constant(10**6))) == "about 3.03322e+434294"
    assert upper_decimal(exp_of(constant(10**6))) == ""


def test_only_finite_constants_have_a_value() -> None:
    assert constant_value(oo) is None
    assert constant_value(name("e")) is None
    zero = constant_value(log(2) - log(2))
    assert zero is not None
    assert zero.is_zero
