"""The logarithms of a law over finitely many outputs, and the comparison of its rows: clear cases
by floats, all others exactly.

A row is the distribution at one input.  Floats near log p have a proven error bound (`margin`), so
most comparisons log p <= level + log p' need only a subtraction.  What they leave undecided, mostly
ties, is written as exp(level + gap) * constants * rational, which is the same for very many
entries; each distinct one is decided once, by algebra (a tie is a ratio that is 1) and by balls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.errors import Rejected, Unsupported
from ahdp_verify.kernel.exhaustive.arrays import (
    LIMIT,
    TINY,
    Array,
    approximate_float,
    distinct_rows,
    np,
)
from ahdp_verify.kernel.exhaustive.factors import (
    FactoredLaw,
    WholePower,
    approximate_logarithm,
    factored_law,
)
from ahdp_verify.kernel.exhaustive.grid import Column, Constants, Grid, linear_on_grid
from ahdp_verify.kernel.exhaustive.linear_values import (
    Linear,
    linear_entry,
    subtract_linear,
)
from ahdp_verify.kernel.exhaustive.row_totals import OneDenominator, have_total_one
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.normal_form import message_text
from ahdp_verify.kernel.terms.expression import Expression, name

# entries computed, and compared, at a time: the fastest sizes measured
CELLS = 3 << 17
COMPARED = 1 << 17
FEW = 1 << 14  # values, and pairs of them that are nearly a tie, that are compared beforehand
STEP = 1 << 20  # entries that are worth a step of their own
MOST = 1 << 26  # entries of one table: half a gigabyte of floats
Tick = Callable[[str], None]
# a law on one row, floats near its logarithms, and the bounds of `approximate_logarithm`
OrderedValues = tuple[FactoredLaw, Array, float, int]


@dataclass(frozen=True, slots=True)
class InputRows:
    """Inputs with different values of the nodes of the law: each node as an array with one entry
    per row.
    """

    nodes: Mapping[Expression, Column | Linear]
    number: int

    def take(self, which: Array | slice) -> dict[Expression, Column | Linear]:
        """The nodes at some rows."""
        return {e: _node_at_rows(node, which) for e, node in self.nodes.items()}


def _node_at_rows(node: Column | Linear, which: Array | slice) -> Column | Linear:
    """The node at some rows."""
    if isinstance(node, Column):
        return Column(node.codes[which], node.values)
    return node.mapped(lambda column: column if column.size == 1 else column[which])


def _linear_node(node: Column, constants: Constants) -> Column | Linear:
    """A column of numbers as a linear value, computed once; one with labels unchanged."""
    here = name("@")
    return (
        node
        if any(v.head == "label" for v in node.values)
        else linear_on_grid(here, Grid({here: node}, constants))
    )


class DistributionTable:
    """The distribution at the rows computed so far (see `grow`) and all combinations of finite
    outputs; with `summed`, every row is also shown to have total 1, or where `is_own` is set, each
    block of rows that begins with a row for which it is true.
    """

    def __init__(
        self,
        density: Expression,
        rows: InputRows,
        outcomes: Mapping[Expression, Column],
        tick: Tick,
        delta: Ratio,
        summed: bool,
    ) -> None:
        self.density, self.rows, self.tick, self.delta = density, rows, tick, delta
        self.summed = summed
        self.is_own: Callable[[int], bool] = lambda row: True
        self.width = next(iter(outcomes.values())).codes.size
        self.step = max(1, STEP // self.width)
        if rows.number * self.width > MOST:
            raise Unsupported(
                f"the table of {rows.number} laws with {self.width} outputs has more than {MOST} "
                f"entries"
            )
        self.constants, self.logs = Constants(), np.empty((rows.number, self.width))
        self.outcomes = {e: _linear_node(node, self.constants) for e, node in outcomes.items()}
        self.done, self.size, self.terms = 0, 0.0, 0
        self.memo: dict[object, bool] = {}
        self.distinct: FactoredLaw | None = None
        self.ordered: OrderedValues | None = None  # of `distinct`, once they are asked for
        self.seen = OneDenominator()

    def grid(self, which: Array | slice) -> Grid:
        """The grid of some rows."""
        return Grid({**self.rows.take(which), **self.outcomes}, self.constants)

    def grow(self, number: int) -> None:
        """Computes the first rows; Rejected for a negative probability, and for a total that is not
        shown to be 1.
        """
        blocks = (number - self.done) * self.width // CELLS + 1  # of the same size
        step = (number - self.done) // blocks + 1
        while self.done < number:
            self.tick("computing distributions")
            which = slice(self.done, min(self.done + step, number))
            kept = self.distinct is None or self.distinct.sign.size <= FEW
            # an overflow gives an infinite margin, which decides nothing
            with np.errstate(all="ignore"):
                found, cells = factored_law(self.density, self.grid(which)), None
                if self.summed or kept:
                    found, cells = found.distinct((which.stop - which.start, self.width))
                value, size, terms = approximate_logarithm(found, self.constants)
            if (found.sign < 0).any():
                raise Rejected("the law was not shown to be nonnegative")
            if self.summed and self.is_own(which.start):
                self.check_totals(found, cells, which)
            value = np.where(found.sign == 0, np.nan, value)
            self.logs[which] = value if cells is None else value.take(cells)
            self.size, self.terms = max(self.size, size), max(self.terms, terms)
            self.done = which.stop
            if kept:
                self.distinct = self.distinct.with_values(found) if self.distinct else found
                self.ordered = None
            del found, value, cells  # before those of the next block are made

    def check_totals(self, law: FactoredLaw, cells: Array, which: slice) -> None:
        """Nothing if every one of the rows has total 1; Rejected otherwise."""
        self.tick("adding up distributions")
        shown = have_total_one(law, cells, self.constants, self.seen)
        for row in np.flatnonzero(~shown):
            self.tick("adding up distributions")
            check_is_one(self.total(which.start + int(row)))

    def margin(self, level: float) -> float:
        """More than the error of level + log p' - log p."""
        return error_bound(self.size, self.terms, level)

    def violation(
        self, first: Array, second: Array, level: Ratio, both: bool
    ) -> tuple[int, bool] | None:
        """The first index with p(first) > exp(level) p(second) at some output (or, with `both`, the
        roles exchanged: True); None if there is none.
        """
        if max(int(first.max()), int(second.max())) >= self.done:
            raise Rejected("distributions are compared before they are computed")
        near = approximate_float(level, TINY)
        margin = self.margin(near)
        if not np.isfinite(near - margin):
            raise Unsupported("logarithms that are too large for floats")
        bound = near + margin if self.has_ties_only(level, near, margin) else near - margin
        step = max(1, COMPARED // self.width)
        for start in range(0, len(first), step):
            self.tick("comparing")
            a, b = first[start : start + step], second[start : start + step]
            gap = self.logs[_slice_of(b)] - self.logs[_slice_of(a)]
            low, high = gap.min(), gap.max()
            sides = [] if low >= -bound else [(a, b, ~(gap >= -bound), False)]
            sides += [(b, a, ~(gap <= bound), True)] if both and not high <= bound else []
            found = [
                (place, turned)
                for p, q, open_, turned in sides
                if (place := self.settled(p, q, open_, level)) is not None
            ]
            if found:
                place, turned = min(found)
                return start + place, turned
        return None

    def has_ties_only(self, level: Ratio, near: float, margin: float) -> bool:
        """Whether log p <= level + log p' is shown, exactly, for all values p, p' of rows that are
        so near to equality that floats do not decide it: then no margin is needed.

        A gap of floats above -(level + margin) is a gap above -(level + 2 margin).  Either it is at
        least -level, or the values are compared here, whose own floats have an error too.
        """
        if self.distinct is None or self.distinct.sign.size > FEW:  # some may be missing
            return False
        values, logs, size, terms = self.ordered = self.ordered or _in_order(
            self.distinct, self.constants
        )
        reach = 2 * margin + error_bound(size, terms, near)
        low, high = (
            np.searchsorted(logs, logs - (near + d), side)
            for d, side in ((reach, "left"), (-reach, "right"))
        )
        ends = np.cumsum(high - low)
        if not len(logs) or ends[-1] > FEW:
            return False
        first = np.repeat(np.arange(len(logs)), high - low)
        second = np.arange(ends[-1]) + np.repeat(high - ends, high - low)
        p, q = values.mapped(lambda c: c[:, first]), values.mapped(lambda c: c[:, second])
        try:
            return bool(self.compared(p, q, first[None] >= 0, level).all())
        except Unsupported:
            return False

    def settled(self, first: Array, second: Array, open_: Array, level: Ratio) -> int | None:
        """The first undecided entry with p(first) > exp(level) p(second), by exact comparison; None
        if there is none.
        """
        pairs = np.flatnonzero(open_.any(axis=1))
        wrong = ~self.holds(first[pairs], second[pairs], open_[pairs], level)
        for i in np.flatnonzero(wrong.any(axis=1)):
            p, q, outputs = int(first[pairs[i]]), int(second[pairs[i]]), np.flatnonzero(wrong[i])
            if self.delta.is_zero or self.excessive(p, q, outputs, level):
                return int(pairs[i])
        return None

    def excessive(self, first: int, second: int, outputs: Array, level: Ratio) -> bool:
        """Whether the hockey-stick divergence, p(first) - exp(level) p(second) summed over these
        outputs, exceeds delta.
        """
        self.tick("adding up hockey-stick divergences")
        total, factor = constant(0), exp_of(level)
        for p, q in zip(self.values(first, outputs), self.values(second, outputs), strict=True):
            total = total + p - factor * q
        s = constant_sign(self.delta - total)
        if s is None:
            raise Unsupported("a comparison with delta could not be decided")
        return s < 0

    def values(self, row: int, outputs: Array) -> list[Ratio]:
        """The exact probabilities of some outputs at a row."""
        found, inverse = self.distinct_values(row, outputs)
        return [found[i] for i in inverse]

    def distinct_values(self, row: int, outputs: Array) -> tuple[list[Ratio], Array]:
        """The distinct forms of the probabilities of some outputs at a row, and which of them
        each output has.
        """
        p = factored_law(self.density, self.grid(np.array([row])))
        columns, value = _ratio_columns(NEUTRAL, p, self.constants)
        flat = [np.broadcast_to(c, (1, self.width))[0, outputs] for c in (*columns, p.sign)]
        examples, inverse = distinct_rows(flat)
        found = []
        for i in examples:
            gap, factor = value(tuple(int(c[i]) for c in flat[:-1]))
            found.append(exp_of(gap) * factor if flat[-1][i] else constant(0))
        return found, inverse

    def total(self, row: int) -> Ratio:
        """The total mass of a row."""
        found, inverse = self.distinct_values(row, np.arange(self.width))
        listed = zip(found, np.bincount(inverse), strict=True)
        return sum((r.scale(int(times)) for r, times in listed), constant(0))

    def holds(self, first: Array, second: Array, open_: Array, level: Ratio) -> Array:
        """For every pair of rows and every output whether p(first) <= exp(level) p(second); True
        where the floats have decided it.
        """
        p, q = (factored_law(self.density, self.grid(which), open_) for which in (first, second))
        return self.compared(p, q, open_, level)

    def compared(self, p: FactoredLaw, q: FactoredLaw, open_: Array, level: Ratio) -> Array:
        """The same for two laws in place of rows."""
        result = ~(open_ & (p.sign != 0) & (q.sign == 0))
        needed = open_ & ((p.sign != 0) & (q.sign != 0))
        if needed.any():
            columns, value = _ratio_columns(p, q, self.constants)
            flat = [np.broadcast_to(c, needed.shape)[needed] for c in columns]
            examples, inverse = distinct_rows(flat)
            answers = [self.decided(tuple(int(c[i]) for c in flat), value, level) for i in examples]
            result[needed] = np.array(answers, dtype=bool)[inverse]
        return result

    def decided(
        self,
        entries: tuple[int, ...],
        value: Callable[[tuple[int, ...]], tuple[Ratio, Ratio]],
        level: Ratio,
    ) -> bool:
        """Whether exp(level + gap) * factor >= 1; Unsupported if that could not be decided."""
        gap, factor = value(entries)
        key = (level.key, gap.key, factor.key)
        if key not in self.memo:
            s = constant_sign(exp_of(level + gap) * factor - constant(1))
            if s is None:
                raise Unsupported("a comparison of two probabilities could not be decided")
            self.memo[key] = s >= 0
        return self.memo[key]


def _slice_of(rows: Array) -> Array | slice:
    """The rows, as a slice if they are consecutive: an array is not copied for it."""
    low, high = int(rows[0]), int(rows[-1]) + 1
    return slice(low, high) if (rows == np.arange(low, low + len(rows))).all() else rows


def _in_order(law: FactoredLaw, constants: Constants) -> OrderedValues:
    """The positive values of a law on one row, in the order of their logarithms."""
    positive = np.flatnonzero(law.sign)
    (logs,), size, terms = approximate_logarithm(law.mapped(lambda c: c[:, positive]), constants)
    order = np.argsort(logs)
    return law.mapped(lambda c: c[:, positive[order]]), logs[order], size, terms


def error_bound(size: float, terms: int, level: float) -> float:
    """More than the error of level + log p' - log p, for logarithms of so many terms of this size.

    A term of log p has an error below 2^-47 of its size and 1 (`approximate_logarithms` is the
    worst; `TINY` is far below), each addition one of 2^-53 of the sizes of all terms: for two
    logarithms, their difference, and the level together below (terms + 128) 2^-52 (size + level
    + 1), which is doubled.
    """
    return float((terms + 128) * 2.0**-51 * (size + abs(level) + 1.0))


def check_is_one(total: Ratio) -> None:
    """Nothing for a total mass of 1; Rejected otherwise."""
    if not (total - constant(1)).is_zero:
        raise Rejected(f"the total at an input is {message_text(total)}, not shown to be 1")


NEUTRAL = FactoredLaw(1, Linear({}, 1))


def _ratio_columns(
    p: FactoredLaw, q: FactoredLaw, constants: Constants
) -> tuple[list[Array], Callable[[tuple[int, ...]], tuple[Ratio, Ratio]]]:
    """q / p as columns of integers, and a function from the entries at one index to (gap, factor)
    with q / p = exp(gap) * factor.
    """
    gap = subtract_linear(q.exponent, p.exponent)
    exponents = [part.column for part in gap.parts.values()]
    whole, powers = _reduced_quotient(
        [*q.whole, *(WholePower(w.column, w.bound, -w.power) for w in p.whole)]
    )
    cut, end = len(exponents), len(exponents) + len(q.tables)

    def value(entries: tuple[int, ...]) -> tuple[Ratio, Ratio]:
        factor, last = constant(1), end + len(p.tables)
        above, below = Counter(entries[cut:end]), Counter(entries[end:last])
        for i in (above - below).elements():  # constants of both sides cancel
            factor = factor * _absolute_value(constants.ratios[i], constants.signs[i])
        for i in (below - above).elements():
            factor = factor / _absolute_value(constants.ratios[i], constants.signs[i])
        for n, power in zip(entries[last:], powers, strict=True):
            factor = factor * constant(Fraction(n) ** power)
        return linear_entry(gap, entries[:cut]), factor

    return [*exponents, *q.tables, *p.tables, *whole], value


def _absolute_value(r: Ratio, s: int) -> Ratio:
    """|r| for a constant of sign s."""
    return r if s > 0 else -r


def _reduced_quotient(listed: list[WholePower]) -> tuple[list[Array], list[int]]:
    """Columns and powers whose product is that of the listed ones: one fraction in lowest terms
    if it fits, so that equal values look equal.
    """
    top, bottom, most = np.ones((1, 1), dtype=np.int64), np.ones((1, 1), dtype=np.int64), [1, 1]
    for w in listed:
        for _ in range(abs(w.power)):
            most[w.power < 0] *= w.bound
            if most[w.power < 0] >= LIMIT:
                return [w.column for w in listed], [w.power for w in listed]
            top, bottom = (top * w.column, bottom) if w.power > 0 else (top, bottom * w.column)
    common = np.gcd(top, bottom)
    return [top // common, bottom // common], [1, -1]
