"""Verdicts on claims of sensitivity: the bounds that a public benchmark states, and their halves.

Source: DPriv-Bench (Apache-2.0), category 1; where a label depends on the number of entries, the
right range of it, worked out by hand, is in the condition.
"""

from __future__ import annotations

import pytest

from ahdp_verify.kernel.model.entries import Entries
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify


def unit(condition: str = "n >= 1", **others: str) -> Entries:
    return Entries("n", "0 <= x <= 1", {"n": condition, **others})


STATED = [
    ("sum(x)", "1", unit()),
    ("product(x)", "1", unit()),
    ("maximum(x)", "1", unit()),
    ("minimum(x)", "1", unit()),
    ("sum(x)/n", "1/n", unit()),
    ("total(abs(x[i] - x[i + 1]), i, 1, n - 1)", "2", unit("n >= 3")),
    ("total(abs(x[i] - x[i + 1]), i, 1, n - 1)", "1", unit("n == 2")),
    ("sum(abs(x - sum(x)/n))", "2*(n - 1)/n", unit("n >= 2")),
    ("sum((x - m)^2)", "max(m^2, (1 - m)^2)", unit(m="0 <= m <= 1")),
    ("sum(x^2)", "1", unit()),
    ("sum(log(x + 1))", "log(2)", unit()),
    ("sum(exp(x))", "exp(1) - 1", unit()),
    ("sum(sin(pi*x))", "1", unit()),
    ("sum(atan(x))", "pi/4", unit()),
    ("sum(x*(1 - x))", "1/4", unit()),
    ("ordered(x, k + 1)", "1", Entries("2*k + 1", "0 <= x <= 1", {"k": "k >= 0"})),
    (
        "(ordered(x, k) + ordered(x, k + 1))/2",
        "1/2",
        Entries("2*k", "0 <= x <= 1", {"k": "k >= 1"}),
    ),
    ("count(a <= x and x <= b)", "1", unit(a="0 < a", b="a <= b and b <= 1")),
    ("total(x[i]*x[i + 1], i, 1, n - 1)", "2", unit("n >= 3")),
    (
        "total(x[2*i - 1] - x[2*i], i, 1, m)",
        "1",
        Entries("2*m", "0 <= x <= 1", {"m": "m >= 1"}),
    ),
    ("sum(i*x)", "n", unit()),
    ("indicator(sum(x) > n/2)", "1", unit()),
    ("product(indicator(x > t))", "1", unit(t="0 < t and t < 1")),
    ("indicator(x[1] > x[2])", "1", unit("n >= 2")),
    ("mod(count(x > 1/2), 2)", "1", unit()),
    ("sum(1/(1 + x^2))", "1/2", unit()),
    ("sum(abs(x - 1/2))", "1/2", unit()),
    ("total(x[n + 1 - i], i, 1, n)", "1", unit()),
    ("sum(indicator(mod(i, 2) == 0)*x)", "1", unit("n >= 2")),
    ("sum(x/i)", "1", unit()),
]


@pytest.mark.parametrize(("query", "bound", "inputs"), STATED)
def test_stated_bounds_are_proved_and_half_of_them_is_refuted(
    query: str, bound: str, inputs: Entries
) -> None:
    limits = Limits(seconds=20)
    said = SensitivityClaim(inputs, parse(query, nested=True), parse(bound))
    found = verify(said, limits)
    assert found.outcome == "proved", str(found)
    half = SensitivityClaim(inputs, said.query, parse(f"({bound})/2"))
    assert verify(half, limits).outcome == "refuted"
