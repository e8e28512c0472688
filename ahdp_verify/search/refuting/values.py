"""Values of the unknowns at which a statement fails, simple ones first.

An unknown takes simple values, a few logarithms and roots, and the ends that its condition names;
then random numbers, and from the best of these a descent on the gap. All of this is in floating
point: the checker confirms a failure exactly.  A gap that rounding could have made is tried last,
and only at a few points: there the checker finds a failure of any size, or that there is none.

>>> from ahdp_verify.search.limits import Limits
>>> clock = Limits().clock()
>>> def first(parameters: dict[str, object], left: str, relation: str, right: str) -> str:
...     statement = Inequality.of(parameters, left, relation, right)
...     values = next(failing_values(statement, clock, candidate_points(statement)))
...     return ", ".join(f"{key} = {value}" for key, value in values)
>>> first({"a": "a >= 0"}, "a^2", "<=", "a"), first({"a": ""}, "(exp(a) - 2)^2", ">", "0"), first({"a": "a > 0", "b": "b == 3*a + 1/7"}, "b", "<=", "3*a")
('a = 2', 'a = log(2)', 'a = 1, b = 22/7')
>>> first({"a": "a >= 0"}, "a^2 + 10^-12", ">=", "2*10^-12")
'a = 0'
>>> first({"a": "", "b": "b > 0"}, "b*(a - 77/10)^2 + b", ">=", "1/100 + b*(a - 77/10)^4*1000")
'a = 0, b = 1'
"""

from __future__ import annotations

import heapq
import itertools
import math
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.model.inequality import Inequality, UnknownValues
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression, truth
from ahdp_verify.kernel.terms.expression import (
    Expression,
    conjuncts,
    log,
    names,
    number,
    sqrt,
    substitute,
)
from ahdp_verify.search.floating_point import WITHOUT_VALUE, float_function
from ahdp_verify.search.limits import Clock

SIMPLE = tuple(
    Fraction(v)
    for v in (
        "0",
        "1",
        "2",
        "1/2",
        "-1",
        "3",
        "1/3",
        "4",
        "1/4",
        "3/10",
        "-1/2",
        "-2",
        "1/10",
        "10",
        "9/10",
        "3/2",
        "2/3",
        "3/4",
        "1/100",
        "99/100",
        "100",
    )
)
OTHERS = (log(2), sqrt(2), log(3))
AFTER = 3, 7  # simple values before the ends of a condition, and before the logarithms and roots
GRID = 6_000  # combinations of these that are tried
DRAWN = 1_000  # random points tried after them
STARTS, ROUNDS = 6, 120  # points from which the descent on the gap starts, and steps from each
ROUNDED = (
    1,
    2,
    5,
    10,
    20,
    100,
    1000,
    10**6,
)  # denominators to which the end of a descent is rounded
SLACK = 1e-9  # size, relative to the sides, from which a gap counts as negative
TOUCHING = 1e-15  # gaps up to this may be 0, or below, which the checker decides
NEAR = 8  # points tried where the gap is at most TOUCHING and not below -SLACK
PLACES = 400  # points at which the search asks whether a side has no value
Point = dict[str, float]
PointValues = tuple[
    Expression, ...
]  # a value for each unknown; an end of a condition is an expression in unknowns before


def candidate_points(statement: Inequality) -> Iterator[PointValues]:
    """Points at which a statement is tried, in this order."""
    return itertools.chain(
        simple_points(statement), random_points(statement), descent_points(statement)
    )


def failing_values(
    statement: Inequality, clock: Clock, points: Iterable[PointValues]
) -> Iterator[UnknownValues]:
    """Values of the unknowns at which the statement seems to fail, among some points; without
    unknowns there is one place, which needs no floating-point test.
    """
    if not statement.parameters:
        yield ()
        return
    near: list[tuple[float, int, PointValues]] = []
    for place, choice in enumerate(points):
        clock.check("looking for values at which the statement fails")
        point = float_values(statement, choice)
        gap = None if point is None else gap_at(statement, point)
        if gap is None or gap > TOUCHING:
            continue
        if gap < -SLACK or statement.strict:
            yield exact_values(statement, choice)
        else:
            near = heapq.nsmallest(NEAR, [*near, (gap, place, choice)])
    yield from (exact_values(statement, choice) for _, _, choice in near)


def undefined_values(statement: Inequality, clock: Clock) -> UnknownValues | None:
    """Values that satisfy all conditions and at which a side of the statement has no value."""
    for choice in itertools.islice(simple_points(statement), PLACES):
        clock.check("looking for values at which a side has no value")
        point = float_values(statement, choice)
        if (
            point is not None
            and gap_at(statement, point) is None
            and is_undefined(statement, values := exact_values(statement, choice))
        ):
            return values
    return None


def is_undefined(statement: Inequality, values: UnknownValues) -> bool:
    """Whether the conditions hold and a side divides by 0 there, or takes the logarithm or a
    root of what has none.
    """
    given, empty = dict(values), Context.empty()
    try:
        if not all(truth(substitute(c, given), empty) for _, c in statement.parameters):
            return False
    except (Undecided, Unsupported, ZeroDivisionError):
        return False
    try:
        for side in (statement.left, statement.right):
            normal(substitute(side, given), empty)
    except (Unsupported, ZeroDivisionError):
        return True
    except Undecided:
        return False
    return False


@dataclass(frozen=True, slots=True)
class UnknownEnds:
    """What an unknown equals, is at least and is at most by its condition, in terms of earlier
    unknowns.
    """

    equal: PointValues
    lower: PointValues
    upper: PointValues

    @staticmethod
    def of(key: str, condition: Expression, before: frozenset[str]) -> UnknownEnds:
        """The ends of an unknown that its condition names."""
        listed: dict[str, list[Expression]] = {"==": [], "lower": [], "upper": []}
        for part in conjuncts(condition):
            for i in (0, 1) if part.head in ("==", "<", "<=") else ():
                side, other = part.args[i], part.args[1 - i]
                if side.head == "name" and side.args[0] == key and names(other) <= before:
                    listed["==" if part.head == "==" else ("upper", "lower")[i]].append(other)
        return UnknownEnds(*map(tuple, listed.values()))

    @property
    def compared(self) -> PointValues:
        """The ends that are not numbers."""
        return tuple(e for e in (*self.lower, *self.upper) if e.head != "number")

    def drawn(self, source: random.Random) -> Expression:
        """A value between the ends, at a simple ratio or at a distance with a small denominator."""
        distance = Fraction(source.randint(0, 60), source.choice((1, 2, 5, 10, 20, 100)))
        if self.equal:
            return self.equal[0]
        if self.lower and self.upper:
            part = Fraction(source.randint(0, 20), 20)
            return source.choice(self.lower) * number(1 - part) + source.choice(
                self.upper
            ) * number(part)
        if self.lower or self.upper:
            return (
                source.choice(self.lower) + number(distance)
                if self.lower
                else source.choice(self.upper) - number(distance)
            )
        return number(distance * source.choice((-1, 1, 1)))


def ends_of_unknowns(statement: Inequality) -> dict[str, UnknownEnds]:
    """The ends of every unknown."""
    keys = [key for key, _ in statement.parameters]
    return {
        key: UnknownEnds.of(key, condition, frozenset(keys[:i]))
        for i, (key, condition) in enumerate(statement.parameters)
    }


def simple_points(statement: Inequality) -> Iterator[PointValues]:
    """Combinations of simple values, ends, logarithms and roots, those with simple values first."""
    simple, (first, second) = tuple(map(number, SIMPLE)), AFTER
    options = []
    for of in ends_of_unknowns(statement).values():
        options.append(
            of.equal[:1]
            or (*simple[:first], *of.compared, *simple[first:second], *OTHERS, *simple[second:])
        )
    most = max(2, int(GRID ** (1 / max(1, sum(len(o) > 1 for o in options)))))
    ranks = sorted(itertools.product(*(range(min(len(o), most)) for o in options)), key=sum)
    yield from (tuple(o[i] for o, i in zip(options, row, strict=True)) for row in ranks)


def random_points(statement: Inequality) -> Iterator[PointValues]:
    """Points between the ends of conditions, or anywhere."""
    source, ends = random.Random(0), ends_of_unknowns(statement)
    for _ in range(DRAWN if ends else 0):
        yield tuple(of.drawn(source) for of in ends.values())


def descent_points(statement: Inequality) -> Iterator[PointValues]:
    """Rounded end points of descents on the gap, from points where it is small."""
    ends = ends_of_unknowns(statement)
    heights: list[tuple[float, list[float]]] = []
    for choice in itertools.chain(
        itertools.islice(simple_points(statement), DRAWN),
        itertools.islice(random_points(statement), DRAWN // 4),
    ):
        point = float_values(statement, choice)
        gap = None if point is None else gap_at(statement, point)
        if point is not None and gap is not None:
            heights.append((gap, list(point.values())))
    for _, start in sorted(heights)[:STARTS]:
        place = descend_gap(statement, ends, start)
        for most in ROUNDED:
            yield values_from_numbers(ends, [Fraction(v).limit_denominator(most) for v in place])


def values_from_numbers(
    ends: dict[str, UnknownEnds], place: Sequence[float | Fraction]
) -> PointValues:
    """The numbers as values of the unknowns, but for those that equal something."""
    return tuple(
        of.equal[0] if of.equal else number(Fraction(v))
        for of, v in zip(ends.values(), place, strict=True)
    )


def descend_gap(
    statement: Inequality, ends: dict[str, UnknownEnds], start: Sequence[float]
) -> list[float]:
    """The end of a coordinate descent on the gap with shrinking steps."""

    def height(place: Sequence[float]) -> float:
        point = float_values(statement, values_from_numbers(ends, place))
        gap = None if point is None else gap_at(statement, point)
        return math.inf if gap is None else gap

    place, stride = list(start), [0.5 + abs(v) / 4 for v in start]
    free = [i for i, of in enumerate(ends.values()) if not of.equal]
    best = height(place)
    for _, i in itertools.product(range(ROUNDS // max(1, len(free))), free):
        for step in (stride[i], -stride[i]):
            moved = [*place[:i], place[i] + step, *place[i + 1 :]]
            if (there := height(moved)) < best:
                place, best, stride[i] = moved, there, stride[i] * 2
                break
        else:
            stride[i] /= 3
    return place


def exact_values(statement: Inequality, choice: PointValues) -> UnknownValues:
    """The values of all unknowns, each a constant, ends computed."""
    known: dict[str, Expression] = {}
    for (key, _), value_ in zip(statement.parameters, choice, strict=True):
        found = substitute(value_, known)
        try:
            r: Ratio | None = normal(found, Context.empty()) if names(value_) else None
        except (Undecided, Unsupported, ZeroDivisionError):
            r = None
        known[key] = found if r is None else to_expression(r)
    return tuple(known.items())


def float_values(statement: Inequality, choice: PointValues) -> Point | None:
    """Approximate values of the unknowns, if all conditions hold there."""
    point: Point = {}
    try:
        for (key, _), chosen in zip(statement.parameters, choice, strict=True):
            point[key] = float_function(chosen)(point)
        return (
            point
            if all(
                float_function(condition)(point) or nearly_holds(condition, point)
                for _, condition in statement.parameters
            )
            else None
        )
    except WITHOUT_VALUE:
        return None


def nearly_holds(condition: Expression, point: Point) -> bool:
    """Whether what a condition asks for holds but for rounding, where it asks for equality or
    has an end.
    """
    parts = (part for part in conjuncts(condition) if not float_function(part)(point))
    return all(
        part.head in ("==", "<=")
        and abs(float_function(part.args[0])(point) - float_function(part.args[1])(point))
        <= SLACK * (1 + abs(float_function(part.args[0])(point)))
        for part in parts
    )


def gap_at(statement: Inequality, point: Point) -> float | None:
    """The gap divided by the size of a side, minus its size for an equation; None where a side
    has no value.
    """
    try:
        left, right = (
            float_function(statement.left)(point),
            float_function(statement.right)(point),
        )
    except WITHOUT_VALUE:
        return None
    gap = right - left if statement.relation in ("<=", "<", "==") else left - right
    gap /= 1.0 + min(abs(left), abs(right))
    return None if math.isnan(gap) else -abs(gap) if statement.relation == "==" else gap
