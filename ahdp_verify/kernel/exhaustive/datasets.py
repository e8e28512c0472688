"""All datasets of at most n records as rows: datasets with the same record aggregates are one row.

The aggregates after adding a record depend only on the aggregates before and on the record.  So the
rows of datasets of m + 1 records come from the rows that are new at m, and for the law a move from
any dataset is the same as that move from the first dataset of its row.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cmp_to_key

from ahdp_verify.kernel.errors import Rejected, Unsupported
from ahdp_verify.kernel.exhaustive.arrays import LIMIT, Array, column_bound, guard_overflow, np
from ahdp_verify.kernel.exhaustive.distribution_table import InputRows, Tick
from ahdp_verify.kernel.exhaustive.grid import (
    Column,
    Constants,
    Grid,
    condition_mask,
    constant_value,
)
from ahdp_verify.kernel.exhaustive.linear_values import Linear, LinearPart, linear_of_constant
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.mechanism import dataset_nodes
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.rules.obligations import mechanism_frame
from ahdp_verify.kernel.terms.expression import ZERO, Expression, number

MOST = 20_000_000  # rows times records: guards against more than about a gigabyte of arrays
InputNodes = tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class RecordChange:
    """A kind of move: record `old` (None: no record) becomes record `new`; the claim is about
    `both` directions, or only from old to new.
    """

    old: int | None
    new: int
    level: Ratio
    both: bool


@dataclass(frozen=True, slots=True)
class Aggregates:
    """The record aggregates of a dataset as integers: one column for each base of a sum, and one
    for each extreme.

    A record adds its steps to the columns of sums; the column of an extreme holds its rank among
    the contributions, 0 for no records; adding a record takes the larger rank.
    """

    steps: Array  # one row of columns for each record
    extreme: Array  # which columns are those of extremes
    nodes: tuple[
        tuple[Expression, Linear | tuple[Expression, ...], int], ...
    ]  # node, bases and den (or the values in order), first column

    @staticmethod
    def of(claim: Claim) -> Aggregates:
        """The aggregates of a claim's law."""
        columns: list[Array] = []
        extreme: list[bool] = []
        nodes: list[tuple[Expression, Linear | tuple[Expression, ...], int]] = []
        f = mechanism_frame(claim.mechanism, False)
        for j, e in enumerate(dataset_nodes(claim.mechanism)):
            bodies = [row[j] for row in f.rows]
            if e.head == "sum":
                total = _stacked_constants([linear_of_constant(constant_value(b)) for b in bodies])
                nodes.append((e, total, len(columns)))
                columns += [p.column[:, 0] for p in total.parts.values()]
                extreme += [False] * len(total.parts)
            else:
                order = _ordered_contributions(bodies, e.head == "minimum")
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
                parts = {
                    key: LinearPart(
                        p.base,
                        states[:, first + i : first + i + 1],
                        column_bound(states[:, first + i]),
                    )
                    for i, (key, p) in enumerate(how.parts.items())
                }
                result[e] = Linear(parts, how.den)
            else:
                result[e] = Column(states[:, first : first + 1], (ZERO, *how))
        return result


def _stacked_constants(values: list[Linear]) -> Linear:
    """Constants stacked into one value, with one entry for each of them."""
    den = guard_overflow(math.lcm(*(v.den for v in values)))
    parts: dict[str, LinearPart] = {key: p for v in values for key, p in v.parts.items()}
    table = {}
    for key, p in parts.items():
        entries = [
            (int(v.parts[key].column[0, 0]) if key in v.parts else 0) * (den // v.den)
            for v in values
        ]
        table[key] = LinearPart(
            p.base,
            np.array([[_guard_entry(entry)] for entry in entries], dtype=np.int64),
            max(map(abs, entries)),
        )
    return Linear(table, den)


def _guard_entry(entry: int) -> int:
    """The entry itself, if it is small enough for an array."""
    guard_overflow(abs(entry))
    return entry


def _compare_constants(a: Expression, b: Expression) -> int:
    """The sign of a - b for two constants."""
    s = constant_sign(constant_value(a) - constant_value(b))
    if s is None:
        raise Unsupported("a comparison of two contributions could not be decided")
    return s


def _ordered_contributions(bodies: list[Expression], descending: bool) -> list[Expression]:
    """The distinct contributions to an extreme, the one that prevails last."""
    listed = sorted(dict.fromkeys(bodies), key=cmp_to_key(_compare_constants))
    return listed[::-1] if descending else listed


@dataclass(frozen=True, slots=True)
class DatasetSpace:
    """All datasets of at most `most` records as rows: those that have the same aggregates are one
    row, found at the first size that has it.

    The aggregates after adding a record depend only on the aggregates before and on the record.  So
    rows of size m + 1 come from rows that are new at size m, and a move from any dataset is the
    same as that move from the first dataset of its row.
    """

    starts: tuple[
        int, ...
    ]  # the number of the first row that is new at each size, and their number
    after: Array  # after[w, r]: the row of r and one record w more, for rows r of size below `most`
    parent: Array  # for each row, a row with one record less, and which record
    kind: tuple[int, ...]  # for each record, the first record with its contributions
    defined: (
        Array  # defined[r]: how many rows before r are defined; the law is computed at those only
    )
    inside: Array
    rows: InputRows

    @staticmethod
    def of(claim: Claim, most: int, tick: Tick) -> DatasetSpace:
        """The space of a claim; Unsupported where it has too many rows."""
        how = Aggregates.of(claim)
        _, first, inverse = (
            np.unique(how.steps, axis=0, return_index=True, return_inverse=True)
            if how.steps.shape[1]
            else (0, np.zeros(1, int), np.zeros(1, int))
        )
        kind = tuple(int(first[i]) for i in np.broadcast_to(inverse.reshape(-1), (len(how.steps),)))
        if column_bound(how.steps.reshape(-1)) * (most + 1) >= LIMIT:
            raise Unsupported("record sums of more than 62 bits")
        walk_ = _Walk(how, sorted(set(kind)), most)
        while len(walk_.starts) < most + 2 and walk_.starts[-2] < walk_.starts[-1]:
            tick(f"listing datasets of {len(walk_.starts) - 1} records")
            walk_.step(len(walk_.starts) - 2)
        states = walk_.states
        nodes = how.read(states)
        inside = np.broadcast_to(
            condition_mask(claim.mechanism.defined, Grid(nodes, Constants())), (len(states), 1)
        )[:, 0]
        if inside[0] and how.extreme.any():
            raise Rejected("the maximum or minimum over no records is undefined")
        kept = np.flatnonzero(inside)
        rows = InputRows(InputRows(nodes, len(states)).take(kept), len(kept))
        before = np.concatenate([[0], np.cumsum(inside)])
        return DatasetSpace(
            tuple(walk_.starts),
            np.concatenate(walk_.after, axis=1),
            walk_.parent,
            kind,
            before,
            inside,
            rows,
        )

    def blocks(self, step: int, done: int) -> Iterator[int]:
        """Sizes above `done` with at least `step` new rows between two of them, and the last size
        that is new or requested.
        """
        seen, last = self.starts[min(done, self.last)], self.last
        for size in range(done + 1, last):
            if self.starts[size] - seen >= step:
                seen = self.starts[size]
                yield size
        yield last

    @property
    def last(self) -> int:
        """The largest size that is listed: larger datasets have no aggregates of their own."""
        return len(self.starts) - 2

    def pairs(self, change: RecordChange, low: int, high: int) -> tuple[Array, Array, Array]:
        """The defined rows at the two ends of a move whose larger dataset has between `low` and
        `high` records, and the row of the rest.
        """
        rest = np.arange(self.starts[low - 1], self.starts[high])
        before = rest if change.old is None else self.after[self.place(change.old), rest]
        after = self.after[self.place(change.new), rest]
        both = self.inside[before] & self.inside[after]
        return self.defined[before[both]], self.defined[after[both]], rest[both]

    def place(self, w: int) -> int:
        """The line of `after` that belongs to a record."""
        return sorted(set(self.kind)).index(self.kind[w])

    def sides(self, change: RecordChange, rest: int) -> tuple[InputNodes, InputNodes]:
        """The two datasets of a move, as counterexamples write them."""
        counts = [0] * len(self.kind)
        while rest:
            counts[int(self.parent[rest, 1])] += 1
            rest = int(self.parent[rest, 0])
        sides = [
            tuple(number(c + (i == w)) for i, c in enumerate(counts))
            for w in (change.old, change.new)
        ]
        return sides[0], sides[1]


class _Walk:
    """The rows of a space, size by size."""

    def __init__(self, how: Aggregates, records: list[int], most: int) -> None:
        self.how, self.records = how, records
        self.states = np.zeros((1, how.steps.shape[1]), dtype=np.int64)
        self.starts, self.after = [0, 1], []  # type: list[int], list[Array]
        self.parent = np.zeros((1, 2), dtype=np.int64)
        self.low = np.where(how.extreme, 0, np.minimum(how.steps.min(axis=0), 0) * most)
        self.spans = [
            int(s) + 1
            for s in np.where(
                how.extreme, how.steps.max(axis=0), np.maximum(how.steps.max(axis=0), 0) * most
            )
            - self.low
        ]
        if math.prod(self.spans) >= LIMIT:
            raise Unsupported(
                "the record aggregates take too many values to be numbered in 62 bits"
            )
        self.seen = [(self.keys(self.states), np.zeros(1, dtype=np.int64))]

    def keys(self, states: Array) -> Array:
        """One integer for each state, equal only for equal states: its columns as digits."""
        result = np.zeros(len(states), dtype=np.int64)
        for j, span in enumerate(self.spans):
            result = result * np.int64(span) + (states[:, j] - self.low[j])
        return result

    def step(self, size: int) -> None:
        """The rows of datasets with one record more than `size`."""
        start, end = self.starts[size], self.starts[size + 1]
        if end * len(self.records) > MOST:
            raise Unsupported(
                f"more than {MOST // len(self.records)} different datasets of at most {size} "
                f"records; give a smaller size"
            )
        candidates = np.concatenate(
            [self.how.joined(self.states[start:end], w) for w in self.records]
        )
        key, first, inverse = np.unique(
            self.keys(candidates), return_index=True, return_inverse=True
        )
        known = self.known(key)
        fresh = np.flatnonzero(known < 0)
        known[fresh] = end + np.arange(len(fresh))
        self.after.append(known[inverse].reshape(len(self.records), end - start))
        parents, which = (
            first[fresh] % max(end - start, 1) + start,
            first[fresh] // max(end - start, 1),
        )
        self.parent = np.concatenate(
            [self.parent, np.stack([parents, np.array(self.records)[which]], axis=1)]
        )
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
        """Adds keys; tables of similar lengths are merged, so that there are few."""
        while self.seen and len(self.seen[-1][0]) <= 2 * len(key):
            keys, others = self.seen.pop()
            key, rows = np.concatenate([keys, key]), np.concatenate([others, rows])
        order = np.argsort(key, kind="stable")
        self.seen.append((key[order], rows[order]))
