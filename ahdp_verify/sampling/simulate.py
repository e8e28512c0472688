"""A refutation by Monte Carlo: how often its event occurs in draws from both output distributions,
next to the exact probabilities.

An illustration; the verdict rests on the exact probabilities alone.  Needs numpy.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.model.privacy import dp
>>> from ahdp_verify.search.verify import verify
>>> W, s = Domain([(1, 1)]), real("s")
>>> refuted = verify(dp(Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="noisy size"), "1/2"))
>>> picture = simulate(refuted, samples=10_000, rng=0)
>>> max(picture.first.deviation, picture.second.deviation) < 5
True
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from ahdp_verify.datasets import Multiset
from ahdp_verify.decimals import decimal
from ahdp_verify.display.input_text import side_text
from ahdp_verify.display.program_text import program_input_text
from ahdp_verify.display.short_repr import named_repr, short_repr
from ahdp_verify.display.tables import html_table, latex_table
from ahdp_verify.display.verdict_text import event_text, violation_text
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.answers import RecordAnswers
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.refuted import Refuted, RefutedProgram
from ahdp_verify.kernel.rules.events import is_in_event
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.sampling.floats import (
    Array,
    equal_columns,
    evaluate_columns,
    np,
    numeric_column,
    rounded_ratio,
)
from ahdp_verify.sampling.joint import Draws
from ahdp_verify.sampling.one_output import plain_value, random_generator
from ahdp_verify.sampling.programs import sample_program
from ahdp_verify.sampling.sample import draw_from_law, law_on_side, whole_number

SURE = 1.959963984540054  # standard errors that a 95 % interval extends to either side


@dataclass(frozen=True, slots=True)
class Estimate:
    """How often the event occurred in `samples` draws: `share`, a 95 % interval (Wilson's)
    around it, and the exact probability.
    """

    text: str
    hits: int
    samples: int
    exact: Ratio

    __repr__ = short_repr

    @property
    def share(self) -> float:
        """The share of draws in which the event occurred."""
        return self.hits / self.samples

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of Wilson (1927)."""
        n, p, z = self.samples, self.share, SURE
        centre, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, (centre - half) / (1 + z * z / n)), min(
            1.0, (centre + half) / (1 + z * z / n)
        )

    @property
    def deviation(self) -> float:
        """How many standard errors the share is away from the exact probability."""
        p = rounded_ratio(self.exact)
        spread = math.sqrt(p * (1 - p) / self.samples)
        return abs(self.share - p) / spread if spread else 0.0 if self.share == p else math.inf


@dataclass(frozen=True, slots=True)
class Simulation:
    """Both estimates of the probability of a refutation's event, next to the exact probabilities;
    prints as a small table.
    """

    refuted: Refuted | RefutedProgram
    first: Estimate
    second: Estimate

    def __repr__(self) -> str:
        return named_repr(self, str(self.refuted.claim), "refuted")

    def rows(self) -> list[tuple[str, ...]]:
        """The table, its head first."""
        head = ("input", "draws", "event", "estimate", "95 % interval", "exact")
        return [
            head,
            *(
                (
                    e.text,
                    str(e.samples),
                    str(e.hits),
                    f"{e.share:.6g}",
                    "{:.6g} to {:.6g}".format(*e.interval),
                    decimal(e.exact),
                )
                for e in (self.first, self.second)
            ),
        ]

    def _repr_html_(self) -> str:
        return html_table(self.title, self.rows(), [violation_text(self.refuted)])

    def _repr_latex_(self) -> str:
        return latex_table(self.rows())

    @property
    def title(self) -> str:
        """The claim and the event."""
        example = self.refuted.counterexample
        given = "".join(f"{k} = {v}, " for k, v in example.parameters)
        return f"{self.refuted.claim}: {given}{self._what} {example.event}"

    @property
    def _what(self) -> str:
        return "outputs" if isinstance(self.refuted, RefutedProgram) else "event"

    def __str__(self) -> str:
        table = self.rows()
        widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
        lines = [
            "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip()
            for row in table
        ]
        found = self.refuted
        said = event_text(found) if isinstance(found, Refuted) else str(found.counterexample.event)
        event = one_line(said, 160)
        given = "".join(f"{k} = {v}, " for k, v in self.refuted.counterexample.parameters)
        return "\n".join(
            [
                f"{one_line(str(self.refuted.claim))}",
                f"{given}{self._what} {event}",
                *lines,
                violation_text(self.refuted),
            ]
        )


def simulate(
    refuted: Refuted | RefutedProgram, samples: int = 100_000, rng: object = None
) -> Simulation:
    """The event of a refutation counted in draws from both distributions, next to its exact
    probabilities; of a noise program, in runs on both inputs.

    `rng` is a numpy Generator, a seed, or None.  Raises BadInput for laws without a form that can
    be drawn from.
    """
    if not isinstance(refuted, Refuted | RefutedProgram):
        raise BadInput(
            "simulate", f"{type(refuted).__name__} has no counterexample", "give a Refuted"
        )
    if whole_number(samples) < 1:
        raise BadInput("samples", "no draws were asked for", "give a whole number above 0")
    source = random_generator(rng)
    first, second = (
        _counted_runs(refuted, samples, source)
        if isinstance(refuted, RefutedProgram)
        else _counted_draws(refuted, samples, source)
    )
    return Simulation(
        refuted,
        Estimate(*first, samples, refuted.first_probability),
        Estimate(*second, samples, refuted.second_probability),
    )


def _counted_draws(refuted: Refuted, samples: int, source: Any) -> list[tuple[str, int]]:
    """The two inputs in words, each with how many draws from its law are in the event."""
    example, written, found = refuted.counterexample, refuted.written, []
    for side in (example.first, example.second):
        draws = draw_from_law(law_on_side(written, example, side), source, samples)
        hits = count_occurrences(draws, example.event, written.mechanism)
        found.append((one_line(side_text(written, example, side), 60), hits))
    return found


def _counted_runs(refuted: RefutedProgram, samples: int, source: Any) -> list[tuple[str, int]]:
    """The two inputs in words, each with how many runs have outputs in the event."""
    example, program, found = refuted.counterexample, refuted.claim.program, []
    for side in (example.first, example.second):
        answers: Sequence[object] | Multiset = side
        if isinstance(program.inputs, RecordAnswers):
            answers = Multiset(program.inputs.domain, tuple(map(int, side)))
        runs = sample_program(program, answers, dict(example.parameters), size=samples, rng=source)
        hits = runs.occurrences(example.event)
        found.append((one_line(program_input_text(program, side), 60), hits))
    return found


def count_occurrences(draws: Draws, event: Event, mechanism: Mechanism) -> int:
    """In how many draws the event occurred; whether it contains an atom is decided exactly."""
    outputs = [o.name for o in mechanism.outputs]
    if event.outcomes:
        hits = (
            reduce(
                np.logical_and, (_is(draws[k], v) for k, v in zip(outputs, outcome, strict=True))
            )
            for outcome in event.outcomes
        )
        return int(np.sum(reduce(np.logical_or, hits)))
    counted = draws_in_box(draws, event)
    for at, _ in mechanism.atoms:
        counted[_is(draws[outputs[0]], at)] = is_in_event(event, {outputs[0]: at})
    return int(counted.sum())


def draws_in_box(draws: Draws, event: Event) -> Array:
    """Which draws lie in the box, by rounded numbers: right of all outputs but those at an end
    of an interval.
    """
    inside = np.full(len(next(iter(draws.values()))), event.continuous)
    for k, listed in event.values:
        inside &= reduce(
            np.logical_or, (_is(draws[k], v) for v in listed), np.zeros(len(inside), dtype=bool)
        )
    for k, low, high in event.intervals:
        column = numeric_column(draws[k])
        inside &= (column >= _end(low, -math.inf, draws)) & (column < _end(high, math.inf, draws))
    return inside


def _is(column: Array, value: Expression) -> Array:
    """Where a value was drawn; a drawn atom is its value, which no other draw of a real output
    is but by an accident of floats.
    """
    return equal_columns(column, plain_value(value))


def _end(e: Expression | None, otherwise: float, draws: Draws) -> Array:
    """An end of an interval in every draw."""
    return otherwise if e is None else evaluate_columns(e, draws)
