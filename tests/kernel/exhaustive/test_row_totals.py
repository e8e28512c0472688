"""Totals of many rows at once: a row is shown to have total 1 only if it has, by Fractions and by
sums worked out for one row at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.exhaustive import row_totals
from ahdp_verify.kernel.exhaustive.arrays import np
from ahdp_verify.kernel.exhaustive.distribution_table import DistributionTable, InputRows
from ahdp_verify.kernel.exhaustive.factors import factored_law
from ahdp_verify.kernel.exhaustive.grid import Column
from ahdp_verify.kernel.exhaustive.row_totals import OneDenominator, have_total_one
from ahdp_verify.kernel.numbers.algebra import constant
from ahdp_verify.kernel.terms.expression import Abs, Expression, eq, exp, name, number, piecewise
from tests.sweeps import examples

S, T = name("s"), name("t")


def table(law: Expression, inputs: Sequence[Fraction | int], outputs: int) -> DistributionTable:
    """The table of a law in s (by output) and t (by row), nothing computed."""
    rows = InputRows(
        {T: Column(np.arange(len(inputs)).reshape(-1, 1), tuple(map(number, inputs)))}, len(inputs)
    )
    values = Column(np.arange(outputs).reshape(1, outputs), tuple(map(number, range(outputs))))
    return DistributionTable(law, rows, {S: values}, lambda _: None, constant(0), summed=True)


def shown(law: Expression, inputs: Sequence[Fraction | int], outputs: int) -> list[bool]:
    """For each row whether its total is shown to be 1: all at once, and one by one with the
    constants of the rows before.
    """
    them, together, after_others = table(law, inputs, outputs), OneDenominator(), OneDenominator()

    def shown_of(which: slice, seen: OneDenominator) -> list[bool]:
        here = them.grid(which)
        found, cells = factored_law(law, here).distinct((which.stop - which.start, outputs))
        answer: list[bool] = have_total_one(found, cells, here.constants, seen).tolist()
        return answer

    listed = shown_of(slice(0, len(inputs)), together)
    for i, answer in enumerate(listed):
        assert shown_of(slice(i, i + 1), after_others) == [answer]
        assert shown_of(slice(i, i + 1), together) == [answer]
    return listed


Q = exp(Fraction(-1, 2))
CLAMPED = (
    Q ** Abs(S - T) * piecewise((1, eq(S, 0) | eq(S, 5)), (1 - Q, True)) / (1 + Q)
)  # geometric noise on t, clamped to 0, ..., 5


@pytest.mark.parametrize(
    ("law", "inputs", "outputs", "expected"),
    [
        (CLAMPED, range(6), 6, [True] * 6),
        (CLAMPED, range(-1, 8), 6, [False, *[True] * 6, False, False]),
        (CLAMPED, range(6), 5, [False] * 6),
        ((1 + S) / (6 + 0 * T), range(2), 3, [True, True]),
        ((1 + T + S) / (6 + 3 * T), range(3), 3, [True] * 3),
        ((1 + T + S) / (6 + 2 * T), range(3), 3, [True, False, False]),
        (piecewise((T, eq(S, 0)), (1 - T, True)), (Fraction(1, 3), 1), 2, [True, True]),
        (piecewise((T, eq(S, 0)), (0, True)), range(3), 3, [False, True, False]),
        (Abs(S - 1) * T, (0, Fraction(1, 2)), 3, [False, True]),
        (Q**S / (1 + Q + Q**2), (0,), 3, [True]),
        (Q**S / (1 + Q + Q**2) + T * 0, (0, 1), 4, [False, False]),
        (2 ** (S - 3) * (1 + 0 * T), (0,), 3, [False]),
        (piecewise((2 ** -(S + 1), S < 2), (Fraction(1, 4), True)) + 0 * T, (0, 1), 3, [True] * 2),
    ],
)
def test_which_rows_have_total_one(
    law: Expression, inputs: Sequence[Fraction | int], outputs: int, expected: list[bool]
) -> None:
    """By hand."""
    assert shown(law, inputs, outputs) == expected


def test_a_row_without_any_probability_is_no_law() -> None:
    """Its total is 0, over any divisor."""
    law = piecewise((Fraction(1, 2), T < 1), (0, True))
    assert shown(law, (0, 1), 2) == [True, False]
    with pytest.raises(Rejected, match="the total at an input is 0, not shown to be 1"):
        table(law, (0, 1), 2).grow(2)


def test_numbers_that_do_not_fit_show_nothing() -> None:
    """And the row is added up by itself."""
    large = 10**12
    law = piecewise((T, eq(S, 0)), (large * large * large - T, True)) / large / large / large
    assert shown(law, (large,), 2) == [False]
    table(law, (large,), 2).grow(1)
    with pytest.raises(Rejected, match="not shown to be 1"):
        table(law + T / large**4, (large,), 2).grow(1)


def test_divisors_that_differ_in_a_row_are_added_up_by_themselves() -> None:
    law = 1 / ((S + 1) * (S + 2)) + 0 * T
    assert shown(law, (0,), 3) == [False]
    with pytest.raises(Rejected, match="the total at an input is 3/4"):
        table(law, (0,), 3).grow(1)


weights = st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=6)


@settings(max_examples=examples(200, 12))
@given(weights, st.sampled_from([1, 2, 3, 6]), st.sampled_from([Fraction(1, 2), Fraction(0)]))
def test_shown_is_true(table_of: list[list[int]], divisor: int, rate: Fraction) -> None:
    """Laws w(s, t) exp(-rate s) / divisor: the sum is right, in rational numbers or 60 digits."""
    branches = [
        (number(w), eq(T, t) & eq(S, s))
        for t, row in enumerate(table_of)
        for s, w in enumerate(row)
    ]
    law = piecewise(*branches, (0, True)) * exp(-rate * S) / divisor
    with mp.workdps(60):
        for row, found in zip(table_of, shown(law, range(len(table_of)), 3), strict=True):
            parts = [
                w * mp.exp(-mp.mpf(rate.numerator) / rate.denominator * s)
                for s, w in enumerate(row)
            ]
            is_one = abs(mp.fsum(parts) / divisor - 1) < mp.mpf(10) ** -50
            assert found == is_one


@settings(max_examples=examples(300, 20))
@given(
    st.lists(st.integers(0, 4), min_size=12, max_size=12),
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 4)), max_size=8),
    st.integers(1, 12),
    st.sampled_from([exp(Fraction(-1, 2)), number(1)]),
)
def test_rows_that_are_moved_by_one_output_are_added_up(
    base: list[int], changed: list[tuple[int, int, int]], divisor: int, unit: Expression
) -> None:
    """Laws w(s - t) unit^(w(s - t) mod 2) / divisor of up to a few changed cells, added up apart
    for the two powers of the unit: by Fractions.
    """
    listed = [base[6 - t : 12 - t] for t in range(6)]
    for t, s, w in changed:
        listed[t][s] = w
    cells = [(w, eq(T, t) & eq(S, s)) for t, row in enumerate(listed) for s, w in enumerate(row)]
    law = piecewise(*((number(w) * unit ** (w % 2), here) for w, here in cells), (0, True))
    rational = unit == number(1)
    expected = [
        Fraction(sum(w for w in row if rational or w % 2 == 0), divisor) == 1
        and (rational or not any(w % 2 for w in row))
        for row in listed
    ]
    assert shown(law / divisor, range(6), 6) == expected


@settings(max_examples=examples(300, 20))
@given(
    st.integers(1, 7),
    st.integers(1, 7),
    st.integers(0, 12),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_changes_add_up_to_what_is_counted(
    rows: int, width: int, noise: int, weighed: bool, random: Random
) -> None:
    """Whether most cells have the value of their upper left neighbour or not: by a loop over the
    cells.
    """
    cells = [[(s - t) % 9 for s in range(width)] for t in range(rows)]
    for _ in range(noise):
        cells[random.randrange(rows)][random.randrange(width)] = random.randrange(9)
    weight = [random.randrange(5) if weighed else 1 for _ in range(9)]
    kind = [random.randrange(9) for _ in range(8)] + [8]
    found = [[0] * 9 for _ in range(rows)]
    changes = row_totals._changes(np.array(cells), np.array(weight), np.array(kind))
    for row, of, change in zip(*(column.tolist() for column in changes), strict=True):
        for later in range(row, rows):
            found[later][of] += change
    expected = [[0] * 9 for _ in range(rows)]
    for t, row_of_cells in enumerate(cells):
        for value in row_of_cells:
            expected[t][kind[value]] += weight[value]
    assert found == expected
