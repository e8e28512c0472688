"""Multipliers of a few products of facts, by the simplex method in rationals.

    A c = b, c >= 0      A  one row for each monomial, one column for each product
                         b  the coefficients of the target

Most programmes of a proof have a handful of rows and columns. Loading Z3 takes 0.1 s and its answer
some milliseconds, this takes a tenth of one. Bland's rule keeps it from cycling, so it decides:
where there is no solution, there are no multipliers. A solution is a certificate like any other.

>>> half = flint.fmpq(1, 2)
>>> nonnegative_solution([[flint.fmpq(1), flint.fmpq(-1)], [flint.fmpq(0), half]], [half, half], 2)
[3/2, 1]
>>> print(nonnegative_solution([[flint.fmpq(1)]], [-half], 1))
None
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

import flint

from ahdp_verify.kernel.numbers.algebra import Monomial, Polynomial
from ahdp_verify.search.proving.float_multipliers import Candidate, Multipliers

# rows times columns up to which it is asked; measured: there it takes 3 ms, as Z3 does
MOST_ENTRIES = 400
Row = list[flint.fmpq]


def small_multipliers(
    target: Polynomial, listed: Sequence[Candidate], strict: bool
) -> Multipliers | None:
    """The multipliers with which the candidates add up to the target, of a strict one above 0 if
    that is asked for; None if there are none.
    """
    rows: dict[Monomial, int] = {m: i for i, m in enumerate(target.terms)}
    for _, p, _, _ in listed:
        for m in p.terms:
            rows.setdefault(m, len(rows))
    signed = [(k, 1) for k in range(len(listed))]
    signed += [(k, -1) for k, (_, _, equal, _) in enumerate(listed) if equal]
    table = [[flint.fmpq(0)] * len(signed) for _ in rows]
    for j, (k, sign) in enumerate(signed):
        for m, c in listed[k][1].terms.items():
            table[rows[m]][j] = flint.fmpq(sign * int(c.numerator), int(c.denominator))
    wanted = [flint.fmpq(0)] * len(rows)
    for m, c in target.terms.items():
        wanted[rows[m]] = flint.fmpq(int(c.numerator), int(c.denominator))
    above = {j for j, (k, sign) in enumerate(signed) if listed[k][3] and sign == 1}
    solution = nonnegative_solution(table, wanted, len(signed), above if strict else ())
    if solution is None or (strict and not any(solution[j] > 0 for j in above)):
        return None
    total = [Fraction(0)] * len(listed)
    for (k, sign), value in zip(signed, solution, strict=True):
        total[k] += sign * Fraction(int(value.p), int(value.q))
    return [(value, listed[k][0]) for k, value in enumerate(total) if value]


def is_small(target: Polynomial, listed: Sequence[Candidate]) -> bool:
    """Whether the programme is small enough."""
    if len(listed) > MOST_ENTRIES:
        return False
    rows = set(target.terms).union(*(p.terms for _, p, _, _ in listed))
    return len(rows) * len(listed) <= MOST_ENTRIES


def nonnegative_solution(
    table: Sequence[Row], wanted: Sequence[flint.fmpq], width: int, above: Collection[int] = ()
) -> Row | None:
    """`width` numbers c >= 0 with table c = wanted, with a positive sum of the entries `above` if
    there is such a solution; None if there is none at all.
    """
    rows = [
        [*row, b] if b >= 0 else [-a for a in (*row, b)]
        for row, b in zip(table, wanted, strict=True)
    ]
    simplex = Simplex(rows, list(range(width, width + len(rows))), width)
    if not simplex.leave_artificial_columns():
        return None
    return simplex.values_with_positive_sum(above)


@dataclass(slots=True)
class Simplex:
    """The rows, each solved for its basic column and with its right-hand side last, at least 0;
    columns from `width` on are artificial, of which no entries are kept.
    """

    rows: list[Row]
    basis: list[int]
    width: int

    def leave_artificial_columns(self) -> bool:
        """Whether a solution is found without artificial columns, which then are in no basis."""
        while True:
            artificial = [r for r, j in zip(self.rows, self.basis, strict=True) if j >= self.width]
            gains = [sum((r[j] for r in artificial), flint.fmpq(0)) for j in range(self.width)]
            entering = next((j for j, gain in enumerate(gains) if gain > 0), None)
            if entering is None:
                break
            leaving = self._leaving_row(entering)
            if leaving is None:  # a gain needs a positive entry
                return False
            self._pivot(leaving, entering)
        if any(r[-1] for r in artificial):
            return False
        for i in [i for i, j in enumerate(self.basis) if j >= self.width]:
            column = next((j for j in range(self.width) if self.rows[i][j]), None)
            if column is not None:
                self._pivot(i, column)
        kept = [i for i, j in enumerate(self.basis) if j < self.width]
        self.rows, self.basis = [self.rows[i] for i in kept], [self.basis[i] for i in kept]
        return True

    def values_with_positive_sum(self, above: Collection[int]) -> Row:
        """The values of all columns; those `above` have a positive sum if that is possible."""
        while above and not any(self.rows[i][-1] for i, j in enumerate(self.basis) if j in above):
            raised = [r for r, j in zip(self.rows, self.basis, strict=True) if j in above]
            gains = (
                int(j in above) - sum((r[j] for r in raised), flint.fmpq(0))
                for j in range(self.width)
            )
            entering = next((j for j, gain in enumerate(gains) if gain > 0), None)
            if entering is None:
                break
            leaving = self._leaving_row(entering)
            if leaving is None:  # it may grow without end
                return self._values(entering)
            self._pivot(leaving, entering)
        return self._values(None)

    def _values(self, raised: int | None) -> Row:
        """The values of all columns, one outside the basis raised to 1."""
        values = [flint.fmpq(0)] * self.width
        for row, j in zip(self.rows, self.basis, strict=True):
            values[j] = row[-1] if raised is None else row[-1] - row[raised]
        if raised is not None:
            values[raised] = flint.fmpq(1)
        return values

    def _leaving_row(self, entering: int) -> int | None:
        """The row that limits an entering column first; of several the one of the least column."""
        limits = [
            (row[-1] / row[entering], self.basis[i], i)
            for i, row in enumerate(self.rows)
            if row[entering] > 0
        ]
        return min(limits)[2] if limits else None

    def _pivot(self, i: int, j: int) -> None:
        """Row i solved for column j, which is taken out of all others."""
        pivot = self.rows[i][j]
        row = self.rows[i] = [a / pivot for a in self.rows[i]]
        for k, other in enumerate(self.rows):
            if k != i and (c := other[j]):
                self.rows[k] = [a - c * b if b else a for a, b in zip(other, row, strict=True)]
        self.basis[i] = j
