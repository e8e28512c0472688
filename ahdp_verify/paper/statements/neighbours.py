"""The swap and the add-remove neighbours: at most one, or exactly one, record differs."""

from ahdp_verify.paper.statements.checks import holds
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="Neighbours",
    says=r"Swap: same size and at most one element different, $|D - D'| = |D' - D| = 1$. "
    r"Add-remove: $|D - D'| + |D' - D| = 1$.",
    checks=(
        holds(
            "p",
            "<=",
            "exp(eps)*p",
            says="a dataset and itself keep every bound",
            unknowns={"p": "p >= 0", "eps": "eps >= 0"},
        ),
    ),
    note="The text says at most one, the formulas say exactly one; that makes no difference.",
    section="2.2",
)
