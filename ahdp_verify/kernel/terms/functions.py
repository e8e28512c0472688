"""sin, cos, atan and erf of an expression, the smooth functions beside exp and log, and theta3.

>>> from ahdp_verify.kernel.terms.expression import name
>>> print(erf(name("s") / 2), sin(1) + cos(1) * atan(1))
erf(s/2) sin(1) + cos(1)*atan(1)
"""

from __future__ import annotations

from ahdp_verify.kernel.terms.expression import Expression, expression


def sin(e: object) -> Expression:
    """The sine of an angle in radians."""
    return Expression("sin", (expression(e),))


def cos(e: object) -> Expression:
    """The cosine of an angle in radians."""
    return Expression("cos", (expression(e),))


def atan(e: object) -> Expression:
    """The inverse tangent, in radians between -pi/2 and pi/2."""
    return Expression("atan", (expression(e),))


def erf(e: object) -> Expression:
    """The error function: 2/sqrt(pi) times the integral of exp(-t^2) from 0 to e.  The normal
    distribution function is (1 + erf(x/sqrt(2)))/2.
    """
    return Expression("erf", (expression(e),))


def theta3(e: object) -> Expression:
    """The sum of exp(-e k^2) over all whole numbers k, for e > 0: Jacobi's theta_3(0, exp(-e)).
    The discrete Gaussian of parameter sigma is divided by theta3(1/(2 sigma^2)).
    """
    return Expression("theta3", (expression(e),))
