"""Section 2.4: publishing the demands is heterogeneously private, and the dataset of demand 0 has no neighbour."""

from ahdp_verify.statements.checks import claim
from ahdp_verify.statements.row import Row

ROW = Row(
    label="Publishing the demands",
    says=r"The mechanism that outputs $\epsilon$ satisfies def:hetDP; under the correlation of ex:swap-dp the dataset has no neighbours.",
    checks=(
        claim("paper/publish-demands.toml", 1, "proved", says="the histogram of demands is HDP"),
        claim("paper/publish-demands-coupled.toml", 1, "proved", says="with W = {(1, 0), (0, oo)} there is no move at all"),
        claim("paper/publish-demands.toml", 4, "refuted", says="it is AHDP at no level", denies=True),
        claim("paper/publish-demands-coupled.toml", 2, "refuted", says="and not W-AHDP", denies=True),
    ),
    section="2.4",
)
