"""The structure of the linear programme of an optimum: its variables up to symmetry, its
inequalities, and how large its variables are.

A variable is the probability K(D, u) for a class of pairs (D, u) that the symmetries of the claim
carry into each other.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.terms.expression import log
>>> W = Domain([("a", log(2)), ("b", log(2))])
>>> from ahdp_verify.analysis.power.claims import best_claim
>>> claim = best_claim(W, [(0, 0), (1, 0), (0, 1)], ["0", "a", "b"], [[(0, 0, 1)], [(1, 1, 1)], [(2, 2, 1)]], 0)
>>> p, _ = programme_of_claim(claim)
>>> p.count, p.of  # 5 of 9: a and b may be exchanged
(5, [[0, 1, 1], [2, 3, 4], [2, 4, 3]])
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from copy import copy
from fractions import Fraction
from functools import cached_property
from operator import sub
from typing import Any

import flint

from ahdp_verify.analysis.power.rational_functions import RationalFunction
from ahdp_verify.analysis.power.variable import Variable, costs_of, variable_of
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.rules.best_power import BestClaim, neighbouring_rows
from ahdp_verify.kernel.terms.exact import BITS

ProgrammeEdge = tuple[int, int, int]  # (a, b, c): probability a >= probability b / cost number c
# a Fraction, or a Function of the variable of the claim; both add, multiply, divide and compare
Exact = Any
Aims = list[list[tuple[int, int, Exact]]]
RowPair = tuple[int, int, int]  # two rows, and the number of the cost of their distance


class Programme:
    """Variables and inequalities: a mechanism some of whose rows are near each other, and the aims;
    `of` says which variable is at a row and a column.
    """

    def __init__(
        self, aims: Aims, costs: list[Exact], pairs: list[RowPair], of: list[list[int]], count: int
    ) -> None:
        self.aims, self.costs, self.pairs, self.of, self.count, self.width = (
            aims,
            costs,
            pairs,
            of,
            count,
            len(of[0]),
        )
        self.edges: dict[ProgrammeEdge, list[tuple[int, int, int]]] = {}
        pairs_at = self.edges.setdefault
        for i, j, c in self.pairs:
            for u, (v, w) in enumerate(zip(self.of[i], self.of[j], strict=True)):
                pairs_at((v, w, c), []).append((i, j, u))
                pairs_at((w, v, c), []).append((j, i, u))
        self.rows: dict[tuple[tuple[int, int], ...], list[int]] = {}
        for i, row in enumerate(self.of):
            self.rows.setdefault(tally((v, 1) for v in row), []).append(i)
        self.goals: dict[tuple[tuple[int, Any], ...], list[int]] = {}
        for h, aim in enumerate(self.aims):
            self.goals.setdefault(tally((self.of[r][u], w) for r, u, w in aim), []).append(h)
        self.one: Exact = Fraction(1)
        self.zero: Exact = Fraction(0)
        self.logs = [float_logarithm(c) for c in costs]
        self.scale = _variable_scales(self)

    @cached_property
    def in_flint(self) -> Programme:
        """The same with numbers of FLINT, whose arithmetic takes a tenth of the time of that of
        Fraction; itself where some numbers are functions.
        """
        numbers = [*self.costs, *(w for goal in self.goals for _, w in goal)]
        if any(isinstance(x, RationalFunction) for x in numbers):
            return self
        found = copy(self)
        found.one, found.zero = flint.fmpq(1), flint.fmpq(0)
        found.costs = [to_flint(c) for c in self.costs]
        found.aims = [[(r, u, to_flint(w)) for r, u, w in aim] for aim in self.aims]
        found.goals = {
            tuple((v, to_flint(w)) for v, w in goal): listed for goal, listed in self.goals.items()
        }
        return found


def to_flint(x: Exact) -> Any:
    """A rational number as one of FLINT."""
    return x if isinstance(x, flint.fmpq) else flint.fmpq(x.numerator, x.denominator)


def of_flint(x: Exact) -> Exact:
    """A number of FLINT as a Fraction; other numbers and functions unchanged."""
    return Fraction(int(x.p), int(x.q)) if isinstance(x, flint.fmpq) else x


def programme_of_claim(claim: BestClaim) -> tuple[Programme, Variable]:
    """The programme of an optimum, with one variable for each class under the symmetries of the
    claim.
    """
    here = claim.here
    weights = {w: claim.signed(w, here) for aim in claim.aims for _, _, w in aim}
    variable = variable_of(claim, weights.values())
    numbers = {w: variable.number(r) for w, r in weights.items()}
    costs, pairs = distances(claim, variable)
    aims = [[(r, u, numbers[w]) for r, u, w in aim] for aim in claim.aims]
    return Programme(aims, costs, pairs, *symmetry_classes(claim, aims, costs, pairs)), variable


def programme_of_test(probabilities: list[list[Exact]], labels: list[int], width: int) -> Programme:
    """The programme of the best test: probabilities[h][cell] for each hypothesis, and the correct
    answer for it.
    """
    cells = len(probabilities[0])
    aims = [
        [(cell, u, p) for cell, p in enumerate(law) if p]
        for law, u in zip(probabilities, labels, strict=True)
    ]
    return Programme(
        aims,
        [],
        [],
        [[cell * width + u for u in range(width)] for cell in range(cells)],
        cells * width,
    )


def float_logarithm(x: Exact) -> float:
    """A value near the logarithm of a number > 0, which may be too large for a float."""
    return (
        x.logarithm()
        if isinstance(x, RationalFunction)
        else math.log(x.numerator) - math.log(x.denominator)
    )


def tally(pairs: Any) -> tuple[tuple[Any, Any], ...]:
    """The sum for each key, in order."""
    table: dict[Any, Any] = {}
    for key, n in pairs:
        table[key] = table.get(key, 0) + n
    return tuple(sorted(table.items()))


def distances(
    claim: BestClaim, variable: Variable
) -> tuple[list[Exact], list[tuple[int, int, int]]]:
    """The different exponentials of distances, and the pairs of neighbouring rows (i, j, number
    of theirs).
    """
    listed: list[Exact] = []
    pairs, costs = [], cost_numbers(claim, variable)
    if any(cost is not None and cost < 1 for cost in costs):
        raise BadInput("level", "it is negative", "levels lie in [0, oo]")
    check_far(claim, costs)
    factor = factors(claim, costs)
    for i, j in neighbouring_rows(claim):
        if (value := factor(i, j)) is not None:
            pairs.append((i, j, place_in(listed, value)))
    return listed, pairs


def place_in(listed: list[Exact], value: Exact) -> int:
    """The place of a value in a list of few, at the end of which it is put if it is new."""
    for i, known in enumerate(listed):
        if known is value or known == value:
            return i
    listed.append(value)
    return len(listed) - 1


def cost_numbers(claim: BestClaim, variable: Variable) -> list[Exact]:
    """The costs of a claim, None where they are infinite."""
    return [None if c is None else variable.number(c) for c in costs_of(claim)]


def factors(
    claim: BestClaim, costs: list[Exact], one: Exact = Fraction(1)
) -> Callable[[int, int], Exact]:
    """exp(distance) of two rows, None if it is infinite; worked out once for all pairs with the
    same differences of counts.
    """
    known: dict[tuple[int, ...], Exact] = {}

    def far(gaps: tuple[int, ...], growth: int) -> Exact:
        steps = list(zip(costs, gaps, strict=True))
        if claim.relation == "swap":
            steps = [(None, 1) if growth else (costs[0], sum(gaps) // 2)]
        if any(cost is None and gap for cost, gap in steps):
            return None
        return math.prod((cost**gap for cost, gap in steps if gap), start=one)

    def factor(i: int, j: int) -> Exact:
        first, second = claim.rows[i], claim.rows[j]
        gaps, growth = (*map(abs, map(sub, first, second)),), sum(first) - sum(second)
        if (key := (*gaps, growth)) not in known:
            known[key] = far(gaps, growth)
        return known[key]

    return factor


def check_far(claim: BestClaim, costs: list[Exact]) -> None:
    """BadInput if two datasets are so far apart that probabilities have too many digits."""
    ends = [max(column) - min(column) for column in zip(*claim.rows, strict=True)]
    steps = (
        [(costs[0], sum(ends) // 2)] if claim.relation == "swap" else zip(costs, ends, strict=True)
    )
    if sum(float_logarithm(c) * n for c, n in steps if isinstance(c, Fraction)) > BITS * math.log(
        2
    ):
        raise BadInput(
            "datasets",
            f"they are so far apart that exp(distance) has more than {BITS} bits",
            "give datasets that are closer to each other, or smaller demands",
        )


def symmetry_classes(
    claim: BestClaim, aims: Any, costs: list[Exact], pairs: list[tuple[int, int, int]]
) -> tuple[list[list[int]], int]:
    """The number of the class of each pair (row, column), and how many classes there are."""
    height, width = len(claim.rows), len(claim.columns)
    parent = list(range(height * width))

    def root(x: int) -> int:
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for i, j, c in pairs if 1 in costs else ():
        for u in range(width) if costs[c] == 1 else ():  # rows at distance 0 are one row
            a, b = root(i * width + u), root(j * width + u)
            parent[max(a, b)] = min(a, b)
    for rows, columns in symmetries(claim, aims):
        for i in range(height):
            here, there = i * width, rows[i] * width
            for u, v in enumerate(columns):
                a, b = root(here + u), root(there + v)
                if a != b:
                    parent[max(a, b)] = min(a, b)
    number: dict[int, int] = {}
    of = [
        [number.setdefault(root(i * width + u), len(number)) for u in range(width)]
        for i in range(height)
    ]
    return of, len(number)


def symmetries(claim: BestClaim, aims: Any) -> Iterator[tuple[list[int], list[int]]]:
    """Exchanges of two records of equal cost that carry rows into rows and aims into aims, as
    permutations of rows and of columns.
    """
    place, costs = (
        {row: i for i, row in enumerate(claim.rows)},
        [None if c is None else c.key for c in costs_of(claim)],
    )
    weights: list[Exact] = []
    aims = [[(r, u, place_in(weights, w)) for r, u, w in aim] for aim in aims]
    said = tally((aim_key(aim), 1) for aim in aims)
    gains: list[set[tuple[int, Any, int]]] = [set() for _ in claim.columns]
    for aim in aims:
        for r, u, w in aim:
            gains[u].add((r, w, len(aim)))
    columns_of: dict[frozenset[Any], list[int]] = {}
    for u, gain in enumerate(gains):
        columns_of.setdefault(frozenset(gain), []).append(u)
    for a in range(len(costs)):
        for b in range(a + 1, len(costs)):
            if costs[a] != costs[b]:
                continue
            swapped = [
                (*row[:a], row[b], *row[a + 1 : b], row[a], *row[b + 1 :]) for row in claim.rows
            ]
            if any(row not in place for row in swapped):
                continue
            rows = [place[row] for row in swapped]
            free = {key: list(listed) for key, listed in columns_of.items()}
            moved = [free.get(frozenset((rows[r], w, n) for r, w, n in gain), []) for gain in gains]
            if not all(moved):
                continue
            columns = [options.pop(0) if options else -1 for options in moved]
            if (
                -1 not in columns
                and tally((aim_key((rows[r], columns[u], w) for r, u, w in aim), 1) for aim in aims)
                == said
            ):
                yield rows, columns


def aim_key(aim: Any) -> tuple[tuple[int, int, int], ...]:
    """What aims share that are the same up to order, from the numbers of their weights."""
    return tuple(sorted(aim))


def _variable_scales(p: Programme) -> list[float]:
    """A size for each variable: how far its probability may fall below that of the aim in its
    column; so all scaled probabilities are about as large.
    """
    near: list[list[tuple[int, float]]] = [[] for _ in p.of]
    for i, j, c in p.pairs:
        near[i].append((j, -p.logs[c]))
        near[j].append((i, -p.logs[c]))
    sizes = [-math.inf] * p.count
    goals: list[list[int]] = [[] for _ in range(p.width)]
    for aim in p.aims:
        for r, u, w in aim:
            if len(aim) == 1 and w > 0:
                goals[u].append(r)
    seen: set[int] = set()  # columns that symmetries carry into each other have the same sizes
    for u, starts in enumerate(goals):
        if p.of[0][u] in seen:
            continue
        seen.update(row[u] for row in p.of)
        best = dict.fromkeys(starts or range(len(p.of)), 0.0)
        queue = sorted(best, key=lambda i: -best[i])
        while queue:
            i = queue.pop(0)
            for j, step in near[i]:
                if best[i] + step > best.get(j, -math.inf) + 1e-9:
                    best[j] = best[i] + step
                    queue.append(j)
        for i in range(len(p.of)):
            sizes[p.of[i][u]] = max(sizes[p.of[i][u]], best.get(i, 0.0))
    return sizes
