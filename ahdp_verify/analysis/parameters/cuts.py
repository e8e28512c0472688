"""Intervals of a parameter, split where functions of it vanish.

>>> cut = ParameterRoot(Fraction(1), Fraction(1), number(1))
>>> [i.text("b") for i, _ in split_at_roots(RealInterval(number(0), None), [cut])]
['0 < b < 1', 'b = 1', 'b > 1']
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from ahdp_verify.kernel.terms.expression import number
from ahdp_verify.search.intervals import RealInterval
from ahdp_verify.search.loss.roots import ParameterRoot

DECIMALS = 10**10  # in which the ends of a narrow interval are whole numbers


def distinct_roots(cuts: list[ParameterRoot]) -> list[ParameterRoot]:
    """The roots in order, of overlapping ones the first, an exact one before others."""
    kept: list[ParameterRoot] = []
    for r in sorted(cuts, key=lambda r: (r.exact is None, r.low)):
        if not any(r.low <= k.high and k.low <= r.high for k in kept):
            kept.append(r)
    return sorted(kept, key=lambda r: r.low)


def split_at_roots(
    where: RealInterval, cuts: list[ParameterRoot]
) -> Iterator[tuple[RealInterval, bool]]:
    """The interval split, in order: open intervals between the cuts, exact cuts as points, and the
    others as narrow intervals (True).
    """
    low, closed = where.low, where.low_closed
    for r in cuts:
        a, b = (
            (r.exact, r.exact)
            if r.exact is not None
            else tuple(number(x) for x in rational_bounds(r))
        )
        left, spot = (
            RealInterval(low, a, closed, r.exact is None),
            RealInterval(a, b, r.exact is not None, r.exact is not None),
        )
        yield from (
            (i.within(where), i is spot and r.exact is None)
            for i in (left, spot)
            if not i.within(where).is_empty
        )
        low, closed = b, r.exact is None
    last = RealInterval(low, where.high, closed, where.high_closed)
    if not last.is_empty:
        yield last, False


def rational_bounds(r: ParameterRoot) -> tuple[Fraction, Fraction]:
    """Numbers with few decimals on both sides of a root."""
    return Fraction(math.floor(r.low * DECIMALS), DECIMALS), Fraction(
        math.ceil(r.high * DECIMALS), DECIMALS
    )
