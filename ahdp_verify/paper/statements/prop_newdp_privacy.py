"""prop:newDP, privacy: the linear query is alpha-AHDP, and loses alpha (f - l)/(h - l) exactly."""

from ahdp_verify.paper.statements.checks import claims, least
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="prop:newDP, privacy",
    says=r"$M(D) = l + \sum \alpha(x, \epsilon) (f(x) - l) h_D(x, \epsilon) + \mathcal{L}(h - l)$ "
    r"satisfies $\alpha$-AHDP; with $\alpha \le \epsilon$ it is universal.",
    checks=(
        *claims("paper/linear-query-universal.toml", "proved", "proved", says="l < h"),
        least("paper/linear-query-universal.toml", "alpha*(f - l)/(h - l)"),
    ),
    note="For l < h and finite weights; min and max over an infinite X are to be read as inf and "
    "sup.",
    section="5.2",
)
