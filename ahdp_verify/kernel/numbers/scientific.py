"""Decimals of constants that are too large or too small to be written as fractions.

>>> from ahdp_verify.kernel.numbers.algebra import constant, exp_of
>>> scientific_decimal(exp_of(constant(-10**9)), 3), scientific_decimal(constant(2), 3)
('1.25e-434294482', None)
"""

from __future__ import annotations

import flint

from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.ball import FAR, LAST, START, ball


def scientific_decimal(r: Ratio, digits: int) -> str | None:
    """A decimal such as 1.2e-434294481903251827 of a constant too large or too small for `enclose`;
    None for other constants.

    If balls show only that it is close to 0, the text states how close.
    """
    exact = r.as_rational
    if exact is not None and (
        not exact or max(exact.numerator.bit_length(), exact.denominator.bit_length()) < FAR
    ):
        return None
    bits, value = START, ball(r, START)
    while bits <= LAST and (not value.is_finite() or value.contains(0)):
        bits *= 4
        value = ball(r, bits)
    size = abs(value)
    if (
        not value.is_finite()
        or (size > flint.arb(2) ** (-FAR // 2) and size < flint.arb(2) ** FAR)
        or size.upper() > flint.arb(2) ** (-FAR // 2) > size.lower()
    ):
        return None
    if value.contains(0):
        return f"less than {size.upper().str(2, radius=False)} in size"
    with flint.ctx.workprec(bits):
        return _scientific(value.mid().str(digits, radius=False))


def _scientific(text: str) -> str:
    """FLINT's decimal without insignificant zeros."""
    mantissa, _, exponent = text.partition("e")
    return f"{mantissa.rstrip('0').rstrip('.') if '.' in mantissa else mantissa}e{exponent}"
