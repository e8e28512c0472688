"""Expressions as functions of floats: where a search looks first, never what it concludes.

A point gives each name a float, or the text of a label, and each record sum, maximum and minimum
its value. Whatever has no value there is nan or raises one of `WITHOUT_VALUE`.

>>> from ahdp_verify.kernel.terms.grammar import parse
>>> inverse = float_function(parse("piecewise((1/x, x != 0), (5, true))"))
>>> inverse({"x": 4.0}), inverse({"x": 0.0})
(0.25, 5.0)
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, cast

from ahdp_verify.kernel.terms.expression import AGGREGATES, LEAVES, Expression

Point = Mapping[Any, Any]  # floats and texts, by names and record aggregates; a dict where kept
FloatFunction = Callable[[Point], Any]
WITHOUT_VALUE = (ArithmeticError, ValueError, KeyError, TypeError, AttributeError)

MARGIN = 1e-9  # relative distance at which rounding does not change a comparison

CONSTANT = ("number", "boolean", "label", "pi", "oo")


def theta3_float(a: float) -> float:
    """The sum of exp(-a k^2) over whole k, for a > 0; by theta3(a) = sqrt(pi/a) theta3(pi^2/a) few
    terms suffice.
    """
    factor, rate = (math.sqrt(math.pi / a), math.pi**2 / a) if a < math.pi else (1.0, a)
    return factor * (1 + 2 * math.fsum(math.exp(-rate * k * k) for k in (1, 2, 3)))


OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "*": operator.mul,
    "max": max,
    "min": min,
    "^": math.pow,
    "exp": math.exp,
    "log": math.log,
    "abs": abs,
    "floor": math.floor,
    "sin": math.sin,
    "cos": math.cos,
    "atan": math.atan,
    "erf": math.erf,
    "theta3": theta3_float,
    "sign": lambda a: (a > 0) - (a < 0),
    "mod": lambda a, b: a - b * math.floor(a / b),
    "binomial": lambda n, k: math.comb(int(n), int(k)),
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    "not": operator.not_,
}
COLLECTING: dict[str, Callable[[Any], Any]] = {
    "+": math.fsum,
    "*": math.prod,
    "max": max,
    "min": min,
    "and": all,
    "or": any,
}


def float_function(e: Expression, moving: frozenset[str] = frozenset()) -> FloatFunction:
    """The function that gives the approximate value of an expression at a point; of a condition,
    whether it holds.

    Where the same point, a dict, is used again and again while only some names move, the parts that
    do not mention these are computed once, and are kept in the point.
    """
    return _built(e, moving)[0]


@lru_cache(maxsize=4096)
def _built(e: Expression, moving: frozenset[str]) -> tuple[FloatFunction, bool]:
    """The function, and whether it mentions a name that moves."""
    head, args = e.head, e.args
    if head in CONSTANT:
        value = leaf_value(e)
        return lambda point: value, False
    if head == "name":
        return operator.itemgetter(args[0]), args[0] in moving
    if head in AGGREGATES:
        return operator.itemgetter(e), False
    if head == "index":
        base, position = args[0].args[0], float_function(args[1], moving)
        return lambda point: point[f"{base}[{int(position(point))}]"], bool(moving)
    built = [_built(arg, moving) for arg in args]
    moves = any(moved for _, moved in built)
    parts = tuple(
        kept_in_point(part) if moves and not moved and arg.head not in LEAVES else part
        for arg, (part, moved) in zip(args, built, strict=True)
    )
    return combined(e, parts), moves


@lru_cache(maxsize=4096)
def kept_in_point(part: FloatFunction) -> FloatFunction:
    """The function, computed once for a point."""
    key = object()

    def value(point: Point) -> Any:
        found = point.get(key)
        if found is None:
            found = cast("dict[Any, Any]", point)[key] = part(point)
        return found

    return value


def combined(e: Expression, parts: tuple[FloatFunction, ...]) -> FloatFunction:
    """The function of an operation on the values of parts; most have one or two."""
    head = e.head
    if head == "piecewise":
        return first_that_holds(parts)
    if len(parts) > 2 or head in ("and", "or") or (head in COLLECTING and len(parts) < 2):
        collect = COLLECTING[head]
        return lambda point: collect([part(point) for part in parts])
    operation = OPERATIONS[head]
    if len(parts) == 1:
        (inner,) = parts
        return lambda point: operation(inner(point))
    left, right = parts
    first, second = (leaf_value(arg) if arg.head in CONSTANT else None for arg in e.args)
    if second is not None:
        return lambda point: operation(left(point), second)
    if first is not None:
        return lambda point: operation(first, right(point))
    return lambda point: operation(left(point), right(point))


def float_value(e: Expression) -> Any:
    """The approximate value of a constant, nan where it has none, the text of a label."""
    if e.head in CONSTANT:
        return leaf_value(e)
    try:
        return float_function(e)({})
    except (*WITHOUT_VALUE, RecursionError):
        return math.nan


def leaf_value(e: Expression) -> float | bool | str:
    """The value of a leaf other than a name; infinite for a number that no float reaches."""
    if e.head == "pi":
        return math.pi
    if e.head == "oo":
        return math.inf
    value: Any = e.args[0]
    if e.head == "boolean":
        return bool(value)
    if e.head == "label":
        return str(value)
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def first_that_holds(parts: tuple[FloatFunction, ...]) -> FloatFunction:
    """The function of a case distinction: value, condition, value, condition, and so on."""
    branches = tuple(zip(parts[1::2], parts[::2], strict=True))

    def choose(point: Point) -> Any:
        for holds, value in branches:
            if holds(point):
                return value(point)
        raise ValueError("no case applies")

    return choose


def clear_truth(condition: Expression, point: Point) -> bool | None:
    """Whether a condition holds at a point, by a clear margin; None where it is not clear."""
    head, args = condition.head, condition.args
    if head in ("and", "or"):
        parts = [clear_truth(part, point) for part in args]
        settles = head == "or"
        return settles if settles in parts else None if None in parts else not settles
    if head == "not":
        inner = clear_truth(args[0], point)
        return None if inner is None else not inner
    if head == "boolean":
        return bool(args[0])
    return _clear_comparison(condition, point)


def _clear_comparison(condition: Expression, point: Point) -> bool | None:
    try:
        left, right = (float_function(part)(point) for part in condition.args)
        if isinstance(left, str) or isinstance(right, str):
            return bool((left == right) == (condition.head == "=="))
        if not abs(left - right) > MARGIN * (1 + abs(left) + abs(right)):
            return None
    except WITHOUT_VALUE:
        return None
    return condition.head == "!=" if condition.head in ("==", "!=") else bool(left < right)
