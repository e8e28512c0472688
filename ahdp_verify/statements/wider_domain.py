"""Section 5: a mechanism for the demand of one domain need not suit a wider one."""

from ahdp_verify.statements.checks import claim
from ahdp_verify.statements.row import Row

ROW = Row(
    label="M_h on a wider domain",
    says=r"A homogeneous $\epsilon_h$-DP mechanism $M_h$ is not $\mathcal{W}'$-AHDP if $\mathcal{W}'$ adds records of demand $\epsilon_h / 2$.",
    checks=(
        claim("paper/wider-domain-constant.toml", 1, "proved", says="a constant mechanism", denies=True),
        claim("paper/wider-domain.toml", 1, "refuted", "repair", "a sum whose exact level exceeds the new demand", only="a sum and two demands", denies=True),
        claim("paper/wider-domain.toml", 2, "proved", "more", "its exact level"),
    ),
    note="True if and only if the exact level of M_h is above the new demand; a constant M_h is a counterexample.",
    section="5",
)
