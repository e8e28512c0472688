"""Totals of powers times exponentials of one output on a piece, and sums of discrete Gaussians.

                              P' + k P = s^i
    ----------------------------------------------------------------------
    integral of s^i exp(k s) from u to v  =  P(v) exp(k v) - P(u) exp(k u)

                     z P(s + 1) - P(s) = s^i      z = exp(k)
    ------------------------------------------------------------------------
    sum of s^i z^s over the whole s with u <= s < v  =  P(v) z^v - P(u) z^u

k       a ratio free of s; at an infinite end its sign is known, and the term vanishes there
P       a polynomial, found coefficient by coefficient from the highest one

       E(s) = -a (s - c)^2 + m      a > 0      c, u and v whole
    ---------------------------------------------------------------
    sum of exp(E(s)) over u <= s < v  =  exp(m) (T(v - c) - T(u - c))

    T(n) = sum of exp(-a j^2) over whole j < n,     T(-oo) = 0,     T(oo) = theta3(a)

theta3(a), the sum over all whole j, is Jacobi's theta_3(0, exp(-a)).  By symmetry T(0) is
(theta3(a) - 1)/2, so at a number n, T is this and finitely many exponentials.

>>> from ahdp_verify.kernel.numbers.algebra import log_of, symbol
>>> s, here = symbol("s"), Context.empty()
>>> total_by_parts(s**3 * exp_of(-s), "s", "real", (constant(0), None), here).key
'6'
>>> total_by_parts(s * exp_of(-s * log_of(constant(2))), "s", "integer", (constant(0), None), here).key
'2'
>>> here, k = Context.empty(frozenset("k")), symbol("k")
>>> term = exp_of((-k * k + k.scale(2)).scale(Fraction(1, 8)))
>>> gaussian_sum(term, "k", (constant(2), None), here).key
'-1/2*exp(1)^(1/8) + 1/2*exp(1)^(1/8)*theta3(1/8)'
"""

from __future__ import annotations

import math
from fractions import Fraction

from ahdp_verify.kernel.errors import DecayNotShown, Unsupported
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import (
    Monomial,
    Ratio,
    constant,
    exp_of,
    exponential_form,
    symbol,
)
from ahdp_verify.kernel.numbers.hypotheses import Context, check_decay
from ahdp_verify.kernel.numbers.normal_form import is_whole, require_nonzero, require_positive
from ahdp_verify.kernel.numbers.smooth import function_value
from ahdp_verify.kernel.rules.accepting import rely_on

HIGHEST = 64  # highest power of an output
PieceEnds = tuple[Ratio | None, Ratio | None]


def total_by_parts(law: Ratio, variable: str, kind: str, ends: PieceEnds, here: Context) -> Ratio:
    """The total of a sum of powers times exponentials between two ends, None for an infinite one.

    `here` says nothing about the output.  Raises Undecided where a sign is missing, Unsupported for
    a law of another form, DecayNotShown where a term is not shown to decay.
    """
    for f, _ in law.den:
        if variable in algebra.polynomial_names(f):
            raise Unsupported(f"a divisor of the law depends on {variable}")
        require_nonzero(Ratio(f), here)  # a piece where it is 0 may be empty
    total = constant(0)
    for m, c in law.num.terms.items():
        try:
            rest, rate, shift = exponential_form(m, variable)
        except Unsupported:
            if kind != "integer":
                raise
            term = Ratio(algebra.polynomial_of_monomial(m, c), law.den)
            total = total + gaussian_sum(term, variable, ends, here)
            continue
        power, free = split_power(rest, variable)
        if not rate.is_zero:
            check_decay(require_nonzero(rate, here), variable, *ends, here)
        elif None in ends:
            raise DecayNotShown(f"the law was not shown to decay as {variable} tends to infinity")
        factor = Ratio(algebra.polynomial_of_monomial(free, c), law.den) * exp_of(shift)
        coefficients = (by_parts if kind == "real" else by_difference)(power, rate)
        low, high = (
            constant(0) if s is None else polynomial_value(coefficients, s) * exp_of(rate * s)
            for s in ends
        )
        total = total + factor * (high - low)
    if law.num.terms:
        rely_on("the rule of integration by parts")
    return total


def split_power(m: Monomial, variable: str) -> tuple[int, Monomial]:
    """(i, rest) with m = variable^i * rest, the rest free of the variable; Unsupported
    otherwise.
    """
    atom = algebra.name_atom(variable)
    power = next((int(e) for a, e in m.powers if a == atom), 0)
    rest = Monomial((a, e) for a, e in m.powers if a != atom)
    if power > HIGHEST or any(variable in algebra.atom_names(a) for a, _ in rest.powers):
        raise Unsupported(
            f"the law was not found to be a sum of powers times exponentials in {variable}"
        )
    return power, rest


def polynomial_value(coefficients: list[Ratio], at: Ratio) -> Ratio:
    """The value of a polynomial, its coefficients given from the constant on."""
    value = constant(0)
    for c in reversed(coefficients):
        value = value * at + c
    return value


def by_parts(power: int, rate: Ratio) -> list[Ratio]:
    """The coefficients, from the constant on, of P with P' + rate P = t^power."""
    if rate.is_zero:
        return [constant(0)] * (power + 1) + [constant(Fraction(1, power + 1))]
    found = [constant(1) / rate]
    for j in reversed(range(power)):
        found.insert(0, found[0].scale(-(j + 1)) / rate)
    return found


def by_difference(power: int, rate: Ratio) -> list[Ratio]:
    """The coefficients, from the constant on, of P with z P(t + 1) - P(t) = t^power, z =
    exp(rate).
    """
    z, steady = exp_of(rate), rate.is_zero
    found: dict[int, Ratio] = {}
    for j in reversed(range(power + 1)):
        inner = constant(int(j == power))
        for i, p in found.items():
            if i > j + steady:
                inner = inner - z * p.scale(math.comb(i, j))
        found[j + steady] = inner.scale(Fraction(1, j + 1)) if steady else inner / (z - constant(1))
    return [found.get(j, constant(0)) for j in range(power + 1 + steady)]


HALF = Fraction(1, 2)
MOST = 4096  # terms of a finite sum


def gaussian_sum(
    term: Ratio, variable: str, ends: tuple[Ratio | None, Ratio | None], here: Context
) -> Ratio:
    """The sum of a term from the first end to before the second one, None for an infinite one;
    Undecided or Unsupported unless it is a factor times exp(-a (k - c)^2 + m) as above.
    """
    ((monomial, c),) = term.num.terms.items()
    rest, exponent = algebra.split_exponent(monomial, variable)
    factor = Ratio(algebra.polynomial_of_monomial(rest, c), term.den)
    at = {i: algebra.replace_name(exponent, variable, constant(i)) for i in (-1, 0, 1)}
    a = require_positive(at[0] - (at[1] + at[-1]).scale(HALF), here)
    centre = (at[1] - at[-1]).scale(HALF) / a.scale(2)
    m, k = at[0] + a * centre * centre, symbol(variable) - centre
    free = variable not in algebra.ratio_names(factor) and (m - a * k * k - exponent).is_zero
    if not free or not is_whole(centre, here):
        raise Unsupported("an exponent was not found to be quadratic, with a whole centre")
    steps = [None if end is None else (end - centre).as_rational for end in ends]
    known = [
        end is None or (n is not None and n.denominator == 1)
        for n, end in zip(steps, ends, strict=True)
    ]
    if not all(known):
        raise Unsupported("an end of a sum is not at a known whole distance from the centre")
    rely_on("the rule of Gaussian sums")
    theta = function_value("theta3", a)
    first = constant(0) if steps[0] is None else _below(steps[0], a, theta)
    last = theta if steps[1] is None else _below(steps[1], a, theta)
    return factor * exp_of(m) * (last - first)


def _below(n: algebra.Rational, a: Ratio, theta: Ratio) -> Ratio:
    """The sum of exp(-a j^2) over whole j < n."""
    if not -MOST <= n <= MOST:
        raise Unsupported(f"an end of a sum is more than {MOST} from the centre")
    total = (theta - constant(1)).scale(HALF)
    for j in range(min(0, int(n)), max(0, int(n))):
        term = exp_of(a.scale(-(j * j)))
        total = total + (term if n > 0 else -term)
    return total
