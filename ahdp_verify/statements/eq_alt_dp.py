"""eq:altDP-def: losses add up along a path."""

from ahdp_verify.statements.checks import argument
from ahdp_verify.statements.row import Row

ROW = Row(
    label="eq:altDP-def",
    says=r"By applying the definition many times, $|\log \frac{\Pr\{M(D) \in S\}}{\Pr\{M(D') \in S\}}| \le \epsilon\, d(D, D')$.",
    checks=(argument("laws/group.toml", "proved", says="one more step on the path", given=("induction along the path",)),),
    note="This is group privacy, not basic composition. For swap and datasets of different sizes the distance is infinite, and nothing is claimed.",
    section="2.2",
)
