"""Totals of powers times exponentials, between two ends: the building blocks of moments of
piecewise exponential densities.

The integrand is a sum of terms c s^i (s - a)^-j exp(k s + m), with c, a, k, m free of the output s.
By parts,

    integral of s^i exp(k s)  =  P(s) exp(k s)    with P' + k P = s^i
    sum of s^i z^s            =  P(s) z^s         with z P(s + 1) - P(s) = s^i, taken between the
                              ends as an integral is,

and negative powers lead down to the integral of exp(k t)/t, which is Ei(k t), or log |t| for k = 0.
Several poles are split into partial fractions.  Ei has no other closed form; it stays a symbol,
whose value `ahdp_verify.kernel.numbers.ball` encloses.

How a closed form was found need not be trusted: `integral_or_sum` adds the terms up to the
integrand again, and differentiates each antiderivative (subtracts its neighbours, for a sum) before
it puts the ends in. What remains to be trusted are the canonical forms, the derivative, that Ei and
log |t| are differentiable on either side of 0, that a piece lies on one side of every pole, which
its facts show, and that a closed form vanishes at an infinite end where the integrand does. One sum
is cited: z + z^2/2 + z^3/3 + ... = -log(1 - z) (Mercator).

>>> from ahdp_verify.kernel.numbers.algebra import symbol
>>> s, here = symbol("s"), Context.empty()
>>> integral_or_sum(s * s * exp_of(-s), "s", "real", (constant(0), None), here).key
'2'
>>> integral_or_sum(exp_of(-s) / s, "s", "real", (constant(1), None), here.given((s - constant(1)).num, ">")).key
'-1*Ei(-1)'
>>> integral_or_sum(s * exp_of(-s * log_of(constant(2))), "s", "integer", (constant(0), None), here).key
'2'
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.errors import DecayNotShown, Unsupported
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import (
    Ratio,
    constant,
    exp_of,
    exponential_form,
    log_of,
    polynomial_of_monomial,
    symbol,
)
from ahdp_verify.kernel.numbers.derivative import ratio_derivative
from ahdp_verify.kernel.numbers.hypotheses import Context, check_decay
from ahdp_verify.kernel.numbers.normal_form import message_text, require_nonzero, require_positive
from ahdp_verify.kernel.numbers.smooth import function_value
from ahdp_verify.kernel.rules.integration_by_parts import (
    by_difference,
    by_parts,
    polynomial_value,
    split_power,
)

HERE = "#0"  # the variable in which closed forms are differentiated
LISTED = 4096  # whole numbers that are summed one by one
Endpoints = tuple[Ratio | None, Ratio | None]
Pole = tuple[Ratio, Ratio, int]  # (slope, offset, order) of a divisor (slope * s + offset)^order


class AtPole(Unsupported):
    """The integrand grows like a negative power where the piece ends."""


@dataclass(frozen=True, slots=True)
class IntegrandTerm:
    """factor * t^power * exp(rate * t) with t = s - origin."""

    factor: Ratio
    power: int
    rate: Ratio
    origin: Ratio

    def ratio(self, variable: str) -> Ratio:
        """The term as a ratio."""
        t = symbol(variable) - self.origin
        return self.factor * t**self.power * exp_of(self.rate * t)


def integral_or_sum(
    integrand: Ratio, variable: str, kind: str, ends: Endpoints, here: Context
) -> Ratio:
    """The integral (real) or the sum over whole numbers low <= s < high (integer) of an integrand
    between two ends, None for an infinite one.

    Raises Undecided where a sign is missing, Unsupported for another form, DecayNotShown and AtPole
    where terms are not shown to have a finite total.
    """
    listed = _merge_terms(_integrand_terms(integrand, variable))
    if not (sum((t.ratio(variable) for t in listed), constant(0)) - integrand).is_zero:
        raise Unsupported("the terms of the integrand do not add up to it")
    if kind == "integer" and any(
        t.power < -1 or (t.power < 0 and None not in ends) for t in listed
    ):
        return _finite_sum(integrand, variable, ends)
    return sum((_term_total(t, variable, kind, ends, here) for t in listed), constant(0))


def _integrand_terms(integrand: Ratio, variable: str) -> Iterator[IntegrandTerm]:
    """The terms of an integrand; Unsupported where it is not a sum of such terms."""
    poles, outer = _poles_and_divisors(integrand, variable)
    for scale, pole in _partial_fractions(poles):
        origin = -pole[1] / pole[0] if pole else constant(0)
        for m, c in integrand.num.terms.items():
            rest, rate, shift = exponential_form(m, variable)
            power, free = split_power(rest, variable)
            factor = (
                Ratio(polynomial_of_monomial(free, c), outer)
                * scale
                * exp_of(rate * origin + shift)
            )
            for i in range(power + 1):
                binomial = constant(math.comb(power, i)) * origin ** (power - i)
                if not binomial.is_zero:
                    yield IntegrandTerm(
                        factor * binomial / pole[0] ** pole[2] if pole else factor * binomial,
                        i - pole[2] if pole else i,
                        rate,
                        origin,
                    )


def _poles_and_divisors(integrand: Ratio, variable: str) -> tuple[list[Pole], algebra.Factors]:
    """The poles of an integrand, and the divisors that are free of the variable."""
    poles, outer = [], []
    for f, k in integrand.den:
        split = (
            algebra.linear_coefficients(f, variable)
            if variable in algebra.polynomial_names(f)
            else None
        )
        if variable not in algebra.polynomial_names(f):
            outer.append((f, k))
        elif split is None:
            raise Unsupported(
                f"the divisor {message_text(f)} was not found to be linear in {variable}"
            )
        else:
            poles.append((Ratio(split[0]), Ratio(split[1]), k))
    return poles, tuple(outer)


def _partial_fractions(poles: list[Pole]) -> Iterator[tuple[Ratio, Pole | None]]:
    """Partial fractions: (scale, pole) whose quotients scale / (slope s + offset)^order add up
    to 1 / (the product of all); no pole for none.
    """
    if len(poles) < 2:
        yield constant(1), (poles[0] if poles else None)
        return
    (k, b, i), (m, c, j), *others = poles
    between = k * c - m * b  # 1 / ((k s + b)(m s + c)) = (k/(k s + b) - m/(m s + c)) / between
    for scale, kept in (
        (k / between, [(k, b, i), (m, c, j - 1)]),
        (-m / between, [(k, b, i - 1), (m, c, j)]),
    ):
        yield from (
            (scale * inner, pole)
            for inner, pole in _partial_fractions([p for p in kept if p[2]] + others)
        )


def _merge_terms(listed: Iterator[IntegrandTerm]) -> list[IntegrandTerm]:
    """The terms, those of one power, rate and origin as one; those that cancel are left out."""
    found: dict[tuple[int, str, str], IntegrandTerm] = {}
    for t in listed:
        key = (t.power, t.rate.key, t.origin.key)
        found[key] = (
            IntegrandTerm(found[key].factor + t.factor, t.power, t.rate, t.origin)
            if key in found
            else t
        )
    return [t for t in found.values() if not t.factor.is_zero]


def _term_total(
    t: IntegrandTerm, variable: str, kind: str, ends: Endpoints, here: Context
) -> Ratio:
    """The total of one term."""
    low, high = (None if e is None else e - t.origin for e in ends)
    if not t.rate.is_zero:
        require_nonzero(t.rate, here)
        check_decay(t.rate, variable, low, high, here)
    elif (low is None or high is None) and (kind == "integer" or t.power >= -1):
        raise DecayNotShown("the integrand was not shown to decay")
    if kind == "integer" and t.power < 0:
        return t.factor * _reciprocal_sum(t.rate, (low, high), here)
    side = _side_of_pole(symbol(variable) - t.origin, (low, high), here) if t.power < 0 else 1
    _check_closed_form(t.power, t.rate, kind, side)
    return t.factor * (
        _value_at_end(t, kind, high, side, here) - _value_at_end(t, kind, low, side, here)
    )


def _side_of_pole(t: Ratio, ends: Endpoints, here: Context) -> int:
    """The sign of t on the whole piece, at whose ends it is not 0; AtPole, Undecided or
    Unsupported where there is no such sign.
    """
    for end in ends:
        if end is not None and end.is_zero:
            raise AtPole("the integrand has a pole at the end of a piece")
        if end is not None:
            require_nonzero(end, here)
    signs = here.ratio_signs(t)
    if signs not in (frozenset((1,)), frozenset((-1,))):
        raise Unsupported("a piece was not shown to lie on one side of a pole")
    return next(iter(signs))


def _check_closed_form(power: int, rate: Ratio, kind: str, side: int) -> None:
    """Passes if the closed form is correct: its derivative, or its difference of neighbours, is
    t^power exp(rate t) by the canonical forms.
    """
    t = symbol(HERE)
    found = _closed_form(power, rate, kind, t, side)
    back = (
        _closed_form(power, rate, kind, t + constant(1), side) - found
        if kind == "integer"
        else ratio_derivative(found, HERE)
    )
    if not (back - t**power * exp_of(rate * t)).is_zero:
        raise Unsupported("differentiating a closed form did not give back its integrand")


def _value_at_end(
    t: IntegrandTerm, kind: str, end: Ratio | None, side: int, here: Context
) -> Ratio:
    """The closed form of a term's total at an end; 0 at an infinite one, where the term
    vanishes, and with it the closed form.
    """
    if end is None:
        return constant(0)
    if t.power < 0 and t.rate.is_zero:
        require_positive(end.scale(side), here)
    return _closed_form(t.power, t.rate, kind, end, side)


def _closed_form(power: int, rate: Ratio, kind: str, at: Ratio, side: int) -> Ratio:
    """An antiderivative of t^power exp(rate t) at a point t of this sign; for whole t what
    differs from its value at t + 1 by that.
    """
    if kind == "integer":
        return polynomial_value(by_difference(power, rate), at) * exp_of(rate * at)
    if power >= 0:
        return polynomial_value(by_parts(power, rate), at) * exp_of(rate * at)
    if power == -1:
        return log_of(at.scale(side)) if rate.is_zero else function_value("Ei", rate * at)
    edge = exp_of(rate * at) * at ** (power + 1)
    return (
        edge if rate.is_zero else edge - rate * _closed_form(power + 1, rate, kind, at, side)
    ).scale(Fraction(1, power + 1))


def _reciprocal_sum(rate: Ratio, ends: Endpoints, here: Context) -> Ratio:
    """The sum of exp(rate t)/t over all whole t from an end on, or below it: a logarithm less
    the first terms.
    """
    low, high = ends
    first = (
        None
        if low is None and high is None
        else (low if low is not None else constant(1) - (high or constant(0))).as_rational
    )
    if first is None or first.denominator != 1 or first > LISTED:
        raise Unsupported(
            "a sum of reciprocals has a closed form only if it starts at a whole number"
        )
    if first < 1:
        raise AtPole("the sum divides by 0")
    z, side = (exp_of(rate), 1) if low is not None else (exp_of(-rate), -1)
    found = -log_of(require_positive(constant(1) - z, here))
    for j in range(1, int(first)):
        found = found - (z**j).scale(Fraction(1, j))
    return found.scale(side)


def _finite_sum(integrand: Ratio, variable: str, ends: Endpoints) -> Ratio:
    """The sum over finitely many whole numbers, term by term."""
    low, high = (None if e is None else e.as_rational for e in ends)
    if low is None or high is None or high - low > LISTED:
        raise Unsupported(
            f"a sum of negative powers of {variable} has a closed form only over few numbers"
        )
    first = -(-low // 1)
    return sum(
        (
            algebra.replace_name(integrand, variable, constant(k))
            for k in range(first, -(-high // 1))
        ),
        constant(0),
    )
