"""Differences of erf and 1, and of two values of erf, in balls and in recheck's intervals, against
mpmath with thousands of digits.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.ball import ball, constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.grammar import parse

sys.path.insert(0, str(Path(__file__).parents[3] / "proofs"))
from recheck import enclosures, smooth
from recheck.limits import CLOCK

EMPTY = Context.empty()


def constant(text: str) -> Ratio:
    return normal(parse(text), EMPTY)


@given(st.fractions(min_value=-60, max_value=60, max_denominator=100), st.sampled_from((1, -1)))
def test_the_distance_to_an_asymptote_has_its_bits(x: Fraction, side: int) -> None:
    value = ball(constant(f"{side} - erf({x})"), 64)
    with mpmath.workdps(2000):
        exact = side - mpmath.erf(mpmath.mpf(x.numerator) / x.denominator)
        low, high = (mpmath.mpf(e.str(40, radius=False)) for e in (value.lower(), value.upper()))
        assert low * (1 - mpmath.mpf(10) ** -35) - abs(low) * mpmath.mpf(10) ** -30 <= exact
        assert exact <= high + abs(high) * mpmath.mpf(10) ** -30
        assert abs(high - low) <= abs(exact) * mpmath.mpf(10) ** -9 + mpmath.mpf(10) ** -2000


@pytest.mark.parametrize("level", [10, 60, 100, 1000])
def test_a_far_tail_of_gaussian_noise_violates_every_level(level: int) -> None:
    """s > t under N(1, 1) and N(0, 1), t = L + 2: the quotient of the two lies near
    exp(t - 1/2), so above exp(L), and below exp(L + 2).
    """
    t = level + 2
    p, q = (f"(1/2 - erf({t - mean}/sqrt(2))/2)" for mean in (1, 0))
    assert constant_sign(constant(p)) == constant_sign(constant(q)) == 1
    for factor, sign in ((level, 1), (level + 2, -1)):
        assert constant_sign(constant(f"{p} - exp({factor})*{q}")) == sign
    with mpmath.workdps(50):
        loss = mpmath.log(mpmath.erfc((t - 1) / mpmath.sqrt(2)) / mpmath.erfc(t / mpmath.sqrt(2)))
        assert level < loss < level + 2


def test_two_values_beyond_one_cancel_exactly() -> None:
    assert constant_sign(constant("erf(50) - erf(49)")) == 1
    assert constant_sign(constant("erf(-50) - erf(-49)")) == -1
    assert constant_sign(constant("erf(50) + erf(-49) - exp(-2401)")) == -1


@given(st.fractions(min_value=1, max_value=300, max_denominator=1000))
def test_the_complement_of_recheck(x: Fraction) -> None:
    CLOCK.start(60)
    low, high = smooth.erfc(enclosures.of_rational(x))
    with mpmath.workdps(120):
        exact = mpmath.erfc(mpmath.mpf(x.numerator) / x.denominator)
        ends = [mpmath.mpf(m) * mpmath.mpf(2) ** e for m, e in (low, high)]
        assert ends[0] <= exact <= ends[1]
        assert ends[1] - ends[0] <= exact * mpmath.mpf(10) ** -30
