"""What an audit finds: the tests at each input, the noise scale, bounds of the privacy loss, and
what follows.
"""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass, fields
from typing import Any

from ahdp_verify.auditing.certified_level import upper_float
from ahdp_verify.auditing.noise_scale import ScaleTest
from ahdp_verify.auditing.observed_loss import ObservedLoss
from ahdp_verify.display.short_repr import named_repr, short_repr
from ahdp_verify.kernel.terms.expression import Expression


@dataclass(frozen=True, slots=True)
class InputResult:
    """The tests at one input: the event whose count is the least likely, and impossible draws, of
    which one is enough for a rejection.

    p_value     of this event, corrected for all tests of the audit
    chi_squared  the p-value of the chi-squared test, asymptotic and not corrected: for information;
                 None where there is a single cell, so that the test says nothing
    """

    text: str
    draws: int
    tests: int
    event: str
    seen: int
    probability: float
    p_value: float
    chi_squared: float | None
    impossible: int = 0
    example: str = ""

    __repr__ = short_repr

    @property
    def expected(self) -> float:
        """The expected number of draws in the event."""
        return self.draws * self.probability


@dataclass(frozen=True, slots=True)
class PairResult:
    """A lower bound of the loss of the program between two inputs, beside what is known exactly:
    the loss of the law between them, and the level that a proved claim allows; None where not
    known.
    """

    first: str
    second: str
    observed: ObservedLoss
    law: Expression | None
    allowed: Expression | None
    delta: float = 0.0

    __repr__ = short_repr

    @property
    def exceeds_law(self) -> bool:
        """Whether the program is not the mechanism: its loss is larger than that of the law."""
        return self.law is not None and self.observed.bound() > upper_float(self.law)

    @property
    def exceeds_allowed(self) -> bool:
        """Whether the program does not have the level, and the delta, that the claim states."""
        return self.allowed is not None and self.observed.bound(self.delta) > upper_float(
            self.allowed
        )


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit found.

    tests       how many tests of the law share a part of alpha
    inputs      the tests at each input
    scale       the test of the scale at all inputs together; None where the law has none
    detectable  the nearest scales above and below 1 that would be found, with a probability of
                about 90 %
    difference  by how much the probability of an event that is tested may differ at most without
                being found with a probability of 90 %
    pairs       lower bounds of the privacy loss
    notes       what else a reader should know
    parameters  the values of the parameters
    others      other laws, by name, and whether the draws are consistent with them
    """

    name: str
    claim: str
    alpha: float
    tests: int
    inputs: tuple[InputResult, ...]
    scale: ScaleTest | None
    scale_p_value: float
    detectable: tuple[float, float] | None
    difference: float
    pairs: tuple[PairResult, ...] = ()
    others: tuple[tuple[str, bool], ...] = ()
    notes: tuple[str, ...] = ()
    parameters: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        return named_repr(self, self.name, self.outcome)

    @property
    def share(self) -> float:
        """The part of alpha for the tests of the law."""
        return self.alpha / 2 if self.pairs else self.alpha

    @property
    def outcome(self) -> str:
        """ "consistent" or "rejected"."""
        return "rejected" if self.findings else "consistent"

    @property
    def findings(self) -> tuple[str, ...]:
        """What contradicts the law, a sentence each; empty where nothing does."""
        said = []
        for i in self.inputs:
            if i.impossible:
                said.append(
                    f"at {i.text} {i.impossible:,} draws are impossible under the law, the first "
                    f"{i.example}"
                )
            if i.p_value < self.share:
                said.append(
                    f"at {i.text} the event {i.event} occurred {i.seen:,} times, expected "
                    f"{i.expected:,.1f} (corrected p-value {i.p_value:.2g})"
                )
        if self.scale is not None and self.scale_p_value < self.share:
            said.append(
                f"the draws look like the law at scale r = {self.scale.factor:.3g} (corrected "
                f"p-value of r = 1: {self.scale_p_value:.2g})"
            )
        for pair in self.pairs:
            if pair.exceeds_law or pair.exceeds_allowed:
                said.append(_loss_sentence(pair))
        return tuple(said)

    def __str__(self) -> str:
        return audit_text(self)

    @property
    def conclusion(self) -> str:
        """What the audit says, in one sentence."""
        error = f"{self.alpha:g}"
        if self.findings:
            fitting = " or ".join(name for name, fits in self.others if fits)
            instead = f"; they are consistent with {fitting}" if fitting else ""
            return (
                f"Rejected: the draws are not consistent with the law of {self.name}; independent "
                f"draws from it are rejected with a probability of at most {error}{instead}"
            )
        return (
            f"Consistent: no test found the draws to differ from the law of {self.name}, at a "
            f"total error probability of {error}; draws cannot prove that they follow it"
        )


def _loss_sentence(pair: PairResult) -> str:
    """That a lower bound of the loss is larger than what the law or the claim allows."""
    delta = pair.delta if pair.exceeds_allowed else 0.0
    slack = f" at delta {delta:g}" if delta else ""
    larger = (
        f"more than the certified level {pair.allowed}: the program is not this mechanism, and "
        "does not have that level"
        if pair.exceeds_allowed
        else f"more than the law's own loss {pair.law}: the program is not this mechanism"
    )
    return (
        f"between {pair.first} and {pair.second} the privacy loss of the program is at least "
        f"{pair.observed.bound(delta):.4g}{slack}, {larger}"
    )


WIDTH = 80  # columns of a terminal
SCALE = (
    "the law in proportion to p^(1/r): for Laplace and geometric noise, and exponential "
    "mechanisms, r times the scale"
)


def audit_text(found: Audit) -> str:
    """The answer for a terminal of 80 columns."""
    blocks = [
        f"audit of {found.name}{_given(found)}"
        + (f"; certified: {found.claim}" if found.claim else ""),
        f"tests of the law: {found.tests} share an error probability of {found.share:g}",
        *(f"  {input_text(i)}" for i in found.inputs),
        *(f"  {line}" for line in power_lines(found)),
    ]
    if found.pairs:
        blocks.append(
            f"privacy loss of the program: {len(found.pairs)} lower bounds share an error "
            f"probability of {found.alpha / 2:g}"
        )
        blocks += (f"  {pair_text(pair)}" for pair in found.pairs)
    blocks += (f"also {other_text(name, fits)}" for name, fits in found.others)
    blocks += (f"found: {finding}" for finding in found.findings)
    blocks += (f"note: {note}" for note in found.notes)
    blocks.append(found.conclusion)
    return "\n".join(line for block in blocks for line in _wrapped(block))


def _given(found: Audit) -> str:
    """The values of the parameters, after the name of the mechanism."""
    values = ", ".join(f"{key} = {value}" for key, value in found.parameters)
    return f" with {values}" if values else ""


def _wrapped(block: str) -> list[str]:
    """A block as lines that fit the terminal, the later ones indented."""
    indent = " " * (len(block) - len(block.lstrip()))
    return textwrap.wrap(
        block.lstrip(),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "    ",
        break_on_hyphens=False,
    )


def input_text(found: InputResult) -> str:
    """The tests at one input, in words."""
    chi_squared = found.chi_squared
    beside = "" if chi_squared is None else f" (chi-squared, not corrected: {chi_squared:.2g})"
    return (
        f"at {found.text}: {found.draws:,} draws; least likely event {found.event}: {found.seen:,} "
        f"times, expected {found.expected:,.1f}; corrected p-value {found.p_value:.2g}{beside}"
    )


def power_lines(found: Audit) -> list[str]:
    """What the tests would have found, in words."""
    lines = []
    if found.scale is not None:
        lines.append(
            f"scale r ({SCALE}): r = {found.scale.factor:.3g} fits best; corrected p-value of r = "
            f"1: {found.scale_p_value:.2g}"
        )
    if found.detectable is not None:
        high, low = found.detectable
        parts = [f"{high:.3f} or more"] if high < math.inf else []
        parts += [f"{low:.3f} or less"] if low > 0 else []
        lines.append(
            f"a scale r of {', or of '.join(parts)}, would be found with a probability of about "
            "90 %"
            if parts
            else "no scale r up to 3.6 would be found reliably: ask for more draws"
        )
    lines.append(
        f"an event among those tested whose probability differs by {found.difference:.2g} would be "
        f"found with a probability of at least 90 %"
        if found.difference < 1
        else "no difference of a probability would be found reliably: ask for more draws"
    )
    return lines


def pair_text(pair: PairResult) -> str:
    """The bound between two inputs, in words."""
    o, slack = pair.observed, f" at delta {pair.delta:g}" if pair.delta else ""
    known = [f"the law's own loss {pair.law}"] if pair.law is not None else []
    known += [f"certified level {pair.allowed}{slack}"] if pair.allowed is not None else []
    bounds = f"{o.bound():.4g}" + (f", and {o.bound(pair.delta):.4g}{slack}" if slack else "")
    shown = f"at least {bounds}" if o.bound() else "these draws show none"
    counts = (
        f"; event {o.event}: {o.first_hits:,} of {o.first_draws:,} against {o.second_hits:,} of "
        f"{o.second_draws:,}"
    )
    return (
        f"{pair.first} against {pair.second}: {shown} "
        f"({'; '.join(known) or 'no exact level is known'}){counts if o.bound() else ''}"
    )


def other_text(name: str, fits: bool) -> str:
    """Whether the draws fit another law, in words."""
    return f"{name}: the draws are {'consistent' if fits else 'not consistent'} with it"


def audit_record(found: Audit) -> dict[str, Any]:
    """The audit as JSON: numbers, texts and lists; exact levels as texts."""
    high, low = found.detectable or (None, None)
    scale = found.scale
    return {
        "outcome": found.outcome,
        "conclusion": found.conclusion,
        "findings": list(found.findings),
        "notes": list(found.notes),
        "mechanism": found.name,
        "parameters": dict(found.parameters),
        "certified": found.claim or None,
        "alpha": found.alpha,
        "tests": found.tests,
        "inputs": [
            {f.name: getattr(i, f.name) for f in fields(i)} | {"expected": i.expected}
            for i in found.inputs
        ],
        "scale": None
        if scale is None
        else {"factor": scale.factor, "corrected_p_value": found.scale_p_value},
        "detectable": {
            "scale_above": None if high == math.inf else high,
            "scale_below": low or None,
            "probability": found.difference,
        },
        "privacy_loss": [_pair_record(pair) for pair in found.pairs],
        "others": [{"name": name, "consistent": fits} for name, fits in found.others],
    }


def _pair_record(pair: PairResult) -> dict[str, Any]:
    """The bound between two inputs as JSON."""
    o = pair.observed
    return {
        "first": pair.first,
        "second": pair.second,
        "at_least": o.bound(),
        "delta": pair.delta,
        "at_least_at_delta": o.bound(pair.delta),
        "law": None if pair.law is None else str(pair.law),
        "certified": None if pair.allowed is None else str(pair.allowed),
        "event": o.event,
        "first_hits": o.first_hits,
        "first_draws": o.first_draws,
        "second_hits": o.second_hits,
        "second_draws": o.second_draws,
    }
