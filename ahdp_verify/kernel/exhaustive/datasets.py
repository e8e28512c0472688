"""All datasets of at most n records as rows: datasets with the same record aggregates are one row.

The aggregates after adding a record depend only on the aggregates before and on the record.  So the
row of a dataset with a record more is found from its own row, and for the law a move from any
dataset is the same as that move from the smallest dataset of its row.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect
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
    # node, bases and den (or the values in order), first column
    nodes: tuple[tuple[Expression, Linear | tuple[Expression, ...], int], ...]

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

    def joined(self, states: Array, w: int, times: int = 1) -> Array:
        """The columns of datasets with so many records more of one kind."""
        result = states + self.steps[w] * times
        for j in np.flatnonzero(self.extreme):
            result[:, j] = np.maximum(states[:, j], self.steps[w, j])
        return result

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
    a move from any dataset is the same as that move from the smallest dataset of its row.
    """

    starts: tuple[int, ...]  # the number of the first row that is new at each size, and of rows
    after: Array  # after[w, r]: the row of r and one record w more, for rows r of size below `most`
    kind: tuple[int, ...]  # for each record, the first record with its contributions
    # defined[r]: how many rows before r are defined; the law is computed at those only
    defined: Array
    inside: Array
    rows: InputRows

    @staticmethod
    def of(claim: Claim, most: int, tick: Tick) -> DatasetSpace:
        """The space of a claim; Unsupported where it has too many rows."""
        how = Aggregates.of(claim)
        steps = [tuple(row) for row in how.steps.tolist()]
        first = {step: i for i, step in reversed(list(enumerate(steps)))}
        kind = tuple(first[step] for step in steps)
        if column_bound(how.steps.reshape(-1)) * (most + 1) >= LIMIT:
            raise Unsupported("record sums of more than 62 bits")
        records = sorted(set(kind))
        walk_ = _Walk(how, records, most)
        for times, w in itertools.product(range(most.bit_length()), records):
            tick("listing datasets")
            walk_.join(w, 1 << times)
        states, starts, after = walk_.listed()
        nodes = how.read(states)
        inside = np.broadcast_to(
            condition_mask(claim.mechanism.defined, Grid(nodes, Constants())), (len(states), 1)
        )[:, 0]
        if inside[0] and how.extreme.any():
            raise Rejected("the maximum or minimum over no records is undefined")
        kept = np.flatnonzero(inside)
        rows = InputRows(InputRows(nodes, len(states)).take(kept), len(kept))
        before = np.concatenate([[0], np.cumsum(inside)])
        return DatasetSpace(starts, after, kind, before, inside, rows)

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
            size = bisect(self.starts, rest) - 1  # one record less leaves a row of one size less
            low, high = self.starts[size - 1], self.starts[size]
            line, place = np.argwhere(self.after[:, low:high] == rest)[0]
            counts[sorted(set(self.kind))[line]] += 1
            rest = low + int(place)
        sides = [
            tuple(number(c + (i == w)) for i, c in enumerate(counts))
            for w in (change.old, change.new)
        ]
        return sides[0], sides[1]


class _Walk:
    """The states of datasets of at most `most` records, in the order of their keys, each with the
    fewest records that have it.

    A kind of record is joined 1, 2, 4, ... times, each time to all states found so far: any number
    of its records is a sum of these, and what is joined last never matters.  The fewest records of
    a state are those of a part of them, with its fewest records, and the rest.
    """

    def __init__(self, how: Aggregates, records: list[int], most: int) -> None:
        self.how, self.records, self.most = how, records, most
        self.states = np.zeros((1, how.steps.shape[1]), dtype=np.int64)
        self.sizes = np.zeros(1, dtype=np.int64)
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
        self.key = self.keys(self.states)

    def keys(self, states: Array) -> Array:
        """One integer for each state, equal only for equal states: its columns as digits."""
        result = np.zeros(len(states), dtype=np.int64)
        for j, span in enumerate(self.spans):
            result = result * np.int64(span) + (states[:, j] - self.low[j])
        return result

    def join(self, w: int, times: int) -> None:
        """Adds the states with so many records more of one kind."""
        smaller = self.sizes <= self.most - times
        joined = self.how.joined(self.states[smaller], w, times)
        key = np.concatenate([self.key, self.keys(joined)])
        order = key.argsort(kind="stable")
        key = key.take(order)
        (starts,) = np.concatenate([[True], key[1:] != key[:-1]]).nonzero()
        sizes = np.concatenate([self.sizes, self.sizes[smaller] + times]).take(order)
        self.key, self.sizes = key.take(starts), np.minimum.reduceat(sizes, starts)
        self.states = np.concatenate([self.states, joined]).take(order.take(starts), axis=0)
        most = MOST // len(self.records)
        if len(self.sizes) > most:
            number = np.cumsum(np.bincount(self.sizes))
            raise Unsupported(
                f"more than {most} different datasets of at most {int((number <= most).sum())} "
                f"records; give a smaller size"
            )

    def listed(self) -> tuple[Array, tuple[int, ...], Array]:
        """The states in the order of their sizes, and `starts` and `after` as in `DatasetSpace`."""
        order = np.argsort(self.sizes, kind="stable")
        row, sizes = np.empty_like(order), self.sizes[order]
        row[order] = np.arange(len(order))
        last = min(self.most, int(sizes[-1]) + 1)
        starts = np.searchsorted(sizes, np.arange(last + 2))
        smaller = self.sizes < last
        states, rows = self.states[smaller], row[smaller]
        after = np.empty((len(self.records), len(rows)), dtype=np.int64)
        for i, w in enumerate(self.records):
            after[i, rows] = row[np.searchsorted(self.key, self.keys(self.how.joined(states, w)))]
        return self.states[order], tuple(map(int, starts)), after
