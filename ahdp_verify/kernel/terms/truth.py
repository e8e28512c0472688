"""The truth value of a condition, for Python's `if`: only what needs no values and no work.

Any object with a `head` and `args` of the closed set in `ahdp_verify.kernel.terms.expression` is
decided, so this file needs no tree of its own.

>>> from ahdp_verify.kernel.terms.expression import name, number
>>> bool(number(1) < number(2)), bool(name("a") <= name("a"))
(True, True)
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from ahdp_verify.kernel.terms.printing import expression_text

ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
}
Value = Callable[[Any], Fraction | None]


def truth_of(e: Any, walk: Callable[[Any], Iterable[Any]], value: Value) -> bool:
    """Whether a condition holds that needs no values and no work: of rational numbers, labels and
    oo, or with the same tree on both sides; TypeError for all else.

    walk   gives every node of a tree;  value  gives the rational number that a tree is, or None
    """
    said = expression_text(e)[:60]
    if e.head != "boolean" and e.head not in (*ORDER, "and", "or", "not"):
        raise TypeError(
            f"an expression such as {said} has no truth value; compare it with something, as "
            f"in indicator(x == 1)"
        )
    decided = _decided(e, value)
    if decided is not None:
        return decided
    if any(node.head in ("name", "sum", "maximum", "minimum") for node in walk(e)):
        cure = (
            f"write indicator({said}), or piecewise((a, condition), (b, True)) for a "
            f"if condition else b, and &, |, ~ for and, or, not"
        )
        raise TypeError(
            f"an expression has no truth value, and whether {said} holds depends on values; {cure}"
        )
    raise TypeError(f"whether {said} holds has to be computed; write holds({said})")


def _decided(e: Any, value: Value) -> bool | None:
    """What is certain about a condition at once; None for all else."""
    if e.head == "boolean":
        return bool(e.args[0])
    if e.head == "not":
        inner = _decided(e.args[0], value)
        return None if inner is None else not inner
    if e.head in ("and", "or"):
        parts, decisive = {_decided(a, value) for a in e.args}, e.head == "or"
        return decisive if decisive in parts else None if None in parts else not decisive
    if e.head not in ORDER:
        return None
    left, right = e.args
    if left.same(right):
        return e.head in ("==", "<=")
    if "label" in (left.head, right.head) and {left.head, right.head} <= {"number", "label", "oo"}:
        return e.head == "!=" if e.head in ("==", "!=") else None
    sides = [math.inf if a.head == "oo" else value(a) for a in e.args]
    return None if None in sides else ORDER[e.head](*sides)
