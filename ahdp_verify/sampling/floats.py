"""Expressions in floats, evaluated at many values of their names at once: for draws and
experiments, never for a verdict.

A name stands for a column: an array with one number (or text) for each draw, or for each record.
A part without names is computed exactly and then rounded.  In a ratio the exponentials of a product
are combined before they are evaluated, so that exp(1000) exp(-1000) is 1.  Needs numpy.

>>> from ahdp_verify.kernel.terms.expression import exp, name, piecewise
>>> x = name("x")
>>> evaluate_columns(piecewise((exp(x), x < 1), (2, True)), {"x": np.array([0.0, 1.0])})
array([1., 2.])
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Mapping
from math import prod
from typing import Any

from ahdp_verify.decimals import approximate_rational
from ahdp_verify.kernel.errors import BadInput, Missing, NotWorkedOut, Undecided, Unsupported
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, constant, polynomial_of_monomial
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.terms.expression import Expression, names
from ahdp_verify.search.floating_point import theta3_float

__all__ = (
    "EMPTY",
    "Array",
    "Columns",
    "equal_columns",
    "evaluate_columns",
    "np",
    "numeric_column",
    "ratio_values",
    "rounded_ratio",
    "split_exponential",
)  # np too: the one place that says what to install


class SamplingNumPy:
    """What the module numpy has, under the same names: it is slow to load, and imported when
    something is first asked of it; Missing where it is not installed.
    """

    def __getattr__(self, key: str) -> Any:
        try:
            import numpy  # noqa: PLC0415 - it is an extra, and slow to load
        except ImportError:
            raise Missing("sampling", "numpy", "sampling") from None
        found = getattr(numpy, key)
        setattr(self, key, found)
        return found


np: Any = SamplingNumPy()
Array = Any  # numpy ships no types that mypy follows here
Columns = Mapping[str, Array]
EMPTY = Context.empty()
EXACT = 2**53  # whole numbers up to here are exact as floats


def _chosen(n: Array, k: Array) -> Array:
    """n choose k for whole k, by the product."""
    most = int(np.max(k, initial=0))
    steps = (np.where(i < k, (n - i) / (i + 1), 1.0) for i in range(most))
    return np.where(
        k < 0, 0.0, prod(steps, start=np.ones(np.broadcast_shapes(np.shape(n), np.shape(k))))
    )


def equal_columns(a: Array, b: Array) -> Array:
    """Where two columns agree; a number is never a text."""
    a, b = np.asarray(a), np.asarray(b)
    if "O" not in a.dtype.kind + b.dtype.kind and (a.dtype.kind == "U") != (b.dtype.kind == "U"):
        return np.zeros(np.broadcast_shapes(a.shape, b.shape), dtype=bool)
    return a == b


def numeric_column(a: Array) -> Array:
    """The column with nan in place of texts."""
    a = np.asarray(a)
    if a.dtype.kind == "U":
        return np.full(a.shape, np.nan)
    return (
        np.array([np.nan if isinstance(v, str) else v for v in a.ravel()], dtype=float).reshape(
            a.shape
        )
        if a.dtype.kind == "O"
        else a
    )


def _all(function: str) -> Callable[..., Array]:
    return lambda *a: functools.reduce(getattr(np, function), a)


def _plain(function: str) -> Callable[..., Array]:
    return lambda *a: getattr(np, function)(*a)


NUMERIC_OPERATIONS: Mapping[str, Callable[..., Array]] = {
    "*": _all("multiply"),
    "+": _all("add"),
    "min": _all("minimum"),
    "max": _all("maximum"),
    "^": lambda a, b: np.power(np.asarray(a, dtype=float), b),
    "exp": _plain("exp"),
    "log": _plain("log"),
    "sin": _plain("sin"),
    "cos": _plain("cos"),
    "atan": _plain("arctan"),
    "theta3": lambda a: np.vectorize(theta3_float, otypes=[float])(a),
    "erf": lambda a: np.vectorize(math.erf, otypes=[float])(a),
    "abs": _plain("abs"),
    "sign": _plain("sign"),
    "floor": _plain("floor"),
    "mod": _plain("mod"),
    "binomial": _chosen,
    "<": _plain("less"),
    "<=": _plain("less_equal"),
}
GENERAL_OPERATIONS: Mapping[str, Callable[..., Array]] = {
    "==": equal_columns,
    "!=": lambda a, b: ~equal_columns(a, b),
    "and": _all("logical_and"),
    "or": _all("logical_or"),
    "not": _plain("logical_not"),
}


def evaluate_columns(e: Expression, columns: Columns) -> Array:
    """The values of an expression; infinities are what floats make of them.  BadInput for what
    has no number.
    """
    match e.head:
        case "name":
            return columns[e.args[0]]
        case "label" | "boolean":
            return e.args[0]
        case "number" if e.args[0].denominator == 1 and abs(e.args[0]) <= EXACT:
            return int(e.args[0])
        case "oo":
            return np.inf
        case "piecewise":
            branches = list(zip(e.args[::2], e.args[1::2], strict=True))
            rest = evaluate_columns(branches[-1][0], columns)
            return functools.reduce(
                lambda later, b: np.where(
                    evaluate_columns(b[1], columns), evaluate_columns(b[0], columns), later
                ),
                reversed(branches[:-1]),
                rest,
            )
        case head if head in GENERAL_OPERATIONS:
            return GENERAL_OPERATIONS[head](*(evaluate_columns(a, columns) for a in e.args))
    if not names(e) and (constant := exact_float(e)) is not None:
        return constant
    if e.head not in NUMERIC_OPERATIONS:
        raise NotWorkedOut(
            str(e),
            f"{e.head} cannot be evaluated here",
            "use sums, products, powers, exponentials and comparisons",
        )
    return NUMERIC_OPERATIONS[e.head](
        *(numeric_column(evaluate_columns(a, columns)) for a in e.args)
    )


@functools.lru_cache(maxsize=4096)
def exact_float(e: Expression) -> float | None:
    """A constant computed exactly, then rounded; None if it is not a number."""
    try:
        return rounded_ratio(normal(e, EMPTY))
    except (Undecided, Unsupported):
        return None


def rounded_ratio(r: Ratio) -> float:
    """A constant as a float; BadInput where it is too large for one, NotWorkedOut where it was
    not enclosed.
    """
    try:
        return float(approximate_rational(r))
    except OverflowError:
        raise BadInput(
            "floating point", "a number above 10^308 appears", "use smaller counts or parameters"
        ) from None
    except Unsupported as why:
        raise NotWorkedOut("floating point", str(why), "use smaller counts or parameters") from None


def ratio_values(r: Ratio, columns: Columns) -> Array:
    """The values of a ratio."""
    if not algebra.ratio_names(r):
        return rounded_ratio(r)
    return polynomial_values(r.num, columns) / prod(
        (polynomial_values(f, columns) ** k for f, k in r.den), start=1.0
    )


def polynomial_values(p: Polynomial, columns: Columns) -> Array:
    """The values of a polynomial."""
    return sum(scale * np.exp(exponent) for scale, exponent in term_values(p, columns))


def term_values(p: Polynomial, columns: Columns) -> Iterator[tuple[Array, Array]]:
    """For each term of a polynomial the values of its factor and of the exponent that stand in
    factor * exp(exponent).
    """
    for m, c in p.terms.items():
        rest, exponent = split_exponential(m)
        factors = (
            evaluate_columns(
                to_expression(Ratio(polynomial_of_monomial(algebra.Monomial((pair,))))), columns
            )
            for pair in rest.powers
        )
        yield prod(factors, start=float(c)), ratio_values(exponent, columns)


def split_exponential(m: algebra.Monomial) -> tuple[algebra.Monomial, Ratio]:
    """(rest, exponent) with m = rest * exp(exponent) and no exponential in rest."""
    listed = [(a.payload, e) for a, e in m.powers if a.kind == "exp"]
    exponent = sum(
        (Ratio(polynomial_of_monomial(inner, e), den) for (inner, den), e in listed), constant(0)
    )
    return algebra.Monomial(pair for pair in m.powers if pair[0].kind != "exp"), exponent
