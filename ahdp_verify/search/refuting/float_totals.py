"""The total of a law in floats, where outcomes cannot be listed: for each value of the finite
outputs a product of integrals and sums over one output each.

Only for the search: a total of 1 spares an exact one, which takes ten times as long, and proves
nothing.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> s, W = real("s"), Domain([(1, 1)])
>>> totals = FloatTotals.of(Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2))
>>> round(totals.at({W.size: 3.0}), 9)
1.0
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from math import prod

from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.rules.integration import factors_by_output
from ahdp_verify.kernel.terms.expression import names, substitute
from ahdp_verify.search.floating_point import FloatFunction, float_function
from ahdp_verify.search.refuting.float_laws import (
    TAIL,
    WIDEST,
    FloatFactor,
    Point,
    breakpoints,
    number_at,
)

MOST = 64  # values of the finite outputs together
# Gauss-Legendre quadrature with five nodes, on an interval from -1 to 1
NODES = [(0.0, 128 / 225)] + [
    (
        side * math.sqrt(5 + sign * 2 * math.sqrt(10 / 7)) / 3,
        (322 - sign * 13 * math.sqrt(70)) / 900,
    )
    for side in (-1, 1)
    for sign in (-1, 1)
]
CLOSE, HALVINGS = 1e-11, 16  # agreement at which an interval is not halved further, and how often
FIRST, BLOCKS = 4, 40  # parts of a tail, each twice as long as the one before: at least, at most
Curve = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class FloatTotals:
    """What is added up: factors that mention no output but a finite one, each with those of one
    output.
    """

    parts: tuple[tuple[FloatFunction, tuple[FloatFactor, ...]], ...]
    atoms: tuple[FloatFunction, ...]

    @staticmethod
    def of(mechanism: Mechanism) -> FloatTotals | None:
        """The total of a law; None where it is not a sum of products."""
        finite = [o for o in mechanism.outputs if o.kind == "finite"]
        others = [o for o in mechanism.outputs if o.kind != "finite"]
        listed, moving = tuple(o.name for o in others), frozenset(o.name for o in others)
        if prod(len(o.values) for o in finite) > MOST:
            return None
        parts = []
        for values in itertools.product(*(o.values for o in finite)):
            given = {o.name: value for o, value in zip(finite, values, strict=True)}
            prefactor, groups = factors_by_output(substitute(mechanism.density, given), listed)
            if any(len(names(group) & moving) > 1 for group in groups):
                return None
            factors = zip(others, groups, strict=True)
            parts.append(
                (
                    float_function(prefactor),
                    tuple(FloatFactor.of((o,), g, moving) for o, g in factors),
                )
            )
        return FloatTotals(tuple(parts), tuple(float_function(mass) for _, mass in mechanism.atoms))

    def at(self, point: Point) -> float:
        """The total for one input; ValueError where it is not found."""
        found = [number_at(mass, point) for mass in self.atoms]
        for prefactor, factors in self.parts:
            share = number_at(prefactor, point)
            found.append(share * prod(total(f, point) for f in factors) if share else 0.0)
        return math.fsum(found)


def total(factor: FloatFactor, point: Point) -> float:
    """The sum or the integral of a factor over its output."""
    (output,), (kinks,) = factor.outputs, factor.kinks

    def value(x: float) -> float:
        return factor.at(point, (x,))

    ends, added = breakpoints(output, kinks, [point]), integral
    if output.kind == "integer":
        ends, added = (math.floor(ends[0]) - 1.0, math.ceil(ends[-1]) + 1.0), sum_after
    pieces = [added(value, low, high) for low, high in itertools.pairwise(ends)]
    up = tail(lambda low, high: added(lambda x: value(ends[-1] + x), low, high))
    down = tail(lambda low, high: added(lambda x: value(ends[0] - x), low, high))
    first = value(ends[0]) if output.kind == "integer" else 0.0  # each sum begins after its low end
    return math.fsum((*pieces, up, down, first))


def tail(block: Callable[[float, float], float]) -> float:
    """What the blocks from 0 to oo add up to, each twice as long as the one before; ValueError
    where this does not decay.
    """
    found: list[float] = []
    for i in range(BLOCKS):
        found.append(block(2.0**i - 1, 2.0 ** (i + 1) - 1))
        if i > FIRST and abs(found[-1]) <= TAIL:
            return math.fsum(found)
    raise ValueError("a tail is long")


def sum_after(value: Curve, low: float, high: float) -> float:
    """The sum over the whole numbers above `low`, up to `high`."""
    if high - low > WIDEST:
        raise ValueError("a sum is long")
    return math.fsum(value(float(k)) for k in range(int(low) + 1, int(high) + 1))


def integral(value: Curve, low: float, high: float) -> float:
    """The integral of a function without a kink in between; ValueError where it is not found."""
    return halved(value, low, high, quadrature(value, low, high), HALVINGS)


def halved(value: Curve, low: float, high: float, whole: float, left: int) -> float:
    """The integral, from the halves of an interval until they agree with the whole."""
    middle = (low + high) / 2
    halves = quadrature(value, low, middle), quadrature(value, middle, high)
    if abs(sum(halves) - whole) <= CLOSE:
        return sum(halves)
    if not left:
        raise ValueError("an integral is not found")
    return halved(value, low, middle, halves[0], left - 1) + halved(
        value, middle, high, halves[1], left - 1
    )


def quadrature(value: Curve, low: float, high: float) -> float:
    """The integral where the function is close to a polynomial."""
    middle, half = (low + high) / 2, (high - low) / 2
    return half * math.fsum(weight * value(middle + half * node) for node, weight in NODES)
