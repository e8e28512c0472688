"""ex:sum and ex:mean: the figures of the referee notes (E9, O5), the exact distribution against
mpmath's quadrature and against draws.
"""

from __future__ import annotations

import math

import mpmath
import pytest

from ahdp_verify.catalogue.linear_queries import EX_SUM
from ahdp_verify.kernel.model.domain import Domain
from tests.paper.experiments.clipped import inverse_moment

np = pytest.importorskip("numpy")

from ahdp_verify.paper.experiments import examples  # noqa: E402
from ahdp_verify.paper.experiments.draws import DrawnHere  # noqa: E402
from ahdp_verify.paper.experiments.examples import AS_COMPUTED, EDGES, NoisyRatio, published_ratio  # noqa: E402


def test_the_figures_of_E9_and_O5() -> None:
    stated, computed = published_ratio(EX_SUM), published_ratio(AS_COMPUTED)
    assert (stated.a, stated.c) == pytest.approx((13.160602794142788, 8.160602794142788), rel=1e-15)
    assert (computed.a, computed.c) == pytest.approx(
        (11.807249961776661, 7.483926377959725), rel=1e-15
    )
    assert (stated.b, stated.d, computed.b, computed.d) == (2, 1, 2, 1)
    assert examples.published_mean(EX_SUM) == pytest.approx(1.675861175901669, rel=1e-15)
    assert examples.published_mean(AS_COMPUTED) == pytest.approx(1.654225415950357, rel=1e-15)
    assert examples.published_deviation(AS_COMPUTED) == pytest.approx(0.670246806673121, rel=1e-14)
    assert inverse_moment(stated.c, 1) == pytest.approx(
        0.127339241379393, rel=1e-12
    ) and inverse_moment(computed.c, 1) == pytest.approx(0.140102515090774, rel=1e-12)


@pytest.mark.parametrize("W", [EX_SUM, AS_COMPUTED])
def test_moments_by_quadrature(W: Domain) -> None:
    """E R = a E[1/max(S, 1)] and E R^2 = (a^2 + 2 b^2) E[1/max(S, 1)^2], by the independent
    quadrature of `clipped`.
    """
    law = published_ratio(W)
    mean, square = (
        law.a * inverse_moment(law.c, 1),
        (law.a**2 + 2 * law.b**2) * inverse_moment(law.c, 2),
    )
    assert examples.published_mean(W) == pytest.approx(
        mean, rel=1e-10
    ) and examples.published_deviation(W) == pytest.approx(math.sqrt(square - mean**2), rel=1e-10)


@pytest.mark.parametrize(
    ("W", "total", "bias"),
    [
        (EX_SUM, 26.321205588285577, -3.678794411714423),
        (AS_COMPUTED, 23.614499923553323, -6.385500076446677),
    ],
)
def test_ex_sum(W: object, total: float, bias: float) -> None:
    example = next(e for e in examples.draw_examples_twice(100, 1, DrawnHere()) if e.domain == W)
    found = {name: value for name, _, value in examples.quantities(example)}
    assert found["ex:sum, centre"] == pytest.approx(total, rel=1e-15) and found[
        "ex:sum, bias"
    ] == pytest.approx(bias, rel=1e-14)


@pytest.mark.sweep(5)
@pytest.mark.parametrize(
    "law",
    [
        published_ratio(EX_SUM),
        NoisyRatio(11.807249961776661, 2, 7.483926377959725, 1),
        NoisyRatio(-3, 2, 1, 0.5),
        NoisyRatio(4, 1.5, 2.5, 3),
    ],
)
@pytest.mark.parametrize("r", [-1.2, 0.0, 0.7, 1.6, 4.0])
def test_the_law_is_the_integral_that_defines_it(law: NoisyRatio, r: float) -> None:
    """mpmath's adaptive quadrature of P(N <= r max(s, 1)) f_S(s), over all s; P(N <= z) and f_S
    from the definition of Laplace noise.
    """

    def integrand(s: mpmath.mpf) -> mpmath.mpf:
        z = (r * max(s, 1) - law.a) / law.b
        below = mpmath.exp(z) / 2 if z < 0 else 1 - mpmath.exp(-z) / 2
        return below * mpmath.exp(-abs(s - law.c) / law.d) / (2 * law.d)

    cuts = sorted(
        {
            -mpmath.inf,
            mpmath.mpf(1),
            mpmath.mpf(law.c),
            *([mpmath.mpf(law.a / r)] if r else []),
            mpmath.inf,
        }
    )
    assert law.cdf(r) == pytest.approx(float(mpmath.quad(integrand, cuts)), abs=1e-9)


def test_draws_follow_the_exact_law() -> None:
    """Chi-squared of the bins that expect at least 10, which exceeds k + 2 sqrt(k x) + 2 x with
    probability at most exp(-x); the mean within 5 errors.
    """
    for example in examples.draw_examples_twice(200_000, 7, DrawnHere()):
        n, drawn = example.drawn.number, example.drawn
        expected, counts = n * example.expected, drawn.bins
        large = expected >= 10
        chi, k, x = (
            float(((counts - expected)[large] ** 2 / expected[large]).sum()),
            int(large.sum()),
            math.log(1e6),
        )
        assert k > 60 and chi < k + 2 * math.sqrt(k * x) + 2 * x
        assert abs(
            drawn.mean - examples.published_mean(example.domain)
        ) < 5 * examples.published_deviation(example.domain) / math.sqrt(n)
        assert counts.sum() + sum(drawn.outside) == n


def test_the_same_seed_gives_the_same_tables() -> None:
    first, second, other = (
        examples.draw_examples_twice(1000, seed, DrawnHere()) for seed in (3, 3, 4)
    )
    assert examples.histogram_csv(first, 3) == examples.histogram_csv(second, 3)
    assert first[0].drawn.mean != other[0].drawn.mean


def test_an_interrupt_keeps_the_chunks_that_are_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examples, "CHUNK", 100)
    calls = 0

    def step() -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt

    (example,) = examples.draw_examples_twice(1000, 1, DrawnHere(step))
    assert (
        example.drawn.number == 300
        and int(example.drawn.bins.sum()) + sum(example.drawn.outside) == 300
    )
    assert "300" in examples.histogram_csv((example,), 1) and len(EDGES) == 161
