"""The derivative of a normal form in one name.

    (f g)' = f' g + f g'     (f^e)' = e f^e f'/f     exp(f)' = exp(f) f'     log(f)' = f'/f
    sin(f)' = cos(f) f'      cos(f)' = -sin(f) f'    atan(f)' = f'/(1 + f^2)
    erf(f)' = 2/sqrt(pi) exp(-f^2) f'                Ei(f)' = exp(f)/f f'

It is the derivative wherever the ratio has a value in an open interval of the name: divisors that
are not 0, logarithms of what is positive.  Absolute values, floors and the like have none here
while they mention the name: a context that knows their sign resolves them first.

>>> from ahdp_verify.kernel.terms.grammar import parse
>>> derivative(parse("atan(x) + sqrt(pi)*erf(x)/2"), "x", Context.empty())
(1 + exp(x^(2))^(-1) + exp(x^(2))^(-1)*x^(2))/(1 + x^(2))^1
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Atom, Polynomial, Ratio, constant, ratio_of_atom
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import message_text, normal
from ahdp_verify.kernel.numbers.smooth import function_value, with_whole_powers
from ahdp_verify.kernel.terms.expression import Expression


def derivative(e: Expression, name: str, here: Context) -> Ratio:
    """The derivative of an expression in a name, where the facts resolve its absolute values,
    maxima and branches; Undecided or Unsupported where it is not found.
    """
    return ratio_derivative(normal(e, here), name)


def ratio_derivative(r: Ratio, name: str) -> Ratio:
    """The derivative of a ratio in a name; Unsupported for a function of it without one here."""
    found = _polynomial_derivative(r.num, name) / Ratio(
        algebra.multiply_factors(algebra.ONE, r.den)
    )
    for f, k in r.den:
        found = found - r * _polynomial_derivative(f, name).scale(k) / Ratio(f)
    return found


def _polynomial_derivative(p: Polynomial, name: str) -> Ratio:
    found = constant(0)
    for m, c in p.terms.items():
        for a, e in m.powers:
            if name in algebra.atom_names(a):
                piece = Ratio(algebra.polynomial_of_monomial(m, c * e))
                found = found + piece * _logarithmic_derivative(a, name)
    return found


def _logarithmic_derivative(a: Atom, name: str) -> Ratio:
    """a'/a of an atom."""
    if a.kind == "name":
        return constant(1) / ratio_of_atom(a)
    inside = inner_ratio(a)
    if a.kind == "exp":
        return ratio_derivative(inside, name)
    if a.kind not in OUTER:
        raise Unsupported(f"the derivative of {message_text(a)} is not known here")
    return OUTER[a.kind](inside) * ratio_derivative(inside, name) / ratio_of_atom(a)


def inner_ratio(a: Atom) -> Ratio:
    """The argument of an exponential, a logarithm or another function."""
    if a.kind == "exp":
        return Ratio(algebra.polynomial_of_monomial(a.payload[0]), a.payload[1])
    found: Ratio = a.payload if a.kind == "log" else a.payload[0]
    return found


TWO_OVER_ROOT = ratio_of_atom(algebra.PI_ATOM, Fraction(-1, 2)).scale(2)
# the derivatives of the functions of one argument
OUTER: dict[str, Callable[[Ratio], Ratio]] = {
    "log": lambda f: constant(1) / f,
    "Ei": lambda f: algebra.exp_of(f) / f,
    "sin": lambda f: function_value("cos", f),
    "cos": lambda f: -function_value("sin", f),
    "atan": lambda f: constant(1) / (constant(1) + with_whole_powers(f * f)),
    "erf": lambda f: TWO_OVER_ROOT * algebra.exp_of(-with_whole_powers(f * f)),
}
