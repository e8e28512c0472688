"""The local model over an interval: one person's value v is any number of it, and any two values
are neighbours; planar Laplace noise is for places in the plane.

The one-bit mean and the mechanism of Duchi, Jordan and Wainwright report one of two values, the
larger one with a probability that grows linearly with v.  The Piecewise mechanism reports a number
in [-C, C] whose density is exp(eps) times as high in a window of width C - 1 around a multiple of v
as
outside.  The Hybrid mechanism tosses a coin between these two.  Laplace and staircase noise keep any
two values of [-1, 1] apart by at most eps; between two given values Laplace noise loses only eps |v
- other|/2.

>>> from ahdp_verify.kernel.model.claim import Claim
>>> from ahdp_verify.search.verify import verify
>>> print(verify(Claim(one_bit_mean(EPS, POSITIVE), "any", EPS)))
Proved: one-bit mean is local DP at level eps; scope: all inputs, 0 < eps; trusts: the checker alone
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ahdp_verify.catalogue.entry import (
    EPS,
    POSITIVE,
    Entry,
    expect_all,
    expect_exact_level,
    expect_proved,
    expect_refuted,
)
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.model.real_values import RealValues
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    add,
    eq,
    exp,
    expression,
    floor,
    name,
    number,
    pi,
    piecewise,
    sqrt,
)

Conditions = Mapping[str, object]
V, OTHER, SHARE = name("v"), name("other"), name("share")
UNIT, BOTH_SIDES = RealValues({"v": "0 <= v <= 1"}), RealValues({"v": "-1 <= v <= 1"})
PLACE = (name("v[1]"), name("v[2]"))
UP, DOWN = "up", "down"


def one_bit_mean(level: object, parameters: Conditions | None = None) -> Mechanism:
    """One bit that is 1 with probability 1/(exp(level) + 1) + v (exp(level) - 1)/(exp(level) + 1),
    for a value v in [0, 1].

    Level: that one (Ding, Kulkarni, Yekhanin 2017, 1BitMean, with m = 1).
    """
    e, b = exp(expression(level)), finite("b", (0, 1))
    often = (1 + V * (e - 1)) / (e + 1)
    return Mechanism(
        UNIT,
        outputs=[b],
        density=piecewise((often, eq(b, 1)), (1 - often, True)),
        parameters=parameters or {},
        name="one-bit mean",
    )


def two_points(level: object, parameters: Conditions | None = None) -> Mechanism:
    """One of two numbers +-(exp(level) + 1)/(exp(level) - 1), named "up" and "down": "up" with
    probability 1/2 + v (exp(level) - 1)/(2 exp(level) + 2), for a value v in [-1, 1].

    Level: that one (Duchi, Jordan, Wainwright 2018, in one dimension).
    """
    t = finite("t", (UP, DOWN))
    return Mechanism(
        BOTH_SIDES,
        outputs=[t],
        density=piecewise((chance_of_up(level), eq(t, UP)), (1 - chance_of_up(level), True)),
        parameters=parameters or {},
        name="Duchi et al.",
    )


def chance_of_up(level: object) -> Expression:
    """The probability of the larger of the two numbers."""
    e = exp(expression(level))
    return number("1/2") + V * (e - 1) / (2 * e + 2)


def window_density(level: object, output: Expression) -> Expression:
    """The density of the Piecewise mechanism: p = (exp(level) - exp(level/2))/(2 exp(level/2) + 2)
    for v (C + 1)/2 - (C - 1)/2 <= output <= v (C + 1)/2 + (C - 1)/2, elsewhere in [-C, C] it is p
    exp(-level), where C = (exp(level/2) + 1)/(exp(level/2) - 1).
    """
    half = exp(expression(level) / 2)
    c, p = (half + 1) / (half - 1), (half * half - half) / (2 * half + 2)
    low, high = (V * (c + 1) - (c - 1)) / 2, (V * (c + 1) + (c - 1)) / 2
    return piecewise(
        (p, (low <= output) & (output <= high)),
        (p / (half * half), (-c <= output) & (output <= c)),
        (0, True),
    )


def piecewise_mechanism(level: object, parameters: Conditions | None = None) -> Mechanism:
    """A number with the density of `window_density`, for a value v in [-1, 1].

    Level: that one (Wang, Xiao, Yang et al. 2019, Algorithm 2).
    """
    t = real("t")
    return Mechanism(
        BOTH_SIDES,
        outputs=[t],
        density=window_density(level, t.symbol),
        parameters=parameters or {},
        name="Piecewise mechanism",
    )


def hybrid_mechanism(
    level: object, share: object, parameters: Conditions | None = None
) -> Mechanism:
    """The Piecewise mechanism with probability `share`, else the mechanism of Duchi et al., whose
    two numbers are the atoms "up" and "down".

    Level: that one, for every share in [0, 1] (Wang, Xiao, Yang et al. 2019; share = 1 -
    exp(-level/2) for a level above 0.61).
    """
    t, kept = real("t"), expression(share)
    return Mechanism(
        BOTH_SIDES,
        outputs=[t],
        density=kept * window_density(level, t.symbol),
        atoms={UP: (1 - kept) * chance_of_up(level), DOWN: (1 - kept) * (1 - chance_of_up(level))},
        parameters=parameters or {},
        name="Hybrid mechanism",
    )


def local_laplace(level: object, parameters: Conditions | None = None) -> Mechanism:
    """A value v in [-1, 1] with Laplace noise of scale 2/level.

    Level: that one for all values, and level |v - other|/2 between two given ones (Chatzikokolakis
    et al. 2013).
    """
    e, s = expression(level), real("s")
    return Mechanism(
        BOTH_SIDES,
        outputs=[s],
        density=e / 4 * exp(-e * Abs(s - V) / 2),
        parameters=parameters or {},
        name="local Laplace",
    )


def local_staircase(level: object, parameters: Conditions | None = None) -> Mechanism:
    """A value v in [-1, 1] with staircase noise: steps of width 2, the first of them half as wide
    to either side, each exp(-level) times as high as the one before.

    Level: that one (Geng, Viswanath 2014, sensitivity 2 and gamma = 1/2).
    """
    e, s = expression(level), real("s")
    height = (1 - exp(-e)) / (2 * (1 + exp(-e)))
    return Mechanism(
        BOTH_SIDES,
        outputs=[s],
        density=height * exp(-e * floor(Abs(s - V) / 2 + number("1/2"))),
        parameters=parameters or {},
        name="local staircase",
    )


def planar_laplace(level: object, parameters: Conditions | None = None) -> Mechanism:
    """A place v in the plane with the density level^2/(2 pi) exp(-level |s - v|).

    Level: level times the Euclidean distance of the two places (Andres et al. 2013).
    """
    e, s = expression(level), real("s", 2)
    return Mechanism(
        RealValues({"v[2]": ""}),
        outputs=s,
        density=e**2 / (2 * pi) * exp(-e * distance_of([o.symbol for o in s], PLACE)),
        parameters=parameters or {},
        name="planar Laplace",
    )


def distance_of(a: Sequence[Expression], b: Sequence[Expression]) -> Expression:
    """The Euclidean distance of two points, as a square root."""
    return sqrt(add(*((x - y) ** 2 for x, y in zip(a, b, strict=True))))


ENTRIES = (
    Entry(
        "one-bit-mean",
        "a value in [0, 1] as one bit whose probability is linear in it",
        "Ding, Kulkarni, Yekhanin 2017",
        lambda: one_bit_mean(EPS, POSITIVE),
        expect_exact_level("any", EPS),
        "public/local-one-bit-mean.toml",
    ),
    Entry(
        "local-two-points",
        "a value in [-1, 1] as one of two numbers",
        "Duchi, Jordan, Wainwright 2018",
        lambda: two_points(EPS, POSITIVE),
        expect_exact_level("any", EPS),
        "public/local-duchi.toml",
    ),
    Entry(
        "local-two-points-half",
        "broken twin of local-two-points: made for 2 eps",
        "constructed",
        lambda: two_points(2 * EPS, POSITIVE),
        expect_all(expect_refuted("any", EPS, 2 * EPS), expect_exact_level("any", 2 * EPS)),
    ),
    Entry(
        "local-piecewise",
        "a value in [-1, 1], a window of high density around a multiple of it",
        "Wang, Xiao, Yang et al. 2019",
        lambda: piecewise_mechanism(EPS, POSITIVE),
        expect_exact_level("any", EPS),
        "public/local-piecewise-mechanism.toml",
    ),
    Entry(
        "local-hybrid",
        "the Piecewise mechanism with a probability, else two points, whatever the probability",
        "Wang, Xiao, Yang et al. 2019",
        lambda: hybrid_mechanism(EPS, SHARE, {**POSITIVE, "share": "0 < share and share < 1"}),
        expect_exact_level("any", EPS),
        "public/local-hybrid-mechanism.toml",
    ),
    Entry(
        "local-laplace",
        "a value in [-1, 1] with Laplace noise, between all values and between two given ones",
        "Chatzikokolakis et al. 2013",
        lambda: local_laplace(EPS, POSITIVE),
        expect_all(
            expect_exact_level("any", EPS),
            expect_proved("any", EPS * Abs(V - OTHER) / 2, reason="level of the distance"),
            expect_refuted("any", EPS * Abs(V - OTHER) * number("499/1000")),
        ),
        "public/local-laplace-distance.toml",
    ),
    Entry(
        "local-laplace-half",
        "broken twin of local-laplace: noise for an interval of half the width",
        "constructed",
        lambda: local_laplace(2 * EPS, POSITIVE),
        expect_all(expect_refuted("any", EPS, 2 * EPS), expect_exact_level("any", 2 * EPS)),
    ),
    Entry(
        "local-staircase",
        "a value in [-1, 1] with staircase noise",
        "Geng, Viswanath 2014",
        lambda: local_staircase(EPS, POSITIVE),
        expect_exact_level("any", EPS),
        "public/local-staircase.toml",
    ),
    Entry(
        "planar-laplace",
        "a place in the plane, with noise that falls off with the distance",
        "Andres et al. 2013",
        lambda: planar_laplace(EPS, POSITIVE),
        expect_proved(
            "any",
            EPS * distance_of(PLACE, (name("other[1]"), name("other[2]"))),
            reason="level of the distance",
        ),
        "public/local-planar-laplace.toml",
    ),
)
