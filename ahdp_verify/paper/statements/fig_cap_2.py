"""fig:cap-2: the bounds of the power for two values as eps grows, and the blind guesses;
STATEMENTS O4.
"""

from ahdp_verify.analysis.power.threat_models import extra_records, one_more_record
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.terms.expression import log
from ahdp_verify.paper.statements.checks import holds
from ahdp_verify.paper.statements.fig_cap import points
from ahdp_verify.paper.statements.row import Row

FIGURES = {
    "1/10": ("0.52497918747894", "0.35591307120722", "0.0090559170060627", "0.0024958392284321"),
    "1": ("0.73105857863", "0.57611688476583", "0.39957640089373", "0.21355226703407"),
    "2": ("0.88079707797788", "0.7869860421616", "0.74764507241551", "0.58002565838597"),
    "5": ("0.99330714907572", "0.98670329104227", "0.98656950593159", "0.97340777331684"),
}
TWO = Domain([("a", log(2)), ("b", log(2))])

ROW = Row(
    label="fig:cap-2",
    says=r"The same bounds as $\epsilon$ varies, $k = 2$, with the trivial lower bounds "
    r"$\frac{1}{|H|}$.",
    checks=(
        *(check for eps, printed in FIGURES.items() for check in points(2, eps, printed)),
        holds(
            lambda: len(one_more_record()(TWO).datasets),
            "==",
            2,
            says="swap: 2 hypotheses, so the blind guess is 1/2",
        ),
        holds(
            lambda: len(extra_records(1)(TWO).datasets),
            "==",
            3,
            says="at most one extra record: 3 hypotheses, so the blind guess is 1/3",
        ),
        holds(
            lambda: len(extra_records(9)(TWO).datasets),
            "==",
            "(9 + 1)*(9 + 2)/2",
            role="more",
            says="at most 9 extra records",
        ),
        holds(
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
