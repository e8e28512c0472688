"""Requirements that are proved by slopes: on a box by balls, or from the bound of a name on.

Where the facts put all names between constants, a `BoxCover` is tried.  Otherwise, and where the
requirement is 0 somewhere at an end, each fact that bounds a name is tried as the end from which
the requirement grows (`Monotone`): what remains is the requirement at that end, without the name,
and the sign of the derivative, for which the same is tried.  The requirement is multiplied by a
positive factor before it is differentiated where that makes a term constant.  Sample points stop an
attempt as soon as a remaining requirement is false.

>>> from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> from ahdp_verify.search.limits import Limits
>>> here = assume_condition(parse("0 <= x and x <= y"), Context.empty())
>>> p = normal(parse("atan(y) - atan(x)"), here).num
>>> lemmas, proof = prove_on_region(p, ">=", here, Limits().clock())
>>> proof.name, proof.side, proof.fact
('x', -1, 1)
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import (
    BoxCover,
    CaseSplit,
    Evidence,
    InequalityLeaf,
    Lemma,
    Monotone,
    Products,
    Proof,
)
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import (
    PI,
    Monomial,
    Polynomial,
    Ratio,
    constant,
    exp_of,
    log_of,
)
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.derivative import inner_ratio, ratio_derivative
from ahdp_verify.kernel.numbers.hypotheses import OF_RELATION, Context
from ahdp_verify.kernel.numbers.normal_form import to_expression
from ahdp_verify.kernel.rules.inequalities import extend_context, sign_polynomial
from ahdp_verify.kernel.rules.regions import (
    Approach,
    approach_to,
    check_box_cover,
    constant_ends,
    require_values,
    value_at,
)
from ahdp_verify.kernel.terms.words import SMOOTH
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving import one_variable as exppoly
from ahdp_verify.search.proving.draft import Draft, polynomial_tree
from ahdp_verify.search.proving.float_filter import SamplePoints
from ahdp_verify.search.proving.products import prove_by_products
from ahdp_verify.search.proving.signs import sign_lemmas, signed_factorisation

NOT_FOUND = (Rejected, Undecided, Unsupported, ZeroDivisionError, OverflowError)
QUICK, PATIENT = 60, 3000  # pieces of a box: before slopes are tried, and after
DEPTH, LITTLE = 7, 3  # derivatives of derivatives; where only a sign is asked for
STEPS = 40  # requirements that are looked at for one inequality: twice the most that a proof needed
TERMS = 60  # terms of the longest derivative
FACTORS = 5  # factors tried for one bound
FLAT = 1e-6  # a least value that may be 0
CLOSE = 1e-3  # distance from the place of a least value, in widths of the box
ROUNDS, DRAWN, SHRINK = 24, 40, 0.6  # of the search for it
PLACES = (0, 1, Fraction(1, 2))  # where a requirement is 0 most often
SIMPLE = 24  # largest denominator of a place that is recognised
LARGEST = 12  # names of the widest box
Shown = tuple[tuple[Lemma, ...], Proof]


@dataclass(slots=True)
class RegionSearch:
    """One search: the clock, and how many requirements were looked at."""

    clock: Clock
    looked: int = 0
    failed: set[tuple[Polynomial, str, int]] = field(default_factory=set)
    # what the polynomials of ratios were divided by
    divisors: dict[Polynomial, algebra.Factors] = field(default_factory=dict)


def is_smooth(p: Polynomial) -> bool:
    """Whether p has functions that sums and products of exponentials and polynomials do not have.
    The exponential of a product of names is not one of these: products of facts handle it, and
    slopes took 50 times as long where they came first.
    """
    return any(
        algebra.atom_names(a)
        and (a.kind in (*SMOOTH, "log") or (a.kind == "exp" and not _is_product(a)))
        for a in algebra.polynomial_atoms(p)
    )


def is_smooth_or_mixed(p: Polynomial) -> bool:
    """Whether p has such functions, exponentials of products, or names beside exponentials."""
    atoms = [a for a in algebra.polynomial_atoms(p) if algebra.atom_names(a)]
    products = any(a.kind == "exp" and _degree(a) > 1 for a in atoms)
    return is_smooth(p) or products or {a.kind for a in atoms} == {"name", "exp"}


def is_curved(p: Polynomial) -> bool:
    """Whether a name occurs in p to a higher power than the first."""
    return any(a.kind == "name" and max(e) > 1 for a, e in p.exponents.items())


def _is_product(a: algebra.Atom) -> bool:
    m, den = a.payload
    return not den and all(b.kind in ("name", "log") and e == 1 for b, e in m.powers)


def _degree(a: algebra.Atom) -> int:
    return sum(e for _, e in a.payload[0].powers)


def prove_on_region(p: Polynomial, relation: str, here: Context, clock: Clock) -> Shown | None:
    """Lemmas and a proof of p >= 0 (or > 0) here, or None."""
    if here.germ or relation not in (">=", ">"):
        return None
    samples = SamplePoints.of(here, algebra.polynomial_names(p))
    if not samples.may_hold(p):
        return None
    search = RegionSearch(clock)
    leaf = _leaf(Ratio(p), relation, here, search, DEPTH)
    if isinstance(leaf, InequalityLeaf):
        return leaf.lemmas, (*leaf.proofs, None)[0]
    if isinstance(leaf, CaseSplit):
        return (), leaf
    cover = _cover(p, relation, here, PATIENT)
    return None if cover is None else ((), cover)


def region_lemmas(p: Polynomial, here: Context, clock: Clock) -> tuple[Lemma, ...]:
    """Lemmas that say p > 0 or p < 0, by regions; none if no sign is found."""
    names = algebra.polynomial_names(p)
    samples = SamplePoints.of(here, names)
    open_signs = [q for q in (p, -p) if samples.may_hold(q)]
    if len(open_signs) != 1 or here.germ or not samples.size:
        return ()
    (q,) = open_signs
    leaf = _leaf(Ratio(q), ">", here, RegionSearch(clock), LITTLE)
    if isinstance(leaf, CaseSplit):
        return (Lemma("proved", (polynomial_tree(q),), ">", (leaf,)),)
    if not isinstance(leaf, InequalityLeaf):
        return ()
    return (*leaf.lemmas, Lemma("proved", (polynomial_tree(q),), ">", leaf.proofs or (None,)))


def _shown(
    p: Polynomial, relation: str, here: Context, search: RegionSearch, depth: int
) -> Shown | None:
    """The same, by the signs of the factors of p where there are several."""
    if here.signs(p) <= OF_RELATION[relation]:
        return (), None
    if not p.terms:
        return None
    draft = Draft(here)
    found = signed_factorisation(p, draft, lambda f: _signed(f, relation, draft, search, depth))
    if found is not None:
        if draft.here.signs(p) <= OF_RELATION[relation]:
            return draft.lemmas, None
        facts = {draft.here.facts[i].relation for i in found[1]}
        if found[0] > 0 and (relation == ">=" or facts == {">"}):
            return draft.lemmas, Products((found,))
        return None
    proof = _proof(p, relation, here, search, depth)
    return None if proof is None else ((), proof)


def _signed(f: Polynomial, relation: str, draft: Draft, search: RegionSearch, depth: int) -> bool:
    """Whether the draft could be given the sign of a factor."""
    for q in (f, -f):
        proof = _proof(q, relation, draft.here, search, depth)
        if proof is not None:
            draft.take(Lemma("proved", (polynomial_tree(q),), relation, (proof,)))
            return True
    return False


def _proof(p: Polynomial, relation: str, here: Context, search: RegionSearch, depth: int) -> Proof:
    """A proof of p >= 0 (or > 0), not by signs alone; None if none is found."""
    search.looked += 1
    search.clock.check("looking at slopes")
    key = (p, relation, id(here))
    if search.looked > STEPS or len(p.terms) > TERMS or key in search.failed:
        return None
    samples = SamplePoints.of(here, algebra.polynomial_names(p))
    if samples.may_hold(p):
        found = (
            exppoly.exp_sign_proof(p, relation, here, search.clock)
            or prove_by_products(p, relation, here, search.clock, (1,), samples)
            or _cover(p, relation, here, QUICK)
            or (_growth(p, relation, here, search, depth) if depth else None)
        )
        if found is not None:
            return found
    search.failed.add(key)
    return None


def _cover(p: Polynomial, relation: str, here: Context, pieces: int) -> BoxCover | None:
    """A cover of the box of the names by at most so many pieces, if one is found."""
    if len(algebra.polynomial_names(p)) > LARGEST:
        return None
    try:
        check_box_cover(p, relation, BoxCover(pieces), here)
    except NOT_FOUND:
        return None
    return BoxCover(pieces)


@dataclass(frozen=True, slots=True)
class Growth:
    """One way to show a requirement: from a bound of a name on, with what remains to be shown."""

    to: Approach
    fact: int | None
    lemmas: tuple[Lemma, ...]
    factor: Ratio
    inside: Context
    lowest: Ratio
    slope: Ratio

    @property
    def size(self) -> tuple[bool, int, int]:
        """What comes first is tried first: a bound, and few terms in both parts."""
        terms = len(self.slope.num.terms) + 2 * len(self.lowest.num.terms)
        return self.fact is None, terms, len(self.slope.den)


def _growth(
    p: Polynomial, relation: str, here: Context, search: RegionSearch, depth: int
) -> Monotone | None:
    """A proof from the bound of a name on."""
    for way in sorted(_ways(p, here, search), key=lambda way: way.size):
        bounded = way.fact is None or here.facts[way.fact].relation == ">"
        for strict in (False, True) if relation == ">" and bounded else (False,):
            low, steep = (">=", ">") if strict else (relation, ">=")
            if (start := _leaf(way.lowest, low, way.to.start, search, depth - 1)) is None:
                continue
            slope = _leaf(way.slope, steep, way.inside, search, depth - 1)
            if slope is not None:
                to, factor = way.to, to_expression(way.factor)
                return Monotone(
                    to.name, to.side, way.fact, way.lemmas, factor, strict, slope, start
                )
    return None


def _leaf(
    r: Ratio, relation: str, here: Context, search: RegionSearch, depth: int
) -> Evidence | None:
    """A leaf that shows r >= 0 (or > 0) here, or two beside the place where it is least."""
    try:
        if here.ratio_signs(r) <= OF_RELATION[relation]:
            return InequalityLeaf()
        p = sign_polynomial(r, here)
        search.divisors[p] = r.den
        samples = SamplePoints.of(here, algebra.polynomial_names(p))
        if not samples.may_hold(p):
            return None
        guard = zero_guard(p, here, samples) if depth > 1 else None
        if guard is None:
            shown = _shown(p, relation, here, search, depth)
            if shown is not None:
                return InequalityLeaf(shown[0], "direct", (shown[1],))
            guard = stationary_guard(p, here, search.clock) if depth > 1 else None
            if guard is None and relation == ">" and depth == DEPTH:
                guard = beyond_bound(p, here, samples)
        return None if guard is None else _halves(r, relation, guard, here, search, depth)
    except NOT_FOUND:
        return None


def _halves(
    r: Ratio, relation: str, guard: Polynomial, here: Context, search: RegionSearch, depth: int
) -> CaseSplit | None:
    """Both sides of a guard."""
    listed = []
    for side in (">=", "<="):
        found = _leaf(r, relation, here.given(guard, side), search, depth - 2)
        if found is None:
            return None
        listed.append((side, found))
    return CaseSplit((), polynomial_tree(guard), tuple(listed))


def stationary_guard(p: Polynomial, here: Context, clock: Clock) -> Polynomial | None:
    """What changes its sign where p is least, strictly inside the range of a name: the slope of p
    where that is linear or free of the name, or the name less a place where p is 0.
    """
    samples = SamplePoints.of(here, algebra.polynomial_names(p))
    later = None
    for name in sorted(algebra.polynomial_names(p)):
        clock.check("looking for the least value")
        try:
            slope = ratio_derivative(Ratio(p), name)
        except Unsupported:
            continue
        guard = algebra.primitive_part(slope.num)[2]
        parts = algebra.linear_coefficients(guard, name)
        if parts is None or not _is_open(guard, here, samples):
            continue
        if parts[0].terms and here.ratio_signs(ratio_derivative(slope, name)) <= {0, 1}:
            return guard
        later = later or guard
    return touching_guard(p, here) or later


def beyond_bound(p: Polynomial, here: Context, samples: SamplePoints) -> Polynomial | None:
    """A name less what lies 1 above a bound of it: p may be 0 at the bound, and its slope have
    zeros farther on only.
    """
    for fact in here.facts:
        for name in sorted(algebra.polynomial_names(p)):
            parts = algebra.linear_coefficients(fact.polynomial, name)
            c = parts[0].as_rational if parts else None
            if parts and c and not algebra.polynomial_names(parts[1]):
                end = Ratio(parts[1]).scale(-1 / c) + constant(1 if c > 0 else -1)
                guard = (algebra.symbol(name) - end).num
                if _is_open(guard, here, samples):
                    return guard
    return None


def _is_open(guard: Polynomial, here: Context, samples: SamplePoints) -> bool:
    """Whether a guard seems to have either sign."""
    return len(here.signs(guard)) > 1 and not (samples.may_hold(guard) or samples.may_hold(-guard))


def zero_guard(p: Polynomial, here: Context, samples: SamplePoints) -> Polynomial | None:
    """A name less 0, 1 or another name, where that has either sign and p is 0 wherever it is 0."""
    names = sorted(algebra.polynomial_names(p))
    places = [*map(constant, PLACES), *map(algebra.symbol, names)]
    for name, place in itertools.product(names, places):
        guard = (algebra.symbol(name) - place).num
        if guard.terms and _is_open(guard, here, samples) and samples.at(name, place).may_vanish(p):
            try:
                there = Context.empty(here.integers)
                for f in here.facts:
                    if name not in algebra.polynomial_names(f.polynomial):
                        there = there.given(f.polynomial, f.relation)
                if value_at(Ratio(p), {name: place}, there).is_zero:
                    return guard
            except NOT_FOUND:
                continue
    return None


def touching_guard(p: Polynomial, here: Context) -> Polynomial | None:
    """A name less a constant strictly inside its range, where p seems to be least and is exactly 0
    for some values of the others; None where none is found, or a name has no constant bounds.
    """
    names = sorted(algebra.polynomial_names(p))
    try:
        ends = {n: constant_ends(n, here) for n in names}
        box = {n: (float(enclose(a)[0]), float(enclose(b)[1])) for n, (a, b) in ends.items()}
    except NOT_FOUND:
        return None
    point, value = least_point(p, box)
    if not abs(value) < FLAT:
        return None
    exact, inside = dict[str, Ratio](), list[str]()
    for n, (low, high) in box.items():
        reach = CLOSE * (high - low)
        if min(point[n] - low, high - point[n]) < reach:
            exact[n] = ends[n][point[n] - low > reach]
            continue
        found = recognised(point[n], reach)
        if found is None:
            return None
        exact[n], inside = found, [*inside, n]
    try:
        if not inside or not value_at(Ratio(p), exact, Context.empty()).is_zero:
            return None
    except NOT_FOUND:
        return None
    return (algebra.symbol(inside[0]) - exact[inside[0]]).num


def least_point(
    p: Polynomial, box: Mapping[str, tuple[float, float]]
) -> tuple[dict[str, float], float]:
    """Where p is least in a box, in floating point, and its value there: drawn points, then closer
    and closer to the best of them.
    """
    draw = random.Random(0)
    best = {n: (low + high) / 2 for n, (low, high) in box.items()}
    value, reach = math.inf, 1.0
    for _ in range(ROUNDS):
        columns = {}
        for n, (low, high) in box.items():
            width = reach * (high - low)
            drawn = [best[n], *(best[n] + width * draw.uniform(-1, 1) for _ in range(DRAWN))]
            columns[n] = [min(high, max(low, x)) for x in drawn]
        values = SamplePoints(DRAWN + 1, columns).polynomial(p)
        lowest = min((v, i) for i, v in enumerate(values) if v == v)
        if lowest[0] <= value:
            value = lowest[0]
            best = {n: column[lowest[1]] for n, column in columns.items()}
        reach *= SHRINK
    return best, value


def recognised(x: float, reach: float) -> Ratio | None:
    """A simple constant this close to x: a fraction, a multiple of pi, a logarithm or a root."""
    forms: tuple[tuple[float, Callable[[Fraction], Ratio]], ...] = (
        (x, constant),
        (x / math.pi, lambda q: PI.scale(q)),
        (math.exp(min(x, 20.0)), lambda q: log_of(constant(q))),
        (x * x, lambda q: exp_of(log_of(constant(q)).scale(Fraction(1, 2)))),
    )
    for value, build in forms:
        q = Fraction(value).limit_denominator(SIMPLE)
        if q > 0 or build is constant:
            found = build(q)
            if abs(float(enclose(found)[0]) - x) < reach:
                return found
    return None


def _ways(p: Polynomial, here: Context, search: RegionSearch) -> Iterator[Growth]:
    """The bounds from which p may grow, as far as sample points tell."""
    divided = Ratio(algebra.ONE, search.divisors.get(p, ()))
    for name in names_to_move(p, here):
        bounds: list[int | None] = [
            i for i, f in enumerate(here.facts) if name in algebra.polynomial_names(f.polynomial)
        ]
        weights = growing_factors(p, name, here, (divided,) if divided.den else ())
        for number, side in itertools.product((*bounds, None), (1, -1)):
            search.clock.check("looking for a bound to start from")
            if not weights[side]:
                continue
            try:
                to = approach_to(name, side, number, here)
                if number is not None and not _may_be_positive(to.least(Ratio(p), p), to.start):
                    continue
                lemmas = _value_lemmas(divided * Ratio(p), to, search.clock)
                way = extend_context(lemmas, to.way)
            except NOT_FOUND:
                continue
            start = Start(to, number, lemmas, way, here)
            positive = (f for f in weights[side] if way.ratio_signs(f) == {1})
            for factor in itertools.islice(positive, FACTORS + 1):
                with suppress(*NOT_FOUND):
                    yield from _grown(p, factor, start)


def names_to_move(p: Polynomial, here: Context) -> list[str]:
    """The names of p without those that, in p and in all facts, occur in a difference from an
    earlier one only: to move either is to move the difference.
    """
    kept: list[str] = []
    facts = [f.polynomial for f in here.facts]
    for name in sorted(algebra.polynomial_names(p)):
        twins = (other for other in kept if all(_in_difference(q, other, name) for q in facts))
        if not any(_in_difference(p, other, name) for other in twins):
            kept.append(name)
    return kept


def _in_difference(p: Polynomial, first: str, second: str) -> bool:
    """Whether p depends on the difference of two names only, as its slopes show."""
    if not {first, second} & algebra.polynomial_names(p):
        return True
    try:
        slopes = [ratio_derivative(Ratio(p), name) for name in (first, second)]
    except NOT_FOUND:
        return False
    return (slopes[0] + slopes[1]).is_zero


@dataclass(frozen=True, slots=True)
class Start:
    """Where a requirement may grow from, and what is known on the way from there."""

    to: Approach
    fact: int | None
    lemmas: tuple[Lemma, ...]
    way: Context
    here: Context


def _grown(p: Polynomial, factor: Ratio, of: Start) -> Iterator[Growth]:
    """The growth of p times a factor, if sample points allow it."""
    name, side, way = of.to.name, of.to.side, of.way
    weighted = factor * Ratio(p)
    require_values(weighted, name, way)
    bound = None if of.fact is None else of.here.facts[of.fact].polynomial
    inside = way if bound is None else way.given(bound, ">")
    slope = ratio_derivative(weighted, name).scale(side)
    if not _may_be_positive(slope, inside):
        return
    lowest = of.to.least(weighted, p)
    if bound is not None or _may_be_positive(lowest, of.to.start):
        yield Growth(of.to, of.fact, of.lemmas, factor, inside, lowest, slope)


def _value_lemmas(r: Ratio, to: Approach, clock: Clock) -> tuple[Lemma, ...]:
    """Lemmas about the arguments of logarithms and about divisors whose sign is not known on the
    way.
    """
    draft = Draft(to.way)
    asked = [*(f for f, _ in r.den)]
    for a in {a for q in (r.num, *asked) for a in q.exponents}:
        if a.kind in ("log", "exp") and to.name in algebra.atom_names(a):
            inside = inner_ratio(a)
            asked += [inside.num, *(f for f, _ in inside.den)] if a.kind == "log" else []
            asked += [q for b in inside.num.exponents if b.kind == "log" for q in _parts(b)]
    for q in asked:
        if len(draft.here.signs(q)) > 1 and to.name in algebra.polynomial_names(q):
            for lemma in sign_lemmas(q, draft.here, clock):
                draft.offer(lemma)
    return draft.lemmas


def _parts(a: algebra.Atom) -> list[Polynomial]:
    inside = inner_ratio(a)
    return [inside.num, *(f for f, _ in inside.den)]


def _may_be_positive(r: Ratio, here: Context) -> bool:
    """False if r < 0 at a sample point of the facts."""
    p = sign_polynomial(r, here)
    if not algebra.polynomial_names(p):
        return bool(here.signs(p) & {0, 1})
    return SamplePoints.of(here, algebra.polynomial_names(p)).may_hold(p)


def growing_factors(
    p: Polynomial, name: str, here: Context, others: tuple[Ratio, ...]
) -> dict[int, list[Ratio]]:
    """The factors with which p seems to grow in a name (1), or to fall (-1), at all sample points:
    1, what makes a term of p free of the name, and the others.
    """
    found = {"1": constant(1)}
    for m in p.terms:
        inside = Monomial(
            (a, e)
            for a, e in m.powers
            if a.kind in ("name", "exp") and name in algebra.atom_names(a)
        )
        found.setdefault(inside, constant(1) / Ratio(algebra.polynomial_of_monomial(inside)))
    one, *pieces = found.values()
    listed = [one, *others, *pieces]
    samples = SamplePoints.of(here, algebra.polynomial_names(p))
    try:
        change = ratio_derivative(Ratio(p), name)
        slope, values = samples.ratio(change), samples.polynomial(p)
        noise = samples.noise(change.num), samples.ratio(Ratio(algebra.ONE, change.den))
        unsure = [abs(size * scale) for size, scale in zip(*noise, strict=True)]
        sizes = samples.noise(p)
    except NOT_FOUND:
        return {1: listed, -1: listed}
    kept: dict[int, list[Ratio]] = {1: [], -1: []}
    for factor in listed:
        rates = samples.ratio(ratio_derivative(factor, name) / factor)
        rows = list(zip(slope, values, rates, unsure, sizes, strict=True))
        for side in kept:
            if not any(
                side * (a + b * r) < -(FLAT * (abs(a) + abs(b * r)) + u + v * abs(r))
                for a, b, r, u, v in rows
            ):
                kept[side].append(factor)
    return kept
