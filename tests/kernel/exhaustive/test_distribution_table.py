"""Tables of distributions: violations against 60 digits, ties and near ties among them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from ahdp_verify.kernel.errors import Rejected, Unsupported
from ahdp_verify.kernel.exhaustive import distribution_table as lawtable
from ahdp_verify.kernel.exhaustive.arrays import np
from ahdp_verify.kernel.exhaustive.distribution_table import DistributionTable, InputRows
from ahdp_verify.kernel.exhaustive.grid import Column
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of, log_of
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.terms.expression import Abs, Expression, exp, log, name, number, piecewise
from tests import oracle
from tests.sweeps import examples

S, T = name("s"), name("t")
OUTPUTS = (0, 1, 2)
CENTRES = tuple(Fraction(n, 2) for n in range(5))


def quiet(message: str) -> None:
    del message


def table(law: Expression, delta: Ratio | None = None) -> DistributionTable:
    """The table of a law in s (by output) and t (by row)."""
    rows = InputRows(
        {T: Column(np.arange(len(CENTRES)).reshape(-1, 1), tuple(map(number, CENTRES)))},
        len(CENTRES),
    )
    found = DistributionTable(
        law,
        rows,
        {S: Column(np.arange(3).reshape(1, 3), tuple(map(number, OUTPUTS)))},
        quiet,
        delta or constant(0),
        summed=False,
    )
    found.grow(rows.number)
    return found


LAWS = (
    exp(-Abs(S - T)),
    exp(-Abs(S - T) / 3) * (1 + S),
    (1 + T * T + S) / (7 + S),
    piecewise((0, S < T - 1), (2 ** (S * T), True)),
    (exp(S * T) + 1) / (exp(T) + 1),
    exp(log(3) * Abs(S - T) + S) / (1 + exp(-T)),
    exp(-5 * Abs(S - T) * T),
)


def logarithms(law: Expression) -> list[list[mpf | None]]:
    """log p in 60 digits, None for log 0."""
    mp.dps = 60
    values = [[oracle.value(law, {"s": Fraction(s), "t": t}) for s in OUTPUTS] for t in CENTRES]
    return [[mp.log(v) if v else None for v in row] for row in values]


def violated(p: list[mpf | None], q: list[mpf | None], level: mpf) -> bool:
    """Whether p > exp(level) q somewhere, where 1e-45 does not count as a difference."""
    return any(
        a is not None and (b is None or a - b - level > mpf(10) ** -45)
        for a, b in zip(p, q, strict=True)
    )


LEVELS = (
    [constant(Fraction(n, 2)) for n in range(5)]
    + [log_of(constant(n)) for n in (2, 3, 4)]
    + [log_of(constant(Fraction(3, 2))), constant(5), constant(Fraction(1, 3))]
)
GAPS = [
    constant(0),
    constant(Fraction(1, 2**60)),
    constant(Fraction(-1, 2**60)),
    constant(Fraction(1, 10**40)),
    constant(Fraction(-1, 10**40)),
]


@settings(max_examples=examples(150, 8), deadline=None)
@given(
    st.sampled_from(LAWS),
    st.sampled_from(LEVELS),
    st.sampled_from(GAPS),
    st.booleans(),
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=8),
    st.sampled_from([lawtable.FEW, 0, 2, 4, 6]),
)
def test_the_first_violation_is_found(  # however many values are compared beforehand
    law: Expression, level: Ratio, gap: Ratio, both: bool, pairs: list[tuple[int, int]], few: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lawtable, "FEW", few)
        patch.setattr(lawtable, "CELLS", len(OUTPUTS))  # one row at a time
        found = table(law).violation(
            np.array([a for a, _ in pairs]), np.array([b for _, b in pairs]), level + gap, both
        )
    logs = logarithms(law)
    least = oracle.of_ratio(level + gap, {})
    sides = (False, True) if both else (False,)
    wrong = [
        (i, turned)
        for i, (a, b) in enumerate(pairs)
        for turned in sides
        if violated(logs[b if turned else a], logs[a if turned else b], least)
    ]
    assert found == (wrong[0] if wrong else None)


@settings(max_examples=examples(60, 8), deadline=None)
@given(
    st.sampled_from(LAWS[:3]),
    st.sampled_from(LEVELS[:4]),
    st.integers(0, 40),
    st.integers(0, 4),
    st.integers(0, 4),
)
def test_excesses_are_added_up(law: Expression, level: Ratio, tenths: int, a: int, b: int) -> None:
    delta = Fraction(tenths, 10)
    found = table(law, constant(delta)).violation(np.array([a]), np.array([b]), level, False)
    p, q = ([mp.exp(x) for x in logarithms(law)[i]] for i in (a, b))
    excess = sum(
        (
            max(mpf(0), x - mp.exp(oracle.of_ratio(level, {})) * y)
            for x, y in zip(p, q, strict=True)
        ),
        mpf(0),
    )
    assert (found is not None) is bool(
        excess - mpf(delta.numerator) / delta.denominator > mpf(10) ** -45
    )


@pytest.mark.parametrize("law", LAWS)
def test_totals_are_exact(law: Expression) -> None:
    mp.dps = 60
    for i, row in enumerate(logarithms(law)):
        total = oracle.of_ratio(table(law).total(i), {})
        assert oracle.near(total, sum((mp.exp(x) for x in row if x is not None), mpf(0)))


def test_nothing_is_compared_before_it_is_worked_out() -> None:
    rows = InputRows({T: Column(np.array([[0], [1]]), (number(0), number(1)))}, 2)
    found = DistributionTable(
        exp(-Abs(S - T)),
        rows,
        {S: Column(np.array([[0]]), (number(0),))},
        quiet,
        constant(0),
        summed=False,
    )
    found.grow(1)
    with pytest.raises(Rejected):
        found.violation(np.array([0]), np.array([1]), constant(1), True)


def test_a_negative_law_and_a_table_that_is_too_large_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(Rejected):
        table(S - 1)
    monkeypatch.setattr(lawtable, "MOST", 10)
    with pytest.raises(Unsupported):
        table(S + 1)


def test_logarithms_beyond_floats_are_refused_or_exact() -> None:
    huge = number(10**300)
    try:
        found = table(exp(-Abs(S - T) * huge * huge)).violation(
            np.array([0]), np.array([1]), constant(1), True
        )
    except Unsupported:
        return
    assert found is not None


def test_ties_are_settled_once_for_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    found, rows = table(exp(-Abs(S - T))), np.arange(len(CENTRES) - 1)
    asked: list[int] = []
    holds = DistributionTable.holds

    def counted(self: DistributionTable, *words: Any) -> Any:
        asked.append(int(words[2].sum()))
        return holds(self, *words)

    monkeypatch.setattr(DistributionTable, "holds", counted)
    # rows half a unit apart: | |s - t| - |s - t'| | is 1/2 for at least one s of each two rows
    assert found.violation(rows, rows + 1, constant(Fraction(1, 2)), True) is None and not asked
    for less in (Fraction(1, 2**60), Fraction(1, 10**40)):  # what floats cannot tell from a tie
        level = constant(Fraction(1, 2) - less)
        assert found.violation(rows, rows + 1, level, True) == (0, False) and asked


def test_ties_of_values_that_were_not_kept_are_settled_row_by_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lawtable, "CELLS", len(OUTPUTS))
    monkeypatch.setattr(lawtable, "FEW", 3)  # the values of the first row, whose gaps are whole
    found, rows = table(exp(-Abs(S - T))), np.arange(len(CENTRES) - 1)
    level = constant(Fraction(1, 2) - Fraction(1, 2**60))
    assert found.violation(rows, rows + 1, level, True) == (0, False)


@pytest.mark.parametrize("cells", [1, 3, 4, 6, 7, 9, 14, 15, 1000])
@pytest.mark.parametrize("law", LAWS)
def test_every_row_is_computed_whatever_the_size_of_blocks(
    law: Expression, cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The logarithms of all rows, against 60 digits."""
    monkeypatch.setattr(lawtable, "CELLS", cells)
    found = table(law)
    assert found.done == len(CENTRES)
    for row, expected in zip(found.logs.tolist(), logarithms(law), strict=True):
        for value, right in zip(row, expected, strict=True):
            assert (value != value) if right is None else abs(value - right) < found.margin(0.0)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([0, 1, 2], [1, 2, 3]),
        ([0, 2, 1, 3], [1, 1, 2, 4]),
        ([3, 2, 1, 0], [4, 3, 2, 1]),
        ([2], [4]),
    ],
)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("size", [lawtable.COMPARED, 3, 6])
def test_rows_are_compared_in_any_order(
    first: list[int], second: list[int], level: Ratio, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows that are read as a slice and rows that are not, against 60 digits."""
    monkeypatch.setattr(lawtable, "COMPARED", size)
    low, high = enclose(level, 200)
    middle = (low + high) / 2
    near = mpf(middle.numerator) / middle.denominator
    for law in LAWS:
        logs = logarithms(law)
        expected = [
            (i, turned)
            for i, (a, b) in enumerate(zip(first, second, strict=True))
            for turned, (p, q) in enumerate(((a, b), (b, a)))
            if violated(logs[p], logs[q], near)
        ]
        found = table(law).violation(np.array(first), np.array(second), level, True)
        assert found == (expected[0] if expected else None)


def test_constants_on_both_sides_cancel_as_often_as_they_occur() -> None:
    """p and q are c c x and c 2 x, or 2 c x and 2 2 x, for c = 1 + e: the level is log(c / 2)."""
    c = 1 + exp(1)
    law = piecewise((c, S < 1), (2, True)) * piecewise((c, T < 1), (2, True)) / 99
    found, c_of = table(law), constant(1) + exp_of(constant(1))
    level, rows = log_of(c_of / constant(2)), np.arange(len(CENTRES) - 1)
    assert found.violation(rows, rows + 1, level, True) is None
    for less in (Fraction(1, 2**60), Fraction(1, 10**40)):
        below = level - constant(less)
        assert found.violation(rows, rows + 1, below, True) == (1, False)  # from t = 1/2 to 1
        assert found.violation(rows + 1, rows, below, True) == (1, True)
