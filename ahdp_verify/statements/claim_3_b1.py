"""claim:3 (B1): the limit of the power is at least the product of (1 - q)/(1 + q)."""

from ahdp_verify.statements.checks import claim
from ahdp_verify.statements.claim_2_b1 import ROW as LIMIT
from ahdp_verify.statements.row import Row

ROW = Row(
    label="claim:3 (B1)",
    says=r"$\lim_{t \to \infty} P(M', H_t) \ge \prod_{(x, \epsilon) \in W_o} \frac{1 - e^{-\epsilon}}{1 + e^{-\epsilon}}$ for the $W$-AHDP mechanism $M'$ of the proof.",
    checks=(
        claim("paper/claim-3-witness-as-printed.toml", 1, "refuted", says="M' for q = (1/2, 1/3), t = 1"),
        *(check for check in LIMIT.checks if check.role == "repair"),
        *(claim(f"paper/claim-3-witness-repaired-k{k}.toml", 1, "proved", "more", says=f"{k} value{'s' * (k > 1)}, all demands") for k in (1, 2, 3)),
    ),
    note="M' is not private (E1); geometric noise on each value's count, with q_x of its least demand, is, on all datasets, and attains the bound for every t (E3). "
         "If some least demand is 0, the bound is 0; a value of demand oo needs no noise.",
    section="4.2",
)  # fmt: skip
