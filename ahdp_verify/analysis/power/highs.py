"""The floating-point steps of an optimum: bases, points and pivots, which are proposals and are
checked exactly.
"""

from __future__ import annotations

import math
from typing import Any

from ahdp_verify.analysis.power.exact_vertex import Basis
from ahdp_verify.analysis.power.structure import Programme
from ahdp_verify.search.solvers.highs import ConstraintRow, highs_solution, load_highs

SMALLEST = 1e-9  # smallest pivot, relative to its row


def _solved_programme(p: Programme, stretch: float, solver: str) -> Any:
    """HiGHS at the optimum of the programme whose levels are multiplied by `stretch`; its
    variables are scaled, the last one is the value.
    """
    size = [
        math.exp(stretch * s) for s in p.scale
    ]  # 0 where no float is so small: such a probability is negligible in its row
    rows: list[ConstraintRow] = [
        (
            [(a, 1.0), (b, -math.exp(stretch * (p.scale[b] - p.scale[a] - p.logs[c])))]
            if a != b
            else [],
            0,
            math.inf,
        )
        for a, b, c in p.edges
    ]
    rows += [
        ([*((v, float(w) * size[v]) for v, w in goal), (p.count, -1.0)], 0, math.inf)
        for goal in p.goals
    ]
    rows += [([(v, n * size[v]) for v, n in row], 1, 1) for row in p.rows]
    return highs_solution(
        rows,
        [0.0] * p.count + [-math.inf],
        [math.inf] * (p.count + 1),
        [0.0] * p.count + [-1.0],
        solver,
    )


def float_basis(p: Programme, stretch: float, solver: str) -> Basis | None:
    """The basis at which HiGHS ends when every level is multiplied by `stretch`; None where it
    does not end at an optimum.
    """
    engine = _solved_programme(p, stretch, solver)
    if engine is None:
        return None
    basis, basic = engine.getBasis(), load_highs().HighsBasisStatus.kBasic
    return [s != basic for s in basis.col_status][: p.count], [
        s != basic for s in basis.row_status
    ][: len(p.edges) + len(p.goals)]


def float_solution(p: Programme) -> tuple[list[list[float]], list[float]] | None:
    """A nearly optimal mechanism and a nearly least favourable prior, None where HiGHS finds
    none.
    """
    engine = _solved_programme(p, 1.0, "simplex")
    if engine is None:
        return None
    found, prior = engine.getSolution(), [0.0] * len(p.aims)
    for g, listed in enumerate(p.goals.values()):
        for h in listed:
            prior[h] = abs(found.row_dual[len(p.edges) + g]) / len(listed)
    return [[found.col_value[v] * math.exp(p.scale[v]) for v in row] for row in p.of], prior


def pivots(matrix: list[list[float]]) -> list[int] | None:
    """As many columns as rows, the largest that is left after elimination; None if the rows
    depend on each other.
    """
    import numpy as np  # noqa: PLC0415 - it comes with highspy

    if not matrix:
        return []
    work, chosen = np.array(matrix), list[int]()
    sizes = np.abs(work).max(axis=1, keepdims=True)
    work /= np.where(sizes > 0, sizes, 1)
    left = np.ones(len(matrix), bool)
    for _ in matrix:
        sizes = np.abs(work) * left[:, None]
        r, k = (int(i) for i in np.unravel_index(int(sizes.argmax()), sizes.shape))
        if sizes[r, k] < SMALLEST:
            return None
        left[r] = False
        chosen.append(k)
        work[left] -= np.outer(work[left, k] / work[r, k], work[r])
        work[left, k] = 0
    return chosen
