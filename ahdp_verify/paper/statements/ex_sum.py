"""ex:sum: the numbers belong to demand 2 in place of oo."""

from ahdp_verify.analysis.moments.moments import bias, mean, value_at
from ahdp_verify.catalogue.entry import X
from ahdp_verify.catalogue.linear_query import SATURATING, linear_query
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.paper.statements.checks import BY_MOMENTS, claim, decimal, holds, mechanism_of
from ahdp_verify.paper.statements.row import Row

FILE, TEN_EACH = "paper/linear-query-ex-sum.toml", [10, 10, 10]


def with_demand_2() -> Mechanism:
    """The mechanism of the example with demand 2 in place of oo."""
    return linear_query(Domain([(0, 0), (1, 1), (2, 2)]), X, weight=SATURATING, bounds=(0, 2))


def noise_free(m: Mechanism) -> Expression:
    """The output without its noise, which has mean 0."""
    return mean(m, TEN_EACH)


def off(m: Mechanism) -> Expression:
    """The bias as an estimate of the sum."""
    return bias(m, lambda x, eps: x, TEN_EACH)


CHECKS = (
    decimal(
        lambda: noise_free(mechanism_of(FILE)),
        "23.6",
        says="output without noise",
        expect="refuted",
        given=BY_MOMENTS,
    ),
    decimal(
        lambda: off(mechanism_of(FILE)), "-6.4", says="bias", expect="refuted", given=BY_MOMENTS
    ),
    decimal(
        lambda: noise_free(mechanism_of(FILE)),
        "26.321205588285577",
        "repair",
        "output without noise",
        given=BY_MOMENTS,
    ),
    decimal(
        lambda: off(mechanism_of(FILE)), "-3.678794411714423", "repair", "bias", given=BY_MOMENTS
    ),
    holds(
        lambda: off(mechanism_of(FILE)),
        "==",
        "-10*exp(-1)",
        role="repair",
        says="the bias is -10/e",
        given=BY_MOMENTS,
    ),
    holds(
        lambda: value_at(lambda x, eps: x, mechanism_of(FILE), TEN_EACH),
        "==",
        "30",
        role="more",
        says="the sum",
    ),
    decimal(
        lambda: noise_free(with_demand_2()),
        "23.614499923553323",
        "more",
        "output without noise, demand 2 in place of oo",
        given=BY_MOMENTS,
    ),
    decimal(
        lambda: off(with_demand_2()),
        "-6.385500076446677",
        "more",
        "bias, demand 2 in place of oo",
        given=BY_MOMENTS,
    ),
    claim(FILE, 1, "proved", "more", "it is alpha-AHDP"),
    claim(
        "paper/linear-query-infinite-weight.toml",
        1,
        "refused",
        "more",
        "weight eps at demand oo: no mechanism",
    ),
)

ROW = Row(
    label="ex:sum",
    says=r"On $10 \times (0, 0), (1, 1), (2, \infty)$ with $\alpha = 1 - e^{-\epsilon}$ the "
    r"output is $23.6 + \mathcal{L}(2)$, with a bias of $-6.4$.",
    checks=CHECKS,
    note=r"The numbers use $1 - e^{-2}$ for the demand $\infty$, whose weight is 1: $26.32 + "
    r"\mathcal{L}(2)$, with a bias of $-10/e = -3.68$.",
    section="5.2",
)
