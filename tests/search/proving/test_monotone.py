"""Sums of exponentials by bounds of their names: double zeros, several names, nothing false is
proved, and the checker accepts the proofs.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ahdp_verify.kernel.evidence.certificate import Products
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
from ahdp_verify.kernel.rules.inequalities import check_sign, extend_context
from ahdp_verify.kernel.terms.expression import add, exp, multiply, name, number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.proving.draft import Draft
from ahdp_verify.search.proving.monotone import prove_by_bounds, sign_by_bounds
from tests.sweeps import examples

MOVED = (
    "0 < e",
    "-1 <= c <= 1",
    "-1 <= d <= 1",
    "q <= p",
    "q + d <= p + c",
)  # answers p >= q that move by c and d and stay in order


def given_that(*conditions: str) -> Context:
    here = Context.empty()
    for condition in conditions:
        here = assume_condition(parse(condition), here)
    return here


def proved(p: Polynomial, here: Context) -> bool:
    """Whether a proof is found; the checker's rule must then accept it."""
    draft = Draft(here)
    found = prove_by_bounds(p, draft, Limits(seconds=20).clock())
    if found is not None:
        check_sign(Ratio(p), ">=", found, draft.here)
    return found is not None


@pytest.mark.parametrize(
    "text",
    [
        "(1 - exp(-e))^2",
        "1/6 - exp(-2*e)/2 + exp(-3*e)/3",  # (1 - q)^2 (1 + 2 q)/6
        "(exp(e) - 1)^3",
        "exp(e) - exp(e*c)",
        "(1 - exp(-e))*(1 - exp(q - p))",
        # permute-and-flip, two answers, the larger one
        "exp(e)*(1 - exp(-e*(p - q)/2)/2) - (1 - exp(-e*(p + c - q - d)/2)/2)",
        "exp(e)*(1 - exp(-e*(p + c - q - d)/2)/2) - (1 - exp(-e*(p - q)/2)/2)",
        "exp(e)*exp(-e*(p + c - q - d)/2) - exp(-e*(p - q)/2)",
    ],
)
def test_what_is_proved(text: str) -> None:
    here = given_that(*MOVED)
    assert proved(normal(parse(text), here).num, here)


@pytest.mark.parametrize(
    "text",
    [
        "(1 - exp(-e))^2 - 1/1000000",  # false near 0
        "exp(9*e/10)*(1 - exp(-e*(p - q)/2)/2) - (1 - exp(-e*(p + c - q - d)/2)/2) - 1",
        "exp(9*e/10)*exp(-e*(p + c - q - d)/2) - exp(-e*(p - q)/2)",  # false at c = 1, d = -1
        "exp(p) - exp(c)",  # nothing is known of p
        "p - q",  # no exponentials
    ],
)
def test_what_is_not_proved(text: str) -> None:
    here = given_that(*MOVED)
    assert not proved(normal(parse(text), here).num, here)


def in_powers(weights: dict[int, Fraction]) -> Polynomial:
    """The sum of weights[k] q^k with q = exp(-e)."""
    return normal(
        add(*(multiply(number(c), exp(name("e") * -k)) for k, c in weights.items())),
        Context.empty(),
    ).num


@given(
    st.dictionaries(
        st.integers(0, 4),
        st.fractions(-2, 2, max_denominator=3).filter(bool),
        min_size=2,
        max_size=4,
    )
)
@settings(max_examples=examples(60, 8))
def test_nothing_is_proved_that_fails_for_a_q(weights: dict[int, Fraction]) -> None:
    values = [
        sum(c * q**k for k, c in weights.items()) for q in (Fraction(i, 16) for i in range(1, 17))
    ]
    if min(values) < 0:
        assert not proved(in_powers(weights), given_that("0 < e"))


@given(st.integers(1, 3), st.lists(st.integers(0, 3), min_size=2, max_size=3).filter(any))
@settings(max_examples=examples(30, 8))
def test_a_zero_at_0_of_any_order_is_not_an_obstacle(order: int, weights: list[int]) -> None:
    """(1 - q)^n times a sum with weights >= 0 is >= 0; the powers of q are multiplied out here
    with integers.
    """
    powers = {k: Fraction(c) for k, c in enumerate(weights)}
    for _ in range(order):
        powers = {
            k: powers.get(k, Fraction(0)) - powers.get(k - 1, Fraction(0))
            for k in range(max(powers) + 2)
        }
    kept = {k: c for k, c in powers.items() if c}
    assert proved(in_powers(kept), given_that("0 < e"))


def test_signs_that_are_found_are_lemmas() -> None:
    here = given_that(*MOVED)
    for text, signs in (
        ("2 - exp(q - p)", {1}),
        ("exp(q - p) - 2", {-1}),
        ("1 - 2*exp(-e) + exp(-2*e)", {0, 1}),
        ("exp(p) - 1", {-1, 0, 1}),
    ):
        p = normal(parse(text), here).num
        lemmas = sign_by_bounds(p, here, Limits(seconds=20).clock())
        assert extend_context(lemmas, here).signs(p) == signs
        assert all(
            isinstance(proof, Products)
            for lemma in lemmas
            if lemma.kind == "proved"
            for proof in lemma.proofs
        )
