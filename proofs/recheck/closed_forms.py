"""Section 5, pieces: powers times exponentials, stored antiderivatives, and limits of these.

A power times an exponential is summed with repeated differences D p(s) = p(s + 1) - p(s):

    the sum of p(s) z^s over u <= s < v is S(v) - S(u)
    where S(s) = z^s times the sum of (-z)^i/(z - 1)^(i + 1) D^i p(s)

and integrated with derivatives in place of differences.  A limit is that of the terms that grow
fastest: exp(q t^2 + k t) t^i is compared by q, then by k, then by i, where t = |s| grows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from recheck.forms import (
    ATOMS,
    NOTHING,
    UNIT,
    Form,
    Monomial,
    atom_number,
    by_powers,
    constant,
    exp_of,
    log_of,
    odd_function,
    of_atom,
    of_number,
    of_powers,
    product,
    total,
    under_logarithm,
)
from recheck.integrals import sums_from
from recheck.limits import cover, need
from recheck.signs import Context, nonzero, positive, sign_of
from recheck.trees import Number, Tree

HIGHEST = 64  # highest power of an output
HALF_TURN = Fraction(1, 2)


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


# limits


@dataclass(frozen=True)
class Growth:
    """factor * exp(square t^2 + rate t) t^power, where t = |s|."""

    factor: Form
    square: Form = NOTHING
    rate: Form = NOTHING
    power: Fraction = Fraction(0)

    def times(self, other: Growth, e: Number = 1, factor: Form | None = None) -> Growth:
        """The product with a power of another one, whose factor to that power may be given."""
        return Growth(
            self.factor * (other.factor ** int(e) if factor is None else factor),
            self.square + other.square.scaled(e),
            self.rate + other.rate.scaled(e),
            self.power + other.power * e,
        )


@dataclass(frozen=True)
class End:
    """The end of the line towards which the name tends: oo for side 1, -oo for side -1."""

    name: str
    side: int
    here: Context

    def compared(self, a: Growth, b: Growth) -> int:
        """Whether a grows faster (1), as fast (0) or more slowly (-1)."""
        for x, y in ((a.square, b.square), (a.rate, b.rate)):
            if not (x - y).is_zero:
                sign = sign_of(x - y, self.here)
                if sign:
                    return sign
        return (a.power > b.power) - (a.power < b.power)

    def of_sum(self, p: Form) -> Growth:
        """The growth of a polynomial: its terms of largest growth, added up."""
        best: Growth | None = None
        for m, c in p.num.items():
            term = self.of_term(m, c)
            order = 1 if best is None else self.compared(term, best)
            if best is None or order > 0:
                best = term
            elif order == 0:
                best = Growth(best.factor + term.factor, best.square, best.rate, best.power)
        return best or Growth(NOTHING)

    def of_form(self, r: Form) -> Growth:
        found = self.of_sum(r.top)
        for f, k in r.den:
            below = self.of_sum(f)
            nonzero(below.factor, self.here)
            found = found.times(below, -k)
        return found

    def of_term(self, m: Monomial, c: Number) -> Growth:
        found = Growth(constant(c))
        for a, e in m:
            atom = ATOMS[a]
            if self.name not in of_number(a).names:
                found = found.times(Growth(of_powers([(a, e)])))
            elif atom.kind == "name":
                found = found.times(Growth(constant(self.side), power=Fraction(1)), e)
            else:
                need(atom.kind == "exp", "a limit is not known")
                found = self.with_exponential(found, atom.of, e)
        return found

    def with_exponential(self, found: Growth, inside: Form, e: Number) -> Growth:
        base = under_logarithm(inside)
        if base is not None:
            inner = self.of_form(base)
            size = exp_of(log_of(positive(inner.factor, self.here)).scaled(e))
            return found.times(inner, e, size)
        parts = by_powers(inside.top, atom_number("name", self.name))
        known = len(parts) == 1 and set(parts) <= {(1,), (2,)}
        need(known, "a limit is not known")
        (((degree,), rate),) = parts.items()
        rate = Form(rate.num, inside.den).scaled(e * (self.side if degree == 1 else 1))
        need(self.name not in rate.names, "a limit is not known")
        if degree == 2:
            return found.times(Growth(UNIT, square=rate))
        return found.times(Growth(UNIT, rate=rate))

    def order(self, r: Form) -> tuple[int, Form]:
        """1, 0 or -1 as r may tend to oo, to the form, or tends to 0."""
        found = self.of_form(r)
        return self.compared(found, Growth(UNIT)), found.factor

    def limit(self, r: Form) -> Form:
        """The limit of a form, which has to be finite."""
        parts: dict[Monomial, dict[Monomial, Number]] = {}
        for m, c in r.num.items():
            bounded = tuple((a, e) for a, e in m if self.is_bounded(a))
            rest = tuple(pair for pair in m if pair not in bounded)
            parts.setdefault(bounded, {})[rest] = c
        found = NOTHING
        for bounded, terms in parts.items():
            order, value = self.order(Form(terms, r.den))
            need(order <= 0, "a limit is not finite, or not known")
            if order == 0:
                found = found + product(
                    [value, *(self.of_function(a) ** int(e) for a, e in bounded)]
                )
        return found

    def is_bounded(self, a: int) -> bool:
        return ATOMS[a].kind in ("atan", "erf", "log") and self.name in of_number(a).names

    def of_function(self, a: int) -> Form:
        kind, inside = ATOMS[a].kind, ATOMS[a].of
        order, value = self.order(inside)
        if kind == "log":
            need(order == 0, "a limit is not finite, or not known")
            return log_of(positive(value, self.here))
        if order < 1:
            at = value if order == 0 else NOTHING
            return odd_function(kind, at)
        sign = sign_of(value, self.here)
        need(sign != 0, "a limit is not known")
        return of_atom("pi").scaled(sign * HALF_TURN) if kind == "atan" else constant(sign)
