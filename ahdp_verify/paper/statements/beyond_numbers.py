"""Beyond the paper, O1 to O7: exact powers, moments and probabilities in numbers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ahdp_verify import Domain, Expression, Mechanism, exp, log, number, sqrt
from ahdp_verify.analysis import canonical_form
from ahdp_verify.analysis.moments import variance
from ahdp_verify.analysis.power import limit_power
from ahdp_verify.files import parse
from ahdp_verify.paper.statements.experiments import MEANS_OF_DEMANDS
from ahdp_verify.paper.statements.linear_queries import TEN_EACH
from ahdp_verify.paper.statements.mean import (
    CLIPPED_RATIO,
    EX_MEAN_FILE,
    mean_on_ten_each,
    mean_with_demand_2,
)
from ahdp_verify.paper.statements.questions import (
    BY_MOMENTS,
    best_power_check,
    comparison_check,
    decimal_check,
    identity_check,
    mechanism_in_file,
)
from ahdp_verify.paper.statements.row import Check, PaperRow

# O1: the exact largest power against at most t extra records for k values of one demand.
POWERS_OF_ONE_DEMAND = {  # (k, 1/q): V_1, V_2, ...; the last one is the limit
    (1, 2): "2/3, 1/2, 4/9, 2/5, 8/21, 4/11, 16/45, 8/23, 32/93, 16/47, 1/3",
    (1, 3): "3/4, 3/5, 9/16, 9/17, 27/52, 27/53, 81/160, 81/161, 243/484, 243/485, 1/2",
    (2, 2): "1/2, 8/23, 1/4, 8/39, 64/351, 32/197, 64/431, 128/907, 1/9",
    (2, 3): "3/5, 27/58, 27/74, 81/251, 729/2407, 729/2564, 2187/8036, 19683/73741, 1/4",
    (3, 2): "2/5, 1/4, 32/183, 32/261, 64/669, 1/27",
    (3, 3): "1/2, 3/8, 2/7, 81/367, 1/8",
    (3, 10): "10/13, 2900/4133, 1450/2261, 729/1331",
}
DECIMALS_OF_ONE_DEMAND = {
    (2, 2): (
        "0.5, 0.347826086957, 0.25, 0.205128205128, 0.182336182336, 0.162436548223, "
        "0.148491879350, 0.141124586549, 0.111111111111"
    ),
    (3, 2): "0.4, 0.25, 0.174863387978, 0.122605363985, 0.095665171898, 0.037037037037",
    (3, 3): "0.5, 0.375, 0.285714285714, 0.220708446866, 0.125",
}


def powers_of_one_demand(k: int, base: int) -> Iterator[Check]:
    """The checks of one line of the table."""
    *values, limit = POWERS_OF_ONE_DEMAND[k, base].split(", ")
    for t, printed in enumerate(values, 1):
        yield best_power_check(
            ", ".join([f"log({base})"] * k),
            t,
            printed,
            says=f"k = {k}, q = 1/{base}, t = {t}",
            only=f"k = {k}, q = 1/{base}, t <= {len(values)}",
        )
    yield comparison_check(
        lambda: canonical_form(limit_power(Domain([(i, log(base)) for i in range(k)]))),
        "==",
        limit,
        role="more",
        says=f"the limit (S1), k = {k}, q = 1/{base}",
    )
    for exact, printed in zip(
        (*values, limit), DECIMALS_OF_ONE_DEMAND.get((k, base), "").split(", "), strict=False
    ):
        if printed:
            yield decimal_check(partial(str, exact), printed, "more", exact)


POWERS_HOMOGENEOUS = PaperRow(
    identifier="powers_homogeneous",
    label="O1. Powers for one demand",
    says=r"The largest power against at most $t$ extra records of $k$ values at one $q = "
    r"e^{-\epsilon}$, for example $\frac{8}{23}$ at $t = 2$ for $k = 2$, $q = \frac12$.",
    checks=tuple(check for case in POWERS_OF_ONE_DEMAND for check in powers_of_one_demand(*case)),
)


# O2: the exact largest power against at most t extra records for values of different demands.
POWERS_BY_BASES: dict[tuple[int, ...], tuple[str, ...]] = {
    (2, 3): (
        "6/11 0.545454545455",
        "9/23 0.391304347826",
        "36/119 0.302521008403",
        "216/841 0.256837098692",
        "648/2819 0.229868747783",
        "3888/18193 0.213708569230",
        "7776/38735 0.200748676907",
    ),
    (2, 3, 4): ("12/25 0.48", "288/865 0.332947976879"),
}
LIMITS_BY_BASES: dict[tuple[int, ...], str] = {(2, 3): "1/6", (2, 3, 4): "1/10"}


def qs_in_words(bases: tuple[int, ...]) -> str:
    """The probabilities q in words."""
    return ", ".join(f"1/{b}" for b in bases)


def limit_of_power(bases: tuple[int, ...]) -> Expression:
    """The limit of the power as t grows."""
    return canonical_form(limit_power(Domain([(b, log(b)) for b in bases])))


LINES_BY_BASES: list[tuple[tuple[int, ...], int, str, str]] = [
    (bases, t, *entry.partition(" ")[::2])
    for bases, entries in POWERS_BY_BASES.items()
    for t, entry in enumerate(entries, 1)
]

POWERS_WEIGHTED = PaperRow(
    identifier="powers_weighted",
    label="O2. Powers for several demands",
    says=r"The largest power against at most $t$ extra records of values with $e^{-\epsilon_l(x)} "
    r"= (\frac12, \frac13)$ and $(\frac12, \frac13, \frac14)$.",
    checks=(
        *(
            best_power_check(
                ", ".join(f"log({b})" for b in bases),
                t,
                exact,
                only=f"q = ({qs_in_words(bases)}), t <= {len(POWERS_BY_BASES[bases])}",
            )
            for bases, t, exact, _ in LINES_BY_BASES
        ),
        *(
            comparison_check(
                partial(limit_of_power, bases),
                "==",
                printed,
                role="more",
                says=f"the limit (S1), q = ({qs_in_words(bases)})",
            )
            for bases, printed in LIMITS_BY_BASES.items()
        ),
        *(
            decimal_check(partial(str, exact), printed, "more", exact)
            for _, _, exact, printed in LINES_BY_BASES
        ),
    ),
)


# O5: moments of the clipped output of ex:mean.
def clipped_variance(m: Mechanism) -> Expression:
    """The variance of the clipped output."""
    return variance(m, TEN_EACH, of=CLIPPED_RATIO)


def exponential_integral(e: Expression) -> Expression:
    """The exponential integral."""
    return Expression("Ei", (e,))


def inverse_in_closed_form(c: Expression) -> Expression:
    """e^-(c - 1)/2 + e^-c (Ei(c) - Ei(1))/2 + e^c E_1(c)/2, where E_1(c) = -Ei(-c)."""
    return (
        exp(1 - c) / 2
        + exp(-c) * (exponential_integral(c) - exponential_integral(number(1))) / 2
        - exp(c) * exponential_integral(-c) / 2
    )


def variance_from_parts(m: Mechanism) -> Expression:
    """(a^2 + 8) E[1/max^2] - mean^2."""
    return (mean_on_ten_each(m, "m") ** 2 + 8) * mean_on_ten_each(
        m, "1/max(n, 1)*(1/max(n, 1))"
    ) - mean_on_ten_each(m, CLIPPED_RATIO) ** 2


EX_MEAN_MOMENTS = PaperRow(
    identifier="ex_mean_moments",
    label="O5. Moments of the clipped ex:mean",
    says=r"ex:mean: $E[1/\max(c + \mathcal{L}(1), 1)] = 0.1401$, mean $1.6542$, standard "
    r"deviation $0.6702$ for demand 2; $0.1273$ and $1.6759$ for $\infty$.",
    checks=(
        decimal_check(
            lambda: mean_on_ten_each(mean_with_demand_2(), "1/max(n, 1)"),
            "0.140102515090774",
            says="E[1/max], demand 2",
            given=BY_MOMENTS,
        ),
        decimal_check(
            lambda: mean_on_ten_each(mean_with_demand_2(), CLIPPED_RATIO),
            "1.654225415950357",
            says="mean, demand 2",
            given=BY_MOMENTS,
        ),
        decimal_check(
            lambda: sqrt(clipped_variance(mean_with_demand_2())),
            "0.670246806673121",
            says="standard deviation, demand 2",
            given=BY_MOMENTS,
        ),
        decimal_check(
            lambda: mean_on_ten_each(mechanism_in_file(EX_MEAN_FILE), "1/max(n, 1)"),
            "0.127339241379393",
            says="E[1/max], demand oo",
            given=BY_MOMENTS,
        ),
        decimal_check(
            lambda: mean_on_ten_each(mechanism_in_file(EX_MEAN_FILE), CLIPPED_RATIO),
            "1.675861175901669",
            says="mean, demand oo",
            given=BY_MOMENTS,
        ),
        identity_check(
            lambda: mean_on_ten_each(mean_with_demand_2(), "1/max(n, 1)"),
            lambda: inverse_in_closed_form(mean_on_ten_each(mean_with_demand_2(), "n")),
            says="E[1/max] in closed form",
            given=BY_MOMENTS,
        ),
        identity_check(
            lambda: mean_on_ten_each(mean_with_demand_2(), CLIPPED_RATIO),
            lambda: (
                mean_on_ten_each(mean_with_demand_2(), "m")
                * mean_on_ten_each(mean_with_demand_2(), "1/max(n, 1)")
            ),
            says="the mean is a E[1/max]",
            given=BY_MOMENTS,
        ),
        identity_check(
            lambda: clipped_variance(mean_with_demand_2()),
            lambda: variance_from_parts(mean_with_demand_2()),
            says="the variance is (a^2 + 8) E[1/max^2] - mean^2",
            given=BY_MOMENTS,
        ),
    ),
)


# O6: sampling probabilities of the experiments.
KEPT_FIGURES = (
    ("0.1", "0.01", "0.095560324736722"),
    ("1", "0.01", "0.0058489631431306"),
    ("1", "0.1", "0.061207024560089"),
    ("1", "0.5", "0.37754066879815"),
    ("0.5", "0.1", "0.16212034786857"),
    ("0.5", "0.25", "0.4378234991142"),
    ("2", "0.1", "0.016461104183019"),
    ("2", "0.5", "0.10153632409155"),
    ("2", "1", "0.26894142137"),
)


def kept_probability(t: str, eps: str) -> Expression:
    """The probability with which a record of this demand is kept at threshold t."""
    return parse(f"(exp(min({eps}, {t})) - 1)/(exp({t}) - 1)", "keep")


SAMPLING_PROBABILITIES = PaperRow(
    identifier="sampling_probabilities",
    label="O6. Sampling probabilities",
    says=r"The sampling probabilities $\frac{e^{\epsilon \wedge t} - 1}{e^t - 1}$ at the demands "
    r"and thresholds of the experiments.",
    checks=(
        *(
            decimal_check(partial(kept_probability, t, eps), printed, says=f"t = {t}, demand {eps}")
            for t, eps, printed in KEPT_FIGURES
        ),
        comparison_check(
            kept_probability("2", "1"), "==", "1/(1 + exp(1))", says="t = 2, demand 1"
        ),
        comparison_check(
            kept_probability("t", "e"),
            "==",
            "1",
            says="demands from t on",
            unknowns={"t": "t > 0", "e": "e >= t"},
        ),
    ),
)


# O7: the demands of experiment 3.
DEMAND_MOMENTS = PaperRow(
    identifier="demand_moments",
    label="O7. The mean demand of experiment 3",
    says=r"$E \epsilon = (e^2 - e^{-5})/7$, $E(1 - e^{-\epsilon}) = 0.3672$ and "
    r"$E \frac{\epsilon}{1 + \epsilon} = \frac{1}{7} \ln \frac{1 + e^2}{1 + e^{-5}}$ for $\log "
    r"\epsilon$ uniform on $[-5, 2]$.",
    checks=MEANS_OF_DEMANDS,
)


ROWS = (
    POWERS_HOMOGENEOUS,
    POWERS_WEIGHTED,
    EX_MEAN_MOMENTS,
    SAMPLING_PROBABILITIES,
    DEMAND_MOMENTS,
)
