"""Totals of a law on a piece by a stored antiderivative F, which is not believed but tested.

     u < s < v |- F'(s) = f(s)      F has values at u and v, or limits where these are infinite
    --------------------------------------------------------------------------------------------
               the integral of f from u to v  =  F(v) - F(u)

For a whole output F(s + 1) - F(s) = f(s) is tested instead, and F(v) - F(u) is the sum over u <= s
< v.  What f exceeds F' by may be a sum of powers times exponentials, which is integrated by parts.
F is stored among the points of the law, from which it differs in that it mentions the output.
"""

from __future__ import annotations

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, symbol
from ahdp_verify.kernel.numbers.derivative import ratio_derivative
from ahdp_verify.kernel.numbers.ends import limit_at_end
from ahdp_verify.kernel.numbers.hypotheses import OF_RELATION, Context, with_ratio_fact
from ahdp_verify.kernel.numbers.normal_form import normal, signs_of, to_expression
from ahdp_verify.kernel.numbers.smooth import with_whole_powers
from ahdp_verify.kernel.rules.accepting import rely_on
from ahdp_verify.kernel.rules.integration_by_parts import PieceEnds, total_by_parts
from ahdp_verify.kernel.terms.expression import ZERO, Expression, substitute, walk

NOT_FOUND = (Undecided, Unsupported, ZeroDivisionError)
Contexts = tuple[Context, Context]


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
    """The context with the signs of sums and powers in e that follow from the way in which they are
    written, as 1 + (s - a)^2 > 0 does.
    """
    for node in reversed(list(walk(e))):
        if node.head in ("+", "^"):
            try:
                signs = signs_of(node, here)
                if signs in (OF_RELATION[">"], OF_RELATION[">="]):
                    relation = ">" if signs == OF_RELATION[">"] else ">="
                    here = with_ratio_fact(normal(node, here), relation, here)
            except NOT_FOUND:
                continue  # one fact less
    return here
