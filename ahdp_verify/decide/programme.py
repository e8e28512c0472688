"""The linear programme of an optimum: floating point proposes a basis, exact arithmetic works out the primal and the dual that belong to it.

Variables are the chances K(D, u), the same for pairs (D, u) that a symmetry of the claim carries into each other, and the value.  In a basis
some privacy inequalities are tight.  They tie the chances of a column together into trees, within which all ratios are known; so what is left
to be solved exactly is one equation for each row.  The dual follows from the transposed equations and, tree by tree, from leaves to root.

HiGHS may end at a basis that is not optimal, since chances such as q^20 are below its tolerances.  Therefore bases are also taken at larger q
(the structure of the optimum changes rarely with q); the best exact primal and the best exact dual need not come from one basis.  The ball
bound (S3) is one more dual: of all rows the one whose neighbourhood weighs most.

>>> from ahdp_verify.domain import Domain
>>> from ahdp_verify.expression import log
>>> claim = BestClaim.of(Domain([("a", log(2))]), [(0,), (1,)], ["0", "1"], [[(0, 0, 1)], [(1, 1, 1)]], 0)
>>> found = solve(claim)
>>> found.low.value, found.high.value
(Fraction(2, 3), Fraction(2, 3))
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import flint

from ahdp_verify.certificate import Lemma, Optimum
from ahdp_verify.decide import functions
from ahdp_verify.decide.functions import Function
from ahdp_verify.decide.variable import Variable, variable_of
from ahdp_verify.errors import BadInput
from ahdp_verify.optimum import BestClaim, moves

LARGER = (0.05, 0.1, 1 / 6, 0.25, 1 / 3, 0.5)  # least q at which further bases are looked for, if need be; found to be enough for k <= 4, t <= 12, q >= 1/1000
MOST_EQUATIONS = 80  # in functions; 40 take some seconds
TINY = 1e-12  # coefficients below are dropped by HiGHS, whatever its options say
Edge = tuple[int, int, int]  # (a, b, c): chance a >= chance b / cost number c
Exact = Any  # a Fraction, or a Function of the variable of the claim; both add, multiply, divide and compare


@dataclass(frozen=True, slots=True)
class Primal:
    """A private kernel, its chances by row and column, and its least aim."""

    value: Exact
    kernel: tuple[tuple[Exact, ...], ...]


@dataclass(frozen=True, slots=True)
class Dual:
    """A prior of the aims, prices of the rows, and flows (i, j, amount) for each column, which show that no least aim exceeds `value`."""

    value: Exact
    prior: tuple[Exact, ...]
    prices: tuple[Exact, ...]
    flows: tuple[tuple[tuple[int, int, Exact], ...], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The best exact primal and dual that were found; the optimum lies between their values, which are numbers or functions of `variable`."""

    low: Primal | None
    high: Dual | None
    variable: Variable

    @property
    def exact(self) -> bool:
        """True if they meet."""
        return self.low is not None and self.high is not None and self.low.value == self.high.value


Aims = list[list[tuple[int, int, Exact]]]
Pair = tuple[int, int, int]  # two rows, and the number of the cost of their distance


class Programme:
    """Variables and inequalities: a kernel of which some rows are near each other, and the aims; `of` says which variable is at a row and a column."""

    def __init__(self, aims: Aims, costs: list[Exact], pairs: list[Pair], of: list[list[int]], count: int) -> None:
        self.aims, self.costs, self.pairs, self.of, self.count, self.width = aims, costs, pairs, of, count, len(of[0])
        self.edges: dict[Edge, list[tuple[int, int, int]]] = {}
        for i, j, c in self.pairs:
            for u in range(self.width):
                for a, b in ((i, j), (j, i)):
                    self.edges.setdefault((self.of[a][u], self.of[b][u], c), []).append((a, b, u))
        self.rows: dict[tuple[tuple[int, int], ...], list[int]] = {}
        for i, row in enumerate(self.of):
            self.rows.setdefault(tally((v, 1) for v in row), []).append(i)
        self.goals: dict[tuple[tuple[int, Any], ...], list[int]] = {}
        for h, aim in enumerate(self.aims):
            self.goals.setdefault(tally((self.of[r][u], w) for r, u, w in aim), []).append(h)
        self.scale = scales(self)


def of_claim(claim: BestClaim) -> tuple[Programme, Variable]:
    """The programme of an optimum, with one variable for each class under the symmetries of the claim."""
    weights = [[(r, u, claim.signed(w, claim.here)) for r, u, w in aim] for aim in claim.aims]
    variable = variable_of(claim, [w for aim in weights for _, _, w in aim])
    costs, pairs = distances(claim, variable)
    aims = [[(r, u, variable.number(w)) for r, u, w in aim] for aim in weights]
    return Programme(aims, costs, pairs, *classes(claim, aims, costs, pairs)), variable


def of_test(chances: list[list[Exact]], labels: list[int], width: int) -> Programme:
    """The programme of the best test: chances[h][cell] of each hypothesis, and the answer that is right for it."""
    cells = len(chances[0])
    aims = [[(cell, u, p) for cell, p in enumerate(law) if p] for law, u in zip(chances, labels, strict=True)]
    return Programme(aims, [], [], [[cell * width + u for u in range(width)] for cell in range(cells)], cells * width)


def tally(pairs: Any) -> tuple[tuple[Any, Any], ...]:
    """The sum for each key, in order."""
    table: dict[Any, Any] = {}
    for key, n in pairs:
        table[key] = table.get(key, 0) + n
    return tuple(sorted(table.items()))


def distances(claim: BestClaim, variable: Variable) -> tuple[list[Exact], list[tuple[int, int, int]]]:
    """The different exponentials of distances, and the pairs of neighbouring rows (i, j, number of theirs)."""
    listed: list[Exact] = []
    pairs, costs = [], claim.costs()
    for i, j in moves(claim):
        factor = claim.factor(i, j, costs)
        if factor is not None:
            value = variable.number(factor)
            if value not in listed:
                listed.append(value)
            pairs.append((i, j, listed.index(value)))
    return listed, pairs


def classes(claim: BestClaim, aims: Any, costs: list[Exact], pairs: list[tuple[int, int, int]]) -> tuple[list[list[int]], int]:
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
            for u in range(width):
                a, b = root(i * width + u), root(rows[i] * width + columns[u])
                parent[max(a, b)] = min(a, b)
    number: dict[int, int] = {}
    of = [[number.setdefault(root(i * width + u), len(number)) for u in range(width)] for i in range(height)]
    return of, len(number)


def symmetries(claim: BestClaim, aims: Any) -> Iterator[tuple[list[int], list[int]]]:
    """Exchanges of two records of equal cost that carry rows into rows and aims into aims, as permutations of rows and of columns."""
    place, costs = {row: i for i, row in enumerate(claim.rows)}, [None if c is None else c.key for c in claim.costs()]
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
            swapped = [(*row[:a], row[b], *row[a + 1 : b], row[a], *row[b + 1 :]) for row in claim.rows]
            if any(row not in place for row in swapped):
                continue
            rows = [place[row] for row in swapped]
            free = {key: list(listed) for key, listed in columns_of.items()}
            moved = [free.get(frozenset((rows[r], w, n) for r, w, n in gain), []) for gain in gains]
            if not all(moved):
                continue
            columns = [options.pop(0) if options else -1 for options in moved]
            if -1 not in columns and tally((aim_key((rows[r], columns[u], w) for r, u, w in aim), 1) for aim in aims) == said:
                yield rows, columns


def aim_key(aim: Any) -> str:
    """What aims share that are the same up to order."""
    return repr(sorted((r, u, str(w)) for r, u, w in aim))


def scales(p: Programme) -> list[float]:
    """A size for each variable: how far its chance may fall below that of the aim in its column; so all scaled chances are about as large."""
    logs = [-math.log(float(c)) for c in p.costs]
    near: list[list[tuple[int, float]]] = [[] for _ in p.of]
    for i, j, c in p.pairs:
        near[i].append((j, logs[c]))
        near[j].append((i, logs[c]))
    sizes = [-math.inf] * p.count
    goals: list[list[int]] = [[] for _ in range(p.width)]
    for aim in p.aims:
        for r, u, w in aim:
            if len(aim) == 1 and w > 0:
                goals[u].append(r)
    for u, starts in enumerate(goals):
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


Basis = tuple[list[bool], list[bool]]  # which variables are at 0, which inequalities are tight: edges, then aims


def float_basis(p: Programme, stretch: float, solver: str) -> Basis | None:
    """The basis at which HiGHS ends when every level is multiplied by `stretch`; None where it does not end at an optimum."""
    engine = solved(p, stretch, solver)
    if engine is None:
        return None
    basis, basic = engine.getBasis(), library().HighsBasisStatus.kBasic
    return [s != basic for s in basis.col_status][: p.count], [s != basic for s in basis.row_status][: len(p.edges) + len(p.goals)]


def float_solution(p: Programme) -> tuple[list[list[float]], list[float]] | None:
    """A nearly optimal kernel and a nearly least favourable prior, None where HiGHS finds none."""
    engine = solved(p, 1.0, "simplex")
    if engine is None:
        return None
    found, prior = engine.getSolution(), [0.0] * len(p.aims)
    for g, listed in enumerate(p.goals.values()):
        for h in listed:
            prior[h] = abs(found.row_dual[len(p.edges) + g]) / len(listed)
    return [[found.col_value[v] * math.exp(p.scale[v]) for v in row] for row in p.of], prior


def solved(p: Programme, stretch: float, solver: str) -> Any:
    """HiGHS at the optimum of the programme whose levels are multiplied by `stretch`; None where it does not end at one."""
    highspy = library()
    import numpy as np  # noqa: PLC0415 - it comes with highspy

    infinity, size = highspy.kHighsInf, [math.exp(stretch * s) for s in p.scale]
    start, index, value, low, high = [0], list[int](), list[float](), list[float](), list[float]()

    def add(terms: list[tuple[int, float]], least: float, most: float) -> None:
        kept = [(i, v) for i, v in terms if abs(v) >= TINY]
        index.extend(i for i, _ in kept)
        value.extend(v for _, v in kept)
        start.append(len(index))
        low.append(least)
        high.append(most)

    for a, b, c in p.edges:
        add([(a, 1.0), (b, -(float(p.costs[c]) ** -stretch) * size[b] / size[a])] if a != b else [], 0, infinity)
    for goal in p.goals:
        add([*((v, float(w) * size[v]) for v, w in goal), (p.count, -1.0)], 0, infinity)
    for row in p.rows:
        add([(v, n * size[v]) for v, n in row], 1, 1)
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = p.count + 1, len(low)
    model.col_cost_ = np.array([0.0] * p.count + [-1.0])
    model.col_lower_ = np.array([0.0] * p.count + [-infinity])
    model.col_upper_ = np.full(p.count + 1, infinity)
    model.row_lower_, model.row_upper_ = np.array(low, float), np.array(high, float)
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_, model.a_matrix_.index_, model.a_matrix_.value_ = np.array(start), np.array(index), np.array(value)
    engine, options = highspy._Highs(), highspy.HighsOptions()  # not Highs(), which prints its name when it is made
    for option, setting in (("output_flag", False), ("primal_feasibility_tolerance", 1e-10), ("dual_feasibility_tolerance", 1e-10), ("small_matrix_value", TINY),
                            ("threads", 1), ("solver", solver)):  # fmt: skip
        setattr(options, option, setting)
    engine.passOptions(options)
    engine.passModel(model)
    engine.run()
    return engine if engine.getModelStatus() == highspy.HighsModelStatus.kOptimal else None


def library() -> Any:
    """HiGHS; BadInput where it is not installed."""
    try:
        import highspy  # noqa: PLC0415 - it is an extra
    except ImportError:
        raise BadInput("power", "highspy is not installed", "pip install 'ahdp-verify[power]'") from None
    return highspy


class Trees:
    """The chances that the tight inequalities of a basis tie together: the tree of each variable, its ratio to the root, and its way to it."""

    def __init__(self, p: Programme, basis: Basis) -> None:
        self.edges = list(p.edges)
        near: list[list[tuple[int, int]]] = [[] for _ in range(p.count)]
        for e, (a, b, _) in enumerate(self.edges):
            if basis[1][e] and a != b:
                near[a].append((b, e))
                near[b].append((a, e))
        self.of, self.parent = [-1] * p.count, [(-1, -1)] * p.count
        self.ratio: list[Exact] = [Fraction(1)] * p.count
        self.members: list[list[int]] = []
        for root in range(p.count):
            if self.of[root] < 0:
                self._grow(p, near, root)

    def _grow(self, p: Programme, near: list[list[tuple[int, int]]], root: int) -> None:
        members, t = [root], len(self.members)
        self.of[root] = t
        for x in members:
            for y, e in near[x]:
                if self.of[y] < 0:
                    a, _, c = self.edges[e]
                    self.of[y], self.parent[y] = t, (x, e)
                    self.ratio[y] = self.ratio[x] * p.costs[c] if a == x else self.ratio[x] / p.costs[c]
                    members.append(y)
        self.members.append(members)


def solve_exactly(matrix: list[list[Exact]], right: list[Exact]) -> list[Exact] | None:
    """The solution of a square system, or None if it is singular."""
    n = len(matrix)
    if any(len(row) != n for row in matrix):
        return None
    if any(isinstance(x, Function) for row in matrix for x in row):
        return functions.solve(matrix, right) if n <= MOST_EQUATIONS else None
    try:
        found = flint.fmpq_mat(n, n, [flint.fmpq(x.numerator, x.denominator) for row in matrix for x in row]).solve(
            flint.fmpq_mat(n, 1, [flint.fmpq(x.numerator, x.denominator) for x in right]))  # fmt: skip
    except ZeroDivisionError:
        return None
    return [Fraction(int(found[i, 0].p), int(found[i, 0].q)) for i in range(n)]


def at_basis(p: Programme, basis: Basis) -> tuple[Primal | None, Dual | None]:
    """The exact primal and dual of a basis, each only if it is feasible."""
    trees, goals, rows = Trees(p, basis), list(p.goals), list(p.rows)
    tight = [g for g in range(len(goals)) if basis[1][len(trees.edges) + g]]
    zero = {trees.of[v] for v in range(p.count) if basis[0][v]}
    of_value: dict[int, tuple[Exact, int]] = {}  # trees that a tight aim makes a multiple of the value
    equations = []
    for g in tight:
        tree = trees.of[goals[g][0][0]]
        if len(goals[g]) == 1 and tree not in zero and tree not in of_value:
            of_value[tree] = (1 / (goals[g][0][1] * trees.ratio[goals[g][0][0]]), g)
        else:
            equations.append(g)
    free = [t for t in range(len(trees.members)) if t not in zero and t not in of_value]
    place, last = {t: i for i, t in enumerate(free)}, len(free)

    def line(terms: Any) -> list[Exact]:
        found: list[Exact] = [Fraction(0)] * (last + 1)
        for v, n in terms:
            t = trees.of[v]
            if t in place:
                found[place[t]] += n * trees.ratio[v]
            elif t in of_value:
                found[last] += n * trees.ratio[v] * of_value[t][0]
        return found

    matrix = [line(row) for row in rows]
    for g in equations:
        matrix.append(line(goals[g]))
        matrix[-1][last] -= 1
    right = [Fraction(1)] * len(rows) + [Fraction(0)] * len(equations)
    found = solve_exactly(matrix, right)
    if found is None:
        return None, None
    sizes = [found[place[t]] if t in place else found[last] * of_value[t][0] if t in of_value else Fraction(0) for t in range(len(trees.members))]
    chances = [sizes[trees.of[v]] * trees.ratio[v] for v in range(p.count)]
    prices = solve_exactly([list(column) for column in zip(*matrix, strict=True)], [Fraction(0)] * last + [Fraction(1)])
    dual = None if prices is None else expanded_dual(p, trees, prices[: len(rows)], dict(zip(equations, (-x for x in prices[len(rows) :]), strict=True)), of_value, zero)
    return expanded_primal(p, chances), dual


def expanded_primal(p: Programme, chances: list[Exact]) -> Primal | None:
    """The kernel of class chances, if it is private; its value is its least aim."""
    if any(x < 0 for x in chances) or any(chances[a] * p.costs[c] < chances[b] for a, b, c in p.edges):
        return None
    value = min(sum((w * chances[v] for v, w in goal), Fraction(0)) for goal in p.goals)
    return Primal(value, tuple(tuple(chances[v] for v in row) for row in p.of))


def expanded_dual(p: Programme, trees: Trees, prices: list[Exact], weights: dict[int, Exact], of_value: dict[int, tuple[Exact, int]], zero: set[int]) -> Dual | None:
    """Prior, prices and flows of all rows from those of their classes; None if one of them is negative."""
    need: list[Exact] = [Fraction(0)] * p.count  # what the prices leave to each variable, once gains are paid
    for price, row in zip(prices, p.rows, strict=True):
        for v, n in row:
            need[v] += price * n
    goals, weights = list(p.goals), dict(weights)
    for g, weight in weights.items():
        for v, w in goals[g]:
            need[v] -= weight * w
    for tree, (_, g) in of_value.items():
        v, w = goals[g][0]
        weights[g] = sum((need[x] * trees.ratio[x] for x in trees.members[tree]), Fraction(0)) / (trees.ratio[v] * w)
        need[v] -= weights[g] * w
    amounts: dict[int, Exact] = {}
    for members in trees.members:
        for v in reversed(members[1:]):
            above, e = trees.parent[v]
            a, _, c = trees.edges[e]
            # the inequality is chance a - chance b / cost >= 0; what v still needs goes through it
            amounts[e] = need[v] if a == v else -need[v] * p.costs[c]
            need[above] += amounts[e] / p.costs[c] if a == v else -amounts[e]
            need[v] = Fraction(0)
    if any(x < 0 for x in (*weights.values(), *amounts.values(), *need)):
        return None
    prior: list[Exact] = [Fraction(0)] * len(p.aims)
    of_rows: list[Exact] = [Fraction(0)] * len(p.of)
    for g, weight in weights.items():
        for h in p.goals[goals[g]]:
            prior[h] = weight / len(p.goals[goals[g]])
    for price, listed in zip(prices, p.rows.values(), strict=True):
        for i in listed:
            of_rows[i] = price / len(listed)
    flows: list[list[tuple[int, int, Exact]]] = [[] for _ in range(p.width)]
    for e, amount in amounts.items():
        full = p.edges[trees.edges[e]]
        for a, b, u in full if amount else ():
            flows[u].append((b, a, amount / len(full) / p.costs[trees.edges[e][2]]))  # as cost * K(a) - K(b) >= 0
    settle(p, prior, of_rows, flows)
    return Dual(sum(of_rows, Fraction(0)), tuple(prior), tuple(of_rows), tuple(map(tuple, flows)))


def settle(p: Programme, prior: list[Exact], prices: list[Exact], flows: list[list[tuple[int, int, Exact]]]) -> None:
    """Adds flows between rows at distance 0, so that what is left is spread evenly: at their first row."""
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


def ball_bound(p: Programme, claim: BestClaim, variable: Variable) -> Dual | None:
    """The dual of the row around which the hypotheses weigh most (S3): its price is everything; None if an aim is more than one chance of weight 1."""
    if any(len(aim) != 1 or aim[0][2] != 1 for aim in p.aims):
        return None
    costs = claim.costs()
    best: tuple[Exact, int, dict[int, tuple[Exact, int, int]]] | None = None
    for v in range(len(p.of)):
        nearest: dict[int, tuple[Exact, int, int]] = {}
        for h, ((r, u, _),) in enumerate(p.aims):
            factor = claim.factor(v, r, costs)
            if factor is not None:
                nearest[u] = max(nearest.get(u, (Fraction(0), -1, -1)), (1 / variable.number(factor), h, r))
        weight = sum((x for x, _, _ in nearest.values()), Fraction(0))
        if weight and (best is None or weight > best[0]):
            best = (weight, v, nearest)
    if best is None:
        return None
    weight, v, nearest = best
    prior: list[Exact] = [Fraction(0)] * len(p.aims)
    prices: list[Exact] = [Fraction(0)] * len(p.of)
    prices[v] = 1 / weight
    flows: list[tuple[tuple[int, int, Exact], ...]] = []
    for u in range(p.width):
        x, h, r = nearest.get(u, (Fraction(0), -1, -1))
        prior[h] += x / weight if h >= 0 else 0
        flows.append(((r, v, x / weight),) if h >= 0 and r != v else ())
    return Dual(prices[v], tuple(prior), tuple(prices), tuple(flows))


Report = Callable[[str], None]


def solve(claim: BestClaim, report: Report = lambda _: None) -> Found:
    """The optimum of a claim: the best exact primal and dual that were found, equal as a rule."""
    p, variable = of_claim(claim)
    return searched(p, Found(None, ball_bound(p, claim, variable), variable), report)


def searched(p: Programme, found: Found, report: Report = lambda _: None) -> Found:
    """The best exact primal and dual of a programme, at bases of it and of programmes near it, and what was found before."""
    least = min((1 / float(c) for c in p.costs if c > 1), default=0.5)
    stretches = [1.0, *(math.log(q) / math.log(least) for q in LARGER if q > least)]
    for stretch in stretches:
        for solver in ("simplex", "ipm"):
            report(f"linear programme of {p.count} chances, levels times {stretch:.3g}")
            basis = float_basis(p, stretch, solver)
            found = better(found, *at_basis(p, basis)) if basis else found
            if found.exact:
                return found
    return found


def better(found: Found, low: Primal | None, high: Dual | None) -> Found:
    """The best of both."""
    if low is not None and (found.low is None or low.value > found.low.value):
        found = replace(found, low=low)
    if high is not None and (found.high is None or high.value < found.high.value):
        found = replace(found, high=high)
    return found


def certificate(claim: BestClaim, found: Found, low: Primal | None, high: Dual | None, lemmas: tuple[Lemma, ...] = ()) -> Optimum:
    """The certificate of a claim with this primal and this dual; a part that the claim does not ask for is None."""
    place: dict[Any, int] = {}

    def number(x: Exact) -> int:
        return place.setdefault(x, len(place))

    kernel = tuple(tuple(map(number, row)) for row in low.kernel) if low else ()
    prior, prices = (tuple(map(number, high.prior)), tuple(map(number, high.prices))) if high else ((), ())
    flows = tuple(tuple((i, j, number(y)) for i, j, y in flow) for flow in high.flows) if high else ()
    rest = uniform(claim, number) if claim.everywhere and claim.relation == "swap" and low else ()
    return Optimum(claim.fingerprint, lemmas, tuple(found.variable.tree(x) for x in place), kernel, rest, prior, prices, flows)


def uniform(claim: BestClaim, number: Callable[[Exact], int]) -> tuple[int, ...]:
    """The row in which all outcomes are equally likely (E5)."""
    return (number(Fraction(1, len(claim.columns))),) * len(claim.columns)
