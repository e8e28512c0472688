"""The linear programme of an optimum: floating point proposes a basis, exact arithmetic works out
the primal and the dual that belong to it.

HiGHS may end at a basis that is not optimal, since probabilities such as q^20 are below its
tolerances. Therefore bases are also taken at larger q (the structure of the optimum changes rarely
with q); the best exact primal and the best exact dual need not come from one basis. The ball bound
(S3) is one more dual: of the row whose neighbourhood has the largest weight.

Few programmes are solved as a whole: where a mechanism that is filled up column by column, or one
with few free columns, attains the ball bound, nothing else is needed. That is so as a rule, for
mechanisms on the hypotheses and on all datasets alike; not where some demands are equal and their q
is small.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.terms.expression import log
>>> from ahdp_verify.analysis.power.claims import best_claim
>>> claim = best_claim(Domain([("a", log(2))]), [(0,), (1,)], ["0", "1"], [[(0, 0, 1)], [(1, 1, 1)]], 0)
>>> found = solve_best_claim(claim)
>>> found.low.value, found.high.value
(Fraction(2, 3), Fraction(2, 3))
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import flint

from ahdp_verify.analysis.power.exact_vertex import Dual, Primal, at_basis
from ahdp_verify.analysis.power.few_columns import kernel_with_few_columns
from ahdp_verify.analysis.power.filling import kernel_by_filling
from ahdp_verify.analysis.power.highs import float_basis
from ahdp_verify.analysis.power.optimal_face import kernel_in_face
from ahdp_verify.analysis.power.rational_functions import RationalFunction
from ahdp_verify.analysis.power.structure import (
    Exact,
    Programme,
    cost_numbers,
    factors,
    of_flint,
    programme_of_claim,
    to_flint,
)
from ahdp_verify.analysis.power.variable import Variable
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.kernel.evidence.certificate import Lemma, Optimum
from ahdp_verify.kernel.rules.best_power import BestClaim

# inequalities from which on a mechanism with few free columns is looked for before HiGHS solves the
# whole programme: with 4,200 the two take 0.09 s and 0.2 s, with 14,500 0.6 s and 5 s; the vertices
# of smaller programmes have shorter probabilities. From there on the interior point method is faster
# than the simplex method as well: 2.4 s and 32 s with 34,000
MANY = 5000
Report = Callable[[str], None]
LARGER = (
    0.05,
    0.1,
    1 / 6,
    0.25,
    1 / 3,
    0.5,
    # least q at which further bases are searched for, if need be; found to be enough for k <= 4, t
    # <= 12, q >= 1/1000
)


@dataclass(frozen=True, slots=True)
class PrimalDual:
    """The best exact primal and dual that were found; the optimum lies between their values,
    which are numbers or functions of `variable`.
    """

    low: Primal | None
    high: Dual | None
    variable: Variable

    __repr__ = short_repr

    @property
    def exact(self) -> bool:
        """True if they meet."""
        return self.low is not None and self.high is not None and self.low.value == self.high.value


def ball_bound_dual(p: Programme, claim: BestClaim, variable: Variable) -> Dual | None:
    """The dual of the row around which the hypotheses have the largest total weight (S3): it
    carries the whole price; None if an aim is more than one probability of weight 1.
    """
    if any(len(aim) != 1 or aim[0][2] != 1 for aim in p.aims):
        return None
    costs = cost_numbers(claim, variable)
    # a demand that no edge of the programme has may still be a function
    fast = p if any(isinstance(c, RationalFunction) for c in costs) else p.in_flint
    if isinstance(fast.one, flint.fmpq):
        costs = [None if c is None else to_flint(c) for c in costs]
    factor = factors(claim, costs, fast.one)
    best: tuple[Exact, int, dict[int, tuple[Exact, int, int]]] | None = None
    for v in (listed[0] for listed in p.rows.values()):  # the others have the same weight
        nearest: dict[int, tuple[Exact, int, int]] = {}
        for h, ((r, u, _),) in enumerate(p.aims):
            far = factor(v, r)
            if far is not None and (u not in nearest or not far > nearest[u][0]):
                nearest[u] = far, h, r
        weight = sum((1 / far for far, _, _ in nearest.values()), fast.zero)
        if weight and (best is None or weight > best[0]):
            best = (weight, v, nearest)
    if best is None:
        return None
    weight, v, nearest = best
    prior: list[Exact] = [fast.zero] * len(p.aims)
    prices: list[Exact] = [fast.zero] * len(p.of)
    prices[v] = 1 / weight
    flows: list[tuple[tuple[int, int, Exact], ...]] = []
    for u in range(p.width):
        if u not in nearest:
            flows.append(())
            continue
        far, h, r = nearest[u]
        prior[h] += 1 / far / weight
        flows.append(((r, v, of_flint(1 / far / weight)),) if r != v else ())
    shown = tuple(map(of_flint, prices))
    return Dual(shown[v], tuple(map(of_flint, prior)), shown, tuple(flows))


def solve_best_claim(claim: BestClaim, report: Report = lambda _: None) -> PrimalDual:
    """The optimum of a claim: the best exact primal and dual that were found, equal as a rule."""
    p, variable = programme_of_claim(claim)
    found = PrimalDual(None, ball_bound_dual(p, claim, variable), variable)
    if found.high is not None:
        found = _best_of(found, kernel_by_filling(p, found.high), None)
    if len(p.edges) >= MANY and not found.exact:
        found = with_few_columns(p, found, report)
    return found if found.exact else search_bases(p, found, report)


def with_few_columns(p: Programme, found: PrimalDual, report: Report) -> PrimalDual:
    """The same with a mechanism that attains the value of the dual, if one with few free columns
    does.
    """
    if found.high is None:
        return found
    report(f"mechanisms with few free columns among {p.count} probabilities")
    return _best_of(found, kernel_with_few_columns(p, found.high), None)


def search_bases(p: Programme, found: PrimalDual, report: Report = lambda _: None) -> PrimalDual:
    """The best exact primal and dual of a programme, at bases of it and of programmes near it,
    and what was found before.
    """
    most = max((log for log, c in zip(p.logs, p.costs, strict=True) if c > 1), default=math.log(2))
    stretches = [1.0, *(stretch for q in LARGER if (stretch := -math.log(q) / most) < 1)]
    tried: Exact = None
    for solver in ("ipm", "simplex") if len(p.edges) >= MANY else ("simplex", "ipm"):
        for stretch in stretches:
            report(f"linear programme of {p.count} probabilities, levels times {stretch:.3g}")
            basis = float_basis(p, stretch, solver)
            bound = None if found.high is None else found.high.value
            found = _best_of(found, *at_basis(p, basis, bound)) if basis else found
            if (
                not found.exact
                and found.high is not None
                and (tried is None or found.high.value != tried)
            ):
                report("looking for a mechanism inside the optimal face")
                tried = found.high.value
                found = _best_of(found, kernel_in_face(p, found.high), None)
            if found.exact:
                return found
    return found


def _best_of(found: PrimalDual, low: Primal | None, high: Dual | None) -> PrimalDual:
    """The best of both."""
    if low is not None and (found.low is None or low.value > found.low.value):
        found = replace(found, low=low)
    if high is not None and (found.high is None or high.value < found.high.value):
        found = replace(found, high=high)
    return found


def optimum_certificate(
    claim: BestClaim,
    found: PrimalDual,
    low: Primal | None,
    high: Dual | None,
    lemmas: tuple[Lemma, ...] = (),
) -> Optimum:
    """The certificate of a claim with this primal and this dual; a part that the claim does not
    ask for is None.
    """
    place: dict[Any, int] = {}

    def number(x: Exact) -> int:
        return place.setdefault(x, len(place))

    kernel = tuple(tuple(map(number, row)) for row in low.kernel) if low else ()
    prior, prices = (
        (tuple(map(number, high.prior)), tuple(map(number, high.prices))) if high else ((), ())
    )
    flows = (
        tuple(tuple((i, j, number(y)) for i, j, y in flow) for flow in high.flows) if high else ()
    )
    rest = (
        _uniform_row(claim, number) if claim.everywhere and claim.relation == "swap" and low else ()
    )
    return Optimum(
        claim.fingerprint,
        lemmas,
        tuple(found.variable.tree(x) for x in place),
        kernel,
        rest,
        prior,
        prices,
        flows,
    )


def _uniform_row(claim: BestClaim, number: Callable[[Exact], int]) -> tuple[int, ...]:
    """The row in which all outcomes are equally likely (E5)."""
    return (number(Fraction(1, len(claim.columns))),) * len(claim.columns)
