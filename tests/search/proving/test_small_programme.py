"""The simplex method in rationals agrees with Z3 on whether a programme has a solution, and its
solutions are solutions.
"""

from __future__ import annotations

from fractions import Fraction

import flint
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from ahdp_verify.kernel.numbers.algebra import Polynomial
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.proving.small_programme import (
    MOST_ENTRIES,
    is_small,
    nonnegative_solution,
    small_multipliers,
)
from tests.sweeps import examples

ONE = Fraction(1)
ENTRIES = st.sampled_from((0, 0, 0, 1, -1, 2, -3))


@st.composite
def programmes(draw: st.DrawFn) -> tuple[list[list[int]], list[int], int, frozenset[int]]:
    """A matrix, which may have no rows, a right-hand side, the number of columns, and those whose
    sum is to be positive.
    """
    height, width = draw(st.integers(0, 5)), draw(st.integers(1, 7))
    table = [[draw(ENTRIES) for _ in range(width)] for _ in range(height)]
    wanted = [draw(ENTRIES) for _ in range(height)]
    return table, wanted, width, draw(st.frozensets(st.integers(0, width - 1)))


def solver_of(
    table: list[list[int]], wanted: list[int], width: int
) -> tuple[z3.Solver, list[z3.ArithRef]]:
    """Z3 with the same programme."""
    solver, unknowns = z3.Solver(), [z3.Real(f"c{j}") for j in range(width)]
    solver.add(*(c >= 0 for c in unknowns))
    for row, b in zip(table, wanted, strict=True):
        solver.add(z3.Sum([a * c for a, c in zip(row, unknowns, strict=True)]) == b)
    return solver, unknowns


@settings(max_examples=examples(2000, 50), deadline=None)
@given(programmes())
def test_it_decides_as_z3_does(
    case: tuple[list[list[int]], list[int], int, frozenset[int]],
) -> None:
    table, wanted, width, above = case
    rows = [[flint.fmpq(a) for a in row] for row in table]
    found = nonnegative_solution(rows, [flint.fmpq(b) for b in wanted], width, above)
    solver, unknowns = solver_of(table, wanted, width)
    assert (found is not None) == (solver.check() == z3.sat)
    if found is None:
        return
    assert all(c >= 0 for c in found)
    for row, b in zip(rows, wanted, strict=True):
        assert sum((a * c for a, c in zip(row, found, strict=True)), flint.fmpq(0)) == b
    if above:
        solver.add(z3.Sum([unknowns[j] for j in above]) > 0)
        assert any(found[j] > 0 for j in above) == (solver.check() == z3.sat)


def polynomial(text: str) -> Polynomial:
    return normal(parse(text, "test"), Context.empty()).num


def test_an_equation_may_have_a_negative_multiplier_and_an_inequality_may_not() -> None:
    target = polynomial("-x")
    for equal in (True, False):
        found = small_multipliers(target, [((4,), polynomial("x"), equal, False)], strict=False)
        assert found == ([(Fraction(-1), (4,))] if equal else None)


def test_a_strict_target_needs_a_strict_product() -> None:
    """x >= 0 proves x >= 0 and not x > 0; with x > 0 among the facts it does."""
    x = polynomial("x")
    weak = [((), polynomial("1"), False, True), ((0,), x, False, False)]
    assert small_multipliers(x, weak, strict=True) is None
    assert small_multipliers(x, weak, strict=False) == [(ONE, (0,))]
    assert small_multipliers(x, [*weak, ((1,), x, False, True)], strict=True) == [(ONE, (1,))]


def test_an_empty_target_is_strict_only_by_a_contradiction() -> None:
    one, x, other = polynomial("1"), polynomial("x"), polynomial("-x - 1")
    listed = [((), one, False, True), ((0,), x, False, False), ((1,), other, False, False)]
    assert small_multipliers(polynomial("0"), listed, strict=True) == [
        (ONE, ()),
        (ONE, (0,)),
        (ONE, (1,)),
    ]
    assert small_multipliers(polynomial("0"), listed[:2], strict=True) is None


def test_large_programmes_are_not_small() -> None:
    listed = [((), polynomial("1"), False, True)] * (MOST_ENTRIES + 1)
    assert not is_small(polynomial("1"), listed)
    assert is_small(polynomial("1"), listed[:MOST_ENTRIES])
    assert not is_small(polynomial("x + 1"), listed[:MOST_ENTRIES])
