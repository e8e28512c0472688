"""Two inputs of a noise program, and an event: a list of outputs.

>>> from ahdp_verify.kernel.terms.expression import label, number
>>> print(OutputEvent((label("no"), Between(number(0), None))))
"no", [0, oo)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.model.inequality import UnknownValues
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.terms.stored import name_kinds


@dataclass(frozen=True, slots=True)
class Between:
    """A number from `low` to `high`, both included; None: no bound."""

    low: Expression | None
    high: Expression | None

    def __str__(self) -> str:
        low = "(-oo" if self.low is None else f"[{self.low}"
        return f"{low}, {'oo)' if self.high is None else f'{self.high}]'}"


@dataclass(frozen=True, slots=True)
class OutputEvent:
    """Exactly so many items are released, in this order: a label, or a number in an interval.

    increments    the intervals are those of the number less the number released before it
    """

    items: tuple[Expression | Between, ...]
    increments: bool = False

    def __str__(self) -> str:
        listed = ", ".join(map(str, self.items)) or "nothing is released"
        return f"{listed} (each less the number before)" if self.increments else listed


@dataclass(frozen=True, slots=True)
class ProgramCounterexample:
    """A refutation that is still to be checked: values of the parameters, the query answers of two
    inputs (for a program on datasets: how often each holds each record of the domain), and an
    event.
    """

    parameters: UnknownValues
    first: tuple[Fraction, ...]
    second: tuple[Fraction, ...]
    event: OutputEvent


EVENT_KINDS: dict[str, type] = {
    "inputs and outputs": ProgramCounterexample,
    "outputs": OutputEvent,
    "between": Between,
}
name_kinds(EVENT_KINDS)
