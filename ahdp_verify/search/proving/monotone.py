"""Sums of exponentials that are >= 0 because they only grow away from a bound at which they are >=
0.

Let z = exp(b v) for a name v with a known bound, and z0 the same at the bound.  A sum p of
exponentials whose exponents are multiples of b in v is p0 + (z - z0) q, where p0 is p at the bound
and q is a sum of exponentials again, of lower degree in z.  So p >= 0 follows from p0 >= 0 and q >=
0, for which the same is tried, until the positive terms of what is left cover the negative ones.
Nothing is lost where p is monotone in v: permute-and-flip, and polynomials in exp(-eps) with a zero
at eps = 0, are proved like this.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from weakref import WeakKeyDictionary

from ahdp_verify.kernel.evidence.certificate import Lemma, Products
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import (
    Monomial,
    Polynomial,
    Ratio,
    Rational,
    constant,
    exp_of,
    polynomial_names,
    polynomial_of_monomial,
)
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving.draft import Draft, polynomial_tree
from ahdp_verify.search.proving.float_filter import SamplePoints
from ahdp_verify.search.proving.normalisers import (
    ExponentDifferences,
    exponential_and_rest,
    has_varying_exponentials,
    prove_by_matching,
)
from ahdp_verify.search.proving.renaming import Shape

STEPS = 400  # sums that are examined for one inequality
TERMS = 60  # terms of the longest sum that is examined
KEPT = 4096  # steps that are remembered for one search, some 2 kB each
DEPTH = 12  # steps from a sum to one that is covered


@dataclass(frozen=True, slots=True)
class MonotoneStep:
    """p = bottom + gap * slope, where gap = exp(high) - exp(low) >= 0 because high - low is
    unit * (the distance of names, moved on this way, from their bound), unit >= 0.
    """

    bottom: Polynomial
    slope: Polynomial
    low: Ratio
    high: Ratio
    unit: Polynomial
    way: NameShift
    bound: NameBound

    def renamed(self, shape: Shape) -> RenamedStep | None:
        """The step with the places of names in a shape in place of the names; None if the shape
        lacks one of them.
        """
        value = shape.key_of(self.bound.value)
        if value is None:
            return None
        return RenamedStep(tuple(map(shape.names.index, self.way.names)), value, self.bound.above)


@dataclass(frozen=True, slots=True)
class RenamedStep:
    """The step that proved a sum, with the places of names in the shape of the sum in place of the
    names: which names move, to which bound, and whether that is a lower one.
    """

    way: tuple[int, ...]
    value: Hashable
    above: bool


Remembered = dict[
    Hashable, RenamedStep | None
]  # the shape of a sum -> the step that proved one like it
# what the searches under one clock have found; a mechanism that treats its inputs alike asks for
# the same inequality under many names
_remembered: WeakKeyDictionary[Clock, Remembered] = WeakKeyDictionary()


@dataclass(slots=True)
class Descent:
    """One search: differences of exponents that were proved, steps that proved sums of the same
    shape, which attempts failed, and how many sums were examined.
    """

    clock: Clock
    samples: SamplePoints
    differences: ExponentDifferences
    remembered: Remembered
    failed: set[Polynomial] = field(default_factory=set)
    looked: int = 0


def prove_by_bounds(p: Polynomial, draft: Draft, clock: Clock) -> Products | None:
    """A proof of p >= 0 by bounds of its names, its lemmas taken into the draft; None if none is
    found.
    """
    if not has_varying_exponentials(p) or len(p.terms) > TERMS:
        return None
    samples = SamplePoints.of(draft.before, polynomial_names(p))
    if not samples.may_hold(p):
        return None
    trial = draft.copy()
    differences = ExponentDifferences(draft.here, clock, samples)
    descent = Descent(clock, samples, differences, _remembered.setdefault(clock, {}))
    found = _proof(p, trial, descent, DEPTH)
    if found is not None:
        draft.here, draft.lemmas = trial.here, trial.lemmas
    return found


def sign_by_bounds(p: Polynomial, here: Context, clock: Clock) -> tuple[Lemma, ...]:
    """Lemmas that say p > 0, p < 0, p >= 0 or p <= 0, if not known already; none if no sign is
    found.
    """
    if not has_varying_exponentials(p):
        return ()
    for q in (p, -p):
        draft = Draft(here)
        found, relation = prove_by_matching(q, draft, clock, strict=True), ">"
        if found is None and not here.signs(q) <= {0, 1}:
            found, relation = prove_by_bounds(q, draft, clock), ">="
        if found is not None:
            return (*draft.lemmas, Lemma("proved", (polynomial_tree(q),), relation, (found,)))
    return ()


def _proof(p: Polynomial, draft: Draft, descent: Descent, depth: int) -> Products | None:
    """A proof of p >= 0, not by signs alone."""
    shape = Shape.of(p)
    for step in remembered_steps(p, shape, draft, descent) if shape is not None and depth else ():
        if (found := _taken(step, draft, descent, depth)) is not None:
            return found
    covered = prove_by_matching(p, draft, descent.clock, descent.differences)
    if covered is not None or depth == 0 or p in descent.failed or len(p.terms) > TERMS:
        return covered
    promising = monotone_steps(p, draft, descent.samples)
    for step in sorted(promising, key=lambda s: len(s.bottom.terms) + len(s.slope.terms)):
        descent.looked += 1
        descent.clock.check("bounding names of a sum of exponentials")
        if descent.looked > STEPS:
            return None
        if (found := _taken(step, draft, descent, depth)) is not None:
            if shape is not None and len(descent.remembered) < KEPT:
                descent.remembered[shape.key] = step.renamed(shape)
            return found
    descent.failed.add(p)
    return None


def _taken(step: MonotoneStep, draft: Draft, descent: Descent, depth: int) -> Products | None:
    """A proof by this step, its lemmas taken into the draft; None where one of its parts has
    none.
    """
    trial = draft.copy()
    if any(
        q.terms and _number(q, trial, descent, depth - 1) is None for q in (step.slope, step.bottom)
    ):
        return None
    draft.here, draft.lemmas = trial.here, trial.lemmas
    return _written(step, draft)


def _number(p: Polynomial, draft: Draft, descent: Descent, depth: int) -> int | None:
    """The number of the fact p >= 0, or None."""
    if draft.here.signs(p) <= {0, 1}:
        return draft.take_sign(p)
    c, common, primitive = algebra.primitive_part(p)
    if common and draft.here.signs(polynomial_of_monomial(common)) <= {0, 1}:
        return (
            None
            if _number(primitive.scale(c), draft, descent, depth) is None
            else draft.take_sign(p)
        )
    found = _proof(p, draft, descent, depth)
    if found is None:
        return None
    return draft.take_known(p, Lemma("proved", (polynomial_tree(p),), ">=", (found,)))


def _written(step: MonotoneStep, draft: Draft) -> Products:
    """The products of a step whose parts are facts of the draft by now."""
    size = step.unit.as_rational
    product = (
        (step.bound.weight, (draft.take_sign(step.unit), step.bound.fact))
        if size is None
        else (step.bound.weight * size, (step.bound.fact,))
    )
    ends = polynomial_tree(step.low.num), polynomial_tree(step.high.num)
    order = draft.take_known(
        (exp_of(step.high) - exp_of(step.low)).num,
        Lemma("order", ends, ">=", (Products((product,)),)),
    )
    parts: list[tuple[Fraction, tuple[int, ...]]] = []
    if step.slope.terms:
        parts.append((Fraction(1), (order, draft.take_sign(step.slope))))
    if step.bottom.terms:
        parts.append((Fraction(1), (draft.take_sign(step.bottom),)))
    return Products(tuple(parts))


@dataclass(frozen=True, slots=True)
class NameShift:
    """How names move: `name` alone, or `name` upwards and `against` downwards by the same
    amount.
    """

    name: str
    against: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names that move."""
        return (self.name, self.against) if self.against else (self.name,)

    def line(self, p: Polynomial) -> tuple[Polynomial, Polynomial] | None:
        """(k, r) with p = k name + r, where r stays as it is on this way; None if p is not
        linear there.
        """
        return _line(self, p)

    def line_anew(self, p: Polynomial) -> tuple[Polynomial, Polynomial] | None:
        """The same, not looked up."""
        used = polynomial_names(p)
        if used.isdisjoint(self.names):
            return algebra.ZERO, p
        if not self.against:
            return algebra.linear_coefficients(p, self.name)
        lines = [
            algebra.linear_coefficients(p, n) if n in used else (algebra.ZERO, p)
            for n in self.names
        ]
        if None in lines:
            return None
        k = lines[0][0] - lines[1][0]  # type: ignore[index]
        if polynomial_names(k) & {self.name, self.against}:
            return None
        return k, p - k * algebra.symbol(self.name).num


_line = lru_cache(maxsize=1 << 12)(NameShift.line_anew)


def name_shifts(exponents: list[Polynomial]) -> Iterator[NameShift]:
    """Single names, those in few exponents first, then pairs of which some exponent knows the
    sum alone.
    """
    uses: dict[str, int] = {}
    for e in exponents:
        for n in polynomial_names(e):
            uses[n] = uses.get(n, 0) + 1
    listed = sorted(uses, key=lambda n: (uses[n], n))
    yield from map(NameShift, listed)
    for i, n in enumerate(listed):
        for other in listed[i + 1 :]:
            way = NameShift(n, other)
            if any(
                n in polynomial_names(e) and (line := way.line(e)) is not None and not line[0].terms
                for e in exponents
            ):
                yield way


def monotone_steps(p: Polynomial, draft: Draft, samples: SamplePoints) -> Iterator[MonotoneStep]:
    """The steps that bounds of names in exponents allow and that no sample point speaks against."""
    parts = [exponential_and_rest(m) for m in p.terms]
    if any(exponent.den for exponent, _ in parts):
        return
    for way in name_shifts([exponent.num for exponent, _ in parts]):
        if (rates := _rates(way, parts, draft)) is None:
            continue
        for bound in _bounds(draft, way):
            if (step := _step(p, way, rates, bound, samples)) is not None:
                yield step


def remembered_steps(
    p: Polynomial, shape: Shape, draft: Draft, descent: Descent
) -> Iterator[MonotoneStep]:
    """The step that proved a sum of the same shape, its names replaced, where the facts have its
    bound.
    """
    if (known := descent.remembered.get(shape.key)) is None:
        return
    way = NameShift(*(shape.names[i] for i in known.way))
    parts = [exponential_and_rest(m) for m in p.terms]
    if (rates := _rates(way, parts, draft)) is None:
        return
    for bound in _bounds(draft, way):
        if bound.above is known.above and shape.key_of(bound.value) == known.value:
            step = _step(p, way, rates, bound, descent.samples)
            if step is not None:
                yield step
            return


Rates = tuple[Polynomial, list[int]]


def _rates(way: NameShift, parts: list[tuple[Ratio, Polynomial]], draft: Draft) -> Rates | None:
    """(b, k) with exponents k b name + r, b >= 0 and whole numbers k; None if they are not like
    that.
    """
    listed = []
    for exponent, factor in parts:
        line = way.line(exponent.num)
        if line is None or {way.name, way.against} & polynomial_names(factor):
            return None
        listed.append(line[0])
    base = next((k for k in listed if k.terms), None)
    if base is None:
        return None
    m = next(iter(base.terms))
    shares = [k.coefficient(m) / base.coefficient(m) for k in listed]
    if any(k != base.scale(s) for k, s in zip(listed, shares, strict=True)):
        return None
    signs = draft.here.signs(base)
    direction = 1 if signs <= {0, 1} else -1 if signs <= {0, -1} else 0
    common = (
        Fraction(
            math.gcd(*(s.numerator for s in shares)), math.lcm(*(s.denominator for s in shares))
        )
        * direction
    )
    return (base.scale(common), [int(s / common) for s in shares]) if direction else None


@dataclass(frozen=True, slots=True)
class NameBound:
    """A name is at least (above) or at most `value`: the difference is weight * fact."""

    fact: int
    value: Polynomial
    above: bool
    weight: Fraction


def _bounds(draft: Draft, way: NameShift) -> Iterator[NameBound]:
    """The bounds of a name that facts with a rational coefficient give; two for an equality."""
    for number, fact in enumerate(draft.here.facts):
        if (line := _bounding_line(fact.polynomial, way)) is None:
            continue
        c, rest = line
        for above in (True, False) if fact.relation == "=" else (c > 0,):
            yield NameBound(number, rest.scale(-1 / c), above, 1 / c if above else -1 / c)


@lru_cache(maxsize=1 << 12)
def _bounding_line(fact: Polynomial, way: NameShift) -> tuple[Fraction, Polynomial] | None:
    """(c, r) with the fact c name + r on this way, c rational and not 0, if only one of the names
    that move is in it: of both it would tell halves of exponents, and no end.
    """
    line = way.line(fact) if len(set(way.names) & polynomial_names(fact)) == 1 else None
    c = line[0].as_rational if line is not None else None
    return (Fraction(c), line[1]) if line is not None and c else None


def _step(
    p: Polynomial, way: NameShift, rates: Rates, bound: NameBound, samples: SamplePoints
) -> MonotoneStep | None:
    """The step to the bound of a name, for exponents k * unit * name + r; None where a sample
    point has p below its value there, or below 0 there.
    """
    unit, listed = rates
    gap = unit * (bound.value - algebra.symbol(way.name).num)
    if not samples.may_fall_to(p, gap, listed):  # most steps end here, before any is written out
        return None
    here, there = Ratio(unit * algebra.symbol(way.name).num), Ratio(unit * bound.value)
    z, w = exp_of(here), exp_of(Ratio(gap))  # the bound is at z w
    bottom = slope = constant(0)
    for k, terms in _by_rate(p, listed).items():
        bottom = bottom + Ratio(terms) * w**k
        slope = slope + Ratio(terms) * (_rise(w, k) / z)
    if not samples.may_hold(slope.num if bound.above else -slope.num):
        return None
    if not samples.may_hold(bottom.num):
        return None
    low, high = (there, here) if bound.above else (here, there)
    if any(r.den for r in (bottom, slope, exp_of(high) - exp_of(low))):
        return None  # a power of a name, as in exp(-2 log(a)), divides them
    return MonotoneStep(
        bottom.num,
        slope.num if bound.above else -slope.num,
        low,
        high,
        unit,
        way,
        bound,
    )


def _by_rate(p: Polynomial, rates: list[int]) -> dict[int, Polynomial]:
    """The terms of p, those of equal rates put together."""
    found: dict[int, dict[Monomial, Rational]] = {}
    for (m, c), k in zip(p.terms.items(), rates, strict=True):
        found.setdefault(k, {})[m] = c
    return {k: Polynomial(terms) for k, terms in found.items()}


def _rise(w: Ratio, k: int) -> Ratio:
    """(1 - w^k) / (1 - w)."""
    powers = range(k) if k > 0 else range(k, 0)
    total = sum((w**i for i in powers), constant(0))
    return total if k > 0 else -total
