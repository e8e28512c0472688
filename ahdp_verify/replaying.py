"""A refutation replayed by Monte Carlo: how often its event occurs in draws from both laws, beside the exact probabilities.

A picture for people; the verdict rests on the exact probabilities alone.  Needs numpy.

>>> from ahdp_verify.domain import Domain
>>> from ahdp_verify.expression import Abs, exp
>>> from ahdp_verify.mechanism import Mechanism, real
>>> from ahdp_verify.privacy import dp
>>> from ahdp_verify.search import verify
>>> W, s = Domain([(1, 1)]), real("s")
>>> refuted = verify(dp(Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="noisy size"), "1/2"))
>>> picture = replay(refuted, samples=10_000, rng=0)
>>> max(picture.before.deviation, picture.after.deviation) < 5
True
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ahdp_verify import checker
from ahdp_verify.algebra import Ratio
from ahdp_verify.context import normal
from ahdp_verify.counterexample import Counterexample, side_text
from ahdp_verify.draws import EMPTY, generator, plain, rounded
from ahdp_verify.errors import BadInput
from ahdp_verify.event import Event
from ahdp_verify.expression import Expression, names, substitute
from ahdp_verify.mechanism import Mechanism
from ahdp_verify.privacy import Claim
from ahdp_verify.sampling import Atom, Row, drawn, exact, law_of, whole_number
from ahdp_verify.verdict import Refuted, decimal, one_line

SURE = 1.959963984540054  # standard errors that a 95 % interval extends to either side
End = Callable[[Row], float]


@dataclass(frozen=True, slots=True)
class Estimate:
    """How often the event occurred in `samples` draws: `share`, a 95 % interval (Wilson's) around it, and the exact probability."""

    text: str
    hits: int
    samples: int
    exact: Ratio

    @property
    def share(self) -> float:
        """The share of draws in which the event occurred."""
        return self.hits / self.samples

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of Wilson (1927)."""
        n, p, z = self.samples, self.share, SURE
        centre, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, (centre - half) / (1 + z * z / n)), min(1.0, (centre + half) / (1 + z * z / n))

    @property
    def deviation(self) -> float:
        """How many standard errors the share is away from the exact probability."""
        p = rounded(self.exact)
        spread = math.sqrt(p * (1 - p) / self.samples)
        return abs(self.share - p) / spread if spread else 0.0 if self.share == p else math.inf


@dataclass(frozen=True, slots=True)
class Replay:
    """Both estimates of a refutation's event, beside the exact probabilities; prints as a small table."""

    refuted: Refuted
    before: Estimate
    after: Estimate

    def rows(self) -> list[tuple[str, ...]]:
        """The table, its head first."""
        head = ("input", "draws", "event", "estimate", "95 % interval", "exact")
        return [head, *((e.text, str(e.samples), str(e.hits), f"{e.share:.6g}", "{:.6g} to {:.6g}".format(*e.interval), decimal(e.exact)) for e in (self.before, self.after))]

    def __str__(self) -> str:
        table = self.rows()
        widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
        lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in table]
        event = one_line(str(self.refuted.counterexample.event), 160)
        given = "".join(f"{k} = {v}, " for k, v in self.refuted.counterexample.parameters)
        return "\n".join([f"{one_line(str(self.refuted.claim))}", f"{given}event {event}", *lines, self.refuted.excess])


def replay(refuted: Refuted, samples: int = 100_000, rng: object = None) -> Replay:
    """The event of a refutation counted in draws from both laws, beside its exact probabilities.

    `rng` is a numpy Generator, a seed, or None.  Raises BadInput for laws without a form that can be drawn from.
    """
    if not isinstance(refuted, Refuted):
        raise BadInput("replay", f"{type(refuted).__name__} has no counterexample", "give a Refuted")
    if whole_number(samples) < 1:
        raise BadInput("samples", "no draws were asked for", "give a whole number above 0")
    source, example = generator(rng), refuted.counterexample
    found = []
    for side, probability in ((example.before, refuted.before), (example.after, refuted.after)):
        rows = drawn(law_of(refuted.written, example, side), source, samples)
        hits = occurrences(rows, example.event, refuted.written.mechanism)
        found.append(Estimate(one_line(side_text(refuted.written, example, side), 60), hits, samples, probability))
    return Replay(refuted, found[0], found[1])


def replay_example(claim: Claim, example: Counterexample, samples: int = 100_000, rng: object = None) -> Replay:
    """The same for a counterexample to a claim, once the checker has accepted it; Rejected where it refutes nothing."""
    return replay(checker.replay(claim, example), samples, rng)


def occurrences(rows: list[Row], event: Event, mechanism: Mechanism) -> int:
    """In how many draws the event occurred."""
    outputs = mechanism.outputs
    if event.outcomes:
        wanted = {tuple(plain(v) for v in outcome) for outcome in event.outcomes}
        return sum(tuple(row[o.name] for o in outputs) in wanted for row in rows)
    values = {k: {plain(v) for v in listed} for k, listed in event.values}
    ends = [(output, _end(low, -math.inf), _end(high, math.inf)) for output, low, high in event.intervals]
    return sum(_occurs(row, event, values, ends) for row in rows)


def _occurs(row: Row, event: Event, values: Mapping[str, set[Any]], ends: Sequence[tuple[str, End, End]]) -> bool:
    atoms = [v for v in row.values() if isinstance(v, Atom)]
    if atoms:
        return atoms[0].at in event.atoms
    if not event.continuous:
        return False
    return all(row[k] in v for k, v in values.items()) and all(low(row) <= row[k] < high(row) for k, low, high in ends)


def _end(e: Expression | None, otherwise: float) -> End:
    """An end of an interval as a function of the outputs."""
    if e is None:
        return lambda row: otherwise
    if not names(e):
        value = rounded(normal(e, EMPTY))
        return lambda row: value
    return lambda row: rounded(normal(substitute(e, {k: exact(v) for k, v in row.items()}), EMPTY))
