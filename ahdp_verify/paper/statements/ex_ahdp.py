"""ex:ahdp: homogeneous privacy is a special case."""

from ahdp_verify.paper.statements.checks import argument, claim, claims, holds
from ahdp_verify.paper.statements.row import Row

ABOVE = {"g": "g >= 0", "e": "e > g", "s": "s >= 1"}

ROW = Row(
    label="ex:ahdp",
    says=r"If $\mathcal{W}_h = \mathcal{X} \times \{\epsilon_h\}$, an $\epsilon'$-DP mechanism is "
    r"AHDP, certified $\mathcal{W}_h$-AHDP iff $\epsilon' \le \epsilon_h$.",
    checks=(
        argument(
            "laws/to_ahdp.toml",
            "proved",
            says="add-remove DP at e is AHDP at every level that is at least e",
        ),
        holds(
            "exp(-e*abs(s - 1))",
            ">",
            "exp(g)*exp(-e*abs(s))",
            unknowns=ABOVE,
            says="for e > g no certificate: the density at s of the sum at level e exceeds what "
            "demand g allows, for all s >= 1",
            given=("a strict bound on densities is one on the event",),
        ),
        claim("paper/ex-ahdp-symbolic.toml", 1, "proved", says="this sum is e-DP"),
        *claims(
            "paper/ex-ahdp-symbolic.toml",
            "proved",
            "proved",
            "refuted",
            role="more",
            says="a sum at level e, where all demand g >= e",
        )[1:],
        claim(
            "paper/ex-ahdp-above.toml",
            2,
            "refuted",
            "more",
            "a sum at level 2 where everybody demands 1",
        ),
    ),
    note="The iff is about what can be certified from the level alone.",
    section="3",
)
