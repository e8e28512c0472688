"""Whether draws follow the verified law: a chi-squared test against the exact probabilities of
cells.

The cells are outcomes of finite outputs, and boxes between cut points of the others; the cut points
shift with earlier outputs if the law does, and come from other draws than those that are counted.
The probability of a cell is computed by the checker, so that a sampler is compared with the law and
not with itself; a composite, which runs part by part, is compared with its distribution as one
expression. Up to three outputs are tested together, more than three in neighbouring pairs; with
several tables the result is the least p-value times the number of tables.  Nothing here is part of
a proof.  Needs numpy and scipy (the extra `sampling`).

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.datasets import Multiset
>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> W, s = Domain([(1, 1)]), real("s")
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="noisy size")
>>> found = goodness_of_fit(M, Multiset(W, [3]), rng=1)
>>> found.freedom, found.p_value > 0.001
(15, True)
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from math import prod
from typing import Any

from ahdp_verify.analysis.inputs import LawAtInput, checker_input, law_at_input
from ahdp_verify.analysis.testing.error_rates import event_probability_at_input
from ahdp_verify.analysis.testing.error_rates import exponential_breakpoints as points_of
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.kernel.errors import BadInput, Missing, NotWorkedOut, Undecided, Unsupported
from ahdp_verify.kernel.evidence.event import Event, IntervalEnd
from ahdp_verify.kernel.model.composite import AnyMechanism
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import JOINT, Mechanism, Output
from ahdp_verify.kernel.numbers.normal_form import refusal_text
from ahdp_verify.kernel.rules.integration import factors_by_output
from ahdp_verify.kernel.rules.joint_law import explicit_mechanism, takes_sample
from ahdp_verify.kernel.terms.expression import ZERO, Expression, add, multiply, names, number
from ahdp_verify.sampling.floats import (
    Array,
    Columns,
    equal_columns,
    evaluate_columns,
    np,
    numeric_column,
    rounded_ratio,
)
from ahdp_verify.sampling.one_output import plain_value, random_generator, value_array
from ahdp_verify.sampling.sample import sample_columns, silent_mechanism, whole_number
from ahdp_verify.search.refuting.events import event_with_atoms

CUTS = {1: 15, 2: 3, 3: 2}  # most cut points of each output, by how many are tested together
FEWEST = 100  # fewest draws that are tested
GRAIN = 64  # cut points are multiples of a power of 2, about their spread over this number
LEAST = 5  # fewest expected draws in a cell; rarer cells are merged
MOST = 400  # most cells of one table
NEAR = 1e-9  # relative distance up to which a draw counts as a value of a finite output
PILOT = 400  # draws that determine the cut points
OutputGroup = tuple[Output, ...]


@dataclass(frozen=True, slots=True)
class FitResult:
    """The result of a test: the chi-squared statistic of the worst table with its degrees of
    freedom, and the p-value for all tables together.
    """

    name: str
    size: int
    statistic: float
    freedom: int
    p_value: float
    tables: int = 1

    __repr__ = short_repr

    def __str__(self) -> str:
        more = f", the worst of {self.tables} tables" if self.tables > 1 else ""
        return (
            f"{self.name}: {self.size} draws against the exact distribution: chi-squared "
            f"{self.statistic:.4g} with {self.freedom} degrees of freedom{more}, p-value "
            f"{self.p_value:.4g}"
        )


def goodness_of_fit(
    mechanism: AnyMechanism,
    dataset: object,
    size: int = 20_000,
    rng: object = None,
    parameters: Mapping[str, object] | None = None,
    *,
    draws: Columns | Array | None = None,
) -> FitResult:
    """Whether draws on one input follow the law there; a small p-value indicates that they do not.

    size    how many draws are made and counted, at least 100
    draws   draws from elsewhere that are tested instead, in the form in which `sample` gives them
    Raises BadInput and NotWorkedOut as `sample` does, the latter also for laws whose cells have no
    probability that was found exactly.
    """
    scipy_stats()
    if whole_number(size) < FEWEST:
        raise BadInput("size", f"{size} draws show nothing", f"ask for at least {FEWEST}")
    source, there = (
        random_generator(rng),
        law_at_input(mechanism_to_test(mechanism, dataset, parameters or {}), dataset, parameters),
    )
    made = sample_columns(
        mechanism, dataset, PILOT + (size if draws is None else 0), source, parameters
    )
    pilot, rest = (
        {k: v[part] for k, v in made.items()} for part in (slice(PILOT), slice(PILOT, None))
    )
    columns = rest if draws is None else read_draws(draws, there.outputs)
    try:
        tests = [
            chi_squared_test(seen, wanted) for seen, wanted in cell_tables(there, pilot, columns)
        ]
    except (Undecided, Unsupported) as why:
        said = (
            "the exact probabilities of the cells of this distribution were not found "
            f"({refusal_text(why)})"
        )
        raise NotWorkedOut(
            "fit",
            said,
            "densities that are sums of exponentials between finitely many points can be tested",
        ) from None
    statistic, freedom, p = min(tests, key=lambda test: test[2])
    return FitResult(
        str(mechanism),
        len(next(iter(columns.values()))),
        statistic,
        freedom,
        min(1.0, p * len(tests)),
        len(tests),
    )


def mechanism_to_test(
    mechanism: AnyMechanism, dataset: object, parameters: Mapping[str, object]
) -> Mechanism:
    """The mechanism with its distribution as one expression, for datasets of this size where a
    sample is taken; NotWorkedOut where none was found.
    """
    if isinstance(mechanism, Mechanism):
        return mechanism
    try:
        _, example = checker_input(silent_mechanism(mechanism), dataset, parameters)
        size = (
            sum(int(c.args[0]) for c in example.first)
            if isinstance(mechanism.inputs, Domain) and takes_sample(mechanism)
            else None
        )
        return explicit_mechanism(mechanism, size)
    except Unsupported as why:
        raise NotWorkedOut("fit", refusal_text(why), "test its parts one by one") from None


def read_draws(draws: Columns | Array, outputs: OutputGroup) -> Columns:
    """The columns of draws from elsewhere; BadInput unless there is one of the same length for
    each output, and enough in each.
    """
    listed = {
        k: value_array(list(v)) if isinstance(v, list | tuple) else np.asarray(v)
        for k, v in (draws if isinstance(draws, Mapping) else {outputs[0].name: draws}).items()
    }
    wanted = [o.name for o in outputs]
    if (
        set(listed) != set(wanted)
        or len({v.shape for v in listed.values()}) != 1
        or any(v.ndim != 1 for v in listed.values())
    ):
        raise BadInput(
            "draws",
            f"they are not one column for each of {', '.join(wanted)}",
            "give them as sample does",
        )
    if len(listed[wanted[0]]) < FEWEST:
        raise BadInput(
            "draws", f"{len(listed[wanted[0]])} draws show nothing", f"give at least {FEWEST}"
        )
    return listed


def output_groups(outputs: OutputGroup) -> list[OutputGroup]:
    """The outputs that are tested together: all of them if that makes few cells, else neighbouring
    pairs, else each by itself.
    """
    for k in (len(outputs), 2, 1):
        found = [outputs[i : i + k] for i in range(len(outputs) - k + 1)] if k in CUTS else []
        if found and all(
            prod(len(o.values) or CUTS[k] + 1 for o in group) <= MOST for group in found
        ):
            return found
    raise Unsupported(f"an output has more than {MOST} values")


@dataclass(frozen=True, slots=True)
class CellGrid:
    """The cells of outputs that are tested together, with their probabilities.

    group          the outputs, in order
    shape          how many intervals, or values, each of them has
    cuts           the cut points of those that are not finite
    atoms          the points of mass, each a cell of its own, after all others
    probabilities  the exact probability of each cell, rounded
    """

    group: OutputGroup
    shape: tuple[int, ...]
    cuts: Mapping[str, CutPoints]
    atoms: tuple[Expression, ...]
    probabilities: Array

    def positions(self, columns: Columns) -> Array:
        """The number of the cell that each draw is in; the number of cells for a draw that is not a
        value of the outputs.
        """
        places = [cell_positions(columns, o, self.cuts.get(o.name)) for o in self.group]
        which = np.ravel_multi_index([np.maximum(p, 0) for p in places], self.shape)
        which[reduce(np.logical_or, (p < 0 for p in places))] = len(self.probabilities)
        for i, at in enumerate(reversed(self.atoms), 1):
            here = equal_columns(columns[self.group[0].name], plain_value(at))
            which[here] = len(self.probabilities) - i
        return which


def cell_tables(
    there: LawAtInput, pilot: Columns, columns: Columns
) -> Iterator[tuple[Array, Array]]:
    """For each group, how often each cell was drawn and the expected number; the last cell holds
    draws that are not possible outputs.
    """
    for grid in cell_grids(there, pilot):
        which, wanted = grid.positions(columns), grid.probabilities
        yield np.bincount(which, minlength=len(wanted) + 1), np.append(wanted, 0.0) * len(which)


def cell_grids(there: LawAtInput, pilot: Columns) -> Iterator[CellGrid]:
    """The cells of each group, between cut points that come from the pilot draws."""
    listed = output_groups(there.outputs)
    near = {o.name: law_of_linked_outputs(there, (o,)) for o in there.outputs}
    cuts = {
        o.name: quantile_cuts(near[o.name], o, pilot, CUTS[len(listed[0])])
        for o in there.outputs
        if o.kind != "finite"
    }
    alone = {
        o.name: cell_probabilities(near[o.name], (o,), cuts)
        for o in there.outputs
        if len(near[o.name].outputs) == 1
    }
    for group in listed:
        independent = all(o.name in alone for o in group)
        wanted = (
            reduce(np.multiply.outer, (alone[o.name] for o in group)).ravel()
            if independent
            else cell_probabilities(law_of_linked_outputs(there, group), group, cuts)
        )
        shape = tuple(len(o.values) or cuts[o.name].cells for o in group)
        yield CellGrid(group, shape, cuts, tuple(at for at, _ in there.atoms), wanted)


def cell_probabilities(
    there: LawAtInput, group: OutputGroup, cuts: Mapping[str, CutPoints]
) -> Array:
    """The exact probabilities of the cells, rounded; those of atoms last."""
    parts = [range(len(o.values) or cuts[o.name].cells) for o in group]
    cells = [cell_event(there, cell, group, cuts) for cell in itertools.product(*parts)] + [
        Event(atoms=(at,), continuous=False) for at, _ in there.atoms
    ]
    found = np.array([rounded_probability(there, cell) for cell in cells])
    return found / found.sum()


@functools.lru_cache(maxsize=1024)
def rounded_probability(there: LawAtInput, event: Event) -> float:
    """The exact probability of an event, rounded."""
    return rounded_ratio(event_probability_at_input(there, event))


def law_of_linked_outputs(there: LawAtInput, group: OutputGroup) -> LawAtInput:
    """The joint distribution of some outputs and of all that share a factor with them, directly or
    through others, perhaps times a number; the other outputs are independent of these.
    """
    listed = [o.name for o in there.outputs]
    _, factors = factors_by_output(there.density, tuple(listed))
    spoken, found = (
        [names(f) | {k} for f, k in zip(factors, listed, strict=True)],
        {o.name for o in group},
    )
    for _ in listed:
        found |= {k for some in spoken if some & found for k in some}
    if len(found) == len(listed):
        return there
    density = multiply(*(f for f, k in zip(factors, listed, strict=True) if k in found))
    return replace(
        there, outputs=tuple(o for o in there.outputs if o.name in found), density=density
    )


@dataclass(frozen=True, slots=True)
class CutPoints:
    """Cut points of an output that is not finite: a point of its distribution, 0 or one that
    depends on earlier outputs, plus each of the offsets.
    """

    point: Expression
    offsets: Array

    @property
    def cells(self) -> int:
        """How many intervals they make."""
        return len(self.offsets) + 1

    @property
    def ends(self) -> list[IntervalEnd]:
        """The ends of the intervals."""
        return [None, *(add(self.point, number(Fraction(c))) for c in self.offsets), None]


def quantile_cuts(there: LawAtInput, output: Output, pilot: Columns, most: int) -> CutPoints:
    """About the quantiles of draws, as a point of the law plus multiples of a power of 2, in
    ascending order.

    Of a law with endlessly many pieces those are left out beyond which, outwards, no exact
    probability is known.
    """
    point = next((e for e in dict(points_of(there, there.density))[output.name] if names(e)), ZERO)
    values = numeric_column(pilot[output.name]) - evaluate_columns(point, pilot)
    values = values[np.isfinite(values)]
    wanted = (
        np.quantile(values, np.arange(1, most + 1) / (most + 1)) if len(values) else np.zeros(1)
    )
    spread = wanted[-1] - wanted[0]
    step = 2.0 ** np.floor(np.log2(spread / GRAIN)) if output.kind == "real" and spread > 0 else 1.0
    found = CutPoints(point, np.unique(np.rint(wanted / step) * step))
    while len(found.offsets) and not has_exact_probability(there, output, None, found.ends[1]):
        found = CutPoints(point, found.offsets[1:])
    while len(found.offsets) and not has_exact_probability(there, output, found.ends[-2], None):
        found = CutPoints(point, found.offsets[:-1])
    if not len(found.offsets):
        raise Unsupported(f"intervals of {output.name} have none")
    return found


def has_exact_probability(
    there: LawAtInput, output: Output, low: IntervalEnd, high: IntervalEnd
) -> bool:
    """Whether an interval has an exact probability."""
    try:
        rounded_probability(there, Event(intervals=((output.name, low, high),)))
    except (Undecided, Unsupported):
        return False
    return True


def cell_event(
    there: LawAtInput, cell: tuple[int, ...], group: OutputGroup, cuts: Mapping[str, CutPoints]
) -> Event:
    """The event that the outputs are in a cell, points of mass left out; of finite outputs,
    which may depend on each other in any way, as a list of outcomes.
    """
    chosen = {o.name: (o.values[part],) for part, o in zip(cell, group, strict=True) if o.values}
    if all(o.values for o in there.outputs) and prod(len(o.values) for o in there.outputs) <= JOINT:
        return Event(
            outcomes=tuple(
                itertools.product(*(chosen.get(o.name, o.values) for o in there.outputs))
            )
        )
    ends = (
        (o.name, part, cuts[o.name].ends)
        for part, o in zip(cell, group, strict=True)
        if not o.values
    )
    box = Event(
        intervals=tuple((k, listed[part], listed[part + 1]) for k, part, listed in ends),
        values=tuple(chosen.items()),
    )
    return event_with_atoms(box, (at for at, _ in there.atoms), there.outputs, ())


def cell_positions(columns: Columns, output: Output, cuts: CutPoints | None) -> Array:
    """The number of the value, or of the interval, that each draw is in; -1 for a draw that is not
    a value of the output.
    """
    column = columns[output.name]
    places = numeric_column(column)
    if cuts is not None:
        inside = np.isfinite(places) & ((places == np.rint(places)) | (output.kind == "real"))
        return np.where(
            inside,
            np.searchsorted(
                cuts.offsets, places - evaluate_columns(cuts.point, columns), side="right"
            ),
            -1,
        )
    found = np.full(len(column), -1)
    for i, v in enumerate(map(plain_value, output.values)):
        found[
            equal_columns(column, v)
            if isinstance(v, str)
            else np.isclose(places, v, rtol=NEAR, atol=NEAR)
        ] = i
    return found


def scipy_stats() -> Any:
    """The module scipy.stats; Missing where it is not installed."""
    try:
        from scipy import stats  # noqa: PLC0415 - it is an extra, and slow to load
    except ImportError:
        raise Missing("fit", "scipy", "sampling") from None
    return stats


def chi_squared_test(seen: Array, wanted: Array) -> tuple[float, int, float]:
    """Pearson's statistic, its degrees of freedom and its p-value, with rare cells put together;
    an impossible draw has the p-value 0.
    """
    if np.any((np.asarray(seen) > 0) & (np.asarray(wanted) <= 0)):
        return float("inf"), 0, 0.0
    pooled: list[list[float]] = [[0.0, 0.0]]
    for n, e in sorted(zip(seen, wanted, strict=True), key=lambda pair: pair[1]):
        if pooled[-1][1] >= LEAST:
            pooled.append([0.0, 0.0])
        pooled[-1] = [pooled[-1][0] + n, pooled[-1][1] + e]
    statistic, freedom = float(sum((n - e) ** 2 / e for n, e in pooled)), len(pooled) - 1
    return statistic, freedom, float(scipy_stats().chi2.sf(statistic, freedom)) if freedom else 1.0
