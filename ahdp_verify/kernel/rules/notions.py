"""Proofs of zCDP, Rényi DP and GDP.

    here |- integral of p^a q^(1 - a) <= exp((a - 1) B)                        (exact, a > 1)
    p = N(m, v), q = N(n, v)      here |- a (m - n)^2 <= 2 v B                 (normal densities)
    here |- p(r) q(r') <= exp(c) q(r) p(r') for all outputs r, r'
    here |- a c^2 / 8 <= B                                                     (bounded range)
    -----------------------------------------------------------------------------------------
    here |- D_a(p || q) <= B

p, q    the laws on the dominated and on the dominating side of a move, both of total 1
a, B    for Rényi DP its order and bound; for zCDP every a > 1, and a rho
v       the variance, the same on both sides;  c  the range of the loss, in nats

Normal densities of means m, n and variance v are mu-GDP if (m - n)^2 <= v mu^2; for independent
outputs the sum of (m - n)^2/v counts.  A law whose square
is exp(-(s - m)^2/v)/(2 pi v) is the normal density, of total 1; that is the mass of such a proof.
Where q vanishes and p does not, the divergence is infinite; nothing is accepted there.  A loss of
range c under p and q has log E_q[exp(a loss)] of second derivative at most c^2/4 in a, and of value
0 at a = 0 and a = 1 (Bun and Steinke 2016, Cesar and Rogers 2021).

From premises (each proved in general form in proofs/laws/):

    pure L            |-  zCDP with rho = L (exp(L) - 1)/(exp(L) + 1), at the larger of the levels
                          of a move and of the move back
    normalised scores |-  zCDP with rho = (high - low)^2/8
    zCDP rho          |-  Rényi DP of every order a > 1 with bound a rho
    GDP mu            |-  zCDP with rho = mu^2/2
    zCDP rho          |-  level L and delta exp(-(L - rho)^2/(4 rho)), for L >= rho
    GDP mu            |-  level L and delta F(mu/2 - L/mu) - exp(L) F(-mu/2 - L/mu), with F the
                          distribution function of N(0, 1)

Bounds of composed parts add up; for GDP their squares do.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence import certificate as ev
from ahdp_verify.kernel.evidence.counterexample import expand_indexed_parts
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyClaim
from ahdp_verify.kernel.model.domain import neighbour_name
from ahdp_verify.kernel.model.mechanism import Mechanism, Output
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating, Nodes, substitute_nodes
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of, log_of
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, require_nonzero, require_positive
from ahdp_verify.kernel.rules import composition, integration
from ahdp_verify.kernel.rules.accepting import Acceptance, rely_on
from ahdp_verify.kernel.rules.applied import accept_applied
from ahdp_verify.kernel.rules.cases import LeafCheck, check_cases
from ahdp_verify.kernel.rules.composition import MoveKind, RuleConditions, SideCondition
from ahdp_verify.kernel.rules.hockey_stick import compared_parts, is_continuous
from ahdp_verify.kernel.rules.inequalities import check_leaf, check_sign, extend_context, log_form
from ahdp_verify.kernel.rules.obligations import Obligation, input_states, obligations
from ahdp_verify.kernel.rules.total_mass import check_extremes_defined, check_mass
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms.expression import (
    ONE,
    ZERO,
    Expression,
    add,
    multiply,
    number,
    oo,
    substitute,
)
from ahdp_verify.kernel.terms.functions import erf

HALF, ONE_RATIO = Fraction(1, 2), constant(1)
NormalLaw = list[tuple[Ratio, Ratio]]
PairOfLaws = tuple[Expression, Expression]
ORDER = "@order"  # by how much the order of zCDP, which is any such number, exceeds 1
WITHOUT_MASS = ev.Mass((), ())


def accept_notion(claim: NotionClaim, proof: ev.Certificate) -> Acceptance:
    """Accepted, if the law is a distribution, and the bound of every move holds."""
    bounds = claim.bounds
    if not isinstance(bounds, Claim) or proof.claim != claim.fingerprint or proof.conditions:
        raise Rejected("the certificate belongs to another claim")
    m, is_normal, leaf = bounds.mechanism, proof.mass == WITHOUT_MASS, bound_check
    check_extremes_defined(m)
    if is_normal:
        leaf = normal_check
        rely_on("the rule of normal densities")
        for state in input_states(m, proof.counts):
            normal_density(substitute_nodes(m.density, state.nodes), m.outputs, m.atoms, state.here)
    else:
        check_mass(m, proof.mass, proof.counts)
    for obligation, use in zip(obligations(bounds, proof.counts), proof.uses, strict=True):
        if use < 0:
            raise Rejected("an obligation has no evidence")
        check_cases(proof.evidence[use], obligation.here, leaf(claim, m, obligation))
    return Acceptance()


def bound_check(claim: NotionClaim, m: Mechanism, obligation: Obligation) -> LeafCheck:
    """The test of a leaf: the divergence of the two laws is at most the bound."""
    laws = pairs_of_laws(m, (obligation.dominated, obligation.dominating))

    def leaf(evidence: ev.Evidence, here: Context) -> None:
        if not isinstance(evidence, ev.HockeyStickLeaf | ev.CoordinatesLeaf):
            raise Rejected("a divergence needs its pieces, or the range of the loss")
        a, factor, here = with_order(claim, here)
        here = extend_context(evidence.lemmas, here)
        bound = normal(obligation.level, here) * factor
        if isinstance(evidence, ev.HockeyStickLeaf):
            rely_on("the rule of exact divergences")
            if evidence.choices:
                raise Rejected("all pieces of a divergence count")
            final = evidence.final
            spare = spare_of(
                final.form,
                (a - ONE_RATIO) * bound,
                divergence_power(m, laws, evidence.points, a, here),
                here,
            )
            check_sign(spare, ">=", final.proofs[0], extend_context(final.lemmas, here))
            return
        rely_on("the rule of bounded range")
        if is_continuous(m):
            raise Rejected("a range is shown for finitely many outputs")
        (width,), pairs = evidence.levels, itertools.permutations(laws, 2)
        for ((p, q), (r, t)), why in zip(pairs, evidence.leaves, strict=True):
            small, large = Dominated(multiply(p, t)), Dominating(multiply(q, r))
            check_leaf(why, small, large, width, here)
        spare = bound.scale(8) / a - normal(width, here) ** 2
        check_sign(spare, ">=", evidence.proofs[0], here)

    return leaf


def spare_of(form: str, most: Ratio, spent: Ratio, here: Context) -> Ratio:
    """What has to be >= 0 for spent <= exp(most): exp(most) - spent, or that of the logarithms."""
    if form == "log":
        return most - log_of(require_positive(spent, here))
    return exp_of(most) - spent


def with_order(claim: NotionClaim, here: Context) -> tuple[Ratio, Ratio, Context]:
    """The order a > 1, which for zCDP is 1 and any number > 0, the factor by which the claimed
    bound is multiplied there, and the context in which that is known.
    """
    if claim.notion == "gdp":
        raise Rejected("GDP bounds no divergence")
    if claim.order is not None:
        return normal(claim.order, here), ONE_RATIO, here
    more = algebra.symbol(ORDER)
    return ONE_RATIO + more, ONE_RATIO + more, here.given(more.num, ">")


def pairs_of_laws(mechanism: Mechanism, sides: tuple[Nodes, Nodes]) -> list[PairOfLaws]:
    """The laws at two inputs on each part of the output space."""
    first, second = (
        [
            substitute_nodes(expand_indexed_parts(part.law, n), n)
            for part in compared_parts(mechanism)
        ]
        for n in sides
    )
    return list(zip(first, second, strict=True))


def divergence_power(
    m: Mechanism, laws: list[PairOfLaws], points: tuple[Expression, ...], a: Ratio, here: Context
) -> Ratio:
    """The integral of p^a q^(1 - a) over all outputs, for a > 1 and laws >= 0; Rejected or
    Undecided where it is not shown to be finite.
    """
    total, others = constant(0), laws
    if is_continuous(m):
        if len(m.outputs) > 1:
            raise Rejected("a divergence over several outputs that are not finite is not shown")
        (variable, kind), others = (m.outputs[0].name, m.outputs[0].kind), laws[1:]
        ends = tuple(normal(p, here) for p in points)
        integration.check_points(variable, kind, ends, here)
        for i, j, upper in integration.piece_bounds(len(ends)):
            there = integration.piece_context(variable, kind, ends, upper, here)
            law = _weighted(*laws[0], a, there)
            u, v = (None if k is None else ends[k] for k in (i, j))
            total = total + integration.exponentials_total(law, variable, kind, u, v, there)
    for p, q in others:
        total = total + _weighted(p, q, a, here)
    return total


def _weighted(p: Expression, q: Expression, a: Ratio, here: Context) -> Ratio:
    """p^a q^(1 - a) for laws >= 0 and a > 1; 0 where p vanishes, with q or without it."""
    (c, e), (d, f) = log_form(p, here), log_form(q, here)
    if c.is_zero:
        return c
    ratio = require_positive(c / require_nonzero(d, here), here)
    return d * exp_of(a * (log_of(ratio) + e) + (ONE_RATIO - a) * f)


def normal_check(claim: NotionClaim, m: Mechanism, obligation: Obligation) -> LeafCheck:
    """The test of a leaf: two normal densities of one variance are close enough."""
    laws = pairs_of_laws(m, (obligation.dominated, obligation.dominating))

    def leaf(evidence: ev.Evidence, here: Context) -> None:
        if not isinstance(evidence, ev.InequalityLeaf) or evidence.form != "direct":
            raise Rejected("normal densities need one proof that their means are close")
        is_test = claim.notion == "gdp"
        a, factor, here = (ONE_RATIO, ONE_RATIO, here) if is_test else with_order(claim, here)
        here = extend_context(evidence.lemmas, here)
        first, second = (normal_density(law, m.outputs, m.atoms, here) for law in laws[0])
        gap, bound = squared_distance(first, second), normal(obligation.level, here)
        if is_test:
            check_sign(bound, ">=", None, here)
        spare = (bound**2 if is_test else (bound * factor / a).scale(2)) - gap
        check_sign(spare, ">=", evidence.proofs[0], here)

    return leaf


def squared_distance(first: NormalLaw, second: NormalLaw) -> Ratio:
    """The sum of (m - n)^2/v over the outputs, whose variances are the same on both sides."""
    total = constant(0)
    for (m, v), (n, w) in zip(first, second, strict=True):
        if not (v - w).is_zero:
            raise Rejected("the variance was not shown to be the same on both sides")
        total = total + (m - n) ** 2 / v
    return total


def normal_density(
    law: Expression, outputs: tuple[Output, ...], atoms: tuple[object, ...], here: Context
) -> NormalLaw:
    """The mean and the variance > 0 of each output, if the law is that of independent normal
    outputs here; Rejected otherwise.
    """
    known, (c, rest) = {o.name for o in outputs}, log_form(law, here)
    found, top, is_normal = [], c**2, not atoms and here.ratio_signs(c) <= {0, 1}
    widths = [ONE_RATIO] * 3  # 2 pi v, also as the square of a root, which is not opened
    for o in outputs:
        low, at, high = (algebra.replace_name(rest, o.name, constant(k)) for k in (-1, 0, 1))
        square, slope = (high + low).scale(HALF) - at, (high - low).scale(HALF)
        v = require_positive(constant(-1) / require_nonzero(square, here).scale(2), here)
        x, wide = algebra.symbol(o.name), algebra.PI * v.scale(2)
        free = known.isdisjoint(algebra.ratio_names(square) | algebra.ratio_names(slope))
        is_normal &= free and o.kind == "real" and (rest - (square * x + slope) * x - at).is_zero
        forms = (wide, _rooted(wide), v.scale(2) * _rooted(algebra.PI))
        widths = [w * form for w, form in zip(widths, forms, strict=True)]
        top, rest = top * exp_of(slope**2 * v), at
        found.append((slope * v, v))
    top = top * exp_of(rest.scale(2))
    is_normal &= known.isdisjoint(algebra.ratio_names(c) | algebra.ratio_names(rest))
    if not is_normal or not any((top * wide - ONE_RATIO).is_zero for wide in widths):
        raise Rejected("the law was not found to be that of normal outputs")
    return found


def _rooted(r: Ratio) -> Ratio:
    return exp_of(log_of(r).scale(HALF)) ** 2


# rules with premises


def _rate_of_pure(level: Expression) -> Expression:
    return level * (ex.exp(level) - ONE) / (ex.exp(level) + ONE)


def _delta_of_rho(level: Expression, rho: Expression) -> Expression:
    return ex.exp(-((level - rho) ** number(2)) / (4 * rho))


def _delta_of_mu(level: Expression, mu: Expression) -> Expression:
    """That of N(0, 1) against N(mu, 1)"""
    up, down = ((side * mu / 2 - level / mu) / ex.sqrt(2) for side in (1, -1))
    return (ONE + erf(up)) / 2 - ex.exp(level) * (ONE + erf(down)) / 2


# what each rule gives: the notion of its premise ("" for a level), and the bound or delta spent
CONVERSIONS: dict[str, tuple[str, str, Callable[[Expression], Expression]]] = {
    "pure_to_zcdp": ("zcdp", "", _rate_of_pure),
    "gdp_to_zcdp": ("zcdp", "gdp", lambda mu: mu * mu / 2),
    "zcdp_to_renyi": ("renyi", "zcdp", lambda rho: rho),
}
TO_DELTA: dict[str, tuple[str, Callable[[Expression, Expression], Expression]]] = {
    "zcdp_to_delta": ("zcdp", _delta_of_rho),
    "gdp_to_delta": ("gdp", _delta_of_mu),
}
ADDED = ("compose", "product", "post_process")
# rules that hold for every notion, with bounds in place of levels
LIFTED = (*ADDED, "mixture", "pull_back", "weaken", "to_ahdp", "written_out")


def accept_by_any_rule(
    claim: object, certificate: ev.ByRule, check_premise: composition.CheckPremise
) -> Acceptance:
    """Accepted, if a composition rule or a conversion derives the claim from its premises."""
    if isinstance(claim, AppliedClaim):
        return accept_applied(claim, certificate, check_premise)
    return composition.accept_by_rule(claim, certificate, check_premise, any_rule_conditions)


def any_rule_conditions(
    claim: AnyClaim | NotionClaim, rule: str, version: int, stated: ev.StatedPremise | None
) -> RuleConditions:
    """What a composition rule or a conversion needs to give the claim; Rejected if it cannot."""
    if not isinstance(claim, NotionClaim) and rule not in composition.OF_NOTIONS:
        return composition.rule_conditions(claim, rule, version, stated)
    composition.check_rule(rule, version, stated)
    rely_on("the conversions between notions")
    if stated is not None and rule in composition.CONVERTED:
        return _conversion(claim, rule, stated)
    if not isinstance(claim, NotionClaim) or rule not in (*LIFTED, "scores_to_zcdp"):
        raise Rejected(f"the rule {rule} does not give such a claim")
    return _scores(claim) if rule == "scores_to_zcdp" else _lifted(claim, rule, stated)


def _conversion(
    claim: NotionClaim | AnyClaim, rule: str, stated: ev.StatedPremise
) -> RuleConditions:
    """The premise of another notion, and the side conditions under which it gives the claim;
    Rejected if the rule does not apply to such a claim.
    """
    if stated.relation != claim.relation or stated.delta != ZERO:
        raise Rejected("the premise is about the same moves, and has no delta")
    if not isinstance(claim, NotionClaim) and rule in TO_DELTA:
        return _to_delta(claim, stated.level, *TO_DELTA[rule])
    wanted, notion, rate = CONVERSIONS.get(rule, ("", "", _rate_of_pure))
    if not isinstance(claim, NotionClaim) or wanted != claim.notion:
        raise Rejected(f"the rule {rule} does not give such a claim")
    times = ONE if claim.order is None else claim.order

    def spent(level: Expression, p: MoveKind) -> Expression:
        bound = p.at(level)
        return oo if composition.is_infinite(bound) else multiply(times, rate(bound))

    before = replace(claim.bounds, level=stated.level)
    premise = NotionClaim(before, notion) if notion else before
    levels = (stated.level, *(() if notion else (_backwards(stated.level, claim),)))
    sides = (
        composition.covering_conditions(claim.bounds, partial(spent, level))
        for level in dict.fromkeys(levels)
    )
    return RuleConditions((premise,), tuple(itertools.chain(*sides)))


def _backwards(level: Expression, claim: NotionClaim) -> Expression:
    """The level of the move back, which bounds the loss from below."""
    inputs = claim.mechanism.inputs
    there = {key: neighbour_name(key) for key in inputs.bound if key in inputs.pair_names}
    both = there | {other: key for key, other in there.items()}
    return substitute(level, {key: ex.name(other) for key, other in both.items()})


def _lifted(claim: NotionClaim, rule: str, stated: ev.StatedPremise | None) -> RuleConditions:
    """A rule for levels, read with bounds."""
    bounds, squared = claim.bounds, claim.notion == "gdp" and rule in ADDED
    about = replace(bounds, level=oo) if squared else bounds
    found = composition.COMPOSITION_RULES[rule].rule(about, stated)
    parts = [part for part in found.premises if isinstance(part, AnyClaim)]
    premises = tuple(NotionClaim(part, claim.notion, claim.order) for part in parts)
    return RuleConditions(premises, found.sides + (_squares(bounds, parts) if squared else ()))


def _squares(bounds: AnyClaim, parts: list[AnyClaim]) -> tuple[SideCondition, ...]:
    """The side conditions mu >= 0 and mu^2 >= the sum of the squares of the parts."""
    sides: tuple[SideCondition, ...] = ()
    for p in composition.move_kinds(bounds):
        mu, spent = p.at(bounds.level), [p.at(part.level) for part in parts]
        if not composition.is_infinite(mu):
            gap = mu * mu - add(*(e * e for e in spent))
            sides += composition.nonnegative_condition(f"mu >= 0 at {p.text}", p.here, mu)
            sides += composition.nonnegative_condition(f"a larger mu at {p.text}", p.here, gap)
    return sides


def _scores(claim: NotionClaim) -> RuleConditions:
    """zCDP where a move changes the scores by amounts in [low, high]: the loss has the range
    high - low.
    """
    if claim.notion != "zcdp":
        raise Rejected("a range gives zCDP")
    found = composition.normalised_rule(replace(claim.bounds, level=oo), None)
    _, low, high = getattr(claim.mechanism, "formulas", (ZERO, ZERO, ZERO))

    def spent(p: MoveKind) -> Expression:
        return composition.finite_difference(p.at(low), p.at(high)) ** number(2) / 8

    return RuleConditions((), found.sides + composition.covering_conditions(claim.bounds, spent))


def _to_delta(
    claim: AnyClaim,
    bound: Expression,
    notion: str,
    delta: Callable[[Expression, Expression], Expression],
) -> RuleConditions:
    """A level and a delta from zCDP or GDP."""
    sides: tuple[SideCondition, ...] = ()
    for p in composition.move_kinds(claim):
        level, spent = p.at(claim.level), p.at(bound)
        if not composition.is_infinite(level):
            least = delta(level, spent)
            if notion == "zcdp":
                sides += composition.nonnegative_condition("a level >= rho", p.here, level - spent)
            sides += composition.nonnegative_condition(
                f"a delta of at least {least} at {p.text}", p.here, p.at(claim.delta) - least
            )
    before = NotionClaim(replace(claim, level=bound, delta=ZERO), notion)
    return RuleConditions((before,), sides)
