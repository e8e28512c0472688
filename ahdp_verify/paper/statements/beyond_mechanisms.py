"""Beyond the paper, S5 to S8: exact levels of mechanisms, and what none can do."""

from __future__ import annotations

from ahdp_verify import Expression
from ahdp_verify.analysis.moments import asymptotic_bias, average, covariance, variance
from ahdp_verify.files import parse
from ahdp_verify.paper.statements.mean import LARGE_NUMBERS, REM_BIAS_FILE
from ahdp_verify.paper.statements.mechanisms import FORCED_BIAS
from ahdp_verify.paper.statements.questions import (
    BY_LIMITS,
    BY_MOMENTS,
    argument_check,
    claim_checks,
    comparison_check,
    decimal_check,
    least_level_check,
    mechanism_in_file,
)
from ahdp_verify.paper.statements.regression import NORM_OF_1, NORM_OF_2
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


ROWS = (
    EXACT_LEVELS,
    SAMPLING_FACTORS,
    UPPER_TRIANGLE,
    NO_UNBIASED,
)
