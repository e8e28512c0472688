"""claim:2 (B1): the power against many extra records is at least ((1 - q)/(1 + q))^k."""

from ahdp_verify.statements.checks import argument, claim, claims
from ahdp_verify.statements.row import Row

ROW = Row(
    label="claim:2 (B1)",
    says=r"$\lim_{t \to \infty} P(M', H_t) \ge \left(\frac{1 - q}{1 + q}\right)^k$ for the $\epsilon$-DP mechanism $M'$ of the proof.",
    checks=(
        claim("paper/claim-2-witness-k1-t2-q2.toml", 1, "refuted", says="M' at k = 1, t = 2"),
        argument("paper/claim-2-proof-b1.toml", "refuted", says="the last display of the proof"),
        *claims("paper/claim-2-witness-repaired.toml", "proved", "refuted", role="repair", says="geometric noise on the count"),
    ),
    note="M' is not private; two-sided geometric noise is, and attains the bound.",
    section="4.2",
)
