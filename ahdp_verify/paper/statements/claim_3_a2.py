"""claim:3 (A2): against at most one additional record the power is at most 1/(1 + the sum of
q_x), which is attained.
"""

from ahdp_verify.paper.statements.checks import against, argument
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="claim:3 (A2)",
    says=r"$P(M, H_1) \le \frac{1}{1 + \sum_{(x, \epsilon) \in W_o} e^{-\epsilon}}$ for any "
    r"$W$-AHDP mechanism.",
    checks=(
        argument(
            "paper/power-one-more-hypothesis.toml",
            "proved",
            says="what is named on D_o: hypothesis by hypothesis, the weights q_x add up",
        ),
        argument("paper/claim-3-proof-a2.toml", "proved", says="all W"),
        *(
            against(demands, 1, value, "more", everywhere=everywhere)
            for demands, value in (
                ("log(2), log(3)", "6/11"),
                ("log(2), log(3), log(4)", "12/25"),
                ("log(100), log(2), log(10/9)", "100/241"),
            )
            for everywhere in (False, True)
        ),
    ),
    section="4.2",
)
