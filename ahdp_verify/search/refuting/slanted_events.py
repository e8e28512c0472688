"""Events of two outputs on which p exceeds exp(level) p': between ends that depend on the first.

The pieces that the proof of a delta would count (`PiecesSearch.of_density`) give, on each piece of
the first output, neighbouring pieces of the second with ends that depend on the first.  An event
has one interval for each output, so its ends are written by cases of the first output; where the
pieces of the second reach to infinity on some pieces of the first only, they are cut far out.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import HockeyStickLeaf, HockeyStickPart
from ahdp_verify.kernel.evidence.event import Event, IntervalEnd, Points
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.rules.integration import factors_by_output
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    ZERO,
    Expression,
    eq,
    names,
    number,
    substitute,
)
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.proving.antiderivatives import antiderivatives
from ahdp_verify.search.proving.hockey_stick import PiecesSearch

FAR = number(1000)  # where an interval ends that reaches to infinity on some pieces only
SECONDS = 5.0


def slanted_event(
    laws: tuple[Expression, Expression],
    outputs: tuple[Output, ...],
    level: Expression,
    here: Context,
) -> tuple[Event, tuple[Points, Points]] | None:
    """The event, with its points under both laws, on which the first of two laws of two outputs,
    the second of them not finite, exceeds exp(level) times the other one; None where it was not
    found.
    """
    if len(outputs) != 2 or outputs[1].kind == "finite":
        return None
    both = Dominated(laws[0]), Dominating(laws[1])
    search = PiecesSearch(level, Limits(seconds=SECONDS).clock(), {})
    try:
        leaf = search.of_density(outputs, both, here).leaf
    except (Undecided, Unsupported, ZeroDivisionError):
        return None
    found = event_of_pieces(leaf, outputs)
    if found is None:
        return None
    event, points = found
    first, second = (_with_antiderivatives(points, law, outputs, here) for law in laws)
    return event, (first, second)


def _with_antiderivatives(
    points: Points, law: Expression, outputs: tuple[Output, ...], here: Context
) -> Points:
    """The points, and beside those of the second output the antiderivatives of its factor."""
    first, second = outputs
    at = [{first.name: v} for v in first.values] or [{}]
    names_ = (second.name,) if first.kind == "finite" else (first.name, second.name)
    factors = [factors_by_output(substitute(law, put), names_)[1][-1] for put in at]
    listed = (a for f in dict.fromkeys(factors) for a in antiderivatives(f, second, (), here))
    stored = tuple(dict.fromkeys(listed))
    return tuple((n, (*p, *stored) if n == second.name else p) for n, p in points)


@dataclass(frozen=True, slots=True)
class Span:
    """An interval of the second output on a piece of the first, empty if there is none."""

    low: IntervalEnd = ZERO
    high: IntervalEnd = ZERO

    @property
    def is_empty(self) -> bool:
        """Whether nothing is in it."""
        return self.low is not None and self.low == self.high

    def cut(self, points: Sequence[Expression], low: bool, high: bool) -> Span:
        """The interval, cut far beyond all points where an end is infinite that has to be
        finite.
        """
        first, last = (points[0], points[-1]) if points else (ZERO, ZERO)
        return Span(
            first - FAR if low and self.low is None else self.low,
            last + FAR if high and self.high is None else self.high,
        )


def _counts(choice: HockeyStickPart | HockeyStickLeaf) -> bool:
    return isinstance(choice, HockeyStickPart) and choice.counts == "excess"


def longest_span(leaf: HockeyStickLeaf) -> Span:
    """Neighbouring pieces that count, those that reach to infinity first."""
    ends = [None, *leaf.points, None]
    found = []
    numbered = itertools.groupby(enumerate(leaf.choices), lambda c: _counts(c[1]))
    for counts, run in numbered:
        places = [i for i, _ in run]
        if counts:
            found.append(Span(ends[places[0]], ends[places[-1] + 1]))
    return min(found, key=lambda s: (s.low, s.high).count(None) == 0, default=Span())


def event_of_pieces(
    leaf: HockeyStickLeaf, outputs: tuple[Output, ...]
) -> tuple[Event, Points] | None:
    """The event of the pieces that count, with its points; None where no piece counts."""
    inner = [
        replace(c, points=tuple(p for p in c.points if outputs[1].name not in names(p)))
        for c in leaf.choices
        if isinstance(c, HockeyStickLeaf)
    ]
    spans = [longest_span(c) for c in inner]
    full = [i for i, s in enumerate(spans) if not s.is_empty]
    if not full:
        return None
    first, second = outputs
    count = max(len(c.points) for c in inner)
    padded = [(*c.points, *[c.points[-1] if c.points else ZERO] * count)[:count] for c in inner]
    everywhere = _Cases(first, leaf.points)
    points = [(second.name, tuple(everywhere(column) for column in zip(*padded, strict=True)))]
    if first.kind == "finite":
        ends = _ends_by_cases(spans, inner, everywhere)
        intervals = [] if ends == (None, None) else [(second.name, *ends)]
        return Event(intervals=tuple(intervals)), tuple(points)
    a, b = full[0], full[-1] + 1
    ends = _ends_by_cases(spans[a:b], inner[a:b], _Cases(first, leaf.points[a : b - 1]))
    outer = [None, *leaf.points, None]
    listed = [(first.name, outer[a], outer[b]), (second.name, *ends)]
    intervals = [row for row in listed if row[1:] != (None, None)]
    return Event(intervals=tuple(intervals)), ((first.name, leaf.points), *points)


def _ends_by_cases(
    spans: Sequence[Span], leaves: Sequence[HockeyStickLeaf], by_cases: _Cases
) -> tuple[IntervalEnd, IntervalEnd]:
    """Both ends of the intervals, as expressions in the first output."""
    low = any(s.low is not None for s in spans)
    high = any(s.high is not None for s in spans)
    cut = [s.cut(leaf.points, low, high) for s, leaf in zip(spans, leaves, strict=True)]
    return (
        by_cases([s.low for s in cut if s.low is not None]) if low else None,
        by_cases([s.high for s in cut if s.high is not None]) if high else None,
    )


@dataclass(frozen=True, slots=True)
class _Cases:
    """Writes what differs from piece to piece of an output as one expression in it."""

    output: Output
    points: tuple[Expression, ...]

    def __call__(self, values: Sequence[Expression]) -> Expression:
        if all(v == values[0] for v in values):
            return values[0]
        s = self.output.symbol
        finite = self.output.kind == "finite"
        conditions = (
            [eq(s, v) for v in self.output.values] if finite else [s < p for p in self.points]
        )
        listed = [*conditions[: len(values) - 1], TRUE]
        pairs = zip(values, listed, strict=True)
        return Expression("piecewise", tuple(e for pair in pairs for e in pair))
