"""fig:cap: the bounds of the power for eps = 1/2 as the number of values grows; STATEMENTS O4."""

from ahdp_verify.analysis.power.closed_forms import (
    limit_bound,
    limit_power,
    one_record_power,
    swap_power,
)
from ahdp_verify.kernel.model.declarations import exactly
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.paper.statements.checks import decimal
from ahdp_verify.paper.statements.row import Check, Role, Row

CURVES = (
    "swap, one unknown record",
    "at most one extra record",
    "many extra records, the paper's bound",
    "many extra records, exact",
)
FIGURES = {
    1: ("1", "0.62245933120185", "0.39346934028737", "0.24491866240371"),
    2: ("0.62245933120185", "0.45186276187761", "0.15481812174618", "0.059985151193622"),
    3: ("0.45186276187761", "0.35466124439244", "0.060916184227997", "0.014691482994426"),
    5: ("0.29187513274058", "0.24797569390761", "0.0094309292261225", "0.00088127082867918"),
    10: ("0.15482809896025", "0.14153667448865", "0.000088942426068131", "0.00000077663827348089"),
}


def heights(k: int, eps: object) -> tuple[Expression, ...]:
    """The heights of the four curves for k values of demand eps."""
    domain = Domain([(i, exactly(eps, "eps")) for i in range(k)])
    return (
        swap_power(k, exactly(eps, "eps")),
        one_record_power(domain),
        limit_bound(domain),
        limit_power(domain),
    )


def points(k: int, eps: object, printed: tuple[str, ...]) -> tuple[Check, ...]:
    """That the curves pass through these points; the last one is not in the paper."""

    def height(i: int) -> Check:
        role: Role = "more" if i == len(CURVES) - 1 else "printed"
        return decimal(
            lambda: heights(k, eps)[i],
            printed[i],
            role,
            f"{CURVES[i]}, k = {k}, eps = {eps}",
            only=f"k = {k}, eps = {eps}",
        )

    return tuple(map(height, range(len(CURVES))))


ROW = Row(
    label="fig:cap",
    says=r"Upper bounds of the power for claim:1, claim:2 at $t = 1$ and claim:2 for $t \to "
    r"\infty$ as $k$ varies, $\epsilon = 0.5$.",
    checks=tuple(check for k, printed in FIGURES.items() for check in points(k, "1/2", printed)),
    note="The curve for t to infinity should be the exact limit ((1 - q)/(1 + q))^k with q = "
    "e^-eps (S1).",
    section="4.1",
    figures=("cap",),
)
