"""Exercises that ask the toolkit whether an answer is right.

No exercise stores an answer: a level or a scale is right if the claim about it is proved, a value
if it equals the one that the toolkit works out, an event if its exact probabilities violate the
claim.  So every right answer is accepted, in whatever form, and a wrong one comes back with the
counterexample.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.model.privacy import ahdp
>>> s, W = real("s"), Domain([(0, 1), (1, 2)])
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(lambda x, eps: x))) / 2, name="noisy sum")
>>> level = ClaimExercise(lambda level: ahdp(M, level), "level")
>>> print(level.check("x"))
Right. Proved: noisy sum is AHDP at level x; scope: all datasets; trusts: the checker alone.
>>> print(level.check("x/2"))
Not right. Counterexample: {} against {(1, 2)}, event s < 0: probability 1/2 against exp(-1)/2 = 0.18394, loss 1 > 1/2, delta 0.196735.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from ahdp_verify.analysis.inputs import distance_between
from ahdp_verify.analysis.testing.error_rates import error_rates
from ahdp_verify.classroom.feedback import Feedback, answered, judged, limits
from ahdp_verify.constants import holds
from ahdp_verify.decimals import approximate_rational, text_with_decimal
from ahdp_verify.files.records import recheck
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyClaim
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.refuted import RefutedInequality
from ahdp_verify.kernel.terms.expression import TRUE, ZERO, Expression, eq, exp, names, oo
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.verify import verify

ADDING = ("ahdp", "add-remove")  # relations under which one record is added or removed
CLOSE = Fraction(1, 100)  # relative: a constant this near is a rounded one, or a slip


@dataclass(frozen=True, slots=True)
class ClaimExercise:
    """Right is an expression with which a claim is proved: any level at least the least one, any
    scale that suffices, unless `best` is given.

    make    the claim about an answer
    what    what is asked for, in a word or two
    using   the names that an answer may use; None for all that the claim knows
    best    what the toolkit finds to be the best answer; where it is given, only that is right
    """

    make: Callable[[Expression], AnyClaim]
    what: str = "answer"
    using: tuple[str, ...] | None = None
    best: Callable[[], Expression] | None = None

    def check(self, answer: str | None) -> Feedback:
        """Whether the claim about the answer is proved."""
        return answered(answer, self._judge)

    def _judge(self, answer: str) -> Feedback:
        given = parse(answer, self.what)
        if self.using is not None and (strange := sorted(names(given) - {*self.using})):
            known = " and ".join(self.using) or "numbers only"
            raise BadInput(self.what, f"it uses {strange[0]}", f"use {known}")
        verdict = verify(self.make(given), limits())
        found = judged(verdict, f"{verdict}.")
        if found.accepted and self.best is not None and not holds(eq(given, self.best())):
            return Feedback(
                False, f"With this {self.what} the claim is proved, but it is not the best one."
            )
        return found


@dataclass(frozen=True, slots=True)
class ValueExercise:
    """Right is every expression that equals `value`, for all values of the parameters.

    value         what the toolkit worked out
    what          what is asked for, with its article
    parameters    the names in it, with their conditions
    """

    value: Expression
    what: str = "the value"
    parameters: Mapping[str, str] = field(default_factory=dict)

    def check(self, answer: str | None) -> Feedback:
        """Whether the answer and the value are equal."""
        return answered(answer, self._judge)

    def _judge(self, answer: str) -> Feedback:
        given = parse(answer, self.what)
        verdict = verify(Inequality.of(self.parameters, given, "==", self.value), limits())
        if isinstance(verdict, RefutedInequality):
            return Feedback(False, self._difference(verdict, given))
        everywhere = (
            f", for all {' and '.join(self.parameters.values())}" if self.parameters else ""
        )
        return judged(verdict, f"{given} is {self.what}{everywhere}.")

    def _difference(self, verdict: RefutedInequality, given: Expression) -> str:
        """Where an answer differs from the value; of a constant only which is larger."""
        yours, value = map(approximate_rational, (verdict.left, verdict.right))
        if self.parameters:
            at = ", ".join(f"{key} = {x}" for key, x in verdict.values)
            return (
                f"At {at} your answer is {float(yours):.6g}, and {self.what} is {float(value):.6g}."
            )
        near = (
            "; it is near, so if you rounded, give the exact value, such as 1/3 or exp(-1)"
            if abs(yours - value) <= CLOSE * abs(value)
            else ""
        )
        side = "large" if yours > value else "small"
        return f"{given} is too {side} for {self.what}{near}."


@dataclass(frozen=True, slots=True)
class EventExercise:
    """Right is every event that refutes the claim at two datasets: its probability at one is more
    than exp(distance) times its probability at the other, exactly.

    first, second    the datasets, as lists of counts; None where the answer names them too
    Raises BadInput for a claim that does not bound the probabilities at two datasets by their
    distance: one with a delta, or about another relation.
    """

    claim: Claim
    first: tuple[int, ...] | None = None
    second: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if self.claim.relation not in ADDING or self.claim.delta != ZERO:
            raise BadInput(
                "claim",
                f"{self.claim} is not about adding a record, with delta 0",
                "use ahdp(...) or dp(...) without delta",
            )

    def check(
        self, event: str | None, first: str | None = None, second: str | None = None
    ) -> Feedback:
        """Whether the event, a condition on the output, refutes the claim at the two datasets,
        which are counts with commas between them.
        """
        if self.first is not None and self.second is not None:
            sides = (self.first, self.second)
            return answered(event, lambda text: self._judge(text, *sides))
        if not (first or "").strip() or not (second or "").strip():
            return answered("", lambda text: self._judge(text, (), ()))
        return answered(event, lambda text: self._judge(text, _counts(first), _counts(second)))

    def _judge(self, event: str, first: tuple[int, ...], second: tuple[int, ...]) -> Feedback:
        mechanism = self.claim.mechanism
        moved = sum(abs(a - b) for a, b in zip(first, second, strict=False))
        if moved > 1 and mechanism.defined != TRUE:  # a path between them may leave `defined`
            raise BadInput("datasets", "they differ in several records", "add or remove one")
        errors = error_rates(mechanism, list(first), list(second), event)
        at_first, at_second = errors.type_one, 1 - errors.type_two
        level = distance_between(mechanism, list(first), list(second), self.claim.level)
        said = (
            f"The probability of {event} is {_shown(at_first)} at the first dataset and "
            f"{_shown(at_second)} at the second; the claim allows a factor of "
            f"{'any size' if level == oo else _shown(exp(level))}"
        )
        for larger, smaller in ((at_first, at_second), (at_second, at_first)):
            if level != oo and holds(larger > exp(level) * smaller):
                return Feedback(True, f"{said}, and the factor is more. So the claim is false.")
        return Feedback(False, f"{said}, and the factor is not more. This refutes nothing.")


def _counts(text: str | None) -> tuple[int, ...]:
    """Counts with commas between them."""
    parts = [part.strip() for part in (text or "").split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 7 for part in parts):
        raise BadInput("dataset", f"{text} is not a list of counts", "write for example 0, 1, 2")
    return tuple(map(int, parts))


def _shown(e: Expression) -> str:
    """A constant, with a decimal beside it where that is shorter or clearer."""
    value = normal(e, Context.empty())
    return text_with_decimal(to_expression(value), value)


@dataclass(frozen=True, slots=True)
class ChoiceExercise:
    """Right is every choice whose claim is proved.

    claims    the choices, each with the claim that it stands for
    """

    claims: Mapping[str, AnyClaim | Inequality]

    @property
    def choices(self) -> list[str]:
        """The texts to choose from."""
        return list(self.claims)

    def check(self, answer: str | None) -> Feedback:
        """Whether the claim of the choice is proved."""
        return answered(answer, self._judge)

    def _judge(self, answer: str) -> Feedback:
        if answer not in self.claims:
            raise BadInput("answer", f"{answer} is not one of the choices", "choose one of them")
        verdict = verify(self.claims[answer], limits())
        return judged(verdict, f"{verdict}.")


@dataclass(frozen=True, slots=True)
class RecordExercise:
    """Right is every choice whose saved record the checker accepts.

    records    the choices, each with the text of a saved record
    """

    records: Mapping[str, str]

    @property
    def choices(self) -> list[str]:
        """The texts to choose from."""
        return list(self.records)

    def check(self, answer: str | None) -> Feedback:
        """Whether the checker accepts the record."""
        return answered(answer, self._judge)

    def _judge(self, answer: str) -> Feedback:
        if answer not in self.records:
            raise BadInput("answer", f"{answer} is not one of the choices", "choose one of them")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "record.json"
            path.write_text(self.records[answer], encoding="utf-8")
            try:
                return Feedback(True, f"The checker accepts it: {recheck(path)}.")
            except BadInput as why:  # without the name of the temporary file
                return Feedback(False, f"It is refused: {why.reason}.")
