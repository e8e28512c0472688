"""The linear query of prop:newDP, as printed and repaired, and what follows from it: sum, count,
histogram.

A record (x, eps) enters a sum of f(x) with a weight alpha(x, eps) of its own, the noise is the same
for all: adding it shifts the centre by alpha (f(x) - l) and costs alpha (f(x) - l)/(h - l) <=
alpha.  Whoever has f(x) = l loses nothing.  With alpha <= eps that is universal AHDP; the paper's
weights are 1 - exp(-eps), eps/(1 + eps) and eps, the last for finite demands only.

As printed, the offset l makes the mechanism an estimate of f(D) only for l = 0, and f = 1, meant as
a count, has l = h and so no noise at all.  The repair leaves the offset out and scales the noise by
F = max |f|: level alpha |f(x)|/F, and with f = 1 a count.

>>> from ahdp_verify.kernel.model.claims import ahdp
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
    both,
    broken,
    exact,
    expect,
    fails,
    holds,
    lowered,
    private,
    with_noise,
)
from ahdp_verify.catalogue.laplace import density, numbers
from ahdp_verify.kernel.model.domain import Body, Domain, body
from ahdp_verify.kernel.model.mechanism import Mechanism
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


def published(W: Domain, centres: Sequence[Expression], scale: object, title: str) -> Mechanism:
    """Every centre, a sum over the records, plus Laplace noise of that scale."""
    s = numbers("s", len(centres))
    return Mechanism(
        W,
        outputs=s,
        density=multiply(*(density(o - a, scale) for o, a in zip(s, centres, strict=True))),
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
    return published(
        W,
        [low + W.sum(body(weight) * (body(query) - low))],
        noise * (high - low),
        with_noise("linear query", noise),
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
    return published(
        W,
        [W.sum(body(weight) * body(query))],
        noise * expression(largest),
        with_noise("linear query without offset", noise),
    )


def weighted_sum(W: Domain, *, weight: Body, bounds: tuple[object, object]) -> Mechanism:
    """Sum estimation by prop:newDP: the linear query of f(x) = x, for numbers l <= x <= h;
    weight and bounds as in `linear_query`.
    """
    return replace(linear_query(W, X, weight=weight, bounds=bounds), name="weighted sum")


def count(W: Domain, *, weight: Body, noise: Number = 1) -> Mechanism:
    """The size of the dataset, privately: sum of alpha(x, eps) + L(1), the repaired linear query
    of f = 1.  Level: alpha/noise.
    """
    return published(W, [W.sum(weight)], expression(noise), with_noise("count", noise))


def histogram(W: Domain, bins: Sequence[object], *, weight: Body, noise: Number = 1) -> Mechanism:
    """For every bin the sum of alpha(x, eps) over the records with that value, plus L(1) of its
    own.

    bins     distinct values, numbers or labels; a record belongs to at most one, so it costs its
             weight once
    weight, noise   as in `linear_query`
    Level: alpha/noise for a value in the bins, 0 for others.
    """
    centres = [W.sum(body(weight) * indicator(eq(X, value))) for value in bins]
    return published(W, centres, expression(noise), with_noise("histogram of weights", noise))


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
        both(
            private(ALPHA, OF_EVERY),
            fails("ahdp", lowered(ALPHA), OF_EVERY, "met at f = h"),
            fails("ahdp", lowered(EPS), OF_EVERY, "met at alpha = eps, f = h"),
        ),
        "paper/linear-query-universal.toml",
    ),
    Entry(
        "linear-query-half",
        "broken twin of linear-query: half the noise",
        "prop:newDP",
        lambda: linear_query(EVERY, F, weight=ALPHA, bounds=(L, H), noise=HALF),
        broken(ALPHA, 2 * OF_EVERY),
        "paper/linear-query-universal-half.toml",
    ),
    Entry(
        "linear-query-repaired",
        "the same without the offset, an estimate for every l",
        "prop:newDP, repaired",
        lambda: linear_query_without_offset(EVERY_WITHIN, F, weight=ALPHA, largest=LARGEST),
        both(
            private(ALPHA, OF_EVERY_WITHIN),
            fails("ahdp", lowered(ALPHA), OF_EVERY_WITHIN, "met at f = F and f = -F"),
        ),
        "paper/linear-query-repaired.toml",
    ),
    Entry(
        "linear-query-repaired-half",
        "broken twin of linear-query-repaired: half the noise",
        "prop:newDP, repaired",
        lambda: linear_query_without_offset(
            EVERY_WITHIN, F, weight=ALPHA, largest=LARGEST, noise=HALF
        ),
        broken(ALPHA, 2 * OF_EVERY_WITHIN),
        "paper/linear-query-repaired-half.toml",
    ),
    Entry(
        "linear-query-ex-sum",
        "the linear query on the records of ex:sum, demand oo among them",
        "ex:sum",
        lambda: linear_query(EX_SUM, X, weight=SATURATING, bounds=(0, 2)),
        both(
            private(SATURATING, SATURATING * X / 2),
            exact("swap", 1),
            expect("vacuous", "hdp", EPS, None, "no moves: every demand belongs to one value"),
        ),
        "paper/linear-query-ex-sum.toml",
    ),
    Entry(
        "linear-query-ex-sum-half",
        "broken twin of linear-query-ex-sum: half the noise",
        "ex:sum",
        lambda: linear_query(EX_SUM, X, weight=SATURATING, bounds=(0, 2), noise=HALF),
        both(
            fails("ahdp", SATURATING, SATURATING * X, "(2, oo) exceeds its weight"),
            holds("ahdp", EPS, SATURATING * X, "but (2, oo) asks for nothing"),
            fails("ahdp", Min(EPS, 1), SATURATING * X),
        ),
        "paper/linear-query-ex-sum-half.toml",
    ),
    Entry(
        "linear-query-infinite-weight",
        "the linear query with weight eps where somebody's demand is oo",
        "ex:sum",
        lambda: linear_query(EX_SUM, X, weight=EPS, bounds=(0, 2)),
        expect("refused", "ahdp", reason="the weight is infinite: there is no such mechanism"),
        "paper/linear-query-infinite-weight.toml",
    ),
    Entry(
        "sum",
        "a sum with weights 1 - exp(-eps), every domain in [l, h] at once",
        "Sec. 4: sum by prop:newDP",
        lambda: weighted_sum(EVERY_VALUE, weight=SATURATING, bounds=(L, H)),
        both(
            private(SATURATING, SATURATING * WITHIN),
            fails("ahdp", lowered(SATURATING), SATURATING * WITHIN, "met at x = h"),
        ),
        "paper/sum.toml",
    ),
    Entry(
        "sum-ratio",
        "a sum with weights eps/(1 + eps), every domain in [l, h] at once",
        "Sec. 4: sum by prop:newDP",
        lambda: weighted_sum(EVERY_VALUE, weight=RATIO, bounds=(L, H)),
        both(
            holds("ahdp", EPS, RATIO * WITHIN, "W-AHDP: the weight never exceeds eps"),
            exact("ahdp", RATIO * WITHIN),
        ),
        "paper/sum-ratio.toml",
    ),
    Entry(
        "count",
        "the size of the dataset, every domain at once",
        "prop:newDP, repaired, f = 1",
        lambda: count(EVERY_WEIGHT, weight=ALPHA),
        private(ALPHA, ALPHA),
        "paper/count.toml",
    ),
    Entry(
        "count-half",
        "broken twin of count: half the noise",
        "prop:newDP, repaired, f = 1",
        lambda: count(EVERY_WEIGHT, weight=ALPHA, noise=HALF),
        broken(ALPHA, 2 * ALPHA),
        "paper/count-half.toml",
    ),
    Entry(
        "count-ex-sum",
        "the size of the dataset on the records of ex:sum",
        "ex:sum; prop:newDP, repaired, f = 1",
        lambda: count(EX_SUM, weight=SATURATING),
        private(SATURATING, SATURATING),
    ),
    Entry(
        "count-as-printed",
        "the count that the paper reads off prop:newDP with f = 1",
        "Sec. 4: count by prop:newDP",
        lambda: linear_query(EX_SUM, ONE, weight=SATURATING, bounds=(1, 1)),
        expect("refused", "ahdp", reason="the scale h - l is 0"),
        "paper/count-as-printed.toml",
    ),
    Entry(
        "histogram",
        "the weights in each of three bins",
        "Sec. 4: histogram by prop:newDP",
        lambda: histogram(BINS, (1, 2, 3), weight=SATURATING),
        private(SATURATING, SATURATING),
        "paper/histogram.toml",
    ),
    Entry(
        "histogram-half",
        "broken twin of histogram: half the noise",
        "Sec. 4: histogram by prop:newDP",
        lambda: histogram(BINS, (1, 2, 3), weight=SATURATING, noise=HALF),
        broken(SATURATING, 2 * SATURATING),
        "paper/histogram-half.toml",
    ),
    Entry(
        "histogram-universal",
        "the weights in each of the bins 1, 2, 3, every domain of numbers at once",
        "Sec. 4: histogram by prop:newDP",
        lambda: histogram(EVERY_NUMBER, (1, 2, 3), weight=ALPHA),
        private(ALPHA, ALPHA),
    ),
)
