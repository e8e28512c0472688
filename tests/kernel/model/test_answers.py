"""Query answers of datasets: what a record contributes, against sums worked out by hand, and what
is refused.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.answers import Answers, RecordAnswers, answers_at, contributions
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.terms.grammar import parse

W = Domain([(0, 1), (1, 2), (3, 4)])


def inputs(*answers: str) -> RecordAnswers:
    return RecordAnswers(W, tuple(map(parse, answers)))


def test_contributions_add_up_to_the_answers() -> None:
    listed = inputs("2*sum(x) - count(x >= 1)/3 + 5", "sum(eps*x) + size")
    assert contributions(listed, W.records[1]) == (Fraction(5, 3), 3)
    assert contributions(listed, W.records[2]) == (Fraction(17, 3), 13)
    # two records (1, 2) and one (3, 4): sum(x) = 5, count = 3; sum(eps*x) = 16, size = 3
    assert answers_at(listed, (0, 2, 1)) == (14, 19)
    assert not listed.whole
    assert inputs("sum(x)").whole


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("sum(x)/size", "not linear in its sums"),
        ("sum(x)*sum(eps)", "not linear in its sums"),
        ("maximum(x)", "not a sum over records"),
        ("x", "not a sum over records"),
        ("sum(x) + x", "not a sum over records"),
        ("3", "not a sum over records"),
        ("sum(sqrt(x + 1))", "not rational"),
        ("sum(y)", "y"),
    ],
)
def test_what_is_no_answer(answer: str, reason: str) -> None:
    with pytest.raises(BadInput) as refused:
        inputs(answer)
    assert reason in str(refused.value)
    assert "@" not in str(refused.value)


@pytest.mark.parametrize("n", [0, -1, True, 10**6])
def test_numbers_of_queries(n: int) -> None:
    with pytest.raises(BadInput):
        Answers(n)
