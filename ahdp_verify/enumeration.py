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
    Part,
    columns_of,
    condition_of,
    decided,
    guard,
    np,
    of_constant,
    value_of,
)
from ahdp_verify.lawtable import Rows, Table, Tick
from ahdp_verify.lines import Line, below, line
from ahdp_verify.lines import decided as of_sign
from ahdp_verify.mechanism import Mechanism
from ahdp_verify.privacy import JOINT, Claim, combinations, dataset_nodes, frame_of
from ahdp_verify.reading import bindings
from ahdp_verify.relation import kept_parts, place, value_at

MOST = 20_000_000  # rows times records: what a gigabyte holds
EMPTY = Context.empty()
Side = tuple[Expression, ...]


class Violated(Rejected):
    """The claim fails: some output is too likely under `before` compared with `after`, two inputs as counterexamples write them."""

    def __init__(self, before: Side, after: Side) -> None:
        self.before, self.after = before, after
        super().__init__("two inputs violate the claim")


class Comparer(Protocol):
    """What compares rows: `grow` before rows are used, then `violation` for pairs of them, best for at least `step` new rows at a time."""

    step: int

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
    table = Table(m.density, rows, outcomes, tick, normal(claim.delta, EMPTY))
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
        self.table, self.mechanism, self.rows, self.done, self.step = table, mechanism, rows, 0, table.step

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
        self.step = 1

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
            if max(a, b) >= len(self.lines):
                raise Rejected("laws are compared before they are worked out")
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
    space = Space.of(claim, most, tick)
    them = comparer(claim, space.rows, massive, tick)
    listed, low = changes(claim, space), 1
    for high in space.blocks(them.step):
        them.grow(int(space.defined[space.starts[high + 1]]))
        violations = []
        for change in listed:
            first, second, rest = space.pairs(change, low, high)
            found = them.violation(first, second, change.level, change.both) if len(first) else None
            if found is not None:
                violations.append((int(rest[found[0]]), change, found[1]))
        if violations:
            place_, change, turned = min(violations, key=lambda v: v[0])
            sides = space.sides(change, place_)
            raise Violated(*(sides[::-1] if turned else sides))
        yield high
        low = high + 1


@dataclass(frozen=True, slots=True)
class Change:
    """A kind of move: record `old` (None: nobody) becomes record `new`; `both` directions are claimed, or that from old to new alone."""

    old: int | None
    new: int
    level: Ratio
    both: bool


def changes(claim: Claim, space: Space) -> list[Change]:
    """The moves of a claim on listed records; those of level oo are left out, and of those that look the same to the law one is kept."""
    f = frame_of(claim.mechanism, False)
    of_record = claim.relation in ("ahdp", "hdp")
    result: dict[object, Change] = {}
    for i, record in enumerate(f.domain.records):
        bound = value_at(claim.level, record, EMPTY) if of_record else claim.level
        if bound == oo:
            continue
        level, mine = normal(bound, EMPTY), space.kind[i]
        if claim.relation in ("ahdp", "add-remove"):
            result.setdefault((mine, level.key), Change(None, i, level, True))
            continue
        for j, other in enumerate(f.domain.records):
            if i != j and (claim.relation == "swap" or kept_parts(record, other, claim.public, EMPTY) is not None):
                result.setdefault((mine, space.kind[j], level.key), Change(i, j, level, False))
    return list(result.values())


@dataclass(frozen=True, slots=True)
class Aggregates:
    """How the record aggregates of a dataset are kept, in whole numbers: one column for each base of a sum, and one for each extreme.

    A record adds its steps to the columns of sums; the column of an extreme holds the place of the extreme in the order of the
    contributions, 0 for no records, of which the larger is kept.
    """

    steps: Array  # one row of columns for each record
    extreme: Array  # which columns are those of extremes
    nodes: tuple[tuple[Expression, Linear | tuple[Expression, ...], int], ...]  # node, bases and den (or the values in order), first column

    @staticmethod
    def of(claim: Claim) -> Aggregates:
        """The aggregates of a claim's law."""
        columns: list[Array] = []
        extreme: list[bool] = []
        nodes = []
        f = frame_of(claim.mechanism, False)
        for j, e in enumerate(dataset_nodes(claim.mechanism)):
            bodies = [row[j] for row in f.rows]
            if e.head == "sum":
                total = stacked([of_constant(decided(b)) for b in bodies])
                nodes.append((e, total, len(columns)))
                columns += [p.column[:, 0] for p in total.parts.values()]
                extreme += [False] * len(total.parts)
            else:
                order = ordered(bodies, e.head == "minimum")
                nodes.append((e, tuple(order), len(columns)))
                columns.append(np.array([order.index(b) + 1 for b in bodies], dtype=np.int64))
                extreme.append(True)
        steps = np.stack(columns, axis=1) if columns else np.zeros((len(f.rows), 0), dtype=np.int64)
        return Aggregates(steps, np.array(extreme, dtype=bool), tuple(nodes))

    def joined(self, states: Array, w: int) -> Array:
        """The columns of datasets with one record more."""
        return np.where(self.extreme, np.maximum(states, self.steps[w]), states + self.steps[w])

    def read(self, states: Array) -> dict[Expression, Column | Linear]:
        """The nodes at datasets with these columns."""
        result: dict[Expression, Column | Linear] = {}
        for e, how, first in self.nodes:
            if isinstance(how, Linear):
                parts = {key: Part(p.base, states[:, first + i : first + i + 1], bound(states[:, first + i])) for i, (key, p) in enumerate(how.parts.items())}
                result[e] = Linear(parts, how.den)
            else:
                result[e] = Column(states[:, first : first + 1], (ZERO, *how))
        return result


def bound(column: Array) -> int:
    """A bound on the size of the entries of a column."""
    return max(abs(int(column.max(initial=0))), abs(int(column.min(initial=0))))


def stacked(values: list[Linear]) -> Linear:
    """Constants as one value with an entry for each of them."""
    den = guard(math.lcm(*(v.den for v in values)))
    parts: dict[str, Part] = {key: p for v in values for key, p in v.parts.items()}
    table = {}
    for key, p in parts.items():
        entries = [(int(v.parts[key].column[0, 0]) if key in v.parts else 0) * (den // v.den) for v in values]
        table[key] = Part(p.base, np.array([[guard_size(entry)] for entry in entries], dtype=np.int64), max(map(abs, entries)))
    return Linear(table, den)


def guard_size(entry: int) -> int:
    """The entry itself, if it is small enough for an array."""
    guard(abs(entry))
    return entry


def ordered(bodies: list[Expression], descending: bool) -> list[Expression]:
    """The distinct contributions to an extreme, the one that prevails last."""
    listed = sorted(dict.fromkeys(bodies), key=cmp_to_key(lambda a, b: of_sign(decided(a) - decided(b))))
    return listed[::-1] if descending else listed


@dataclass(frozen=True, slots=True)
class Space:
    """All datasets of at most `most` records as rows: those that have the same aggregates are one row, found at the first size that has it.

    What a record makes of the aggregates depends on them alone.  So rows of size m + 1 come from rows that are new at size m, and a move
    from any dataset looks like the same move from the first dataset of its row.
    """

    starts: tuple[int, ...]  # the number of the first row that is new at each size, and their number
    after: Array  # after[w, r]: the row of r and one record w more, for rows r of size below `most`
    parent: Array  # for each row, a row with one record less, and which record
    kind: tuple[int, ...]  # for each record, the first record with its contributions
    defined: Array  # defined[r]: how many rows before r are defined; the law is worked out at those only
    inside: Array
    rows: Rows

    @staticmethod
    def of(claim: Claim, most: int, tick: Tick) -> Space:
        """The space of a claim; Unsupported where it has too many rows."""
        how = Aggregates.of(claim)
        _, first, inverse = np.unique(how.steps, axis=0, return_index=True, return_inverse=True) if how.steps.shape[1] else (0, np.zeros(1, int), np.zeros(1, int))
        kind = tuple(int(first[i]) for i in np.broadcast_to(inverse.reshape(-1), (len(how.steps),)))
        if bound(how.steps.reshape(-1)) * (most + 1) >= LIMIT:
            raise Unsupported("record sums of more than 62 bits")
        walk_ = Walk(how, sorted(set(kind)), most)
        for size in range(most):
            tick(f"listing datasets of {size + 1} records")
            walk_.step(size)
        states = walk_.states
        nodes = how.read(states)
        inside = np.broadcast_to(condition_of(claim.mechanism.defined, Grid(nodes, Constants())), (len(states), 1))[:, 0]
        if inside[0] and how.extreme.any():
            raise Rejected("the largest or smallest of no records is undefined")
        kept = np.flatnonzero(inside)
        rows = Rows(Rows(nodes, len(states)).take(kept), len(kept))
        before = np.concatenate([[0], np.cumsum(inside)])
        return Space(tuple(walk_.starts), np.concatenate(walk_.after, axis=1), walk_.parent, kind, before, inside, rows)

    def blocks(self, step: int) -> Iterator[int]:
        """Sizes, the last one included, with at least `step` new rows between two of them."""
        seen = 0
        for size in range(1, len(self.starts) - 1):
            if self.starts[size] - seen >= step or size == len(self.starts) - 2:
                seen = self.starts[size]
                yield size

    def pairs(self, change: Change, low: int, high: int) -> tuple[Array, Array, Array]:
        """The defined rows before and after a move whose larger dataset has between `low` and `high` records, and the row of the rest."""
        rest = np.arange(self.starts[low - 1], self.starts[high])
        before = rest if change.old is None else self.after[self.place(change.old), rest]
        after = self.after[self.place(change.new), rest]
        both = self.inside[before] & self.inside[after]
        return self.defined[before[both]], self.defined[after[both]], rest[both]

    def place(self, w: int) -> int:
        """Which line of `after` is that of a record."""
        return sorted(set(self.kind)).index(self.kind[w])

    def sides(self, change: Change, rest: int) -> tuple[Side, Side]:
        """The two datasets of a move, as counterexamples write them."""
        counts = [0] * len(self.kind)
        while rest:
            counts[int(self.parent[rest, 1])] += 1
            rest = int(self.parent[rest, 0])
        sides = [tuple(number(c + (i == w)) for i, c in enumerate(counts)) for w in (change.old, change.new)]
        return sides[0], sides[1]


class Walk:
    """The rows of a space, size by size."""

    def __init__(self, how: Aggregates, records: list[int], most: int) -> None:
        self.how, self.records = how, records
        self.states = np.zeros((1, how.steps.shape[1]), dtype=np.int64)
        self.starts, self.after = [0, 1], []  # type: list[int], list[Array]
        self.parent = np.zeros((1, 2), dtype=np.int64)
        self.low = np.where(how.extreme, 0, np.minimum(how.steps.min(axis=0), 0) * most)
        self.spans = [int(s) + 1 for s in np.where(how.extreme, how.steps.max(axis=0), np.maximum(how.steps.max(axis=0), 0) * most) - self.low]
        if math.prod(self.spans) >= LIMIT:
            raise Unsupported("the record aggregates take too many values to be numbered in 62 bits")
        self.seen = [(self.keys(self.states), np.zeros(1, dtype=np.int64))]

    def keys(self, states: Array) -> Array:
        """One whole number for each state, equal only for equal states: its columns as digits."""
        result = np.zeros(len(states), dtype=np.int64)
        for j, span in enumerate(self.spans):
            result = result * np.int64(span) + (states[:, j] - self.low[j])
        return result

    def step(self, size: int) -> None:
        """The rows of datasets with one record more than `size`."""
        start, end = self.starts[size], self.starts[size + 1]
        if end * len(self.records) > MOST:
            raise Unsupported(f"more than {MOST // len(self.records)} different datasets of at most {size} records; give a smaller size")
        candidates = np.concatenate([self.how.joined(self.states[start:end], w) for w in self.records])
        key, first, inverse = np.unique(self.keys(candidates), return_index=True, return_inverse=True)
        known = self.known(key)
        fresh = np.flatnonzero(known < 0)
        known[fresh] = end + np.arange(len(fresh))
        self.after.append(known[inverse].reshape(len(self.records), end - start))
        parents, which = first[fresh] % max(end - start, 1) + start, first[fresh] // max(end - start, 1)
        self.parent = np.concatenate([self.parent, np.stack([parents, np.array(self.records)[which]], axis=1)])
        self.states = np.concatenate([self.states, candidates[first[fresh]]])
        self.starts.append(end + len(fresh))
        self.add(key[fresh], known[fresh])

    def known(self, key: Array) -> Array:
        """The row of each key, -1 for new ones."""
        result = np.full(len(key), -1, dtype=np.int64)
        for keys, rows in self.seen:
            if len(key) and keys[0] <= key[-1] and key[0] <= keys[-1]:
                place = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
                result = np.where(keys[place] == key, rows[place], result)
        return result

    def add(self, key: Array, rows: Array) -> None:
        """These keys are known; tables of like lengths are merged, so that there are few."""
        while self.seen and len(self.seen[-1][0]) <= 2 * len(key):
            keys, others = self.seen.pop()
            key, rows = np.concatenate([keys, key]), np.concatenate([others, rows])
        order = np.argsort(key, kind="stable")
        self.seen.append((key[order], rows[order]))
