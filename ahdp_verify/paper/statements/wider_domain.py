"""Section 5: a mechanism for the demand of one domain need not suit a wider one."""

from ahdp_verify.paper.statements.checks import argument, claim, holds
from ahdp_verify.paper.statements.row import Row

WIDER = {"e": "e > 0", "s": "s >= 1"}

ROW = Row(
    label="M_h on a wider domain",
    says=r"A homogeneous $\epsilon_h$-DP mechanism $M_h$ is not $\mathcal{W}'$-AHDP if "
    r"$\mathcal{W}'$ adds records of demand $\epsilon_h / 2$.",
    checks=(
        claim(
            "paper/wider-domain-constant.toml",
            1,
            "proved",
            says="a constant mechanism",
            denies=True,
        ),
        argument(
            "laws/weaken.toml",
            "proved",
            "repair",
            "if: a level of at most the demand eps_h/2 keeps it",
        ),
        holds(
            "exp(-e*abs(s - 1))",
            ">",
            "exp(e/2)*exp(-e*abs(s))",
            role="repair",
            unknowns=WIDER,
            says="only if, for the sum at any e: a record (1, e/2) changes the density at s by "
            "more than its demand allows, for all s >= 1",
            given=(
                "a strict bound on densities is one on the event",
                "the exact level is the least upper bound of the losses",
            ),
        ),
        claim(
            "paper/wider-domain.toml",
            1,
            "refuted",
            "more",
            "a sum whose exact level exceeds the new demand",
        ),
        claim("paper/wider-domain.toml", 2, "proved", "more", "its exact level"),
    ),
    note="True if and only if the exact level of M_h at a record of demand eps_h/2 is above "
    "eps_h/2; a constant M_h is a counterexample.",
    section="5",
)
