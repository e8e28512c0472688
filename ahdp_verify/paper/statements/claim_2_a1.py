"""claim:2 (A1): against many additional records the power is at most (1 - q)^k in the limit;
this is not tight.
"""

from ahdp_verify.paper.statements.checks import argument, decimal, holds
from ahdp_verify.paper.statements.row import Row

SUM = {"q": "0 <= q and q < 1", "w": "w >= 0"}

ROW = Row(
    label="claim:2 (A1)",
    says=r"$\lim_{t \to \infty} P(M, H_t) \le (1 - e^{-\epsilon})^k$ for any $\epsilon$-DP "
    r"mechanism in the add-remove model.",
    checks=(  # q = exp(-eps)
        argument(
            "paper/power-one-more-hypothesis.toml",
            "proved",
            says="what is named on D_o: hypothesis by hypothesis",
        ),
        argument(
            "paper/power-ball-bound.toml",
            "proved",
            says="the power is at most 1 over the sum of the weights",
        ),
        holds(
            "(1 - w)/(1 - q) + w",
            "==",
            "(1 - w*q)/(1 - q)",
            says="the weights of one value's counts up to m, w = q^(m + 1): one more",
            unknowns=SUM,
            given=(
                "induction over the largest count",
                "a sum of products over a box is the product of the sums",
            ),
        ),
        argument("paper/claim-2-proof-a1.toml", "proved", says="eps > 0, before the limit"),
        holds(
            "p",
            "<=",
            "1/m",
            says="eps = 0: every hypothesis has weight 1, and there are more than m of them",
            unknowns={"m": "m >= 1", "Z": "Z >= m", "p": "p >= 0 and p*Z <= 1"},
            given=("limits: q^m and 1/m tend to 0",),
        ),
        holds(
            "(1 - q)/(1 + q)",
            "<",
            "1 - q",
            role="more",
            says="the exact limit (S1) is less",
            unknowns={"q": "0 < q and q < 1"},
        ),
        decimal(
            lambda: "(1 - exp(-1/2))^2",
            "0.15481812174618",
            "more",
            "printed bound, k = 2, eps = 1/2",
        ),
        decimal(
            lambda: "((1 - exp(-1/2))/(1 + exp(-1/2)))^2",
            "0.059985151193622",
            "more",
            "exact limit, k = 2, eps = 1/2",
        ),
    ),
    note="The exact limit is ((1 - q)/(1 + q))^k with q = e^-eps, see S1.",
    section="4.1",
)
