"""fig:LR: the caption names a weight that the experiment does not have."""

from ahdp_verify.paper.statements.checks import argument, claim, holds
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="fig:LR",
    says=r"The linear query based method with $\alpha(x, \epsilon) = \epsilon/2$ has lower error "
    r"than the other methods.",
    checks=(
        holds(
            "eps/2",
            "==",
            "eps",
            "refuted",
            says="the weight of the caption is that of the text, which halves nothing for "
            "regression",
            unknowns={"eps": "eps >= 0"},
        ),
        claim(
            "paper/regression-entry.toml",
            1,
            "proved",
            "repair",
            "one entry at weight alpha up to eps",
        ),
        argument(
            "paper/regression-proof.toml",
            "proved",
            "repair",
            "all entries at weight alpha = eps need no halving",
        ),
    ),
    note=r"Regression composes nothing that would halve the weight, as the text says: $\alpha(x, "
    r"\epsilon) = \epsilon$.",
    section="6",
)
