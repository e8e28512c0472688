"""Sums of independent noises, and laws of several outputs that are not products.

The sum of n Laplace noises of scale 1/eps has the density eps P_n(t) exp(-t) with t = eps |s -
size| and a polynomial P_n: (1 + t)/4 for two, (3 + 3 t + t^2)/16 for three.  The ratio of two such
densities at neighbouring counts tends to exp(eps) in the tails, and stays below: the level is eps,
as for one
noise.  If the scales differ, the largest one determines the level.  The sum of two geometric noises
of ratio a has the level log(1/a).

Gamma noise of whole shape is never negative: no level at all.

>>> from ahdp_verify.kernel.model.claim import Claim
>>> from ahdp_verify.search.verify import verify
>>> print(verify(Claim(two_laplace_noises(EPS), "add-remove", EPS)))
Proved: sum of two Laplace noises is add-remove DP at level eps; scope: all datasets, 0 < eps; trusts: the checker, the rule of integration by parts and the rules of regions
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ahdp_verify.catalogue.entry import (
    EPS,
    POSITIVE,
    Entry,
    expect_all,
    expect_exact_level,
    expect_refuted,
)
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import integer, real
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    exp,
    expression,
    log,
    name,
    number,
    piecewise,
)

W = Domain([(1, 1)])
V = name("v")


def two_laplace_noises(level: object, given: Mapping[str, str] = POSITIVE) -> Mechanism:
    """The size plus two independent Laplace noises of scale 1/level.

    Level: that one for one record more; it is approached as the output grows, and not attained.
    """
    return _count_with(level, lambda t: (1 + t) * exp(-t) / 4, "sum of two Laplace noises", given)


def three_laplace_noises(level: object, given: Mapping[str, str] = POSITIVE) -> Mechanism:
    """The size plus three independent Laplace noises of scale 1/level.

    Level: that one for one record more.
    """
    shape = "sum of three Laplace noises"
    return _count_with(level, lambda t: (3 + 3 * t + t**2) * exp(-t) / 16, shape, given)


def laplace_noises_of_two_scales(level: object, given: Mapping[str, str] = POSITIVE) -> Mechanism:
    """The size plus independent Laplace noises of scales 1/level and 1/(2 level).

    Level: that of the larger scale for one record more.
    """
    shape = "sum of Laplace noises of two scales"
    return _count_with(level, lambda t: exp(-t) * (2 - exp(-t)) / 3, shape, given)


def _count_with(
    level: object, shape: Callable[[Expression], Expression], title: str, given: Mapping[str, str]
) -> Mechanism:
    e, s = expression(level), real("s")
    return Mechanism(
        W,
        outputs=[s],
        density=e * shape(e * Abs(s - W.size)),
        parameters=given,
        name=title,
    )


def two_geometric_noises(ratio: object, given: Mapping[str, str]) -> Mechanism:
    """The size plus two independent two-sided geometric noises of this ratio, between 0 and 1.

    Level: log(1/ratio) for one record more.
    """
    a, k = expression(ratio), integer("k")
    t = Abs(k - W.size)
    return Mechanism(
        W,
        outputs=[k],
        density=(1 - a) * (t * (1 - a * a) + 1 + a * a) * a**t / ((1 + a) * (1 + a) * (1 + a)),
        parameters=given,
        name="sum of two geometric noises",
    )


def gamma_noise(scale: object, given: Mapping[str, str]) -> Mechanism:
    """The size plus gamma noise of shape 3, density z^2 exp(-z/scale)/(2 scale^3) for z > 0.

    Level: none, since an output between two sizes shows that the smaller one is the true one.
    """
    b, s = expression(scale), real("s")
    z = s - W.size
    return Mechanism(
        W,
        outputs=[s],
        density=piecewise((z**2 * exp(-z / b) / (2 * b**3), z > 0), (0, True)),
        parameters=given,
        name="gamma noise",
    )


def one_report_of_two(level: object, given: Mapping[str, str] = POSITIVE) -> Mechanism:
    """A bit v reported with Laplace noise of scale 1/level in one of two places that a coin
    chooses, with the same noise about 0 in the other one: the density is a sum of two products.

    Level: that one.
    """
    e, first, second = expression(level), real("y1"), real("y2")
    one, other = (
        exp(-e * Abs(a - V)) * exp(-e * Abs(b.symbol))
        for a, b in ((first, second), (second, first))
    )
    return Mechanism(
        Values([0, 1]),
        outputs=[first, second],
        density=e**2 / 8 * (one + other),
        parameters=given,
        name="one report of two",
    )


ENTRIES = (
    Entry(
        "two-laplace-noises",
        "a count with the sum of two Laplace noises",
        "Kotz, Kozubowski, Podgorski 2001, section 2.3",
        lambda: two_laplace_noises(EPS),
        expect_exact_level("add-remove", EPS),
    ),
    Entry(
        "two-laplace-noises-half",
        "broken twin of two-laplace-noises: half the noise",
        "constructed",
        lambda: two_laplace_noises(2 * EPS),
        expect_all(
            expect_refuted("add-remove", EPS, 2 * EPS), expect_exact_level("add-remove", 2 * EPS)
        ),
    ),
    Entry(
        "three-laplace-noises",
        "a count with the sum of three Laplace noises",
        "Kotz, Kozubowski, Podgorski 2001, section 2.3",
        lambda: three_laplace_noises(EPS),
        expect_exact_level("add-remove", EPS),
    ),
    Entry(
        "laplace-noises-of-two-scales",
        "a count with the sum of Laplace noises of two scales",
        "constructed",
        lambda: laplace_noises_of_two_scales(EPS),
        expect_exact_level("add-remove", EPS),
    ),
    Entry(
        "two-geometric-noises",
        "a count with the sum of two geometric noises of ratio 1/2",
        "constructed",
        lambda: two_geometric_noises(number("1/2"), {}),
        expect_exact_level("add-remove", log(2)),
    ),
    Entry(
        "two-geometric-noises-half",
        "broken twin of two-geometric-noises: ratio 1/4",
        "constructed",
        lambda: two_geometric_noises(number("1/4"), {}),
        expect_all(
            expect_refuted("add-remove", log(2), log(4)), expect_exact_level("add-remove", log(4))
        ),
    ),
    Entry(
        "gamma-noise",
        "a count with gamma noise of shape 3",
        "constructed",
        lambda: gamma_noise(1 / EPS, POSITIVE),
        expect_refuted("add-remove", 3 * EPS),
    ),
    Entry(
        "one-report-of-two",
        "a bit with Laplace noise in one of two places, noise about 0 in the other",
        "constructed",
        lambda: one_report_of_two(EPS),
        expect_exact_level("any", EPS),
    ),
)
