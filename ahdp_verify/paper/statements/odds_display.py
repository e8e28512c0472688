"""Section 4: the odds of two datasets change by at most the level."""

from typing import cast

from ahdp_verify.analysis.testing.error_rates import odds_range
from ahdp_verify.files.mechanism_file import MechanismFile
from ahdp_verify.paper.statements.checks import BY_ERRORS, holds
from ahdp_verify.paper.statements.row import Row
from ahdp_verify.paper.statements.stored import content

DENSITIES = ("a bound on all events is one on the densities, almost everywhere",)
UNKNOWNS = {
    "u": "u >= 1",
    "a": "a > 0",
    "b": "b > 0",
    "q": "q > 0",
    "p": "p > 0 and p <= u*q and q <= u*p",
}


def end(which: int) -> object:
    """The least (0) or the largest (1) change of the odds that an answer of randomised response
    at level 1 makes.
    """
    mechanism = cast("MechanismFile", content("paper/randomised-response.toml")).mechanism
    return odds_range(mechanism, 0, 1, parameters={"eps": 1})[which]


ROW = Row(
    label="Bayes odds",
    says=r"The posterior odds of two datasets differ from the prior odds by a factor between "
    r"$e^{-\epsilon}$ and $e^{\epsilon}$.",
    checks=(
        holds(
            "a*p/(b*q)",
            "<=",
            "u*(a/b)",
            says="from above: p, q are the densities at the output, a, b the prior masses",
            unknowns=UNKNOWNS,
            given=DENSITIES,
        ),
        holds("a*p/(b*q)", ">=", "a/(u*b)", says="from below", unknowns=UNKNOWNS, given=DENSITIES),
        holds(
            lambda: end(1),
            "==",
            "exp(1)",
            role="more",
            says="randomised response at level 1 attains the upper end",
            given=BY_ERRORS,
        ),
        holds(
            lambda: end(0), "==", "exp(-1)", role="more", says="and the lower end", given=BY_ERRORS
        ),
    ),
    note="For almost every output, where both datasets have positive prior mass.",
    section="4.3",
)
