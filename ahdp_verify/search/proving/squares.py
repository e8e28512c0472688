"""Polynomials that are >= 0 wherever a name lies, because a square takes the name away.

    p = L (x - u)^2 + c      here |- L > 0      here |- c >= 0
    ----------------------------------------------------------
                        here |- p >= 0

p      of degree 2 in a name x, which occurs in no function;  L, u, c are free of x
L      a constant, or whatever else has a known sign; c has one name less, and is shown likewise

Densities whose reciprocal is a polynomial, as that of Cauchy noise, are compared by such p, which
touch 0 where the loss is largest.  Roots in L are made rational: 1 / (1 + sqrt(5)) is
(sqrt(5) - 1) / 4.  Other constants, such as exp(1), are replaced by rational numbers near them
where p has no zero; L that depends on parameters is divided by in a case split (`square_split`).

>>> from ahdp_verify.kernel.numbers.normal_form import normal
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> from ahdp_verify.search.limits import Limits
>>> draft = Draft(Context.empty())
>>> p = normal(parse("(3 + sqrt(5))/2*(1 + (y - n - 1)^2) - (1 + (y - n)^2)"), draft.here).num
>>> prove_by_completed_squares(p, draft, Limits().clock())
True
>>> [lemma.kind for lemma in draft.lemmas]
['square', 'sign']
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from math import lcm

from ahdp_verify.kernel.evidence.certificate import (
    CaseSplit,
    Evidence,
    InequalityLeaf,
    Lemma,
    Products,
)
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import (
    Monomial,
    Polynomial,
    Ratio,
    constant,
    name_atom,
    polynomial_names,
    polynomial_of_monomial,
    symbol,
)
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.rules.inequalities import sign_polynomial
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving.draft import Draft, polynomial_tree
from ahdp_verify.search.proving.factorisation import polynomial_factors
from ahdp_verify.search.proving.one_variable import exp_sign_proof
from ahdp_verify.search.proving.positivity import add_positivity
from ahdp_verify.search.proving.products import prove_by_products

NAMES = 5  # most names of a polynomial that is written with squares
SIZE = 36  # most products of the roots in a constant that is inverted
DIGITS = (2, 4, 8, 16, 32)  # bits to which constants are rounded, in turn


def quadratic_names(p: Polynomial) -> tuple[str, ...]:
    """The names of degree 2 in p that occur in no function in it."""
    inside = {n for a in p.exponents if a.kind != "name" for n in algebra.atom_names(a)}
    found = (
        a.payload
        for a, powers in p.exponents.items()
        if a.kind == "name" and powers <= {0, 1, 2} and 2 in powers
    )
    return tuple(sorted(set(found) - inside))


def coefficients_of(p: Polynomial, x: str) -> tuple[Polynomial, Polynomial, Polynomial]:
    """(c, b, a) with p = a x^2 + b x + c, for a name of degree 2 at most."""
    atom, parts = name_atom(x), [dict[Monomial, algebra.Rational]() for _ in range(3)]
    for m, c in p.terms.items():
        power = dict(m.powers).get(atom, 0)
        parts[int(power)][Monomial((a, e) for a, e in m.powers if a != atom)] = c
    return Polynomial(parts[0]), Polynomial(parts[1]), Polynomial(parts[2])


def inverse_of_roots(p: Polynomial) -> Polynomial | None:
    """1 / p for a sum of rational multiples of roots, as such a sum; None for another p.

    1 / p is a combination of the products of the roots in p: the equations for its coefficients
    are solved.
    """
    if not p.terms or any(a.kind != "prime" for a in p.exponents):
        return None
    steps = [lcm(*(e.denominator for e in powers)) for powers in p.exponents.values()]
    choices = [[Fraction(i, n) for i in range(n)] for n in steps]
    basis = [
        algebra.monomial_of_powers({a: e for a, e in zip(p.exponents, row, strict=True) if e})[1]
        for row in itertools.islice(itertools.product(*choices), SIZE + 1)
    ]
    if len(basis) > SIZE:
        return None
    columns = [p * polynomial_of_monomial(m) for m in basis]
    rows = [[column.coefficient(m) for column in columns] + [Fraction(not m)] for m in basis]
    solution = solved(rows)
    if solution is None:
        return None
    found = {m: algebra.exact(c) for m, c in zip(basis, solution, strict=True) if c}
    return Polynomial(found)


def solved(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """The solution of a system of linear equations, each row with its right-hand side at the end;
    None where it is not unique.
    """
    n = len(rows)
    for i in range(n):
        pivot = next((k for k in range(i, n) if rows[k][i]), None)
        if pivot is None:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [c / rows[i][i] for c in rows[i]]
        for k in range(n):
            if k != i and rows[k][i]:
                rows[k] = [a - rows[k][i] * b for a, b in zip(rows[k], rows[i], strict=True)]
    return [row[-1] for row in rows]


def prove_by_completed_squares(p: Polynomial, draft: Draft, clock: Clock) -> bool:
    """Whether p >= 0 was shown with squares that take its names away one by one; the draft then
    holds it.
    """
    if not 0 < len(polynomial_names(p)) <= NAMES or not quadratic_names(p):
        return False
    for q, lower in rounded_constants(p, draft, clock):
        trial = lower
        if _completed(q, trial, clock):
            draft.here, draft.lemmas, draft.terms = trial.here, trial.lemmas, trial.terms
            return True
    return False


def _completed(p: Polynomial, draft: Draft, clock: Clock) -> bool:
    """Whether p >= 0 was added to the draft, by a square or for itself."""
    if draft.here.signs(p) <= {0, 1}:
        draft.terms += sign_term(p, draft)
        return True
    for x in quadratic_names(p):
        clock.count(1, "completing squares")
        trial = draft.copy()
        rest = take_square(p, x, trial)
        if rest is not None and _completed(rest, trial, clock):
            draft.here, draft.lemmas, draft.terms = trial.here, trial.lemmas, trial.terms
            return True
    return _shown(p, draft, clock)


def sign_term(p: Polynomial, draft: Draft) -> list[tuple[Fraction, tuple[int, ...]]]:
    """The product that p is, for a p of known sign; none for 0."""
    value = p.as_rational
    if value is not None:
        return [(value, ())] if value else []
    strict = ">" if draft.here.signs(p) == {1} else ">="
    return [(Fraction(1), (draft.take_sign(p, strict),))]


def take_square(p: Polynomial, x: str, draft: Draft) -> Polynomial | None:
    """What is left of p once a square that contains all of x was added to the draft; None if its
    coefficient is neither a positive constant nor such a constant times a square.
    """
    c, b, a = coefficients_of(p, x)
    split = square_factor(a)
    if split is None or draft.here.signs(split[0]) != {1}:
        return None
    outer, root = split
    inverse, half = inverse_of_roots(outer), algebra.divide(b.scale(Fraction(1, 2)), root)
    if inverse is None or half is None:
        return None
    u = half * inverse
    square = draft.take(Lemma("square", (polynomial_tree(root * symbol(x).num + u),)))
    value = outer.as_rational
    term = (Fraction(1), (square, draft.take_sign(outer))) if value is None else (value, (square,))
    draft.terms.append(term)
    return c - outer * u * u


def square_factor(a: Polynomial) -> tuple[Polynomial, Polynomial] | None:
    """(k, m) with a = k m^2 and k free of names; None if there is none."""
    c, factors = polynomial_factors(a)
    outer, root = polynomial_of_monomial(algebra.UNIT, c), algebra.ONE
    for f, e in factors:
        if not polynomial_names(f):
            outer = outer * algebra.multiply_factors(algebra.ONE, ((f, e),))
        elif len(f.terms) == 1:
            ((m, _),) = f.terms.items()
            fixed, half = _halved(m)
            if half is None:
                return None
            outer, root = outer * fixed, root * half
        elif e % 2:
            return None
        else:
            root = algebra.multiply_factors(root, ((f, e // 2),))
    return outer, root


def _halved(m: Monomial) -> tuple[Polynomial, Polynomial | None]:
    """(k, n) with m = k n^2, k the constants in m; n is None if a name has an odd exponent."""
    fixed = Monomial((a, e) for a, e in m.powers if not algebra.atom_names(a))
    moving = [(a, e) for a, e in m.powers if algebra.atom_names(a)]
    if any(e % 2 and a.kind not in algebra.INVERTIBLE for a, e in moving):
        return algebra.ONE, None
    half = Monomial((a, algebra.quotient(e, 2)) for a, e in moving)
    return polynomial_of_monomial(fixed), polynomial_of_monomial(half)


def _shown(p: Polynomial, draft: Draft, clock: Clock) -> bool:
    """Whether p >= 0 was added to the draft by zeros or by products of facts."""
    proof = exp_sign_proof(p, ">=", draft.here, clock) or prove_by_products(
        p, ">=", draft.here, clock, degrees=(1, 2)
    )
    if proof is None:
        return False
    number = draft.take(Lemma("proved", (polynomial_tree(p),), ">=", (proof,)))
    draft.terms.append((Fraction(1), (number,)))
    return True


def rounded_constants(
    p: Polynomial, draft: Draft, clock: Clock
) -> Iterator[tuple[Polynomial, Draft]]:
    """p, then smaller polynomials with rational numbers in place of constants such as exp(1), each
    with the draft that holds the difference.
    """
    yield p, draft.copy()
    parts = constant_parts(p)
    if len(parts) < 2 - (algebra.UNIT not in parts):
        return
    for bits in DIGITS:
        trial, left = draft.copy(), parts.get(algebra.UNIT, algebra.ZERO)
        for m, part in parts.items():
            if m:
                rounded = _rounded(m, part, bits, trial, clock)
                if rounded is None:
                    return
                left = left + rounded
        yield left, trial


def constant_parts(p: Polynomial) -> dict[Monomial, Polynomial]:
    """The polynomial beside each product of constants in p."""
    found: dict[Monomial, dict[Monomial, algebra.Rational]] = {}
    for m, c in p.terms.items():
        inner = Monomial((a, e) for a, e in m.powers if not algebra.atom_names(a))
        outer = Monomial((a, e) for a, e in m.powers if algebra.atom_names(a))
        found.setdefault(inner, {})[outer] = c
    return {m: Polynomial(terms) for m, terms in found.items()}


def _rounded(
    m: Monomial, part: Polynomial, bits: int, draft: Draft, clock: Clock
) -> Polynomial | None:
    """A rational multiple of a part, at most its multiple by the constant m, once the difference
    was added to the draft; None where the part has no known sign.
    """
    number = sign_fact(part, draft, clock)
    if number is None:
        return None
    direction, fact = number
    low, high = enclose(Ratio(polynomial_of_monomial(m)))
    scale = 1 << bits
    near = (
        Fraction((low * scale).__floor__(), scale)
        if direction > 0
        else Fraction((high * scale).__ceil__(), scale)
    )
    gap = (polynomial_of_monomial(m) - constant(near).num).scale(direction)
    draft.terms.append((Fraction(1), (fact, draft.take_sign(gap))))
    return part.scale(near)


def sign_fact(p: Polynomial, draft: Draft, clock: Clock) -> tuple[int, int] | None:
    """(1 or -1, the number of a fact that p times it is >= 0); None if no square shows it."""
    for direction in (1, -1):
        q = p.scale(direction)
        if draft.here.signs(q) <= {0, 1}:
            return direction, draft.take_sign(q)
        trial = Draft(draft.here, draft.before)
        if _completed(q, trial, clock):
            for lemma in trial.lemmas:
                draft.take(lemma)
            shown = Products(tuple(trial.terms))
            return direction, draft.take(Lemma("proved", (polynomial_tree(q),), ">=", (shown,)))
    return None


def square_lemmas(p: Polynomial, here: Context, clock: Clock) -> tuple[Lemma, ...]:
    """Lemmas that show p or -p to be > 0, or >= 0, by squares, or by those of its factors; none if
    they do not.
    """
    if len(polynomial_names(p)) > NAMES:
        return ()
    if not quadratic_names(p):
        return _lemmas_of_factors(p, here, clock)
    for q in (p, -p):
        trial = Draft(here)
        if not _completed(q, trial, clock):
            continue
        strict = any(
            c > 0 and all(trial.here.facts[i].relation == ">" for i in numbers)
            for c, numbers in trial.terms
        )
        shown, relation = Products(tuple(trial.terms)), ">" if strict else ">="
        return (*trial.lemmas, Lemma("proved", (polynomial_tree(q),), relation, (shown,)))
    return ()


def _lemmas_of_factors(p: Polynomial, here: Context, clock: Clock) -> tuple[Lemma, ...]:
    """Lemmas that show the sign of a power or product of polynomials with such lemmas."""
    c, factors = polynomial_factors(p)
    if all(k == 1 for _, k in factors) or not any(quadratic_names(f) for f, _ in factors):
        return ()
    draft, numbers, sign = Draft(here), list[int](), 1 if c > 0 else -1
    for f, k in factors:
        if len(draft.here.signs(f)) > 1:
            for lemma in square_lemmas(f, draft.here, clock) if quadratic_names(f) else ():
                draft.take(lemma)
        signs = draft.here.signs(f)
        if signs not in ({1}, {-1}):
            return ()
        (s,) = signs
        sign *= s**k
        numbers += [draft.take_sign(f.scale(s), ">")] * k
    shown = Products(((abs(c), tuple(numbers)),))
    return (*draft.lemmas, Lemma("proved", (polynomial_tree(p.scale(sign)),), ">", (shown,)))


def square_split(r: Ratio, form: str, here: Context, clock: Clock) -> Evidence | None:
    """Evidence for the one requirement r >= 0 of a form, where the coefficient of the square is
    positive but not a constant: r < 0 contradicts (2 a x + b)^2 >= 0 and 4 a c >= b^2.
    """
    content, m, primitive = algebra.primitive_part(sign_polynomial(r, here))
    p = primitive.scale(1 if content > 0 else -1)
    if here.signs(polynomial_of_monomial(m)) != {1} or len(polynomial_names(p)) > NAMES:
        return None
    for x in quadratic_names(p):
        c, b, a = coefficients_of(p, x)
        draft = Draft(here)
        if not _known_positive(a, draft, clock):
            continue
        if not _completed((a * c).scale(4) - b * b, draft, clock):
            continue
        below = draft.here.given(-p, ">")
        inner = Draft(below)
        root = a.scale(2) * symbol(x).num + b
        square = inner.take(Lemma("square", (polynomial_tree(root),)))
        fact = len(draft.here.facts)
        positive = inner.take_sign(a, ">")
        shown = Products((*draft.terms, (Fraction(4), (positive, fact)), (Fraction(1), (square,))))
        never = InequalityLeaf(inner.lemmas, "never", (shown,))
        cases = ((">=", InequalityLeaf((), form)), ("<", never))
        return CaseSplit(draft.lemmas, polynomial_tree(p), cases)
    return None


def _known_positive(a: Polynomial, draft: Draft, clock: Clock) -> bool:
    """Whether a > 0 here, after a lemma where one is needed."""
    if draft.here.signs(a) != {1}:
        add_positivity(a, draft, clock)
        proof = exp_sign_proof(a, ">", draft.here, clock)
        if proof is not None:
            draft.take(Lemma("proved", (polynomial_tree(a),), ">", (proof,)))
    return draft.here.signs(a) == {1}
