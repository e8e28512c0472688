"""Sums of discrete Gaussians against sums over all whole numbers within reach (mpmath), and each
refusal by a sum that only this check stops; theta3 of both checkers against mpmath.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from ahdp_verify.kernel.errors import Rejected, Undecided, Undefined, Unsupported
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of, symbol
from ahdp_verify.kernel.numbers.ball import constant_sign, enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.everywhere import require_number
from ahdp_verify.kernel.rules.integration_by_parts import MOST, gaussian_sum
from ahdp_verify.kernel.terms.expression import name, number
from ahdp_verify.kernel.terms.functions import theta3
from ahdp_verify.search.floating_point import theta3_float

HERE = Context.empty(frozenset(("k", "n")))
k, n, x = symbol("k"), symbol("n"), symbol("x")
RATES = st.fractions(min_value=Fraction(1, 50), max_value=3, max_denominator=50)
ENDS = st.none() | st.integers(-30, 30)


def bell(a: Fraction, centre: Ratio, shift: int = 0) -> Ratio:
    """exp(-a (k - centre)^2 + shift)."""
    return exp_of((-(k - centre) * (k - centre)).scale(a) + constant(shift))


def enclosed(r: Ratio) -> mpf:
    low, high = enclose(r, 256)
    return (mpf(low.numerator) / low.denominator + mpf(high.numerator) / high.denominator) / 2


@given(RATES, st.integers(-5, 5), ENDS, ENDS)
def test_the_sum_is_that_of_its_terms(
    a: Fraction, centre: int, low: int | None, high: int | None
) -> None:
    if low is not None and high is not None and low > high:
        low, high = high, low
    ends = tuple(None if e is None else constant(e) for e in (low, high))
    found = gaussian_sum(bell(a, constant(centre), 2), "k", (ends[0], ends[1]), HERE)
    with mp.workdps(50):
        rate = mpf(a.numerator) / a.denominator
        reach = range(-120 if low is None else low, 120 if high is None else high)
        wanted = mp.fsum(mp.exp(-rate * (j - centre) ** 2 + 2) for j in reach)
        assert abs(enclosed(found) - wanted) < mpf("1e-30")


def test_the_centre_may_be_a_name_that_stands_for_a_whole_number() -> None:
    found = gaussian_sum(bell(Fraction(1, 8), n), "k", (n + constant(1), None), HERE)
    half = (normal(theta3(number("1/8")), HERE) - constant(1)).scale(Fraction(1, 2))
    assert (found - half).is_zero  # the terms at n + 1, n + 2, ...


NOT_WHOLE = constant(Fraction(1, 2))


@pytest.mark.parametrize(
    ("term", "ends", "message"),
    [
        (bell(Fraction(1, 8), NOT_WHOLE), (None, None), "whole centre"),
        (bell(Fraction(1, 8), x), (None, None), "whole centre"),
        (exp_of(-k * k * k * k), (None, None), "quadratic"),
        (exp_of(-k * k - k * k * k), (None, None), "quadratic"),
        (k * exp_of(-k * k), (None, None), "quadratic"),
        (bell(Fraction(1, 8), n), (constant(0), None), "known whole"),
        (bell(Fraction(1, 8), constant(0)), (None, x), "known whole"),
        (bell(Fraction(1, 8), constant(0)), (constant(MOST + 1), None), "more than"),
        (bell(Fraction(1, 8), constant(0)), (NOT_WHOLE, None), "known whole"),
    ],
)
def test_other_sums_are_refused(
    term: Ratio, ends: tuple[Ratio | None, Ratio | None], message: str
) -> None:
    with pytest.raises(Unsupported, match=message):
        gaussian_sum(term, "k", ends, HERE)


@pytest.mark.parametrize("rate", [constant(Fraction(1, 8)), constant(0), symbol("a")])
def test_a_sum_that_is_not_known_to_decay_is_refused(rate: Ratio) -> None:
    with pytest.raises((Undecided, Undefined, Unsupported)):
        gaussian_sum(exp_of(k * k * rate), "k", (None, None), HERE)


# theta3


@given(st.fractions(min_value=Fraction(1, 1000), max_value=50, max_denominator=1000))
def test_theta3_is_enclosed(a: Fraction) -> None:
    value = normal(theta3(number(a)), HERE)
    low, high = enclose(value, 128)
    with mp.workdps(60):
        wanted = mp.jtheta(3, 0, mp.exp(-mpf(a.numerator) / a.denominator))
        assert mpf(low.numerator) / low.denominator <= wanted + mpf("1e-50")
        assert wanted - mpf("1e-50") <= mpf(high.numerator) / high.denominator
    assert high - low < Fraction(1, 10**20) and constant_sign(value) == 1
    assert abs(theta3_float(float(a)) - float(wanted)) < 1e-12 * float(wanted)


def test_theta3_of_a_number_that_is_not_positive_has_no_value() -> None:
    for e in (number(0), number(-1)):
        with pytest.raises(Undefined):
            normal(theta3(e), HERE)
    with pytest.raises(Undecided):
        normal(theta3(name("a")), HERE)
    with pytest.raises(Rejected, match="theta3"):
        require_number(theta3(name("a")), HERE)
    require_number(theta3(name("a")), HERE.given(symbol("a").num, ">"))


@pytest.fixture
def independent(monkeypatch: pytest.MonkeyPatch) -> Callable[[Fraction], tuple[Fraction, Fraction]]:
    """theta3 of the stand-alone checker."""
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[3] / "proofs"))
    from recheck import enclosures, smooth  # noqa: PLC0415 - it is no part of the package

    def found(a: Fraction) -> tuple[Fraction, Fraction]:
        low, high = smooth.theta3(enclosures.of_rational(a))
        return Fraction(low[0]) * Fraction(2) ** low[1], Fraction(high[0]) * Fraction(2) ** high[1]

    return found


@pytest.mark.parametrize("a", ["1/10000", "1/8", "99/100", "1", "7/2", "40"])
def test_the_stand_alone_checker_encloses_the_same_number(
    a: str, independent: Callable[[Fraction], tuple[Fraction, Fraction]]
) -> None:
    low, high = independent(Fraction(a))
    with mp.workdps(120):
        rate = mpf(Fraction(a).numerator) / Fraction(a).denominator
        wanted = mp.jtheta(3, 0, mp.exp(-rate)) if rate > 0.01 else mp.sqrt(mp.pi / rate)
        assert mpf(low.numerator) / low.denominator <= wanted * (1 + mpf("1e-100"))
        assert wanted * (1 - mpf("1e-100")) <= mpf(high.numerator) / high.denominator
    assert 0 < high - low < Fraction(1, 10**70) * high
