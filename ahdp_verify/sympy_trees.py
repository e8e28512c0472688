"""SymPy expressions are read by the names of their classes: SymPy is not imported.  Importing this
module makes them expressions wherever one is expected.

A class of SymPy is identified by its own name and by those of its base classes; a class without an
entry in `TREES` is refused.  Numbers are texts, other nodes lists [head, arguments ...].

A symbol stands for the name that it has, whatever its assumptions; one whose name is in double
quotes is a label.  Applications of undefined functions called sum, maximum, minimum and index are
the nodes of these names, which SymPy does not know.

>>> from_sympy(1)
Traceback (most recent call last):
ahdp_verify.kernel.errors.BadInput: SymPy expression: int is not a SymPy expression; use it directly
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import reduce
from itertools import pairwise
from typing import Any

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.expression import LEAVES, READERS, Expression, number, rebuild
from ahdp_verify.kernel.terms.words import SMOOTH, is_name

WHERE = "SymPy expression"
OWN = ("sum", "maximum", "minimum", "index")  # undefined functions that are nodes


def sympy_classes(value: object) -> list[str]:
    """The names of the classes of SymPy that a value is of, the nearest first."""
    return [
        kind.__name__
        for kind in type(value).__mro__
        if str(kind.__module__).partition(".")[0] == "sympy"
    ]


def from_sympy(value: object) -> Expression:
    """The expression of a SymPy expression, whose symbols stand for the names that they have,
    whatever their assumptions; BadInput for floats, for two symbols of one name and for anything
    without a counterpart here.
    """
    return _built(sympy_tree(value))


def _built(data: Any) -> Expression:
    if isinstance(data, str):
        return number(data)
    head, *args = data
    if head in LEAVES:
        return Expression(head, tuple(args))
    parts = tuple(_built(a) for a in args)
    return rebuild(Expression(head, parts), parts)


def sympy_tree(e: Any) -> Any:
    """The canonical JSON of a SymPy expression; BadInput for floats, for two symbols of one name
    and for anything without a counterpart here.
    """
    if "Basic" not in sympy_classes(e):
        raise BadInput(WHERE, f"{type(e).__name__} is not a SymPy expression", "use it directly")
    symbols = sorted(str(s.name) for s in e.free_symbols if "Symbol" in sympy_classes(s))
    for first, second in pairwise(symbols):
        if first == second:
            raise BadInput(
                WHERE,
                f"two different symbols are called {first}",
                "make every symbol once, with one set of assumptions",
            )
    return _tree(e)


def _tree(e: Any) -> Any:
    for kind in sympy_classes(e):
        if kind in TREES:
            return TREES[kind](e)
    raise BadInput(
        WHERE,
        f"{str(e)[:60]} ({type(e).__name__}) has no counterpart here",
        "use exp, log, Abs, Min, Max, Piecewise and powers",
    )


def _float(e: Any) -> Any:
    mantissa, mark, exponent = str(e).partition("e")
    digits = mantissa.rstrip("0") if "." in mantissa else mantissa
    digits = f"{digits}0{mark}{exponent}" if digits.endswith(".") else f"{digits}{mark}{exponent}"
    raise BadInput(
        WHERE, f"{digits} is a float, which is not exact", f'write sympy.Rational("{digits}")'
    )


def _rational(e: Any) -> str:
    p, q = int(e.p), int(e.q)
    return str(p) if q == 1 else f"{p}/{q}"


def _symbol(e: Any) -> Any:
    if e.name.startswith('"'):
        try:
            return ["label", json.loads(e.name)]
        except ValueError:
            raise BadInput(
                WHERE, f"the symbol {e.name!r} is not a label", "end it with a double quote"
            ) from None
    stem, bracket, index = e.name.partition("[")
    if not is_name(stem) or (bracket and not index.removesuffix("]").isdecimal()):
        raise BadInput(
            WHERE,
            f"the symbol {e.name!r} is not a name",
            "use letters, digits and _, and x[2] for a part of a vector",
        )
    return ["name", e.name]


def _all(e: Any) -> list[Any]:
    return [_tree(a) for a in e.args]


def _node(head: str) -> Callable[[Any], Any]:
    return lambda e: [head, *_all(e)]


def _swapped(head: str) -> Callable[[Any], Any]:
    return lambda e: [head, *_all(e)[::-1]]


def _joined(head: str) -> Callable[[Any], Any]:
    """The node of And or Or, which take any number of arguments."""
    return lambda e: reduce(lambda a, b: [head, a, b], _all(e))


def _product(e: Any) -> Any:
    """The factors of a product, divisors after all others."""
    return ["*", *sorted(_all(e), key=lambda f: isinstance(f, list) and f[::2] == ["^", "-1"])]


def _power(e: Any) -> Any:
    """b ^ a, written 1 / b ^ -a where a is a negative number."""
    base, exponent = _all(e)
    if isinstance(exponent, str) and exponent.startswith("-"):
        positive = exponent[1:]
        return ["^", base if positive == "1" else ["^", base, positive], "-1"]
    return ["^", base, exponent]


def _undefined(e: Any) -> Any:
    head = e.func.__name__
    if head not in OWN:
        raise BadInput(WHERE, f"the function {head} is not defined", "replace it by its definition")
    return [head, *_all(e)]


def _piecewise(e: Any) -> Any:
    if not e.args:
        raise BadInput(WHERE, "a Piecewise has no branch that can hold", "give it one")
    return ["piecewise", *(_tree(part) for branch in e.args for part in branch.args)]


def _negative(e: Any) -> Any:
    return ["*", "-1", e]


def _hyperbolic(e: Any) -> tuple[Any, Any]:
    """exp(u) and exp(-u) of a function of u."""
    (u,) = _all(e)
    return ["exp", u], ["exp", _negative(u)]


def _sinh(e: Any) -> Any:
    up, down = _hyperbolic(e)
    return ["+", ["*", "1/2", up], ["*", "-1/2", down]]


def _cosh(e: Any) -> Any:
    up, down = _hyperbolic(e)
    return ["+", ["*", "1/2", up], ["*", "1/2", down]]


def _tanh(e: Any) -> Any:
    up, down = _hyperbolic(e)
    return ["*", ["+", up, _negative(down)], ["^", ["+", up, down], "-1"]]


TREES: dict[str, Callable[[Any], Any]] = {
    "Float": _float,
    "Rational": _rational,
    "Infinity": lambda e: ["oo"],
    "NegativeInfinity": lambda e: _negative(["oo"]),
    "Pi": lambda e: ["pi"],
    "Exp1": lambda e: ["exp", "1"],
    "BooleanTrue": lambda e: ["boolean", True],
    "BooleanFalse": lambda e: ["boolean", False],
    "Symbol": _symbol,
    "Indexed": lambda e: ["index", ["name", str(e.base)], _tree(e.indices[0])],
    "Add": _node("+"),
    "Mul": _product,
    "Pow": _power,
    "exp": _node("exp"),
    "log": _node("log"),
    "Abs": _node("abs"),
    "sign": _node("sign"),
    "floor": _node("floor"),
    "ceiling": lambda e: _negative(["floor", *(_negative(a) for a in _all(e))]),
    "Mod": _node("mod"),
    "Min": _node("min"),
    "Max": _node("max"),
    "binomial": _node("binomial"),
    **{head: _node(head) for head in ("Ei", "theta3", *SMOOTH)},
    "erfc": lambda e: ["+", "1", _negative(["erf", *_all(e)])],
    "sinh": _sinh,
    "cosh": _cosh,
    "tanh": _tanh,
    "Equality": _node("=="),
    "Unequality": _node("!="),
    "StrictLessThan": _node("<"),
    "LessThan": _node("<="),
    "StrictGreaterThan": _swapped("<"),
    "GreaterThan": _swapped("<="),
    "And": _joined("and"),
    "Or": _joined("or"),
    "Not": _node("not"),
    "Piecewise": _piecewise,
    "AppliedUndef": _undefined,
}

READERS["sympy"] = from_sympy
