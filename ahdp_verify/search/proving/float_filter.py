"""Points at which all facts hold, in floating point: a requirement that is negative at one of them
is not worth a proof attempt.

They only steer the search: nothing is concluded from them, and without points the search is merely
slower.

>>> from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> here = assume_condition(parse("0 <= a <= 1"), Context.empty())
>>> points = SamplePoints.of(here, frozenset(("a",)))
>>> [points.may_hold(normal(parse(text), here).num) for text in ("a - a^2", "a - 1/2", "exp(a) - 1")]
[True, False, True]
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Atom, Polynomial, Ratio
from ahdp_verify.kernel.numbers.hypotheses import Context, Fact

POINTS = 60
TRIES = 300
CORNERS = (0.0, 0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 0.1)
WIDTHS = (0.3, 2.0, 30.0)
SLACK = 1e-9  # tolerance, relative to the sum of the sizes of the terms
Point = dict[str, float]


@dataclass(slots=True)
class SamplePoints:
    """Points with the values of atoms at each of them."""

    points: tuple[Point, ...]
    known: dict[Atom, tuple[float, ...]] = field(default_factory=dict)

    @staticmethod
    def of(here: Context, names: frozenset[str]) -> SamplePoints:
        """Points that satisfy the facts about these names and the names that facts tie to them."""
        return _samples(tuple(related_facts(here.facts, names)), names, here.integers)

    def may_hold(self, p: Polynomial) -> bool:
        """False if p < 0 at one of the points."""
        try:
            return not any(total < -SLACK * size for total, size in self._values(p))
        except (OverflowError, ValueError, ZeroDivisionError, KeyError):
            return True

    def _values(self, p: Polynomial) -> Iterator[tuple[float, float]]:
        """At each point p and the sum of the sizes of its terms, both divided by the largest
        exponential among them.
        """
        rows = [
            (float(c), [(a.kind == "exp", self._column(a), float(e)) for a, e in m.powers])
            for m, c in p.terms.items()
        ]
        for i in range(len(self.points)):
            values = []
            for c, factors in rows:
                height = 0.0
                for is_exponent, column, e in factors:
                    if is_exponent:
                        height += e * column[i]
                    else:
                        c *= column[i] ** e
                values.append((c, height))
            top = max((height for _, height in values), default=0.0)
            terms = [c * math.exp(height - top) for c, height in values]
            yield math.fsum(terms), math.fsum(map(abs, terms))

    def _column(self, a: Atom) -> tuple[float, ...]:
        """The values of an atom; of an exponential those of its exponent, which cannot overflow."""
        if a not in self.known:
            m, den = a.payload if a.kind == "exp" else (algebra.Monomial(((a, 1),)), ())
            inside = Ratio(algebra.polynomial_of_monomial(m), den)
            self.known[a] = tuple(ratio_value(inside, point) for point in self.points)
        return self.known[a]


@lru_cache(maxsize=64)
def _samples(
    facts: tuple[Fact, ...], names: frozenset[str], integers: frozenset[str]
) -> SamplePoints:
    every = sorted(names.union(*(algebra.polynomial_names(f.polynomial) for f in facts)))
    source, found = random.Random(0), []
    rules = [
        [
            rule
            for f in facts
            if (rule := bound_of_name(f, n, frozenset(every[: i + 1]))) is not None
        ]
        for i, n in enumerate(every)
    ]
    for _ in range(TRIES):
        point: Point = {}
        for n, known in zip(every, rules, strict=True):
            value = allowed_number(known, point, source)
            point[n] = float(round(value)) if n in integers else value
        if all(is_satisfied_at(f, point) for f in facts):
            found.append(point)
            if len(found) == POINTS:
                break
    return SamplePoints(tuple(found))


@dataclass(frozen=True, slots=True)
class LinearBound:
    """A name is at least (1), at most (-1) or exactly (0) minus the rest by the slope."""

    side: int
    slope: float
    rest: Polynomial


def bound_of_name(fact: Fact, name: str, known: frozenset[str]) -> LinearBound | None:
    """What a fact linear in a name says of it once the other names are known; None for another
    fact.
    """
    if (
        name not in algebra.polynomial_names(fact.polynomial)
        or not algebra.polynomial_names(fact.polynomial) <= known
    ):
        return None
    line = algebra.linear_coefficients(fact.polynomial, name)
    slope = line[0].as_rational if line is not None else None
    if line is None or not slope:
        return None
    return LinearBound(0 if fact.relation == "=" else 1 if slope > 0 else -1, float(slope), line[1])


def allowed_number(rules: list[LinearBound], point: Point, source: random.Random) -> float:
    """A number that the rules allow (if there is one), often an end or a corner."""
    low, high = -math.inf, math.inf
    for rule in rules:
        try:
            end = -polynomial_value(rule.rest, point) / rule.slope
        except (OverflowError, ValueError, ZeroDivisionError, KeyError):
            continue
        low, high = (
            (max(low, end) if rule.side >= 0 else low),
            (min(high, end) if rule.side <= 0 else high),
        )
    value = draw_number(source)
    if low <= value <= high and source.random() < 0.7:
        return value
    if math.isinf(low) and math.isinf(high):
        return value
    if math.isinf(low) or math.isinf(high):
        return high - abs(value) if math.isinf(low) else low + abs(value)
    return source.choice((low, high, source.uniform(low, high)))


def draw_number(source: random.Random) -> float:
    """A number that is often 0, 1 or another corner."""
    return (
        source.choice(CORNERS) if source.random() < 0.5 else source.gauss(0, source.choice(WIDTHS))
    )


def related_facts(facts: tuple[Fact, ...], names: frozenset[str]) -> list[Fact]:
    """The facts about these names, and about names that such facts speak of."""
    chosen: list[Fact] = []
    rest = list(facts)
    while new := [f for f in rest if algebra.polynomial_names(f.polynomial) & names]:
        chosen += new
        rest = [f for f in rest if f not in new]
        names = names.union(*(algebra.polynomial_names(f.polynomial) for f in new))
    return chosen


def is_satisfied_at(fact: Fact, point: Point) -> bool:
    """Whether a fact holds at a point, as far as floating point shows."""
    try:
        value = polynomial_value(fact.polynomial, point)
    except (OverflowError, ValueError, ZeroDivisionError, KeyError):
        return False
    return (
        abs(value) < SLACK
        if fact.relation == "="
        else value > 0
        if fact.relation == ">"
        else value >= 0
    )


def polynomial_value(p: Polynomial, point: Point) -> float:
    """The approximate value of p at a point."""
    return math.fsum(
        c * math.prod([math.pow(atom_value(a, point), e) for a, e in factors])
        for c, factors in float_terms(p)
    )


@lru_cache(maxsize=4096)
def float_terms(p: Polynomial) -> tuple[tuple[float, tuple[tuple[Atom, float], ...]], ...]:
    """The coefficients of a polynomial, each with its atoms and their exponents, in floats."""
    return tuple((float(c), tuple((a, float(e)) for a, e in m.powers)) for m, c in p.terms.items())


def ratio_value(r: Ratio, point: Point) -> float:
    """The approximate value of a ratio at a point."""
    return polynomial_value(r.num, point) / math.prod(
        polynomial_value(f, point) ** k for f, k in r.den
    )


def atom_value(a: Atom, point: Point) -> float:
    """The approximate value of an atom at a point; KeyError for a name without a value or a
    function that is not known here.
    """
    if a.kind == "name":
        return point[a.payload]
    if a.kind == "prime":
        return float(a.payload)
    if a.kind == "exp":
        m, den = a.payload
        return math.exp(ratio_value(Ratio(algebra.polynomial_of_monomial(m), den), point))
    if a.kind == "log":
        return math.log(ratio_value(a.payload, point))
    if a.kind == "pi":
        return math.pi
    if a.kind not in ("abs", "floor"):
        raise KeyError(a.kind)
    inside = ratio_value(a.payload[0], point)
    return abs(inside) if a.kind == "abs" else float(math.floor(inside))
