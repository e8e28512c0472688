"""thm:HT: AHDP is a bound on the errors of every test."""

from typing import cast

from ahdp_verify.analysis.testing.error_rates import Errors, error_rates
from ahdp_verify.files.mechanism_file import MechanismFile
from ahdp_verify.kernel.terms.expression import Expression, exp, name
from ahdp_verify.paper.statements.checks import BY_ERRORS, claim, holds
from ahdp_verify.paper.statements.row import Row
from ahdp_verify.paper.statements.stored import content

BOUNDED = {"u": "u >= 1", "e2": "0 <= e2 and e2 <= 1", "e1": "0 <= e1 and 1 - e1 <= u*e2"}
ON_ERRORS = {"u": "u >= 1", "e2": "0 <= e2 and e2 <= 1", "e1": "0 <= e1 and e1 + u*e2 >= 1"}
ONE_ORDER = {
    "u": "u >= 1",
    "q": "0 <= q and q <= 1",
    "p": "0 <= p and p <= 1 and p <= u*q and 1 - p <= u*(1 - q)",
}
FACTOR = {"u": "u >= 1"}


def errors(file: str, before: object, after: object, event: str, **parameters: object) -> Errors:
    """The errors of a test against the mechanism in a file."""
    return error_rates(
        cast("MechanismFile", content(file)).mechanism, before, after, event, parameters=parameters
    )


def told_apart() -> Expression:
    """e1 + u e2 for the size of {} and {(x, oo)}, with the test n >= 1: which factor u is taken
    makes no difference.
    """
    found = errors("paper/infinite-level.toml", [0], [1], "n >= 1")
    return found.type_one + name("u") * found.type_two


def at_one() -> Expression:
    """e1 + e^1 e2 for randomised response at level 1."""
    found = errors("paper/randomised-response.toml", 0, 1, "s == 1", eps=1)
    return found.type_one + exp(1) * found.type_two


ROW = Row(
    label="thm:HT",
    says=r"$M$ is $\alpha$-AHDP iff $e_I + e^{d_\alpha(D, D')} e_{II} \ge 1$ for all $D, D'$ and "
    r"all rejection regions.",
    checks=(
        holds(
            told_apart,
            ">=",
            "1",
            "refuted",
            says="at an infinite distance with oo * 0 = 0: the size tells {} from {(x, oo)} with "
            "both errors 0",
            unknowns=FACTOR,
            given=BY_ERRORS,
        ),
        claim("paper/infinite-level.toml", 1, "proved", "more", "that mechanism is AHDP"),
        holds(
            "e1 + u*e2",
            ">=",
            "1",
            role="repair",
            says="at a finite distance, from the bound on the region where D is accepted",
            unknowns=BOUNDED,
        ),
        holds(
            "1 - e1",
            "<=",
            "u*e2",
            role="repair",
            says="and back: the region of acceptance may be any event",
            unknowns=ON_ERRORS,
        ),
        holds(
            "q",
            "<=",
            "u*p",
            "refuted",
            "more",
            "with one order of D and D' only it would be false",
            unknowns=ONE_ORDER,
        ),
        holds(
            at_one,
            "==",
            1,
            role="more",
            says="randomised response at level 1 attains equality",
            given=BY_ERRORS,
        ),
    ),
    note="It holds for pairs at finite distance, in both orders (or with oo * 0 = oo, against the "
    "convention of the distance).",
    section="4",
)
