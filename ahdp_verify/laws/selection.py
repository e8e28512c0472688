"""Choices among listed candidates: the exponential mechanism, and randomised response.

>>> law = exponential_mechanism({"tea": name("q[1]"), "coffee": name("q[2]")}, name("e"), 1)
>>> print(law.density(name("r")))
piecewise((exp(e*q[1]/2), r == "tea"), (exp(e*q[2]/2), true))/(exp(e*q[1]/2) + exp(e*q[2]/2))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.declarations import read_scalar
from ahdp_verify.kernel.terms.expression import (
    Expression,
    add,
    eq,
    exp,
    multiply,
    name,
    piecewise,
    reciprocal,
)
from ahdp_verify.laws.law import Law, argument, positive_argument

OfValue = Callable[[Expression], Expression]
SHOWN = 4  # candidates that the text of a law lists


def exponential_mechanism(
    score: Mapping[object, object] | Sequence[object], eps: object, sensitivity: object
) -> Law:
    """A candidate, with probability proportional to exp(eps score/(2 sensitivity)): level eps if a
    move changes no score by more than the sensitivity (McSherry, Talwar 2007).

    score   the score of every candidate, or a list of the scores of the candidates 1, 2, 3, ...

    Counts that a new record can only raise need no factor 2: the least level is then eps/2, which
    `tighten` finds.

    >>> exponential_mechanism([], 1, 1)
    Traceback (most recent call last):
    ahdp_verify.kernel.errors.BadInput: exponential_mechanism: score: there is no candidate; write {candidate: score, ...}
    """
    word = "exponential_mechanism"
    scores = score if isinstance(score, Mapping) else dict(enumerate(score, 1))
    if not scores:
        raise BadInput(f"{word}: score", "there is no candidate", "write {candidate: score, ...}")
    values = tuple(read_scalar(value, f"{word}: candidate") for value in scores)
    listed = [argument(each, word, "score") for each in scores.values()]
    e = positive_argument(eps, word, "eps")
    half = e / (2 * positive_argument(sensitivity, word, "sensitivity"))
    weights = [exp(half * each) for each in listed]
    said = ", ".join(f"{v}: {s}" for v, s in list(zip(values, listed, strict=True))[:SHOWN])
    more = f", ... {len(values)} candidates" if len(values) > SHOWN else ""
    return Law(
        "finite",
        f"{word}({{{said}{more}}}, {e}, {sensitivity})",
        proportional(values, weights),
        values=values,
    )


def proportional(values: Sequence[Expression], weights: Sequence[Expression]) -> OfValue:
    """The probability of each value, proportional to its weight, as a function of the output."""
    total = reciprocal(add(*weights))
    return lambda r: multiply(weight_of(r, values, weights), total)


def weight_of(r: object, values: Sequence[Expression], weights: Sequence[Expression]) -> Expression:
    """The weight of the value that r is, which is one of the values."""
    *first, last = zip(weights, values, strict=True)
    return piecewise(*((w, eq(r, v)) for w, v in first), (last[0], True))


def randomised_response(values: Iterable[object], eps: object, truth: object = None) -> Law:
    """The true value exp(eps) times as often as each other value: local privacy at level eps
    (Warner 1965; Kairouz, Oh, Viswanath 2014).

    values   the values that may be reported
    truth    the value of the person; v, the input of a local mechanism, unless another is given

    >>> print(randomised_response(["yes", "no"], 1).density(name("s")))
    piecewise((exp(1)/(exp(1) + 1), s == v), (1/(exp(1) + 1), true))
    """
    word = "randomised_response"
    listed = tuple(read_scalar(value, f"{word}: value") for value in values)
    if len(listed) < 2:
        raise BadInput(
            f"{word}: values", f"there are {len(listed)} of them", "list two values or more"
        )
    e = argument(eps, word, "eps")
    v = name("v") if truth is None else argument(truth, word, "truth")
    weight = exp(e)
    total = weight + (len(listed) - 1)
    said = ", ".join(str(value) for value in listed[:SHOWN])
    more = f", ... {len(listed)} values" if len(listed) > SHOWN else ""
    return Law(
        "finite",
        f"{word}([{said}{more}], {e})",
        lambda s: piecewise((weight / total, eq(s, v)), (1 / total, True)),
        values=listed,
    )
