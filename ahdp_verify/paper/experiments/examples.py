"""ex:sum and ex:mean: exact moments, as stated (demand oo) and as the authors computed them (demand
2 in its place), and fig:emp-dist.

The mean mechanism publishes R = N/max(S, 1) with N = a + L(b) and S = c + L(d) independent, c >= 1.
Its distribution is a sum of integrals of exponentials over s, cut at 1, c and a/r:

    P(R <= r) = P(S <= 1) P(N <= r) + integral over s > 1 of f_S(s) P(N <= r s)

Its moments are exact constants that `ahdp_verify.analysis.moments.moments` works out.

>>> stated = published_ratio(EX_SUM)
>>> f"{stated.a:.10f} {stated.c:.10f} {published_mean(EX_SUM):.9f}"
'13.1606027941 8.1606027941 1.675861176'
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ahdp_verify import Domain, Expression, Mechanism
from ahdp_verify.analysis.moments import enclosure, value_at, variance
from ahdp_verify.analysis.moments import mean as expectation
from ahdp_verify.catalogue import EX_SUM, SATURATING, X, linear_query
from ahdp_verify.paper.catalogue.mean import weighted_mean as mean_pair
from ahdp_verify.paper.experiments.draws import Draws, Run, Trials
from ahdp_verify.paper.experiments.outcome import csv_table
from ahdp_verify.paper.experiments.released import (
    LaplaceOutput,
    float_constant,
    laplace_noise,
    laplace_outputs,
    noise_scales,
)
from ahdp_verify.sampling import Array

COPIES = 10  # of every record, in both examples
TRUE_SUM, TRUE_MEAN = 30, 1
AS_COMPUTED = Domain([(0, 0), (1, 1), (2, 2)])  # what the printed figures belong to
CASES = (("stated, eps = oo", EX_SUM), ("as computed by the authors, eps = 2", AS_COMPUTED))
CHUNK = 1_000_000  # draws at once
EDGES = np.linspace(-2, 6, 161)  # of the bins; about 2 in 1000 draws lie outside
QUOTIENT = "m/max(n, 1)"  # what is published, of the outputs m and n of the verified mechanism
DIGITS = 18  # of an enclosure: more than a float has


@dataclass(frozen=True, slots=True)
class NoisyRatio:
    """The law of (a + L(b))/max(c + L(d), 1)."""

    a: float
    b: float
    c: float
    d: float

    @property
    def clipped(self) -> float:
        """P(S <= 1)."""
        return laplace_cdf((1 - self.c) / self.d)

    def cdf(self, r: float) -> float:
        """P(R <= r)."""
        return self.clipped * laplace_cdf((r - self.a) / self.b) + sum(self._pieces(r))

    def _pieces(self, r: float) -> Iterator[float]:
        """The integrals over s > 1, between the places where an absolute value turns."""
        cut = self.a / r if r else math.inf
        cuts = [1.0, *sorted(s for s in {self.c, cut} if 1 < s < math.inf), math.inf]
        for low, high in itertools.pairwise(cuts):
            middle = (low + high) / 2 if high < math.inf else low + 1
            of_s = -1 if middle > self.c else 1  # f_S(s) = exp(of_s (s - c)/d)/(2 d) here
            up = of_s / self.d
            start = -of_s * self.c / self.d - math.log(2 * self.d)
            if r * middle < self.a:  # P(N <= r s) = exp((r s - a)/b)/2
                yield integral_of_exponential(
                    start - self.a / self.b - math.log(2), up + r / self.b, low, high
                )
            else:  # 1 - exp(-(r s - a)/b)/2
                yield integral_of_exponential(start, up, low, high) - integral_of_exponential(
                    start + self.a / self.b - math.log(2), up - r / self.b, low, high
                )


def laplace_cdf(z: float) -> float:
    """P(L(1) <= z)."""
    return math.exp(z) / 2 if z < 0 else 1 - math.exp(-z) / 2


def integral_of_exponential(start: float, rate: float, low: float, high: float) -> float:
    """The integral of exp(start + rate s) over low < s < high; the rate is negative where high
    is infinite.
    """
    if abs(rate) < 1e-12 and high < math.inf:
        return math.exp(start + rate * low) * (high - low)
    top = math.exp(start + rate * high) if high < math.inf else 0.0
    return (top - math.exp(start + rate * low)) / rate


def sum_part(W: Domain) -> LaplaceOutput:
    """The one output of ex:sum."""
    return laplace_outputs(linear_query(W, X, weight=SATURATING, bounds=(0, 2)))[0]


def example_mean_mechanism(W: Domain) -> Mechanism:
    """Numerator and denominator of ex:mean."""
    return mean_pair(W, weights=(SATURATING / 2, SATURATING / 2), bounds=(0, 2))


def mean_parts(W: Domain) -> tuple[LaplaceOutput, ...]:
    """The two outputs of ex:mean."""
    return laplace_outputs(example_mean_mechanism(W))


def published_mean(W: Domain) -> float:
    """The exact expectation of what ex:mean publishes, rounded."""
    return rounded_constant(expectation(example_mean_mechanism(W), example_dataset(W), of=QUOTIENT))


def published_deviation(W: Domain) -> float:
    """Its exact standard deviation, rounded."""
    return math.sqrt(
        rounded_constant(variance(example_mean_mechanism(W), example_dataset(W), of=QUOTIENT))
    )


def example_dataset(W: Domain) -> list[int]:
    """`COPIES` of every record."""
    return [COPIES] * len(W.records)


def rounded_constant(e: Expression) -> float:
    """An exact constant as a float, from an enclosure with more digits than a float has."""
    return float(enclosure(e, DIGITS).low)


def exact_centre(part: LaplaceOutput, W: Domain) -> Expression:
    """The centre at `COPIES` of every record, exact."""
    return value_at(part.centre, example_mean_mechanism(W), example_dataset(W))


def published_ratio(W: Domain) -> NoisyRatio:
    """The distribution of the published mean."""
    m, n = mean_parts(W)
    return NoisyRatio(
        float_constant(exact_centre(m, W)),
        float_constant(m.scale),
        float_constant(exact_centre(n, W)),
        float_constant(n.scale),
    )


@dataclass(frozen=True, slots=True)
class MeanDraws:
    """Draws of a published mean: how many, how many in each bin and outside on either side,
    their mean and standard deviation.
    """

    number: int
    bins: Array
    outside: tuple[int, int]
    mean: float
    deviation: float


def chunk_of_draws(setting: Any) -> Run:
    """A chunk of draws of the published mean: their number, how many lie outside on either side,
    their sum, the sum of their squares, and how many lie in each bin.
    """
    _, W = CASES[setting["case"]]
    law, b = published_ratio(W), noise_scales(mean_parts(W))
    at = np.array([law.a, law.c])

    def run(chunk: int, rng: Any) -> Array:
        n = min(setting["chunk"], setting["number"] - chunk * setting["chunk"])
        m, s = (at + laplace_noise(rng, b, (n,))).T
        values = m / np.maximum(s, 1)
        low, high = (values < EDGES[0]).sum(), (values > EDGES[-1]).sum()
        sums = [n, low, high, values.sum(), (values**2).sum()]
        return np.concatenate([sums, np.histogram(values, EDGES)[0]])

    return run


def draw_published_mean(case: int, number: int, seed: int, draw: Draws) -> MeanDraws:
    """That many draws of the published mean (fewer if interrupted), `CHUNK` at a time."""
    setting = {"case": case, "number": number, "chunk": CHUNK}
    chunks = Trials(chunk_of_draws, setting, f"times {CHUNK:,} draws")
    sums = np.sum(draw(chunks, -(-number // CHUNK), seed), axis=0)
    n, low, high, total, squares = map(float, sums[:5])
    return MeanDraws(
        int(n),
        sums[5:].astype(int),
        (int(low), int(high)),
        total / n,
        math.sqrt(squares / n - (total / n) ** 2),
    )


@dataclass(frozen=True, slots=True)
class Example:
    """ex:mean for one reading of the demand: its name, the domain, the exact distribution, and
    draws from it.
    """

    name: str
    domain: Domain
    law: NoisyRatio
    drawn: MeanDraws

    @property
    def expected(self) -> Array:
        """The exact probability of each bin."""
        return np.diff([self.law.cdf(float(edge)) for edge in EDGES])


def draw_examples_twice(number: int, seed: int, draw: Draws) -> tuple[Example, ...]:
    """Both readings with that many draws each; the second is left out where the first was
    interrupted.
    """
    found: list[Example] = []
    for i, (name, W) in enumerate(CASES):
        if all(example.drawn.number == number for example in found):
            found.append(
                Example(name, W, published_ratio(W), draw_published_mean(i, number, seed + i, draw))
            )
    return tuple(found)


PRINTED = {
    "ex:sum, centre": "23.6",
    "ex:sum, bias": "-6.4",
    "ex:mean, numerator": "11.8",
    "ex:mean, denominator": "7.48",
    "ex:mean, mean of the output": "about 1.6",
}
WHY = (
    "ex:sum and ex:mean state the demand oo of the records (2, oo), where 1 - exp(-oo) = 1; the "
    "printed figures are those of demand 2 in its place"
)


def quantities(example: Example) -> Iterator[tuple[str, str, float]]:
    """(name, exact form if short, value) of what the examples print and what can be added."""
    W, law, drawn = example.domain, example.law, example.drawn
    total = exact_centre(sum_part(W), W)
    m, n = (exact_centre(part, W) for part in mean_parts(W))
    yield "ex:sum, centre", str(total), float_constant(total)
    yield "ex:sum, bias", str(total - TRUE_SUM), float_constant(total - TRUE_SUM)
    yield "ex:mean, numerator", str(m), law.a
    yield "ex:mean, denominator", str(n), law.c
    yield "ex:mean, ratio without noise", "", law.a / law.c
    yield "ex:mean, mean of the output", "", published_mean(W)
    yield "ex:mean, standard deviation of the output", "", published_deviation(W)
    yield "ex:mean, true mean", str(TRUE_MEAN), float(TRUE_MEAN)
    yield "ex:mean, mean of the draws", "", drawn.mean
    yield "ex:mean, standard error of that", "", drawn.deviation / math.sqrt(drawn.number)


def moments_csv(found: tuple[Example, ...], seed: int) -> str:
    """The table of both examples."""
    rows = [
        (example.name, quantity, exact, value, PRINTED.get(quantity, ""))
        for example in found
        for quantity, exact, value in quantities(example)
    ]
    return csv_table(
        ("reading", "quantity", "exact", "value", "printed"),
        rows,
        ("ex:sum and ex:mean", WHY, f"seed {seed}; draws for each reading: {drawn_numbers(found)}"),
    )


def histogram_csv(found: tuple[Example, ...], seed: int) -> str:
    """The table of the histogram: counts and exact probabilities of all bins."""
    ends = [-math.inf, *EDGES.tolist(), math.inf]
    rows: list[tuple[object, ...]] = []
    for example in found:
        counts = [example.drawn.outside[0], *example.drawn.bins.tolist(), example.drawn.outside[1]]
        levels = [0.0, *(example.law.cdf(float(edge)) for edge in EDGES), 1.0]
        rows += [
            (example.name, *bounds, n, n / example.drawn.number, high - low)
            for bounds, n, (low, high) in zip(
                itertools.pairwise(ends), counts, itertools.pairwise(levels), strict=True
            )
        ]
    comments = (
        f"counterpart of fig:emp-dist: {CAPTION}",
        WHY,
        f"seed {seed}; draws for each reading: {drawn_numbers(found)}",
    )
    return csv_table(
        ("reading", "from", "to", "draws", "share", "exact_probability"), rows, comments
    )


def drawn_numbers(found: tuple[Example, ...]) -> str:
    """How many draws there are of each reading."""
    return ", ".join(f"{example.drawn.number:,}" for example in found)


CAPTION = (
    "empirical distribution of the published mean of ex:mean, (a + L(2))/max(c + L(1), 1), beside "
    "its exact distribution; the paper's "
    "figures belong to the reading eps = 2, so both readings are drawn"
)


def examples_summary(found: tuple[Example, ...]) -> tuple[str, ...]:
    """The lines for people."""
    lines = ["ex:sum and ex:mean; the printed figures are those of demand 2 in place of oo"]
    for example in found:
        lines.append(f"{example.name}: {example.drawn.number:,} draws")
        lines += [
            f"  {name:42} {value:.9f}"
            + (f" = {exact}" if exact else "")
            + (f" (printed: {PRINTED[name]})" if name in PRINTED else "")
            for name, exact, value in quantities(example)
        ]
    return tuple(lines)
