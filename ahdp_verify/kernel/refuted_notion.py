"""RefutedNotion: two inputs at which a bound of zCDP, Rényi DP or GDP fails, and by how much; and
RefutedApplied: vectors between which a claim about answers fails.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ahdp_verify.kernel.decimals import decimal, distinct_decimals, text_with_decimal
from ahdp_verify.kernel.evidence.notion_counterexample import NotionCounterexample
from ahdp_verify.kernel.evidence.of_vectors import VectorCounterexample
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.inequality import UnknownValues
from ahdp_verify.kernel.model.notion_claim import BOUND_WORDS, NotionClaim
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.record import unsealed_record
from ahdp_verify.kernel.refuted import PART, Refutation, Refuted, both_sides, given_text
from ahdp_verify.kernel.rules.notion_refutation import written_claim
from ahdp_verify.kernel.scope_text import influences, total_text
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.kernel.terms.stored import to_stored
from ahdp_verify.kernel.verdict import trusts_text


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
    def excess(self) -> str:
        """By how much the bound fails."""
        word, allowed = BOUND_WORDS[self.claim.notion], normal(self.bound, Context.empty())
        if self.found is None:
            event = one_line(str(self.counterexample.counterexample.event), PART)
            return f"the second never gives the event {event}, so that no {word} is enough"
        if self.claim.notion == "gdp" and self.counterexample.order is not None:
            event = one_line(str(self.counterexample.counterexample.event), PART)
            return (
                f"the event {event} has probability {decimal(self.found)} at the first, more than "
                f"mu {text_with_decimal(self.bound, allowed)} allows beside that at the second"
            )
        found, least = distinct_decimals(self.found, allowed)
        order = self.counterexample.order
        at = "" if order is None or self.claim.notion == "gdp" else f" at order {order}"
        return f"it takes {word} {found}{at}, which is larger than {text_with_decimal(self.bound, allowed) if least == found else least}"

    @property
    def text(self) -> str:
        """The witness in words: both inputs, and by how much the bound fails."""
        example, claim = self.counterexample.counterexample, written_claim(self.claim)
        given = given_text(example.parameters)
        first, second = both_sides(claim, example)
        return f"{given}{first} against {second}: {self.excess}"

    @property
    def parts(self) -> tuple[str, ...]:
        """The witness, for which inputs the law is shown to be a distribution, and what is trusted."""
        return (
            f"witness: {self.text}",
            total_text(None),
            *influences(self.claim),
            trusts_text(*self.beyond),
        )

    @property
    def beyond(self) -> tuple[str, ...]:
        """The rules that it relied on beyond those of every refutation."""
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
    def text(self) -> str:
        """The vectors, and the witness between their answers."""
        listed = (", ".join(f"{k} = {e}" for k, e in vector) for vector in self.vectors)
        return f"{one_line(' and '.join(listed), PART)}: {self.there.text}"

    @property
    def parts(self) -> tuple[str, ...]:
        """The witness, for which inputs the law is shown to be a distribution, and what is trusted."""
        return f"witness: {self.text}", total_text(None), trusts_text(*self.beyond)

    @property
    def beyond(self) -> tuple[str, ...]:
        """The rules that it relied on beyond those of every refutation."""
        return ("the rule of sensitivity", *self.there.beyond)

    def content(self) -> dict[str, Any]:
        """The stored record without its seal."""
        example = VectorCounterexample(self.vectors, self.there.counterexample)
        return unsealed_record("refuted", self.claim, counterexample=to_stored(example), mass=None)
