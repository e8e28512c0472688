"""Beyond the paper, S9 and S10: exponential weights, of records and of datasets."""

from __future__ import annotations

from ahdp_verify import Expression, name
from ahdp_verify.analysis.testing import Errors, error_rates
from ahdp_verify.paper.statements.mechanisms import EXPONENTIAL_FILES
from ahdp_verify.paper.statements.questions import (
    BY_ERRORS,
    argument_check,
    claim_check,
    comparison_check,
    mechanism_in_file,
)
from ahdp_verify.paper.statements.row import PaperRow

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
    EXPONENTIAL_HALF,
    EXPONENTIAL_FREE,
    EXPONENTIAL_UNBOUNDED,
    EXPONENTIAL_DELETIONS,
    EXPONENTIAL_VACUOUS,
    OVERSHOOT,
)
