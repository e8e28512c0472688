"""claim:3 (B1): the limit of the power is at least the product of (1 - q)/(1 + q)."""

from ahdp_verify.paper.statements.checks import claim
from ahdp_verify.paper.statements.claim_2_b1 import WITNESS
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="claim:3 (B1)",
    says=r"There is a $W$-AHDP mechanism $M'$ with $\lim_{t \to \infty} P(M', H_t) \ge \prod_{(x, "
    r"\epsilon) \in W_o} \frac{1 - e^{-\epsilon}}{1 + e^{-\epsilon}}$.",
    checks=(
        *WITNESS,
        *(
            claim(
                f"paper/claim-3-witness-repaired-k{k}.toml",
                1,
                "proved",
                "more",
                says=f"{k} value{'s' * (k > 1)}, all demands",
            )
            for k in (1, 2, 3)
        ),
        claim(
            "paper/claim-3-witness-as-printed.toml",
            1,
            "refuted",
            "more",
            says="M' of the proof for least demands log 2 and log 3, t = 1",
        ),
    ),
    note="True, but not by the proof: its M' is not private (E1). Geometric noise on each value's "
    "count, at its least demand, is private on all "
    "datasets, and attains the bound for every t (E3). "
    "If some least demand is 0, the bound is 0; a value of demand oo needs no noise.",
    section="4.2",
)
