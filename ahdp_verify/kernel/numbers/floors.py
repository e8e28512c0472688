"""The sign of a floor less a number, by the signs of its argument less whole numbers.

    floor(r) > t   as   r >= floor(t) + 1           floor(r) < t   as   r < ceil(t)

>>> from ahdp_verify.kernel.numbers.hypotheses import Context
>>> from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> here = assume_condition(parse("4 <= s"), Context.empty())
>>> here.ratio_signs(normal(parse("floor(s/2) - 3/2"), here))
frozenset({1})
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, constant


def signs_of_floor(p: Polynomial, signs: Callable[[Ratio], frozenset[int]]) -> frozenset[int]:
    """The signs that c floor(r) + d can have, for numbers c and d; any sign for another
    polynomial.
    """
    (a, c), *others = ((m.single, c) for m, c in p.terms.items() if m)
    if others or a is None or a.kind != "floor":
        return frozenset((-1, 0, 1))
    t, (r,) = algebra.quotient(-p.coefficient(algebra.UNIT), c), a.payload
    above, below = signs(r - constant(math.floor(t) + 1)), signs(r - constant(math.ceil(t)))
    found = {s for s, may in ((1, above & {0, 1}), (-1, below & {-1})) if may}
    if t.denominator == 1 and -1 in above and below & {0, 1}:
        found.add(0)
    return frozenset(s if c > 0 else -s for s in found)
