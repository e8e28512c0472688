"""The power is at least 1/|H|, by a blind guess, and not smaller for fewer hypotheses."""

from ahdp_verify.analysis.power.against_mechanism import power
from ahdp_verify.analysis.power.threat_models import extra_records
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism, finite
from ahdp_verify.kernel.terms.expression import log
from ahdp_verify.paper.statements.checks import holds, powered
from ahdp_verify.paper.statements.row import Row

FEWER = {"p": "p >= 0", "a": "a >= p", "b": "b >= p", "r": "r >= 0"}
SILENT = Mechanism(
    Domain([("a", log(2)), ("b", log(2))]),
    outputs=[finite("s", [0, 1])],
    density="1/2",
    name="coin",
)

ROW = Row(
    label="P >= 1/|H|",
    says=r"$P(M, H) \ge \frac{1}{|H|}$ for any mechanism, by a uniformly random test, so that the "
    r"power is larger for fewer hypotheses.",
    checks=(
        holds(
            "chance*(1/n)",
            ">=",
            "1/n",
            says="outputs have the chance 1 together, and on each a blind guess is right with "
            "chance 1/n",
            unknowns={"n": "n >= 1", "chance": "chance == 1"},
        ),
        holds(
            "a + r",
            ">=",
            "p",
            says="with fewer hypotheses a test answers one that is left where it named another, "
            "so no chance falls",
            unknowns=FEWER,
        ),
        powered(
            lambda: power(SILENT, extra_records(2)),
            "1/6",
            "more",
            "a mechanism that tells nothing, two values, t = 2: 6 hypotheses",
        ),
    ),
    section="4.1",
)
