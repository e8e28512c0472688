"""Rigorous enclosures of constants and their three-valued sign; the only trusted file that knows
python-flint.

Zero is decided by algebra alone (`Ratio.is_zero`); a ball decides a sign only if it excludes zero.
Otherwise the sign is None.

>>> from ahdp_verify.kernel.numbers.algebra import constant, exp_of
>>> e = exp_of(constant(1))
>>> constant_sign(e - constant(Fraction(271828, 100000))), constant_sign(e * exp_of(constant(-1)) - constant(1))
(1, 0)
>>> low, high = enclose(e)
>>> low < Fraction(2718281828459045235360, 10**21) < high
True
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

import flint

from ahdp_verify.kernel.effort import spend
from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.numbers.algebra import (
    INVERTIBLE,
    Atom,
    Factors,
    Monomial,
    Polynomial,
    Ratio,
    Rational,
)
from ahdp_verify.kernel.terms.words import SMOOTH

VERSIONS = {"flint": str(flint.__FLINT_VERSION__), "python-flint": str(flint.__version__)}
Box = Mapping[str, flint.arb]  # where names lie
NOWHERE: Box = {}
START, LAST = 64, 4096  # bits of the first and of the last try
# numbers above 2^FAR, and differences below 2^-FAR, are not converted to fractions: FLINT aborts
# the process over large ones
FAR = 65536
FARTHEST, NEAREST = flint.arb(2) ** FAR, flint.arb(2) ** -FAR  # both exact
FLINT = {"Ei": "ei", "abs": "__abs__", **{kind: kind for kind in (*SMOOTH, "floor")}}


def of_rational(value: Rational) -> flint.arb:
    """A ball that contains a rational number."""
    if type(value) is int:
        return flint.arb(value)  # which is exact
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


def _power(a: Atom, e: Rational, box: Box) -> flint.arb:
    if a.kind == "exp":
        m, den = a.payload
        return _quotient(_term(m, e, box), den, box).exp()
    x = _base(a, box)
    if e == 1:
        return x
    if e.denominator != 1:
        return (x.log() * of_rational(e)).exp()
    # FLINT's power of a ball around 0 is NaN
    low, high = (x.lower(), x.upper()) if e % 2 else (x.abs_lower(), x.abs_upper())
    return (low ** int(e)).union(high ** int(e))


def _base(a: Atom, box: Box) -> flint.arb:
    if a.kind in ("pi", "prime"):
        return flint.arb.pi() if a.kind == "pi" else flint.arb(a.payload)
    if a.kind == "log":
        return _ratio(a.payload, box).log()
    if a.kind in FLINT:
        value: flint.arb = getattr(_ratio(a.payload[0], box), FLINT[a.kind])()
        return value
    if a.kind == "theta3":  # of the argument i r/pi; not finite unless the ball of r is positive
        tau = flint.acb(0, _ratio(a.payload[0], box) / flint.arb.pi())
        return flint.acb.modular_theta(flint.acb(0), tau)[2].real
    if a.kind in ("max", "min"):
        return _extreme([_ratio(r, box) for r in a.payload], 1 if a.kind == "max" else -1)
    if a.payload in box:
        return box[a.payload]
    raise Unsupported("it depends on a name, so it is not a constant")


def _extreme(values: list[flint.arb], side: int) -> flint.arb:
    best = values[0]
    for v in values[1:]:
        best = (best + v + side * abs(best - v)) / 2
    return best


def _polynomial(p: Polynomial, box: Box) -> flint.arb:
    total = flint.arb(0)
    if any(a.kind == "erf" for a in p.exponents):
        from ahdp_verify.kernel.numbers.complements import without_cancellation

        p, total = without_cancellation(p, lambda r: _ratio(r, box))
    for m, c in p.terms.items():
        total += _term(m, c, box)
    return total


def _term(m: Monomial, c: Rational, box: Box) -> flint.arb:
    spend(1 + flint.ctx.prec // 128)
    value = of_rational(c)
    for a, e in m.powers:
        value *= _power(a, e, box)
    return value


def _quotient(value: flint.arb, den: Factors, box: Box) -> flint.arb:
    for f, k in den:
        value = value / _polynomial(f, box) ** k
    return value


def _ratio(r: Ratio, box: Box) -> flint.arb:
    return _quotient(_polynomial(r.num, box), r.den, box)


def ball(r: Ratio, bits: int = START, box: Box = NOWHERE) -> flint.arb:
    """A ball that contains the values of a ratio wherever its names lie in the balls of the box,
    computed with `bits` bits; Unsupported if r depends on another name.
    """
    with flint.ctx.workprec(bits):
        return _ratio(r, box)


def ends(value: flint.arb, bits: int) -> tuple[Fraction, Fraction]:
    """Rational ends of an interval that contains a ball inside (-2^FAR, 2^FAR); an end closer to
    0 than 2^-FAR is moved to 0, or away from it.
    """
    with flint.ctx.workprec(2 * bits + 64):
        return _end(value.lower(), -1), _end(value.upper(), 1)


def _end(end: flint.arb, outward: int) -> Fraction:
    """The fraction of an exact ball or, closer to 0 than 2^-FAR, one that lies further in the
    direction `outward`.
    """
    if not abs(end) > NEAREST:
        return outward * Fraction(1, 2**FAR) if end * outward > 0 else Fraction(0)
    found = end.fmpq()
    return Fraction(int(found.p), int(found.q))


def enclose(r: Ratio, bits: int = START) -> tuple[Fraction, Fraction]:
    """Rational ends of an interval that contains the value of a constant ratio; Unsupported if none
    is found.
    """
    if (exact := r.as_rational) is not None:
        return exact, exact
    value = ball(r, bits)
    if not value.is_finite():
        if bits < LAST:
            return enclose(r, 4 * bits)
        raise Unsupported(
            "a constant was not enclosed: it may be too large, or a divisor in it was not distinguished from 0"
        )
    if not abs(value) < FARTHEST:
        raise Unsupported(f"a constant of more than {FAR} bits")
    return ends(value, bits)


@lru_cache(maxsize=65536)
def _sign_of(p: Polynomial) -> int | None:
    if len(p.terms) == 1:
        ((m, c),) = p.terms.items()
        if all(a.kind in INVERTIBLE for a, _ in m.powers):
            return 1 if c > 0 else -1  # then no ball has to distinguish exp(-exp(10^6)) from 0
    bits = START
    while bits <= LAST:
        value = ball(Ratio(p), bits)
        if value > 0:
            return 1
        if value < 0:
            return -1
        bits *= 4
    return None


def constant_sign(r: Ratio) -> int | None:
    """-1, 0 or 1 for a constant ratio; None when balls of 4096 bits do not exclude zero or r
    depends on a name.
    """
    exact = r.as_rational
    if exact is not None:
        return (exact.numerator > 0) - (exact.numerator < 0)
    if r.is_zero:
        return 0
    try:
        result = _sign_of(r.num)
        for f, k in r.den:
            below = _sign_of(f)
            result = None if result is None or below is None else result * below**k
    except Unsupported:
        return None
    return result
