"""def:pureDP: the logarithm is a bound in both directions, and a bound on every outcome is one
on every event.
"""

from ahdp_verify.paper.statements.checks import holds
from ahdp_verify.paper.statements.row import Row

UNKNOWNS = {
    "u": "u >= 1",
    "p1": "p1 >= 0",
    "p2": "p2 >= 0",
    "q1": "q1 >= 0 and p1 <= u*q1",
    "q2": "q2 >= 0 and p2 <= u*q2",
}
BOTH_WAYS = {"u": "u >= 1", "q": "q > 0", "p": "p > 0 and p <= u*q and q <= u*p"}
RATIO = {
    "eps": "eps >= 0",
    "L": "abs(L) <= eps",
    "q": "q > 0",
}  # L: the logarithm of the ratio, so that p = exp(L) q

ROW = Row(
    label="def:pureDP",
    says=r"$\left| \log \frac{\Pr\{M(D) \in S\}}{\Pr\{M(D') \in S\}} \right| \le \epsilon$ for "
    r"all neighbours $D, D'$ and all measurable $S$, "
    r"with $|\log \frac00| = 0$ and $|\log \frac c0| = \infty$.",
    checks=(
        holds(
            "abs(log(p/q))",
            "<=",
            "log(u)",
            says="two bounds, p <= e^eps q and q <= e^eps p, give that of the logarithm (u = "
            "e^eps)",
            unknowns=BOTH_WAYS,
        ),
        holds("exp(L)*q", "<=", "exp(eps)*q", says="and back", unknowns=RATIO),
        holds("q", "<=", "exp(eps)*(exp(L)*q)", says="and back, the other one", unknowns=RATIO),
        holds(
            "0",
            "<=",
            "u*0",
            says="|log 0/0| = 0: two impossible events keep both bounds",
            unknowns={"u": "u >= 1"},
        ),
        holds(
            "c",
            "<=",
            "u*0",
            "refuted",
            says="|log c/0| = oo: what is possible on one side only keeps none",
            unknowns={"u": "u >= 1", "c": "c > 0"},
            denies=True,
        ),
        holds(
            "p1 + p2",
            "<=",
            "u*(q1 + q2)",
            role="more",
            says="a bound on two disjoint events is one on their union, so a bound on outcomes is "
            "one on events",
            unknowns=UNKNOWNS,
            given=("measurable sets as limits of finite unions",),
        ),
    ),
    section="2.2",
)
