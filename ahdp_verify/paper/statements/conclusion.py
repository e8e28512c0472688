"""The conclusion: homogeneous add-remove privacy is universal for those who take part."""

from ahdp_verify.paper.statements.checks import argument, claim, holds
from ahdp_verify.paper.statements.row import Row

TAKES_PART = {"e": "e > 0", "d": "d >= 0"}

ROW = Row(
    label="Conclusion",
    says=r"Homogeneous DP with add-remove neighbours is a universal AHDP mechanism that gives "
    r"$\epsilon$-privacy to participants, and nothing to those who exclude themselves.",
    checks=(
        argument(
            "laws/to_ahdp.toml",
            "proved",
            says="who takes part is protected at level e, as everybody there is",
        ),
        holds(
            "p",
            "<=",
            "exp(0)*p",
            says="who does not adds nothing to the dataset: level 0",
            unknowns={"p": "0 <= p and p <= 1"},
        ),
        holds(
            "piecewise((e, d >= e), (0, true))",
            "<=",
            "d",
            says="no level is above the demand d, if those with d < e stay out",
            unknowns=TAKES_PART,
        ),
        claim(
            "paper/participants-only.toml", 1, "proved", "more", "the sum over those who take part"
        ),
        claim("paper/participants-only.toml", 2, "proved", "more", "its exact level"),
        claim("paper/participants-only.toml", 3, "refuted", "more", "which cannot be lowered"),
    ),
    note="Said in words in the paper; here all whose demand is below e exclude themselves.",
    section="7",
)
