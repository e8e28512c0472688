"""What is wrong in the paper about the power and about tests, and what should stand there: E1 to
E6.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from ahdp_verify import Domain, oo
from ahdp_verify.analysis.power import best_power, known_record
from ahdp_verify.paper.statements.power import (
    BOUND_ON_ACCEPTANCE,
    BOUND_ON_ERRORS,
    CLAIM_1_B,
    FACTOR,
    errors_at_infinite_distance,
)
from ahdp_verify.paper.statements.power_additional_records import (
    GEOMETRIC_COUNTS,
    GEOMETRIC_NOISE_INSTEAD,
    Q_BELOW_1,
    SUMS_OVER_A_BOX,
)
from ahdp_verify.paper.statements.power_heterogeneous import LARGEST_DEMAND_ROW
from ahdp_verify.paper.statements.questions import (
    BY_ERRORS,
    argument_check,
    claim_check,
    claim_checks,
    comparison_check,
    decimal_check,
    level_in_file,
    optimum_check,
)
from ahdp_verify.paper.statements.row import Check, PaperRow

# E1: M' of claim:2 and claim:3 is not eps-DP: how much it exceeds, inside the hypotheses and on
# all datasets.
#
# For (k, t, 1/q) the factor by which the ratio exceeds 1/q inside H_t, its logarithm with that of
# 1/q; and the same on all datasets.
EXCESS = {
    (1, 1, 2): ("1", "0.6931471806", "1", "0.6931471806"),
    (1, 2, 2): ("8/7", "0.8266785732", "8/7", "0.8266785732"),
    (1, 3, 2): ("6/5", "0.8754687374", "6/5", "0.8754687374"),
    (1, 4, 2): ("38/31", "0.8967461358", "38/31", "0.8967461358"),
    (1, 8, 2): ("638/511", "0.9151158737", "638/511", "0.9151158737"),
    (1, 2, 3): ("15/13", "1.2417131323", "15/13", "1.2417131323"),
    (2, 1, 2): ("8/7", "0.8266785732", "7/5", "1.0296194172"),
    (2, 1, 3): ("15/13", "1.2417131323", "13/7", "1.7176514971"),
    (2, 2, 2): ("46/35", "0.9664405156", "28/17", "1.1921383467"),
    (2, 4, 2): ("306/217", "1.0368349290", "78/43", "1.2886558916"),
    (3, 1, 2): ("5/4", "0.9162907319", "11/7", "1.1451323043"),
}
SEVERAL_VALUES = {**Q_BELOW_1, "k": "k >= 2"}
Q_AND_POWER = {**Q_BELOW_1, "w": "0 < w and w <= q^2"}  # w = q^t for t >= 2


def weights_file(k: int, t: int, base: int, datasets: str) -> str:
    """The file of M' for k values, at most t more records and q = 1/base."""
    values, q = ("1-value" if k == 1 else f"{k}-values"), {2: "q-half", 3: "q-third"}[base]
    return f"paper/multiset-weights-{values}-{t}-more-{q}{datasets}.toml"


def excess_line(k: int, t: int, base: int) -> Iterator[Check]:
    """The checks of one line of the table: M' is refuted, the exact level is proved and cannot
    be lowered, and it is that of the table.
    """
    inside, log_inside, outside, log_outside = EXCESS[k, t, base]
    for place, file, factor, log in (
        ("inside H_t", "-small-datasets", inside, log_inside),
        ("all datasets", "", outside, log_outside),
    ):
        name, says = (
            weights_file(k, t, base, file),
            f"k = {k}, t = {t}, q = 1/{base}, {place}",
        )
        if factor == "1":
            yield from claim_checks(name, "proved", "refuted", role="more", says=says)
        else:
            yield claim_checks(name, "refuted", says=says)[0]
            yield from claim_checks(
                name, "refuted", "proved", "refuted", role="more", says=f"exact level, {says}"
            )[1:]
        exact = 1 if factor == "1" else 2
        yield comparison_check(
            partial(level_in_file, name, exact),
            "==",
            f"log({base}) + log({factor})",
            role="more",
            says=f"the factor {factor}, {says}",
        )
        yield decimal_check(
            partial(level_in_file, name, exact), log, "more", f"its logarithm, {says}"
        )


EXCESS_FORMULAS = (
    comparison_check(
        "(q + (1 - w)/(1 - q))/((1 - w*q)/(1 - q))",
        "==",
        "(1 + q - q^2 - w)/(1 - w*q)",
        role="more",
        says="k = 1, any t: Z(1)/Z(0), w = q^t",
        unknowns=Q_AND_POWER,
        given=("geometric sums",),
    ),
    comparison_check(
        "(1 + q - q^2 - w)/(1 - w*q)",
        ">",
        "1",
        role="more",
        says="k = 1, t >= 2: more than 1",
        unknowns=Q_AND_POWER,
    ),
    comparison_check(
        "1 + q - q^2",
        "<=",
        "5/4",
        role="more",
        says="k = 1: its limit is at most 5/4",
        unknowns=Q_BELOW_1,
    ),
    comparison_check(
        "1 + q - q^2",
        "==",
        "5/4",
        role="more",
        says="k = 1, q = 1/2: its limit is 5/4",
        unknowns={"q": "q == 1/2"},
    ),
    decimal_check(lambda: "log(5/4)", "0.223143551314", "more", "its logarithm"),
    comparison_check(
        "(1 + k*q)/(1 + q + (k - 1)*q^2)",
        ">",
        "1",
        role="more",
        says="t = 1, k >= 2: inside H_1 more than 1",
        unknowns=SEVERAL_VALUES,
    ),
    comparison_check(
        "(q + q^2 + k - 1)/(q*(k + q))",
        ">",
        "1",
        role="more",
        says="t = 1, k >= 2: on all datasets more than 1",
        unknowns=SEVERAL_VALUES,
    ),
    decimal_check(
        lambda: "16/7",
        "2.285714285714",
        "more",
        "the smallest ratio at q = 1/2, where 2 is allowed",
    ),
    decimal_check(lambda: "log(16/7)", "0.826678573184", "more", "its logarithm"),
    decimal_check(lambda: "log(2)", "0.693147180560", "more", "log(2)"),
    decimal_check(
        lambda: "log((1 + 2*exp(-1))/(exp(-1)*(1 + exp(-1) + exp(-2))))",
        "1.143838749488",
        "more",
        "the same at q = 1/e, where 1 is allowed",
    ),
)
E1 = PaperRow(
    identifier="e1",
    label="E1. M' of claim:2 and claim:3",
    says=r"$M'$ of claim:2 and claim:3 is $\epsilon$-DP.",
    checks=(
        claim_checks(
            "paper/multiset-weights-sizes-0-to-2-as-printed.toml",
            "refuted",
            says="k = 1, t = 2, all eps: the smallest case",
        )[0],
        *(check for case in EXCESS for check in excess_line(*case)),
        *(
            claim_checks(
                f"paper/multiset-weights-unequal-demands{place}.toml",
                "refuted",
                says="q = (1/2, 1/3), t = 1",
            )[0]
            for place in ("-small-datasets", "")
        ),
        *claim_checks(
            "paper/multiset-weights-sizes-0-to-2-as-printed.toml",
            "refuted",
            "proved",
            "refuted",
            role="more",
            says="its exact level, k = 1, t = 2, all eps",
        )[1:],
        *EXCESS_FORMULAS,
    ),
    note="The normaliser moves too, by up to the factor 1/q. At k = 1, t = 1 it does not, and M' "
    "is private. M' with eps/2 always is (S10); geometric noise is better (E3).",
)
# E2: the last line of the proof of claim:2 (B1).
E2 = PaperRow(
    identifier="e2",
    label="E2. The last line of claim:2 (B1)",
    says=r"Last line of the proof of claim:2: $P(M', H_t) \ge \left(\frac{1 + e^{-\epsilon}}{1 - "
    r"e^{-\epsilon}}\right)^k$.",
    checks=(
        argument_check(
            "paper/power-lower-bound-any-number-of-values-inverted.toml",
            "refuted",
            says="as printed",
        ),
        argument_check(
            "paper/power-lower-bound-any-number-of-values.toml",
            "proved",
            role="repair",
            says="the fraction inverted",
            given=SUMS_OVER_A_BOX,
        ),
    ),
    note="It must read ((1 - q)/(1 + q))^k with q = e^-eps.",
)
# E3: geometric noise on the counts in place of M', for every t.
E3 = PaperRow(
    identifier="e3",
    label="E3. Geometric noise for M'",
    says=r"$M'$ of claim:2 and claim:3 is private and has at least the power $\prod_x \frac{1 - "
    r"q_x}{1 + q_x}$, $q_x = e^{-\epsilon_l(x)}$.",
    checks=(
        claim_check(
            "paper/multiset-weights-unequal-demands.toml",
            1,
            "refuted",
            says="M' for least demands log 2 and log 3, t = 1",
        ),
        claim_check(
            "paper/multiset-weights-sizes-0-to-2-as-printed.toml",
            1,
            "refuted",
            says="M' for one value, t = 2, all eps",
        ),
        *GEOMETRIC_NOISE_INSTEAD,
        *(
            claim_check(
                GEOMETRIC_COUNTS[k],
                1,
                "proved",
                "more",
                says=f"{k} value{'s' * (k > 1)}, all demands",
            )
            for k in (1, 2, 3)
        ),
        comparison_check(
            "(1 - q)/(1 + q)*(1 + q/(1 - q))",
            "==",
            "1/(1 + q)",
            role="more",
            says="the noise is at most 0 with probability 1/(1 + q), where clamping gives back D_o",
            unknowns={"q": "0 < q and q < 1"},
        ),
        claim_check(
            "paper/geometric-counts-two-values-log-demands.toml",
            1,
            "proved",
            "more",
            says="W = {(1, log 2), (1, log 5), (2, log 3)}",
        ),
    ),
    note="M' is not private. Two-sided geometric noise on each value's count is, on all datasets "
    "and independent of t and D_o.",
)
# E4: the row of the value with the largest demand in place of M' at t = 1; the simpler
# extension fails for unequal demands.
E4 = PaperRow(
    identifier="e4",
    label="E4. The witness of (B2)",
    says=r"$M'$ at $t = 1$ is private and has the power $\frac{1}{1 + \sum_x q_x}$, $q_x = "
    r"e^{-\epsilon_l(x)}$.",
    checks=(
        claim_check(
            "paper/multiset-weights-unequal-demands.toml",
            1,
            "refuted",
            says="M' for least demands log 2 and log 3, t = 1",
        ),
        *(replace(check, role="repair") for check in LARGEST_DEMAND_ROW),
        claim_check(
            "paper/guess-one-more-record-simple-extension-unequal-demands.toml",
            1,
            "refuted",
            "more",
            says="the row of D_o on all larger datasets, demands log 2 and log 3",
        ),
        claim_check(
            "paper/guess-one-more-record-simple-extension-equal-demands.toml",
            1,
            "proved",
            "more",
            says="for equal demands the row of D_o on all larger datasets does",
        ),
    ),
    note="M' is not private. The row of the value with the largest demand among those that the "
    "dataset has more of than D_o is; the row of D_o on all larger datasets "
    "is private for equal demands, but not for demands log 2 and log 3.",
)
# E5: randomised response of claim:1 (B) on all datasets of that size.
E5 = PaperRow(
    identifier="e5",
    label="E5. claim:1 (B), all datasets",
    says=r"$M'$ of claim:1 (B) is a mechanism on all datasets.",
    checks=CLAIM_1_B.checks,
    note="It is defined on H alone; the uniform answer on all other datasets of that size "
    "completes it.",
)
# E6: thm:HT at an infinite distance.
INFINITE_DEMAND = Domain([(1, oo)])
E6 = PaperRow(
    identifier="e6",
    label="E6. thm:HT at an infinite distance",
    says=r"thm:HT with $\infty \cdot 0 = 0$: also at $d_\alpha = \infty$ the errors satisfy $e_I "
    r"+ e^{d_\alpha} e_{II} \ge 1$.",
    checks=(
        claim_check(
            "paper/exact-size-infinite-demand.toml",
            1,
            "proved",
            "more",
            "the size is W-AHDP for W = {(x, oo)}",
        ),
        optimum_check(
            lambda: best_power(INFINITE_DEMAND, known_record(INFINITE_DEMAND.records[0])),
            1,
            "more",
            "and some mechanism tells {} from {(x, oo)} without error",
        ),
        comparison_check(
            errors_at_infinite_distance,
            ">=",
            "1",
            "refuted",
            says="the test n >= 1 on the size: both errors are 0, and so is every multiple of the "
            "second",
            unknowns=FACTOR,
            given=BY_ERRORS,
        ),
        comparison_check(
            "e1 + u*e2",
            ">=",
            "1",
            role="repair",
            says="at a finite distance log(u)",
            unknowns=BOUND_ON_ACCEPTANCE,
        ),
        comparison_check(
            "1 - e1", "<=", "u*e2", role="repair", says="and back", unknowns=BOUND_ON_ERRORS
        ),
    ),
    note="Repair: only pairs at a finite distance, in both orders.",
)


ROWS = (
    E1,
    E2,
    E3,
    E4,
    E5,
    E6,
)
