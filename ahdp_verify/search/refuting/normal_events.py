"""Half-spaces on which one law of several independent normal outputs exceeds exp(level) times
another one of the same variances: the log-likelihood ratio is linear, and there it is at least the
level.

    log(p/q) = sum of w_i (s_i - (m_i + n_i)/2),    w_i = (m_i - n_i)/v_i
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.event import Event, Points
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.numbers.algebra import Ratio, symbol
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import to_expression
from ahdp_verify.kernel.rules.notions import normal_density, squared_distance
from ahdp_verify.kernel.terms.expression import Expression

HALF = Fraction(1, 2)


def normal_events(
    laws: tuple[Expression, Expression], outputs: tuple[Output, ...], level: Ratio, here: Context
) -> Iterator[tuple[Event, tuple[Points, Points]]]:
    """The half-space, if both laws are of this form."""
    if len(outputs) < 2 or any(o.kind != "real" for o in outputs):
        return
    with suppress(Rejected, Undecided, Unsupported, ZeroDivisionError):
        first, second = (normal_density(law, outputs, (), here) for law in laws)
        squared_distance(first, second)
        rows = [
            (symbol(o.name), (m - n) / v, (m + n).scale(HALF))
            for o, (m, v), (n, _) in zip(outputs, first, second, strict=True)
        ]
        moved = [i for i, (_, w, _) in enumerate(rows) if not w.is_zero]
        if not moved:
            return
        last = moved[-1]
        end = level
        for i, (s, w, middle) in enumerate(rows):
            end = end + w * middle - (w * s if i != last else w - w)
        _, weight, _ = rows[last]
        bound = to_expression(end / weight)
        upwards = constant_sign(weight) == 1
        ends = (bound, None) if upwards else (None, bound)
        yield Event(intervals=((outputs[last].name, *ends),)), ((), ())
