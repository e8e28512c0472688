"""Balls contain what they enclose, and signs are those of mpmath in many more digits."""

from __future__ import annotations

from fractions import Fraction

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of, log_of, ratio_power, symbol
from ahdp_verify.kernel.numbers.ball import ball, constant_sign, enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.numbers.smooth import function_value
from ahdp_verify.kernel.terms.expression import Abs, floor, number, pi
from tests import oracle

FRACTIONS = st.fractions(min_value=-30, max_value=30, max_denominator=10**6)


@st.composite
def constants(draw: st.DrawFn, depth: int = 3) -> Ratio:
    if not depth or not draw(st.integers(0, 2)):
        return draw(
            st.fractions(min_value=-3, max_value=3, max_denominator=9).map(constant)
            | st.just(algebra.PI)
        )
    u = draw(constants(depth - 1))
    kind = draw(st.integers(0, 6))
    if kind < 3:
        v = draw(constants(depth - 1))
        return (u + v, u * v, u - v if v.is_zero else u / v)[kind]
    if kind == 3:
        value = oracle.of_ratio(u, {}) if abs(oracle.of_ratio(u, {})) < 50 else None
        return u if value is None else exp_of(u)
    if kind == 4:
        return log_of(u) if oracle.of_ratio(u, {}) > oracle.SMALL else u
    positive = oracle.of_ratio(u, {}) > oracle.SMALL
    return (
        ratio_power(u, constant(Fraction(1, 3)))
        if positive and kind == 5
        else normal(Abs(number(Fraction(1, 2)) - pi), Context.empty()) * u
    )


def tried(draw_from: st.SearchStrategy[Ratio]) -> st.SearchStrategy[tuple[Ratio, object]]:
    """Constants with their values in 60 digits, those without a value left out."""

    def valued(r: Ratio) -> tuple[Ratio, object] | None:
        try:
            return r, oracle.of_ratio(r, {})
        except (oracle.Undefined, oracle.Doubtful):
            return None

    return draw_from.map(valued).filter(lambda pair: pair is not None)  # type: ignore[return-value]


@given(FRACTIONS, st.sampled_from([2, 20, 64, 256]))
def test_ball_contains_its_rational(x: Fraction, bits: int) -> None:
    r = constant(x)
    found = ball(r, bits)
    with flint.ctx.workprec(400):
        left, right = found.lower().fmpq(), found.upper().fmpq()
    assert Fraction(int(left.p), int(left.q)) <= x <= Fraction(int(right.p), int(right.q))
    assert enclose(r, bits) == (x, x)
    low, high = enclose(r + algebra.PI - algebra.PI, bits)
    assert low <= x <= high


@given(FRACTIONS, st.sampled_from([20, 64]))
def test_ends_are_outward(x: Fraction, bits: int) -> None:
    low, high = enclose(constant(x) + algebra.PI, bits)
    with mp.workdps(120):
        exact = mp.mpf(x.numerator) / x.denominator + mp.pi
        assert oracle.real(low) <= exact <= oracle.real(high)
    assert 0 < high - low < Fraction(1, 2 ** (bits - 12))


@given(tried(constants()), st.sampled_from([30, 64, 160]))
def test_enclosure_contains_the_value(pair: tuple[Ratio, oracle.mpf], bits: int) -> None:
    r, exact = pair
    low, high = enclose(r, bits)
    margin = oracle.mpf(10) ** -45 * max(1, abs(exact))
    assert oracle.real(low) - margin <= exact <= oracle.real(high) + margin
    assert high - low < 1 + abs(high)


@given(tried(constants()))
def test_sign_is_the_sign(pair: tuple[Ratio, oracle.mpf]) -> None:
    r, exact = pair
    found = constant_sign(r)
    assert found == oracle.sign(exact) if oracle.sign(exact) else found in (0, None), r.key


@given(tried(constants(2)), st.integers(1, 80))
def test_sign_of_a_value_against_its_own_rounding(
    pair: tuple[Ratio, oracle.mpf], digits: int
) -> None:
    r, exact = pair
    with mp.workdps(200):
        scaled = oracle.mp.floor(exact * 10 ** min(digits, 40))
        rounded = Fraction(int(scaled), 10 ** min(digits, 40))
    assert (
        constant_sign(r - constant(rounded)) in (1, 0, None)
        if r.as_rational is None
        else constant_sign(r - constant(rounded)) in (0, 1)
    )


def test_zero_is_never_taken_for_a_sign() -> None:
    hidden = log_of(constant(1) + ratio_power(constant(2), constant(Fraction(1, 2)))) + log_of(
        ratio_power(constant(2), constant(Fraction(1, 2))) - constant(1)
    )
    assert constant_sign(hidden) is None and not hidden.is_zero
    assert constant_sign(symbol("a")) is None and constant_sign(symbol("a") - symbol("a")) == 0


def test_no_value_is_refused() -> None:
    for r in (
        log_of(Ratio(algebra.ZERO)),
        constant(1) / (constant(2) + log_of(Ratio(algebra.ZERO))),
    ):
        with pytest.raises(Unsupported):
            enclose(r)
        assert constant_sign(r) is None


@given(st.integers(-40, 40), st.integers(1, 7))
def test_floor_of_constants(p: int, q: int) -> None:
    x = number(Fraction(p, q))
    assert normal(floor(x), Context.empty()).as_rational == p // q
    exact = oracle.real(Fraction(p, q)) * mp.pi
    assert normal(floor(x * pi), Context.empty()).as_rational == int(mp.floor(exact))


def test_the_exponential_integral_is_enclosed() -> None:
    """Ei(1) and Ei(-1) = -E1(1) to 20 places (Abramowitz and Stegun 1964, table 5.1:
    1.895117816, 0.219383934); the atom knows its names.
    """
    for at, digits in ((1, "1.89511781635593675547"), (-1, "-0.21938393439552027368")):
        low, high = enclose(function_value("Ei", algebra.constant(at)), 256)
        assert abs(low - Fraction(digits)) < Fraction(1, 10**20) and high - low < Fraction(
            1, 10**40
        )
    assert algebra.ratio_names(function_value("Ei", algebra.symbol("a"))) == {"a"}
