"""Multipliers of products of facts by HiGHS, made exact by FLINT.

HiGHS says in floats which products may add up to the target, and FLINT solves for their multipliers
in rationals.  An exact solution is a certificate like any other, and the checker expands it again.
Where HiGHS finds none, a solution may have been missed: that costs a proof and never makes a wrong
one.

>>> from ahdp_verify.kernel.numbers.algebra import symbol, constant
>>> x = symbol("x")
>>> listed = [((), constant(1).num, False, True), ((0,), x.num, False, False)]
>>> exact_multipliers((x + constant(2)).num, listed, [0, 1], True)
[(Fraction(2, 1), ()), (Fraction(1, 1), (0,))]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import flint

from ahdp_verify.kernel.errors import Missing
from ahdp_verify.kernel.numbers.algebra import Monomial, Polynomial
from ahdp_verify.search.solvers.highs import ConstraintRow, highs_solution, load_highs

MOST_ROWS = 300  # monomials up to which multipliers are made exact here

Candidate = tuple[
    tuple[int, ...], Polynomial, bool, bool
]  # fact numbers, product, equality, strict
Multipliers = list[tuple[Fraction, tuple[int, ...]]]


def likely_candidates(
    target: Polynomial, listed: Sequence[Candidate], strict: bool
) -> list[int] | None:
    """The numbers of candidates that seem to add up to the target, at least one of them strict if
    that is asked for; none if HiGHS finds none, None if it is not installed or cannot be asked.
    """
    try:
        basic = load_highs().HighsBasisStatus.kBasic
        rows: dict[Monomial, list[tuple[int, float]]] = {m: [] for m in target.terms}
        for k, (_, p, _, _) in enumerate(listed):
            for m, c in p.terms.items():
                rows.setdefault(m, []).append((k, float(c)))
        constraints: list[ConstraintRow] = [
            (terms, value, value)
            for m, terms in rows.items()
            for value in (float(target.terms.get(m, 0)),)
        ]
    except (Missing, OverflowError):
        return None
    if len(rows) > MOST_ROWS:
        return None
    low = [-math.inf if equal else 0.0 for _, _, equal, _ in listed]
    high, cost = [math.inf] * len(listed), [0.0] * len(listed)
    if strict:  # as much of the strict ones as possible, up to 1
        sharp = [(k, 1.0) for k, candidate in enumerate(listed) if candidate[3]]
        constraints.append(([*sharp, (len(listed), -1.0)], 0.0, math.inf))
        low, high, cost = [*low, 0.0], [*high, 1.0], [*cost, -1.0]
    engine = highs_solution(constraints, low, high, cost)
    if engine is None:
        return []
    return [k for k, s in enumerate(engine.getBasis().col_status[: len(listed)]) if s == basic]


def exact_multipliers(
    target: Polynomial, listed: Sequence[Candidate], chosen: Sequence[int], strict: bool
) -> Multipliers | None:
    """The multipliers of the chosen candidates that make up the target; None if there are none, or
    one is negative, or all strict ones have 0 where one must not.
    """
    rows: dict[Monomial, dict[int, Fraction]] = {m: {} for m in target.terms}
    for j, k in enumerate(chosen):
        for m, c in listed[k][1].terms.items():
            rows.setdefault(m, {})[j] = Fraction(c)
    last = len(chosen)
    for m, c in target.terms.items():
        rows[m][last] = Fraction(c)
    entries = [
        flint.fmpq(c.numerator, c.denominator)
        for row in rows.values()
        for c in (row.get(j, Fraction(0)) for j in range(last + 1))
    ]
    reduced, rank = flint.fmpq_mat(len(rows), last + 1, entries).rref()
    values = dict[int, Fraction]()
    for i in range(rank):
        pivot = next(j for j in range(last + 1) if reduced[i, j] != 0)
        if pivot == last:
            return None
        values[pivot] = Fraction(int(reduced[i, last].p), int(reduced[i, last].q))
    if any(v < 0 and not listed[chosen[j]][2] for j, v in values.items()):
        return None
    if strict and not any(v > 0 and listed[chosen[j]][3] for j, v in values.items()):
        return None
    return [(v, listed[chosen[j]][0]) for j, v in values.items() if v]
