"""Experiment 1: published means have their exact moments, errors tend to their exact limits, and
seeds decide.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest

from tests.paper.experiments.clipped import inverse_moment

np = pytest.importorskip("numpy")

from ahdp_verify.paper.experiments.draws import DrawnHere  # noqa: E402
from ahdp_verify.paper.experiments.generated import GeneratedRecords, generate_weights  # noqa: E402
from ahdp_verify.paper.experiments.mean import (  # noqa: E402
    MECHANISM,
    THRESHOLDS,
    mean_curves,
    mean_error_limit,
    mean_estimates,
)
from ahdp_verify.paper.experiments.methods import HALF, Method, five_methods  # noqa: E402
from ahdp_verify.paper.experiments.released import laplace_outputs  # noqa: E402
from tests.sweeps import examples  # noqa: E402

METHODS = five_methods(THRESHOLDS, share=HALF)
FEW = GeneratedRecords(
    np.array([50.0, 61.5, 70.0, 82.0, 90.5]), np.array([3.0, 2.5, 1.0, 0.4, 0.1]), 1, -0.9
)


def exact(method: Method, records: GeneratedRecords) -> tuple[float, float]:
    """(mean, mean square) of the published mean, over all sets of records that may stay; its
    noise is L(150) and L(1).
    """
    first = second = 0.0
    for stays in itertools.product((0.0, 1.0), repeat=len(records.x)):
        probability = float(
            np.where(
                np.array(stays) == 1,
                method.keep_probabilities(records.eps),
                1 - method.keep_probabilities(records.eps),
            ).prod()
        )
        if probability:
            w = np.array(stays) * method.weights(records.eps)
            a, c = float(w @ records.x), float(w.sum())
            first += probability * a * inverse_moment(c, 1)
            second += probability * (a**2 + 2 * 150**2) * inverse_moment(c, 2)
    return first, second


@pytest.mark.sweep(2)
@pytest.mark.parametrize("method", METHODS, ids=str)
def test_moments_are_exact(method: Method) -> None:
    n = 60_000
    mean, square = exact(method, FEW)
    copies = np.ones((1, len(FEW.x)))
    drawn = (
        np.concatenate(
            [
                mean_estimates(rng, method, laplace_outputs(MECHANISM), FEW, copies)
                for rng in map(np.random.default_rng, range(examples(3000, 600)))
            ]
        )
        if method.threshold
        else None
    )
    values = (
        drawn
        if drawn is not None
        else mean_estimates(
            np.random.default_rng(1),
            method,
            laplace_outputs(MECHANISM),
            FEW,
            np.ones((n, len(FEW.x))),
        )
    )
    assert abs(values.mean() - mean) < 5 * math.sqrt((square - mean**2) / len(values))
    assert abs((values**2).mean() - square) < 5 * float((values**2).std()) / math.sqrt(len(values))


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_limits(method: Method) -> None:
    """rem:bias: E X + Cov(X, w)/E w; and with a million copies of each record the noise is gone."""
    w = method.keep_probabilities(FEW.eps) * method.weights(FEW.eps)
    bias = float(((FEW.x - FEW.x.mean()) * (w - w.mean())).mean() / w.mean())
    assert mean_error_limit(method, FEW) == pytest.approx(bias**2, rel=1e-9)
    if method.threshold is None:
        (published,) = mean_estimates(
            np.random.default_rng(1),
            method,
            laplace_outputs(MECHANISM),
            FEW,
            np.full((1, len(FEW.x)), 1e9),
        )
        assert published - FEW.x.mean() == pytest.approx(bias, abs=1e-5)


def test_no_bias_where_everybody_reaches_the_threshold() -> None:
    """S6: the limit of the Sample Mechanism is 0 if all demands are at least t; so is that of
    each method if all demands are alike.
    """
    strict = GeneratedRecords(FEW.x, FEW.eps + 2, 1, 0.0)
    assert [mean_error_limit(m, strict) for m in METHODS[3:]] == pytest.approx([0, 0], abs=1e-20)
    assert [
        mean_error_limit(m, GeneratedRecords(FEW.x, np.full(5, 0.7), 1, 0.0)) for m in METHODS
    ] == pytest.approx([0] * 5, abs=1e-20)


def test_the_curve_of_all_records_has_the_exact_error() -> None:
    """At the size of the whole data the subset is everything, so that the mean-squared error of
    a linear query is known.
    """
    records = generate_weights(120, -0.84, 5)
    curves = mean_curves(records, (60, 120), (HALF,), examples(3000, 600), 2, DrawnHere())
    for line, method in zip(curves.lines[:3], METHODS, strict=False):
        w = method.weights(records.eps)
        a, c, true = float(w @ records.x), float(w.sum()), float(records.x.mean())
        wanted = (
            (a**2 + 2 * 150**2) * inverse_moment(c, 2)
            - 2 * true * a * inverse_moment(c, 1)
            + true**2
        )
        assert abs(line.main[-1] - wanted) < 5 * line.values["standard_error"][-1]
        assert line.limit == mean_error_limit(method, records)


def test_the_same_seed_gives_the_same_table() -> None:
    records = generate_weights(100, -0.84, 1)
    one, same, other = (
        mean_curves(records, (50, 100), (Fraction(1),), 20, seed, DrawnHere()).csv
        for seed in (1, 1, 2)
    )
    assert one == same != other
    assert "generated" in one and "limit" in one


def test_the_qualitative_claims_on_generated_data() -> None:
    """Section 6: with correlation -0.84 the Sample Mechanism with t = 0.5 is best at 2200
    records, and alpha = eps/2 is the worst linear query.
    """
    curves = mean_curves(generate_weights(2200, -0.84, 1), (2200,), THRESHOLDS, 60, 1, DrawnHere())
    assert curves.ranking[0].method == "Sample Mechanism, t = 0.5"
    first, second, third = (line.main[-1] for line in curves.lines[:3])
    assert first > second and first > third


def test_without_correlation_there_is_next_to_no_bias() -> None:
    related, independent = (
        mean_curves(generate_weights(2200, r, 1), (2200,), THRESHOLDS, 2, 1, DrawnHere())
        for r in (-0.84, 0.0)
    )
    assert all(
        (a.limit or 0) < (b.limit or 0) / 20
        for a, b in zip(independent.lines, related.lines, strict=True)
    )
