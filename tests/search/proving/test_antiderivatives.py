"""What is proposed is an antiderivative, by mpmath's derivative, of laws of many kinds."""

from __future__ import annotations

import mpmath
import pytest

from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
from ahdp_verify.kernel.rules.integration import cuts, integral
from ahdp_verify.kernel.terms.expression import Expression, number, substitute
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.proving.antiderivatives import antiderivatives

EMPTY = Context.empty()
POSITIVE = assume_condition(parse("b > 0 and d > 0"), EMPTY)
SMOOTH = (
    "1/(pi*(1 + s^2))",
    "exp(-(s - 1)^2/2)/sqrt(2*pi)",
    "s^3*exp(-s^2 + s)",
    "exp(s/2)/(3 + exp(s))",
    "1/(2*exp(s) + exp(-s))",
    "(1 + s)/((s + 1/2)^2 + 5)^3",
    "(2 + (s - 1)^2)^(-7/2)",
    "s^2/(4 + s^2)",
    "exp(-3*s)/(1 + exp(-s))^4",
    "exp(32 - 4*s)/(1 + exp(32 - 4*s))^2",  # of degree 64 in exp(1)
)
# densities, in parameters b > 0 and d > 0
DENSITIES = (
    "1/(pi*b*(1 + ((s - a)/b)^2))",
    "exp(-(s - a)^2/(2*b^2))/sqrt(2*pi*b^2)",
    "exp(-(s - a)^2/(2*d))/sqrt(2*pi*d)",
    "sqrt(d/pi)*exp(-d*(s - a)^2)",
    "exp(-(s - a)/b)/(b*(1 + exp(-(s - a)/b))^2)",
    "1/(b*(exp((s - a)/(2*b)) + exp(-(s - a)/(2*b)))^2)",
    "2/(pi*b*(exp((s - a)/b) + exp((a - s)/b)))",
    "(1 + (s - a)^2/(2*b^2))^(-3/2)/(2*sqrt(2)*b)",
    "3/(8*b)*(1 + ((s - a)/b)^2/4)^(-5/2)",
    "2/(pi*sqrt(3)*b*(1 + ((s - a)/b)^2/3)^2)",
    "8/(3*pi*sqrt(5)*(1 + (s - a)^2/5)^3)",
)


def value(e: Expression, x: object) -> mpmath.mpf:
    at = substitute(e, {"s": number(str(x))})
    low, high = enclose(normal(at, EMPTY), 300)
    return (
        mpmath.mpf(low.numerator) / low.denominator + mpmath.mpf(high.numerator) / high.denominator
    ) / 2


@pytest.mark.parametrize("text", SMOOTH)
def test_the_slope_is_the_law(text: str) -> None:
    law = parse(text)
    (found,) = antiderivatives(law, real("s"), (), EMPTY)
    left = 1 if text == "s^2/(4 + s^2)" else 0  # 1 - 4/(4 + s^2): the 1 is left to the checker
    with mpmath.workdps(60):
        for x in ("-7/3", "-1/4", "1/5", "2"):
            step = mpmath.mpf(10) ** -20
            low, high = (
                value(substitute(found, {"s": parse(f"{x} + {side}/10^20")}), x) for side in (-1, 1)
            )
            assert abs((high - low) / (2 * step) - value(law, x) + left) < 1e-25


# densities on [0, 1], integrated by hand
POWERS = (
    "exp(log(1 + s)/2)*3/(2*(2^(3/2) - 1))",
    "(1 + s)^(-1/3)*2/(3*(2^(2/3) - 1))",
    "s*(4 + s)^(1/2)/(5^(5/2)*2/5 - 4*5^(3/2)*2/3 - 64/5 + 64/3)",
)


@pytest.mark.parametrize("text", POWERS)
def test_powers_of_a_line_have_total_one(text: str) -> None:
    law = parse(f"piecewise(({text}, 0 <= s and s <= 1), (0, true))")
    ends = normal(number(0), EMPTY), normal(number(1), EMPTY)
    stored = antiderivatives(law, real("s"), ends, EMPTY)
    places = cuts((number(0), number(1), *stored), "s", EMPTY)
    assert (integral(law, "s", "real", places, EMPTY) - normal(number(1), EMPTY)).is_zero


@pytest.mark.parametrize("text", DENSITIES)
def test_densities_have_total_one(text: str) -> None:
    law = parse(text)
    stored = antiderivatives(law, real("s"), (), POSITIVE)
    assert integral(law, "s", "real", cuts(stored, "s", POSITIVE), POSITIVE).as_rational == 1


@pytest.mark.parametrize("text", ["exp(-abs(s))/2", "(1 + abs(s))*exp(-abs(s))/4", "2^(-abs(s))"])
def test_powers_times_exponentials_need_nothing(text: str) -> None:
    assert antiderivatives(parse(text), real("s"), (normal(number(0), EMPTY),), EMPTY) == ()


@pytest.mark.parametrize(
    "text", ["exp(-s^4)", "1/(1 + s^6)^(1/3)", "exp(-exp(s))", "1/((1 + s^2)*(2 + s^2))"]
)
def test_nothing_is_proposed_where_none_is_found(text: str) -> None:
    assert antiderivatives(parse(text), real("s"), (), EMPTY) == ()
