"""Exponentials, logarithms and constants in a requirement: facts that compare them, and values that
replace them.

exp(t) is compared with 1 + t, with another exponential where the difference of the exponents has a
known sign, and with its value at a constant that bounds t; a constant is compared with rational
numbers near it.  Each comparison is proposed as a lemma.

>>> from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> draft = Draft(assume_condition(parse("e >= 2"), Context.empty()))
>>> add_exponential_facts(normal(parse("1 - 8*exp(-e)"), draft.here).num, draft)
>>> [f"exp({low}) <= exp({high})" for lemma in draft.lemmas if lemma.kind == "order" for low, high in (lemma.arguments,)]
['exp(-e) <= exp(-2)', 'exp(-e) <= exp(0)']
"""

from __future__ import annotations

import itertools
from fractions import Fraction

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import Lemma, Products
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import (
    Monomial,
    Polynomial,
    Ratio,
    atom_names,
    exp_of,
    polynomial_names,
    polynomial_of_atom,
    polynomial_of_monomial,
    ratio_of_atom,
)
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import to_expression
from ahdp_verify.kernel.rules.inequalities import sign_polynomial
from ahdp_verify.search.proving.draft import Draft, polynomial_tree

COMBINED = 4  # products of exponentials whose exponents are compared with their exponentials
COMPARED = 8  # exponents of which all pairs are compared; more make the programme too large


def add_exponential_facts(p: Polynomial, draft: Draft) -> None:
    """Facts about the exponentials and logarithms in p: signs, exp(t) >= 1 + t, and bounds that
    known bounds of the exponent give.
    """
    for a in sorted(algebra.polynomial_atoms(p)):
        if not atom_names(a):
            continue
        if a.kind == "log":
            for e in (Fraction(1), Fraction(-1)):
                draft.offer(Lemma("exp", (polynomial_tree(polynomial_of_atom(a).scale(e)),)))
        if a.kind != "exp":
            continue
        exponents = sorted({e for m in p.terms for b, e in m.powers if b == a})
        m, den = a.payload
        for e in dict.fromkeys((Fraction(1), Fraction(-1), *map(Fraction, exponents))):
            draft.offer(Lemma("sign", (polynomial_tree(ratio_of_atom(a, e).num),), ">"))
            draft.offer(Lemma("exp", (to_expression(Ratio(polynomial_of_monomial(m, e), den)),)))
    add_combined_exponents(p, draft)
    for m in p.terms:
        add_ordered_exponentials(m, draft)
        add_ordered_quotients(m, draft)
    add_undone_logarithms(draft)
    for t in exponent_differences(p, draft.here):
        draft.offer(
            Lemma(
                "order",
                (polynomial_tree(-t), polynomial_tree(algebra.ZERO)),
                ">" if draft.here.signs(t) == {1} else ">=",
                (None,),
            )
        )


def add_combined_exponents(p: Polynomial, draft: Draft) -> None:
    """exp(t) > 0 and exp(t) >= 1 + t for the exponents +-t of products of exponentials in p."""
    several = (m for m in p.terms if sum(1 for a, _ in m.powers if a.kind == "exp") > 1)
    for t in list(dict.fromkeys(map(exponent_of, several)))[:COMBINED]:
        for q in (t, -t) if polynomial_names(t) else ():
            draft.offer(Lemma("sign", (to_expression(exp_of(Ratio(q))),), ">"))
            draft.offer(Lemma("exp", (polynomial_tree(q),)))


def add_undone_logarithms(draft: Draft) -> None:
    """exp(t) >= 1 for every fact t >= 0 that is a sum of multiples of logarithms and of what
    stands in no other function, so that they are undone.
    """
    for i, f in enumerate(draft.here.facts):
        single = all(
            m.single is not None
            for m in f.polynomial.terms
            if any(a.kind == "log" for a, _ in m.powers)
        )
        if (
            f.relation in (">", ">=")
            and single
            and any(
                a.kind == "log" and atom_names(a) for a in algebra.polynomial_atoms(f.polynomial)
            )
        ):
            draft.offer(
                Lemma(
                    "order",
                    (polynomial_tree(algebra.ZERO), polynomial_tree(f.polynomial)),
                    ">=",
                    (Products(((Fraction(1), (i,)),)),),
                )
            )


def exponent_differences(p: Polynomial, here: Context) -> list[Polynomial]:
    """The differences t >= 0 of the exponents of two terms of p, each once: then 1 >= exp(-t).

    Differences with constants are left out: the programmes become hard, and
    `add_ordered_exponentials` compares with constants.
    """
    logarithms = {
        b.payload.key: b
        for m in p.terms
        for a, _ in m.powers
        if a.kind == "exp"
        for b, _ in a.payload[0].powers
        if b.kind == "log"
    }
    exponents = list(
        dict.fromkeys(exponent_of(m) + logarithmic_exponent(m, logarithms) for m in p.terms)
    )
    if len(exponents) > COMPARED:
        return []
    found: dict[Polynomial, None] = {}
    for a, b in itertools.combinations(exponents, 2):
        for t in (a - b, b - a):
            if (
                t.terms
                and all(polynomial_names(polynomial_of_monomial(m)) for m in t.terms)
                and here.signs(t) <= {0, 1}
            ):
                found[t] = None
    return list(found)


def exponent_of(m: algebra.Monomial) -> Polynomial:
    """t for the factor exp(t) of a monomial, as far as it has no divisors."""
    total = algebra.ZERO
    for a, e in m.powers:
        if a.kind == "exp" and not a.payload[1]:
            total = total + polynomial_of_monomial(a.payload[0], Fraction(e))
    return total


def logarithmic_exponent(m: algebra.Monomial, logarithms: dict[str, algebra.Atom]) -> Polynomial:
    """The sum of k * log(x) for the factors x^k of a monomial whose logarithms stand in
    exponents.
    """
    total = algebra.ZERO
    for a, e in m.powers:
        if a.kind == "name" and a.key in logarithms:
            total = total + polynomial_of_atom(logarithms[a.key]).scale(e)
    return total


def add_ordered_exponentials(m: algebra.Monomial, draft: Draft) -> None:
    """For a monomial exp(c * a * n + r), r constant: how it compares with exp(c * a * k + r), for
    each fact that bounds n by a constant k.

    The factor a stands for names and constants of known sign beside the name n; where a * n itself
    is bounded, for 1.
    """
    exponent = exponent_of(m)
    varying = [t for t in exponent.terms if polynomial_names(polynomial_of_monomial(t))]
    if len(varying) != 1:
        return
    c, fixed = (
        exponent.coefficient(varying[0]),
        exponent - polynomial_of_monomial(varying[0], exponent.terms[varying[0]]),
    )
    for i, f in enumerate(draft.here.facts):
        for n, rest in ((varying[0], algebra.UNIT), *_parted(varying[0])):
            d = f.polynomial.coefficient(n)
            k = f.polynomial - polynomial_of_monomial(n, d)
            if d and not polynomial_names(k) and f.relation != "=":
                _compared(
                    exponent,
                    polynomial_of_monomial(rest) * k.scale(-c / d) + fixed,
                    (i, abs(c / d), c * d > 0, polynomial_of_monomial(rest)),
                    draft,
                )


def add_ordered_quotients(m: algebra.Monomial, draft: Draft) -> None:
    """For a monomial exp(t), t a quotient in one name n: how it compares with its value at k,
    for each fact that bounds n by a constant k.
    """
    exponent = Ratio(algebra.ZERO)
    for a, e in m.powers:
        if a.kind == "exp":
            exponent = exponent + Ratio(
                polynomial_of_monomial(a.payload[0], Fraction(e)), a.payload[1]
            )
    used = algebra.ratio_names(exponent)
    if not exponent.den or len(used) != 1:
        return
    (n,) = used
    for i, f in enumerate(draft.here.facts):
        if (
            polynomial_names(f.polynomial) != {n}
            or (split := algebra.linear_coefficients(f.polynomial, n)) is None
            or f.relation == "="
        ):
            continue
        try:
            there = algebra.replace_name(exponent, n, -Ratio(split[1]) / Ratio(split[0]))
            gap = sign_polynomial(exponent - there, draft.here)
        except (Undecided, Unsupported, ZeroDivisionError):
            continue
        scale = _multiple_of(gap, f.polynomial)
        if scale:
            ends = (to_expression(there), to_expression(exponent))
            draft.offer(
                Lemma(
                    "order",
                    ends if scale > 0 else ends[::-1],
                    ">=",
                    (Products(((abs(scale), (i,)),)),),
                )
            )
            add_constant_bounds(algebra.exp_of(there).num, draft)


def _multiple_of(p: Polynomial, q: Polynomial) -> Fraction | None:
    """The rational p / q, or None."""
    m = next(iter(q.terms))
    scale = p.coefficient(m) / q.coefficient(m)
    return scale if p == q.scale(scale) else None


def _parted(m: algebra.Monomial) -> list[tuple[algebra.Monomial, algebra.Monomial]]:
    """Each name in a product of several, with the others."""
    return [
        (Monomial(((a, e),)), Monomial(pair for pair in m.powers if pair[0] != a))
        for a, e in m.powers
        if a.kind == "name" and e == 1 and len(m.powers) > 1
    ]


def _compared(
    exponent: Polynomial,
    bound: Polynomial,
    why: tuple[int, Fraction, bool, Polynomial],
    draft: Draft,
) -> None:
    """The order lemma between two exponents whose difference is a multiple of a fact times a
    factor of known sign.
    """
    i, scale, above, factor = why
    numbers: tuple[int, ...] = (i,)
    if factor != algebra.ONE:
        signs = draft.here.signs(factor)
        if not signs <= {0, 1} and not signs <= {0, -1}:
            return
        positive = signs <= {0, 1}
        numbers, above = (i, draft.take_sign(factor if positive else -factor)), above is positive
    low, high = (
        (polynomial_tree(bound), polynomial_tree(exponent))
        if above
        else (polynomial_tree(exponent), polynomial_tree(bound))
    )
    draft.offer(Lemma("order", (low, high), ">=", (Products(((scale, numbers),)),)))


def add_constant_bounds(p: Polynomial, draft: Draft) -> None:
    """Rational enclosures of the constants in p, as facts."""
    for a in sorted(algebra.polynomial_atoms(p)):
        if atom_names(a) or a.kind == "abs":
            continue
        for e in sorted({e for m in p.terms for b, e in m.powers if b == a}):
            low, high = (Fraction(x).limit_denominator(10**6) for x in enclose(ratio_of_atom(a, e)))
            value, width = ratio_of_atom(a, e).num, Fraction(1, 10**5)
            draft.offer(
                Lemma(
                    "sign",
                    (polynomial_tree(value - polynomial_of_monomial(algebra.UNIT, low - width)),),
                    ">",
                )
            )
            draft.offer(
                Lemma(
                    "sign",
                    (polynomial_tree(polynomial_of_monomial(algebra.UNIT, high + width) - value),),
                    ">",
                )
            )


def substitute_fixed_names(p: Polynomial, draft: Draft) -> Polynomial:
    """What is left of p >= 0 after exponentials of a name that a fact fixes were replaced by
    those of its value.
    """
    for i, fact in enumerate(draft.here.facts):
        name_ = last_linear_name(fact.polynomial) if fact.relation == "=" else None
        if name_ is None:
            continue
        for m, c in list(p.terms.items()):
            inner = tuple((a, k) for a, k in m.powers if a.kind == "exp" and name_ in atom_names(a))
            rest = polynomial_of_monomial(Monomial(p for p in m.powers if p not in inner))
            signs = draft.here.signs(rest)
            if not inner or not (signs <= {0, 1} or signs <= {0, -1}):
                continue
            if (number := _same_exponential(Monomial(inner), name_, i, draft)) is not None:
                side = 1 if signs <= {0, 1} else -1
                draft.terms.append(
                    (
                        Fraction(c * side),
                        (number,)
                        if rest == algebra.ONE
                        else (draft.take_sign(rest.scale(side)), number),
                    )
                )
                p = p - (rest * draft.here.facts[number].polynomial).scale(c)
    return p


def last_linear_name(p: Polynomial) -> str | None:
    """The last name x, in alphabetical order, with p = c * x + r, c rational and r free of x;
    None if there is none.
    """
    for name_ in sorted(polynomial_names(p), reverse=True):
        parts = algebra.linear_coefficients(p, name_)
        if parts is not None and parts[0].as_rational:
            return name_
    return None


def _same_exponential(m: algebra.Monomial, name_: str, i: int, draft: Draft) -> int | None:
    """The number of a fact exp(t) - exp(t') = 0, where exp(t) is m and fact i replaces the name
    in t; None if t is not linear in it.
    """
    t = exponent_of(m)
    parts, fact = algebra.linear_coefficients(t, name_), draft.here.facts[i].polynomial
    solved = algebra.linear_coefficients(fact, name_)
    k = solved[0].as_rational if solved is not None else None
    if parts is None or not k or len(parts[0].terms) != 1:
        return None
    slope = parts[0].scale(1 / k)
    signs = draft.here.signs(slope)
    if not (signs <= {0, 1} or signs <= {0, -1}):
        return None
    side = 1 if signs <= {0, 1} else -1
    there = t - slope * fact
    constant_ = slope.as_rational
    factor: tuple[int, ...] = () if constant_ is not None else (draft.take_sign(slope.scale(side)),)
    size = Fraction(side) if constant_ is None else constant_
    for low, high, c in ((t, there, -size), (there, t, size)):
        draft.take(
            Lemma(
                "order",
                (polynomial_tree(low), polynomial_tree(high)),
                ">=",
                (Products(((c, (*factor, i)),)),),
            )
        )
    return draft.take(Lemma("sign", (polynomial_tree(draft.here.facts[-1].polynomial),), "="))
