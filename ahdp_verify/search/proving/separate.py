"""A requirement whose names are bounded: what is inside an absolute value, parts in different
names, and boxes of names.

    p = c + p_1 + ... + p_k, each p_i in one name      p_i >= m_i      c + m_1 + ... + m_k >= 0
    ---------------------------------------------------------------------------------------
                                            p >= 0

m_i    the value at an end, or at the rational number where floating point puts the least value of
       p_i; a rational number below that where the least values add up to more than 0

What one record changes in a sum is |f(x) - f(y)|, and |w| <= u follows from u - w >= 0 and
u + w >= 0: there x and y stand in parts of their own, so that one function of one name is left.  A
logarithm or an exponential is compared with its tangent at the least value.  A polynomial in names
between rational numbers is >= 0 where no Bernstein coefficient on their box is negative.

>>> from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> here = assume_condition(parse("0 <= x <= 1 and 0 <= y <= 1"), Context.empty())
>>> prove_on_named_box(normal(parse("1 - x^3 + x*y"), here).num, Draft(here))
True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import Lemma, Products, Proof
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import (
    Polynomial,
    Ratio,
    constant,
    exp_of,
    polynomial_names,
    polynomial_of_monomial,
)
from ahdp_verify.kernel.numbers.ball import constant_sign, enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import abs_atom, normal, to_expression
from ahdp_verify.kernel.rules.exponential_sign import VariableInterval, fact_interval
from ahdp_verify.kernel.rules.inequalities import sign_polynomial
from ahdp_verify.kernel.terms.expression import Expression, substitute
from ahdp_verify.search.floating_point import WITHOUT_VALUE, FloatFunction, float_function
from ahdp_verify.search.highest_place import NEAR, highest_place, simple_place
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving.absolute_values import absolute_arguments, absolute_terms
from ahdp_verify.search.proving.bernstein import (
    BoxEnd,
    Powers,
    bernstein_coefficients,
    bernstein_products,
    common_sign,
    has_few_coefficients,
)
from ahdp_verify.search.proving.draft import Draft, polynomial_tree
from ahdp_verify.search.proving.one_variable import exp_sign_proof, interval_facts, is_bound
from ahdp_verify.search.proving.products import prove_by_products
from ahdp_verify.search.proving.tactics import Hopeless

Prove = Callable[[Polynomial, Context], tuple[tuple[Lemma, ...], Proof] | None]  # p >= 0 here
SLACK = 1e-9  # least values that add up to more are not tight
FAR = 64  # how far the least value of a part is looked for without an upper bound of its name
MOST_PARTS = 6
MOST_NAMES = 4  # of a box
FAILED = (Undecided, Unsupported, Rejected, *WITHOUT_VALUE)


def bound_absolute_value(p: Polynomial, draft: Draft, prove: Prove) -> bool:
    """Whether p >= 0 was shown for p = A - c |w|, c > 0, by A - c w >= 0 and A + c w >= 0; the
    draft then holds it.
    """
    listed = list(absolute_terms(p).items())
    if len(listed) != 1 or len(absolute_arguments(p)) != 1:
        return False
    w, factor = listed[0]
    rest = p - factor * algebra.polynomial_of_atom(abs_atom(w))
    if draft.here.signs(factor) != {-1} or not rest.terms:
        return False
    bound, trial = Ratio(rest) / -Ratio(factor), draft.copy()
    if not all(is_bounded(n, draft.here) for n in polynomial_names(w)):
        return False
    if any(interval_facts(n, draft.here) is None for n in algebra.ratio_names(bound)):
        return False
    sides = [shown_ratio(bound + Ratio(w).scale(side), trial, prove) for side in (-1, 1)]
    if None in sides:
        return False
    arguments = (polynomial_tree(w), to_expression(bound))
    number = trial.take(Lemma("bound", arguments, ">=", tuple(sides)))
    outer = algebra.divide(p, trial.here.facts[number].polynomial)
    if outer is None or not trial.here.signs(outer) <= {0, 1}:
        return False
    trial.terms.append((Fraction(1), (trial.take_sign(outer), number)))
    draft.here, draft.lemmas, draft.terms = trial.here, trial.lemmas, trial.terms
    return True


def open_bound(p: Polynomial, here: Context) -> Polynomial | None:
    """The argument of an absolute value, of unknown sign, in the bound of the one that is taken
    off, all names bounded; None where there is none.
    """
    falling = [w for w, factor in absolute_terms(p).items() if here.signs(factor) == {-1}]
    rising = [w for w in absolute_arguments(p) if w not in falling]
    names = frozenset[str]().union(*map(polynomial_names, (*falling, *rising)))
    if len(falling) != 1 or not rising or not all(is_bounded(n, here) for n in names):
        return None
    return rising[0]


def is_bounded(name: str, here: Context) -> bool:
    """Whether facts bound a name by constants on both sides."""
    numbers = interval_facts(name, here)
    return numbers is not None and numbers[1] is not None


def shown_ratio(r: Ratio, draft: Draft, prove: Prove) -> Proof:
    """A proof of r >= 0 for the context of the draft, which takes its lemmas; None if there is
    none.
    """
    p = sign_polynomial(r, draft.here)
    found = prove(p, draft.here) if p.terms else ((), Products(()))
    if found is None:
        return None
    for lemma in found[0]:
        draft.take(lemma)
    return found[1]


@dataclass(frozen=True, slots=True)
class Part:
    """The terms of a requirement in one name, with their least value: where it is and what it is,
    exactly (None where it is at no simple number) and in floating point.
    """

    name: str
    terms: Polynomial
    place: Ratio | None
    value: Ratio | None
    approximately: float


def prove_separately(p: Polynomial, draft: Draft, clock: Clock, prove: Prove) -> bool:
    """Whether p >= 0 was shown by the least values of its parts in different names; the draft then
    holds it.  Raises Hopeless where they show that it is false.
    """
    outer = polynomial_of_monomial(algebra.primitive_part(p)[1])
    inner = algebra.divide(p, outer)
    if inner is None or not draft.here.signs(outer) <= {0, 1}:
        return False
    groups = terms_by_name(inner)
    fixed = groups.pop("", algebra.ZERO)
    if not 1 <= len(groups) <= MOST_PARTS:
        return False
    if any(interval_facts(n, draft.here) is None for n in groups):
        return False
    clock.check("looking for least values")
    try:
        parts = [least_part(n, terms, draft.here) for n, terms in groups.items()]
        least = least_values(fixed, parts)
    except FAILED:
        return False
    if least is None:
        if is_false(fixed, parts, draft.here):
            raise Hopeless
        return False
    trial, several = draft.copy(), len(parts) > 1
    front = () if outer == algebra.ONE else (trial.take_sign(outer),)
    for part, low in zip(parts, least, strict=True):
        number = _number_of_part(part, low, trial, clock, prove if several else None)
        if number is None:
            return False
        trial.terms.append((Fraction(1), (*front, number)))
    left = sum(least, fixed)
    if left.terms:
        trial.terms.append((Fraction(1), (*front, trial.take_sign(left))))
    draft.here, draft.lemmas, draft.terms = trial.here, trial.lemmas, trial.terms
    return True


def terms_by_name(p: Polynomial) -> dict[str, Polynomial]:
    """The terms of p by the one name in them, "" for none; empty where one has several names."""
    found: dict[str, Polynomial] = {}
    for m, c in p.terms.items():
        term = polynomial_of_monomial(m, c)
        used = polynomial_names(term)
        if len(used) > 1:
            return {}
        name = next(iter(used), "")
        found[name] = found.get(name, algebra.ZERO) + term
    return found


def is_false(fixed: Polynomial, parts: list[Part], here: Context) -> bool:
    """Whether the least values add up to less than 0 and facts only bound each name by itself."""
    used = frozenset(part.name for part in parts)
    alone = all(
        any(is_bound(f, n) for n in used) or absolute_arguments(f.polynomial)
        for f in here.facts
        if polynomial_names(f.polynomial) & used
    )
    return alone and float(enclose(Ratio(fixed))[1]) + total_of(parts) < -SLACK


def total_of(parts: list[Part]) -> float:
    """The sum of the least values, approximately."""
    return sum(part.approximately for part in parts)


def least_values(fixed: Polynomial, parts: list[Part]) -> list[Polynomial] | None:
    """A lower bound of each part, so that with `fixed` they add up to 0 or more; None if the least
    values do not, or if a tight one is not known exactly.
    """
    value = enclose(Ratio(fixed))
    total = float(sum(value)) / 2 + total_of(parts)
    if total < -SLACK:
        return None
    lower = Fraction(max(total, 0.0)) / (2 * len(parts))
    found = []
    for part in parts:
        if part.value is not None and not part.value.den:
            found.append(part.value.num)
        elif total <= SLACK:
            return None
        else:
            below = (Fraction(part.approximately) - lower).limit_denominator(int(8 / lower) + 1)
            found.append(constant(below).num)
    return found if constant_sign(Ratio(sum(found, fixed))) in (0, 1) else None


def least_part(name: str, terms: Polynomial, here: Context) -> Part:
    """The terms in one name with their least value between the bounds of the name, or where it is
    seen from the lower one.
    """
    where = fact_interval(*(interval_facts(name, here) or (0, None)), name, here)
    ends = where.low, where.high or where.low + constant(FAR)
    low, high = (float(sum(enclose(end))) / 2 for end in ends)
    tree = polynomial_tree(terms)
    f = partial(_value, float_function(tree), name)
    at = highest_place(lambda x: -f(x), low, high)
    place = exact_place(at, where)
    value = None if place is None else at_place(tree, name, place)
    if value is not None and abs(float(sum(enclose(value))) / 2 - f(at)) > SLACK:
        place = value = None
    return Part(name, terms, place, value, f(at))


def _value(f: FloatFunction, name: str, x: float) -> float:
    return float(f({name: x}))


def at_place(tree: Expression, name: str, place: Ratio) -> Ratio:
    """The constant that an expression in one name is at a place."""
    return normal(substitute(tree, {name: to_expression(place)}), Context.empty())


def exact_place(x: float, where: VariableInterval) -> Ratio | None:
    """The end of an interval, or the simple rational number, that a place stands for."""
    for end in (where.low, where.high):
        if end is not None and abs(float(sum(enclose(end))) / 2 - x) < NEAR:
            return end
    simple = simple_place(x)
    return None if simple is None else constant(simple.args[0])


def _number_of_part(
    part: Part, low: Polynomial, draft: Draft, clock: Clock, prove: Prove | None
) -> int | None:
    """The number of the fact that a part is at least `low`, or None."""
    p = part.terms - low
    if draft.here.signs(p) <= {0, 1}:
        return draft.take_sign(p)
    proof: Proof = exp_sign_proof(p, ">=", draft.here, clock)
    if proof is None and part.place is not None:
        proof = _proof_by_tangents(p, part.name, part.place, draft, clock)
    if proof is None and prove is not None:
        proof = shown_ratio(Ratio(p), draft, prove)
    return (
        None
        if proof is None
        else draft.take(Lemma("proved", (polynomial_tree(p),), ">=", (proof,)))
    )


def _proof_by_tangents(
    p: Polynomial, name: str, place: Ratio, draft: Draft, clock: Clock
) -> Products | None:
    """A proof of p >= 0 with the tangents of its functions at a place, which the draft takes."""
    trial = draft.copy()
    for u in tangent_arguments(p):
        gap = u - at_place(to_expression(u), name, place)
        for side in (1, -1):
            trial.offer(Lemma("exp", (to_expression(gap.scale(side)),)))
        trial.offer(Lemma("sign", (to_expression(exp_of(u)),), ">"))
    if len(trial.lemmas) == len(draft.lemmas):
        return None
    found = prove_by_products(p, ">=", trial.here, clock, degrees=(1, 2))
    if found is not None:
        draft.here, draft.lemmas = trial.here, trial.lemmas
    return found


def tangent_arguments(p: Polynomial) -> list[Ratio]:
    """The t with a tangent of exp(t) for the logarithms (t itself) and exponentials in p."""
    found: dict[str, Ratio] = {}
    for m in p.terms:
        for a, power in m.powers:
            if a.kind == "log" and algebra.atom_names(a):
                found[a.key] = algebra.ratio_of_atom(a)
            elif a.kind == "exp" and algebra.atom_names(a):
                inner, den = a.payload
                found[f"{a.key}^{power}"] = Ratio(polynomial_of_monomial(inner, power), den)
    return list(found.values())


def put_at_end(p: Polynomial, draft: Draft, prove: Prove) -> bool:
    """Whether p >= 0 was shown for p = a n + r, a of known sign, by its value at the end of the
    name n where it is least, in fewer names; the draft then holds it.
    """
    names = sorted(polynomial_names(p))
    for n in names if len(names) > 1 else ():
        line, bounds = algebra.linear_coefficients(p, n), interval_facts(n, draft.here)
        if line is None or bounds is None or not line[0].terms:
            continue
        a, signs = line[0], draft.here.signs(line[0])
        side = 1 if signs <= {0, 1} else -1 if signs <= {0, -1} else 0
        number = bounds[0] if side > 0 else bounds[1] if side < 0 else None
        fact = None if number is None else draft.here.facts[number].polynomial
        ends = None if fact is None else algebra.linear_coefficients(fact, n)
        slope = None if ends is None else ends[0].as_rational
        if number is None or fact is None or not slope or slope * side < 0:
            continue
        trial = draft.copy()
        left = p - (a * fact).scale(1 / slope)
        shown = shown_ratio(Ratio(left), trial, prove) if left.terms else Products(())
        if shown is None:
            continue
        if left.terms:
            last = trial.take(Lemma("proved", (polynomial_tree(left),), ">=", (shown,)))
            trial.terms.append((Fraction(1), (last,)))
        outer = trial.take_sign(a.scale(side))
        trial.terms.append((1 / abs(slope), (outer, number)))
        draft.here, draft.lemmas, draft.terms = trial.here, trial.lemmas, trial.terms
        return True
    return False


def prove_on_named_box(p: Polynomial, draft: Draft) -> bool:
    """Whether p >= 0, a polynomial in names between rational numbers, was shown by its Bernstein
    coefficients; the draft then holds it.
    """
    common = algebra.primitive_part(p)[1]
    outer = polynomial_of_monomial(common)
    inner = algebra.divide(p, outer)
    names = sorted(polynomial_names(inner)) if inner is not None else []
    if not 1 <= len(names) <= MOST_NAMES or not draft.here.signs(outer) <= {0, 1}:
        return False
    powers, ends = powers_of_names(inner or p, names), [box_of_name(n, draft.here) for n in names]
    box = tuple(end for end in ends if end is not None)
    if powers is None or len(box) < len(names) or not has_few_coefficients(powers):
        return False
    table = bernstein_coefficients(powers, box)
    if common_sign(table) != 1:
        return False
    faces = [((low.fact or 0, low.size), (high.fact or 0, high.size)) for low, high in box]
    products = bernstein_products(table, 1, box, faces)
    front = () if outer == algebra.ONE else (draft.take_sign(outer),)
    draft.terms += [(c, (*front, *numbers)) for c, numbers in products.terms]
    return True


def powers_of_names(p: Polynomial, names: list[str]) -> Powers | None:
    """The exponents of the names in each term, with its coefficient; None for another
    polynomial.
    """
    found: Powers = {}
    for m, c in p.terms.items():
        if any(a.kind != "name" or e < 0 or e.denominator != 1 for a, e in m.powers):
            return None
        exponents = {str(a): int(e) for a, e in m.powers}
        found[tuple(exponents.get(n, 0) for n in names)] = Fraction(c)
    return found


def box_of_name(name: str, here: Context) -> tuple[BoxEnd, BoxEnd] | None:
    """The rational ends between which two facts put a name, or None."""
    ends: list[BoxEnd] = []
    for number in interval_facts(name, here) or (None, None):
        fact = None if number is None else here.facts[number].polynomial
        line = None if fact is None else algebra.linear_coefficients(fact, name)
        slope = None if line is None else line[0].as_rational
        rest = None if line is None else line[1].as_rational
        if slope is None or not slope or rest is None:
            return None
        ends.append(BoxEnd(-rest / slope, number, abs(slope)))
    low, high = ends
    return (low, high) if low.value < high.value else None
