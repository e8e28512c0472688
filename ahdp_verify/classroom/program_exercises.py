"""Exercises about noise programs: find two inputs and outputs that refute a claim.

>>> from ahdp_verify.kernel.model.answers import Answers
>>> from ahdp_verify.kernel.model.program import Draw, If, Program, Stop
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> yes, no = (Release(label(word), Stop()) for word in ("yes", "no"))
>>> test = Draw("nu", "laplace", parse("1"), If(parse("q[1] + nu"), True, yes, no))
>>> exercise = OutputsExercise(ProgramClaim(Program("sign", (), Answers(1), test), "all", parse("1/2")))
>>> print(exercise.check("no", "0", "1"))
Right. With the answers 0 the program outputs no with probability 1/2, with 1 with probability exp(-1)/2 = 0.18394; the claim allows a factor of exp(1/2) = 1.64872, and the factor is more. So the claim is false.
>>> print(exercise.check("no", "0", "1/4"))
Not right. With the answers 0 the program outputs no with probability 1/2, with 1/4 with probability exp(-1/4)/2 = 0.3894; the claim allows a factor of exp(1/2) = 1.64872, and the factor is not more. This refutes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.classroom.feedback import Feedback, answered
from ahdp_verify.decimals import text_with_decimal
from ahdp_verify.kernel.checker import refute_program
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.evidence.program_counterexample import OutputEvent, ProgramCounterexample
from ahdp_verify.kernel.model.inequality import UnknownValues
from ahdp_verify.kernel.model.program import Release, Tree, children
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.numbers.algebra import Ratio, exp_of
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.chance import output_probability
from ahdp_verify.kernel.terms.exact import rational
from ahdp_verify.kernel.terms.expression import Expression, label, names, substitute

LONGEST = 6  # answers: on more of them the probabilities of some programs take long


@dataclass(frozen=True, slots=True)
class OutputsExercise:
    """Right are two inputs and the words that are output, exactly, if they refute the claim, in
    either order of the inputs; `parameters` are the values at which the program runs.
    """

    claim: ProgramClaim
    parameters: UnknownValues = ()

    @property
    def words(self) -> list[str]:
        """The words that the program outputs."""
        program = self.claim.program
        trees = [program.start, *(tree for s in program.states for tree in (s.body, s.end))]
        return list(dict.fromkeys(word for tree in trees for word in _words(tree)))

    def check(self, outputs: str | None, first: str | None, second: str | None) -> Feedback:
        """Whether the outputs refute the claim at the two inputs; numbers and words have commas
        between them.
        """
        if not (first or "").strip() or not (second or "").strip():
            return answered("", lambda text: self._judge(text, "", ""))
        return answered(outputs, lambda text: self._judge(text, str(first), str(second)))

    def _judge(self, outputs: str, first: str, second: str) -> Feedback:
        event = OutputEvent(tuple(map(label, self._outputs(outputs))))
        sides = _answers(first), _answers(second)
        chances = [self._chance(side, event) for side in sides]
        allowed = exp_of(normal(substitute(self.claim.level, dict(self.parameters)), EMPTY))
        (at_first, at_second), (p, q) = map(_listed, sides), map(_shown, chances)
        said = (
            f"With the answers {at_first} the program outputs {event_text(event)} with probability "
            f"{p}, with {at_second} with probability {q}; the claim allows a factor of "
            f"{_shown(allowed)}"
        )
        reason = ""
        for one, other in (sides, sides[::-1]):
            try:
                refute_program(
                    self.claim, ProgramCounterexample(self.parameters, one, other, event)
                )
                return Feedback(True, f"{said}, and the factor is more. So the claim is false.")
            except Rejected as why:
                reason = why.reason
        if "exceed" not in reason:
            return Feedback(False, f"This is no pair that the claim is about: {reason}.")
        return Feedback(False, f"{said}, and the factor is not more. This refutes nothing.")

    def _outputs(self, text: str) -> list[str]:
        found = [word.strip().strip("\"'").lower() for word in text.split(",")]
        for word in found:
            if word not in self.words:
                raise BadInput(
                    "outputs", f"{word!r} is no output", f"use {' and '.join(self.words)}"
                )
        return found

    def _chance(self, side: tuple[Fraction, ...], event: OutputEvent) -> Ratio:
        return output_probability(self.claim.program, side, dict(self.parameters), event)


EMPTY = Context.empty()


def event_text(event: OutputEvent) -> str:
    """The words of an event with commas between them."""
    return str(event).replace('"', "")


def fraction_of(e: Expression) -> Fraction:
    """The value of an answer, as an option of a program; BadInput unless it is a fraction."""
    value = normal(e, EMPTY).as_rational if not names(e) else None
    if value is None:
        raise BadInput("answer", f"{e} is no fraction", "write for example 3/2")
    return value


def _words(tree: Tree) -> Iterator[str]:
    if isinstance(tree, Release) and tree.item.head == "label":
        yield str(tree.item).strip('"')
    for child in children(tree):
        yield from _words(child)


def _answers(text: str) -> tuple[Fraction, ...]:
    """Numbers with commas between them."""
    parts = [part.strip() for part in text.strip("() ").split(",")]
    if len(parts) > LONGEST:
        raise BadInput("answers", f"there are {len(parts)} of them", f"use at most {LONGEST}")
    return tuple(rational(part, "answers") for part in parts)


def _listed(side: tuple[Fraction, ...]) -> str:
    return ", ".join(map(str, side)) if len(side) == 1 else f"({', '.join(map(str, side))})"


def _shown(value: Ratio) -> str:
    """A constant, with a decimal beside it where that is clearer."""
    e: Expression = to_expression(value)
    return text_with_decimal(e, value)
