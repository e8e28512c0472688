"""Do draws follow the law that was verified?

* Every real output, given the earlier ones, is turned into numbers that should be uniform (`ahdp_verify.uniforms`), and these are compared
  with the uniform law by Kolmogorov and Smirnov's test; of neighbouring outputs the pairs are counted in a grid, since they should be independent.
* Whole and finite outputs, and atoms, are counted in cells and compared with the exact probabilities of the cells by Pearson's chi-squared
  test.  Cells are outcomes of finite outputs and intervals of whole ones, whose ends come from other draws; three such outputs and fewer
  are looked at together, of more all neighbouring pairs.  Cells are pooled until 5 draws are expected in each.

Both the integrals and the probabilities are those that the checker works out, so that a sampler is held against the law and not against
itself.  Of several comparisons the least p-value counts, times their number.  Nothing here is part of a proof.  Needs numpy and scipy (the
extra `sampling`).

>>> from ahdp_verify.domain import Domain, Multiset
>>> from ahdp_verify.expression import Abs, exp
>>> from ahdp_verify.mechanism import real
>>> W, s = Domain([(1, 1)]), real("s")
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="noisy size")
>>> print(goodness_of_fit(M, Multiset(W, [3]), size=1000, rng=1))
noisy size: 1000 draws follow the exact law: p-value 0.4966 (Kolmogorov-Smirnov statistic 0.02607 of s)
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from math import prod
from typing import Any

from ahdp_verify.composite import AnyMechanism
from ahdp_verify.domain import Domain
from ahdp_verify.draws import generator, plain
from ahdp_verify.errors import BadInput, Undecided, Unsupported
from ahdp_verify.event import Event
from ahdp_verify.explicit import explicit, samples
from ahdp_verify.expression import number
from ahdp_verify.hypothesis_test import of_event
from ahdp_verify.inputs import At, law, question
from ahdp_verify.mechanism import Mechanism, Output
from ahdp_verify.numeric import Array, Columns, equal, np
from ahdp_verify.sampling import bare, draws, whole_number
from ahdp_verify.uniforms import position, uniforms
from ahdp_verify.verdict import middle

try:
    from scipy import stats
except ImportError:
    raise BadInput("fit", "scipy is not installed", "install it with: pip install 'ahdp-verify[sampling]'") from None

CUTS = {1: 24, 2: 6, 3: 3}  # most cut points of each whole output, by how many are looked at together
PILOT = 400  # draws that choose the cut points
LEAST = 5  # expected draws in a cell; rarer cells are put together
MOST = 400  # cells of one table
GRID = 4  # a grid of 4 by 4 for two uniform numbers
ALARM = 1e-4  # a p-value that the line calls too small
FEWEST = 100  # draws


@dataclass(frozen=True, slots=True)
class Comparison:
    """One test: what was compared, the statistic (chi-squared with its degrees of freedom, or else Kolmogorov and Smirnov's), and the p-value."""

    what: str
    statistic: float
    freedom: int | None
    p_value: float

    def __str__(self) -> str:
        named = "Kolmogorov-Smirnov statistic" if self.freedom is None else f"chi-squared with {self.freedom} degrees of freedom"
        return f"{named} {self.statistic:.4g} of {self.what}"


@dataclass(frozen=True, slots=True)
class Fit:
    """The result for `size` draws: all comparisons, the worst of them, and the p-value for all together."""

    name: str
    size: int
    comparisons: tuple[Comparison, ...]

    @property
    def worst(self) -> Comparison:
        """The comparison with the least p-value."""
        return min(self.comparisons, key=lambda c: c.p_value)

    @property
    def p_value(self) -> float:
        """The chance of draws from the law to look as bad in one of the comparisons, at most."""
        return min(1.0, self.worst.p_value * len(self.comparisons))

    @property
    def fits(self) -> bool:
        """Whether the p-value is no reason for alarm."""
        return self.p_value > ALARM

    def __str__(self) -> str:
        said = "follow the exact law" if self.fits else "do not follow the exact law"
        more = f"the worst of {len(self.comparisons)} comparisons: " if len(self.comparisons) > 1 else ""
        return f"{self.name}: {self.size} draws {said}: p-value {self.p_value:.4g} ({more}{self.worst})"


def goodness_of_fit(mechanism: AnyMechanism, dataset: object, size: int = 20_000, rng: object = None, parameters: Mapping[str, object] | None = None, *,
                    drawn: Columns | None = None) -> Fit:  # fmt: skip
    """Whether draws on one input follow the law there; a small p-value says that they do not.

    size    how many draws are made and compared, at least 100
    drawn   draws from elsewhere that are judged instead, a column for each output
    Raises BadInput as `sample` does, and for laws whose distribution function has no closed form.
    """
    if whole_number(size) < FEWEST:
        raise BadInput("size", f"{size} draws show nothing", f"ask for at least {FEWEST}")
    source = generator(rng)
    written = in_one_expression(mechanism, dataset, parameters or {})
    there = law(written, dataset, parameters)
    pilot = draws(mechanism, dataset, PILOT, source, parameters)
    columns = draws(mechanism, dataset, size, source, parameters) if drawn is None else dict(drawn)
    try:
        with np.errstate(all="ignore"):
            found = tuple(comparisons(there, pilot, columns, source))
    except (Undecided, Unsupported) as why:
        raise BadInput("fit", f"this law has no exact distribution function ({why})", "laws that are sums of exponentials between points can be tested") from None
    return Fit(str(mechanism), len(next(iter(columns.values()))), found)


def in_one_expression(mechanism: AnyMechanism, dataset: object, parameters: Mapping[str, object]) -> Mechanism:
    """The mechanism with its law written out, for datasets of this size where a sample is taken; BadInput where that is not possible."""
    if isinstance(mechanism, Mechanism):
        return mechanism
    try:
        _, example = question(bare(mechanism), dataset, parameters)
        size = sum(int(c.args[0]) for c in example.before) if isinstance(mechanism.inputs, Domain) and samples(mechanism) else None
        return explicit(mechanism, size)
    except Unsupported as why:
        raise BadInput("fit", str(why), "test its parts one by one") from None


def comparisons(there: At, pilot: Columns, columns: Columns, rng: Any) -> list[Comparison]:
    """All comparisons of draws with the law."""
    listed = [o.name for o in there.outputs]
    found: list[Comparison] = []
    turned = {o.name for o in there.outputs if o.kind == "real"}
    for group in groups(there):
        try:
            found.append(chi_squared(*table(there, group, pilot, columns), what=" and ".join(o.name for o in group)))
        except (Undecided, Unsupported):
            turned |= {o.name for o in group}  # such outputs hang on each other without end; each is looked at given the earlier ones
    if any(c.p_value == 0 for c in found):
        return found  # the law of the others is perhaps not defined there
    first = columns[listed[0]]
    continuous = ~reduce(np.logical_or, (equal(first, plain(at)) for at, _ in there.atoms), np.zeros(len(first), dtype=bool))
    if turned and np.any(continuous):
        u = uniforms(there, {k: columns[k][continuous] for k in listed}, rng)
        found += [kolmogorov(u[k], f"{k} given {', '.join(listed[:i])}" if i and len(listed) < 4 else k) for i, k in enumerate(listed) if k in turned]
        found += [grid(u[a], u[b], f"{a} and {b} together") for a, b in itertools.pairwise(listed) if {a, b} & turned]
    return found


def groups(there: At) -> list[tuple[Output, ...]]:
    """The outputs that are counted in cells, by how they are looked at together; with atoms the one output that there is."""
    listed = tuple(o for o in there.outputs if o.kind != "real" or there.atoms)
    if len(listed) <= max(CUTS) and prod(len(o.values) if o.values else CUTS[len(listed)] + 1 for o in listed) <= MOST:
        return [listed] if listed else []
    pairs: list[tuple[Output, ...]] = list(itertools.pairwise(listed))
    return pairs or [(o,) for o in listed]


def table(there: At, group: tuple[Output, ...], pilot: Columns, columns: Columns) -> tuple[Array, Array]:
    """How often each cell was drawn, and how often it should be; last a cell for what the law does not know."""
    first = columns[group[0].name]
    cuts = {o.name: cut_points(pilot[o.name], CUTS[len(group)]) for o in group if o.kind == "integer"}
    shape = [len(o.values) or len(cuts.get(o.name, ())) + 1 for o in group]
    cells = [event(cell, group, cuts) for cell in itertools.product(*map(range, shape))]
    cells += [Event(atoms=(at,), continuous=False) for at, _ in there.atoms]
    if len(cells) > MOST:
        raise Unsupported(f"there are {len(cells)} cells")
    chances = np.array([float(middle(of_event(there, cell))) for cell in cells])
    parts = [position(columns[o.name], o) if o.values else _interval(columns[o.name], cuts.get(o.name)) for o in group]
    which = np.where(reduce(np.logical_or, (p < 0 for p in parts)), len(cells), np.ravel_multi_index([np.maximum(p, 0) for p in parts], shape))
    for i, (at, _) in enumerate(there.atoms):
        which[equal(first, plain(at))] = len(cells) - len(there.atoms) + i
    return np.bincount(which, minlength=len(cells) + 1), np.append(chances, 0.0) * len(first)


def _interval(column: Array, cuts: Array | None) -> Array:
    """The number of the interval in which each draw lies; 0 for texts."""
    if cuts is None:
        return np.zeros(len(column), dtype=int)
    return np.searchsorted(cuts, [c if not isinstance(c, str) else 0 for c in column.tolist()], side="right")


def cut_points(column: Array, most: int) -> Array:
    """Quantiles of whole draws in ascending order, each once."""
    whole = np.array([c for c in column.tolist() if not isinstance(c, str)], dtype=np.int64)
    if not len(whole):
        return whole
    spread = np.arange(np.quantile(whole, 0.01), np.quantile(whole, 0.99) + 1) if np.ptp(whole) <= most else np.quantile(whole, np.arange(1, most + 1) / (most + 1))
    return np.unique(np.rint(spread).astype(np.int64))


def event(cell: tuple[int, ...], group: tuple[Output, ...], cuts: Mapping[str, Array]) -> Event:
    """The event that the outputs are in a cell."""
    intervals, values = [], []
    for part, output in zip(cell, group, strict=True):
        if output.values:
            values.append((output.name, (output.values[part],)))
        elif output.name in cuts:
            ends = [None, *(number(int(c)) for c in cuts[output.name]), None]
            intervals.append((output.name, ends[part], ends[part + 1]))
    return Event(intervals=tuple(intervals), values=tuple(values))


def chi_squared(seen: Array, wanted: Array, what: str) -> Comparison:
    """Pearson's test, with rare cells put together; an impossible draw has the p-value 0."""
    if np.any((seen > 0) & (wanted <= 0)):
        return Comparison(what, float("inf"), 0, 0.0)
    pooled: list[list[float]] = [[0.0, 0.0]]
    for n, e in sorted(zip(seen.tolist(), wanted.tolist(), strict=True), key=lambda pair: pair[1]):
        if pooled[-1][1] >= LEAST:
            pooled.append([0.0, 0.0])
        pooled[-1] = [pooled[-1][0] + n, pooled[-1][1] + e]
    statistic, freedom = sum((n - e) ** 2 / e for n, e in pooled), len(pooled) - 1
    return Comparison(what, statistic, freedom, float(stats.chi2.sf(statistic, freedom)) if freedom else 1.0)


def kolmogorov(u: Array, what: str) -> Comparison:
    """The two-sided test of Kolmogorov and Smirnov that numbers are uniform, with the exact law of the statistic."""
    n, ordered = len(u), np.sort(u)
    if not np.all((ordered >= 0) & (ordered <= 1)):
        return Comparison(what, 1.0, None, 0.0)
    statistic = float(max(np.max(np.arange(1, n + 1) / n - ordered), np.max(ordered - np.arange(n) / n)))
    return Comparison(what, statistic, None, float(stats.kstwo.sf(statistic, n)))


def grid(u: Array, v: Array, what: str) -> Comparison:
    """Whether pairs of uniform numbers fill a square evenly."""
    cell = np.minimum((np.nan_to_num(u) * GRID).astype(int), GRID - 1) * GRID + np.minimum((np.nan_to_num(v) * GRID).astype(int), GRID - 1)
    seen = np.bincount(np.clip(cell, 0, GRID * GRID - 1), minlength=GRID * GRID)
    return chi_squared(seen, np.full(GRID * GRID, len(u) / GRID**2), what)
