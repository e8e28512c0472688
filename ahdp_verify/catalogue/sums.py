"""Sums with demands: a scale that is public, and broken twins whose scale or support depends on the
data.

Two ways to respect everybody's demand with one Laplace draw, |x| <= 1: noise of scale 1/(least
demand) on the plain sum, or noise of scale 1/(greatest demand) on the sum of (eps/greatest) x.
Both are right if the least, or greatest, demand is that of the domain; that of the dataset is
private data.  Two errors follow, and each breaks every finite level:

* A scale leak.  If a move changes the scale from b to b' < b, the log ratio log(b'/b) + |s - a|/b -
  |s - a'|/b' is unbounded in |s|.
* A support leak.  If an event has probability 0 on one side of a move only, the loss there is
  infinite.

>>> W = Domain([(-1, 1), (1, 2)])
>>> print(sum_at_least_demand(W, W.min(EPS)).density)
exp(-abs(s - sum(x))*minimum(eps))*minimum(eps)/2
"""

from __future__ import annotations

from fractions import Fraction

from ahdp_verify.catalogue.entry import (
    EPS,
    Entry,
    Number,
    X,
    expect_all,
    expect_exact_level,
    expect_proved,
    expect_refuted,
    noise_title,
)
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.model.record_expression import Body, record_expression
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    aggregates,
    eq,
    exp,
    expression,
    log,
    oo,
    piecewise,
)
from ahdp_verify.laws.noise import laplace_density

HALF = Fraction(1, 2)
W = Domain([(-1, HALF), (HALF, 1), (1, 2)])
BITS = Domain([(0, HALF), (1, HALF)])
SAME = Domain([(0, log(2)), (1, log(2))])


def noisy_query(W: Domain, centre: Expression, scale: Expression, title: str) -> Mechanism:
    """A function of the dataset plus Laplace noise; with at least one record, where scale or
    centre need one.
    """
    s = real("s")
    needed = any(node.head != "sum" for node in aggregates(scale))
    return Mechanism(
        W,
        outputs=[s],
        density=laplace_density(s - centre, scale),
        defined=W.size >= 1 if needed else None,
        name=title,
    )


def sum_at_least_demand(W: Domain, least: object, *, noise: Number = 1) -> Mechanism:
    """The sum of x + L(1/least).

    W       a domain of numbers, |x| <= 1
    least   the least demand of the domain, positive, in nats; W.min(eps) makes the broken twin that
            reads it off the data
    noise   factor on the scale
    Level: least |x|/noise for everybody.
    """
    return noisy_query(
        W, W.sum(X), noise / expression(least), noise_title("sum at the least demand", noise)
    )


def stretched_sum(W: Domain, greatest: object, *, noise: Number = 1) -> Mechanism:
    """The sum of (eps/greatest) x + L(1/greatest).

    W          a domain of numbers, |x| <= 1, with finite demands
    greatest   the greatest demand of the domain, in nats; W.max(eps) makes the broken twin that
               reads it off the data
    noise      factor on the scale
    Level: eps |x|/noise.
    """
    top = expression(greatest)
    return noisy_query(W, W.sum(EPS * X) / top, noise / top, noise_title("stretched sum", noise))


def mean_at_current_size(W: Domain, level: object) -> Mechanism:
    """The mean of the values, at least one, + L(1/(n level)) for the current size n: for values
    in [0, 1], right for swaps, a scale leak else.
    """
    s = real("s")
    law = laplace_density(s - W.sum(X) / W.size, 1 / (W.size * expression(level)))
    return Mechanism(
        W, outputs=[s], density=law, defined=W.size >= 1, name="mean at the current size"
    )


def one_sided_sum(W: Domain, query: Body, rate: object) -> Mechanism:
    """The sum of f(x, eps) plus exponential noise of mean 1/rate, which is never negative: no
    output lies below the sum, a support leak.

    query   f, a function of x and eps or an expression; any units
    rate    positive, in 1/units of f
    """
    s, centre, r = real("s"), W.sum(record_expression(query)), expression(rate)
    return Mechanism(
        W,
        outputs=[s],
        density=piecewise((r * exp(-r * (s - centre)), s >= centre), (0, True)),
        name="sum with one-sided noise",
    )


LEAST, STRETCHED = HALF * Abs(X), EPS * Abs(X)
ALL_BUT_LAX, ALL_BUT_STRICT = (
    piecewise((2, eq(EPS, 2)), (oo, True)),
    piecewise((HALF, eq(EPS, HALF)), (oo, True)),
)

ENTRIES = (
    Entry(
        "sum-at-least-demand",
        "a sum with noise for the least demand of the domain, which is public",
        "benchmark A1",
        lambda: sum_at_least_demand(W, HALF),
        expect_all(
            expect_proved("ahdp", EPS, LEAST, "W-AHDP"),
            expect_exact_level("ahdp", LEAST),
            expect_exact_level("add-remove", HALF),
        ),
        "field/sum-noise-from-least-demand-of-domain.toml",
    ),
    Entry(
        "sum-at-least-demand-half",
        "broken twin of sum-at-least-demand: half the noise",
        "benchmark A1",
        lambda: sum_at_least_demand(W, HALF, noise=HALF),
        expect_all(expect_refuted("ahdp", EPS, 2 * LEAST), expect_exact_level("ahdp", 2 * LEAST)),
        "field/sum-noise-from-least-demand-of-domain-half-noise.toml",
    ),
    Entry(
        "sum-at-dataset-least-demand",
        "broken twin of sum-at-least-demand: the least demand of the dataset",
        "benchmark A2, a scale leak",
        lambda: sum_at_least_demand(W, W.min(EPS)),
        expect_all(
            expect_refuted("ahdp", EPS, ALL_BUT_LAX, "a stricter person widens the noise"),
            expect_refuted("ahdp", 100, ALL_BUT_LAX),
            expect_proved("ahdp", ALL_BUT_LAX, ALL_BUT_LAX),
        ),
        "field/sum-noise-from-least-demand-of-dataset.toml",
    ),
    Entry(
        "stretched-sum",
        "a sum weighted by demand over greatest demand of the domain, which is public",
        "benchmark A3",
        lambda: stretched_sum(W, 2),
        expect_all(
            expect_proved("ahdp", EPS, STRETCHED, "W-AHDP"), expect_exact_level("ahdp", STRETCHED)
        ),
        "field/demand-weighted-sum-scale-from-domain.toml",
    ),
    Entry(
        "stretched-sum-half",
        "broken twin of stretched-sum: half the noise",
        "benchmark A3",
        lambda: stretched_sum(W, 2, noise=HALF),
        expect_all(
            expect_refuted("ahdp", EPS, 2 * STRETCHED), expect_exact_level("ahdp", 2 * STRETCHED)
        ),
        "field/demand-weighted-sum-scale-from-domain-half-noise.toml",
    ),
    Entry(
        "stretched-sum-dataset",
        "broken twin of stretched-sum: the greatest demand of the dataset",
        "benchmark A4, a scale leak",
        lambda: stretched_sum(W, W.max(EPS)),
        expect_all(
            expect_refuted("ahdp", EPS, ALL_BUT_STRICT, "a laxer person narrows the noise"),
            expect_refuted("ahdp", 100, ALL_BUT_STRICT),
            expect_proved("ahdp", ALL_BUT_STRICT, ALL_BUT_STRICT),
        ),
        "field/demand-weighted-sum-scale-from-dataset.toml",
    ),
    Entry(
        "mean-at-current-size",
        "a mean with noise for the current size",
        "public NR-01, a scale leak",
        lambda: mean_at_current_size(BITS, HALF),
        expect_all(
            expect_refuted("add-remove", HALF, oo),
            expect_refuted("add-remove", 10, oo),
            expect_exact_level("swap", HALF),
        ),
        "public/mean-noise-for-current-size.toml",
    ),
    Entry(
        "one-sided-sum",
        "a sum of squares with noise that is never negative",
        "public SH-03, a support leak",
        lambda: one_sided_sum(SAME, X**2, log(2)),
        expect_all(expect_refuted("add-remove", log(2), oo), expect_refuted("add-remove", 10, oo)),
        "public/one-sided-exponential-noise-sum-of-squares.toml",
    ),
)
