"""S3: for every t the optimum lies between the limit and the ball bound."""

from ahdp_verify.statements.checks import argument, claim
from ahdp_verify.statements.exact_limit import NOISE
from ahdp_verify.statements.row import Row

ROW = Row(
    label="S3. Bounds for every t",
    says=r"$\prod_x \frac{1 - q_x}{1 + q_x} \le V_t \le \min_v \frac{1}{Z_t(v)}$ for all $t$ and $k$.",
    checks=(
        *NOISE,
        argument("paper/power-one-more-hypothesis.toml", "proved", says="from above: what is named on D_o + v, hypothesis by hypothesis"),
        claim("paper/power-ball-bound.toml", 1, "proved", says="so the power is at most 1/Z_t(v)"),
    ),
    note="The ball bound is attained at t = 1 (E4) and for one value (S2).",
)
