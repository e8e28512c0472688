"""Sums of exponentials that are >= 0 because they only grow away from a bound at which they are >= 0.

Let z = exp(b v) for a name v with a known bound, and z0 the same at the bound.  A sum p of exponentials whose exponents are multiples of b in
v is p0 + (z - z0) q, where p0 is p at the bound and q is a sum of exponentials again, of lower degree in z.  So p >= 0 follows from p0 >= 0 and
q >= 0, for which the same is tried, until the positive terms of what is left cover the negative ones.  Nothing is lost where p is monotone
in v: permute-and-flip, and polynomials in exp(-eps) with a zero at eps = 0, are proved like this.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from ahdp_verify import algebra
from ahdp_verify.algebra import Polynomial, Ratio, constant, exp_of, of_monomial, polynomial_names
from ahdp_verify.certificate import Lemma, Products
from ahdp_verify.context import Context, Fact
from ahdp_verify.decide.matching import matched, split, varying
from ahdp_verify.decide.rewrite import Draft, tree
from ahdp_verify.decide.samples import Samples
from ahdp_verify.limits import Clock

STEPS = 400  # sums that are looked at for one inequality
TERMS = 60  # terms of the longest sum that is looked at
DEPTH = 12  # steps from a sum to one that is covered


@dataclass(frozen=True, slots=True)
class Step:
    """p = bottom + gap * slope, where gap = high - low >= 0 by the fact, whose exponents differ by `factor` * the fact's polynomial."""

    bottom: Polynomial
    slope: Polynomial
    low: Ratio
    high: Ratio
    factor: Polynomial
    fact: int


@dataclass(slots=True)
class Descent:
    """One search: what was shown not to help, and how many sums were looked at."""

    clock: Clock
    samples: Samples
    failed: dict[Polynomial, int] = field(default_factory=dict)
    looked: int = 0


def monotone(p: Polynomial, draft: Draft, clock: Clock) -> Products | None:
    """A proof of p >= 0 by bounds of its names, its lemmas taken into the draft; None if none is found."""
    if not varying(p) or len(p.terms) > TERMS:
        return None
    samples = Samples.of(draft.here, polynomial_names(p))
    if not samples.may_hold(p):
        return None
    trial = draft.copy()
    found = _proof(p, trial, Descent(clock, samples), DEPTH)
    if found is not None:
        draft.here, draft.lemmas = trial.here, trial.lemmas
    return found


def sign_by_bounds(p: Polynomial, here: Context, clock: Clock) -> tuple[Lemma, ...]:
    """Lemmas that say p > 0, p < 0, p >= 0 or p <= 0, what is new here; none if no sign is found."""
    if not varying(p):
        return ()
    for q in (p, -p):
        draft = Draft(here)
        found, relation = matched(q, draft, clock, strict=True), ">"
        if found is None and not here.signs(q) <= {0, 1}:
            found, relation = monotone(q, draft, clock), ">="
        if found is not None:
            return (*draft.lemmas, Lemma("proved", (tree(q),), relation, (found,)))
    return ()


def _proof(p: Polynomial, draft: Draft, descent: Descent, depth: int) -> Products | None:
    """A proof of p >= 0, not by signs alone."""
    covered = matched(p, draft, descent.clock, descent.samples)
    if covered is not None or depth == 0 or descent.failed.get(p, 0) >= depth or len(p.terms) > TERMS:
        return covered
    for step in steps(p, draft):
        descent.looked += 1
        descent.clock.check("bounding names of a sum of exponentials")
        if descent.looked > STEPS:
            return None
        trial = draft.copy()
        numbers = [_number(q, trial, descent, depth - 1) for q in (step.slope, step.bottom) if q.terms] if _worth(step, descent) else [None]
        if None in numbers:
            continue
        draft.here, draft.lemmas = trial.here, trial.lemmas
        return _written(step, draft)
    descent.failed[p] = depth
    return None


def _worth(step: Step, descent: Descent) -> bool:
    return all(descent.samples.may_hold(q) for q in (step.slope, step.bottom))


def _number(p: Polynomial, draft: Draft, descent: Descent, depth: int) -> int | None:
    """The number of the fact p >= 0, or None."""
    if draft.here.signs(p) <= {0, 1}:
        return draft.take_sign(p)
    c, common, primitive = algebra.content(p)
    if common and draft.here.signs(of_monomial(common)) <= {0, 1}:
        return None if _number(primitive.scale(c), draft, descent, depth) is None else draft.take_sign(p)
    found = _proof(p, draft, descent, depth)
    return None if found is None else draft.take(Lemma("proved", (tree(p),), ">=", (found,)))


def _written(step: Step, draft: Draft) -> Products:
    """The products of a step whose parts are facts of the draft by now."""
    inner = (draft.take_sign(step.factor), step.fact) if step.factor.as_rational is None else (step.fact,)
    weight = Fraction(1) if len(inner) == 2 else step.factor.as_rational or Fraction(0)
    order = draft.take(Lemma("order", (tree(step.low.num), tree(step.high.num)), ">=", (Products(((weight, inner),)),)))
    parts: list[tuple[Fraction, tuple[int, ...]]] = []
    if step.slope.terms:
        parts.append((Fraction(1), (order, draft.take_sign(step.slope))))
    if step.bottom.terms:
        parts.append((Fraction(1), (draft.take_sign(step.bottom),)))
    return Products(tuple(parts))


def steps(p: Polynomial, draft: Draft) -> Iterator[Step]:
    """The steps that bounds of names in exponents allow, names in few terms first."""
    split_terms = [(c, *split(m)) for m, c in p.terms.items()]
    if any(exponent.den for _, exponent, _ in split_terms):
        return
    uses = {n: sum(n in polynomial_names(exponent.num) for _, exponent, _ in split_terms) for n in {n for _, e, _ in split_terms for n in polynomial_names(e.num)}}
    for name in sorted(uses, key=lambda n: (uses[n], n)):
        rates = _rates(name, split_terms, draft)
        if rates is None:
            continue
        unit, whole, rest = rates
        for i, fact in enumerate(draft.here.facts):
            bound = _bound(fact, name)
            if bound is not None:
                yield _step(name, unit, list(zip(split_terms, whole, rest, strict=True)), (i, *bound))


Part = tuple[Fraction, Ratio, Polynomial]


def _rates(name: str, parts: list[Part], draft: Draft) -> tuple[Polynomial, list[int], list[Polynomial]] | None:
    """(b, k, r) with exponents k b name + r, b >= 0 and whole numbers k; None if they are not like that."""
    listed = []
    for _, exponent, factor in parts:
        line = algebra.linear(exponent.num, name)
        if line is None or name in polynomial_names(factor):
            return None
        listed.append(line)
    base = next(k for k, _ in listed if k.terms)
    m = next(iter(base.terms))
    shares = [k.terms.get(m, Fraction(0)) / base.terms[m] for k, _ in listed]
    if any(k != base.scale(s) for (k, _), s in zip(listed, shares, strict=True)):
        return None
    signs = draft.here.signs(base)
    direction = 1 if signs <= {0, 1} else -1 if signs <= {0, -1} else 0
    common = Fraction(math.gcd(*(s.numerator for s in shares)), math.lcm(*(s.denominator for s in shares))) * direction
    return (base.scale(common), [int(s / common) for s in shares], [r for _, r in listed]) if direction else None


def _bound(fact: Fact, name: str) -> tuple[Fraction, Polynomial] | None:
    """(c, b) for a fact c (name - b) >= 0 with a rational c."""
    line = algebra.linear(fact.polynomial, name) if name in polynomial_names(fact.polynomial) and fact.relation in (">=", ">") else None
    c = line[0].as_rational if line is not None else None
    return None if line is None or not c else (c, line[1].scale(-1 / c))


def _step(name: str, unit: Polynomial, parts: list[tuple[Part, int, Polynomial]], bound: tuple[int, Fraction, Polynomial]) -> Step:
    """The step to the bound of a name, for exponents k * unit * name + r."""
    number, c, b = bound
    here, there = Ratio(unit * algebra.symbol(name).num), Ratio(unit * b)
    z, z0 = exp_of(here), exp_of(there)
    bottom, slope = constant(0), constant(0)
    for (weight, _, factor), k, rest in parts:
        term = Ratio(factor).scale(weight) * exp_of(Ratio(rest))
        bottom = bottom + term * exp_of(there.scale(k))
        slope = slope + term * _quotient(z, z0, k)
    low, high = (there, here) if c > 0 else (here, there)
    return Step(bottom.num, slope.num if c > 0 else -slope.num, low, high, unit.scale(1 / abs(c)), number)


def _quotient(z: Ratio, z0: Ratio, k: int) -> Ratio:
    """(z^k - z0^k) / (z - z0)."""
    total = constant(0)
    for i in range(abs(k)):
        total = total + (z**i * z0 ** (k - 1 - i) if k > 0 else -(z ** (i + k)) * z0 ** (-1 - i))
    return total
