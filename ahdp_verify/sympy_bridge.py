"""Conversion of expressions to SymPy and back, exact in both directions; only SymPy's own automatic
rewriting (x - x is 0) may change a form.

A SymPy expression can be used wherever an expression is expected: it is read by the names of its
symbols, regardless of their assumptions.  SymPy's own rewriting uses the assumptions before
anything is read here (Abs(x) of a positive x is already x), so assume only what is true of the
name, or that it is real.  In SymPy == compares structure: equality of values is sympy.Eq(a, b) or
eq(a, b).

Names become real symbols.  A label becomes a symbol whose name is in double quotes; sum, maximum,
minimum and index, which SymPy does not have, become undefined functions with these names.  Floats
are refused, and so is everything that the trees cannot express.  The reader of SymPy expressions
does not import SymPy (`ahdp_verify.sympy_trees`).

>>> import sympy
>>> print(from_sympy(sympy.exp(-abs(sympy.Symbol("s")) / 2) / sympy.Symbol("b") ** 2))
exp(-abs(s)/2)/b^2
>>> to_sympy(from_sympy(sympy.sqrt(8)))
2*sqrt(2)
>>> from_sympy(sympy.Float("0.1"))
Traceback (most recent call last):
ahdp_verify.kernel.errors.BadInput: SymPy expression: 0.1 is a float, which is not exact; write sympy.Rational("0.1")
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.expression import LEAVES, Expression
from ahdp_verify.sympy_trees import OWN, WHERE, from_sympy

__all__ = ("from_sympy", "to_sympy")

COMPARISONS = (
    "==",
    "!=",
    "<",
    "<=",
)  # not evaluated, nor is Piecewise: SymPy's work on odd conditions may fail or run without end


def to_sympy(e: Expression) -> Any:
    """The SymPy expression of a tree; BadInput where SymPy finds that it has no value (1/0, oo -
    oo, mod(1, 0)).
    """
    import sympy  # noqa: PLC0415 - slow to load

    try:
        found = _to_sympy(e)
    except (ZeroDivisionError, TypeError, ValueError, NotImplementedError) as error:
        raise BadInput(
            WHERE,
            f"SymPy finds no value for {str(e)[:60]} ({' '.join(str(error).split())[:80]})",
            "rewrite it without that",
        ) from None
    if found.has(sympy.nan, sympy.zoo):
        raise BadInput(
            WHERE, f"{str(e)[:60]} divides by 0 or subtracts oo from oo", "rewrite it without that"
        )
    return found


def _to_sympy(e: Expression) -> Any:
    makers = _makers()
    if e.head in LEAVES:
        return makers[e.head](*e.args)
    args = [_to_sympy(a) for a in e.args]
    if e.head == "piecewise":
        return makers[e.head](*zip(args[::2], args[1::2], strict=True), evaluate=False)
    if e.head in COMPARISONS:
        return makers[e.head](*args, evaluate=False)
    return makers[e.head](*args)


def _theta3(a: Any) -> Any:
    """The sum of exp(-a k^2) over all whole k."""
    import sympy  # noqa: PLC0415 - slow to load

    k = sympy.Dummy("k", integer=True)
    return sympy.Sum(sympy.exp(-a * k**2), (k, -sympy.oo, sympy.oo))


@cache
def _makers() -> dict[str, Callable[..., Any]]:
    """What makes the SymPy expression of each head."""
    import sympy  # noqa: PLC0415 - slow to load

    return {
        "number": lambda value: sympy.Rational(value.numerator, value.denominator),
        "name": lambda text: sympy.Symbol(text, real=True),
        "label": lambda text: sympy.Symbol(json.dumps(text, ensure_ascii=False)),
        "boolean": lambda value: sympy.true if value else sympy.false,
        "oo": lambda: sympy.oo,
        "pi": lambda: sympy.pi,
        "+": sympy.Add,
        "*": sympy.Mul,
        "^": sympy.Pow,
        "exp": sympy.exp,
        "log": sympy.log,
        "abs": sympy.Abs,
        "sign": sympy.sign,
        "floor": sympy.floor,
        "mod": sympy.Mod,
        "min": sympy.Min,
        "max": sympy.Max,
        "binomial": sympy.binomial,
        "Ei": sympy.Ei,
        "sin": sympy.sin,
        "cos": sympy.cos,
        "atan": sympy.atan,
        "erf": sympy.erf,
        "theta3": _theta3,
        "==": sympy.Eq,
        "!=": sympy.Ne,
        "<": sympy.Lt,
        "<=": sympy.Le,
        "and": sympy.And,
        "or": sympy.Or,
        "not": sympy.Not,
        "piecewise": sympy.Piecewise,
        **{head: sympy.Function(head) for head in OWN},
    }
