"""Signs of sums of x^k exp(a x) between two constants, by balls and Taylor's formula.

>>> from ahdp_verify.kernel.numbers.algebra import constant
>>> one = Fraction(1)
>>> sign_between({(0, one): one, (0, Fraction(0)): -one}, constant(1), constant(2))
1
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import flint

from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.ball import START, ball, ends, of_rational

DENSE = 4096  # largest power for which Taylor's formula is used


# order of Taylor's formula; measured: 4 to 16 are about equally fast per piece, and few pieces are
# needed from 8 on
TAYLOR = 12


Terms = Mapping[tuple[int, Fraction], Fraction]  # (k, a) -> the coefficient of x^k exp(a x)


def _sum(f: Terms, x: flint.arb) -> flint.arb:
    powers = {k: x**k for k in {k for k, _ in f}}
    growths = {a: (x * of_rational(a)).exp() for a in {a for _, a in f}}
    total = flint.arb(0)
    for (k, a), c in f.items():
        total += of_rational(c) * powers[k] * growths[a]
    return total


def _taylor(f: Terms, x: flint.arb) -> list[flint.arb]:
    """The coefficients of f(x + h) up to h^TAYLOR; for a wide x each contains those of all its
    points.
    """
    shift, total = flint.arb_poly([x, 1]), flint.arb_poly([0])
    for rate in sorted({a for _, a in f}):  # the order of a sum of balls shows in its radius
        slope = of_rational(rate)
        powers = [(x * slope).exp()]
        for j in range(1, TAYLOR + 1):
            powers.append(powers[-1] * slope / j)
        inner = {k: c for (k, a), c in f.items() if a == rate}
        total += flint.arb_poly(
            [of_rational(inner.get(k, Fraction(0))) for k in range(max(inner) + 1)]
        )(shift) * flint.arb_poly(powers)
    return [total[j] for j in range(TAYLOR + 1)]


def sign_between(f: Terms, low: Ratio, high: Ratio, bits: int = START) -> int | None:
    """1 or -1 if f has that sign everywhere between two constants, ends included; None if a ball
    does not show it.

    The ball is that of the terms or, if this contains zero, that of Taylor's formula in the middle,
    of order TAYLOR.
    """
    with flint.ctx.workprec(bits):
        x = ball(low, bits).union(ball(high, bits))
        value = _sum(f, x)
        if not value > 0 and not value < 0 and max(k for k, _ in f) <= DENSE:
            here, size = _taylor(f, x.mid()), x.rad()
            rest = [abs(c) for c in (*here[1:TAYLOR], _taylor(f, x)[TAYLOR])]
            value = here[0] + flint.arb(0, 1) * sum(
                (c * size**j for j, c in enumerate(rest, 1)), flint.arb(0)
            )
        return 1 if value > 0 else -1 if value < 0 else None


def magnitude_bound(f: Terms, x: Fraction, bits: int = START) -> Fraction:
    """An upper bound of the sum of |terms| of f at a point x >= 0."""
    with flint.ctx.workprec(bits):
        return ends(_sum({key: abs(c) for key, c in f.items()}, of_rational(x)), bits)[1]
