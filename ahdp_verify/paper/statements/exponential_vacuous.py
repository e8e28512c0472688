"""S9 (v): for mean and median the universal mechanism says next to nothing."""

from ahdp_verify.paper.statements.checks import argument
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="S9 (v). Exponential mechanism, mean and median",
    says=r"With free additions (S9 (ii)) every interior $r$ is reached at no cost for the mean "
    r"and for the median, so that the universal mechanism prefers no answer.",
    checks=(
        argument("paper/personalised-exponential-mean.toml", "proved", says="the mean"),
        argument("paper/personalised-exponential-median.toml", "proved", says="the median"),
    ),
)
