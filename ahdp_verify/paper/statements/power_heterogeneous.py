"""def:cap-ahdp: the adversary has to name the values, not the demands; the power is at least 1
over the number of projections.
"""

from ahdp_verify.analysis.power.against_mechanism import power
from ahdp_verify.analysis.power.threat_models import extra_records
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism, finite
from ahdp_verify.kernel.terms.expression import log
from ahdp_verify.paper.statements.checks import holds, powered
from ahdp_verify.paper.statements.row import Row

W = Domain([("a", log(2)), ("a", log(3)), ("b", log(2))])
SILENT = Mechanism(W, outputs=[finite("s", [0, 1])], density="1/2", name="coin")
ONE = "a coin, W = {(a, log 2), (a, log 3), (b, log 2)}, t = 1"

ROW = Row(
    label="def:cap-ahdp",
    says=r"$P(M, H) = \max_\psi \min_{D \in H} \Pr\{\psi(M(D)) = \Pi_X(D)\} \ge \frac{1}{|H_X|}$.",
    checks=(
        holds(
            "chance*(1/n)",
            ">=",
            "1/n",
            says="outputs have the chance 1 together, and on each a blind guess among n "
            "projections is right with chance 1/n",
            unknowns={"n": "n >= 1", "chance": "chance == 1"},
        ),
        powered(
            lambda: power(SILENT, extra_records(1)),
            "1/3",
            "more",
            f"the power of {ONE}: 4 hypotheses, 3 projections",
        ),
    ),
    note="H_X should be the set of the projections Pi_X(D), not their union.",
    section="4.2",
)
