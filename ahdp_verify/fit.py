"""Do draws follow the law that was verified?  A chi-squared test against the exact probabilities of cells.

The cells are outcomes of finite outputs, and boxes between cut points of the others; the cut points come from other draws than those that
are counted.  The probability of a cell is the one that the checker works out, so that a sampler is held against the law and not against
itself; a mechanism made of others, which runs part by part, is held against its law written out.  Three outputs and fewer are looked at
together, of more all neighbouring pairs; of several tables the least p-value counts, times their number.  Nothing here is part of a proof.
Needs numpy and scipy (the extra `sampling`).

>>> from ahdp_verify.domain import Domain, Multiset
>>> from ahdp_verify.expression import Abs, exp
>>> from ahdp_verify.mechanism import Mechanism, real
>>> W, s = Domain([(1, 1)]), real("s")
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="noisy size")
>>> found = goodness_of_fit(M, Multiset(W, [3]), rng=1)
>>> found.freedom, found.p_value > 0.001
(15, True)
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from math import prod

from ahdp_verify.composite import AnyMechanism
from ahdp_verify.domain import Domain
from ahdp_verify.draws import generator, plain
from ahdp_verify.errors import BadInput, Undecided, Unsupported
from ahdp_verify.event import Event
from ahdp_verify.explicit import explicit, samples
from ahdp_verify.expression import multiply, names, number
from ahdp_verify.hypothesis_test import of_event
from ahdp_verify.inputs import At, law, question
from ahdp_verify.integrate import grouped
from ahdp_verify.mechanism import Mechanism, Output
from ahdp_verify.numeric import Array, Columns, equal, np, numbers, rounded
from ahdp_verify.sampling import bare, sampled, whole_number

try:
    from scipy import stats
except ImportError:
    raise BadInput("fit", "scipy is not installed", "install it with: pip install 'ahdp-verify[sampling]'") from None

CUTS = {1: 15, 2: 4, 3: 2}  # most cut points of each output, by how many are looked at together
FEWEST = 100  # draws that are judged
GRAIN = 64  # cut points are multiples of a power of 2 about so much smaller than their spread
LEAST = 5  # expected draws in a cell; rarer cells are put together
MOST = 400  # cells of one table
NEAR = 1e-9  # relative distance at which a draw is a value of a finite output
PILOT = 400  # draws that choose the cut points
Group = tuple[Output, ...]


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


def goodness_of_fit(mechanism: AnyMechanism, dataset: object, size: int = 20_000, rng: object = None, parameters: Mapping[str, object] | None = None, *,
                    draws: Columns | Array | None = None) -> Fit:  # fmt: skip
    """Whether draws on one input follow the law there; a small p-value says that they do not.

    size    how many draws are made and counted, at least 100
    draws   draws from elsewhere that are judged instead, in the form in which `sample` gives them
    Raises BadInput as `sample` does, and for laws whose cells have no exact probability.
    """
    if whole_number(size) < FEWEST:
        raise BadInput("size", f"{size} draws show nothing", f"ask for at least {FEWEST}")
    source, there = generator(rng), law(written_out(mechanism, dataset, parameters or {}), dataset, parameters)
    pilot = sampled(mechanism, dataset, PILOT, source, parameters)
    columns = sampled(mechanism, dataset, size, source, parameters) if draws is None else judged(draws, there.outputs)
    try:
        tests = [chi_squared(*table(there, group, pilot, columns)) for group in groups(there.outputs)]
    except (Undecided, Unsupported) as why:
        raise BadInput("fit", f"the cells of this law have no exact probability ({why})", "laws that are sums of exponentials between finitely many points can be tested") from None
    statistic, freedom, p = min(tests, key=lambda test: test[2])
    return Fit(str(mechanism), len(next(iter(columns.values()))), statistic, freedom, min(1.0, p * len(tests)), len(tests))


def written_out(mechanism: AnyMechanism, dataset: object, parameters: Mapping[str, object]) -> Mechanism:
    """The mechanism with its law as one expression, for datasets of this size where a sample is taken; BadInput where that is not possible."""
    if isinstance(mechanism, Mechanism):
        return mechanism
    try:
        _, example = question(bare(mechanism), dataset, parameters)
        size = sum(int(c.args[0]) for c in example.before) if isinstance(mechanism.inputs, Domain) and samples(mechanism) else None
        return explicit(mechanism, size)
    except Unsupported as why:
        raise BadInput("fit", str(why), "test its parts one by one") from None


def judged(draws: Columns | Array, outputs: Group) -> Columns:
    """The columns of draws from elsewhere; BadInput unless there is one of the same length for each output, and enough in each."""
    listed = {k: np.asarray(v) for k, v in (draws if isinstance(draws, Mapping) else {outputs[0].name: draws}).items()}
    wanted = [o.name for o in outputs]
    if set(listed) != set(wanted) or len({v.shape for v in listed.values()}) != 1 or any(v.ndim != 1 for v in listed.values()):
        raise BadInput("draws", f"they are not one column for each of {', '.join(wanted)}", "give them as sample does")
    if len(listed[wanted[0]]) < FEWEST:
        raise BadInput("draws", f"{len(listed[wanted[0]])} draws show nothing", f"give at least {FEWEST}")
    return listed


def groups(outputs: Group) -> list[Group]:
    """The outputs that are looked at together: all of them if that makes few cells, else neighbouring pairs, else each by itself."""
    for k in (len(outputs), 2, 1):
        found = [outputs[i : i + k] for i in range(len(outputs) - k + 1)] if k in CUTS else []
        if found and all(prod(len(o.values) or CUTS[k] + 1 for o in group) <= MOST for group in found):
            return found
    raise Unsupported(f"an output has more than {MOST} values")


def table(there: At, group: Group, pilot: Columns, columns: Columns) -> tuple[Array, Array]:
    """How often each cell was drawn, and how often it should be; the last cell is for what is no output at all."""
    near = linked(there, group)
    cuts = {o.name: cut_points(near, o, pilot[o.name], CUTS[len(group)]) for o in group if o.kind != "finite"}
    parts = [range(len(o.values) or len(cuts[o.name]) + 1) for o in group]
    cells = [event(cell, group, cuts) for cell in itertools.product(*parts)] + [Event(atoms=(at,), continuous=False) for at, _ in there.atoms]
    chances = np.array([*(rounded(of_event(near, cell)) for cell in cells), 0.0]) / rounded(of_event(near, Event(atoms=tuple(at for at, _ in there.atoms))))
    places = [position(columns[o.name], o, cuts.get(o.name)) for o in group]
    which = np.where(reduce(np.logical_or, (p < 0 for p in places)), len(cells), np.ravel_multi_index([np.maximum(p, 0) for p in places], [len(p) for p in parts]))
    for i, (at, _) in enumerate(reversed(there.atoms), 1):
        which[equal(columns[group[0].name], plain(at))] = len(cells) - i
    return np.bincount(which, minlength=len(chances)), chances * len(which)


def linked(there: At, group: Group) -> At:
    """The law, perhaps times a number, of some outputs and of those that hang together with them; the others are independent of these."""
    listed = [o.name for o in there.outputs]
    _, factors = grouped(there.density, tuple(listed))
    spoken, found = [names(f) | {k} for f, k in zip(factors, listed, strict=True)], {o.name for o in group}
    for _ in listed:
        found |= {k for some in spoken if some & found for k in some}
    return replace(there, outputs=tuple(o for o in there.outputs if o.name in found), density=multiply(*(f for f, k in zip(factors, listed, strict=True) if k in found))) if len(
        found) < len(listed) else there  # fmt: skip


def cut_points(there: At, output: Output, column: Array, most: int) -> Array:
    """About the quantiles of draws, as multiples of a power of 2 in ascending order; those below which the law has an exact probability."""
    values = numbers(column)
    values = values[np.isfinite(values)]
    if not len(values):
        return values
    wanted = np.quantile(values, np.arange(1, most + 1) / (most + 1))
    spread = wanted[-1] - wanted[0]
    step = 2.0 ** np.floor(np.log2(spread / GRAIN)) if output.kind == "real" and spread > 0 else 1.0
    listed = np.unique(np.rint(wanted / step) * step)
    found = [c for c in listed if is_known(there, Event(intervals=((output.name, None, number(Fraction(c))),)))]
    if not found:
        raise Unsupported(f"intervals of {output.name} have none")
    return np.array(found)


def is_known(there: At, event: Event) -> bool:
    """Whether an event has an exact probability."""
    try:
        of_event(there, event)
    except (Undecided, Unsupported):
        return False
    return True


def event(cell: tuple[int, ...], group: Group, cuts: Columns) -> Event:
    """The event that the outputs are in a cell."""
    intervals, values = [], []
    for part, output in zip(cell, group, strict=True):
        if output.values:
            values.append((output.name, (output.values[part],)))
        else:
            ends = [None, *(number(Fraction(c)) for c in cuts[output.name]), None]
            intervals.append((output.name, ends[part], ends[part + 1]))
    return Event(intervals=tuple(intervals), values=tuple(values))


def position(column: Array, output: Output, cuts: Array | None) -> Array:
    """The number of the value, or of the interval, that each draw is in; -1 for what is no value of the output."""
    places = numbers(column)
    if cuts is not None:
        inside = np.isfinite(places) & ((places == np.rint(places)) | (output.kind == "real"))
        return np.where(inside, np.searchsorted(cuts, places, side="right"), -1)
    found = np.full(len(column), -1)
    for i, v in enumerate(map(plain, output.values)):
        found[equal(column, v) if isinstance(v, str) else np.isclose(places, v, rtol=NEAR, atol=NEAR)] = i
    return found


def chi_squared(seen: Array, wanted: Array) -> tuple[float, int, float]:
    """Pearson's statistic, its degrees of freedom and its p-value, with rare cells put together; an impossible draw has the p-value 0."""
    if np.any((np.asarray(seen) > 0) & (np.asarray(wanted) <= 0)):
        return float("inf"), 0, 0.0
    pooled: list[list[float]] = [[0.0, 0.0]]
    for n, e in sorted(zip(seen, wanted, strict=True), key=lambda pair: pair[1]):
        if pooled[-1][1] >= LEAST:
            pooled.append([0.0, 0.0])
        pooled[-1] = [pooled[-1][0] + n, pooled[-1][1] + e]
    statistic, freedom = float(sum((n - e) ** 2 / e for n, e in pooled)), len(pooled) - 1
    return statistic, freedom, float(stats.chi2.sf(statistic, freedom)) if freedom else 1.0
