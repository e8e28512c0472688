"""O7: the demands of experiment 3."""

from ahdp_verify.paper.statements import exp_3
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="O7. The mean demand of experiment 3",
    says=r"$E \epsilon = (e^2 - e^{-5})/7$, $E(1 - e^{-\epsilon}) = 0.3672$ and "
    r"$E \frac{\epsilon}{1 + \epsilon} = \frac{1}{7} \ln \frac{1 + e^2}{1 + e^{-5}}$ for $\log "
    r"\epsilon$ uniform on $[-5, 2]$.",
    checks=exp_3.CHECKS,
)
