"""S3: for every t the optimum lies between the limit and the ball bound."""

from ahdp_verify.paper.statements.checks import argument, claim
from ahdp_verify.paper.statements.claim_2_b1 import WITNESS
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="S3. Bounds for every t",
    says=r"$\prod_x \frac{1 - q_x}{1 + q_x} \le V_t \le \min_v \frac{1}{Z_t(v)}$ for all $t$ and "
    r"$k$, with $V_t = \sup_M P(M, H_t)$, $q_x = e^{-\epsilon_l(x)}$ and "
    r"$Z_t(v) = \sum_{|u| \le t} \prod_x q_x^{|u_x - v_x|}$, the ball bound.",
    checks=(
        *WITNESS,
        argument(
            "paper/power-one-more-hypothesis.toml",
            "proved",
            says="from above: what is named on D_o + v, hypothesis by hypothesis",
        ),
        claim("paper/power-ball-bound.toml", 1, "proved", says="so the power is at most 1/Z_t(v)"),
    ),
    note="The ball bound is attained at t = 1 (E4) and for one value (S2).",
)
