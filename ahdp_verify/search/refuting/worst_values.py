"""Pairs of values of one person at which a claim may fail: where the loss exceeds the level most,
in floats.

The value of one person may be any of an interval or a box, and the worst two may lie inside. A grid
is tried, the best pairs of it are improved one part at a time by steps that are halved, and the
simplest fractions close to what was found are proposed.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from operator import and_

from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.declarations import NamedConditions
from ahdp_verify.kernel.model.domain import neighbour_name
from ahdp_verify.kernel.model.real_values import RealValues
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    Expression,
    conjuncts,
    names,
    number,
    substitute,
)
from ahdp_verify.search.floating_point import FloatFunction, float_function, float_value
from ahdp_verify.search.intervals import interval_of
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.refuting.float_laws import NOT_SEEN, Point
from ahdp_verify.search.refuting.float_screen import SLACK, FloatScreen

VALUES = {1: 17, 2: 5}  # values of each part on the grid; of more parts 3
SPOTS = 25  # values between which all pairs are tried
WIDE = 4  # how far the grid reaches where a part has no end
BEST = 3  # pairs of the grid that are improved
SWEEPS = 8  # moves of all parts by one step: where values have no ends, so may the loss
STEPS = 24  # halvings: the last step is below a millionth of the first
DENOMINATORS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 50, 100, 1000, 10**6)
Spot = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class ValueSearch:
    """Values of one claim at given parameters, and by how much the loss exceeds the level there."""

    screen: FloatScreen
    base: Counterexample
    keys: tuple[str, ...]
    allowed: tuple[FloatFunction, ...]
    level: FloatFunction
    given: Point

    @staticmethod
    def of(claim: Claim, base: Counterexample, conditions: tuple[Expression, ...]) -> ValueSearch:
        """The search at the parameters of an example."""
        return ValueSearch(
            FloatScreen.of(claim),
            base,
            claim.mechanism.inputs.bound,
            tuple(map(float_function, conditions)),
            float_function(claim.level),
            {key: float_value(value) for key, value in base.parameters},
        )

    def is_allowed(self, spot: Spot) -> bool:
        """Whether the conditions hold, as far as floats show."""
        point = self.given | dict(zip(self.keys, map(float, spot), strict=True))
        try:
            return all(holds(point) for holds in self.allowed)
        except NOT_SEEN:
            return False

    def example(self, first: Spot, second: Spot) -> Counterexample:
        """Two values as a counterexample without an event."""
        return replace(
            self.base, first=tuple(map(number, first)), second=tuple(map(number, second))
        )

    def excess(self, first: Spot, second: Spot) -> float:
        """The loss minus the level; -inf where nothing is seen."""
        if first == second:
            return -math.inf
        point = self.given | dict(zip(self.keys, map(float, first), strict=True))
        point |= dict(zip(map(neighbour_name, self.keys), map(float, second), strict=True))
        loss, _ = self.screen.largest_losses(self.example(first, second))
        try:
            found = -math.inf if loss is None else loss - float(self.level(point))
        except NOT_SEEN:
            return -math.inf
        return -math.inf if math.isnan(found) else found

    def improved(self, pair: Spot, step: Fraction, clock: Clock) -> Spot:
        """Both values, one after the other, moved part by part to where the excess is larger."""
        n = len(self.keys)
        best = self.excess(pair[:n], pair[n:])
        for _ in range(STEPS):
            clock.check("looking for the worst values")
            for _ in range(SWEEPS):
                before = pair
                for i, d in itertools.product(range(2 * n), (step, -step)):
                    other = (*pair[:i], pair[i] + d, *pair[i + 1 :])
                    if not self.is_allowed(other[:n]) or not self.is_allowed(other[n:]):
                        continue
                    found = self.excess(other[:n], other[n:])
                    if found > best + abs(best) * SLACK:
                        best, pair = found, other
                if pair == before:
                    break
            step /= 2
        return pair

    def simplest(self, pair: Spot, share: float) -> Spot | None:
        """Simple fractions near a pair at which a share of the excess is left; None if it has
        none.
        """
        n = len(self.keys)
        wanted = self.excess(pair[:n], pair[n:]) * share
        if wanted <= SLACK:
            return None
        for most in DENOMINATORS:
            near = tuple(part.limit_denominator(most) for part in pair)
            inside = self.is_allowed(near[:n]) and self.is_allowed(near[n:])
            if inside and self.excess(near[:n], near[n:]) >= wanted:
                return near
        return pair


def worst_value_pairs(
    claim: Claim,
    base: Counterexample,
    given: Mapping[str, Expression],
    clock: Clock,
    *,
    share: float = 0.5,
) -> Iterator[Counterexample]:
    """Pairs of values at which floats see the loss exceed the level, the simplest near the worst at
    which a share of that excess is left.
    """
    inputs = claim.mechanism.inputs
    if not isinstance(inputs, RealValues):
        return
    conditions = (*(c for _, c in inputs.conditions), claim.mechanism.defined)
    search = ValueSearch.of(claim, base, conditions)
    grid = dict.fromkeys(grid_of_values(inputs, given))
    spots = [s for s in grid if search.is_allowed(s)][:SPOTS]
    pairs = []
    for first, second in itertools.permutations(spots, 2):
        clock.count(1, "looking for the worst values")
        pairs.append((search.excess(first, second), (*first, *second)))
    pairs.sort(key=lambda pair: -pair[0])
    for seen, pair in pairs[:BEST]:
        if seen > -math.inf:
            found = search.simplest(search.improved(pair, Fraction(1, 8), clock), share)
            if found is not None:
                n = len(search.keys)
                yield search.example(found[:n], found[n:])


def grid_of_values(inputs: RealValues, given: Mapping[str, Expression]) -> Iterator[Spot]:
    """All combinations of evenly spaced values of the parts."""
    count = VALUES.get(len(inputs.conditions), 3)
    listed = []
    for key, condition in conditions_of_parts(inputs.conditions, joint=False):
        low, high = ends_of_part(key, substitute(condition, given))
        listed.append([low + (high - low) * Fraction(i, count - 1) for i in range(count)])
    yield from itertools.product(*listed)
    if len(listed) > 1:  # a joint condition may leave a small part of what was tried
        yield from itertools.product([Fraction(i, 2) for i in range(-2, 3)], repeat=len(listed))


def conditions_of_parts(conditions: NamedConditions, *, joint: bool = True) -> NamedConditions:
    """The same conditions, each of their parts with the last of the names that it mentions, or
    those parts only that mention a single name.
    """
    keys = [key for key, _ in conditions]
    table: dict[str, list[Expression]] = {key: [] for key in keys}
    for part in dict.fromkeys(p for _, c in conditions for p in conjuncts(c)):
        spoken = [key for key in keys if key in names(part)]
        if part != TRUE and (joint or len(spoken) == 1):
            table[(spoken or keys)[-1]].append(part)
    return tuple((k, reduce(and_, parts) if parts else TRUE) for k, parts in table.items())


def ends_of_part(key: str, condition: Expression) -> tuple[Fraction, Fraction]:
    """The ends of what a condition leaves a part, or a few units beyond where it has none."""
    where = interval_of(condition, key)
    low, high = (None, None) if where is None else (where.low, where.high)
    if low is not None:
        first = Fraction(float_value(low))
        return first, first + 2 * WIDE if high is None else Fraction(float_value(high))
    if high is not None:
        return Fraction(float_value(high)) - 2 * WIDE, Fraction(float_value(high))
    return Fraction(-WIDE), Fraction(WIDE)
