"""ex:ahdp: homogeneous privacy is a special case."""

from ahdp_verify.statements.checks import argument, claim, claims
from ahdp_verify.statements.row import Row

ROW = Row(
    label="ex:ahdp",
    says=r"If $\mathcal{W}_h = \mathcal{X} \times \{\epsilon_h\}$, an $\epsilon'$-DP mechanism is AHDP, certified $\mathcal{W}_h$-AHDP iff $\epsilon' \le \epsilon_h$.",
    checks=(
        argument("laws/to_ahdp.toml", "proved", says="add-remove DP at e is AHDP at every level that is at least e"),
        *claims("paper/ex-ahdp-symbolic.toml", "proved", "proved", "refuted", role="more", says="a sum at level e, for every e"),
        claim("paper/ex-ahdp-above.toml", 2, "refuted", says="a mechanism whose level exceeds the demand", denies=True),
    ),
    note="The iff is about what can be certified from the level alone.",
    section="3",
)
