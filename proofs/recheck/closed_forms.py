"""Section 5, pieces: powers times exponentials, and stored antiderivatives.

A power times an exponential is summed with repeated differences D p(s) = p(s + 1) - p(s):

    the sum of p(s) z^s over u <= s < v is S(v) - S(u)
    where S(s) = z^s times the sum of (-z)^i/(z - 1)^(i + 1) D^i p(s)

and integrated with derivatives in place of differences.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from recheck.forms import NOTHING, UNIT, Form, exp_of, total
from recheck.integrals import sums_from
from recheck.limits import cover
from recheck.trees import Tree

HIGHEST = 64  # highest power of an output


class Stored(list[Form]):
    """Points, with the antiderivatives stored beside them."""

    def __init__(self, points: Sequence[Form], antiderivatives: Sequence[Tree]) -> None:
        super().__init__(points)
        self.antiderivatives = tuple(antiderivatives)


# powers times exponentials


def power_total(power: int, rate: Form, kind: str, ends: Sequence[Form | None]) -> Form:
    """The total of s^power exp(rate s) between two ends; at a missing one it vanishes."""
    cover(power <= HIGHEST, "a power of an output is too high")
    found = NOTHING
    for side, end in zip((-1, 1), ends, strict=True):
        if end is not None:
            found = found + primitive(power, rate, kind, end).scaled(side)
    return found


def primitive(power: int, rate: Form, kind: str, s: Form) -> Form:
    """A function of s that totals of s^power exp(rate s) are differences of."""
    if rate.is_zero and kind == "real":
        return (s ** (power + 1)).scaled(Fraction(1, power + 1))
    if rate.is_zero:
        return -total((s**i) * c for i, c in sums_from(power, 0).items())
    grown = exp_of(rate)
    step = -UNIT / rate if kind == "real" else -grown / (grown - UNIT)
    factor = UNIT / rate if kind == "real" else UNIT / (grown - UNIT)
    parts, p = [], {power: Fraction(1)}
    while p:
        parts.append(factor * total((s**i).scaled(c) for i, c in p.items()))
        factor, p = factor * step, changed(p, kind)
    return total(parts) * exp_of(rate * s)


def changed(p: dict[int, Fraction], kind: str) -> dict[int, Fraction]:
    """The derivative of a polynomial, or p(s + 1) - p(s)."""
    out: dict[int, Fraction] = {}
    for i, c in p.items():
        for j in range(i) if kind != "real" else range(max(i - 1, 0), i):
            out[j] = out.get(j, Fraction(0)) + c * (i if kind == "real" else math.comb(i, j))
    return out
