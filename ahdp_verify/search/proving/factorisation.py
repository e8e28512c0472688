"""A polynomial in atoms as a product, by SymPy: the sign of a product is that of its factors, and
each is easier to find.

>>> from ahdp_verify.kernel.numbers.algebra import constant, exp_of, symbol
>>> q, u = exp_of(-symbol("eps")), symbol("u")
>>> c, listed = polynomial_factors(((u - constant(1)) * (constant(1) - q * q)).num)
>>> print(c, [(f.key, k) for f, k in listed])
1 [('-1 + u', 1), ('-1 + exp(eps)', 1), ('1 + exp(eps)', 1), ('exp(eps)^(-2)', 1)]
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, polynomial_of_monomial

TERMS = 400  # terms of a polynomial up to which it is factored
DEGREE = 40  # degree in one atom up to which it is factored
ExponentTable = dict[tuple[int, ...], Fraction]


def polynomial_factors(p: Polynomial) -> tuple[Fraction, tuple[tuple[Polynomial, int], ...]]:
    """(c, [(f, k), ...]) with p = c times the product of all f^k; a common monomial is the last
    f, with k = 1.
    """
    if not p.terms:
        return Fraction(0), ()
    atoms = algebra.ordered_atoms(p)
    powers = [[Fraction(dict(m).get(a, 0)) for a in atoms] for m in p.terms]
    low, steps = (
        [min(column) for column in zip(*powers, strict=True)],
        [math.lcm(*(e.denominator for e in column)) for column in zip(*powers, strict=True)],
    )
    rows = [
        tuple(int((e - least) * step) for e, least, step in zip(row, low, steps, strict=True))
        for row in powers
    ]
    c, listed = _split(dict(zip(rows, map(Fraction, p.terms.values()), strict=True)))
    shift, common = algebra.monomial_of_powers({a: e for a, e in zip(atoms, low, strict=True) if e})
    found = tuple((_polynomial(f, atoms, steps), k) for f, k in listed)
    return c * shift, (*found, *(((polynomial_of_monomial(common), 1),) if common else ()))


def _split(table: ExponentTable) -> tuple[Fraction, list[tuple[ExponentTable, int]]]:
    """The factors of a polynomial given by its exponents, or itself where it is too large."""
    if len(table) == 1 or len(table) > TERMS or max(max(row) for row in table) > DEGREE:
        return (next(iter(table.values())), []) if len(table) == 1 else (Fraction(1), [(table, 1)])
    import sympy  # noqa: PLC0415 - slow to load

    names = sympy.symbols(f"x0:{len(next(iter(table)))}")
    unit, listed = sympy.Poly.from_dict(
        {row: sympy.Rational(c.numerator, c.denominator) for row, c in table.items()}, *names
    ).factor_list()
    return _rational(unit), [
        ({row: _rational(c) for row, c in f.terms()}, int(k)) for f, k in listed
    ]


def _rational(c: Any) -> Fraction:
    return Fraction(int(c.p), int(c.q))


def _polynomial(table: ExponentTable, atoms: list[algebra.Atom], steps: list[int]) -> Polynomial:
    total = algebra.ZERO
    for row, c in table.items():
        k, m = algebra.monomial_of_powers(
            {a: Fraction(e, step) for a, e, step in zip(atoms, row, steps, strict=True) if e}
        )
        total = total + polynomial_of_monomial(m, k * c)
    return total
