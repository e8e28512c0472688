"""Whole numbers in proofs: the order of their values, and what follows when bounds from both sides
meet.
"""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import pytest

from ahdp_verify.kernel.numbers.algebra import ZERO
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
from ahdp_verify.kernel.rules.inequalities import extend_context
from ahdp_verify.kernel.terms.expression import exp, name
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.proving.integers import (
    few_values_guard,
    is_integer_guard,
    known_values,
    least_value_guard,
    narrowing_lemmas,
    rational_root,
    split_preference,
)

WHOLE = Context.empty(frozenset(("m", "n")))


def given(*conditions: str) -> Context:
    here = WHOLE
    for text in conditions:
        here = assume_condition(parse(text), here)
    return here


def guard(text: str) -> object:
    return normal(parse(text), WHOLE).num


def test_a_root_is_that_of_a_linear_guard_in_one_name() -> None:
    assert rational_root(guard("2*n - 3")) == Fraction(3, 2)
    assert [rational_root(guard(text)) for text in ("m + n", "n^2 - 1", "exp(n) - 1")] == [None] * 3
    assert [is_integer_guard(guard(text), WHOLE) for text in ("n - 2", "x - 2", "m - n")] == [
        True,
        False,
        False,
    ]


def test_guards_in_one_name_come_first_and_from_the_smallest_root_on() -> None:
    listed = [guard(text) for text in ("m - n", "n - 10", "n - 2", "n + 1")]
    assert sorted(listed, key=split_preference) == [
        guard(text) for text in ("n + 1", "n - 2", "n - 10", "m - n")
    ]


@pytest.mark.parametrize(
    ("known", "first"),
    [
        ("n >= 0", "n"),
        ("n >= 2", "n - 2"),
        ("n >= 5", "n - 5"),
        ("n >= -20", "n - 5"),
        ("n <= 7", "n - 5"),
    ],
)
def test_values_are_gone_through_from_the_least_on_if_they_are_few(known: str, first: str) -> None:
    assert least_value_guard(guard("n - 5"), given(known)) == guard(first)


@pytest.mark.parametrize(
    ("conditions", "found"),
    [
        (("n >= 1", "n <= 4"), "n - 1"),
        (("n >= 1",), None),
        (("n >= 0", "n <= 40"), None),
        (("x >= 0", "x <= 1"), None),
    ],
)
def test_few_values_are_between_two_bounds(conditions: tuple[str, ...], found: str | None) -> None:
    variable = "x" if "x >= 0" in conditions else "n"
    assert few_values_guard(variable, given(*conditions)) == (
        None if found is None else guard(found)
    )


def test_a_bounded_sum_of_whole_numbers_leaves_what_is_left() -> None:
    here = given("m >= 1", "n >= 0", "m + n <= 1")
    assert known_values(extend_context(narrowing_lemmas(here, WHOLE), here)) == {"m": 1, "n": 0}


def test_a_sum_below_its_least_value_is_impossible() -> None:
    here = given("m >= 2", "n >= 0", "m + n <= 1")
    assert not here.contradictory
    assert extend_context(narrowing_lemmas(here, WHOLE), here).contradictory


def test_contexts_keep_their_further_contexts_and_an_empty_one_in_a_bounded_table() -> None:
    here, p, law = given("n >= 0"), guard("n - 1"), parse("exp(n) + 1")
    assert here.given(p, ">=") is here.given(p, ">=")
    assert normal(law, here) is normal(law, here)
    normal(law, WHOLE)
    assert WHOLE.given(p, ">=") is WHOLE.given(p, ">=") is not Context.empty().given(p, ">=")
    assert not WHOLE.worked
    assert normal(law, WHOLE) is normal(law, WHOLE)


def test_an_expression_keeps_its_hash_to_itself() -> None:
    e = exp(name("a"))
    hash(e)
    assert copy.deepcopy(e) == pickle.loads(pickle.dumps(e)) == e
    assert hash(pickle.loads(pickle.dumps(e))) == hash(exp(name("a")))
    assert normal(e - e, WHOLE).num == ZERO
