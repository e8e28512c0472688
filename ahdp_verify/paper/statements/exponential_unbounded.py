"""S9 (iii): on an unbounded range the weights have no finite sum."""

from ahdp_verify.paper.statements.checks import claim, holds
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="S9 (iii). Exponential mechanism, unbounded range",
    says=r"On an unbounded range the normaliser of the universal mechanism is infinite; a finite "
    r"range is part of its definition.",
    checks=(
        holds(
            "exp(-e*max(0, n - r))",
            "==",
            "1",
            says="the count: every r from the size n on has weight 1",
            unknowns={"e": "e > 0", "n": "n >= 0", "r": "r >= n"},
            given=("infinitely many weights of 1 have no finite sum",),
        ),
        claim(
            "paper/personalised-exponential-unbounded.toml",
            1,
            "refused",
            "more",
            "the count on all whole numbers",
        ),
    ),
)
