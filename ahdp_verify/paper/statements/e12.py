"""E12: moments of the mean mechanism."""

from ahdp_verify.analysis.moments.moments import infinite_mean
from ahdp_verify.paper.statements import prop_newdp_mean_moments
from ahdp_verify.paper.statements.checks import mechanism_of, without_mean
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="E12. No moments without a clipped denominator",
    says=r"The ratio $N/S$ of the mean mechanism has a bias and a mean squared error.",
    checks=(
        *prop_newdp_mean_moments.CHECKS,
        without_mean(
            lambda: infinite_mean(mechanism_of("paper/mean-ex-mean.toml"), [10, 10, 10], of="m/n"),
            "the mean on the dataset of ex:mean",
            "more",
        ),
    ),
    note=r"$E|N/S| = \infty$. The almost sure limit of rem:bias exists; the denominator has to be "
    r"clipped for moments to exist.",
)
