"""A shorter form of a level: factored by SymPy, put to the test by the canonical form, for people only.

>>> from ahdp_verify.expression import Abs, exp, log, name
>>> x, eps, h, l = name("x"), name("eps"), name("h"), name("l")
>>> print(factored(eps * x / (h - l) - eps * l / (h - l), Context.empty().given(normal(h - l, Context.empty()).num, ">")))
eps*(x - l)/(h - l)
>>> print(factored(x / 2 - x * exp(-eps) / 2, Context.empty()), factored(Abs(x) ** 2 + x * x, Context.empty()))
x*(1 - exp(-eps))/2 2*x^2
>>> print(factored(log(2) + log(5) - log(3) + eps, Context.empty()))
log(10/3) + eps
"""

from __future__ import annotations

import math
from fractions import Fraction

from ahdp_verify import algebra
from ahdp_verify.algebra import Polynomial, Ratio, of_atom
from ahdp_verify.context import Context, abs_atom, normal, to_expression
from ahdp_verify.errors import BadInput, Undecided, Unsupported
from ahdp_verify.expression import Expression, add, log, multiply, name, names, negative, number, rebuild, substitute, transform
from ahdp_verify.sympy_bridge import from_sympy, to_sympy

KEPT = ("abs", "exp", "log", "max", "min", "floor", "piecewise", "pi")
LARGEST = 8  # exponents of primes inside one logarithm
LONGEST = 4000  # characters of a level that is still worth factoring; measured: beyond it SymPy takes seconds


def settled(r: Ratio) -> Ratio:
    """The ratio with every even power of an absolute value written without it."""
    result = _polynomial(r.num)
    for f, k in r.den:
        result = result / _polynomial(f) ** k
    return result


def _polynomial(p: Polynomial) -> Ratio:
    total = Ratio(algebra.ZERO)
    for m, c in p.terms.items():
        piece = algebra.constant(c)
        for a, e in m:
            even = int(e) // 2 if a.kind == "abs" else 0
            piece = piece * (Ratio(a.payload[0].num) ** (2 * even) * of_atom(a) ** int(e - 2 * even) if even else of_atom(a, Fraction(e)))
        total = total + piece
    return total


def same(a: Expression, b: Expression, here: Context) -> bool:
    """True only if the two are equal here, by their canonical forms."""
    try:
        return settled(normal(a, here) - normal(b, here)).is_zero
    except (Undecided, Unsupported, ZeroDivisionError):
        return a == b


def factored(level: Expression, here: Context) -> Expression:
    """The shortest of the forms that are at hand; all of them are equal here."""
    if level.head in ("max", "min"):
        return Expression(level.head, tuple(factored(a, here) for a in level.args))
    try:
        r = settled(normal(level, here))
        parts = [add(*(factored(t, here) for t in level.args))] if level.head == "+" else []
        forms = [*joined_logs(r), *_factored(r), *parts, to_expression(r), level]
    except (Undecided, Unsupported, ZeroDivisionError, BadInput):
        return level
    fitting = [e for e in forms if e == level or same(e, level, here)]
    return min(fitting, key=lambda e: len(str(e)))


def joined_logs(r: Ratio) -> list[Expression]:
    """Rational multiples of logarithms of primes as one logarithm: log(2) + log(5) - log(3) is log(10/3)."""
    primes: dict[int, Fraction] = {}
    rest: dict[algebra.Monomial, Fraction] = {}
    for m, c in r.num.terms.items():
        value = m[0][0].payload.as_rational if len(m) == 1 and m[0][0].kind == "log" and m[0][1] == 1 else None
        if value is not None and value.denominator == 1:
            primes[int(value)] = c
        else:
            rest[m] = c
    scale = Fraction(math.gcd(*(c.numerator for c in primes.values())), math.lcm(*(c.denominator for c in primes.values()))) if primes else Fraction(0)
    if r.den or len(primes) < 1 or any(abs(c / scale) > LARGEST for c in primes.values()):
        return []
    inside = math.prod((Fraction(p) ** int(c / scale) for p, c in primes.items()), start=Fraction(1))
    scale, inside = (scale, inside) if inside > 1 else (-scale, 1 / inside)
    return [add(multiply(number(scale), log(number(inside))), to_expression(Ratio(Polynomial(rest))))] if rest else [multiply(number(scale), log(number(inside)))]


def _factored(r: Ratio) -> list[Expression]:
    tree = to_expression(_squares(r))
    if len(str(tree)) > LONGEST:
        return []
    table: dict[str, Expression] = {}

    def opaque(e: Expression) -> Expression | None:
        if e.head not in KEPT:
            return None
        key = next((k for k, v in table.items() if v == e), f"opaque{len(table)}")
        table[key] = e
        return name(key)

    flat = transform(tree, opaque)
    if not names(flat):
        return []
    return [substitute(tidy(from_sympy(to_sympy(flat).factor())), table)]


def _squares(r: Ratio) -> Ratio:
    """The ratio with even powers of a name written as powers of its absolute value, where that occurs: |x|^2 + |x| |y| can be factored."""
    inside = {a.payload[0].num for a in algebra.atoms(r.num) if a.kind == "abs"}
    plain = {m[0][0] for p in inside for m in p.terms if len(p.terms) == 1 and len(m) == 1 and m[0][1] == 1}
    total = Ratio(algebra.ZERO)
    for m, c in r.num.terms.items():
        piece = algebra.constant(c)
        for a, e in m:
            even = a in plain and e % 2 == 0
            piece = piece * (of_atom(abs_atom(of_atom(a).num)) ** int(e) if even else of_atom(a, Fraction(e)))
        total = total + piece
    return Ratio(total.num, r.den)


def tidy(e: Expression) -> Expression:
    """A product without a minus sign in front, if a difference in it can be turned round."""
    if e.head != "*" or e.args[0].head != "number" or e.args[0].args[0] >= 0:
        return e
    for i, f in enumerate(e.args):
        if f.head == "+" and any(_negative(t) for t in f.args):
            turned = sorted((negative(t) for t in f.args), key=_negative)
            return multiply(negative(e.args[0]), *e.args[1:i], add(*turned), *e.args[i + 1 :])
    return rebuild(e, e.args)


def _negative(e: Expression) -> bool:
    coefficient = e.args[0] if e.head == "*" else e
    return bool(coefficient.head == "number" and coefficient.args[0] < Fraction(0))
