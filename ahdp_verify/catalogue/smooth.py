"""Smooth and heavy-tailed noise, and smooth densities on an interval.

    noise on a count, scale g                    largest loss for one record more
    Cauchy                                       2 asinh(1/(2 g)), inside
    Student, n degrees of freedom                (n + 1) asinh(1/(2 g sqrt(n))), inside
    logistic; hyperbolic secant                  1/g, in the tails
    Gaussian                                     unbounded

A density that is cut to an interval has to be renormalised by a constant that depends on the input;
then scale 1/eps may not be enough for eps.  A smooth density may have its largest loss in the
middle of an interval, and a smooth query its largest contribution at a value inside.

>>> from ahdp_verify.kernel.model.privacy import dp
>>> from ahdp_verify.search.verify import verify
>>> print(verify(dp(logistic_noise(1 / EPS), EPS)))
Proved: count with logistic noise is add-remove DP at level eps; scope: all datasets, 0 < eps; trusts: the checker and the rule of antiderivatives
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ahdp_verify.catalogue.entry import (
    EPS,
    POSITIVE,
    Entry,
    Number,
    X,
    expect_all,
    expect_exact_level,
    expect_proved,
    expect_refuted,
)
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    exp,
    expression,
    log,
    name,
    number,
    pi,
    piecewise,
    sqrt,
)
from ahdp_verify.kernel.terms.grammar import parse

ONE_PERSON = Domain([(1, 1)])
SHARE = Domain.universal(unknowns={"x": "0 <= x <= 1"})
BIT, HALVES = Values([0, 1]), Values([0, "1/2", 1])
S, V = real("s"), name("v")
Z = S.symbol - ONE_PERSON.size  # the noise on a count
STUDENT = {1: 1 / pi, 2: 1 / (2 * sqrt(2)), 3: 2 / (pi * sqrt(3)), 4: number("3/8")}


def _on_count(density: Expression, title: str, given: Mapping[str, str] | None = None) -> Mechanism:
    return Mechanism(
        ONE_PERSON,
        outputs=[S],
        density=density,
        parameters=given or {},
        name=f"count with {title} noise",
    )


def _on_interval(inputs: Values, density: Expression, title: str, **given: str) -> Mechanism:
    inside = piecewise((density, (S.symbol >= 0) & (S.symbol <= 1)), (0, True))
    return Mechanism(inputs, outputs=[S], density=inside, parameters=given, name=title)


def cauchy_noise(scale: Number) -> Mechanism:
    """The size plus Cauchy noise of this scale, density scale/(pi (scale^2 + z^2)).

    Level: 2 asinh(1/(2 scale)) for one record more, at z = (1 - sqrt(1 + 4 scale^2))/2.
    """
    g = number(scale)
    return _on_count(g / (pi * (g**2 + Z**2)), "Cauchy")


def cauchy_level(shift: Number) -> Expression:
    """2 asinh(shift/2), the level of Cauchy noise of scale 1 for this shift."""
    t = Fraction(shift)
    return log((t**2 + 2 + number(t) * sqrt(number(t**2 + 4))) / 2)


def cauchy_noise_on_a_sum(contribution: Expression) -> Mechanism:
    """The sum of a function of x in [0, 1] over all records, plus Cauchy noise of scale 1.

    Level: 2 asinh(c/2) for the largest contribution c.
    """
    z = S.symbol - SHARE.sum(contribution)
    return Mechanism(
        SHARE, outputs=[S], density=1 / (pi * (1 + z**2)), name="sum with Cauchy noise"
    )


def student_noise(degrees: int, scale: Number = 1) -> Mechanism:
    """The size plus Student's noise with 1 to 4 degrees of freedom, times the scale.

    Level: (degrees + 1) asinh(1/(2 scale sqrt(degrees))) for one record more.
    """
    power = number(Fraction(-(degrees + 1), 2))
    law = STUDENT[degrees] / scale * (1 + Z**2 / (degrees * Fraction(scale) ** 2)) ** power
    return _on_count(law, "Student")


def student_level(degrees: int, scale: Number = 1) -> Expression:
    """The level of Student's noise for one record more."""
    t = 1 / (degrees * Fraction(scale) ** 2)
    inner = (number(t + 2) + sqrt(number(t * (t + 4)))) / 2
    return number(Fraction(degrees + 1, 2)) * log(inner)


def logistic_noise(scale: object, given: Mapping[str, str] = POSITIVE) -> Mechanism:
    """The size plus logistic noise of this scale.

    Level: 1/scale for one record more, approached in the tails.
    """
    g = expression(scale)
    return _on_count(exp(-Z / g) / (g * (1 + exp(-Z / g)) ** 2), "logistic", given)


def secant_noise(scale: Number) -> Mechanism:
    """The size plus noise of density 1/(pi scale cosh(z/scale)).

    Level: 1/scale for one record more, approached in the tails.
    """
    g = number(scale)
    return _on_count(2 / (pi * g * (exp(Z / g) + exp(-Z / g))), "hyperbolic secant")


def gaussian_noise(deviation: object, given: Mapping[str, str]) -> Mechanism:
    """The size plus Gaussian noise of this standard deviation.

    Level: none; the loss grows linearly with the output.
    """
    g = expression(deviation)
    return _on_count(exp(-(Z**2) / (2 * g**2)) / (g * sqrt(2 * pi)), "Gaussian", given)


def cut_laplace_noise(inputs: Values, rate: object, given: str = "") -> Mechanism:
    """A value v with Laplace noise of scale 1/rate, cut to [0, 1] and renormalised.

    Level: the rate for the inputs 0 and 1; for 0 and 1/2 it is more than rate/2 (Holohan and others
    2020).
    """
    k = expression(rate)
    total = 2 - exp(-k * V) - exp(-k * (1 - V))
    named = {"eps": given} if given else {}
    return _on_interval(
        inputs, k * exp(-k * Abs(S.symbol - V)) / total, "cut Laplace noise", **named
    )


def squared_distance(inputs: Values) -> Mechanism:
    """The exponential mechanism on [0, 1] with the score -(s - v)^2: a Gaussian density, cut.

    Level: 1 between 0 and 1, where the constants are equal.
    """
    root, s = sqrt(pi), S.symbol
    total = parse("erf(v) + erf(1 - v)", "total")
    return _on_interval(
        inputs, 2 * exp(-((s - V) ** 2)) / (root * total), "squared distance on [0, 1]"
    )


def two_laplace_scales(first: Number, second: Number, weight: Number) -> Mechanism:
    """The size plus Laplace noise of the first scale with this probability, else of the second.

    Level: the loss next to the size, since the density is log-convex on either side.
    """
    w = Fraction(weight)
    parts = [
        share * exp(-Abs(Z) / number(b)) / (2 * Fraction(b))
        for share, b in ((w, first), (1 - w, second))
    ]
    return _on_count(parts[0] + parts[1], "Laplace mixture")


def bump_in_the_middle() -> Mechanism:
    """Uniform on [0, 1] for the value 0, 9/10 + 14 s^3 (1 - s)^3 for the value 1.

    Level: log(179/160), at s = 1/2.
    """
    s = S.symbol
    bump = number("9/10") + 14 * s**3 * (1 - s) ** 3
    return _on_interval(
        BIT, piecewise((1, parse("v == 0", "v")), (bump, True)), "bump in the middle"
    )


def raised_cosine(weight: Number) -> Mechanism:
    """(1 + weight v cos(pi s))/2 on [-1, 1], for v from -1, 0 and 1.

    Level: log((1 + weight)/(1 - weight)), at s = 0 and at the ends.
    """
    law = parse("cos(pi*s)", "law") * number(weight) * V
    s = S.symbol
    inside = piecewise(((1 + law) / 2, (s >= -1) & (s <= 1)), (0, True))
    return Mechanism(Values([-1, 0, 1]), outputs=[S], density=inside, name="raised cosine")


ENTRIES = (
    Entry(
        "cauchy-noise",
        "a count with Cauchy noise of scale 1",
        "Nissim, Raskhodnikova, Smith 2007, section 2.3",
        lambda: cauchy_noise(1),
        expect_exact_level("add-remove", cauchy_level(1)),
    ),
    Entry(
        "cauchy-noise-half",
        "broken twin of cauchy-noise: half the noise",
        "constructed",
        lambda: cauchy_noise(Fraction(1, 2)),
        expect_all(
            expect_refuted("add-remove", cauchy_level(1), cauchy_level(2)),
            expect_exact_level("add-remove", cauchy_level(2)),
        ),
    ),
    Entry(
        "cauchy-noise-sum",
        "a sum of values from [0, 1] with Cauchy noise of scale 1",
        "Nissim, Raskhodnikova, Smith 2007, section 2.3",
        lambda: cauchy_noise_on_a_sum(X),
        expect_exact_level("add-remove", cauchy_level(1)),
        "public/cauchy-noise-sum-scale-1.toml",
    ),
    Entry(
        "cauchy-noise-inside",
        "a sum of x (1 - x) with Cauchy noise: the largest contribution is inside",
        "constructed",
        lambda: cauchy_noise_on_a_sum(X * (1 - X)),
        expect_all(
            expect_proved("add-remove", number("1/4")), expect_refuted("add-remove", number("6/25"))
        ),
        "public/cauchy-noise-largest-inside.toml",
    ),
    Entry(
        "student-noise",
        "a count with Student noise of three degrees of freedom",
        "Bun, Steinke 2019, section 3.1",
        lambda: student_noise(3),
        expect_exact_level("add-remove", student_level(3)),
    ),
    Entry(
        "student-noise-half-powers",
        "a count with Student noise of two degrees of freedom, a power 3/2",
        "Bun, Steinke 2019, section 3.1",
        lambda: student_noise(2),
        expect_exact_level("add-remove", student_level(2)),
    ),
    Entry(
        "student-noise-half",
        "broken twin of student-noise: half the noise",
        "constructed",
        lambda: student_noise(3, Fraction(1, 2)),
        expect_all(
            expect_refuted("add-remove", student_level(3), student_level(3, Fraction(1, 2))),
            expect_exact_level("add-remove", student_level(3, Fraction(1, 2))),
        ),
    ),
    Entry(
        "logistic-noise",
        "a count with logistic noise of scale 1/eps",
        "constructed",
        lambda: logistic_noise(1 / EPS),
        expect_exact_level("add-remove", EPS),
    ),
    Entry(
        "logistic-noise-half",
        "broken twin of logistic-noise: half the noise",
        "constructed",
        lambda: logistic_noise(1 / (2 * EPS)),
        expect_all(
            expect_refuted("add-remove", EPS, 2 * EPS), expect_exact_level("add-remove", 2 * EPS)
        ),
    ),
    Entry(
        "secant-noise",
        "a count with hyperbolic secant noise",
        "constructed",
        lambda: secant_noise(1),
        expect_exact_level("add-remove", 1),
    ),
    Entry(
        "gaussian-noise",
        "a count with Gaussian noise: no pure level",
        "benchmark M40",
        lambda: gaussian_noise(name("sigma"), {"sigma": "sigma > 0"}),
        expect_all(
            expect_refuted("add-remove", 1 / name("sigma")), expect_refuted("add-remove", 10)
        ),
        "public/gaussian-noise-has-no-pure-level.toml",
    ),
    Entry(
        "cut-laplace-half-apart",
        "Laplace noise cut to [0, 1], inputs 0 and 1/2: scale 1/(2 eps) is not enough",
        "Holohan and others 2020; issue SH-01",
        lambda: cut_laplace_noise(Values([0, "1/2"]), 2 * EPS, "eps > 0"),
        expect_all(
            expect_refuted("any", EPS), expect_proved("any", EPS + log(2 / (1 + exp(-EPS))))
        ),
        "public/laplace-cut-to-unit-interval-half-apart-every-eps.toml",
    ),
    Entry(
        "cut-laplace-ends",
        "Laplace noise of scale 1/log(2) cut to [0, 1], all of 0, 1/2 and 1 neighbours",
        "Holohan and others 2020; issue SH-01, control",
        lambda: cut_laplace_noise(HALVES, log(2)),
        expect_exact_level("any", log(2)),
        "public/laplace-cut-to-unit-interval-ends.toml",
    ),
    Entry(
        "squared-distance",
        "the exponential mechanism on [0, 1] with a squared distance",
        "McSherry, Talwar 2007",
        lambda: squared_distance(HALVES),
        expect_exact_level("any", 1),
        "public/exponential-mechanism-on-an-interval-squared-distance.toml",
    ),
    Entry(
        "two-laplace-scales",
        "a count with Laplace noise of scale 1 or 2",
        "constructed",
        lambda: two_laplace_scales(1, 2, Fraction(1, 2)),
        expect_exact_level("add-remove", 1 - log(exp(number("1/2")) / 3 + number("2/3"))),
        "public/mixture-of-two-laplace-noises.toml",
    ),
    Entry(
        "bump-in-the-middle",
        "uniform, or with a bump in the middle, where the loss is largest",
        "constructed",
        bump_in_the_middle,
        expect_exact_level("any", log(number("179/160"))),
        "public/worst-output-in-the-middle.toml",
    ),
    Entry(
        "raised-cosine",
        "a direction with a raised cosine as density",
        "Mardia, Jupp 2000, section 3.5.5",
        lambda: raised_cosine(Fraction(1, 2)),
        expect_exact_level("any", log(3)),
    ),
)
