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

# monomials up to which HiGHS is asked; measured: from 700 on Z3 takes 1 to 20 s to find nothing
MOST_ROWS = 3000
# rows^3 times the bits of a determinant up to which FLINT solves; measured: it takes 0.2 s there
MOST_WORK = 1 << 34
MOST_BITS = 1 << 10  # of the integers in a row; beyond, FLINT takes longer than the product says

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
    one is negative, or all strict ones have 0 where one must not, or FLINT would take too long.
    """
    rows: dict[Monomial, dict[int, Fraction]] = {m: {} for m in target.terms}
    for j, k in enumerate(chosen):
        for m, c in listed[k][1].terms.items():
            rows.setdefault(m, {})[j] = Fraction(c)
    last = len(chosen)
    for m, c in target.terms.items():
        rows[m][last] = Fraction(c)
    scales = [math.lcm(*(c.denominator for c in row.values())) for row in rows.values()]
    whole = [
        {j: int(c * scale) for j, c in row.items()}
        for row, scale in zip(rows.values(), scales, strict=True)
    ]
    bits = max((c.bit_length() for row in whole for c in row.values()), default=1)
    size = len(whole)
    if bits > MOST_BITS or size**4 * (bits + size.bit_length()) > MOST_WORK:
        return None
    entries = [flint.fmpz(row.get(j, 0)) for row in whole for j in range(last + 1)]
    reduced, divisor, rank = flint.fmpz_mat(size, last + 1, entries).rref()
    values = dict[int, Fraction]()
    for i in range(rank):
        pivot = next(j for j in range(last + 1) if reduced[i, j] != 0)
        if pivot == last:
            return None
        values[pivot] = Fraction(int(reduced[i, last]), int(divisor))
    if any(v < 0 and not listed[chosen[j]][2] for j, v in values.items()):
        return None
    if strict and not any(v > 0 and listed[chosen[j]][3] for j, v in values.items()):
        return None
    return [(v, listed[chosen[j]][0]) for j, v in values.items() if v]
