"""Exact probabilities of the outputs of noise programs."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.evidence.program_counterexample import OutputEvent
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.terms.expression import Expression


def output_probability(
    program: Program,
    answers: tuple[Fraction, ...],
    parameters: Mapping[str, Expression],
    event: OutputEvent,
) -> Ratio:
    """The probability that the outputs lie in the event, exactly, at the query answers q[1], q[2],
    ... and values of all parameters.
    """
    raise Unsupported("not yet")
