"""W-AHDP is not closed under composition."""

from ahdp_verify.paper.statements.checks import claim
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="Composition of W-AHDP",
    says=r"We cannot directly compose two $\mathcal{W}$-AHDP mechanisms to obtain a "
    r"$\mathcal{W}$-AHDP mechanism.",
    checks=(
        claim(
            "paper/composition-of-W-AHDP.toml",
            1,
            "refuted",
            says="presence told twice, each time at the demand",
            denies=True,
        ),
        claim(
            "paper/composition-of-W-AHDP-composed.toml",
            6,
            "refuted",
            says="any two mechanisms",
            denies=True,
        ),
        claim(
            "paper/composition-of-W-AHDP-composed.toml",
            7,
            "proved",
            "more",
            "any two are AHDP at twice the demand",
        ),
        claim("paper/composition-of-W-AHDP.toml", 3, "refuted", "more", "and at no lower level"),
    ),
    section="3",
)
