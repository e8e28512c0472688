"""Beyond the paper, S5 to S10: exact levels of mechanisms, and what none can do."""

from __future__ import annotations

from ahdp_verify import Expression, name
from ahdp_verify.analysis.moments import asymptotic_bias, average, covariance, variance
from ahdp_verify.analysis.testing import Errors, error_rates
from ahdp_verify.files import parse
from ahdp_verify.paper.statements.applications import (
    LARGE_NUMBERS,
    NORM_OF_1,
    NORM_OF_2,
    REM_BIAS_FILE,
)
from ahdp_verify.paper.statements.mechanisms import EXPONENTIAL_FILES, FORCED_BIAS
from ahdp_verify.paper.statements.questions import (
    BY_ERRORS,
    BY_LIMITS,
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

# S5: a Laplace release loses exactly the l1 norm of its shift over the common scale.
EXACT_LEVELS = PaperRow(
    identifier="exact_levels",
    label="S5. Exact levels of Laplace releases",
    says=r"A vector of sums with Laplace noise of a common scale $b$ has the exact level ($l_1$ "
    r"norm of the shift)$/b$; so all levels stated for these mechanisms are attained.",
    checks=(
        argument_check(
            "paper/laplace-log-ratio-of-one-output.toml",
            "proved",
            says="any number of outputs: at most that",
        ),
        comparison_check(
            "(abs(s) - abs(s - w))/b",
            "==",
            "abs(w)/b",
            says="and as much for all s from w on",
            unknowns={"b": "b > 0", "w": "w >= 0", "s": "s >= w"},
        ),
        comparison_check(
            "(abs(s) - abs(s - w))/b",
            "==",
            "abs(w)/b",
            says="or down from w, if w < 0",
            unknowns={"b": "b > 0", "w": "w < 0", "s": "s <= w"},
        ),
        comparison_check(
            "a*(f - l)/(h - l)",
            "==",
            "a",
            says="linear query: alpha, at f = h",
            unknowns={"a": "a >= 0", "l": "", "h": "h > l", "f": "f == h"},
        ),
        comparison_check(
            "a*(x - l)/(h - l) + c",
            "==",
            "a + c",
            says="mean: alpha1 + alpha2, at x = h",
            unknowns={"a": "a >= 0", "c": "c >= 0", "l": "", "h": "h > l", "x": "x == h"},
        ),
        comparison_check(
            "a*s*(s + 1)/(d^2 + d)",
            "==",
            "a",
            says="regression: alpha, where all |x[i]| = |y| = 1, so that their sum s is d",
            unknowns={"a": "a >= 0", "d": "d >= 1", "s": "s == d"},
        ),
        least_level_check(
            "paper/laplace-three-sums-common-scale.toml",
            "(abs(w[1]) + abs(w[2]) + abs(w[3]))/b",
            says="three outputs",
            only="3 outputs",
        ),
        least_level_check(
            "paper/linear-query-universal.toml", "alpha*(f - l)/(h - l)", says="linear query"
        ),
        least_level_check(
            "paper/mean-numerator-and-denominator.toml",
            "alpha1*(x - l)/(h - l) + alpha2",
            says="mean",
        ),
        least_level_check(
            "paper/mean-centred.toml",
            "2*alpha1*abs(x - (l + h)/2)/(h - l) + alpha2",
            says="mean, centred",
        ),
        least_level_check(
            "paper/frequency-bins-and-size.toml",
            "1 - exp(-eps)",
            says="frequencies: alpha1 + alpha2",
            only="three bins and five kinds of records",
        ),
        least_level_check(
            "paper/linear-regression-d-1.toml",
            f"alpha*{NORM_OF_1}*({NORM_OF_1} + abs(y))/2",
            says="regression",
            only="d = 1",
        ),
        least_level_check(
            "paper/linear-regression-d-2.toml",
            f"alpha*{NORM_OF_2}*({NORM_OF_2} + abs(y))/6",
            says="regression",
            only="d = 2",
        ),
    ),
)


# S6: the Sample Mechanism moves probabilities by a factor between 1 + 1/T - u/T and u, and both
# ends are attained.
U_AND_T = {"u": "u >= 1", "T": "T > 1 and T >= u"}
U_BELOW_T = {"u": "u > 1", "T": "T > u"}
KEEP_PROBABILITY = "(exp(min(eps, {t})) - 1)/(exp({t}) - 1)"


def zero_or_one(*demands: str) -> list[tuple[dict[str, object], str]]:
    """Values 0 and 1 with equal probabilities and these demands, all weights 1."""
    return [({"eps": eps, "alpha": "1/2", "x": x}, "1/2") for x, eps in enumerate(demands)]


def sampled_bias(*demands: str) -> Expression:
    """The asymptotic bias of the mean of a sample, threshold 2."""
    return asymptotic_bias(
        mechanism_in_file(REM_BIAS_FILE),
        "x",
        zero_or_one(*demands),
        of="m/max(n, 1)",
        keep=KEEP_PROBABILITY.format(t=2),
    )


def covariance_ratio(*demands: str) -> Expression:
    """Cov(X, pi)/E pi."""
    return covariance("x", KEEP_PROBABILITY.format(t=2), zero_or_one(*demands)) / average(
        KEEP_PROBABILITY.format(t=2), zero_or_one(*demands)
    )


SAMPLING_FACTORS = PaperRow(
    identifier="sampling_factors",
    label="S6. Both ends of the Sample Mechanism",
    says=r"With $u = e^{\alpha \wedge t}$, $T = e^t$, adding a record multiplies probabilities by "
    r"a factor in $[1 + 1/T - u/T, u]$; both ends are attained by counts, "
    r"and the mean of the sample has the asymptotic bias $\mathrm{Cov}(X, \pi) / E \pi$.",
    checks=(
        argument_check(
            "laws/subsample.toml", "proved", says="upper end, keep probability k, any base"
        ),
        argument_check(
            "laws/subsample-lower.toml", "proved", says="lower end, keep probability k, any base"
        ),
        comparison_check(
            "1 + (u - 1)/(T - 1)*(T - 1)",
            "==",
            "u",
            says="the upper end at k = (u - 1)/(T - 1)",
            unknowns=U_AND_T,
        ),
        comparison_check(
            "1 - (u - 1)/(T - 1)*(1 - 1/T)",
            "==",
            "1 + 1/T - u/T",
            says="the lower end at that k",
            unknowns=U_AND_T,
        ),
        argument_check(
            "paper/sample-mechanism-tail-above.toml",
            "proved",
            says="counts attain the upper end on every dataset",
        ),
        argument_check(
            "paper/sample-mechanism-tail-below.toml",
            "proved",
            says="counts attain the lower end on every dataset",
        ),
        comparison_check(
            "S/A",
            "==",
            "X + (S - X*A)/A",
            says="the limit of the mean of the sample",
            unknowns={"A": "A > 0", "X": "", "S": ""},
            given=LARGE_NUMBERS,
        ),
        comparison_check(
            "1 + k*(T - 1)",
            ">",
            "u",
            role="more",
            says="a larger keep probability costs more",
            unknowns={**U_BELOW_T, "k": "k*(T - 1) > u - 1"},
        ),
        comparison_check(
            "1 + 1/T - u/T",
            ">",
            "1/u",
            role="more",
            says="removing a record loses less than alpha",
            unknowns=U_BELOW_T,
        ),
        *claim_checks(
            "paper/sample-mechanism-laplace-count-every-u-and-t-two-records.toml",
            "proved",
            "refuted",
            role="more",
            says="Laplace counts as one mechanism, level log u",
            only="at most 2 records",
        ),
        *claim_checks(
            "paper/sample-mechanism-sum-half-of-the-bound.toml",
            "proved",
            "proved",
            "refuted",
            role="more",
            says="a sum, T = 4, u = 2, f = h/2: exp(level) is 4/3",
            only="at most 3 records",
        ),
        comparison_check(
            lambda: sampled_bias("1/2", "1"),
            "==",
            lambda: covariance_ratio("1/2", "1"),
            role="more",
            says="the bias at demands 1/2 and 1 below t = 2",
            given=BY_LIMITS,
        ),
        comparison_check(
            lambda: sampled_bias("1/2", "1"),
            "==",
            "0",
            "refuted",
            "more",
            "no bias there",
            given=BY_LIMITS,
        ),
        comparison_check(
            lambda: sampled_bias("2", "3"),
            "==",
            "0",
            role="more",
            says="no bias where all demands are at least t = 2",
            given=BY_LIMITS,
        ),
        decimal_check(
            lambda: parse(KEEP_PROBABILITY.format(t="1/10").replace("eps", "1/100"), "keep"),
            "0.0955603247",
            "more",
            "demand 0.01 at t = 0.1",
        ),
    ),
)


# S7: regression needs the upper triangle of its matrix only.
ENTRIES_NEEDED, ENTRIES_PRINTED = "d*(d + 3)/2", "d^2 + d"
ENTRY_COUNTS = ((1, 2, 2), (2, 5, 6), (3, 9, 12), (4, 14, 20), (8, 44, 72))


def variance_of_entries(file: str, of: str) -> Expression:
    """The variance of what is computed from the entries, on every dataset."""
    return variance(mechanism_in_file(f"paper/{file}.toml"), of=of)


UPPER_TRIANGLE = PaperRow(
    identifier="upper_triangle",
    label="S7. Regression from the upper triangle",
    says=r"Publishing the upper triangle of $X^T W X$ only, noise $\mathcal{L}(d(d + 3)/2)$ "
    r"suffices, in place of $\mathcal{L}(d^2 + d)$; the ratio is $\frac{d + 3}{2(d + 1)}$.",
    checks=(
        argument_check(
            "paper/linear-regression-upper-triangle-proof-any-dimension.toml",
            "proved",
            says="any dimension",
        ),
        comparison_check(
            f"({ENTRIES_NEEDED})/({ENTRIES_PRINTED})",
            "==",
            "(d + 3)/(2*(d + 1))",
            says="the ratio",
            unknowns={"d": "d >= 1"},
        ),
        *claim_checks(
            "paper/linear-regression-upper-triangle-d-1.toml",
            "proved",
            "proved",
            role="more",
            says="as one mechanism",
            only="d = 1",
        ),
        *claim_checks(
            "paper/linear-regression-upper-triangle-d-2.toml",
            "proved",
            "proved",
            role="more",
            says="as one mechanism",
            only="d = 2",
        ),
        *claim_checks(
            "paper/linear-regression-upper-triangle-d-8.toml",
            "proved",
            role="more",
            says="as one mechanism",
            only="d = 8",
        ),
        least_level_check(
            "paper/linear-regression-upper-triangle-d-2.toml",
            f"alpha*(({NORM_OF_2}^2 + x[1]^2 + x[2]^2)/2 + {NORM_OF_2}*abs(y))/5",
            only="d = 2",
        ),
        *(
            comparison_check(
                ENTRIES_NEEDED,
                "==",
                str(new),
                role="more",
                says=f"noise at d = {d}",
                unknowns={"d": f"d == {d}"},
            )
            for d, new, _ in ENTRY_COUNTS
        ),
        *(
            comparison_check(
                ENTRIES_PRINTED,
                "==",
                str(old),
                role="more",
                says=f"noise as printed at d = {d}",
                unknowns={"d": f"d == {d}"},
            )
            for d, _, old in ENTRY_COUNTS
        ),
        comparison_check(
            lambda: variance_of_entries("linear-regression-d-2", "(a[2] + a[3])/2"),
            "==",
            "(d^2 + d)^2",
            role="more",
            says="variance of the mean of two off-diagonal entries",
            unknowns={"d": "d == 2"},
            given=BY_MOMENTS,
            only="d = 2",
        ),
        comparison_check(
            lambda: variance_of_entries("linear-regression-upper-triangle-d-2", "a[2]"),
            "==",
            f"2*({ENTRIES_NEEDED})^2",
            role="more",
            says="variance of one",
            unknowns={"d": "d == 2"},
            given=BY_MOMENTS,
            only="d = 2",
        ),
        comparison_check(
            ENTRIES_PRINTED,
            "<",
            f"sqrt(2)*({ENTRIES_NEEDED})",
            role="more",
            says="the mean of two varies less for small d",
            unknowns={"d": "1 <= d and d < 1 + 2*sqrt(2)"},
        ),
        comparison_check(
            ENTRIES_PRINTED,
            ">",
            f"sqrt(2)*({ENTRIES_NEEDED})",
            role="more",
            says="the mean of two varies more for large d",
            unknowns={"d": "d > 1 + 2*sqrt(2)"},
        ),
    ),
)


# S8: no universal mechanism is unbiased, for any query but 0.
NO_UNBIASED = PaperRow(
    identifier="no_unbiased",
    label="S8. The bias that is forced",
    says=r"For every $f \ne 0$ no universal mechanism is unbiased, even on demands $\epsilon > 0$ "
    r"only: $|E M(D + w) - E M(D)| \le (e^\epsilon - 1) E|M(D)|$ for a record $w$ of "
    r"demand $\epsilon$; with $m$ records $(x_o, 0)$ the largest bias is at least $m |f(x_o)| / "
    r"2$.",
    checks=(
        argument_check(
            "paper/mean-shift-when-a-record-is-added.toml", "proved", says="how far a mean moves"
        ),
        argument_check(
            "paper/no-unbiased-universal-mechanism.toml",
            "proved",
            says="less than that of an unbiased mechanism has to, once the demand is small",
            given=("demands arbitrarily close to 0 are allowed",),
        ),
        *FORCED_BIAS,
    ),
)


# S9 (i): the personalised exponential mechanism inside a domain needs the factor 1/2.
EXPONENTIAL_HALF = PaperRow(
    identifier="exponential_half",
    label="S9 (i). Exponential mechanism in a domain",
    says=r"With score $d_f(D, r) = -\min\{d_\epsilon(D, D') : f(D') = r\}$ over datasets of $W$, "
    r"weight $e^{d_f/2}$ is $W$-AHDP; weight $e^{d_f}$ is not.",
    checks=(
        argument_check(
            EXPONENTIAL_FILES + "proof-half-scores.toml", "proved", says="a record is added"
        ),
        argument_check(
            EXPONENTIAL_FILES + "proof-half-scores-backwards.toml",
            "proved",
            says="a record is removed",
        ),
        claim_check(
            EXPONENTIAL_FILES + "not-halved-every-two-demands.toml",
            1,
            "refuted",
            says="weights without the 1/2",
            denies=True,
        ),
        *(
            claim_check(
                f"{EXPONENTIAL_FILES}demands-{demands}.toml",
                1,
                "proved",
                "more",
                f"the count, demands {demands.replace('-', ', ')}",
            )
            for demands in ("1", "1-2", "1-3", "0-1", "0-1-3")
        ),
        claim_check(
            EXPONENTIAL_FILES + "not-halved-one-demand.toml",
            1,
            "refuted",
            "more",
            "without the 1/2, q = 2/3, r in 0..14: level log(3/2)",
        ),
        claim_check(
            EXPONENTIAL_FILES + "not-halved-one-demand.toml",
            3,
            "proved",
            "more",
            "its ratio is at most 1.832385",
        ),
        claim_check(
            EXPONENTIAL_FILES + "not-halved-one-demand.toml",
            4,
            "refuted",
            "more",
            "its ratio is above 1.832375",
        ),
    ),
)


# S9 (ii): with free additions no factor 1/2 is needed.
EXPONENTIAL_FREE = PaperRow(
    identifier="exponential_free",
    label="S9 (ii). Exponential mechanism, free additions",
    says=r"With the score of S9 (i) over datasets of any demands additions are free, scores only "
    r"fall when a record is added, and weight $e^{d_f}$ is universal AHDP.",
    checks=(
        argument_check(
            EXPONENTIAL_FILES + "proof-free-additions.toml", "proved", says="a record is added"
        ),
        argument_check(
            EXPONENTIAL_FILES + "proof-free-additions-backwards.toml",
            "proved",
            says="a record is removed",
        ),
        claim_check(
            EXPONENTIAL_FILES + "free-additions-every-two-demands.toml",
            1,
            "proved",
            "more",
            "the count, every two demands",
            only="r in 0..2",
        ),
        claim_check(
            EXPONENTIAL_FILES + "free-additions-every-two-demands.toml",
            2,
            "refuted",
            "more",
            "a hundredth lower",
        ),
        *(
            claim_check(
                f"{EXPONENTIAL_FILES}free-additions-demands-{demands}.toml",
                1,
                "proved",
                "more",
                f"the count, demands {demands.replace('-', ', ')}",
            )
            for demands in ("1", "1-2", "1-3", "0-1", "0-1-3")
        ),
    ),
)


# S9 (iii): on an unbounded range the weights have no finite sum.
EXPONENTIAL_UNBOUNDED = PaperRow(
    identifier="exponential_unbounded",
    label="S9 (iii). Exponential mechanism, unbounded range",
    says=r"On an unbounded range the normaliser of the universal mechanism is infinite; a finite "
    r"range is part of its definition.",
    checks=(
        comparison_check(
            "exp(-e*max(0, n - r))",
            "==",
            "1",
            says="the count: every r from the size n on has weight 1",
            unknowns={"e": "e > 0", "n": "n >= 0", "r": "r >= n"},
            given=("infinitely many weights of 1 have no finite sum",),
        ),
        claim_check(
            "paper/personalised-exponential-unbounded-range.toml",
            1,
            "refused",
            "more",
            "the count on all whole numbers",
        ),
    ),
)


# S9 (iv): scores by deletions alone are not private at any level.
DELETIONS_FILE = "paper/personalised-exponential-deletions-only.toml"


def errors_of_deletions() -> Errors:
    """The error rates of the test that infers a record from r = 1, demand 1: the first one is the
    probability of r = 1 without a record.
    """
    return error_rates(
        mechanism_in_file(DELETIONS_FILE),
        [0],
        [1],
        "r == 1",
        parameters={"e": 1},
    )


def scaled_error() -> Expression:
    """u times the probability of r = 1 on no records."""
    return name("u") * errors_of_deletions().type_one


EXPONENTIAL_DELETIONS = PaperRow(
    identifier="exponential_deletions",
    label="S9 (iv). Exponential mechanism, deletions only",
    says=r"Scores by deletions only are not AHDP at all: $r = |D| + 1$ is impossible on $D$ and "
    r"possible on $D + x$.",
    checks=(
        claim_check(DELETIONS_FILE, 1, "refuted", says="the count: not at the demand", denies=True),
        claim_check(
            DELETIONS_FILE, 2, "refuted", says="nor at a hundred times the demand", denies=True
        ),
        comparison_check(
            lambda: 1 - errors_of_deletions().type_two,
            ">",
            scaled_error,
            says="nor at any level: no factor u bounds the probability of r = 1 on one record by "
            "that on none",
            unknowns={"u": "u >= 1"},
            given=BY_ERRORS,
        ),
    ),
)


# S9 (v): for mean and median the universal mechanism says next to nothing.
EXPONENTIAL_VACUOUS = PaperRow(
    identifier="exponential_vacuous",
    label="S9 (v). Exponential mechanism, mean and median",
    says=r"With free additions (S9 (ii)) every interior $r$ is reached at no cost for the mean "
    r"and for the median, so that the universal mechanism prefers no answer.",
    checks=(
        argument_check(
            "paper/personalised-exponential-mean-reached-for-nothing.toml",
            "proved",
            says="the mean",
        ),
        argument_check(
            "paper/personalised-exponential-median-reached-for-nothing.toml",
            "proved",
            says="the median",
        ),
    ),
)


# S10: M' of claim:2 keeps 2 eps, and not much less; with half the exponent it is private and
# reaches less.
OVERSHOOT = PaperRow(
    identifier="overshoot",
    label="S10. M' with and without 1/2",
    says=r"The worst log-ratio of $M'$ is at most $2\epsilon$ and tends to $2\epsilon$; "
    r"with exponent $\epsilon/2$ it is private, but reaches only, with $q = e^{-\epsilon}$, the "
    r"power $\left(\frac{1 - \sqrt q}{1 + \sqrt q}\right)^k$.",
    checks=(
        claim_check(
            "laws/normalised-sum.toml",
            1,
            "proved",
            says="each weight moves by the factor 1/q at most, so their sum does",
        ),
        claim_check(
            "laws/normalised.toml",
            1,
            "proved",
            says="so the ratio of probabilities moves by at most 1/q^2, and with half the "
            "exponent by 1/q",
        ),
        claim_check(
            "laws/normalised-backwards.toml", 1, "proved", says="the same in the other direction"
        ),
        comparison_check(
            "(q*a + q^2*a + (k - 1)*a)/(q^2*a + k*q*a)",
            "==",
            "(q + q^2 + k - 1)/(q*(k + q))",
            says="t = 1: the sum of the weights at (0, 1, ..., 1), at distances k - 1, k and k - "
            "2, over that at (1, ..., 1), at distances k and k - 1; a = q^(k - 2)",
            unknowns={"k": "k >= 1", "q": "0 < q and q < 1", "a": "a > 0"},
            given=("the distances of these datasets to D_o and to D_o with one record more",),
        ),
        comparison_check(
            "1/q*((q + q^2 + k - 1)/(q*(k + q)))",
            ">=",
            "1/q*(1/q - 1/(q*k))",
            says="so the ratio, 1/q times this, is nearly 1/q^2",
            unknowns={"k": "k >= 1", "q": "0 < q and q < 1"},
            given=("induction over the outcomes", "limits: 1/k tends to 0"),
        ),
        claim_check(
            "paper/power-lower-bound-any-number-of-values.toml",
            1,
            "proved",
            says="half the exponent, sqrt(q) for q: every dataset is named correctly with at "
            "least this probability",
        ),
        claim_check(
            "paper/power-upper-bound-box-around-a-dataset.toml",
            1,
            "proved",
            says="and D_o with m more of each value with the inverse of a sum that tends to that "
            "of the limit",
            given=("geometric sums",),
        ),
        comparison_check(
            "(1 - r)/(1 + r)",
            "<",
            "(1 - r^2)/(1 + r^2)",
            role="more",
            says="less than with geometric noise",
            unknowns={"r": "0 < r and r < 1"},
        ),
        *(
            claim_check(
                f"paper/multiset-weights-{case}-half-exponent.toml",
                1,
                "proved",
                "more",
                says=f"half the exponent, {case}, all eps",
            )
            for case in (
                "1-value-1-more",
                "1-value-2-more",
                "1-value-3-more",
                "1-value-4-more",
                "2-values-1-more",
                "3-values-1-more",
            )
        ),
    ),
)


ROWS = (
    EXACT_LEVELS,
    SAMPLING_FACTORS,
    UPPER_TRIANGLE,
    NO_UNBIASED,
    EXPONENTIAL_HALF,
    EXPONENTIAL_FREE,
    EXPONENTIAL_UNBOUNDED,
    EXPONENTIAL_DELETIONS,
    EXPONENTIAL_VACUOUS,
    OVERSHOOT,
)
