"""Sums with erf(r) close to 1 or -1, without the bits that cancel.

            s = 1 if r > 1,  -1 if r < -1
    -------------------------------------------------
    c erf(r) + d  =  (c s + d) - c s erfc(s r)

erfc(x) = 1 - erf(x) is enclosed with all its bits, and c s + d is computed exactly, as a
polynomial: it is 0 where the probability of a tail is c - c erf(r), which no number of bits would
find close to exp(-r^2) otherwise.

>>> from ahdp_verify.kernel.numbers.algebra import constant
>>> from ahdp_verify.kernel.numbers.smooth import function_value
>>> exact, rest = without_cancellation(function_value("erf", constant(40)).num, lambda r: flint.arb(40))
>>> exact.key, rest.rad() < abs(rest) * 1e-9 and rest > -flint.arb(2) ** -2300
('1', True)
"""

from __future__ import annotations

from collections.abc import Callable

import flint

from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Monomial, Polynomial, Ratio


def without_cancellation(
    p: Polynomial, enclosed: Callable[[Ratio], flint.arb]
) -> tuple[Polynomial, flint.arb]:
    """A polynomial and a ball whose sum is p, where erf(r) is s - s erfc(s r) for |r| > 1.

    `enclosed` gives a ball that contains a ratio.
    """
    exact, rest = algebra.ZERO, flint.arb(0)
    for m, c in p.terms.items():
        found = next((a for a, e in m.powers if a.kind == "erf" and e == 1), None)
        x = flint.arb(0) if found is None else enclosed(found.payload[0])
        side = 1 if x > 1 else -1 if x < -1 else 0
        if side:
            m, c = Monomial((a, e) for a, e in m.powers if a != found), c * side
            factor = enclosed(Ratio(algebra.polynomial_of_monomial(m, c)))
            rest -= factor * (x * side).erfc()
        exact += algebra.polynomial_of_monomial(m, c)
    return exact, rest
