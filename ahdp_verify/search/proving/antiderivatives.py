"""Antiderivatives of smooth laws, to be stored among the points of a law; the checker tests them.

Each term of the law is integrated by one of these, where q is linear or quadratic in X, and X is
the output s or exp(k s):

    polynomial * exp(-a s^2 + b s)      erf, and powers by parts
    polynomial * sin(k s + b)           by parts, and the same for cos
    polynomial / q^n, n a multiple of 1/2
                                        by the recursion that lowers n by 1, down to atan, log, or
                                        a power of q alone

Powers times exponentials are left out, since the checker integrates them by itself.

>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> for text in ("1/(pi*(1 + s^2))", "exp(-s^2/2)/sqrt(2*pi)", "exp(s)/(1 + exp(s))^2"):
...     print(*antiderivatives(parse(text), real("s"), (), Context.empty()))
atan(s)/pi
erf(sqrt(2)*s/2)/2
-1/(exp(s) + 1)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import (
    Atom,
    Monomial,
    Polynomial,
    Ratio,
    constant,
    exp_of,
    polynomial_of_monomial,
    split_exponent,
    symbol,
)
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import branch_value, normal, to_expression
from ahdp_verify.kernel.numbers.smooth import function_value
from ahdp_verify.kernel.rules.antiderivatives import with_signs
from ahdp_verify.kernel.rules.integration import (
    piece_bounds,
    piece_context,
    summands,
)
from ahdp_verify.kernel.rules.integration_by_parts import split_power
from ahdp_verify.kernel.terms.expression import Expression, names, number, walk
from ahdp_verify.search.proving.factorisation import polynomial_factors

MISSING = (Undecided, Unsupported, ZeroDivisionError)
HALF = Fraction(1, 2)
WAVES = ("sin", "cos")
STEPS = 64  # most steps of a recursion
Coefficients = dict[int, Ratio]  # of the powers of X


def antiderivatives(
    law: Expression, output: Output, points: tuple[Ratio, ...], here: Context
) -> tuple[Expression, ...]:
    """What to store beside the points of a law: for each piece an antiderivative of what is not a
    sum of powers times exponentials there, as far as one is found.
    """
    found: dict[Expression, None] = {}
    smooth = output.kind == "real" and is_smooth(law, output.name)
    for _, _, upper in piece_bounds(len(points)) if smooth else ():
        try:
            place = piece_context(output.name, output.kind, points, upper, here)
            total = antiderivative_on_piece(law, output.name, with_signs(law, place))
        except MISSING:
            continue
        if not total.is_zero:
            found[to_expression(total)] = None
    return tuple(found)


def is_smooth(law: Expression, variable: str) -> bool:
    """Whether a law is written with divisors, roots, or squares in exponents that depend on a
    variable; if it is not, it needs no antiderivative.
    """
    for node in walk(law):
        if node.head == "^" and variable in names(node.args[0]):
            power = node.args[1]
            if power.head != "number" or power.args[0] < 0 or power.args[0].denominator != 1:
                return True
        if node.head in (*WAVES, "log") and variable in names(node):
            return True
        if node.head == "exp" and any(_is_nonlinear(part, variable) for part in walk(node)):
            return True
    return False


def _is_nonlinear(e: Expression, variable: str) -> bool:
    """Whether e is a power of a variable, or a product in which it occurs twice."""
    if e.head == "^":
        return variable in names(e)
    return e.head == "*" and sum(variable in names(a) for a in e.args) > 1


def points_with_antiderivatives(
    law: Expression, output: Output, points: tuple[Ratio, ...], here: Context
) -> tuple[Expression, ...]:
    """The points of a law as evidence stores them, and what is to be stored beside them."""
    return (*map(to_expression, points), *antiderivatives(law, output, points, here))


def antiderivative_on_piece(law: Expression, variable: str, place: Context) -> Ratio:
    """An antiderivative of the terms of a law that are not powers times exponentials; Unsupported
    or Undecided where none is found.
    """
    law = branch_value(law, place) if law.head == "piecewise" else law
    total = constant(0)
    for term in summands(law):
        r = normal(term, place)
        if variable in algebra.ratio_names(r):
            total = total + _of_term(r, variable, place)
    return total


def _of_term(r: Ratio, variable: str, here: Context) -> Ratio:
    """An antiderivative of a term of a law, 0 for powers times exponentials."""
    smooth, total = any(variable in algebra.polynomial_names(f) for f, _ in r.den), constant(0)
    if smooth or any(_root_of(a, variable) for a in r.num.exponents):
        return Substitution.of(r, variable).antiderivative(r, here)
    for m, c in r.num.terms.items():
        rest, exponent = split_exponent(m, variable)
        wave = next((a for a, e in rest.powers if a.kind in WAVES and e == 1), None)
        if wave is not None and variable in algebra.atom_names(wave):
            total = total + Ratio(algebra.ONE, r.den) * _of_wave(m, c, wave, variable)
            continue
        power, free = split_power(rest, variable)
        shape = powers_in(exponent.num, variable)
        b, k, q = (Ratio(shape.get(i, algebra.ZERO), exponent.den) for i in range(3))
        if max(shape) > 2 or any(variable in algebra.polynomial_names(f) for f, _ in exponent.den):
            raise Unsupported("an exponent was not found to be a polynomial of degree 2")
        if not q.is_zero:
            factor = Ratio(polynomial_of_monomial(free, c), r.den) * exp_of(b)
            total = total + factor * gaussian_antiderivative(power, -q, k, symbol(variable), here)
    return total


def _of_wave(m: Monomial, c: algebra.Rational, wave: Atom, variable: str) -> Ratio:
    """An antiderivative of c m, a power of the output times sin or cos of what is linear in it."""
    rest = Monomial(p for p in m.powers if p[0] != wave)
    power, free = split_power(rest, variable)
    inner: Ratio = wave.payload[0]
    split = algebra.linear_coefficients(inner.num, variable)
    if split is None or any(variable in algebra.polynomial_names(f) for f, _ in inner.den):
        raise Unsupported("the argument of a sine was not found to be linear")
    rate, kind, s = Ratio(split[0], inner.den), wave.kind, symbol(variable)
    total, factor = constant(0), Ratio(polynomial_of_monomial(free, c))
    for j in reversed(range(power + 1)):
        turned, sign = ("sin", 1) if kind == "cos" else ("cos", -1)
        total = total + factor * s**j * function_value(turned, inner).scale(sign) / rate
        factor, kind = factor.scale(-sign * j) / rate, turned
    return total


def powers_in(p: Polynomial, variable: str) -> dict[int, Polynomial]:
    """The coefficients of the powers of a variable in a polynomial."""
    found: dict[int, dict[Monomial, algebra.Rational]] = {0: {}}
    for m, c in p.terms.items():
        power, rest = split_power(m, variable)
        found.setdefault(power, {})[rest] = c
    return {i: Polynomial(terms) for i, terms in found.items()}


def gaussian_antiderivative(power: int, a: Ratio, k: Ratio, s: Ratio, here: Context) -> Ratio:
    """An antiderivative of s^power exp(-a s^2 + k s), a > 0."""
    c = k / a.scale(2)
    x, root = s - c, square_root(a, here)
    half = algebra.ratio_power(algebra.PI, constant(HALF)) / root.scale(2)
    edge = exp_of(-a * x * x) / a.scale(2)
    found = [half * function_value("erf", root * x), -edge]
    for j in range(2, power + 1):
        found.append(found[j - 2].scale(j - 1) / a.scale(2) - x ** (j - 1) * edge)
    listed = (found[j] * c ** (power - j) * constant(math.comb(power, j)) for j in range(power + 1))
    return sum(listed, constant(0)) * exp_of(a * c * c)


def square_root(r: Ratio, here: Context) -> Ratio:
    """The square root of what is positive here, without a root where r is a square."""
    above, below = (_root_of_factors(p, here) for p in (r.num, _product(r.den)))
    if above is None or below is None:
        return normal(Expression("^", (to_expression(r), number(HALF))), here)
    return above / below


def _product(den: algebra.Factors) -> Polynomial:
    """The divisor of a ratio multiplied out."""
    return algebra.multiply_factors(algebra.ONE, den)


def _root_of_factors(p: Polynomial, here: Context) -> Ratio | None:
    """The square root of a product of squares of what has a known sign, and of atoms; None for
    another polynomial.
    """
    c, factors = polynomial_factors(p)
    if c <= 0:
        return None
    found = algebra.ratio_power(constant(c), constant(HALF))
    for f, e in factors:
        if len(f.terms) == 1:
            ((m, _),) = f.terms.items()
            listed = [(polynomial_of_monomial(Monomial(((a, 1),))), e * k) for a, k in m.powers]
        else:
            listed = [(f, e)]
        for base, k in listed:
            signs = here.signs(base)
            if signs not in ({1}, {-1}) or (k % 2 and (len(base.terms) > 1 or signs == {-1})):
                return None
            positive = Ratio(base).scale(-1 if signs == {-1} else 1)
            found = found * algebra.ratio_power(positive, constant(Fraction(k) / 2))
    return found


def _root_of(a: Atom, variable: str) -> Ratio | None:
    """The q of an atom exp(log q) that depends on a variable."""
    if a.kind != "exp" or a.payload[1] or variable not in algebra.atom_names(a):
        return None
    inner = a.payload[0].single
    return inner.payload if inner is not None and inner.kind == "log" else None


@dataclass(frozen=True, slots=True)
class Substitution:
    """X = s, or X = exp(rate * s) if there is a rate."""

    variable: str
    rate: Ratio | None

    @staticmethod
    def of(r: Ratio, variable: str) -> Substitution:
        """The substitution that makes a ratio algebraic; Unsupported where none is found."""
        rates = [
            k
            for p in (r.num, *(f for f, _ in r.den))
            for m in p.terms
            if not (k := _rate(m, variable)).is_zero
        ]
        if not rates:
            return Substitution(variable, None)
        shares = [(k / rates[0]).as_rational for k in rates]
        known = [x for x in shares if x is not None]
        if len(known) < len(shares):
            raise Unsupported("the rates of exponentials are not multiples of one of them")
        below = math.lcm(*(x.denominator for x in known))
        step = Fraction(math.gcd(*(int(x * below) for x in known)), below)
        return Substitution(variable, rates[0].scale(step))

    @property
    def x(self) -> Ratio:
        """X as a ratio."""
        s = symbol(self.variable)
        return s if self.rate is None else exp_of(self.rate * s)

    def coefficients(self, p: Polynomial) -> Coefficients:
        """The coefficients of the powers of X in a polynomial."""
        found: Coefficients = {}
        for m, c in p.terms.items():
            rest, exponent = split_exponent(m, self.variable)
            power, free = split_power(rest, self.variable)
            factor = Ratio(polynomial_of_monomial(free, c))
            if self.rate is not None:
                if power:
                    raise Unsupported("powers of the output beside a quotient of exponentials")
                k = _rate(m, self.variable)
                degree = (k / self.rate).as_rational
                power = int(degree or 0)
                factor = factor * exp_of(exponent - k * symbol(self.variable))
            found[power] = found.get(power, constant(0)) + factor
        return found

    def antiderivative(self, r: Ratio, here: Context) -> Ratio:
        """An antiderivative of a ratio of this form over a power of one q; Unsupported
        otherwise.
        """
        outer, divisors, total = constant(1), dict[Polynomial, Fraction](), constant(0)
        top = r.num
        for p, k in r.den:
            share, listed = polynomial_factors(p)
            outer = outer / constant(share) ** k
            for f, i in listed:
                inverse = constant(1) / Ratio(f) ** (i * k)
                if not inverse.den:
                    top = top * inverse.num
                elif self.variable in algebra.polynomial_names(f):
                    divisors[f] = divisors.get(f, Fraction(0)) + i * k
                else:
                    outer = outer * inverse
        for m, c in top.terms.items():
            base = dict(divisors)
            rest, factor = [], outer
            for a, e in m.powers:
                inner = _root_of(a, self.variable)
                if inner is None:
                    rest.append((a, e))
                    continue
                content, unit, primitive = algebra.primitive_part(inner.num)
                if unit or inner.den:
                    raise Unsupported("a root of a product")
                if content < 0:
                    content, primitive = -content, -primitive
                factor = factor * algebra.ratio_power(constant(content), constant(e))
                base[primitive] = base.get(primitive, Fraction(0)) - e
            if len(set(base.values())) != 1:
                raise Unsupported("a law with several divisors")
            q, n = math.prod(base, start=algebra.ONE), next(iter(base.values()))
            above = self.coefficients(polynomial_of_monomial(Monomial(rest), c))
            total = total + factor * self._over_power(above, self.coefficients(q), n, here)
        return total

    def _over_power(
        self, above: Coefficients, below: Coefficients, n: Fraction, here: Context
    ) -> Ratio:
        """An antiderivative of a polynomial in X over the power n of another, with respect to s."""
        low = min(below)
        if self.rate is None and low == max(below):
            q = Quadratic(constant(0), constant(1), constant(0), self.x, here)
            return q.over_power(above, low * n) / algebra.ratio_power(below[low], constant(n))
        if not max(below) - low <= 2 or (low * n).denominator != 1:
            raise Unsupported("a divisor of another degree than 1 and 2")
        c, b, a = (below.get(low + i, constant(0)) for i in range(3))
        q, shift, rate = Quadratic(a, b, c, self.x, here), -int(low * n), self.rate
        if rate is None:
            return q.over_power({i + shift: t for i, t in above.items()}, n)
        return q.over_power({i + shift - 1: t / rate for i, t in above.items()}, n)


def _rate(m: Monomial, variable: str) -> Ratio:
    """The k of a monomial rest * exp(k s + b)."""
    _, exponent = split_exponent(m, variable)
    if any(_root_of(a, variable) for a, _ in m.powers):
        return constant(0)
    split = algebra.linear_coefficients(exponent.num, variable)
    if split is None or any(variable in algebra.polynomial_names(f) for f, _ in exponent.den):
        raise Unsupported("an exponent was not found to be linear")
    return Ratio(split[0], exponent.den)


@dataclass(frozen=True, slots=True)
class Quadratic:
    """a X^2 + b X + c, where a may be 0, in a context in which it is positive or negative."""

    a: Ratio
    b: Ratio
    c: Ratio
    x: Ratio
    here: Context

    @property
    def value(self) -> Ratio:
        """The polynomial as a ratio."""
        return (self.a * self.x + self.b) * self.x + self.c

    @property
    def slope(self) -> Ratio:
        """Its derivative in X."""
        return self.a.scale(2) * self.x + self.b

    def power(self, n: Fraction) -> Ratio:
        """The power n of it."""
        return (
            self.value ** int(n)
            if n.denominator == 1
            else algebra.ratio_power(self.value, constant(n))
        )

    def over_power(self, above: Coefficients, n: Fraction) -> Ratio:
        """An antiderivative in X of the sum of above[i] X^i over q^n; of what has no divisor left,
        none.
        """
        above = {i: c for i, c in above.items() if not c.is_zero}
        if not above or n == 0:
            return constant(0)
        degree = 1 if self.a.is_zero else 2
        if (n < 0 and degree == 2) or abs(n) > STEPS or max(above) > STEPS:
            raise Unsupported("a power of a divisor")
        if min(above) < 0:
            return self._lowered(above, min(above), n)
        if max(above) >= degree:
            return self._lowered(above, max(above), n)
        if degree == 1:
            return above[0] * self._of_slope(n) / self.b
        beta = above.get(1, constant(0)) / self.a.scale(2)
        alpha = above.get(0, constant(0)) - beta * self.b
        return beta * self._of_slope(n) + alpha * self._of_one(n)

    def _lowered(self, above: Coefficients, i: int, n: Fraction) -> Ratio:
        """The same, X^i once rewritten by q = a X^2 + b X + c: in terms of lower powers if i >= 0,
        and of higher ones if i < 0.
        """
        terms = {0: self.c, 1: self.b, **({} if self.a.is_zero else {2: self.a})}
        pivot = 0 if i < 0 else max(terms)
        share, rest = above[i] / terms.pop(pivot), dict(above)
        del rest[i]
        for j, c in terms.items():
            at = i - pivot + j
            rest[at] = rest.get(at, constant(0)) - share * c
        return self.over_power(rest, n) + self.over_power({i - pivot: share}, n - 1)

    def _of_slope(self, n: Fraction) -> Ratio:
        """An antiderivative of q'/q^n."""
        if n != 1:
            return self.power(1 - n).scale(1 / (1 - n))
        sign = 1 if self.here.ratio_signs(self.value) == {1} else -1
        return algebra.log_of(self.value.scale(sign))

    def _of_one(self, n: Fraction) -> Ratio:
        """An antiderivative of 1/q^n, for a q without zeros."""
        if n == HALF:
            raise Unsupported("a divisor that is a square root")
        gap = (self.a * self.c).scale(4) - self.b * self.b
        if n == 1:
            root = square_root(gap, self.here)
            return function_value("atan", self.slope / root).scale(2) / root
        first = self.slope * self.power(1 - n) / gap.scale(n - 1)
        if 2 * n == 3:
            return first
        return first + self._of_one(n - 1) * (self.a / gap).scale((4 * n - 6) / (n - 1))
