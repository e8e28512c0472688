"""E11: the size in the frequency estimate."""

from ahdp_verify.paper.statements import size_estimate
from ahdp_verify.paper.statements.checks import claim
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="E11. The size in the frequency estimate",
    says=r"$S(D) = \sum_{(x, \epsilon) \in T(D)} \alpha_2(x, \epsilon) + \mathcal{L}(1)$ "
    r"estimates the size.",
    checks=(
        *size_estimate.CHECKS,
        claim(
            "paper/frequency.toml",
            1,
            "proved",
            "more",
            "bins and repaired size together",
            only="three bins and five kinds of records",
        ),
        claim(
            "paper/frequency-composed.toml",
            1,
            "proved",
            "more",
            "clipped frequencies made of these",
            only="three bins and five kinds of records",
        ),
    ),
    note=r"$S(D) = \sum_{(x, \epsilon) \in T(D)} \alpha_2(x, \epsilon) h_D(x, \epsilon) + "
    r"\mathcal{L}(1)$.",
)
