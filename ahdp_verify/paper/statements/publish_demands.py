"""Section 2.4: publishing the demands is heterogeneously private, and the dataset of demand 0
has no neighbour.
"""

from ahdp_verify.paper.statements.checks import claim, holds
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="Publishing the demands",
    says=r"The mechanism that outputs $\epsilon$ satisfies def:hetDP; under the correlation of "
    r"ex:swap-dp the dataset has no neighbours.",
    checks=(
        holds(
            "p",
            "<=",
            "exp(eps)*p",
            says="a change of data alone leaves the output as it is",
            unknowns={"p": "0 <= p and p <= 1", "eps": "eps >= 0"},
        ),
        claim(
            "paper/swap-dp-limit.toml",
            1,
            "proved",
            says="with W = {(1, 0), (0, oo)} every mechanism is HDP, since there is no move at all",
        ),
        claim(
            "paper/publish-demands.toml",
            2,
            "proved",
            "more",
            "the histogram of two demands is HDP at level 0",
        ),
        claim(
            "paper/publish-demands.toml", 4, "refuted", "more", "it is not AHDP, even at level 100"
        ),
        claim(
            "paper/publish-demands-coupled.toml",
            1,
            "proved",
            "more",
            "coupled to the data it is HDP, for want of moves",
        ),
        claim("paper/publish-demands-coupled.toml", 2, "refuted", "more", "but not W-AHDP"),
    ),
    section="2.4",
)
