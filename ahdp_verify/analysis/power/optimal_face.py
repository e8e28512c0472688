"""A mechanism inside the optimal face: what a dual forces is solved exactly, everything else is
rounded within its slack.

By complementary slackness a privacy inequality that carries flow is tight in every optimal
mechanism, and so are those on the shortest ways between two rows whose inequality carries flow. The
others usually have slack. So after the sizes of most trees were rounded, those of as many trees as
there are rows are solved for, and move by less than the room.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Set
from fractions import Fraction
from functools import cached_property

from ahdp_verify.analysis.power.exact_vertex import Dual, Primal, Vertex, primal, solve_exactly
from ahdp_verify.analysis.power.highs import pivots
from ahdp_verify.analysis.power.structure import Exact, Programme
from ahdp_verify.search.solvers.highs import ConstraintRow, highs_solution

BITS = 60  # bits to which sizes are rounded, relative to their own size
FAIR = 1e-3  # least part of the largest term of a row, of the tree that is solved for by itself
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


def kernel_in_face(
    p: Programme, high: Dual, ties: Set[int] = frozenset(), fixed: Set[int] = frozenset()
) -> Primal | None:
    """A mechanism whose least aim is the value of a dual, in which the edges `ties` are tight and
    the aims among the variables `fixed` are the value; None if none was found.

    None as well where some probabilities are out of the range of floats. Run twice: inequalities
    that turn out to have no slack, though the dual does not show it, are forced the second time.
    """
    try:
        return _try_kernel_in_face(p, high, tight_edges(p, high) | ties, fixed)
    except (OverflowError, ZeroDivisionError):
        return None


def _try_kernel_in_face(
    p: Programme, high: Dual, forced: set[int], fixed: Set[int]
) -> Primal | None:
    """The kernel of `kernel_in_face`; OverflowError or ZeroDivisionError from floats that are too
    large or small.
    """
    for _ in range(2):
        face = Face(p, high, forced, fixed)
        if face.vertex.equations or face.vertex.forced or (sizes := face.point()) is None:
            return None
        if (found := face.exact(sizes)) is not None:
            return found
        forced = forced | {e for e, room in face.rooms(sizes) if room < NARROW}
    return None


class Face:
    """The mechanisms in which the forced edges are tight and every aim of positive prior, or of a
    variable that is fixed, is the value: the sizes of their free trees.
    """

    def __init__(
        self, p: Programme, high: Dual, forced: set[int], fixed: Set[int] = frozenset()
    ) -> None:
        aims = [
            any(v in fixed for v, _ in goal) or bool(sum(high.prior[h] for h in hs))
            for goal, hs in p.goals.items()
        ]
        self.p, self.value = p, high.value
        self.vertex = Vertex(
            p, ([False] * p.count, [e in forced for e in range(len(p.edges))] + aims)
        )
        self.lines: list[tuple[dict[int, Exact], Exact]] = []
        for row in p.rows:
            terms = self.vertex.terms(row)
            right = 1 - terms.pop(self.vertex.last, Fraction(0)) * high.value
            if terms or right:
                self.lines.append((terms, right))
        self.free = list(self.vertex.place)
        self.scale = [math.exp(p.scale[self.vertex.members[t][0]]) for t in self.free]

    def probability(self, v: int) -> tuple[int | None, Exact]:
        """(k, x) if a variable is x times the size of free tree number k, (None, x) if it is x."""
        t = self.vertex.of[v]
        if t in self.vertex.place:
            return self.vertex.place[t], self.vertex.ratio[v]
        return None, self.vertex.of_value[t][0] * self.value * self.vertex.ratio[v]

    @cached_property
    def probabilities(self) -> list[tuple[int | None, float]]:
        """The same for each variable, in floats, and in multiples of the scale of the tree."""
        return [
            (k, float(x) if k is None else float(x) * self.scale[k])
            for k, x in map(self.probability, range(self.p.count))
        ]

    def open_edges(self) -> Iterator[tuple[int, int, int, float]]:
        """The inequalities that sizes of free trees can violate, as their number, their variables
        and exp(-distance).
        """
        closed = [k is None for k, _ in self.probabilities]
        shrinks = [1.0 / float(c) for c in self.p.costs]
        for e, (a, b, c) in enumerate(self.p.edges):
            if a != b and (closed[a], closed[b]) != (True, True):
                yield e, a, b, shrinks[c]

    def point(self) -> list[float] | None:
        """Sizes of the free trees well inside of all inequalities, as multiples of their scales;
        None where HiGHS finds none.
        """
        rows: list[ConstraintRow] = []
        for _, a, b, shrink in self.open_edges():
            terms, known = dict[int, float](), 0.0
            for (k, x), sign in ((self.probabilities[a], 1.0), (self.probabilities[b], -shrink)):
                if k is None:
                    known += sign * x
                else:
                    terms[k] = terms.get(k, 0.0) + sign * x
            if (most := max(map(abs, terms.values()))) > 0:
                rows.append(([(k, x / most) for k, x in terms.items()], -known / most, math.inf))
        for line, right in self.lines:
            sizes = [(k, float(x) * self.scale[k]) for k, x in line.items()]
            most = max((abs(x) for _, x in sizes), default=0.0)
            if not most:
                return None
            rows.append(([(k, x / most) for k, x in sizes], *(2 * (float(right) / most,))))
        count = len(self.free)
        engine = highs_solution(
            rows, [0.0] * count, [math.inf] * count, [0.0] * count, "ipm", crossover=False
        )
        return None if engine is None else list(engine.getSolution().col_value)

    def rooms(self, sizes: list[float]) -> list[tuple[int, float]]:
        """The slack of each inequality, relative to its larger side."""
        values = [x if k is None else x * sizes[k] for k, x in self.probabilities]
        return [
            (e, (values[a] - values[b] * shrink) / (values[a] or math.inf))
            for e, a, b, shrink in self.open_edges()
        ]

    def exact(self, sizes: list[float]) -> Primal | None:
        """The mechanism near these sizes in which all rows sum to 1; None if it is not private."""
        rounded: list[Exact] = [
            nearby_fraction(x * s) for x, s in zip(sizes, self.scale, strict=True)
        ]
        own = self.own_trees(rounded)
        shared = [n for n in range(len(self.lines)) if n not in own]
        chosen = self.pivots_of(shared, rounded, set(own.values()))
        if chosen is None:
            return None
        found = solve_exactly(
            [[self.lines[n][0].get(k, Fraction(0)) for k in chosen] for n in shared],
            [self.left(n, rounded, chosen) for n in shared],
        )
        if found is None:
            return None
        for k, x in zip(chosen, found, strict=True):
            rounded[k] = x
        for n, k in own.items():
            rounded[k] = self.left(n, rounded, [k]) / self.lines[n][0][k]
        return primal(
            self.p,
            [
                x if k is None else x * rounded[k]
                for k, x in map(self.probability, range(self.p.count))
            ],
        )

    def left(self, n: int, sizes: list[Exact], chosen: list[int]) -> Exact:
        """What the trees that are not chosen leave of a row."""
        line, right = self.lines[n]
        return right - sum((x * sizes[k] for k, x in line.items() if k not in chosen), Fraction(0))

    def own_trees(self, sizes: list[Exact]) -> dict[int, int]:
        """For rows with a tree that no other row has, the largest of these if it is a fair part of
        the row: it is solved for at once.
        """
        times = Counter(k for line, _ in self.lines for k in line)
        found: dict[int, int] = {}
        for n, (line, _) in enumerate(self.lines):
            parts = {k: abs(float(x * sizes[k])) for k, x in line.items()}
            own = [k for k in line if times[k] == 1]
            if own and parts[best := max(own, key=parts.__getitem__)] > FAIR * max(parts.values()):
                found[n] = best
        return found

    def pivots_of(self, rows: list[int], sizes: list[Exact], taken: set[int]) -> list[int] | None:
        """As many trees as rows, by elimination in floats; None if the rows depend on each
        other.
        """
        there = sorted({k for n in rows for k in self.lines[n][0]} - taken)
        chosen = pivots(
            [[float(self.lines[n][0].get(k, 0) * sizes[k]) for k in there] for n in rows]
        )
        return None if chosen is None else [there[k] for k in chosen]


def nearby_fraction(x: float) -> Fraction:
    """A fraction near x."""
    top = Fraction(x)
    shift = BITS - top.numerator.bit_length() + top.denominator.bit_length()
    return Fraction(round(top * 2**shift)) / 2**shift if shift >= 0 else top
