"""Intervals of one parameter with exact ends: the values a condition allows, the condition of a
narrower interval, and simple numbers inside.

>>> from ahdp_verify.kernel.terms.grammar import parse_condition
>>> i = interval_of(parse_condition("0 < e < log(3)", "e"), "e")
>>> print(i.text("e"), i.simplest, RealInterval(i.low, number(1)).condition("e"))
0 < e < log(3) 1 0 < e and e < 1
>>> print(RealInterval(number("1001/1000"), number("1002/1000"), True).simplest)
502/501
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from operator import and_

from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.kernel.errors import BadInput, Undecided, Unsupported
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.ball import constant_sign, enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    Expression,
    conjuncts,
    name,
    names,
    number,
    sqrt,
)

EMPTY = Context.empty()
LONG, PLACES = (
    1000,
    12,
)  # denominators from which a decimal is shown, if it has at most so many places
End = Expression | None
MISSING = (Undecided, Unsupported, ZeroDivisionError, BadInput)


@dataclass(frozen=True, slots=True)
class RealInterval:
    """The numbers between two exact constants, None for an end that is missing; an end belongs
    to it where it is `closed`.
    """

    low: End = None
    high: End = None
    low_closed: bool = False
    high_closed: bool = False

    __repr__ = short_repr

    def condition(self, parameter: str, squares: bool = False) -> Expression:
        """The condition that the parameter lies in the interval; that it equals the only number in
        it.

        With `squares`, consequences of irrational ends are added: rational bounds, and for ends a +
        sqrt(b) bounds of squares.
        """
        t = name(parameter)
        if self.low is not None and self.low == self.high:
            return Expression("==", (t, self.low))
        found = [] if self.low is None else [t >= self.low if self.low_closed else t > self.low]
        found += (
            [] if self.high is None else [t <= self.high if self.high_closed else t < self.high]
        )
        found += (
            [
                c
                for c in (self._square(t, 1), self._square(t, -1), *self._rational(t))
                if c is not None
            ]
            if squares
            else []
        )
        return reduce(and_, found) if found else TRUE

    def _rational(self, t: Expression) -> Iterator[Expression]:
        """Bounds by multiples of 1/8 that follow from ends that are not rational numbers."""
        low, high = self.bounds
        if low is not None and self.low is not None and self.low.head != "number":
            yield t > number(Fraction(math.ceil(low * 8) - 1, 8))
        if high is not None and self.high is not None and self.high.head != "number":
            yield t < number(Fraction(math.floor(high * 8) + 1, 8))

    def _square(self, t: Expression, direction: int) -> Expression | None:
        """(t - a)^2 >= b for a lower end a + sqrt(b) (direction 1), <= b for an upper one where
        t >= a - sqrt(b) as well; else None.
        """
        end, closed = (
            (self.low, self.low_closed) if direction > 0 else (self.high, self.high_closed)
        )
        apart = None if end is None else centre_and_square(end)
        if apart is None:
            return None
        a, b = number(apart[0]), number(apart[1])
        if direction < 0 and (self.low is None or compare_constants(self.low, a - sqrt(b)) < 0):
            return None
        left, right = (b, (t - a) ** 2) if direction > 0 else ((t - a) ** 2, b)
        return left <= right if closed else left < right

    def text(self, parameter: str) -> str:
        """The interval for display: 0 < e <= log(3)."""
        below, above = ("<=" if closed else "<" for closed in (self.low_closed, self.high_closed))
        low, high = (None if e is None else end_text(e) for e in (self.low, self.high))
        if low is not None and low == high:
            return f"{parameter} = {low}"
        if low is not None and high is not None:
            return f"{low} {below} {parameter} {above} {high}"
        if low is not None:
            return f"{parameter} {'>=' if self.low_closed else '>'} {low}"
        return f"{parameter} {above} {high}" if high is not None else f"every {parameter}"

    @property
    def is_point(self) -> bool:
        """True if one number alone lies in it."""
        return (
            self.low is not None
            and self.high is not None
            and self.low_closed
            and self.high_closed
            and compare_constants(self.low, self.high) == 0
        )

    @property
    def is_empty(self) -> bool:
        """True if no number lies in it."""
        if self.low is None or self.high is None:
            return False
        order = compare_constants(self.low, self.high)
        return order > 0 or (order == 0 and not (self.low_closed and self.high_closed))

    def contains(self, value: Expression) -> bool:
        """True if the constant lies in it."""
        above = self.low is None or compare_constants(value, self.low) >= (
            0 if self.low_closed else 1
        )
        return above and (
            self.high is None
            or compare_constants(self.high, value) >= (0 if self.high_closed else 1)
        )

    @property
    def bounds(self) -> tuple[Fraction | None, Fraction | None]:
        """Rational numbers next to the ends on their inner sides, None for a missing end."""
        ends = [
            None if e is None else enclose(normal(e, EMPTY), 256) for e in (self.low, self.high)
        ]
        return (None if ends[0] is None else ends[0][1]), (None if ends[1] is None else ends[1][0])

    @property
    def simplest(self) -> Fraction | None:
        """The rational number of least denominator inside, off both ends if it can be; None
        where there is none.
        """
        low, high = self.bounds
        if low is not None and high is not None and low >= high:
            return low if low == high and self.is_point else None
        return simplest_rational_between(low, high)

    def within(self, other: RealInterval) -> RealInterval:
        """The numbers that lie in both."""
        low, low_closed = narrower_end(
            (self.low, self.low_closed), (other.low, other.low_closed), 1
        )
        high, high_closed = narrower_end(
            (self.high, self.high_closed), (other.high, other.high_closed), -1
        )
        return RealInterval(low, high, low_closed, high_closed)


def end_text(e: Expression) -> str:
    """A constant for display: a rational number of many digits as a decimal, where that is
    exact.
    """
    value = e.args[0] if e.head == "number" else Fraction(0)
    if value.denominator < LONG or 10**PLACES % value.denominator:
        return str(e)
    return f"{Decimal(value.numerator) / Decimal(value.denominator):f}"


def centre_and_square(e: Expression) -> tuple[Fraction, Fraction] | None:
    """(a, b) for a constant a + sqrt(b) with a and b rational, b no square; None for any other."""
    r = normal(e, EMPTY)
    a = r.num.coefficient(algebra.UNIT)
    rest = r - algebra.constant(a)
    square = (rest * rest).as_rational
    return (
        None
        if r.den
        or rest.is_zero
        or square is None
        or rest.as_rational is not None
        or constant_sign(rest) != 1
        else (a, square)
    )


def compare_constants(a: Expression, b: Expression) -> int:
    """The sign of a - b for constants; Unsupported where neither algebra nor a ball decides it."""
    found = constant_sign(normal(a, EMPTY) - normal(b, EMPTY))
    if found is None:
        raise Unsupported(f"it is not known which of {a} and {b} is larger")
    return found


def narrower_end(a: tuple[End, bool], b: tuple[End, bool], direction: int) -> tuple[End, bool]:
    """The narrower of two lower ends (direction 1) or upper ends (-1) with whether it belongs to
    the interval.
    """
    if a[0] is None or b[0] is None:
        return b if a[0] is None else a
    order = direction * compare_constants(a[0], b[0])
    return a if order > 0 else b if order < 0 else (a[0], a[1] and b[1])


def simplest_rational_between(low: Fraction | None, high: Fraction | None) -> Fraction:
    """The rational number of least denominator, then nearest to 0, strictly between two others
    of which an end may be missing.
    """
    if low is None or high is None:
        near = (
            Fraction(math.floor(low) + 1)
            if low is not None
            else Fraction(math.ceil(high) - 1)
            if high is not None
            else Fraction(1)
        )
        return Fraction(1) if (low is None or low < 1) and (high is None or high > 1) else near
    if low < 0 < high:
        return Fraction(0)
    if high <= 0:
        return -simplest_rational_between(-high, -low)
    whole = math.floor(low)
    if whole + 1 < high:
        return Fraction(whole + 1)
    return whole + 1 / _simplest_above(
        1 / (high - whole), None if low == whole else 1 / (low - whole)
    )


def _simplest_above(low: Fraction, high: Fraction | None) -> Fraction:
    return Fraction(math.floor(low) + 1) if high is None else simplest_rational_between(low, high)


def interval_of(condition: Expression, parameter: str) -> RealInterval | None:
    """The interval that a condition allows a parameter; None where it is not an interval, or has
    ends that are not known exactly.
    """
    found = RealInterval()
    try:
        for part in conjuncts(condition):
            bound = _bound(part, parameter)
            if bound is None:
                return None
            found = found.within(bound)
    except MISSING:
        return None
    return found


def _bound(part: Expression, parameter: str) -> RealInterval | None:
    """The interval of one comparison, if it is linear in the parameter and mentions nothing
    else.
    """
    if part == TRUE:
        return RealInterval()
    if (
        part.head not in ("<", "<=", "==")
        or names(part) != {parameter}
        or any(a.head in ("oo", "label") for a in part.args)
    ):
        return None
    gap = normal(part.args[1], EMPTY) - normal(part.args[0], EMPTY)
    split = algebra.linear_coefficients(gap.num, parameter)
    slope = None if split is None else constant_sign(Ratio(split[0], gap.den))
    if split is None or not slope:
        return None
    end, closed = to_expression(-Ratio(split[1]) / Ratio(split[0])), part.head != "<"
    if part.head == "==":
        return RealInterval(end, end, True, True)
    return RealInterval(end, None, closed) if slope > 0 else RealInterval(None, end, False, closed)
