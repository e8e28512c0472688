"""Section 5, exp sign: functions of one number, sums of c n^k exp(a n) with rational a.

The points of the evidence are a help that is not read here.  The sign of a function on an interval
is found by rising and falling instead.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

from recheck.forms import (
    ATOMS,
    NOTHING,
    Form,
    atom_number,
    by_powers,
    constant,
    constant_sign,
    exp_of,
    log_of,
    of_name,
    product,
    total,
)
from recheck.limits import CLOCK, Rejected, Undecided, cover, need
from recheck.signs import RELATION, Context
from recheck.trees import Number

DEGREE, FACTOR_POWER, DEPTH = 256, 64, 400
Terms = dict[tuple[int, Number], Form]  # {(k, a): c} for the sum of c n^k exp(a n)


def terms_of(p: Form, n: str) -> Terms:
    """The terms of a form in one name.  A form that is divided by something has none."""
    need(not p.den, "a factor is a quotient")
    parts = by_powers(p, atom_number("name", n), atom_number("exp", of_name(n)))
    out: Terms = {}
    for (k, a), c in parts.items():
        need(not c.names, "a factor is not a sum of powers and exponentials of one name")
        cover(k <= DEGREE, "a factor has too high a degree")
        out[int(k), a] = c
    return out


def value_at(f: Terms, x: Form) -> Form:
    return total(x**k * exp_of(x.scaled(a)) * c for (k, a), c in f.items())


def sign_at(f: Terms, x: Form) -> int:
    """The sign at a constant; raises `Undecided` if it is not known."""
    s = constant_sign(value_at(f, x))
    if s is None:
        raise Undecided("the sign of a function at an end of an interval is not known")
    return s


def end_of(fact: Form, n: str) -> tuple[Form, bool]:
    """(v, whether it is a lower end) of a fact c n + d or c exp(a n) + d."""
    f = terms_of(fact, n)
    d = -f.pop((0, 0), NOTHING)
    need(len(f) == 1, "a fact gives no end of an interval")
    (((k, a), c),) = f.items()
    s = constant_sign(c)
    need(s in (1, -1), "a fact gives no end of an interval")
    if (k, a) == (1, 0):
        return d / c, s == 1
    need(k == 0 and constant_sign(d / c) == 1, "a fact gives no end of an interval")
    return log_of(d / c).scaled(1 / Fraction(a)), (s == 1) == (a > 0)


def require_exp_sign(p: Form, relation: str, proof: Any, here: Context) -> None:
    """p = product of all f^k      f has a sign s(f) on the interval, for all k that are odd
    the product of the s(f)^k is 1
    ---------------------------------------------------------------------------------------
    p >= 0 (p > 0 if f has a sign for even k too, and no f is 0 at an end that belongs to it)
    """
    need(len(p.names) == 1, "an exp sign needs exactly one name")
    (n,) = p.names
    low, kind = fact_of(proof.low, here)
    v, lower = end_of(low, n)
    if kind == "=":
        need(not proof.factors and proof.high is None, "an exp sign at a point needs no factors")
        need(sign_at(terms_of(p, n), v) in RELATION[relation], "a function has the wrong sign")
        return
    need(lower, "the fact for the lower end gives an upper end")
    w, other = upper_end(proof.high, n, here)
    factors = [(here.form(f), k) for f, k, _ in proof.factors]
    for _, k in factors:
        need(0 < k <= FACTOR_POWER, "a factor has a power that is not from 1 to 64")
    need_same_function(p, product(f**k for f, k in factors), n)
    closed = [x for x, r in ((v, kind), (w, other)) if r == ">=" and x is not None]
    sign = 1
    for f, k in factors:
        terms = terms_of(f, n)
        if k % 2 or relation == ">":
            sign *= sign_inside(terms, v, w) ** k
        if relation == ">":
            need(all(sign_at(terms, x) for x in closed), "a factor is 0 at an end")
    need(sign == 1, "the product of the signs of the factors is not 1")


def fact_of(number: int, here: Context) -> tuple[Form, str]:
    if not 0 <= number < len(here.facts):
        raise Rejected("there is no fact with this number")
    return here.facts[number]


def upper_end(number: int | None, n: str, here: Context) -> tuple[Form | None, str]:
    """(the end, its relation); without a fact the interval has no upper end."""
    if number is None:
        return None, ">"
    fact, relation = fact_of(number, here)
    w, lower = end_of(fact, n)
    need(not lower and relation != "=", "the fact for the upper end does not give one")
    return w, relation


def need_same_function(p: Form, q: Form, n: str) -> None:
    """Raises unless p and q are the same up to a product of exponentials."""
    if p == q:
        return
    need(not p.is_zero and not q.is_zero, "the factors do not multiply to what they should")
    quotient = p / q
    (m, c), *more = quotient.num.items()
    good = not more and not quotient.den and c == 1
    good = good and all(ATOMS[a].kind == "exp" for a, _ in m)
    need(good, "the factors do not multiply to what they should")


# signs by monotonicity


def derivative(f: Terms) -> Terms:
    slope: Terms = {}
    for (k, a), c in f.items():
        for key, d in (((k, a), a), ((k - 1, a), k)):
            if d:
                slope[key] = slope.get(key, NOTHING) + c.scaled(d)
    return {key: c for key, c in slope.items() if not c.is_zero}


def sign_inside(f: Terms, low: Form, high: Form | None) -> int:
    """The sign of f on the open interval; raises `Undecided` if it is not shown."""
    s = Signs(low, high).of(f, 0) or sign_by_roots(f, low, high)
    if not s:
        raise Undecided("the sign of a function on an interval is not shown")
    return s


def sign_by_roots(f: Terms, low: Form, high: Form | None) -> int:
    """The sign of a polynomial with rational coefficients that has no root between two rational
    numbers, or above one, by Sturm's theorem; 0 for everything else.
    """
    start, end = low.rational, None if high is None else high.rational
    if start is None or (end is None and high is not None) or any(a for _, a in f) or not f:
        return 0
    coefficients = [f.get((k, 0), NOTHING).rational for k in range(max(k for k, _ in f) + 1)]
    if any(c is None for c in coefficients):
        return 0
    p = [Fraction(c) for c in coefficients if c is not None]
    above = abs(Fraction(start)) + 2 + max(abs(c / p[-1]) for c in p)  # no root is as large
    a, b = Fraction(start), above if end is None else Fraction(end)
    sign = 1
    for x, outside in ((a, 1), (b, -1)):  # roots at an end are divided out
        while len(p) > 1 and not polynomial_at(p, x):
            p, sign = divided(p, [-x, Fraction(1)])[0], sign * outside
    chain = sturm_chain(p)
    if changes(chain, a) != changes(chain, b):
        return 0
    return sign * (1 if polynomial_at(p, a) > 0 else -1)


def polynomial_at(p: list[Fraction], x: Fraction) -> Fraction:
    value = Fraction(0)
    for c in reversed(p):
        value = value * x + c
    return value


def divided(p: list[Fraction], q: list[Fraction]) -> tuple[list[Fraction], list[Fraction]]:
    """Quotient and remainder; the coefficients begin with the constant."""
    rest, quotient = list(p), [Fraction(0)] * max(1, len(p) - len(q) + 1)
    while len(rest) >= len(q) and any(rest):
        CLOCK.ask()
        c, shift = rest[-1] / q[-1], len(rest) - len(q)
        quotient[shift] = c
        for i, d in enumerate(q):
            rest[i + shift] -= c * d
        rest.pop()
        while rest and not rest[-1]:
            rest.pop()
    return quotient, rest


def sturm_chain(p: list[Fraction]) -> list[list[Fraction]]:
    """p, its derivative, and the negated remainders of each by the next."""
    chain = [p, [c * k for k, c in enumerate(p)][1:]]
    while chain[-1]:
        chain.append([-c for c in divided(chain[-2], chain[-1])[1]])
    return chain[:-1]


def changes(chain: list[list[Fraction]], x: Fraction) -> int:
    """How often the sign changes along a chain at x."""
    signs = [v > 0 for p in chain if (v := polynomial_at(p, x))]
    return sum(s != t for s, t in itertools.pairwise(signs))


PARTS = (1, 2, 4, 8)  # lengths of a first part of an endless interval


class Signs:
    """Signs of functions on one interval; 0 where a sign is not shown."""

    def __init__(self, low: Form, high: Form | None, whole: bool = True) -> None:
        self.low, self.high, self.whole = low, high, whole
        self.found: dict[frozenset[object], int] = {}

    def of(self, f: Terms, depth: int) -> int:
        """f is divided by an exponential so that its least rate is 0, which preserves its sign.

        Then its derivative has fewer powers to that rate, so that this ends.
        """
        CLOCK.ask()
        cover(depth <= DEPTH, "a function of one number is too large")
        if not f:
            return 0
        least = min(a for _, a in f)
        f = {(k, a - least): c for (k, a), c in f.items()}
        if set(f) == {(0, 0)}:
            return constant_sign(f[0, 0]) or 0
        key = frozenset(f.items())
        if key not in self.found:
            self.found[key] = self.by_slope(f, depth)
        return self.found[key]

    def by_slope(self, f: Terms, depth: int) -> int:
        slope = derivative(f)
        s = self.of(slope, depth + 1)
        if s:
            return self.of_monotone(f, s)
        if self.high is None:
            return self.of_parts(f) if self.whole else 0
        bend = self.of(derivative(slope), depth + 1)
        return self.of_bent(f, slope, bend, self.high) if bend else 0

    def of_monotone(self, f: Terms, s: int) -> int:
        """f increases (s = 1) or decreases: it has the sign s above a start not of the other sign,
        and -s below an end that is not of the sign s.
        """
        if self.sign(value_at(f, self.low)) in (0, s):
            return s
        if self.high is not None and self.sign(value_at(f, self.high)) in (0, -s):
            return -s
        return 0

    def of_parts(self, f: Terms) -> int:
        """f has one sign up to some point, at it and beyond it."""
        for length in PARTS:
            cut = self.low + constant(length)
            s = self.sign(value_at(f, cut))
            if s and Signs(self.low, cut, False).of(f, 0) == s == Signs(cut, None, False).of(f, 0):
                return s
        return 0

    def of_bent(self, f: Terms, slope: Terms, bend: int, high: Form) -> int:
        """f lies beyond its chord on one side, and beyond its tangents on the other."""
        at_low, at_high = value_at(f, self.low), value_at(f, high)
        width = high - self.low
        if {self.sign(at_low), self.sign(at_high)} <= {0, -bend}:
            return -bend
        from_low = at_low + value_at(slope, self.low) * width
        from_high = at_high - value_at(slope, high) * width
        if {self.sign(at_low), self.sign(from_low)} <= {0, bend}:
            return bend
        return bend if {self.sign(at_high), self.sign(from_high)} <= {0, bend} else 0

    @staticmethod
    def sign(value: Form) -> int | None:
        return constant_sign(value)
