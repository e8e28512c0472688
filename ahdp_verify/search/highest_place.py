"""Where a function of one name is largest between two ends: the places that floating point finds,
as simple numbers or names.

They are guesses: a search evaluates them exactly, and a checker decides.

>>> from ahdp_verify.kernel.terms.grammar import parse
>>> x, hill = "x", float_function(parse("x*(1 - x)"))
>>> found = highest_place(lambda x: hill({"x": x}), 0.0, 1.0)
>>> print(simple_place(found))
1/2
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial

from ahdp_verify.kernel.terms.expression import Expression, name, names, number
from ahdp_verify.search.floating_point import WITHOUT_VALUE, FloatFunction, float_function

STEPS = 24  # places that are looked at before the highest is narrowed down
NARROWED = 40  # steps of the golden section; each leaves 0.62 of the interval
GOLDEN = (math.sqrt(5) - 1) / 2
NEAR = 1e-5  # a place so near to a simple number, or to the value of a name, is taken to be that
DENOMINATOR = 64  # of a simple number
MOST = 4  # places that are proposed
Sample = Mapping[str, Expression]


def highest_place(f: Callable[[float], float], low: float, high: float) -> float:
    """Where f is largest between two numbers, approximately; an end if that is not smaller."""
    places = [low + (high - low) * i / STEPS for i in range(STEPS + 1)]
    values = [f(x) for x in places]
    best = max(range(STEPS + 1), key=values.__getitem__)
    a, b = places[max(best - 1, 0)], places[min(best + 1, STEPS)]
    for _ in range(NARROWED):
        x, y = b - GOLDEN * (b - a), a + GOLDEN * (b - a)
        a, b = (a, y) if f(x) > f(y) else (x, b)
    return max((low, high, places[best], (a + b) / 2), key=f)


def simple_place(x: float) -> Expression | None:
    """The simple rational number that a place stands for, or None."""
    near = Fraction(x).limit_denominator(DENOMINATOR)
    return number(near) if abs(float(near) - x) < NEAR else None


def turning_places(
    e: Expression, unknown: str, ends: tuple[Expression, Expression], samples: Sequence[Sample]
) -> tuple[Expression, ...]:
    """A few simple numbers and names strictly between two ends at which an expression is largest in
    one name, at a sample of the names and a simple value of the other unknown.
    """
    functions = float_function(e), *map(float_function, ends)
    found: dict[Expression, int] = {}
    for sample in samples:
        point = {key: float_function(value)({}) for key, value in sample.items()}
        try:
            for place in _at_sample(functions, unknown, sorted(names(e)), point):
                found[place] = found.get(place, 0) + 1
        except WITHOUT_VALUE:
            return ()
    return tuple(
        sorted(found, key=lambda place: (not names(place), -found[place], str(place)))[:MOST]
    )


def _at_sample(
    functions: tuple[FloatFunction, ...], unknown: str, used: Sequence[str], point: dict[str, float]
) -> set[Expression]:
    """The same at one sample, with another name that is called like the unknown at each end, and
    between.
    """
    f, low, high = functions[0], functions[1](point), functions[2](point)
    other = next((n for n in used if n != unknown and n.rstrip("'") == unknown.rstrip("'")), None)
    found: set[Expression] = set()
    for part in (0.0, 1.0, 0.5) if other is not None else (0.0,):
        there = point if other is None else {**point, other: low + part * (high - low)}
        x = highest_place(partial(_along, f, there, unknown), low, high)
        if not low + NEAR < x < high - NEAR:
            continue
        found |= {name(n) for n in used if n in point and n != unknown and abs(point[n] - x) < NEAR}
        simple = simple_place(x)
        found |= {simple} if simple is not None else set()
    return found


def _along(f: FloatFunction, point: Mapping[str, float], unknown: str, x: float) -> float:
    """The value at a point with another value of one name."""
    return float(f({**point, unknown: x}))
