"""Do draws follow the law that was verified?  A chi-squared test against the exact probabilities of cells.

The cells are outcomes of finite outputs, and boxes between cut points of the others; the cut points come from other draws than those that
are counted.  The probability of a cell is the one that the checker works out, so that a sampler is held against the law and not against
itself.  Three outputs and fewer are looked at together, of more all neighbouring pairs; of several tables the least p-value counts, times
their number.  Nothing here is part of a proof.  Needs numpy and scipy (the extra `sampling`).

>>> from ahdp_verify.domain import Domain, Multiset
>>> from ahdp_verify.expression import Abs, exp
>>> from ahdp_verify.mechanism import Mechanism, real
>>> W, s = Domain([(1, 1)]), real("s")
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="noisy size")
>>> found = goodness_of_fit(M, Multiset(W, [3]), rng=1)
>>> found.freedom, found.p_value > 0.001
(9, True)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import Any

from ahdp_verify.draws import generator, plain
from ahdp_verify.errors import BadInput, Undecided, Unsupported
from ahdp_verify.event import Event
from ahdp_verify.expression import number
from ahdp_verify.hypothesis_test import of_event
from ahdp_verify.inputs import At, law, question
from ahdp_verify.mechanism import Mechanism, Output
from ahdp_verify.sampling import Atom, Row, drawn, law_of, whole_number
from ahdp_verify.verdict import middle

CUTS = {1: 9, 2: 3, 3: 2}  # cut points of each output, by how many are looked at together
PILOT = 400  # draws that choose the cut points
LEAST = 5  # expected draws in a cell; rarer cells are put together
MOST = 400  # cells of one table
Cell = tuple[object, ...]  # for each output the number of the interval, or the value; for an atom the atom itself


@dataclass(frozen=True, slots=True)
class Fit:
    """The result of a test: the chi-squared statistic of the worst table with its degrees of freedom, and the p-value for all tables together."""

    name: str
    size: int
    statistic: float
    freedom: int
    p_value: float
    tables: int = 1

    def __str__(self) -> str:
        more = f", the worst of {self.tables} tables" if self.tables > 1 else ""
        return f"{self.name}: {self.size} draws against the exact law: chi-squared {self.statistic:.4g} with {self.freedom} degrees of freedom{more}, p-value {self.p_value:.4g}"


def goodness_of_fit(mechanism: Mechanism, dataset: object, size: int = 20_000, rng: object = None, parameters: Mapping[str, object] | None = None, *,
                    draws: Sequence[Row] | None = None) -> Fit:  # fmt: skip
    """Whether draws at one input follow the law there; a small p-value says that they do not.

    size    how many draws are counted, at least 100
    draws   draws from elsewhere that are to be judged, tables output -> value; by default the mechanism's own
    Raises BadInput as `sample` does, and for laws whose cells have no exact probability.
    """
    if whole_number(size) < 100:
        raise BadInput("size", f"{size} draws show nothing", "ask for at least 100")
    source, there = generator(rng), law(mechanism, dataset, parameters)
    exact_law = law_of(*(pair := question(mechanism, dataset, parameters or {})), pair[1].before)
    pilot = drawn(exact_law, source, PILOT)
    rows = drawn(exact_law, source, size) if draws is None else draws
    try:
        tables = [table(there, mechanism, group, pilot, rows) for group in groups(mechanism.outputs)]
    except (Undecided, Unsupported) as why:
        raise BadInput("fit", f"the cells of this law have no exact probability ({why})", "laws that are sums of exponentials between finitely many points can be tested") from None
    tests = [chi_squared(*counts) for counts in tables]
    statistic, freedom, p = min(tests, key=lambda test: test[2])
    return Fit(str(mechanism), len(rows), statistic, freedom, min(1.0, p * len(tests)), len(tests))


def groups(outputs: tuple[Output, ...]) -> list[tuple[Output, ...]]:
    """The outputs that are looked at together: all of them, or neighbouring pairs."""
    return [outputs] if len(outputs) in CUTS else list(itertools.pairwise(outputs))


def table(there: At, mechanism: Mechanism, group: tuple[Output, ...], pilot: Iterable[Row], rows: Sequence[Row]) -> tuple[list[int], list[float]]:
    """How often each cell was drawn, and how often it should be."""
    cuts = {o.name: cut_points([row[o.name] for row in pilot], CUTS[len(group)]) for o in group if o.kind != "finite"}
    parts: list[list[object]] = [list(map(plain, o.values)) if o.kind == "finite" else list(range(len(cuts[o.name]) + 1)) for o in group]
    cells: list[Cell] = list(itertools.product(*parts))
    if len(cells) > MOST:
        raise Unsupported(f"there are {len(cells)} cells")
    chances = {cell: float(middle(of_event(there, event(cell, group, cuts)))) for cell in cells}
    for at, _ in mechanism.atoms:
        chances[(Atom(at),)] = float(middle(of_event(there, Event(atoms=(at,), continuous=False))))
    seen = dict.fromkeys(chances, 0)
    for row in rows:
        seen[place(row, group, cuts)] += 1
    return list(seen.values()), [p * len(rows) for p in chances.values()]


def cut_points(values: Iterable[Any], number_of_cuts: int) -> list[Fraction]:
    """Quantiles of draws, as short rational numbers in ascending order; whole numbers of whole draws."""
    numbers = sorted(Fraction(v) for v in values if not isinstance(v, Atom))
    if not numbers:
        return []
    chosen = [numbers[(i + 1) * len(numbers) // (number_of_cuts + 1)] for i in range(number_of_cuts)]
    return sorted({c.limit_denominator(64) for c in chosen})


def event(cell: Cell, group: tuple[Output, ...], cuts: Mapping[str, list[Fraction]]) -> Event:
    """The event that the outputs are in a cell."""
    intervals, values = [], []
    for part, output in zip(cell, group, strict=True):
        if output.kind == "finite":
            values.append((output.name, (next(v for v in output.values if plain(v) == part),)))
            continue
        ends = [None, *map(number, cuts[output.name]), None]
        assert isinstance(part, int)
        intervals.append((output.name, ends[part], ends[part + 1]))
    return Event(intervals=tuple(intervals), values=tuple(values))


def place(row: Row, group: tuple[Output, ...], cuts: Mapping[str, list[Fraction]]) -> Cell:
    """The cell of a draw."""
    if isinstance(only := row[group[0].name], Atom):
        return (only,)
    return tuple(row[o.name] if o.kind == "finite" else sum(c <= row[o.name] for c in cuts[o.name]) for o in group)


def chi_squared(seen: list[int], wanted: list[float]) -> tuple[float, int, float]:
    """Pearson's statistic, its degrees of freedom and its p-value, with rare cells put together; an impossible draw has the p-value 0."""
    if any(n and not e for n, e in zip(seen, wanted, strict=True)):
        return float("inf"), 0, 0.0
    pooled: list[list[float]] = [[0.0, 0.0]]
    for n, e in sorted(zip(seen, wanted, strict=True), key=lambda pair: pair[1]):
        pooled[-1][0] += n
        pooled[-1][1] += e
        if pooled[-1][1] >= LEAST:
            pooled.append([0.0, 0.0])
    rest = pooled.pop()
    if rest[1] and pooled:
        pooled[-1] = [pooled[-1][0] + rest[0], pooled[-1][1] + rest[1]]
    statistic = sum((n - e) ** 2 / e for n, e in pooled)
    freedom = len(pooled) - 1
    return statistic, freedom, survival(statistic, freedom) if freedom > 0 else 1.0


def survival(statistic: float, freedom: int) -> float:
    """The chance that a chi-squared variable is larger."""
    try:
        chi2 = import_module("scipy.stats").chi2
    except ImportError:
        raise BadInput("fit", "scipy is not installed", "pip install 'ahdp-verify[sampling]'") from None
    return float(chi2.sf(statistic, freedom))
