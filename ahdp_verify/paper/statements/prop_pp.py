"""prop:pp: post-processing."""

from ahdp_verify.paper.statements.checks import argument
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="prop:pp",
    says=r"If $M$ is $\alpha$-AHDP and $K$ is measurable, then $K \circ M$ is $\alpha$-AHDP.",
    checks=(
        argument("laws/post_process.toml", "proved", says="a function of the output"),
        argument("laws/post_process-kernel.toml", "proved", "more", "a random one"),
    ),
    note="S is a subset of the outputs, not an element. It holds for randomised K too.",
    section="3.1",
)
