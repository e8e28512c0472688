"""Claims about mechanisms on the answers of queries, as users make them.

    M private for answers that move by 1     f moves by at most b, b > 0
    --------------------------------------------------------------------
                         M(f(D)/b) is private

A parameter of M that has the name of one of the query would be the same number, so both have to be
declared alike.

>>> from ahdp_verify.kernel.model.entries import Entries
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> still = SensitivityClaim(Entries("n", "0 <= x <= 1"), parse("1/n"), parse("0"))
>>> applied_claim(None, still)
Traceback (most recent call last):
ahdp_verify.kernel.errors.BadInput: bound: 0 is not positive, and answers are divided by it; give a larger one, or change the query
"""

from __future__ import annotations

from typing import Any

from ahdp_verify.kernel.errors import BadInput, Undecided, Unsupported
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import TRUE, Expression, names


def applied_claim(base: Any, moves: Any, where: str = "bound") -> AppliedClaim:
    """The claim `base` about a mechanism on answers, made of the answers of a query divided by the
    bound of its sensitivity; BadInput for a bound that is not positive, for names with two
    meanings, and for what is not such a claim.
    """
    if isinstance(moves, SensitivityClaim) and is_at_most_0(moves.bound):
        said = f"{moves.bound} is not positive, and answers are divided by it"
        raise BadInput(where, said, "give a larger one, or change the query")
    made = AppliedClaim(base, moves)
    of_query = dict(made.sensitivity.inputs.parameters)
    for key, condition in made.asked.parameters:
        if of_query.get(key, condition) != condition:
            first, second = (
                "without a condition" if c == TRUE else f"with {c}"
                for c in (condition, of_query[key])
            )
            said = f"the mechanism declares it {first}, the query {second}"
            raise BadInput(f"parameter {key}", said, "rename one, or give both the same condition")
    return made


def is_at_most_0(e: Expression) -> bool:
    """Whether an expression without names is seen not to be positive."""
    if names(e):
        return False
    try:
        return constant_sign(normal(e, Context.empty())) in (0, -1)
    except (Undecided, Unsupported, ZeroDivisionError):
        return False
