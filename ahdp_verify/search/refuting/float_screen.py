"""Where floats see nothing wrong: pairs of inputs at which exact distributions need not be computed
before a proof is tried.

Most claims are true, and exact events take far longer than a proof. So the loss of each small pair
is computed in floats, at outputs on both sides of every breakpoint: a pair whose loss exceeds the
level there, or has no value there, is worked out exactly at once, every other one only when no
proof was found. Nothing is concluded from a float.
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
from ahdp_verify.kernel.terms.expression import Expression, add, names, negative, walk
from ahdp_verify.search.floating_point import (
    WITHOUT_VALUE,
    FloatFunction,
    float_function,
    float_value,
)

SLACK = 1e-9  # what rounding may add to a loss or to a total
NEAR = 1e-6  # distance from a breakpoint at which its two sides are looked at
FAR = (40.0, 400.0)  # distances at which a tail is looked at
GRID, LISTED = 100, 1000  # combinations that are all tried, in general and where all are listed
ORDERED = ("==", "!=", "<", "<=", "min", "max")  # heads that change where two parts are equal
NOT_SEEN = (*WITHOUT_VALUE, Rejected, Undecided, Unsupported, BadInput, RecursionError)
Point = dict[object, Any]
Outcome = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class FloatFactor:
    """A factor of a law with the outputs that it mentions, and for each of them what is 0 at its
    breakpoints.
    """

    outputs: tuple[Output, ...]
    value: FloatFunction
    kinks: tuple[tuple[FloatFunction, ...], ...]

    @staticmethod
    def of(outputs: tuple[Output, ...], law: Expression) -> FloatFactor:
        """The factor of an expression."""
        return FloatFactor(
            outputs, float_function(law), tuple(kinks_in(law, output) for output in outputs)
        )

    def grid(self, points: list[Point]) -> Iterator[Outcome]:
        """The outputs at which two laws are compared, or at which one is looked at: all combinations
        of a few, else one output after the other beside the middle values of the others.
        """
        listed = [
            tuple(map(float_value, o.values))
            if o.kind == "finite"
            else trial_values(o, zeros, points)
            for o, zeros in zip(self.outputs, self.kinks, strict=True)
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
        return float(self.value(point))

    def total(self, point: Point) -> float | None:
        """The sum over all outcomes where these are listed, else None; ValueError where it is
        negative at one.
        """
        grid = list(self.grid([point]))
        values = [self.at(point, outcome) for outcome in grid]
        if min(values) < 0:
            raise ValueError("a probability is negative")
        listed = all(o.kind == "finite" for o in self.outputs)
        whole = listed and len(grid) == prod(len(o.values) for o in self.outputs)
        return math.fsum(values) if whole else None

    def losses(self, points: list[Point]) -> list[float]:
        """The logarithms of the ratio of two laws at the outcomes where one is positive."""
        seen = (
            log_ratio(*(self.at(point, outcome) for point in points))
            for outcome in self.grid(points)
        )
        return [loss for loss in seen if not math.isnan(loss)]


@dataclass(slots=True)
class FloatScreen:
    """The laws of one claim in floats: a product of factors, and atoms."""

    claim: Claim
    factors: tuple[FloatFactor, ...]
    atoms: tuple[FloatFunction, ...]
    weights: dict[tuple[Expression, Instance, object], float] = field(default_factory=dict)
    losses: dict[object, float | None] = field(default_factory=dict)

    @staticmethod
    def of(claim: Claim) -> FloatScreen:
        """The screen of a claim."""
        m = claim.mechanism
        listed = [o.name for o in m.outputs]
        prefactor, groups = factors_by_output(m.density, tuple(listed))
        factors = [((), prefactor), *(((o,), g) for o, g in zip(m.outputs, groups, strict=True))]
        if any(len(names(law).intersection(listed)) > 1 for law in groups):
            factors = [(m.outputs, m.density)]
        return FloatScreen(
            claim,
            tuple(FloatFactor.of(outputs, law) for outputs, law in factors),
            tuple(float_function(mass) for _, mass in m.atoms),
        )

    def sees_no_fault(self, example: Counterexample) -> bool:
        """Whether the law at the first input is, as far as floats show, nowhere negative, and has
        total 1 where all outputs are listed.
        """
        try:
            point = self.point_at(example, example.first)
            totals = [factor.total(point) for factor in self.factors]
            if any(mass(point) < 0 for mass in self.atoms):
                return False
        except NOT_SEEN:
            return False
        known = [total for total in totals if total is not None]
        return len(known) < len(totals) or abs(math.prod(known) - 1) <= SLACK

    def sees_no_violation(self, example: Counterexample, level: Expression) -> bool:
        """Whether the loss from the first input to the second is, as far as floats show, at most
        the level at every output; False where they show too little.
        """
        if self.claim.delta.head != "number" or self.claim.delta.args[0]:
            return False
        pair = (example.parameters, example.instances, example.first, example.second)
        back = (example.parameters, example.instances, example.second, example.first)
        if pair not in self.losses:
            self.losses[pair], self.losses[back] = self.largest_losses(example)
        loss = self.losses[pair]
        bound = float_value(level) * (1 + SLACK) + SLACK
        return loss is not None and bool(loss <= bound)

    def largest_losses(self, example: Counterexample) -> tuple[float | None, float | None]:
        """The largest loss seen from the first input to the second, and back; None where nothing
        is seen.
        """
        try:
            points = [self.point_at(example, side) for side in (example.first, example.second)]
            listed = [factor.losses(points) for factor in self.factors]
            seen = [log_ratio(mass(points[0]), mass(points[1])) for mass in self.atoms]
        except NOT_SEEN:
            return None, None
        if all(listed):
            seen += [sum(map(max, listed)), sum(map(min, listed))]
        known = [loss for loss in seen if not math.isnan(loss)]
        return (max(known), -min(known)) if known else (None, None)

    def point_at(self, example: Counterexample, side: tuple[Expression, ...]) -> Point:
        """The values of parameters, answers, parts of a value and record aggregates at one side."""
        inputs = self.claim.mechanism.inputs
        point: Point = {o.name: 0.0 for o in self.claim.mechanism.outputs}
        point |= {key: float_value(value) for key, value in example.parameters}
        if isinstance(inputs, Values):
            given = side if len(side) > 1 else side[0]
            return point | {k: float_value(v) for k, v in inputs.bindings(given).items()}
        if not isinstance(inputs, Domain):
            return point | {f"q[{i + 1}]": float_value(q) for i, q in enumerate(side)}
        held = present_records(self.claim, example, side)
        for node in dataset_nodes(self.claim.mechanism):
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


def log_ratio(p: float, q: float) -> float:
    """log(p / q); nan where both are 0."""
    if p < 0 or q < 0:
        raise ValueError("a probability is negative")
    if p == 0 or q == 0:
        return math.nan if p == q else math.inf if q == 0 else -math.inf
    return math.log(p) - math.log(q)


def kinks_in(law: Expression, output: Output) -> tuple[FloatFunction, ...]:
    """Functions that are 0 where the law may change its form as the output moves."""
    found: dict[Expression, None] = {}
    for node in walk(law):
        if output.name not in names(node):
            continue
        if node.head in ("abs", "sign", "floor"):
            found[node.args[0]] = None
        elif node.head in ORDERED:
            first, *others = node.args
            found |= {add(first, negative(other)): None for other in others}
    return tuple(map(float_function, found))


def trial_values(
    output: Output, kinks: tuple[FloatFunction, ...], points: list[Point]
) -> tuple[float, ...]:
    """Outputs on both sides of each breakpoint, between any two, and in both tails; a function that
    is 0 at a breakpoint is taken to be linear in the output.
    """
    found: set[float] = {0.0}
    for point, kink in itertools.product(points, kinks):
        low, high = (kink({**point, output.name: value}) for value in (0.0, 1.0))
        if high != low:
            found.add(-low / (high - low))
    ends = sorted(found)
    listed = [(a + b) / 2 for a, b in itertools.pairwise(ends)]
    listed += [ends[-1] + far for far in FAR] + [ends[0] - far for far in FAR]
    if output.kind == "integer":
        steps = (-1, 0, 1)
        return tuple(
            dict.fromkeys(float(math.floor(x) + step) for x in (*ends, *listed) for step in steps)
        )
    near = [x + side * NEAR * (1 + abs(x)) for x in ends for side in (-1, 1)]
    return tuple(dict.fromkeys((*near, *listed)))
