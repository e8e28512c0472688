"""Mechanisms inside the optimal face, for programmes whose optimum and optimal mechanisms are
theorems: S2 (one value), S3 and O1.
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from ahdp_verify import Domain, best_power
from ahdp_verify.analysis.power import these
from ahdp_verify.analysis.power.claims import best_claim
from ahdp_verify.analysis.power.exact_vertex import Dual, Primal
from ahdp_verify.analysis.power.linear_programme import ball_bound_dual
from ahdp_verify.analysis.power.optimal_face import (
    BITS,
    exp_distances,
    kernel_in_face,
    nearby_fraction,
    shortest_path_steps,
    tight_edges,
)
from ahdp_verify.analysis.power.structure import Programme, programme_of_claim
from ahdp_verify.kernel.terms.expression import name
from tests.minmax import all_near, closeness, domain, exact, extra

F = Fraction


def naming(qs: tuple[str, ...], rows: Any) -> tuple[Programme, Dual]:
    """The programme of naming rows, and the dual of the ball bound."""
    claim = best_claim(
        domain(*qs), rows, [str(r) for r in rows], [[(i, i, 1)] for i in range(len(rows))], 0
    )
    p, variable = programme_of_claim(claim)
    high = ball_bound_dual(p, claim, variable)
    assert high is not None
    return p, high


def weight(v: int, t: int, q: Fraction) -> Fraction:
    """Z_t(v) for one value."""
    return sum((q ** abs(u - v) for u in range(t + 1)), F(0))


def witness(t: int, q: Fraction) -> list[list[Fraction]]:
    """The optimal kernel of S2: row v <= c is p (q^|u - v| + B_v w_u), the others are its mirror
    images.
    """
    c = t // 2
    p, total = 1 / weight(c, t, q), sum(q ** (j - c) for j in range(c, t + 1))
    upper = [
        [
            p
            * (
                q ** abs(u - v)
                + (weight(c, t, q) - weight(v, t, q)) * (q ** (u - c) / total if u >= c else 0)
            )
            for u in range(t + 1)
        ]
        for v in range(c + 1)
    ]
    return upper + [upper[t - v][::-1] for v in range(c + 1, t + 1)]


def is_private(low: Primal, qs: tuple[str, ...], rows: Any) -> bool:
    """The definition, with the distances of all pairs; and the value is the least probability of
    naming a row.
    """
    apart, K = all_near(rows, [F(q) for q in qs]), low.kernel
    return (
        all(sum(row) == 1 and min(row) >= 0 for row in K)
        and all(apart[i, j] * a <= b for i, j in apart for a, b in zip(K[i], K[j], strict=True))
        and low.value == min(row[i] for i, row in enumerate(K))
    )


@pytest.mark.parametrize("q", ["1/2", "1/3", "9/10", "1/100"])
@pytest.mark.parametrize("t", [1, 2, 3, 4, 7, 9])
def test_kernels_of_one_value(q: str, t: int) -> None:
    """S2: V_t = 1/Z_t(floor(t/2)), and what is forced is tight in the kernel that S2 writes
    down.
    """
    x, rows = F(q), extra(1, t)
    p, high = naming((q,), rows)
    K = witness(t, x)
    assert (
        all(sum(row) == 1 for row in K)
        and min(K[v][v] for v in range(t + 1)) == 1 / weight(t // 2, t, x) == high.value
    )
    probability = {p.of[v][u]: K[v][u] for v in range(t + 1) for u in range(t + 1)}
    edges, forced = list(p.edges), tight_edges(p, high)
    assert forced and all(
        probability[a] == probability[b] / p.costs[c] for a, b, c in (edges[e] for e in forced)
    )
    low = kernel_in_face(p, high)
    assert low is not None and is_private(low, (q,), rows) and low.value == high.value


@pytest.mark.parametrize(
    ("qs", "t", "value"),
    [
        (("1/2", "1/2"), 2, "8/23"),
        (("1/3", "1/3"), 3, "27/74"),
        (("1/2",) * 3, 2, "1/4"),  # O1
        (("1/2", "1/3"), 2, "9/23"),
        (("1/2", "1/3", "1/4"), 2, "288/865"),  # O2
    ],
)
def test_kernels_of_several_values(qs: tuple[str, ...], t: int, value: str) -> None:
    p, high = naming(qs, extra(len(qs), t))
    low = kernel_in_face(p, high)
    assert (
        high.value == F(value)
        and low is not None
        and is_private(low, qs, extra(len(qs), t))
        and low.value == F(value)
    )


@pytest.mark.parametrize(("q", "ball"), [("1/10", "1000/1423"), ("1/4", "64/139")])
def test_a_bound_that_no_kernel_meets(q: str, ball: str) -> None:
    """O3: with three values and t = 2 the ball bound is not met for q < 1/3."""
    p, high = naming((q,) * 3, extra(3, 2))
    assert high.value == F(ball) and kernel_in_face(p, high) is None


def test_numbers_that_no_float_holds() -> None:
    """q^2000 beside q: nothing is found, or what is true; and the optimum comes from elsewhere.
    The power is at most that of the two near rows, 1/(1 + q) (claim:4), and the far one takes
    only q^1999 of it, more or less.
    """
    rows = [(0,), (1,), (2000,)]
    p, high = naming(("1/2",), rows)
    low = kernel_in_face(p, high)
    assert low is None or is_private(low, ("1/2",), rows)
    found = exact(best_power(domain("1/2"), these(rows)).value)
    assert 0 < F(2, 3) - found < F(1, 2) ** 1990


# distances


@pytest.mark.parametrize(
    ("qs", "rows"),
    [
        (("1/2",), extra(1, 4)),
        (("1/2", "1/3"), extra(2, 3)),
        (("0", "1/3"), extra(2, 2)),
        (("1/2", "1/3"), [(0, 0), (3, 0), (3, 2), (0, 5)]),
    ],
)
def test_reach_and_between(qs: tuple[str, ...], rows: Any) -> None:
    """Rows are reached at exp(distance); a step is on a shortest way if and only if the distances
    to both ends and its own add up to the whole.  Of neighbours the step between them is enough.
    """
    p, _ = programme_of_claim(best_claim(domain(*qs), rows, ["u"], [[(0, 0, 1)]], 0))
    numbers, steps = [F(q) for q in qs], [dict[int, int]() for _ in rows]
    for i, j, c in p.pairs:
        steps[i][j] = steps[j][i] = c
    q = [[closeness(a, b, numbers) for b in rows] for a in rows]
    for i in range(len(rows)):
        assert exp_distances(p, steps, i) == {j: 1 / q[i][j] for j in range(len(rows)) if q[i][j]}
        for j in range(len(rows)):
            if i != j and q[i][j]:
                on_the_way = {
                    (a, b, c)
                    for a, near_a in enumerate(steps)
                    for b, c in near_a.items()
                    if q[i][a] * q[a][b] * q[b][j] == q[i][j]
                }
                assert (
                    shortest_path_steps(p, steps, i, j)
                    == (on_the_way if j not in steps[i] else {(i, j, steps[i][j])})
                    <= on_the_way
                )


# rounding


def test_rounding() -> None:
    """Relative to their size numbers move by less than 2^-58; what a float holds in few bits
    does not move.
    """
    rng = random.Random(1)
    for x in (rng.random() * 10.0 ** rng.randint(-300, 300) for _ in range(300)):
        assert abs(nearby_fraction(x) / F(x) - 1) < F(1, 2 ** (BITS - 2))
    assert [nearby_fraction(x) for x in (0.0, 1.0, -0.75, 2.0**-1074, 2.0**1000)] == [
        0,
        1,
        F(-3, 4),
        F(1, 2**1074),
        2**1000,
    ]


def test_the_face_in_functions() -> None:
    """Demand eps, t = 2: 1/(1 + 2 q) (S2) as a function, with a kernel of functions."""
    rows = extra(1, 2)
    claim = best_claim(
        Domain([("a", name("eps"))]),
        rows,
        "012",
        [[(i, i, 1)] for i in range(3)],
        0,
        parameters={"eps": "eps > 0"},
    )
    p, variable = programme_of_claim(claim)
    high, q = ball_bound_dual(p, claim, variable), variable.field.variable
    assert high is not None and high.value == 1 / (1 + 2 * q)
    low = kernel_in_face(p, high)
    assert (
        low is not None
        and low.value == high.value
        and all(sum(row, variable.field.of(0)) == 1 for row in low.kernel)
    )
