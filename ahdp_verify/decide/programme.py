"""The linear programme of an optimum: floating point proposes a basis, exact arithmetic works out the primal and the dual that belong to it.

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
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ahdp_verify.certificate import Lemma, Optimum
from ahdp_verify.decide.face import inside, tight_by
from ahdp_verify.decide.kernels import Exact, Programme, of_claim
from ahdp_verify.decide.variable import Variable
from ahdp_verify.decide.vertex import Basis, Dual, Primal, at_basis
from ahdp_verify.errors import BadInput
from ahdp_verify.optimum import BestClaim

LARGER = (0.05, 0.1, 1 / 6, 0.25, 1 / 3, 0.5)  # least q at which further bases are looked for, if need be; found to be enough for k <= 4, t <= 12, q >= 1/1000
TINY = 1e-12  # coefficients below are dropped by HiGHS, whatever its options say


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


def inner_solution(p: Programme, value: float, forced: set[int]) -> list[float] | None:
    """Scaled chances well inside of all inequalities but those of the forced edges, at a given value; None where HiGHS finds none."""
    engine = solved(p, 1.0, "ipm", value, forced)
    return None if engine is None else list(engine.getSolution().col_value[: p.count])


def solved(p: Programme, stretch: float, solver: str, at: float | None = None, forced: Collection[int] = ()) -> Any:
    """HiGHS at the optimum of the programme whose levels are multiplied by `stretch`; None where it does not end at one.

    With a value `at` there is nothing to be improved, and the forced edges are equations: an interior point is found.
    """
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

    for e, (a, b, c) in enumerate(p.edges):
        add([(a, 1.0), (b, -(float(p.costs[c]) ** -stretch) * size[b] / size[a])] if a != b else [], 0, 0 if e in forced else infinity)
    for goal in p.goals:
        add([*((v, float(w) * size[v]) for v, w in goal), (p.count, -1.0)], 0, infinity)
    for row in p.rows:
        add([(v, n * size[v]) for v, n in row], 1, 1)
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = p.count + 1, len(low)
    model.col_cost_ = np.array([0.0] * p.count + [-1.0 if at is None else 0.0])
    model.col_lower_ = np.array([0.0] * p.count + [-infinity if at is None else at])
    model.col_upper_ = np.array([infinity] * p.count + [infinity if at is None else at])
    model.row_lower_, model.row_upper_ = np.array(low, float), np.array(high, float)
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_, model.a_matrix_.index_, model.a_matrix_.value_ = np.array(start), np.array(index), np.array(value)
    engine, options = highspy._Highs(), highspy.HighsOptions()  # not Highs(), which prints its name when it is made
    for option, setting in (("output_flag", False), ("primal_feasibility_tolerance", 1e-10), ("dual_feasibility_tolerance", 1e-10), ("small_matrix_value", TINY),
                            ("threads", 1), ("solver", solver), ("run_crossover", "on" if at is None else "off")):  # fmt: skip
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
    report("looking for a kernel inside of the optimal face")
    return better(found, None if found.high is None else rounded_inside(p, found.high), None)


def rounded_inside(p: Programme, high: Dual) -> Primal | None:
    """A kernel whose least aim is the value of a dual, from a point inside of the face on which that dual leaves it; None if none was found."""
    forced = tight_by(p, high)
    point = inner_solution(p, float(high.value), forced)
    return None if point is None else inside(p, high, forced, [x * math.exp(s) for x, s in zip(point, p.scale, strict=True)])


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
