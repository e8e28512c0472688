"""HiGHS and pivots propose: small programmes against all of their vertices, bases against exact
optima, pivots against exact ranks.
"""

from __future__ import annotations

import itertools
import math
import random
import sys
from fractions import Fraction
from typing import Any

import pytest
import sympy

from ahdp_verify import BadInput
from ahdp_verify.analysis.power.claims import best_claim
from ahdp_verify.analysis.power.exact_vertex import at_basis, solve_exactly
from ahdp_verify.analysis.power.highs import float_basis, float_solution, pivots
from ahdp_verify.analysis.power.structure import Programme, programme_of_claim, programme_of_test
from ahdp_verify.search.solvers.highs import ConstraintRow, highs_solution, load_highs
from tests.minmax import closeness, domain, extra
from tests.sweeps import swept

F = Fraction
CLOSE = 1e-7


def least(rows: list[tuple[list[int], int]], cost: list[int], top: int) -> Fraction | None:
    """min cost x with every row (a, b) a x >= b and 0 <= x <= top, by going through all
    vertices.
    """
    n = len(cost)
    unit = [[F(i == j) for j in range(n)] for i in range(n)]
    faces = (
        [([F(x) for x in a], F(b)) for a, b in rows]
        + [(e, F(0)) for e in unit]
        + [([-x for x in e], F(-top)) for e in unit]
    )
    values = []
    for chosen in itertools.combinations(faces, n):
        x = solve_exactly([a for a, _ in chosen], [b for _, b in chosen])
        if x is not None and all(
            sum(c * y for c, y in zip(a, x, strict=True)) >= b for a, b in faces
        ):
            values.append(sum((c * y for c, y in zip(cost, x, strict=True)), F(0)))
    return min(values, default=None)


@pytest.mark.parametrize("solver", ["simplex", "ipm"])
@pytest.mark.parametrize("seed", swept(range(12), 4))
def test_small_programmes_against_all_vertices(seed: int, solver: str) -> None:
    rng = random.Random(seed)
    n, m = rng.randint(1, 3), rng.randint(0, 4)
    rows = [([rng.randint(-3, 3) for _ in range(n)], rng.randint(-4, 6)) for _ in range(m)]
    cost, top = [rng.randint(-3, 3) for _ in range(n)], 4
    listed: list[ConstraintRow] = [
        ([(i, float(x)) for i, x in enumerate(a)], b, math.inf) for a, b in rows
    ]
    engine, expected = (
        highs_solution(listed, [0.0] * n, [float(top)] * n, list(map(float, cost)), solver),
        least(rows, cost, top),
    )
    assert (engine is None) == (expected is None)
    if expected is not None:
        assert (
            abs(
                sum(c * x for c, x in zip(cost, engine.getSolution().col_value, strict=True))
                - float(expected)
            )
            < CLOSE
        )


@pytest.mark.parametrize(
    ("rows", "low", "high", "cost", "expected"),
    [
        ([], [0.0], [1.0], [-1.0], [1.0]),  # no row
        ([([], 0, math.inf)], [0.0], [1.0], [1.0], [0.0]),  # an empty row, as 0 >= 0
        ([([], 1, math.inf)], [0.0], [1.0], [1.0], None),  # an empty row, as 0 >= 1
        (
            [([(0, 1e-13)], 1, math.inf)],
            [0.0],
            [1e14],
            [1.0],
            None,
        ),  # its coefficient is dropped, as HiGHS would
        ([([(0, 1.0)], 2, 1)], [0.0], [9.0], [0.0], None),  # infeasible
        ([], [0.0], [math.inf], [-1.0], None),  # unbounded
        ([], [], [], [], None),  # nothing
    ],
)
def test_programmes_at_the_ends(rows: Any, low: Any, high: Any, cost: Any, expected: Any) -> None:
    engine = highs_solution(rows, low, high, cost)
    assert (None if engine is None else list(engine.getSolution().col_value)) == expected


def test_without_crossover_the_point_is_inside() -> None:
    """x + y + z = 1 without a cost: a vertex has two zeros, the analytic centre is (1/3, 1/3,
    1/3).
    """
    row: list[ConstraintRow] = [([(0, 1.0), (1, 1.0), (2, 1.0)], 1, 1)]
    ends = [0.0] * 3, [math.inf] * 3, [0.0] * 3
    assert min(highs_solution(row, *ends, "ipm", crossover=False).getSolution().col_value) > 0.05
    assert sorted(highs_solution(row, *ends).getSolution().col_value) == [0.0, 0.0, 1.0]


# bases


def naming(qs: tuple[str, ...], t: int) -> Programme:
    rows = extra(len(qs), t)
    return programme_of_claim(
        best_claim(
            domain(*qs), rows, [str(r) for r in rows], [[(i, i, 1)] for i in range(len(rows))], 0
        )
    )[0]


@pytest.mark.parametrize("solver", ["simplex", "ipm"])
@pytest.mark.parametrize(
    ("qs", "t", "value"),
    [
        (("1/2",), 4, "2/5"),
        (("1/3",), 3, "9/16"),
        (("1/2", "1/2"), 4, "8/39"),
        (("1/3",) * 3, 2, "3/8"),
        (("1/10",) * 3, 2, "2900/4133"),  # O1
        (("1/2", "1/3"), 3, "36/119"),
        (("1/2", "1/3", "1/4"), 1, "12/25"),  # O2
        (("0", "1/2"), 1, "2/3"),
        (("1", "1/2"), 1, "2/5"),
        (("0", "0"), 2, "1"),
        (("1",), 2, "1/3"),  # claim:3 (A2); nothing, or all, is hidden
    ],
)
def test_bases_where_they_are_right(qs: tuple[str, ...], t: int, value: str, solver: str) -> None:
    """The exact primal and the exact dual of the basis are the optimum of the tables."""
    basis = float_basis(p := naming(qs, t), 1.0, solver)
    assert basis is not None and (len(basis[0]), len(basis[1])) == (
        p.count,
        len(p.edges) + len(p.goals),
    )
    low, high = at_basis(p, basis)
    assert low is not None and high is not None and low.value == high.value == F(value)


@pytest.mark.parametrize("power", [2, 3])
def test_a_stretch_is_a_power_of_q(power: int) -> None:
    """The basis of q = 1/2 with all levels times n is one of q = 1/2^n; k = 1, t = 2: 1/(1 + 2
    q) there (S2).
    """
    basis = float_basis(naming(("1/2",), 2), float(power), "simplex")
    assert basis is not None
    low, _ = at_basis(naming((f"1/{2**power}",), 2), basis)
    assert low is not None and low.value == 1 / (1 + 2 * F(1, 2**power))


# tests


@pytest.mark.parametrize("seed", swept(range(6), 2))
def test_the_best_test_and_its_prior(seed: int) -> None:
    """The prior is least favourable: the Bayes test under it, worked out here, succeeds as often
    as the test that was found does in the worst case.
    """
    rng = random.Random(seed)
    hypotheses, cells = rng.randint(2, 4), rng.randint(1, 4)
    weights = [[rng.randint(0, 5) for _ in range(cells)] for _ in range(hypotheses)]
    laws = [[F(x + 1, sum(row) + cells) for x in row] for row in weights]
    found = float_solution(programme_of_test(laws, list(range(hypotheses)), hypotheses))
    assert found is not None
    test, prior = found
    worst = min(
        sum(float(p) * test[cell][h] for cell, p in enumerate(law)) for h, law in enumerate(laws)
    )
    bayes = sum(
        max(w * float(law[cell]) for w, law in zip(prior, laws, strict=True))
        for cell in range(cells)
    )
    assert (
        abs(sum(prior) - 1) < CLOSE
        and all(abs(sum(row) - 1) < CLOSE and min(row) > -CLOSE for row in test)
        and abs(worst - bayes) < CLOSE
    )


def test_a_nearly_optimal_kernel() -> None:
    """At q = (1/2, 1/3), t = 2: private up to rounding, and 9/23 in the worst case (O2)."""
    kernel, prior = float_solution(naming(("1/2", "1/3"), 2))  # type: ignore[misc]
    rows = extra(2, 2)
    assert (
        abs(min(row[i] for i, row in enumerate(kernel)) - 9 / 23) < CLOSE
        and abs(sum(prior) - 1) < CLOSE
    )
    for a, i in zip(kernel, rows, strict=True):
        for b, j in zip(kernel, rows, strict=True):
            assert all(
                float(closeness(i, j, [F(1, 2), F(1, 3)])) * x <= y + CLOSE
                for x, y in zip(a, b, strict=True)
            )


# pivots


@pytest.mark.parametrize("seed", swept(range(20), 7))
def test_pivots_against_exact_ranks(seed: int) -> None:
    """The chosen columns are independent if the rows are, and there are none if they are not;
    rows of very different size change nothing.
    """
    rng = random.Random(seed)
    m, n = rng.randint(1, 4), rng.randint(1, 5)
    matrix = sympy.Matrix(m, n, lambda *_: rng.randint(-1, 1))
    sizes = [10.0 ** rng.randint(-30, 30) for _ in range(m)]
    chosen = pivots([[float(x) * size for x in matrix.row(r)] for r, size in enumerate(sizes)])
    assert (chosen is None) == (matrix.rank() < m)
    if chosen is not None:
        assert len(set(chosen)) == m and matrix[:, chosen].det() != 0


def test_no_rows_have_no_pivots() -> None:
    assert pivots([]) == []


def test_without_highs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(
        BadInput, match=r"power: highspy is not installed; pip install 'ahdp-verify\[power\]'"
    ):
        load_highs()
