"""Points at which all facts hold, in floating point: what is negative at one of them is not worth a proof.

They only steer a search.  Nothing is concluded from them, and a search without points is the same search, slower.

>>> from ahdp_verify.context import assume, normal
>>> from ahdp_verify.grammar import parse
>>> here = assume(parse("0 <= a <= 1"), Context.empty())
>>> points = Samples.of(here, frozenset(("a",)))
>>> [points.may_hold(normal(parse(text), here).num) for text in ("a - a^2", "a - 1/2", "exp(a) - 1")]
[True, False, True]
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from ahdp_verify import algebra
from ahdp_verify.algebra import Atom, Monomial, Polynomial, Ratio
from ahdp_verify.context import Context, Fact

POINTS = 24
TRIES = 1500
CORNERS = (0.0, 0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 3.0)
SLACK = 1e-9  # relative to the sum of the sizes of the terms
Point = dict[str, float]


@dataclass(slots=True)
class Samples:
    """Points with the values of atoms at each of them."""

    points: tuple[Point, ...]
    known: dict[Atom, tuple[float, ...]] = field(default_factory=dict)

    @staticmethod
    def of(here: Context, names: frozenset[str]) -> Samples:
        """Up to 24 points that satisfy the facts about these names and the names that facts tie to them."""
        facts = tied(here.facts, names)
        every = sorted(names.union(*(algebra.polynomial_names(f.polynomial) for f in facts)))
        source, found = random.Random(0), []
        for _ in range(TRIES):
            point = {n: float(round(v)) if n in here.integers else v for n in every for v in (drawn(source),)}
            if all(satisfied(f, point) for f in facts):
                found.append(point)
                if len(found) == POINTS:
                    break
        return Samples(tuple(found))

    def may_hold(self, p: Polynomial) -> bool:
        """False if p < 0 at one of the points."""
        try:
            return all(total >= -SLACK * size for total, size in self._values(p))
        except (OverflowError, ValueError, ZeroDivisionError, KeyError):
            return True

    def _values(self, p: Polynomial) -> Iterator[tuple[float, float]]:
        columns = [(float(c), [(self._column(a), float(e)) for a, e in m]) for m, c in p.terms.items()]
        for i in range(len(self.points)):
            total = size = 0.0
            for c, factors in columns:
                for column, e in factors:
                    c *= column[i] ** e
                total, size = total + c, size + abs(c)
            yield total, size

    def _column(self, a: Atom) -> tuple[float, ...]:
        if a not in self.known:
            self.known[a] = tuple(atom_value(a, point) for point in self.points)
        return self.known[a]


def drawn(source: random.Random) -> float:
    """A number that is often 0, 1 or another corner."""
    return source.choice(CORNERS) if source.random() < 0.6 else source.gauss(0, 1.5)


def tied(facts: tuple[Fact, ...], names: frozenset[str]) -> list[Fact]:
    """The facts about these names, and about names that such facts speak of."""
    chosen: list[Fact] = []
    rest = list(facts)
    while new := [f for f in rest if algebra.polynomial_names(f.polynomial) & names]:
        chosen += new
        rest = [f for f in rest if f not in new]
        names = names.union(*(algebra.polynomial_names(f.polynomial) for f in new))
    return chosen


def satisfied(fact: Fact, point: Point) -> bool:
    """Whether a fact holds at a point, as far as floating point tells."""
    try:
        value = polynomial_value(fact.polynomial, point)
    except (OverflowError, ValueError, ZeroDivisionError):
        return False
    return abs(value) < SLACK if fact.relation == "=" else value > 0 if fact.relation == ">" else value >= 0


def polynomial_value(p: Polynomial, point: Point) -> float:
    """About the value of p at a point."""
    return math.fsum(float(c) * monomial_value(m, point) for m, c in p.terms.items())


def monomial_value(m: Monomial, point: Point) -> float:
    """About the value of a monomial at a point."""
    return math.prod(atom_value(a, point) ** float(e) for a, e in m)


def ratio_value(r: Ratio, point: Point) -> float:
    """About the value of a ratio at a point."""
    return polynomial_value(r.num, point) / math.prod(polynomial_value(f, point) ** k for f, k in r.den)


def atom_value(a: Atom, point: Point) -> float:
    """About the value of an atom at a point; KeyError for a name without a value or a function that is not known here."""
    if a.kind == "name":
        return point[a.payload]
    if a.kind == "prime":
        return float(a.payload)
    if a.kind == "exp":
        m, den = a.payload
        return math.exp(ratio_value(Ratio(algebra.of_monomial(m), den), point))
    if a.kind == "log":
        return math.log(ratio_value(a.payload, point))
    if a.kind == "pi":
        return math.pi
    function = {"abs": abs, "floor": math.floor}[a.kind]
    return float(function(ratio_value(a.payload[0], point)))
