"""Section 4.1: what follows from the bounds of the power, and the curves that are drawn of them."""

from __future__ import annotations

from ahdp_verify import Domain, Expression, name
from ahdp_verify.analysis.power import (
    extra_records,
    limit_bound,
    limit_power,
    one_more_record,
    one_record_power,
    swap_power,
)
from ahdp_verify.paper.statements.power import TWO_AT_LOG_2, VALUES_AND_Q
from ahdp_verify.paper.statements.questions import comparison_check, decimal_check
from ahdp_verify.paper.statements.row import Check, PaperRow, Role

# Text after claim:2: the limit of the power is lower than at t = 1, and t = 1 is comparable
# with the swap model.
EPS = name("eps")
AFTER_CLAIM_2 = PaperRow(
    identifier="after_claim_2",
    label="after claim:2",
    says=r"At $t = 1$ the add-remove and the swap model offer comparable protection, and for $t "
    r"\to \infty$ the power is lower than at $t = 1$.",
    checks=(
        comparison_check(
            "1/(1 + (k + 1 - 1)*q)",
            "==",
            "1/(1 + k*q)",
            says="with equally many hypotheses, k + 1, the two optima are equal",
            unknowns=VALUES_AND_Q,
            given=("claim:1 and claim:2",),
        ),
        comparison_check(
            "a + r",
            ">=",
            "p",
            says="a test for more extra records is one for fewer, which answers something else "
            "where it named too many; so the power does not grow with t",
            unknowns={"p": "p >= 0", "a": "a >= p", "r": "r >= 0"},
        ),
        comparison_check(
            "(1 - q)*(1 + q)",
            "<",
            "1",
            says="(1 - q)^k (1 + k q) < 1 for one value: the bound of (A1) is below the optimum "
            "at t = 1",
            unknowns=VALUES_AND_Q,
            given=("induction over the number of values",),
        ),
        comparison_check(
            "b*(1 - q)*(1 + (k + 1)*q)",
            "<",
            "1",
            says="and for one more, b = (1 - q)^k",
            unknowns={**VALUES_AND_Q, "b": "b >= 0 and b*(1 + k*q) < 1"},
        ),
        *(
            comparison_check(
                swap_power(k + 1, EPS),
                "==",
                one_record_power(Domain([(i, EPS) for i in range(k)])),
                role="more",
                says=f"{k + 1} hypotheses",
                unknowns={"eps": "eps > 0"},
            )
            for k in (1, 2, 3)
        ),
    ),
    section="4.1",
)
# fig:cap: the bounds of the power for eps = 1/2 as the number of values grows; STATEMENTS O4.
CURVES = (
    "swap, one unknown record",
    "at most one extra record",
    "many extra records, the paper's bound",
    "many extra records, exact",
)
HEIGHTS_BY_K = {
    1: ("1", "0.62245933120185", "0.39346934028737", "0.24491866240371"),
    2: ("0.62245933120185", "0.45186276187761", "0.15481812174618", "0.059985151193622"),
    3: ("0.45186276187761", "0.35466124439244", "0.060916184227997", "0.014691482994426"),
    5: ("0.29187513274058", "0.24797569390761", "0.0094309292261225", "0.00088127082867918"),
    10: ("0.15482809896025", "0.14153667448865", "0.000088942426068131", "0.00000077663827348089"),
}


def curve_heights(k: int, eps: object) -> tuple[Expression, ...]:
    """The heights of the four curves for k values of demand eps."""
    domain = Domain([(i, eps) for i in range(k)])
    return (
        swap_power(k, eps),
        one_record_power(domain),
        limit_bound(domain),
        limit_power(domain),
    )


def points_on_curves(k: int, eps: object, printed: tuple[str, ...]) -> tuple[Check, ...]:
    """That the curves pass through these points; the last one is not in the paper."""

    def height(i: int) -> Check:
        role: Role = "more" if i == len(CURVES) - 1 else "printed"
        return decimal_check(
            lambda: curve_heights(k, eps)[i],
            printed[i],
            role,
            f"{CURVES[i]}, k = {k}, eps = {eps}",
            only=f"k = {k}, eps = {eps}",
        )

    return tuple(map(height, range(len(CURVES))))


FIG_CAP = PaperRow(
    identifier="fig_cap",
    label="fig:cap",
    says=r"Upper bounds of the power for claim:1, claim:2 at $t = 1$ and claim:2 for $t \to "
    r"\infty$ as $k$ varies, $\epsilon = 0.5$.",
    checks=tuple(
        check
        for k, printed in HEIGHTS_BY_K.items()
        for check in points_on_curves(k, "1/2", printed)
    ),
    note="The curve for t to infinity should be the exact limit ((1 - q)/(1 + q))^k with q = "
    "e^-eps (S1).",
    section="4.1",
    figures=("cap",),
)
# fig:cap-2: the bounds of the power for two values as eps grows, and the blind guesses;
# STATEMENTS O4.
HEIGHTS_BY_EPS = {
    "1/10": ("0.52497918747894", "0.35591307120722", "0.0090559170060627", "0.0024958392284321"),
    "1": ("0.73105857863", "0.57611688476583", "0.39957640089373", "0.21355226703407"),
    "2": ("0.88079707797788", "0.7869860421616", "0.74764507241551", "0.58002565838597"),
    "5": ("0.99330714907572", "0.98670329104227", "0.98656950593159", "0.97340777331684"),
}
FIG_CAP_2 = PaperRow(
    identifier="fig_cap_2",
    label="fig:cap-2",
    says=r"The same bounds as $\epsilon$ varies, $k = 2$, with the trivial lower bounds "
    r"$\frac{1}{|H|}$.",
    checks=(
        *(
            check
            for eps, printed in HEIGHTS_BY_EPS.items()
            for check in points_on_curves(2, eps, printed)
        ),
        comparison_check(
            lambda: len(one_more_record()(TWO_AT_LOG_2).datasets),
            "==",
            2,
            says="swap: 2 hypotheses, so the blind guess is 1/2",
        ),
        comparison_check(
            lambda: len(extra_records(1)(TWO_AT_LOG_2).datasets),
            "==",
            3,
            says="at most one extra record: 3 hypotheses, so the blind guess is 1/3",
        ),
        comparison_check(
            lambda: len(extra_records(9)(TWO_AT_LOG_2).datasets),
            "==",
            "(9 + 1)*(9 + 2)/2",
            role="more",
            says="at most 9 extra records",
        ),
        comparison_check(
            "1/((t + 1)*(t + 2)/2)",
            "<",
            "1/t",
            says="at most t: (t + 1)(t + 2)/2 hypotheses, so the blind guess tends to 0",
            unknowns={"t": "t >= 1"},
            given=("limits: 1/t tends to 0",),
        ),
    ),
    note="The curve for t to infinity should be the exact limit ((1 - q)/(1 + q))^k with q = "
    "e^-eps (S1).",
    section="4.1",
    figures=("cap-2",),
)


ROWS = (
    AFTER_CLAIM_2,
    FIG_CAP,
    FIG_CAP_2,
)
