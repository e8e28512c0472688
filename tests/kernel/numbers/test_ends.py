"""Limits by dominant terms agree with values far out, and are refused where there is none."""

from __future__ import annotations

import mpmath
import pytest

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.ends import limit_at_end
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
from ahdp_verify.kernel.terms.expression import number, substitute
from ahdp_verify.kernel.terms.grammar import parse

# the text of a function of s, and its limits at -oo and at oo as Python expressions of mpmath
LIMITS = (
    ("atan(s)", "-pi/2", "pi/2"),
    ("erf(2*s - 5)", "-1", "1"),
    ("1/(1 + exp(-s))", "0", "1"),
    ("atan(exp(s))", "0", "pi/2"),
    ("s*exp(-s^2 + 3*s)", "0", "0"),
    ("(3*s^2 + s)/(2*s^2 + 1)", "3/2", "3/2"),
    ("s*(1 + s^2/2)^(-1/2)", "-sqrt(2)", "sqrt(2)"),
    ("log((s^2 + 3*s + 3)/(2*s^2 + 5))", "log(1/2)", "log(1/2)"),
    ("atan((s^2 + 1)/(s^2 + 2))", "pi/4", "pi/4"),
    ("atan(s)*s^2/(s^2 + 1) + exp(-s^2)", "-pi/2", "pi/2"),
    ("(exp(2*s) + s)/(exp(2*s) + 1 + exp(-s))", "0", "1"),
    ("((s^2 + 1)^(1/2) - s)/(1 + s^2)", "0", "0"),
)


@pytest.mark.parametrize(("text", "low", "high"), LIMITS)
def test_limits(text: str, low: str, high: str) -> None:
    here = assume_condition(parse("s^2 + 3*s + 3 > 0"), Context.empty())
    r = normal(parse(text), here)
    for side, wanted in ((-1, low), (1, high)):
        found = limit_at_end(r, "s", side, here)
        assert (found - normal(parse(wanted), Context.empty())).is_zero
        value = enclose(normal(substitute(parse(text), {"s": number(side * 10**7)}), here), 512)[0]
        at_end = enclose(found, 128)[0]
        assert abs(mpmath.mpf(float(value - at_end))) < 1e-5


@pytest.mark.parametrize(
    "text",
    [
        "s",
        "exp(s)",
        "s*atan(s)",
        "log(1 + s^2)",
        "sin(s)",
        "s*(atan(s) - pi/2)",
        "exp(s^3)",
        "exp(exp(s))",
    ],
)
def test_no_finite_limit_is_found(text: str) -> None:
    r = normal(parse(text), assume_condition(parse("1 + s^2 > 0"), Context.empty()))
    with pytest.raises((Unsupported, Undecided)):
        limit_at_end(r, "s", 1, Context.empty())


def test_signs_of_parameters_are_needed() -> None:
    here = Context.empty()
    for text in ("exp(-a*s)", "atan(a*s)", "1/(1 + exp(a*s))", "exp(-a*s^2)"):
        with pytest.raises(Undecided):
            limit_at_end(normal(parse(text), here), "s", 1, here)
    positive = assume_condition(parse("a > 0"), here)
    assert limit_at_end(normal(parse("exp(-a*s)"), here), "s", 1, positive).is_zero
    assert limit_at_end(normal(parse("erf(a*s)"), here), "s", -1, positive).as_rational == -1


def test_a_divisor_whose_largest_terms_may_cancel_is_refused() -> None:
    here = Context.empty()
    with pytest.raises(Undecided):
        limit_at_end(normal(parse("s"), here) / normal(parse("a*s + 1"), here), "s", 1, here)
