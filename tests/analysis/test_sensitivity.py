"""Sensitivities of queries, against those that a public benchmark states (DPriv-Bench, Apache-2.0,
category 1) and those worked out by hand.
"""

from __future__ import annotations

import pytest

from ahdp_verify.analysis.sensitivity import by_sensitivity, sensitivity, sensitivity_claim
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.entries import Entries
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import number, substitute
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.verify import verify


def unit(least: int = 1) -> Entries:
    return Entries("n", "0 <= x <= 1", {"n": f"n >= {least}"})


@pytest.mark.parametrize(
    ("query", "inputs", "bound"),
    [
        ("sum(x)", unit(), "1"),
        ("product(x)", unit(), "1"),
        ("maximum(x)", unit(), "1"),
        ("sum(x)/n", unit(), "1/n"),
        ("total(abs(x[i] - x[i + 1]), i, 1, n - 1)", unit(3), "2"),
        ("sum(abs(x - sum(x)/n))", unit(2), "2*(n - 1)/n"),
        ("sum(x^3)", unit(), "1"),
        ("sum(exp(x))", unit(), "exp(1) - 1"),
        ("sum(x*(1 - x))", unit(), "1/4"),
        ("ordered(x, k + 1)", Entries("2*k + 1", "0 <= x <= 1", {"k": "k >= 0"}), "1"),
        (
            "(ordered(x, k) + ordered(x, k + 1))/2",
            Entries("2*k", "0 <= x <= 1", {"k": "k >= 1"}),
            "1/2",
        ),
        ("sum(i*x)", unit(), "n"),
        ("indicator(x[1] > x[2])", unit(2), "1"),
        ("sum(x^2)/n - (sum(x)/n)^2", unit(2), "(n - 1)/n^2"),
        ("sum(x)^2", unit(), "2*n - 1"),
        ("maximum(x) - minimum(x)", Entries(4, "-1 <= x <= 2"), "3"),
    ],
)
def test_the_least_bound_is_found_and_attained(query: str, inputs: Entries, bound: str) -> None:
    found = sensitivity(query, inputs)
    assert found.bound is not None and found.proof is not None and found.least
    for count in range(4, 7):
        mine, stated = (
            normal(substitute(e, {"n": number(count)}), Context.empty())
            for e in (found.bound, parse(bound))
        )
        assert (mine - stated).is_zero


def test_what_is_not_bounded_by_a_formula_is_a_lower_bound() -> None:
    found = sensitivity("log(x[1])", Entries("n", "0 < x <= 1"))
    assert found.bound is None and not found.least and "at least" in str(found)


def test_claims_are_read_from_texts() -> None:
    claim = sensitivity_claim("sum(x)", unit(), "1", "count")
    assert str(claim) == "count: the sensitivity of sum(x) is at most 1"
    with pytest.raises(BadInput):
        sensitivity_claim("sum(y)", unit(), "1")
    with pytest.raises(BadInput):
        by_sensitivity("sum", claim)  # type: ignore[arg-type]


def test_why_there_is_no_bound_is_said_in_words_of_the_query() -> None:
    from_zero = Entries("n", "x >= 0", {"n": "n >= 1"})
    assert verify(sensitivity_claim("sum(x)", from_zero, "5")).outcome == "refuted"
    text = str(sensitivity("sum(x)", from_zero))
    assert "no bound was proved: " in text and "r1 + x - (r1 + x')" in text
    assert "x becomes x', and r1, r2 ... are what the other entries contribute" in text
    unit = Entries("n", "0 <= x <= 1", {"n": "n >= 2"})
    claim = sensitivity_claim("sqrt(sum((x - sum(x)/n)^2)/n) + x[1]", unit, "3/2")
    assert "@" not in str(verify(claim)) and "u1" in str(verify(claim))
