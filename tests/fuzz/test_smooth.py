"""The random smooth densities of the standing attack: their functions have total 1, and the largest
loss that is computed from these is the closed form where there is one.
"""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("scipy")
from mpmath import asinh, inf, mp, mpf, quad

from fuzz.generate import smooth
from fuzz.generate.smooth import FAMILIES, Smooth, largest_loss, to_mpf


def drawn(family: object, seed: int) -> Smooth:
    return family(Random(seed))  # type: ignore[operator, no-any-return]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("seed", [1, 2])
def test_every_density_has_total_1_at_both_values(family: object, seed: int) -> None:
    mp.dps = 15
    law = drawn(family, seed)
    for v in map(to_mpf, law.values):
        low, high = law.ends
        cuts = sorted({low, *(x for x in (v - 5, v, v + 5) if low < x < high), high})
        assert abs(quad(lambda s, v=v: law.at(s, v), cuts) - 1) < mpf("1e-8")


@pytest.mark.parametrize("seed", range(6))
def test_the_largest_loss_of_cauchy_noise_has_a_closed_form(seed: int) -> None:
    mp.dps = 30
    law = drawn(smooth.cauchy, seed)
    (a, b), scale = (
        law.values,
        mpf(1) / (mp.pi * law.at(to_mpf(law.values[0]), to_mpf(law.values[0]))),
    )
    assert abs(largest_loss(law) - 2 * asinh(to_mpf(b - a) / (2 * scale))) < mpf("1e-12")


def test_the_loss_of_gaussian_noise_is_unbounded() -> None:
    assert largest_loss(drawn(smooth.gaussian, 1)) == inf


def test_a_wrong_verdict_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """With losses that are three times too large, a proof below them is called wrong."""
    seen = smooth.largest_loss
    monkeypatch.setattr(smooth, "largest_loss", lambda law: 3 * seen(law))
    monkeypatch.setattr(smooth, "FAMILIES", (smooth.cauchy,))
    monkeypatch.setattr(smooth, "FACTORS", ("9/10",))
    out = smooth.smooth(Random(3))
    assert out.answers == ["proved"] and out.wrong
