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
>>> p = normal(parse("atan(y) - y/(1 + x*y)*0 - atan(x)"), here).num
>>> lemmas, proof = prove_on_region(p, ">=", here, Limits().clock())
>>> proof.name, proof.fact
('y', 1)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import BoxCover, InequalityLeaf, Lemma, Monotone, Proof
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Monomial, Polynomial, Ratio, constant
from ahdp_verify.kernel.numbers.derivative import ratio_derivative
from ahdp_verify.kernel.numbers.hypotheses import OF_RELATION, Context
from ahdp_verify.kernel.numbers.normal_form import to_expression
from ahdp_verify.kernel.rules.inequalities import extend_context, sign_polynomial
from ahdp_verify.kernel.rules.regions import (
    Approach,
    approach_to,
    check_box_cover,
    require_values,
    value_at,
)
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving import one_variable as exppoly
from ahdp_verify.search.proving.draft import polynomial_tree
from ahdp_verify.search.proving.float_filter import SamplePoints
from ahdp_verify.search.proving.products import prove_by_products

NOT_FOUND = (Rejected, Undecided, Unsupported, ZeroDivisionError, OverflowError)
QUICK, PATIENT = 60, 3000  # pieces of a box: before slopes are tried, and after
DEPTH = 7  # derivatives of derivatives
STEPS = 150  # requirements that are looked at for one inequality
TERMS = 60  # terms of the longest derivative
FACTORS = 5  # factors tried for one bound
LARGEST = 12  # names of the widest box
Shown = tuple[tuple[Lemma, ...], Proof]


@dataclass(slots=True)
class RegionSearch:
    """One search: the clock, and how many requirements were looked at."""

    clock: Clock
    looked: int = 0
    failed: set[tuple[Polynomial, str, int]] = field(default_factory=set)


def prove_on_region(p: Polynomial, relation: str, here: Context, clock: Clock) -> Shown | None:
    """Lemmas and a proof of p >= 0 (or > 0) here, or None."""
    if here.germ or relation not in (">=", ">"):
        return None
    search = RegionSearch(clock)
    shown = _shown(p, relation, here, search, DEPTH)
    if shown is None and (cover := _cover(p, relation, here, PATIENT)) is not None:
        return (), cover
    return shown


def _shown(
    p: Polynomial, relation: str, here: Context, search: RegionSearch, depth: int
) -> Shown | None:
    """The same, by the primitive factor of p where the others have a sign."""
    if here.signs(p) <= OF_RELATION[relation]:
        return (), None
    c, m, primitive = algebra.primitive_part(p)
    outer = here.signs(algebra.polynomial_of_monomial(m, c))
    if not m or primitive == algebra.ONE or outer not in ({1}, {-1}, {0, 1}, {0, -1}):
        proof = _proof(p, relation, here, search, depth)
        return None if proof is None else ((), proof)
    if 0 in outer and relation == ">":
        return None
    q = primitive if 1 in outer else -primitive
    proof = _proof(q, relation, here, search, depth)
    if proof is None:
        return None
    lemma = Lemma("proved", (polynomial_tree(q),), relation, (proof,))
    larger = extend_context((lemma,), here)
    return ((lemma,), None) if larger.signs(p) <= OF_RELATION[relation] else None


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
    """One way to show a requirement: from the bound of a name on, with what remains to be shown."""

    name: str
    fact: int
    factor: Ratio
    way: Approach
    lowest: Ratio
    slope: Ratio

    @property
    def size(self) -> tuple[int, int]:
        """What comes first is tried first: few terms in both parts."""
        return len(self.slope.num.terms) + 2 * len(self.lowest.num.terms), len(self.slope.den)


def _growth(
    p: Polynomial, relation: str, here: Context, search: RegionSearch, depth: int
) -> Monotone | None:
    """A proof from the bound of a name on."""
    ways = sorted(_ways(p, here, search.clock), key=lambda way: way.size)
    for way in ways:
        for strict in (False, True) if relation == ">" else (False,):
            if strict and here.facts[way.fact].relation != ">":
                continue
            low, steep = (">=", ">") if strict else (relation, ">=")
            if (start := _leaf(way.lowest, low, way.way.start, search, depth - 1)) is None:
                continue
            slope = _leaf(way.slope, steep, way.way.between, search, depth - 1)
            if slope is not None:
                factor = to_expression(way.factor)
                return Monotone(way.name, way.fact, factor, strict, slope, start)
    return None


def _leaf(
    r: Ratio, relation: str, here: Context, search: RegionSearch, depth: int
) -> InequalityLeaf | None:
    """A leaf that shows r >= 0 (or > 0) here."""
    try:
        if here.ratio_signs(r) <= OF_RELATION[relation]:
            return InequalityLeaf()
        shown = _shown(sign_polynomial(r, here), relation, here, search, depth)
    except NOT_FOUND:
        return None
    return None if shown is None else InequalityLeaf(shown[0], "direct", (shown[1],))


def _ways(p: Polynomial, here: Context, clock: Clock) -> Iterator[Growth]:
    """The bounds from which p may grow, as far as sample points tell."""
    for name in sorted(algebra.polynomial_names(p)):
        for number, fact in enumerate(here.facts):
            if name not in algebra.polynomial_names(fact.polynomial):
                continue
            clock.check("looking for a bound to start from")
            try:
                way = approach_to(name, number, here)
                lowest = value_at(Ratio(p), {name: way.end}, way.start)
                if not _may_be_positive(lowest, way.start):
                    continue
                for factor in _factors(p, name, way.closed):
                    require_values(factor * Ratio(p), name, way.closed)
                    slope = ratio_derivative(factor * Ratio(p), name).scale(way.side)
                    if _may_be_positive(slope, way.between):
                        yield Growth(name, number, factor, way, lowest, slope)
            except NOT_FOUND:
                continue


def _may_be_positive(r: Ratio, here: Context) -> bool:
    """False if r < 0 at a sample point of the facts."""
    p = sign_polynomial(r, here)
    if not algebra.polynomial_names(p):
        return bool(here.signs(p) & {0, 1})
    return SamplePoints.of(here, algebra.polynomial_names(p)).may_hold(p)


def _factors(p: Polynomial, name: str, here: Context) -> list[Ratio]:
    """1, and what makes a term of p free of a name, where that is positive."""
    found = {"1": constant(1)}
    for m in p.terms:
        inside = Monomial(pair for pair in m.powers if name in algebra.atom_names(pair[0]))
        piece = Ratio(algebra.polynomial_of_monomial(inside))
        if len(found) < FACTORS and here.ratio_signs(piece) == {1}:
            found.setdefault(inside, constant(1) / piece)
    return list(found.values())
