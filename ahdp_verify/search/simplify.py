"""A shorter form of a level, for display: factored by FLINT, and accepted only if the canonical
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
from collections.abc import Callable
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
    negative,
    number,
    rebuild,
    substitute,
    transform,
    walk,
)
from ahdp_verify.kernel.terms.words import SMOOTH
from ahdp_verify.search.proving.factorisation import polynomial_factors

KEPT = ("abs", "exp", "log", "max", "min", "floor", "piecewise", "pi", "theta3", *SMOOTH)
FEW = 6  # summands that are factored one by one
LARGEST = 8  # exponents of primes inside one logarithm
PLAIN = 3  # characters by which a sum must be shorter than a product to be preferred


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
    if level.head in ("number", "name"):
        return level
    if level.head in ("max", "min", "abs"):
        return Expression(level.head, tuple(shortest_form(a, here) for a in level.args))
    try:
        r = normal(level, here)
        parts = (
            [add(*(shortest_form(t, here) for t in level.args))]
            if level.head == "+" and len(level.args) <= FEW
            else []
        )
        factored = () if _is_exponential(r) else (*combined_logarithms(r), *_factored(r))
        forms = dict.fromkeys((*factored, *parts, to_expression(r), level))
    except (Undecided, Unsupported, ZeroDivisionError, BadInput):
        return level
    fitting = [e for e in forms if e == level or is_same_value(e, level, here)]
    return min(fitting, key=shown_length)


def shown_length(e: Expression) -> int:
    """The length by which forms are compared."""
    return len(str(e)) + (PLAIN if e.head == "+" else 0)


def _is_exponential(r: Ratio) -> bool:
    """Whether r is a rational multiple of one exponential, of which nothing can be factored out."""
    if r.den or len(r.num.terms) != 1:
        return False
    (m,) = r.num.terms
    return [a.kind for a, _ in m.powers] == ["exp"]


def combined_logarithms(r: Ratio) -> list[Expression]:
    """Rational multiples of logarithms as one logarithm: log(2) + log(5) - log(3) is log(10/3)."""
    logs = {
        m.single: c
        for m, c in r.num.terms.items()
        if m.single is not None and m.single.kind == "log"
    }
    rest = Polynomial({m: c for m, c in r.num.terms.items() if m.single not in logs})
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
    for a, k in m.powers:
        if a.kind == "exp":
            e = e + Ratio(algebra.polynomial_of_monomial(a.payload[0], k), a.payload[1])
    return e, Ratio(
        algebra.polynomial_of_monomial(
            algebra.Monomial(pair for pair in m.powers if pair[0].kind != "exp"), c
        )
    )


def _factored(r: Ratio) -> list[Expression]:
    """The ratio with numerator and denominator as products of polynomials in names, powers, and
    functions of these, each a variable of its own.
    """
    factors = _Factors()
    factors.multiply(r.num, 1)
    for p, k in r.den:
        factors.multiply(p, -k)
    whole = without_leading_minus(factors.product())
    return [whole, transform(whole, _square)]


class _Factors:
    """A product in the making; `variables` stand for what is not a polynomial."""

    def __init__(self) -> None:
        self.coefficient = Fraction(1)
        self.powers: list[tuple[Polynomial, int]] = []
        self.variables: dict[Expression, Expression] = {}

    def multiply(self, p: Polynomial, k: int) -> None:
        """The product times p^k."""
        tree = to_expression(Ratio(p))
        sizes = {e.args[0] for e in walk(tree) if e.head == "abs" and e.args[0].head == "name"}

        def opaque(e: Expression) -> Expression | None:
            if e.head == "^" and e.args[0] in sizes and _is_even(e.args[1]):
                return Expression("^", (self._variable(Abs(e.args[0])), e.args[1]))
            kept = e.head in KEPT or (e.head == "^" and not _is_whole(e.args[1]))
            return self._variable(e) if kept else None

        flat = normal(transform(tree, opaque), Context.empty()).num
        c, listed = polynomial_factors(flat)
        self.coefficient *= c**k
        self.powers += [(f, k * n) for f, n in listed]

    def _variable(self, e: Expression) -> Expression:
        return self.variables.setdefault(e, name(f"opaque{len(self.variables)}"))

    def product(self) -> Expression:
        """The product, with what the variables stand for: 1 - exp(-eps) rather than exp(-eps) - 1,
        and x - l rather than a minus sign before l - x.
        """
        self._turn_round(lambda f: f.terms.get(algebra.UNIT, 0) < 0)
        if self.coefficient < 0:
            self._turn_round(
                lambda f: self.coefficient < 0 and len(f.terms) > 1 and algebra.UNIT not in f.terms
            )
        back = {key.args[0]: e for e, key in self.variables.items()}
        bases = [(_sum(substitute(to_expression(Ratio(f)), back)), n) for f, n in self.powers]
        powers = (e if n == 1 else Expression("^", (e, number(n))) for e, n in bases)
        return multiply(number(self.coefficient), *sorted(powers, key=_place))

    def _turn_round(self, chosen: Callable[[Polynomial], bool]) -> None:
        """-f in place of every odd power of an f that is chosen."""
        for i, (f, n) in enumerate(self.powers):
            if n % 2 and chosen(f):
                self.powers[i], self.coefficient = (-f, n), -self.coefficient


def _sum(e: Expression) -> Expression:
    """A sum with what is subtracted last."""
    return add(*sorted(e.args, key=_negative)) if e.head == "+" else e


def _place(e: Expression) -> tuple[bool, bool, str]:
    """Sorts the factors of a product: what divides comes last, and sums after single names."""
    is_power = e.head == "^" and e.args[1].head == "number"
    base = e.args[0] if is_power else e
    return is_power and e.args[1].args[0] < 0, base.head == "+", str(e)


def _is_whole(e: Expression) -> bool:
    return e.head == "number" and e.args[0].denominator == 1 and e.args[0] >= 0


def _is_even(e: Expression) -> bool:
    return _is_whole(e) and e.args[0] % 2 == 0


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
