"""Integrals over several outputs, one after another.

    points ascend      on the piece between u and v, what is integrated over the later outputs is f
    -----------------------------------------------------------------------------------------------
    the integral over all outputs is the sum over the pieces of the integral of f from u to v

f is a sum of exponentials in the output, with ends that may depend on earlier ones.  What is
integrated is >= 0, or the difference of two such functions with finite integrals, so the order does
not matter (Tonelli and Fubini).  Facts about a piece are contradictory where it is empty, so f may
divide only by what is known not to be 0 without them.

>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.numbers.algebra import exp_of, symbol
>>> s, points = symbol("s"), (constant(0), constant(1))
>>> f = {0: constant(0), 1: exp_of(s), 2: exp_of(constant(1) - s)}
>>> total_of_slices(real("s"), points, lambda upper, piece: f[upper], Context.empty()).key
'exp(1)'
"""

from __future__ import annotations

from collections.abc import Callable

from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.numbers.algebra import Ratio, constant
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import require_nonzero
from ahdp_verify.kernel.rules.integration import (
    check_points,
    exponentials_total,
    piece_bounds,
    piece_context,
)


def total_of_slices(
    output: Output,
    points: tuple[Ratio, ...],
    value: Callable[[int, Context], Ratio],
    here: Context,
) -> Ratio:
    """The integral over an output of what the later outputs add up to on each piece, given the
    number of its upper point and what is known there.
    """
    check_points(output.name, output.kind, points, here)
    total = constant(0)
    for i, j, upper in piece_bounds(len(points)):
        piece = piece_context(output.name, output.kind, points, upper, here)
        found = value(upper, piece)
        for f, _ in found.den:
            require_nonzero(Ratio(f), here)
        u, v = (None if k is None else points[k] for k in (i, j))
        total = total + exponentials_total(found, output.name, output.kind, u, v, piece)
    return total
