"""Linear regression, alg:LR: the weighted moments of the data plus Laplace noise, and the repair
that publishes only the upper triangle.

A record is a vector x in [-1, 1]^d with a target y in [-1, 1].  The moments A = X' diag(alpha) X
and b = X' diag(alpha) y are sums over the records of alpha x[i] x[j] and alpha x[i] y.  With s =
|x[1]| + ... + |x[d]| <= d, adding a record shifts A by alpha s^2 in all and b by alpha s |y|:
together alpha s (s + |y|) <= alpha (d^2 + d), which is the paper's scale.  The solution A^-1 b is
post-processing.

A is symmetric, so its upper triangle says everything.  It shifts by alpha (s^2 + sum of x[i]^2)/2
<= alpha d (d + 1)/2, so the scale d (d + 3)/2 suffices: 44 in place of 72 for d = 8.

>>> from ahdp_verify.kernel.model.privacy import ahdp
>>> from ahdp_verify.search.verify import verify
>>> print(verify(ahdp(regression_upper(1), ALPHA)))
Proved: regression, upper triangle, d = 1 is AHDP at level alpha; scope: all datasets; trusts: the checker alone
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from math import prod

from ahdp_verify import Abs, Domain, Expression, Mechanism, Output, name, number, real
from ahdp_verify.catalogue import (
    Claims,
    Entry,
    MechanismEntry,
    Number,
    expect_all,
    expect_broken_twin,
    expect_private_as_stated,
    expect_proved,
    expect_refuted,
    features,
    laplace_density,
    lowered_level,
    noise_title,
)

HALF = Fraction(1, 2)
ALPHA, Y = name("alpha"), name("y")


def everybody(d: int) -> Domain:
    """All records with |x[i]| <= 1, |y| <= 1 and a weight alpha up to the demand."""
    return Domain.universal(
        {"alpha": "0 <= alpha <= eps", f"x[{d}]": "-1 <= x <= 1", "y": "-1 <= y <= 1"}
    )


def regression(d: int, *, noise: Number = 1) -> Mechanism:
    """alg:LR for every domain: all d^2 moments a = sum of alpha x[i] x[j], row by row, and d
    moments b = sum of alpha x[i] y, each + L(d^2 + d).

    d       number of features, at least 1
    noise   factor on the scale d^2 + d; 1 in the paper
    Level: alpha s (s + |y|)/((d^2 + d) noise), s = |x[1]| + ... + |x[d]|; alpha/noise where all
    |x[i]| and |y| are 1.
    """
    x = features(d)
    return moments(
        d,
        [p * q for p in x for q in x],
        noise * (d * d + d),
        noise_title(f"regression, d = {d}", noise),
    )


def regression_upper(d: int, *, noise: Number = 1) -> Mechanism:
    """alg:LR repaired, for every domain: the d (d + 1)/2 moments a with i <= j, row by row, and the
    d moments b, each + L(d (d + 3)/2).

    d       number of features, at least 1
    noise   factor on the scale d (d + 3)/2
    Level: alpha ((s^2 + sum of x[i]^2)/2 + s |y|)/(d (d + 3)/2 noise), s = |x[1]| + ... + |x[d]|.
    """
    x = features(d)
    upper = [x[i] * x[j] for i in range(d) for j in range(i, d)]
    return moments(
        d,
        upper,
        noise * Fraction(d * (d + 3), 2),
        noise_title(f"regression, upper triangle, d = {d}", noise),
    )


def moments(d: int, products: list[Expression], scale: Number, title: str) -> Mechanism:
    """The sums of alpha times the products, a[1], a[2], ..., and of alpha x[i] y, b[1], ...,
    b[d], each plus L(scale).
    """
    W, a, b = everybody(d), real("a", len(products)), real("b", d)
    return Mechanism(
        W,
        outputs=[*a, *b],
        density=noisy(W, a, products, scale) * noisy(W, b, [x * Y for x in features(d)], scale),
        name=title,
    )


def noisy(
    W: Domain, outputs: tuple[Output, ...], products: list[Expression], scale: Number
) -> Expression:
    """The density of the weighted sums of products, each plus L(scale)."""
    return prod(
        (
            laplace_density(o - W.sum(ALPHA * p), scale)
            for o, p in zip(outputs, products, strict=True)
        ),
        start=number(1),
    )


def norm(d: int) -> Expression:
    """s = |x[1]| + ... + |x[d]|."""
    return sum(map(Abs, features(d)), number(0))


def shift(d: int) -> Expression:
    """How far a record shifts all moments together."""
    return ALPHA * norm(d) * (norm(d) + Abs(Y))


def shift_upper(d: int) -> Expression:
    """How far a record shifts the upper triangle and b together."""
    return ALPHA * (
        (norm(d) ** 2 + sum((x**2 for x in features(d)), number(0))) / 2 + norm(d) * Abs(Y)
    )


def sound(least: Expression) -> Claims:
    """Level alpha and no less, and the exact level `least`."""
    return expect_all(
        expect_private_as_stated(ALPHA, least),
        expect_refuted("ahdp", lowered_level(ALPHA), least, "met where all |x[i]| and |y| are 1"),
    )


def large(least: Expression) -> Claims:
    """Level alpha and no less, for a large instance, whose every proof takes seconds."""
    return expect_all(
        expect_proved("ahdp", ALPHA, least, "as stated"),
        expect_refuted("ahdp", lowered_level(ALPHA), least, "met where all |x[i]| and |y| are 1"),
    )


def broken(least: Expression) -> Claims:
    """Level alpha fails, for a large instance, whose exact level takes long."""
    return expect_refuted("ahdp", ALPHA, least, "as stated")


def entries(d: int, scales: tuple[int, int], *, is_large: bool = False) -> Iterator[MechanismEntry]:
    """The moments of d features and their upper triangle, each with a broken twin; `scales` are
    those of the two noises.
    """
    of = f"{d} feature{'s' if d > 1 else ''}"
    printed, repaired = scales
    better = f": scale {repaired} in place of {printed}" if repaired < printed else ""
    whole = f"moments for linear regression on {of}, every domain at once"
    upper = f"the upper triangle of the moments, {of}{better}"
    made = (regression, "", "alg:LR", shift(d) / printed, whole)
    made_upper = (regression_upper, "-upper", "alg:LR, repaired", shift_upper(d) / repaired, upper)
    for mechanism, key, source, least, title in (made, made_upper):
        name_ = f"regression-{d}{key}"
        file = f"paper/linear-regression{'-upper-triangle' if key else ''}-d-{d}"
        yield Entry(
            name_,
            title,
            source,
            partial(mechanism, d),
            large(least) if is_large else sound(least),
            f"{file}.toml",
        )
        yield Entry(
            f"{name_}-half",
            f"broken twin of {name_}: half the noise",
            source,
            partial(mechanism, d, noise=HALF),
            broken(2 * least) if is_large else expect_broken_twin(ALPHA, 2 * least),
            f"{file}-half-noise.toml",
        )


ENTRIES = (*entries(1, (2, 2)), *entries(2, (6, 5)), *entries(8, (72, 44), is_large=True))
