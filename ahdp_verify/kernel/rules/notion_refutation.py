"""That two concrete inputs refute a claim of zCDP, Rényi DP or GDP.

    a move of bound b leads from D to D' or back      P, Q are their laws, both of total 1
    integral of P^a Q^(1 - a) > exp((a - 1) B), or P(E) > 0 = Q(E)
    or for GDP Q(E) <= F(t) and P(E) > F(t + b)
    -------------------------------------------------------------------------------------
              the mechanism does not have the claimed bound

a    a number > 1: the order of a Rényi claim, where B = b; for zCDP any order, and B = a b
E    an event; where it has P(E) > 0 = Q(E), every divergence and every mu is infinite
F    the distribution function of N(0, 1);  t a number

Normal densities of means m, n and one variance v have the divergence a (m - n)^2/(2 v), and are
mu-GDP for mu = |m - n|/sqrt(v) and no smaller one.
"""

from __future__ import annotations

from fractions import Fraction

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence import counterexample as at
from ahdp_verify.kernel.evidence.notion_counterexample import NotionCounterexample
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.model.neighbours import Nodes
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of, log_of
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules import notions
from ahdp_verify.kernel.rules.composition import check_well_formed
from ahdp_verify.kernel.rules.events import event_probability, total_probability
from ahdp_verify.kernel.rules.joint_law import explicit_claim
from ahdp_verify.kernel.terms.expression import Expression, name, oo, sqrt, substitute
from ahdp_verify.kernel.terms.functions import erf

EMPTY = Context.empty()
HALF = Fraction(1, 2)
OutputLaw = tuple[Expression, tuple[tuple[Expression, Expression], ...]]


def check_bound_violation(
    claim: NotionClaim, shown: NotionCounterexample
) -> tuple[Expression, Ratio | None]:
    """The bound of the move, and what exceeds it: the divergence (for zCDP that divided by the
    order, for GDP the mu of the two densities or the probability of the event), None if that is
    infinite; Rejected if it is not shown that the claim fails.
    """
    example, written = shown.counterexample, written_claim(claim)
    given = dict(example.parameters)
    at.check_example_conditions(written, example)
    bound = at.level_of_move(written, example)
    if bound == oo:
        raise Rejected("a move of bound oo is unconstrained")
    laws = [at.law_at(written, example, side) for side in (example.first, example.second)]
    b, outputs = normal(bound, EMPTY), written.mechanism.outputs
    order = None if claim.order is None else normal(substitute(claim.order, given), EMPTY)
    rate = rate_of_normal_pair(laws, outputs)
    if rate is not None and claim.notion == "gdp":
        mu = exp_of(log_of(rate.scale(2)).scale(HALF))
        return _exceeding(bound, mu, rate.scale(2) - b * b)
    if rate is not None:
        found = rate if order is None else order * rate
        return _exceeding(bound, found, found - b)
    totals = zip(laws, example.points, strict=True)
    if any(not (total_probability(*law, outputs, p) - constant(1)).is_zero for law, p in totals):
        raise Rejected("the total at an input of the counterexample was not shown to be 1")
    if shown.order is None or claim.notion == "gdp":
        first, second = (
            event_probability(*law, outputs, example.event, points)
            for law, points in zip(laws, example.points, strict=True)
        )
        if shown.order is None:
            return _exceeding(bound, None, first if second.is_zero else constant(0))
        if constant_sign(_normal_share(shown.order) - second) not in (0, 1):
            raise Rejected("the test accepts more at the second input than is stated")
        return _exceeding(bound, first, first - _normal_share(shown.order + bound))
    a = normal(shown.order, EMPTY)
    if order is not None and not (a - order).is_zero:
        raise Rejected("the order is not one that the claim is about")
    if constant_sign(a - constant(1)) != 1:
        raise Rejected("an order is larger than 1")
    pairs = notions.pairs_of_laws(written.mechanism, _nodes(written, example))
    spent = notions.divergence_power(written.mechanism, pairs, shown.points, a, EMPTY)
    scale = (a - constant(1)) if order is not None else (a - constant(1)) * a
    return _exceeding(bound, log_of(spent) / scale, spent - exp_of(scale * b))


def _nodes(claim: Claim, example: at.Counterexample) -> tuple[Nodes, Nodes]:
    """The values of all names and record sums at the two inputs."""
    given = {name(k): v for k, v in example.parameters}
    first, second = (
        {**at.side_nodes(claim, example, side), **given} for side in (example.first, example.second)
    )
    return first, second


def _normal_share(x: Expression) -> Ratio:
    """The probability that N(0, 1) is at most x."""
    return (constant(1) + normal(erf(x / sqrt(2)), EMPTY)).scale(HALF)


def _exceeding(
    bound: Expression, found: Ratio | None, excess: Ratio
) -> tuple[Expression, Ratio | None]:
    """The bound and what exceeds it, if the excess is > 0; Rejected otherwise."""
    if constant_sign(excess) != 1:
        raise Rejected("the two inputs were not shown to violate the claimed bound")
    return bound, found


def rate_of_normal_pair(laws: list[OutputLaw], outputs: tuple[Output, ...]) -> Ratio | None:
    """(m - n)^2/(2 v) of two normal densities, added up over the outputs; None for other laws."""
    try:
        first, second = (notions.normal_density(law, outputs, at, EMPTY) for law, at in laws)
        return notions.squared_distance(first, second).scale(HALF)
    except (Rejected, Undecided, Unsupported, ZeroDivisionError):
        return None


def written_claim(claim: NotionClaim) -> Claim:
    """The claim about the mechanism given by its density; Rejected or Unsupported if there is
    none.
    """
    if isinstance(claim.bounds, Claim):
        return claim.bounds
    check_well_formed(claim.mechanism)
    return explicit_claim(claim.bounds)
