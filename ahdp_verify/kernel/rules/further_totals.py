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
from ahdp_verify.kernel.rules.integration import (
    piece_context,
    piece_ends,
    piece_law,
    total_on_piece,
)
from ahdp_verify.kernel.rules.repetition import periodic_total
from ahdp_verify.kernel.terms.expression import ZERO, Expression


def further_total(
    density: Expression,
    variable: str,
    kind: str,
    points: tuple[Ratio, ...],
    upper: int,
    here: Context,
    positive: bool,
    reason: Exception,
) -> Ratio:
    """The total of a law on the piece below point number `upper`, by a rule beyond the core; with
    `positive` the law is shown to be nonnegative there.

    Raises what is missing: the sign of something free of the output if there is one, else `reason`.
    """
    place = with_signs(density, piece_context(variable, kind, points, upper, here))
    for stored in (ZERO, *(points.antiderivatives if isinstance(points, Cuts) else ())):
        try:
            law, ends = piece_law(density, variable, place, positive), piece_ends(points, upper)
            return total_by_antiderivative(law, stored, (variable, kind), ends, (place, here))
        except NOT_FOUND as missing:
            reason = missing if _is_about_inputs(missing, variable) else reason
    if len(points) >= 2 and upper in (0, len(points)):

        def total_below(k: int) -> Ratio:
            return total_on_piece(density, variable, kind, points, k, here, positive=True)

        repeated = periodic_total(density, variable, kind, points, upper, here, total_below)
        if repeated is not None:
            rely_on("the rule of repetition")
            return repeated
    raise reason


def _is_about_inputs(missing: Exception, variable: str) -> bool:
    """Whether a sign is missing of something that does not depend on the output."""
    guard = missing.guard if isinstance(missing, Undecided) else None
    return isinstance(guard, Polynomial) and variable not in algebra.polynomial_names(guard)
