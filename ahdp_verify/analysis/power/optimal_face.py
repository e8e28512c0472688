"""A mechanism inside the optimal face: what a dual forces is solved exactly, everything else is
rounded within its slack.

By complementary slackness a privacy inequality that carries flow is tight in every optimal
mechanism, and so are those on the shortest ways between two rows whose inequality carries flow. The
others usually have slack. So after the sizes of most trees were rounded, those of as many trees as
there are rows are solved for, and move by less than the room.
"""

from __future__ import annotations

import math
from fractions import Fraction

from ahdp_verify.analysis.power.exact_vertex import Dual, Primal, Vertex, primal, solve_exactly
from ahdp_verify.analysis.power.highs import pivots
from ahdp_verify.analysis.power.structure import Exact, Programme
from ahdp_verify.search.solvers.highs import ConstraintRow, highs_solution

BITS = 60  # bits to which sizes are rounded, relative to their own size
NARROW = 1e-7  # relative slack of an inequality below which it is taken to be tight


def tight_edges(p: Programme, high: Dual) -> set[int]:
    """The numbers of the edges that are tight in every mechanism that attains the value of a
    dual.
    """
    number = {edge: e for e, edge in enumerate(p.edges)}
    near: list[dict[int, int]] = [{} for _ in p.of]
    for i, j, c in p.pairs:
        near[i][j] = near[j][i] = c
    found: set[int] = set()
    for u, flow in enumerate(high.flows):
        for i, j, amount in flow:
            if amount:
                found |= {
                    e
                    for a, b, c in shortest_path_steps(p, near, i, j)
                    if (e := number.get((p.of[b][u], p.of[a][u], c))) is not None
                }
    return found


def shortest_path_steps(
    p: Programme, near: list[dict[int, int]], i: int, j: int
) -> set[tuple[int, int, int]]:
    """The steps (a, b, cost) on all shortest ways from row i to row j; of neighbours the one
    between them.
    """
    if j in near[i]:
        return {(i, j, near[i][j])}
    ahead, back = exp_distances(p, near, i), exp_distances(p, near, j)
    return {
        (a, b, c)
        for a in ahead
        for b, c in near[a].items()
        if b in back and ahead[a] * p.costs[c] * back[b] == ahead[j]
    }


def exp_distances(p: Programme, near: list[dict[int, int]], start: int) -> dict[int, Exact]:
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


def kernel_in_face(p: Programme, high: Dual) -> Primal | None:
    """A mechanism whose least aim is the value of a dual; None if none was found.

    None as well where some probabilities are out of the range of floats. Run twice: inequalities
    that turn out to have no slack, though the dual does not show it, are forced the second time.
    """
    try:
        return _try_kernel_in_face(p, high, tight_edges(p, high))
    except (OverflowError, ZeroDivisionError):
        return None


def _try_kernel_in_face(p: Programme, high: Dual, forced: set[int]) -> Primal | None:
    """The kernel of `kernel_in_face`; OverflowError or ZeroDivisionError from floats that are too large
    or small.
    """
    for _ in range(2):
        face = Face(p, high, forced)
        if face.vertex.equations or face.vertex.forced or (sizes := face.point()) is None:
            return None
        forced = forced | {e for e, room in face.rooms(sizes) if room < NARROW}
        if (found := face.exact(sizes)) is not None:
            return found
    return None


class Face:
    """The mechanisms in which the forced edges are tight and every aim of positive prior is the
    value: the sizes of their free trees.
    """

    def __init__(self, p: Programme, high: Dual, forced: set[int]) -> None:
        aims = [bool(sum(high.prior[h] for h in hs)) for hs in p.goals.values()]
        self.p, self.value = p, high.value
        self.vertex = Vertex(
            p, ([False] * p.count, [e in forced for e in range(len(p.edges))] + aims)
        )
        lines = [
            (row[: self.vertex.last], 1 - row[self.vertex.last] * high.value)
            for row in self.vertex.matrix
        ]
        self.lines = [(row, x) for row, x in lines if any(row) or x]
        self.free = list(self.vertex.place)
        self.scale = [math.exp(p.scale[self.vertex.members[t][0]]) for t in self.free]

    def probability(self, v: int) -> tuple[int | None, Exact]:
        """(k, x) if a variable is x times the size of free tree number k, (None, x) if it is x."""
        t = self.vertex.of[v]
        if t in self.vertex.place:
            return self.vertex.place[t], self.vertex.ratio[v]
        return None, self.vertex.of_value[t][0] * self.value * self.vertex.ratio[v]

    def point(self) -> list[float] | None:
        """Sizes of the free trees well inside of all inequalities, as multiples of their scales;
        None where HiGHS finds none.
        """
        rows: list[ConstraintRow] = []
        for a, b, c in self.p.edges:
            terms, known = dict[int, float](), 0.0
            for (k, x), sign in (
                (self.probability(a), 1.0),
                (self.probability(b), -1.0 / float(self.p.costs[c])),
            ):
                if k is None:
                    known += sign * float(x)
                else:
                    terms[k] = terms.get(k, 0.0) + sign * float(x) * self.scale[k]
            if (most := max(map(abs, terms.values()), default=0.0)) > 0:
                rows.append(([(k, x / most) for k, x in terms.items()], -known / most, math.inf))
        for row, right in self.lines:
            most = max(
                (abs(float(x) * s) for x, s in zip(row, self.scale, strict=True)), default=0.0
            )
            if not most:
                return None
            rows.append(
                (
                    [
                        (k, float(x) * s / most)
                        for k, (x, s) in enumerate(zip(row, self.scale, strict=True))
                        if x
                    ],
                    *(2 * (float(right) / most,)),
                )
            )
        count = len(self.free)
        engine = highs_solution(
            rows, [0.0] * count, [math.inf] * count, [0.0] * count, "ipm", crossover=False
        )
        return None if engine is None else list(engine.getSolution().col_value)

    def rooms(self, sizes: list[float]) -> list[tuple[int, float]]:
        """The slack of each inequality, relative to its larger side."""
        values = [
            float(x) * (1.0 if k is None else sizes[k] * self.scale[k])
            for k, x in map(self.probability, range(self.p.count))
        ]
        return [
            (e, (values[a] - values[b] / float(self.p.costs[c])) / (values[a] or math.inf))
            for e, (a, b, c) in enumerate(self.p.edges)
            if a != b
        ]

    def exact(self, sizes: list[float]) -> Primal | None:
        """The mechanism near these sizes in which all rows sum to 1; None if it is not private."""
        rounded: list[Exact] = [
            nearby_fraction(x * s) for x, s in zip(sizes, self.scale, strict=True)
        ]
        rows = [row for row, _ in self.lines]
        chosen = pivots(
            [[float(x * size) for x, size in zip(row, rounded, strict=True)] for row in rows]
        )
        if chosen is None:
            return None
        kept = sorted(set(range(len(self.free))) - set(chosen))
        left = [
            x - sum((row[k] * rounded[k] for k in kept if row[k]), Fraction(0))
            for row, x in self.lines
        ]
        found = solve_exactly([[row[k] for k in chosen] for row in rows], left)
        if found is None:
            return None
        for k, x in zip(chosen, found, strict=True):
            rounded[k] = x
        return primal(
            self.p,
            [
                x if k is None else x * rounded[k]
                for k, x in map(self.probability, range(self.p.count))
            ],
        )


def nearby_fraction(x: float) -> Fraction:
    """A fraction near x."""
    top = Fraction(x)
    shift = BITS - top.numerator.bit_length() + top.denominator.bit_length()
    return Fraction(round(top * 2**shift)) / 2**shift if shift >= 0 else top
