"""Polynomials in several exponentials x_j = exp(-g_j t_j), t_j >= 0: their sign on a box inside the
unit cube, by Bernstein coefficients.

The exponents t_j are names, products of names, or differences that facts call >= 0 (for eps1 <=
eps2: eps1 and eps2 - eps1), chosen so that as many of the facts as possible follow.  A polynomial
in x on the box a <= x <= b is a sum of products of x_j - a_j and b_j - x_j; if no coefficient is
negative, that is a `Products` certificate.  Where coefficients have both signs the box is cut in
two.

>>> from ahdp_verify.kernel.numbers.algebra import constant, symbol
>>> from ahdp_verify.search.limits import Limits
>>> e, f = symbol("e"), symbol("f")
>>> here = Context.empty().given(e.num, ">").given((f - e).num, ">=")
>>> p = (constant(1) - exp_of(-e)) * (exp_of(-e) - exp_of(-f)) + exp_of(-e - f)
>>> draft = Draft(here)
>>> prove_on_box(p.num, draft, Limits().clock())
True
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.evidence.certificate import Lemma, Products
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import (
    Monomial,
    Polynomial,
    Ratio,
    exp_of,
    polynomial_of_monomial,
)
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving.draft import Draft, polynomial_tree
from ahdp_verify.search.proving.exponentials import exponent_of
from ahdp_verify.search.proving.products import prove_by_products
from ahdp_verify.search.proving.root_isolation import irreducible_factors

MOST_NAMES, MOST_FACTS = 4, 12  # coordinates, and facts from which they are chosen
MOST_SQUARES = 30  # squares given to the linear programme
# Bernstein coefficients of one factor; measured: the checker multiplies that many products out in
# about a second
MOST_TERMS = 400
SMALLEST = Fraction(1, 1 << 12)  # a box is not cut if its longest side is at most this
Powers = dict[tuple[int, ...], Fraction]  # exponents of x_1, x_2, ... -> coefficient
Vector = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class BoxEnd:
    """An end of the box in one coordinate: its value, and the fact size * (x - value) >= 0 (or
    size * (value - x) >= 0) if there is one.
    """

    value: Fraction
    fact: int | None = None
    size: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class BoxPolynomial:
    """p = m * P(x), x_j = exp(-g_j t_j), with the box of x that facts give; t_j >= 0 is a fact
    or follows from signs.
    """

    exponents: tuple[Polynomial, ...]
    variables: tuple[Monomial, ...]
    monomial: Monomial
    powers: Powers
    box: tuple[tuple[BoxEnd, BoxEnd], ...]


def coefficient_vector(t: Polynomial, basis: tuple[Monomial, ...]) -> Vector | None:
    """The coefficients of t over some monomials; None if it has others."""
    return tuple(t.coefficient(m) for m in basis) if set(t.terms) <= set(basis) else None


def solve_columns(columns: tuple[Vector, ...], target: Vector) -> Vector | None:
    """The x with sum of x_j * column_j = target for as many independent columns as rows; None if
    they are dependent.
    """
    n = len(target)
    rows = [[c[i] for c in columns] + [target[i]] for i in range(n)]
    for i in range(n):
        pivot = next((r for r in range(i, n) if rows[r][i]), None)
        if pivot is None:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [v / rows[i][i] for v in rows[i]]
        for r in range(n):
            if r != i and rows[r][i]:
                rows[r] = [v - rows[r][i] * w for v, w in zip(rows[r], rows[i], strict=True)]
    return tuple(row[-1] for row in rows)


def exponent_generators(
    basis: tuple[Monomial, ...], here: Context
) -> tuple[Polynomial, ...] | None:
    """As many forms t >= 0 as there are monomials, from which most of what the facts say about
    these monomials follows.
    """
    known = [
        f.polynomial
        for f in here.facts
        if f.relation in (">=", ">")
        and f.polynomial.terms
        and set(f.polynomial.terms) <= set(basis)
    ]
    known += [t for m in basis if here.signs(t := polynomial_of_monomial(m)) <= {0, 1}]
    listed = list(dict.fromkeys(known))[:MOST_FACTS]
    vectors = [v for t in listed if (v := coefficient_vector(t, basis)) is not None]
    best: tuple[int, tuple[Polynomial, ...]] | None = None
    for chosen in itertools.combinations(range(len(listed)), len(basis)):
        columns = tuple(vectors[i] for i in chosen)
        solutions = [solve_columns(columns, v) for v in vectors]
        follow = sum(s is not None and min(s) >= 0 for s in solutions)
        if None not in solutions and (best is None or follow > best[0]):
            best = follow, tuple(listed[i] for i in chosen)
    return None if best is None else best[1]


def polynomial_on_box(p: Polynomial, here: Context) -> BoxPolynomial | None:
    """The coordinates of p; None if it is not a polynomial in several exponentials with rational
    coefficients, or facts do not bound them.
    """
    if (
        not all(a.kind == "exp" and not a.payload[1] for a in algebra.polynomial_atoms(p))
        or not p.terms
    ):
        return None
    exponents = {m: exponent_of(m) for m in p.terms}
    basis = tuple(sorted({t for e in exponents.values() for t in e.terms}))
    if not 2 <= len(basis) <= MOST_NAMES or algebra.UNIT in basis:
        return None
    forms = exponent_generators(basis, here)
    if forms is None:
        return None
    columns = tuple(tuple(t.coefficient(m) for m in basis) for t in forms)
    places = {
        m: solve_columns(columns, tuple(-e.coefficient(b) for b in basis))
        for m, e in exponents.items()
    }
    listed = [v for v in places.values() if v is not None]
    least = [min(v[j] for v in listed) for j in range(len(forms))]
    steps = [common_step([v[j] - least[j] for v in listed]) for j in range(len(forms))]
    variables = tuple(exponential_monomial(t.scale(-g)) for t, g in zip(forms, steps, strict=True))
    powers = {
        tuple(int((v[j] - least[j]) / steps[j]) for j in range(len(forms))): p.coefficient(m)
        for m, v in places.items()
        if v is not None
    }
    outer = algebra.ZERO
    for t, low in zip(forms, least, strict=True):
        outer = outer - t.scale(low)
    return BoxPolynomial(
        tuple(t.scale(g) for t, g in zip(forms, steps, strict=True)),
        variables,
        exponential_monomial(outer),
        powers,
        tuple(box_ends(m, here) for m in variables),
    )


def common_step(values: list[Fraction]) -> Fraction:
    """The largest number of which all are whole multiples, 1 if all are 0."""
    n = math.lcm(*(v.denominator for v in values))
    return Fraction(math.gcd(*(int(v * n) for v in values)), n) or Fraction(1)


def exponential_monomial(t: Polynomial) -> Monomial:
    """exp(t) for a form t without constant term."""
    (m,) = exp_of(Ratio(t)).num.terms
    return m


def box_ends(x: Monomial, here: Context) -> tuple[BoxEnd, BoxEnd]:
    """The ends between which facts put an exponential, 0 and 1 without any."""
    low, high = BoxEnd(Fraction(0)), BoxEnd(Fraction(1))
    for i, f in enumerate(here.facts):
        s = f.polynomial.coefficient(x)
        r = (f.polynomial - polynomial_of_monomial(x, s)).as_rational if s else None
        if r is None or f.relation == "=":
            continue
        value = -r / s
        if s > 0 and (value > low.value or (low.fact is None and value == low.value)):
            low = BoxEnd(value, i, s)
        elif s < 0 and (value < high.value or (high.fact is None and value == high.value)):
            high = BoxEnd(value, i, -s)
    return low, high


def polynomial_in_exponentials(powers: Powers, variables: tuple[Monomial, ...]) -> Polynomial:
    """The polynomial in exponentials that a polynomial in x is."""
    total = algebra.ZERO
    for exponents, c in powers.items():
        piece = polynomial_of_monomial(algebra.UNIT, c)
        for m, k in zip(variables, exponents, strict=True):
            piece = algebra.multiply_factors(piece, ((polynomial_of_monomial(m), k),))
        total = total + piece
    return total


def bernstein_coefficients(powers: Powers, box: tuple[tuple[BoxEnd, BoxEnd], ...]) -> Powers:
    """The coefficients b_k of a polynomial as sum of b_k * product of C(d, k) s^k (1 - s)^(d -
    k), where s goes from 0 to 1 in the box.
    """
    degrees = [max(k[j] for k in powers) for j in range(len(box))]
    table = {
        k: powers.get(k, Fraction(0)) for k in itertools.product(*(range(d + 1) for d in degrees))
    }
    for j, (low, high) in enumerate(box):
        d, width = degrees[j], high.value - low.value
        for rest in {(*k[:j], 0, *k[j + 1 :]) for k in table}:
            keys = [(*rest[:j], i, *rest[j + 1 :]) for i in range(d + 1)]
            a = [table[k] for k in keys]
            shifted = [
                width**i
                * sum(
                    (a[k] * math.comb(k, i) * low.value ** (k - i) for k in range(i, d + 1)),
                    Fraction(0),
                )
                for i in range(d + 1)
            ]
            for k in range(d + 1):
                table[keys[k]] = sum(
                    (Fraction(math.comb(k, i), math.comb(d, i)) * shifted[i] for i in range(k + 1)),
                    Fraction(0),
                )
    return table


def common_sign(table: Powers) -> int | None:
    """1 or -1 if no coefficient has the other sign; None if both occur."""
    if all(c >= 0 for c in table.values()):
        return 1
    return -1 if all(c <= 0 for c in table.values()) else None


def has_sign_change(powers: Powers, box: tuple[tuple[BoxEnd, BoxEnd], ...]) -> bool:
    """Whether values of both signs occur at the corners and midpoints of the box."""
    return (
        least_sampled_value(powers, box) < 0
        and least_sampled_value({k: -c for k, c in powers.items()}, box) < 0
    )


def least_sampled_value(powers: Powers, box: tuple[tuple[BoxEnd, BoxEnd], ...]) -> Fraction:
    """The smallest value at the corners and midpoints of the box."""
    points = itertools.product(
        *((low.value, (low.value + high.value) / 2, high.value) for low, high in box)
    )
    return min(
        sum(
            (
                c * math.prod(x**k for x, k in zip(point, exponents, strict=True))
                for exponents, c in powers.items()
            ),
            Fraction(0),
        )
        for point in points
    )


def has_few_coefficients(powers: Powers) -> bool:
    """Whether there are few enough coefficients."""
    count: int = math.prod(max(column) + 1 for column in zip(*powers, strict=True))
    return count <= MOST_TERMS


def prove_on_box(p: Polynomial, draft: Draft, clock: Clock) -> bool:
    """Whether p >= 0 was shown on the box of its exponentials by the coefficients of its
    factors; the draft then holds it.
    """
    clock.check("looking at Bernstein coefficients")
    found = polynomial_on_box(p, draft.here)
    if found is None or any(low.value >= high.value for low, high in found.box):
        return False
    if prove_on_box_by_factors(found, Fraction(1), [(found.powers, 1)], draft):
        return True
    try:
        return prove_on_box_by_factors(found, *irreducible_factors(found.powers), draft)
    except Unsupported:
        return False


def prove_on_box_by_factors(
    found: BoxPolynomial, unit: Fraction, listed: list[tuple[Powers, int]], draft: Draft
) -> bool:
    """Whether the coefficients of these factors show p >= 0, of which they are, with their
    powers, unit and monomial, the product.
    """
    if not all(has_few_coefficients(f) for f, _ in listed):
        return False
    tables = [(f, power, bernstein_coefficients(f, found.box)) for f, power in listed]
    signs = [1 if power % 2 == 0 else common_sign(table) for _, power, table in tables]
    if None in signs or unit * math.prod(s for s in signs if s) < 0:
        return False
    trial = draft.copy()
    faces = [box_face_facts(found, j, trial) for j in range(len(found.box))]
    numbers = [trial.take_sign(polynomial_of_monomial(found.monomial))] if found.monomial else []
    for (f, power, table), s in zip(tables, signs, strict=True):
        number = add_factor_fact(
            polynomial_in_exponentials(f, found.variables),
            s or 1,
            power,
            bernstein_products(table, s or 1, found.box, faces),
            trial,
        )
        numbers += [number] * (power if power % 2 else power // 2)
    trial.terms.append((abs(unit), tuple(numbers)))
    draft.here, draft.lemmas, draft.terms = trial.here, trial.lemmas, trial.terms
    return True


def add_factor_fact(f: Polynomial, s: int, power: int, proof: Products, draft: Draft) -> int:
    """The number of the fact s * f >= 0, or f^2 >= 0 for an even power."""
    if power % 2 == 0:
        return draft.take(Lemma("square", (polynomial_tree(f),)))
    return draft.take(Lemma("proved", (polynomial_tree(f.scale(s)),), ">=", (proof,)))


def box_face_facts(
    found: BoxPolynomial, j: int, draft: Draft
) -> tuple[tuple[int, Fraction], tuple[int, Fraction]]:
    """The facts x_j - a_j >= 0 and b_j - x_j >= 0 with their sizes, added where they follow from
    x_j = exp(-t), t >= 0.
    """
    low, high = found.box[j]
    x, t = polynomial_of_monomial(found.variables[j]), found.exponents[j]
    below = (draft.take_sign(x, ">"), Fraction(1)) if low.fact is None else (low.fact, low.size)
    if high.fact is not None:
        return below, (high.fact, high.size)
    return below, (
        draft.take(
            Lemma(
                "order",
                (polynomial_tree(-t), polynomial_tree(algebra.ZERO)),
                ">=",
                (Products(((Fraction(1), (draft.take_sign(t),)),)),),
            )
        ),
        Fraction(1),
    )


def bernstein_products(
    table: Powers,
    s: int,
    box: tuple[tuple[BoxEnd, BoxEnd], ...],
    faces: list[tuple[tuple[int, Fraction], tuple[int, Fraction]]],
) -> Products:
    """s times the polynomial with these coefficients, as a sum of products of the facts about
    the faces of the box.
    """
    degrees = [max(column) for column in zip(*table, strict=True)]
    terms: list[tuple[Fraction, tuple[int, ...]]] = []
    for index, c in table.items():
        if not c:
            continue
        numbers: tuple[int, ...] = ()
        for k, d, (low, high), ((below, size), (above, other)) in zip(
            index, degrees, box, faces, strict=True
        ):
            c = c * math.comb(d, k) / ((high.value - low.value) ** d * size**k * other ** (d - k))
            numbers = (*numbers, *(below,) * k, *(above,) * (d - k))
        terms.append((c * s, numbers))
    return Products(tuple(terms))


def is_cut_box(p: Polynomial, here: Context) -> bool:
    """Whether a box was cut already, so that smaller boxes should be tried next."""
    found = polynomial_on_box(p, here)
    return found is not None and any(
        side.value not in (0, 1) for sides_ in found.box for side in sides_
    )


def prove_by_squares(p: Polynomial, draft: Draft, clock: Clock) -> bool:
    """Whether p >= 0 was shown with squares of differences of exponentials among the facts; the
    draft then holds it.
    """
    found = polynomial_on_box(p, draft.here)
    if found is None:
        return False
    trial = draft.copy()
    for j in range(len(found.box)):
        box_face_facts(found, j, trial)
    degrees = [max(column) for column in zip(*found.powers, strict=True)]
    half = [
        k
        for k in itertools.product(*(range(d // 2 + 1) for d in degrees))
        if 2 * sum(k) <= max(map(sum, found.powers))
    ]
    for a, b in itertools.islice(itertools.combinations(half, 2), MOST_SQUARES):
        gap = polynomial_in_exponentials({a: Fraction(1), b: Fraction(-1)}, found.variables)
        trial.take(Lemma("square", (polynomial_tree(gap),)))
    outer = [trial.take_sign(polynomial_of_monomial(found.monomial))] if found.monomial else []
    core = polynomial_in_exponentials(found.powers, found.variables)
    proof = prove_by_products(core, ">=", trial.here, clock, degrees=(1, 2))
    if proof is None:
        return False
    number = trial.take(Lemma("proved", (polynomial_tree(core),), ">=", (proof,)))
    trial.terms.append((Fraction(1), (*outer, number)))
    draft.here, draft.lemmas, draft.terms = trial.here, trial.lemmas, trial.terms
    return True


def box_cut_guard(p: Polynomial, here: Context) -> Polynomial | None:
    """x - c, the guard that halves the longest side of the box, or an order of exponents; None
    where that does not help.

    It does not if p is found negative somewhere, if it has other atoms, or if the box is small
    already.
    """
    found = polynomial_on_box(p, here)
    if found is None or any(low.value >= high.value for low, high in found.box):
        return None
    try:
        _, listed = irreducible_factors(found.powers)
    except Unsupported:
        return None
    odd = [f for f, power in listed if power % 2]
    if not all(has_few_coefficients(f) for f in odd) or any(
        has_sign_change(f, found.box) for f in odd
    ):
        return None
    if all(common_sign(bernstein_coefficients(f, found.box)) is not None for f in odd):
        return None
    if (order := unordered_exponents(found, odd)) is not None:
        return order
    used = [j for j in range(len(found.box)) if any(k[j] for f in odd for k in f)]
    j = max(used, key=lambda j: (found.box[j][1].value - found.box[j][0].value, -j))
    if found.box[j][1].value - found.box[j][0].value <= SMALLEST:
        return None
    middle = (found.box[j][0].value + found.box[j][1].value) / 2
    return polynomial_of_monomial(found.variables[j]) - polynomial_of_monomial(algebra.UNIT, middle)


def is_false_on_box(p: Polynomial, here: Context) -> bool:
    """Whether p is negative somewhere in the box and the facts give no more about its names than
    that box.
    """
    found = polynomial_on_box(p, here)
    if found is None or any(low.value >= high.value for low, high in found.box):
        return False
    names = frozenset().union(*(algebra.polynomial_names(t) for t in found.exponents))
    about = [f.polynomial for f in here.facts if algebra.polynomial_names(f.polynomial) & names]
    return (
        all(is_box_fact(f, found) for f in about)
        and least_sampled_value(found.powers, found.box) < 0
    )


def is_box_fact(f: Polynomial, found: BoxPolynomial) -> bool:
    """Whether a fact is one about a single coordinate, or follows from the exponents being >= 0."""
    basis = tuple(sorted({m for t in found.exponents for m in t.terms}))
    v = coefficient_vector(f, basis)
    if v is None:
        return any(
            m in f.terms and (f - polynomial_of_monomial(m, f.terms[m])).as_rational is not None
            for m in found.variables
        )
    solution = solve_columns(
        tuple(tuple(t.coefficient(m) for m in basis) for t in found.exponents), v
    )
    return solution is not None and min(solution) >= 0


def unordered_exponents(found: BoxPolynomial, odd: list[Powers]) -> Polynomial | None:
    """t_i - t_j where a factor vanishes at x = 0, a corner of the box, and nothing is known of
    their order: with it, a power of x_i factors out.
    """
    corner = [j for j, (low, _) in enumerate(found.box) if low.value == 0]
    for i, j in itertools.combinations(corner, 2):
        if any(min(k[i] + k[j] for k in f) > 0 for f in odd):
            return found.exponents[i] - found.exponents[j]
    return None
