"""The random laws of the standing attack on other notions: they have total 1, and the bounds
computed from them are the published closed forms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

pytest.importorskip("scipy")
from mpmath import exp, inf, log, mp, mpf
from scipy.stats import norm

from fuzz.generate import notions
from fuzz.generate.notions import FAMILIES, Law, least_bound
from fuzz.generate.smooth import to_mpf

SEEDS = [1, 2]


@pytest.fixture(autouse=True)
def digits() -> Iterator[None]:
    with mp.workdps(notions.DIGITS):
        yield


def drawn(family: object, seed: int) -> Law:
    return family(Random(seed))  # type: ignore[operator, no-any-return]


def distance(law: Law) -> mpf:
    """The distance of the two values in units of the scale that the text ends with."""
    a, b = law.values
    scale = Fraction(law.text.rsplit("2*(", 1)[1].split(")")[0])
    return to_mpf((b - a) / scale)


def bit(p: Fraction, q: Fraction) -> Law:
    """A bit that is 1 with probability p or q."""
    at = {(k, v): to_mpf(x if k else 1 - x) for v, x in ((0, p), (1, q)) for k in (0, 1)}
    output = {"name": "s", "kind": "finite", "values": ["0", "1"]}
    ends = Fraction(0), Fraction(1)
    return Law("bit", output, "", lambda s, v: at[s, v], ends, (mpf(0), mpf(1)), {})


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_law_has_total_1_at_both_values(family: object, seed: int) -> None:
    law = drawn(family, seed)
    for v in map(to_mpf, law.values):
        assert abs(law.total(lambda s, v=v: law.at(s, v)) - 1) < mpf("1e-10")


@pytest.mark.parametrize("seed", SEEDS)
def test_bounds_of_laplace_noise(seed: int) -> None:
    """Mironov 2017 for the order 3; the Kullback-Leibler divergence for zCDP; and for GDP the fixed
    point exp(-e/2)/2 of the trade-off curve, which is symmetric (Dong, Roth and Su 2022).
    """
    law = drawn(notions.laplace, seed)
    e = distance(law)
    assert abs(least_bound(law, "zcdp", "") - (e + exp(-e) - 1)) < mpf("1e-9")
    large = mpf(50) * e + log(mpf(51) / 101 + mpf(50) / 101 * exp(-101 * e))
    assert abs(least_bound(law, "renyi", "51") - large / 50) < mpf("1e-9")
    third = log(3 * exp(2 * e) / 5 + 2 * exp(-3 * e) / 5) / 2
    assert abs(least_bound(law, "renyi", "3") - third) < mpf("1e-9")
    fixed = 2 * norm.isf(float(exp(-e / 2) / 2))
    assert abs(least_bound(law, "gdp", "") - fixed) < mpf("1e-6")


@pytest.mark.parametrize("seed", SEEDS)
def test_bounds_of_gaussian_noise(seed: int) -> None:
    law = drawn(notions.gaussian, seed)
    e = to_mpf(Fraction(law.exact["gdp"]))
    numeric = replace(law, closed=None)
    assert abs(least_bound(numeric, "renyi", "2") - e**2) < mpf("1e-9")
    wanted = {("zcdp", ""): e**2 / 2, ("renyi", "5"): 5 * e**2 / 2, ("gdp", ""): e}
    for (notion, order), value in wanted.items():
        assert abs(least_bound(law, notion, order) - value) < mpf("1e-6")


def test_bounds_of_a_bit() -> None:
    law = bit(Fraction(1, 4), Fraction(3, 4))
    assert abs(least_bound(law, "gdp", "") - 2 * norm.ppf(0.75)) < mpf("1e-9")
    assert abs(least_bound(law, "zcdp", "") - log(3) / 2) < mpf("1e-9")
    second = log(mpf(9) / 4 + mpf(1) / 12)
    assert abs(least_bound(law, "renyi", "2") - second) < mpf("1e-9")


@pytest.mark.parametrize("notion", ["zcdp", "renyi", "gdp"])
def test_what_one_value_never_gives_has_no_bound(notion: str) -> None:
    assert least_bound(bit(Fraction(0), Fraction(1, 2)), notion, "2") == inf


@pytest.mark.parametrize("factor", ["9/10", "99/100"])
def test_a_wrong_verdict_is_noticed(monkeypatch: pytest.MonkeyPatch, factor: str) -> None:
    """With bounds that are three times too large, a proof below them is called wrong."""
    seen = notions.least_bound
    monkeypatch.setattr(notions, "least_bound", lambda *a: 3 * seen(*a))
    monkeypatch.setattr(notions, "FACTORS", (factor,))

    def gaussian(rng: Random) -> Law:
        return replace(notions.gaussian(rng), monotone=False)  # without GDP

    monkeypatch.setattr(notions, "FAMILIES", (gaussian,))
    out = notions.notion(Random(3))
    assert out.answers == ["proved"] and out.wrong


def test_the_precision_is_left_as_it_was() -> None:
    with mp.workdps(50):
        notions.notion(Random(1))
        assert mp.dps == 50
