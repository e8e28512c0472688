"""The best mechanism for a count with two levels of demand, against the linear query and the Sample
Mechanism.

The losses of the other two are computed here from their definitions (paper, sections 5.1 and 5.2),
in floating point and by sums, without the package.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest

from ahdp_verify.analysis.power.best import best_mechanism
from ahdp_verify.analysis.power.threat_models import extra_records
from ahdp_verify.files.records import recheck
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.privacy import ahdp
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import log
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.verify import verify

LOW, HIGH, MOST = 2, 5, 3  # exponentials of the two demands, and the largest dataset
DATASETS = [(a, b) for a, b in itertools.product(range(MOST + 1), repeat=2) if a + b <= MOST]
W = Domain([("cautious", log(LOW)), ("open", log(HIGH))])


def linear_query_loss(a: int, b: int) -> float:
    """E|S - (a + b)| for S = (log 2 a + log 5 b)/log 5 + Laplace noise of scale 1/log 5, clamped
    to what a count can be.
    """
    place, scale, n = (
        (math.log(LOW) * a + math.log(HIGH) * b) / math.log(HIGH),
        1 / math.log(HIGH),
        a + b,
    )
    cells, total = 40_000, 0.0
    for i in range(cells):
        u = (i + 0.5) / cells
        noise = scale * (math.log(2 * u) if u < 0.5 else -math.log(2 - 2 * u))
        total += abs(min(max(place + noise, 0.0), MOST) - n)
    return total / cells


def sample_loss(a: int, b: int) -> float:
    """E|S - (a + b)| for a geometric count at level log 5 of a sample that keeps a cautious
    record with probability (2 - 1)/(5 - 1), clamped.
    """
    keep, q, n = (LOW - 1) / (HIGH - 1), 1 / HIGH, a + b
    total = 0.0
    for k in range(a + 1):
        probability = math.comb(a, k) * keep**k * (1 - keep) ** (a - k)
        for j in range(-60, 61):
            total += (
                probability
                * (1 - q)
                / (1 + q)
                * q ** abs(j)
                * abs(min(max(k + b + j, 0), MOST) - n)
            )
    return total


def test_the_best_count_beats_both() -> None:
    found = best_mechanism(W, extra_records(MOST), range(MOST + 1), lambda D, s: abs(D.size - s))
    value = normal(found.value, Context.empty()).as_rational
    assert value is not None and isinstance(found.verdicts[0], Proved)
    others = {
        f.__name__: max(f(a, b) for a, b in DATASETS) for f in (linear_query_loss, sample_loss)
    }
    assert all(float(value) < loss for loss in others.values()), (value, others)


def test_its_kernel_has_the_loss_and_is_private() -> None:
    found = best_mechanism(W, extra_records(MOST), range(MOST + 1), lambda D, s: abs(D.size - s))
    kernel = found.found.low.kernel  # type: ignore[union-attr]
    rows = dict(zip(found.claim.rows, kernel, strict=True))
    assert (
        max(sum(p * abs(a + b - s) for s, p in enumerate(rows[a, b])) for a, b in DATASETS)
        == normal(found.value, Context.empty()).as_rational
    )
    for (a, b), row in rows.items():
        for other, factor in (((a + 1, b), LOW), ((a, b + 1), HIGH)):
            assert all(
                p <= factor * q and q <= factor * p
                for p, q in zip(row, rows.get(other, row), strict=True)
            )


def test_a_prior_counts_and_the_record_is_checked_again(tmp_path: object) -> None:
    prior = [Fraction(1, 4)] + [Fraction(1, 12)] * 9
    found = best_mechanism(
        W, extra_records(MOST), range(MOST + 1), lambda D, s: abs(D.size - s), prior=prior
    )
    worst = best_mechanism(W, extra_records(MOST), range(MOST + 1), lambda D, s: abs(D.size - s))
    assert normal(found.value - worst.value, Context.empty()).as_rational < 0  # type: ignore[operator]
    path = f"{tmp_path}/loss.json"
    found.save(path)
    assert str(recheck(path)).startswith(
        "Proved: least expected loss under the prior on at most 3 extra records = "
    )


@pytest.mark.parametrize("everywhere", [False, True])
def test_verify_proves_it_private(everywhere: bool) -> None:
    found = best_mechanism(
        W, extra_records(1), [0, 1], lambda D, s: abs(min(D.size, 1) - s), everywhere=everywhere
    )
    assert isinstance(verify(ahdp(found.mechanism)), Proved)
