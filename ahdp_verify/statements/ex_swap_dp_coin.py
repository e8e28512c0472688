"""ex:swap-dp: the dataset of demand 0 gives a fair coin."""

from typing import cast

from ahdp_verify.hypothesis_test import error_rates
from ahdp_verify.statements.checks import claims, holds
from ahdp_verify.statements.row import Row
from ahdp_verify.statements.stored import content
from ahdp_verify.tables import MechanismFile


def mass(end: str) -> object:
    """The mass at an end of the clipped output, for ten users at (1, 1/100): it is that of one error of a test."""
    mechanism = cast("MechanismFile", content("paper/swap-dp-formula.toml")).mechanism
    return error_rates(mechanism, [10, 0], [10, 0], f"s == {end}").type_one


ROW = Row(
    label="ex:swap-dp, the coin",
    says=r"With all users at $(1, 0)$ the output follows $4\,\mathrm{Bern}(1/2) - 1$.",
    checks=(
        holds("1/2 - exp(-2/b)/2", "<=", "1/b", says="at (1, d) the ratio is 1 and the scale is b = 1/(n d): the mass at -1 is exp(-2/b)/2, which tends to 1/2 as d falls to 0",
              unknowns={"b": "b > 0"}, given=("the masses of the clipped Laplace law at -1 and 3",)),
        holds(lambda: mass("-1"), "==", "exp(-2*10/100)/2", role="more", says="that mass for ten users and d = 1/100"),
        holds(lambda: mass("3"), "==", "exp(-2*10/100)/2", role="more", says="and as much at 3"),
        *claims("paper/swap-dp-limit.toml", "proved", "proved", "refuted", "refuted", role="more", says="the mechanism in the limit"),
    ),
    note="At eps = 0 itself the formula is 0/0; it is the limit that is meant.",
    section="2.4",
)  # fmt: skip
