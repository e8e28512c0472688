"""Section 5, monotone and pieces: limits of forms as a name tends to an infinity, by the terms that
dominate.

With t = |n|, a term is c t^i exp(q t^2 + k t); q, k, i and c do not depend on n.  Their order is
that of (q, k, i): the first that differs decides.  atan and erf tend to their bounds where their
argument grows; a logarithm counts only where its argument tends to a limit > 0, or, beside a factor
that falls, where that grows or falls like a power.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cmp_to_key

from recheck.forms import (
    ATOMS,
    NOTHING,
    UNIT,
    WAVES,
    Atom,
    Form,
    Monomial,
    atom_number,
    constant,
    exp_of,
    log_of,
    odd_function,
    of_atom,
    of_powers,
    total,
)
from recheck.limits import Rejected, need
from recheck.signs import Context, nonzero, positive, sign_of
from recheck.trees import Number

Order = tuple[Form, Form, Form]  # (q, k, i) of exp(q t^2 + k t) t^i
STILL: Order = (NOTHING, NOTHING, NOTHING)
SLOW = ("atan", "erf", "log")
UNKNOWN = "a limit is not known"


class End:
    """The name n tends to oo (`side` 1) or to -oo; `here` knows the rest."""

    def __init__(self, n: str, side: int, here: Context) -> None:
        self.n, self.side, self.here = n, side, here

    def limit(self, r: Form) -> Form:
        """The finite limit of a form."""
        parts: dict[Monomial, list[Form]] = {}
        for m, c in r.num.items():
            slow = tuple(
                (a, e) for a, e in m if ATOMS[a].kind in SLOW and self.n in names(ATOMS[a])
            )
            rest = tuple(pair for pair in m if pair not in slow)
            parts.setdefault(slow, []).append(Form({rest: c}))
        return total(self.part(slow, total(terms), r.den) for slow, terms in parts.items())

    def part(self, slow: Monomial, top: Form, den: tuple[tuple[Form, int], ...]) -> Form:
        """The limit of a form times powers of slow functions."""
        if top.is_zero:
            return NOTHING
        order, value = self.of_quotient(Form(top.num, den))
        speed = self.compare(order, STILL)
        need(speed <= 0, UNKNOWN)
        for a, e in slow:
            if speed == 0:
                value = value * self.of_slow(ATOMS[a]) ** int(e)
            elif ATOMS[a].kind == "log":
                inner, c = self.of_quotient(ATOMS[a].of)
                nonzero(c, self.here)
                need(self.compare((inner[0], inner[1], NOTHING), STILL) == 0, UNKNOWN)
        return value if speed == 0 else NOTHING

    def compare(self, a: Order, b: Order) -> int:
        for x, y in zip(a, b, strict=True):
            if s := sign_of(x - y, self.here):
                return s
        return 0

    def of_quotient(self, r: Form) -> tuple[Order, Form]:
        order, value = self.of_sum(r.top)
        for f, k in r.den:
            below, c = self.of_sum(f)
            order = sum_of(order, below, -k)
            value = value / nonzero(c, self.here) ** k
        return order, value

    def of_sum(self, p: Form) -> tuple[Order, Form]:
        listed = [self.of_term(m, c) for m, c in p.num.items()]
        best = max((order for order, _ in listed), key=cmp_to_key(self.compare))
        return best, total(c for order, c in listed if self.compare(order, best) == 0)

    def of_term(self, m: Monomial, c: Number) -> tuple[Order, Form]:
        order, value = STILL, constant(c)
        for a, e in m:
            atom = ATOMS[a]
            if self.n not in names(atom):
                value = value * of_powers([(a, e)])
            elif atom.kind == "name":
                order = sum_of(order, (NOTHING, NOTHING, UNIT), e)
                value = value.scaled(self.side ** int(e))
            else:
                more, factor = self.of_exponential(atom, e)
                order, value = sum_of(order, more, 1), value * factor
        return order, value

    def of_exponential(self, atom: Atom, e: Number) -> tuple[Order, Form]:
        need(atom.kind == "exp", UNKNOWN)
        inside: Form = atom.of
        ((m, _),) = inside.num.items()
        if not inside.den and len(m) == 1 and m[0][1] == 1 and ATOMS[m[0][0]].kind == "log":
            order, c = self.of_quotient(ATOMS[m[0][0]].of)
            root = power(positive(c, self.here), Fraction(e))
            return (order[0].scaled(e), order[1].scaled(e), order[2].scaled(e)), root
        degree = dict(m).get(atom_number("name", self.n), 0)
        moving = sum(self.n in names(ATOMS[a]) for a, _ in m)
        moving += sum(self.n in f.names for f, _ in inside.den)
        need(degree in (1, 2) and moving == 1, UNKNOWN)
        _, rate = self.of_quotient(inside.scaled(e))
        return ((rate, NOTHING, NOTHING) if degree == 2 else (NOTHING, rate, NOTHING)), UNIT

    def of_slow(self, atom: Atom) -> Form:
        order, value = self.of_quotient(atom.of)
        speed = self.compare(order, STILL)
        if atom.kind == "log":
            need(speed == 0, UNKNOWN)
            return log_of(positive(value, self.here))
        if speed <= 0:
            return odd_function(atom.kind, value if speed == 0 else NOTHING)
        bound = UNIT if atom.kind == "erf" else of_atom("pi").scaled(Fraction(1, 2))
        return bound.scaled(nonzero_sign(value, self.here))


def nonzero_sign(r: Form, here: Context) -> int:
    s = sign_of(r, here)
    need(s != 0, UNKNOWN)
    return s


def sum_of(a: Order, b: Order, k: Number) -> Order:
    """a + k b."""
    return a[0] + b[0].scaled(k), a[1] + b[1].scaled(k), a[2] + b[2].scaled(k)


def names(atom: Atom) -> frozenset[str]:
    if atom.kind == "name":
        return frozenset((atom.of,))
    found: frozenset[str] = atom.of.names if isinstance(atom.of, Form) else frozenset()
    return found


def power(c: Form, e: Fraction) -> Form:
    """c^e for c > 0."""
    return c ** int(e) if e.denominator == 1 else exp_of(log_of(c).scaled(e))


def limit(r: Form, n: str, side: int, here: Context) -> Form:
    """The finite limit of r as n tends to oo (side 1) or to -oo (side -1)."""
    if any(ATOMS[a].kind in WAVES and n in names(ATOMS[a]) for m in r.num for a, _ in m):
        raise Rejected(UNKNOWN)
    return End(n, side, here).limit(r)
