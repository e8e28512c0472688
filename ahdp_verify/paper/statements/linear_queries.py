"""Section 5.1: the linear query, its weights, sums and histograms."""

from __future__ import annotations

from ahdp_verify import Domain, Expression, Mechanism
from ahdp_verify.analysis.moments import bias, mean, value_at, variance
from ahdp_verify.catalogue import ALPHA, BOUNDS, SATURATING, F, H, L, X, linear_query
from ahdp_verify.paper.statements.questions import (
    BY_MOMENTS,
    argument_check,
    claim_check,
    claim_checks,
    comparison_check,
    decimal_check,
    least_level_check,
    mechanism_in_file,
)
from ahdp_verify.paper.statements.row import PaperRow

# prop:newDP, privacy: the linear query is alpha-AHDP, and loses alpha (f - l)/(h - l) exactly.
PROP_NEWDP_PRIVACY = PaperRow(
    identifier="prop_newdp_privacy",
    label="prop:newDP, privacy",
    says=r"$M(D) = l + \sum \alpha(x, \epsilon) (f(x) - l) h_D(x, \epsilon) + \mathcal{L}(h - l)$ "
    r"satisfies $\alpha$-AHDP; with $\alpha \le \epsilon$ it is universal.",
    checks=(
        *claim_checks("paper/linear-query-universal.toml", "proved", "proved", says="l < h"),
        least_level_check("paper/linear-query-universal.toml", "alpha*(f - l)/(h - l)"),
    ),
    note="For l < h and finite weights; min and max over an infinite X are to be read as inf and "
    "sup.",
    section="5.2",
)
# prop:newDP, utility: the offset l makes the linear query an estimate of f(D) for l = 0 only.
QUERY_PRINTED, QUERY_REPAIRED = (
    "paper/linear-query-universal.toml",
    "paper/linear-query-without-offset.toml",
)
TEN_AT_MINUS_1, QUERY_RANGE = [{"eps": 1, "alpha": 1, "f": -1}] * 10, {"l": -1, "h": 1}
ANY_QUERY = Domain.universal({"f": "l <= f <= h"}, BOUNDS)
QUERY_FROM_0 = Domain.universal({"alpha": "0 <= alpha <= eps", "f": "0 <= f <= h"}, {"h": "h > 0"})


def unweighted_bias(query: str) -> object:
    """The bias of the printed mechanism with all weights 1, as a formula in the dataset."""
    return bias(linear_query(ANY_QUERY, F, weight=1, bounds=(L, H)), query)


PROP_NEWDP_UTILITY = PaperRow(
    identifier="prop_newdp_utility",
    label="prop:newDP, utility",
    says=r"The linear query mechanism estimates $f(D) = \sum f(x) h_D(x)$.",
    checks=(
        comparison_check(
            lambda: mean(mechanism_in_file(QUERY_PRINTED), TEN_AT_MINUS_1, parameters=QUERY_RANGE),
            "==",
            lambda: value_at(
                "sum(f)", mechanism_in_file(QUERY_PRINTED), TEN_AT_MINUS_1, QUERY_RANGE
            ),
            "refuted",
            says="ten records at f = l = -1, h = 1, all weights 1: the mean is the sum",
            given=BY_MOMENTS,
        ),
        comparison_check(
            lambda: mean(mechanism_in_file(QUERY_PRINTED), TEN_AT_MINUS_1, parameters=QUERY_RANGE),
            "==",
            "-1",
            role="more",
            says="there the mean is -1",
            given=BY_MOMENTS,
        ),
        comparison_check(
            lambda: value_at(
                "sum(f)", mechanism_in_file(QUERY_PRINTED), TEN_AT_MINUS_1, QUERY_RANGE
            ),
            "==",
            "-10",
            role="more",
            says="there the sum is -10",
        ),
        comparison_check(
            lambda: unweighted_bias("sum(f) - l*(size - 1)"),
            "==",
            "0",
            role="more",
            says="the mean is f(D) - l(|D| - 1) on every dataset, all weights 1",
            given=BY_MOMENTS,
        ),
        comparison_check(
            lambda: bias(
                linear_query(QUERY_FROM_0, F, weight=ALPHA, bounds=(0, H)), "sum(alpha*f)"
            ),
            "==",
            "0",
            role="more",
            says="for l = 0 it is the weighted sum",
            given=BY_MOMENTS,
        ),
        comparison_check(
            lambda: bias(mechanism_in_file(QUERY_REPAIRED), "sum(alpha*f)"),
            "==",
            "0",
            role="repair",
            given=BY_MOMENTS,
            says="no offset: the mean is the weighted sum on every dataset, for every l",
        ),
        claim_check(
            QUERY_REPAIRED,
            1,
            "proved",
            "repair",
            "no offset: alpha-AHDP with noise of scale max |f|",
        ),
        claim_check(QUERY_REPAIRED, 2, "proved", "repair", "no offset: universal"),
        comparison_check(
            lambda: variance(mechanism_in_file(QUERY_REPAIRED)),
            "==",
            "2*F^2",
            role="more",
            says="its variance",
            unknowns={"F": "F > 0"},
            given=BY_MOMENTS,
        ),
    ),
    note=r"With $\alpha = 1$ its mean is $f(D) - l(|D| - 1)$, right for $l = 0$ only; $\sum "
    r"\alpha(x, \epsilon) f(x) h_D(x, \epsilon) + \mathcal{L}(\max |f|)$ has no offset.",
    section="5.2",
)
# The count as the linear query with f = 1: as printed its noise has scale 0.
COUNT_AS_QUERY = PaperRow(
    identifier="count_as_query",
    label="count by prop:newDP",
    says=r"A mechanism for the size of the dataset follows from the linear query with $f(x) = 1$.",
    checks=(
        claim_check(
            "paper/weighted-count-as-printed-without-noise.toml",
            1,
            "refused",
            says="f = 1, so l = h = 1: the noise has scale 0 and every weight is 0",
        ),
        *claim_checks(
            "paper/weighted-count.toml",
            "proved",
            "proved",
            role="repair",
            says="no offset, noise of scale max |f| = 1",
        ),
        least_level_check("paper/weighted-count.toml", "alpha"),
    ),
    note=r"$f = 1$ gives $l = h = 1$, so that the output is the constant 1; without the offset, "
    r"and with noise $\mathcal{L}(\max |f|)$, it is the private count.",
    section="5.2",
)
# The weights that never exceed the demand, nor 1.
ANY_DEMAND = {"eps": "eps >= 0"}
WEIGHTS = PaperRow(
    identifier="weights",
    label="weights",
    says=r"The weights $1 - e^{-\epsilon}$ and $\frac{\epsilon}{1 + \epsilon}$ are at most "
    r"$\epsilon$, and finite without a privacy demand, where the weight $\epsilon$ is not.",
    checks=(
        comparison_check(
            "1 - exp(-eps)",
            "<=",
            "eps",
            says="1 - exp(-eps) is at most the demand",
            unknowns=ANY_DEMAND,
        ),
        comparison_check(
            "eps/(1 + eps)",
            "<=",
            "eps",
            says="eps/(1 + eps) is at most the demand",
            unknowns=ANY_DEMAND,
        ),
        comparison_check(
            "1 - exp(-eps)", "<=", "1", says="1 - exp(-eps) is at most 1", unknowns=ANY_DEMAND
        ),
        comparison_check(
            "eps/(1 + eps)", "<=", "1", says="eps/(1 + eps) is at most 1", unknowns=ANY_DEMAND
        ),
        claim_check(
            "paper/weighted-sum-weights-saturating.toml",
            1,
            "proved",
            says="the sum with 1 - exp(-eps) is universal",
        ),
        claim_check(
            "paper/weighted-sum-weights-ratio.toml",
            1,
            "proved",
            says="the sum with eps/(1 + eps) is universal",
        ),
        comparison_check(
            "eps/(1 + eps)",
            "<=",
            "1 - exp(-eps)",
            role="more",
            says="one weight is the larger",
            unknowns=ANY_DEMAND,
        ),
        claim_check(
            "paper/linear-query-infinite-weight.toml",
            1,
            "refused",
            "more",
            "the weight eps at demand oo",
        ),
    ),
    section="5.2",
)
# ex:sum: the numbers belong to demand 2 in place of oo.
EX_SUM_FILE = "paper/linear-query-three-records.toml"
TEN_EACH = [10, 10, 10]


def sum_with_demand_2() -> Mechanism:
    """The mechanism of the example with demand 2 in place of oo."""
    return linear_query(Domain([(0, 0), (1, 1), (2, 2)]), X, weight=SATURATING, bounds=(0, 2))


def sum_without_noise(m: Mechanism) -> Expression:
    """The output without its noise, which has mean 0."""
    return mean(m, TEN_EACH)


def bias_of_sum(m: Mechanism) -> Expression:
    """The bias as an estimate of the sum."""
    return bias(m, lambda x, eps: x, TEN_EACH)


EX_SUM = PaperRow(
    identifier="ex_sum",
    label="ex:sum",
    says=r"On $10 \times (0, 0), (1, 1), (2, \infty)$ with $\alpha = 1 - e^{-\epsilon}$ the "
    r"output is $23.6 + \mathcal{L}(2)$, with a bias of $-6.4$.",
    checks=(
        decimal_check(
            lambda: sum_without_noise(mechanism_in_file(EX_SUM_FILE)),
            "23.6",
            says="output without noise",
            expect="refuted",
            given=BY_MOMENTS,
        ),
        decimal_check(
            lambda: bias_of_sum(mechanism_in_file(EX_SUM_FILE)),
            "-6.4",
            says="bias",
            expect="refuted",
            given=BY_MOMENTS,
        ),
        decimal_check(
            lambda: sum_without_noise(mechanism_in_file(EX_SUM_FILE)),
            "26.321205588285577",
            "repair",
            "output without noise",
            given=BY_MOMENTS,
        ),
        decimal_check(
            lambda: bias_of_sum(mechanism_in_file(EX_SUM_FILE)),
            "-3.678794411714423",
            "repair",
            "bias",
            given=BY_MOMENTS,
        ),
        comparison_check(
            lambda: bias_of_sum(mechanism_in_file(EX_SUM_FILE)),
            "==",
            "-10*exp(-1)",
            role="repair",
            says="the bias is -10/e",
            given=BY_MOMENTS,
        ),
        comparison_check(
            lambda: value_at(lambda x, eps: x, mechanism_in_file(EX_SUM_FILE), TEN_EACH),
            "==",
            "30",
            role="more",
            says="the sum",
        ),
        decimal_check(
            lambda: sum_without_noise(sum_with_demand_2()),
            "23.614499923553323",
            "more",
            "output without noise, demand 2 in place of oo",
            given=BY_MOMENTS,
        ),
        decimal_check(
            lambda: bias_of_sum(sum_with_demand_2()),
            "-6.385500076446677",
            "more",
            "bias, demand 2 in place of oo",
            given=BY_MOMENTS,
        ),
        claim_check(EX_SUM_FILE, 1, "proved", "more", "it is alpha-AHDP"),
        claim_check(
            "paper/linear-query-infinite-weight.toml",
            1,
            "refused",
            "more",
            "weight eps at demand oo: no mechanism",
        ),
    ),
    note=r"The numbers use $1 - e^{-2}$ for the demand $\infty$, whose weight is 1: $26.32 + "
    r"\mathcal{L}(2)$, with a bias of $-10/e = -3.68$.",
    section="5.2",
)
# Histograms over k bins.
HISTOGRAM = PaperRow(
    identifier="histogram",
    label="histogram",
    says=r"The sums of the weights in each of $k$ bins, each plus its own $\mathcal{L}(1)$, are "
    r"$\alpha$-AHDP.",
    checks=(
        claim_check("paper/weighted-count.toml", 1, "proved", says="one bin"),
        argument_check("paper/weighted-histogram-any-number-of-bins.toml", "proved", says="k bins"),
        claim_check(
            "paper/weighted-histogram.toml",
            1,
            "proved",
            "more",
            "three bins as one mechanism",
            only="3 bins and five kinds of records",
        ),
        least_level_check(
            "paper/weighted-histogram.toml",
            "1 - exp(-eps)",
            only="3 bins and five kinds of records",
        ),
    ),
    section="5.2",
)


ROWS = (
    PROP_NEWDP_PRIVACY,
    PROP_NEWDP_UTILITY,
    COUNT_AS_QUERY,
    WEIGHTS,
    EX_SUM,
    HISTOGRAM,
)
