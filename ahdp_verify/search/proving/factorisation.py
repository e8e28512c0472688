"""A polynomial in atoms as a product, by FLINT: the sign of a product is that of its factors, and
each is easier to find.

>>> from ahdp_verify.kernel.numbers.algebra import constant, exp_of, symbol
>>> q, u = exp_of(-symbol("eps")), symbol("u")
>>> c, listed = polynomial_factors(((u - constant(1)) * (constant(1) - q * q)).num)
>>> print(c, [(f.key, k) for f, k in listed])
1 [('-1 + exp(eps)', 1), ('-1 + u', 1), ('1 + exp(eps)', 1), ('exp(eps)^(-2)', 1)]
"""

from __future__ import annotations

from fractions import Fraction

import flint

from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import FlintRing, Polynomial, polynomial_of_monomial

TERMS = 400  # terms of a polynomial up to which it is factored
DEGREE = 40  # degree in one atom up to which it is factored


def polynomial_factors(p: Polynomial) -> tuple[Fraction, tuple[tuple[Polynomial, int], ...]]:
    """(c, [(f, k), ...]) with p = c times the product of all f^k, the shortest f first; a common
    monomial is the last f, with k = 1.  A polynomial that is too large has no other factors.
    """
    if not p.terms:
        return Fraction(0), ()
    coarse = FlintRing.of(p)
    ring = FlintRing(coarse.atoms, tuple(Fraction(1, unit.denominator) for unit in coarse.units))
    found, low = ring.to_flint(p)
    if max(found.degrees(), default=0) > DEGREE:  # in common powers of the atoms, as of exp(32)
        ring = coarse
        found, low = ring.to_flint(p)
    unit, listed = flint.fmpq(1), [(found, 1)]
    if len(p.terms) <= TERMS and max(found.degrees(), default=0) <= DEGREE:
        unit, listed = found.factor()
    shift, common = algebra.monomial_of_powers(
        {a: e * unit for a, e, unit in zip(ring.atoms, low, ring.units, strict=True)}
    )
    factors = [(ring.of_flint(f, [0] * len(low)), int(k)) for f, k in listed]
    factors.sort(key=lambda pair: (len(pair[0].terms), pair[0].key))
    monomial = ((polynomial_of_monomial(common), 1),) if common else ()
    return Fraction(int(unit.p), int(unit.q)) * shift, (*factors, *monomial)
