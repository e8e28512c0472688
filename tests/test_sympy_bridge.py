"""SymPy and back: the same numbers at every point, round trips that reach a fixed point, and
nothing inexact is accepted.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.expression import LEAVES, Expression, exp, name, names, walk
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.sympy_bridge import from_sympy, to_sympy
from tests.strategies import NAMES, arithmetic, expressions

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "^": operator.pow,
    "mod": operator.mod,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
}
UNARY: dict[str, Callable[[Any], Any]] = {
    "exp": math.exp,
    "log": math.log,
    "sin": math.sin,
    "cos": math.cos,
    "atan": math.atan,
    "erf": math.erf,
    "abs": abs,
    "sign": lambda a: (a > 0) - (a < 0),
    "floor": math.floor,
    "not": operator.not_,
}


def value(e: Expression, at: Mapping[str, float]) -> Any:
    """The value of a tree in floating point, written apart from everything that the package does
    with trees.
    """
    if e.head == "piecewise":
        return next(
            value(v, at) for v, c in zip(e.args[::2], e.args[1::2], strict=True) if value(c, at)
        )
    if e.head in ("number", "boolean", "name"):
        return at[e.args[0]] if e.head == "name" else float(e.args[0])
    if e.head in ("oo", "pi"):
        return math.pi if e.head == "pi" else math.inf
    args = [value(a, at) for a in e.args]
    if e.head in BINARY:
        return BINARY[e.head](*args)
    many: dict[str, Callable[[Any], Any]] = {
        "+": sum,
        "*": math.prod,
        "min": min,
        "max": max,
        "and": all,
        "or": any,
    }
    return many[e.head](args) if e.head in many else UNARY[e.head](*args)


def value_or_none(e: Expression, at: Mapping[str, float]) -> float | None:
    """The value, if it is an ordinary real number of moderate size."""
    try:
        found = value(e, at)
    except (ArithmeticError, ValueError, StopIteration, TypeError):
        return None
    return float(found) if isinstance(found, int | float) and abs(found) < 1e6 else None


# Steps of these functions are excluded: rounding on one side of a step says nothing about the form.
STEPS = frozenset(
    ("sign", "floor", "mod", "==", "!=", "<", "<=", "boolean", "binomial", "index", "oo", "label")
)


@given(
    arithmetic(depth=3),
    st.fixed_dictionaries({key: st.sampled_from((0.37, 1.83, -2.21, 3.09)) for key in NAMES}),
)
def test_the_value_stays(e: Expression, at: dict[str, float]) -> None:
    assume(not any(node.head in STEPS for node in walk(e)))
    before = value_or_none(e, at)
    assume(before is not None and before == before)
    after = value_or_none(from_sympy(to_sympy(e)), at)
    assert after is None or after == pytest.approx(before, rel=1e-6, abs=1e-6)


@given(expressions(depth=3))
def test_rounds_come_to_rest(e: Expression) -> None:
    rounds = [e]
    for _ in range(5):  # SymPy itself needs several: Abs(-Abs(s)) becomes Abs(Abs(s)) first
        try:
            rounds.append(from_sympy(to_sympy(rounds[-1])))
        except BadInput:
            assume(False)
    assert rounds[-1] == rounds[-2] and names(rounds[-1]) <= names(e)


def unordered(e: Expression) -> object:
    """A tree without the order of arguments, where order says nothing."""
    if e.head in LEAVES:
        return e
    parts = [unordered(a) for a in e.args]
    return (
        e.head,
        *(
            sorted(parts, key=repr)
            if e.head in ("+", "*", "and", "or", "==", "!=", "min", "max")
            else parts
        ),
    )


@pytest.mark.parametrize(
    "text",
    [
        "exp(-abs(s - 1)/2)/4",
        "sum(x)*size",
        "count(x == 1)",
        'x == "yes"',
        "a <= b and b <= c",
        "not (a < b and b < c)",
        "q[s + 1]",
        "x[2]/y[1]",
        "-oo",
        "pi/3",
        "sqrt(2)/b^2",
        "2^(-x)",
        "1/b",
        "mod(x, 2)",
        "maximum(x) - minimum(x)",
        "piecewise((1, x < 0), (x, x == 0), (2, true))",
        "1/sqrt(x)",
        "binomial(n, k)",
        "floor(x/2)",
        "min(x, y)",
        "log(3/2)",
        "a < b or b == c",
        'piecewise((1, x == "a \\"b\\""), (0, true))',
    ],
)
def test_common_forms_return_as_they_are(text: str) -> None:
    assert unordered(from_sympy(to_sympy(parse(text)))) == unordered(parse(text))


x = sympy.Symbol("x")


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (sympy.exp(-x), "exp(-x)"),
        (sympy.E, "exp(1)"),
        (x > 1, "1 < x"),
        (x >= 1, "1 <= x"),
        (sympy.ceiling(x), "-floor(-x)"),
        (sympy.Integer(3), "3"),
        (sympy.Rational(-1, 3), "-1/3"),
        (sympy.true, "true"),
        (sympy.cosh(x), "exp(x)/2 + exp(-x)/2"),
        (sympy.IndexedBase("q")[2], "q[2]"),
        (sympy.Or(x < 1, sympy.Ne(x, 2)), "x < 1 or x != 2"),
        (sympy.sqrt(8), "2*sqrt(2)"),
        (sympy.S.Zero, "0"),
    ],
)
def test_sympy_forms(given: Any, text: str) -> None:
    assert unordered(from_sympy(given)) == unordered(parse(text))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (
            sympy.Float("0.1"),
            r'0\.1 is a float, which is not exact; write sympy\.Rational\("0\.1"\)',
        ),
        (x * 0.5, "0.5 is a float"),
        (1, "int is not a SymPy"),
        (0.5, "float is not a SymPy"),
        ("x", "str is not a SymPy"),
        (sympy.I, "no counterpart"),
        (sympy.nan, "no counterpart"),
        (sympy.zoo, "no counterpart"),
        (sympy.tan(x), "no counterpart"),
        (sympy.Function("f")(x), "the function f is not defined"),
        (sympy.Symbol("x y"), "is not a name"),
        (sympy.Symbol("exp"), "is not a name"),
        (sympy.Symbol("x[a]"), "is not a name"),
        (x + sympy.Symbol("x", positive=True), "two different symbols are called x"),
        (sympy.Matrix([1]), "Matrix"),
        (sympy.Integral(x, x), "no counterpart"),
    ],
)
def test_what_the_trees_cannot_say_is_refused(given: Any, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        from_sympy(given)


@pytest.mark.parametrize("text", ["1/0", "oo - oo", "0*oo", "mod(0, 0)", "max(sqrt(-1), 0)"])
def test_what_has_no_value_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="rewrite it without that"):
        to_sympy(parse(text) if text != "oo - oo" else Expression("+", (parse("oo"), parse("-oo"))))


def test_names_become_real_symbols() -> None:
    assert to_sympy(abs(name("s")) ** 2) == sympy.Symbol("s", real=True) ** 2
    assert to_sympy(exp(name("s"))).free_symbols == {sympy.Symbol("s", real=True)}


def test_exponential_integrals_go_both_ways() -> None:
    e = Expression("Ei", (name("x") + 1,))
    assert (
        to_sympy(e) == sympy.Ei(sympy.Symbol("x", real=True) + 1) and from_sympy(to_sympy(e)) == e
    )
