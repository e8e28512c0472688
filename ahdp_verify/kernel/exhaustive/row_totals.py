"""The totals of many laws at once, as integers: which rows of a table are shown to add up to 1.

A probability is a positive integer over another one, times powers of exponentials (the exponent)
and a constant (of the tables, and what else is in the exponent).  All distinct constants of a block
of rows are put over one denominator; then a total is 1 if integer combinations of monomials are
equal, coefficient by coefficient, where a monomial is the integer powers of the exponentials and
the number of the rest.  That is enough, not necessary: monomials may be equal without looking
equal, and numbers may be too large for arrays.  A row that is not shown to have total 1 here is
added up by itself.

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
from fractions import Fraction
from itertools import zip_longest

from ahdp_verify.kernel.exhaustive.arrays import LIMIT, Array, distinct_rows, np
from ahdp_verify.kernel.exhaustive.factors import FactoredLaw, WholePower
from ahdp_verify.kernel.exhaustive.grid import Constants
from ahdp_verify.kernel.exhaustive.linear_values import Linear, LinearPart, linear_entry
from ahdp_verify.kernel.numbers.algebra import (
    Atom,
    Monomial,
    Polynomial,
    Ratio,
    Rational,
    constant,
    exp_of,
    monomial_of_powers,
    multiply_factors,
    quotient,
)

MOST = 1 << 22  # entries of an array of rows by constants, or of rows by monomials
Entries = tuple[int, ...]
Exponential = tuple[Atom, Rational]  # an atom that stands for an exponential, and its exponent


class OneDenominator:
    """The constants in the rows of a table, over one denominator: a numerator is the `terms` at its
    place, each an integer, the number of a monomial without whole powers of the exponentials, and
    these powers; 1 has place 0.

    Most blocks of rows have nearly the constants of the block before; then only the new ones are
    worked out.  A block that needs another denominator begins anew, with its own constants.
    """

    def __init__(self) -> None:
        self.values: dict[object, Ratio] = {}
        self.exponentials: tuple[Exponential, ...] = ()
        self.begin(())

    def begin(self, ratios: Sequence[Ratio]) -> None:
        """The denominator is the one of these constants; none but 1 is placed yet."""
        self.powers: dict[Polynomial, int] = {}
        for r in ratios:
            for f, k in r.den:
                self.powers[f] = max(k, self.powers.get(f, 0))
        tops = [_above(r, self.powers) for r in (constant(1), *ratios)]
        self.scale = math.lcm(*(c.denominator for p in tops for c in p.terms.values()))
        self.rests: dict[Monomial, int] = {}
        self.places: dict[object, int] = {}
        self.terms: list[list[Entries]] = []
        self.array, self.high = np.zeros((0, 0, 0), dtype=np.int64), 1
        self.place(constant(1))

    def columns(
        self, law: FactoredLaw, them: Constants
    ) -> tuple[list[Array], Array, Sequence[object]]:
        """The columns of powers of exponentials, the one of the numbers of what else the constants
        of a law consist of, and the keys of the latter in `values`.

        A part of the exponent is such a column if exp of its unit is a power of one atom.
        """
        exponentials, powers, parts = list[Exponential](), list[Array](), dict[str, LinearPart]()
        for key, p in law.exponent.parts.items():
            unit = exp_of(p.base.scale(Fraction(1, law.exponent.den)))
            (m, c), *more = unit.num.terms.items()
            single = not unit.den and not more and c == 1 and len(m.powers) == 1
            if single and m.powers[0][0].kind == "exp" and m.powers[0][0] not in dict(exponentials):
                exponentials.append(m.powers[0])
                powers.append(p.column[0])
            else:
                parts[key] = p
        if self.exponentials != tuple(exponentials):
            self.exponentials = tuple(exponentials)
            self.begin(())
        power = Linear(parts, law.exponent.den)
        rest = [*(p.column[0] for p in parts.values()), *(ids[0] for ids in law.tables)]
        first, others = distinct_rows([*rest, np.zeros(law.sign.size, dtype=np.int64)])
        entries = [tuple(int(c[i]) for c in rest) for i in first]
        keys = [(tuple(parts), power.den, e) for e in entries]
        for known, e in zip(keys, entries, strict=True):
            if known not in self.values:
                self.values[known] = _constant_of_entries(power, e, them)
        return powers, others, keys

    def find(self, keys: Sequence[object], alone: bool) -> Array:
        """The places of the constants under these keys in `values`; with `alone`, only they are
        placed.
        """
        if alone or not all(k in self.places or self.place(self.values[k], k) for k in keys):
            self.begin([self.values[key] for key in keys])
            for key in keys:
                self.place(self.values[key], key)
        return np.array([self.places[key] for key in keys])

    def numerators(self) -> Array:
        """The terms of all numerators, an axis for their entries and one for the places."""
        if self.array.shape[1] != len(self.terms):
            filler = (0,) * (2 + len(self.exponentials))
            self.array = np.array(list(zip_longest(*self.terms, fillvalue=filler)), dtype=np.int64)
        return self.array

    def place(self, r: Ratio, key: object = None) -> bool:
        """The next numerator; False if the denominator is not a multiple of that of a constant."""
        if any(k > self.powers.get(f, 0) for f, k in r.den):
            return False
        terms = _above(r, self.powers).terms
        if any(self.scale % c.denominator for c in terms.values()):
            return False
        self.places[key] = len(self.terms)
        self.terms.append([self.term(m, c) for m, c in terms.items()])
        return True

    def term(self, m: Monomial, c: Rational) -> Entries:
        """A term as integers."""
        powers, whole = dict(m.powers), []
        for atom, e in self.exponentials:
            whole.append(math.floor(quotient(powers.get(atom, 0), e)))
            powers[atom] = powers.get(atom, 0) - whole[-1] * e
        factor, rest = monomial_of_powers(powers)
        number = self.rests.setdefault(rest, len(self.rests))
        found = int(c * factor * self.scale), number, *whole
        self.high = max(self.high, *map(abs, found))
        return found


def _constant_of_entries(power: Linear, entries: Entries, constants: Constants) -> Ratio:
    """The constant with these entries of what is not a power in the exponent, and of the tables; of
    the product nothing is cancelled, since all are put over one denominator.
    """
    cut, found = len(power.parts), constant(1)
    for i in entries[cut:]:
        found = found * (constants.ratios[i] if constants.signs[i] > 0 else -constants.ratios[i])
    factor = exp_of(linear_entry(power, entries[:cut]))
    return factor * found if factor.den else Ratio(factor.num * found.num, found.den)


def have_total_one(
    law: FactoredLaw, cells: Array, constants: Constants, seen: OneDenominator
) -> Array:
    """For each row of cells, which are numbers of the values of a nonnegative law, whether its
    total is shown to be 1; `seen` keeps the constants for other rows of the same table.
    """
    (rows, width), number = cells.shape, law.sign.size
    none = np.zeros(rows, dtype=bool)
    over, under = (_product(law.whole, (1, number), above) for above in (True, False))
    powers, others, keys = seen.columns(law, constants)
    first, kind = distinct_rows([*powers, others]) if law.whole else [np.arange(number)] * 2
    if over is None or under is None or rows * len(first) > MOST:
        return none
    (weights, most), (divisors, largest) = over, under
    weight = np.where(law.sign != 0, weights, 0)[0]
    divisor, agreed = _divisors(np.where(law.sign != 0, divisors, 0)[0], cells)
    for alone in (False, True):  # the rows of this block alone may fit
        places = seen.find(keys, alone)
        if fits := (width * most + largest) * seen.high < LIMIT:
            break
    if not fits:
        return none
    # the last kind is 1, which is taken off as often as the divisor says
    terms = seen.numerators()[:, np.append(places[others[first]], 0)]
    numbers = [np.append(column[first], 0) + terms[..., 2 + i] for i, column in enumerate(powers)]
    example, monomials = distinct_rows([terms[..., 1], *numbers])
    if rows * len(example) > MOST:
        return none
    row, value, change = _changes(cells, weight, kind)
    row, of = np.append(row, np.arange(rows)), np.append(value, np.full(rows, len(first)))
    change = np.append(change, -np.diff(np.broadcast_to(divisor, rows), prepend=0))
    totals = np.zeros(rows * len(example), dtype=np.int64)
    for monomial, factor in zip(monomials, terms[..., 0], strict=True):
        np.add.at(totals, row * len(example) + monomial[of], change * factor[of])
    if not totals.any():
        return agreed
    return agreed & ~np.cumsum(totals.reshape(rows, -1), axis=0).any(axis=1)


def _divisors(divisors: Array, cells: Array) -> tuple[Array, Array]:
    """For each row the greatest divisor of its values, and whether all are that one or 0."""
    if divisors.min() == divisors.max() > 0:
        return divisors[:1], np.ones(len(cells), dtype=bool)
    found = divisors[cells]
    most = found.max(axis=1)
    return most, (most > 0) & ((found == most[:, None]) | (found == 0)).all(axis=1)


def _changes(cells: Array, weight: Array, kind: Array) -> tuple[Array, Array, Array]:
    """Rows, kinds of values, and changes that add up to how much more these kinds weigh in the row
    than in the row before it, 0 for the first.

    Laws of inputs that are near to each other are often moved by one output: then only the cells
    that do not have the value above and to the left of them count, and those above such cells.
    """
    (rows, width), number = cells.shape, int(kind.max()) + 1
    moved, flat = cells[1:, 1:] == cells[:-1, :-1], cells.ravel()
    if 2 * np.count_nonzero(moved) > cells.size:
        come, gone = np.ones(cells.shape, dtype=bool), np.ones(cells.shape, dtype=bool)
        come[1:, 1:] = gone[:-1, :-1] = ~moved
        new, old = np.flatnonzero(come), np.flatnonzero(gone[:-1])
        row, values = np.append(new // width, old // width + 1), flat[np.append(new, old)]
        return row, kind[values], weight[values] * np.repeat([1, -1], [len(new), len(old)])
    found = np.zeros((rows + 1) * number, dtype=np.int64)  # a row of zeros, then the rows
    place = (kind.take(cells) + np.arange(1, rows + 1)[:, None] * number).ravel()
    np.add.at(found, place, weight[flat])
    changed = np.flatnonzero(found[number:] != found[:-number])
    return *np.divmod(changed, number), found[changed + number] - found[changed]


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
