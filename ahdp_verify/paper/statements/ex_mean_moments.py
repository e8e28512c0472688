"""O5: moments of the clipped output of ex:mean."""

from ahdp_verify.analysis.moments.moments import variance
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.terms.expression import ONE, Expression, exp, sqrt
from ahdp_verify.paper.statements.checks import BY_MOMENTS, decimal, identical, mechanism_of
from ahdp_verify.paper.statements.ex_mean import CLIPPED, FILE, TEN_EACH, of, with_demand_2
from ahdp_verify.paper.statements.row import Row


def spread(m: Mechanism) -> Expression:
    """The variance of the clipped output."""
    return variance(m, TEN_EACH, of=CLIPPED)


def ei(e: Expression) -> Expression:
    """The exponential integral."""
    return Expression("Ei", (e,))


def closed_form(c: Expression) -> Expression:
    """e^-(c - 1)/2 + e^-c (Ei(c) - Ei(1))/2 + e^c E_1(c)/2, where E_1(c) = -Ei(-c)."""
    return exp(1 - c) / 2 + exp(-c) * (ei(c) - ei(ONE)) / 2 - exp(c) * ei(-c) / 2


def from_parts(m: Mechanism) -> Expression:
    """(a^2 + 8) E[1/max^2] - mean^2."""
    return (of(m, "m") ** 2 + 8) * of(m, "1/max(n, 1)*(1/max(n, 1))") - of(m, CLIPPED) ** 2


ROW = Row(
    label="O5. Moments of the clipped ex:mean",
    says=r"ex:mean: $E[1/\max(c + \mathcal{L}(1), 1)] = 0.1401$, mean $1.6542$, standard "
    r"deviation $0.6702$ for demand 2; $0.1273$ and $1.6759$ for $\infty$.",
    checks=(
        decimal(
            lambda: of(with_demand_2(), "1/max(n, 1)"),
            "0.140102515090774",
            says="E[1/max], demand 2",
            given=BY_MOMENTS,
        ),
        decimal(
            lambda: of(with_demand_2(), CLIPPED),
            "1.654225415950357",
            says="mean, demand 2",
            given=BY_MOMENTS,
        ),
        decimal(
            lambda: sqrt(spread(with_demand_2())),
            "0.670246806673121",
            says="standard deviation, demand 2",
            given=BY_MOMENTS,
        ),
        decimal(
            lambda: of(mechanism_of(FILE), "1/max(n, 1)"),
            "0.127339241379393",
            says="E[1/max], demand oo",
            given=BY_MOMENTS,
        ),
        decimal(
            lambda: of(mechanism_of(FILE), CLIPPED),
            "1.675861175901669",
            says="mean, demand oo",
            given=BY_MOMENTS,
        ),
        identical(
            lambda: of(with_demand_2(), "1/max(n, 1)"),
            lambda: closed_form(of(with_demand_2(), "n")),
            says="E[1/max] in closed form",
            given=BY_MOMENTS,
        ),
        identical(
            lambda: of(with_demand_2(), CLIPPED),
            lambda: of(with_demand_2(), "m") * of(with_demand_2(), "1/max(n, 1)"),
            says="the mean is a E[1/max]",
            given=BY_MOMENTS,
        ),
        identical(
            lambda: spread(with_demand_2()),
            lambda: from_parts(with_demand_2()),
            says="the variance is (a^2 + 8) E[1/max^2] - mean^2",
            given=BY_MOMENTS,
        ),
    ),
)
