"""E4: the row of the value with the largest demand in place of M' at t = 1; the simpler extension fails for unequal demands."""

from ahdp_verify.statements.checks import claim
from ahdp_verify.statements.claim_3_b2 import ROW as ONE
from ahdp_verify.statements.row import Row

ROW = Row(
    label="E4. The witness of (B2)",
    says=r"$M'$ at $t = 1$ is private and has the power $\frac{1}{1 + \sum_x q_x}$.",
    checks=(
        *ONE.checks,
        claim("paper/claim-3-witness-two-or-more-equal.toml", 1, "proved", "more", says="for equal demands the row of D_o on all larger datasets does"),
    ),
    note="M' is not private. The row of the value with the largest demand among those that the dataset has more of than D_o is; the row of D_o on all larger datasets "
         "is private for equal demands, but not for q = (1/2, 1/3).",
)  # fmt: skip
