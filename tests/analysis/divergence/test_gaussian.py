"""Gaussian and discrete Gaussian noise: exact deltas against mpmath, proofs and refutations next to
them, on bits, datasets, query answers and records of any value.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from ahdp_verify.analysis.divergence.delta import delta
from ahdp_verify.analysis.parameters.calibrate import calibrate
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Inputs, Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import integer, real
from ahdp_verify.kernel.model.privacy import ahdp
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import (
    Expression,
    eq,
    exp,
    name,
    number,
    pi,
    piecewise,
    sqrt,
)
from ahdp_verify.kernel.terms.functions import erf, theta3
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify
from tests.sweeps import examples

s, k, v = real("s"), integer("k"), name("v")
BITS, QUICK = Values([0, 1]), Limits(seconds=20)


def gaussian(centre: Expression, sigma: Expression, inputs: Inputs = BITS) -> Mechanism:
    law = exp(-((s - centre) ** 2) / (2 * sigma**2)) / (sigma * sqrt(2 * pi))
    return Mechanism(inputs, outputs=[s], density=law, name="Gaussian")


def true_delta(sigma: Fraction, level: Fraction, shift: Fraction = Fraction(1)) -> mpf:
    """Balle and Wang 2018, Theorem 8."""
    a, e = mpf(sigma.numerator) / sigma.denominator, mpf(level.numerator) / level.denominator
    d = mpf(shift.numerator) / shift.denominator
    half, far = d / (2 * a), e * a / d
    return mp.ncdf(half - far) - mp.exp(e) * mp.ncdf(-half - far)


@settings(max_examples=examples(100, 8), deadline=None)
@given(
    st.fractions(min_value=Fraction(1, 2), max_value=8, max_denominator=100),
    st.fractions(min_value=0, max_value=4, max_denominator=100),
)
def test_the_delta_of_gaussian_noise_is_exact(sigma: Fraction, level: Fraction) -> None:
    found = delta(gaussian(v, number(sigma)), number(level), "any", QUICK)
    assert found.exact, found.reason
    low, high = enclose(normal(found.high, Context.empty()), 512)
    with mp.workdps(60):
        wanted = true_delta(sigma, level)
        assert mpf(low.numerator) / low.denominator <= wanted * (1 + mpf("1e-40"))
        assert mpf(high.numerator) / high.denominator >= wanted * (1 - mpf("1e-40"))
        assert high - low <= Fraction(1, 10**60)


@settings(max_examples=examples(40, 4), deadline=None)
@given(st.sampled_from([1, 2, 3, Fraction(1, 2)]), st.sampled_from([0, Fraction(1, 2), 1, 2]))
def test_the_delta_of_discrete_gaussian_noise_is_the_sum(sigma: Fraction, level: Fraction) -> None:
    a = 1 / (2 * Fraction(sigma) ** 2)
    law = exp(-((k - v) ** 2) * number(a)) / theta3(number(a))
    found = delta(Mechanism(BITS, outputs=[k], density=law), number(level), "any", QUICK)
    assert found.exact, found.reason
    low, _ = enclose(normal(found.high, Context.empty()), 256)
    with mp.workdps(40):
        p = {j: mp.exp(-mpf(a.numerator) / a.denominator * j * j) for j in range(-60, 62)}
        e = mp.exp(mpf(Fraction(level).numerator) / Fraction(level).denominator)
        excess = sum(max(mpf(0), p[j] - e * p[j - 1]) for j in range(-59, 61))
        wanted = excess / sum(p.values())
        assert abs((mpf(low.numerator) / low.denominator) - wanted) < mpf("1e-30")


@pytest.mark.parametrize("side", [1, -1])
def test_claims_close_to_the_true_delta_are_decided(side: int) -> None:
    """0.12693673750664403 for a move of 2 with deviation 2 at level 1."""
    W = Domain([(-1, 1), (1, 1)])
    M = gaussian(W.sum(name("x")), number(2), W)
    with mp.workdps(30):
        wanted = true_delta(Fraction(2), Fraction(1), Fraction(2))
        slack = Fraction(int(wanted * 10**12) + (1 if side > 0 else 0), 10**12)
    found = verify(Claim(M, "swap", number(1), number(slack)), limits=QUICK)
    assert found.outcome == ("proved" if side > 0 else "refuted")


def test_every_move_of_an_answer_or_of_any_record_needs_at_most_the_delta_of_the_largest() -> None:
    wanted = true_delta(Fraction(2), Fraction(1))
    U = Domain.universal(unknowns={"x": "-1 <= x and x <= 1", "eps": "0 <= eps"})
    one = gaussian(name("q[1]"), number(2), Queries(1))
    any_ = gaussian(U.sum(name("x")), number(2), U)
    for slack in (Fraction(683, 10**5), Fraction(682, 10**5)):
        holds = float(slack) >= wanted
        for claim in (
            Claim(one, "one", number(1), number(slack)),
            Claim(any_, "ahdp", number(1), number(slack)),
        ):
            assert verify(claim, limits=QUICK).outcome == ("proved" if holds else "refuted")


def test_every_deviation_and_level_at_once() -> None:
    sigma, e = name("sigma"), name("e")
    law = exp(-((s - v) ** 2) / (2 * sigma**2)) / (sigma * sqrt(2 * pi))
    given_ = {"sigma": "sigma > 0", "e": "e >= 0"}
    M = Mechanism(BITS, outputs=[s], density=law, parameters=given_)

    def phi(x: Expression) -> Expression:
        return (1 + erf(x / sqrt(2))) / 2

    half, far = 1 / (2 * sigma), e * sigma
    exact = phi(half - far) - exp(e) * phi(-half - far)
    for share, outcome in (("1", "proved"), ("999/1000", "refuted")):
        found = verify(Claim(M, "any", e, number(share) * exact), limits=QUICK)
        assert found.outcome == outcome


def test_the_least_deviation_for_a_delta() -> None:
    """3.73063... for level 1 and delta 1/100000."""
    sigma = name("sigma")
    law = exp(-((s - v) ** 2) / (2 * sigma**2)) / (sigma * sqrt(2 * pi))
    M = Mechanism(BITS, outputs=[s], density=law, parameters={"sigma": "sigma > 0"})
    found = calibrate(Claim(M, "any", number(1), number("1/100000")), "sigma", QUICK)
    assert found.value is not None and found.value.head == "number"
    value = Fraction(found.value.args[0])
    with mp.workdps(30):
        assert true_delta(value, Fraction(1)) <= mpf("1e-5")
        assert true_delta(value - Fraction(2, 10**9), Fraction(1)) > mpf("1e-5")


def test_each_record_has_the_delta_of_its_own_move() -> None:
    W = Domain([(0, 1), (1, 1), (2, 1)])
    x = name("x")
    M = gaussian(W.sum(x), number(2), W)
    with mp.workdps(30):
        least = [true_delta(Fraction(2), Fraction(1), Fraction(d)) for d in (1, 2)]
    for shares in ((1, 1), (1, -1), (-1, 1)):
        at = [
            Fraction(int(w * 10**6) + (1 if i > 0 else 0), 10**6)
            for w, i in zip(least, shares, strict=True)
        ]
        slack = piecewise((number(0), eq(x, 0)), (number(at[0]), eq(x, 1)), (number(at[1]), True))
        found = verify(ahdp(M, 1, delta=slack), limits=QUICK)
        assert found.outcome == ("proved" if shares == (1, 1) else "refuted")


def test_gaussian_noise_has_no_pure_level() -> None:
    for level in (1, 20):
        found = verify(Claim(gaussian(v, number(1)), "any", number(level)), limits=QUICK)
        assert found.outcome == "refuted"


def test_a_normaliser_that_floats_do_not_tell_from_the_right_one_is_refused() -> None:
    """theta3(1/8) = sqrt(8 pi) (1 + 2 exp(-8 pi^2) + ...): the total exceeds 1 by 1e-34."""
    law = exp(-((k - v) ** 2) / 8) / sqrt(8 * pi)
    M = Mechanism(BITS, outputs=[k], density=law)
    with pytest.raises(Exception, match="not 1"):
        verify(Claim(M, "any", number(1), number("1/10")), limits=QUICK)
