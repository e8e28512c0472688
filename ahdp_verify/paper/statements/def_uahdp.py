"""def:uAHDP: universal mechanisms keep every demand of every domain."""

from ahdp_verify.paper.statements.checks import argument, claim
from ahdp_verify.paper.statements.row import Row

PATH = (
    "induction along the path",
    "two finite datasets have finitely many different records, which make a finite W",
)

ROW = Row(
    label="def:uAHDP",
    says=r"$M$ on $\mathcal{S}(\mathcal{X} \times \mathbb{R}_{\ge 0})$ is universal AHDP if it is "
    r"$\mathcal{W}$-AHDP for all finite $\mathcal{W}$.",
    checks=(
        argument(
            "laws/group.toml",
            "proved",
            says="the same as one bound: adding (x, eps) costs at most eps, for each finite D",
            given=PATH,
        ),
        claim("paper/linear-query-universal.toml", 2, "proved", "more", "a universal mechanism"),
    ),
    section="5",
)
