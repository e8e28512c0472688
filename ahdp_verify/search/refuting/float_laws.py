"""The laws of a claim in floats: the inputs of an example as points, and the probabilities there.

Only for the search: whatever raises one of `NOT_SEEN` has no value here, and nothing follows from
it, nor from any number.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod
from typing import Any

from ahdp_verify.kernel.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
    Instance,
    present_records,
    value_at_instance,
)
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.mechanism import Output, dataset_nodes
from ahdp_verify.kernel.rules.integration import factors_by_output
from ahdp_verify.kernel.terms.expression import (
    AGGREGATES,
    LEAVES,
    Expression,
    add,
    names,
    negative,
    walk,
)
from ahdp_verify.search.floating_point import (
    WITHOUT_VALUE,
    FloatFunction,
    float_function,
    float_value,
)

NEAR = 1e-6  # distance from a breakpoint at which its two sides are looked at
FAR = (40.0, 400.0)  # distances at which a tail is looked at
CURVED = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, *FAR)  # the same of a law with powers of the output
GRID, LISTED = 100, 1000  # combinations that are all tried, in general and where all are listed
TAIL, WIDEST = 1e-15, 20_000  # a tail is left out below this probability; whole outputs looked at
KEPT = 256  # inputs whose values are kept
ORDERED = ("==", "!=", "<", "<=", "min", "max")  # heads that change where two parts are equal
NOT_SEEN = (*WITHOUT_VALUE, Rejected, Undecided, Unsupported, BadInput, RecursionError)
Point = dict[object, Any]
Outcome = tuple[object, ...]
Row = tuple[float, ...]  # the probabilities of one outcome at several inputs


@dataclass(frozen=True, slots=True)
class FloatFactor:
    """A factor of a law with the outputs that it mentions, and for each of them what is 0 at its
    breakpoints.
    """

    outputs: tuple[Output, ...]
    value: FloatFunction
    kinks: tuple[tuple[FloatFunction, ...], ...]
    is_number: bool  # the same at every input, even if it is too small for a float
    curved: tuple[bool, ...] = ()  # for each output, whether a power of it is in the factor

    @staticmethod
    def of(outputs: tuple[Output, ...], law: Expression, moving: frozenset[str]) -> FloatFactor:
        """The factor of an expression; the names of all outputs move."""
        kinks = tuple(kinks_in(law, output, moving) for output in outputs)
        curved = tuple(has_power(law, output) for output in outputs)
        value = float_function(law, moving)
        return FloatFactor(outputs, value, kinks, law.head == "number", curved)

    def grid(self, points: list[Point]) -> Iterator[Outcome]:
        """The outputs at which two laws are compared, or at which one is looked at: all
        combinations of a few, else one output after the other beside the middle values of the
        others.
        """
        for point in points:
            point.update((output.name, 0.0) for output in self.outputs)
        listed = [
            tuple(map(float_value, o.values))
            if o.kind == "finite"
            else trial_values(o, breakpoints(o, kinks, points), CURVED if curved else FAR)
            for o, kinks, curved in zip(self.outputs, self.kinks, self.curved, strict=True)
        ]
        most = LISTED if all(o.kind == "finite" for o in self.outputs) else GRID
        if len(listed) <= 1 or prod(map(len, listed)) <= most:
            yield from itertools.product(*listed)
            return
        middle = tuple(values[len(values) // 2] for values in listed)
        for i, values in enumerate(listed):
            yield from ((*middle[:i], value, *middle[i + 1 :]) for value in values)

    def at(self, point: Point, outcome: Outcome) -> float:
        """Its value for an input at one outcome."""
        for output, value in zip(self.outputs, outcome, strict=True):
            point[output.name] = value
        return number_at(self.value, point)

    def losses(self, points: list[Point]) -> list[float]:
        """The logarithms of the ratio of two laws at the outcomes where one is positive."""
        if self.is_number:
            return [0.0]
        seen = (
            log_ratio(*(self.at(point, outcome) for point in points))
            for outcome in self.grid(points)
        )
        return [loss for loss in seen if not math.isnan(loss)]


@dataclass(slots=True)
class FloatLaws:
    """The laws of one claim's mechanism: a product of factors, and points of mass."""

    claim: Claim
    factors: tuple[FloatFactor, ...]
    atoms: tuple[FloatFunction, ...]
    aggregates: tuple[Expression, ...]
    weights: dict[tuple[Expression, Instance, object], float] = field(default_factory=dict)
    points: dict[object, Point] = field(default_factory=dict)

    @staticmethod
    def of(claim: Claim) -> FloatLaws:
        """The laws of a claim."""
        m = claim.mechanism
        listed = [o.name for o in m.outputs]
        prefactor, groups = factors_by_output(m.density, tuple(listed))
        factors = [((), prefactor), *(((o,), g) for o, g in zip(m.outputs, groups, strict=True))]
        if any(len(names(law).intersection(listed)) > 1 for law in groups):
            factors = [(m.outputs, m.density)]
        return FloatLaws(
            claim,
            tuple(FloatFactor.of(outputs, law, frozenset(listed)) for outputs, law in factors),
            tuple(float_function(mass) for _, mass in m.atoms),
            dataset_nodes(m),
        )

    def point_at(self, example: Counterexample, side: tuple[Expression, ...]) -> Point:
        """The values of parameters, answers, parts of a value and record aggregates at one side;
        the same dict when asked again.
        """
        key = (example.parameters, example.instances, side)
        if key not in self.points:
            if len(self.points) >= KEPT:
                self.points.clear()
            self.points[key] = self._point_at(example, side)
        return self.points[key]

    def _point_at(self, example: Counterexample, side: tuple[Expression, ...]) -> Point:
        inputs = self.claim.mechanism.inputs
        point: Point = {o.name: 0.0 for o in self.claim.mechanism.outputs}
        point |= {key: float_value(value) for key, value in example.parameters}
        if isinstance(inputs, Values):
            given = side if len(side) > 1 else side[0]
            return point | {k: float_value(v) for k, v in inputs.bindings(given).items()}
        if not isinstance(inputs, Domain):
            return point | dict(zip(inputs.bound, map(float_value, side), strict=True))
        held = present_records(self.claim, example, side)
        for node in self.aggregates:
            values = [(self.weight(node, record, example), count) for record, count in held]
            if node.head == "sum":
                point[node] = math.fsum(count * value for value, count in values)
            else:
                extreme = max if node.head == "maximum" else min
                point[node] = extreme(value for value, _ in values)
        defined = float_function(self.claim.mechanism.defined)
        if not defined(point):
            raise Rejected("the mechanism is not defined there")
        return point

    def weight(self, node: Expression, record: Instance, example: Counterexample) -> float:
        """What one record contributes to a record aggregate."""
        key = (node, record, example.parameters)
        if key not in self.weights:
            exact = value_at_instance(node.args[0], record, dict(example.parameters))
            self.weights[key] = float_value(exact)
        return self.weights[key]

    @property
    def can_list(self) -> bool:
        """Whether all outcomes can be listed, or all but those in tails of tiny probability."""
        outputs = self.claim.mechanism.outputs
        if all(o.kind == "finite" for o in outputs):
            return prod(len(o.values) for o in outputs) <= LISTED
        return [o.kind for o in outputs] == ["integer"]

    def rows(self, points: list[Point]) -> Iterator[Row]:
        """The probabilities of every outcome, points of mass included, where all can be listed;
        ValueError where too many of them have a probability that is not tiny.
        """
        yield from (tuple(mass(point) for point in points) for mass in self.atoms)
        outputs = self.claim.mechanism.outputs
        if outputs[0].kind == "finite":
            listed = itertools.product(*(map(float_value, o.values) for o in outputs))
            yield from (self.row(points, outcome) for outcome in listed)
            return
        ends = breakpoints(outputs[0], self.factors[-1].kinks[0], points)
        low, high = math.floor(ends[0]) - 1, math.ceil(ends[-1]) + 1
        yield from (self.row(points, (float(k),)) for k in range(low, high + 1))
        for step, start in ((-1, low - 1), (1, high + 1)):
            yield from self.tail(points, start, step)

    def tail(self, points: list[Point], start: int, step: int) -> Iterator[Row]:
        """The probabilities from a whole output on to one side, in blocks that double, until a
        block has a tiny probability.
        """
        length = 16
        while length <= WIDEST:
            block = range(start, start + step * length, step)
            found = [self.row(points, (float(k),)) for k in block]
            yield from found
            if max(map(max, found)) * length <= TAIL:
                return
            start, length = block[-1] + step, 2 * length
        raise ValueError("a tail is long")

    def row(self, points: list[Point], outcome: Outcome) -> Row:
        """The probabilities of one outcome."""
        keys = [o.name for o in self.claim.mechanism.outputs]
        for point in points:
            point.update(zip(keys, outcome, strict=True))
        return tuple(prod(number_at(f.value, point) for f in self.factors) for point in points)


def number_at(value: FloatFunction, point: Point) -> float:
    """The value of a function at a point; ValueError where it has none."""
    found = float(value(point))
    if math.isnan(found):
        raise ValueError("no value")
    return found


def log_ratio(p: float, q: float) -> float:
    """log(p / q); nan where both are 0."""
    if not (p >= 0 and q >= 0):
        raise ValueError("a probability is negative or has no value")
    if p == 0 or q == 0:
        return math.nan if p == q else math.inf if q == 0 else -math.inf
    return math.log(p) - math.log(q)


def kinks_in(law: Expression, output: Output, moving: frozenset[str]) -> tuple[FloatFunction, ...]:
    """Functions that are 0 where the law may change its form as the output moves."""
    found: dict[Expression, None] = {}
    for node in walk(law):
        if output.name not in names(node):
            continue
        if node.head in ("abs", "sign", "floor") or is_plain_power(node, output):
            found[node.args[0]] = None
        elif node.head in ORDERED:
            first, *others = node.args
            found |= {add(first, negative(other)): None for other in others}
    return tuple(float_function(kink, moving) for kink in found)


def is_power(node: Expression, output: Output) -> bool:
    """Whether an expression is a power, other than the first, of what mentions the output."""
    return node.head == "^" and output.name in names(node.args[0])


def is_plain_power(node: Expression, output: Output) -> bool:
    """Whether an expression is a power of sums and products with the output in them."""
    return is_power(node, output) and _is_plain(node.args[0])


def _is_plain(e: Expression) -> bool:
    return e.head in (*LEAVES, *AGGREGATES) or (
        e.head in ("+", "*") and all(map(_is_plain, e.args))
    )


def has_power(law: Expression, output: Output) -> bool:
    """Whether a law contains a power of what mentions the output."""
    return any(is_power(node, output) for node in walk(law))


def breakpoints(
    output: Output, kinks: tuple[FloatFunction, ...], points: list[Point]
) -> tuple[float, ...]:
    """0 and where a kink is 0, in ascending order; a kink is taken to be linear in the output."""
    found: set[float] = {0.0}
    for point, kink in itertools.product(points, kinks):
        point[output.name] = 1.0
        high = kink(point)
        point[output.name] = 0.0
        low = kink(point)
        if high != low:
            found.add(-low / (high - low))
    return tuple(sorted(found))


def trial_values(
    output: Output, ends: tuple[float, ...], outwards: tuple[float, ...] = FAR
) -> tuple[float, ...]:
    """Outputs on both sides of each breakpoint, between any two, and in both tails."""
    listed = [(a + b) / 2 for a, b in itertools.pairwise(ends)]
    listed += [ends[-1] + far for far in outwards] + [ends[0] - far for far in outwards]
    if output.kind == "integer":
        steps = (-1, 0, 1)
        return tuple(
            dict.fromkeys(float(math.floor(x) + step) for x in (*ends, *listed) for step in steps)
        )
    near = [x + side * NEAR * (1 + abs(x)) for x in ends for side in (-1, 1)]
    return tuple(dict.fromkeys((*near, *listed)))
