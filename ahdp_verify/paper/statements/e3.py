"""E3: geometric noise on the counts in place of M', for every t."""

from ahdp_verify.paper.statements.checks import claim, holds
from ahdp_verify.paper.statements.claim_2_b1 import INSTEAD
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="E3. Geometric noise for M'",
    says=r"$M'$ of claim:2 and claim:3 is private and has at least the power $\prod_x \frac{1 - "
    r"q_x}{1 + q_x}$, $q_x = e^{-\epsilon_l(x)}$.",
    checks=(
        claim(
            "paper/claim-3-witness-as-printed.toml",
            1,
            "refuted",
            says="M' for least demands log 2 and log 3, t = 1",
        ),
        claim(
            "paper/claim-2-witness-as-printed.toml",
            1,
            "refuted",
            says="M' for one value, t = 2, all eps",
        ),
        *INSTEAD,
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
        holds(
            "(1 - q)/(1 + q)*(1 + q/(1 - q))",
            "==",
            "1/(1 + q)",
            role="more",
            says="the noise is at most 0 with chance 1/(1 + q), where clamping gives back D_o",
            unknowns={"q": "0 < q and q < 1"},
        ),
        claim(
            "paper/claim-3-witness-repaired.toml",
            1,
            "proved",
            "more",
            says="W = {(1, log 2), (1, log 5), (2, log 3)}",
        ),
    ),
    note="M' is not private. Two-sided geometric noise on each value's count is, on all datasets "
    "and independent of t and D_o.",
)
