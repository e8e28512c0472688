"""Absolute values in a requirement: finding them, removing them in pairs by the triangle
inequality, and bounding them.

In p >= 0, |u| - |v| is at least -|u - v|, which has fewer names where u and v share some.  An
absolute value |w| that is left over is at most any u with u - w >= 0 and u + w >= 0.  Each function
proposes lemmas and adds up the products that use them.

>>> from ahdp_verify.kernel.numbers.normal_form import normal
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> draft = Draft(Context.empty())
>>> rest = apply_triangle_inequality(normal(parse("d + abs(s - x) - abs(s - y)"), draft.here).num, draft)
>>> print(rest.key, [lemma.kind for lemma in draft.lemmas])
d + -1*|x + -1*y| ['triangle']
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from operator import itemgetter

from ahdp_verify.kernel.evidence.certificate import Lemma, Products
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import (
    Monomial,
    Polynomial,
    Ratio,
    polynomial_names,
    polynomial_of_atom,
    polynomial_of_monomial,
)
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import abs_atom, to_expression
from ahdp_verify.search.proving.draft import Draft, polynomial_tree

QUOTIENTS = 4  # absolute values of which all pairs are looked at
BOUNDS = 2  # bounds of one absolute value that are kept, those in fewest names


def absolute_arguments(p: Polynomial) -> list[Polynomial]:
    """The arguments of the absolute values of p at any depth, the innermost first."""
    found: dict[str, Polynomial] = {}

    def visit(q: Polynomial) -> None:
        for a in sorted(algebra.polynomial_atoms(q)):
            if a.kind == "abs":
                visit(a.payload[0].num)
                found.setdefault(a.key, a.payload[0].num)
            elif a.kind == "exp":
                m, den = a.payload
                visit(polynomial_of_monomial(m))
                for f, _ in den:
                    visit(f)
            elif a.kind == "floor":
                for f in (a.payload[0].num, *(f for f, _ in a.payload[0].den)):
                    visit(f)

    visit(p)
    return list(found.values())


def first_nested(inside: list[Polynomial]) -> Polynomial | None:
    """The first of these that occurs inside another of them."""
    return next(
        (w for w in inside if any(v != w and w in absolute_arguments(v) for v in inside)), None
    )


def absolute_terms(p: Polynomial) -> dict[Polynomial, Polynomial]:
    """The arguments of the absolute values of p, with the polynomial that multiplies each, for
    terms that hold exactly one.
    """
    found: dict[Polynomial, Polynomial] = {}
    for m, c in p.terms.items():
        inside = [(a, e) for a, e in m.powers if a.kind == "abs"]
        if len(inside) == 1 and inside[0][1] == 1:
            w = inside[0][0].payload[0].num
            rest = Monomial(pair for pair in m.powers if pair[0] != inside[0][0])
            found[w] = found.get(w, algebra.ZERO) + polynomial_of_monomial(rest, c)
    return found


def apply_triangle_inequality(p: Polynomial, draft: Draft) -> Polynomial:
    """What is left of p >= 0 after pairs d |u| - c |v| were replaced by multiples of -|u - k v|,
    where that loses a name.
    """
    pairs = AbsolutePairs()
    pairs.add(p, draft.here)
    while (pair := pairs.closest()) is not None:
        c, factor, u, v = pairs.removable(*pair)
        number = draft.take(Lemma("triangle", (polynomial_tree(u), polynomial_tree(v))))
        gain = draft.here.facts[number].polynomial
        draft.terms.append(
            (c, (number,) if factor == algebra.ONE else (draft.take_sign(factor), number))
        )
        change = (factor * gain).scale(-c)
        p = p + change
        pairs.add(change, draft.here)
    return p


def apply_triangle_to_quotients(p: Polynomial, draft: Draft) -> Polynomial:
    """What is left of p >= 0 after pairs a |u| - b |v| were replaced by -|a u - b v|, where that
    loses a name: |u| / b - |v| / a is at least -|u / b - v / a|.
    """
    terms = absolute_terms(p)
    for u, v in itertools.permutations(terms, 2) if 2 <= len(terms) <= QUOTIENTS else ():
        rising, falling = terms[u], terms[v]
        if draft.here.signs(rising) != {1} or draft.here.signs(falling) != {-1}:
            continue
        a, b = (algebra.primitive_part(f)[2] for f in (rising, falling))
        sizes = (abs(algebra.primitive_part(f)[0]) for f in (rising, falling))
        left, right = (
            Ratio(w).scale(size) / Ratio(f)
            for w, size, f in zip((u, v), sizes, (b, a), strict=True)
        )
        shared = algebra.ratio_names(left) & algebra.ratio_names(right)
        other = next((r for r in (right, -right) if shared - algebra.ratio_names(left - r)), None)
        if other is None:
            continue
        lemma = Lemma("triangle", (to_expression(left), to_expression(other)))
        trial = draft.copy()
        number = trial.take(lemma)
        gain = trial.here.facts[number].polynomial
        outer = algebra.divide(falling, absolute_terms(gain).get(v, falling))
        if outer is None or not trial.here.signs(outer) <= {0, 1}:
            continue
        trial.terms.append((Fraction(1), (trial.take_sign(outer), number)))
        draft.here, draft.lemmas, draft.terms = trial.here, trial.lemmas, trial.terms
        return apply_triangle_to_quotients(p - outer * gain, draft)
    return p


@dataclass(frozen=True, slots=True)
class AbsoluteMatch:
    """The k for which u - k v loses most names, and how much is left of it: names first, then
    terms, then the size of a rational number.
    """

    k: Fraction
    distance: tuple[int, int, Fraction]


@lru_cache(maxsize=4096)
def _match(u: Polynomial, v: Polynomial) -> AbsoluteMatch | None:
    """How u and v match; None if no name is lost."""
    k = _multiple(u, v)
    if k is None:
        return None
    gap = u - v.scale(k)
    value = gap.as_rational
    return AbsoluteMatch(
        k,
        (
            len(polynomial_names(gap)),
            len(gap.terms),
            abs(value) if value is not None else Fraction(0),
        ),
    )


@lru_cache(maxsize=4096)
def _units(g: Polynomial) -> tuple[Fraction, Polynomial]:
    """(c, h) with g = c h, c > 0, the coefficients of h whole and coprime."""
    size = abs(algebra.primitive_part(g)[0])
    return size, g.scale(1 / size)


@dataclass(slots=True)
class AbsolutePairs:
    """The arguments of the absolute values of a polynomial with their coefficients, and the pairs
    of them that match: g |u| and f |v| with g >= 0 a negative multiple of f.

    Of a change of the polynomial only the arguments that it is about are looked at again, and only
    beside those with which they share a name: with hundreds of outputs most share none.
    """

    coefficients: dict[Polynomial, Polynomial] = field(default_factory=dict)
    rising: set[Polynomial] = field(default_factory=set)
    falling: set[Polynomial] = field(default_factory=set)
    # those with a name, numbered in the order in which they came up
    named: dict[str, dict[Polynomial, int]] = field(default_factory=dict)
    pairs: dict[tuple[Polynomial, Polynomial], AbsoluteMatch] = field(default_factory=dict)

    def add(self, change: Polynomial, here: Context) -> None:
        """The polynomial becomes larger by the change."""
        changed = absolute_terms(change)
        for w, f in changed.items():
            total = self.coefficients.get(w, algebra.ZERO) + f
            for n in () if w in self.coefficients else polynomial_names(w):
                self.named.setdefault(n, {})[w] = len(self.coefficients)
            self.coefficients[w] = total
            signs = here.signs(total) if total.terms else frozenset[int]()
            for side, allowed in ((self.rising, {0, 1}), (self.falling, {0, -1})):
                (side.add if signs and signs <= allowed else side.discard)(w)
        for pair in [pair for pair in self.pairs if changed.keys() & set(pair)]:
            del self.pairs[pair]
        for v in (w for w in changed if w in self.falling):
            self._pair_up((u, v) for u in self._near(v, self.rising))
        for u in (w for w in changed if w in self.rising):
            self._pair_up((u, v) for v in self._near(u, self.falling) if v not in changed)

    def _near(self, w: Polynomial, side: set[Polynomial]) -> list[Polynomial]:
        """The other arguments of a side that share a name with this one, in their order."""
        found: dict[Polynomial, int] = {}
        for n in polynomial_names(w):
            found.update(self.named[n])
        return sorted((u for u in found if u in side and u != w), key=found.__getitem__)

    def _pair_up(self, listed: Iterable[tuple[Polynomial, Polynomial]]) -> None:
        for u, v in listed:
            if _proportion(self.coefficients[u], self.coefficients[v]) is not None:
                match = _match(u, v)
                if match is not None:
                    self.pairs[u, v] = match

    def closest(self) -> tuple[Polynomial, Polynomial] | None:
        """The pair (u, v) of which least is left; None if no pair loses a name."""
        return min(self.pairs, key=lambda pair: self.pairs[pair].distance, default=None)

    def removable(
        self, u: Polynomial, v: Polynomial
    ) -> tuple[Fraction, Polynomial, Polynomial, Polynomial]:
        """(c, F, u, k v) with F >= 0, so that c F (|u| + |u - k v| - |k v|) can be removed."""
        g, f, k = self.coefficients[u], self.coefficients[v], self.pairs[u, v].k
        size, factor = _units(g)
        share = min(Fraction(1), -(_proportion(g, f) or Fraction(0)) / abs(k))
        return size * share, factor, u, v.scale(k)


@lru_cache(maxsize=65536)
def _proportion(g: Polynomial, f: Polynomial) -> Fraction | None:
    """The negative rational f / g, or None."""
    m = next(iter(g.terms))
    if m not in f.terms or len(f.terms) != len(g.terms):
        return None
    ratio = f.coefficient(m) / g.coefficient(m)
    return ratio if ratio < 0 and g.scale(ratio) == f else None


def _multiple(u: Polynomial, v: Polynomial) -> Fraction | None:
    """The k for which u - k v loses most of the names that u and v share; None if it loses none."""
    best, lost = None, 0
    shared = polynomial_names(u) & polynomial_names(v)
    for k in dict.fromkeys(
        u.coefficient(m) / v.coefficient(m) for m in u.terms if m in v.terms and m
    ):
        gone = len(shared - polynomial_names(u - v.scale(k)))
        if gone > lost:
            best, lost = k, gone
    return best


def add_absolute_bounds(p: Polynomial, draft: Draft) -> None:
    """Facts u >= |w| for the absolute values in p, where two known facts add up to such a bound."""
    for w in dict.fromkeys(
        w
        for a in sorted(algebra.polynomial_atoms(p))
        if a.kind == "abs"
        for w in (a.payload[0].num,)
    ):
        for i, j, u, above, below in sorted(
            _bounds(w, draft.here),
            key=lambda found: (len(polynomial_names(found[2])), found[2].key),
        )[:BOUNDS]:
            draft.offer(
                Lemma(
                    "bound",
                    (polynomial_tree(w), polynomial_tree(u)),
                    ">=",
                    (Products(((above, (i,)),)), Products(((below, (j,)),))),
                )
            )
        draft.offer(Lemma("sign", (polynomial_tree(polynomial_of_atom(abs_atom(w))),)))


def _bounds(w: Polynomial, here: Context) -> list[tuple[int, int, Polynomial, Fraction, Fraction]]:
    """All (i, j, u, a, b) with u - w = a * fact i and u + w = b * fact j, hence w = (b fact_j -
    a fact_i) / 2.
    """
    alike: dict[frozenset[Monomial], list[int]] = {}  # what is not in w has to cancel
    for i, fact in enumerate(here.facts):
        terms = fact.polynomial.terms
        if len(terms) <= 4 and polynomial_names(fact.polynomial) & polynomial_names(w):
            alike.setdefault(frozenset(terms.keys() - w.terms.keys()), []).append(i)
    found = []
    for i, j in (pair for near in alike.values() for pair in itertools.product(near, near)):
        f, g = here.facts[i].polynomial, here.facts[j].polynomial
        scale = _solve(w, g, f)
        if scale is not None:
            b, a = scale
            found.append((i, j, (f.scale(a) + g.scale(b)).scale(Fraction(1, 2)), a, b))
    return sorted(found, key=itemgetter(0, 1))


def _solve(w: Polynomial, g: Polynomial, f: Polynomial) -> tuple[Fraction, Fraction] | None:
    """(b, a), both positive, with 2 w = b g - a f."""
    lead = next((m for m in g.terms if m not in f.terms), None)
    mono = next((m for m in f.terms if m not in g.terms), None)
    if lead is not None:
        b = 2 * w.coefficient(lead) / g.coefficient(lead)
        rest = g.scale(b) - w.scale(Fraction(2))
        m = next(iter(f.terms))
        a = rest.coefficient(m) / f.coefficient(m)
    elif mono is not None:
        a = -2 * w.coefficient(mono) / f.coefficient(mono)
        rest = w.scale(Fraction(2)) + f.scale(a)
        m = next(iter(g.terms))
        b = rest.coefficient(m) / g.coefficient(m)
    else:
        return _solve_two(w, g, f)
    return (b, a) if a > 0 and b > 0 and w.scale(Fraction(2)) == g.scale(b) - f.scale(a) else None


def _solve_two(w: Polynomial, g: Polynomial, f: Polynomial) -> tuple[Fraction, Fraction] | None:
    """The same where f and g have the same monomials: two of them determine a and b."""
    keys = list(f.terms)
    for m, n in itertools.pairwise(keys):
        det = -g.terms[m] * f.terms[n] + g.terms[n] * f.terms[m]
        if det:
            p, q = 2 * w.coefficient(m), 2 * w.coefficient(n)
            b = (-p * f.terms[n] + q * f.terms[m]) / det
            a = (g.terms[m] * q - g.terms[n] * p) / det
            return (
                (b, a)
                if a > 0 and b > 0 and w.scale(Fraction(2)) == g.scale(b) - f.scale(a)
                else None
            )
    return None
