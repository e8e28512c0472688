"""alg:LR and sec:LRP: linear regression from noisy moments is alpha-AHDP; half of the
off-diagonal entries are released twice.
"""

from ahdp_verify.paper.statements.checks import argument, claim, claims, holds, least
from ahdp_verify.paper.statements.row import Row

ONE, TWO = "abs(x[1])", "(abs(x[1]) + abs(x[2]))"

ROW = Row(
    label="alg:LR, sec:LRP",
    says=r"Linear regression from $X^T W X$ and $X^T W y$, each entry plus $\mathcal{L}(d^2 + "
    r"d)$, which returns $A^{-1} b$, is $\alpha$-AHDP, "
    r"and each entry is $\frac{\alpha}{d^2 + d}$-AHDP.",
    checks=(
        holds(
            "abs(v*w)",
            "<=",
            "1",
            says="products of covariates and targets",
            unknowns={"v": "-1 <= v and v <= 1", "w": "-1 <= w and w <= 1"},
        ),
        *claims("paper/regression-entry.toml", "proved", says="one entry, any dimension"),
        argument(
            "paper/regression-proof.toml",
            "proved",
            says="all entries, any dimension",
            given=("what is computed from private entries is private, prop:pp",),
        ),
        claim(
            "paper/regression-1.toml",
            2,
            "proved",
            "more",
            "as one mechanism, universal",
            only="d = 1",
        ),
        claim(
            "paper/regression-2.toml",
            2,
            "proved",
            "more",
            "as one mechanism, universal",
            only="d = 2",
        ),
        claim("paper/regression-8.toml", 1, "proved", "more", "as one mechanism", only="d = 8"),
        least("paper/regression-entry.toml", "alpha*abs(z)/(d^2 + d)", says="one entry"),
        least("paper/regression-1.toml", f"alpha*{ONE}*({ONE} + abs(y))/2", only="d = 1"),
        least("paper/regression-2.toml", f"alpha*{TWO}*({TWO} + abs(y))/6", only="d = 2"),
    ),
    note="Half of the off-diagonal entries are released twice; the upper triangle is enough, with "
    "less noise (S7).",
    section="5.2, G",
)
