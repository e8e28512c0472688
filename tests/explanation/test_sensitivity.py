"""Proofs and refutations of sensitivities, line by line."""

from __future__ import annotations

import pytest

from ahdp_verify.analysis.sensitivity import sensitivity_claim
from ahdp_verify.explanation import explain
from ahdp_verify.kernel.model.entries import Entries
from ahdp_verify.search.verify import verify


@pytest.mark.parametrize(
    ("query", "bound", "said"),
    [
        ("ordered(x, 2)", "1", "Case 1: the answer is min("),
        ("sqrt(sum(x^2))", "1", "Case 1: the answer is sqrt("),
        ("sum(x)/n", "1/n", "from 2"),
        ("sum(x)", "1/2", "x[1] becomes 1"),
    ],
)
def test_every_case_and_every_value_is_told(query: str, bound: str, said: str) -> None:
    claim = sensitivity_claim(query, Entries("n", "0 <= x <= 1", {"n": "n >= 2"}), bound)
    assert said in str(explain(verify(claim)))
