"""Refuted: the counterexample, both probabilities, and the size of the violation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from typing import Any

from ahdp_verify.kernel.decimals import SHORT, decimal, distinct_decimals, text_with_decimal
from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
    ImageCounterexample,
    InstanceCounterexample,
    OfInstances,
    Total,
    delta_of_move,
    side_text,
)
from ahdp_verify.kernel.evidence.program_counterexample import ProgramCounterexample
from ahdp_verify.kernel.model.answers import RecordAnswers
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyClaim, CompositeClaim
from ahdp_verify.kernel.model.inequality import UnknownValues
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.sensitivity import Statement
from ahdp_verify.kernel.numbers.algebra import Ratio, exp_of, log_of
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.record import sealed_record
from ahdp_verify.kernel.rules.compared import ComparedPair, ComparedValues, scope_of
from ahdp_verify.kernel.rules.joint_law import (
    abstract_mechanisms,
    explicit_claim,
    processed_part,
)
from ahdp_verify.kernel.scope_text import influences, total_text
from ahdp_verify.kernel.terms.expression import Expression, names, substitute
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.kernel.terms.stored import to_stored
from ahdp_verify.kernel.verdict import VerdictBase, trusts_text

PART = 160  # characters shown of one part of a witness; the stored record has all of it


class Refutation(VerdictBase):
    """What all refutations have in common: a witness, and what was trusted."""

    __slots__ = ()

    @property
    def word(self) -> str:
        """The verdict in one word."""
        return "Refuted"

    @property
    def outcome(self) -> str:
        """The answer in one word."""
        return "refuted"

    @property
    def text(self) -> str:
        """The witness in words."""
        raise NotImplementedError

    @property
    def beyond(self) -> tuple[str, ...]:
        """The rules that it relied on beyond those of every refutation."""
        return ()

    @property
    def parts(self) -> tuple[str, ...]:
        """The witness, and what is trusted."""
        return f"witness: {self.text}", trusts_text(*self.beyond)


class Violation(Refutation):
    """By how much two probabilities exceed what a level and a delta allow."""

    __slots__ = ()
    enclosed = False  # whether the first is a lower bound and the second an upper one
    first_probability: Ratio
    second_probability: Ratio
    level: Expression

    @property
    def allowed(self) -> Ratio:
        """The delta of the claim at the values of the parameters."""
        raise NotImplementedError

    @property
    def probabilities_text(self) -> str:
        """Both probabilities, and the size of the violation."""
        p, q = (
            text_with_decimal(to_expression(r), r)
            for r in (self.first_probability, self.second_probability)
        )
        if not self.enclosed:
            return f"probability {p} against {q}, {self.excess}"
        p = decimal(self.first_probability, rounding=ROUND_FLOOR)
        q = decimal(self.second_probability, rounding=ROUND_CEILING)
        return f"probability at least {p} against at most {q}, with these {self.excess}"

    @property
    def loss(self) -> Ratio | None:
        """log(first_probability / second_probability) of the event, in nats; None stands for
        infinity.
        """
        return (
            None
            if self.second_probability.is_zero
            else log_of(self.first_probability / self.second_probability)
        )

    @property
    def delta(self) -> Ratio:
        """first_probability - exp(level) second_probability: no smaller delta makes the claim true
        for this event.
        """
        return (
            self.first_probability
            - exp_of(normal(self.level, Context.empty())) * self.second_probability
        )

    @property
    def excess(self) -> str:
        """By how much the event violates the level, or the delta at that level."""
        level = normal(self.level, Context.empty())
        if not self.allowed.is_zero:
            allowed = self.allowed
            return (
                f"delta {' > '.join(distinct_decimals(self.delta, allowed))} at level "
                f"{text_with_decimal(self.level, level)}"
            )
        loss, least = (
            ("infinite", decimal(level))
            if self.loss is None
            else distinct_decimals(self.loss, level)
        )
        if loss == least and self.loss is not None:
            return (
                f"loss larger than {text_with_decimal(self.level, level)} by {decimal(self.loss - level)}, "
                f"delta {decimal(self.delta)}"
            )
        return (
            f"loss {loss} > {self.level if len(str(self.level)) < SHORT else least}, delta "
            f"{decimal(self.delta)}"
        )


@dataclass(frozen=True, slots=True)
class Refuted(Violation):
    """The claim fails: the event has probability `first_probability` on one input and
    `second_probability` on the other, and first_probability > exp(level) second_probability +
    delta.

    For a composite or abstract mechanism, `of` says which mechanism the counterexample is about:
    that of `explicit_claim`.  `mass` shows that its law has total 1 at all inputs; without it, that
    is shown at the two inputs only.
    """

    claim: AnyClaim
    counterexample: Counterexample
    first_probability: Ratio
    second_probability: Ratio
    level: Expression
    of: OfInstances | None = None
    mass: Total | None = None

    @property
    def allowed(self) -> Ratio:
        """The delta of the claim, at the values of the parameters and the record that moves."""
        if names(self.claim.delta) <= {key for key, _ in self.counterexample.parameters}:
            return _at_parameters(self.claim.delta, self.counterexample.parameters)
        return normal(delta_of_move(self.written, self.counterexample), Context.empty())

    @property
    def enclosed(self) -> bool:  # type: ignore[override]
        """Whether the first is a lower bound and the second an upper one."""
        return self.counterexample.in_bounded_box(self.written)

    @property
    def written(self) -> Claim:
        """The claim about the mechanism given by its density that the counterexample is about."""
        if isinstance(self.claim, CompositeClaim):
            of = self.of or InstanceCounterexample((), None, self.counterexample)
            return explicit_claim(
                processed_part(self.claim) if isinstance(of, ImageCounterexample) else self.claim,
                of.size,
                dict(
                    zip(
                        abstract_mechanisms(self.claim.mechanism),
                        (kept.claim for kept in of.instances),
                        strict=True,
                    )
                ),
            )
        return self.claim

    @property
    def text(self) -> str:
        """The witness in words: both inputs, the event, both probabilities, and the size of the
        violation.
        """
        example, claim = self.counterexample, self.written
        first, second = both_sides(claim, example)
        given = given_text(example.parameters)
        return (
            f"{one_line(self.instead)}{given}{first} against {second}, event "
            f"{one_line(self.event_text, PART)}: {self.probabilities_text}"
        )

    @property
    def event_text(self) -> str:
        """The event; of post-processed outputs with what it is of the part."""
        event, of = self.counterexample.event, self.of
        if not isinstance(of, ImageCounterexample):
            return str(event)
        return f"{of.image} (up to probability 0, {event})"

    @property
    def instead(self) -> str:
        """The mechanisms that replace the abstract ones."""
        pairs = zip(
            abstract_mechanisms(self.claim.mechanism),
            self.of.instances if self.of else (),
            strict=True,
        )
        said = " and ".join(f"{kept.claim.mechanism} in place of {a}" for a, kept in pairs)
        return f"with {said}: " if said else ""

    @property
    def parts(self) -> tuple[str, ...]:
        """The witness, for which inputs the law is shown to be a distribution, and what is trusted."""
        return (
            f"witness: {self.text}",
            one_line(self.total),
            *influences(self.claim),
            trusts_text(*self.beyond),
        )

    @property
    def beyond(self) -> tuple[str, ...]:
        """The rules that it relied on beyond those of every refutation."""
        return ("the joint-distribution rule",) if isinstance(self.claim, CompositeClaim) else ()

    @property
    def total(self) -> str:
        """For which inputs it is shown that the law has total 1."""
        example = self.counterexample
        pair = ComparedPair(example.parameters, example.instances, example.first, example.second)
        return total_text(None if self.mass is None else scope_of(self.written, None, pair))

    def to_json(self) -> Any:
        """The stored record."""
        return sealed_record(
            "refuted",
            self.claim,
            counterexample=to_stored(self.of or self.counterexample),
            mass=to_stored(self.mass),
        )


def given_text(values: UnknownValues) -> str:
    """The values of the parameters, to begin a witness with."""
    return one_line("".join(f"{key} = {value}, " for key, value in values))


def both_sides(claim: Claim, example: Counterexample) -> Iterator[str]:
    """The two inputs of a counterexample for people."""
    for side in (example.first, example.second):
        yield one_line(side_text(claim, example, side), PART)


def _at_parameters(e: Expression, values: UnknownValues) -> Ratio:
    return normal(substitute(e, dict(values)), Context.empty())


@dataclass(frozen=True, slots=True)
class RefutedProgram(Violation):
    """The claim about a noise program fails: its outputs lie in the event with `first_probability`
    on one input and with `second_probability` on the other.
    """

    claim: ProgramClaim
    counterexample: ProgramCounterexample
    first_probability: Ratio
    second_probability: Ratio
    level: Expression

    @property
    def allowed(self) -> Ratio:
        """The delta of the claim at the values of the parameters."""
        return _at_parameters(self.claim.delta, self.counterexample.parameters)

    @property
    def text(self) -> str:
        """The witness in words: both inputs, the outputs, both probabilities, and the size of the
        violation.
        """
        example = self.counterexample
        given = given_text(example.parameters)
        first, second = (
            f"({', '.join(map(str, side))})" for side in (example.first, example.second)
        )
        what = "counts " if isinstance(self.claim.program.inputs, RecordAnswers) else ""
        return (
            f"{given}{what}{first} against {second}, "
            f"outputs {one_line(str(example.event), PART)}: {self.probabilities_text}"
        )

    @property
    def beyond(self) -> tuple[str, ...]:
        """The rules that it relied on beyond the core of the checker."""
        return ("the rule of exact probabilities of programs",)

    def to_json(self) -> Any:
        """The stored record."""
        example = to_stored(self.counterexample)
        return sealed_record("refuted", self.claim, counterexample=example, mass=None)


@dataclass(frozen=True, slots=True)
class RefutedInequality(Refutation):
    """The statement fails at these values of its unknowns, where its sides are `left` and
    `right`.
    """

    claim: Statement
    values: UnknownValues
    left: Ratio
    right: Ratio

    @property
    def text(self) -> str:
        """The values, and both sides there."""
        sides = " against ".join(
            text_with_decimal(to_expression(r), r) for r in (self.left, self.right)
        )
        return one_line(
            f"{', '.join(f'{k} = {v}' for k, v in self.values) or 'no unknowns'}: {sides}"
        )

    def to_json(self) -> Any:
        """The stored record."""
        values = to_stored(ComparedValues(self.values))
        return sealed_record("refuted", self.claim, counterexample=values, mass=None)
