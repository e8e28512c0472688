"""S9 (iv): scores by deletions alone are not private at any level."""

from ahdp_verify.statements.checks import claim
from ahdp_verify.statements.row import Row

FILE = "paper/personalised-exponential-deletions.toml"

ROW = Row(
    label="S9 (iv)",
    says=r"Scores by deletions only are not AHDP at all: $r = |D| + 1$ is impossible on $D$ and possible on $D + x$.",
    checks=(
        claim(FILE, 1, "refuted", says="the demand", denies=True),
        claim(FILE, 2, "refuted", says="a hundred times the demand", denies=True),
    ),
)
