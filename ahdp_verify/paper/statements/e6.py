"""E6: thm:HT at an infinite distance."""

from ahdp_verify.analysis.power.best import best_power
from ahdp_verify.analysis.power.threat_models import known_record
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.terms.expression import oo
from ahdp_verify.paper.statements.checks import BY_ERRORS, claim, holds, optimum
from ahdp_verify.paper.statements.row import Row
from ahdp_verify.paper.statements.thm_ht import BOUNDED, FACTOR, ON_ERRORS, told_apart

FREE = Domain([(1, oo)])

ROW = Row(
    label="E6. thm:HT at an infinite distance",
    says=r"thm:HT with $\infty \cdot 0 = 0$: also at $d_\alpha = \infty$ the errors satisfy $e_I "
    r"+ e^{d_\alpha} e_{II} \ge 1$.",
    checks=(
        claim(
            "paper/infinite-level.toml", 1, "proved", "more", "the size is W-AHDP for W = {(x, oo)}"
        ),
        optimum(
            lambda: best_power(FREE, known_record(FREE.records[0])),
            1,
            "more",
            "and some mechanism tells {} from {(x, oo)} without error",
        ),
        holds(
            told_apart,
            ">=",
            "1",
            "refuted",
            says="the test n >= 1 on the size: both errors are 0, and so is every multiple of the "
            "second",
            unknowns=FACTOR,
            given=BY_ERRORS,
        ),
        holds(
            "e1 + u*e2",
            ">=",
            "1",
            role="repair",
            says="at a finite distance log(u)",
            unknowns=BOUNDED,
        ),
        holds("1 - e1", "<=", "u*e2", role="repair", says="and back", unknowns=ON_ERRORS),
    ),
    note="Repair: only pairs at a finite distance, in both orders.",
)
