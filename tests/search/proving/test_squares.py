"""Squares that take a name away: the inequalities behind Cauchy and Student noise.

Where a value is expected, it comes from the largest ratio of two such densities: for scale 1 and a
shift by d it is ((d^2 + 2) + d sqrt(d^2 + 4))/2 = exp(2 asinh(d/2)), by the roots of its
derivative.
"""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
from ahdp_verify.kernel.rules.cases import check_cases, inequality_check
from ahdp_verify.kernel.rules.inequalities import check_sign, extend_context
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.proving.draft import Draft
from ahdp_verify.search.proving.inequality import prove_inequality
from ahdp_verify.search.proving.powers import leaf_by_powers, levels_below
from ahdp_verify.search.proving.squares import (
    coefficients_of,
    inverse_of_roots,
    prove_by_completed_squares,
    quadratic_names,
    square_lemmas,
)

EMPTY = Context.empty()


def is_shown(dominated: str, dominating: str, level: str, known: str = "") -> bool:
    """Whether a proof was found, and the checker's own rule accepts it."""
    here = assume_condition(parse(known), EMPTY) if known else EMPTY
    p, q = Dominated(parse(dominated)), Dominating(parse(dominating))
    clock = Limits(seconds=20).clock()
    with clock.running():
        found = prove_inequality(p, q, parse(level), here, clock)
    if found is None:
        return False
    check_cases(found, here, inequality_check(p, q, parse(level)))
    return True


@pytest.mark.parametrize(
    ("dominated", "dominating", "level", "known"),
    [
        ("1/(1 + s^2)", "1/(1 + (s - 1)^2)", "log((3 + sqrt(5))/2)", ""),
        ("1/(1 + (s - n)^2)", "1/(1 + (s - n - 1)^2)", "log((3 + sqrt(5))/2)", ""),
        ("1/(1 + (s - n - d)^2)", "1/(1 + (s - n)^2)", "1", "0 <= d and d <= 1"),
        ("1/(1 + s^2)", "1/(1 + (s - d)^2)", "log((3 + sqrt(5))/2)", "0 <= d and d <= 1"),
        ("e/(1 + e^2*(s - n)^2)", "e/(1 + e^2*(s - n - 1)^2)", "e", "0 < e"),
        (
            "1/(1 + (exp(e/2) - exp(-e/2))^2*(s - n)^2)",
            "1/(1 + (exp(e/2) - exp(-e/2))^2*(s - n - 1)^2)",
            "e",
            "0 < e",
        ),
        ("1/(1 + s^2/3)^2", "1/(1 + (s - 1)^2/3)^2", "2*log((7 + sqrt(13))/6)", ""),
        ("(2 + s^2)^(-3/2)", "(2 + (s - 1)^2)^(-3/2)", "3/2*log(2)", ""),
        ("(2 + s^2)^(-3/2)", "(2 + (s - 1)^2)^(-3/2)", "21/20", ""),
        ("(4 + s^2)^(-5/2)", "(4 + (s - 1)^2)^(-5/2)", "5/2*log((9 + sqrt(17))/8)", ""),
    ],
)
def test_tight_levels_of_heavy_tails_are_shown(
    dominated: str, dominating: str, level: str, known: str
) -> None:
    assert is_shown(dominated, dominating, level, known)


@pytest.mark.parametrize(
    ("dominated", "dominating", "level", "known"),
    [
        ("1/(1 + s^2)", "1/(1 + (s - 1)^2)", "log((3 + sqrt(5))/2) - 1/1000", ""),
        ("1/(1 + s^2)", "1/(1 + (s - d)^2)", "log((3 + sqrt(5))/2)", "0 <= d and d <= 11/10"),
        ("e/(1 + e^2*(s - n)^2)", "e/(1 + e^2*(s - n - 1)^2)", "99*e/100", "0 < e"),
        ("(2 + s^2)^(-3/2)", "(2 + (s - 1)^2)^(-3/2)", "51/50", ""),
    ],
)
def test_levels_below_are_not_shown(
    dominated: str, dominating: str, level: str, known: str
) -> None:
    assert not is_shown(dominated, dominating, level, known)


def test_the_expected_level_is_the_largest_loss() -> None:
    """By a grid in floats: the closed form above, for the shift 1."""
    loss = max(
        math.log((1 + (k / 1000 - 1) ** 2) / (1 + (k / 1000) ** 2)) for k in range(-5000, 5000)
    )
    assert abs(loss - 2 * math.asinh(1 / 2)) < 1e-6
    assert abs(2 * math.asinh(1 / 2) - math.log((3 + math.sqrt(5)) / 2)) < 1e-12


@pytest.mark.parametrize(
    "text", ["1 + sqrt(5)", "3", "sqrt(2)", "2^(1/3) - 1", "1 + sqrt(2) + sqrt(3)"]
)
def test_inverse_of_roots(text: str) -> None:
    p = normal(parse(text), EMPTY).num
    inverse = inverse_of_roots(p)
    assert inverse is not None and (p * inverse) == algebra.ONE
    low, high = enclose(algebra.Ratio(p * inverse))
    assert low <= 1 <= high


@pytest.mark.parametrize("text", ["1 + exp(1)", "pi", "x", "0"])
def test_no_inverse_of_other_constants(text: str) -> None:
    assert inverse_of_roots(normal(parse(text), EMPTY).num) is None


def test_coefficients_add_up() -> None:
    p = normal(parse("3*x^2*y + 2*x - y + 5"), EMPTY).num
    c, b, a = coefficients_of(p, "x")
    x = algebra.symbol("x").num
    assert quadratic_names(p) == ("x",) and a * x * x + b * x + c == p


def test_names_inside_functions_are_left_alone() -> None:
    assert quadratic_names(normal(parse("x^2 + exp(x)"), EMPTY).num) == ()


def test_squares_with_constants_in_between() -> None:
    p = normal(parse("exp(1)*(1 + (y - 1)^2) - (1 + y^2)"), EMPTY)
    clock, draft = Limits(seconds=10).clock(), Draft(EMPTY)
    with clock.running():
        assert prove_by_completed_squares(p.num, draft, clock)
    assert sum((c for c, _ in draft.terms), Fraction(0)) > 0


def test_lemmas_of_a_sum_of_squares_are_strict_where_a_constant_is_left() -> None:
    clock = Limits(seconds=10).clock()
    for text, relation in (("1 + (s - n)^2", ">"), ("-(s - n)^2 - 1", ">"), ("(s - n)^2", ">=")):
        p = normal(parse(text), EMPTY).num
        with clock.running():
            lemmas = square_lemmas(p, EMPTY, clock)
        assert lemmas[-1].relation == relation
        here = extend_context(lemmas, EMPTY)
        check_sign(algebra.Ratio(p if text[0] != "-" else -p), relation, None, here)


def test_no_lemmas_where_the_sign_changes() -> None:
    clock = Limits(seconds=10).clock()
    with clock.running():
        assert square_lemmas(normal(parse("(s - n)^2 - 1"), EMPTY).num, EMPTY, clock) == ()


def test_powers_of_one_law_need_no_bases() -> None:
    law = parse("(2 + s^2)^(-3/2)")
    question = Dominated(law), Dominating(law), parse("1")
    assert leaf_by_powers(question, EMPTY, Limits().clock()) is None


def test_levels_that_are_no_logarithms_are_rounded_down() -> None:
    for found in levels_below(normal(parse("3/2"), EMPTY), Fraction(3, 2)):
        low, _ = enclose(found)
        assert low <= 1
    assert len(levels_below(normal(parse("log(2)"), EMPTY), Fraction(2))) == 1
