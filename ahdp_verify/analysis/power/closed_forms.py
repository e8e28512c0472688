"""Closed forms of power: the paper's bounds, the exact limit, the ball bound, and the optimum for
one value.

Throughout q = exp(-eps) with eps the least demand of a value (STATEMENTS of the paper: claim:1 to
claim:4). The paper's bound for t -> oo is not tight: the limit is the product of tanh(eps/2) = (1 -
q)/(1 + q). From above, every row of a private mechanism bounds the power by 1 / (the sum of
exp(-distance) to all hypotheses), the ball bound; from below, two-sided geometric noise on the
counts returns the true dataset with that probability, whatever t is.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.terms.expression import log
>>> W = Domain([("a", log(2)), ("b", log(3))])
>>> str(canonical_value(limit_power(W))), str(canonical_value(limit_bound(W))), str(canonical_value(one_record_power(W)))
('1/6', '1/3', '6/11')
>>> claim, verdict = one_value_power(3)
>>> str(claim.value), verdict.scope_text
('1/(2*exp(-eps) + exp(-2*eps) + 1)', 'mechanisms that are AHDP on all datasets, 0 < eps')
"""

from __future__ import annotations

from ahdp_verify.analysis.power import linear_programme as programme
from ahdp_verify.analysis.power.claims import best_claim
from ahdp_verify.analysis.power.exact_vertex import Primal
from ahdp_verify.analysis.power.parametric import proved_on_interval
from ahdp_verify.analysis.power.structure import programme_of_claim
from ahdp_verify.analysis.power.threat_models import extra_records, most_private_records
from ahdp_verify.analysis.power.variable import variable_of
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.best_power import BestClaim
from ahdp_verify.kernel.terms.expression import (
    Expression,
    Min,
    add,
    exp,
    multiply,
    name,
    negative,
    number,
    oo,
)
from ahdp_verify.kernel.verdict import Proved


def canonical_value(e: Expression) -> Expression:
    """The canonical form of an expression, as short as the arithmetic makes it."""
    return to_expression(normal(e, Context.empty()))


def _demand_factors(domain: Domain) -> tuple[Expression, ...]:
    """q = exp(-demand) of the most private record of each value; 0 for demand oo."""
    return tuple(
        number(0) if r.demand == oo else exp(negative(r.demand))
        for r in most_private_records(domain)
    )


def _quotient(a: Expression, b: Expression) -> Expression:
    """a / b."""
    return multiply(a, Expression("^", (b, number(-1))))


def limit_power(domain: Domain) -> Expression:
    """The limit, as t grows, of the largest power against at most t extra records: the product
    of (1 - q)/(1 + q) = tanh(demand/2) (S1).
    """
    return multiply(
        *(
            _quotient(add(number(1), negative(q)), add(number(1), q))
            for q in _demand_factors(domain)
        )
    )


def limit_bound(domain: Domain) -> Expression:
    """The paper's upper bound of that limit, the product of 1 - q (claim:2 A1, claim:3 A1); it
    is not attained.
    """
    return multiply(*(add(number(1), negative(q)) for q in _demand_factors(domain)))


def one_record_power(domain: Domain) -> Expression:
    """The largest power against at most one extra record, 1/(1 + sum of q) (claim:2 A2 and B2,
    claim:3 A2 and B2).
    """
    return _quotient(number(1), add(number(1), *_demand_factors(domain)))


def swap_power(k: int, eps: object) -> Expression:
    """The largest power against one unknown record of k values under swap DP at level eps, 1/(1
    + (k - 1) q) (claim:1).
    """
    if not isinstance(k, int) or k < 1:
        raise BadInput("values", f"{k!r} is not a number of values", "give a whole number >= 1")
    return _quotient(
        number(1), add(number(1), multiply(number(k - 1), exp(negative(_exact_level(eps)))))
    )


def known_record_power(eps: object) -> Expression:
    """The largest power against one known record of demand eps, 1/(1 + exp(-eps)) (claim:4); 1
    for demand oo.
    """
    return (
        number(1)
        if eps == oo
        else _quotient(number(1), add(number(1), exp(negative(_exact_level(eps)))))
    )


def _exact_level(eps: object) -> Expression:
    """An exact level."""
    return eps if isinstance(eps, Expression) else number(eps)


def ball_bound(domain: Domain, t: int) -> Expression:
    """An upper bound of the power against at most t extra records: the least, over hypotheses,
    of 1/(the sum of exp(-distance) to all of them) (S3).
    """
    factors, rows = (
        _demand_factors(domain),
        [D.counts for D in extra_records(t)(Domain(most_private_records(domain))).datasets],
    )

    def weight(row: tuple[int, ...], other: tuple[int, ...]) -> Expression:
        return multiply(
            *(
                Expression("^", (q, number(abs(a - b))))
                for q, a, b in zip(factors, row, other, strict=True)
                if a != b
            )
        )

    return Min(
        *dict.fromkeys(
            canonical_value(_quotient(number(1), add(*(weight(row, other) for other in rows))))
            for row in rows
        )
    )


def one_value_power(t: int) -> tuple[BestClaim, Proved]:
    """For one value of demand eps and at most t extra records: the optimum 1/Z(floor(t/2)) with
    Z(v) = sum of q^|u - v| over u = 0..t, proved for all eps > 0 (S2).

    The mechanism: for v <= c = floor(t/2) the row is p (q^|u - v| + (Z(c) - Z(v)) w(u)) with p =
    1/Z(c), where w spreads what is left geometrically over u >= c; rows above c are mirror images.
    Counts above t are treated as t.
    """
    if not isinstance(t, int) or isinstance(t, bool) or t < 1:
        raise BadInput(
            "extra records",
            f"{t!r} leaves nothing for the adversary to find out",
            "give a whole number >= 1",
        )
    domain, names_ = (
        Domain([("x", name("eps"))]),
        ["{}", *('{"x"}' if n == 1 else f'{{{n} x "x"}}' for n in range(1, t + 1))],
    )
    claim = best_claim(
        domain,
        [(n,) for n in range(t + 1)],
        names_,
        [[(n, n, 1)] for n in range(t + 1)],
        0,
        parameters={"eps": "eps > 0"},
        everywhere=True,
        name=f"best power against at most {t} extra records of one value",
    )
    variable = variable_of(claim, [])
    q = variable.field.variable
    c = t // 2
    sizes = [
        sum((q ** abs(u - v) for u in range(t + 1)), variable.field.of(0)) for v in range(t + 1)
    ]
    spread = sum((q ** (j - c) for j in range(c, t + 1)), variable.field.of(0))

    def probability(v: int, u: int) -> object:
        if v > c:
            return probability(t - v, t - u)
        more = (sizes[c] - sizes[v]) * q ** (u - c) / spread if u >= c else variable.field.of(0)
        return (q ** abs(u - v) + more) / sizes[c]

    kernel = tuple(tuple(probability(v, u) for u in range(t + 1)) for v in range(t + 1))
    high = programme.ball_bound_dual(programme_of_claim(claim)[0], claim, variable)
    found = programme.PrimalDual(Primal(1 / sizes[c], kernel), high, variable)
    return proved_on_interval(claim, found)
