"""Hypotheses in scope, and the signs that they imply.

A `Context` holds facts (polynomial >= 0, > 0 or = 0) and the set of names that stand for integers.
The sign of a polynomial is read off the facts about it, about its factors, about all of its terms,
or about a polynomial that differs from it by a constant; there is no search.

>>> from ahdp_verify.kernel.numbers.algebra import symbol
>>> a, b = symbol("a").num, symbol("b").num
>>> here = Context.empty().given(a - b, ">=").given(b, ">")
>>> sorted(here.signs(a - b)), sorted(here.signs(b * b)), sorted(here.signs(a))
([0, 1], [1], [-1, 0, 1])
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

from ahdp_verify.kernel.effort import spend
from ahdp_verify.kernel.errors import DecayNotShown, Undecided, Unsupported
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Atom, Polynomial, Ratio, Rational, primitive_part
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.terms.words import SMOOTH

Signs = frozenset[int]
Found = TypeVar("Found")
ANY: Signs = frozenset((-1, 0, 1))
OF_RELATION: dict[str, Signs] = {
    ">": frozenset((1,)),
    ">=": frozenset((0, 1)),
    "=": frozenset((0,)),
    "<=": frozenset((-1, 0)),
    "<": frozenset((-1,)),
    "!=": frozenset((-1, 1)),
}
MIRROR = {"<": ">", "<=": ">="}
ZERO_ONLY, POSITIVE, NEGATIVE = OF_RELATION["="], OF_RELATION[">"], OF_RELATION["<"]
NONNEGATIVE = OF_RELATION[">="]
EXTREMES = {"max": max, "min": min}
MOST = 100_000  # found in all contexts together, before those not in use are forgotten
_cached = 0


@dataclass(frozen=True, slots=True)
class Fact:
    """polynomial `relation` 0, with relation >=, > or =."""

    polynomial: Polynomial
    relation: str


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """Facts in the order in which certificates number them, the signs read off them, and the names
    that are integers.
    """

    facts: tuple[Fact, ...]
    known: dict[Polynomial, Signs] = field(repr=False)
    integers: frozenset[str] = frozenset()
    germ: str = ""  # a name that tends to infinity: larger than every bound
    rounded: frozenset[str] = frozenset()  # the integers n of which a fact says n = floor(n)
    # names that a fact makes equal to a rational number plus multiples of floors and of the rounded
    values: tuple[tuple[str, Ratio], ...] = ()
    # what was found here: normal forms, signs, and contexts with one fact more
    worked: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    @staticmethod
    @lru_cache(maxsize=256)  # so that what is found in one can be looked up
    def empty(integers: frozenset[str] = frozenset()) -> Context:
        """The context without facts."""
        return Context((), {}, integers)

    def with_integers(self, integers: frozenset[str]) -> Context:
        """This context where these names stand for integers too."""
        return self.once(integers, lambda: replace(self, integers=self.integers | integers))

    def at_infinity(self, name: str) -> Context:
        """This context with a name that tends to infinity: signs are those of leading
        coefficients.
        """
        return replace(self, germ=name)

    def given(self, p: Polynomial, relation: str) -> Context:
        """This context and one more fact; < and <= are turned round.  A repeated call returns the
        same object, with its cache.
        """
        if not (self.facts or self.known or self.germ or self.values):
            return _first_fact(self.integers, p, relation)
        return self.once((p, relation), lambda: self._given(p, relation))

    def once(self, key: object, find: Callable[[], Found]) -> Found:
        """What is found, cached unless this context has no facts and may live as long as the
        process.
        """
        global _cached
        if not self.facts:
            return find()
        found: Found = self.worked.get(key, _first_fact)  # which is never found
        if found is _first_fact:
            found = self.worked[key] = find()
            _cached += 1
            if _cached > MOST:
                _cached = 0
                _first_fact.cache_clear()
        return found

    def _given(self, p: Polynomial, relation: str) -> Context:
        if relation in MIRROR:
            p, relation = -p, MIRROR[relation]
        if relation not in (">", ">=", "="):
            raise Unsupported(f"{relation!r} is not a relation of a fact")
        c, m, primitive = primitive_part(p) if p.terms else (Fraction(0), algebra.UNIT, p)
        known = dict(self.known)
        rest = product_signs(sign_of_rational(c), self._monomial_signs(m))
        if (
            primitive == algebra.ONE
            and m.single is not None
            and m.single.kind not in algebra.INVERTIBLE
        ):
            primitive, rest = algebra.polynomial_of_atom(m.single), sign_of_rational(c)
        if len(rest) == 1 and 0 not in rest and primitive.terms and primitive != algebra.ONE:
            signs = product_signs(OF_RELATION[relation], rest)
            known[primitive] = self.signs(primitive) & signs
            # comparing a sum of logarithms with 0 means comparing the product inside with 1
            if (inner := algebra.log_argument(primitive)) is not None:
                primitive, signs = self._inside(inner - algebra.constant(1), signs)
                known[primitive] = self.signs(primitive) & signs
        zero = primitive if known.get(primitive) == ZERO_ONLY else algebra.ZERO
        fixed = _value(p if relation == "=" else zero, self.rounded)
        rounded = frozenset(n for n, value in fixed if value.key == f"floor({n})")
        larger = Context(
            (*self.facts, Fact(p, relation)),
            known,
            self.integers | rounded,
            self.germ,
            self.rounded | rounded,
            (*self.values, *(() if rounded else fixed)),
        )
        for name_, value in fixed if p.terms and len(p.terms) > 1 else ():
            larger._carry(name_, value)
        return larger

    def _inside(self, gap: Ratio, signs: Signs) -> tuple[Polynomial, Signs]:
        """The primitive polynomial of a gap of these signs, and its own signs."""
        c, m, primitive = primitive_part(gap.num)
        outer = product_signs(sign_of_rational(c), self._monomial_signs(m))
        for f, k in gap.den:
            outer = product_signs(outer, self.signs(f) if k % 2 else frozenset((1,)))
        return primitive, product_signs(signs, outer) if len(outer) == 1 and 0 not in outer else ANY

    def fixed(self, name_: str, value: Ratio) -> Context:
        """This context with a name replaced by the value that its facts determine."""
        key = name_, value.num, value.den
        return self.once(key, lambda: replace(self, values=(*self.values, (name_, value))))

    def _carry(self, name_: str, value: Ratio) -> None:
        """The known signs of polynomials in a name, transferred to the same polynomials with its
        value substituted.
        """
        for q, signs in list(self.known.items()):
            if name_ not in algebra.polynomial_names(q) or value.as_rational is not None:
                continue
            try:
                moved = algebra.replace_name(Ratio(q), name_, value)
            except Unsupported:
                continue
            c, m, primitive = primitive_part(moved.num)
            if not moved.den and not m and primitive != algebra.ONE and c:
                self.known[primitive] = self.known.get(primitive, ANY) & product_signs(
                    signs, sign_of_rational(c)
                )

    def signs(self, p: Polynomial) -> Signs:
        """The signs that p can have here, as far as facts about p, its factors or all its terms
        determine them.
        """
        if not p.terms:
            return frozenset((0,))
        if self.germ and self.germ in algebra.polynomial_names(p):
            leading = self.signs(algebra.leading_growth(p, self.germ)[1])
            # where the leading coefficient may vanish, lower terms decide
            return ANY if 0 in leading else leading
        c, m, primitive = primitive_part(p)
        outer = product_signs(sign_of_rational(c), self._monomial_signs(m) if m else POSITIVE)
        if primitive is algebra.ONE:
            return outer
        if (found := self.worked.get(primitive)) is None:
            found = self.once(primitive, lambda: self._primitive_signs(primitive))
        return product_signs(outer, found)

    def _primitive_signs(self, p: Polynomial) -> Signs:
        known = self.known.get(p)
        if known is not None:
            return known if len(known) == 1 else known & self._shifted_signs(p)
        exact = constant_sign(Ratio(p)) if not algebra.polynomial_names(p) else None
        if exact is not None:
            return frozenset((exact,))
        if (inner := algebra.log_argument(p)) is not None:
            return self.ratio_signs(inner - algebra.constant(1))
        terms = [
            product_signs(sign_of_rational(c), self._monomial_signs(m)) for m, c in p.terms.items()
        ]
        for direction in (1, -1):
            if all(-direction not in s for s in terms):
                strict = any(s == {direction} for s in terms)
                return frozenset((direction,) if strict else (0, direction))
        return self._shifted_signs(p)

    def _monomial_signs(self, m: algebra.Monomial) -> Signs:
        found: Signs | None = self.worked.get(m)
        return self.once(m, lambda: self._signs_of_product(m)) if found is None else found

    def _signs_of_product(self, m: algebra.Monomial) -> Signs:
        result = POSITIVE
        for a, e in m.powers:
            base = self._atom_signs(a)
            result = product_signs(result, frozenset(x * x for x in base) if e % 2 == 0 else base)
        return result

    def _atom_signs(self, a: Atom) -> Signs:
        if a.kind in (*algebra.INVERTIBLE, "theta3"):
            return frozenset((1,))
        p = algebra.polynomial_of_atom(a)
        if p in self.known and len(self.known[p]) == 1:
            return self.known[p]
        exact = None if algebra.atom_names(a) else constant_sign(algebra.ratio_of_atom(a))
        if exact is not None:
            return frozenset((exact,))
        if a.kind == "log":
            return self.ratio_signs(a.payload - algebra.constant(1))
        if a.kind in EXTREMES:
            return self._extreme_signs(a) & self._shifted_signs(p)
        base = frozenset((0, 1)) if a.kind == "abs" else ANY
        return base & self._shifted_signs(p)

    def _extreme_signs(self, a: Atom) -> Signs:
        """The sign of the largest is the largest of the signs."""
        each, pick = [self.ratio_signs(r) for r in a.payload], EXTREMES[a.kind]
        low, high = pick(min(s, default=-1) for s in each), pick(max(s, default=1) for s in each)
        return frozenset(s for s in ANY if low <= s <= high)

    def _shifted_signs(self, p: Polynomial) -> Signs:
        """The signs of p = k * q + r for a known q, a rational k and a constant r: from 1 <= x
        it follows that x > 0.
        """
        result, kinds = ANY, {a.kind for a in p.exponents}
        if not kinds.isdisjoint(SMOOTH):
            from ahdp_verify.kernel.numbers.smooth import signs_of_functions

            result = signs_of_functions(p, self.ratio_signs)
        if "floor" in kinds:
            from ahdp_verify.kernel.numbers.floors import signs_of_floor

            result = signs_of_floor(p, self.ratio_signs)
        c, varying, rest = p.split
        spend(len(self.known))
        for q, signs in self.known.items() if varying else ():
            d, same, other = q.split
            if same == varying and len(q.terms) <= len(p.terms) + 2:
                gap = _sign_of_gap(rest, other) if c > 0 else _sign_of_gap(other, rest)
                result = result & _shifted(signs, (c > 0) == (d > 0), gap)
        return result

    def ratio_signs(self, r: Ratio) -> Signs:
        """The signs that a ratio can have here."""
        result = self.signs(r.num)
        for f, k in r.den:
            if k % 2:
                result = product_signs(result, self.signs(f))
        return result

    def vanishes(self, r: Ratio) -> bool:
        """True only if r is 0 here."""
        return r.is_zero or self.ratio_signs(r) == ZERO_ONLY

    @property
    def contradictory(self) -> bool:
        """True if two facts about one polynomial leave it no sign."""
        return any(not s for s in self.known.values())


@lru_cache(maxsize=256)
def _first_fact(integers: frozenset[str], p: Polynomial, relation: str) -> Context:
    """The context of one fact, which all claims share that begin with it, and with it all that is
    found there and in the contexts of more facts.
    """
    return Context.empty(integers)._given(p, relation)


def sign_of_rational(c: Rational) -> Signs:
    """The sign of a number."""
    return POSITIVE if c.numerator > 0 else NEGATIVE if c.numerator else ZERO_ONLY


@lru_cache(maxsize=64)  # of all pairs
def product_signs(a: Signs, b: Signs) -> Signs:
    """The signs of a product of what has these signs."""
    return frozenset(x * y for x in a for y in b)


def _value(p: Polynomial, rounded: frozenset[str]) -> tuple[tuple[str, Ratio], ...]:
    """The name and what c * name + r = 0 equates it with, where r is a rational and multiples of
    floors (n = 3 floor(n/3) + 1) and of rounded names.
    """
    atoms = {m.single: c for m, c in p.terms.items() if m}
    named = [a for a in atoms if a is not None and a.kind == "name"]
    if len(named) > 1:
        named = [a for a in named if a.payload not in rounded]
    if len(named) != 1 or any(a is None or a.kind not in ("name", "floor") for a in atoms):
        return ()
    (n,) = named
    rest = p - algebra.polynomial_of_atom(n).scale(atoms[n])
    return ((n.payload, Ratio(rest.scale(algebra.quotient(-1, atoms[n])))),)


def _sign_of_gap(p: Polynomial, q: Polynomial) -> int | None:
    """The sign of p - q for constants p and q, mostly rational numbers, which need no subtraction
    of polynomials.
    """
    if p.terms.keys() | q.terms.keys() <= {algebra.UNIT}:
        a, b = p.terms.get(algebra.UNIT, 0), q.terms.get(algebra.UNIT, 0)
        return (a > b) - (a < b)
    return constant_sign(Ratio(p - q))


@lru_cache(maxsize=64)  # of all triples
def _shifted(signs: Signs, upward: bool, r: int | None) -> Signs:
    """The signs of k * q + (a constant of sign r) for q of these signs and k of this sign."""
    moved = frozenset(s if upward else -s for s in signs)
    if r is None or r == 0:
        return moved if r == 0 else ANY
    return frozenset((r,)) if -r not in moved else ANY


def sign_of(p: Polynomial, here: Context) -> int:
    """The one sign of p here; Undecided(p) if the facts do not single it out."""
    signs = here.signs(p)
    if len(signs) != 1:
        raise Undecided(open_factor(p, here))
    return next(iter(signs))


def check_decay(
    rate: Ratio, variable: str, u: Ratio | None, v: Ratio | None, here: Context
) -> None:
    """Nothing if exp(rate s) vanishes at the ends that are infinite; Undecided or DecayNotShown
    otherwise.
    """
    for end, wanted in ((u, 1), (v, -1)):
        if end is None and here.ratio_signs(rate) != {wanted}:
            sign_of(rate.num, here)
            for f, _ in rate.den:
                sign_of(f, here)
            raise DecayNotShown(f"the law was not shown to decay as {variable} tends to infinity")


def with_ratio_fact(r: Ratio, relation: str, here: Context) -> Context:
    """The context with r >= 0, r > 0 or r = 0, where the divisors of r have known signs."""
    return here.given(sign_polynomial(r, here), relation)


def sign_polynomial(r: Ratio, here: Context) -> Polynomial:
    """A polynomial with the sign of r here; Undecided where a divisor has no known sign."""
    direction = math.prod(sign_of(f, here) ** k for f, k in r.den)
    return r.num if direction > 0 else -r.num


def open_factor(p: Polynomial, here: Context) -> Polynomial:
    """The factor of p whose sign is to be determined first: its part with several terms, else its
    first atom of unknown sign.
    """
    _, m, primitive = primitive_part(p)
    if primitive != algebra.ONE and len(here.signs(primitive)) > 1:
        return primitive
    singles = (algebra.polynomial_of_atom(a) for a, _ in m.powers)
    return next((q for q in singles if len(here.signs(q)) > 1), p)
