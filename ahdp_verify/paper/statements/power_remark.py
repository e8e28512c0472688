"""rem:power: where the size is known the power can be 1, for W = {(x1, 0), (x2, oo)}."""

from ahdp_verify.analysis.power.best import best_power
from ahdp_verify.analysis.power.threat_models import one_more_record
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.terms.expression import oo
from ahdp_verify.paper.statements.checks import claim, holds, optimum
from ahdp_verify.paper.statements.row import Row

SEEN = {"n": "n >= 0"}
RELEASED = "piecewise((1, {count} > n), (0, true))"

ROW = Row(
    label="rem:power",
    says=r"If $W = \{(x_1, 0), (x_2, \infty)\}$ and the dataset is $D_o + (x_1, 0)$ or $D_o + "
    r"(x_2, \infty)$, the power is $1$ for some $W$-AHDP mechanism.",
    checks=(
        claim(
            "paper/known-size-any-base.toml",
            1,
            "proved",
            says="whether there is one more x_2 than in D_o",
        ),
        holds(
            RELEASED.format(count="n"),
            "==",
            "0",
            says="it says no if the new record is x_1",
            unknowns=SEEN,
        ),
        holds(
            RELEASED.format(count="n + 1"),
            "==",
            "1",
            says="it says yes if the new record is x_2",
            unknowns=SEEN,
        ),
        optimum(
            lambda: best_power(Domain([(1, 0), (2, oo)]), one_more_record()),
            "1",
            "more",
            "the best power with the size known",
        ),
    ),
    section="4.2",
)
