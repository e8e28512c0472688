"""The count as the linear query with f = 1: as printed its noise has scale 0."""

from ahdp_verify.paper.statements.checks import claim, claims, least
from ahdp_verify.paper.statements.row import Row

CHECKS = (
    claim(
        "paper/count-as-printed.toml",
        1,
        "refused",
        says="f = 1, so l = h = 1: the noise has scale 0 and every weight is 0",
    ),
    *claims(
        "paper/count.toml",
        "proved",
        "proved",
        role="repair",
        says="no offset, noise of scale max |f| = 1",
    ),
    least("paper/count.toml", "alpha"),
)

ROW = Row(
    label="count by prop:newDP",
    says=r"A mechanism for the size of the dataset follows from the linear query with $f(x) = 1$.",
    checks=CHECKS,
    note=r"$f = 1$ gives $l = h = 1$, so that the output is the constant 1; without the offset, "
    r"and with noise $\mathcal{L}(\max |f|)$, it is the private count.",
    section="5.2",
)
