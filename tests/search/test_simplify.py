"""Shorter forms are the same, and constants are compared exactly."""

from __future__ import annotations

import pytest

from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import log
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.loss.largest import LevelCandidate, largest_candidate
from ahdp_verify.search.simplify import is_same_value, shortest_form

EMPTY = Context.empty()


@pytest.mark.parametrize(
    "text",
    [
        "log(2) + log(5) - log(3)",
        "abs(x)^2 + abs(x)*abs(eps)",
        "x/2 - x*exp(-eps)/2",
        "max(x, eps)/2",
        "log(2) + log(exp(eps)/2 + 1)",
    ],
)
def test_a_shorter_form_is_the_same(text: str) -> None:
    e = parse(text)
    assert is_same_value(shortest_form(e, EMPTY), e, EMPTY) and len(
        str(shortest_form(e, EMPTY))
    ) <= len(str(e))


def test_constants_are_compared_exactly() -> None:
    a, b = log(8), 3 * log(2)
    assert constant_sign(normal(a - b, EMPTY)) == 0
    assert (
        largest_candidate(
            LevelCandidate(a, "first"), LevelCandidate(b, "second"), samples=({},)
        ).where
        == "first"
    )


@pytest.mark.parametrize(
    "text",
    [
        "4 - 2*2^(1999999997/2000000000)*exp(-x)/5",
        "2^(3/1000)*3^(997/1000)*exp(1/1000)/6 - 2^(3/1000)*3^(997/1000)*exp(-1/1000)/6",
        "x^1999999997 + x",
    ],
)
def test_what_has_high_powers_is_not_written_out(text: str) -> None:
    """SymPy's factor writes down every power of 2^(1/2000000000) up to the one that stands
    there.
    """
    e = parse(text)
    assert is_same_value(shortest_form(e, EMPTY), e, EMPTY)
