"""Optima as formulas: a primal and a dual in Q = exp(-eps / N), found at one eps, are proved on the
whole interval on which they stay feasible.

Every inequality that the checker asks for is a polynomial in Q; the interval ends where the first
of them changes its sign.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.terms.expression import name
>>> from ahdp_verify.analysis.power.claims import best_claim
>>> claim = best_claim(Domain([("a", name("eps"))]), [(0,), (1,)], ["0", "1"], [[(0, 0, 1)], [(1, 1, 1)]], 0, parameters={"eps": "eps > 0"})
>>> [(str(piece.value), verdict.scope_text) for piece, _, verdict in formulas(claim)]
[('1/(exp(-eps) + 1)', 'mechanisms that are AHDP on the 2 datasets, 0 < eps')]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import Any

from ahdp_verify.analysis.power import linear_programme as programme
from ahdp_verify.analysis.power.rational_functions import RationalFunction
from ahdp_verify.kernel import checker
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Rejected
from ahdp_verify.kernel.evidence.certificate import Declined, Lemma
from ahdp_verify.kernel.model.neighbours import parameter_context
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, constant, log_of, primitive_part
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import NONNEGATIVE, Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.best_power import BestClaim, Numbers, check_best
from ahdp_verify.kernel.rules.inequalities import extend_context
from ahdp_verify.kernel.terms.expression import TRUE, Expression, conjuncts, name, names
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Clock, Limits
from ahdp_verify.search.proving import compared_inputs as comparing
from ahdp_verify.search.proving.one_variable import exp_sign_proof, interval_facts, sign_pattern
from ahdp_verify.search.proving.root_isolation import enclosing_multiples

ParameterEnd = tuple[Expression, bool]  # of eps, and whether it may be met
Report = Callable[[str], None]
MOST = 12  # most pieces of one formula


class RequiredNumbers(Numbers):
    """Numbers for which every comparison is assumed to be >= 0 and recorded: what has to be
    shown.
    """

    def __init__(
        self, given: Sequence[Ratio], more: Iterable[Ratio], here: Context, kept: list[Ratio]
    ) -> None:
        super().__init__(given, more, here)
        self.kept = kept

    def nonnegative(self, x: Any) -> bool:
        """True; the comparison is recorded if it is not known."""
        if not super().nonnegative(x):
            self.kept.append(x)
        return True


def _required_ratios(
    claim: BestClaim, found: programme.PrimalDual, lemmas: tuple[Lemma, ...]
) -> list[Ratio]:
    """Every ratio that has to be >= 0 and is not known to be."""
    kept: list[Ratio] = []
    check_best(
        claim,
        programme.optimum_certificate(claim, found, found.low, found.high, lemmas),
        partial(RequiredNumbers, kept=kept),
    )
    return list({r.key: r for r in kept}.values())


def required_signs(
    ratios: list[Ratio], here: Context, at: Callable[[Polynomial], int]
) -> dict[Polynomial, int]:
    """The primitive polynomials whose signs settle all ratios, each with the sign that it has at
    the sample (1 or -1).
    """
    found: dict[Polynomial, int] = {}
    for r in ratios:
        for p in (r.num, *(f for f, k in r.den if k % 2)):
            q = primitive_part(p)[2]
            if q.as_rational is None and len(here.signs(q)) > 1:
                found[q] = at(q)
    return found


def proved_on_interval(
    claim: BestClaim, found: programme.PrimalDual, report: Report = lambda _: None
) -> tuple[BestClaim, Proved]:
    """The claim with its formula on the largest interval around the sample on which primal and
    dual stay feasible, and its proof; Rejected if there is none.
    """
    if not found.exact or found.low is None or not found.variable.name:
        raise NotWorkedOut("optimum", "no formula was found", "give constant levels")
    if interval_facts(found.variable.name, claim.here) is None:
        raise NotWorkedOut(
            found.variable.name,
            "no lower bound of it was found",
            f'say so, for example "{found.variable.name} > 0"',
        )
    report("looking for the interval on which the formula holds")
    claim = replace(claim, value=found.variable.tree(found.low.value))
    clock, eps = Limits().clock(), found.variable.name
    field = found.variable.field

    def at(p: Polynomial) -> int:
        value = found.variable.number(Ratio(p))
        return field.sign(value.num) * field.sign(value.den)

    lemmas, wanted = list[Lemma](), dict[Polynomial, int]()
    for ratios in (
        _divisor_ratios,
        _required_ratios,
    ):  # a divisor's sign is needed before anything can be computed
        here = extend_context(tuple(lemmas), claim.here)
        wanted |= required_signs(ratios(claim, found, tuple(lemmas)), here, at)
        claim = restrict_claim(
            claim,
            eps,
            *nearest_sign_changes(
                wanted, sample_eps(found), here, clock, met=ratios is _required_ratios
            ),
        )
        lemmas = prove_signs(wanted, claim, clock)
    return claim, checker.check(
        claim,
        programme.optimum_certificate(claim, found, found.low, found.high, tuple(lemmas)),
        None,
        comparing.find_compared_inputs(claim),
    )


def _divisor_ratios(
    _: BestClaim, found: programme.PrimalDual, __: tuple[Lemma, ...]
) -> list[Ratio]:
    """The divisors of all numbers, which must not be 0."""
    if found.low is None or found.high is None:
        return []
    flows = (y for flow in found.high.flows for _, _, y in flow)
    listed = [
        x.den
        for x in (
            *(x for row in found.low.kernel for x in row),
            *found.high.prior,
            *found.high.prices,
            *flows,
        )
        if isinstance(x, RationalFunction)
    ]
    return [
        normal(
            found.variable.tree(RationalFunction(den, den / den, found.variable.field)),
            Context.empty(),
        )
        for den in {str(d): d for d in listed}.values()
    ]


def prove_signs(wanted: dict[Polynomial, int], claim: BestClaim, clock: Clock) -> list[Lemma]:
    """A lemma for each polynomial whose sign is not known, with its proof."""
    here, lemmas = parameter_context(claim.parameters), list[Lemma]()
    for p, s in wanted.items():
        place = extend_context(tuple(lemmas), here)
        if len(place.signs(p)) > 1 and not place.signs(p) <= NONNEGATIVE:
            q = p if s >= 0 else -p
            strict = next(
                (
                    (relation, shown)
                    for relation in (">", ">=")
                    if (shown := exp_sign_proof(q, relation, here, clock)) is not None
                ),
                None,
            )
            if strict is not None:
                lemmas.append(Lemma("proved", (to_expression(Ratio(q)),), strict[0], (strict[1],)))
    return lemmas


def sample_eps(found: programme.PrimalDual) -> Ratio:
    """The eps of the sample."""
    q = found.variable.field.sample
    if q is None:
        raise BadInput("optimum", "its levels are constants", "ask for the value")
    return log_of(constant(1 / q)).scale(found.variable.root)


def nearest_sign_changes(
    wanted: dict[Polynomial, int], sample: Ratio, here: Context, clock: Clock, *, met: bool
) -> tuple[ParameterEnd | None, ParameterEnd | None]:
    """The nearest changes of sign below and above the sample; `met` says whether they belong to
    the interval.
    """
    low: Ratio | None = None
    high: Ratio | None = None
    for p in wanted:
        found = sign_pattern(p, here, clock)
        if isinstance(found, Declined):
            raise Rejected(found.reason)
        for root in found.roots:
            if not root.odd:
                continue
            place = root.exact if root.exact is not None and not root.exact.den else None
            below, above = (
                (place, place)
                if place is not None
                else tuple(map(constant, enclosing_multiples(root, clock)))
            )
            if constant_sign(sample - above) in (0, 1) and (
                low is None or constant_sign(above - low) == 1
            ):
                low = above
            elif constant_sign(below - sample) in (0, 1) and (
                high is None or constant_sign(high - below) == 1
            ):
                high = below
    return (to_expression(low), met) if low is not None else None, (
        to_expression(high),
        met,
    ) if high is not None else None


def restrict_claim(
    claim: BestClaim, eps: str, low: ParameterEnd | None, high: ParameterEnd | None
) -> BestClaim:
    """The claim for those values of eps that lie between the ends as well, which are not outside
    its condition on eps.
    """
    conditions = {
        k: drop_bounds(c, eps, low is not None, high is not None) if k == eps else c
        for k, c in claim.parameters
    }
    for end, upper in ((low, False), (high, True)):
        if end is not None:
            said = Expression(
                "<=" if end[1] else "<", (name(eps), end[0]) if upper else (end[0], name(eps))
            )
            conditions[eps] = (
                said
                if conditions[eps] == Expression("boolean", (True,))
                else Expression("and", (conditions[eps], said))
            )
    return replace(claim, parameters=tuple(conditions.items()))


def drop_bounds(condition: Expression, eps: str, lower: bool, upper: bool) -> Expression:
    """The condition without its lower and its upper bounds of eps by constants."""

    def bounds(c: Expression, side: int) -> bool:
        return c.head in ("<", "<=") and c.args[side] == name(eps) and not names(c.args[1 - side])

    kept = [
        c
        for c in conjuncts(condition)
        if not (lower and bounds(c, 1)) and not (upper and bounds(c, 0))
    ]
    return reduce(lambda a, b: Expression("and", (a, b)), kept) if kept else TRUE


def formulas(
    claim: BestClaim, report: Report = lambda _: None
) -> list[tuple[BestClaim, programme.PrimalDual, Proved]]:
    """Claims with formulas and their proofs, in ascending order of eps, until no value is left
    among those that are tried; at most MOST pieces.
    """
    left, found = [claim], list[tuple[BestClaim, programme.PrimalDual, Proved]]()
    while left and len(found) < MOST:
        region = left.pop()
        try:
            best = programme.solve_best_claim(region, report)
            piece, verdict = proved_on_interval(region, best, report)
        except (BadInput, NotWorkedOut):
            if region is claim:
                raise
            continue  # no value is left
        found.append((piece, best, verdict))
        eps = best.variable.name
        low, high = new_ends(piece, region, eps)
        left += [restrict_claim(region, eps, None, (end, False)) for end in low] + [
            restrict_claim(region, eps, (end, False), None) for end in high
        ]
    return sorted(found, key=lambda item: float(_float_sample(item[1])))


def new_ends(
    piece: BestClaim, region: BestClaim, eps: str
) -> tuple[list[Expression], list[Expression]]:
    """The ends of the interval of a piece that are new: [lower], [upper]."""
    new = [
        c
        for c in conjuncts(dict(piece.parameters)[eps])
        if c not in conjuncts(dict(region.parameters)[eps])
    ]
    return [c.args[0] for c in new if c.args[1] == name(eps)], [
        c.args[1] for c in new if c.args[0] == name(eps)
    ]


def _float_sample(found: programme.PrimalDual) -> float:
    """The sample of eps, for sorting."""
    return -math.log(float(found.variable.field.sample or 1)) * found.variable.root
