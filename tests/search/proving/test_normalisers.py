"""Sums of exponentials covered term by term: what is covered, what is not, and that the checker
accepts every proof.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
from ahdp_verify.kernel.rules.inequalities import check_sign
from ahdp_verify.kernel.terms.expression import add, exp, multiply, name, number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.proving.draft import Draft
from ahdp_verify.search.proving.normalisers import has_normalisers, prove_by_matching

T = name("t")


def given_that(*conditions: str, integers: tuple[str, ...] = ()) -> Context:
    here = Context.empty(frozenset(integers))
    for condition in conditions:
        here = assume_condition(parse(condition), here)
    return here


def polynomial_of(text: str, here: Context) -> Polynomial:
    return normal(parse(text), here).num


def proved(p: Polynomial, here: Context, *, strict: bool = False) -> bool:
    """Whether p is covered; the checker's rule must then accept the proof."""
    draft = Draft(here)
    found = prove_by_matching(p, draft, Limits(seconds=20).clock(), strict=strict)
    if found is not None:
        check_sign(Ratio(p), ">" if strict else ">=", found, draft.here)
    return found is not None


BOX = ("0 < e", "-1 <= c <= 1", "-1 <= d <= 1", "0 <= a", "0 <= b")


@pytest.mark.parametrize(
    "text",
    [
        "exp(e) - exp(e*c)",
        "exp(e)*exp(e*(q + d)/2) + exp(e)*exp(e*p/2) - exp(e*(q + d)/2) - exp(e*(p + d)/2)",
        "3*exp(a) - exp(-a) - 2",
        "2*exp(a) - exp(a/2) - 1/2",
        "a*exp(b) - a*exp(-b)",
        "exp(abs(p)) - exp(p)",
        "exp(1 + abs(p)) - exp(abs(p - 1))",
        "exp(a + 1) - exp(abs(a - 1))",
        "exp(2*a + 2) - exp(abs(a - 1) + abs(1 - a/2))",
        "4*exp(log(4)*p) - exp(log(4)*(p + c))",
        "exp(b*abs(p - 1) + b) - exp(b*abs(p))",
    ],
)
def test_what_is_covered(text: str) -> None:
    here = given_that(*BOX)
    assert proved(polynomial_of(text, here), here)


@pytest.mark.parametrize(
    "text",
    [
        "exp(e*c) - exp(e)",  # false
        "exp(e) - exp(2*e*c)",  # false at c = 1
        "2*exp(a) - exp(a/2) - 3/2",  # false at a = 0
        "exp(q) - exp(p)",  # nothing is known
        "exp(a) + exp(-a) - 2",  # true, but -1 is not covered by exp(-a)
        "p*exp(b) - p*exp(-b)",  # the sign of p is not known
        "exp(a) + 1",  # nothing is to be covered
        "a - b",  # no exponentials
        "3*exp(log(4)*p) - exp(log(4)*(p + c))",  # false at c = 1
    ],
)
def test_what_is_not_covered(text: str) -> None:
    here = given_that(*BOX)
    assert not proved(polynomial_of(text, here), here)


def test_a_strict_inequality_needs_weight_that_is_left() -> None:
    here = given_that(*BOX)
    assert proved(polynomial_of("2 - exp(-a)", here), here, strict=True)
    assert not proved(polynomial_of("exp(a) - exp(-a)", here), here, strict=True)


@given(st.dictionaries(st.integers(-3, 3), st.integers(-3, 3).filter(bool), min_size=2, max_size=6))
def test_one_unknown_above_0_is_decided_as_partial_sums_say(weights: dict[int, int]) -> None:
    """With t >= 0 alone, exp(k t) covers exp(j t) exactly for k >= j: a cover exists if and only if
    no sum of the weights from some power up is negative.

    (Hall's condition for a line; computed here with integers.)
    """
    here = given_that("0 <= t")
    p = normal(add(*(multiply(number(c), exp(T * k)) for k, c in weights.items())), here).num
    sums = list(accumulate(weights[k] for k in sorted(weights, reverse=True)))
    covered = min(sums) >= 0 and min(weights.values()) < 0 < max(weights.values())
    assert proved(p, here) is covered


@given(
    st.lists(
        st.tuples(st.integers(-2, 2), st.integers(-2, 2)), min_size=2, max_size=5, unique=True
    ).flatmap(
        lambda keys: st.lists(
            st.integers(-3, 3).filter(bool), min_size=len(keys), max_size=len(keys)
        ).map(lambda cs: dict(zip(keys, cs, strict=True)))
    )
)
def test_nothing_is_covered_that_fails_at_a_point(weights: dict[tuple[int, int], int]) -> None:
    """x = exp(s) and y = exp(t) range over all numbers from 1 up: the values at whole x and y
    are exact.
    """
    here = given_that("0 <= s", "0 <= t")
    p = normal(
        add(*(multiply(number(c), exp(name("s") * j + T * k)) for (j, k), c in weights.items())),
        here,
    ).num
    values = [
        sum(c * Fraction(x) ** j * Fraction(y) ** k for (j, k), c in weights.items())
        for x in (1, 2, 9, 100)
        for y in (1, 2, 9, 100)
    ]
    if min(values) < 0:
        assert not proved(p, here)
    if (
        all(
            c > 0 or any(d >= -c and j <= m and k <= n for (m, n), d in weights.items())
            for (j, k), c in weights.items()
        )
        and sum(c < 0 for c in weights.values()) == 1
    ):
        assert proved(p, here)  # the only negative term lies below a positive one of its size


def test_a_proof_that_is_changed_is_rejected() -> None:
    here = given_that(*BOX)
    p, draft = polynomial_of("3*exp(a) - exp(-a) - 2", here), Draft(here)
    found = prove_by_matching(p, draft, Limits(seconds=20).clock())
    assert found is not None
    for i, (c, numbers) in enumerate(found.terms):
        changed = type(found)((*found.terms[:i], (c + 1, numbers), *found.terms[i + 1 :]))
        with pytest.raises(Rejected):
            check_sign(Ratio(p), ">=", changed, draft.here)


def test_which_laws_have_a_normaliser() -> None:
    here = given_that("0 < e")
    for dominating, dominated, has_one in (
        ("exp(e*a)/(exp(e*a) + exp(e*b))", "exp(e*(a + 1))/(exp(e*(a + 1)) + exp(e*b))", True),
        ("exp(-e*abs(s))*e/2", "exp(-e*abs(s - 1))*e/2", False),
        ("1/(1 + exp(e))", "exp(e)/(1 + exp(e))", False),
    ):
        assert (
            has_normalisers(Dominated(parse(dominated)), Dominating(parse(dominating)), here)
            is has_one
        )
