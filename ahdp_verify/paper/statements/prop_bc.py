"""prop:BC: levels add under composition."""

from ahdp_verify.paper.statements.checks import argument, claims
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="prop:BC",
    says=r"Composing $\alpha_i$-AHDP mechanisms one after the other is $(\sum_i \alpha_i)$-AHDP.",
    checks=(
        argument(
            "laws/compose.toml",
            "proved",
            says="two of them",
            given=("induction over the number of mechanisms",),
        ),
        *claims(
            "paper/composition-tight-composed.toml",
            "proved",
            "refuted",
            "refuted",
            role="more",
            says="two randomised responses attain the sum",
        ),
    ),
    note="The parts must be Markov kernels. In the proof, the projection of an event need not be "
    "measurable (integrate instead), and S is a subset of the product.",
    section="3.1",
)
