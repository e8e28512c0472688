"""Exponents as sums of multiples of products, so that exp(a + b) and exp(a) exp(b) become the same
term for a solver.

>>> from ahdp_verify.kernel.terms.expression import name
>>> a, b = name("a"), name("b")
>>> {str(product_of(m)): str(c) for m, c in expand_sum(a * (b + 2) / 3 - log(number(12))).items()}
{'a*b': '1/3', 'a': '2/3', 'log(2)': '-2', 'log(3)': '-1'}
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from ahdp_verify.kernel.terms.exact import prime_factors
from ahdp_verify.kernel.terms.expression import ONE, Expression, log, multiply, number

MOST_TERMS = 64  # terms of an exponent that is expanded; a longer product stays unexpanded

Monomial = tuple[tuple[Expression, int], ...]
ExpandedSum = dict[Monomial, Fraction]


def expand_sum(e: Expression) -> ExpandedSum:
    """e as a sum of rational multiples of products of what is neither a sum, a product nor a
    number.
    """
    if e.head == "number":
        return {(): e.args[0]} if e.args[0] else {}
    if (
        e.head == "^"
        and e.args[1].head == "number"
        and e.args[1].args[0].denominator == 1
        and e.args[0].head not in ("+", "*", "number")
    ):
        return {((e.args[0], int(e.args[1].args[0])),): Fraction(1)}
    if e.head not in ("+", "*"):
        return expand_logarithm(e) if e.head == "log" else {((e, 1),): Fraction(1)}
    total = expand_sum(e.args[0])
    for part in e.args[1:]:
        other = expand_sum(part)
        if e.head == "*" and len(total) * len(other) > MOST_TERMS:
            return {((e, 1),): Fraction(1)}
        total = _summed(
            _product_terms(total, other) if e.head == "*" else [*total.items(), *other.items()]
        )
    return total


def _product_terms(a: ExpandedSum, b: ExpandedSum) -> list[tuple[Monomial, Fraction]]:
    return [(_times(m, n), c * d) for m, c in a.items() for n, d in b.items()]


def _summed(terms: Iterable[tuple[Monomial, Fraction]]) -> ExpandedSum:
    total: ExpandedSum = {}
    for m, c in terms:
        total[m] = total.get(m, Fraction(0)) + c
    return {m: c for m, c in total.items() if c}


def _times(m: Monomial, n: Monomial) -> Monomial:
    powers = dict(m)
    for e, k in n:
        powers[e] = powers.get(e, 0) + k
    return tuple(sorted(((e, k) for e, k in powers.items() if k), key=lambda pair: str(pair[0])))


def expand_logarithm(e: Expression) -> ExpandedSum:
    """log of a positive rational by its primes, of exp(a) as a; another logarithm stays whole."""
    inside = e.args[0]
    if inside.head == "exp":
        return expand_sum(inside.args[0])
    primes = (
        prime_factors(inside.args[0]) if inside.head == "number" and inside.args[0] > 0 else None
    )
    if primes is None:
        return {((e, 1),): Fraction(1)}
    return {((log(number(p)), 1),): Fraction(k) for p, k in primes}


def product_of(m: Monomial) -> Expression:
    """The tree of a monomial."""
    return multiply(ONE, *(e if k == 1 else e ** number(k) for e, k in m))
