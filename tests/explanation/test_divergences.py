"""Proofs and refutations of claims with delta are explained: what each piece contributes, over one
output or several, and how laws that are no sums of exponentials are integrated.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ahdp_verify.explanation import explain

STORED = Path(__file__).resolve().parents[2] / "proofs" / "public" / "certificates"
PARTS = {
    "two-laplace-noises-delta-1": ("piece by piece of the next output", "the integral over s is"),
    "two-laplace-noises-delta-2": ("with the earlier ones",),
    "coin-and-laplace-noise-delta-1": ("at r = 0", "at r = 1"),
    "discrete-gaussian-noise-1": ("a discrete Gaussian, whose sum over all whole numbers",),
    "gaussian-noise-every-deviation-1": ("by an antiderivative, whose derivative is the law",),
    "gaussian-noise-every-deviation-2": ("with the factor in front, multiplied",),
    "sum-with-a-delta-of-each-record-1": ("this is at most delta",),
    "two-sums-with-a-delta-of-each-record-2": ("this is at most delta",),
}


@pytest.mark.parametrize("stem", PARTS)
def test_a_stored_claim_with_delta_is_explained(stem: str) -> None:
    said = " ".join(str(explain(STORED / f"{stem}.json", every=True)).split())
    for part in PARTS[stem]:
        assert part in said


def test_the_contributions_of_slices_add_up_to_the_divergence() -> None:
    """At level 1 the delta of two Laplace noises of rate e is 1 - (2 e + 3) exp(1/2 - e)/4, and the
    lines say that this is what the pieces add up to.
    """
    said = str(explain(STORED / "two-laplace-noises-delta-1.json", every=True))
    assert "this is at most delta: 0 >= 0" in said


def test_what_repeats_itself_is_said_of_staircases_only() -> None:
    gaussian = str(explain(STORED / "discrete-gaussian-noise-1.json", every=True))
    staircase = str(explain(STORED / "staircase-count-eps-log-2-1.json", every=True))
    assert "repeats itself" not in gaussian and "repeats itself" in staircase
