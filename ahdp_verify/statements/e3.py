"""E3: geometric noise on the counts in place of M', for every t."""

from ahdp_verify.statements.checks import claim, holds
from ahdp_verify.statements.claim_3_b1 import ROW as LIMIT
from ahdp_verify.statements.row import Row

ROW = Row(
    label="E3. Geometric noise for M'",
    says=r"$M'$ of claim:2 and claim:3 is private and shows that the power can be $\prod_x \frac{1 - q_x}{1 + q_x}$.",
    checks=(
        *LIMIT.checks,
        holds("(1 - q)/(1 + q)*(1 + q/(1 - q))", "==", "1/(1 + q)", role="more", says="the noise is at most 0 with chance 1/(1 + q), where clamping gives back D_o",
              unknowns={"q": "0 < q and q < 1"}),
        claim("paper/claim-3-witness-repaired.toml", 1, "proved", "more", says="W = {(1, log 2), (1, log 5), (2, log 3)}"),
    ),
    note="M' is not private. Two-sided geometric noise on each value's count is, on all datasets and independent of t and D_o.",
)  # fmt: skip
