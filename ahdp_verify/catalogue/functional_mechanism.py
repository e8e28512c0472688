"""The functional mechanism for linear regression (Zhang, Zhang, Xiao, Yang, Winslett, PVLDB 2012):
every coefficient of the squared error, noisy.

With |x[i]| <= 1 and |y| <= 1 the error of a record, (y - x theta)^2, is a polynomial in theta with
the coefficients y^2, -2 x[i] y and x[i] x[j], at most 1 + 2 d + d^2 = (d + 1)^2 in all.  The
published scale is 2 (d + 1)^2/t for level t: twice that sum, as a replaced record needs.  Added
records shift the coefficients by (d + 1)^2 only, so that the published scale costs them t/2.

>>> from ahdp_verify.kernel.model.privacy import dp
>>> from ahdp_verify.search.verify import verify
>>> print(verify(dp(functional(1), T)))
Proved: functional mechanism, d = 1 is add-remove DP at level t; scope: all datasets, 0 < t; trusts: the checker alone
"""

from __future__ import annotations

from fractions import Fraction

from ahdp_verify.catalogue.entry import (
    Entry,
    Number,
    expect_all,
    expect_exact_level,
    expect_proved,
    expect_refuted,
    noise_title,
)
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.terms.expression import Expression, expression, multiply, name
from ahdp_verify.laws.noise import laplace_density

T, Y = name("t"), name("y")
QUARTER = Fraction(1, 4)


def features(d: int) -> tuple[Expression, ...]:
    """The names x[1], ..., x[d]."""
    return tuple(name(f"x[{i}]") for i in range(1, d + 1))


def functional(d: int, *, noise: Number = 1) -> Mechanism:
    """The coefficients of the squared error for every t > 0: c of 1, b[i] of theta[i], a[(i - 1) d
    + j] of theta[i] theta[j], each + L(2 (d + 1)^2/t).

    d       number of features, at least 1
    noise   factor on the scale; 1 as published
    Level: t/(2 noise) for an added record, t/noise for a replaced one.
    """
    x = features(d)
    W = Domain.universal({f"x[{d}]": "-1 <= x <= 1", "y": "-1 <= y <= 1"}, {"t": "t > 0"})
    added = [Y**2, *(-2 * p * Y for p in x), *(p * q for p in x for q in x)]
    outputs = [real("c"), *real("b", d), *real("a", d * d)]
    scale = expression(noise * 2 * (d + 1) ** 2) / T
    law = multiply(
        *(laplace_density(o - W.sum(value), scale) for o, value in zip(outputs, added, strict=True))
    )
    return Mechanism(
        W, outputs=outputs, density=law, name=noise_title(f"functional mechanism, d = {d}", noise)
    )


ENTRIES = (
    Entry(
        "functional-1",
        "the noisy coefficients of the squared error, 1 feature",
        "Zhang et al. 2012, linear regression",
        lambda: functional(1),
        expect_all(
            expect_proved("add-remove", T, T / 2, "as stated"),
            expect_exact_level("add-remove", T / 2),
        ),
    ),
    Entry(
        "functional-2",
        "the noisy coefficients of the squared error, 2 features",
        "Zhang et al. 2012, linear regression",
        lambda: functional(2),
        expect_all(
            expect_proved("add-remove", T, T / 2, "as stated"),
            expect_exact_level("add-remove", T / 2),
        ),
    ),
    Entry(
        "functional-2-quarter",
        "broken twin of functional-2: a quarter of the noise",
        "Zhang et al. 2012, linear regression",
        lambda: functional(2, noise=QUARTER),
        expect_all(expect_refuted("add-remove", T, 2 * T), expect_exact_level("add-remove", 2 * T)),
    ),
)
