"""Generated records have the correlation, ranges and shares that are stated."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")

from ahdp_verify.paper.experiments.generated import (  # noqa: E402
    BOUNDS,
    DEMANDED,
    DEMANDS,
    EDUCATED,
    GeneratedRecords,
    demand_dependence,
    generate_education,
    generate_weights,
)


@pytest.mark.parametrize("correlation", [-0.84, -0.3, 0.0, 0.6, 1.0, -1.0])
def test_the_correlation_is_a_parameter(correlation: float) -> None:
    """The standard deviation of a sample correlation is about (1 - r^2)/sqrt(n); clipping at two
    standard deviations moves it by less than 0.02.
    """
    n = 20_000
    records = generate_weights(n, correlation, 3)
    assert abs(records.measured - correlation) < 0.02 + 5 * (1 - correlation**2) / n**0.5
    assert (
        BOUNDS[0] <= records.x.min()
        and records.x.max() <= BOUNDS[1]
        and records.eps.min() >= 0
        and records.eps.max() <= 3
    )
    assert (
        f"correlation {correlation:g}" in records.description and "generated" in records.description
    )


def test_seeds() -> None:
    one, same, other = (
        generate_weights(50, -0.5, 1),
        generate_weights(50, -0.5, 1),
        generate_weights(50, -0.5, 2),
    )
    assert (one.x == same.x).all() and (one.eps == same.eps).all() and (one.x != other.x).any()


def test_the_shares_of_levels_and_demands() -> None:
    records = generate_education(3000, -0.84, 1)
    assert [int((records.x == i + 1).sum()) for i in range(6)] == [
        round(3000 * s) for s in EDUCATED
    ]
    assert [int((records.eps == float(e)).sum()) for e in DEMANDS] == [
        round(3000 * s) for s in DEMANDED
    ]


def test_the_chi_squared_statistic() -> None:
    """By hand, [[10, 20], [30, 40]]: n (ad - bc)^2 over the product of the margins = 100 *
    200^2/(30 * 70 * 40 * 60).
    """
    x, eps = (
        np.repeat([1, 1, 2, 2], [10, 20, 30, 40]),
        np.repeat([0.1, 0.5, 0.1, 0.5], [10, 20, 30, 40]),
    )
    statistic, cramer = demand_dependence(GeneratedRecords(x, eps, 1, 0.0))
    assert statistic == pytest.approx(
        100 * 200**2 / (30 * 70 * 40 * 60)
    ) and cramer == pytest.approx((statistic / 100) ** 0.5)


def test_dependence_shows() -> None:
    """Row 71: with 20 degrees of freedom the p-value is below the least positive double for a
    statistic above 1583.4.
    """
    assert (
        demand_dependence(generate_education(3000, -0.84, 1))[0] > 1583.4
        and demand_dependence(generate_education(3000, 0.0, 1))[0] < 60
    )
    assert demand_dependence(GeneratedRecords(np.ones(4), np.ones(4), 1, 0.0)) == (0.0, 0.0)
