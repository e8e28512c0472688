"""Totals of powers times exponentials against mpmath's quadrature and against explicit sums in
fractions.
"""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

from ahdp_verify.analysis.moments import antiderivative
from ahdp_verify.analysis.moments.antiderivative import AtPole, integral_or_sum
from ahdp_verify.kernel.errors import DecayNotShown, Unsupported
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of, log_of, symbol
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.grammar import parse

F = Fraction
EMPTY = Context.empty()
S = symbol("s")


@pytest.mark.parametrize("wrong", ["by_parts", "by_difference"])
def test_a_wrong_closed_form_is_detected(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closed forms are not believed: they have to lead back to what they are the totals of."""
    right = getattr(antiderivative, wrong)
    monkeypatch.setattr(
        antiderivative,
        wrong,
        lambda power, rate: [c.scale(1 + (i == power)) for i, c in enumerate(right(power, rate))],
    )
    with pytest.raises(Unsupported, match="did not give back"):
        integral_or_sum(
            S * exp_of(-S),
            "s",
            "real" if wrong == "by_parts" else "integer",
            (constant(0), None),
            EMPTY,
        )


def test_terms_that_are_not_the_integrand_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(antiderivative, "_integrand_terms", lambda integrand, variable: iter([]))
    with pytest.raises(Unsupported, match="do not add up"):
        integral_or_sum(S, "s", "real", (constant(0), constant(1)), EMPTY)


def test_a_pole_inside_a_piece_is_refused() -> None:
    """The principal value of the integral of 1/s from -1 to 2 is log 2, and the integral does
    not exist.
    """
    with pytest.raises(Unsupported, match="one side of a pole"):
        integral_or_sum(constant(1) / S, "s", "real", (constant(-1), constant(2)), EMPTY)


def integrand(text: str, place: Context) -> Ratio:
    return normal(parse(text), place)


def near(r: Ratio) -> mpmath.mpf:
    low, high = enclose(r, 256)
    assert high - low < F(1, 10**30)
    return mpmath.mpf(low.numerator) / low.denominator


FINITE = [
    "1",
    "s^3",
    "s^2*exp(s/2)",
    "exp(-s)/s",
    "1/s",
    "1/s^3",
    "exp(2*s)/s^3",
    "s*exp(-s)/(s + 1)/(s + 1)",
    "1/(s*(s + 1))",
    "exp(-s)/(s^2*(2*s + 3))",
    "s^4/(s + 1)",
    "(s + exp(-s))^2/s",
]


@pytest.mark.parametrize("text", FINITE)
@pytest.mark.parametrize(("a", "b"), [(F(1, 2), F(3)), (F(2), F(21, 2))])
def test_integrals_between_two_points(text: str, a: Fraction, b: Fraction) -> None:
    place = EMPTY.given((S - constant(a)).num, ">")
    python = text.replace("^", "**").replace("exp", "mpmath.exp")
    expected = mpmath.quad(
        lambda s: eval(python, {"s": s, "mpmath": mpmath}),
        [mpmath.mpf(a.numerator) / a.denominator, mpmath.mpf(b.numerator) / b.denominator],
    )
    found = near(
        integral_or_sum(integrand(text, place), "s", "real", (constant(a), constant(b)), place)
    )
    assert abs(found - expected) < 1e-11 * (1 + abs(expected))


@pytest.mark.parametrize(
    "text", ["exp(-s)/s", "exp(-3*s)/s^2", "s^5*exp(-s)", "1/s^2", "exp(-s)/(s*(s + 2))"]
)
def test_integrals_to_infinity(text: str) -> None:
    place = EMPTY.given((S - constant(1)).num, ">")
    python = text.replace("^", "**").replace("exp", "mpmath.exp")
    expected = mpmath.quad(
        lambda s: eval(python, {"s": s, "mpmath": mpmath}), [1, 2, 10, mpmath.inf]
    )
    assert (
        abs(
            near(integral_or_sum(integrand(text, place), "s", "real", (constant(1), None), place))
            - expected
        )
        < 1e-11
    )


def test_the_negative_side() -> None:
    place = EMPTY.given((-S - constant(1)).num, ">")
    found = near(
        integral_or_sum(integrand("exp(s)/s", place), "s", "real", (None, constant(-1)), place)
    )
    assert abs(found - mpmath.quad(lambda s: mpmath.exp(s) / s, [-mpmath.inf, -1])) < 1e-12
    found = near(
        integral_or_sum(integrand("1/s", place), "s", "real", (constant(-3), constant(-1)), place)
    )
    assert abs(found + mpmath.log(3)) < 1e-14


@pytest.mark.parametrize("power", range(6))
@pytest.mark.parametrize("z", [F(1), F(2), F(1, 3)])
@pytest.mark.parametrize(("a", "b"), [(-3, 5), (0, 1), (2, 9)])
def test_sums_between_two_whole_numbers(power: int, z: Fraction, a: int, b: int) -> None:
    law = constant(1)
    for _ in range(power):
        law = law * S
    found = integral_or_sum(
        law * exp_of(S * log_of(constant(z))), "s", "integer", (constant(a), constant(b)), EMPTY
    )
    assert found.as_rational == sum(F(k) ** power * z**k for k in range(a, b))


@pytest.mark.parametrize("power", range(4))
@pytest.mark.parametrize("first", [-4, 0, 3])
def test_sums_to_infinity(power: int, first: int) -> None:
    """Both ways, against the first 400 terms."""
    law = constant(1)
    for _ in range(power):
        law = law * S
    up = integral_or_sum(
        law * exp_of(-S * log_of(constant(3))), "s", "integer", (constant(first), None), EMPTY
    ).as_rational
    down = integral_or_sum(
        law * exp_of(S * log_of(constant(3))), "s", "integer", (None, constant(first)), EMPTY
    ).as_rational
    assert up is not None and abs(
        up - sum(F(k) ** power / F(3) ** k for k in range(first, 400))
    ) < F(1, 10**100)
    assert down is not None and abs(
        down - sum(F(k) ** power * F(3) ** k for k in range(-400, first))
    ) < F(1, 10**100)


def test_reciprocals_of_whole_numbers() -> None:
    """The sum of 2^-k/k is log 2; from 4 on less the first three terms."""
    place = EMPTY.given((S - constant(0)).num, ">")
    assert (
        integral_or_sum(
            exp_of(-S * log_of(constant(2))) / S, "s", "integer", (constant(1), None), place
        ).key
        == "log(2)"
    )
    assert (
        integral_or_sum(
            exp_of(-S * log_of(constant(2))) / S, "s", "integer", (constant(4), None), place
        ).key
        == "-2/3 + log(2)"
    )
    assert integral_or_sum(
        constant(1) / S, "s", "integer", (constant(1), constant(5)), place
    ).as_rational == F(25, 12)


@pytest.mark.parametrize(
    ("text", "ends", "error"),
    [
        ("1/s", (constant(0), constant(1)), AtPole),
        ("exp(-s)/s^2", (constant(0), None), AtPole),
        ("1/s", (constant(1), None), DecayNotShown),
        ("1", (constant(1), None), DecayNotShown),
        ("exp(s)", (constant(1), None), DecayNotShown),
        ("exp(-s^2)", (constant(1), None), Unsupported),
        ("log(s)", (constant(1), constant(2)), Unsupported),
        ("1/(s^2 + 1)", (constant(1), constant(2)), Unsupported),
    ],
)
def test_what_has_no_total(
    text: str, ends: tuple[Ratio, Ratio | None], error: type[Exception]
) -> None:
    place = EMPTY.given(S.num, ">")
    with pytest.raises(error):
        integral_or_sum(integrand(text, place), "s", "real", ends, place)
