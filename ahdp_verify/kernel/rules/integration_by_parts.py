"""Totals of powers times exponentials of one output on a piece.

                              P' + k P = s^i
    ----------------------------------------------------------------------
    integral of s^i exp(k s) from u to v  =  P(v) exp(k v) - P(u) exp(k u)

                     z P(s + 1) - P(s) = s^i      z = exp(k)
    ------------------------------------------------------------------------
    sum of s^i z^s over the whole s with u <= s < v  =  P(v) z^v - P(u) z^u

k       a ratio free of s; at an infinite end its sign is known, and the term vanishes there
P       a polynomial, found coefficient by coefficient from the highest one

>>> from ahdp_verify.kernel.numbers.algebra import log_of, symbol
>>> s, here = symbol("s"), Context.empty()
>>> total_by_parts(s**3 * exp_of(-s), "s", "real", (constant(0), None), here).key
'6'
>>> total_by_parts(s * exp_of(-s * log_of(constant(2))), "s", "integer", (constant(0), None), here).key
'2'
"""

from __future__ import annotations

import math
from fractions import Fraction

from ahdp_verify.kernel.errors import DecayNotShown, Unsupported
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Monomial, Ratio, constant, exp_of, exponential_form
from ahdp_verify.kernel.numbers.hypotheses import Context, check_decay
from ahdp_verify.kernel.numbers.normal_form import require_nonzero
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
            from ahdp_verify.kernel.rules.gaussian_sums import gaussian_sum

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
    """(i, rest) with m = variable^i * rest, the rest free of the variable; Unsupported otherwise."""
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
