"""def:pureDP: a bound on every outcome is a bound on every event."""

from ahdp_verify.statements.checks import holds
from ahdp_verify.statements.row import Row

UNKNOWNS = {"u": "u >= 1", "p1": "p1 >= 0", "p2": "p2 >= 0", "q1": "q1 >= 0 and p1 <= u*q1", "q2": "q2 >= 0 and p2 <= u*q2"}
BOTH_WAYS = {"u": "u >= 1", "q": "q > 0", "p": "p > 0 and p <= u*q and q <= u*p"}

ROW = Row(
    label="def:pureDP",
    says=r"$\Pr\{M(D) \in S\} \le e^{\epsilon} \Pr\{M(D') \in S\}$ for all neighbours and all events $S$.",
    checks=(
        holds("p1 + p2", "<=", "u*(q1 + q2)", says="a bound on two disjoint events is one on their union", unknowns=UNKNOWNS,
              given=("measurable sets as limits of finite unions",)),
        holds("p1", "<=", "u*q1", says="an event of one outcome is an event", unknowns=UNKNOWNS),
        holds("abs(log(p/q))", "<=", "log(u)", role="more", says="the logarithm in the definition is both bounds at once", unknowns=BOTH_WAYS),
        holds("0", "<=", "u*0", role="more", says="|log 0/0| = 0: two impossible events keep every bound", unknowns={"u": "u >= 1"}),
        holds("c", "<=", "u*0", "refuted", "more", "|log c/0| = oo: what is possible on one side only keeps none", unknowns={"u": "u >= 1", "c": "c > 0"}),
    ),
    section="2.2",
)  # fmt: skip
