"""Roots of sums of squares: by how much they move, against brute force, and what is no such
root.
"""

from __future__ import annotations

import itertools
import math

import pytest

from ahdp_verify.kernel.model.entries import Entries
from ahdp_verify.kernel.model.entry_changes import entry_changes
from ahdp_verify.kernel.model.entry_norms import change_of_root
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.terms.expression import ONE
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.sensitivity import verify_sensitivity

SIGNED = Entries("n", "-1 <= x <= 1", {"n": "n >= 2"})
CYCLE = "sqrt(total((x[k] - x[k + 1])^2, k, 1, n - 1) + (x[n] - x[1])^2)"


def outcome(query: str, bound: str, inputs: Entries = SIGNED) -> str:
    claim = SensitivityClaim(inputs, parse(query, nested=True), parse(bound))
    return verify_sensitivity(claim, Limits(seconds=10)).outcome


# the largest change found by brute force over -1, 0 and 1 for two and three entries
@pytest.mark.parametrize(
    ("query", "f"),
    [
        ("sqrt(sum(x^2))", lambda x: math.hypot(*x)),
        ("sqrt(1 + sum(x^2))", lambda x: math.hypot(1, *x)),
        ("sqrt(x[1]^2 + 2*n + (x[1] - x[2])^2)", None),
        (CYCLE, lambda x: math.hypot(*(a - b for a, b in zip(x, (*x[1:], x[0]), strict=True)))),
    ],
)
def test_nothing_below_the_largest_change_is_proved(query: str, f: object) -> None:
    if f is None:

        def f(x: tuple[float, ...]) -> float:
            return math.sqrt(x[0] ** 2 + 2 * len(x) + (x[0] - x[1]) ** 2)

    best = 0.0
    for n in (2, 3):
        for x in itertools.product((-1.0, 0.0, 1.0), repeat=n):
            for i, new in itertools.product(range(n), (-1.0, 0.0, 1.0)):
                moved = f((*x[:i], new, *x[i + 1 :])) - f(x)  # type: ignore[operator]
                best = max(best, moved)
    assert outcome(query, str(int(1000 * best) - 1) + "/1000") != "proved"


@pytest.mark.parametrize(
    ("query", "bound"),
    [("sqrt(sum(x^2))", "2"), (CYCLE, "2*sqrt(2)"), ("sqrt(1 + sum((x - 1/3)^2))", "2")],
)
def test_the_length_of_what_changes_is_a_bound(query: str, bound: str) -> None:
    assert outcome(query, bound) == "proved"


@pytest.mark.parametrize(
    "query",
    [
        "sqrt(2 + sum(x))",  # not squares
        "sqrt(2*n + sum(x^3))",
        "sqrt(2*n + sum(x^4))",  # (x^2)^2 - (y^2)^2 is not a difference of the squared lengths
        "sqrt(n + sum(x^2) - sum(x^2)/2)",
        "sqrt(sum((x - sum(x)/n)^2) + 1)",  # other terms change too
        "sum(x^2)^(1/3)",
        "sum(x^2)",
        "x[1]",
    ],
)
def test_other_queries_are_not_taken_for_roots_of_squares(query: str) -> None:
    for change in entry_changes(parse(query, nested=True), SIGNED):
        assert change_of_root(change, ONE) is None or change.before == change.after


def test_a_term_that_stays_the_same_has_to_be_nonnegative() -> None:
    given = Entries("n", "-1 <= x <= 1", {"n": "n >= 2", "c": ""})
    for query, known in (("sqrt(c + sum(x^2))", False), ("sqrt(c^2 + sum(x^2))", True)):
        for change in entry_changes(parse(query, nested=True), given):
            assert (change_of_root(change, ONE) is not None) is known


def test_a_negative_bound_is_not_proved() -> None:
    assert outcome("sqrt(x[1]^2 + 1)", "-3") != "proved"
    assert outcome("sqrt(sum(x^2))", "-2") != "proved"
