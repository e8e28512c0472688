"""Limits at the ends of the line, against mpmath's values far out."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.ends import limit_at_end
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
from ahdp_verify.kernel.terms.expression import to_json
from ahdp_verify.kernel.terms.grammar import parse, parse_condition

sys.path.insert(0, str(Path(__file__).parents[3] / "proofs"))
from recheck import growth
from recheck.limits import CLOCK, Rejected
from recheck.signs import Context as OtherContext
from recheck.signs import assume
from recheck.trees import read

KNOWN = {f: getattr(mpmath, f) for f in ("exp", "log", "atan", "erf", "pi", "sqrt")}
FAR = mpmath.mpf(10) ** 9


def context(side: int) -> Context:
    return assume_condition(parse_condition("s > 9" if side > 0 else "s < -9"), Context.empty())


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("(s^2 + s)/(2*s^2 + exp(-s))", 1),
        ("atan(s)*(1 - 2/s) + erf(-s)", 1),
        ("atan(s)*(1 - 2/s) + erf(-s)", -1),
        ("(exp(2*s) + s)/(3*exp(2*s) + exp(s))", 1),
        ("(exp(2*s) + s)/(3*exp(2*s) - s)", -1),
        ("log(s)/s", 1),
        ("log(1 + s^2)^3/s", 1),
        ("log((2*s + 1)/(s + 5))", 1),
        ("s*exp(-s^2 + 3*s)*erf(s)", 1),
        ("atan((s^2 + 1)/(s + 2))", -1),
        ("sqrt(s^2 + 1)/s", 1),
        ("exp(s)*(erf(s) + 5)", -1),
    ],
)
def test_limits(text: str, side: int) -> None:
    """Both checkers find the limit, which the value at 10^9 is close to."""
    found = limit_at_end(normal(parse(text), context(side)), "s", side, context(side))
    low, high = enclose(found, 128)
    with mpmath.workdps(50):
        there = eval(text.replace("^", "**"), {"s": side * FAR, **KNOWN})
        assert abs(mpmath.mpf(low.numerator) / low.denominator - there) < 1e-3
    assert high - low < Fraction(1, 10**20)
    CLOCK.start(0)
    condition = parse_condition("s > 9" if side > 0 else "s < -9")
    here = assume([read(to_json(condition))], OtherContext())
    other = growth.limit(here.form(read(to_json(parse(text)))), "s", side, here)
    assert growth.total([other]).names == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "log(1 + exp(s))/s",  # it tends to 1: this logarithm grows like s
        "log(1 + exp(s^2))*exp(-s)",
        "log(1 + exp(s))^3/s^2",
        "log(1 + exp(exp(s)))*exp(-s)",
        "s",
        "exp(s^2)*(1 - erf(s))",
        "sin(s)/s",
    ],
)
def test_what_is_not_read_off_dominant_terms(text: str) -> None:
    here = context(1)
    with pytest.raises((Unsupported, Undecided)):
        limit_at_end(normal(parse(text), here), "s", 1, here)
    CLOCK.start(0)
    there = assume([read(to_json(parse_condition("s > 9")))], OtherContext())
    with pytest.raises(Rejected):
        growth.limit(there.form(read(to_json(parse(text)))), "s", 1, there)
