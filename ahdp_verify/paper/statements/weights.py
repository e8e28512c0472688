"""The weights that never exceed the demand, nor 1."""

from ahdp_verify.paper.statements.checks import claim, holds
from ahdp_verify.paper.statements.row import Row

EPS = {"eps": "eps >= 0"}

ROW = Row(
    label="weights",
    says=r"The weights $1 - e^{-\epsilon}$ and $\frac{\epsilon}{1 + \epsilon}$ are at most "
    r"$\epsilon$, and finite without a privacy demand, where the weight $\epsilon$ is not.",
    checks=(
        holds(
            "1 - exp(-eps)", "<=", "eps", says="1 - exp(-eps) is at most the demand", unknowns=EPS
        ),
        holds(
            "eps/(1 + eps)", "<=", "eps", says="eps/(1 + eps) is at most the demand", unknowns=EPS
        ),
        holds("1 - exp(-eps)", "<=", "1", says="1 - exp(-eps) is at most 1", unknowns=EPS),
        holds("eps/(1 + eps)", "<=", "1", says="eps/(1 + eps) is at most 1", unknowns=EPS),
        claim("paper/sum.toml", 1, "proved", says="the sum with 1 - exp(-eps) is universal"),
        claim("paper/sum-ratio.toml", 1, "proved", says="the sum with eps/(1 + eps) is universal"),
        holds(
            "eps/(1 + eps)",
            "<=",
            "1 - exp(-eps)",
            role="more",
            says="one weight is the larger",
            unknowns=EPS,
        ),
        claim(
            "paper/linear-query-infinite-weight.toml",
            1,
            "refused",
            "more",
            "the weight eps at demand oo",
        ),
    ),
    section="5.2",
)
