"""prop:Bias: no universal mechanism is unbiased."""

from ahdp_verify.analysis.moments.moments import bias
from ahdp_verify.paper.statements.checks import BY_MOMENTS, claim, holds, mechanism_of
from ahdp_verify.paper.statements.row import Row

SAME = ("laws that agree on all events have the same mean",)
FIXED = "paper/ex-ahdp-via-homo-symbolic.toml"
FORCED = (
    holds(
        "p",
        "==",
        "q",
        says="a record of demand 0 leaves the law as it is, so the mean output e too",
        given=SAME,
        unknowns={"q": "q >= 0", "p": "p >= 0 and p <= exp(0)*q and q <= exp(0)*p"},
    ),
    holds(
        "max(abs(e - s), abs(e - s - m*f))",
        ">=",
        "m*abs(f)/2",
        unknowns={"e": "", "s": "", "m": "m >= 0", "f": ""},
        says="so for D with the sum s, and D with m such records more, the larger bias is at "
        "least m |f(x)|/2",
    ),
)

ROW = Row(
    label="prop:Bias",
    says=r"In general there is no universal AHDP mechanism with $E[M(D)] = f(D) = \sum_{(x, "
    r"\epsilon)} f(x) h_D(x, \epsilon)$.",
    checks=(
        *FORCED,
        claim(
            FIXED,
            1,
            "proved",
            "more",
            "for fixed demands above 0, the sum with noise at the least demand is private",
        ),
        holds(
            lambda: bias(mechanism_of(FIXED), "sum(x)"),
            "==",
            "0",
            role="more",
            says="and unbiased, on every dataset",
            given=BY_MOMENTS,
        ),
    ),
    note="Stronger than printed: true of every f other than 0, even if only demands > 0 are "
    "allowed (S8). Not true for a fixed domain with demands above 0.",
    section="5",
)
