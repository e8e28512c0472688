"""The events on which draws at one input are compared with the law: sets of cells, with a p-value
for each that is valid at every number of draws.

The cells and their probabilities are those of `goodness_of_fit`: exact, then rounded, and chosen
without the draws that are tested.  The events are every cell by itself, the cells from the left end
up to each cut point, and the cells in which the law is largest, as many as there are.  How often an
event occurs among n independent draws has a binomial distribution, so the tail of that is a p-value
without an approximation; it is computed with the probability at the worse end of an interval of
relative width 2e-9 around the rounded one.  Needs numpy and scipy.

>>> from ahdp_verify.kernel.model.domain import Queries
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name
>>> M = Mechanism(Queries(1), outputs=[real("s")], density=exp(-Abs(name("s") - name("q[1]"))) / 2, name="noisy")
>>> found = reference_at(M, [3])
>>> table = found.tables[0]
>>> len(table.grid.probabilities), len(table.events), table.events[0].text
(16, 42, 's < 5/4')
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.analysis.inputs import LawAtInput, law_at_input
from ahdp_verify.kernel.errors import NotWorkedOut, Undecided, Unsupported
from ahdp_verify.kernel.evidence.event import IntervalEnd
from ahdp_verify.kernel.model.composite import AnyMechanism
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, refusal_text
from ahdp_verify.kernel.terms.expression import Expression, label, number, substitute
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.sampling.floats import Array, Columns, evaluate_columns, np
from ahdp_verify.sampling.goodness_of_fit import (
    PILOT,
    CellGrid,
    cell_grids,
    mechanism_to_test,
    scipy_stats,
)
from ahdp_verify.sampling.one_output import plain_value
from ahdp_verify.sampling.sample import sample_columns

REFERENCE = (
    20_000  # draws of the law itself: cut points, and the laws of other scales, come from them
)
SEED = 0x5EED_0F_A0D17  # of these draws, so that an audit of the same draws gives the same answer
SLACK = 1e-9  # relative error that a rounded probability is allowed
POWER = 0.9  # probability with which a difference is found, where a smallest one is stated
HALVINGS = 20
WIDEST = 60  # characters of an event in a table


@dataclass(frozen=True, slots=True)
class ComparedEvent:
    """A set of cells, with its probability: exact, then rounded."""

    text: str
    cells: Array
    probability: float


@dataclass(frozen=True, slots=True, eq=False)
class EventTable:
    """The events about some outputs at one input; `heights` are the logarithms of the law at the
    reference draws, `places` the cells that these are in.
    """

    grid: CellGrid
    events: tuple[ComparedEvent, ...]
    heights: Array
    places: Array


@dataclass(frozen=True, slots=True)
class Reference:
    """The law at one input with all events that are tested there."""

    law: LawAtInput
    tables: tuple[EventTable, ...]

    @property
    def number_of_events(self) -> int:
        """How many events are tested."""
        return sum(len(table.events) for table in self.tables)

    def counts(self, table: EventTable, columns: Columns) -> Array:
        """How many draws are in each cell; the last number counts impossible draws."""
        size = len(table.grid.probabilities)
        places = np.where(self.impossible(columns), size, table.grid.positions(columns))
        return np.bincount(places, minlength=size + 1)

    def impossible(self, columns: Columns) -> Array:
        """Which draws the law cannot give: no values of the outputs, or of density 0.

        Floats can make 0 of a small density, so the first such draw is looked at exactly; unless
        its density is 0, none counts.
        """
        outside = np.zeros(len(next(iter(columns.values()))), dtype=bool)
        for table in self.tables:
            outside |= table.grid.positions(columns) == len(table.grid.probabilities)
        empty = np.isneginf(log_law(self.law, columns)) & ~outside
        rows = np.flatnonzero(empty)
        if len(rows) and has_density_zero(self.law, columns, int(rows[0])):
            return outside | empty
        return outside


def has_density_zero(law: LawAtInput, columns: Columns, row: int) -> bool:
    """Whether the density is shown to be 0 at a draw, exactly."""
    values = {
        key: label(v) if isinstance(v, str) else number(Fraction(v))
        for key, v in ((key, column.tolist()[row]) for key, column in columns.items())
    }
    try:
        return normal(substitute(law.density, values), Context.empty()).is_zero
    except (Undecided, Unsupported, ZeroDivisionError):
        return False


def reference_at(
    mechanism: AnyMechanism, dataset: object, parameters: Mapping[str, object] | None = None
) -> Reference:
    """The law at an input and its events; BadInput for an input that the mechanism does not take,
    NotWorkedOut where the cells have no probability that was found exactly.
    """
    law = law_at_input(mechanism_to_test(mechanism, dataset, parameters or {}), dataset, parameters)
    drawn = sample_columns(mechanism, dataset, REFERENCE, SEED, parameters)
    pilot = {k: v[:PILOT] for k, v in drawn.items()}
    try:
        return Reference(law, tuple(_table(law, grid, drawn) for grid in cell_grids(law, pilot)))
    except (Undecided, Unsupported) as why:
        raise NotWorkedOut(
            "audit",
            f"the exact probabilities of the cells of this distribution were not found "
            f"({refusal_text(why)})",
            "densities that are sums of exponentials between finitely many points can be audited",
        ) from None


def _table(law: LawAtInput, grid: CellGrid, drawn: Columns) -> EventTable:
    """The events of a group of outputs."""
    places, heights = grid.positions(drawn), log_law(law, drawn)
    ordered = len(grid.group) == 1
    size = len(grid.probabilities)
    inside = np.bincount(places, minlength=size + 1)[:size]
    totals = np.bincount(places, np.where(np.isfinite(heights), heights, 0), size + 1)[:size]
    by_height = np.argsort(-np.where(inside > 0, totals / np.maximum(inside, 1), -np.inf))
    chosen: dict[frozenset[int], None] = {}
    for cells in (
        *((i,) for i in range(size)),
        *(range(i) for i in range(2, grid.shape[0] if ordered else 0)),
        *(by_height[:i].tolist() for i in range(2, size)),
    ):
        _add(chosen, frozenset(cells), size)
    cuts = grid.cuts.get(grid.group[0].name)
    ends = None if cuts is None else cuts.ends
    events = tuple(
        ComparedEvent(
            event_text(grid, cells, ends),
            np.isin(np.arange(size), sorted(cells)),
            float(grid.probabilities[sorted(cells)].sum()),
        )
        for cells in chosen
    )
    return EventTable(grid, events, heights, places)


def _add(chosen: dict[frozenset[int], None], cells: frozenset[int], size: int) -> None:
    """An event is added, unless it or its complement is there, or it is certain."""
    if len(cells) < size and frozenset(range(size)) - cells not in chosen:
        chosen.setdefault(cells)


def log_law(law: LawAtInput, columns: Columns) -> Array:
    """The logarithm of the density at each draw, of the probability at an atom."""
    n = len(next(iter(columns.values())))
    with np.errstate(all="ignore"):
        found = np.log(np.broadcast_to(evaluate_columns(law.density, columns), n).astype(float))
        for at, mass in law.atoms:
            here = np.asarray(columns[law.outputs[0].name] == plain_value(at))
            found = np.where(here, np.log(float(evaluate_columns(mass, {}))), found)
    return found


def event_text(grid: CellGrid, cells: frozenset[int], ends: list[IntervalEnd] | None = None) -> str:
    """The event for people: intervals, with these ends, and values of one output, a number of cells
    of several.
    """
    names = ", ".join(o.name for o in grid.group)
    if len(grid.group) > 1:
        return f"{len(cells)} of {len(grid.probabilities)} cells of ({names})"
    output, most = grid.group[0], grid.shape[0]
    atoms = [f"{names} = {grid.atoms[i - most]}" for i in sorted(cells) if i >= most]
    if output.kind == "finite":
        parts = [f"{names} = {output.values[i]}" for i in sorted(cells) if i < most]
    else:
        ends = grid.cuts[output.name].ends if ends is None else ends
        parts = [_interval(names, ends[a], ends[b]) for a, b in _runs(sorted(cells), most)]
        if grid.atoms and parts:
            parts = [f"{part} (points of mass apart)" for part in parts]
    return one_line(" or ".join([*parts, *atoms]) or "nothing", WIDEST)


def _runs(cells: list[int], most: int) -> Iterator[tuple[int, int]]:
    """The runs of neighbouring cells, as (first, one after the last)."""
    inside = [i for i in cells if i < most]
    starts = [i for i in inside if i - 1 not in inside]
    stops = [i + 1 for i in inside if i + 1 not in inside]
    return zip(starts, stops, strict=True)


def _interval(output: str, low: Expression | None, high: Expression | None) -> str:
    """An interval of one output."""
    if low is None:
        return f"{output} < {high}" if high is not None else f"{output} is a number"
    return f"{output} >= {low}" if high is None else f"{low} <= {output} < {high}"


def tail_probability(seen: Array, draws: int, probability: Array) -> Array:
    """The two-sided p-values of counts: twice the smaller tail of the binomial distribution, at
    most 1.

    >>> round(float(tail_probability(0, 10, 0.5)) * 2**9, 6)
    1.0
    """
    binomial = scipy_stats().binom
    seen, p = np.asarray(seen), np.asarray(probability)
    below = binomial.cdf(seen, draws, p * (1 - SLACK))
    above = binomial.sf(seen - 1, draws, np.minimum(1.0, p * (1 + SLACK)))
    return np.minimum(1.0, 2 * np.minimum(below, above))


def detectable_difference(reference: Reference, draws: int, alpha: float) -> float:
    """By how much the probability of an event that is tested can differ at most, upwards or
    downwards, without a probability of 90 % that its test rejects at this alpha; at most 1.
    """
    listed = [e.probability for t in reference.tables for e in t.events]
    return hidden_difference(np.array(listed), draws, alpha)


def hidden_difference(p: Array, draws: int, alpha: float) -> float:
    """The same for events of these probabilities."""
    if not len(p):
        return 1.0
    binomial = scipy_stats().binom
    # the largest count whose lower tail rejects, and the smallest whose upper tail does
    few = binomial.ppf(alpha / 2, draws, p * (1 - SLACK)) - 1
    many = binomial.isf(alpha / 2, draws, np.minimum(1.0, p * (1 + SLACK))) + 1
    found = []
    for sign in (1, -1):
        low, high = np.zeros(len(p)), np.where(sign > 0, 1 - p, p)
        for _ in range(HALVINGS):
            q = np.clip(p + sign * (low + high) / 2, 0.0, 1.0)
            seen = binomial.cdf(few, draws, q) + binomial.sf(many - 1, draws, q) >= POWER
            low, high = (
                np.where(seen, low, (low + high) / 2),
                np.where(seen, (low + high) / 2, high),
            )
        # an event whose probability cannot differ by more in this direction is left out
        found.append(np.where(high < np.where(sign > 0, 1 - p, p), high, 0.0))
    return float(np.maximum(*found).max())
