"""E9: ex:sum and ex:mean with the demand oo."""

from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.paper.statements import ex_mean, ex_sum
from ahdp_verify.paper.statements.checks import BY_MOMENTS, decimal, mechanism_of
from ahdp_verify.paper.statements.row import Row


def ratio(m: Mechanism) -> Expression:
    """The output of ex:mean without noise."""
    return ex_mean.of(m, "m") / ex_mean.of(m, "n")


ROW = Row(
    label="E9. ex:sum and ex:mean with the demand oo",
    says=r"The worked examples: $23.6$ with a bias of $-6.4$, and $11.8 / 7.48$, for the demands "
    r"0, 1 and $\infty$.",
    checks=(
        *ex_sum.CHECKS,
        *ex_mean.CHECKS,
        decimal(
            lambda: ratio(mechanism_of(ex_mean.FILE)),
            "1.612699836780282",
            "repair",
            "ratio without noise",
            given=BY_MOMENTS,
        ),
        decimal(
            lambda: ratio(ex_mean.with_demand_2()),
            "1.577681201748482",
            "more",
            "ratio without noise, demand 2 in place of oo",
            given=BY_MOMENTS,
        ),
    ),
    note=r"These are the numbers for demand 2; for $\infty$ they are $26.32$, $-3.68 = -10/e$ and "
    r"$13.16 / 8.16$.",
)
