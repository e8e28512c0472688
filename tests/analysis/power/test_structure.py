"""The structure of the programme of an optimum: its inequalities imply those between all pairs of
rows, its classes are the orbits that Burnside's lemma counts.
"""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ahdp_verify import BadInput, Domain, Proved, best_power, extra_records, recheck
from ahdp_verify.analysis.power import best_mechanism, best_powers, these
from ahdp_verify.analysis.power.claims import best_claim
from ahdp_verify.analysis.power.rational_functions import FunctionField
from ahdp_verify.analysis.power.structure import (
    float_logarithm,
    programme_of_claim,
    programme_of_test,
    tally,
)
from ahdp_verify.kernel.rules.best_power import BestClaim
from ahdp_verify.kernel.terms.expression import log, name
from tests.minmax import closeness, domain, exact, extra

F = Fraction


def claim(
    qs: tuple[str, ...], rows: Any, weights: tuple[int, ...] = (), **options: Any
) -> BestClaim:
    aims = [[(i, i, w)] for i, w in zip(range(len(rows)), weights or (1,) * len(rows), strict=True)]
    return best_claim(domain(*qs), rows, [str(r) for r in rows], aims, 0, **options)


def shortest(size: int, steps: list[tuple[int, int, Fraction]]) -> list[list[Fraction]]:
    """exp(-distance) of all pairs (0: infinitely far) along steps (i, j, exp(-length)), by Floyd
    and Warshall.
    """
    found = [[F(i == j) for j in range(size)] for i in range(size)]
    for i, j, q in steps:
        found[i][j] = found[j][i] = max(found[i][j], q)
    for m in range(size):
        found = [
            [max(found[i][j], found[i][m] * found[m][j]) for j in range(size)] for i in range(size)
        ]
    return found


LINE = [(0,), (1,), (2,), (3,)]
SCATTERED = [(0, 0), (2, 0), (0, 3), (2, 3), (1, 1)]


@pytest.mark.parametrize(
    ("qs", "rows"),
    [
        (("1/2",), LINE),
        (("1/2", "1/3"), extra(2, 3)),
        (("1/2", "1/2", "1/5"), extra(3, 2)),
        (("1/2", "1/3"), SCATTERED),
        (("0", "1/2"), extra(2, 2)),
        (("0",), LINE),
        (("1", "1/2"), extra(2, 2)),
        (("1", "1"), extra(2, 2)),
        (("1/2",), [(7,)]),
    ],
)
def test_the_inequalities_of_neighbours_are_those_of_all_pairs(
    qs: tuple[str, ...], rows: Any
) -> None:
    """exp(-distance) by its definition, the product of q^|difference|, is what the steps lead
    to; and no step is longer than its distance.
    """
    numbers = [F(q) for q in qs]
    p, _ = programme_of_claim(claim(qs, rows))
    near = [[closeness(a, b, numbers) for b in rows] for a in rows]
    assert shortest(len(rows), [(i, j, 1 / p.costs[c]) for i, j, c in p.pairs]) == near
    assert all(near[i][j] == 1 / p.costs[c] for i, j, c in p.pairs)
    both = {
        (p.of[a][u], p.of[b][u], c)
        for i, j, c in p.pairs
        for a, b in ((i, j), (j, i))
        for u in range(p.width)
    }
    assert set(p.edges) == both and sum(map(len, p.edges.values())) == 2 * len(p.pairs) * p.width


@pytest.mark.parametrize(
    ("k", "t", "count"), [(1, 1, 4), (1, 3, 16), (2, 1, 5), (2, 2, 20), (3, 1, 5), (4, 1, 5)]
)
def test_classes_of_equal_demands(k: int, t: int, count: int) -> None:
    """Orbits of pairs (row, column) under exchanges of values, by Burnside's lemma: the mean over
    all permutations of (rows that it fixes)^2.

    k = 1: (t + 1)^2.  k = 2: exchanging fixes 1 row of 3, 2 of 6: (9 + 1)/2, (36 + 4)/2.  t = 1:
    the empty row, and k alike: 5 kinds of pairs (for k = 3 (16 + 3 * 4 + 2 * 1)/6).
    """
    assert programme_of_claim(claim(("1/2",) * k, extra(k, t)))[0].count == count


def test_what_is_not_a_symmetry() -> None:
    """Different demands, rows that are not carried into rows, and aims of different weight leave
    every pair alone.
    """
    assert programme_of_claim(claim(("1/2", "1/3"), extra(2, 1)))[0].count == 9
    assert programme_of_claim(claim(("1/2", "1/2"), [(0, 0), (1, 0), (0, 2)]))[0].count == 9
    rows = [(0, 0), (1, 0), (0, 1)]
    assert programme_of_claim(claim(("1/2", "1/2"), rows, (1, 2, 3)))[0].count == 9
    assert programme_of_claim(claim(("1/2", "1/2"), rows, (3, 2, 2)))[0].count == 5


def test_rows_at_distance_0_are_one_row() -> None:
    p, _ = programme_of_claim(claim(("1",), LINE))
    assert p.of == [[0, 1, 2, 3]] * 4 and list(p.rows) == [((0, 1), (1, 1), (2, 1), (3, 1))]
    p, _ = programme_of_claim(claim(("1", "1/2"), [(0, 0), (5, 0), (0, 1)]))
    assert p.of[0] == p.of[1] != p.of[2]


def test_infinite_demands_leave_no_inequality() -> None:
    p, _ = programme_of_claim(claim(("0", "0"), extra(2, 1)))
    assert (p.costs, p.pairs, p.edges) == ([], [], {}) and p.scale == [0.0] * p.count


def test_the_scale_is_how_far_a_probability_may_fall() -> None:
    """q = 1/2: K(i, u) >= K(u, u)/2^|i - u|; of two rows that are named alike the nearer one
    counts.
    """
    p, _ = programme_of_claim(claim(("1/2",), LINE))
    assert all(
        math.isclose(p.scale[p.of[i][u]], -abs(i - u) * math.log(2), abs_tol=1e-12)
        for i in range(4)
        for u in range(4)
    )
    p, _ = programme_of_claim(
        best_claim(
            domain("1/2"),
            [(i,) for i in range(6)],
            "01",
            [[(0, 0, 1)], [(5, 0, 1)], [(2, 1, 1)]],
            0,
        )
    )
    assert [[round(-p.scale[v] / math.log(2), 9) for v in row] for row in p.of] == [
        [0, 2],
        [1, 1],
        [2, 0],
        [2, 1],
        [1, 2],
        [0, 3],
    ]


def test_levels_below_0_are_refused() -> None:
    with pytest.raises(BadInput, match="negative"):
        programme_of_claim(claim(("1/2",), LINE, level=-1))
    with pytest.raises(BadInput, match="negative"):
        programme_of_claim(
            best_claim(
                Domain([("a", 1)]), LINE, "0123", [[(0, 0, 1)]], 0, relation="swap", level=-log(2)
            )
        )


def test_the_programme_of_a_test() -> None:
    """Probabilities of 0 are left out; every cell is a row of its own, as a test may answer as it
    likes.
    """
    p = programme_of_test([[F(1), F(0)], [F(1, 3), F(2, 3)]], [0, 1], 2)
    assert (
        list(p.goals) == [((0, F(1)),), ((1, F(1, 3)), (3, F(2, 3)))]
        and list(p.rows) == [((0, 1), (1, 1)), ((2, 1), (3, 1))]
        and not p.edges
    )


@pytest.mark.parametrize(
    ("pairs", "result"),
    [
        ([], ()),
        ([(2, 1), (0, 5), (2, -3)], ((0, 5), (2, -2))),
        ([(1, F(1, 2)), (1, F(-1, 2))], ((1, 0),)),
    ],
)
def test_tally(pairs: Any, result: Any) -> None:
    assert tally(pairs) == result


# numbers that no float holds


def test_logarithms_of_large_numbers() -> None:
    """2^5000 at all three kinds of numbers; (1 - Q) is not a power."""
    at_sample, at_constant = FunctionField(F(1, 4)).variable, FunctionField(None, 3).variable
    assert math.isclose(float_logarithm(F(2) ** 5000), 5000 * math.log(2)) and math.isclose(
        float_logarithm(F(2) ** -5000), -5000 * math.log(2)
    )
    assert math.isclose(float_logarithm(at_sample**-2500), 5000 * math.log(2)) and math.isclose(
        float_logarithm(1 - at_sample), math.log(0.75)
    )
    assert math.isclose(float_logarithm(at_constant**-6000), 2000) and math.isclose(
        float_logarithm(1 - at_constant), math.log(-math.expm1(-1 / 3))
    )


def test_datasets_that_are_far_apart(tmp_path: Path) -> None:
    """claim:4 for a distance of n records: 1/(1 + q^n); from n = 1075 on no float holds q^n.
    Farther ones are refused, as no record could hold such numbers.
    """
    for n in (1, 500, 1100, 4095):
        found = best_power(domain("1/2"), these([(0,), (n,)]))
        found.save(tmp_path / "far.json")
        assert exact(found.value) == 1 / (1 + F(1, 2) ** n) and isinstance(
            recheck(tmp_path / "far.json"), Proved
        )
    (formula,) = best_powers(
        Domain([("a", name("eps"))]), these([(0,), (2000,)]), parameters={"eps": "eps > 0"}
    )
    assert str(formula.value) == "1/(exp(-2000*eps) + 1)"
    assert str(best_power(Domain([("a", 1000)]), extra_records(1)).value) == "1/(exp(-1000) + 1)"
    with pytest.raises(
        BadInput,
        match=r"datasets: they are so far apart that exp\(distance\) has more than 4096 bits; give",
    ):
        best_power(domain("1/3"), these([(0,), (2600,)]))
    with pytest.raises(BadInput, match="so far apart"):
        best_power(domain("1/8", "1/8"), these([(0, 5000), (5000, 0)]), "swap", log(8))
    assert exact(best_power(domain("0", "1"), these([(0, 0), (9000, 0), (0, 9000)])).value) == F(
        1, 2
    )  # infinitely far apart, and not at all


@pytest.mark.parametrize(
    ("outputs", "loss", "least"),
    [
        ([0], lambda n, u: 0, "0"),  # a loss of 0 is 0
        ([0], lambda n, u: n, "2"),  # the one answer costs as many as there are records
        ([0, 1], lambda n, u: 1 - 2 * u, "-1"),  # always answer 1
        ([0, 1], lambda n, u: u, "0"),  # always answer 0
        ([0, 1], lambda n, u: -1 - u * n, "-1"),  # the empty dataset loses -1 whatever is said
        ([0, 1], lambda n, u: 7, "7"),
    ],
)
def test_losses_that_leave_nothing_to_choose(outputs: list[int], loss: Any, least: str) -> None:
    """By hand, at most two records with demand log 2; some aims have no weight but 0."""
    assert exact(
        best_mechanism(domain("1/2"), extra_records(2), outputs, lambda D, u: loss(D.size, u)).value
    ) == F(least)
