"""Stored antiderivatives: probabilities agree with mpmath's quadrature, and a wrong one is
refused.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.numbers.algebra import Ratio, constant
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import assume_condition
from ahdp_verify.kernel.rules.integration import cuts, integral
from ahdp_verify.kernel.terms.grammar import parse

HERE = Context.empty()
# law, antiderivative, the law in mpmath
LAWS: tuple[tuple[str, str, Any], ...] = (
    ("1/(pi*(1 + s^2))", "atan(s)/pi", lambda x: 1 / (mpmath.pi * (1 + x**2))),
    ("exp(-s^2/2)/sqrt(2*pi)", "erf(s/sqrt(2))/2", mpmath.npdf),
    (
        "exp(-s)/(1 + exp(-s))^2",
        "1/(1 + exp(-s))",
        lambda x: mpmath.exp(-x) / (1 + mpmath.exp(-x)) ** 2,
    ),
    (
        "(1 + s^2/2)^(-3/2)/(2*sqrt(2))",
        "s/2*(2 + s^2)^(-1/2)",
        lambda x: (1 + x * x / 2) ** mpmath.mpf(-1.5) / mpmath.sqrt(8),
    ),
    (
        "1/(2*pi*(1 + s^2)) + exp(-(s - 1)^2)/(2*sqrt(pi))",
        "atan(s)/(2*pi) + erf(s - 1)/4",
        lambda x: (
            1 / (2 * mpmath.pi * (1 + x**2))
            + mpmath.exp(-((x - 1) ** 2)) / (2 * mpmath.sqrt(mpmath.pi))
        ),
    ),
)


def total(
    law: str, stored: tuple[str, ...], points: tuple[str, ...] = (), kind: str = "real"
) -> Ratio:
    places = cuts(tuple(map(parse, (*points, *stored))), "s", HERE)
    return integral(parse(law), "s", kind, places, HERE)


@pytest.mark.parametrize(("law", "stored", "value"), LAWS)
def test_the_total_is_one(law: str, stored: str, value: Any) -> None:
    assert total(law, (stored,)).as_rational == 1


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from(LAWS),
    st.fractions(-5, 5, max_denominator=6),
    st.fractions(0, 4, max_denominator=5),
)
def test_a_probability_is_that_of_quadrature(
    law: tuple[str, str, Any], low: Fraction, length: Fraction
) -> None:
    text, stored, value = law
    ends = cuts(tuple(map(parse, (str(low), str(low + length), stored))), "s", HERE)
    found = integral(parse(text), "s", "real", ends, HERE, 0, 1)
    wanted = mpmath.quad(value, [float(low), float(low + length)])
    assert abs(float(enclose(found, 128)[0]) - wanted) < 1e-9


@pytest.mark.parametrize(
    ("law", "stored", "points"),
    [
        ("1/(pi*(1 + s^2))", "atan(s)/3", ()),
        ("1/(pi*(1 + s^2))", "atan(2*s)/pi", ()),
        ("1/(pi*(1 + s^2))", "s*atan(s)/pi", ()),
        ("1/(pi*(1 + s^2))", "abs(atan(s))/pi", ()),  # has no derivative at 0
        ("1/(pi*(1 + s^2))", "atan(s)/pi + floor(s)", ()),
        ("1/(pi*(1 + s^2))", "-atan(1/s)/pi", ()),  # has no value at 0
        ("1/(pi*(1 + s^2))", "-atan(1/s)/pi", ("0",)),
        ("1/(1 + s^2)", "atan(s) + piecewise((1, s < 1/2), (0, true))", ()),
        ("exp(-s^2)/sqrt(pi)", "erf(s)/2 + s", ()),
        ("1/(s^2 - 1)", "log((s - 1)/(s + 1))/2", ("2",)),  # the law is negative from -1 to 1
        ("2*s*exp(s^2)", "exp(s^2)", ()),
    ],
)
def test_what_is_not_an_antiderivative_is_refused(
    law: str, stored: str, points: tuple[str, ...]
) -> None:
    with pytest.raises((Unsupported, Undecided, ZeroDivisionError)):
        total(law, (stored,), points)


def test_a_jump_between_pieces_does_not_count() -> None:
    """The step of a piecewise antiderivative at a point is none of the integral."""
    stepped = "piecewise((atan(s)/pi, s < 0), (7 + atan(s)/pi, true))"
    assert total("1/(pi*(1 + s^2))", (stepped,), ("0",)).as_rational == 1
    assert total("1/(pi*(1 + s^2))", ("atan(s)/pi + 7",), ("0", "1")).as_rational == 1


def test_what_is_left_is_integrated_by_parts() -> None:
    law = "1/(2*pi*(1 + s^2)) + (1 + abs(s))*exp(-abs(s))/8"
    assert total(law, ("atan(s)/(2*pi)",), ("0",)).as_rational == 1


def test_sums_telescope() -> None:
    """The sum of 1/(s (s + 1)) over s >= 1 is 1."""
    law = "piecewise((1/(s*(s + 1)), s >= 1), (0, true))"
    assert total(law, ("-1/s",), ("1",), "integer").as_rational == 1
    with pytest.raises((Unsupported, Undecided, ZeroDivisionError)):
        total(law, ("-1/(s + 1)",), ("1",), "integer")


def test_parameters_need_their_signs() -> None:
    law, stored = parse("b/(pi*(b^2 + (s - a)^2))"), parse("atan((s - a)/b)/pi")
    for condition, good in (("b > 0", True), ("b >= 0", False), ("b != 0", False)):
        here = assume_condition(parse(condition), HERE)
        places = cuts((stored,), "s", here)
        if good:
            assert integral(law, "s", "real", places, here).as_rational == 1
        else:
            with pytest.raises((Unsupported, Undecided, ZeroDivisionError)):
                integral(law, "s", "real", places, here)


def test_points_and_antiderivatives_are_told_apart_by_the_output() -> None:
    places = cuts(tuple(map(parse, ("0", "atan(s)", "1"))), "s", HERE)
    assert [p.as_rational for p in places] == [0, 1] and constant(1).as_rational == 1


PARABOLAS = ("1/5", "4/5", "13/10", "29/10", "-1/5", "-1/1000", "31/10", "301/100")


@pytest.mark.parametrize("start", PARABOLAS)
def test_a_law_multiplied_out_is_covered_where_it_is_not_negative(start: str) -> None:
    """c + 6 (1 - c) (s - s^2) has total 1 and is least at the ends or in the middle."""
    c = Fraction(start)
    law = f"piecewise(({c} + ({6 - 6 * c})*s - ({6 - 6 * c})*s^2, 0 <= s and s <= 1), (0, true))"
    if min(c, c + Fraction(6 - 6 * c, 4)) >= 0:
        assert total(law, (), ("0", "1")).as_rational == 1
    else:
        with pytest.raises(Undecided):
            total(law, (), ("0", "1"))


def test_a_product_of_sums_in_a_divisor_is_positive_as_written() -> None:
    text = "1/((1 + (s - 1/3)^2)*(atan(2/3) + atan(1/3)))"
    law = f"piecewise(({text}, 0 <= s and s <= 1), (0, true))"
    found = total(law, ("atan(s - 1/3)/(atan(2/3) + atan(1/3))",), ("0", "1"))
    assert (found - constant(1)).is_zero
