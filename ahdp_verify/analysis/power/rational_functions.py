"""Rational functions of one variable Q, ordered by their values at a sample of it: the field in
which linear programmes with levels such as eps or 1/2 are solved.

Q is exp(-eps / N) for a name eps, or the constant exp(-1 / N).  The constant is transcendental, so
a function that is not 0 has a sign there, which a ball finds.

>>> field = FunctionField(Fraction(1, 3))
>>> q = field.variable
>>> (1 - q) / (1 - q * q) == 1 / (1 + q), float((1 - q) / (1 + q)), 1 / q < 2
(True, 0.5, False)
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property
from typing import Any

import flint

from ahdp_verify.display.short_repr import LONGEST, cut
from ahdp_verify.kernel.effort import spend

START, MOST = 64, 1 << 16  # bits of the balls that decide signs


class FunctionField:
    """Rational functions of Q; `sample` is a rational value of Q, or None with N for Q = exp(-1
    / N).
    """

    def __init__(self, sample: Fraction | None, root: int = 1) -> None:
        self.sample, self.root = sample, root

    def __repr__(self) -> str:
        return cut(f"FunctionField(sample={self.sample}, root={self.root})", LONGEST)

    @cached_property
    def variable(self) -> RationalFunction:
        """Q itself."""
        return RationalFunction(flint.fmpq_poly([0, 1]), flint.fmpq_poly([1]), self)

    def of(self, value: Any) -> RationalFunction:
        """A constant function, or the function itself."""
        if isinstance(value, RationalFunction):
            return value
        q = Fraction(value)
        return RationalFunction(
            flint.fmpq_poly([flint.fmpq(q.numerator, q.denominator)]), flint.fmpq_poly([1]), self
        )

    def sign(self, p: Any) -> int:
        """The sign of a polynomial at the sample."""
        if p.is_zero():
            return 0
        if self.sample is not None:
            value = p(flint.fmpq(self.sample.numerator, self.sample.denominator))
            return int(value > 0) - int(value < 0)
        bits = START
        while bits <= MOST:
            value = self._ball(p, bits)
            if not value.contains(0):
                return 1 if value > 0 else -1
            bits *= 4
        raise ArithmeticError("no sign was found")

    def _ball(self, p: Any, bits: int) -> Any:
        before = flint.ctx.prec
        try:
            flint.ctx.prec = bits
            x, value = (flint.arb(-1) / self.root).exp(), flint.arb(0)
            for c in reversed(p.coeffs()):
                value = value * x + flint.arb(c)
            return value
        finally:
            flint.ctx.prec = before

    def near(self, num: Any, den: Any) -> float:
        """A value near that of a quotient at the sample; OverflowError where no float is near."""
        if self.sample is not None:
            x = flint.fmpq(self.sample.numerator, self.sample.denominator)
            value = num(x) / den(x)
            return int(value.p) / int(value.q)
        found = float((self._ball(num, 256) / self._ball(den, 256)).mid())
        if math.isinf(found):
            raise OverflowError
        return found

    def log_near(self, p: Any) -> float:
        """A value near the logarithm of a polynomial at the sample, where it is not 0; large and
        small ones have that too.
        """
        if self.sample is not None:
            value = p(flint.fmpq(self.sample.numerator, self.sample.denominator))
            return math.log(abs(int(value.p))) - math.log(int(value.q))
        return float(abs(self._ball(p, 256)).log().mid())


class RationalFunction:
    """A quotient of coprime polynomials in Q, the divisor monic."""

    __slots__ = ("den", "field", "num")

    def __init__(self, num: Any, den: Any, field: FunctionField) -> None:
        spend(4 + max(0, num.degree()) * max(0, den.degree()) // 16)
        common = num.gcd(den)
        if common.degree() > 0:
            num, den = num / common, den / common
        lead = den.coeffs()[-1]
        self.num, self.den, self.field = (
            (num, den, field) if lead == 1 else (num / lead, den / lead, field)
        )

    def _other(self, value: Any) -> RationalFunction:
        return value if isinstance(value, RationalFunction) else self.field.of(value)

    def __add__(self, other: Any) -> RationalFunction:
        o = self._other(other)
        if self.den == o.den:
            return RationalFunction(self.num + o.num, self.den, self.field)
        return RationalFunction(self.num * o.den + o.num * self.den, self.den * o.den, self.field)

    def __neg__(self) -> RationalFunction:
        return RationalFunction(-self.num, self.den, self.field)

    def __sub__(self, other: Any) -> RationalFunction:
        return self + -self._other(other)

    def __rsub__(self, other: Any) -> RationalFunction:
        return self._other(other) + -self

    def __mul__(self, other: Any) -> RationalFunction:
        o = self._other(other)
        return RationalFunction(self.num * o.num, self.den * o.den, self.field)

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, other: Any) -> RationalFunction:
        o = self._other(other)
        if o.num.is_zero():
            raise ZeroDivisionError
        return RationalFunction(self.num * o.den, self.den * o.num, self.field)

    def __rtruediv__(self, other: Any) -> RationalFunction:
        return self._other(other) / self

    def __pow__(self, n: int) -> RationalFunction:
        return (
            self.field.of(1) / self**-n
            if n < 0
            else RationalFunction(self.num**n, self.den**n, self.field)
        )

    def __eq__(self, other: object) -> bool:
        o = self._other(other)
        return bool(self.num == o.num and self.den == o.den)

    def __hash__(self) -> int:
        return hash((str(self.num), str(self.den)))

    def __bool__(self) -> bool:
        return not self.num.is_zero()

    def __float__(self) -> float:
        return self.field.near(self.num, self.den)

    def logarithm(self) -> float:
        """A value near the logarithm of the absolute value, which is not 0."""
        return self.field.log_near(self.num) - self.field.log_near(self.den)

    def __lt__(self, other: Any) -> bool:
        gap = self - other
        return self.field.sign(gap.num) * self.field.sign(gap.den) < 0

    def __gt__(self, other: Any) -> bool:
        return self._other(other) < self

    def __str__(self) -> str:
        return f"({self.num})/({self.den})"

    def __repr__(self) -> str:
        return cut(str(self), LONGEST)


def solve_function_system(matrix: list[list[Any]], right: list[Any]) -> list[Any] | None:
    """The solution of a square system of functions, or None if it is singular."""
    rows = [[*row, b] for row, b in zip(matrix, right, strict=True)]
    n = len(rows)
    for i in range(n):
        pivot = min(
            (r for r in range(i, n) if rows[r][i]), key=lambda r: _size(rows[r][i]), default=None
        )
        if pivot is None:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        lead = rows[i][i]
        rows[i] = [x / lead if x else x for x in rows[i]]
        for r in range(n):
            if r != i and rows[r][i]:
                factor = rows[r][i]
                rows[r] = [
                    x - factor * y if y else x for x, y in zip(rows[r], rows[i], strict=True)
                ]
    return [row[n] for row in rows]


def _size(x: Any) -> int:
    return int(x.num.length() + x.den.length()) if isinstance(x, RationalFunction) else 0
