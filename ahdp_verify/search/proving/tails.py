"""Requirements in one name on a line or half-line: bounded parts by balls, tails by the dominant term.

Far out one term of p outgrows the others.  Let D be that term without its constant c, of the sign of
c there.  A term of the same sign helps; another one, c_i m_i, is at most a share of D:

    c_i m_i <= share_i |D|      since |m_i|/|D| falls from the cut on, where it is small enough
    c |D| >= (share_1 + ... + share_n) |D|
    -------------------------------------------------------------------------------------------
                               p >= 0 beyond the cut

Each share is a `Monotone`, the sum are `Products`, and what lies between the cuts and the bounds that
the facts give is left to a `BoxCover`.  Nothing is found where p is 0 in the limit or inside.

>>> from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> from ahdp_verify.search.limits import Limits
>>> here = assume_condition(parse("0 <= x"), Context.empty())
>>> p = normal(parse("1 + pi*x^2 - 3*exp(-x)*x"), here).num
>>> proof = prove_with_tails(p, ">=", here, Limits().clock())
>>> str(proof.guard), [relation for relation, _ in proof.cases]
('x - 1', ['>=', '<='])
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import (
    BoxCover,
    CaseSplit,
    InequalityLeaf,
    Lemma,
    Monotone,
    Products,
)
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Monomial, Polynomial, Ratio, constant
from ahdp_verify.kernel.numbers.ball import ball, constant_sign, ends, of_rational
from ahdp_verify.kernel.numbers.derivative import ratio_derivative
from ahdp_verify.kernel.numbers.ends import limit_at_end
from ahdp_verify.kernel.numbers.hypotheses import OF_RELATION, Context
from ahdp_verify.kernel.numbers.normal_form import to_expression
from ahdp_verify.kernel.rules.inequalities import sign_polynomial
from ahdp_verify.kernel.rules.regions import approach_to, check_box_cover
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving.draft import Draft, polynomial_tree

NOT_FOUND = (Rejected, Undecided, Unsupported, ZeroDivisionError, OverflowError)
BITS = 96  # of constants and shares
CUTS = tuple(2**k for k in range(24))  # distances from 0 at which a tail may begin
PIECES = 3000  # of what lies between, each takes about a millisecond
TERMS = 60  # of the longest requirement


@dataclass(frozen=True, slots=True)
class Tail:
    """A requirement as its name tends to oo (side 1) or to -oo (side -1): the terms without their
    constants, the constants, and the term that outgrows the others.
    """

    name: str
    side: int
    terms: dict[Monomial, Ratio]
    dominant: Monomial

    @staticmethod
    def of(p: Polynomial, name: str, side: int) -> Tail:
        """The tail of p; Unsupported where no term is known to outgrow the others."""
        terms = dict[Monomial, Ratio]()
        for m, c in p.terms.items():
            moving = Monomial(x for x in m.powers if name in algebra.atom_names(x[0]))
            fixed = Monomial(x for x in m.powers if x not in moving.powers)
            piece = Ratio(algebra.polynomial_of_monomial(fixed, c))
            terms[moving] = terms.get(moving, constant(0)) + piece
        best, *others = terms
        for m in others:
            try:
                limit_at_end(_of(m) / _of(best), name, side, Context.empty())
            except Unsupported:
                best = m
        return Tail(name, side, terms, best)


def prove_with_tails(p: Polynomial, relation: str, here: Context, clock: Clock) -> CaseSplit | None:
    """A proof of p >= 0 (or > 0) in one name that the facts do not bound on both sides; None if none
    is found.
    """
    if len(algebra.polynomial_names(p)) != 1 or len(p.terms) > TERMS:
        return None
    (name,) = algebra.polynomial_names(p)
    found: list[tuple[Polynomial, InequalityLeaf]] = []
    try:
        for side in (1, -1):
            if not is_bounded(name, side, here):
                clock.check("looking at a tail")
                cut, shown = prove_tail(Tail.of(p, name, side), relation, here)
                found.append((cut, shown))
                here = here.given(-cut, ">=")
        if not found:
            return None
        check_box_cover(p, relation, BoxCover(PIECES), here)
    except NOT_FOUND:
        return None
    between = InequalityLeaf((), "direct", (BoxCover(PIECES),))
    return in_cases(found, between)


def in_cases(
    tails: list[tuple[Polynomial, InequalityLeaf]], between: InequalityLeaf
) -> CaseSplit | None:
    """The proofs of the tails, each with where it begins, and the one between; None without tails."""
    split: CaseSplit | None = None
    for cut, shown in reversed(tails):
        inside = between if split is None else split
        split = CaseSplit((), polynomial_tree(cut), ((">=", shown), ("<=", inside)))
    return split


def is_bounded(name: str, side: int, here: Context) -> bool:
    """Whether a fact c name + d >= 0 with a constant d bounds the name from above (side 1) or
    from below (side -1).
    """
    for fact in here.facts:
        parts = algebra.linear_coefficients(fact.polynomial, name)
        c = parts[0].as_rational if parts else None
        if not parts or not c or algebra.polynomial_names(parts[1]):
            continue
        if fact.relation == "=" or (c < 0) == (side > 0):
            return True
    return False


def prove_tail(tail: Tail, relation: str, here: Context) -> tuple[Polynomial, InequalityLeaf]:
    """Where a tail may begin, as what is >= 0 from there on, and a proof of the requirement in it;
    Unsupported if there is none.
    """
    for size in CUTS:
        cut = (algebra.symbol(tail.name).scale(tail.side) - constant(size)).num
        shares = shares_at(tail, tail.side * size)
        if shares is None:
            continue
        try:
            return cut, beyond_cut(tail, shares, relation, here.given(cut, ">="))
        except (Rejected, Undecided):
            continue
    raise Unsupported("a tail in which one term outgrows the others was not found")


def shares_at(tail: Tail, place: int) -> dict[Monomial, tuple[Fraction, Fraction]] | None:
    """For each term of the other sign than the dominant one: a number that its constant does not
    exceed, and the share of the dominant term that it needs from a place on; None if these are too
    large together.
    """
    box, found = {tail.name: of_rational(Fraction(place))}, {}
    whole = _of(tail.dominant)
    for m, c in tail.terms.items():
        ratio = ball(c * _of(m) / whole / tail.terms[tail.dominant], BITS, box)
        if not ratio.is_finite():
            return None
        if m != tail.dominant and not ratio > 0:
            size = _rounded_up(abs(ball(c, BITS)))
            part = abs(ball(_of(m) / whole, BITS, box))
            found[m] = size, _rounded_up(part) * size
    left = abs(ball(tail.terms[tail.dominant], BITS)) - of_rational(
        sum((share for _, share in found.values()), Fraction(0))
    )
    return found if left > 0 else None


def _rounded_up(x: Any) -> Fraction:
    """A simple number a little above a ball."""
    high = ends(x, BITS)[1]
    if not high:
        return Fraction(0)
    unit = Fraction(2) ** (high.numerator.bit_length() - high.denominator.bit_length() - 12)
    return (high // unit + 1) * unit


def beyond_cut(
    tail: Tail, shares: dict[Monomial, tuple[Fraction, Fraction]], relation: str, here: Context
) -> InequalityLeaf:
    """The proof beyond the cut, which is the last fact; Rejected or Undecided where it is none."""
    draft, products = Draft(here), list[int]()
    positive = constant_sign(tail.terms[tail.dominant]) or 0
    whole = _of(tail.dominant).scale(positive)
    rest = tail.terms[tail.dominant].scale(positive)
    for m, c in tail.terms.items():
        if m == tail.dominant:
            continue
        if m not in shares:
            products.append(draft.take_sign((c * _of(m)).num))
            continue
        size, share = shares[m]
        lost = _of(m).scale(size * (constant_sign(c) or 0))  # of the sign of c m, and not smaller
        kept = (whole.scale(share) + lost).num
        falling = growth_of_share(tail, kept, constant(1) / whole, here)
        products.append(draft.take(Lemma("proved", (polynomial_tree(kept),), ">=", (falling,))))
        products.append(draft.take_sign((c * _of(m) - lost).num))
        rest = rest - constant(share)
    products.append(draft.take_sign((rest * whole).num, relation))
    listed = tuple((Fraction(1), (i,)) for i in products)
    return InequalityLeaf(draft.lemmas, "direct", (Products(listed),))


def growth_of_share(tail: Tail, kept: Polynomial, factor: Ratio, here: Context) -> Monotone:
    """A proof that what is left of a share grows from the cut on, which is the last fact; Rejected or
    Undecided where the slope cannot be shown.
    """
    cut = here.facts[-1].polynomial
    to = approach_to(tail.name, tail.side, len(here.facts) - 1, here)
    inside = to.way.given(cut, ">")
    slope = ratio_derivative(factor * Ratio(kept), tail.name).scale(tail.side)
    leaf = InequalityLeaf()
    if not inside.ratio_signs(slope) <= OF_RELATION[">="]:
        leaf = beyond_zeros(sign_polynomial(slope, inside), tail, cut, inside)
    return Monotone(
        tail.name,
        tail.side,
        len(here.facts) - 1,
        (),
        to_expression(factor),
        False,
        leaf,
        InequalityLeaf(),
    )


def beyond_zeros(p: Polynomial, tail: Tail, cut: Polynomial, here: Context) -> InequalityLeaf:
    """A proof of p >= 0 beyond a cut, for a p that is a term times a polynomial in the name: that is
    one in the distance from the cut with coefficients >= 0.
    """
    c, common, rest = algebra.primitive_part(p)
    distance, draft = algebra.symbol(tail.name), Draft(here)
    place = -cut.coefficient(algebra.UNIT) * tail.side
    value = algebra.replace_name(
        Ratio(rest), tail.name, distance.scale(tail.side) + constant(place)
    )
    number = [f.polynomial for f in here.facts].index(cut)
    side = 1 if draft.here.signs(algebra.polynomial_of_monomial(common)) <= {0, 1} else -1
    term = draft.take_sign(algebra.polynomial_of_monomial(common, side))
    listed = list[tuple[Fraction, tuple[int, ...]]]()
    for m, a in value.num.terms.items():
        power = sum(int(e) for _, e in m.powers)
        if any(a != algebra.name_atom(tail.name) for a, _ in m.powers):
            raise Rejected("the slope is not a polynomial in the name")
        listed.append((Fraction(c * a * side), (term, *(number,) * power)))
    return InequalityLeaf(draft.lemmas, "direct", (Products(tuple(listed)),))


def _of(m: Monomial) -> Ratio:
    return Ratio(algebra.polynomial_of_monomial(m))
