"""Points at which all facts hold, in floating point: a requirement that is negative at one of them
is not worth a proof attempt.

They only steer the search: nothing is concluded from them, and without points the search is merely
slower. All points are computed at once, as columns of values: lists, since for some sixty points
NumPy gains less than its import takes. Where something has no value, the column has nan, which
satisfies no fact and speaks against nothing.

>>> from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> here = assume_condition(parse("0 <= a <= 1"), Context.empty())
>>> points = SamplePoints.of(here, frozenset(("a",)))
>>> [points.may_hold(normal(parse(text), here).num) for text in ("a - a^2", "a - 1/2", "exp(a) - 1")]
[True, False, True]
"""

from __future__ import annotations

import math
import operator
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import compress, repeat

from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Atom, Monomial, Polynomial, Ratio, Rational
from ahdp_verify.kernel.numbers.hypotheses import Context, Fact
from ahdp_verify.search.floating_point import theta3_float

POINTS = 60
BATCH, BATCHES = 100, 3  # points drawn at once, and how often at most
PLACES = 100  # names for which different numbers are drawn, some 15 kB for each batch of each
FEW = 10  # of them, which make nine of ten refusals
KEPT = 256  # powers whose columns are kept, some 2 kB each, and answers
STEEP = 150.0  # exponents up to which products of a few exponentials are far from overflow
CORNERS = (0.0, 0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 0.1)
WIDTHS = (0.3, 2.0, 30.0)
SLACK = 1e-9  # tolerance, relative to the sum of the sizes of the terms
WITHOUT_VALUE = (ArithmeticError, ValueError)
Column = list[float]
# a coefficient, the values of a monomial without its exponentials where one of them is large, and
# then their exponents
Term = tuple[float, Column, Column | None]


@dataclass(slots=True)
class SamplePoints:
    """Points as columns: the values of each name, and of the atoms and monomials seen so far, at
    all of them.
    """

    size: int
    names: Mapping[str, Column]
    atoms: dict[Atom, Column] = field(default_factory=dict)
    factors: dict[tuple[Atom, Rational], tuple[Column, Column | None]] = field(default_factory=dict)
    monomials: dict[Monomial, tuple[Column, Column | None]] = field(default_factory=dict)
    answers: dict[Polynomial, bool] = field(default_factory=dict)
    first: list[SamplePoints] = field(default_factory=list)  # a few of the points, once asked for

    @staticmethod
    def of(here: Context, names: frozenset[str]) -> SamplePoints:
        """Points that satisfy the facts about these names and the names that facts tie to them."""
        return _samples(tuple(related_facts(here.facts, names)), names, here.integers)

    def may_hold(self, p: Polynomial) -> bool:
        """False if p < 0 at one of the points."""
        if p not in self.answers:
            if len(self.answers) >= KEPT:
                self.answers.clear()
            self.answers[p] = self._may_hold(p)
        return self.answers[p]

    def may_fall_to(self, p: Polynomial, gap: Polynomial, rates: list[int]) -> bool:
        """False if p changes to more than p, or to less than 0, at one of the points when its terms
        are multiplied by exp(k * gap), k their rates.
        """
        if self.size > FEW and not self.few().may_fall_to(p, gap, rates):
            return False
        column, terms = self.polynomial(gap), self._terms(p)
        factors = {k: exponential_factor([k * x for x in column]) for k in set(rates)}
        there = [
            (c, times(values, factors[k][0]), sum_of_exponents(heights, factors[k][1]))
            for (c, values, heights), k in zip(terms, rates, strict=True)
        ]
        return self._sum_may_hold(there) and self._sum_may_hold(
            [*terms, *((-c, values, heights) for c, values, heights in there)]
        )

    def few(self) -> SamplePoints:
        """The first points, which refuse most of what any of them refuses."""
        if not self.first:
            names = {name: column[:FEW] for name, column in self.names.items()}
            self.first.append(SamplePoints(FEW, names))
        return self.first[0]

    def _may_hold(self, p: Polynomial) -> bool:
        return self._sum_may_hold(self._terms(p))

    def _sum_may_hold(self, terms: list[Term]) -> bool:
        totals, tops = self._scaled(terms)
        return not any(
            total < -SLACK * term_sizes(terms, tops, i)
            for i, total in enumerate(totals)
            if total < 0
        )

    def may_vanish(self, p: Polynomial) -> bool:
        """False if p is not 0 at one of the points."""
        terms = self._terms(p)
        totals, tops = self._scaled(terms)
        return not any(
            abs(total) > SLACK * term_sizes(terms, tops, i) for i, total in enumerate(totals)
        )

    def at(self, name: str, place: Ratio) -> SamplePoints:
        """The points moved to where a name has another value."""
        return SamplePoints(self.size, {**self.names, name: self.ratio(place)})

    def satisfying(self, fact: Fact) -> list[bool]:
        """Whether a fact holds at each point, as far as floating point shows."""
        totals, _ = self._scaled(self._terms(fact.polynomial))
        if fact.relation == "=":
            return [abs(total) < SLACK for total in totals]
        return [total > 0 for total in totals] if fact.relation == ">" else [t >= 0 for t in totals]

    def kept(self, mask: list[bool]) -> SamplePoints:
        """The points that the mask selects."""
        if all(mask):
            return self
        names = {name: list(compress(column, mask)) for name, column in self.names.items()}
        return SamplePoints(sum(mask), names)

    def polynomial(self, p: Polynomial) -> Column:
        """The approximate values of p."""
        totals, tops = self._scaled(self._terms(p))
        return totals if tops is None else times(totals, exponentials(tops))

    def noise(self, p: Polynomial) -> Column:
        """How far its approximate values may be from the true ones, where its terms cancel."""
        terms = self._terms(p)
        _, tops = self._scaled(terms)
        sizes = [SLACK * term_sizes(terms, tops, i) for i in range(self.size)]
        return sizes if tops is None else times(sizes, exponentials(tops))

    def ratio(self, r: Ratio) -> Column:
        """The approximate values of a ratio."""
        column = self.polynomial(r.num)
        for f, k in r.den:
            below = self.polynomial(f)
            column = mapped(operator.truediv, column, below if k == 1 else powers(below, float(k)))
        return column

    def _terms(self, p: Polynomial) -> list[Term]:
        try:
            return [(float(c), *self._monomial(m)) for m, c in p.terms.items()]
        except OverflowError:
            return [(1.0, [math.nan] * self.size, None)]

    def _scaled(self, terms: list[Term]) -> tuple[Column, Column | None]:
        """At each point the sum of the terms divided by the largest exponential in them, and the
        exponent of that one; None for exponents where none is large.
        """
        totals = [0.0] * self.size
        if all(heights is None for _, _, heights in terms):
            for i, (c, values, _) in enumerate(terms):
                totals = (
                    [t + c * v for t, v in zip(totals, values, strict=True)]
                    if i
                    else [c * v for v in values]
                )
            return totals, None
        none = [0.0] * self.size
        tops = list(map(max, *(heights or none for _, _, heights in terms), repeat(-math.inf)))
        for c, values, heights in terms:
            shifted = exponentials(map(operator.sub, heights or none, tops))
            totals = [t + c * v * e for t, v, e in zip(totals, values, shifted, strict=True)]
        return totals, tops

    def _monomial(self, m: Monomial) -> tuple[Column, Column | None]:
        """The values of a monomial, without its exponentials where one of them is large; then their
        exponents too.
        """
        found = self.monomials.get(m)
        if found is None:
            values: Column | None = None
            heights: Column | None = None
            for a, e in m.powers:
                column, exponents = self._factor(a, e)
                values = column if values is None else times(values, column)
                heights = sum_of_exponents(heights, exponents)
            found = [1.0] * self.size if values is None else values, heights
            if len(self.monomials) >= KEPT:
                self.monomials.clear()
            self.monomials[m] = found
        return found

    def _factor(self, a: Atom, e: Rational) -> tuple[Column, Column | None]:
        """The same of the power of an atom."""
        found = self.factors.get((a, e))
        if found is None:
            column, power = self._atom(a), float(e)
            if a.kind != "exp":
                found = column if power == 1 else powers(column, power), None
            else:
                found = exponential_factor(column if power == 1 else [power * x for x in column])
            if len(self.factors) >= KEPT:
                self.factors.clear()
            self.factors[a, e] = found
        return found

    def _atom(self, a: Atom) -> Column:
        """The values of an atom; of an exponential those of its exponent, which cannot overflow."""
        if a not in self.atoms:
            self.atoms[a] = self._atom_values(a)
        return self.atoms[a]

    def _atom_values(self, a: Atom) -> Column:
        if a.kind == "name" and a.payload in self.names:
            return self.names[a.payload]
        if a.kind == "exp":
            m, den = a.payload
            return self.ratio(Ratio(algebra.polynomial_of_monomial(m), den))
        if a.kind == "log":
            return mapped(math.log, self.ratio(a.payload))
        if a.kind in OF_ONE:
            return mapped(OF_ONE[a.kind], self.ratio(a.payload[0]))
        value = {"prime": a.payload, "pi": math.pi}.get(a.kind, math.nan)
        return [float(value)] * self.size


def exponential_factor(exponents: Column) -> tuple[Column, Column | None]:
    """exp of these exponents as a factor of a term: its values, or ones beside the exponents where
    one of them is large.
    """
    if max(map(abs, exponents), default=0.0) > STEEP:
        return [1.0] * len(exponents), exponents
    return exponentials(exponents), None


def sum_of_exponents(left: Column | None, right: Column | None) -> Column | None:
    """The exponents of a product; None stands for none that is large."""
    if left is None or right is None:
        return right if left is None else left
    return list(map(operator.add, left, right))


def term_sizes(terms: list[Term], tops: Column | None, i: int) -> float:
    """The sum of the sizes of terms at one point, divided as their sum is."""
    top = 0.0 if tops is None else tops[i]
    return sum(
        abs(c * values[i])
        * (1.0 if tops is None else math.exp((heights[i] if heights else 0.0) - top))
        for c, values, heights in terms
    )


def mapped(function: Callable[..., float], *columns: Iterable[float]) -> Column:
    """The values of a function, nan where it has none."""
    listed = list(map(list, columns))
    try:
        return list(map(function, *listed))
    except WITHOUT_VALUE:
        return [value_or_nan(function, row) for row in zip(*listed, strict=True)]


def value_or_nan(function: Callable[..., float], row: tuple[float, ...]) -> float:
    """The value of a function, nan where it has none."""
    try:
        return function(*row)
    except WITHOUT_VALUE:
        return math.nan


def whole_below(x: float) -> float:
    """The floor, as a float, since a product of large integers may not fit into one."""
    return float(math.floor(x))


OF_ONE: dict[str, Callable[[float], float]] = {
    **{"abs": abs, "floor": whole_below},
    **{"sin": math.sin, "cos": math.cos, "atan": math.atan, "erf": math.erf},
    "theta3": theta3_float,
}


def nearest_whole(x: float) -> float:
    """The nearest whole number."""
    return float(round(x))


def times(left: Column, right: Column) -> Column:
    """The products of two columns."""
    return list(map(operator.mul, left, right))


def powers(column: Column, exponent: float) -> Column:
    """The powers of the values of a column."""
    return (
        times(column, column)
        if exponent == 2
        else mapped(math.pow, column, [exponent] * len(column))
    )


def exponentials(column: Iterable[float]) -> Column:
    """exp of the values of a column."""
    return mapped(math.exp, column)


@lru_cache(maxsize=64)
def _samples(
    facts: tuple[Fact, ...], names: frozenset[str], integers: frozenset[str]
) -> SamplePoints:
    steps = naming_steps(facts, names, integers)
    found: dict[str, Column] = {step.name: [] for step in steps}
    size = 0
    for batch in range(BATCHES):
        points = drawn_points(steps, batch)
        for name, column in points.names.items() if points.size else ():
            found[name] += column
        size += points.size
        if size >= POINTS:
            break
    size = min(size, POINTS) if steps else 1
    return SamplePoints(size, {name: column[:size] for name, column in found.items()})


@dataclass(frozen=True, slots=True)
class LinearBound:
    """A name is at least (1), at most (-1) or exactly (0) minus the rest by the slope."""

    side: int
    slope: float
    rest: Polynomial


@dataclass(frozen=True, slots=True)
class NamingStep:
    """A name, the bounds of it that names before it give, and the facts about it and them."""

    name: str
    is_integer: bool
    bounds: tuple[LinearBound, ...]
    facts: tuple[Fact, ...]


def naming_steps(
    facts: tuple[Fact, ...], names: frozenset[str], integers: frozenset[str]
) -> list[NamingStep]:
    """The names in the order in which they are given values."""
    about = [(f, algebra.polynomial_names(f.polynomial)) for f in facts]
    steps, known = list[NamingStep](), set[str]()
    for name in sorted(names.union(*(mentioned for _, mentioned in about))):
        known.add(name)
        complete = tuple(f for f, mentioned in about if name in mentioned and mentioned <= known)
        bounds = tuple(b for f in complete if (b := bound_of_name(f, name)) is not None)
        steps.append(NamingStep(name, name in integers, bounds, complete))
    return steps


def bound_of_name(fact: Fact, name: str) -> LinearBound | None:
    """What a fact linear in a name says of it once the other names are known; None for another
    fact.
    """
    line = algebra.linear_coefficients(fact.polynomial, name)
    slope = line[0].as_rational if line is not None else None
    if line is None or not slope:
        return None
    return LinearBound(0 if fact.relation == "=" else 1 if slope > 0 else -1, float(slope), line[1])


def drawn_points(steps: list[NamingStep], batch: int) -> SamplePoints:
    """The points of one batch at which all facts hold; a point is given up at the first fact that
    does not hold.
    """
    points = SamplePoints(BATCH, {})
    for place, step in enumerate(steps):
        column = allowed_numbers(step.bounds, points, drawn_numbers(place % PLACES, batch))
        if step.is_integer:
            column = mapped(nearest_whole, column)
        points = SamplePoints(points.size, {**points.names, step.name: column}, points.atoms)
        for fact in step.facts:
            points = points.kept(points.satisfying(fact))
            if not points.size:
                return points
    return points


@dataclass(frozen=True, slots=True)
class Drawn:
    """What chance says of one number: its value, whether it stays where the bounds allow it, else
    which of their ends it is (0, 1), or (2) the part of the way from one end to the other.
    """

    value: float
    stays: bool
    end: int
    part: float


@lru_cache(maxsize=BATCHES * PLACES)
def drawn_numbers(place: int, batch: int) -> tuple[Drawn, ...]:
    """One batch of numbers for a name: often 0, 1 or another corner."""
    source = random.Random(BATCHES * place + batch)
    return tuple(
        Drawn(
            source.choice(CORNERS)
            if source.random() < 0.5
            else source.gauss(0, source.choice(WIDTHS)),
            source.random() < 0.7,
            source.randrange(3),
            source.random(),
        )
        for _ in range(BATCH)
    )


def allowed_numbers(
    bounds: tuple[LinearBound, ...], points: SamplePoints, drawn: tuple[Drawn, ...]
) -> Column:
    """Numbers that the bounds allow (if there are any) at each point, often an end or a corner."""
    low, high = [-math.inf] * points.size, [math.inf] * points.size
    for bound in bounds:  # min and max leave out an end that has no value
        ends = [-value / bound.slope for value in points.polynomial(bound.rest)]
        if bound.side >= 0:
            low = list(map(max, low, ends))
        if bound.side <= 0:
            high = list(map(min, high, ends))
    return [allowed_number(*row) for row in zip(low, high, drawn[: points.size], strict=True)]


def allowed_number(low: float, high: float, drawn: Drawn) -> float:
    """The number drawn, brought between two ends."""
    value = drawn.value
    if low <= value <= high and drawn.stays:
        return value
    if math.isinf(low) or math.isinf(high):
        if not math.isinf(high):
            return high - abs(value)
        return value if math.isinf(low) else low + abs(value)
    return (low, high, low + drawn.part * (high - low))[drawn.end]


def related_facts(facts: tuple[Fact, ...], names: frozenset[str]) -> list[Fact]:
    """The facts about these names, and about names that such facts speak of."""
    chosen: list[Fact] = []
    rest = [(f, algebra.polynomial_names(f.polynomial)) for f in facts]
    while new := [(f, mentioned) for f, mentioned in rest if mentioned & names]:
        chosen += [f for f, _ in new]
        rest = [(f, mentioned) for f, mentioned in rest if not mentioned & names]
        names = names.union(*(mentioned for _, mentioned in new))
    return chosen
