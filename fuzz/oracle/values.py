"""Numbers that the package computes, computed independently: losses, divergences, errors of tests,
powers, moments.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
from mpmath import mp, mpf
from scipy.optimize import linprog

from fuzz.oracle import claims, lines
from fuzz.oracle.judge import Judgement, candidates, excess, short
from fuzz.oracle.laws import Law, box, law
from fuzz.oracle.trees import CannotTell, Env, Tree, Undefined, folded, is_oo, value

Json = Any
FLOAT = 1e-7  # of values that come out of a linear programme in floats


def loss(first: Law, second: Law, rng: Random) -> Any:
    """A lower bound of the largest log ratio, exact for finite distributions; mp.inf where a
    probability is 0 on one side only.
    """
    worst = mpf(0)
    pairs = [(first.at(p), second.at(p)) for p in candidates((first, second), rng)]
    if first.finite:
        other = second.table()
        pairs = [(p, other[o]) for o, p in first.table().items()]
    pairs += [(p, sum((q for w, q in second.atoms if w == v), mpf(0))) for v, p in first.atoms]
    for p, q in pairs:
        if p > 0 and q == 0:
            return mp.inf
        if p > 0:
            worst = max(worst, mp.log(p / q))
    return worst


def losses(claim: Json, given: Env, rng: Random, many: int = 40) -> list[tuple[claims.Move, Any]]:
    """Moves with the loss that was found."""
    found, done = [], {}
    listed = list(claims.moves(claim, given, rng))
    for move in (
        listed
        if len(listed) <= many
        else listed[: many // 2] + rng.sample(listed[many // 2 :], many - many // 2)
    ):
        try:
            laws = []
            for at in (move.before, move.after):
                key = repr((at.env, at.data))
                if key not in done:
                    done[key] = law(claim["mechanism"], at, given)
                laws.append(done[key])
            found.append((move, loss(laws[0], laws[1], rng)))
        except Undefined:
            continue
    return found


def divergences(
    claim: Json, given: Env, rng: Random, many: int = 30
) -> list[tuple[claims.Move, mpf]]:
    """Moves with the exact hockey-stick divergence at their level."""
    found = []
    listed = list(claims.moves(claim, given, rng))
    for move in (
        listed
        if len(listed) <= many
        else listed[: many // 2] + rng.sample(listed[many // 2 :], many - many // 2)
    ):
        if is_oo(move.level):
            continue
        try:
            laws = [law(claim["mechanism"], at, given) for at in (move.before, move.after)]
            found.append((move, excess(laws[0], laws[1], mp.exp(move.level))))
        except Undefined:
            continue
    return found


def fails(claim: Json, given: Env, rng: Random, many: int = 10) -> bool | None:
    """Whether a claim was seen to fail at these parameters; None where nothing was compared."""
    slack = mpf(10) ** -22
    delta = value(claim["delta"], given)
    listed = [m for m in claims.moves(claim, given, rng) if not is_oo(m.level)]
    compared = False
    for move in (
        listed if len(listed) <= many else [*listed[: many // 2], *rng.sample(listed, many // 2)]
    ):
        try:
            laws = [law(claim["mechanism"], at, given) for at in (move.before, move.after)]
            if delta == 0 and loss(laws[0], laws[1], rng) > move.level + slack:
                return True
            if delta != 0 and excess(laws[0], laws[1], mp.exp(move.level)) > delta + slack:
                return True
        except Undefined:
            continue
        compared = True
    return False if compared else None


# tests


def total_variation(first: Law, second: Law) -> mpf:
    return excess(first, second, mpf(1))


def slopes(first: Law, second: Law) -> list[tuple[mpf, mpf]]:
    """For many slopes c the largest 1 - beta - c alpha of any test: lines above the trade-off
    curve of powers.
    """
    listed = [mpf(0)] + [mp.exp(mpf(k) / 8) for k in range(-48, 49)]
    return [(c, excess(second, first, c)) for c in listed]


def least_error(known: list[tuple[mpf, mpf]], alpha: mpf) -> tuple[mpf, mpf | None]:
    """Bounds of the least type II error of tests of type I error alpha; no upper one where slopes
    are too few.

    The error is the maximum of g(c) = 1 - excess(c) - c alpha over all slopes c, and g is concave:
    beyond the best c that is listed it stays below the chord from its other neighbour.
    """
    g = [(c, 1 - over - c * alpha) for c, over in known]
    i = max(range(len(g)), key=lambda k: g[k][1])
    best = max(mpf(0), g[i][1])
    if i in (0, len(g) - 1):
        return best, None
    (a, ga), (b, gb), (c, gc) = g[i - 1 : i + 2]
    above = max((gb - ga) / (b - a) * (c - b), (gb - gc) / (c - b) * (b - a))
    return best, best + above


# linear programmes


def best_power(
    rows: Sequence[Sequence[int]],
    levels: Sequence[Any],
    labels: Sequence[str],
    relation: str,
    level: Any = None,
) -> float:
    """The largest worst-case probability of naming the label that a private mechanism on these
    datasets allows.
    """
    names = list(dict.fromkeys(labels))
    n, u = len(rows), len(names)
    index = lambda i, j: i * u + j  # noqa: E731
    a, b = [], []
    for i, j in itertools.permutations(range(n), 2):
        factor = closeness(rows[i], rows[j], levels, relation, level)
        if factor is None:
            continue
        for k in range(u):
            row = np.zeros(n * u + 1)
            row[index(i, k)], row[index(j, k)] = 1, -factor
            scale = max(1.0, factor)
            a.append(row / scale)
            b.append(0.0)
    for i in range(n):
        row = np.zeros(n * u + 1)
        row[index(i, names.index(labels[i]))], row[-1] = -1, 1
        a.append(row)
        b.append(0.0)
    equal = np.zeros((n, n * u + 1))
    for i in range(n):
        equal[i, i * u : (i + 1) * u] = 1
    goal = np.zeros(n * u + 1)
    goal[-1] = -1
    found = linprog(
        goal,
        A_ub=np.array(a),
        b_ub=np.array(b),
        A_eq=equal,
        b_eq=np.ones(n),
        bounds=[(0, None)] * (n * u) + [(None, None)],
    )
    if found.status != 0:
        raise CannotTell(f"the linear programme: {found.message[:60]}")
    return float(-found.fun)


def closeness(
    a: Sequence[int], b: Sequence[int], levels: Sequence[Any], relation: str, level: Any
) -> float | None:
    """exp(distance) of two datasets; None for infinite."""
    gaps = [abs(x - y) for x, y in zip(a, b, strict=True)]
    if relation == "swap":
        if sum(a) != sum(b):
            return None
        return float(mp.exp(level * sum(gaps) / 2))
    total = mpf(0)
    for g, own in zip(gaps, levels, strict=True):
        if g and (is_oo(own) or own > 300):
            return None
        total += g * (own if g else 0)
    return float(mp.exp(total)) if total < 300 else None


def power_of_tables(tables: Sequence[Sequence[float]], labels: Sequence[str]) -> float:
    """The largest worst-case probability of naming the label from an outcome of a finite
    distribution.
    """
    names = list(dict.fromkeys(labels))
    cells, u = len(tables[0]), len(names)
    a, b = [], []
    for t, label in zip(tables, labels, strict=True):
        row = np.zeros(cells * u + 1)
        row[[c * u + names.index(label) for c in range(cells)]] = -np.array(t)
        row[-1] = 1
        a.append(row)
        b.append(0.0)
    equal = np.zeros((cells, cells * u + 1))
    for c in range(cells):
        equal[c, c * u : (c + 1) * u] = 1
    goal = np.zeros(cells * u + 1)
    goal[-1] = -1
    found = linprog(
        goal,
        A_ub=np.array(a),
        b_ub=np.array(b),
        A_eq=equal,
        b_eq=np.ones(cells),
        bounds=[(0, None)] * (cells * u) + [(None, None)],
    )
    if found.status != 0:
        raise CannotTell(f"the linear programme: {found.message[:60]}")
    return float(-found.fun)


def cells_of(laws: Sequence[Law], fine: int = 8) -> list[list[float]]:
    """The probabilities of cells of one real or whole output, the same cells for all laws, fine
    around the kinks.
    """
    (o,) = laws[0].others
    whole = o.kind == "integer"
    cuts = sorted(
        {s for one in laws for _, t in one.cases() for s in lines.kinks(t, o.name, whole)}
    )
    if whole:
        points = sorted({mp.nint(c) + d for c in cuts or [mpf(0)] for d in range(-6, 8)})
    else:
        grid = [cuts[0] - k / mpf(4) for k in range(1, 12)] + [
            cuts[-1] + k / mpf(4) for k in range(1, 12)
        ]
        grid += [a + (b - a) * k / fine for a, b in itertools.pairwise(cuts) for k in range(fine)]
        points = sorted({*cuts, *grid})
    ends = [-lines.INF, *points, lines.INF]
    return [
        [
            float(box(t, (o,), {o.name: (a, b)}))
            for _, t in one.cases()
            for a, b in itertools.pairwise(ends)
        ]
        + [float(m) for _, m in one.atoms]
        for one in laws
    ]


# moments


def expectation(one: Law, of: Tree) -> mpf:
    """The mean of an expression in the outputs, of a finite distribution or one output."""
    if one.finite:
        return sum((p * value(of, one.named(o)) for o, p in one.table().items()), mpf(0))
    if len(one.others) > 1:
        raise CannotTell("a moment of several outputs that are not finite")
    (o,) = one.others
    total = sum((m * value(of, {o.name: v}) for v, m in one.atoms), mpf(0))
    for outcome, tree in one.cases():
        inner = folded(of, one.named(outcome), None, frozenset((o.name,)))
        total += lines.total(["*", tree, inner], o.name, o.kind == "integer")
    return total


def near(a: Any, b: Any, relative: float = 1e-22) -> bool:
    return bool(abs(mpf(a) - mpf(b)) <= mpf(relative) * max(1, abs(mpf(b))))


__all__ = ["Judgement", "short"]
