"""The pair behind the mean of prop:newDP-mean, as printed and repaired: a noisy numerator and a
noisy denominator.

The mean is the quotient of the pair, which is post-processing; the pair is what must be private.  A
record costs the sum of what it costs in each part, alpha1 (x - l)/(h - l) + alpha2, and that is
reached at large outputs of both.  Universal AHDP needs alpha1 + alpha2 <= eps.

As printed the offset l stands inside the numerator, so that the quotient tends to (weighted mean) -
l.  The repair centres the values at c = (l + h)/2, where |x - c| <= (h - l)/2 allows half the
noise, and adds c to the quotient afterwards.  Published quotients should clip the denominator at 1:
unclipped they have no expectation.

>>> from ahdp_verify.kernel.model.privacy import ahdp
>>> from ahdp_verify.search.verify import verify
>>> M = weighted_mean(EX_SUM, weights=(SATURATING / 2, SATURATING / 2), bounds=(0, 2))
>>> print(type(verify(ahdp(M, SATURATING * (X + 2) / 4))).__name__)
Proved
"""

from __future__ import annotations

from fractions import Fraction

from ahdp_verify import Abs, Domain, Expression, Mechanism, name, number, real
from ahdp_verify.catalogue import (
    BOUNDS,
    EX_SUM,
    SATURATING,
    Body,
    Entry,
    H,
    L,
    Number,
    X,
    expect_all,
    expect_broken_twin,
    expect_private_as_stated,
    expect_refuted,
    laplace_density,
    lowered_level,
    record_expression,
)

HALF = Fraction(1, 2)
ALPHA_1, ALPHA_2 = name("alpha1"), name("alpha2")
EVERY = Domain.universal(
    {
        "alpha1": "0 <= alpha1",
        "alpha2": "0 <= alpha2 and alpha1 + alpha2 <= eps",
        "x": "l <= x <= h",
    },
    BOUNDS,
)


def weighted_mean(
    W: Domain,
    *,
    weights: tuple[Body, Body],
    bounds: tuple[object, object],
    noise: tuple[Number, Number] = (1, 1),
) -> Mechanism:
    """prop:newDP-mean as printed: m = l + sum of alpha1 (x - l) + L(h - l) and n = sum of alpha2 +
    L(1); the paper publishes m/n.

    weights   (alpha1, alpha2), functions of x and eps or expressions, at least 0 and finite at
              demand oo
    bounds    (l, h) with l <= x <= h on the domain, public, l < h
    noise     factors on the scales of numerator and denominator; 1 in the paper
    Level: alpha1 (x - l)/(h - l) + alpha2, each part divided by its factor.
    """
    low, high = (number(0) + b for b in bounds)
    numerator = low + W.sum(record_expression(weights[0]) * (X - low))
    return pair(
        W,
        numerator,
        W.sum(weights[1]),
        scales=(noise[0] * (high - low), noise[1]),
        title="mean: numerator and denominator",
    )


def mean_centred(
    W: Domain,
    *,
    weights: tuple[Body, Body],
    bounds: tuple[object, object],
    noise: tuple[Number, Number] = (1, 1),
) -> Mechanism:
    """prop:newDP-mean repaired: m = sum of alpha1 (x - c) + L((h - l)/2) and n = sum of alpha2 +
    L(1), c = (l + h)/2; the mean is c + m/n.

    weights, bounds, noise   as in `weighted_mean`
    Level: 2 alpha1 |x - c|/(h - l) + alpha2, each part divided by its factor.
    """
    low, high = (number(0) + b for b in bounds)
    numerator = W.sum(record_expression(weights[0]) * (X - (low + high) / 2))
    return pair(
        W,
        numerator,
        W.sum(weights[1]),
        scales=(noise[0] * (high - low) / 2, noise[1]),
        title="mean, centred",
    )


def pair(
    W: Domain,
    numerator: Expression,
    denominator: Expression,
    *,
    scales: tuple[object, object],
    title: str,
) -> Mechanism:
    """Two sums over the records, m and n, each plus Laplace noise of its scale."""
    m, n = real("m"), real("n")
    return Mechanism(
        W,
        outputs=[m, n],
        density=laplace_density(m - numerator, scales[0])
        * laplace_density(n - denominator, scales[1]),
        name=title,
    )


PRINTED, CENTRED = (X - L) / (H - L), 2 * Abs(X - (L + H) / 2) / (H - L)
STATED, OF_EX_MEAN = ALPHA_1 + ALPHA_2, SATURATING / 2 * X / 2 + SATURATING / 2

ENTRIES = (
    Entry(
        "mean",
        "numerator and denominator of a mean, every domain in [l, h] at once",
        "prop:newDP-mean",
        lambda: weighted_mean(EVERY, weights=(ALPHA_1, ALPHA_2), bounds=(L, H)),
        expect_all(
            expect_private_as_stated(STATED, ALPHA_1 * PRINTED + ALPHA_2),
            expect_refuted(
                "ahdp", lowered_level(STATED), ALPHA_1 * PRINTED + ALPHA_2, "met at x = h"
            ),
        ),
        "paper/mean-numerator-and-denominator.toml",
    ),
    Entry(
        "mean-half",
        "broken twin of mean: half the noise in the numerator",
        "prop:newDP-mean",
        lambda: weighted_mean(EVERY, weights=(ALPHA_1, ALPHA_2), bounds=(L, H), noise=(HALF, 1)),
        expect_broken_twin(STATED, 2 * ALPHA_1 * PRINTED + ALPHA_2),
        "paper/mean-half-noise-in-numerator.toml",
    ),
    Entry(
        "mean-repaired",
        "the same centred, with half the noise of the printed numerator",
        "prop:newDP-mean, repaired",
        lambda: mean_centred(EVERY, weights=(ALPHA_1, ALPHA_2), bounds=(L, H)),
        expect_all(
            expect_private_as_stated(STATED, ALPHA_1 * CENTRED + ALPHA_2),
            expect_refuted(
                "ahdp", lowered_level(STATED), ALPHA_1 * CENTRED + ALPHA_2, "met at x = l and x = h"
            ),
        ),
        "paper/mean-centred.toml",
    ),
    Entry(
        "mean-repaired-half",
        "broken twin of mean-repaired: half the noise in both parts",
        "prop:newDP-mean, repaired",
        lambda: mean_centred(EVERY, weights=(ALPHA_1, ALPHA_2), bounds=(L, H), noise=(HALF, HALF)),
        expect_broken_twin(STATED, 2 * (ALPHA_1 * CENTRED + ALPHA_2)),
        "paper/mean-centred-half-noise.toml",
    ),
    Entry(
        "mean-ex-mean",
        "the mean on the records of ex:mean, demand oo among them",
        "ex:mean",
        lambda: weighted_mean(EX_SUM, weights=(SATURATING / 2, SATURATING / 2), bounds=(0, 2)),
        expect_private_as_stated(SATURATING, OF_EX_MEAN),
        "paper/mean-three-records.toml",
    ),
)
