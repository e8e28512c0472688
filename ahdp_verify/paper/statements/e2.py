"""E2: the last line of the proof of claim:2 (B1)."""

from ahdp_verify.paper.statements.checks import argument
from ahdp_verify.paper.statements.claim_2_proof_rest import SUMS
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="E2. The last line of claim:2 (B1)",
    says=r"Last line of the proof of claim:2: $P(M', H_t) \ge \left(\frac{1 + e^{-\epsilon}}{1 - "
    r"e^{-\epsilon}}\right)^k$.",
    checks=(
        argument("paper/claim-2-proof-b1-any-k.toml", "refuted", says="as printed"),
        argument(
            "paper/claim-2-proof-b1-any-k-repaired.toml",
            "proved",
            role="repair",
            says="the fraction turned round",
            given=SUMS,
        ),
    ),
    note="It must read ((1 - q)/(1 + q))^k with q = e^-eps.",
)
