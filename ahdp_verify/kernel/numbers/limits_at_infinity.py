"""Limits of expressions as a name tends to infinity, read off leading terms.

The leading term of a polynomial in a name t and exponentials of t is the one that grows fastest; a
ratio tends to the ratio of the leading coefficients, to 0 or to an infinity, by which of numerator
and denominator grows faster.  A continuous function tends to its value at the limits of its
arguments.

>>> from ahdp_verify.kernel.terms.expression import exp, name
>>> t, a = name("t"), name("a")
>>> str(limit_at_infinity((a * t + 1) / (2 * t + exp(-t)), "t", Context.empty()))
'a/2'
"""

from __future__ import annotations

import math
from fractions import Fraction

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.hypotheses import Context, sign_of
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.terms.expression import (
    Expression,
    multiply,
    names,
    number,
    oo,
    rebuild,
    walk,
)

CONTINUOUS = ("+", "*", "abs", "min", "max")


def limit_at_infinity(e: Expression, name_: str, here: Context) -> Expression:
    """The limit of e, in [-oo, oo], as a name tends to infinity (a weight or a level at demand oo).

    Raises Unsupported if the limit cannot be read off leading terms, Undecided if a parameter's
    sign is missing.
    """
    try:
        return _leading(e, name_, here)
    except Unsupported:
        if e.head not in CONTINUOUS or name_ not in names(e):
            raise
        parts = [limit_at_infinity(a, name_, here) if name_ in names(a) else a for a in e.args]
        if any(part == oo for p in parts for part in walk(p)):
            raise
        return to_expression(
            normal(rebuild(e, tuple(parts)), here)
        )  # a continuous function of finite limits


def _leading(e: Expression, name_: str, here: Context) -> Expression:
    r = normal(e, here.at_infinity(name_))
    if r.is_zero:
        return number(0)
    top, coefficient = algebra.leading_growth(r.num, name_)
    bottom, divisor = (Fraction(0), Fraction(0)), Ratio(algebra.ONE)
    for f, k in r.den:
        rate, c = algebra.leading_growth(f, name_)
        bottom, divisor = (
            (bottom[0] + k * rate[0], bottom[1] + k * rate[1]),
            divisor * Ratio(c) ** k,
        )
    value = Ratio(coefficient) / divisor
    if top < bottom:
        return number(0)
    if top == bottom:
        return to_expression(value)
    direction = sign_of(value.num, here) * math.prod(sign_of(f, here) ** k for f, k in value.den)
    if direction == 0:
        raise Unsupported(f"the limit of {e} as {name_} grows")
    return oo if direction > 0 else multiply(number(-1), oo)
