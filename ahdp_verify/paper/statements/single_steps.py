"""After def:newDP: the bound for all pairs is the bound for one added record."""

from ahdp_verify.paper.statements.checks import argument, holds
from ahdp_verify.paper.statements.row import Row

COUNTS = {"a": "a >= 0", "h": "h >= 0", "g": "g >= 0"}

ROW = Row(
    label="Pairs and single steps",
    says=r"$\alpha$-AHDP is equivalent to $|\log \frac{\Pr\{M(D) \in S\}}{\Pr\{M(D') \in S\}}| "
    r"\le \alpha(x, \epsilon)$ for all $D$ and $D' = D + \{(x, \epsilon)\}$.",
    checks=(
        argument(
            "laws/group.toml",
            "proved",
            says="along D, the common part, D': losses add",
            given=("induction along the path",),
        ),
        holds(
            "a*abs(h - min(h, g)) + a*abs(min(h, g) - g)",
            "==",
            "a*abs(h - g)",
            says="this path is as long as the distance, record by record",
            unknowns=COUNTS,
        ),
        holds(
            "a*abs(h + 1 - h)",
            "==",
            "a",
            says="one added record is a pair at distance alpha",
            unknowns={"a": "a >= 0", "h": "h >= 0"},
        ),
    ),
    note="If a step has an infinite level the distance is infinite and nothing is claimed; else "
    "the probabilities on the path are all 0 or all positive.",
    section="3",
)
