"""S9 (iv): scores by deletions alone are not private at any level."""

from typing import cast

from ahdp_verify.analysis.testing.error_rates import Errors, error_rates
from ahdp_verify.files.mechanism_file import MechanismFile
from ahdp_verify.kernel.terms.expression import Expression, name
from ahdp_verify.paper.statements.checks import BY_ERRORS, claim, holds
from ahdp_verify.paper.statements.row import Row
from ahdp_verify.paper.statements.stored import content

FILE = "paper/personalised-exponential-deletions.toml"


def errors() -> Errors:
    """Of the test that says from r = 1 that there is a record, demand 1: the first is the chance
    of r = 1 without one.
    """
    return error_rates(
        cast("MechanismFile", content(FILE)).mechanism, [0], [1], "r == 1", parameters={"e": 1}
    )


def without() -> Expression:
    """u times the chance of r = 1 on no records."""
    return name("u") * errors().type_one


ROW = Row(
    label="S9 (iv). Exponential mechanism, deletions only",
    says=r"Scores by deletions only are not AHDP at all: $r = |D| + 1$ is impossible on $D$ and "
    r"possible on $D + x$.",
    checks=(
        claim(FILE, 1, "refuted", says="the count: not at the demand", denies=True),
        claim(FILE, 2, "refuted", says="nor at a hundred times the demand", denies=True),
        holds(
            lambda: 1 - errors().type_two,
            ">",
            without,
            says="nor at any level: no factor u bounds the chance of r = 1 on one record by that "
            "on none",
            unknowns={"u": "u >= 1"},
            given=BY_ERRORS,
        ),
    ),
)
