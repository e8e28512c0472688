"""Expressions as SymPy expressions and back, both exact; SymPy's own automatic rewriting (x - x is
0) is all that may change a form.

A SymPy expression may stand wherever an expression is expected: it is read by the names of its
symbols, whatever they are assumed to be. SymPy's own rewriting relies on such assumptions before
anything is read here (Abs(x) of a positive x is x already), so assume what is true of the name, or
that it is real.  In SymPy == asks for the same object: equality of values is sympy.Eq(a, b) or
eq(a, b).

Names become real symbols.  A label becomes a symbol whose name is in double quotes; sum, maximum,
minimum and index, which SymPy does not know, become undefined functions of these names.  Floats are
refused, and so is everything that the trees cannot say.

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
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.expression import (
    AGGREGATES,
    FALSE,
    TRUE,
    Expression,
    add,
    component,
    exp,
    floor,
    multiply,
    name,
    negative,
    number,
    oo,
    pi,
)
from ahdp_verify.kernel.terms.printing import is_reciprocal
from ahdp_verify.kernel.terms.words import is_name

WHERE = "SymPy expression"
COMPARISONS = (
    "==",
    "!=",
    "<",
    "<=",
)  # not evaluated, nor is Piecewise: SymPy's work on odd conditions may fail or run without end
OWN = (*AGGREGATES, "index")
HEADS: dict[str, Any] = {
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
    "==": sympy.Eq,
    "!=": sympy.Ne,
    "<": sympy.Lt,
    "<=": sympy.Le,
    "and": sympy.And,
    "or": sympy.Or,
    "not": sympy.Not,
    **{head: sympy.Function(head) for head in OWN},
}


def to_sympy(e: Expression) -> Any:
    """The SymPy expression of a tree; BadInput where SymPy finds that it has no value (1/0, oo -
    oo, mod(1, 0)).
    """
    try:
        found = _to_sympy(e)
    except (ZeroDivisionError, TypeError, ValueError, NotImplementedError) as error:
        raise BadInput(
            WHERE,
            f"SymPy finds no value for {str(e)[:60]} ({' '.join(str(error).split())[:80]})",
            "write it without that",
        ) from None
    if found.has(sympy.nan, sympy.zoo):
        raise BadInput(
            WHERE, f"{str(e)[:60]} divides by 0 or subtracts oo from oo", "write it without that"
        )
    return found


def _to_sympy(e: Expression) -> Any:
    if e.head in TO:
        return TO[e.head](*e.args)
    args = [_to_sympy(a) for a in e.args]
    if e.head == "piecewise":
        return sympy.Piecewise(*zip(args[::2], args[1::2], strict=True), evaluate=False)
    return HEADS[e.head](*args, evaluate=False) if e.head in COMPARISONS else HEADS[e.head](*args)


TO: dict[str, Callable[..., Any]] = {
    "number": lambda value: sympy.Rational(value.numerator, value.denominator),
    "name": lambda text: sympy.Symbol(text, real=True),
    "label": lambda text: sympy.Symbol(json.dumps(text, ensure_ascii=False)),
    "boolean": lambda value: sympy.true if value else sympy.false,
    "oo": lambda: sympy.oo,
    "pi": lambda: sympy.pi,
}


def from_sympy(e: Any) -> Expression:
    """The tree of a SymPy expression; BadInput for floats, for two symbols of one name and for
    what has no counterpart here.
    """
    if not isinstance(e, sympy.Basic):
        raise BadInput(WHERE, f"{type(e).__name__} is not a SymPy expression", "use it directly")
    symbols = sorted(s.name for s in e.free_symbols if isinstance(s, sympy.Symbol))
    for first, second in pairwise(symbols):
        if first == second:
            raise BadInput(
                WHERE,
                f"two different symbols are called {first}",
                "make every symbol once, with one set of assumptions",
            )
    return _from_sympy(e)


def _from_sympy(e: Any) -> Expression:
    if isinstance(e, sympy.Float):
        digits = sympy.sstr(e, full_prec=False)
        raise BadInput(
            WHERE, f"{digits} is a float, which is not exact", f'write sympy.Rational("{digits}")'
        )
    if e in CONSTANTS:
        return CONSTANTS[e]
    for kind, read in FROM.items():
        if isinstance(e, kind):
            return read(e)
    raise BadInput(
        WHERE,
        f"{str(e)[:60]} ({type(e).__name__}) has no counterpart here",
        "use exp, log, Abs, Min, Max, Piecewise and powers",
    )


def _all(e: Any) -> tuple[Expression, ...]:
    return tuple(_from_sympy(a) for a in e.args)


def _node(head: str, *, swapped: bool = False) -> Callable[[Any], Expression]:
    return lambda e: Expression(head, _all(e)[::-1] if swapped else _all(e))


def _joined(head: str) -> Callable[[Any], Expression]:
    """For And and Or, whose arguments are any number."""
    return lambda e: reduce(lambda a, b: Expression(head, (a, b)), _all(e))


def _symbol(e: Any) -> Expression:
    if e.name.startswith('"'):
        return Expression("label", (json.loads(e.name),))
    stem, bracket, index = e.name.partition("[")
    if not is_name(stem) or (bracket and not index.removesuffix("]").isdecimal()):
        raise BadInput(
            WHERE,
            f"the symbol {e.name!r} is not a name",
            "use letters, digits and _, and x[2] for a part of a vector",
        )
    return name(e.name)


def _power(e: Any) -> Expression:
    """b ^ a, written 1 / b ^ -a where a is a negative number."""
    if e.exp.is_Rational and e.exp < 0:
        return 1 / _from_sympy(sympy.Pow(e.base, -e.exp))
    return Expression("^", _all(e))


def _own(e: Any) -> Expression:
    head = e.func.__name__
    if head not in OWN:
        raise BadInput(WHERE, f"the function {head} is not defined", "write out what it is")
    return component(*_all(e)) if head == "index" else Expression(head, _all(e))


def _piecewise(e: Any) -> Expression:
    if not e.args:
        raise BadInput(WHERE, "a Piecewise has no branch that can hold", "give it one")
    return Expression(
        "piecewise", tuple(_from_sympy(part) for branch in e.args for part in branch.args)
    )


CONSTANTS: dict[Any, Expression] = {
    sympy.oo: oo,
    -sympy.oo: negative(oo),
    sympy.pi: pi,
    sympy.E: exp(1),
    sympy.true: TRUE,
    sympy.false: FALSE,
}
FROM: dict[Any, Callable[[Any], Expression]] = {
    sympy.Rational: lambda e: number(Fraction(int(e.p), int(e.q))),
    sympy.Symbol: _symbol,
    sympy.Indexed: lambda e: component(name(str(e.base)), _from_sympy(e.indices[0])),
    sympy.Add: lambda e: add(*_all(e)),
    sympy.Mul: lambda e: multiply(*sorted(_all(e), key=is_reciprocal)),
    sympy.Pow: _power,
    sympy.Piecewise: _piecewise,
    AppliedUndef: _own,
    sympy.ceiling: lambda e: negative(floor(_from_sympy(-e.args[0]))),
    **{
        kind: lambda e: _from_sympy(e.rewrite(sympy.exp))
        for kind in (sympy.sinh, sympy.cosh, sympy.tanh)
    },
    **{kind: _node(head, swapped=True) for head, kind in (("<", sympy.Gt), ("<=", sympy.Ge))},
    **{kind: _joined(head) for head, kind in (("and", sympy.And), ("or", sympy.Or))},
    **{
        kind: _node(head)
        for head, kind in HEADS.items()
        if head not in (*OWN, "+", "*", "^", "and", "or")
    },
}
