"""Events on what formulas release, for a post-processing that is not one-to-one.

The part violates the bound at two inputs, or its post-processing cannot.  There both densities and
the formula are tabulated; sets {low <= f(y) < high} whose preimage is an interval are ranked by how
much they exceed the bound in floats.  The ends of a preimage are found by halving, and put at a
simple number.  The checker decides everything exactly.

>>> from ahdp_verify.kernel.terms.grammar import parse
>>> table = ImageTable("s", parse("2*floor(s/2)"), tuple(x / 10 for x in range(-49, 50)))
>>> print(table.preimage(2.0, 4.0))
(Fraction(2, 1), Fraction(4, 1))
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
    delta_of_move,
    law_at,
    level_of_move,
)
from ahdp_verify.kernel.evidence.event import Event, IntervalEnd
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyMechanism, Composite
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.terms.expression import Expression, names, number, substitute
from ahdp_verify.search.floating_point import WITHOUT_VALUE, float_function, float_value
from ahdp_verify.search.proving.total_mass import output_breakpoints

REACH = 24.0  # how far beyond the points of the laws the table goes
ROWS = 3_000  # of the table
THRESHOLDS = 24  # values of the formula that may be ends of an image
MANY = 200  # different values beyond which a formula is taken not to be a step function
PARTS = 4  # of 1, in thresholds of such a formula
TRIED = 12  # images that the checker is asked about at two inputs
HALVINGS = 60
SIMPLE = 1_000  # largest denominator of an end
EXCESS = 1e-12  # by which a sum of the table has to exceed the bound
Ends = tuple[Fraction | None, Fraction | None]
EMPTY = Context.empty()


@dataclass(frozen=True, slots=True)
class ImageTable:
    """The values of a formula in one output at ascending numbers."""

    output: str
    formula: Expression
    places: tuple[float, ...]
    whole: bool = False  # a whole output, of which all numbers in a range are places
    at: Callable[[float], float] = field(init=False)  # nan where the formula has no value
    values: tuple[float, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "at", _function(self.formula, self.output, math.nan))
        object.__setattr__(self, "values", tuple(map(self.at, self.places)))

    def thresholds(self) -> list[float]:
        """Its values in ascending order; where there are many, simple numbers between them, some
        of them, evenly spread.
        """
        listed = sorted({v for v in self.values if math.isfinite(v)})
        if len(listed) > MANY:
            listed = sorted({round(PARTS * v) / PARTS for v in listed})
        return listed[:: 1 + len(listed) // THRESHOLDS]

    def preimage(self, low: float | None, high: float | None) -> Ends | None:
        """The ends of {low <= f < high}; None where it is not an interval, or empty."""

        def inside(place: float) -> bool:
            value = self.at(place)
            return (low is None or low <= value) and (high is None or value < high)

        mask = [inside(x) for x in self.places]
        turns = [i for i, (a, b) in enumerate(itertools.pairwise(mask)) if a != b]
        if not any(mask) or all(mask) or len(turns) > 2 or (len(turns) == 2 and mask[0]):
            return None
        ends = [self._turn(i, inside) for i in turns]
        if len(ends) == 2:
            return ends[0], ends[1]
        return (None, ends[0]) if mask[0] else (ends[0], None)

    def _turn(self, i: int, inside: Callable[[float], bool]) -> Fraction:
        """The simplest number close to where the answer changes."""
        a, b = self.places[i], self.places[i + 1]
        if self.whole:
            return Fraction(b)
        first = inside(a)
        for _ in range(HALVINGS):
            middle = (a + b) / 2
            a, b = (middle, b) if inside(middle) == first else (a, middle)
        return Fraction(b).limit_denominator(SIMPLE)


def image_counterexamples(
    whole: AnyMechanism, part: Claim, example: Counterexample
) -> Iterator[tuple[Counterexample, Event]]:
    """Counterexamples about the part of a post-processing, at the two inputs of one, whose events
    are preimages of the images beside them.
    """
    outputs = part.mechanism.outputs
    if not isinstance(whole, Composite) or len(outputs) != 1 or outputs[0].kind == "finite":
        return
    given = dict(example.parameters)
    laws = [law_at(part, example, side)[0] for side in (example.first, example.second)]
    level = float_value(level_of_move(part, example))
    delta = float_value(substitute(delta_of_move(part, example), given))
    for released, formula in zip(whole.outputs, whole.formulas, strict=True):
        f = substitute(formula, given)
        if names(f) != {outputs[0].name}:
            continue
        ranked = _ranked(outputs[0], f, laws, (math.exp(level), delta))
        for low, high, ends in ranked[:TRIED]:
            yield _with_image(example, outputs[0], released.name, f, (low, high, ends))


Ranked = tuple[float | None, float | None, Ends]


def _ranked(
    output: Output, formula: Expression, laws: list[Expression], bound: tuple[float, float]
) -> list[Ranked]:
    """The images that exceed the bound, those that exceed it most first."""
    known = [
        float_value(to_expression(r))
        for law in (*laws, formula)
        for r in output_breakpoints(law, output, EMPTY)
    ]
    least, most = min(known, default=0.0) - REACH, max(known, default=0.0) + REACH
    places = tuple(
        map(float, range(math.floor(least), math.ceil(most) + 1))
        if output.kind == "integer"
        else (least + (most - least) * (i + 0.5) / ROWS for i in range(ROWS))
    )
    table = ImageTable(output.name, formula, places, output.kind == "integer")
    p, q = (list(map(_function(law, output.name, 0.0), places)) for law in laws)
    step = 1.0 if output.kind == "integer" else (most - least) / ROWS
    found: list[tuple[float, Ranked]] = []
    levels = table.thresholds()
    images = [
        *((t, None) for t in levels),
        *((None, t) for t in levels),
        *itertools.pairwise(levels),
    ]
    for low, high in images:
        chosen = [(low is None or low <= v) and (high is None or v < high) for v in table.values]
        first, second = (step * sum(itertools.compress(column, chosen)) for column in (p, q))
        excess = first - bound[0] * second - bound[1]
        if excess > EXCESS * first:
            ends = table.preimage(low, high)
            if ends is not None:
                found.append((excess, (low, high, ends)))
    return [row for _, row in sorted(found, key=lambda pair: -pair[0])]


def _function(e: Expression, output: str, otherwise: float) -> Callable[[float], float]:
    """The approximate value of an expression for each value of an output; `otherwise` where it has
    none.
    """
    value = float_function(e)

    def at(place: float) -> float:
        try:
            return float(value({output: place}))
        except WITHOUT_VALUE:
            return otherwise

    return at


def _with_image(
    example: Counterexample, output: Output, released: str, formula: Expression, found: Ranked
) -> tuple[Counterexample, Event]:
    """The example with an event that is a preimage, and the image."""
    low, high, ends = found
    image: list[IntervalEnd] = [
        None if t is None else number(Fraction(t).limit_denominator(SIMPLE)) for t in (low, high)
    ]
    span: list[IntervalEnd] = [None if e is None else number(e) for e in ends]
    kinks = tuple(to_expression(r) for r in output_breakpoints(formula, output, EMPTY))
    points = tuple(
        ((output.name, _joined(dict(table).get(output.name, ()), kinks)),)
        for table in example.points
    )
    event = Event(intervals=((output.name, span[0], span[1]),))
    return (
        replace(example, event=event, points=(points[0], points[1])),
        Event(intervals=((released, image[0], image[1]),)),
    )


def _joined(points: tuple[Expression, ...], more: tuple[Expression, ...]) -> tuple[Expression, ...]:
    """Points, and those of some more that are not equal to one of them."""
    found = {normal(e, EMPTY).key: e for e in points if not names(e)}
    beside = [e for e in more if normal(e, EMPTY).key not in found]
    return (*points, *beside)
