"""S6: the Sample Mechanism moves probabilities by a factor between 1 + 1/T - u/T and u, and both
ends are attained.
"""

from ahdp_verify.analysis.moments.asymptotics import asymptotic_bias, average, covariance
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.paper.statements.checks import (
    BY_LIMITS,
    argument,
    claims,
    decimal,
    holds,
    mechanism_of,
)
from ahdp_verify.paper.statements.row import Row

UT = {"u": "u >= 1", "T": "T > 1 and T >= u"}
BETWEEN = {"u": "u > 1", "T": "T > u"}
LIMIT = ("almost-sure limits (strong law of large numbers)",)
KEEP = "(exp(min(eps, {t})) - 1)/(exp({t}) - 1)"
PAIR = "paper/mean-rem-bias.toml"


def law(*demands: str) -> list[tuple[dict[str, object], str]]:
    """Values 0 and 1 with equal chances and these demands, all weights 1."""
    return [({"eps": eps, "alpha": "1/2", "x": x}, "1/2") for x, eps in enumerate(demands)]


def limit_bias(*demands: str) -> Expression:
    """The asymptotic bias of the mean of a sample, threshold 2."""
    return asymptotic_bias(
        mechanism_of(PAIR), "x", law(*demands), of="m/max(n, 1)", keep=KEEP.format(t=2)
    )


def covariance_ratio(*demands: str) -> Expression:
    """Cov(X, pi)/E pi."""
    return covariance("x", KEEP.format(t=2), law(*demands)) / average(
        KEEP.format(t=2), law(*demands)
    )


ROW = Row(
    label="S6. Both ends of the Sample Mechanism",
    says=r"With $u = e^{\alpha \wedge t}$, $T = e^t$, adding a record multiplies probabilities by "
    r"a factor in $[1 + 1/T - u/T, u]$; both ends are attained by counts, "
    r"and the mean of the sample has the asymptotic bias $\mathrm{Cov}(X, \pi) / E \pi$.",
    checks=(
        argument("laws/subsample.toml", "proved", says="upper end, keep probability k, any base"),
        argument(
            "laws/subsample-lower.toml", "proved", says="lower end, keep probability k, any base"
        ),
        holds(
            "1 + (u - 1)/(T - 1)*(T - 1)",
            "==",
            "u",
            says="the upper end at k = (u - 1)/(T - 1)",
            unknowns=UT,
        ),
        holds(
            "1 - (u - 1)/(T - 1)*(1 - 1/T)",
            "==",
            "1 + 1/T - u/T",
            says="the lower end at that k",
            unknowns=UT,
        ),
        argument(
            "paper/sample-mechanism-tail.toml",
            "proved",
            says="counts attain the upper end on every dataset",
        ),
        argument(
            "paper/sample-mechanism-tail-below.toml",
            "proved",
            says="counts attain the lower end on every dataset",
        ),
        holds(
            "S/A",
            "==",
            "X + (S - X*A)/A",
            says="the limit of the mean of the sample",
            unknowns={"A": "A > 0", "X": "", "S": ""},
            given=LIMIT,
        ),
        holds(
            "1 + k*(T - 1)",
            ">",
            "u",
            role="more",
            says="a larger keep probability costs more",
            unknowns={**BETWEEN, "k": "k*(T - 1) > u - 1"},
        ),
        holds(
            "1 + 1/T - u/T",
            ">",
            "1/u",
            role="more",
            says="taking a record away loses less than alpha",
            unknowns=BETWEEN,
        ),
        *claims(
            "paper/sample-mechanism-u-t-laplace.toml",
            "proved",
            "refuted",
            role="more",
            says="Laplace counts as one mechanism, level log u",
            only="at most 2 records",
        ),
        *claims(
            "paper/sample-mechanism-sum.toml",
            "proved",
            "proved",
            "refuted",
            role="more",
            says="a sum, T = 4, u = 2, f = h/2: exp(level) is 4/3",
            only="at most 3 records",
        ),
        holds(
            lambda: limit_bias("1/2", "1"),
            "==",
            lambda: covariance_ratio("1/2", "1"),
            role="more",
            says="the bias at demands 1/2 and 1 below t = 2",
            given=BY_LIMITS,
        ),
        holds(
            lambda: limit_bias("1/2", "1"),
            "==",
            "0",
            "refuted",
            "more",
            "no bias there",
            given=BY_LIMITS,
        ),
        holds(
            lambda: limit_bias("2", "3"),
            "==",
            "0",
            role="more",
            says="no bias where all demands are at least t = 2",
            given=BY_LIMITS,
        ),
        decimal(
            lambda: parse(KEEP.format(t="1/10").replace("eps", "1/100"), "keep"),
            "0.0955603247",
            "more",
            "demand 0.01 at t = 0.1",
        ),
    ),
)
