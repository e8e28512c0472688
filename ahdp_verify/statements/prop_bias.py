"""prop:Bias: no universal mechanism is unbiased."""

from ahdp_verify.statements.checks import holds
from ahdp_verify.statements.row import Row

CITED = ("integration keeps inequalities", "a demand as near to 0 as one likes is allowed")
CHANGE = {"u": "u >= 1", "s": "", "q": "q >= 0", "d": "-(u - 1)*q <= d and d <= (u - 1)*q"}

ROW = Row(
    label="prop:Bias",
    says=r"In general there is no universal AHDP mechanism that is unbiased for $\sum_{(x, \epsilon) \in D} f(x)$.",
    checks=(
        holds("p - q", "<=", "(u - 1)*q", says="a record of demand log(u) raises a density q by at most (u - 1) q", unknowns={"u": "u >= 1", "q": "q >= 0", "p": "p <= u*q"}),
        holds("2 - u", "<=", "1/u", says="the factor of a fall", unknowns={"u": "u >= 1"}),
        holds("q - p", "<=", "(u - 1)*q", says="so it lowers q by at most as much", unknowns={"u": "u >= 1", "q": "q >= 0", "v": "v >= 2 - u", "p": "p >= v*q"}),
        holds("s*d", "<=", "(u - 1)*abs(s)*q", says="so the mean output changes by at most (u - 1) times the mean absolute output m", unknowns=CHANGE, given=CITED),
        holds("(u - 1)*m", "<", "f", says="which is less than |f(x)| = f once u is near 1, while a mechanism without bias changes by f(x)", given=CITED,
              unknowns={"m": "m >= 0", "f": "f > 0", "u": "u >= 1 and (u - 1)*(2*m + 2) <= f"}),
    ),
    note="Stronger than printed: true of every f other than 0, even if only demands > 0 are allowed. Not true for a fixed domain with demands above 0.",
    section="5",
)  # fmt: skip
