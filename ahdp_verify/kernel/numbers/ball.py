"""Rigorous enclosures of constants and their three-valued sign; the only trusted file that knows
python-flint.

Zero is decided by algebra alone (`Ratio.is_zero`); a ball decides only what it excludes zero from.
What stays undecided is None.

>>> from ahdp_verify.kernel.numbers.algebra import constant, exp_of
>>> e = exp_of(constant(1))
>>> sign(e - constant(Fraction(271828, 100000))), sign(e * exp_of(constant(-1)) - constant(1))
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
from ahdp_verify.kernel.numbers.algebra import INVERTIBLE, Atom, Exponent, Polynomial, Ratio

VERSIONS = {"flint": str(flint.__FLINT_VERSION__), "python-flint": str(flint.__version__)}
START, LAST = 64, 4096  # bits of the first and of the last try
# numbers above 2^FAR, and differences below 2^-FAR, are not written out as fractions: FLINT ends
# the process over large ones
FAR = 65536
DENSE = 4096  # largest power of which Taylor's formula is made
# order of Taylor's formula; measured: 4 to 16 are about equally fast per piece, and few pieces are
# needed from 8 on
TAYLOR = 12
POSITIVE = (*INVERTIBLE, "pi")
Terms = Mapping[tuple[int, Fraction], Fraction]  # (k, a) -> the coefficient of x^k exp(a x)


def _rational(value: Fraction) -> flint.arb:
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


def _power(a: Atom, e: Exponent) -> flint.arb:
    if a.kind == "exp":
        m, den = a.payload
        return _ratio(Ratio(Polynomial({m: Fraction(e)}), den)).exp()
    if a.kind == "prime":
        return (flint.arb(a.payload).log() * _rational(Fraction(e))).exp()
    return (
        _base(a) if e == 1 else _base(a) ** int(e)
    )  # flint's power of a ball around 0 itself is no number, the first one too


def _base(a: Atom) -> flint.arb:
    if a.kind == "pi":
        return flint.arb.pi()
    if a.kind == "log":
        return _ratio(a.payload).log()
    if a.kind == "abs":
        return abs(_ratio(a.payload[0]))
    if a.kind in ("max", "min"):
        return _extreme([_ratio(r) for r in a.payload], 1 if a.kind == "max" else -1)
    if a.kind == "floor":
        return _ratio(a.payload[0]).floor()
    if a.kind == "Ei":
        return _ratio(a.payload[0]).ei()
    raise Unsupported("it depends on a name, so it is not a constant")


def _extreme(values: list[flint.arb], side: int) -> flint.arb:
    best = values[0]
    for v in values[1:]:
        best = (best + v + side * abs(best - v)) / 2
    return best


def _polynomial(p: Polynomial) -> flint.arb:
    total = flint.arb(0)
    for m, c in p.terms.items():
        spend(1 + flint.ctx.prec // 128)
        piece = _rational(c)
        for a, e in m:
            piece *= _power(a, e)
        total += piece
    return total


def _ratio(r: Ratio) -> flint.arb:
    value = _polynomial(r.num)
    for f, k in r.den:
        value /= _polynomial(f) ** k
    return value


def ball(r: Ratio, bits: int = START) -> flint.arb:
    """A ball that contains the value of a constant ratio, computed with `bits` bits; Unsupported
    if r depends on a name.
    """
    with flint.ctx.workprec(bits):
        return _ratio(r)


def _ends(value: flint.arb, bits: int) -> tuple[Fraction, Fraction]:
    """Rational ends of an interval that contains a ball inside (-2^FAR, 2^FAR); an end closer to
    0 than 2^-FAR is moved to 0, or away from it.
    """
    with flint.ctx.workprec(2 * bits + 64):
        return _end(value.lower(), -1), _end(value.upper(), 1)


def _end(end: flint.arb, outward: int) -> Fraction:
    """The fraction of an exact ball or, closer to 0 than 2^-FAR, one that lies further in the
    direction `outward`.
    """
    tiny = Fraction(1, 2**FAR)
    if not abs(end) > _rational(tiny):
        return outward * tiny if end * outward > 0 else Fraction(0)
    found = end.fmpq()
    return Fraction(int(found.p), int(found.q))


def enclose(r: Ratio, bits: int = START) -> tuple[Fraction, Fraction]:
    """Rational ends of an interval that contains the value of a constant ratio; Unsupported
    where none is found.
    """
    if (exact := r.as_rational) is not None:
        return exact, exact
    value = ball(r, bits)
    if not value.is_finite():
        if bits < LAST:
            return enclose(r, 4 * bits)
        raise Unsupported(
            "a constant was not enclosed: it may be larger than the computation goes, or a "
            "divisor in it was not told from 0"
        )
    if not abs(value) < flint.arb(2) ** FAR:
        raise Unsupported(f"a constant of more than {FAR} bits")
    return _ends(value, bits)


def scientific(r: Ratio, digits: int) -> str | None:
    """A decimal such as 1.2e-434294481903251827 of a constant too large or too small for `enclose`;
    None for other constants.

    Where balls show only that it is close to 0, the text says how close.
    """
    exact = r.as_rational
    if exact is not None and (
        not exact or max(exact.numerator.bit_length(), exact.denominator.bit_length()) < FAR
    ):
        return None
    bits, value = START, ball(r, START)
    while bits <= LAST and (not value.is_finite() or value.contains(0)):
        bits *= 4
        value = ball(r, bits)
    size = abs(value)
    if (
        not value.is_finite()
        or (size > flint.arb(2) ** (-FAR // 2) and size < flint.arb(2) ** FAR)
        or size.upper() > flint.arb(2) ** (-FAR // 2) > size.lower()
    ):
        return None
    if value.contains(0):
        return f"less than {size.upper().str(2, radius=False)} in size"
    with flint.ctx.workprec(bits):
        return _scientific(value.mid().str(digits, radius=False))


def _scientific(text: str) -> str:
    """FLINT's decimal without zeros that say nothing."""
    mantissa, _, exponent = text.partition("e")
    return f"{mantissa.rstrip('0').rstrip('.') if '.' in mantissa else mantissa}e{exponent}"


@lru_cache(maxsize=65536)
def _sign_of(p: Polynomial) -> int | None:
    if len(p.terms) == 1:
        ((m, c),) = p.terms.items()
        if all(a.kind in POSITIVE for a, _ in m):
            return 1 if c > 0 else -1  # no ball needs to tell exp(-exp(10^6)) from 0
    bits = START
    while bits <= LAST:
        value = ball(Ratio(p), bits)
        if value > 0:
            return 1
        if value < 0:
            return -1
        bits *= 4
    return None


def sign(r: Ratio) -> int | None:
    """-1, 0 or 1 for a constant ratio; None when balls of 4096 bits do not exclude zero or r
    depends on a name.
    """
    exact = r.as_rational
    if exact is not None:
        return (exact > 0) - (exact < 0)
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


def _sum(f: Terms, x: flint.arb) -> flint.arb:
    powers = {k: x**k for k in {k for k, _ in f}}
    growths = {a: (x * _rational(a)).exp() for a in {a for _, a in f}}
    total = flint.arb(0)
    for (k, a), c in f.items():
        total += _rational(c) * powers[k] * growths[a]
    return total


def _taylor(f: Terms, x: flint.arb) -> list[flint.arb]:
    """The coefficients of f(x + h) up to h^TAYLOR; for a wide x each contains those of all its
    points.
    """
    shift, total = flint.arb_poly([x, 1]), flint.arb_poly([0])
    for rate in sorted({a for _, a in f}):  # the order of a sum of balls shows in its radius
        slope = _rational(rate)
        powers = [(x * slope).exp()]
        for j in range(1, TAYLOR + 1):
            powers.append(powers[-1] * slope / j)
        inner = {k: c for (k, a), c in f.items() if a == rate}
        total += flint.arb_poly(
            [_rational(inner.get(k, Fraction(0))) for k in range(max(inner) + 1)]
        )(shift) * flint.arb_poly(powers)
    return [total[j] for j in range(TAYLOR + 1)]


def sign_between(f: Terms, low: Ratio, high: Ratio, bits: int = START) -> int | None:
    """1 or -1 if f has that sign everywhere between two constants, ends included; None if a ball
    does not show it.

    The ball is that of the terms or, where this holds zero, that of Taylor's formula in the middle,
    of order TAYLOR.
    """
    with flint.ctx.workprec(bits):
        x = _ratio(low).union(_ratio(high))
        value = _sum(f, x)
        if not value > 0 and not value < 0 and max(k for k, _ in f) <= DENSE:
            here, size = _taylor(f, x.mid()), x.rad()
            rest = [abs(c) for c in (*here[1:TAYLOR], _taylor(f, x)[TAYLOR])]
            value = here[0] + flint.arb(0, 1) * sum(
                (c * size**j for j, c in enumerate(rest, 1)), flint.arb(0)
            )
        return 1 if value > 0 else -1 if value < 0 else None


def size_at(f: Terms, x: Fraction, bits: int = START) -> Fraction:
    """An upper bound of the sum of |terms| of f at a point x >= 0."""
    with flint.ctx.workprec(bits):
        return _ends(_sum({key: abs(c) for key, c in f.items()}, _rational(x)), bits)[1]
