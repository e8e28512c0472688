"""Proof steps special to whole numbers: the order in which their values are tried, and the values
that facts leave.

A distribution that depends on counts is a table up to its last breakpoint, and one formula beyond.
So a guard in one whole number n is split from the least value of n on: n = k, n = k + 1, ..., and n
above the last root. Bounds that meet make n known, a sum of whole numbers bounds each of them, and
one above 0 is at least 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import Lemma, Products
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Monomial, Polynomial, Ratio
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import is_whole
from ahdp_verify.kernel.rules.inequalities import extend_context
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving.draft import Draft, polynomial_tree
from ahdp_verify.search.proving.products import prove_by_products

STEPS = 12  # values of a whole number that are tried one by one


def split_preference(guard: Polynomial) -> tuple[int, Fraction, str]:
    """The order in which guards are split: few names first, and those in one name from the
    smallest root on.
    """
    return len(algebra.polynomial_names(guard)), rational_root(guard) or Fraction(0), guard.key


def rational_root(guard: Polynomial) -> Fraction | None:
    """The rational number at which a linear guard in one name vanishes; None for another guard."""
    names = algebra.polynomial_names(guard)
    parts = algebra.linear_coefficients(guard, min(names)) if len(names) == 1 else None
    slope, rest = (p.as_rational for p in parts) if parts is not None else (None, None)
    return -rest / slope if slope and rest is not None else None


def is_integer_guard(guard: Polynomial, here: Context) -> bool:
    """Whether the guard is one whole number less a rational, so that its values can be tried one by
    one.
    """
    return algebra.polynomial_names(guard) <= here.integers and rational_root(guard) is not None


def least_value_guard(guard: Polynomial, here: Context) -> Polynomial:
    """n - k for a guard in a whole number n whose least value k lies at most STEPS below the
    root; another guard as it is.
    """
    if not is_integer_guard(guard, here):
        return guard
    m = name_monomial(min(algebra.polynomial_names(guard)))
    least, root = integer_lower_bounds(here).get(m), rational_root(guard)
    if least is None or root is None or not least[0] < root <= least[0] + STEPS:
        return guard
    return algebra.polynomial_of_monomial(m) - algebra.polynomial_of_monomial(
        algebra.UNIT, least[0]
    )


def few_values_guard(n: str, here: Context) -> Polynomial | None:
    """n - k for the least value k of a whole number that has at most STEPS further ones; None
    for another name.
    """
    m = name_monomial(n)
    least = integer_lower_bounds(here).get(m)
    if least is None or n not in here.integers or n in known_values(here):
        return None
    guard = algebra.polynomial_of_monomial(m) - algebra.polynomial_of_monomial(
        algebra.UNIT, least[0]
    )
    tops = (
        (f.polynomial + guard).as_rational
        for f in here.facts
        if f.relation == ">=" and f.polynomial.terms.get(m) == -1
    )
    return guard if any(top is not None and top <= STEPS for top in tops) else None


def integer_lower_bounds(here: Context) -> dict[Monomial, tuple[Fraction, int]]:
    """The largest whole k with a fact n - k >= 0 or n - k = 0, and the number of that fact, for
    whole numbers n.
    """
    found: dict[Monomial, tuple[Fraction, int]] = {}
    for i, f in enumerate(here.facts):
        named = [m for m in f.polynomial.terms if m]
        if (
            len(named) != 1
            or f.relation == ">"
            or f.polynomial.terms[named[0]] != 1
            or not is_integer_name(named[0], here)
        ):
            continue
        k = -f.polynomial.coefficient(algebra.UNIT)
        if k.denominator == 1 and (named[0] not in found or k > found[named[0]][0]):
            found[named[0]] = (k, i)
    return found


def known_values(here: Context) -> dict[str, Fraction]:
    """The names that facts make equal to rational numbers, with these."""
    return {n: value for n, r in here.values if (value := r.as_rational) is not None}


def is_integer_name(m: Monomial, here: Context) -> bool:
    """Whether a monomial is the name of a whole number."""
    a = m.single
    return a is not None and a.kind == "name" and a.payload in here.integers


def sharpen_case(
    guard: Polynomial, relation: str, case: Context, before: Context
) -> tuple[tuple[Lemma, ...], Context]:
    """Lemmas that a case of a split allows, and the case with them.

    A whole number above (below) 0 is at least 1 (at most -1), and so is n = c for irrational c;
    then lemmas on the values that are left.
    """
    first = gap_of_one_lemma(guard, relation, case)
    case = extend_context(first, case)
    more = narrowing_lemmas(case, before)
    return (*first, *more), extend_context(more, case)


def gap_of_one_lemma(guard: Polynomial, relation: str, case: Context) -> tuple[Lemma, ...]:
    """The lemma that the guard, a whole number of this sign, is at least 1 away from 0; none
    where that is not so.
    """
    if relation == "=":
        guard = floor_guard(guard, case)
    if (
        relation not in ("<", "=", ">")
        or case.contradictory
        or not guard.terms
        or not is_whole(Ratio(guard), case)
    ):
        return ()
    lemmas = (Lemma("whole", (polynomial_tree(-guard if relation == "<" else guard),)),)
    try:
        extend_context(lemmas, case)
    except Rejected:
        return ()
    return lemmas


def floor_guard(guard: Polynomial, here: Context) -> Polynomial:
    """n - k for a guard c * (n - v) with a whole-number name n and an irrational constant v
    between k and k + 1; zero for another guard.
    """
    named = [m for m in guard.terms if is_integer_name(m, here)]
    if len(named) != 1:
        return algebra.ZERO
    n = algebra.polynomial_of_monomial(named[0])
    value = n - guard.scale(1 / guard.coefficient(named[0]))
    if value.as_rational is not None or algebra.polynomial_names(value):
        return algebra.ZERO
    return n - algebra.polynomial_of_monomial(
        algebra.UNIT, Fraction(math.floor(enclose(Ratio(value))[0]))
    )


def add_integer_gaps(draft: Draft) -> None:
    """p >= 1 for every known p > 0 that takes whole values."""
    for f in draft.here.facts:
        if (
            f.relation == ">"
            and is_whole(Ratio(f.polynomial), draft.here)
            and algebra.polynomial_names(f.polynomial)
        ):
            draft.offer(Lemma("whole", (polynomial_tree(f.polynomial),)))


def add_rounded_bounds(p: Polynomial, draft: Draft, clock: Clock) -> None:
    """q >= 0 for the whole-valued q with p = c * m * q, where q > -1 follows from the facts."""
    c, _, q = algebra.primitive_part(p)
    q = q if c > 0 else -q
    if q == algebra.ONE or not is_whole(Ratio(q), draft.here):
        return
    above = q + algebra.ONE
    found = prove_by_products(above, ">", draft.here, clock, degrees=(1,))
    if found is not None:
        draft.take(Lemma("proved", (polynomial_tree(above),), ">", (found,)))
        draft.offer(Lemma("whole", (polynomial_tree(above),)))


def narrowing_lemmas(here: Context, before: Context) -> tuple[Lemma, ...]:
    """Lemmas that make whole numbers known where bounds meet, and put values into the facts;
    values that were known before are in them already.
    """
    lemmas: tuple[Lemma, ...] = ()
    known = known_values(before)
    while not here.contradictory:
        more = tuple(substitution_lemmas(here, known)) or tuple(upper_bound_lemmas(here))
        before_them = len(lemmas)
        for lemma in more:
            with suppress(Rejected):  # one before it may have made a name in it known
                here = extend_context((lemma,), here)
                lemmas = (*lemmas, lemma)
        if len(lemmas) == before_them:
            break
    return lemmas


def upper_bound_lemmas(here: Context) -> Iterator[Lemma]:
    """One upper bound of a whole number that a sum gives, where it is not above the least value."""
    low = integer_lower_bounds(here)
    for i, f in enumerate(here.facts):
        named = {m: c for m, c in f.polynomial.terms.items() if m}
        if (
            f.relation == "="
            or len(named) < 2
            or not all(
                c < 0 and m in low and m.powers[0][0].payload not in known_values(here)
                for m, c in named.items()
            )
        ):
            continue
        for m in named:
            others = [(-c, low[n][1]) for n, c in named.items() if n != m]
            total = f.polynomial
            for c, j in others:
                total = total + here.facts[j].polynomial.scale(c)
            if total.coefficient(algebra.UNIT) / -named[m] <= low[m][0] and not here.signs(
                total
            ) <= {0, 1}:
                yield Lemma(
                    "proved",
                    (polynomial_tree(total),),
                    ">=",
                    (Products(((Fraction(1), (i,)), *((Fraction(c), (j,)) for c, j in others))),),
                )
                return


def substitution_lemmas(here: Context, known: dict[str, Fraction]) -> Iterator[Lemma]:
    """The facts about whole numbers whose values are new, with all values substituted; these values
    are then among the known ones.
    """
    values = known_values(here)
    fresh = {n: value for n, value in values.items() if n not in known and n in here.integers}
    new, old = fresh.keys(), frozenset(known)
    known.update(fresh)
    for i, f in enumerate(here.facts):
        spoken = algebra.polynomial_names(f.polynomial)
        if f.relation == "=" or not spoken & new or spoken & old or len(spoken) < 2:
            continue
        rest, terms = f.polynomial, [(Fraction(1), (i,))]
        for n in sorted(spoken & set(values)):
            if (
                found := cancelling_fact(
                    n, values[n], f.polynomial.coefficient(name_monomial(n)), here
                )
            ) is not None:
                rest, terms = (
                    rest + here.facts[found[1]].polynomial.scale(found[0]),
                    [*terms, (found[0], (found[1],))],
                )
        if not algebra.polynomial_names(rest) & set(values):
            yield Lemma("proved", (polynomial_tree(rest),), f.relation, (Products(tuple(terms)),))


def cancelling_fact(
    n: str, value: Fraction, c: Fraction, here: Context
) -> tuple[Fraction, int] | None:
    """(k, j) so that k times fact number j is -c * (n - value): an equation, or the one of the
    two bounds that meet for which k > 0.
    """
    gap = algebra.polynomial_of_monomial(name_monomial(n)) - algebra.polynomial_of_monomial(
        algebra.UNIT, value
    )
    for j, f in enumerate(here.facts):
        d = f.polynomial.coefficient(name_monomial(n))
        if c and d and f.polynomial == gap.scale(d) and (f.relation == "=" or -c / d > 0):
            return -c / d, j
    return None


def name_monomial(n: str) -> Monomial:
    """The monomial of a name."""
    return Monomial(((algebra.name_atom(n), 1),))
