"""Exact vertices: the primal and the dual that belong to a basis of the linear programme of an
optimum.

In a basis some inequalities are tight. Tight privacy inequalities tie the probabilities of a column
together into trees, within which all ratios are known; so what is left to be solved exactly is one
equation for each row. The coefficients of a vector over equations and tight inequalities follow
from the transposed equations and, tree by tree, from leaves to root: for the objective these
multiples are the dual.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import flint

from ahdp_verify.analysis.power import rational_functions as functions
from ahdp_verify.analysis.power.rational_functions import RationalFunction
from ahdp_verify.analysis.power.structure import Exact, Programme, of_flint, to_flint
from ahdp_verify.display.short_repr import short_repr

MOST_EQUATIONS = 80  # with functions as coefficients; 40 take some seconds
Basis = tuple[
    list[bool], list[bool]
]  # which variables are at 0, which inequalities are tight: edges, then aims


@dataclass(frozen=True, slots=True)
class Primal:
    """A private mechanism, its probabilities by row and column, and its least aim."""

    value: Exact
    kernel: tuple[tuple[Exact, ...], ...]

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class Dual:
    """A prior of the aims, prices of the rows, and flows (i, j, amount) for each column, which
    show that no least aim exceeds `value`.
    """

    value: Exact
    prior: tuple[Exact, ...]
    prices: tuple[Exact, ...]
    flows: tuple[tuple[tuple[int, int, Exact], ...], ...]

    __repr__ = short_repr


class Vertex:
    """The vertex of a basis. `of` says in which tree a variable is, `ratio` how large it is as a
    multiple of the tree's root; a tree is free, or a multiple of the value by a tight aim that is
    one probability (`of_value`), or 0.
    """

    def __init__(self, p: Programme, basis: Basis) -> None:
        self.p, self.edges, self.goals, self.rows = p, list(p.edges), list(p.goals), list(p.rows)
        self.tight = [e for e in range(len(self.edges)) if basis[1][e]]
        self.at_zero = [v for v in range(p.count) if basis[0][v]]
        self.of, self.parent = [-1] * p.count, [(-1, -1)] * p.count
        self.ratio: list[Exact] = [p.one] * p.count
        self.members: list[list[int]] = []
        self._grow()
        self.forced = self._cycles()
        self.zero = {self.of[v] for v in self.at_zero} | set(self.forced)
        self.of_value: dict[int, tuple[Exact, int]] = {}
        self.equations: list[int] = []
        for g in (g for g in range(len(self.goals)) if basis[1][len(self.edges) + g]):
            v, w = self.goals[g][0]
            if (
                len(self.goals[g]) == 1
                and w
                and self.of[v] not in self.zero
                and self.of[v] not in self.of_value
            ):
                self.of_value[self.of[v]] = (1 / (w * self.ratio[v]), g)
            else:
                self.equations.append(g)
        free = [
            t for t in range(len(self.members)) if t not in self.zero and t not in self.of_value
        ]
        self.place, self.last = {t: i for i, t in enumerate(free)}, len(free)

    def _grow(self) -> None:
        """Trees from the tight edges, rooted at variables that are 0 where there are some."""
        near: dict[int, list[tuple[int, int]]] = {}
        for e in self.tight:
            a, b, _ = self.edges[e]
            if a != b:
                near.setdefault(a, []).append((b, e))
                near.setdefault(b, []).append((a, e))
        for root in (*self.at_zero, *range(self.p.count)):
            if self.of[root] >= 0:
                continue
            members, t = [root], len(self.members)
            self.of[root] = t
            for x in members:
                for y, e in near.get(x, ()):
                    if self.of[y] < 0:
                        a, _, c = self.edges[e]
                        self.of[y], self.parent[y] = t, (x, e)
                        self.ratio[y] = (
                            self.ratio[x] * self.p.costs[c]
                            if a == x
                            else self.ratio[x] / self.p.costs[c]
                        )
                        members.append(y)
            self.members.append(members)

    def _cycles(self) -> dict[int, int]:
        """Trees that are 0 since one more tight edge gives another ratio, with that edge."""
        used, found = {e for _, e in self.parent}, dict[int, int]()
        for e in self.tight:
            a, b, c = self.edges[e]
            if a != b and e not in used and self.ratio[a] != self.ratio[b] / self.p.costs[c]:
                found.setdefault(self.of[a], e)
        return found

    @cached_property
    def matrix(self) -> list[list[Exact]]:
        """The equations of the rows and of the aims that are solved for, without right sides."""
        found = [self._line(row) for row in self.rows]
        for g in self.equations:
            found.append(self._line(self.goals[g]))
            found[-1][self.last] -= 1
        return found

    def terms(self, of: Any) -> dict[int, Exact]:
        """A sum of multiples of variables as multiples of free trees and of the value, which comes
        after them.
        """
        found: dict[int, Exact] = {}
        for v, n in of:
            t = self.of[v]
            if t in self.place:
                k, x = self.place[t], n * self.ratio[v]
            elif t in self.of_value:
                k, x = self.last, n * self.ratio[v] * self.of_value[t][0]
            else:
                continue
            found[k] = found[k] + x if k in found else x
        return {k: x for k, x in found.items() if x}

    def _line(self, of: Any) -> list[Exact]:
        """The same with a place for each free tree and the value."""
        found: list[Exact] = [self.p.zero] * (self.last + 1)
        for k, x in self.terms(of).items():
            found[k] = x
        return found

    def probabilities(self) -> list[Exact] | None:
        """The value of each variable, None if the basis is singular."""
        found = solve_exactly(
            self.matrix, [self.p.one] * len(self.rows) + [self.p.zero] * len(self.equations)
        )
        if found is None:
            return None
        sizes = [
            found[self.place[t]]
            if t in self.place
            else found[self.last] * self.of_value[t][0]
            if t in self.of_value
            else self.p.zero
            for t in range(len(self.members))
        ]
        return [sizes[self.of[v]] * self.ratio[v] for v in range(self.p.count)]

    def parts(self, target: dict[int, Exact], of_value: Exact) -> Parts | None:
        """A vector (of variables, and of the value) as multiples of the equations and the tight
        inequalities; None if the basis is singular.
        """
        right: list[Exact] = [self.p.zero] * self.last + [of_value]
        for v, n in target.items():
            right = [x + y if y else x for x, y in zip(right, self._line(((v, n),)), strict=True)]
        found = solve_exactly([list(column) for column in zip(*self.matrix, strict=True)], right)
        if found is None:
            return None
        left: list[Exact] = [self.p.zero] * self.p.count
        for v, n in target.items():
            left[v] = n
        weights = dict(zip(self.equations, found[len(self.rows) :], strict=True))
        for x, terms in (
            (-x, row)
            for x, row in zip(
                (*found[: len(self.rows)], *weights.values()),
                (*self.rows, *(self.goals[g] for g in weights)),
                strict=True,
            )
        ):
            for v, n in terms if x else ():
                left[v] += x * n
        for tree, (_, g) in self.of_value.items():
            v, w = self.goals[g][0]
            weights[g] = sum((left[x] * self.ratio[x] for x in self.members[tree]), self.p.zero) / (
                self.ratio[v] * w
            )
            left[v] -= weights[g] * w
        amounts: dict[int, Exact] = {}
        for tree, e in self.forced.items():
            a, b, c = self.edges[e]
            amounts[e] = sum((left[x] * self.ratio[x] for x in self.members[tree]), self.p.zero) / (
                self.ratio[a] - self.ratio[b] / self.p.costs[c]
            )
            left[a] -= amounts[e]
            left[b] += amounts[e] / self.p.costs[c]
        for members in self.members:
            for v in reversed(members[1:]):
                above, e = self.parent[v]
                a, _, c = self.edges[e]
                # the inequality is probability a - probability b / cost >= 0; what is left of v
                # goes through it
                amounts[e] = left[v] if a == v else -left[v] * self.p.costs[c]
                left[above] += amounts[e] / self.p.costs[c] if a == v else -amounts[e]
                left[v] = self.p.zero
        return Parts(found[: len(self.rows)], weights, amounts, {v: left[v] for v in self.at_zero})


@dataclass(frozen=True, slots=True)
class Parts:
    """Multiples of the equations of the rows, of aims, of edges, and of variables that are 0;
    aims, edges and variables by their numbers.
    """

    rows: list[Exact]
    goals: dict[int, Exact]
    edges: dict[int, Exact]
    zeros: dict[int, Exact]


def solve_exactly(matrix: list[list[Exact]], right: list[Exact]) -> list[Exact] | None:
    """The solution of a square system, or None if it is singular."""
    n = len(matrix)
    if any(len(row) != n for row in matrix) or len(right) != n:
        return None
    if any(isinstance(x, RationalFunction) for row in (*matrix, right) for x in row):
        return functions.solve_function_system(matrix, right) if n <= MOST_EQUATIONS else None
    try:
        found = flint.fmpq_mat(n, n, [to_flint(x) for row in matrix for x in row]).solve(
            flint.fmpq_mat(n, 1, [to_flint(x) for x in right])
        )
    except ZeroDivisionError:
        return None
    solution = [found[i, 0] for i in range(n)]
    return solution if right and isinstance(right[0], flint.fmpq) else [*map(of_flint, solution)]


def at_basis(p: Programme, basis: Basis, bound: Exact = None) -> tuple[Primal | None, Dual | None]:
    """The exact primal and dual of a basis, each only if it is feasible; no dual where the primal
    attains a bound that is known.
    """
    p = p.in_flint
    vertex = Vertex(p, basis)
    probabilities = vertex.probabilities()
    if probabilities is None:
        return None, None
    low = primal(p, probabilities)
    if low is not None and bound is not None and low.value == bound:
        return low, None
    parts = vertex.parts({}, p.one)
    return low, None if parts is None else dual(vertex, parts)


def primal(p: Programme, probabilities: list[Exact]) -> Primal | None:
    """The mechanism of class probabilities, if it is private; its value is its least aim."""
    if any(x < 0 for x in probabilities) or not is_private(p, probabilities):
        return None
    value = min(sum((w * probabilities[v] for v, w in goal), p.zero) for goal in p.goals)
    shown = [of_flint(x) for x in probabilities]
    return Primal(of_flint(value), tuple(tuple(shown[v] for v in row) for row in p.of))


def is_private(p: Programme, probabilities: list[Exact]) -> bool:
    """True if all privacy inequalities hold; fractions are compared as multiples of one over their
    common denominator, which is several times faster.
    """
    if not all(isinstance(x, Fraction) for x in (*probabilities, *p.costs)):
        return not any(probabilities[a] * p.costs[c] < probabilities[b] for a, b, c in p.edges)
    common = math.lcm(*{x.denominator for x in probabilities})
    sizes = [x.numerator * (common // x.denominator) for x in probabilities]
    costs = [(c.numerator, c.denominator) for c in p.costs]
    return all(sizes[a] * costs[c][0] >= sizes[b] * costs[c][1] for a, b, c in p.edges)


def dual(vertex: Vertex, parts: Parts) -> Dual | None:
    """Prior, prices and flows of all rows from the parts of the objective, the value; None if
    one of them is negative.
    """
    p = vertex.p
    if any(x > 0 for x in (*parts.goals.values(), *parts.edges.values(), *parts.zeros.values())):
        return None
    prior: list[Exact] = [p.zero] * len(p.aims)
    prices: list[Exact] = [p.zero] * len(p.of)
    for g, x in parts.goals.items():
        for h in p.goals[vertex.goals[g]]:
            prior[h] = -x / len(p.goals[vertex.goals[g]])
    for price, listed in zip(parts.rows, p.rows.values(), strict=True):
        for i in listed:
            prices[i] = price / len(listed)
    flows: list[list[tuple[int, int, Exact]]] = [[] for _ in range(p.width)]
    for e, x in parts.edges.items():
        if x:  # as cost * K(a) - K(b) >= 0
            full = p.edges[vertex.edges[e]]
            amount = -x / len(full) / p.costs[vertex.edges[e][2]]
            for a, b, u in full:
                flows[u].append((b, a, amount))
    _add_zero_flows(p, prior, prices, flows)
    shown = tuple(tuple((a, b, of_flint(x)) for a, b, x in flow) for flow in flows)
    value = of_flint(sum(prices, p.zero))
    return Dual(value, tuple(map(of_flint, prior)), tuple(map(of_flint, prices)), shown)


def _add_zero_flows(
    p: Programme, prior: list[Exact], prices: list[Exact], flows: list[list[tuple[int, int, Exact]]]
) -> None:
    """Adds flows between rows at distance 0, so that what is left is spread evenly: at their
    first row.
    """
    first = list(range(len(prices)))
    for i, j, c in p.pairs if 1 in p.costs else ():
        if p.costs[c] == 1:
            a, b = sorted((first[i], first[j]))
            first = [a if x == b else x for x in first]
    if first == list(range(len(prices))):
        return
    cost = {pair: p.costs[c] for i, j, c in p.pairs for pair in ((i, j), (j, i))}
    for u, flow in enumerate(flows):
        left = list(prices)
        for weight, aim in zip(prior, p.aims, strict=True):
            for r, v, w in aim:
                left[r] = left[r] - weight * w if v == u else left[r]
        for i, j, y in flow:
            left[i], left[j] = left[i] + y, left[j] - y * cost[i, j]
        for i, x in enumerate(left):
            if i != first[i] and x != 0:
                flow.append((i, first[i], -x) if x < 0 else (first[i], i, x))
