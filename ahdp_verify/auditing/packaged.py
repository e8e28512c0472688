"""A mechanism of another package with the law that its documentation states: draws from the object
are audited against the law, and the level that the package states is compared with the least level
of the law.

The law is filled in from what the object reveals (`read`), never from its code: whether the code
follows it is what the audit asks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ahdp_verify.analysis.inputs import constant_of, law_at_input
from ahdp_verify.analysis.levels.tighten import tighten
from ahdp_verify.auditing.audit import audit
from ahdp_verify.auditing.results import Audit
from ahdp_verify.decimals import decimal
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import ZERO, Expression, add, multiply, number, oo
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify

LONGEST = 40  # characters of an exact level that is shown
ROUNDING = Fraction(1, 10**9)  # relative difference of levels that is put down to floats


@dataclass(frozen=True, slots=True)
class LevelComparison:
    """The level that a package states, beside the least level of the law.

    outcome  "equal" up to rounding; "larger" (safe, but loose) or "smaller" (too much is claimed)
             than the least level; "sufficient", proved to hold where the least level is not known;
             "not decided", neither proved nor refuted; "not stated", for a
             mechanism without a level of this kind
    least    the least level, or what is known of it
    """

    outcome: str
    stated: float | None
    delta: float
    least: str

    __repr__ = short_repr

    def __str__(self) -> str:
        if self.stated is None:
            return "no level in nats is stated for one move"
        slack = f" and delta {self.delta:g}" if self.delta else ""
        said = {
            "equal": "is the least level of the law, up to rounding",
            "larger": "is larger than the least level of the law: safe, but loose",
            "smaller": "is smaller than the least level of the law: too much is claimed",
            "sufficient": "is proved to hold for the law",
            "not decided": "was neither proved nor refuted for the law",
        }[self.outcome]
        least = f" ({self.least})" if self.least else ""
        return f"the stated level {self.stated:g}{slack} {said}{least}"


@dataclass(frozen=True, slots=True)
class PackagedMechanism:
    """A mechanism of another package.

    label     the package and the constructor
    read      where its parameters come from
    mechanism, relation  the law that the documentation states, and the moves that it protects
    stated    the level that the package states for one move, None where it states none in nats
    delta     the delta that it states
    dataset   the input of the law for a value that the object takes
    draw      draws of the object: (value, size) -> outputs as in the law
    others    further laws that the draws are compared with
    """

    label: str
    read: str
    mechanism: Mechanism
    relation: str
    stated: float | None
    dataset: Callable[[Any], object]
    draw: Callable[[Any, int], Sequence[object]]
    delta: float = 0.0
    others: Mapping[str, Mechanism] = field(default_factory=dict)

    __repr__ = short_repr

    def __str__(self) -> str:
        return f"{self.label}, against {self.mechanism.name}"

    def audit(
        self, at: Sequence[object], *, size: int = 20_000, alpha: float | str = 1e-6
    ) -> Audit:
        """Whether draws of the object at these values, as it takes them, are consistent with the
        law.
        """
        inputs = [self.dataset(value) for value in at]
        for value in inputs:
            law_at_input(self.mechanism, value)
        return audit(
            self.mechanism,
            [self._drawn(value, size) for value in at],
            inputs,
            size=size,
            alpha=alpha,
            others=self.others,
        )

    def _drawn(self, value: object, size: int) -> list[object]:
        """Draws of the object; BadInput where it does not take the value."""
        try:
            return list(self.draw(value, size))
        except Exception as error:
            said = one_line(" ".join(str(error).split()) or type(error).__name__, 200)
            raise BadInput(
                f"{self.label} at {one_line(str(value), 40)}",
                f"it made no draws: {said}",
                "give a value that it takes",
            ) from None

    def compare_level(self, limits: Limits | None = None) -> LevelComparison:
        """The stated level beside the least level of the law, up to the rounding of floats."""
        if self.stated is None:
            return LevelComparison("not stated", None, 0.0, "")
        found, limits = constant_of(Fraction(self.stated), "level"), limits or Limits(seconds=20)
        if self.delta:
            return self._proved(found, limits, "")
        levels = tighten(self.mechanism, self.relation, limits)
        row = levels.largest(list(levels.rows))
        least = row.value
        known = _known_text(least, row.low)
        if least == oo:
            return self._compared("smaller", known)
        if least is not None:
            return self._compared(_order(found, least), known)
        if _order(found, row.low) == "smaller":
            return self._compared("smaller", known)
        return self._proved(found, limits, known)

    def _proved(self, level: Expression, limits: Limits, known: str) -> LevelComparison:
        """Whether the stated level, raised by the rounding of floats, is proved for the law."""
        raised = multiply(number(1 + ROUNDING), level)
        claim = Claim(self.mechanism, self.relation, raised, number(Fraction(self.delta)))
        proved = isinstance(verify(claim, limits), Proved)
        return self._compared("sufficient" if proved else "not decided", known)

    def _compared(self, outcome: str, known: str) -> LevelComparison:
        return LevelComparison(outcome, self.stated, self.delta, known)


def _known_text(least: Expression | None, low: Expression) -> str:
    """What is known of the least level; a long one as a decimal."""
    if least is None and low == ZERO:
        return ""
    shown = low if least is None else least
    text = str(shown)
    if len(text) > LONGEST:
        text = f"about {decimal(normal(shown, Context.empty()))}"
    return f"least level: {'at least ' if least is None else ''}{text}"


def _order(stated: Expression, least: Expression) -> str:
    """Whether a stated level is "equal" to the least one up to rounding, "larger" or "smaller"."""
    for factor, outcome in ((1 - ROUNDING, "smaller"), (1 + ROUNDING, "larger")):
        sign = constant_sign(normal(add(stated, multiply(number(-factor), least)), Context.empty()))
        if sign is None:
            raise NotWorkedOut("level", f"{stated} was not compared with {least}")
        if (outcome == "smaller" and sign < 0) or (outcome == "larger" and sign > 0):
            return outcome
    return "equal"
