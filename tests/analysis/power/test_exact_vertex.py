"""Vertices: at every single basis of small programmes the primal and the dual satisfy their
equations exactly, and meet at the optimum.
"""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from typing import Any

import pytest
import sympy

from ahdp_verify.analysis.power import exact_vertex as module
from ahdp_verify.analysis.power.claims import best_claim
from ahdp_verify.analysis.power.exact_vertex import (
    Basis,
    Dual,
    Primal,
    Vertex,
    at_basis,
    primal,
    solve_exactly,
)
from ahdp_verify.analysis.power.rational_functions import FunctionField
from ahdp_verify.analysis.power.structure import Programme, programme_of_claim, programme_of_test
from tests.minmax import all_near, domain, extra
from tests.sweeps import swept

F = Fraction
Aims = list[list[tuple[int, int, int]]]


def programme(qs: tuple[str, ...], rows: Any, aims: Aims, width: int) -> Programme:
    return programme_of_claim(best_claim(domain(*qs), rows, list(map(str, range(width))), aims, 0))[
        0
    ]


def bases(p: Programme, most: int = 1 << 10) -> list[Basis]:
    """All of them, or so many drawn at random where there are more."""
    n, m = p.count, len(p.edges) + len(p.goals)
    if 1 << (n + m) <= most:
        return [
            (list(bits[:n]), list(bits[n:]))
            for bits in itertools.product([False, True], repeat=n + m)
        ]
    rng = random.Random(n + m)
    return [
        ([rng.random() < 0.2 for _ in range(n)], [rng.random() < 0.6 for _ in range(m)])
        for _ in range(most)
    ]


def is_private(p: Programme, low: Primal, qs: tuple[str, ...], rows: Any, aims: Aims) -> bool:
    """The definition, with the distances of all pairs; and the value is the least aim."""
    near, K = all_near(rows, [F(q) for q in qs]), low.kernel
    return (
        all(sum(row) == 1 and min(row) >= 0 for row in K)
        and all(near[i, j] * a <= b for i, j in near for a, b in zip(K[i], K[j], strict=True))
        and low.value == min(sum(w * K[r][u] for r, u, w in aim) for aim in aims)
    )


def proves_a_bound(p: Programme, high: Dual, qs: tuple[str, ...], rows: Any, aims: Aims) -> bool:
    """Weak duality, column by column: price(i) - (prior-weighted gain of i) - (what y (K(j)/q -
    K(i)) takes) >= 0 at every row i, where y, prior >= 0.
    """
    near = all_near(rows, [F(q) for q in qs])
    if min(high.prior) < 0 or sum(high.prior) != 1 or sum(high.prices) != high.value:
        return False
    for u, flow in enumerate(high.flows):
        left = list(high.prices)
        for weight, aim in zip(high.prior, aims, strict=True):
            for r, v, w in aim:
                left[r] -= weight * w * (v == u)
        for i, j, y in flow:
            if y < 0 or not near[i, j]:
                return False
            left[i], left[j] = left[i] + y, left[j] - y / near[i, j]
        if min(left) < 0:
            return False
    return True


NAMING: Aims = [[(0, 0, 1)], [(1, 1, 1)]]
# rational optima by hand: naming two rows at distance log(1/q) is claim:4, 1/(1 + q); gains that
# are all one number are that number
SMALL = [
    (("1/2",), [(0,), (1,)], NAMING, 2, "2/3"),  # claim:4, row 42 of STATEMENTS
    (("1/3",), [(0,), (1,)], NAMING, 2, "3/4"),
    (("1",), [(0,), (1,)], NAMING, 2, "1/2"),  # one row in truth
    (("0",), [(0,), (1,)], NAMING, 2, "1"),  # infinite demand
    (("1/2",), [(4,)], [[(0, 0, 1)]], 1, "1"),  # one row, one column
    (("1/2",), [(4,)], [[(0, 0, 3)], [(0, 1, 6)]], 2, "2"),  # 3 x = 6 (1 - x)
    (("1/2",), [(0,), (1,)], [[(0, 0, 0)], [(1, 1, 1)]], 2, "0"),  # an aim that is 0
    (
        ("1/2",),
        [(0,), (1,)],
        [[(0, 0, -1)], [(1, 1, -1)]],
        2,
        "-1/3",
    ),  # naming the wrong one: -(1 - 2/3)
    (
        ("1/2",),
        [(0,), (1,)],
        [[(0, 0, 1), (1, 1, 1)]],
        2,
        "4/3",
    ),  # one aim of two probabilities: 2/3 + 2/3
    (("1/2",), [(0,), (2,)], NAMING, 2, "4/5"),  # no dataset between: 1/(1 + q^2)
    (
        ("1/2", "1/2"),
        [(0, 0), (1, 0), (0, 1)],
        [[(i, i, 1)] for i in range(3)],
        3,
        "1/2",
    ),  # claim:2 (A2), O1: k = 2, t = 1
    (
        ("1/2", "0"),
        [(0, 0), (1, 0), (0, 1)],
        [[(i, i, 1)] for i in range(3)],
        3,
        "2/3",
    ),  # claim:3 (A2)
]


@pytest.mark.sweep(5)
@pytest.mark.parametrize(("qs", "rows", "aims", "width", "optimum"), SMALL)
def test_every_basis_gives_true_bounds_or_nothing(
    qs: tuple[str, ...], rows: Any, aims: Aims, width: int, optimum: str
) -> None:
    p = programme(qs, rows, aims, width)
    lows, highs = list[Fraction](), list[Fraction]()
    for basis in bases(p):
        low, high = at_basis(p, basis)
        if low is not None:
            assert is_private(p, low, qs, rows, aims)
            lows.append(low.value)
        if high is not None:
            assert proves_a_bound(p, high, qs, rows, aims)
            highs.append(high.value)
    assert lows and max(lows) <= F(optimum) and (not highs or min(highs) >= F(optimum))
    if (
        1 << (p.count + len(p.edges) + len(p.goals)) <= 1 << 10
        # all bases were tried, so the optimal one was: of a linear programme that has an optimum there
        # is one
    ):
        assert max(lows) == min(highs) == F(optimum)


@pytest.mark.parametrize(
    ("qs", "t"),
    [(("1/2",), 1), (("1/2", "1/3"), 1), (("1/2", "1/2"), 1), (("1/3",), 2), (("1", "1/2"), 1)],
)
def test_the_probabilities_solve_their_equations(qs: tuple[str, ...], t: int) -> None:
    """Variables at 0 are 0, tight privacy inequalities are equalities (also where they
    contradict each other, then the probabilities are 0), tight aims are equal.
    """
    rows = extra(len(qs), t)
    p, solved = programme(qs, rows, [[(i, i, 1)] for i in range(len(rows))], len(rows)), 0
    for zeros, tight in bases(p, 600):
        probabilities = Vertex(p, (zeros, tight)).probabilities()
        if probabilities is None:
            continue
        solved += 1
        assert all(x == 0 for x, zero in zip(probabilities, zeros, strict=True) if zero)
        assert all(
            probabilities[a] == probabilities[b] / p.costs[c]
            for (a, b, c), is_tight in zip(p.edges, tight, strict=False)
            if is_tight
        )
        assert all(sum(n * probabilities[v] for v, n in row) == 1 for row in p.rows)
        assert (
            len(
                {
                    sum(w * probabilities[v] for v, w in goal)
                    for goal, is_tight in zip(p.goals, tight[len(p.edges) :], strict=True)
                    if is_tight
                }
            )
            <= 1
        )
    assert solved


def test_a_mechanism_that_is_not_private_is_not_a_primal() -> None:
    p = programme(("1/2",), [(0,), (1,)], NAMING, 2)
    place = {(i, u): p.of[i][u] for i in range(2) for u in range(2)}

    def kernel(a: str, b: str) -> list[Any]:
        probabilities = [F(0)] * p.count
        for (i, u), v in place.items():
            probabilities[v] = [[F(a), 1 - F(a)], [1 - F(b), F(b)]][i][u]
        return probabilities

    assert primal(p, kernel("2/3", "2/3")) == Primal(
        F(2, 3), ((F(2, 3), F(1, 3)), (F(1, 3), F(2, 3)))
    )  # randomised response
    assert (
        primal(p, kernel("2/3", "1/2")) is not None
        and primal(p, kernel("667/1000", "667/1000")) is None
    )  # 667/333 > 2
    assert primal(p, kernel("1", "1")) is None and primal(p, kernel("4/3", "4/3")) is None


@pytest.mark.parametrize(
    "laws",
    [
        [["3/4", "1/4"], ["1/4", "3/4"]],
        [["1", "0"], ["1/3", "2/3"]],
        [["1/2", "1/2"], ["1/2", "1/2"]],
    ],
)
def test_vertices_of_a_test(laws: list[list[str]]) -> None:
    """The best test of two distributions: of all tests that answer 0 in cell i with probability
    x_i, the best has a vertex of 0 <= x <= 1 or of equal aims; by hand 3/4, 3/4 (1 x = 1 - x/3) and
    1/2.
    """
    p = programme_of_test([[F(x) for x in law] for law in laws], [0, 1], 2)
    found = [at_basis(p, basis) for basis in bases(p)]
    expected = {"3/4": F(3, 4), "1": F(3, 4), "1/2": F(1, 2)}[laws[0][0]]
    assert (
        max(low.value for low, _ in found if low)
        == expected
        == min(high.value for _, high in found if high)
    )


# systems of equations


@pytest.mark.parametrize("seed", swept(range(12), 4))
def test_systems_against_sympy(seed: int) -> None:
    """Small whole numbers, so that singular systems occur."""
    rng = random.Random(seed)
    n = rng.randint(1, 4)
    matrix = [[F(rng.randint(-1, 1), rng.randint(1, 2)) for _ in range(n)] for _ in range(n)]
    right = [F(rng.randint(-3, 3)) for _ in range(n)]
    shown = sympy.Matrix(
        n, n, [sympy.Rational(x.numerator, x.denominator) for row in matrix for x in row]
    )
    found = solve_exactly(matrix, right)
    if shown.det() == 0:
        assert found is None
    else:
        assert found is not None and [
            sympy.Rational(x.numerator, x.denominator) for x in found
        ] == list(shown.LUsolve(sympy.Matrix(list(map(int, right)))))


def test_systems_that_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert solve_exactly([], []) == []
    assert (
        solve_exactly([[F(1), F(2)]], [F(1)]) is None
        and solve_exactly([[F(1)]], [F(1), F(2)]) is None
        and solve_exactly([[F(0)]], [F(1)]) is None
    )
    q = FunctionField(F(1, 3)).variable
    assert solve_exactly([[q, F(1)], [F(1), q]], [F(1), F(1)]) == [1 / (1 + q)] * 2  # by hand
    assert (
        solve_exactly([[q, q * q], [F(1), q]], [F(1), F(1)]) is None
    )  # the first row is q times the second
    monkeypatch.setattr(module, "MOST_EQUATIONS", 1)
    assert solve_exactly([[q, F(1)], [F(1), q]], [F(1), F(1)]) is None and solve_exactly(
        [[q]], [F(1)]
    ) == [1 / q]
