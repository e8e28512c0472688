"""Whether the draws are as spread out as the law, from all inputs together, and which change of
scale such a test finds.

A law p at scale r is the law in proportion to p^(1/r).  For Laplace and geometric noise, and for
exponential mechanisms, that is exactly the mechanism with r times the scale, so every privacy loss
divided by r; of other laws, such as clamped ones, it is a law that is more spread out or less.
For each r of a list the likelihood ratio of the draws' cells is
the product of (scaled cell probability / cell probability).  Under the law its expectation is at
most 1, and so is that of the average E over all r.  By Markov's inequality 1/E is a p-value,
at every number of independent draws and whatever the scaled laws are: these are estimated, once,
from reference draws, without harm to the test.  Needs numpy.

>>> from ahdp_verify.kernel.model.domain import Queries
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name
>>> from ahdp_verify.auditing.events import reference_at
>>> from ahdp_verify.sampling.sample import sample_columns
>>> M, twice = (
...     Mechanism(Queries(1), outputs=[real("s")], density=exp(-Abs(name("s") - name("q[1]")) / b) / (2 * b), name="noisy")
...     for b in (1, 2)
... )
>>> there = reference_at(M, [3])
>>> tested = scale_test([there], [sample_columns(twice, [3], 1000, 1)])
>>> tested.p_value < 1e-9, 1.8 < tested.factor < 2.2
(True, True)
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from ahdp_verify.auditing.events import SLACK, EventTable, Reference
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.sampling.floats import Array, Columns, np

STEPS = tuple(0.005 * 2 ** (k / 2) for k in range(17))  # |log r|: from 0.5 % to a factor of 3.6
FACTORS = tuple(math.exp(sign * step) for step in STEPS for sign in (1, -1))
POWER_QUANTILE = 1.2815515655446004  # of the normal distribution at 90 %
LEAST_CHANGE = 1e-6  # information in a draw below which the law has no scale that could change
HALVINGS = 12
TOGETHER = 0.9  # correlation of the cells of two inputs that is put down to one seed


@dataclass(frozen=True, slots=True)
class ScaleTest:
    """The p-value of scale 1, and of the scales that were tried the likeliest one."""

    p_value: float
    factor: float

    __repr__ = short_repr


def scale_test(
    references: Sequence[Reference], draws: Sequence[Columns], *, pooled: bool = True
) -> ScaleTest | None:
    """The test for the draws at all inputs together; None where the law has no scale.

    pooled  whether the inputs are independent of each other; if not, their likelihood ratios are
            averaged instead of multiplied
    Draws that are impossible under the law are left out: they are a finding of their own.
    """
    rows: list[Array] = []
    for tables in zip(*(r.tables for r in references), strict=True):
        counts = [r.counts(t, c)[:-1] for r, t, c in zip(references, tables, draws, strict=True)]
        if all(information(t, FACTORS[-1]) < LEAST_CHANGE for t in tables):
            continue
        each = [
            [float(n @ log_ratios(t, r)) for r in FACTORS]
            for t, n in zip(tables, counts, strict=True)
        ]
        rows += [np.sum(each, axis=0)] if pooled else each
    if not rows:
        return None
    found = np.array(rows)
    slack = SLACK * sum(len(next(iter(c.values()))) for c in draws)
    log_average = float(np.logaddexp.reduce(found.ravel())) - math.log(found.size)
    best = FACTORS[int(found.max(axis=0).argmax())]
    return ScaleTest(min(1.0, math.exp(min(0.0, slack - log_average))), best)


def detectable_scale(
    references: Sequence[Reference], sizes: Sequence[int], alpha: float, *, pooled: bool = True
) -> tuple[float, float] | None:
    """The least scale above 1 and the largest below 1 that would be found at this alpha with a
    probability of about 90 %; infinity and 0 where none up to the largest that is tried would be.
    None where the law has no scale.

    From the reference draws, by a normal approximation of the logarithm of the likelihood ratio.
    """
    listed = [(r.tables[0], n) for r, n in zip(references, sizes, strict=True)]
    if all(information(t, FACTORS[-1]) < LEAST_CHANGE for t, _ in listed):
        return None
    groups = [listed] if pooled else [[pair] for pair in listed]
    averaged = len(FACTORS) * len(references[0].tables) * len(groups)
    wanted = math.log(1 / alpha) + math.log(averaged)

    def found(log_factor: float) -> bool:
        """Whether this change of scale is found in nine of ten cases."""
        near = sorted(FACTORS, key=lambda r: abs(math.log(r) - log_factor))[:2]
        return any(usual_ratio(g, log_factor, r) > wanted for g in groups for r in near)

    ends = []
    for sign in (1, -1):
        low, high = 0.0, STEPS[-1]
        if not found(sign * high):
            ends.append(math.inf if sign > 0 else 0.0)
            continue
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if found(sign * middle) else (middle, high)
        ends.append(math.exp(sign * high))
    return ends[0], ends[1]


def usual_ratio(group: Sequence[tuple[EventTable, int]], log_factor: float, factor: float) -> float:
    """What the logarithm of the likelihood ratio at a factor exceeds in nine of ten cases, if the
    draws come from the law that is scaled by exp(log_factor).
    """
    mean = variance = 0.0
    for table, draws in group:
        q, ratio = scaled_cells(table, math.exp(log_factor)), log_ratios(table, factor)
        mean += draws * float(q @ ratio)
        variance += draws * float(q @ ratio**2 - (q @ ratio) ** 2)
    return mean - POWER_QUANTILE * math.sqrt(max(variance, 0.0))


def move_together(references: Sequence[Reference], draws: Sequence[Columns]) -> bool:
    """Whether draws at two inputs follow each other, one by one, as those of a program do that
    starts from the same seed each time: the cells that they are in have a correlation above 0.9,
    which for independent draws has a probability far below 1e-30.
    """
    places = [
        r.tables[0].grid.positions(c).astype(float) for r, c in zip(references, draws, strict=True)
    ]
    return any(_correlation(a, b) > TOGETHER for a, b in itertools.combinations(places, 2))


def _correlation(a: Array, b: Array) -> float:
    """The size of the correlation of two columns, as far as both reach; 0 for a constant one."""
    n = min(len(a), len(b))
    if a[:n].std() == 0 or b[:n].std() == 0:
        return 0.0
    return abs(float(np.corrcoef(a[:n], b[:n])[0, 1]))


def information(table: EventTable, factor: float) -> float:
    """The mean logarithm of the likelihood ratio of one draw of the scaled law."""
    return float(scaled_cells(table, factor) @ log_ratios(table, factor))


@functools.lru_cache(maxsize=1024)
def log_ratios(table: EventTable, factor: float) -> Array:
    """For each cell the logarithm of its probability under the scaled law, divided by that under
    the law; 0 for impossible cells.
    """
    p, q = table.grid.probabilities, scaled_cells(table, factor)
    with np.errstate(all="ignore"):
        return np.where((p > 0) & (q > 0), np.log(q / p), 0.0)


def scaled_cells(table: EventTable, factor: float) -> Array:
    """The probabilities of the cells under the law in proportion to p^(1/factor), estimated: the
    probability of a cell times the mean of p^(1/factor - 1) there.

    Only the change is estimated, so that it is exact where the factor is 1.
    """
    p, size = table.grid.probabilities, len(table.grid.probabilities)
    usable = np.isfinite(table.heights)
    tilt = (1 / factor - 1) * table.heights[usable]
    weights = np.exp(tilt - tilt.max())
    inside = np.bincount(table.places[usable], minlength=size + 1)[:size]
    total = np.bincount(table.places[usable], weights, size + 1)[:size]
    mean = np.where(inside > 0, total / np.maximum(inside, 1), weights.mean())
    return p * mean / (p @ mean)
