"""Exact values of an expression on a grid, rows (inputs) by columns (outputs), worked out for whole arrays at once.

A `Linear` is a sum of whole-number arrays times constants over one denominator; a bound on every array is carried along, and what might
leave 62 bits is refused.  Sums, products, absolute values, maxima, branches and comparisons of such values are exact: a sign that floats
with a proved error do not settle is settled by `ahdp_verify.ball`.  A `Law` is a product: a sign, exp of a `Linear`, whole numbers, and
constants with a number each in a table.  Whatever has another form is worked out by `ahdp_verify.context.normal`, once for each distinct
combination of the arrays that it depends on.

Arrays have the shape of the grid, or 1 along an axis that they do not depend on.

>>> from ahdp_verify.expression import Abs, name
>>> s = name("s")
>>> here = Grid({s: Column(np.arange(4).reshape(1, 4), tuple(map(number, range(4))))}, Constants())
>>> linear(Abs(s - 1) / 2, here).parts["1"].column.tolist(), linear(Abs(s - 1) / 2, here).den
([[1, 0, 1, 2]], 2)
>>> law(exp(-Abs(s - 1)) * (1 + s), here).whole[0].column.tolist()
[[1, 2, 3, 4]]
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from ahdp_verify.algebra import Ratio, constant, log_of, of_monomial
from ahdp_verify.ball import enclose, sign
from ahdp_verify.context import Context, normal, to_expression, truth
from ahdp_verify.errors import Undecided, Unsupported
from ahdp_verify.expression import AGGREGATES, CONDITIONS, Expression, add, boolean, exp, multiply, number, transform, walk

try:
    import numpy as np
except ImportError:
    np = None  # type: ignore[assignment]

Array = Any  # an array of whole numbers (int64), truth values or floats; the code says which
EMPTY = Context.empty()
LIMIT = 1 << 62  # no whole number in an array is as large
PRECISIONS = (128, 512, 2048)
DENSE = 1 << 22  # keys below it are looked up in a table instead of sorted
POWER = 64  # largest whole exponent that is multiplied out
UNIT = "1"  # the key of the base 1
MISSING = "numpy is not installed; install ahdp-verify[enumeration]"


class Unlike(Unsupported):
    """An expression that is no `Linear`; it is worked out value by value."""


def guard(bound: int) -> int:
    """The bound itself, unless an array of this bound could overflow."""
    if bound >= LIMIT:
        raise Unlike("whole numbers of more than 62 bits")
    return bound


@dataclass(frozen=True, slots=True)
class Part:
    """`column` times the constant `base`; no entry of the column is larger in size than `bound`."""

    base: Ratio
    column: Array
    bound: int


@dataclass(frozen=True, slots=True)
class Linear:
    """The sum of the parts, divided by `den` > 0; the key of a part is the canonical text of its base."""

    parts: Mapping[str, Part]
    den: int = 1

    @property
    def is_rational(self) -> bool:
        """Whether every value is a rational number."""
        return set(self.parts) <= {UNIT}


@dataclass(frozen=True, slots=True)
class Column:
    """A name that takes one of `values` at each place: the number of the value there."""

    codes: Array
    values: tuple[Expression, ...]


class Constants:
    """Constants with their numbers: number 0 is 1; `signs` and `logs` (of the absolute value, see `near`) in the same order."""

    def __init__(self) -> None:
        self.ratios: list[Ratio] = []
        self.signs: list[int] = []
        self.logs: list[float] = []
        self.ids: dict[str, int] = {}
        self.memo: dict[object, int] = {}
        self.known: dict[Expression, Ratio] = {}
        self.add(constant(1))

    def add(self, r: Ratio) -> int:
        """The number of a constant; Unsupported where its sign is not decided."""
        if (found := self.ids.get(r.key)) is not None:
            return found
        s = sign(r)
        if s is None:
            raise Unsupported(f"the sign of {r.key[:60]} is not decided")
        self.ratios.append(r)
        self.signs.append(s)
        self.logs.append(near(log_of(r if s > 0 else -r)) if s else 0.0)
        self.ids[r.key] = len(self.ratios) - 1
        return len(self.ratios) - 1

    def product(self, listed: tuple[int, ...]) -> int:
        """The number of the product of constants with these numbers."""
        if len(listed) == 1:
            return listed[0]
        if listed not in self.memo:
            together = constant(1)
            for i in listed:
                together = together * self.ratios[i]
            self.memo[listed] = self.add(together)
        return self.memo[listed]

    def value(self, e: Expression) -> Ratio:
        """The value of an expression without names, worked out once."""
        if e not in self.known:
            self.known[e] = decided(e)
        return self.known[e]


@dataclass(frozen=True, slots=True)
class Grid:
    """What the nodes of an expression are on a grid: names by `Column`, record aggregates (or names) by `Linear`."""

    nodes: Mapping[Expression, Column | Linear]
    constants: Constants
    cache: dict[Expression, Linear | Unlike] = field(default_factory=dict)

    def varies(self, e: Expression) -> bool:
        """Whether an expression depends on the grid."""
        return any(part in self.nodes for part in walk(e))


def decided(e: Expression) -> Ratio:
    """The canonical value of an expression without names; Unsupported where it has none."""
    try:
        return normal(e, EMPTY)
    except Undecided as missing:
        raise Unsupported(f"the sign of {str(missing.guard)[:60]} is not decided") from None


def near(r: Ratio) -> float:
    """A float within 2^-52 |r| of a constant r: the float nearest to the middle of an enclosure of relative width 2^-60."""
    for bits in PRECISIONS:
        low, high = enclose(r, bits)
        if (high - low) * 2**60 <= abs(low + high) / 2:
            return float((low + high) / 2)
    raise Unsupported(f"{r.key[:60]} has no enclosure of 60 bits")


# linear values


def of_constant(r: Ratio) -> Linear:
    """A constant as a linear value, one base for each of its terms."""
    den = guard(math.lcm(*(c.denominator for c in r.num.terms.values())))
    parts = {}
    for m, c in r.num.terms.items():
        base, whole = Ratio(of_monomial(m), r.den), int(c * den)
        parts[base.key] = Part(base, np.array([[whole]], dtype=np.int64), guard(abs(whole)))
    return Linear(parts, den)


def of_array(column: Array, den: int = 1) -> Linear:
    """An array of whole numbers, over a denominator."""
    bound = int(np.abs(column).max(initial=0)) if column.dtype == np.int64 else 1
    return Linear({UNIT: Part(constant(1), column.astype(np.int64), guard(bound))}, den)


def scaled(a: Linear, k: int) -> Linear:
    """a times a whole number."""
    return a if k == 1 else Linear({key: Part(p.base, p.column * np.int64(k), guard(p.bound * abs(k))) for key, p in a.parts.items()}, a.den)


def aligned(a: Linear, b: Linear) -> tuple[Linear, Linear]:
    """The same two values over one denominator."""
    if a.den == b.den:
        return a, b
    den = guard(math.lcm(a.den, b.den))
    return Linear(scaled(a, guard(den // a.den)).parts, den), Linear(scaled(b, guard(den // b.den)).parts, den)


def plus(a: Linear, b: Linear) -> Linear:
    """a + b."""
    a, b = aligned(a, b)
    parts = dict(a.parts)
    for key, p in b.parts.items():
        mine = parts.get(key)
        parts[key] = p if mine is None else Part(p.base, mine.column + p.column, guard(mine.bound + p.bound))
    return Linear(parts, a.den)


def minus(a: Linear, b: Linear) -> Linear:
    """a - b."""
    a, b = aligned(a, b)
    parts = dict(a.parts)
    for key, p in b.parts.items():
        mine = parts.get(key)
        parts[key] = Part(p.base, -p.column if mine is None else mine.column - p.column, guard(p.bound + (mine.bound if mine else 0)))
    return Linear(parts, a.den)


def times(a: Linear, b: Linear) -> Linear:
    """a * b; a product of two bases is a constant, which is taken apart again."""
    result = Linear({}, 1)
    for p in a.parts.values():
        for q in b.parts.values():
            factor = of_constant(p.base * q.base)
            column, bound = p.column * q.column, guard(p.bound * q.bound)
            piece = {k: Part(f.base, column * f.column, guard(bound * f.bound)) for k, f in factor.parts.items()}
            result = plus(result, Linear(piece, factor.den))
    return Linear(result.parts, guard(result.den * a.den * b.den))


def chosen(where: Array, a: Linear, b: Linear) -> Linear:
    """a where a condition holds, b elsewhere."""
    a, b = aligned(a, b)
    parts = {}
    for key in {**a.parts, **b.parts}:
        p, q = a.parts.get(key), b.parts.get(key)
        base = (p or q or Part(constant(0), 0, 0)).base
        column = np.where(where, p.column if p else np.int64(0), q.column if q else np.int64(0))
        parts[key] = Part(base, column, max(p.bound if p else 0, q.bound if q else 0))
    return Linear(parts, a.den)


def signs(a: Linear) -> Array:
    """The sign of every value, -1, 0 or 1.

    Bases are floats within 2^-52 of themselves, they are divided by the denominator, entries are converted and multiplied, each with one
    rounding, and k products are added with at most k - 1 roundings: the error is below (k + 4) 2^-52 times the sum of the bounds.  What is
    no larger is decided exactly.
    """
    if a.is_rational:
        return np.sign(a.parts[UNIT].column) if a.parts else np.zeros((1, 1), dtype=np.int64)
    value, size = weighted(a)
    error = (len(a.parts) + 8) * 2.0**-51 * size
    if not np.isfinite(error):
        raise Unsupported("numbers that are too large for floats")
    result = np.where(value > error, 1, np.where(value < -error, -1, 0)).astype(np.int64)
    unclear = np.abs(value) <= error
    if unclear.any():
        columns = [np.broadcast_to(p.column, value.shape)[unclear] for p in a.parts.values()]
        first, inverse = distinct(columns)
        exact = [sign(at(a, [int(c[i]) for c in columns])) for i in first]
        if None in exact:
            raise Unsupported("a comparison of constants that is not decided")
        result[unclear] = np.array(exact, dtype=np.int64)[inverse]
    return result


def weighted(a: Linear) -> tuple[Array, float]:
    """Floats near a, and a bound on the sum of the sizes of the terms."""
    terms, size = [], 0.0
    for p in a.parts.values():
        base = near(p.base) / float(a.den)
        terms.append(base * p.column)
        size += abs(base) * p.bound * (1 + 2.0**-40)
    return sum(terms[1:], terms[0]) if terms else np.zeros((1, 1)), size


def at(a: Linear, entries: Sequence[int]) -> Ratio:
    """The value of a at one place, from the entries of its columns there."""
    total = constant(0)
    for p, entry in zip(a.parts.values(), entries, strict=True):
        total = total + p.base.scale(Fraction(entry, a.den))
    return total


def encoded(columns: Sequence[Array]) -> tuple[Array, int]:
    """One whole number for each row of the columns, equal only for equal rows, and a bound that it stays below."""
    key, size = np.zeros(len(columns[0]), dtype=np.int64), 1
    for column in columns:
        low, high = int(column.min()), int(column.max())
        if size * (high - low + 1) >= LIMIT:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            column = np.unique(column, return_inverse=True)[1].astype(np.int64)
            size, low, high = int(key.max()) + 1, 0, int(column.max())
        guard(size * (high - low + 1))
        key, size = key * np.int64(high - low + 1) + (column - np.int64(low)), size * (high - low + 1)
    return key, size


def distinct(columns: Sequence[Array]) -> tuple[Array, Array]:
    """The place of one example of every distinct row of the columns, and for each row which example it equals."""
    key, size = encoded(columns)
    if size > max(DENSE, 4 * len(key)):
        _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
        return first, inverse
    place = np.full(size, -1, dtype=np.int64)
    place[key] = np.arange(len(key))
    present = np.flatnonzero(place >= 0)
    first = place[present]
    place[present] = np.arange(len(present))
    return first, place[key]


def linear(e: Expression, here: Grid) -> Linear:
    """The exact values of an expression; Unlike where they are not linear in what is known of the grid."""
    found = here.cache.get(e)
    if found is None:
        try:
            found = _linear(e, here)
        except Unlike as reason:
            found = reason
        here.cache[e] = found
    if isinstance(found, Unlike):
        raise found
    return found


def _linear(e: Expression, here: Grid) -> Linear:
    if e in here.nodes:
        return _of_node(here.nodes[e], here)
    if not here.varies(e):
        return of_constant(here.constants.value(e))
    if e.head == "^":
        return _whole_power(e, here)
    if e.head == "piecewise":
        return _branches(e, here)
    if e.head not in _LINEAR:
        raise Unlike(f"{e.head} of what varies")
    return _LINEAR[e.head]([linear(a, here) for a in e.args])


def _of_node(node: Column | Linear, here: Grid) -> Linear:
    if isinstance(node, Linear):
        return node
    if any(v.head == "label" for v in node.values):
        raise Unlike("a label is no number")
    if all(v.head == "number" for v in node.values):
        den = guard(math.lcm(*(v.args[0].denominator for v in node.values)))
        numerators = [int(v.args[0] * den) for v in node.values]
        guard(max(map(abs, numerators)))
        return of_array(np.array(numerators, dtype=np.int64)[node.codes], den)
    values = [of_constant(here.constants.value(v)) for v in node.values]
    result = Linear({}, 1)
    for i, v in enumerate(values):
        result = plus(result, times(of_array((node.codes == i).astype(np.int64)), v))
    return result


def _only(v: Linear) -> int:
    return int(v.parts[UNIT].column[0, 0]) if v.parts else 0


def _folded(of: Any) -> Any:
    def fold(values: list[Linear]) -> Linear:
        result = values[0]
        for value in values[1:]:
            result = of(result, value)
        return result

    return fold


def _absolute(values: list[Linear]) -> Linear:
    (a,) = values
    if a.is_rational:
        return Linear({key: Part(p.base, np.abs(p.column), p.bound) for key, p in a.parts.items()}, a.den)
    s = signs(a)
    return Linear({key: Part(p.base, p.column * s, p.bound) for key, p in a.parts.items()}, a.den)


def _floor(values: list[Linear]) -> Linear:
    (a,) = values
    if not a.is_rational:
        raise Unlike("the floor of what is irrational")
    return Linear({key: Part(p.base, p.column // np.int64(a.den), p.bound + 1) for key, p in a.parts.items()}, 1)


def _mod(values: list[Linear]) -> Linear:
    a, b = values
    if not b.is_rational or any(p.column.size != 1 for p in b.parts.values()):
        raise Unlike("mod of what varies")
    if not _only(b):
        raise ZeroDivisionError
    quotient = times(a, of_constant(constant(Fraction(b.den, _only(b)))))
    return minus(a, times(b, _floor([quotient])))


def _whole_power(e: Expression, here: Grid) -> Linear:
    k = _whole_exponent(e, here)
    if k is None or not 0 <= k <= POWER:
        raise Unlike("a power that is not multiplied out")
    result = of_constant(constant(1))
    for _ in range(k):
        result = times(result, linear(e.args[0], here))
    return result


def _whole_exponent(e: Expression, here: Grid) -> int | None:
    if here.varies(e.args[1]):
        return None
    k = here.constants.value(e.args[1]).as_rational
    return int(k) if k is not None and k.denominator == 1 and abs(k) <= POWER else None


def _branches(e: Expression, here: Grid) -> Linear:
    result, open_ = of_constant(constant(0)), np.ones((1, 1), dtype=bool)
    for value, condition in zip(e.args[::2], e.args[1::2], strict=True):
        holds = open_ & condition_of(condition, here)
        result, open_ = chosen(holds, linear(value, here), result) if holds.any() else result, open_ & ~holds
    if open_.any():
        raise Unlike("a piecewise expression of which no branch holds")
    return result


_LINEAR: dict[str, Any] = {
    "+": _folded(plus), "*": _folded(times), "abs": _absolute, "floor": _floor, "mod": _mod,
    "max": _folded(lambda a, b: chosen(signs(minus(a, b)) >= 0, a, b)),
    "min": _folded(lambda a, b: chosen(signs(minus(a, b)) <= 0, a, b)),
    "sign": lambda values: of_array(signs(values[0])),
}  # fmt: skip


# conditions


def condition_of(e: Expression, here: Grid) -> Array:
    """Where a condition holds; Unlike where that is not read off linear values."""
    if e.head == "not":
        return ~condition_of(e.args[0], here)
    if e.head in ("and", "or"):
        join = np.logical_and if e.head == "and" else np.logical_or
        result = condition_of(e.args[0], here)
        for part in e.args[1:]:
            result = join(result, condition_of(part, here))
        return result
    if not here.varies(e):
        try:
            return np.full((1, 1), truth(e, EMPTY))
        except Undecided:
            raise Unsupported(f"the condition {str(e)[:60]} is not decided") from None
    if e.head not in ("==", "!=", "<", "<="):
        raise Unlike(f"{e.head} is no comparison")
    if any(_is_label(a, here) for a in e.args):
        return _labels(e, here)
    gap = signs(minus(linear(e.args[0], here), linear(e.args[1], here)))
    return {"==": gap == 0, "!=": gap != 0, "<": gap < 0, "<=": gap <= 0}[e.head]


def _is_label(e: Expression, here: Grid) -> bool:
    node = here.nodes.get(e)
    return e.head == "label" or (isinstance(node, Column) and any(v.head == "label" for v in node.values))


def _labels(e: Expression, here: Grid) -> Array:
    """Equality of names and values of which one may be a label: a label equals only itself."""
    if e.head not in ("==", "!="):
        raise Unlike("a label is only ever equal or not")
    one = np.zeros((1, 1), dtype=np.int64)
    sides = [node if isinstance(node := here.nodes.get(a), Column) else Column(one, (a,)) for a in e.args]
    if any(v.head not in ("label", "number") for side in sides for v in side.values):
        raise Unlike("a label is compared with a computed number")
    same = np.array([[a == b for b in sides[1].values] for a in sides[0].values])
    return same[sides[0].codes, sides[1].codes] == (e.head == "==")


# laws


@dataclass(frozen=True, slots=True)
class Whole:
    """Positive whole numbers, at most `bound`, to a power."""

    column: Array
    bound: int
    power: int


@dataclass(frozen=True, slots=True)
class Law:
    """sign * exp(exponent) * (product of the constants with these numbers, taken in absolute value) * (product of powers of whole numbers)."""

    sign: Array
    exponent: Linear
    tables: tuple[Array, ...] = ()
    whole: tuple[Whole, ...] = ()


ONE = Linear({}, 1)


def law(e: Expression, here: Grid, mask: Array | None = None) -> Law:
    """The exact values of a law where the mask holds; what it says elsewhere means nothing."""
    mask = np.ones((1, 1), dtype=bool) if mask is None else mask
    if not here.varies(e):
        return of_ids(np.full((1, 1), here.constants.add(here.constants.value(e)), dtype=np.int64), here)
    if e.head == "*":
        return _product([law(a, here, mask) for a in e.args], here)
    try:
        return _SHAPES[e.head](e, here, mask) if e.head in _SHAPES else _rational_law(e, here, mask)
    except Unlike:
        return of_ids(tabled(e, here, mask), here)


def of_ids(ids: Array, here: Grid) -> Law:
    """The law of constants with these numbers."""
    return Law(np.array(here.constants.signs, dtype=np.int64)[ids], ONE, (ids,))


def _product(laws: list[Law], here: Grid) -> Law:
    sign_, exponent = laws[0].sign, laws[0].exponent
    for other in laws[1:]:
        sign_, exponent = sign_ * other.sign, plus(exponent, other.exponent)
    tables = [t for one in laws for t in one.tables]
    single = [int(t[0, 0]) for t in tables if t.size == 1]
    ids = [t for t in tables if t.size != 1]
    if single:
        ids.append(np.full((1, 1), here.constants.product(tuple(single)), dtype=np.int64))
    return Law(sign_, exponent, tuple(ids), tuple(w for one in laws for w in one.whole))


def _exponential(e: Expression, here: Grid, mask: Array) -> Law:
    inside = e.args[0]
    try:
        return Law(np.ones((1, 1), dtype=np.int64), linear(inside, here))
    except Unlike:
        if inside.head != "+":
            raise
    return _product([law(exp(t), here, mask) for t in inside.args], here)


def _power(e: Expression, here: Grid, mask: Array) -> Law:
    base, exponent = e.args
    if (k := _whole_exponent(e, here)) is not None:
        return raised(law(base, here, mask), k, here, mask)
    if here.varies(base) or sign(here.constants.value(base)) != 1:
        raise Unlike("a power whose base varies, or is not positive")
    return Law(np.ones((1, 1), dtype=np.int64), times(linear(exponent, here), of_constant(log_of(here.constants.value(base)))))


def raised(a: Law, k: int, here: Grid, mask: Array) -> Law:
    """a to a whole power; ZeroDivisionError where that divides by 0."""
    if k < 0 and (mask & (a.sign == 0)).any():
        raise ZeroDivisionError
    tables = []
    for ids in a.tables:
        used, inverse = np.unique(ids, return_inverse=True)
        again = [here.constants.add(r**k) if not (r := here.constants.ratios[i]).is_zero else (0 if k <= 0 else int(i)) for i in used]
        tables.append(np.array(again, dtype=np.int64)[inverse].reshape(ids.shape))
    whole = tuple(Whole(w.column, w.bound, w.power * k) for w in a.whole)
    return Law(a.sign ** abs(k), scaled(a.exponent, k), tuple(tables), whole)


def _piecewise_law(e: Expression, here: Grid, mask: Array) -> Law:
    """Branch by branch: slots (of numbers of constants, of whole numbers) are shared by the branches, and neutral where a branch has fewer."""
    result, open_ = Law(np.zeros((1, 1), dtype=np.int64), ONE), np.ones((1, 1), dtype=bool)
    for value, condition in zip(e.args[::2], e.args[1::2], strict=True):
        holds = open_ & condition_of(condition, here)
        open_ = open_ & ~holds
        if (holds & mask).any():
            result = _chosen_law(holds, law(value, here, holds & mask), result)
    if (open_ & mask).any():
        raise Unsupported("a piecewise expression of which no branch holds; end it with (value, true)")
    return result


def _chosen_law(where: Array, a: Law, b: Law) -> Law:
    none, one = np.zeros((1, 1), dtype=np.int64), np.ones((1, 1), dtype=np.int64)
    tables = tuple(np.where(where, s, t) for s, t in zip_longest(a.tables, b.tables, fillvalue=none))
    whole, others = [], list(b.whole)
    for w in a.whole:
        same = next((v for v in others if v.power == w.power), Whole(one, 1, w.power))
        others = [v for v in others if v is not same]
        whole.append(Whole(np.where(where, w.column, same.column), max(w.bound, same.bound), w.power))
    whole += [Whole(np.where(where, one, w.column), w.bound, w.power) for w in others]
    return Law(np.where(where, a.sign, b.sign), chosen(where, a.exponent, b.exponent), tables, tuple(whole))


def _rational_law(e: Expression, here: Grid, mask: Array) -> Law:
    value = linear(e, here)
    if not value.is_rational or not value.parts:
        raise Unlike("no rational number")
    part = value.parts[UNIT]
    size = np.abs(part.column)
    scale = here.constants.add(constant(Fraction(1, value.den)))
    return Law(np.sign(part.column), ONE, (np.full((1, 1), scale, dtype=np.int64),), (Whole(np.maximum(size, 1), max(part.bound, 1), 1),))


_SHAPES: dict[str, Any] = {"exp": _exponential, "^": _power, "piecewise": _piecewise_law}


def tabled(e: Expression, here: Grid, mask: Array) -> Array:
    """The numbers of the exact values of an expression, worked out once for each combination of what it depends on."""
    arguments = _arguments(e, here)
    columns = [c for _, node in arguments for c in columns_of(node)] or [np.zeros((1, 1), dtype=np.int64)]
    shape = np.broadcast_shapes(*(c.shape for c in columns))
    needed = np.broadcast_to(mask, np.broadcast_shapes(shape, mask.shape))
    for axis in (0, 1):
        needed = needed.any(axis=axis, keepdims=True) if shape[axis] == 1 else needed
    ids = np.zeros(shape, dtype=np.int64)
    if needed.any():
        flat = [np.broadcast_to(c, shape)[needed] for c in columns]
        first, inverse = distinct(flat)
        found = [_entry(e, arguments, tuple(int(c[i]) for c in flat), here) for i in first]
        ids[needed] = np.array(found, dtype=np.int64)[inverse]
    return ids


Arguments = list[tuple[Expression, "Column | Linear | Array"]]


def columns_of(node: Any) -> list[Array]:
    """The columns of whole numbers that a node is written in."""
    if isinstance(node, Linear):
        return [p.column for p in node.parts.values()]
    return [node.codes if isinstance(node, Column) else node.astype(np.int64)]


def _arguments(e: Expression, here: Grid) -> Arguments:
    """The largest parts of an expression whose values are known as arrays, the last of them names."""
    if not here.varies(e):
        return []
    try:
        return [(e, condition_of(e, here) if e.head in CONDITIONS else linear(e, here))]
    except Unlike:
        pass
    if e in here.nodes:
        return [(e, here.nodes[e])]
    if e.head in AGGREGATES:
        raise Unsupported(f"{str(e)[:60]} is not known on the grid")
    parts = {part: node for a in e.args for part, node in _arguments(a, here)}
    if e.head == "index":  # a part whose number is computed: any part of that vector
        parts |= {n: node for n, node in here.nodes.items() if n.head == "name" and n.args[0].startswith(f"{e.args[0].args[0]}[")}
    return list(parts.items())


def _entry(e: Expression, arguments: Arguments, entries: tuple[int, ...], here: Grid) -> int:
    rest, values = list(entries), {}
    for part, node in arguments:
        own, rest = rest[: len(columns_of(node))], rest[len(columns_of(node)) :]
        values[part] = value_of(node, own)
    key = (e, tuple(values.items()))
    if key not in here.constants.memo:
        here.constants.memo[key] = here.constants.add(decided(transform(transform(e, values.get), values.get)))
    return here.constants.memo[key]


def value_of(node: Any, entries: list[int]) -> Expression:
    """The constant that a node is at one place, from the entries of its columns there."""
    if isinstance(node, Linear):
        return add(*(multiply(number(Fraction(n, node.den)), to_expression(p.base)) for p, n in zip(node.parts.values(), entries, strict=True)), number(0))
    return node.values[entries[0]] if isinstance(node, Column) else boolean(bool(entries[0]))


def logarithm(a: Law, here: Grid) -> tuple[Array, float, int]:
    """Floats near the logarithm of the absolute value, a bound on the sum of the sizes of its terms, and the number of terms."""
    value, size = weighted(a.exponent)
    terms = len(a.exponent.parts)
    logs = np.array(here.constants.logs)
    for ids in a.tables:
        taken = logs[ids]
        value, size, terms = value + taken, size + float(np.abs(taken).max(initial=0.0)), terms + 1
    for w in a.whole:
        value, size, terms = value + w.power * logarithms(w.column), size + abs(w.power) * w.bound.bit_length(), terms + 2
    return value, size, terms


CELLS = 8  # bits of a number in [1/2, 1) that choose its row of logarithms
_centres: list[Array] = []


def _cells() -> tuple[Array, Array]:
    """The middles of the cells of [1/2, 1), and floats near their logarithms."""
    if not _centres:
        middles = [Fraction(2 * i + 1, 1 << (CELLS + 2)) + Fraction(1, 2) for i in range(1 << CELLS)]
        _centres.extend((np.array([float(c) for c in middles]), np.array([near(log_of(constant(c))) for c in middles])))
    return _centres[0], _centres[1]


LOG_2 = 0.6931471805599453  # within 2^-53


def logarithms(n: Array) -> Array:
    """Floats near log n for positive whole numbers, with an error below 2^-49 (1 + log n).

    n = 2^e m with m in [1/2, 1), and m = c (1 + r) with c the middle of its cell of width 2^-9, so |r| < 2^-9 and
    log m = log c + r - r^2/2 + r^3/3 - r^4/4 + r^5/5 up to r^6/5.  The conversion of n has a relative error of 2^-53; m - c is exact;
    each other step adds at most 2^-52 of a term, and the terms are at most e log 2, 0.7, and 2^-9.
    """
    middles, logs = _cells()
    m, e = np.frexp(n.astype(np.float64))
    cell = ((m - 0.5) * float(2 << CELLS)).astype(np.int64)
    c = middles[cell]
    r = (m - c) / c
    series = r * (1.0 - r * (0.5 - r * (1.0 / 3.0 - r * (0.25 - r * 0.2))))
    return e * LOG_2 + (logs[cell] + series)
