"""The linear query of prop:newDP, as printed and repaired, and what follows from it: sum, count,
histogram.

A record (x, eps) enters a sum of f(x) with a weight alpha(x, eps) of its own, and the noise is the
same for all: adding it shifts the centre by alpha (f(x) - l) and costs alpha (f(x) - l)/(h - l) <=
alpha.  A record with f(x) = l has no privacy loss.  With alpha <= eps that is universal AHDP; the
paper's weights are 1 - exp(-eps), eps/(1 + eps) and eps, the last for finite demands only.

As printed, the offset l makes the mechanism an estimate of f(D) only for l = 0, and f = 1, meant as
a count, has l = h and so no noise at all.  The repair leaves the offset out and scales the noise by
F = max |f|: level alpha |f(x)|/F, and with f = 1 a count.

>>> from ahdp_verify.kernel.model.privacy import ahdp
>>> from ahdp_verify.search.verify import verify
>>> W = Domain([(0, 0), (1, 1), (2, oo)])
>>> M = linear_query(W, X, weight=SATURATING, bounds=(0, 2))
>>> print(M.density, "is", type(verify(ahdp(M, SATURATING * X / 2))).__name__)
exp(-abs(s - sum((1 - exp(-eps))*x))/2)/4 is Proved
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from ahdp_verify.catalogue.entry import (
    EPS,
    Entry,
    Number,
    X,
    expect_all,
    expect_broken_twin,
    expect_exact_level,
    expect_private_as_stated,
    expect_proved,
    expect_refuted,
    expect_verdict,
    lowered_level,
    noise_title,
)
from ahdp_verify.catalogue.laplace import real_outputs
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.record_expression import Body, record_expression
from ahdp_verify.kernel.terms.expression import (
    ONE,
    Abs,
    Expression,
    Min,
    eq,
    exp,
    expression,
    indicator,
    multiply,
    name,
    oo,
)
from ahdp_verify.laws.noise import laplace_density

HALF = Fraction(1, 2)
ALPHA, F, L, H, LARGEST = (name(key) for key in ("alpha", "f", "l", "h", "F"))
SATURATING, RATIO = 1 - exp(-EPS), EPS / (1 + EPS)  # the paper's weights; with demand oo both are 1

# All domains at once: a record is any weight alpha up to the demand, and any value of the query in
# its range.
BOUNDS = {"l": "", "h": "h > l"}
EVERY = Domain.universal({"alpha": "0 <= alpha <= eps", "f": "l <= f <= h"}, BOUNDS)
EVERY_VALUE = Domain.universal({"x": "l <= x <= h"}, BOUNDS)
EVERY_WITHIN = Domain.universal({"alpha": "0 <= alpha <= eps", "f": "-F <= f <= F"}, {"F": "F > 0"})
EVERY_WEIGHT = Domain.universal({"alpha": "0 <= alpha <= eps"})
EVERY_NUMBER = Domain.universal({"alpha": "0 <= alpha <= eps", "x": ""})
EX_SUM = Domain([(0, 0), (1, 1), (2, oo)])
BINS = Domain([(1, HALF), (1, oo), (2, 0), (2, 1), (3, 2)])


def noisy_sums(W: Domain, centres: Sequence[Expression], scale: object, title: str) -> Mechanism:
    """Every centre, a sum over the records, plus Laplace noise of that scale."""
    s = real_outputs("s", len(centres))
    return Mechanism(
        W,
        outputs=s,
        density=multiply(*(laplace_density(o - a, scale) for o, a in zip(s, centres, strict=True))),
        name=title,
    )


def linear_query(
    W: Domain, query: Body, *, weight: Body, bounds: tuple[object, object], noise: Number = 1
) -> Mechanism:
    """prop:newDP as printed: l + sum of alpha(x, eps) (f(x) - l) over the records, each as often as
    it occurs, + L(h - l).

    query    f, a function of x and eps or an expression in the domain's unknowns; any units
    weight   alpha, at least 0 and finite at demand oo (a limit); the level in nats that a record is
             granted
    bounds   (l, h) with l <= f <= h on the domain, public, l < h
    noise    factor on the scale h - l; 1 in the paper
    Level: alpha (f - l)/((h - l) noise), reached by every output below the centre.
    """
    low, high = (expression(b) for b in bounds)
    return noisy_sums(
        W,
        [low + W.sum(record_expression(weight) * (record_expression(query) - low))],
        noise * (high - low),
        noise_title("linear query", noise),
    )


def linear_query_without_offset(
    W: Domain, query: Body, *, weight: Body, largest: object, noise: Number = 1
) -> Mechanism:
    """prop:newDP repaired: sum of alpha(x, eps) f(x) + L(F), an estimate of f(D) that is unbiased
    for alpha = 1.

    query, weight, noise   as in `linear_query`
    largest                F > 0 with |f| <= F on the domain, public
    Level: alpha |f|/(F noise).
    """
    return noisy_sums(
        W,
        [W.sum(record_expression(weight) * record_expression(query))],
        noise * expression(largest),
        noise_title("linear query without offset", noise),
    )


def weighted_sum(W: Domain, *, weight: Body, bounds: tuple[object, object]) -> Mechanism:
    """Sum estimation by prop:newDP: the linear query of f(x) = x, for numbers l <= x <= h;
    weight and bounds as in `linear_query`.
    """
    return replace(linear_query(W, X, weight=weight, bounds=bounds), name="weighted sum")


def weighted_count(W: Domain, *, weight: Body, noise: Number = 1) -> Mechanism:
    """The size of the dataset, privately: sum of alpha(x, eps) + L(1), the repaired linear query
    of f = 1.  Level: alpha/noise.
    """
    return noisy_sums(W, [W.sum(weight)], expression(noise), noise_title("count", noise))


def weighted_histogram(
    W: Domain, bins: Sequence[object], *, weight: Body, noise: Number = 1
) -> Mechanism:
    """For every bin the sum of alpha(x, eps) over the records with that value, plus L(1) of its
    own.

    bins     distinct values, numbers or labels; a record belongs to at most one, so it costs its
             weight once
    weight, noise   as in `linear_query`
    Level: alpha/noise for a value in the bins, 0 for others.
    """
    centres = [W.sum(record_expression(weight) * indicator(eq(X, value))) for value in bins]
    return noisy_sums(W, centres, expression(noise), noise_title("histogram of weights", noise))


OF_EVERY, OF_EVERY_WITHIN, WITHIN = (
    ALPHA * (F - L) / (H - L),
    ALPHA * Abs(F) / LARGEST,
    (X - L) / (H - L),
)

ENTRIES = (
    Entry(
        "linear-query",
        "a sum of weighted values of a query, every domain at once",
        "prop:newDP",
        lambda: linear_query(EVERY, F, weight=ALPHA, bounds=(L, H)),
        expect_all(
            expect_private_as_stated(ALPHA, OF_EVERY),
            expect_refuted("ahdp", lowered_level(ALPHA), OF_EVERY, "met at f = h"),
            expect_refuted("ahdp", lowered_level(EPS), OF_EVERY, "met at alpha = eps, f = h"),
        ),
        "paper/linear-query-universal.toml",
    ),
    Entry(
        "linear-query-half",
        "broken twin of linear-query: half the noise",
        "prop:newDP",
        lambda: linear_query(EVERY, F, weight=ALPHA, bounds=(L, H), noise=HALF),
        expect_broken_twin(ALPHA, 2 * OF_EVERY),
        "paper/linear-query-universal-half-noise.toml",
    ),
    Entry(
        "linear-query-repaired",
        "the same without the offset, an estimate for every l",
        "prop:newDP, repaired",
        lambda: linear_query_without_offset(EVERY_WITHIN, F, weight=ALPHA, largest=LARGEST),
        expect_all(
            expect_private_as_stated(ALPHA, OF_EVERY_WITHIN),
            expect_refuted(
                "ahdp", lowered_level(ALPHA), OF_EVERY_WITHIN, "met at f = F and f = -F"
            ),
        ),
        "paper/linear-query-without-offset.toml",
    ),
    Entry(
        "linear-query-repaired-half",
        "broken twin of linear-query-repaired: half the noise",
        "prop:newDP, repaired",
        lambda: linear_query_without_offset(
            EVERY_WITHIN, F, weight=ALPHA, largest=LARGEST, noise=HALF
        ),
        expect_broken_twin(ALPHA, 2 * OF_EVERY_WITHIN),
        "paper/linear-query-without-offset-half-noise.toml",
    ),
    Entry(
        "linear-query-ex-sum",
        "the linear query on the records of ex:sum, demand oo among them",
        "ex:sum",
        lambda: linear_query(EX_SUM, X, weight=SATURATING, bounds=(0, 2)),
        expect_all(
            expect_private_as_stated(SATURATING, SATURATING * X / 2),
            expect_exact_level("swap", 1),
            expect_verdict(
                "vacuous", "hdp", EPS, None, "no moves: every demand belongs to one value"
            ),
        ),
        "paper/linear-query-three-records.toml",
    ),
    Entry(
        "linear-query-ex-sum-half",
        "broken twin of linear-query-ex-sum: half the noise",
        "ex:sum",
        lambda: linear_query(EX_SUM, X, weight=SATURATING, bounds=(0, 2), noise=HALF),
        expect_all(
            expect_refuted("ahdp", SATURATING, SATURATING * X, "(2, oo) exceeds its weight"),
            expect_proved("ahdp", EPS, SATURATING * X, "but (2, oo) asks for nothing"),
            expect_refuted("ahdp", Min(EPS, 1), SATURATING * X),
        ),
        "paper/linear-query-three-records-half-noise.toml",
    ),
    Entry(
        "linear-query-infinite-weight",
        "the linear query with weight eps where somebody's demand is oo",
        "ex:sum",
        lambda: linear_query(EX_SUM, X, weight=EPS, bounds=(0, 2)),
        expect_verdict(
            "refused", "ahdp", reason="the weight is infinite: there is no such mechanism"
        ),
        "paper/linear-query-infinite-weight.toml",
    ),
    Entry(
        "sum",
        "a sum with weights 1 - exp(-eps), every domain in [l, h] at once",
        "Sec. 4: sum by prop:newDP",
        lambda: weighted_sum(EVERY_VALUE, weight=SATURATING, bounds=(L, H)),
        expect_all(
            expect_private_as_stated(SATURATING, SATURATING * WITHIN),
            expect_refuted("ahdp", lowered_level(SATURATING), SATURATING * WITHIN, "met at x = h"),
        ),
        "paper/weighted-sum-weights-saturating.toml",
    ),
    Entry(
        "sum-ratio",
        "a sum with weights eps/(1 + eps), every domain in [l, h] at once",
        "Sec. 4: sum by prop:newDP",
        lambda: weighted_sum(EVERY_VALUE, weight=RATIO, bounds=(L, H)),
        expect_all(
            expect_proved("ahdp", EPS, RATIO * WITHIN, "W-AHDP: the weight never exceeds eps"),
            expect_exact_level("ahdp", RATIO * WITHIN),
        ),
        "paper/weighted-sum-weights-ratio.toml",
    ),
    Entry(
        "count",
        "the size of the dataset, every domain at once",
        "prop:newDP, repaired, f = 1",
        lambda: weighted_count(EVERY_WEIGHT, weight=ALPHA),
        expect_private_as_stated(ALPHA, ALPHA),
        "paper/weighted-count.toml",
    ),
    Entry(
        "count-half",
        "broken twin of count: half the noise",
        "prop:newDP, repaired, f = 1",
        lambda: weighted_count(EVERY_WEIGHT, weight=ALPHA, noise=HALF),
        expect_broken_twin(ALPHA, 2 * ALPHA),
        "paper/weighted-count-half-noise.toml",
    ),
    Entry(
        "count-ex-sum",
        "the size of the dataset on the records of ex:sum",
        "ex:sum; prop:newDP, repaired, f = 1",
        lambda: weighted_count(EX_SUM, weight=SATURATING),
        expect_private_as_stated(SATURATING, SATURATING),
    ),
    Entry(
        "count-as-printed",
        "the count that the paper reads off prop:newDP with f = 1",
        "Sec. 4: count by prop:newDP",
        lambda: linear_query(EX_SUM, ONE, weight=SATURATING, bounds=(1, 1)),
        expect_verdict("refused", "ahdp", reason="the scale h - l is 0"),
        "paper/weighted-count-as-printed-without-noise.toml",
    ),
    Entry(
        "histogram",
        "the weights in each of three bins",
        "Sec. 4: histogram by prop:newDP",
        lambda: weighted_histogram(BINS, (1, 2, 3), weight=SATURATING),
        expect_private_as_stated(SATURATING, SATURATING),
        "paper/weighted-histogram.toml",
    ),
    Entry(
        "histogram-half",
        "broken twin of histogram: half the noise",
        "Sec. 4: histogram by prop:newDP",
        lambda: weighted_histogram(BINS, (1, 2, 3), weight=SATURATING, noise=HALF),
        expect_broken_twin(SATURATING, 2 * SATURATING),
        "paper/weighted-histogram-half-noise.toml",
    ),
    Entry(
        "histogram-universal",
        "the weights in each of the bins 1, 2, 3, every domain of numbers at once",
        "Sec. 4: histogram by prop:newDP",
        lambda: weighted_histogram(EVERY_NUMBER, (1, 2, 3), weight=ALPHA),
        expect_private_as_stated(ALPHA, ALPHA),
    ),
)
