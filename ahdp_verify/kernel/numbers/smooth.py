"""sin, cos, atan and erf in the algebra: opaque atoms, with the values, symmetries and bounds that
are exact.

    sin(-x) = -sin(x)      cos(-x) = cos(x)      atan(-x) = -atan(x)      erf(-x) = -erf(x)
    sin(x + pi/2) = cos(x)                       cos(x + pi/2) = -sin(x)
    |sin(x)| <= 1          |cos(x)| <= 1         |atan(x)| < pi/2         |erf(x)| < 1

erf(x) is 2/sqrt(pi) times the integral of exp(-t^2) from 0 to x.  So that equal values are mostly
equal forms, the first coefficient of an argument is made positive, multiples of pi/2 are taken out
of the argument of sin and cos, and the values at multiples of pi/6 and pi/4, atan at 0, 1, sqrt(3)
and 1/sqrt(3), and erf(0) are known.  Two other forms may have one value; then an answer can be
lost, but no answer is wrong.

>>> from ahdp_verify.kernel.numbers.algebra import symbol
>>> x = symbol("x")
>>> function_value("sin", PI - x).key, function_value("cos", PI.scale(Fraction(2, 3))).key
('sin(x)', '-1/2')
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import PI, Atom, Monomial, Polynomial, Ratio, constant
from ahdp_verify.kernel.numbers.ball import constant_sign

Signs = Callable[[Ratio], frozenset[int]]  # those that a ratio can have, as far as it is known
ANY = frozenset((-1, 0, 1))
HALF = Fraction(1, 2)
ROOT_OF_2, ROOT_OF_3 = (algebra.ratio_of_atom(algebra.prime_atom(p), HALF) for p in (2, 3))
NUMBERS = (constant(0), constant(HALF), ROOT_OF_2.scale(HALF), ROOT_OF_3.scale(HALF), constant(1))
# sin(k pi/12) for the angles from 0 to pi/2 at which it is a number or a root
SINES = dict(zip((0, 2, 3, 4, 6), NUMBERS, strict=True))
# the angles, in twelfths of pi, of which these are the tangents
ARCS = {"0": 0, ROOT_OF_3.scale(Fraction(1, 3)).key: 2, "1": 3, ROOT_OF_3.key: 4}
BOUNDS = {**dict.fromkeys(("sin", "cos", "erf"), constant(1)), "atan": PI.scale(HALF)}
ATTAINED = ("sin", "cos")


def function_value(head: str, r: Ratio) -> Ratio:
    """The ratio of sin, cos, atan, erf, Ei or theta3 at r: exact where it is known, otherwise one
    atom.

    Ei is the exponential integral, for r other than 0: the principal value of the integral of
    exp(t)/t up to r.  theta3 is the sum of exp(-r k^2) over all whole k, for r > 0.
    """
    if head in ATTAINED:
        return _circular(r, int(head == "cos"))
    if head in ("Ei", "theta3"):
        return _function_atom(head, r)
    side = -1 if algebra.primitive_part(r.num)[0] < 0 else 1
    r = r.scale(side)
    if head == "atan" and r.key in ARCS:
        return PI.scale(Fraction(side * ARCS[r.key], 12))
    return r if r.is_zero else _function_atom(head, r).scale(side)


def _function_atom(head: str, r: Ratio) -> Ratio:
    return algebra.ratio_of_atom(Atom(head, (r,), f"{head}({r.key})"))


def _circular(r: Ratio, quarters: int) -> Ratio:
    """sin(r + quarters * pi/2)."""
    turns = Fraction(0) if r.den else r.num.coefficient(next(iter(PI.num.terms)))
    rest = r - PI.scale(turns)
    side = 1
    if algebra.primitive_part(rest.num)[0] < 0:  # sin(t - u) = -sin(u - t)
        rest, turns, quarters, side = -rest, -turns, -quarters, -1
    whole = math.floor(2 * turns)
    turns, quarters = turns - Fraction(whole, 2), (quarters + whole) % 4
    side = -side if quarters > 1 else side
    if rest.is_zero and quarters % 2:  # cos(t) = sin(pi/2 - t)
        turns, quarters = HALF - turns, 0
    if rest.is_zero and 12 * turns in SINES:
        return SINES[int(12 * turns)].scale(side)
    return _function_atom(ATTAINED[quarters % 2], rest + PI.scale(turns)).scale(side)


def signs_of_functions(p: Polynomial, signs: Signs) -> frozenset[int]:
    """The signs that a polynomial in sin, cos, atan and erf can have: by their bounds, and those of
    one of them alone also by its argument.
    """
    (m, *others) = p.terms
    if not others and m.single is not None:
        return _signs_by_argument(m.single.kind, m.single.payload[0], signs)
    centre, reach, strict = constant(0), constant(0), False
    for m, c in p.terms.items():
        inside = [(a, e) for a, e in m.powers if a.kind in BOUNDS]
        rest = Monomial(pair for pair in m.powers if pair not in inside)
        piece = Ratio(algebra.polynomial_of_monomial(rest, c))
        if (direction := constant_sign(piece) if inside else 1) is None:
            return ANY
        for a, e in inside:
            piece = piece * BOUNDS[a.kind] ** int(e)
            strict = strict or a.kind not in ATTAINED
        centre, reach = (
            (centre, reach + piece.scale(direction)) if inside else (centre + piece, reach)
        )
    for side in (1, -1):
        found = constant_sign(centre.scale(side) - reach)
        if found == 1 or (found == 0 and strict):
            return frozenset((side,))
        if found == 0:
            return frozenset((0, side))
    return ANY


def _signs_by_argument(kind: str, r: Ratio, signs: Signs) -> frozenset[int]:
    """atan and erf have the sign of their argument, sin is >= 0 from 0 to pi, and cos from -pi/2
    to pi/2.
    """
    if kind not in ATTAINED:
        return signs(r)
    r = r + PI.scale(HALF) if kind == "cos" else r
    inside = signs(r) | signs(PI - r)
    return ANY if -1 in inside else inside


def root_of(base: Ratio, e: Fraction, signs: Callable[[Polynomial], frozenset[int]]) -> Ratio:
    """base^e for base > 0; whole powers are taken out where a sign is known, so that (2 b^2)^(1/2)
    is 2^(1/2) |b|.
    """
    found, listed = constant(1), [(f, -k) for f, k in base.den]
    for a, k in algebra.primitive_part(base.num)[1].powers:
        listed += [] if a.kind in algebra.INVERTIBLE else [(algebra.polynomial_of_atom(a), int(k))]
    for f, k in listed:
        if (e * k).denominator == 1 and len(signs(f)) == 1:
            size = Ratio(f).scale(next(iter(signs(f))))
            found, base = found * size ** int(e * k), base / size**k
    return found * algebra.ratio_power(base, constant(e))


def with_whole_powers(r: Ratio) -> Ratio:
    """The same ratio, where no power exp(e log p) of a p has an e outside [0, 1)."""
    total = constant(0)
    for m, c in r.num.terms.items():
        term = Ratio(algebra.polynomial_of_monomial(algebra.UNIT, c), r.den)
        for a, e in m.powers:
            log = a.payload[0].single if a.kind == "exp" and not a.payload[1] else None
            whole = math.floor(e) if log is not None and log.kind == "log" else 0
            term = term * algebra.ratio_of_atom(a, e - whole)
            term = term * log.payload**whole if log is not None and whole else term
        total = total + term
    return total
