"""Laws that the adapters fill in: mechanisms over one real or whole answer, labels, or scores, with
concrete exact numbers.

A real answer is `sensitivity` times a query answer q[1], so that the relation "one", under which
q[1] moves by at most 1, moves the answer by at most its sensitivity.  A whole answer is the sum
over a dataset whose records are worth 1 and `sensitivity`, so that adding or removing a record
moves it by at most its sensitivity; such answers are at least 0.

>>> from ahdp_verify.analysis.levels.tighten import tighten
>>> print(tighten(laplace(Fraction(1, 2), Fraction(1)), "one").rows[0].value)
2
>>> print(tighten(clamped_geometric(Fraction(1), 1, 0, 3), "add-remove").rows[0].value)
1
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ahdp_verify import laws as words
from ahdp_verify.catalogue.exponential import exponential_mechanism, permute_and_flip
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    add,
    clip,
    eq,
    exp,
    expression,
    floor,
    multiply,
    name,
    number,
    piecewise,
    substitute,
)

S, K, R, V = name("s"), name("k"), name("r"), name("v")
Number = Fraction | int


def _real(law: words.Law | Expression, title: str) -> Mechanism:
    """A mechanism over one real query answer, by a law in words or by its density."""
    if isinstance(law, words.Law):
        return words.mechanism(Queries(1), law, name=title)
    return Mechanism(Queries(1), outputs=[real("s")], density=law, name=title)


def _answer(sensitivity: Number) -> Expression:
    """The real answer."""
    return multiply(number(sensitivity), name("q[1]"))


def _height(place: Expression, scale: Expression) -> Expression:
    """The density of Laplace noise at a place."""
    return exp(-Abs(place) / scale) / (2 * scale)


def _inside(low: Number, high: Number, *, ends: bool = True) -> Expression:
    """Whether the output is in [low, high], or strictly between."""
    if ends:
        return (name("s") >= low) & (name("s") <= high)
    return (name("s") > low) & (name("s") < high)


def laplace(scale: object, sensitivity: Number) -> Mechanism:
    """The answer plus Laplace noise of this scale."""
    return _real(words.laplace(_answer(sensitivity), scale), "Laplace")


def clamped_laplace(scale: object, sensitivity: Number, low: Number, high: Number) -> Mechanism:
    """The answer plus Laplace noise, moved to the nearest point of [low, high] if it is outside."""
    noisy = words.laplace(_answer(sensitivity), scale)
    return _real(words.clamp(noisy, low, high), "Laplace, clamped")


def folded_laplace(scale: object, sensitivity: Number, low: Number, high: Number) -> Mechanism:
    """The answer, moved into [low, high], plus Laplace noise that is reflected at both ends until
    it is inside.

    The points that are folded to s are s and 2 low - s, moved by multiples of 2 (high - low), so
    the density is the sum of two geometric series.
    """
    b, c, width = expression(scale), clip(_answer(sensitivity), low, high), number(high - low)
    there = [Abs(S - c), S + c - 2 * low]
    series = [exp(-d / b) + exp((d - 2 * width) / b) for d in there]
    density = add(*series) / (2 * b * (1 - exp(-2 * width / b)))
    return _real(piecewise((density, _inside(low, high)), (0, True)), "Laplace, folded")


def bounded_laplace(scale: object, sensitivity: Number, low: Number, high: Number) -> Mechanism:
    """The answer, moved into [low, high], plus Laplace noise that is drawn again until it is
    inside: the truncated law.
    """
    noisy = words.laplace(clip(_answer(sensitivity), low, high), scale)
    return _real(words.truncate(noisy, low, high), "Laplace on a bounded domain")


def laplace_of_bounded_noise(scale: object, sensitivity: Number, bound: object) -> Mechanism:
    """The answer plus Laplace noise that is drawn again until it is at most `bound`."""
    b, z, most = expression(scale), S - _answer(sensitivity), expression(bound)
    density = _height(z, b) / (1 - exp(-most / b))
    return _real(piecewise((density, Abs(z) <= most), (0, True)), "Laplace with bounded noise")


def uniform(width: Number, sensitivity: Number) -> Mechanism:
    """The answer plus noise that is uniform between -width and width."""
    z = S - _answer(sensitivity)
    return _real(
        piecewise((number(Fraction(1) / (2 * width)), Abs(z) <= width), (0, True)), "uniform"
    )


def staircase(eps: object, sensitivity: Number, gamma: Number) -> Mechanism:
    """The answer plus staircase noise: the density falls by the factor exp(-eps) at the distances
    sensitivity * (k + gamma).
    """
    e = expression(eps)
    distance, q = Abs(S - _answer(sensitivity)) / sensitivity, exp(-e)
    height = (1 - q) / (2 * sensitivity * (gamma + q * (1 - gamma)))
    return _real(height * exp(-e * floor(distance + 1 - gamma)), "staircase")


def _records(sensitivity: int) -> Domain:
    """Records worth 1, and as much as the answer may move."""
    return Domain([(x, 1) for x in sorted({1, sensitivity})])


def _total(W: Domain) -> Expression:
    """The whole answer."""
    return W.sum(lambda x, eps: x)


def geometric(rate: object, sensitivity: int) -> Mechanism:
    """The answer plus two-sided geometric noise z of weight exp(-rate |z|)."""
    W = _records(sensitivity)
    law = words.geometric(_total(W), 1 / expression(rate))
    return words.mechanism(W, {"k": law}, name="geometric")


def clamped_geometric(
    rate: object, sensitivity: int, low: int, high: int, *, before: bool = False
) -> Mechanism:
    """The answer plus two-sided geometric noise, moved to the nearest of low, ..., high if it is
    outside; with `before` the answer is too, before the noise is added.
    """
    W = _records(sensitivity)
    answer = clip(_total(W), low, high) if before else _total(W)
    noisy = words.geometric(answer, 1 / expression(rate))
    return words.mechanism(W, {"k": words.clamp(noisy, low, high)}, name="geometric, clamped")


def folded_geometric(rate: object, sensitivity: int, low: int, high: int) -> Mechanism:
    """The answer, moved into low, ..., high, plus two-sided geometric noise that is reflected at
    low and at high until it is inside.

    As `folded_laplace`, but the ends are their own reflections, so that each of them gets one of
    the two series only.
    """
    W, e = _records(sensitivity), expression(rate)
    c, width = clip(_total(W), low, high), number(high - low)
    series = [exp(-e * d) + exp(-e * (2 * width - d)) for d in (Abs(K - c), K + c - 2 * low)]
    factor = (1 - exp(-e)) / (1 + exp(-e)) / (1 - exp(-2 * e * width))
    law = piecewise((factor * series[0], eq(K, low) | eq(K, high)), (factor * add(*series), True))
    values = range(low, high + 1)
    return Mechanism(W, outputs=[finite("k", values)], density=law, name="geometric, folded")


def response(values: Sequence[object], keep: object) -> Mechanism:
    """Randomised response: the own value with probability `keep`, every other one equally often."""
    k = expression(keep)
    law = piecewise((k, eq(R, V)), ((1 - k) / (len(values) - 1), True))
    return Mechanism(
        Values(values), outputs=[finite("r", values)], density=law, name="randomised response"
    )


def categorical(values: Sequence[str], weights: Sequence[Sequence[object]]) -> Mechanism:
    """A label in proportion to the weight of (own label, label)."""
    rows = []
    for value, row in zip(values, weights, strict=True):
        total = add(*(expression(w) for w in row))
        rows += [
            (expression(w) / total, eq(V, value) & eq(R, other))
            for other, w in zip(values, row, strict=True)
        ]
    law = piecewise(*rows[:-1], (rows[-1][0], True))
    return Mechanism(
        Values(values), outputs=[finite("r", values)], density=law, name="exponential, categorical"
    )


def selection(n: int, rate: Expression, *, flip: bool, least: bool = False) -> Mechanism:
    """The index 1, ..., n of a large score q[i] (a small one with `least`): permute-and-flip with
    `flip`, else the exponential mechanism, with weights exp(rate q[i]).
    """
    made = permute_and_flip(n, rate) if flip else exponential_mechanism(n, rate)
    density = made.density
    if least:
        table = {f"q[{i}]": -name(f"q[{i}]") for i in range(1, n + 1)}
        density = substitute(density, table)
    return Mechanism(Queries(n), outputs=made.outputs, density=density, name=made.name)
