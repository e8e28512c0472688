"""E4: the row of the value with the largest demand in place of M' at t = 1; the simpler
extension fails for unequal demands.
"""

from dataclasses import replace

from ahdp_verify.paper.statements.checks import claim
from ahdp_verify.paper.statements.claim_3_b2 import WITNESS
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="E4. The witness of (B2)",
    says=r"$M'$ at $t = 1$ is private and has the power $\frac{1}{1 + \sum_x q_x}$, $q_x = "
    r"e^{-\epsilon_l(x)}$.",
    checks=(
        claim(
            "paper/claim-3-witness-as-printed.toml",
            1,
            "refuted",
            says="M' for least demands log 2 and log 3, t = 1",
        ),
        *(replace(check, role="repair") for check in WITNESS),
        claim(
            "paper/claim-3-witness-two-or-more.toml",
            1,
            "refuted",
            "more",
            says="the row of D_o on all larger datasets, demands log 2 and log 3",
        ),
        claim(
            "paper/claim-3-witness-two-or-more-equal.toml",
            1,
            "proved",
            "more",
            says="for equal demands the row of D_o on all larger datasets does",
        ),
    ),
    note="M' is not private. The row of the value with the largest demand among those that the "
    "dataset has more of than D_o is; the row of D_o on all larger datasets "
    "is private for equal demands, but not for demands log 2 and log 3.",
)
