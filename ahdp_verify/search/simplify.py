"""A shorter form of a level, for display: factored by SymPy, and accepted only if the canonical
form shows it equal.

>>> from ahdp_verify.kernel.terms.expression import Abs, exp, log, name
>>> x, eps, h, l = name("x"), name("eps"), name("h"), name("l")
>>> print(shortest_form(eps * x / (h - l) - eps * l / (h - l), Context.empty().given(normal(h - l, Context.empty()).num, ">")))
eps*(x - l)/(h - l)
>>> print(shortest_form(x / 2 - x * exp(-eps) / 2, Context.empty()), shortest_form(Abs(x) ** 2 + x * x, Context.empty()))
x*(1 - exp(-eps))/2 2*x^2
>>> print(shortest_form(log(2) + log(5) - log(3) + eps, Context.empty()))
log(10/3) + eps
"""

from __future__ import annotations

import math
from fractions import Fraction

from ahdp_verify.kernel.errors import BadInput, Undecided, Unsupported
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, exp_of
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    add,
    log,
    multiply,
    name,
    names,
    negative,
    number,
    rebuild,
    substitute,
    transform,
    walk,
)
from ahdp_verify.sympy_bridge import from_sympy, to_sympy

KEPT = ("abs", "exp", "log", "max", "min", "floor", "piecewise", "pi")
FEW = 6  # summands that are factored one by one
LARGEST = 8  # exponents of primes inside one logarithm
PLAIN = 3  # characters by which a sum must be shorter than a product to be preferred
# characters of a level that is still worth factoring; measured: beyond it SymPy takes seconds
LONGEST = 4000
# exponents of what is factored: SymPy writes down every power up to it, 10^9 of them where a level
# has nine digits
HIGHEST = 1000


def is_same_value(a: Expression, b: Expression, here: Context) -> bool:
    """True only if the two are equal here, by their canonical forms or by those of their
    exponentials (which undo logarithms).
    """
    try:
        p, q = normal(a, here), normal(b, here)
        return (p - q).is_zero or (exp_of(p) - exp_of(q)).is_zero
    except (Undecided, Unsupported, ZeroDivisionError):
        return a == b


def canonical_form(e: Expression) -> Expression:
    """The canonical form of an expression without names that need facts: two that are shown to be
    equal by their forms have the same; "0" for what is shown to be 0.
    """
    return to_expression(normal(e, Context.empty()))


def shortest_form(level: Expression, here: Context) -> Expression:
    """The shortest of the available forms; all of them are equal here."""
    if level.head in ("max", "min", "abs"):
        return Expression(level.head, tuple(shortest_form(a, here) for a in level.args))
    try:
        r = normal(level, here)
        parts = (
            [add(*(shortest_form(t, here) for t in level.args))]
            if level.head == "+" and len(level.args) <= FEW
            else []
        )
        forms = [*combined_logarithms(r), *_factored(r), *parts, to_expression(r), level]
    except (Undecided, Unsupported, ZeroDivisionError, BadInput):
        return level
    fitting = [e for e in forms if e == level or is_same_value(e, level, here)]
    return min(fitting, key=lambda e: len(str(e)) + (PLAIN if e.head == "+" else 0))


def combined_logarithms(r: Ratio) -> list[Expression]:
    """Rational multiples of logarithms as one logarithm: log(2) + log(5) - log(3) is log(10/3)."""
    logs = {
        m[0][0]: c
        for m, c in r.num.terms.items()
        if len(m) == 1 and m[0][0].kind == "log" and m[0][1] == 1
    }
    rest = Polynomial(
        {m: c for m, c in r.num.terms.items() if not (len(m) == 1 and m[0][0] in logs)}
    )
    if r.den or not logs:
        return []
    scale = Fraction(
        math.gcd(*(c.numerator for c in logs.values())),
        math.lcm(*(c.denominator for c in logs.values())),
    )
    if any(abs(c / scale) > LARGEST for c in logs.values()):
        return []
    inside = math.prod(
        (a.payload ** int(c / scale) for a, c in logs.items()), start=algebra.constant(1)
    )
    value = inside.as_rational
    if (value is not None and value < 1) or (value is None and inside.den):
        scale, inside = -scale, algebra.constant(1) / inside
    outside, inside = split_exponential_factor(inside)
    left = Ratio(rest) + outside.scale(scale)
    term = (
        multiply(number(scale), log(to_expression(inside)))
        if inside.as_rational != 1
        else number(0)
    )
    if left.is_zero or inside.as_rational == 1:
        return [to_expression(left) if inside.as_rational == 1 else term]
    return [add(to_expression(left), term) if scale < 0 else add(term, to_expression(left))]


def split_exponential_factor(r: Ratio) -> tuple[Ratio, Ratio]:
    """(e, rest) with r = exp(e) * rest, where r is a single product; else (0, r)."""
    if r.den or len(r.num.terms) != 1:
        return algebra.constant(0), r
    ((m, c),) = r.num.terms.items()
    e = algebra.constant(0)
    for a, k in m:
        if a.kind == "exp":
            e = e + Ratio(algebra.polynomial_of_monomial(a.payload[0], k), a.payload[1])
    return e, Ratio(
        algebra.polynomial_of_monomial(tuple(pair for pair in m if pair[0].kind != "exp"), c)
    )


def _factored(r: Ratio) -> list[Expression]:
    tree = to_expression(r)
    if (
        len(str(tree)) > LONGEST
        or max(map(largest_exponent, (r.num, *(f for f, _ in r.den)))) > HIGHEST
    ):
        return []
    table: dict[Expression, Expression] = {}
    sizes = {
        node.args[0] for node in walk(tree) if node.head == "abs" and node.args[0].head == "name"
    }

    def opaque(e: Expression) -> Expression | None:
        if (
            e.head == "^"
            and e.args[0] in sizes
            and e.args[1].head == "number"
            and e.args[1].args[0] % 2 == 0
        ):
            return Expression(
                "^", (table.setdefault(Abs(e.args[0]), name(f"opaque{len(table)}")), e.args[1])
            )
        return table.setdefault(e, name(f"opaque{len(table)}")) if e.head in KEPT else None

    flat = transform(tree, opaque)
    back = {key.args[0]: e for e, key in table.items()}
    if not names(flat):
        return []
    whole = substitute(without_leading_minus(from_sympy(to_sympy(flat).factor())), back)
    return [whole, transform(whole, _square)]


def largest_exponent(p: Polynomial) -> int:
    """The largest whole number in an exponent of a polynomial, above or below."""
    exponents = [Fraction(e) for m in p.terms for _, e in m]
    return max((n for e in exponents for n in (abs(e.numerator), e.denominator)), default=0)


def _square(e: Expression) -> Expression | None:
    """u^2 for |u|^2."""
    even = (
        e.head == "^"
        and e.args[0].head == "abs"
        and e.args[1].head == "number"
        and e.args[1].args[0] % 2 == 0
    )
    return Expression("^", (e.args[0].args[0], e.args[1])) if even else None


def without_leading_minus(e: Expression) -> Expression:
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
