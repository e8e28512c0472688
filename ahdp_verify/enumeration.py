"""A claim on all datasets of at most n records: all moves between them, all outputs, decided exactly; a trusted module.

A dataset matters only through the values of the law's record aggregates, so datasets with the same values are one row and each pair of
rows that a move joins is compared once.  `sizes` goes through the datasets by size: when it says m, the claim is shown for all moves between
datasets of at most m records, and the first violation that it raises is a smallest one.  For a `Values` input there is one step, over all
pairs of values.  The rows are compared by `ahdp_verify.lawtable` (finite outputs) or `ahdp_verify.lines` (one other output, and atoms).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cmp_to_key
from typing import Protocol

from ahdp_verify.algebra import Ratio, constant, exp_of
from ahdp_verify.context import Context, normal, to_expression
from ahdp_verify.domain import Domain, Values
from ahdp_verify.errors import Rejected, Unsupported
from ahdp_verify.event import everything
from ahdp_verify.expression import TRUE, ZERO, Expression, name, number, oo, substitute
from ahdp_verify.grid import (
    LIMIT,
    MISSING,
    Array,
    Column,
    Constants,
    Grid,
    Linear,
    chosen,
    columns_of,
    condition_of,
    decided,
    encoded,
    minus,
    np,
    of_array,
    of_constant,
    plus,
    signs,
    times,
    value_of,
)
from ahdp_verify.lawtable import Rows, Table, Tick, taken
from ahdp_verify.lines import Line, below, line
from ahdp_verify.lines import decided as of_sign
from ahdp_verify.mechanism import Mechanism
from ahdp_verify.privacy import JOINT, Claim, combinations, dataset_nodes, frame_of
from ahdp_verify.reading import bindings
from ahdp_verify.relation import kept_parts, place, value_at

MOST = 20_000_000  # datasets times moves: what a few gigabytes hold
EMPTY = Context.empty()
Side = tuple[Expression, ...]


class Violated(Rejected):
    """The claim fails: some output is too likely under `before` compared with `after`, two inputs as counterexamples write them."""

    def __init__(self, before: Side, after: Side) -> None:
        self.before, self.after = before, after
        super().__init__("two inputs violate the claim")


class Comparer(Protocol):
    """What compares rows: `grow` before rows are used, then `violation` for pairs of them."""

    def grow(self, number: int) -> None: ...

    def violation(self, first: Array, second: Array, level: Ratio, both: bool) -> tuple[int, bool] | None: ...


def silent(message: str) -> None:
    """No report, and no limit."""
    del message


def sizes(claim: Claim, most: int, massive: bool, tick: Tick = silent) -> Iterator[int]:
    """Each size up to which the claim is shown, in order, the last one being `most`.

    `massive`: that the law is >= 0 and has total 1 is shown elsewhere; otherwise it is shown here for every row.  `tick` is told what is
    being done, and may raise.  Raises Violated at the first violation, Unsupported or Rejected for what is not decided here.
    """
    check_claim(claim, most)
    if isinstance(claim.mechanism.inputs, Values):
        yield from _of_values(claim, most, massive, tick)
    else:
        yield from _of_datasets(claim, most, massive, tick)


def check_claim(claim: Claim, most: int) -> None:
    """Nothing for a claim that is enumerated here; Unsupported says what is in the way."""
    m = claim.mechanism
    if np is None:
        raise Unsupported(MISSING)
    if not isinstance(most, int) or isinstance(most, bool) or most < 1:
        raise Unsupported("a size is a whole number from 1")
    if m.parameters:
        raise Unsupported(f"the parameter {m.parameters[0][0]} has no value; enumeration needs numbers")
    if not isinstance(m.inputs, Domain | Values) or (isinstance(m.inputs, Domain) and m.inputs.is_universal):
        raise Unsupported("there are infinitely many inputs of every size; list the records or values")
    if any(o.kind != "finite" for o in m.outputs) and (len(m.outputs) > 1 or claim.delta != ZERO):
        raise Unsupported("several outputs, or a delta, are enumerated for finite outputs only")
    if combinations(m) > JOINT:
        raise Unsupported(f"there are more than {JOINT} combinations of outputs")


def comparer(claim: Claim, rows: Rows, massive: bool, tick: Tick) -> Comparer:
    """What compares the rows of a claim."""
    m = claim.mechanism
    if any(o.kind != "finite" for o in m.outputs):
        return Lines(m, rows, massive, tick)
    listed = list(itertools.product(*(range(len(o.values)) for o in m.outputs)))
    outcomes = {name(o.name): Column(np.array([[c[i] for c in listed]]), o.values) for i, o in enumerate(m.outputs)}
    table = Table(m.density, rows, outcomes, tick)
    return table if massive else Massive(table, m, rows)


def concrete(mechanism: Mechanism, rows: Rows, i: int) -> dict[Expression, Expression]:
    """The nodes of the law at one row, as constants."""
    which = np.array([i])
    return {e: value_of(node, [int(c.flat[0]) for c in columns_of(node)]) for e, node in rows.take(which).items()}


def check_total(mechanism: Mechanism, nodes: dict[Expression, Expression], points: tuple[Ratio, ...]) -> None:
    """Nothing if the law at one row is nowhere negative and has total 1; Rejected otherwise."""
    listed = tuple((o.name, tuple(map(to_expression, points))) for o in mechanism.outputs if o.kind != "finite")
    atoms = tuple((e, place(mass, nodes)) for e, mass in mechanism.atoms)
    total = everything(place(mechanism.density, nodes), atoms, mechanism.outputs, listed)
    if not (total - constant(1)).is_zero:
        raise Rejected(f"the total mass is {total.key[:80]}, not 1")


class Massive:
    """A table whose rows are shown to be laws of total 1."""

    def __init__(self, table: Table, mechanism: Mechanism, rows: Rows) -> None:
        self.table, self.mechanism, self.rows, self.done = table, mechanism, rows, 0

    def grow(self, number: int) -> None:
        """The first rows are laws."""
        self.table.grow(number)
        for i in range(self.done, number):
            self.table.tick("adding up laws")
            check_total(self.mechanism, concrete(self.mechanism, self.rows, i), ())
        self.done = max(self.done, number)

    def violation(self, first: Array, second: Array, level: Ratio, both: bool) -> tuple[int, bool] | None:
        """The table's answer."""
        return self.table.violation(first, second, level, both)


class Lines:
    """Rows as laws of one output that is not finite, with their atoms."""

    def __init__(self, mechanism: Mechanism, rows: Rows, massive: bool, tick: Tick) -> None:
        self.mechanism, self.rows, self.massive, self.tick = mechanism, rows, massive, tick
        self.lines: list[tuple[Line, tuple[Ratio, ...]]] = []

    def grow(self, number: int) -> None:
        """The first rows are worked out."""
        m = self.mechanism
        for i in range(len(self.lines), number):
            self.tick("working out laws")
            nodes = concrete(m, self.rows, i)
            found = line(place(m.density, nodes), m.outputs[0])
            atoms = tuple(decided(place(mass, nodes)) for _, mass in m.atoms)
            if not self.massive:
                check_total(m, nodes, found.points)
            self.lines.append((found, atoms))

    def violation(self, first: Array, second: Array, level: Ratio, both: bool) -> tuple[int, bool] | None:
        """The first pair whose laws violate the level."""
        for i, (a, b) in enumerate(zip(first, second, strict=True)):
            self.tick("comparing")
            for p, q, turned in ((a, b, False), (b, a, True)) if both else ((a, b, False),):
                if not self.compared(int(p), int(q), level):
                    return i, turned
        return None

    def compared(self, p: int, q: int, level: Ratio) -> bool:
        """Whether the law of row p is at most exp(level) times that of row q."""
        (one, atoms), (other, others) = self.lines[p], self.lines[q]
        return below(one, other, level) and all(atom_below(a, b, level) for a, b in zip(atoms, others, strict=True))


def atom_below(p: Ratio, q: Ratio, level: Ratio) -> bool:
    """Whether p <= exp(level) q for the probabilities of one atom; Rejected for a negative one."""
    if min(of_sign(p), of_sign(q)) < 0:
        raise Rejected("the law is negative somewhere")
    return of_sign(exp_of(level) * q - p) >= 0


# the local model


def _of_values(claim: Claim, most: int, massive: bool, tick: Tick) -> Iterator[int]:
    inputs = claim.mechanism.inputs
    if not isinstance(inputs, Values):
        raise Unsupported("the input is no value")
    listed = [v if isinstance(v, tuple) else (v,) for v in inputs.values]
    names = [name(key) for key in inputs.bindings(inputs.values[0])]
    tables = [tuple(dict.fromkeys(v[j] for v in listed)) for j in range(len(names))]
    codes = [np.array([[tables[j].index(v[j])] for v in listed]) for j in range(len(names))]
    rows = Rows({n: Column(codes[j], tables[j]) for j, n in enumerate(names)}, len(listed))
    if claim.mechanism.defined != TRUE:
        raise Unsupported("a condition on single values")
    them = comparer(claim, rows, massive, tick)
    them.grow(rows.number)
    for level, first, second in by_level(claim, inputs):
        found = them.violation(first, second, level, False)
        if found is not None:
            raise Violated(listed[first[found[0]]], listed[second[found[0]]])
    yield most


def by_level(claim: Claim, inputs: Values) -> Iterator[tuple[Ratio, Array, Array]]:
    """The ordered pairs of values, those of one level together; pairs of level oo are left out."""
    pairs: dict[str, tuple[Ratio, list[int], list[int]]] = {}
    for i, j in itertools.permutations(range(len(inputs.values)), 2):
        level = substitute(claim.level, {**bindings(inputs.values[i], "v"), **bindings(inputs.values[j], "other")})
        if level != oo:
            value = decided(level)
            _, first, second = pairs.setdefault(value.key, (value, [], []))
            first.append(i)
            second.append(j)
    for value, first, second in pairs.values():
        yield value, np.array(first), np.array(second)


# datasets


def _of_datasets(claim: Claim, most: int, massive: bool, tick: Tick) -> Iterator[int]:
    space = Space.of(claim, most)
    them = comparer(claim, space.rows, massive, tick)
    listed = changes(claim)
    them.grow(space.rows_up_to(0))
    for m in range(1, most + 1):
        them.grow(space.rows_up_to(m))
        for change in listed:
            first, second, example = space.pairs(change, m)
            found = them.violation(first, second, change.level, change.both) if len(first) else None
            if found is not None:
                sides = space.sides(change, int(example[found[0]]))
                raise Violated(*(sides[::-1] if found[1] else sides))
        yield m


@dataclass(frozen=True, slots=True)
class Change:
    """A kind of move: record `old` (None: nobody) becomes record `new`; `both` directions are claimed, or that from old to new alone."""

    old: int | None
    new: int
    level: Ratio
    both: bool


def changes(claim: Claim) -> list[Change]:
    """The moves of a claim on listed records; those of level oo are left out, and of those that look the same to the law one is kept."""
    f, here = frame_of(claim.mechanism, False), EMPTY
    of_record = claim.relation in ("ahdp", "hdp")
    result: dict[object, Change] = {}
    for i, record in enumerate(f.domain.records):
        bound = value_at(claim.level, record, here) if of_record else claim.level
        if bound == oo:
            continue
        level = normal(bound, here)
        if claim.relation in ("ahdp", "add-remove"):
            result.setdefault((f.rows[i], level.key), Change(None, i, level, True))
            continue
        for j, other in enumerate(f.domain.records):
            if i != j and (claim.relation == "swap" or kept_parts(record, other, claim.public, here) is not None):
                result.setdefault((f.rows[i], f.rows[j], level.key), Change(i, j, level, False))
    return list(result.values())


@dataclass(frozen=True, slots=True)
class Space:
    """All datasets of at most `most` records, ordered by size: their counts, the first number of each size, and the row of each (-1: none).

    Within one size a dataset's number is the rank of its partial sums c_1, ..., c_(k-1): the sum of binomial(c_i + i - 1, i), which counts
    each of them once (stars and bars, in the combinatorial number system).
    """

    counts: Array
    starts: tuple[int, ...]
    row: Array
    rows: Rows
    newest: tuple[int, ...]  # for each size, how many rows occur among datasets of at most this size
    ranks: Array

    @staticmethod
    def of(claim: Claim, most: int) -> Space:
        """The space of a claim; Unsupported where it has too many datasets."""
        m = claim.mechanism
        f = frame_of(m, False)
        k = len(f.domain.records)
        number_ = math.comb(most + k, k)
        per = max(1, k if claim.relation in ("ahdp", "add-remove") else k * (k - 1))
        if number_ * per > MOST or number_ * k > MOST:
            raise Unsupported(f"{number_} datasets of at most {most} records are too many")
        ranks = binomials(most + k + 1, k)
        counts, starts = datasets(k, most, ranks)
        nodes = {e: node_values(e, [row[j] for row in f.rows], counts) for j, e in enumerate(dataset_nodes(m))}
        defined = np.broadcast_to(condition_of(m.defined, Grid(nodes, Constants())), (len(counts), 1))[:, 0]
        if defined[0] and any(e.head != "sum" for e in nodes):
            raise Rejected("the largest or smallest of no records is undefined")
        row, first = numbered(nodes, defined)
        rows = Rows({e: taken(node, first) for e, node in nodes.items()}, len(first))
        newest = tuple(int(np.searchsorted(first, end)) for end in starts[1:])
        return Space(counts, starts, row, rows, newest, ranks)

    def rows_up_to(self, size: int) -> int:
        """How many rows occur among datasets of at most this size."""
        return self.newest[size]

    def pairs(self, change: Change, size: int) -> tuple[Array, Array, Array]:
        """The rows before and after a move whose larger dataset has this size, each pair once, and the dataset of the rest as an example."""
        rest = np.arange(self.starts[size - 1], self.starts[size])
        before = self.row[rest] if change.old is None else self.row[self.moved(rest, change.old, size)]
        after = self.row[self.moved(rest, change.new, size)]
        inside = (before >= 0) & (after >= 0)
        before, after, rest = before[inside], after[inside], rest[inside]
        if self.rows.number == len(self.counts):
            return before, after, rest  # every dataset has a row of its own
        _, which = np.unique(before * np.int64(self.rows.number) + after, return_index=True)
        which.sort()
        return before[which], after[which], rest[which]

    def moved(self, rest: Array, w: int, size: int) -> Array:
        """The numbers of these datasets with one record more."""
        return self.starts[size] + rank(self.counts[rest], self.ranks, w)

    def sides(self, change: Change, rest: int) -> tuple[Side, Side]:
        """The two datasets of a move, as counterexamples write them."""
        sides = []
        for w in (change.old, change.new):
            counts = [int(c) for c in self.counts[rest]]
            if w is not None:
                counts[w] += 1
            sides.append(tuple(map(number, counts)))
        return sides[0], sides[1]


def binomials(top: int, k: int) -> Array:
    """The table of binomial(a, b) for a up to top and b up to k; what cannot occur as a rank may be capped."""
    return np.array([[min(math.comb(a, b), LIMIT - 1) for b in range(k + 1)] for a in range(top + 1)], dtype=np.int64)


def rank(counts: Array, ranks: Array, w: int | None = None) -> Array:
    """The rank of every dataset among those of its size; with w, of the dataset with one record w more."""
    total, result = np.zeros(len(counts), dtype=np.int64), np.zeros(len(counts), dtype=np.int64)
    for i in range(counts.shape[1] - 1):
        total = total + counts[:, i] + (1 if i == w else 0)
        result += ranks[total + i, i + 1]
    return result


def datasets(k: int, most: int, ranks: Array) -> tuple[Array, tuple[int, ...]]:
    """The counts of all datasets of at most `most` of k records, by size and rank, and the number of the first of each size (and the end)."""
    layer = np.zeros((1, k), dtype=np.int64)
    layers, starts = [layer], [0, 1]
    for _ in range(most):
        bigger = []
        for w in range(k):
            rest = layer[(layer[:, :w] == 0).all(axis=1)].copy()
            rest[:, w] += 1
            bigger.append(rest)
        layer = np.concatenate(bigger)
        place_ = rank(layer, ranks)
        ordered = np.empty_like(layer)
        ordered[place_] = layer
        if not (rank(ordered, ranks) == np.arange(len(layer))).all():
            raise Unsupported("the datasets could not be put in order")
        layer = ordered
        layers.append(layer)
        starts.append(starts[-1] + len(layer))
    return np.concatenate(layers), tuple(starts)


def node_values(node: Expression, contributions: list[Expression], counts: Array) -> Linear:
    """A record aggregate at every dataset; at the empty one an extreme has the value 0, which is not to be used."""
    values = [of_constant(decided(c)) for c in contributions]
    if node.head == "sum":
        total = Linear({}, 1)
        for w, value in enumerate(values):
            total = plus(total, times(of_array(counts[:, w : w + 1]), value))
        return total
    order = sorted(range(len(values)), key=cmp_to_key(lambda i, j: int(signs(minus(values[i], values[j])).flat[0])))
    if node.head == "minimum":
        order.reverse()
    result = Linear({}, 1)
    for w in order:
        result = chosen(counts[:, w : w + 1] > 0, values[w], result)
    return result


def numbered(nodes: Mapping[Expression, Linear], defined: Array) -> tuple[Array, Array]:
    """The row of every dataset, rows numbered in the order in which they first occur (-1 where undefined), and the first dataset of each row."""
    inside = np.flatnonzero(defined)
    columns = [np.broadcast_to(c, (len(defined), 1))[inside, 0] for node in nodes.values() for c in columns_of(node)]
    key = encoded(columns or [np.zeros(len(inside), dtype=np.int64)])[0] if len(inside) else np.zeros(0, dtype=np.int64)
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place_ = np.empty_like(order)
    place_[order] = np.arange(len(order))
    row = np.full(len(defined), -1, dtype=np.int64)
    row[inside] = place_[inverse]
    return row, inside[first[order]]
