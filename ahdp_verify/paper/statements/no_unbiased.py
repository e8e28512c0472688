"""S8: no universal mechanism is unbiased, for any query but 0."""

from ahdp_verify.paper.statements.checks import argument
from ahdp_verify.paper.statements.prop_bias import FORCED
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="S8. The bias that is forced",
    says=r"For every $f \ne 0$ no universal mechanism is unbiased, even on demands $\epsilon > 0$ "
    r"only: $|E M(D + w) - E M(D)| \le (e^\epsilon - 1) E|M(D)|$ for a record $w$ of "
    r"demand $\epsilon$; with $m$ records $(x_o, 0)$ the largest bias is at least $m |f(x_o)| / "
    r"2$.",
    checks=(
        argument("paper/bias-of-additions.toml", "proved", says="how far a mean moves"),
        argument(
            "paper/bias-unbiased.toml",
            "proved",
            says="less than that of an unbiased mechanism has to, once the demand is small",
            given=("a demand as near to 0 as one likes is allowed",),
        ),
        *FORCED,
    ),
)
