"""A kernel inside of the optimal face: what a dual forces is solved exactly, everything else is rounded with room to spare.

By complementary slackness a privacy inequality that carries flow is tight in every optimal kernel, and so are those on the shortest ways between
two rows whose inequality carries flow.  The other ones have room as a rule.  So after the sizes of most trees were rounded, those of as many
trees as there are rows are solved for, and move by less than the room.
"""

from __future__ import annotations

from fractions import Fraction

from ahdp_verify.decide.kernels import Exact, Programme
from ahdp_verify.decide.vertex import Dual, Primal, Vertex, primal, solve_exactly

BITS = 60  # of sizes that are rounded, relative to their own size
NARROW = 1e-7  # relative room of an inequality below which it is taken to be tight


def tight_by(p: Programme, high: Dual) -> set[int]:
    """The numbers of the edges that are tight in every kernel that attains the value of a dual."""
    number = {edge: e for e, edge in enumerate(p.edges)}
    near: list[dict[int, int]] = [{} for _ in p.of]
    for i, j, c in p.pairs:
        near[i][j] = near[j][i] = c
    found: set[int] = set()
    for u, flow in enumerate(high.flows):
        for i, j, amount in flow:
            if amount:
                found |= {e for a, b, c in between(p, near, i, j) if (e := number.get((p.of[b][u], p.of[a][u], c))) is not None}
    return found


def between(p: Programme, near: list[dict[int, int]], i: int, j: int) -> set[tuple[int, int, int]]:
    """The steps (a, b, cost) on all shortest ways from row i to row j."""
    if j in near[i]:
        return {(i, j, near[i][j])}
    ahead, back = reach(p, near, i), reach(p, near, j)
    return {(a, b, c) for a in ahead for b, c in near[a].items() if b in back and ahead[a] * p.costs[c] * back[b] == ahead[j]}


def reach(p: Programme, near: list[dict[int, int]], start: int) -> dict[int, Exact]:
    """exp(distance) from a row to every row that it reaches."""
    best: dict[int, Exact] = {start: Fraction(1)}
    queue = [start]
    while queue:
        a = queue.pop(0)
        for b, c in near[a].items():
            if b not in best or best[a] * p.costs[c] < best[b]:
                best[b] = best[a] * p.costs[c]
                queue.append(b)
    return best


def inside(p: Programme, high: Dual, forced: set[int], point: list[float]) -> Primal | None:
    """The kernel near a point at which all rows sum up to 1 exactly; None if it is not private, or misses the value."""
    listed = list(p.edges)
    narrow = {e for e, (a, b, c) in enumerate(listed) if a != b and point[a] - point[b] / float(p.costs[c]) < NARROW * point[a]}
    aims = [bool(sum(high.prior[h] for h in hs)) for hs in p.goals.values()]
    vertex = Vertex(p, ([False] * p.count, [e in forced | narrow for e in range(len(listed))] + aims))
    if vertex.equations or vertex.forced:
        return None
    sizes = [near(point[members[0]]) for members in vertex.members]
    rows = [row[: vertex.last] for row in vertex.matrix]
    right = [1 - row[vertex.last] * high.value for row in vertex.matrix]
    free = list(vertex.place)
    if any(not any(row) and x for row, x in zip(rows, right, strict=True)):
        return None
    rows, right = [row for row in rows if any(row)], [x for row, x in zip(rows, right, strict=True) if any(row)]
    chosen = pivots([[float(x * sizes[t]) for x, t in zip(row, free, strict=True)] for row in rows])
    if chosen is None:
        return None
    kept = [k for k in range(len(free)) if k not in set(chosen)]
    left = [r - sum((row[k] * sizes[free[k]] for k in kept if row[k]), Fraction(0)) for row, r in zip(rows, right, strict=True)]
    found = solve_exactly([[row[k] for k in chosen] for row in rows], left)
    if found is None:
        return None
    for k, x in zip(chosen, found, strict=True):
        sizes[free[k]] = x
    for t, (x, _) in vertex.of_value.items():
        sizes[t] = x * high.value
    return primal(p, [sizes[vertex.of[v]] * vertex.ratio[v] for v in range(p.count)])


def near(x: float) -> Fraction:
    """A fraction near x."""
    top = Fraction(x)
    shift = BITS - top.numerator.bit_length() + top.denominator.bit_length()
    return Fraction(round(top * 2**shift)) / 2**shift if shift >= 0 else top


def pivots(matrix: list[list[float]]) -> list[int] | None:
    """As many columns as rows, the largest that is left after elimination; None if the rows depend on each other."""
    work, chosen = [[x / max(map(abs, row)) for x in row] for row in matrix], list[int]()
    left = list(range(len(work)))
    while left:
        size, r, k = max((abs(x), r, k) for r in left for k, x in enumerate(work[r]) if k not in chosen)
        if size < 1e-9:
            return None
        left.remove(r)
        chosen.append(k)
        for s in left:
            if factor := work[s][k] / work[r][k]:
                work[s] = [x - factor * y for x, y in zip(work[s], work[r], strict=True)]
    return chosen
