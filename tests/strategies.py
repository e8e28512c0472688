"""Hypothesis strategies: random trees of the kinds that people and programs write, always in the
form that the constructors give.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ahdp_verify.kernel.terms.expression import (
    FALSE,
    TRUE,
    Abs,
    Expression,
    Max,
    Min,
    add,
    binomial,
    component,
    eq,
    exp,
    floor,
    indicator,
    label,
    log,
    multiply,
    name,
    ne,
    number,
    oo,
    pi,
    piecewise,
    sign,
    sqrt,
    sum_over_records,
)
from ahdp_verify.kernel.terms.functions import atan, cos, erf, sin, theta3

NAMES = ("s", "t", "a_1", "eps1", "y[1]", "y[12]")
OF_RECORD = ("x", "eps", "h")


def fractions(size: int = 20) -> SearchStrategy[Fraction]:
    """Small fractions, whole ones and both signs often."""
    whole = st.integers(-size, size).map(Fraction)
    return whole | st.builds(Fraction, st.integers(-size, size), st.integers(1, size))


def numbers(size: int = 20) -> SearchStrategy[Expression]:
    """Leaves of small fractions."""
    return fractions(size).map(number)


def labels() -> SearchStrategy[Expression]:
    """Labels of any characters, including quotes and line breaks."""
    return st.text(max_size=8).map(label)


def raised(base: Expression, exponent: Expression) -> Expression:
    """base ^ exponent in the one form that it has: a power of a number to a whole number is a
    number (or, here, the base if that is large).
    """
    if (
        base.head != "number"
        or exponent.head != "number"
        or exponent.args[0].denominator != 1
        or (not base.args[0] and exponent.args[0] < 0)
    ):
        return base**exponent
    value, times = base.args[0], exponent.args[0].numerator
    return (
        base
        if abs(times) > 6 or value.numerator.bit_length() + value.denominator.bit_length() > 40
        else number(value**times)
    )


Builder = tuple[int, Callable[..., Expression]]
SMOOTH: tuple[Builder, ...] = (
    (2, add),
    (3, add),
    (2, multiply),
    (3, multiply),
    (2, lambda a, b: a - b),
    (2, lambda a, b: a / b),
    (1, lambda a: 1 / a),
    (1, lambda a: -a),
    (1, exp),
    (1, log),
    (1, sqrt),
    (1, lambda a: raised(a, number(2))),
    (1, lambda a: raised(a, number(-2))),
    (2, raised),
    *((1, f) for f in (sin, cos, atan, erf, theta3)),
)
KINKED: tuple[Builder, ...] = (
    (1, Abs),
    (1, sign),
    (1, floor),
    (2, lambda a, b: a % b),
    (2, binomial),
    (1, Max),
    (2, Max),
    (3, Min),
    (1, lambda a: component(name("q"), name("k") + a)),
)
COMPARISONS: tuple[Builder, ...] = (
    (2, lambda a, b: a < b),
    (2, lambda a, b: a >= b),
    (2, eq),
    (2, ne),
)
JOINED: tuple[Builder, ...] = ((2, lambda a, b: a & b), (2, lambda a, b: a | b), (1, lambda a: ~a))
OVER_RECORDS: tuple[Builder, ...] = (
    (1, sum_over_records),
    (1, lambda a: Expression("maximum", (a,))),
    (1, lambda a: Expression("minimum", (a,))),
    (0, lambda: sum_over_records(1)),
)


@st.composite
def smooth(draw: st.DrawFn, names: tuple[str, ...] = NAMES, depth: int = 3) -> Expression:
    """Sums, products, quotients, powers, exponentials and logarithms."""
    if not depth or not draw(st.integers(0, 3)):
        return draw(numbers() | st.sampled_from(names).map(name))
    arity, build = draw(st.sampled_from(SMOOTH))
    return build(*(draw(smooth(names, depth - 1)) for _ in range(arity)))


@st.composite
def arithmetic(
    draw: st.DrawFn, names: tuple[str, ...] = NAMES, depth: int = 3, records: bool = False
) -> Expression:
    """All numeric expressions of the grammar; sums over records if required."""
    if not depth or not draw(st.integers(0, 3)):
        return draw(numbers() | st.sampled_from(names).map(name) | st.sampled_from((oo, pi)))
    kind = draw(st.integers(0, 9 if records else 6))
    if kind > 6:
        return draw(over_records(depth - 1))
    if kind == 6:
        branches = [
            (draw(arithmetic(names, depth - 1, records)), draw(conditions(names, depth - 1)))
            for _ in range(draw(st.integers(1, 2)))
        ]
        return piecewise(*branches, *draw(st.sampled_from(([], [(0, True)]))))
    arity, build = draw(st.sampled_from(SMOOTH if kind < 3 else KINKED))
    return build(*(draw(arithmetic(names, depth - 1, records)) for _ in range(arity)))


@st.composite
def conditions(draw: st.DrawFn, names: tuple[str, ...] = NAMES, depth: int = 2) -> Expression:
    """Comparisons, and their combinations by and, or, not."""
    kind = draw(st.integers(0, 4))
    if kind == 0 or not depth:
        return draw(st.sampled_from((TRUE, FALSE)) | labels().map(lambda word: eq(name("s"), word)))
    inner = conditions(names, depth - 1) if kind < 3 else arithmetic(names, depth - 1)
    arity, build = draw(st.sampled_from(JOINED if kind < 3 else COMPARISONS))
    return build(*(draw(inner) for _ in range(arity)))


@st.composite
def over_records(draw: st.DrawFn, depth: int = 2) -> Expression:
    """Sums, counts, maxima and minima over the records, the size of the dataset included."""
    if draw(st.booleans()):
        return sum_over_records(indicator(draw(conditions(OF_RECORD, depth))))
    arity, build = draw(st.sampled_from(OVER_RECORDS))
    return build(*(draw(arithmetic(OF_RECORD, depth)) for _ in range(arity)))


def expressions(depth: int = 4) -> SearchStrategy[Expression]:
    """All expressions that a density may be."""
    return arithmetic(depth=depth, records=True)
