"""ex:swap-dp: the dataset of demand 0 gives a fair coin."""

from typing import cast

from ahdp_verify.analysis.moments.moments import mean
from ahdp_verify.analysis.testing.error_rates import error_rates
from ahdp_verify.files.mechanism_file import MechanismFile
from ahdp_verify.kernel.model.domain import Values
from ahdp_verify.kernel.model.mechanism import Mechanism, real
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.paper.statements.checks import BY_ERRORS, BY_MOMENTS, claims, holds
from ahdp_verify.paper.statements.row import Row
from ahdp_verify.paper.statements.stored import content

POSITIVE = {"b": "b > 0"}


def clipped_to(event: str) -> Expression:
    """The probability of an event for 1 + L(b): what is beyond -1 or 3 is clipped to that end."""
    law = Mechanism(
        Values(["any"]),
        outputs=[real("s")],
        density=parse("exp(-abs(s - 1)/b)/(2*b)", "density"),
        parameters=POSITIVE,
        name="1 + L(b)",
    )
    return mean(law, of=f"indicator({event})")


def mass(end: str) -> object:
    """The mass at an end of the clipped output, for ten users at (1, 1/100): it is that of one
    error of a test.
    """
    mechanism = cast("MechanismFile", content("paper/swap-dp-formula.toml")).mechanism
    return error_rates(mechanism, [10, 0], [10, 0], f"s == {end}").type_one


ROW = Row(
    label="ex:swap-dp, the coin",
    says=r"With all users at $(1, 0)$ the output follows $4\,\mathrm{Bern}(1/2) - 1$.",
    checks=(
        holds(
            "n*d*1/(n*d)",
            "==",
            "1",
            says="with n users at (1, d) the centre is 1, and the scale b = 1/(n d)",
            unknowns={"n": "n >= 1", "d": "d > 0"},
        ),
        holds(
            lambda: clipped_to("s <= -1"),
            "==",
            "exp(-2/b)/2",
            says="the mass at -1",
            unknowns=POSITIVE,
            given=BY_MOMENTS,
        ),
        holds(
            lambda: clipped_to("s >= 3"),
            "==",
            "exp(-2/b)/2",
            says="the mass at 3",
            unknowns=POSITIVE,
            given=BY_MOMENTS,
        ),
        holds(
            "1/2 - exp(-2/b)/2",
            "<=",
            "1/b",
            says="each tends to 1/2 as d falls to 0, since b grows",
            unknowns=POSITIVE,
            given=("limits: 1/b tends to 0",),
        ),
        holds(
            lambda: mass("-1"),
            "==",
            "exp(-2*10/100)/2",
            role="more",
            says="the mass at -1 for ten users and d = 1/100",
            given=BY_ERRORS,
        ),
        holds(
            lambda: mass("3"),
            "==",
            "exp(-2*10/100)/2",
            role="more",
            says="and as much at 3",
            given=BY_ERRORS,
        ),
        *claims(
            "paper/swap-dp-limit.toml",
            "proved",
            "proved",
            "refuted",
            "refuted",
            role="more",
            says="the mechanism in the limit",
        ),
    ),
    note="At eps = 0 itself the formula is 0/0; it is the limit that is meant.",
    section="2.4",
)
