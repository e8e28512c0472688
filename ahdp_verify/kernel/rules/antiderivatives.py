"""Totals of a law on a piece by a stored antiderivative F, which is not believed but tested.

     u < s < v |- F'(s) = f(s)      F has values at u and v, or limits where these are infinite
    --------------------------------------------------------------------------------------------
               the integral of f from u to v  =  F(v) - F(u)

For a whole output F(s + 1) - F(s) = f(s) is tested instead, and F(v) - F(u) is the sum over u <= s
< v.  What f exceeds F' by may be a sum of powers times exponentials, which is integrated by parts.
F is stored among the points of the law, from which it differs in that it mentions the output.

The law, and F, are considered with a few more facts, which assume nothing about the output: what is
written as a sum of squares and of what is >= 0 is >= 0.  On a piece between constants a law may be
shown to be >= 0 by a box cover (`ahdp_verify.kernel.rules.regions`).  Where no F is stored, or none
serves, the law may repeat itself (`ahdp_verify.kernel.rules.repetition`).
"""

from __future__ import annotations

from collections.abc import Callable

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import BoxCover
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, constant, symbol
from ahdp_verify.kernel.numbers.derivative import ratio_derivative
from ahdp_verify.kernel.numbers.ends import limit_at_end
from ahdp_verify.kernel.numbers.hypotheses import OF_RELATION, Context, with_ratio_fact
from ahdp_verify.kernel.numbers.normal_form import normal, signs_of, to_expression
from ahdp_verify.kernel.numbers.smooth import with_whole_powers
from ahdp_verify.kernel.rules.accepting import rely_on
from ahdp_verify.kernel.rules.inequalities import sign_polynomial
from ahdp_verify.kernel.rules.integration_by_parts import PieceEnds, total_by_parts
from ahdp_verify.kernel.rules.regions import check_box_cover
from ahdp_verify.kernel.rules.repetition import periodic_total
from ahdp_verify.kernel.terms.expression import ZERO, Expression, substitute, walk

NOT_FOUND = (Undecided, Unsupported, ZeroDivisionError)
PIECES = 100  # of a cover that shows a law to be >= 0; each takes about a millisecond
Contexts = tuple[Context, Context]
Asked = tuple[Expression, str, str, tuple[Ratio, ...], int, Context]


class Cuts(tuple[Ratio, ...]):
    """The points of a law, with the antiderivatives that are stored beside them."""

    antiderivatives: tuple[Expression, ...]

    def __new__(cls, points: tuple[Ratio, ...], stored: tuple[Expression, ...]) -> Cuts:
        self = super().__new__(cls, points)
        self.antiderivatives = stored
        return self


def total_by_antiderivative(
    law: Ratio, stored: Expression, output: tuple[str, str], ends: PieceEnds, contexts: Contexts
) -> Ratio:
    """The total of a law on a piece, in the contexts of the piece and of its ends; Unsupported or
    Undecided unless `stored` is shown to be an antiderivative up to powers times exponentials.
    """
    (variable, kind), (place, here) = output, contexts
    found = normal(stored, with_signs(stored, place))
    tree = to_expression(found)
    if kind == "integer":
        slope = algebra.replace_name(found, variable, symbol(variable) + constant(1)) - found
    else:
        slope = ratio_derivative(found, variable)
    total = total_by_parts(with_whole_powers(law - slope), variable, kind, ends, here)
    for side, end in zip((-1, 1), ends, strict=True):
        if end is None:
            value = limit_at_end(found, variable, side, here)
        else:
            at = {variable: to_expression(end)}
            value = normal(substitute(tree, at), with_signs(substitute(stored, at), here))
        total = total + value.scale(side)
    if stored != ZERO:
        rely_on("the rule of antiderivatives")
    return total


def with_signs(e: Expression, here: Context) -> Context:
    """The context with the signs of sums, products and powers in e that follow from the way in
    which they are written, as 1 + (s - a)^2 > 0 does.
    """
    for node in reversed(list(walk(e))):
        if node.head in ("+", "*", "^"):
            try:
                signs = signs_of(node, here)
                if signs in (OF_RELATION[">"], OF_RELATION[">="]):
                    relation = ">" if signs == OF_RELATION[">"] else ">="
                    here = with_ratio_fact(normal(node, here), relation, here)
            except NOT_FOUND:
                continue  # one fact less
    return here


def further_total(
    asked: Asked,
    place: Context,
    law: Callable[[Context], Ratio],
    total_below: Callable[[int], Ratio],
    reason: Exception,
) -> Ratio:
    """The total on a piece by a rule beyond the core, where `reason` is why it has none by the
    core.

    asked        the density, its output and kind, the points, the number of the one above the
                 piece, and what is known of its ends; `place` is the context of the piece
    law          the law as a ratio in a context
    total_below  the total on another piece

    Raises what is missing: the sign of something free of the output if there is one, else `reason`.
    """
    density, variable, kind, points, upper, here = asked
    last, listed = upper == len(points), tuple[Expression, ...]()
    ends = points[upper - 1] if upper else None, None if last else points[upper]
    if not _is_about_inputs(reason, variable):  # such a sign is asked for first
        place = with_signs(density, place)
        listed = (ZERO, *(points.antiderivatives if isinstance(points, Cuts) else ()))
    for stored in listed:
        try:
            known = (place, here)
            shown = covered_law(density, place, law)
            return total_by_antiderivative(shown, stored, (variable, kind), ends, known)
        except NOT_FOUND as missing:
            reason = missing if _is_about_inputs(missing, variable) else reason
    if len(points) >= 2 and (upper == 0 or last):
        repeated = periodic_total(*asked, total_below)
        if repeated is not None:
            rely_on("the rule of repetition")
            return repeated
    raise reason


def covered_law(density: Expression, place: Context, law: Callable[[Context], Ratio]) -> Ratio:
    """The law on a piece; where its sign does not show that it is >= 0, a box cover does."""
    try:
        return law(place)
    except NOT_FOUND as reason:
        found = normal(density, place)
        try:
            check_box_cover(sign_polynomial(found, place), ">=", BoxCover(PIECES), place)
        except (Rejected, *NOT_FOUND):
            raise reason from None
        rely_on("the rules of regions")
        return found


def _is_about_inputs(missing: Exception, variable: str) -> bool:
    """Whether a sign is missing of something that does not depend on the output."""
    guard = missing.guard if isinstance(missing, Undecided) else None
    return isinstance(guard, Polynomial) and variable not in algebra.polynomial_names(guard)
