"""Counts with whole-number noise: geometric noise and variants of it, rounded Laplace noise,
staircase noise, thresholds.

With q = exp(-eps), P(Z = k) = (1 - q)/(1 + q) q^|k| is two-sided geometric noise; size + Z has the
level eps for one record more.  What is computed from size + Z keeps that level: its value clamped
to 0, ..., n, or modulo m.  Two other things are not computed from it:

* Noise cut off at distance r and normalised.  The outputs at one end have no counterpart after a
  move: no finite level, but at the level eps exactly delta = q^r / (1 + 2 (q + ... + q^r)).
* A noisy count that is shown from a threshold t on only, where no users at all show nothing.  One
  user is seen with the probability P(1 + Z >= t) = q^(t-1) / (1 + q), and that is the delta at the
  level eps.  Taking P(1 + Z > t) for it is too little by the factor q.

Laplace noise of scale 1/eps that is rounded keeps eps, since the query is whole.  Staircase noise
falls by the factor q at |z| = gamma, gamma + 1, ...; it has the level eps for every gamma.

>>> print(two_sided_geometric(W, EPS).density)
(1 - exp(-eps))/(exp(-eps) + 1)*exp(-eps*abs(k - size))
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ahdp_verify import laws
from ahdp_verify.catalogue.entry import (
    EPS,
    POSITIVE,
    Claims,
    Entry,
    Expected,
    Number,
    expect_all,
    expect_exact_level,
    expect_refuted,
    lowered_level,
    noise_title,
)
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    eq,
    exp,
    expression,
    log,
    multiply,
    name,
    number,
    oo,
    piecewise,
)
from ahdp_verify.laws import clamp, geometric, laplace, mechanism, rounded
from ahdp_verify.laws.law import simplified_reciprocal

HALF = Fraction(1, 2)
W = Domain([(1, EPS)])
ONE = Domain([(1, 1)])
TWO = Domain([(1, log(2))])


def two_sided_geometric(
    W: Domain, eps: object, *, noise: Number = 1, given: Mapping[str, str] = POSITIVE
) -> Mechanism:
    """The size plus two-sided geometric noise of ratio exp(-eps/noise).

    W       any domain
    eps     positive, in nats
    noise   factor on the scale; one half for the broken twin
    given   conditions of the parameters in eps
    Level: eps/noise for one record more.
    """
    scale = simplified_reciprocal(expression(eps) / noise)
    return mechanism(
        W,
        {"k": geometric(W.size, scale)},
        parameters=given,
        name=noise_title("two-sided geometric", noise),
    )


def clamped_geometric(
    W: Domain, top: int, eps: object, *, given: Mapping[str, str] = POSITIVE
) -> Mechanism:
    """The size plus two-sided geometric noise, values below 0 taken for 0 and values above `top` >=
    1 for `top`: the ends take the tails.

    Level: eps for one record more, whatever the size.
    """
    law = clamp(geometric(W.size, 1 / expression(eps)), 0, top)
    return mechanism(W, {"k": law}, parameters=given, name=f"geometric clamped to 0..{top}")


def modular_geometric(
    W: Domain, modulus: int, eps: object, *, given: Mapping[str, str] = POSITIVE
) -> Mechanism:
    """The size plus two-sided geometric noise, modulo a whole number >= 2.

    Level: log((1 + q^m) / (q + q^(m-1))) for one record more, q = exp(-eps), m the modulus; below
    eps.
    """
    k, e = finite("k", range(modulus)), expression(eps)
    rest = Expression("mod", (k - W.size, number(modulus)))
    law = (
        (1 - exp(-e))
        / (1 + exp(-e))
        * (exp(-e * rest) + exp(-e * (modulus - rest)))
        / (1 - exp(-e * modulus))
    )
    return Mechanism(
        W, outputs=[k], density=law, parameters=given, name=f"geometric modulo {modulus}"
    )


def modular_level(modulus: int, eps: Expression) -> Expression:
    """The level of geometric noise modulo a number: the least and the most likely residue are
    neighbours for 2 and 3, else residues 0 and 1.
    """
    return log((1 + exp(-eps * modulus)) / (exp(-eps) + exp(-eps * (modulus - 1))))


def truncated_geometric(
    W: Domain, radius: int, ratio: object, *, given: Mapping[str, str] = POSITIVE
) -> Mechanism:
    """The size plus geometric noise of that ratio in (0, 1), cut off beyond a radius >= 1 and
    normalised.

    No finite level; at the level log(1/ratio) the least delta is ratio^radius over the sum of all
    weights.
    """
    k, a = integer("k"), expression(ratio)
    z = k - W.size
    law = piecewise(
        (a ** Abs(z) / truncated_geometric_total(radius, a), Abs(z) <= radius), (0, True)
    )
    return Mechanism(
        W, outputs=[k], density=law, parameters=given, name=f"geometric cut off at {radius}"
    )


def truncated_geometric_total(radius: int, ratio: Expression) -> Expression:
    """The sum of ratio^|z| over |z| <= radius."""
    total = number(1)
    for j in range(1, radius + 1):
        total = total + 2 * ratio**j
    return total


def rounded_laplace(
    W: Domain, eps: object, *, noise: Number = 1, given: Mapping[str, str] = POSITIVE
) -> Mechanism:
    """The size plus Laplace noise of scale noise/eps that is rounded to the next whole number.

    Level: eps/noise for one record more, since the size is whole: it is the rounded noisy size.
    """
    law = rounded(laplace(W.size, simplified_reciprocal(expression(eps) / noise)))
    return mechanism(
        W, {"k": law}, parameters=given, name=noise_title("rounded Laplace noise", noise)
    )


def staircase(
    W: Domain, eps: object, gamma: object, *, first: int = 0, given: Mapping[str, str] = POSITIVE
) -> Mechanism:
    """The size plus noise z of density height * q^floor(|z| + 1 - gamma) on |z| >= `first`, q =
    exp(-eps).

    gamma   in (0, 1): where in each unit the step falls
    first   0; 1 for the broken twin whose units are counted from 1, so that it has no mass on |z| <
            1
    Level: eps for one record more.
    """
    s, law = real("s"), laws.staircase(W.size, 1, eps, gamma).density(name("s"))
    density = (
        piecewise((0, Abs(s - W.size) < first), (exp(first * expression(eps)) * law, True))
        if first
        else law
    )
    return Mechanism(
        W,
        outputs=[s],
        density=density,
        parameters=given,
        name=f"staircase from unit {first}" if first else "staircase",
    )


def thresholded_count(
    W: Domain, threshold: int, ratio: object, *, given: Mapping[str, str] = POSITIVE
) -> Mechanism:
    """The size plus geometric noise of that ratio in (0, 1) if that is at least a threshold >= 2,
    else "nothing"; of no records always "nothing".

    At the level log(1/ratio) the least delta is ratio^(threshold - 1) / (1 + ratio), the
    probability that one record is seen.
    """
    k, a, n = integer("k"), expression(ratio), W.size
    shown = piecewise(((1 - a) / (1 + a) * a ** Abs(k - n), (n >= 1) & (k >= threshold)), (0, True))
    hidden = piecewise(
        (1, eq(n, 0)),
        (1 - a ** (threshold - n) / (1 + a), n <= threshold),
        (a ** (n - threshold + 1) / (1 + a), True),
    )
    return Mechanism(
        W,
        outputs=[k],
        density=shown,
        atoms=[("nothing", hidden)],
        parameters=given,
        name=f"count from {threshold} on",
    )


def expect_exact_delta(level: object, delta: Expression) -> Claims:
    """One record more costs a delta at a level, and no less than that."""
    stated = expression(level)
    return lambda M: (
        Expected(Claim(M, "add-remove", stated, delta), "proved", reason="exact delta"),
        Expected(
            Claim(M, "add-remove", stated, lowered_level(delta)),
            "refuted",
            reason="exact delta, lowered by a thousandth",
        ),
    )


def expect_delta_too_small(level: object, delta: Expression, reason: str) -> Claims:
    """A delta that is too small at a level."""
    return lambda M: (
        Expected(Claim(M, "add-remove", expression(level), delta), "refuted", reason=reason),
    )


A = name("a")
RATIO: Mapping[str, str] = {"a": "0 < a and a < 1"}
STEPS: Mapping[str, str] = {"eps": "eps > 0", "gamma": "0 < gamma and gamma < 1"}
RATE = log(1 / A)

ENTRIES = (
    Entry(
        "two-sided-geometric",
        "the size with two-sided geometric noise, every eps",
        "benchmark M37",
        lambda: two_sided_geometric(W, EPS),
        expect_exact_level("add-remove", EPS),
        "field/geometric-size.toml",
    ),
    Entry(
        "two-sided-geometric-half",
        "broken twin of two-sided-geometric: half the scale",
        "benchmark M37",
        lambda: two_sided_geometric(W, EPS, noise=HALF),
        expect_all(
            expect_refuted("add-remove", EPS, multiply(number(2), EPS)),
            expect_exact_level("add-remove", multiply(number(2), EPS)),
        ),
    ),
    Entry(
        "clamped-geometric",
        "geometric noise on the size, values beyond 0 and 3 taken for these, every eps",
        "post-processing of benchmark M37",
        lambda: clamped_geometric(W, 3, EPS),
        expect_exact_level("add-remove", EPS),
    ),
    Entry(
        "modular-geometric",
        "geometric noise on the size, modulo 3, every eps",
        "post-processing of benchmark M37",
        lambda: modular_geometric(W, 3, EPS),
        expect_exact_level("add-remove", modular_level(3, EPS)),
    ),
    Entry(
        "cut-off-geometric",
        "geometric noise on the size, cut off at distance 1, every ratio",
        "public SH-05, a support leak",
        lambda: truncated_geometric(ONE, 1, A, given=RATIO),
        expect_all(
            expect_refuted("add-remove", RATE, oo), expect_exact_delta(RATE, A / (1 + 2 * A))
        ),
        "public/geometric-noise-cut-off-at-1-every-ratio.toml",
    ),
    Entry(
        "rounded-laplace",
        "the size with rounded Laplace noise, every eps",
        "public NS-17",
        lambda: rounded_laplace(W, EPS),
        expect_exact_level("add-remove", EPS),
        "public/rounded-laplace-count-every-eps.toml",
    ),
    Entry(
        "rounded-laplace-half",
        "broken twin of rounded-laplace: half the scale",
        "public NS-17",
        lambda: rounded_laplace(ONE, 1, noise=HALF, given={}),
        expect_all(expect_refuted("add-remove", 1, 2), expect_exact_level("add-remove", 2)),
    ),
    Entry(
        "staircase",
        "the size with staircase noise, every eps and gamma",
        "public SH-10",
        lambda: staircase(W, EPS, name("gamma"), given=STEPS),
        expect_exact_level("add-remove", EPS),
        "public/staircase-count-every-eps-and-gamma.toml",
    ),
    Entry(
        "staircase-from-one",
        "broken twin of staircase: its units are counted from 1, so there is no mass near the size",
        "public SH-10, a support leak",
        lambda: staircase(TWO, log(2), HALF, first=1, given={}),
        expect_all(expect_refuted("add-remove", log(2), oo), expect_refuted("add-remove", 10, oo)),
        "public/staircase-count-starts-at-step-1.toml",
    ),
    Entry(
        "thresholded-count",
        "a noisy count that is shown from 2 on, every ratio",
        "public TH-01",
        lambda: thresholded_count(ONE, 2, A, given=RATIO),
        expect_all(expect_refuted("add-remove", RATE, oo), expect_exact_delta(RATE, A / (1 + A))),
        "public/thresholded-count-any-number-of-users-every-ratio.toml",
    ),
    Entry(
        "thresholded-count-above",
        "broken twin of thresholded-count: the delta of being above the threshold",
        "public TH-01",
        lambda: thresholded_count(TWO, 2, HALF, given={}),
        expect_all(
            expect_delta_too_small(log(2), number("1/6"), "the mass at the threshold is left out"),
            expect_exact_delta(log(2), number("1/3")),
        ),
    ),
)
