"""eq:altDP-def: losses add up along a path."""

from ahdp_verify.paper.statements.checks import argument, holds
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="eq:altDP-def",
    says=r"By applying the definition many times, $|\log \frac{\Pr\{M(D) \in S\}}{\Pr\{M(D') \in "
    r"S\}}| \le \epsilon\, d(D, D')$, and this implies the definition.",
    checks=(
        argument(
            "laws/group.toml",
            "proved",
            says="one more step on the path",
            given=("induction along a path of d(D, D') moves from D to D'",),
        ),
        holds(
            "eps*d",
            "==",
            "eps",
            says="and back: neighbours have distance 1",
            unknowns={"eps": "eps >= 0", "d": "d == 1"},
        ),
    ),
    note="This is group privacy, not basic composition. For swap and datasets of different sizes "
    "the distance is infinite, and nothing is claimed.",
    section="2.2",
)
