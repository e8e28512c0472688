"""The law of one output, written as a word: its kind, its density and its points of mass.

A word such as `laplace(location, scale)` stands for a formula, which is all that a proof is about:
`law.density(s)` is that formula at the output s, and a mechanism made of words is a `Mechanism`
like any other.  P(S <= t) and P(S > t) are there for what clamps, rounds or truncates.

>>> from ahdp_verify.laws.noise import laplace
>>> law = laplace(name("q[1]"), 2)
>>> print(law, law.kind, law.density(name("s")))
laplace(q[1], 2) real exp(-abs(s - q[1])/2)/4
>>> print(law.at_most(number(0)))
piecewise((exp(-q[1]/2)/2, 0 <= q[1]), (1 - exp(q[1]/2)/2, true))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.errors import BadInput, Undecided, Unsupported
from ahdp_verify.kernel.model.declarations import exact_expression
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import (
    AGGREGATES,
    TRUE,
    Expression,
    Max,
    Min,
    add,
    multiply,
    name,
    negative,
    number,
    piecewise,
    reciprocal,
    transform,
)
from ahdp_verify.kernel.terms.printing import one_line

OfPoint = Callable[[Expression], Expression]


@dataclass(frozen=True, slots=True, eq=False)
class Law:
    """The distribution of one output.

    kind       real, integer or finite
    text       the word that was written, with its arguments
    density    the density at a point, or the probability of an integer or of a listed value
    at_most    P(S <= t), and `above` P(S > t); for an integer law at whole t only
    cell       P(k width - width/2 <= S < k width + width/2) for whole k, of a real law
    within     the density of the law that is truncated to [low, high]; of these four, those that
               are not written out are None
    values     what a finite output may be
    atoms      points of a real output that have a probability of their own, beside the density
    notes      what a reader of the word should know, each a sentence
    """

    kind: str
    text: str
    density: OfPoint
    at_most: OfPoint | None = None
    above: OfPoint | None = None
    cell: Callable[[Expression, Expression], Expression] | None = None
    within: Callable[[Expression, Expression], OfPoint] | None = None
    values: tuple[Expression, ...] = ()
    atoms: tuple[tuple[Expression, Expression], ...] = ()
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Law({one_line(self.text, 70)})"


def simplified_reciprocal(e: Expression) -> Expression:
    """1/e, where the inverse of 1/a is a.

    >>> print(simplified_reciprocal(number(1) / name("eps")))
    eps
    """
    if e.head == "*":
        return multiply(*(simplified_reciprocal(factor) for factor in e.args))
    return e.args[0] if e.head == "^" and e.args[1] == number(-1) else reciprocal(e)


def argument(value: object, word: str, what: str) -> Expression:
    """The expression of an argument of a word; BadInput, which names both, for a float and the
    like.
    """
    return exact_expression(value, f"{word}: {what}")


def positive_argument(value: object, word: str, what: str) -> Expression:
    """The same for a number that has to be positive; BadInput for a constant that is not.  What
    depends on parameters or data is left to the proof that the total probability is 1.
    """
    e = argument(value, word, what)
    if sign_of_constant(e) in (0, -1):
        raise BadInput(f"{word}: {what}", f"{e} is not positive", f"the {what} has to be > 0")
    return e


def sign_of_constant(e: Expression) -> int | None:
    """The sign of an expression that does not depend on anything; None where that is not known."""
    try:
        return constant_sign(normal(_without_sums(e), Context.empty()))
    except (Undecided, Unsupported, ZeroDivisionError):
        return None


def _without_sums(e: Expression) -> Expression:
    """e with a name for each sum over records, so that equal ones cancel."""
    seen: dict[Expression, Expression] = {}
    return transform(
        e,
        lambda node: (
            seen.setdefault(node, name(f"sum_{len(seen)}")) if node.head in AGGREGATES else None
        ),
    )


def gap(low: Expression, high: Expression) -> Fraction | None:
    """high - low where that is the same rational number for all inputs, otherwise None.

    >>> print(gap(name("a") - 1, name("a") + 2), gap(name("a"), name("b")))
    3 None
    """
    try:
        return normal(_without_sums(add(high, negative(low))), Context.empty()).as_rational
    except (Undecided, Unsupported, ZeroDivisionError):
        return None


def in_cases(
    *cases: tuple[Expression, Expression, Expression], otherwise: Expression
) -> Expression:
    """The value of the first case (low, high, value) with low <= high, or `otherwise`; cases that
    are certain, or impossible, for all inputs are not written.

    >>> print(in_cases((name("a"), name("a") + 1, number(5)), otherwise=number(6)))
    5
    """
    kept: list[tuple[object, object]] = []
    for low, high, value in cases:
        apart = gap(low, high)
        if apart is not None and apart >= 0:
            otherwise = value
            break
        if apart is None:
            kept.append((value, low <= high))
    return piecewise(*kept, (otherwise, True)) if kept else otherwise


def moved_between(e: Expression, low: Expression, high: Expression) -> Expression:
    """e moved to the nearest point of [low, high], without a case that is certain.

    >>> print(moved_between(name("a"), name("a") - 1, number(5)))
    min(5, a)
    """
    above, below = gap(low, e), gap(e, high)
    if above is None or above < 0:
        e = low if above is not None else Max(low, e)
    if below is None or below < 0:
        e = high if below is not None else Min(high, e)
    return e


def is_whole(e: Expression) -> bool:
    """Whether an expression is a whole number for every dataset because of its form: counts, sizes
    and whole numbers, added and multiplied.

    >>> from ahdp_verify.kernel.terms.grammar import parse
    >>> is_whole(parse("2*count(x == 1) - size")), is_whole(parse("sum(x)"))
    (True, False)
    """
    if e.head == "number":
        value: Fraction = e.args[0]
        return value.denominator == 1
    if e.head in ("+", "*", "min", "max", "abs"):
        return all(map(is_whole, e.args))
    if e.head == "sum":
        (body,) = e.args
        return is_whole(body) or (
            body.head == "piecewise"
            and all(map(is_whole, body.args[::2]))
            and body.args[-1] == TRUE
        )
    return e.head == "floor"
