"""Sample Mechanism: level min(alpha, t)."""

from ahdp_verify.statements.checks import claims
from ahdp_verify.statements.row import Row

ROW = Row(
    label="Sample Mechanism",
    says=r"Sampling each record with probability $\frac{e^{\alpha \wedge t} - 1}{e^t - 1}$ before a $t$-DP mechanism is $(\alpha \wedge t)$-AHDP.",
    checks=claims("paper/sample-mechanism-any-base.toml", "proved"),
    section="5.1",
)
