"""The requirement in the text on linear regression lacks a logarithm."""

from ahdp_verify.paper.statements.checks import holds
from ahdp_verify.paper.statements.row import Row

RATIO = {"d": "d >= 0", "P": "P > 0", "R": "R > 0 and P <= exp(d)*R and R <= exp(d)*P"}
ABOVE = {"d": "d >= 0", "L": "L > d", "R": "R > 0"}
BELOW = {"d": "d >= 0", "L": "L < -d", "R": "R > 0"}

ROW = Row(
    label="linear regression, requirement",
    says=r"AHDP requires $\left| \frac{\Pr\{M(D) \in S\}}{\Pr\{M(D') \in S\}} \right| \le "
    r"d_\alpha(D, D')$.",
    checks=(
        holds("abs(P/R)", "<=", "d", "refuted", says="the ratio itself", unknowns=RATIO),
        holds(
            "exp(L)*R",
            ">",
            "exp(d)*R",
            role="repair",
            says="a logarithm L of the ratio above d breaks the bound",
            unknowns=ABOVE,
        ),
        holds(
            "exp(L)*R",
            "<",
            "exp(-d)*R",
            role="repair",
            says="and so does one below -d",
            unknowns=BELOW,
        ),
    ),
    note=r"The logarithm is missing: $\left| \log \frac{\Pr\{M(D) \in S\}}{\Pr\{M(D') \in S\}} "
    r"\right| \le d_\alpha(D, D')$.",
    section="5.2",
)
