"""Sections 5 to 5.2: universal mechanisms, sampling, the exponential mechanism, linear queries."""

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

# Section 5: a mechanism for the demand of one domain need not suit a wider one.
WIDER = {"e": "e > 0", "s": "s >= 1"}

WIDER_DOMAIN = PaperRow(
    identifier="wider_domain",
    label="M_h on a wider domain",
    says=r"A homogeneous $\epsilon_h$-DP mechanism $M_h$ is not $\mathcal{W}'$-AHDP if "
    r"$\mathcal{W}'$ adds records of demand $\epsilon_h / 2$.",
    checks=(
        claim_check(
            "paper/constant-on-a-wider-domain.toml",
            1,
            "proved",
            says="a constant mechanism",
            denies=True,
        ),
        argument_check(
            "laws/weaken.toml",
            "proved",
            "repair",
            "if: a level of at most the demand eps_h/2 keeps it",
        ),
        comparison_check(
            "exp(-e*abs(s - 1))",
            ">",
            "exp(e/2)*exp(-e*abs(s))",
            role="repair",
            unknowns=WIDER,
            says="only if, for the sum at any e: a record (1, e/2) changes the density at s by "
            "more than its demand allows, for all s >= 1",
            given=(
                "a strict bound on densities is one on the event",
                "the exact level is the least upper bound of the losses",
            ),
        ),
        claim_check(
            "paper/homogeneous-sum-on-a-wider-domain.toml",
            1,
            "refuted",
            "more",
            "a sum whose exact level exceeds the new demand",
        ),
        claim_check(
            "paper/homogeneous-sum-on-a-wider-domain.toml", 2, "proved", "more", "its exact level"
        ),
    ),
    note="True if and only if the exact level of M_h at a record of demand eps_h/2 is above "
    "eps_h/2; a constant M_h is a counterexample.",
    section="5",
)


# def:uAHDP: universal mechanisms keep every demand of every domain.
ALONG_A_PATH = (
    "induction along the path",
    "two finite datasets have finitely many different records, which make a finite W",
)

DEF_UAHDP = PaperRow(
    identifier="def_uahdp",
    label="def:uAHDP",
    says=r"$M$ on $\mathcal{S}(\mathcal{X} \times \mathbb{R}_{\ge 0})$ is universal AHDP if it is "
    r"$\mathcal{W}$-AHDP for all finite $\mathcal{W}$.",
    checks=(
        argument_check(
            "laws/group.toml",
            "proved",
            says="the same as one bound: adding (x, eps) costs at most eps, for each finite D",
            given=ALONG_A_PATH,
        ),
        claim_check(
            "paper/linear-query-universal.toml", 2, "proved", "more", "a universal mechanism"
        ),
    ),
    section="5",
)


# prop:Bias: no universal mechanism is unbiased.
SAME_MEAN = ("laws that agree on all events have the same mean",)
LEAST_DEMAND_FILE = "paper/homogeneous-sum-at-the-least-demand-every-demand.toml"
FORCED_BIAS = (
    comparison_check(
        "p",
        "==",
        "q",
        says="a record of demand 0 leaves the output distribution as it is, so the mean output e "
        "too",
        given=SAME_MEAN,
        unknowns={"q": "q >= 0", "p": "p >= 0 and p <= exp(0)*q and q <= exp(0)*p"},
    ),
    comparison_check(
        "max(abs(e - s), abs(e - s - m*f))",
        ">=",
        "m*abs(f)/2",
        unknowns={"e": "", "s": "", "m": "m >= 0", "f": ""},
        says="so for D with the sum s, and D with m such records more, the larger bias is at "
        "least m |f(x)|/2",
    ),
)

PROP_BIAS = PaperRow(
    identifier="prop_bias",
    label="prop:Bias",
    says=r"In general there is no universal AHDP mechanism with $E[M(D)] = f(D) = \sum_{(x, "
    r"\epsilon)} f(x) h_D(x, \epsilon)$.",
    checks=(
        *FORCED_BIAS,
        claim_check(
            LEAST_DEMAND_FILE,
            1,
            "proved",
            "more",
            "for fixed demands above 0, the sum with noise at the least demand is private",
        ),
        comparison_check(
            lambda: bias(mechanism_in_file(LEAST_DEMAND_FILE), "sum(x)"),
            "==",
            "0",
            role="more",
            says="and unbiased, on every dataset",
            given=BY_MOMENTS,
        ),
    ),
    note="Stronger than printed: true of every f other than 0, even if only demands > 0 are "
    "allowed (S8). Not true for a fixed domain with demands above 0.",
    section="5",
)


# Sample Mechanism: level min(alpha, t) over any t-DP mechanism, and no lower one over counts.
SAMPLE_FILES = "paper/sample-mechanism-"
# T = 4: the largest ratio is u, the least 7/8, 3/4, 1/2, 1/4
SAMPLE_RATIOS = (
    ("u-3-2", "3/2", "8/7"),
    ("u-2", "2", "4/3"),
    ("u-3", "3", "2"),
    ("u-4", "4", "4"),
)

SAMPLE_MECHANISM = PaperRow(
    identifier="sample_mechanism",
    label="Sample Mechanism",
    says=r"Sampling each record with probability $\frac{e^{\alpha \wedge t} - 1}{e^t - 1}$ before "
    r"a $t$-DP mechanism "
    r"is $(\alpha \wedge t)$-AHDP, and universal if $\alpha \le \epsilon$.",
    checks=(
        *claim_checks(SAMPLE_FILES + "over-any-mechanism.toml", "proved", "proved"),
        least_level_check(
            SAMPLE_FILES + "geometric-count-every-u-and-t-two-records.toml",
            "log(u)",
            downward="log(T/(T - u + 1))",
            says="no lower level holds for geometric counts, which lose less when a record is "
            "removed",
        ),
        *(
            least_level_check(
                f"{SAMPLE_FILES}geometric-count-{name}.toml",
                f"log({u})",
                downward=f"log({down})",
                says=f"T = 4, u = {u}",
            )
            for name, u, down in SAMPLE_RATIOS
        ),
        claim_check(
            SAMPLE_FILES + "over-any-mechanism-kept-too-often.toml",
            2,
            "refuted",
            "more",
            "kept more often by any factor",
        ),
        claim_check(
            SAMPLE_FILES + "geometric-count-kept-too-often.toml",
            1,
            "refuted",
            "more",
            "kept more often by a thousandth",
        ),
    ),
    section="5.1",
)


# sec:SM, the proof that the Sample Mechanism is private: its last step names a fact that is too
# weak.
SAMPLE_PROOF = "paper/sample-mechanism-proof"
U_UP_TO_T = {"u": "u > 1", "T": "T > 1 and T >= u"}

SAMPLE_MECHANISM_PROOF = PaperRow(
    identifier="sample_mechanism_proof",
    label="sec:SM",
    says=r"$\frac{e^t - e^{-t}}{e^t - 1} - \frac{e^y}{e^t} = e^y (e^{-y} - e^{-t}) + e^{-t} \ge "
    r"e^{-y}$, where we used $e^y \ge 0$.",
    checks=(
        argument_check(
            SAMPLE_PROOF + "-upper-end.toml", "proved", says="the first display: the upper end"
        ),
        argument_check(
            SAMPLE_PROOF + "-mixture-to-lower-end.toml",
            "proved",
            says="the second display, given the claim below it",
        ),
        comparison_check(
            "(exp(t) - exp(-t))/(exp(t) - 1) - exp(min(y, t))/exp(t)",
            ">=",
            "exp(-min(y, t))",
            says="the case y >= t",
            unknowns={"t": "t > 0", "y": "y >= t"},
        ),
        argument_check(
            SAMPLE_PROOF + "-lower-end-as-printed.toml",
            "refuted",
            says="the last display, from e^y >= 0",
        ),
        argument_check(
            SAMPLE_PROOF + "-lower-end.toml",
            "proved",
            "repair",
            "the last display, from e^y >= 1",
        ),
        comparison_check(
            "1 + 1/T - u/T - 1/u",
            "==",
            "(u - 1)*(1/u - 1/T)",
            role="more",
            says="the gap, with u = e^y and T = e^t",
            unknowns=U_UP_TO_T,
        ),
        comparison_check(
            "(u - 1)*(1/u - 1/T)",
            ">=",
            "0",
            role="more",
            says="it is not negative",
            unknowns=U_UP_TO_T,
        ),
    ),
    note=r"The inequality is true, but does not follow from $e^y \ge 0$; it needs $e^y \ge 1$.",
    section="F",
)


# The adaptation of the exponential mechanism: universal once additions are free and the range
# is finite.
EXPONENTIAL_FILES = "paper/personalised-exponential-"

EXPONENTIAL_MECHANISM = PaperRow(
    identifier="exponential_mechanism",
    label="Exponential Mechanism",
    says=r"An adaptation of the exponential mechanism (Jorgensen et al.), with weights in the "
    r"cost $\min\{d_\epsilon(D, D') : f(D') = r\}$, satisfies universal AHDP.",
    checks=(
        claim_check(
            EXPONENTIAL_FILES + "not-halved-every-two-demands.toml",
            1,
            "refuted",
            says="the count, additions at their demand, no factor 1/2",
        ),
        claim_check(
            EXPONENTIAL_FILES + "deletions-only.toml",
            2,
            "refuted",
            says="the count, deletions only: not even a hundred times the demand holds (S9)",
        ),
        claim_check(
            EXPONENTIAL_FILES + "unbounded-range.toml",
            1,
            "refused",
            says="the count, unbounded range: the weights have no finite sum",
        ),
        argument_check(
            EXPONENTIAL_FILES + "proof-free-additions.toml",
            "proved",
            "repair",
            "free additions, finite range: a record is added",
        ),
        argument_check(
            EXPONENTIAL_FILES + "proof-free-additions-backwards.toml",
            "proved",
            "repair",
            "free additions, finite range: a record is removed",
        ),
    ),
    note="Costs have to be taken over datasets with any demands, so that additions are free, and "
    "the range has to be finite; otherwise a factor 1/2 is needed (S9).",
    section="5.1",
)


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
    WIDER_DOMAIN,
    DEF_UAHDP,
    PROP_BIAS,
    SAMPLE_MECHANISM,
    SAMPLE_MECHANISM_PROOF,
    EXPONENTIAL_MECHANISM,
    PROP_NEWDP_PRIVACY,
    PROP_NEWDP_UTILITY,
    COUNT_AS_QUERY,
    WEIGHTS,
    EX_SUM,
    HISTOGRAM,
)
