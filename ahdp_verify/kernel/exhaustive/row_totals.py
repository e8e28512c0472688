"""The totals of many laws at once, as integers: which rows of a table are shown to add up to 1.

A probability is a positive integer over another one, times a constant (exp of the exponent, and the
constants of the tables).  All distinct constants of a block of rows are put over one denominator;
then a total is 1 if integer combinations of monomials are equal, coefficient by coefficient.  That
is enough, not necessary: monomials may be equal without looking equal, and numbers may be too large
for arrays.  A row that is not shown to have total 1 here is added up by itself.

>>> from ahdp_verify.kernel.exhaustive.factors import factored_law
>>> from ahdp_verify.kernel.exhaustive.grid import Column, Constants, Grid
>>> from ahdp_verify.kernel.terms.expression import exp, name, number
>>> s, q = name("s"), exp(-1)
>>> here = Grid({s: Column(np.arange(2).reshape(1, 2), (number(0), number(1)))}, Constants())
>>> [have_total_one(factored_law(p, here), (1, 2), here.constants, {}).tolist() for p in (q**s / (1 + q), q**s / 2)]
[[True], [False]]
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ahdp_verify.kernel.exhaustive.arrays import LIMIT, Array, distinct_rows, np
from ahdp_verify.kernel.exhaustive.factors import FactoredLaw, WholePower
from ahdp_verify.kernel.exhaustive.grid import Constants
from ahdp_verify.kernel.exhaustive.linear_values import linear_entry
from ahdp_verify.kernel.numbers.algebra import (
    Polynomial,
    Ratio,
    constant,
    exp_of,
    multiply_factors,
)

MOST = 1 << 22  # entries of an array of rows by constants, or of rows by monomials
Seen = dict[object, Ratio]


def have_total_one(
    law: FactoredLaw, shape: tuple[int, int], constants: Constants, seen: Seen
) -> Array:
    """For each row of a nonnegative law whether its total is shown to be 1; `seen` keeps the
    constants for other rows of the same table.
    """
    none = np.zeros(shape[0], dtype=bool)
    over, under = (_product(law.whole, shape, above) for above in (True, False))
    if over is None or under is None:
        return none
    (weights, most), (divisors, largest) = over, under
    positive = np.broadcast_to(law.sign, shape) != 0
    weights = np.where(positive, weights, 0)
    divisor = np.where(positive, divisors, 0).max(axis=1)
    agreed = (divisor > 0) & ((divisors == divisor[:, None]) | ~positive).all(axis=1)
    columns = [np.broadcast_to(p.column, shape) for p in law.exponent.parts.values()]
    columns += [np.broadcast_to(ids, shape) for ids in law.tables]
    first, inverse = distinct_rows([c.ravel() for c in columns or [np.zeros(shape, np.int64)]])
    if shape[0] * len(first) > MOST:
        return none
    examples = zip(*(c[first // shape[1], first % shape[1]].tolist() for c in columns), strict=True)
    entries = list(examples) if columns else [()]
    rows, one = _over_one_denominator([_constant_at(law, e, constants, seen) for e in entries])
    high = max((abs(c) for row in rows for _, c in row), default=1)
    if (
        shape[0] * len(one) > MOST
        or shape[1] * most * max(1, high) >= LIMIT  # a row of `occurrences` times coefficients
        or largest * max(map(abs, one)) >= LIMIT
    ):
        return none
    occurrences = np.zeros((len(first), shape[0]), dtype=np.int64)
    place = inverse.reshape(shape), np.broadcast_to(np.arange(shape[0])[:, None], shape)
    np.add.at(occurrences, place, weights)
    totals = np.zeros((len(one), shape[0]), dtype=np.int64)
    for k in range(max(map(len, rows))):
        listed = [(i, *row[k]) for i, row in enumerate(rows) if k < len(row)]
        which, monomial, factor = np.array(listed, dtype=np.int64).T
        np.add.at(totals, monomial, occurrences[which] * factor[:, None])
    wanted = np.array(one, dtype=np.int64)[:, None] * divisor[None, :]
    return agreed & (totals == wanted).all(axis=0)


def _product(
    listed: Sequence[WholePower], shape: tuple[int, int], above: bool
) -> tuple[Array, int] | None:
    """The product of the powers above the fraction bar, or below it, with a bound; None if it may
    not fit.
    """
    found, bound = np.ones(shape, dtype=np.int64), 1
    for w in listed:
        for _ in range(abs(w.power) if (w.power > 0) == above else 0):
            bound *= max(1, w.bound)
            if bound >= LIMIT:
                return None
            found = found * w.column
    return found, bound


def _constant_at(
    law: FactoredLaw, entries: tuple[int, ...], constants: Constants, seen: Seen
) -> Ratio:
    """The constant of a probability, from the entries of exponent and tables there."""
    key = tuple(law.exponent.parts), law.exponent.den, entries
    if key not in seen:
        cut = len(law.exponent.parts)
        value = exp_of(linear_entry(law.exponent, entries[:cut]))
        for i in entries[cut:]:
            r = constants.ratios[i]
            value = value * (r if constants.signs[i] > 0 else -r)
        seen[key] = value
    return seen[key]


_Row = list[tuple[int, int]]  # a polynomial: pairs of the number of a monomial and a coefficient


def _over_one_denominator(listed: list[Ratio]) -> tuple[list[_Row], list[int]]:
    """The numerators over a common denominator, and that denominator as the coefficients of all
    monomials, all of them integers.
    """
    powers: dict[Polynomial, int] = {}
    for r in listed:
        for f, k in r.den:
            powers[f] = max(k, powers.get(f, 0))
    numerators = [r.num if dict(r.den) == powers else _above(r, powers) for r in listed]
    whole = multiply_factors(constant(1).num, powers.items())
    scale = math.lcm(*(c.denominator for p in (whole, *numerators) for c in p.terms.values()))
    monomials = dict.fromkeys(m for p in (whole, *numerators) for m in p.terms)
    numbers = {m: i for i, m in enumerate(monomials)}
    one = [int(whole.terms.get(m, 0) * scale) for m in numbers]
    return [[(numbers[m], int(c * scale)) for m, c in p.terms.items()] for p in numerators], one


def _above(r: Ratio, powers: dict[Polynomial, int]) -> Polynomial:
    """The numerator of a ratio over a multiple of its denominator."""
    mine = dict(r.den)
    return multiply_factors(r.num, ((f, k - mine.get(f, 0)) for f, k in powers.items()))
