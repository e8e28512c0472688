"""Peaks of a log-likelihood ratio that is not linear between two points of the laws: its limits at
the ends, and its values where its slope is 0.

    p = exp(e) A_1^i A_2^j ...      (log p)' = e' + i A_1'/A_1 + j A_2'/A_2 + ...

The slope of log p - log q is a ratio; its numerator is split into factors, and those of degree 1 or
2 in the output, or in an exponential of it, have roots in closed form.  Cauchy and Student noise
have their largest loss at such a root, logistic noise in the limit at an end.  Where a factor has
no such form and no names are left, the ratio at a rational number next to where floats see the
largest value stands for the root: it is less than the supremum by some 10^-13 (`PEAK_WIDTH` bounds
that gap), and as true a value of the loss as any other.

>>> from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> from ahdp_verify.kernel.model.outputs import real
>>> laws = Dominated(parse("1/(1 + s^2)")), Dominating(parse("1/(1 + (s - 1)^2)"))
>>> for peak in curved_peaks(laws, real("s"), (None, None), Context.empty()):
...     print(peak.where, peak.value)
large s 0
small s 0
s = sqrt(5)/2 + 1/2 -1*log(2) + log(3 + -1*5'^(1/2))
s = 1/2 - sqrt(5)/2 -1*log(2) + log(3 + 5'^(1/2))
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import Lemma
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Atom, Monomial, Polynomial, Ratio, constant, log_of
from ahdp_verify.kernel.numbers.ball import constant_sign, enclose
from ahdp_verify.kernel.numbers.derivative import derivative
from ahdp_verify.kernel.numbers.ends import limit_at_end
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import (
    message_text,
    normal,
    require_positive,
    to_expression,
)
from ahdp_verify.kernel.rules.inequalities import extend_context
from ahdp_verify.kernel.terms.expression import Expression, names, substitute, walk
from ahdp_verify.search.floating_point import WITHOUT_VALUE, float_function
from ahdp_verify.search.limits import Limits, OutOfLimits
from ahdp_verify.search.loss.peak import Laws, Peak, log_of_ratio, substitute_in_both
from ahdp_verify.search.proving.factorisation import polynomial_factors
from ahdp_verify.search.proving.powers import LogForm, log_form_of
from ahdp_verify.search.proving.signs import sign_lemmas
from ahdp_verify.search.proving.squares import inverse_of_roots
from ahdp_verify.search.refuting.superlevel import climbed, log_excess, sample_outputs

Ends = tuple[Ratio | None, Ratio | None]
FAILED = (Undecided, Unsupported, ZeroDivisionError)
PEAK_WIDTH = Fraction(1, 10**12)
FUNCTIONS = ("erf", "atan", "sin", "cos")
DIVISORS = 8  # divisors whose signs are learned
BITS = 128
TRIALS = (-3.0, -0.4, 0.03, 0.2, 0.7, 1.3, 2.9, 11.0)  # values of names
CLOSE = 1e-12


def curved_peaks(laws: Laws, output: Output, ends: Ends, spot: Context) -> Iterator[Peak]:
    """The peaks of log(dominated / dominating) between two ends (None for an infinite one), in the
    context of the piece; raises one of `FAILED` where one of them is not found.
    """
    spot = with_divisors(laws, output.name, spot)
    dominated, dominating = (log_form_of(law, spot) for law in laws)
    gap = dominated.minus(dominating)
    for side in (1, -1):
        yield from end_peaks(laws, gap, output, (ends[1 if side > 0 else 0], side), spot)
    slope = slope_of(gap, output.name, spot)
    if slope.is_zero:
        return
    for at in stationary_outputs(slope.num, laws, output.name, ends, spot):
        yield peak_at(laws, gap, output, at, spot)


def has_bases(laws: Laws, name: str, here: Context) -> bool:
    """Whether the logarithms of two laws, both > 0, differ in those of polynomials in the
    output.
    """
    try:
        dominated, dominating = (log_form_of(law, here) for law in laws)
    except FAILED:
        return False
    return any(name in algebra.polynomial_names(b) for b in dominated.minus(dominating).powers)


def with_divisors(laws: Laws, name: str, here: Context) -> Context:
    """The context with the signs of divisors of the laws, and of bases of their powers, that
    squares show.
    """
    clock = Limits(seconds=1).clock()
    for _ in range(DIVISORS):
        try:
            for law in laws:
                log_form_of(law, here)
                normal(law, here)
            return here
        except Unsupported:
            return here
        except Undecided as missing:
            guard, lemmas = missing.guard, tuple[Lemma, ...]()
            if isinstance(guard, Polynomial) and name in algebra.polynomial_names(guard):
                with suppress(OutOfLimits):
                    lemmas = sign_lemmas(guard, here, clock)
            larger = extend_context(lemmas, here)
            if isinstance(guard, Polynomial) and len(larger.signs(guard)) > 1:
                raise
            here = larger
    return here


def end_peaks(
    laws: Laws, gap: LogForm, output: Output, end: tuple[Ratio | None, int], spot: Context
) -> Iterator[Peak]:
    """The limit of the log-likelihood ratio at one end of a piece; none where it is -oo."""
    (at, side), word = end, "large" if end[1] > 0 else "small"
    if at is not None:
        value = value_at(gap, output.name, at, spot)
        yield Peak(value, f"{output} = {to_expression(at)}", False)
        return
    p, q = (normal(law, spot) for law in laws)
    try:
        limit = limit_at_end(p / q, output.name, side, spot)
    except Unsupported:
        if limit_at_end(q / p, output.name, side, spot).is_zero:
            yield Peak(None, f"{word} {output}")
            return
        raise
    if not limit.is_zero:
        yield Peak(log_of_ratio(require_positive(limit, spot)), f"{word} {output}", False)


def slope_of(gap: LogForm, name: str, here: Context) -> Ratio:
    """The derivative of a log-likelihood ratio along the output."""
    total = derivative(to_expression(gap.rest), name, here)
    for base, k in gap.powers.items():
        if name in algebra.polynomial_names(base):
            inner = derivative(to_expression(Ratio(base)), name, here)
            total = total + (inner / Ratio(base)).scale(k)
    return total


def stationary_outputs(
    slope: Polynomial, laws: Laws, name: str, ends: Ends, spot: Context
) -> Iterator[Ratio]:
    """The outputs inside a piece at which the slope, of this numerator, is 0, in closed form; a
    rational number next to the largest value where they have none.
    """
    _, factors = polynomial_factors(slope)
    listed: list[Ratio] = []
    try:
        for f, _ in factors:
            if name in algebra.polynomial_names(f):
                listed += roots_of_factor(f, name, spot)
    except FAILED:
        if algebra.polynomial_names(slope) != {name}:
            if usual_sign(Ratio(slope), spot) in (1, -1):
                return
            raise
        listed = [constant(x) for x in largest_in_floats(laws, name, ends)]
    for at in listed:
        if lies_inside(at, ends, spot):
            yield at


def lies_inside(at: Ratio, ends: Ends, spot: Context) -> bool:
    """Whether a number lies between two ends; Unsupported where names keep that open."""
    for end, side in zip(ends, (1, -1), strict=True):
        if end is None:
            continue
        gap = (at - end).scale(side)
        sign = usual_sign(gap, spot) if algebra.ratio_names(gap) else constant_sign(gap)
        if sign is None:
            raise Unsupported(
                f"whether {message_text(at)} lies between the breakpoints is not known"
            )
        if sign < 1:
            return False
    return True


def usual_sign(r: Ratio, here: Context) -> int | None:
    """The sign of a ratio of at most three names wherever it was tried and the facts about these
    hold; None if it is not the same everywhere.
    """
    listed = sorted(algebra.ratio_names(r))
    known = [f for f in here.facts if algebra.polynomial_names(f.polynomial) <= set(listed)]
    facts = [(float_function(to_expression(Ratio(f.polynomial))), f.relation) for f in known]
    value, found = float_function(to_expression(r)), set[int]()
    for trial in itertools.product(TRIALS, repeat=len(listed)) if len(listed) <= 3 else ():
        at = dict(zip(listed, trial, strict=True))
        try:
            if all(f(at) > 0 or (f(at) == 0 and relation != ">") for f, relation in facts):
                x = value(at)
                found.add(0 if abs(x) < CLOSE else 1 if x > 0 else -1)
        except WITHOUT_VALUE:
            continue
    return found.pop() if len(found) == 1 else None


def roots_of_factor(f: Polynomial, name: str, here: Context) -> list[Ratio]:
    """The real roots of an irreducible factor, of degree 1 or 2 in the output or in one exponential
    of it; Unsupported for another factor.
    """
    moving = [a for a in f.exponents if name in algebra.atom_names(a)]
    if len(moving) != 1:
        raise Unsupported("the slope of the loss has no root in closed form")
    (atom,) = moving
    if len(f.terms) == 1:
        return [constant(0)] if atom.kind == "name" else []
    exponents = sorted(f.exponents[atom])
    step = _step(exponents)
    low = min(exponents)
    coefficients = [constant(0)] * 3
    for m, c in f.terms.items():
        e = dict(m.powers).get(atom, 0)
        place = (Fraction(e) - low) / step
        if place.denominator != 1 or place > 2:
            raise Unsupported("the slope of the loss has no root in closed form")
        rest = Monomial(p for p in m.powers if p[0] != atom)
        coefficients[int(place)] += Ratio(algebra.polynomial_of_monomial(rest, c))
    roots = quadratic_roots(coefficients, here)
    return (
        roots
        if atom.kind == "name"
        else [x for r in roots for x in logarithm_of_root(r, atom, step, name, here)]
    )


def _step(exponents: list[algebra.Rational]) -> Fraction:
    """The smallest gap between exponents."""
    return min(Fraction(b) - Fraction(a) for a, b in itertools.pairwise(exponents))


def quadratic_roots(coefficients: list[Ratio], here: Context) -> list[Ratio]:
    """The real roots of c + b x + a x^2; Undecided where the sign of the discriminant is
    missing.
    """
    c, b, a = coefficients
    if a.is_zero:
        return [-c / b]
    inside = b * b - a * c.scale(4)
    signs = here.ratio_signs(inside)
    if signs == {-1}:
        return []
    root = algebra.ratio_power(require_positive(inside, here), constant(Fraction(1, 2)))
    return [tidy((root.scale(s) - b) / a.scale(2), here) for s in (1, -1)]


def logarithm_of_root(
    r: Ratio, atom: Atom, step: Fraction, name: str, here: Context
) -> Iterator[Ratio]:
    """The output s with exp(k s + m)^step = r, for the exponential that an atom is; none if r is
    not positive.
    """
    if not here.ratio_signs(r) <= {1}:
        if here.ratio_signs(r) <= {-1, 0}:
            return
        raise Unsupported("the slope of the loss has no root in closed form")
    if atom.kind != "exp":
        raise Unsupported("the slope of the loss has no root in closed form")
    inside = Ratio(algebra.polynomial_of_monomial(atom.payload[0]), atom.payload[1])
    split = algebra.linear_coefficients(inside.num, name)
    if split is None:
        raise Unsupported("the slope of the loss has no root in closed form")
    rate, shift = (Ratio(part, inside.den) for part in split)
    yield (log_of(r).scale(1 / step) - shift) / rate


def tidy(r: Ratio, here: Context) -> Ratio:
    """A ratio without a divisor that consists of roots."""
    for f, k in r.den:
        left = Ratio(r.num, tuple((g, n) for g, n in r.den if g != f))
        inverse = inverse_of_roots(f)
        if inverse is not None:
            return tidy(left * Ratio(inverse) ** k, here)
        other = conjugate(f)
        if other is not None:
            below = normal(to_expression(Ratio(f * other)), here)
            above = normal(to_expression(left * Ratio(other) ** k), here)
            return tidy(above / below**k, here)
    return r


def conjugate(f: Polynomial) -> Polynomial | None:
    """a - b sqrt(r) for a polynomial f = a + b sqrt(r) whose root is not of a number; None for
    another one.
    """
    half = Fraction(1, 2)
    roots = [
        a
        for a, powers in f.exponents.items()
        if a.kind == "exp" and powers <= {0, half} and _is_logarithm(a)
    ]
    if len(roots) != 1:
        return None
    return Polynomial({m: -c if dict(m.powers).get(roots[0]) else c for m, c in f.terms.items()})


def _is_logarithm(a: Atom) -> bool:
    (m, den) = a.payload
    return not den and m.single is not None and m.single.kind == "log"


def value_at(gap: LogForm, name: str, at: Ratio, here: Context) -> Ratio:
    """The log-likelihood ratio at an output."""
    total = _replaced(gap.rest, name, at, here)
    if not gap.powers:
        return total
    powers = gap.powers.values()
    unit = Fraction(
        math.gcd(*(k.numerator for k in powers)), math.lcm(*(k.denominator for k in powers))
    )
    ratio = constant(1)
    for base, k in gap.powers.items():
        value = _replaced(Ratio(base), name, at, here)
        ratio = ratio * value ** int(k / unit)
    ratio = tidy(ratio, here)
    return total + log_of_ratio(ratio).scale(unit)


def _replaced(r: Ratio, name: str, at: Ratio, here: Context) -> Ratio:
    put = {name: to_expression(at)}
    return normal(to_expression(normal(substitute(to_expression(r), put), here)), here)


def peak_at(laws: Laws, gap: LogForm, output: Output, at: Ratio, spot: Context) -> Peak:
    """The peak at one output; at a rational number that stands for a root, with a value just below
    that of the loss.
    """
    put = {output.name: to_expression(at)}
    value = value_at(gap, output.name, at, spot)
    there = substitute_in_both(laws, put)
    if at.as_rational is not None and not algebra.ratio_names(value) and len(value.key) > 60:
        low, _ = enclose(value, BITS)
        near = Fraction((low * 10**14).__floor__(), 10**14)
        where = f"{output} near {float(at.as_rational):.6g}"
        return Peak(constant(near), where, False, there, spot, rounded=True)
    return Peak(value, f"{output} = {put[output.name]}", False, there, spot)


def largest_in_floats(laws: Laws, name: str, ends: Ends) -> list[Fraction]:
    """A rational number next to the largest log-likelihood ratio inside a piece."""
    low, high = (None if e is None else float(sum(enclose(e)) / 2) for e in ends)
    points = tuple(x for x in (low, high) if x is not None)
    samples = [
        s for s in sample_outputs(points) if (low is None or s > low) and (high is None or s < high)
    ]
    excess, _ = log_excess((laws[0], laws[1]), name, 0.0)
    values = [excess(s) for s in samples]
    best = max(range(len(samples)), key=lambda i: values[i])
    return [Fraction(climbed(excess, samples, best)).limit_denominator(10**10)]


def is_curved(law: Expression, output: Output) -> bool:
    """Whether a law has a power or a function of what mentions the output, or mentions it outside
    exponents.
    """
    return _is_outside_exponents(law, output.name) or any(
        output.name in names(node)
        for node in walk(law)
        if node.head in FUNCTIONS or (node.head == "^" and output.name in names(node.args[0]))
    )


def _is_outside_exponents(e: Expression, name: str) -> bool:
    """Whether e depends on a name otherwise than by exponents and conditions."""
    if e.head == "name":
        return bool(e.args[0] == name)
    listed = e.args[:1] if e.head == "^" else e.args[::2] if e.head == "piecewise" else e.args
    return e.head != "exp" and any(
        isinstance(a, Expression) and _is_outside_exponents(a, name) for a in listed
    )
