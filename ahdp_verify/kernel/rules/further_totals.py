"""Totals of a law on a piece where it is not a sum of exponentials.

One rule after another is tried: a closed form by parts
(`ahdp_verify.kernel.rules.integration_by_parts`), the stored antiderivatives
(`ahdp_verify.kernel.rules.antiderivatives`), and repetition
(`ahdp_verify.kernel.rules.repetition`).  The law is considered with a few more facts, which assume
nothing about the output: what is under a power in it has its sign as it is written.

    here, u <= s < v, 1 + (s - a)^2 > 0 |- f >= 0, and the total of f is t
    -----------------------------------------------------------------------
              here |- f >= 0 from u to v, and its total there is t
"""

from __future__ import annotations

from collections.abc import Callable

from ahdp_verify.kernel.errors import Undecided
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.rules.accepting import rely_on
from ahdp_verify.kernel.rules.antiderivatives import (
    NOT_FOUND,
    Cuts,
    total_by_antiderivative,
    with_signs,
)
from ahdp_verify.kernel.rules.repetition import periodic_total
from ahdp_verify.kernel.terms.expression import ZERO, Expression

Asked = tuple[Expression, str, str, tuple[Ratio, ...], int, Context]


def further_total(
    asked: Asked,
    place: Context,
    law: Callable[[Context], Ratio],
    total_below: Callable[[int], Ratio],
    reason: Exception,
) -> Ratio:
    """The total on a piece by a rule beyond the core, where `reason` is why it has none by the core.

    asked        the density, its output and kind, the points, the number of the one above the
                 piece, and what is known of its ends; `place` is the context of the piece
    law          the law as a ratio in a context
    total_below  the total on another piece

    Raises what is missing: the sign of something free of the output if there is one, else `reason`.
    """
    density, variable, kind, points, upper, here = asked
    place, last = with_signs(density, place), upper == len(points)
    ends = points[upper - 1] if upper else None, None if last else points[upper]
    for stored in (ZERO, *(points.antiderivatives if isinstance(points, Cuts) else ())):
        try:
            known = (place, here)
            return total_by_antiderivative(law(place), stored, (variable, kind), ends, known)
        except NOT_FOUND as missing:
            reason = missing if _is_about_inputs(missing, variable) else reason
    if len(points) >= 2 and (upper == 0 or last):
        repeated = periodic_total(*asked, total_below)
        if repeated is not None:
            rely_on("the rule of repetition")
            return repeated
    raise reason


def _is_about_inputs(missing: Exception, variable: str) -> bool:
    """Whether a sign is missing of something that does not depend on the output."""
    guard = missing.guard if isinstance(missing, Undecided) else None
    return isinstance(guard, Polynomial) and variable not in algebra.polynomial_names(guard)
