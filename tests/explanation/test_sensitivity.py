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


def test_names_are_those_of_people_and_a_sentence_says_what_they_are() -> None:
    # the sum before is x and what the others contribute; x becomes x'
    mean = sensitivity_claim("sum(x)/n", Entries("n", "0 <= x <= 1", {"n": "n >= 2"}), "1/n")
    text = str(explain(verify(mean)))
    assert "Case 1: the answer is (r1 + x)/n before, (r1 + x')/n after." in text
    assert "The entry x at position i becomes x', and r1, r2 ... are what" in text
    assert "@" not in text and "@" not in explain(verify(mean)).in_format("latex")


def test_names_do_not_meet_those_of_parameters() -> None:
    inputs = Entries("n", "0 <= x <= r1", {"n": "n >= 2", "r1": "r1 > 0", "u2": "u2 > 0"})
    for query in ("sum(x)", "x[1] + u2"):
        text = str(explain(verify(sensitivity_claim(query, inputs, "r1"))))
        assert "@" not in text and "s1, s2 ... are" in text


def test_the_name_of_a_statement_follows_what_it_says() -> None:
    inputs = Entries("n", "0 <= x <= 1", {"n": "n >= 2"})
    for bound, words in (("1/n", "Proof that the"), ("1/(2*n)", "It is not true that the")):
        claim = sensitivity_claim("sum(x)/n", inputs, bound, "mean")
        title = explain(verify(claim)).title
        assert title.startswith(f"{words} sensitivity of sum(x)/n") and title.endswith(" (mean)")
