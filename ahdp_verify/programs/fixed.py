"""Noise programs on a fixed number of queries, as one tree.

The function is run with names in place of the query answers, once for each path.

>>> from ahdp_verify.programs.words import argmax, exponential
>>> def largest(queries, eps):
...     return argmax([q + exponential(2 / eps) for q in queries])
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> request = Request(Function(largest, "largest"), (("eps", parse("0 < eps")),), {})
>>> program = program_on(Answers(2), request)
>>> print(*program.start.then.then.values)
q[1] + z1 q[2] + z2
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.answers import Answers, RecordAnswers, answer_names
from ahdp_verify.kernel.model.declarations import NamedConditions
from ahdp_verify.kernel.model.linear_form import LinearForm
from ahdp_verify.kernel.model.neighbours import parameter_context
from ahdp_verify.kernel.model.program import Program, Stop, Tree
from ahdp_verify.kernel.terms.expression import name
from ahdp_verify.programs.amount import Amount
from ahdp_verify.programs.exploring import (
    ONE,
    Branching,
    Ended,
    ExploringRun,
    Output,
    Waiting,
    explored,
    free_prefix,
    tree_of,
)
from ahdp_verify.programs.outputs import check_released, read_alike
from ahdp_verify.programs.running import Function, outputs_of
from ahdp_verify.programs.words import drawing_with


@dataclass(frozen=True, slots=True)
class Request:
    """A function with the names of its parameters, their conditions, and its options."""

    function: Function
    parameters: NamedConditions
    options: Mapping[str, Any]

    @property
    def names(self) -> set[str]:
        """The names of the parameters."""
        return {key for key, _ in self.parameters}

    def arguments(self, run: ExploringRun) -> dict[str, Any]:
        """What the function is called with besides the queries."""
        given = {key: Amount.of_expression(name(key), run) for key, _ in self.parameters}
        return {**given, **self.options}


def program_on(inputs: Answers | RecordAnswers, request: Request) -> Program:
    """The program that the function is on a fixed number of answers; BadInput for what it does that
    no program can do.
    """
    here = parameter_context(request.parameters)
    called = request.function.name

    def run_along(script: tuple[int, ...]) -> ExploringRun:
        run = ExploringRun(called, here, script)
        queries = [Amount(run, {key: ONE}) for key in answer_names(inputs)]
        with drawing_with(run):
            for value in outputs_of(request.function, (queries,), request.arguments(run)):
                run.release(value)
        if run.refusal is not None:
            raise run.refusal
        run.happens(Ended())
        return run

    everything = Branching()
    shapes = []
    for run in explored(run_along, called):
        everything.include(run.record, called)
        shapes.append(
            tuple(step.event.shape for step in run.record if isinstance(step.event, Output))
        )
    check_released(shapes, called)
    read_alike(shapes, whole=True)
    prefix = free_prefix(request.names)
    try:
        tree = tree_of(everything, _stopped, {}, prefix)
        return Program(called, request.parameters, inputs, tree)
    except RecursionError:
        raise BadInput(
            called, "its paths are too long", "use a loop over any number of queries"
        ) from None


def _stopped(event: Waiting | Ended, values: dict[str, LinearForm]) -> Tree:
    del event, values
    return Stop()
