"""Refuted, and what else a counterexample is shown to refute: the claim, the counterexample, and by
how much the claim fails.

These are data, made by `ahdp_verify.kernel.checker` alone; what they say in words, and the property
`text` of each, a witness in words, is in `ahdp_verify.display.verdict_text`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
    OfInstances,
    Total,
    delta_of_move,
)
from ahdp_verify.kernel.evidence.of_vectors import VectorCounterexample
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyClaim
from ahdp_verify.kernel.model.inequality import UnknownValues
from ahdp_verify.kernel.numbers.algebra import Ratio, exp_of, log_of
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.record import unsealed_record
from ahdp_verify.kernel.rules.compared import ComparedValues
from ahdp_verify.kernel.rules.refutation import claim_about_law
from ahdp_verify.kernel.terms.expression import Expression, names, substitute
from ahdp_verify.kernel.terms.stored import to_stored
from ahdp_verify.kernel.verdict import VerdictBase, provided

if TYPE_CHECKING:
    from ahdp_verify.kernel.evidence.notion_counterexample import NotionCounterexample
    from ahdp_verify.kernel.evidence.program_counterexample import ProgramCounterexample
    from ahdp_verify.kernel.model.applied import AppliedClaim
    from ahdp_verify.kernel.model.notion_claim import NotionClaim
    from ahdp_verify.kernel.model.program_claim import ProgramClaim
    from ahdp_verify.kernel.model.sensitivity import Statement


class Refutation(VerdictBase):
    """What all refutations have in common: a witness, and what was trusted.

    beyond    the rules that it relied on beyond those of every refutation
    """

    __slots__ = ()

    @property
    def text(self) -> str:
        """The witness in words."""
        return str(provided(type(self), "text")(self))

    @property
    def word(self) -> str:
        """The verdict in one word."""
        return "Refuted"

    @property
    def outcome(self) -> str:
        """The answer in one word."""
        return "refuted"

    @property
    def beyond(self) -> tuple[str, ...]:
        return ()


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
        return claim_about_law(self.claim, self.of)

    @property
    def beyond(self) -> tuple[str, ...]:
        return () if self.of is None else ("the joint-distribution rule",)

    def content(self) -> dict[str, Any]:
        """The stored record without its seal."""
        return unsealed_record(
            "refuted",
            self.claim,
            counterexample=to_stored(self.of or self.counterexample),
            mass=to_stored(self.mass),
        )


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
    def beyond(self) -> tuple[str, ...]:
        return ("the rule of exact probabilities of programs",)

    def content(self) -> dict[str, Any]:
        """The stored record without its seal."""
        example = to_stored(self.counterexample)
        return unsealed_record("refuted", self.claim, counterexample=example, mass=None)


@dataclass(frozen=True, slots=True)
class RefutedInequality(Refutation):
    """The statement fails at these values of its unknowns, where its sides are `left` and
    `right`.
    """

    claim: Statement
    values: UnknownValues
    left: Ratio
    right: Ratio

    def content(self) -> dict[str, Any]:
        """The stored record without its seal."""
        values = to_stored(ComparedValues(self.values))
        return unsealed_record("refuted", self.claim, counterexample=values, mass=None)


@dataclass(frozen=True, slots=True)
class RefutedNotion(Refutation):
    """The claim fails: between the two inputs of the counterexample the divergence at its order is
    larger than the bound of the move (for zCDP, divided by the order).

    found    that divergence; for GDP the mu of normal densities, or the probability of the event at
             `first`; None if it is infinite
    """

    claim: NotionClaim
    counterexample: NotionCounterexample
    bound: Expression
    found: Ratio | None

    @property
    def beyond(self) -> tuple[str, ...]:
        return ("the rule of exact divergences",)

    def content(self) -> dict[str, Any]:
        """The stored record without its seal."""
        example = self.counterexample.to_json()
        return unsealed_record("refuted", self.claim, counterexample=example, mass=None)


@dataclass(frozen=True, slots=True)
class RefutedApplied(Refutation):
    """The claim fails where an entry of the vectors changes: `there` refutes it between the two
    lists of answers, its inputs "before" and "after".
    """

    claim: AppliedClaim
    vectors: tuple[UnknownValues, ...]
    there: Refuted | RefutedNotion

    @property
    def beyond(self) -> tuple[str, ...]:
        return ("the rule of sensitivity", *self.there.beyond)

    def content(self) -> dict[str, Any]:
        """The stored record without its seal."""
        example = VectorCounterexample(self.vectors, self.there.counterexample)
        return unsealed_record("refuted", self.claim, counterexample=to_stored(example), mass=None)
