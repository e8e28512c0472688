"""Correct decimals of exact constants: an interval with rational ends, from rigorous balls, and how
it prints.

>>> from ahdp_verify.kernel.terms.expression import exp
>>> e = enclosure(exp(1), digits=20)
>>> print(e)
2.71828182845904523536, within 1e-20
>>> e.agrees("2.718281828"), e.agrees("2.718281829")
(True, False)
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Undecided, Unsupported
from ahdp_verify.kernel.model.declarations import no_value_error
from ahdp_verify.kernel.numbers.ball import LAST, enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.exact import rational
from ahdp_verify.kernel.terms.expression import Expression, expression, names
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.printing import short_text

DIGITS = 30
PLACES = 10_000  # digits before or after the point of a decimal that is compared


@dataclass(frozen=True, slots=True)
class Enclosure:
    """An interval [low, high] that contains a constant, at most 10^-digits/2 wide."""

    low: Fraction
    high: Fraction
    digits: int

    @property
    def decimal(self) -> str:
        """A decimal with `digits` places that differs from the constant by at most 10^-digits."""
        middle = (self.low + self.high) / 2
        with localcontext() as context:
            context.prec = self.digits + len(str(abs(middle.numerator) // middle.denominator)) + 5
            return f"{(Decimal(middle.numerator) / Decimal(middle.denominator)).quantize(Decimal(1).scaleb(-self.digits), ROUND_HALF_EVEN):f}"

    def __str__(self) -> str:
        return f"{self.decimal}, within 1e-{self.digits}"

    def contains(self, value: object) -> bool:
        """Whether an exact number lies in the interval."""
        return self.low <= rational(value) <= self.high

    def agrees(self, printed: str) -> bool:
        """Whether a decimal, "0.140" or "1.5e-7", is the constant rounded to as many places: for
        certain, for all points of the interval.
        """
        shown = _printed(printed)
        exponent = shown.as_tuple().exponent
        slack = Fraction(1, 2) * Fraction(10) ** int(exponent)
        return Fraction(shown) - slack <= self.low and self.high <= Fraction(shown) + slack


def _printed(text: str) -> Decimal:
    try:
        found = Decimal(text)
    except (ArithmeticError, TypeError, ValueError):
        found = Decimal("NaN")
    if not found.is_finite() or abs(found.adjusted()) > PLACES:
        raise BadInput(
            "decimal", f"{str(text)[:40]!r} is not a decimal", 'write for example "0.1401"'
        )
    return found


def enclosure(e: object, digits: int = DIGITS) -> Enclosure:
    """An interval that contains an exact constant (an expression, a number or a text), with this
    many correct decimal places.

    Raises BadInput for what is not a constant or has no value, NotWorkedOut for a constant that
    could not be enclosed that narrowly.
    """
    if not isinstance(digits, int) or isinstance(digits, bool) or not 1 <= digits <= 1000:
        raise BadInput(
            "digits", f"{str(digits)[:40]} is not a number of decimal places", "ask for 1 to 1000"
        )
    tree: Expression = parse(e, "constant") if isinstance(e, str) else expression(e)
    if names(tree):
        raise BadInput(
            "constant",
            f"{str(tree)[:60]} depends on {min(names(tree))}",
            "give a value to every name first",
        )
    try:
        value, bits = normal(tree, Context.empty()), 64 + 4 * digits
        while bits <= 16 * LAST:
            low, high = enclose(value, bits)
            if (high - low) * 2 * 10**digits <= 1:
                return Enclosure(low, high, digits)
            bits *= 2
    except (Undecided, Unsupported, ZeroDivisionError) as why:
        raise no_value_error(
            why, "constant", short_text(str(tree), 60), "give an expression with a finite value"
        ) from None
    raise NotWorkedOut(
        "constant", f"{str(tree)[:60]} could not be enclosed that narrowly", "ask for fewer digits"
    )
