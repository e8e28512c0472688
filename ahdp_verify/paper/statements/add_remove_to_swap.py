"""Add-remove eps-DP is swap 2 eps-DP, and no less."""

from ahdp_verify.paper.statements.checks import argument, claims
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="Add-remove to swap",
    says=r"An add-remove $\epsilon$-DP algorithm is a swap $2\epsilon$-DP algorithm.",
    checks=(
        argument("laws/to_swap.toml", "proved", says="remove one record, then add the other"),
        *claims(
            "paper/histogram-swap.toml",
            "proved",
            "refuted",
            "proved",
            "refuted",
            "refuted",
            role="more",
            says="a histogram, where 2 eps cannot be lowered",
        ),
    ),
    section="2.2",
)
