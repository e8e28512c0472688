"""Roots in closed form: of a polynomial in the parameter and one exponential of it, which FLINT
factors and SymPy solves.

SymPy is slow to load, so this module is imported only where it is used. Its results are candidates:
the caller decides with balls whether the function vanishes there.

>>> from ahdp_verify.kernel.terms.grammar import parse
>>> print(*root_forms(parse("exp(2*e) - exp(e) - 1"), "e"))
log(sqrt(5) + 1) - log(2)
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import flint
import sympy

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.terms.expression import LEAVES, Expression, walk
from ahdp_verify.search.intervals import EMPTY, MISSING
from ahdp_verify.sympy_bridge import to_sympy
from ahdp_verify.sympy_trees import from_sympy

DEGREE = 12  # largest degree of a factor whose roots are requested in closed form
LOW = 24  # largest degree of a function with irrational coefficients that SymPy factors
STEEP = 400  # largest degree of a function passed to SymPy
WIDE = 4096  # bits of a number passed to SymPy
FAILURES = (
    *MISSING,
    NotImplementedError,
    TypeError,
    ValueError,
    AttributeError,
    RecursionError,
    sympy.PolynomialError,
)


def rational_inverse(e: Expression) -> Expression:
    """1/e for a constant, without roots in a divisor where SymPy finds such a form."""
    return from_sympy(sympy.expand(sympy.radsimp(1 / to_sympy(e))))


def degree_bound(e: Expression) -> Fraction:
    """A bound of the degree of e as a polynomial, in names and functions alike, numerators and
    divisors counted together.
    """
    if e.head in LEAVES:
        return Fraction(e.head == "name")
    if e.head == "^" and e.args[1].head == "number":
        exponent: Fraction = e.args[1].args[0]
        return degree_bound(e.args[0]) * max(Fraction(1), abs(exponent))
    inner = [degree_bound(a) for a in e.args]
    return sum(inner, Fraction(0)) if e.head in ("+", "*") else max(inner, default=Fraction(0))


def root_forms(e: Expression, parameter: str) -> Iterator[Expression]:
    """Candidates for the roots of e in a parameter: those that SymPy's factors give."""
    t = sympy.Symbol(parameter, real=True)
    try:
        if degree_bound(e) > STEEP or any(
            n.head == "number" and n.args[0].denominator * abs(n.args[0].numerator) >> WIDE
            for n in walk(e)
        ):
            raise Unsupported("a function of a degree, or with numbers, too large for SymPy")
        function = to_sympy(e)
        if function.has(sympy.log):
            function = sympy.exp(sympy.expand_mul(function)) - 1
        listed = [
            *_solved(function, t),
            *(1 / x for x in _solved(function.subs(t, 1 / t), t) if x != 0),
        ]
    except FAILURES:
        return
    for x in listed:
        try:
            yield to_expression(normal(from_sympy(x), EMPTY))
        except FAILURES:
            continue


def _solved(function: Any, t: Any) -> list[Any]:
    """The roots in closed form of a function of t; none where it is not a polynomial in t and one
    exponential of it.
    """
    z = sympy.Symbol("z", positive=True)
    try:
        rate, numerator = _in_units(function, t, z)
        factors = _factors(sympy.expand(numerator), [s for s in (t, z) if numerator.has(s)])
        found = [pair for factor in factors for pair in _of_factor(factor, t, z)]
    except FAILURES:
        return []
    return [root if variable == t else sympy.log(root) / rate for root, variable in found]


def _factors(numerator: Any, variables: list[Any]) -> list[Any]:
    """The factors of a polynomial in these variables: by FLINT if its coefficients are rational,
    else by SymPy, which cannot be stopped and is given low degrees only.
    """
    if not variables:
        return []
    poly = sympy.Poly(numerator, *variables)
    if not (poly.domain.is_ZZ or poly.domain.is_QQ):
        if poly.total_degree() > LOW:
            return []
        return [factor for factor, _ in sympy.factor_list(numerator, *variables)[1]]
    ring = flint.fmpq_mpoly_ctx.get([f"x{i}" for i in range(len(variables))], "lex")
    terms = {row: flint.fmpq(int(c.p), int(c.q)) for row, c in poly.terms()}
    _, listed = ring.from_dict(terms).factor()
    return [
        sympy.Poly(
            {tuple(map(int, row)): sympy.Rational(int(c.p), int(c.q)) for row, c in factor.terms()},
            *variables,
        ).as_expr()
        for factor, _ in listed
    ]


def _in_units(function: Any, t: Any, z: Any) -> tuple[Any, Any]:
    """(k, the numerator as a polynomial in t and z = exp(k t)); Unsupported for exponents that
    are not linear in t.
    """
    function = sympy.expand(
        function,
        power_exp=True,
        power_base=False,
        mul=False,
        log=False,
        multinomial=False,
        basic=False,
    )
    rates = []
    for node in function.atoms(sympy.exp):
        slope, fixed = node.args[0].diff(t), node.args[0].subs(t, 0)
        if any(max(abs(r.p), r.q) > DEGREE**2 for r in fixed.atoms(sympy.Rational)):
            raise Unsupported("a constant that SymPy would split into very many powers")
        if slope.has(t) or not slope.is_Rational:
            raise Unsupported("an exponent that is not linear in the parameter")
        rates.append(slope)
    unit = sympy.Rational(1, math.lcm(*(int(r.q) for r in rates))) if rates else sympy.Integer(1)
    if any(abs(r / unit) > DEGREE**2 for r in rates):
        raise Unsupported("exponents too far apart for a polynomial")
    inside = function.replace(
        lambda n: isinstance(n, sympy.exp) and n.has(t),
        lambda n: z ** (n.args[0].diff(t) / unit) * sympy.exp(n.args[0].subs(t, 0)),
    )
    return unit, sympy.fraction(sympy.together(inside))[0]


def _of_factor(factor: Any, t: Any, z: Any) -> list[tuple[Any, Any]]:
    """The real roots in closed form of a factor in one variable (positive ones in z)."""
    used = [s for s in (t, z) if factor.has(s)]
    if len(used) != 1:
        return []
    poly = sympy.Poly(factor, used[0])
    if poly.degree() > DEGREE:
        return []
    found = sympy.roots(poly, cubics=False, quartics=False)
    return [(r, used[0]) for r in found if r.is_real and (used[0] == t or r.is_positive)]
