"""What is read off a distribution is correct, and nothing is read off a distribution of another
form.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from ahdp_verify.catalogue import CATALOGUE, find_entry
from ahdp_verify.catalogue.entry import EPS
from ahdp_verify.catalogue.functional_mechanism import functional
from ahdp_verify.catalogue.linear_queries import SATURATING, linear_query
from ahdp_verify.datasets import Multiset
from ahdp_verify.kernel.errors import NotWorkedOut
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.terms.expression import Abs, exp
from ahdp_verify.paper.catalogue import PAPER_CATALOGUE
from ahdp_verify.paper.catalogue.frequency import frequency, size_as_printed
from ahdp_verify.paper.catalogue.mean import weighted_mean
from ahdp_verify.paper.catalogue.regression import ALPHA, regression, regression_upper
from ahdp_verify.sampling.sample import sample

np = pytest.importorskip("numpy")

from ahdp_verify.paper.experiments.released import (  # noqa: E402
    centre_function,
    laplace_noise,
    laplace_outputs,
    noise_scales,
    output_per_unit,
    record_contributions,
)

W = Domain([("a", 1), ("b", Fraction(1, 2)), ("a", 3)])


@pytest.mark.parametrize(
    ("M", "number_of_outputs", "scale"),
    [
        (regression(8), 72, 72),
        (regression_upper(8), 44, 44),
        (regression(2, noise=Fraction(1, 2)), 6, 3),
        (linear_query(W, EPS, weight=1, bounds=(-1, 4)), 1, 5),
    ],
)
def test_scales_are_those_of_the_paper(M: Mechanism, number_of_outputs: int, scale: float) -> None:
    """alg:LR: d^2 + d = 72 for d = 8; S7: d (d + 3)/2 = 44; prop:newDP: h - l."""
    assert noise_scales(laplace_outputs(M)).tolist() == [scale] * number_of_outputs


@pytest.mark.parametrize("d", [1, 2, 8])
@pytest.mark.parametrize("t", [Fraction(1, 2), Fraction(2)])
def test_the_functional_mechanism_has_the_published_scale(d: int, t: Fraction) -> None:
    """Zhang et al. 2012, linear regression: sensitivity 2 (d + 1)^2, noise of scale
    sensitivity/level in every coefficient.
    """
    parts = laplace_outputs(functional(d))
    assert len(parts) == 1 + d + d * d
    assert noise_scales(parts, {"t": float(t)}).tolist() == pytest.approx(
        [2 * (d + 1) ** 2 / float(t)] * len(parts), rel=1e-15
    )


def test_the_centres_of_a_mean() -> None:
    records = Domain.universal({"x": "2 <= x <= 7"})
    parts = laplace_outputs(weighted_mean(records, weights=(SATURATING, EPS / 2), bounds=(2, 7)))
    x, eps, copies = (
        np.array([2.0, 5.0, 7.0]),
        np.array([0.3, np.inf, 1.0]),
        np.array([[1.0, 2.0, 0.0], [0.0, 0.0, 4.0]]),
    )
    eps_finite = np.where(np.isfinite(eps), eps, 9.0)
    first, second = (
        centre_function(parts[:1], {"x": x, "eps": eps})(copies)[:, 0],
        centre_function(parts[1:], {"x": x, "eps": eps_finite})(copies)[:, 0],
    )
    assert first == pytest.approx([2 + 2 * 3.0, 2 + 4 * 5 * (1 - np.exp(-1))])
    assert second == pytest.approx([0.15 + 9, 2.0])


def test_the_size_as_printed_counts_distinct_records() -> None:
    D = Domain([(1, 1), (2, 1), (2, Fraction(1, 2))])
    columns = {"x": np.array([1.0, 2.0, 2.0]), "eps": np.array([1.0, 1.0, 0.5])}
    counts = np.array([[3.0, 0.0, 5.0], [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])
    assert centre_function(laplace_outputs(size_as_printed(D, weight=EPS / 4)), columns)(counts)[
        :, 0
    ].tolist() == [0.375, 0, 0.625]
    whole = frequency(D, (1, 2), weights=(EPS / 4, EPS / 4))
    assert centre_function(laplace_outputs(whole), columns)(counts)[0].tolist() == [
        0.75,
        0.625,
        1.375,
    ]


def test_contributions_of_regression() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.uniform(-1, 1, (5, 2)), rng.uniform(-1, 1, 5)
    columns = {"x[1]": x[:, 0], "x[2]": x[:, 1], "y": y}
    found = record_contributions(
        tuple(output_per_unit(part, ALPHA) for part in laplace_outputs(regression(2))), columns
    )
    by_hand = np.concatenate([np.einsum("ni,nj->nij", x, x).reshape(5, 4), x * y[:, None]], axis=1)
    assert np.allclose(found, by_hand, rtol=1e-15)


@pytest.mark.parametrize("what", ["randomised-response", "two-sided-geometric", "permute-and-flip"])
def test_other_laws_are_refused(what: str) -> None:
    with pytest.raises(NotWorkedOut, match="not found to be a product of Laplace densities"):
        laplace_outputs(find_entry(what, (*CATALOGUE, *PAPER_CATALOGUE)).mechanism)


def test_a_wrong_constant_is_noticed() -> None:
    s, D = real("s"), Domain([(1, 1)])
    with pytest.raises(NotWorkedOut, match="not found to be a product of Laplace densities"):
        laplace_outputs(Mechanism(D, outputs=[s], density=exp(-Abs(s - D.size) / 2) / 2))


def test_a_weight_that_is_not_a_factor_is_refused() -> None:
    (part,) = laplace_outputs(linear_query(W, 1, weight=EPS + 1, bounds=(0, 2)))
    with pytest.raises(NotWorkedOut, match="was not found to be eps times something"):
        output_per_unit(part, EPS)


def test_noise_is_laplace() -> None:
    """E|L(b)| = b and E L(b)^2 = 2 b^2; standard deviations b and sqrt(20) b^2."""
    b, n = np.array([0.5, 3.0]), 40_000
    z = laplace_noise(np.random.default_rng(5), b, (n,))
    assert (np.abs(np.abs(z).mean(axis=0) / b - 1) < 5 / n**0.5).all()
    assert (np.abs((z**2).mean(axis=0) / (2 * b**2) - 1) < 5 * 20**0.5 / 2 / n**0.5).all()


def test_draws_agree_with_those_of_the_mechanism() -> None:
    """The catalogue's own sampler, which works from the density, and what is read off have the
    same mean, and E|s - centre|.
    """
    M = find_entry("mean-ex-mean", PAPER_CATALOGUE).mechanism
    drawn: Any = sample(M, Multiset(M.inputs, [10, 10, 10]), size=4000, rng=1)
    parts = laplace_outputs(M)
    at = centre_function(parts, {"x": np.array([0.0, 1, 2]), "eps": np.array([0, 1, np.inf])})(
        np.array([10.0, 10, 10])
    )
    for part, centre, scale in zip(parts, at, noise_scales(parts), strict=True):
        assert abs(np.abs(drawn[part.output] - centre).mean() / scale - 1) < 5 / 4000**0.5
