"""Intervals on which one density exceeds a multiple of another, found in floats.

    p(s) > exp(level) q(s) for low <= s < high
    ------------------------------------------
    P[low <= S < high] > exp(level) Q[low <= S < high]

The logarithms of both densities are followed along the output: near the points of the laws, between
them, and outwards in steps that double, so that a loss which grows without bound in a tail, as that
of Gaussian noise, is met.  The interval around the largest gap
ends at simple rational numbers a little inside of where the excess ends.  Densities are kept as
logarithms, since exp(-s^2) is no positive float from s = 28 on.  Nothing is concluded: the checker
works out both probabilities.

>>> from ahdp_verify.kernel.terms.grammar import parse
>>> from ahdp_verify.kernel.model.outputs import real
>>> laws = (parse("exp(-s^2/2)"), parse("exp(-(s - 1)^2/2)"))
>>> [str(event) for event in superlevel_events(laws, real("s"), 3.0, ())]
['s < -18/7']
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.terms.expression import Expression, number
from ahdp_verify.search.floating_point import WITHOUT_VALUE, Point, float_function, float_value
from ahdp_verify.search.refuting.mixture_events import smallest_denominator_between

LogFunction = Callable[[Point], tuple[int, float]]  # the sign of a value and log |value|
Loss = Callable[[float], float]
INSIDE = 32  # samples between two neighbouring points
OUTSIDE = 44  # steps outwards, each larger by half: up to 10^7 units
CLIMBS = 60  # steps of the search for the largest excess
NEAR = 1e-9  # relative distance from a point at which its two sides are looked at
SMALLEST = 1e-13  # an excess below it is rounding
MOST = 3  # peaks that are tried
SHARE = 1 / 4  # of the way to the largest gap is given up at each end for a simple number


def superlevel_events(
    laws: tuple[Expression, Expression],
    output: Output,
    level: float,
    points: tuple[Expression, ...],
) -> Iterator[Event]:
    """Intervals on which the first law exceeds exp(level) times the second, those of the largest
    gap between the two first; `points` are where the laws may change their form.
    """
    if output.kind != "real":
        return
    excess, size = log_excess(laws, output.name, level)
    cuts = {float_value(e): e for e in points}
    samples = sample_outputs(tuple(cuts))
    found: set[tuple[float, float]] = set()
    for top in tops(excess, size, samples):
        low, high = superlevel_interval(excess, samples, top)
        if (low, high) in found:
            continue
        found.add((low, high))
        first, last = (exact_end(e, top, cuts) for e in (low, high))
        if first is not None or last is not None:
            yield Event(intervals=((output.name, first, last),))


def tops(excess: Loss, size: Loss, samples: list[float]) -> list[float]:
    """Outputs at which the gap between the densities is largest or, where no sample sees one, the
    excess is.
    """

    def gap(s: float) -> float:
        return gap_size(size(s), excess(s))

    found = [climbed(gap, samples, i) for i in peaks([gap(s) for s in samples])]
    if not found:
        found = [climbed(excess, samples, i) for i in peaks([excess(s) for s in samples])]
    return [s for s in found if excess(s) > SMALLEST]


def gap_size(p: float, excess: float) -> float:
    """The logarithm of p - exp(level) q for log p and its excess over level + log q; -oo where
    that is not above 0.
    """
    return p + math.log(-math.expm1(-excess)) if excess > SMALLEST else -math.inf


def peaks(values: list[float]) -> list[int]:
    """The places of the largest values, each at least as large as its neighbours."""
    padded = [-math.inf, *values, -math.inf]
    listed = [
        i
        for i, v in enumerate(values)
        if v > -math.inf and v >= padded[i] and v >= padded[i + 2] and not math.isnan(v)
    ]
    return sorted(listed, key=lambda i: -values[i])[:MOST]


def superlevel_interval(excess: Loss, samples: list[float], top: float) -> tuple[float, float]:
    """The ends of the interval around a number on which the excess is above 0; infinite where it
    stays so in the tail.
    """
    return (
        crossing(excess, top, [s for s in reversed(samples) if s < top], -math.inf),
        crossing(excess, top, [s for s in samples if s > top], math.inf),
    )


def climbed(value: Loss, samples: list[float], i: int) -> float:
    """Where a function is largest between the neighbours of a sample."""
    best = samples[i]
    low = samples[i - 1] if i else best
    high = samples[i + 1] if i + 1 < len(samples) else best
    for _ in range(CLIMBS):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, right) if value(left) > value(right) else (left, high)
    return max((best, (low + high) / 2), key=value)


def crossing(excess: Loss, top: float, onward: list[float], far: float) -> float:
    """Where the excess falls to 0 on the way from a number; `far` if it never does."""
    good = top
    for s in onward:
        if not excess(s) > 0:
            return bisected(excess, good, s)
        good = s
    return far


def bisected(excess: Loss, good: float, bad: float) -> float:
    """A number close to where the excess falls to 0, on the side where it is above."""
    for _ in range(CLIMBS):
        middle = (good + bad) / 2
        good, bad = (middle, bad) if excess(middle) > 0 else (good, middle)
    return good


def exact_end(end: float, top: float, cuts: dict[float, Expression]) -> Expression | None:
    """The end of an interval: a point where it is close to one, else a simple number between it
    and the largest gap; None for an infinite one.
    """
    if math.isinf(end):
        return None
    for cut, exact in cuts.items():
        if abs(end - cut) <= 2 * NEAR * (1 + abs(cut)):
            return exact
    return number(simple_number(end, end + (top - end) * SHARE))


def simple_number(a: float, b: float) -> Fraction:
    """The fraction of smallest denominator between two floats."""
    low, high = sorted((Fraction(a), Fraction(b)))
    return low if low == high else smallest_denominator_between(low, high)


def sample_outputs(points: tuple[float, ...]) -> list[float]:
    """Outputs in ascending order: beside the points, between them and outwards."""
    cuts = sorted(set(points)) or [0.0]
    found: set[float] = set()
    for s in cuts:
        step = NEAR * (1 + abs(s))
        found |= {s - step, s + step}
    for a, b in itertools.pairwise(cuts):
        found |= {a + (b - a) * k / INSIDE for k in range(1, INSIDE)}
    unit = max(1.0, cuts[-1] - cuts[0]) / 16
    for k in range(OUTSIDE):
        distance = unit * 1.5**k
        found |= {cuts[0] - distance, cuts[-1] + distance}
    return sorted(found)


def log_excess(laws: tuple[Expression, Expression], name: str, level: float) -> tuple[Loss, Loss]:
    """log p - log q - level, and log p, as functions of the output; -oo where p vanishes or has no
    value.
    """
    first, second = (log_function(law) for law in laws)

    def size(s: float) -> float:
        try:
            sign, p = first({name: s})
        except WITHOUT_VALUE:
            return -math.inf
        return p if sign > 0 else -math.inf

    def excess(s: float) -> float:
        p = size(s)
        if p == -math.inf:
            return p
        try:
            sign, q = second({name: s})
        except WITHOUT_VALUE:
            return -math.inf
        return p - q - level if sign > 0 else math.inf if sign == 0 else -math.inf

    return excess, size


@lru_cache(maxsize=256)
def log_function(e: Expression) -> LogFunction:
    """The sign and the logarithm of the size of an expression at a point, without the overflow of
    the expression itself.
    """
    if e.head == "exp":
        exponent = float_function(e.args[0])
        return lambda point: (1, exponent(point))
    if e.head == "*":
        factors = [log_function(a) for a in e.args]
        return lambda point: log_product(f(point) for f in factors)
    if e.head == "+":
        terms = [log_function(a) for a in e.args]
        return lambda point: log_sum([t(point) for t in terms])
    if e.head == "^" and e.args[1].head == "number":
        base, power = log_function(e.args[0]), e.args[1].args[0]
        return lambda point: log_power(base(point), power)
    if e.head == "piecewise":
        parts = [log_function(v) for v in e.args[::2]]
        conditions = [float_function(c) for c in e.args[1::2]]
        return lambda point: first_branch(parts, conditions, point)
    plain = float_function(e)
    return lambda point: log_number(plain(point))


def log_number(x: float) -> tuple[int, float]:
    """The sign and the logarithm of a number."""
    return (0, -math.inf) if x == 0 else (1 if x > 0 else -1, math.log(abs(x)))


def log_product(factors: Iterable[tuple[int, float]]) -> tuple[int, float]:
    """The product of numbers in this form."""
    sign, total = 1, 0.0
    for s, size in factors:
        if s == 0:
            return 0, -math.inf
        sign, total = sign * s, total + size
    return sign, total


def log_sum(terms: list[tuple[int, float]]) -> tuple[int, float]:
    """The sum of numbers in this form."""
    top = max(size for _, size in terms)
    if math.isinf(top):
        return (0, -math.inf) if top < 0 else (1, top)
    sign, size = log_number(math.fsum(s * math.exp(size - top) for s, size in terms))
    return sign, size + top


def log_power(base: tuple[int, float], power: Fraction) -> tuple[int, float]:
    """A rational power of a number in this form; ValueError where it has none."""
    sign, size = base
    if sign == 0:
        if power < 0:
            raise ValueError("a power of 0")
        return (0, -math.inf)
    if sign < 0 and power.denominator != 1:
        raise ValueError("a root of a negative number")
    return (-1 if sign < 0 and power.numerator % 2 else 1), size * float(power)


def first_branch(
    parts: list[LogFunction], conditions: list[Callable[[Point], Any]], point: Point
) -> tuple[int, float]:
    """The value of the first branch whose condition holds."""
    for part, condition in zip(parts, conditions, strict=True):
        if condition(point):
            return part(point)
    raise ValueError("no case applies")
