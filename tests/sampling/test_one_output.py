"""Draws of one output follow its distribution where floats are inaccurate: far ends, negative
terms, tiny and large rates, columns.

Every distribution here has a distribution function that is given by hand; the largest distance of
the empirical one from it is compared with the bound of Dvoretzky, Kiefer, Wolfowitz and Massart
(exceeded by chance with probability 10^-6). Seeds are fixed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Unsupported
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.terms.expression import Abs, Expression, exp, floor, name, number, piecewise

np = pytest.importorskip("numpy")

from ahdp_verify.sampling.floats import evaluate_columns  # noqa: E402
from ahdp_verify.sampling.one_output import (  # noqa: E402
    DrawTerm,
    choose_positions,
    draw_one,
    output_total,
    random_generator,
    symbolic_total,
    value_array,
)

S, C = name("s"), name("c")
N = 4000
BOUND = math.sqrt(math.log(2 / 1e-6) / (2 * N))


def drawn(law: Expression, output: Any, given: dict[str, Any] | None = None, seed: int = 1) -> Any:
    values, total = draw_one(law, output, given or {}, np.random.default_rng(seed), N)
    assert np.asarray(total, dtype=float) == pytest.approx(1, abs=1e-9)
    return values


def follows(values: Any, cdf: Callable[[float], float]) -> None:
    x, counts = np.unique(values, return_counts=True)
    upper = np.cumsum(counts) / len(values)
    assert np.abs(upper - [cdf(v) for v in x]).max() < BOUND
    assert (
        np.abs(upper - counts / len(values) - [cdf(np.nextafter(v, -math.inf)) for v in x]).max()
        < BOUND
    )


def test_terms_that_fall_from_opposite_ends_of_a_long_piece() -> None:
    """exp(-s)/2 near 0 and exp(s - 1000)/2 near 1000: half of the draws at either end, although
    exp(1000) is not a double.
    """
    law = piecewise(
        ((exp(-S) + exp(S - 1000)) / (2 * (1 - exp(-1000))), (S >= 0) & (S < 1000)), (0, True)
    )
    follows(
        drawn(law, real("s")),
        lambda x: (
            (-math.expm1(-x) if x >= 0 else 0) / 2
            + (math.exp(min(x, 1000) - 1000) / 2 if x > 500 else 0)
        ),
    )


def test_a_slope_of_almost_nothing() -> None:
    """A rate of 10^-12 on [0, 1) is the uniform distribution to twelve digits."""
    k = Fraction(1, 10**12)
    law = piecewise((k * exp(k * S) / (exp(number(k)) - 1), (S >= 0) & (S < 1)), (0, True))
    follows(drawn(law, real("s")), lambda x: min(max(x, 0.0), 1.0))


def test_negative_terms_with_columns() -> None:
    """The larger of two exponential times of rate c, (1 - exp(-c x))^2, for a rate of its own in
    every draw: c times the draw is that of rate 1.
    """
    law = piecewise((2 * C * exp(-C * S) - 2 * C * exp(-2 * C * S), S >= 0), (0, True))
    rates = np.where(np.arange(N) % 2, 0.01, 30.0)
    follows(drawn(law, real("s"), {"c": rates}) * rates, lambda x: (1 - math.exp(-max(x, 0))) ** 2)


def test_negative_terms_on_a_bounded_piece() -> None:
    """Density (e - exp(s)) on [0, 1), whose total is 1; its distribution function is e x -
    exp(x) + 1.
    """
    law = piecewise((exp(number(1)) - exp(S), (S >= 0) & (S < 1)), (0, True))
    follows(
        drawn(law, real("s")),
        lambda x: 0.0 if x < 0 else 1.0 if x >= 1 else math.e * x - math.exp(x) + 1,
    )


def test_whole_draws_far_away_are_whole() -> None:
    """A geometric distribution around 10^12, with ends that are known exactly."""
    values = drawn(
        (1 - exp(-1)) / (1 + exp(-1)) * exp(-Abs(S - C)), integer("s"), {"c": np.full(N, 10**12)}
    )
    assert values.dtype.kind == "i"
    q = math.exp(-1)
    follows(
        values - 10**12,
        lambda x: (
            q ** (-math.floor(x)) / (1 + q) if x < 0 else 1 - q ** (math.floor(x) + 1) / (1 + q)
        ),
    )


@pytest.mark.parametrize(
    ("gamma", "eps"), [(Fraction(1, 2), 1), (Fraction(1, 5), 3), (Fraction(9, 10), Fraction(1, 2))]
)
def test_a_staircase_by_its_published_sampler(gamma: Fraction, eps: Fraction) -> None:
    """Geng and Viswanath (2014), algorithm 1: sign times ((1 - B)(G + gamma U) + B (G + gamma +
    (1 - gamma) U)), B = 0 with gamma/(gamma + (1 - gamma) b).
    """
    b, g = math.exp(-eps), float(gamma)
    law = (
        (1 - exp(number(-eps)))
        / (2 * (gamma + exp(number(-eps)) * (1 - gamma)))
        * exp(-eps * floor(Abs(S) + 1 - gamma))
    )

    def upper(x: float) -> float:
        """P(|s| < x): the steps before, and the share of the last."""
        k, r = math.floor(x), x - math.floor(x)
        inside = (min(r, g) + b * max(r - g, 0)) / (g + b * (1 - g))
        return 1 - b**k + (1 - b) * b**k * inside

    follows(drawn(law, real("s")), lambda x: (1 + upper(x)) / 2 if x >= 0 else (1 - upper(-x)) / 2)


def test_a_table_that_depends_on_a_column() -> None:
    weights = piecewise((C, S < 1), (1 - C, True))
    values, _ = draw_one(
        weights,
        finite("s", [0, 1]),
        {"c": np.where(np.arange(N) < N // 2, 0.0, 1.0)},
        np.random.default_rng(1),
        N,
    )
    assert values[: N // 2].min() == 1 and values[N // 2 :].max() == 0


@pytest.mark.parametrize(
    "weights",
    [
        [],
        [0.0, 0.0],
        [1.0, -0.5],
        [float("nan"), 1.0],
        [float("inf"), 1.0],
        [np.array([1.0, 0.0]), np.array([0.0, 0.0])],
    ],
)
def test_weights_of_no_law(weights: list[Any]) -> None:
    with pytest.raises(
        NotWorkedOut, match="in floating point, the probabilities at this input are not finite"
    ):
        choose_positions(weights, np.random.default_rng(1), 2)


def test_a_law_that_is_zero_everywhere() -> None:
    with pytest.raises((BadInput, Unsupported)):
        draw_one(
            piecewise((exp(S) - exp(S + number(0)), S < 1), (0, True)),
            real("s"),
            {},
            np.random.default_rng(1),
            3,
        )


def test_a_law_that_does_not_decay_is_refused() -> None:
    for law in (exp(S) + exp(-S), number(1), piecewise((exp(S), S >= 0), (0, True))):
        with pytest.raises((Unsupported, BadInput)):
            draw_one(law, real("s"), {}, np.random.default_rng(1), 3)


def test_terms_have_the_mass_of_their_integral() -> None:
    """a (exp(k L) - 1)/k, and of whole numbers a (1 + exp(k) + ... + exp(k (L - 1)))."""
    assert DrawTerm(0.0, 1, 2.0, 3.0, -0.5, whole=False).mass == pytest.approx(
        3 * (1 - math.exp(-1)) / 0.5
    )
    assert DrawTerm(0.0, 1, 4.0, 3.0, -0.5, whole=True).mass == pytest.approx(
        3 * sum(math.exp(-0.5 * j) for j in range(4))
    )
    assert DrawTerm(0.0, 1, 4.0, 3.0, 0.0, whole=False).mass == 12


def test_totals() -> None:
    assert output_total(exp(-Abs(S) / 3), real("s")) == pytest.approx(6)
    assert evaluate_columns(
        symbolic_total(exp(-Abs(S) / (1 + Abs(C))), real("s")), {"c": np.array([-3.0, 1.0])}
    ) == pytest.approx([8, 4])
    assert output_total(S, finite("s", [1, 2, 3])) == 6


def test_arrays_of_values() -> None:
    assert [value_array(v).dtype.kind for v in ([1, 2], [1, 2.5], ["a", "b"], ["a", 1])] == [
        "i",
        "f",
        "U",
        "O",
    ]


@pytest.mark.parametrize("rng", ["seed", -1, 1.5, [1, -2]])
def test_what_is_not_a_seed(rng: object) -> None:
    with pytest.raises(BadInput, match="is not a seed"):
        random_generator(rng)
