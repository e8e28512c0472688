"""Noise around a location, which is any function of the input.

    laplace(location, scale)      density exp(-|s - location|/scale)/(2 scale)
    geometric(location, scale)    on whole numbers, proportional to exp(-|k - location|/scale): the
                                  two-sided geometric, or discrete Laplace, distribution
    staircase(location, sensitivity, eps, gamma)
                                  steps that fall by exp(-eps) at each multiple of the sensitivity,
                                  shifted by gamma (Geng, Viswanath 2014)
    uniform(low, high)            constant on [low, high]

In a running noise program `laplace(scale)` and `geometric(scale)`, with one argument, draw noise.
A scale is in the units of the location.  A scale that depends on the data is read like any other
and is rarely private: that is what `verify` finds out.

>>> from ahdp_verify.kernel.terms.expression import name
>>> print(geometric(name("n"), 1 / name("eps")).density(name("k")))
(1 - exp(-eps))/(exp(-eps) + 1)*exp(-eps*abs(k - n))
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, overload

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.expression import (
    ONE,
    Abs,
    Expression,
    clip,
    eq,
    exp,
    expression,
    floor,
    number,
    piecewise,
    reciprocal,
)
from ahdp_verify.laws.law import (
    Law,
    OfPoint,
    argument,
    gap,
    in_cases,
    is_whole,
    moved_between,
    positive_argument,
    sign_of_constant,
    simplified_reciprocal,
)
from ahdp_verify.programs.words import draw, is_running

MISSING = object()  # no argument was given


def is_drawn(word: str, location: object, scale: object) -> bool:
    """Whether a word of which only the scale was given is to draw in a running noise program;
    BadInput where its arguments do not fit what runs.
    """
    alone = location is MISSING or scale is MISSING
    if alone is is_running():
        return alone
    if alone:
        raise BadInput(
            word,
            "its location or its scale is missing",
            f"write {word}(location, scale); {word}(scale) draws in a noise program",
        )
    raise BadInput(
        word, "a location is given in a noise program", f"write location + {word}(scale)"
    )


def laplace_density(at: Expression, scale: object) -> Expression:
    """The density of Laplace noise of that scale at a point: exp(-|at|/scale)/(2 scale).

    >>> from ahdp_verify.kernel.terms.expression import name
    >>> print(laplace_density(name("z"), 2))
    exp(-abs(z)/2)/4
    """
    b = expression(scale)
    return exp(-Abs(at) * simplified_reciprocal(b)) * simplified_reciprocal(2 * b)


@overload
def laplace(location: object, scale: object) -> Law: ...
@overload
def laplace(scale: object, /) -> Any: ...
@overload
def laplace(*, scale: object) -> Any: ...
def laplace(location: object = MISSING, scale: object = MISSING) -> Any:
    """Laplace noise of that scale around a location: variance 2 scale^2 (Dwork, McSherry, Nissim,
    Smith 2006).  In a noise program `laplace(scale)` draws new noise around 0 instead.

    If a move changes the location by c and not the scale, the loss is |c|/scale.

    >>> from ahdp_verify.kernel.terms.expression import name
    >>> print(laplace(0, 3).density(name("s")))
    exp(-abs(s)/3)/6
    >>> laplace(0, 0)
    Traceback (most recent call last):
    ahdp_verify.kernel.errors.BadInput: laplace: scale: 0 is not positive; the scale has to be > 0
    """
    if is_drawn("laplace", location, scale):
        return draw("laplace", location if scale is MISSING else scale)
    a, b = argument(location, "laplace", "location"), positive_argument(scale, "laplace", "scale")
    rate = simplified_reciprocal(b)

    def tail(distance: Expression) -> Expression:
        return exp(-distance * rate) / 2

    def at_most(t: Expression) -> Expression:
        return in_cases((t, a, tail(a - t)), otherwise=1 - tail(t - a))

    def above(t: Expression) -> Expression:
        return in_cases((t, a, 1 - tail(a - t)), otherwise=tail(t - a))

    def cell(k: Expression, width: Expression) -> Expression:
        half, place = width / 2, k * width - a
        step = (exp(half * rate) - exp(-half * rate)) / 2
        if width == ONE and is_whole(a):
            beside = step * exp(-rate * Abs(place))
            return piecewise((1 - exp(-rate / 2), eq(k, a)), (beside, True))
        nearest = floor(a * simplified_reciprocal(width) + Fraction(1, 2))
        return piecewise(
            (step * exp(rate * place), k < nearest),
            (step * exp(-rate * place), k > nearest),
            (1 - tail(half + place) - tail(half - place), True),
        )

    def within(low: Expression, high: Expression) -> OfPoint:
        near = moved_between(
            a, low, high
        )  # a location outside gives the same law as the nearer end
        total = 1 - tail(near - low) - tail(high - near)
        return lambda s: laplace_density(s - near, b) * reciprocal(total)

    return Law(
        "real",
        f"laplace({a}, {b})",
        lambda s: laplace_density(s - a, b),
        at_most,
        above,
        cell,
        within,
    )


@overload
def geometric(location: object, scale: object) -> Law: ...
@overload
def geometric(scale: object, /) -> Any: ...
@overload
def geometric(*, scale: object) -> Any: ...
def geometric(location: object = MISSING, scale: object = MISSING) -> Any:
    """Two-sided geometric noise around a whole location: P(k) is proportional to exp(-|k -
    location|/scale) (Ghosh, Roughgarden, Sundararajan 2009; the discrete Laplace distribution).
    In a noise program `geometric(scale)` draws new noise around 0 instead.

    At another location the probabilities do not add up to 1, and no claim is proved.

    >>> from ahdp_verify.kernel.terms.expression import name
    >>> print(geometric(0, 1).density(name("k")))
    (1 - exp(-1))/(exp(-1) + 1)*exp(-abs(k))
    """
    if is_drawn("geometric", location, scale):
        return draw("geometric", location if scale is MISSING else scale)
    a = argument(location, "geometric", "location")
    fixed = gap(number(0), a)
    if fixed is not None and fixed.denominator != 1:
        raise BadInput(
            "geometric: location", f"{a} is not a whole number", "use laplace, or floor(...)"
        )
    b = positive_argument(scale, "geometric", "scale")
    rate = simplified_reciprocal(b)
    q = exp(-rate)

    def density(k: Expression, centre: Expression) -> Expression:
        return (1 - q) / (1 + q) * exp(-rate * Abs(k - centre))

    def tail(distance: Expression) -> Expression:
        return exp(-distance * rate) / (1 + q)

    def at_most(t: Expression) -> Expression:
        return in_cases((t, a, tail(a - t)), otherwise=1 - tail(t - a + 1))

    def above(t: Expression) -> Expression:
        return in_cases((t, a, 1 - tail(a - t)), otherwise=tail(t - a + 1))

    def within(low: Expression, high: Expression) -> OfPoint:
        near = moved_between(
            a, low, high
        )  # a location outside gives the same law as the nearer end
        total = 1 - tail(near - low + 1) - tail(high - near + 1)
        return lambda k: density(k, near) * reciprocal(total)

    return Law(
        "integer",
        f"geometric({a}, {b})",
        lambda k: density(k, a),
        at_most,
        above,
        within=within,
        notes=("geometric noise needs a location that is a whole number for every input",),
    )


def staircase(location: object, sensitivity: object, eps: object, gamma: object) -> Law:
    """Staircase noise around a location: the level eps if a move changes the location by at most
    the sensitivity (Geng, Viswanath 2014).

    The density at distance z falls by the factor exp(-eps) at |z| = (gamma + i) sensitivity, i = 0,
    1, ..., for a gamma in (0, 1).  The mean of |z| is least at gamma = 1/(1 + exp(eps/2)); a proof
    needs a number or a parameter, such as a fraction near that.

    >>> from ahdp_verify.kernel.terms.expression import name
    >>> print(staircase(0, 1, "1/2", "1/3").density(name("s")))
    (1 - exp(-1/2))/(2*(2*exp(-1/2)/3 + 1/3))*exp(-floor(abs(s) + 2/3)/2)
    """
    a = argument(location, "staircase", "location")
    width = positive_argument(sensitivity, "staircase", "sensitivity")
    e = positive_argument(eps, "staircase", "eps")
    g = argument(gamma, "staircase", "gamma")
    if sign_of_constant(g) in (0, -1) or sign_of_constant(1 - g) in (0, -1):
        raise BadInput("staircase: gamma", f"{g} is not in (0, 1)", "write for example 1/2")
    q, per = exp(-e), simplified_reciprocal(width)
    height = (1 - q) / (2 * (g + q * (1 - g))) * per
    return Law(
        "real",
        f"staircase({a}, {width}, {e}, {g})",
        lambda s: height * exp(-e * floor(Abs(s - a) * per + 1 - g)),
    )


def uniform(low: object, high: object) -> Law:
    """The same density everywhere in [low, high], and none elsewhere; the ends may depend on the
    input, which leaks an end that moves.

    >>> from ahdp_verify.kernel.terms.expression import name
    >>> print(uniform(0, 2).density(name("s")))
    piecewise((1/2, 0 <= s and s <= 2), (0, true))
    """
    a, b = argument(low, "uniform", "low"), argument(high, "uniform", "high")
    if sign_of_constant(b - a) in (0, -1):
        raise BadInput("uniform", f"{a} is not below {b}", "write the smaller end first")
    apart = gap(a, b)
    width = b - a if apart is None else number(apart)

    return Law(
        "real",
        f"uniform({a}, {b})",
        lambda s: piecewise((simplified_reciprocal(width), (a <= s) & (s <= b)), (0, True)),
        lambda t: clip(t - a, 0, width) / width,
        lambda t: clip(b - t, 0, width) / width,
    )
