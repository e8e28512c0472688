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
>>> for p in (q**s / (1 + q), q**s / 2):
...     law, cells = factored_law(p, here).distinct((1, 2))
...     print(have_total_one(law, cells, here.constants, OneDenominator()).tolist())
[True]
[False]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import zip_longest

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
Entries = tuple[int, ...]


class OneDenominator:
    """The constants in the rows of a table, over one denominator: a numerator is one entry of each
    of the columns `monomials` and `factors`, the number of a monomial and an integer; so is `one`,
    the denominator, as the integers of all monomials.

    Most blocks of rows have nearly the constants of the block before; then only the new ones are
    worked out.  A block that needs another denominator begins anew, with its own constants.
    """

    def __init__(self) -> None:
        self.values: dict[object, Ratio] = {}
        self.parts: dict[object, Ratio] = {}  # exponentials, and products of entries of tables
        self.begin(())

    def begin(self, ratios: Sequence[Ratio]) -> None:
        """The denominator is the one of these constants; none is placed yet."""
        self.powers: dict[Polynomial, int] = {}
        for r in ratios:
            for f, k in r.den:
                self.powers[f] = max(k, self.powers.get(f, 0))
        whole = multiply_factors(constant(1).num, self.powers.items())
        tops = (whole, *(_above(r, self.powers) for r in ratios))
        self.scale = math.lcm(*(c.denominator for p in tops for c in p.terms.values()))
        self.numbers = {m: i for i, m in enumerate(whole.terms)}
        self.one = [int(c * self.scale) for c in whole.terms.values()]
        self.places: dict[object, dict[Entries, int]] = {}
        self.monomials: list[list[int]] = []
        self.factors: list[list[int]] = []
        self.high, self.size = 1, 0

    def find(
        self, law: FactoredLaw, entries: Sequence[Entries], constants: Constants, alone: bool
    ) -> list[int]:
        """The places of the constants of a law, from the entries of exponent and tables; with
        `alone`, only they are placed.
        """
        frame = tuple(law.exponent.parts), law.exponent.den
        if alone:
            self.begin([self._value(law, frame, e, constants) for e in entries])
        known = self.places.setdefault(frame, {})
        for e in entries:
            if e not in known:
                if not self._place(self._value(law, frame, e, constants)):
                    return self.find(law, entries, constants, alone=True)
                known[e] = self.size - 1
        return [known[e] for e in entries]

    def _value(
        self, law: FactoredLaw, frame: object, entries: Entries, constants: Constants
    ) -> Ratio:
        """The constant of a probability; of a product with the entries of tables nothing is
        cancelled, since all are put over one denominator.
        """
        found = self.values.get((frame, entries))
        if found is not None:
            return found
        cut = len(law.exponent.parts)
        ours, theirs = entries[:cut], entries[cut:]
        power = self.parts.get((frame, ours))
        if power is None:
            power = self.parts[frame, ours] = exp_of(linear_entry(law.exponent, ours))
        rest = self.parts.get(theirs)
        if rest is None:
            rest = constant(1)
            for i in theirs:
                r = constants.ratios[i]
                rest = rest * (r if constants.signs[i] > 0 else -r)
            self.parts[theirs] = rest
        found = power * rest if power.den else Ratio(power.num * rest.num, rest.den)
        self.values[frame, entries] = found
        return found

    def _place(self, r: Ratio) -> bool:
        """The next numerator; False if the denominator is not a multiple of that of a constant."""
        if any(k > self.powers.get(f, 0) for f, k in r.den):
            return False
        terms, scale = _above(r, self.powers).terms, self.scale
        if any(scale % c.denominator for c in terms.values()):
            return False
        for _ in range(len(self.factors), len(terms)):
            self.monomials.append([0] * self.size)
            self.factors.append([0] * self.size)
        for column, m in zip_longest(self.monomials, terms):
            column.append(0 if m is None else self.numbers.setdefault(m, len(self.numbers)))
        for column, c in zip_longest(self.factors, terms.values()):
            factor = 0 if c is None else c.numerator * (scale // c.denominator)
            column.append(factor)
            self.high = max(self.high, abs(factor))
        self.one += [0] * (len(self.numbers) - len(self.one))
        self.size += 1
        return True


def have_total_one(
    law: FactoredLaw, cells: Array, constants: Constants, seen: OneDenominator
) -> Array:
    """For each row of cells, which are numbers of the values of a nonnegative law, whether its total
    is shown to be 1; `seen` keeps the constants for other rows of the same table.
    """
    rows, width = cells.shape
    none, shape = np.zeros(rows, dtype=bool), (1, law.sign.size)
    over, under = (_product(law.whole, shape, above) for above in (True, False))
    columns = [p.column[0] for p in law.exponent.parts.values()] + [ids[0] for ids in law.tables]
    first, kind = distinct_rows(columns or [np.zeros(shape[1], dtype=np.int64)])
    if over is None or under is None or rows * len(first) > MOST:
        return none
    (weights, most), (divisors, largest) = over, under
    weight = np.where(law.sign != 0, weights, 0)[0]
    divisor, agreed = _divisors(np.where(law.sign != 0, divisors, 0)[0], cells)
    entries = list(zip(*(c[first].tolist() for c in columns), strict=True)) if columns else [()]

    def fits() -> bool:
        """Whether nothing exceeds the integers of arrays."""
        return (
            rows * len(seen.one) <= MOST
            and 2 * width * most * seen.high < LIMIT  # a change of `occurrences` times coefficients
            and largest * max(map(abs, seen.one)) < LIMIT
        )

    places = seen.find(law, entries, constants, alone=False)
    if not fits() and seen.size > len(entries):  # the rows of this block alone may fit
        places = seen.find(law, entries, constants, alone=True)
    if not fits():
        return none
    occurrences = _occurrences(kind[cells], weight[cells] if (weight != 1).any() else None)
    totals = np.zeros((len(seen.one), rows), dtype=np.int64)
    of, row = np.nonzero(changes := np.diff(occurrences, axis=1, prepend=0))
    change, of = changes[of, row], np.array(places)[of]
    for monomials, factors in zip(seen.monomials, seen.factors, strict=True):
        monomial, factor = (np.array(column, dtype=np.int64)[of] for column in (monomials, factors))
        np.add.at(totals, (monomial, row), change * factor)
    wanted = np.array(seen.one, dtype=np.int64)[:, None] * divisor
    return agreed & (np.cumsum(totals, axis=1) == wanted).all(axis=0)


def _divisors(divisors: Array, cells: Array) -> tuple[Array, Array]:
    """For each row the greatest divisor of its values, and whether all are that one or 0."""
    if divisors.min() == divisors.max() > 0:
        return divisors[:1], np.ones(len(cells), dtype=bool)
    found = divisors[cells]
    most = found.max(axis=1)
    return most, (most > 0) & ((found == most[:, None]) | (found == 0)).all(axis=1)


def _occurrences(kinds: Array, weights: Array | None) -> Array:
    """For each kind of value and each row the sum of its weights there (None: all are 1)."""
    rows, number = len(kinds), int(kinds.max()) + 1
    place = (kinds * rows + np.arange(rows)[:, None]).ravel()
    if weights is None:
        found = np.bincount(place, minlength=number * rows)
    else:
        found = np.zeros(number * rows, dtype=np.int64)
        np.add.at(found, place, weights.ravel())
    return found.reshape(number, rows).astype(np.int64, copy=False)


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


def _above(r: Ratio, powers: dict[Polynomial, int]) -> Polynomial:
    """The numerator of a ratio over a multiple of its denominator."""
    mine = dict(r.den)
    if mine == powers:
        return r.num
    return multiply_factors(r.num, ((f, k - mine.get(f, 0)) for f, k in powers.items()))
