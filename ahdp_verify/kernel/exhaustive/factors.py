"""A law on a grid as a product: a sign, exp of a `Linear`, powers of integers, and constants with
an index each in a table.

Whatever has another form is computed by `ahdp_verify.kernel.numbers.normal_form.normal`, once for
each distinct combination of the arrays that it depends on, and is a constant from then on.

>>> from ahdp_verify.kernel.terms.expression import Abs, name, number
>>> from ahdp_verify.kernel.exhaustive.grid import Column, Constants
>>> s = name("s")
>>> here = Grid({s: Column(np.arange(4).reshape(1, 4), tuple(map(number, range(4))))}, Constants())
>>> factored_law(exp(-Abs(s - 1)) * (1 + s), here).whole[0].column.tolist()
[[1, 2, 3, 4]]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.exhaustive.arrays import (
    Array,
    NotLinear,
    approximate_logarithms,
    distinct_rows,
    np,
)
from ahdp_verify.kernel.exhaustive.grid import (
    Column,
    Constants,
    Grid,
    columns_of,
    condition_mask,
    constant_value,
    linear_on_grid,
    node_value,
    whole_exponent,
)
from ahdp_verify.kernel.exhaustive.linear_values import (
    UNIT,
    Linear,
    add_linear,
    approximate_linear,
    linear_of_constant,
    multiply_linear,
    scale_linear,
    select_linear,
)
from ahdp_verify.kernel.numbers.algebra import constant, log_of
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.terms.expression import AGGREGATES, CONDITIONS, Expression, exp, transform
from ahdp_verify.kernel.terms.printing import short_text


@dataclass(frozen=True, slots=True)
class WholePower:
    """Positive integers, at most `bound`, to a power."""

    column: Array
    bound: int
    power: int


@dataclass(frozen=True, slots=True)
class FactoredLaw:
    """sign * exp(exponent) * (product of the constants with these indices, in absolute value) *
    (product of powers of integers).
    """

    sign: Array
    exponent: Linear
    tables: tuple[Array, ...] = ()
    whole: tuple[WholePower, ...] = ()

    def columns(self) -> list[Array]:
        """The columns that determine the value at a cell."""
        them = [p.column for p in self.exponent.parts.values()]
        return [*them, *self.tables, *(w.column for w in self.whole), self.sign]

    def mapped(self, change: Callable[[Array], Array]) -> FactoredLaw:
        """The law with each column changed to one of some of its entries."""
        return FactoredLaw(
            change(self.sign),
            self.exponent.mapped(change),
            tuple(map(change, self.tables)),
            tuple(WholePower(change(w.column), w.bound, w.power) for w in self.whole),
        )

    def distinct(self, shape: tuple[int, int]) -> tuple[FactoredLaw, Array]:
        """The distinct values of the law on a grid, as a law on one row, and for each cell the
        number of its value.
        """
        columns = self.columns()
        if np.broadcast_shapes(*(c.shape for c in columns)) != shape:
            columns.append(np.zeros(shape, dtype=np.int64))
        first, cells = distinct_rows(columns)
        row, column = first // shape[1], first % shape[1]
        return self.mapped(lambda c: c[row % c.shape[0], column % c.shape[1]].reshape(1, -1)), cells

    def with_values(self, other: FactoredLaw) -> FactoredLaw:
        """The distinct values of two laws on one row each."""
        mine, place = self.sign.size, np.arange(self.sign.size + other.sign.size)
        one = self.mapped(lambda c: c[:, np.minimum(place, mine - 1)])
        both = _chosen_law(
            place[None] < mine, one, other.mapped(lambda c: c[:, np.maximum(place - mine, 0)])
        )
        return both.distinct((1, len(place)))[0]


ONE = Linear({}, 1)


def factored_law(e: Expression, here: Grid, mask: Array | None = None) -> FactoredLaw:
    """The exact values of a law where the mask holds; meaningless elsewhere."""
    mask = np.ones((1, 1), dtype=bool) if mask is None else mask
    if not here.varies(e):
        number = here.constants.add(here.constants.value(e))
        return _law_of_ids(np.full((1, 1), number, dtype=np.int64), here)
    if e.head == "*":
        return _product([factored_law(a, here, mask) for a in e.args], here)
    try:
        return _SHAPES[e.head](e, here, mask) if e.head in _SHAPES else _rational_law(e, here, mask)
    except NotLinear:
        return _law_of_ids(_tabulated_law(e, here, mask), here)


def _law_of_ids(ids: Array, here: Grid) -> FactoredLaw:
    """The distribution of constants with these numbers."""
    return FactoredLaw(np.array(here.constants.signs, dtype=np.int64)[ids], ONE, (ids,))


def _product(laws: list[FactoredLaw], here: Grid) -> FactoredLaw:
    sign_, exponent = laws[0].sign, laws[0].exponent
    for other in laws[1:]:
        sign_, exponent = sign_ * other.sign, add_linear(exponent, other.exponent)
    tables = [t for one in laws for t in one.tables]
    single = [int(t[0, 0]) for t in tables if t.size == 1]
    ids = [t for t in tables if t.size != 1]
    if single:
        ids.append(np.full((1, 1), here.constants.product(tuple(single)), dtype=np.int64))
    return FactoredLaw(sign_, exponent, tuple(ids), tuple(w for one in laws for w in one.whole))


def _exponential(e: Expression, here: Grid, mask: Array) -> FactoredLaw:
    inside = e.args[0]
    try:
        return FactoredLaw(np.ones((1, 1), dtype=np.int64), linear_on_grid(inside, here))
    except NotLinear:
        if inside.head != "+":
            raise
    return _product([factored_law(exp(t), here, mask) for t in inside.args], here)


def _power(e: Expression, here: Grid, mask: Array) -> FactoredLaw:
    base, exponent = e.args
    if (k := whole_exponent(e, here)) is not None:
        return _law_power(factored_law(base, here, mask), k, here, mask)
    if here.varies(base) or constant_sign(here.constants.value(base)) != 1:
        raise NotLinear("a power whose base varies or is not positive")
    return FactoredLaw(
        np.ones((1, 1), dtype=np.int64),
        multiply_linear(
            linear_on_grid(exponent, here), linear_of_constant(log_of(here.constants.value(base)))
        ),
    )


def _law_power(a: FactoredLaw, k: int, here: Grid, mask: Array) -> FactoredLaw:
    """a to a whole power; ZeroDivisionError where that divides by 0."""
    if k < 0 and (mask & (a.sign == 0)).any():
        raise ZeroDivisionError
    tables = []
    for ids in a.tables:
        used, inverse = np.unique(ids, return_inverse=True)
        again = [
            here.constants.add(r**k)
            if not (r := here.constants.ratios[i]).is_zero
            else (0 if k <= 0 else int(i))
            for i in used
        ]
        tables.append(np.array(again, dtype=np.int64)[inverse].reshape(ids.shape))
    whole = tuple(WholePower(w.column, w.bound, w.power * k) for w in a.whole)
    return FactoredLaw(a.sign ** abs(k), scale_linear(a.exponent, k), tuple(tables), whole)


def _piecewise_law(e: Expression, here: Grid, mask: Array) -> FactoredLaw:
    """A piecewise law: the branches share slots (for indices of constants and for integers), which
    are neutral where a branch needs fewer.
    """
    result: FactoredLaw | None = None
    open_ = np.ones((1, 1), dtype=bool)
    for value, condition in zip(e.args[::2], e.args[1::2], strict=True):
        holds = open_ & condition_mask(condition, here)
        open_ = open_ & ~holds
        if (holds & mask).any():
            found = factored_law(value, here, holds & mask)
            result = found if result is None else _chosen_law(holds, found, result)
    if result is None or (open_ & mask).any():
        raise Unsupported(
            "a piecewise expression without a branch that holds; end it with (value, true)"
        )
    return result


def _chosen_law(where: Array, a: FactoredLaw, b: FactoredLaw) -> FactoredLaw:
    none, one = np.zeros((1, 1), dtype=np.int64), np.ones((1, 1), dtype=np.int64)
    tables = tuple(_merged(where, s, t) for s, t in zip_longest(a.tables, b.tables, fillvalue=none))
    whole, others = [], list(b.whole)
    for w in a.whole:
        same = next((v for v in others if v.power == w.power), WholePower(one, 1, w.power))
        others = [v for v in others if v is not same]
        whole.append(
            WholePower(_merged(where, w.column, same.column), max(w.bound, same.bound), w.power)
        )
    whole += [WholePower(np.where(where, one, w.column), w.bound, w.power) for w in others]
    return FactoredLaw(
        _merged(where, a.sign, b.sign),
        select_linear(where, a.exponent, b.exponent),
        tables,
        tuple(whole),
    )


def _merged(where: Array, a: Array, b: Array) -> Array:
    """a where a condition holds, b elsewhere; a single entry where both are the same."""
    return a if a.size == b.size == 1 and a.flat[0] == b.flat[0] else np.where(where, a, b)


def _rational_law(e: Expression, here: Grid, mask: Array) -> FactoredLaw:
    value = linear_on_grid(e, here)
    if not value.is_rational or not value.parts:
        raise NotLinear("not a rational number")
    part = value.parts[UNIT]
    size = np.abs(part.column)
    scale = here.constants.add(constant(Fraction(1, value.den)))
    return FactoredLaw(
        np.sign(part.column),
        ONE,
        (np.full((1, 1), scale, dtype=np.int64),),
        (WholePower(np.maximum(size, 1), max(part.bound, 1), 1),),
    )


_SHAPES: dict[str, Any] = {"exp": _exponential, "^": _power, "piecewise": _piecewise_law}


def _tabulated_law(e: Expression, here: Grid, mask: Array) -> Array:
    """The indices of the exact values of an expression, computed once for each combination of what
    it depends on.
    """
    arguments = _arguments(e, here)
    columns = [c for _, node in arguments for c in columns_of(node)] or [
        np.zeros((1, 1), dtype=np.int64)
    ]
    shape = np.broadcast_shapes(*(c.shape for c in columns))
    needed = np.broadcast_to(mask, np.broadcast_shapes(shape, mask.shape))
    for axis in (0, 1):
        needed = needed.any(axis=axis, keepdims=True) if shape[axis] == 1 else needed
    ids = np.zeros(shape, dtype=np.int64)
    if needed.any():
        flat = [np.broadcast_to(c, shape)[needed] for c in columns]
        first, inverse = distinct_rows(flat)
        found = [_entry(e, arguments, tuple(int(c[i]) for c in flat), here) for i in first]
        ids[needed] = np.array(found, dtype=np.int64)[inverse]
    return ids


Arguments = list[tuple[Expression, "Column | Linear | Array"]]


def _arguments(e: Expression, here: Grid) -> Arguments:
    """The largest parts of an expression whose values are known as arrays, the last of them
    names.
    """
    if not here.varies(e):
        return []
    try:
        return [(e, condition_mask(e, here) if e.head in CONDITIONS else linear_on_grid(e, here))]
    except NotLinear:
        pass
    if e in here.nodes:
        return [(e, here.nodes[e])]
    if e.head in AGGREGATES:
        raise Unsupported(f"{short_text(str(e))} is not known on the grid")
    parts = {part: node for a in e.args for part, node in _arguments(a, here)}
    if e.head == "index":  # a part whose number is computed: any part of that vector
        parts |= {
            n: node
            for n, node in here.nodes.items()
            if n.head == "name" and n.args[0].startswith(f"{e.args[0].args[0]}[")
        }
    return list(parts.items())


def _entry(e: Expression, arguments: Arguments, entries: tuple[int, ...], here: Grid) -> int:
    rest, values = list(entries), {}
    for part, node in arguments:
        own, rest = rest[: len(columns_of(node))], rest[len(columns_of(node)) :]
        values[part] = node_value(node, own)
    key = (e, tuple(values.items()))
    if key not in here.constants.memo:
        here.constants.memo[key] = here.constants.add(
            constant_value(transform(transform(e, values.get), values.get))
        )
    return here.constants.memo[key]


def approximate_logarithm(a: FactoredLaw, constants: Constants) -> tuple[Array, float, int]:
    """Floats near the logarithm of the absolute value, a bound on the sum of the sizes of its
    terms, and the number of terms.
    """
    value, size = approximate_linear(a.exponent)
    terms = len(a.exponent.parts)
    logs = np.array(constants.logs)
    for ids in a.tables:
        taken = logs[ids]
        size, terms = size + float(np.abs(taken).max(initial=0.0)), terms + 1
        value = value + taken
    for w in a.whole:
        value = value + w.power * approximate_logarithms(w.column)
        size, terms = size + abs(w.power) * w.bound.bit_length(), terms + 2
    return value, size, terms
