"""Derivatives of normal forms against mpmath's numerical ones."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.numbers.algebra import symbol
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.derivative import derivative
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.terms.expression import number, substitute
from ahdp_verify.kernel.terms.grammar import parse

HERE = Context.empty().given(symbol("s").num, ">")
PYTHON = {f: getattr(mpmath, f) for f in ("exp", "log", "sin", "cos", "atan", "erf", "pi")}


@pytest.mark.parametrize(
    "text",
    [
        "s^3*exp(2*s)/(s + 1)",
        "log(s)*s",
        "exp(-s^2)",
        "1/(s^2 + 1)^2",
        "s^(1/2)",
        "sin(pi*s)*cos(s^2) + sin(s)^3",
        "atan(1/(1 + s)) + atan(-s)^2",
        "erf(s/(2 + s))*exp(erf(-s))",
        "cos(log(s))/(2 + sin(s))",
    ],
)
def test_derivatives(text: str) -> None:
    """Against mpmath's numerical ones, at points on both sides of 1."""
    found = derivative(parse(text), "s", HERE)

    def f(x: mpmath.mpf) -> mpmath.mpf:
        return mpmath.mpf(eval(text.replace("^", "**"), {"s": x, **PYTHON}))

    with mpmath.workdps(30):
        for x in (Fraction(1, 2), Fraction(3)):
            at = substitute(to_expression(found), {"s": number(x)})
            low, high = enclose(normal(at, Context.empty()), 128)
            exact = mpmath.diff(f, mpmath.mpf(x.numerator) / x.denominator)
            assert abs(mpmath.mpf(low.numerator) / low.denominator - exact) < 1e-12 * (
                1 + abs(exact)
            )
            assert high - low < Fraction(1, 10**20)


def test_a_kink_has_no_derivative() -> None:
    """An absolute value of unknown sign is refused; one that the facts resolve is not."""
    with pytest.raises(Unsupported, match="derivative"):
        derivative(parse("abs(s - 1)"), "s", HERE)
    assert derivative(parse("abs(s) + abs(t)"), "s", HERE).key == "1"
