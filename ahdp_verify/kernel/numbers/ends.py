"""Limits of ratios at the ends of the line, by dominant terms; one name s tends to oo or to -oo.

    s^i exp(q s^2 + k s)  outgrows  s^j exp(p s^2 + l s)    if (q - p, k - l, i - j) has a first
                                                            entry other than 0 that is > 0

A sum has the growth of its dominant term, and P^r that of the dominant term of P to the power r; a
ratio tends to 0, or to the ratio of the dominant coefficients where both growths are equal.  atan
tends to pi/2 and erf to 1 where its argument tends to oo, and otherwise to its value at the limit
of its argument.

>>> from ahdp_verify.kernel.numbers.algebra import exp_of, symbol
>>> s = symbol("s")
>>> limit_at_end((s * s + s) / (constant(2) * s * s + exp_of(-s)), "s", 1, Context.empty()).key
'1/2'
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cmp_to_key

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import (
    Atom,
    Monomial,
    Polynomial,
    Ratio,
    Rational,
    constant,
)
from ahdp_verify.kernel.numbers.hypotheses import Context, open_factor
from ahdp_verify.kernel.numbers.normal_form import require_nonzero, require_positive
from ahdp_verify.kernel.numbers.smooth import function_value

Growth = tuple[Ratio, ...]  # (q, k, i) of exp(q t^2 + k t) t^i, where t = |s| tends to oo
STEADY: Growth = (constant(0),) * 3
FINITE = ("atan", "erf", "log")
ASYMPTOTE = {"atan": algebra.PI.scale(algebra.quotient(1, 2)), "erf": constant(1)}


def limit_at_end(r: Ratio, name: str, side: int, here: Context) -> Ratio:
    """The finite limit of r as a name tends to oo (side 1) or to -oo (side -1).

    Raises Unsupported where it is not finite or not found, Undecided where a sign is missing.
    """
    found, end = dict[Monomial, dict[Monomial, Rational]](), _End(name, side, here)
    for m, c in r.num.terms.items():
        bounded = Monomial(p for p in m.powers if p[0].kind in FINITE and end.moves(p[0]))
        found.setdefault(bounded, {})[Monomial(p for p in m.powers if p not in bounded.powers)] = c
    total = constant(0)
    for bounded, terms in found.items():
        order, value = end.ratio(Ratio(Polynomial(terms), r.den))
        if order > 0:
            raise Unsupported(f"a limit as {name} grows was not found")
        for a, e in bounded.powers:
            if order == 0:
                value = value * end.bounded(a) ** int(e)
            else:
                end.require_slow(a)
        total = total + value if order == 0 else total
    return total


@dataclass(frozen=True, slots=True)
class _End:
    """The end of the line to which a name tends, and what is known there."""

    name: str
    side: int
    here: Context

    def moves(self, a: Atom) -> bool:
        """Whether an atom depends on the name."""
        return self.name in algebra.atom_names(a)

    def sign(self, r: Ratio) -> int:
        """The sign of a ratio that is free of the name."""
        signs = self.here.ratio_signs(r)
        if len(signs) != 1:
            raise Undecided(open_factor(r.num, self.here))
        return next(iter(signs))

    def order(self, g: Growth, h: Growth) -> int:
        """1, 0 or -1 as the first growth is larger than, equal to or less than the second."""
        return next((s for a, b in zip(g, h, strict=True) if (s := self.sign(a - b))), 0)

    def ratio(self, r: Ratio) -> tuple[int, Ratio]:
        """(1, 0 or -1 as r tends to oo, a limit or 0, and the coefficient of its growth)."""
        growth, value = self.growth(r)
        return self.order(growth, STEADY), value

    def growth(self, r: Ratio) -> tuple[Growth, Ratio]:
        """The growth of a ratio and its coefficient; where that is 0 the growth is less."""
        growth, value = self.leading(r.num)
        for f, k in r.den:
            other, c = self.leading(f)
            growth = tuple(a - b.scale(k) for a, b in zip(growth, other, strict=True))
            value = value / require_nonzero(c, self.here) ** k
        return growth, value

    def leading(self, p: Polynomial) -> tuple[Growth, Ratio]:
        """The same of a sum."""
        listed = [self.term(m, c) for m, c in p.terms.items()]
        best = max((g for g, _ in listed), key=cmp_to_key(self.order))
        return best, sum((c for g, c in listed if not self.order(g, best)), constant(0))

    def term(self, m: Monomial, c: Rational) -> tuple[Growth, Ratio]:
        """The same of a term."""
        growth: Growth = STEADY
        value = constant(c)
        for a, e in m.powers:
            if not self.moves(a):
                more, factor = STEADY, algebra.ratio_of_atom(a, e)
            elif a.kind == "name":
                more, factor = (
                    (constant(0), constant(0), constant(e)),
                    constant(self.side ** int(e)),
                )
            else:
                more, factor = self.exponential(a, e)
            growth, value = tuple(x + y for x, y in zip(growth, more, strict=True)), value * factor
        return growth, value

    def exponential(self, a: Atom, e: Rational) -> tuple[Growth, Ratio]:
        """The same of the power e of an exponential; exp(e log r) is r^e."""
        (m, den), zero = (a.payload if a.kind == "exp" else (algebra.UNIT, ())), constant(0)
        if not den and m.single is not None and m.single.kind == "log":
            growth, c = self.growth(m.single.payload)
            c = algebra.ratio_power(require_positive(c, self.here), constant(e))
            return tuple(g.scale(e) for g in growth), c
        degree = dict(m.powers).get(algebra.name_atom(self.name), 0)
        if degree not in (1, 2) or sum(map(self.moves, (*dict(m.powers), *_atoms(den)))) > 1:
            raise Unsupported(f"a limit as {self.name} grows was not found")
        _, c = self.growth(Ratio(algebra.polynomial_of_monomial(m, e), den))
        return ((c, zero, zero) if degree == 2 else (zero, c, zero)), constant(1)

    def require_slow(self, a: Atom) -> None:
        """Nothing if an atom grows less than every power: a logarithm whose argument grows or falls
        like a power, not like an exponential.
        """
        if a.kind == "log":
            growth, c = self.growth(a.payload)
            require_nonzero(c, self.here)
            if any(self.sign(g) for g in growth[:2]):
                raise Unsupported(f"a limit as {self.name} grows was not found")

    def bounded(self, a: Atom) -> Ratio:
        """The limit of atan or erf, or of a logarithm where that is finite."""
        order, value = self.ratio(a.payload if a.kind == "log" else a.payload[0])
        if a.kind == "log" and order == 0:
            return algebra.log_of(require_positive(value, self.here))
        if a.kind != "log" and order < 1:
            return function_value(a.kind, value if order == 0 else constant(0))
        if a.kind == "log" or (side := self.sign(value)) == 0:
            raise Unsupported(f"a limit as {self.name} grows was not found")
        return ASYMPTOTE[a.kind].scale(side)


def _atoms(den: algebra.Factors) -> list[Atom]:
    return [a for f, _ in den for a in f.exponents]
