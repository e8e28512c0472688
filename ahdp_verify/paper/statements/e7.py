"""E7: the linear query with an offset, and the count it is said to give."""

from ahdp_verify.paper.statements import count_as_query, prop_newdp_utility
from ahdp_verify.paper.statements.checks import least
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="E7. The linear query without offset",
    says=r"$l + \sum \alpha (f - l) h_D + \mathcal{L}(h - l)$ estimates $f(D)$, and with $f = 1$ "
    r"the size of the dataset.",
    checks=(
        *prop_newdp_utility.CHECKS,
        *count_as_query.CHECKS,
        least(
            prop_newdp_utility.REPAIRED, "alpha*abs(f)/F", says="no offset: no lower level holds"
        ),
    ),
    note=r"$M(D) = \sum \alpha(x, \epsilon) f(x) h_D(x, \epsilon) + \mathcal{L}(F)$ with $F = "
    r"\max |f| > 0$; $f = 1$ gives the count with $\mathcal{L}(1)$.",
)
