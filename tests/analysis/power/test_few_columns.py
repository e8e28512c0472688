"""Mechanisms with few free columns, and optima over mechanisms that are private on all datasets at
sizes at which the whole programme is not solved.

The peer is the whole programme, written from its definition and solved by SciPy in floats; and the
definition of privacy itself, on the mechanism that was found.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import coo_matrix

from ahdp_verify.analysis.power import few_columns
from ahdp_verify.analysis.power import linear_programme as programme
from ahdp_verify.analysis.power.best import best_power, power_claim
from ahdp_verify.analysis.power.claims import best_claim
from ahdp_verify.analysis.power.exact_vertex import Dual
from ahdp_verify.analysis.power.few_columns import (
    columns_by_nearness,
    kernel_with_few_columns,
    steps_from_aims,
)
from ahdp_verify.analysis.power.structure import Programme, programme_of_claim
from ahdp_verify.analysis.power.threat_models import extra_records
from ahdp_verify.kernel.rules.best_power import BestClaim
from ahdp_verify.kernel.verdict import Proved
from tests.minmax import all_near, best, domain, exact, extra
from tests.sweeps import swept

F = Fraction
Box = list[tuple[int, ...]]


def box(k: int, t: int) -> Box:
    """All datasets with at most t records of each value."""
    return list(itertools.product(range(t + 1), repeat=k))


def whole_programme(qs: tuple[str, ...], t: int) -> float:
    """The optimum over mechanisms that are private on the box, by SciPy."""
    hypotheses, rows = extra(len(qs), t), box(len(qs), t)
    m, n, place = len(rows), len(hypotheses), {row: i for i, row in enumerate(rows)}
    line, column, entry = list[int](), list[int](), list[float]()
    count = 0

    def at_most_zero(terms: list[tuple[int, float]]) -> None:
        nonlocal count
        for v, x in terms:
            line.append(count)
            column.append(v)
            entry.append(x)
        count += 1

    for i, row in enumerate(rows):
        for a, q in enumerate(qs):
            j = place.get((*row[:a], row[a] + 1, *row[a + 1 :]))
            for u in range(n) if j is not None else ():
                for x, y in ((i, j), (j, i)):
                    at_most_zero([(x * n + u, float(F(q))), (y * n + u, -1.0)])  # type: ignore[operator]
    for u, row in enumerate(hypotheses):
        at_most_zero([(m * n, 1.0), (place[row] * n + u, -1.0)])
    sums = coo_matrix(
        (np.ones(m * n), (np.repeat(range(m), n), range(m * n))), shape=(m, m * n + 1)
    )
    found = linprog(
        np.append(np.zeros(m * n), -1.0),
        coo_matrix((entry, (line, column)), shape=(count, m * n + 1)).tocsr(),
        np.zeros(count),
        sums.tocsr(),
        np.ones(m),
        method="highs-ipm",
    )
    assert found.status == 0
    return float(-found.fun)


def is_private_everywhere(claim: BestClaim, kernel: Any, qs: tuple[str, ...], t: int) -> bool:
    """The definition, in fractions, on all neighbouring datasets of the box."""
    at = dict(zip(claim.rows, kernel, strict=True))
    assert set(at) == set(box(len(qs), t))
    return all(sum(row) == 1 and min(row) >= 0 for row in kernel) and all(
        F(q) * x <= y and F(q) * y <= x
        for row, law in at.items()
        for a, q in enumerate(qs)
        if (other := at.get((*row[:a], row[a] + 1, *row[a + 1 :]))) is not None
        for x, y in zip(law, other, strict=True)
    )


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    ("qs", "t"),
    swept(
        [
            (("9/10", "4/5"), 7),
            (("1/2", "1/3", "1/4"), 4),
            (("1/10", "1/11", "1/12"), 4),
            (("1/2", "1/3", "1/4", "1/5", "1/6"), 2),
        ],
        2,
    ),
)
def test_private_on_all_datasets_at_large_sizes(qs: tuple[str, ...], t: int) -> None:
    found = best_power(domain(*qs), extra_records(t), everywhere=True)
    assert found.exact and isinstance(found.verdicts[0], Proved)
    value = exact(found.value)
    assert abs(float(value) - whole_programme(qs, t)) < 1e-9
    assert found.found.low is not None
    kernel = found.found.low.kernel
    assert is_private_everywhere(found.claim, kernel, qs, t)
    assert min(kernel[r][u] for ((r, u, _),) in found.claim.aims) == value


def everywhere(qs: tuple[str, ...], t: int) -> tuple[BestClaim, Programme, Dual]:
    """The claim, its programme and the dual of the ball bound."""
    claim, _, _ = power_claim(domain(*qs), extra_records(t), "ahdp", None, {}, everywhere=True)
    p, variable = programme_of_claim(claim)
    high = programme.ball_bound_dual(p, claim, variable)
    assert high is not None
    return claim, p, high


@pytest.mark.parametrize("free", [1, 2, 4])
def test_few_columns_give_an_optimal_mechanism_or_nothing(
    free: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With q = 1/2, 1/3 and t = 3, one free column of 10 does not do, and twice as many are
    tried.
    """
    monkeypatch.setattr(few_columns, "FIRST", free)
    qs, t = ("1/2", "1/3"), 3
    claim, p, high = everywhere(qs, t)
    low = kernel_with_few_columns(p, high)
    assert low is not None and low.value == high.value == F(36, 119)
    assert is_private_everywhere(claim, low.kernel, qs, t)


def test_the_nearest_columns_come_first() -> None:
    """The row with the price is (1, 1): its own column is the first one, then those at distance
    log 2, then log 3.
    """
    claim, p, high = everywhere(("1/2", "1/3"), 3)
    assert [claim.rows[i] for i, price in enumerate(high.prices) if price] == [(1, 1)]
    names = [claim.rows[claim.aims[u][0][0]] for (u,) in columns_by_nearness(p, high)]
    assert names[0] == (1, 1) and set(names[1:3]) == {(0, 1), (2, 1)}
    assert set(names[3:5]) == {(1, 0), (1, 2)}


def test_steps_from_aims_lead_back_to_them() -> None:
    """Of every other variable there is one, and it goes to a larger one."""
    _, p, _ = everywhere(("1/2", "1/3"), 2)
    steps, edges = steps_from_aims(p), list(p.edges)
    aims = {goal[0][0] for goal in p.goals}
    assert set(steps) == set(range(p.count)) - aims
    assert all(edges[e][0] == v and p.scale[edges[e][1]] > p.scale[v] for v, e in steps.items())


def test_other_aims_have_no_few_columns() -> None:
    """Aims that are sums, or of another weight."""
    rows = extra(2, 2)
    columns = list(map(str, rows))
    for aims in ([[(0, 0, 1), (1, 1, 1)], [(2, 2, 1)]], [[(0, 0, "1/2")], [(1, 1, 1)]]):
        claim = best_claim(domain("1/2", "1/3"), rows, columns, aims, 0)
        p, _ = programme_of_claim(claim)
        high = Dual(F(1), (F(1), F(0)), (F(1), *[F(0)] * (len(rows) - 1)), ((),) * len(columns))
        assert kernel_with_few_columns(p, high) is None


@pytest.mark.parametrize("seed", swept(range(6), 3))
def test_small_programmes_in_the_same_way(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All programmes are treated as large ones: the optimum is that of Z3."""
    monkeypatch.setattr(programme, "MANY", 0)
    monkeypatch.setattr(few_columns, "FIRST", 1 + seed % 2)
    qs = (("1/2", "1/3"), ("9/10", "1/7"), ("1/2", "1/2"))[seed % 3]
    found = best_power(domain(*qs), extra_records(1 + seed // 3), everywhere=True)
    rows = box(2, 1 + seed // 3)
    hypotheses = extra(2, 1 + seed // 3)
    aims = [[(rows.index(h), u, F(1))] for u, h in enumerate(hypotheses)]
    assert exact(found.value) == best(rows, len(hypotheses), all_near(rows, list(map(F, qs))), aims)


def test_where_the_ball_bound_is_not_attained(monkeypatch: pytest.MonkeyPatch) -> None:
    """With q = 1/10 three times and t = 2 no mechanism attains it; the whole programme is
    solved.
    """
    _, p, ball = everywhere(("1/10",) * 3, 2)
    monkeypatch.setattr(few_columns, "FIRST", 1)
    monkeypatch.setattr(programme, "MANY", 0)
    assert kernel_with_few_columns(p, ball) is None
    found = best_power(domain(*("1/10",) * 3), extra_records(2), everywhere=True)
    assert exact(found.value) == F(2900, 4133) < ball.value
    assert isinstance(found.verdicts[0], Proved)
