"""Whole numbers divided by a number: the next residue to split on, so that floors and mod of counts
are resolved case by case.

In the case n = m floor(n/m) + r a whole-number name n is replaced by that value, and floor((n +
j)/m) becomes floor(n/m) and a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import Lemma
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Atom, Polynomial, Ratio, constant, symbol
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import floor_of, normal, to_expression
from ahdp_verify.kernel.rules.inequalities import extend_context
from ahdp_verify.kernel.terms.expression import Expression, walk
from ahdp_verify.search.proving.draft import Draft

LARGEST = 64  # largest modulus whose residues are enumerated


def has_floors(trees: Iterable[Expression]) -> bool:
    """True if one of the trees has a floor or mod in it."""
    return any(node.head in ("floor", "mod") for tree in trees for node in walk(tree))


def floor_atoms(p: Polynomial) -> Iterator[Atom]:
    """The floors in p, those inside exponents, absolute values and logarithms too."""
    for a in sorted(algebra.polynomial_atoms(p)):
        if a.kind == "floor":
            yield a
        elif a.kind == "exp":
            m, den = a.payload
            for q in (algebra.polynomial_of_monomial(m), *(f for f, _ in den)):
                yield from floor_atoms(q)
        elif a.kind in ("abs", "log"):
            r = a.payload if a.kind == "log" else a.payload[0]
            for q in (r.num, *(f for f, _ in r.den)):
                yield from floor_atoms(q)


def add_floor_bounds(p: Polynomial, draft: Draft) -> None:
    """0 <= r - floor(r) < 1 for the floors in p."""
    for a in dict.fromkeys(floor_atoms(p)):
        for relation in (">=", ">"):
            draft.offer(Lemma("floor", (to_expression(a.payload[0]),), relation))


def open_residue(
    ratios: Iterable[Ratio], here: Context, bound: frozenset[str] = frozenset()
) -> tuple[tuple[Lemma, ...], Polynomial] | None:
    """Lemmas and the next guard n - m floor(n/m) - r for a floor of a whole-number name n (none
    in `bound`) over m; None where all are settled.
    """
    for r in ratios:
        for p in (r.num, *(f for f, _ in r.den)):
            for atom in floor_atoms(p):
                found = floor_divisor(atom, here, bound)
                guard = None if found is None else residue_guard(*found, here)
                if guard is not None:
                    return guard
    return None


def floor_divisor(atom: Atom, here: Context, bound: frozenset[str]) -> tuple[str, int] | None:
    """(n, m) for floor(k n/m + c) with one whole-number name n, k/m in lowest terms and a
    rational c.
    """
    r = atom.payload[0]
    varying = [m for m in r.num.terms if m]
    if r.den or len(varying) != 1 or (inner := varying[0].single) is None:
        return None
    size = r.num.terms[varying[0]].denominator
    if (
        inner.kind != "name"
        or inner.payload not in here.integers
        or inner.payload in bound
        or not 1 < size <= LARGEST
    ):
        return None
    return inner.payload, size


def residue_guard(n: str, m: int, here: Context) -> tuple[tuple[Lemma, ...], Polynomial] | None:
    """The lemmas 0 <= n - m floor(n/m) < m unless they are known, and the middle one of the
    residues that are still possible.
    """
    part = symbol(n).scale(Fraction(1, m))
    rest = symbol(n) - floor_of(part, here).scale(m)
    lemmas: tuple[Lemma, ...] = ()
    if not (here.ratio_signs(rest) <= {0, 1} and here.ratio_signs(rest - constant(m)) <= {-1}):
        lemmas = tuple(Lemma("floor", (to_expression(part),), relation) for relation in (">=", ">"))
        here = extend_context(lemmas, here)
    possible = [r for r in range(m) if 0 in here.ratio_signs(rest - constant(r))]
    if not possible or any(name == n for name, _ in here.values):
        return None
    return lemmas, (rest - constant(possible[len(possible) // 2])).num


def normal_forms(trees: Iterable[Expression], here: Context) -> Iterator[Ratio]:
    """The normal forms of the trees that have one here."""
    for tree in trees:
        try:
            yield normal(tree, here)
        except (Undecided, Unsupported, ZeroDivisionError):
            continue
