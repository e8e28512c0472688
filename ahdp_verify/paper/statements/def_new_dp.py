"""def:newDP: AHDP, with auxiliary input, and W-AHDP."""

from ahdp_verify.paper.statements.checks import argument
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="def:newDP",
    says=r"(A) $\alpha$-AHDP; (B) with an auxiliary input; (C) an $\alpha$-AHDP algorithm is "
    r"$\mathcal{W}$-AHDP if $\alpha(x, \epsilon) \le \epsilon$ on $\mathcal{W}$.",
    checks=(
        argument(
            "laws/weaken.toml",
            "proved",
            says="a larger level is a weaker claim, so (C) is a bound at the demands",
        ),
    ),
    section="3",
)
