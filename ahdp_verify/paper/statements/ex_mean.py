"""ex:mean: the numbers belong to demand 2 in place of oo."""

from ahdp_verify.analysis.moments.moments import mean, value_at, variance
from ahdp_verify.catalogue.linear_query import SATURATING
from ahdp_verify.catalogue.mean import mean as mean_pair
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.terms.expression import Expression, sqrt
from ahdp_verify.paper.statements.checks import BY_MOMENTS, claim, decimal, holds, mechanism_of
from ahdp_verify.paper.statements.row import Row

FILE, TEN_EACH, CLIPPED = "paper/mean-ex-mean.toml", [10, 10, 10], "m/max(n, 1)"


def with_demand_2() -> Mechanism:
    """The mechanism of the example with demand 2 in place of oo."""
    return mean_pair(
        Domain([(0, 0), (1, 1), (2, 2)]), weights=(SATURATING / 2, SATURATING / 2), bounds=(0, 2)
    )


def of(m: Mechanism, what: str) -> Expression:
    """A mean on the dataset of the example."""
    return mean(m, TEN_EACH, of=what)


CHECKS = (
    decimal(
        lambda: of(mechanism_of(FILE), "m"),
        "11.8",
        says="numerator",
        expect="refuted",
        given=BY_MOMENTS,
    ),
    decimal(
        lambda: of(mechanism_of(FILE), "n"),
        "7.48",
        says="denominator",
        expect="refuted",
        given=BY_MOMENTS,
    ),
    decimal(
        lambda: of(mechanism_of(FILE), "m"),
        "13.160602794142788",
        "repair",
        "numerator",
        given=BY_MOMENTS,
    ),
    decimal(
        lambda: of(mechanism_of(FILE), "n"),
        "8.160602794142788",
        "repair",
        "denominator",
        given=BY_MOMENTS,
    ),
    decimal(
        lambda: of(mechanism_of(FILE), CLIPPED),
        "1.675861175901669",
        "repair",
        "mean of the clipped output",
        given=BY_MOMENTS,
    ),
    decimal(
        lambda: of(with_demand_2(), "m"),
        "11.807249961776661",
        "more",
        "numerator, demand 2 in place of oo",
        given=BY_MOMENTS,
    ),
    decimal(
        lambda: of(with_demand_2(), "n"),
        "7.483926377959725",
        "more",
        "denominator, demand 2 in place of oo",
        given=BY_MOMENTS,
    ),
    decimal(
        lambda: of(with_demand_2(), CLIPPED),
        "1.654225415950357",
        "more",
        "mean of the clipped output, demand 2 in place of oo",
        given=BY_MOMENTS,
    ),
    decimal(
        lambda: of(with_demand_2(), CLIPPED),
        "1.6",
        "more",
        "that mean, as about 1.6",
        expect="refuted",
        given=BY_MOMENTS,
    ),
    decimal(
        lambda: sqrt(variance(with_demand_2(), TEN_EACH, of=CLIPPED) / 10**7),
        "0.0002",
        "more",
        "standard error of 10^7 samples",
        given=BY_MOMENTS,
    ),
    holds(
        lambda: value_at("sum(x)/size", mechanism_of(FILE), TEN_EACH),
        "==",
        "1",
        role="more",
        says="the true mean",
    ),
    claim(FILE, 1, "proved", "more", "numerator and denominator are alpha-AHDP"),
)

ROW = Row(
    label="ex:mean",
    says=r"With $\alpha = (1 - e^{-\epsilon})/2$ the output is $\frac{11.8 + \mathcal{L}(2)}{7.48 "
    r"+ \mathcal{L}(1)}$; with the denominator clipped at 1 its mean is about 1.6.",
    checks=CHECKS,
    note=r"The numbers use $1 - e^{-2}$ for the demand $\infty$: $\frac{13.16 + "
    r"\mathcal{L}(2)}{8.16 + \mathcal{L}(1)}$, with mean 1.676; with theirs it is 1.654, "
    "and both round to 1.7.",
    section="5.2",
)
