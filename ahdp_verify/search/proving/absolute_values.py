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
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from ahdp_verify.kernel.evidence.certificate import Lemma, Products
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import (
    Monomial,
    Polynomial,
    polynomial_names,
    polynomial_of_atom,
    polynomial_of_monomial,
)
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import abs_atom
from ahdp_verify.search.proving.draft import Draft, polynomial_tree

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
    partners: dict[str, _Partners] = {}
    while (found := _pair(p, draft.here, partners)) is not None:
        c, factor, u, v = found
        number = draft.take(Lemma("triangle", (polynomial_tree(u), polynomial_tree(v))))
        gain = draft.here.facts[number].polynomial
        draft.terms.append(
            (c, (number,) if factor == algebra.ONE else (draft.take_sign(factor), number))
        )
        p = p - (factor * gain).scale(c)
    return p


def _pair(
    p: Polynomial, here: Context, partners: dict[str, _Partners]
) -> tuple[Fraction, Polynomial, Polynomial, Polynomial] | None:
    """(c, F, u, k v) with F >= 0, so that c F (|u| + |u - k v| - |k v|) can be removed from p, u
    and k v as close as possible; None if no pair loses a name.
    """
    best = min(_pairs(p, here, partners), key=lambda pair: pair[0].distance, default=None)
    if best is None:
        return None
    match, u, g, v, f = best
    size, factor = _units(g)
    return (
        size * min(Fraction(1), -(_proportion(g, f) or Fraction(0)) / abs(match.k)),
        factor,
        u,
        v.scale(match.k),
    )


@lru_cache(maxsize=4096)
def _units(g: Polynomial) -> tuple[Fraction, Polynomial]:
    """(c, h) with g = c h, c > 0, the coefficients of h whole and coprime."""
    size = abs(algebra.primitive_part(g)[0])
    return size, g.scale(1 / size)


@dataclass(frozen=True, slots=True)
class AbsoluteMatch:
    """The k for which u - k v loses most names, and how much is left of it: names first, then
    terms, then the size of a rational number.
    """

    k: Fraction
    distance: tuple[int, int, Fraction]


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


# terms g |u| with g >= 0, by the texts of u: their places in the polynomial, u and g
Rising = dict[str, tuple[int, Polynomial, Polynomial]]


@dataclass(frozen=True, slots=True)
class _Partners:
    """How other arguments match v, by their texts, the closest first; those in `asked` were
    compared.  They are kept from one pair that is replaced in a polynomial to the next.
    """

    v: Polynomial
    asked: set[str] = field(default_factory=set)
    found: list[tuple[AbsoluteMatch, str]] = field(default_factory=list)

    def closest(self, f: Polynomial, rising: Rising) -> tuple[AbsoluteMatch, str] | None:
        """The closest of those whose coefficients are negative multiples of f, the first of equally
        close ones.
        """
        self._compare(rising)
        fitting = (
            (match, key)
            for match, key in self.found
            if key in rising and _proportion(rising[key][2], f) is not None
        )
        best = next(fitting, None)
        if best is None:
            return None
        alike = itertools.takewhile(lambda pair: pair[0].distance == best[0].distance, fitting)
        return min((best, *alike), key=lambda pair: rising[pair[1]][0])

    def _compare(self, rising: Rising) -> None:
        new = rising.keys() - self.asked
        if not new:
            return
        self.asked.update(new)
        for key in new:
            u = rising[key][1]
            if u != self.v and (match := _match(u, self.v)) is not None:
                self.found.append((match, key))
        self.found.sort(key=lambda pair: pair[0].distance)


def _pairs(
    p: Polynomial, here: Context, partners: dict[str, _Partners]
) -> Iterator[tuple[AbsoluteMatch, Polynomial, Polynomial, Polynomial, Polynomial]]:
    """(how they match, u, its coefficient, v, its coefficient) for terms f |v| of p and the closest
    g |u| with g >= 0 a negative multiple of f.
    """
    terms = [(w, f, here.signs(f)) for w, f in absolute_terms(p).items()]
    rising = {u.key: (i, u, g) for i, (u, g, signs) in enumerate(terms) if signs <= {0, 1}}
    for v, f, signs in terms:
        if signs <= {0, -1}:
            found = partners.setdefault(v.key, _Partners(v)).closest(f, rising)
            if found is not None:
                match, key = found
                _, u, g = rising[key]
                yield match, u, g, v, f


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
    near = {
        i: frozenset(f.polynomial.terms)
        for i, f in enumerate(here.facts)
        if polynomial_names(f.polynomial) & polynomial_names(w) and len(f.polynomial.terms) <= 4
    }
    found, wanted = [], frozenset(w.terms)
    for i, below in near.items():
        for j, above in near.items():
            if not below ^ above <= wanted <= below | above:  # what one of them has alone stays
                continue
            f, g = here.facts[i].polynomial, here.facts[j].polynomial
            scale = _solve(w, g, f)
            if scale is not None:
                b, a = scale
                found.append((i, j, (f.scale(a) + g.scale(b)).scale(Fraction(1, 2)), a, b))
    return found


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
