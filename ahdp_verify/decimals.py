"""Decimals of exact constants for display, from enclosures; never used in a decision.

>>> from ahdp_verify.kernel.numbers.algebra import constant, exp_of
>>> decimal(exp_of(constant(1)))
'2.71828'
>>> scientific_decimal(exp_of(constant(-10**9)), 3), scientific_decimal(constant(2), 3)
('1.25e-434294482', None)
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

import flint

from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.ball import FAR, LAST, START, ball, enclose
from ahdp_verify.kernel.terms.expression import Expression

PRECISIONS = (
    64,
    256,
    1024,
    4096,
)  # bits, tried in turn until a decimal of 18 digits is correct
SHORT = 14  # characters up to which a constant is shown without a decimal


def decimal(r: Ratio, digits: int = 6, rounding: str = ROUND_HALF_EVEN) -> str:
    """A decimal of a constant for display, from an enclosure; never used in a decision."""
    if (far := scientific_decimal(r, digits)) is not None:
        return far
    value = approximate_rational(r)
    with localcontext() as context:
        context.prec, context.rounding = digits, rounding
        rounded = (Decimal(value.numerator) / Decimal(value.denominator)).normalize()
    return f"{rounded:f}" if -5 <= rounded.adjusted() < max(digits, 9) else f"{rounded:e}"


def distinct_decimals(r: Ratio, other: Ratio) -> tuple[str, str]:
    """Decimals of two different constants with as many digits as distinguish them (at most 18)."""
    pairs = ((decimal(r, digits), decimal(other, digits)) for digits in (6, 9, 12, 15, 18))
    return next(
        (pair for pair in pairs if pair[0] != pair[1]), (decimal(r, 18), decimal(other, 18))
    )


def approximate_rational(r: Ratio) -> Fraction:
    """A rational number inside the enclosure of a constant, for decimals, plots and sorting."""
    for bits in PRECISIONS:
        low, high = enclose(r, bits)
        if (high - low) * 10**20 <= abs(low + high):
            break
    return (low + high) / 2


def text_with_decimal(e: Expression, r: Ratio) -> str:
    """An exact constant, followed by a decimal unless it is a short number; only the decimal if it
    is long.
    """
    text = str(e)
    return (
        text
        if r.as_rational is not None and len(text) < SHORT
        else (_beside(text, decimal(r)) if len(text) < 3 * SHORT else decimal(r))
    )


def _beside(text: str, found: str) -> str:
    """A constant with its decimal, or with what is known about its size."""
    return f"{text} {'=' if found[0] in '-0123456789' else 'is'} {found}"


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
