"""Swap privacy does not give add-remove privacy."""

from ahdp_verify.paper.statements.checks import claim
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="Swap to add-remove",
    says="A transformation from the swap model to the add-remove model does not hold in general.",
    checks=(
        claim(
            "paper/size.toml",
            6,
            "proved",
            says="the size of the dataset is swap private at level 0",
        ),
        claim(
            "paper/size.toml",
            5,
            "refuted",
            says="but it is not add-remove private, even at level 100",
            denies=True,
        ),
    ),
    section="2.2",
)
