"""sec:exp-det, the counts N_i of the frequency estimate."""

from ahdp_verify.paper.statements.checks import argument, claim, least
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="sec:exp-det, N_i",
    says=r"Releasing $N_i(D) = \sum h_D(x, \epsilon) \alpha_1(x, \epsilon) 1\{x = i\} + "
    r"\mathcal{L}(1)$ for all $i$ is $\alpha_1$-AHDP; "
    r"with $S(D)$ it is $(\alpha_1 + \alpha_2)$-AHDP.",
    checks=(
        claim("paper/count.toml", 1, "proved", says="the bin of the record"),
        argument("paper/histogram-any-bins.toml", "proved", says="all bins"),
        argument(
            "laws/compose.toml",
            "proved",
            says="with S(D), and the quotients N_i/S by prop:pp: levels add",
        ),
        least("paper/count.toml", "alpha", says="no lower level holds for one bin"),
        least("paper/frequency-bins.toml", "eps/2", only="three bins and four kinds of records"),
    ),
    section="H",
)
