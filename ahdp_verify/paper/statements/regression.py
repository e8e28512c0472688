"""Section 5.2 on linear regression."""

from __future__ import annotations

from ahdp_verify.paper.statements.questions import (
    argument_check,
    claim_check,
    claim_checks,
    comparison_check,
    least_level_check,
)
from ahdp_verify.paper.statements.row import PaperRow

# The requirement in the text on linear regression lacks a logarithm.
DENSITY_RATIO = {"d": "d >= 0", "P": "P > 0", "R": "R > 0 and P <= exp(d)*R and R <= exp(d)*P"}
LOG_ABOVE = {"d": "d >= 0", "L": "L > d", "R": "R > 0"}
LOG_BELOW = {"d": "d >= 0", "L": "L < -d", "R": "R > 0"}
LR_TEXT = PaperRow(
    identifier="lr_text",
    label="linear regression, requirement",
    says=r"AHDP requires $\left| \frac{\Pr\{M(D) \in S\}}{\Pr\{M(D') \in S\}} \right| \le "
    r"d_\alpha(D, D')$.",
    checks=(
        comparison_check(
            "abs(P/R)", "<=", "d", "refuted", says="the ratio itself", unknowns=DENSITY_RATIO
        ),
        comparison_check(
            "exp(L)*R",
            ">",
            "exp(d)*R",
            role="repair",
            says="a logarithm L of the ratio above d breaks the bound",
            unknowns=LOG_ABOVE,
        ),
        comparison_check(
            "exp(L)*R",
            "<",
            "exp(-d)*R",
            role="repair",
            says="and so does one below -d",
            unknowns=LOG_BELOW,
        ),
    ),
    note=r"The logarithm is missing: $\left| \log \frac{\Pr\{M(D) \in S\}}{\Pr\{M(D') \in S\}} "
    r"\right| \le d_\alpha(D, D')$.",
    section="5.2",
)
# The optimum of weighted least squares.
NORMAL_MATRIX = {"a11": "", "a12": "", "a22": "a11*a22 - a12^2 > 0", "b1": "", "b2": ""}
DETERMINANT = "(a11*a22 - a12^2)"
FIRST_COEFFICIENT, SECOND_COEFFICIENT = (
    f"((a22*b1 - a12*b2)/{DETERMINANT})",
    f"((a11*b2 - a12*b1)/{DETERMINANT})",
)
WEIGHTED_LEAST_SQUARES = PaperRow(
    identifier="weighted_least_squares",
    label="weighted least squares",
    says=r"$\theta^* = (X^T W X)^{-1} X^T W y$ minimises $\sum_i \alpha(z_i, \epsilon_i) |x_i^T "
    r"\theta - y_i|^2$.",
    checks=(
        argument_check(
            "paper/weighted-least-squares.toml",
            "proved",
            says="no coefficient does better than a solution of the normal equations",
        ),
        comparison_check(
            "a*(b/a) - b",
            "==",
            "0",
            role="more",
            says="the gradient vanishes",
            unknowns={"a": "a > 0", "b": ""},
            only="d = 1",
        ),
        comparison_check(
            f"a11*{FIRST_COEFFICIENT} + a12*{SECOND_COEFFICIENT} - b1",
            "==",
            "0",
            role="more",
            says="the first entry of the gradient",
            unknowns=NORMAL_MATRIX,
            only="d = 2",
        ),
        comparison_check(
            f"a12*{FIRST_COEFFICIENT} + a22*{SECOND_COEFFICIENT} - b2",
            "==",
            "0",
            role="more",
            says="the second entry of the gradient",
            unknowns=NORMAL_MATRIX,
            only="d = 2",
        ),
    ),
    note=r"$X^T W X$ has to be invertible.",
    section="5.2",
)
# alg:LR and sec:LRP: linear regression from noisy moments is alpha-AHDP; half of the
# off-diagonal entries are released twice.
NORM_OF_1, NORM_OF_2 = "abs(x[1])", "(abs(x[1]) + abs(x[2]))"
ALG_LR = PaperRow(
    identifier="alg_lr",
    label="alg:LR, sec:LRP",
    says=r"Linear regression from $X^T W X$ and $X^T W y$, each entry plus $\mathcal{L}(d^2 + "
    r"d)$, which returns $A^{-1} b$, is $\alpha$-AHDP, "
    r"and each entry is $\frac{\alpha}{d^2 + d}$-AHDP.",
    checks=(
        comparison_check(
            "abs(v*w)",
            "<=",
            "1",
            says="products of covariates and targets",
            unknowns={"v": "-1 <= v and v <= 1", "w": "-1 <= w and w <= 1"},
        ),
        *claim_checks(
            "paper/linear-regression-one-entry.toml", "proved", says="one entry, any dimension"
        ),
        argument_check(
            "paper/linear-regression-proof-any-dimension.toml",
            "proved",
            says="all entries, any dimension",
            given=("what is computed from private entries is private, prop:pp",),
        ),
        claim_check(
            "paper/linear-regression-d-1.toml",
            2,
            "proved",
            "more",
            "as one mechanism, universal",
            only="d = 1",
        ),
        claim_check(
            "paper/linear-regression-d-2.toml",
            2,
            "proved",
            "more",
            "as one mechanism, universal",
            only="d = 2",
        ),
        claim_check(
            "paper/linear-regression-d-8.toml",
            1,
            "proved",
            "more",
            "as one mechanism",
            only="d = 8",
        ),
        least_level_check(
            "paper/linear-regression-one-entry.toml", "alpha*abs(z)/(d^2 + d)", says="one entry"
        ),
        least_level_check(
            "paper/linear-regression-d-1.toml",
            f"alpha*{NORM_OF_1}*({NORM_OF_1} + abs(y))/2",
            only="d = 1",
        ),
        least_level_check(
            "paper/linear-regression-d-2.toml",
            f"alpha*{NORM_OF_2}*({NORM_OF_2} + abs(y))/6",
            only="d = 2",
        ),
    ),
    note="Half of the off-diagonal entries are released twice; the upper triangle is enough, with "
    "less noise (S7).",
    section="5.2, G",
)


ROWS = (
    LR_TEXT,
    WEIGHTED_LEAST_SQUARES,
    ALG_LR,
)
