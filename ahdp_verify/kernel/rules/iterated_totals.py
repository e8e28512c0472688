"""Totals over several outputs, one after another.

    f_n = f      here |- f_j >= 0, and its total over output j is f_(j-1), for j = n, ..., 1
    ----------------------------------------------------------------------------------------
                           here |- the total of f is f_0,  which has to be 1

f_j     the stated total over all outputs after j, an expression in the outputs up to j
here    what is known in one state of the input; it says nothing about any output

The order is that of the outputs, but finite ones count as the last ones: their values are summed
first.  The order does not matter, because f is >= 0 (Tonelli).

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

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import Evidence
from ahdp_verify.kernel.model.mechanism import Mechanism, Output
from ahdp_verify.kernel.model.neighbours import substitute_nodes
from ahdp_verify.kernel.numbers.algebra import Ratio, constant
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, require_nonzero
from ahdp_verify.kernel.rules.accepting import rely_on
from ahdp_verify.kernel.rules.cases import LeafCheck, check_cases
from ahdp_verify.kernel.rules.integration import (
    check_points,
    exponentials_total,
    piece_bounds,
    piece_context,
)
from ahdp_verify.kernel.rules.obligations import InputState
from ahdp_verify.kernel.terms.expression import Expression, names

# the test that a law has a stated total over an output
TotalCheck = Callable[[Output, Expression, Expression], LeafCheck]


def integration_order(mechanism: Mechanism) -> list[int]:
    """The places of the outputs in the order in which they are integrated or summed."""
    outputs = mechanism.outputs
    return sorted(range(len(outputs)), key=lambda i: (outputs[i].kind != "finite", -i))


def check_iterated(
    mechanism: Mechanism,
    state: InputState,
    values: tuple[Expression, ...],
    evidence: tuple[Evidence, ...],
    total_check: TotalCheck,
) -> None:
    """Nothing if the totals over one output after another are the stated values, by `total_check`,
    and the one that is left in the end is 1; Rejected otherwise.
    """
    law, done = substitute_nodes(mechanism.density, state.nodes), set[str]()
    for i in integration_order(mechanism):
        done.add(mechanism.outputs[i].name)
        if not names(values[i]).isdisjoint(done):
            raise Rejected("a total mentions an output over which it is taken")
        check_cases(evidence[i], state.here, total_check(mechanism.outputs[i], law, values[i]))
        law = values[i]
    if not state.here.vanishes(normal(law, state.here) - constant(1)):
        raise Rejected("the total over all outputs was not shown to be 1")
    rely_on("the rule of iterated totals")


def total_of_slices(
    output: Output, points: tuple[Ratio, ...], value: Callable[[int, Context], Ratio], here: Context
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
