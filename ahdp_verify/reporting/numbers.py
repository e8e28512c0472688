"""Exact constants with a decimal beside them that says what it is: exact, or an enclosure.

>>> from ahdp_verify.kernel.numbers.algebra import constant, exp_of
>>> enclosed_text(exp_of(constant(1)))
'between 2.71828 and 2.71829'
>>> enclosed_text(constant(3)), interval_text(exp_of(constant(1)))
('exactly 3', '[2.71828, 2.71829]')
"""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction

from ahdp_verify.decimals import PRECISIONS, decimal
from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import Expression, names, oo

DIGITS = 6  # of an enclosure
LONG = 12  # characters of a rational number up to which it is shown itself


def constant_value(e: Expression) -> Ratio | None:
    """The value of a finite constant; None for what depends on a name, is infinite, or was not
    worked out.
    """
    if e == oo or names(e):
        return None
    try:
        return normal(e, Context.empty())
    except (Undecided, Unsupported, ZeroDivisionError):
        return None


def enclosure(r: Ratio) -> tuple[str, str]:
    """Decimals of DIGITS digits, one at most and one at least the constant.

    Raises Unsupported for a number that is too large, or too close to 0.
    """
    for bits in PRECISIONS:
        low, high = enclose(r, bits)
        if (high - low) * 10 ** (DIGITS + 3) <= abs(low + high):
            break
    return rounded(low, ROUND_FLOOR), rounded(high, ROUND_CEILING)


def rounded(value: Fraction, direction: str) -> str:
    """A decimal on one side of a rational number."""
    with localcontext() as context:
        context.prec, context.rounding = DIGITS, direction
        # the division of two whole numbers is correctly rounded in this direction
        found = (Decimal(value.numerator) / Decimal(value.denominator)).normalize()
    return f"{found:f}" if -5 <= found.adjusted() < 9 else f"{found:e}"


def exact_text(r: Ratio) -> str:
    """A rational number that is short; "" for any other constant."""
    value = r.as_rational
    return "" if value is None or len(str(value)) > LONG else str(value)


def enclosed_text(r: Ratio) -> str:
    """What a sentence says of a constant: that it is exactly a number, or between two decimals."""
    if shown := exact_text(r):
        return f"exactly {shown}"
    try:
        return "between {} and {}".format(*enclosure(r))
    except Unsupported:
        return f"about {decimal(r)}"


def interval_text(r: Ratio) -> str:
    """The same for a table: a number, or an interval that contains the constant."""
    if shown := exact_text(r):
        return shown
    try:
        return "[{}, {}]".format(*enclosure(r))
    except Unsupported:
        return f"about {decimal(r)}"


def upper_decimal(r: Ratio) -> str:
    """A decimal that is at least the constant; "" where there is none."""
    try:
        return enclosure(r)[1]
    except Unsupported:
        return ""


def better_guess(level: Ratio) -> Ratio:
    """exp(level) / (1 + exp(level)): the most that somebody for whom two inputs are equally likely
    can afterwards believe in one of them.
    """
    return exp_of(level) / (exp_of(level) + constant(1))
