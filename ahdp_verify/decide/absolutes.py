"""Absolute values in a requirement: which it holds, the triangles that take them out in pairs, and their bounds.

In p >= 0, |u| - |v| is at least -|u - v|, which has fewer names where u and v share some.  An absolute value |w| that is left over is at most
any u with u - w >= 0 and u + w >= 0.  Each function proposes lemmas and adds up the products that use them.

>>> from ahdp_verify.context import normal
>>> from ahdp_verify.grammar import parse
>>> draft = Draft(Context.empty())
>>> rest = triangles(normal(parse("d + abs(s - x) - abs(s - y)"), draft.here).num, draft)
>>> print(rest.key, [lemma.kind for lemma in draft.lemmas])
d + -1*|x + -1*y| ['triangle']
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

from ahdp_verify import algebra
from ahdp_verify.algebra import Polynomial, of_monomial, polynomial_names
from ahdp_verify.certificate import Lemma, Products
from ahdp_verify.context import Context, abs_atom
from ahdp_verify.decide.draft import Draft, tree

BOUNDS = 2  # bounds of one absolute value that are kept, those in fewest names


def inner_absolutes(p: Polynomial) -> list[Polynomial]:
    """What stands inside the absolute values of p, however deep, the innermost first."""
    found: dict[str, Polynomial] = {}

    def visit(q: Polynomial) -> None:
        for a in sorted(algebra.atoms(q), key=lambda a: a.key):
            if a.kind == "abs":
                visit(a.payload[0].num)
                found.setdefault(a.key, a.payload[0].num)
            elif a.kind == "exp":
                m, den = a.payload
                visit(of_monomial(m))
                for f, _ in den:
                    visit(f)
            elif a.kind == "floor":
                for f in (a.payload[0].num, *(f for f, _ in a.payload[0].den)):
                    visit(f)

    visit(p)
    return list(found.values())


def nested_in(inside: list[Polynomial]) -> Polynomial | None:
    """The first of these that stands inside another of them."""
    return next((w for w in inside if any(v != w and w in inner_absolutes(v) for v in inside)), None)


def abs_terms(p: Polynomial) -> dict[Polynomial, Polynomial]:
    """What stands inside the absolute values of p, with the polynomial that multiplies each, for terms that hold exactly one."""
    found: dict[Polynomial, Polynomial] = {}
    for m, c in p.terms.items():
        inside = [(a, e) for a, e in m if a.kind == "abs"]
        if len(inside) == 1 and inside[0][1] == 1:
            w = inside[0][0].payload[0].num
            rest = tuple(pair for pair in m if pair[0] != inside[0][0])
            found[w] = found.get(w, algebra.ZERO) + of_monomial(rest, c)
    return found


def triangles(p: Polynomial, draft: Draft) -> Polynomial:
    """What is left of p >= 0 after pairs d |u| - c |v| were replaced by multiples of -|u - k v|, where that loses a name."""
    while (found := _pair(p, draft.here)) is not None:
        c, factor, u, v = found
        number = draft.take(Lemma("triangle", (tree(u), tree(v))))
        gain = draft.here.facts[number].polynomial
        draft.terms.append((c, (number,) if factor == algebra.ONE else (draft.take_sign(factor), number)))
        p = p - (factor * gain).scale(c)
    return p


def _pair(p: Polynomial, here: Context) -> tuple[Fraction, Polynomial, Polynomial, Polynomial] | None:
    """(c, F, u, k v) with F >= 0, so that c F (|u| + |u - k v| - |k v|) can be taken out of p, u and k v as near as can be; None if no pair loses a name."""
    return min(_pairs(p, here), key=lambda pair: _distance(pair[2] - pair[3]), default=None)


def _distance(gap: Polynomial) -> tuple[int, int, Fraction]:
    """How much is left of |u - k v|: names first, then terms, then the size of a rational number."""
    value = gap.as_rational
    return len(polynomial_names(gap)), len(gap.terms), abs(value) if value is not None else Fraction(0)


def _pairs(p: Polynomial, here: Context) -> Iterator[tuple[Fraction, Polynomial, Polynomial, Polynomial]]:
    terms = [(w, f, here.signs(f)) for w, f in abs_terms(p).items()]
    for v, f, signs in terms:
        if not signs <= {0, -1}:
            continue
        for u, g, positive in terms:
            if not positive <= {0, 1} or u == v:
                continue
            ratio = _proportion(g, f)
            k = _multiple(u, v) if ratio is not None else None
            if ratio is not None and k is not None:
                unit, _, _ = algebra.content(g)
                factor, size = g.scale(1 / abs(unit)), abs(unit)
                yield size * min(Fraction(1), -ratio / abs(k)), factor, u, v.scale(k)


def _proportion(g: Polynomial, f: Polynomial) -> Fraction | None:
    """The negative rational f / g, or None."""
    m = next(iter(g.terms))
    if m not in f.terms or len(f.terms) != len(g.terms):
        return None
    ratio = f.terms[m] / g.terms[m]
    return ratio if ratio < 0 and g.scale(ratio) == f else None


def _multiple(u: Polynomial, v: Polynomial) -> Fraction | None:
    """The k for which u - k v loses most of the names that u and v share; None if it loses none."""
    best, lost = None, 0
    shared = polynomial_names(u) & polynomial_names(v)
    for k in dict.fromkeys(c / v.terms[m] for m, c in u.terms.items() if m in v.terms and m):
        gone = len(shared - polynomial_names(u - v.scale(k)))
        if gone > lost:
            best, lost = k, gone
    return best


def bounds(p: Polynomial, draft: Draft) -> None:
    """Facts u >= |w| for the absolute values in p, where two known facts add up to such a bound."""
    for w in dict.fromkeys(w for a in algebra.atoms(p) if a.kind == "abs" for w in (a.payload[0].num,)):
        for i, j, u, above, below in sorted(_bounds(w, draft.here), key=lambda found: (len(polynomial_names(found[2])), found[2].key))[:BOUNDS]:
            draft.offer(Lemma("bound", (tree(w), tree(u)), ">=", (Products(((above, (i,)),)), Products(((below, (j,)),)))))
        draft.offer(Lemma("sign", (tree(of_monomial(((abs_atom(w), 1),))),)))


def _bounds(w: Polynomial, here: Context) -> list[tuple[int, int, Polynomial, Fraction, Fraction]]:
    """All (i, j, u, a, b) with u - w = a * fact i and u + w = b * fact j, hence w = (b fact_j - a fact_i) / 2."""
    near = [i for i, f in enumerate(here.facts) if polynomial_names(f.polynomial) & polynomial_names(w) and len(f.polynomial.terms) <= 4]
    found = []
    for i in near:
        for j in near:
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
        b = 2 * w.terms.get(lead, Fraction(0)) / g.terms[lead]
        rest = g.scale(b) - w.scale(Fraction(2))
        m = next(iter(f.terms))
        a = rest.terms.get(m, Fraction(0)) / f.terms[m]
    elif mono is not None:
        a = -2 * w.terms.get(mono, Fraction(0)) / f.terms[mono]
        rest = w.scale(Fraction(2)) + f.scale(a)
        m = next(iter(g.terms))
        b = rest.terms.get(m, Fraction(0)) / g.terms[m]
    else:
        return _solve_two(w, g, f)
    return (b, a) if a > 0 and b > 0 and w.scale(Fraction(2)) == g.scale(b) - f.scale(a) else None


def _solve_two(w: Polynomial, g: Polynomial, f: Polynomial) -> tuple[Fraction, Fraction] | None:
    """The same where f and g have the same monomials: two of them determine a and b."""
    keys = list(f.terms)
    for m, n in itertools.pairwise(keys):
        det = -g.terms[m] * f.terms[n] + g.terms[n] * f.terms[m]
        if det:
            p, q = 2 * w.terms.get(m, Fraction(0)), 2 * w.terms.get(n, Fraction(0))
            b = (-p * f.terms[n] + q * f.terms[m]) / det
            a = (g.terms[m] * q - g.terms[n] * p) / det
            return (b, a) if a > 0 and b > 0 and w.scale(Fraction(2)) == g.scale(b) - f.scale(a) else None
    return None
