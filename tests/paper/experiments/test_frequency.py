"""Experiment 2: published frequencies have their exact means, errors tend to their exact limits,
S(D) as printed estimates no size.
"""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from tests.paper.experiments.clipped import inverse_moment

np = pytest.importorskip("numpy")

from ahdp_verify.paper.experiments.draws import DrawnHere  # noqa: E402
from ahdp_verify.paper.experiments.frequency import (  # noqa: E402
    BINS,
    COLUMNS,
    KINDS,
    REPAIRED,
    THRESHOLDS,
    frequency_curves,
    frequency_error_limit,
    kind_numbers,
    printed_mechanism,
    runnable_mechanism,
    tallies,
    true_frequencies,
)
from ahdp_verify.paper.experiments.generated import generate_education  # noqa: E402
from ahdp_verify.paper.experiments.methods import HALF, Method, five_methods  # noqa: E402
from ahdp_verify.paper.experiments.released import laplace_outputs  # noqa: E402

METHODS = five_methods(THRESHOLDS, share=HALF)
RECORDS = generate_education(300, -0.84, 4)


def test_kinds_and_tallies() -> None:
    kind = kind_numbers(RECORDS)
    assert (COLUMNS["x"][kind] == RECORDS.x).all() and (COLUMNS["eps"][kind] == RECORDS.eps).all()
    counts = tallies(kind, (10, 300))
    assert (
        counts.sum(axis=1).tolist() == [10, 300]
        and counts[0].tolist() == np.bincount(kind[:10], minlength=30).tolist()
    )
    assert true_frequencies(counts)[1] == pytest.approx([(RECORDS.x == b).mean() for b in BINS])
    assert tallies(kind, (300,), np.arange(300) % 2.0).sum() == 150


@pytest.mark.parametrize("method", METHODS[:3], ids=str)
def test_means_are_exact(method: Method) -> None:
    """E[N_i/max(S, 1)] = (weight in the bin) E[1/max(S, 1)], S = all weight + L(1)."""
    n = 40_000
    counts = np.broadcast_to(tallies(kind_numbers(RECORDS), (300,))[0], (n, 30))
    drawn = runnable_mechanism(method, REPAIRED).shares(np.random.default_rng(1), counts)
    w = method.weights(RECORDS.eps)
    wanted = np.array([w[RECORDS.x == b].sum() for b in BINS]) * inverse_moment(float(w.sum()), 1)
    assert (np.abs(drawn.mean(axis=0) - wanted) < 5 * drawn.std(axis=0) / math.sqrt(n)).all()


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_limits(method: Method) -> None:
    """Without noise (a million copies of everything) the error is that of the weighted
    frequencies, worked out record by record.
    """
    counts = tallies(kind_numbers(RECORDS), (300,))[0]
    w = method.keep_probabilities(RECORDS.eps) * method.weights(RECORDS.eps)
    wanted = max(abs(w[RECORDS.x == b].sum() / w.sum() - (RECORDS.x == b).mean()) for b in BINS)
    assert frequency_error_limit(method, counts) == pytest.approx(wanted, rel=1e-12)
    stay = counts * method.keep_probabilities(COLUMNS["eps"])
    many = runnable_mechanism(method, REPAIRED).shares(np.random.default_rng(1), stay[None] * 1e9)[
        0
    ]
    assert np.abs(many - true_frequencies(counts)).max() == pytest.approx(wanted, abs=1e-6)


def test_the_size_as_printed_does_not_grow() -> None:
    """Row 68: each distinct record counts once, so that ten times as many records give ten times
    as large quotients.
    """
    method = METHODS[1]
    counts = tallies(kind_numbers(RECORDS), (300,))
    way = runnable_mechanism(
        method, laplace_outputs(printed_mechanism(method.share * method.weight))
    )
    present = (counts[0] > 0) * method.weights(COLUMNS["eps"])
    for times in (1, 1000):
        assert way.centres(counts * times)[0, -1] == pytest.approx(present.sum())
        assert way.centres(counts * times)[0, :-1].sum() == pytest.approx(
            times * method.weights(RECORDS.eps).sum()
        )
    assert len(KINDS.records) == 30


def test_the_same_seed_gives_the_same_table() -> None:
    one, same, other = (
        frequency_curves(RECORDS, (100, 300), (Fraction(1),), 5, seed, DrawnHere()).csv
        for seed in (1, 1, 2)
    )
    assert one == same != other and "generated" in one


def test_the_qualitative_claims_on_generated_data() -> None:
    """Section 6: the Sample Mechanism with t = 0.1 is best at 3000 records, and its error does
    not vanish (level 0.01 has probability 0.0956).
    """
    curves = frequency_curves(
        generate_education(3000, -0.84, 1), (3000,), THRESHOLDS, 20, 1, DrawnHere()
    )
    best = curves.ranking[0]
    assert (
        best.method == "Sample Mechanism, t = 0.1" and best.limit is not None and best.limit > 0.01
    )
    for line in curves.lines:
        if line.kind == "method" and line is not best:
            assert line.limit is not None and abs(line.main[-1] - line.limit) < 0.01
        if line.kind == "variant":
            assert line.main[-1] > 10  # of a frequency
