"""Exact values of an expression on a grid, rows (inputs) by columns (outputs), computed for whole
arrays at once.

Sums, products, absolute values, maxima, branches and comparisons of `Linear` values are exact; what
is not linear raises `NotLinear`. Arrays have the shape of the grid, or 1 along an axis that they do
not depend on.

>>> from ahdp_verify.kernel.terms.expression import Abs, name, number
>>> s = name("s")
>>> here = Grid({s: Column(np.arange(4).reshape(1, 4), tuple(map(number, range(4))))}, Constants())
>>> linear_on_grid(Abs(s - 1) / 2, here).parts["1"].column.tolist(), linear_on_grid(Abs(s - 1) / 2, here).den
([[1, 0, 1, 2]], 2)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.exhaustive.arrays import (
    TINY,
    Array,
    NotLinear,
    approximate_float,
    guard_overflow,
    np,
)
from ahdp_verify.kernel.exhaustive.linear_values import (
    UNIT,
    Linear,
    add_linear,
    linear_of_array,
    linear_of_constant,
    linear_signs,
    multiply_linear,
    select_linear,
    subtract_linear,
)
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, log_of
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import (
    message_text,
    normal,
    refusal_text,
    to_expression,
    truth,
)
from ahdp_verify.kernel.terms.expression import Expression, add, boolean, multiply, number, walk
from ahdp_verify.kernel.terms.printing import short_text

EMPTY = Context.empty()
POWER = 64  # largest integer exponent that is expanded; guards against huge intermediate values


@dataclass(frozen=True, slots=True)
class Column:
    """A name that takes one of `values` at each cell; `column` holds the index of the value
    there.
    """

    codes: Array
    values: tuple[Expression, ...]


class Constants:
    """Constants with their numbers: number 0 is 1; `linear_signs` and `logs` (of the absolute
    value, see `approximate_float`) in the same order.
    """

    def __init__(self) -> None:
        self.ratios: list[Ratio] = []
        self.signs: list[int] = []
        self.logs: list[float] = []
        self.ids: dict[str, int] = {}
        self.memo: dict[object, int] = {}
        self.known: dict[Expression, Ratio] = {}
        self.add(constant(1))

    def add(self, r: Ratio) -> int:
        """The index of a constant; Unsupported if its sign could not be decided."""
        if (found := self.ids.get(r.key)) is not None:
            return found
        s = constant_sign(r)
        if s is None:
            raise Unsupported(f"the sign of {message_text(r)} is not decided")
        self.ratios.append(r)
        self.signs.append(s)
        self.logs.append(approximate_float(log_of(r if s > 0 else -r), TINY) if s else 0.0)
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
        """The value of an expression without names, computed once."""
        if e not in self.known:
            self.known[e] = constant_value(e)
        return self.known[e]


@dataclass(frozen=True, slots=True)
class Grid:
    """The values of the nodes of an expression on a grid: names by `Column`, record aggregates (or
    names) by `Linear`.
    """

    nodes: Mapping[Expression, Column | Linear]
    constants: Constants
    cache: dict[Expression, Linear | NotLinear] = field(default_factory=dict)

    def varies(self, e: Expression) -> bool:
        """Whether an expression depends on the grid."""
        return any(part in self.nodes for part in walk(e))


def constant_value(e: Expression) -> Ratio:
    """The canonical value of an expression without names; Unsupported where it has none."""
    try:
        return normal(e, EMPTY)
    except Undecided as missing:
        raise Unsupported(refusal_text(missing)) from None


def columns_of(node: Any) -> list[Array]:
    """The integer columns that represent a node."""
    if isinstance(node, Linear):
        return [p.column for p in node.parts.values()]
    return [node.codes if isinstance(node, Column) else node.astype(np.int64)]


def node_value(node: Any, entries: list[int]) -> Expression:
    """The constant value of a node at one cell, from the entries of its columns there."""
    if isinstance(node, Linear):
        return add(
            *(
                multiply(number(Fraction(n, node.den)), to_expression(p.base))
                for p, n in zip(node.parts.values(), entries, strict=True)
            ),
            number(0),
        )
    return node.values[entries[0]] if isinstance(node, Column) else boolean(bool(entries[0]))


def linear_on_grid(e: Expression, here: Grid) -> Linear:
    """The exact values of an expression; NotLinear where they are not linear in what is known on
    the grid.
    """
    found = here.cache.get(e)
    if found is None:
        try:
            found = _linear(e, here)
        except NotLinear as reason:
            found = reason
        here.cache[e] = found
    if isinstance(found, NotLinear):
        raise found
    return found


def _linear(e: Expression, here: Grid) -> Linear:
    if e in here.nodes:
        return _of_node(here.nodes[e], here)
    if not here.varies(e):
        return linear_of_constant(here.constants.value(e))
    if e.head == "^":
        return _whole_power(e, here)
    if e.head == "piecewise":
        return _branches(e, here)
    if e.head not in _LINEAR:
        raise NotLinear(f"{e.head} of what varies")
    return _LINEAR[e.head]([linear_on_grid(a, here) for a in e.args])


def _of_node(node: Column | Linear, here: Grid) -> Linear:
    if isinstance(node, Linear):
        return node
    heads = {v.head for v in node.values}
    if "label" in heads:
        raise NotLinear("a label is not a number")
    if heads == {"number"}:
        pairs = [v.args[0].as_integer_ratio() for v in node.values]
        den = guard_overflow(math.lcm(*{d for _, d in pairs}))
        numerators = [n * (den // d) for n, d in pairs]
        guard_overflow(max(map(abs, numerators)))
        return linear_of_array(np.array(numerators, dtype=np.int64)[node.codes], den)
    values = [linear_of_constant(here.constants.value(v)) for v in node.values]
    result = Linear({}, 1)
    for i, v in enumerate(values):
        result = add_linear(
            result, multiply_linear(linear_of_array((node.codes == i).astype(np.int64)), v)
        )
    return result


def _only(v: Linear) -> int:
    return int(v.parts[UNIT].column[0, 0]) if v.parts else 0


def _folded(of: Callable[[Linear, Linear], Linear]) -> Callable[[list[Linear]], Linear]:
    def fold(values: list[Linear]) -> Linear:
        result = values[0]
        for value in values[1:]:
            result = of(result, value)
        return result

    return fold


def _absolute(values: list[Linear]) -> Linear:
    (a,) = values
    if a.is_rational:
        return a.mapped(np.abs)
    s = linear_signs(a)
    return a.mapped(lambda column: column * s)


def _floor(values: list[Linear]) -> Linear:
    (a,) = values
    if not a.is_rational:
        raise NotLinear("the floor of what is irrational")
    return a.mapped(lambda column: column // np.int64(a.den), lambda most: most + 1, den=1)


def _mod(values: list[Linear]) -> Linear:
    a, b = values
    if not b.is_rational or any(p.column.size != 1 for p in b.parts.values()):
        raise NotLinear("mod of what varies")
    if not _only(b):
        raise ZeroDivisionError
    quotient = multiply_linear(a, linear_of_constant(constant(Fraction(b.den, _only(b)))))
    return subtract_linear(a, multiply_linear(b, _floor([quotient])))


def _whole_power(e: Expression, here: Grid) -> Linear:
    k = whole_exponent(e, here)
    if k is None or not 0 <= k <= POWER:
        raise NotLinear("a power that is not expanded")
    result = linear_of_constant(constant(1))
    for _ in range(k):
        result = multiply_linear(result, linear_on_grid(e.args[0], here))
    return result


def whole_exponent(e: Expression, here: Grid) -> int | None:
    """The exponent of a power, if it is a constant integer that is not too large."""
    if here.varies(e.args[1]):
        return None
    k = here.constants.value(e.args[1]).as_rational
    return int(k) if k is not None and k.denominator == 1 and abs(k) <= POWER else None


def _branches(e: Expression, here: Grid) -> Linear:
    result, open_ = linear_of_constant(constant(0)), np.ones((1, 1), dtype=bool)
    for value, condition in zip(e.args[::2], e.args[1::2], strict=True):
        holds = open_ & condition_mask(condition, here)
        if holds.any():
            result = select_linear(holds, linear_on_grid(value, here), result)
        open_ = open_ & ~holds
    if open_.any():
        raise NotLinear("a piecewise expression without a branch that holds")
    return result


_LINEAR: dict[str, Callable[[list[Linear]], Linear]] = {
    "+": _folded(add_linear),
    "*": _folded(multiply_linear),
    "abs": _absolute,
    "floor": _floor,
    "mod": _mod,
    "max": _folded(lambda a, b: select_linear(linear_signs(subtract_linear(a, b)) >= 0, a, b)),
    "min": _folded(lambda a, b: select_linear(linear_signs(subtract_linear(a, b)) <= 0, a, b)),
    "sign": lambda values: linear_of_array(linear_signs(values[0])),
}


# conditions


def condition_mask(e: Expression, here: Grid) -> Array:
    """Where a condition holds; NotLinear where that cannot be read off linear values."""
    if e.head == "not":
        return ~condition_mask(e.args[0], here)
    if e.head in ("and", "or"):
        join = np.logical_and if e.head == "and" else np.logical_or
        result = condition_mask(e.args[0], here)
        for part in e.args[1:]:
            result = join(result, condition_mask(part, here))
        return result
    if not here.varies(e):
        try:
            return np.full((1, 1), truth(e, EMPTY))
        except Undecided:
            raise Unsupported(f"the condition {short_text(str(e))} is not decided") from None
    if e.head not in ("==", "!=", "<", "<="):
        raise NotLinear(f"{e.head} is not a comparison")
    if any(_is_label(a, here) for a in e.args):
        return _labels(e, here)
    gap = linear_signs(
        subtract_linear(linear_on_grid(e.args[0], here), linear_on_grid(e.args[1], here))
    )
    return {"==": gap == 0, "!=": gap != 0, "<": gap < 0, "<=": gap <= 0}[e.head]


def _is_label(e: Expression, here: Grid) -> bool:
    node = here.nodes.get(e)
    return e.head == "label" or (
        isinstance(node, Column) and any(v.head == "label" for v in node.values)
    )


def _labels(e: Expression, here: Grid) -> Array:
    """Equality of names and values, one of which may be a label: a label equals only itself."""
    if e.head not in ("==", "!="):
        raise NotLinear("a label can only be tested for equality")
    one = np.zeros((1, 1), dtype=np.int64)
    sides = [
        node if isinstance(node := here.nodes.get(a), Column) else Column(one, (a,)) for a in e.args
    ]
    if any(v.head not in ("label", "number") for side in sides for v in side.values):
        raise NotLinear("a label is compared with a computed number")
    same = np.array([[a == b for b in sides[1].values] for a in sides[0].values])
    return same[sides[0].codes, sides[1].codes] == (e.head == "==")
