"""The five methods: probabilities and weights of the referee notes (O6), privacy of their
components.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from ahdp_verify import Proved, ahdp, assume, dp, log, subsample, verify
from ahdp_verify.catalogue.entry import EPS
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.terms.expression import Min, number

np = pytest.importorskip("numpy")

from ahdp_verify.paper.experiments import frequency, mean  # noqa: E402
from ahdp_verify.paper.experiments.methods import HALF, five_methods, read_thresholds, sample_method  # noqa: E402

KEEP_PROBABILITIES = [
    (Fraction(1, 10), 0.01, 0.095560324736722),
    (Fraction(1), 0.01, 0.0058489631431306),
    (Fraction(1), 0.1, 0.061207024560089),
    (Fraction(1), 0.5, 0.37754066879815),
    (HALF, 0.1, 0.16212034786857),
    (HALF, 0.25, 0.4378234991142),
    (Fraction(2), 0.1, 0.016461104183019),
    (Fraction(2), 0.5, 0.10153632409155),
    (Fraction(2), 1, 0.26894142137),
    (Fraction(1, 10), 5, 1),
    (HALF, 0.5, 1),
]


@pytest.mark.parametrize(("t", "eps", "probability"), KEEP_PROBABILITIES)
def test_the_probabilities_of_O6(t: Fraction, eps: float, probability: float) -> None:
    assert float(sample_method(t).keep_probabilities(np.array([eps]))[0]) == pytest.approx(
        probability, rel=1e-11
    )


def test_the_weights_of_section_6() -> None:
    eps = np.array([0.0, 0.5, 3.0])
    one, two, three, *_ = five_methods((HALF, Fraction(2)), share=HALF)
    assert one.weights(eps).tolist() == [0, 0.25, 1.5]
    assert two.weights(eps) == pytest.approx((1 - np.exp(-eps)) / 2) and three.weights(
        eps
    ) == pytest.approx(eps / (1 + eps) / 2)
    for method in five_methods((HALF, Fraction(2))):
        assert (method.limiting(eps) <= eps + 1e-15).all()  # keep * weight never exceeds the demand


@pytest.mark.parametrize("t", [HALF, Fraction(2)])
def test_the_sample_mechanism_keeps_the_level_min_eps_t(t: Fraction) -> None:
    """The rule `subsample` over any t-DP mechanism, with the very expression that is run."""
    W = Domain([("a", Fraction(1, 100)), ("a", Fraction(1, 3)), ("b", log(2)), ("c", 5)])
    base = assume(W, "add-remove", number(t), text="any t-DP mechanism")
    keep = sample_method(t).keep
    assert isinstance(
        verify(subsample(base, keep, level=Min(EPS, number(t)), name="sample")), Proved
    )
    assert not isinstance(
        verify(
            subsample(base, keep * Fraction(1001, 1000), level=Min(EPS, number(t)), name="sample")
        ),
        Proved,
    )


def test_what_is_run_is_verified() -> None:
    """The mean and the frequencies at any weights up to the demand, and, for the Sample
    Mechanism, with weight t/2 for all.
    """
    assert isinstance(verify(ahdp(mean.MECHANISM)), Proved) and isinstance(
        verify(ahdp(frequency.MECHANISM)), Proved
    )
    from_all_alike = mean.weighted_mean(
        Domain.universal({"x": "0 <= x <= 150"}),
        weights=(Fraction(1, 4), Fraction(1, 4)),
        bounds=mean.BOUNDS,
    )
    assert isinstance(verify(dp(from_all_alike, HALF)), Proved)


def test_records_stay_with_their_probability() -> None:
    eps = np.full(40_000, 0.25)
    stays = sample_method(HALF).stays(np.random.default_rng(1), eps)
    p = 0.4378234991142
    assert (
        set(stays.tolist()) == {0.0, 1.0}
        and abs(stays.mean() - p) < 5 * (p * (1 - p) / 40_000) ** 0.5
    )
    assert five_methods(())[0].stays(np.random.default_rng(1), eps).tolist() == [1.0] * 40_000


@pytest.mark.parametrize("text", ["x", "0", "-1", "1,1", "1,,2", "51", "nan", "oo", "1;2"])
def test_bad_thresholds(text: str) -> None:
    with pytest.raises(BadInput, match="is not a list of thresholds"):
        read_thresholds(text, (HALF,))


def test_thresholds() -> None:
    assert read_thresholds("", (HALF,)) == (HALF,) and read_thresholds("0.5, 2", ()) == (
        HALF,
        Fraction(2),
    )
