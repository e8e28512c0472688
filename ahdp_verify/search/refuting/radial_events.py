"""Small boxes, far out on the side of the one centre, on which one law of a distance is large
against another one: a point there is nearer to this centre than to the other one by almost their
distance.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.event import Event, Points
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.rules.radial import SPHERES, radial_law
from ahdp_verify.kernel.terms.expression import Expression, number

AWAY = (1, 8, 64)  # distances of the box from the centre, in those of the two centres
WIDTHS = (Fraction(1, 16), Fraction(1, 256), Fraction(1, 4096))  # of the box, in the same unit
FINE = 2**12  # the denominator of a corner


def radial_events(
    laws: tuple[Expression, Expression], outputs: tuple[Output, ...], level: Ratio, here: Context
) -> Iterator[tuple[Event, tuple[Points, Points]]]:
    """The boxes, if both laws are of this form and the loss exceeds the level in floats."""
    if len(outputs) not in SPHERES or any(o.kind != "real" for o in outputs):
        return
    with suppress(Rejected, Undecided, Unsupported, ZeroDivisionError, AttributeError):
        first, second = (radial_law(law, outputs, here) for law in laws)
        near, far = ([_value(c) for c in law.centre] for law in (first, second))
        apart = math.dist(near, far)
        if not apart or _value(first.rate) * apart <= _value(level):
            return
        for width in WIDTHS:
            side = Fraction(apart * float(width)).limit_denominator(2**20) or width
            for away in AWAY:
                yield _box(outputs, (near, far), away, side), ((), ())


def _box(
    outputs: tuple[Output, ...], centres: tuple[list[float], list[float]], away: int, side: Fraction
) -> Event:
    """A box of this width, so far from the first centre on the side away from the second one."""
    rows = []
    for o, a, b in zip(outputs, *centres, strict=True):
        corner = Fraction(a + (a - b) * away).limit_denominator(FINE) - side / 2
        rows.append((o.name, number(corner), number(corner + side)))
    return Event(intervals=tuple(rows))


def _value(r: Ratio) -> float:
    return float(enclose(r)[0])
