"""The adaptation of the exponential mechanism: universal once additions are free and the range
is finite.
"""

from ahdp_verify.paper.statements.checks import argument, claim
from ahdp_verify.paper.statements.row import Row

FILES = "paper/personalised-exponential-"

ROW = Row(
    label="Exponential Mechanism",
    says=r"An adaptation of the exponential mechanism (Jorgensen et al.), with weights in the "
    r"cost $\min\{d_\epsilon(D, D') : f(D') = r\}$, satisfies universal AHDP.",
    checks=(
        claim(
            FILES + "whole.toml",
            1,
            "refuted",
            says="the count, additions at their demand, no factor 1/2",
        ),
        claim(
            FILES + "deletions.toml",
            2,
            "refuted",
            says="the count, deletions only: not even a hundred times the demand is kept (S9)",
        ),
        claim(
            FILES + "unbounded.toml",
            1,
            "refused",
            says="the count, unbounded range: the weights have no finite sum",
        ),
        argument(
            FILES + "proof.toml",
            "proved",
            "repair",
            "free additions, finite range: a record is added",
        ),
        argument(
            FILES + "proof-backwards.toml",
            "proved",
            "repair",
            "free additions, finite range: a record is taken away",
        ),
    ),
    note="Costs have to be taken over datasets with any demands, so that additions are free, and "
    "the range has to be finite; otherwise a factor 1/2 is needed (S9).",
    section="5.1",
)
