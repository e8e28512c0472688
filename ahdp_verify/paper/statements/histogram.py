"""Histograms over k bins."""

from ahdp_verify.paper.statements.checks import argument, claim, least
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="histogram",
    says=r"The sums of the weights in each of $k$ bins, each plus its own $\mathcal{L}(1)$, are "
    r"$\alpha$-AHDP.",
    checks=(
        claim("paper/count.toml", 1, "proved", says="one bin"),
        argument("paper/histogram-any-bins.toml", "proved", says="k bins"),
        claim(
            "paper/histogram.toml",
            1,
            "proved",
            "more",
            "three bins as one mechanism",
            only="3 bins and five kinds of records",
        ),
        least("paper/histogram.toml", "1 - exp(-eps)", only="3 bins and five kinds of records"),
    ),
    section="5.2",
)
