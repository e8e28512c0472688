"""prop:Bias: no universal mechanism is unbiased."""

from ahdp_verify.statements.checks import claim, holds
from ahdp_verify.statements.row import Row

SAME = ("laws that agree on all events have the same mean",)
CITED = ("integration keeps inequalities", "a demand as near to 0 as one likes is allowed")
CHANGE = {"u": "u >= 1", "s": "", "q": "q >= 0", "d": "-(u - 1)*q <= d and d <= (u - 1)*q"}

ROW = Row(
    label="prop:Bias",
    says=r"In general there is no universal AHDP mechanism that is unbiased for $\sum_{(x, \epsilon) \in D} f(x)$.",
    checks=(
        holds("p", "==", "q", says="a record of demand 0 leaves the law as it is, so the mean output e too", given=SAME,
              unknowns={"q": "q >= 0", "p": "p >= 0 and p <= exp(0)*q and q <= exp(0)*p"}),
        holds("max(abs(e - s), abs(e - s - m*f))", ">=", "m*abs(f)/2", unknowns={"e": "", "s": "", "m": "m >= 0", "f": ""},
              says="so for D with the sum s, and D with m such records more, the larger bias is at least m |f(x)|/2"),
        holds("p - q", "<=", "(u - 1)*q", role="more", says="also without demand 0: a record of demand log(u) raises a density q by at most (u - 1) q",
              unknowns={"u": "u >= 1", "q": "q >= 0", "p": "p <= u*q"}),
        holds("q - p", "<=", "(u - 1)*q", role="more", says="and where it lowers it, by at most as much", unknowns={"u": "u >= 1", "q": "q >= 0", "p": "q <= u*p and p <= q"}),
        holds("s*d", "<=", "(u - 1)*abs(s)*q", role="more", says="so the mean output changes by at most (u - 1) times the mean absolute output m", unknowns=CHANGE, given=CITED),
        holds("(u - 1)*m", "<", "f", role="more", says="which is less than |f(x)| = f once u is near 1, while a mechanism without bias changes by f(x)", given=CITED,
              unknowns={"m": "m >= 0", "f": "f > 0", "u": "u >= 1 and (u - 1)*(2*m + 2) <= f"}),
        claim("paper/ex-ahdp-via-homo-symbolic.toml", 1, "proved", "more", "for fixed demands above 0 there is one: the sum with symmetric noise at the least demand"),
    ),
    note="Stronger than printed: true of every f other than 0, even if only demands > 0 are allowed. Not true for a fixed domain with demands above 0.",
    section="5",
)  # fmt: skip
