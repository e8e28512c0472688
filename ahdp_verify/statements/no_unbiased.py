"""S8: no universal mechanism is unbiased, for any query but 0."""

from ahdp_verify.statements.checks import argument, holds
from ahdp_verify.statements.row import Row

ROW = Row(
    label="S8",
    says=r"For every $f \ne 0$ no universal mechanism is unbiased, even on demands $\epsilon > 0$ only: $|E M(D + w) - E M(D)| \le (e^\epsilon - 1) E|M(D)|$; "
         r"with $m$ records $(x_o, 0)$ the largest bias is at least $m |f(x_o)| / 2$.",
    checks=(
        argument("paper/bias-of-additions.toml", "proved", says="how far a mean moves"),
        argument("paper/bias-unbiased.toml", "proved", says="less than an unbiased one has to"),
        holds("max(abs(e - F), abs(e - F - m*f))", ">=", "m*abs(f)/2", says="the larger of two biases of one mean e", unknowns={"e": "", "F": "", "f": "", "m": "m >= 0"},
              given=("records of demand 0 do not change the law",)),
    ),
)  # fmt: skip
