"""Requirements in one name on a line or half-line: bounded parts by balls, tails by the dominant
term.

Far out one term of p outgrows the others.  Let D be that term without its constant c, of the sign
of c there.  A term of the same sign helps; another one, c_i m_i, is at most a share of D:

    c_i m_i <= share_i |D|      since |m_i|/|D| falls from the cut on, or rises to a limit
    c |D| >= (share_1 + ... + share_n) |D|
    -------------------------------------------------------------------------------------------
                               p >= 0 beyond the cut

Each share is a `Monotone`, the sum are `Products`, and what lies between the cuts and the bounds
that the facts give is left to a `BoxCover`.  Nothing is found where p is 0 in the limit or inside.

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
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.inequalities import extend_context, sign_polynomial
from ahdp_verify.kernel.rules.regions import approach_to, check_box_cover
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving.antiderivatives import powers_in
from ahdp_verify.search.proving.draft import Draft, polynomial_tree

NOT_FOUND = (Rejected, Undecided, Unsupported, ZeroDivisionError, OverflowError)
BITS = 96  # of constants and shares
CUTS = tuple(2**k for k in range(24))  # distances from 0 at which a tail may begin
FARTHER = 64  # times as far out as a cut, where it is seen which terms gain on the dominant one
NEGLIGIBLE = 1e-6  # times the dominant term: what is farther below it at the last cut grows less
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
        far, lead = {name: of_rational(Fraction(side * CUTS[-1]))}, _of(best)
        values = {
            m: ball(c * _of(m), BITS, far) / abs(ball(lead, BITS, far)) for m, c in terms.items()
        }
        known = [m for m, x in values.items() if x.is_finite() and not abs(x) < NEGLIGIBLE]
        return Tail(
            name, side, terms, max(known, key=lambda m: float(values[m].mid()), default=best)
        )


@dataclass(frozen=True, slots=True)
class Share:
    """How much of the dominant term another one takes beyond a cut: its constant is at most `size`,
    and it is at most `part` of the dominant term; `rising` if it comes closer to that farther out.
    """

    size: Fraction
    part: Fraction
    rising: bool


Shares = dict[Monomial, Share]


def prove_with_tails(p: Polynomial, relation: str, here: Context, clock: Clock) -> CaseSplit | None:
    """A proof of p >= 0 (or > 0) in one name that the facts do not bound on both sides; None if
    none is found.
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
    """The proofs of the tails, each with where it begins, and the one between; None without
    tails.
    """
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


def shares_at(tail: Tail, place: int) -> Shares | None:
    """For each term of the other sign than the dominant one, the share of that which it needs from
    a place on; None if these are too large together.
    """
    box, found = {tail.name: of_rational(Fraction(place))}, Shares()
    far = {tail.name: of_rational(Fraction(FARTHER * place))}
    whole, lead = _of(tail.dominant), tail.terms[tail.dominant]
    for m, c in tail.terms.items():
        share = _of(m) / whole
        part = ball(share, BITS, box)
        sign = ball(c / lead, BITS) * part
        if not sign.is_finite():
            return None
        if m != tail.dominant and not sign > 0:
            size = _rounded_up(abs(ball(c, BITS)))
            rising = bool(abs(ball(share, BITS, far)) > abs(part))
            if rising:
                part = ball(limit_at_end(share, tail.name, tail.side, Context.empty()), BITS)
            found[m] = Share(size, _rounded_up(abs(part)) * size, rising)
    taken = of_rational(sum((share.part for share in found.values()), Fraction(0)))
    return found if abs(ball(lead, BITS)) - taken > 0 else None


def _rounded_up(x: Any) -> Fraction:
    """A simple number a little above a ball."""
    high = ends(x, BITS)[1]
    if not high:
        return Fraction(0)
    unit = Fraction(2) ** (high.numerator.bit_length() - high.denominator.bit_length() - 12)
    return (high // unit + 1) * unit


def beyond_cut(tail: Tail, shares: Shares, relation: str, here: Context) -> InequalityLeaf:
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
        share, known = shares[m], (draft.here, len(here.facts) - 1)
        lost = _of(m).scale(share.size * (constant_sign(c) or 0))  # of the sign of c m, not smaller
        kept = (whole.scale(share.part) + lost).num
        falling = growth_of_share(tail, kept, whole, known, share.rising)
        products.append(draft.take(Lemma("proved", (polynomial_tree(kept),), ">=", (falling,))))
        products.append(draft.take_sign((c * _of(m) - lost).num))
        rest = rest - constant(share.part)
    products.append(draft.take_sign((rest * whole).num, relation))
    listed = tuple((Fraction(1), (i,)) for i in products)
    return InequalityLeaf(draft.lemmas, "direct", (Products(listed),))


def growth_of_share(
    tail: Tail, kept: Polynomial, whole: Ratio, known: tuple[Context, int], rising: bool
) -> Monotone:
    """A proof that what is left of a share is >= 0 beyond the cut, the fact of this number in what
    is known: it grows from there, or where the share rises, from infinity.  Rejected or Undecided
    where its slope is not found to have this sign.
    """
    (here, number), side = known, tail.side
    cut, factor = here.facts[number].polynomial, constant(1) / whole
    to = approach_to(tail.name, -side if rising else side, None if rising else number, here)
    lemmas = squares_inside((kept, whole.num), tail.name)
    inside = extend_context(lemmas, to.way)
    inside = inside if rising else inside.given(cut, ">")
    slope = ratio_derivative(factor * Ratio(kept), tail.name).scale(to.side)
    leaf = InequalityLeaf()
    if not inside.ratio_signs(slope) <= OF_RELATION[">="]:
        again = normal(to_expression(slope), inside)  # the form that the checker takes
        leaf = beyond_zeros(sign_polynomial(again, inside), tail, cut, inside)
    fact, tree = (None if rising else number), to_expression(factor)
    return Monotone(tail.name, to.side, fact, lemmas, tree, False, leaf, InequalityLeaf())


def squares_inside(listed: tuple[Polynomial, ...], name: str) -> tuple[Lemma, ...]:
    """Squares that show which quadratic polynomials under roots are > 0: on the way from a cut,
    only facts that are linear are left.
    """
    found = dict[Expression, None]()
    for p in listed:
        for a in p.exponents:
            inner = a.payload[0].single if a.kind == "exp" and not a.payload[1] else None
            if inner is None or inner.kind != "log" or name not in algebra.atom_names(inner):
                continue
            shape = powers_in(inner.payload.num, name)
            b, c = (shape[i].as_rational if i in shape else None for i in (1, 2))
            if c and max(shape) == 2:
                centre = algebra.symbol(name) + constant(Fraction(b or 0) / (2 * Fraction(c)))
                found[to_expression(centre)] = None
    return tuple(Lemma("square", (e,)) for e in found)


def beyond_zeros(p: Polynomial, tail: Tail, cut: Polynomial, here: Context) -> InequalityLeaf:
    """A proof of p >= 0 beyond a cut, for a p that is a term times a polynomial in the name: that
    is one in the distance from the cut with coefficients >= 0.
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
