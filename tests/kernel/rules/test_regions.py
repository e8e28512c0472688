"""Covers of boxes and slopes: true signs are shown, false ones never, and each condition is asked.

Whether an inequality holds is decided by mpmath at many points of its region.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import (
    BoxCover,
    CaseSplit,
    Enumeration,
    InequalityLeaf,
    Lemma,
    Monotone,
    Products,
)
from ahdp_verify.kernel.numbers.algebra import constant, log_atom, ratio_of_atom, symbol
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
from ahdp_verify.kernel.rules.accepting import failing_closed
from ahdp_verify.kernel.rules.inequalities import check_evidence, check_sign
from ahdp_verify.kernel.terms.expression import ONE, log, number
from ahdp_verify.kernel.terms.grammar import parse, parse_condition

PLAIN = InequalityLeaf()
# exp(x) - exp(-x) above 0, which grows from there
SLOPE = InequalityLeaf((), "direct", (Monotone("x", 1, 0, (), ONE, False, PLAIN, PLAIN),))
UNIT_BOX = "0 <= x and x <= 1 and 0 <= y and y <= 1"


def context(condition: str) -> Context:
    return assume_condition(parse_condition(condition), Context.empty())


def shown(text: str, condition: str, proof: Any, relation: str = ">=") -> bool:
    here = context(condition)
    try:
        with failing_closed():
            check_sign(normal(parse(text), here), relation, proof, here)
    except Rejected:
        return False
    return True


@pytest.mark.parametrize(
    ("text", "condition", "relation"),
    [
        ("sin(x) - x/2", "0 <= x and x <= 1", ">="),  # 0 at an end
        ("1/10 + x^2 - x/2", "-1 <= x and x <= 1", ">"),  # positive, with its least value inside
        ("log(2) - log(1 + x) + log(1 + y)", UNIT_BOX, ">="),  # 0 at a corner
        ("pi/4 - atan(x) + atan(y)", UNIT_BOX, ">="),
        ("3 + exp(x*y)*sin(3*x + y)", UNIT_BOX, ">"),
        ("erf(x) - x*erf(1)", "0 <= x and x <= 1", ">="),  # 0 at both ends
        ("abs(x - 1/3) + 1/100", "0 <= x and x <= 1", ">"),  # without a slope
        ("3/2 - x - y", "0 <= x and x <= 1 and 0 <= y and y <= 1 and x + y <= 4/3", ">"),
        ("x - y + 1/7", f"{UNIT_BOX} and x == y", ">"),
    ],
)
def test_covers_that_hold(text: str, condition: str, relation: str) -> None:
    assert shown(text, condition, BoxCover(400), relation)


@pytest.mark.parametrize(
    ("text", "condition", "relation"),
    [
        ("sin(x) - x/2", "0 <= x and x <= 1", ">"),  # it is 0 at an end
        ("sin(x) - x*9/10", "0 <= x and x <= 1", ">="),  # false near 1
        ("x - 1/2", "0 <= x", ">="),  # no upper end
        ("x - x", "0 <= x and x <= 1", "="),
        ("log(x) + 10", "0 < x and x <= 1", ">="),  # unbounded at 0
        ("1/2 - x", "0 <= y and y <= 1 and x <= y and 0 <= x", ">="),  # x has no constant end
        ("-abs(x - 1/3)", "0 <= x and x <= 1", ">="),
        ("x - 1/3", "0 <= x and x <= 1", ">="),
    ],
)
def test_covers_that_do_not_hold(text: str, condition: str, relation: str) -> None:
    assert not shown(text, condition, BoxCover(400), relation)


def test_a_face_stands_for_points_beside_it() -> None:
    """x^3 - y + 1/10 grows in x, and on the face x = 0 the fact 3 x >= y fails for almost all y:
    that must not count where points beside the face stand for it.
    """
    condition = f"{UNIT_BOX} and y - x <= 2*x"
    assert shown("3*x - y + 1/10", condition, BoxCover(400))
    assert not shown("x*x*x - y + 1/10", condition, BoxCover(400))
    assert not shown("x - y + 1/10", f"{UNIT_BOX} and y <= x*x*x + 3/4", BoxCover(400))


def test_too_few_pieces_are_rejected() -> None:
    assert shown("3 + exp(x*y)*sin(3*x + y)", UNIT_BOX, BoxCover(400))
    assert not shown("11/1000 + (x - 1/3)^2*cos(x)", "-1 <= x and x <= 1", BoxCover(1))
    assert not shown("2 + x", "0 <= x and x <= 1", BoxCover(0))
    assert not shown("2 + x", "0 <= x and x <= 1", BoxCover(-3))


def growth(name: str, fact: int | None, side: int = 1, **other: Any) -> Monotone:
    plain = Monotone(name, side, fact, (), ONE, False, PLAIN, PLAIN)
    return replace(plain, **other)


def test_what_grows_from_a_bound() -> None:
    """x - log(1 + x) >= 0 on [0, oo), > 0 on (0, oo), and not > 0 where x may be 0."""
    text = "x - log(1 + x)"
    assert shown(text, "0 <= x", growth("x", 0))
    assert shown(text, "0 < x", growth("x", 0, strict=True), ">")
    assert not shown(text, "0 <= x", growth("x", 0, strict=True), ">")
    assert not shown(text, "0 < x", growth("x", 0), ">")  # it is 0 at the bound
    assert shown(f"{text} + 1/9", "0 <= x", growth("x", 0), ">")
    assert not shown(text, "0 <= x", growth("x", 0), "=")
    assert not shown(f"{text} - 1/9", "0 <= x", growth("x", 0))
    assert not shown(text, "-1/2 <= x", growth("x", 0))  # it falls from there first


def test_what_falls_from_an_upper_bound() -> None:
    assert shown("exp(-x) - exp(-1)", "x <= 1", growth("x", 0, -1))
    assert not shown("exp(x) - exp(1)", "x <= 1", growth("x", 0, -1))
    assert not shown("exp(-x) - exp(-1)", "x <= 1", growth("x", 0, 1))
    assert not shown("exp(-x) - exp(-1)", "x <= 1", growth("x", 0, 0))


def test_the_bound_may_depend_on_other_names() -> None:
    """atan(y) >= atan(x) for y >= x."""
    assert shown("atan(y) - atan(x)", "x <= y", growth("y", 0))
    assert shown("atan(y) - atan(x)", "x <= y", growth("x", 0, -1))
    assert not shown("atan(x) - atan(y)", "x <= y", growth("y", 0))


def test_what_falls_towards_a_limit() -> None:
    """1 - erf(x) tends to 0 at oo, exp(x) at -oo; limits and slopes of the other sign show
    nothing.
    """
    assert shown("pi/2 - atan(x^3)", "", growth("x", None, -1))
    assert shown("pi/2 - atan(x^3)", "", growth("x", None, -1, strict=True), ">") is False
    assert shown("pi/2 - atan(x)", "", growth("x", None, -1, strict=True), ">")
    assert not shown("pi/2 - atan(x)", "", growth("x", None, -1), ">")
    assert not shown("pi/2 - atan(x)", "", growth("x", None, 1))
    assert not shown("3/2 - atan(x)", "", growth("x", None, -1))
    assert shown("exp(x) + erf(x) + 1", "", growth("x", None, 1, strict=True), ">")
    assert not shown("x + exp(x)", "", growth("x", None, 1))  # the limit is not finite
    assert not shown("sin(x) + x", "x <= 0", growth("x", None, 1))


def test_the_way_to_infinity_keeps_lower_bounds_alone() -> None:
    """atan(1/x) falls to 0 on both sides of 0, and is negative below it."""
    text = "atan(1/x)"
    assert shown(text, "1 <= x", growth("x", None, -1))
    assert not shown(text, "x <= -1", growth("x", None, -1))


def test_lemmas_on_the_way() -> None:
    """1 - p + p exp(e) is positive on the way, which no fact without e says."""
    condition = "0 <= p and p <= 1 and 0 <= e"
    here = context(condition)
    positive = parse("1 - p + p*exp(e)")
    ways = context("0 <= p and p <= 1 and 0 <= e")
    larger = ways.given(normal(positive, ways).num, ">")
    r = normal(parse("e") - log(positive), larger)
    lemma = Lemma(
        "proved",
        (positive,),
        ">",
        (Monotone("e", 1, 2, (), ONE, False, PLAIN, PLAIN),),
    )
    proof = growth("e", 2, lemmas=(lemma,))
    with failing_closed():
        check_sign(r, ">=", proof, here)
    with pytest.raises(Rejected), failing_closed():
        check_sign(r, ">=", replace(proof, lemmas=()), here)
    false = Lemma("proved", (parse("p - 1"),), ">", (None,))
    with pytest.raises(Rejected), failing_closed():
        check_sign(r, ">=", replace(proof, lemmas=(lemma, false)), here)


def test_a_coefficient_of_the_bound_has_to_have_a_sign() -> None:
    """c x >= 1 is a lower bound of x only for c > 0."""
    text = "exp(x) - exp(1/c)"
    assert shown(text, "0 < c and 1 <= c*x", growth("x", 1))
    assert not shown(text, "c != 0 and 1 <= c*x", growth("x", 0))
    assert not shown(text, "c < 0 and 1 <= c*x", growth("x", 1))


def test_facts_on_the_way() -> None:
    """An upper bound of x holds on the way down to its lower one, and gives one of that; another
    lower bound does not hold on the way, nor does what x satisfies only where it is.
    """
    # for x <= 2 the slope 2 - x is >= 0; at x = y what is left is 2 y - y^2/2 >= 0 as y <= 2
    text, slope = "2*x - x^2/2", InequalityLeaf((), "direct", (Products(((Fraction(1), (1,)),)),))
    at_bound = InequalityLeaf(
        (
            Lemma("sign", (parse("y"),)),
            Lemma("sign", (parse("2 - y"),)),
        ),
        "direct",
        (
            Products(
                ((Fraction(1, 2), (0, 1)), (Fraction(1), (0,))),
            ),
        ),
    )
    proof = growth("x", 2, slope=slope, start=at_bound)
    assert shown(text, "0 <= y and x <= 2 and y <= x", proof)
    # without the fact that x satisfies there is none about y
    assert not shown(text, "0 <= y and y <= x", replace(proof, fact=1))
    # the other lower bound x >= 1 fails on the way from 0
    below = "x^3/3 - x^2/2 + 1/5"
    assert not shown(below, "0 <= x and 1 <= x", growth("x", 0))
    assert mpmath.mpf(1) / 3 - mpmath.mpf(1) / 2 + mpmath.mpf(1) / 5 > 0


def test_whole_numbers_are_real_on_the_way() -> None:
    """sin(pi n) is 0 at whole numbers; its slope between them is what counts."""
    here = context("0 <= n").with_integers(frozenset(("n",)))
    r = normal(parse("n - floor(n)"), here)
    assert r.is_zero
    with pytest.raises(Rejected), failing_closed():
        check_sign(normal(parse("n*(n - 1)"), here), ">=", growth("n", 0), here)


@pytest.mark.parametrize(
    ("factor", "holds"), [("exp(-x)", True), ("1", False), ("-exp(-x)", False), ("x - 1", False)]
)
def test_the_factor(factor: str, holds: bool) -> None:
    """1 - (1 + x) exp(-x) has the slope x exp(-x); exp(x) - 1 - x, multiplied by exp(-x), is that,
    and its own slope exp(x) - 1 has no sign by its terms.
    """
    proof = growth("x", 0, factor=parse(factor))
    assert shown("exp(x) - 1 - x", "0 <= x", proof) is holds


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("abs(x - 1)", "0 <= x"),  # a kink
        ("floor(x)", "0 <= x"),
        ("max(x, x^2 - x^4, exp(x) - 2)", "0 <= x"),
    ],
)
def test_what_has_no_slope(text: str, condition: str) -> None:
    assert not shown(text, condition, growth("x", 0))


def test_no_pole_is_passed() -> None:
    """2 - 1/x grows on both sides of 0 and is 3 at -1, but not above 0 for small x > 0."""
    here = context("-1 <= x")
    r = constant(2) - constant(1) / symbol("x")
    for fact in range(len(here.facts)):
        with pytest.raises(Rejected), failing_closed():
            check_sign(r, ">=", growth("x", fact), here)
    logarithm = ratio_of_atom(log_atom(symbol("x"))) + constant(9)
    with pytest.raises(Rejected), failing_closed():
        check_sign(logarithm, ">=", growth("x", 0), context("0 <= x"))


@pytest.mark.parametrize("fact", [-1, -2, 1, 2])
def test_the_fact_has_to_bound_the_name(fact: int) -> None:
    assert shown("exp(x) - 1", "0 <= x and 0 <= y", growth("x", 0))
    assert not shown("exp(x) - 1", "0 <= x and 0 <= y", growth("x", fact))
    assert not shown("exp(x) - 1", "x == y and 0 <= y", growth("x", 0))


def test_nothing_is_shown_where_a_name_grows_beyond_bounds() -> None:
    """Signs hold there from some value of the name on, which may differ along the way of
    another.
    """
    here = context("0 <= x").at_infinity("eps")
    with pytest.raises(Rejected), failing_closed():
        check_sign(normal(parse("exp(x) - 1"), here), ">=", growth("x", 0), here)


@pytest.mark.parametrize(
    "leaf",
    [
        Enumeration(3),
        InequalityLeaf((), "log"),
        InequalityLeaf((), "zero"),
        InequalityLeaf((), "never"),
        InequalityLeaf((), "direct", (None, None)),
        CaseSplit((), parse("x"), ((">", PLAIN),)),
        CaseSplit((), parse("x"), ((">", PLAIN), ("<=", Enumeration(1)))),
    ],
)
def test_evidence_of_a_sign(leaf: Any) -> None:
    """Closed leaves of the direct form with at most one proof, and covering cases of them."""
    here = context("0 <= x")
    r = normal(parse("exp(x)"), here)
    check_evidence(r, ">=", PLAIN, here)
    check_evidence(r, ">=", CaseSplit((), parse("x"), ((">", PLAIN), ("<=", PLAIN))), here)
    with pytest.raises(Rejected), failing_closed():
        check_evidence(r, ">=", leaf, here)


def test_a_case_split_as_a_proof() -> None:
    """cosh(x) >= 1 in the cases of x, each with its own proof; one of them is not enough."""
    text = "exp(x) + exp(-x) - 2"
    up = InequalityLeaf((), "direct", (growth("x", 0, slope=SLOPE),))
    below = InequalityLeaf((), "direct", (growth("x", 0, -1),))
    down = InequalityLeaf((), "direct", (growth("x", 0, -1, slope=below),))
    halves = CaseSplit((), parse("x"), ((">=", up), ("<=", down)))
    assert shown(text, "", halves)
    assert not shown(text, "", halves, ">")
    assert not shown(f"{text} - 1/9", "", halves)
    assert not shown(text, "", replace(halves, cases=halves.cases[:1]))
    assert not shown(text, "", replace(halves, cases=((">=", up), ("<=", up))))
    assert not shown(text, "", replace(halves, guard=parse("x - 1")))


def test_an_empty_case_needs_no_sign() -> None:
    here = context("0 <= x")
    never = InequalityLeaf((), "never")
    split = CaseSplit((), parse("x + 1"), ((">", PLAIN), ("<=", never)))
    check_evidence(normal(parse("x"), here), ">=", split, here)


TEXTS = ("x", "y", "x*y", "exp(x)", "exp(-y)", "sin(x)", "cos(2*y)", "log(1 + x)", "atan(x - y)")
TEXTS = (*TEXTS, "erf(x + y)", "x^2", "y^3", "1/(1 + x + y)", "abs(x - y)", "abs(y - 1/3)")


def value(text: str, x: float, y: float) -> mpmath.mpf:
    known = {f: getattr(mpmath, f) for f in ("exp", "sin", "cos", "log", "atan", "erf")}
    return mpmath.mpf(eval(text.replace("^", "**"), {"x": x, "y": y, "abs": abs, **known}))


@pytest.mark.parametrize("seed", range(60))
def test_random_covers_are_true(seed: int) -> None:
    """Random sums on boxes, where the constant makes them barely true, or barely false, by their
    least value on a grid: nothing false is shown, and what is true by a margin is.
    """
    draw = random.Random(seed)
    parts = [f"{draw.randint(-3, 3)}*{t}" for t in draw.sample(TEXTS, 3)]
    text = " + ".join(parts)
    grid = [Fraction(i, 24) for i in range(25)]
    least = min(value(text, float(a), float(b)) for a, b in itertools.product(grid, grid))
    for margin, expected in ((Fraction(1, 4), True), (Fraction(-1, 1000), False)):
        shift = -Fraction(int(least * 10**6), 10**6) + margin
        found = shown(f"{text} + {shift.numerator}/{shift.denominator}", UNIT_BOX, BoxCover(3000))
        assert found is expected


def test_growth_from_every_bound_is_true() -> None:
    """All names, facts, factors and relations, of requirements of which some hold: what is accepted
    holds at points of the region.
    """
    draw = random.Random(1)
    conditions = ("0 <= x and y <= x and 0 <= y", "x <= 1 and 0 <= y and y <= x", "0 < x and 0 < y")
    accepted = 0
    for condition, text in itertools.product(conditions, ("x - sin(x)*y", *TEXTS, "x*y - y^2")):
        for name, fact, strict in itertools.product("xy", range(3), (False, True)):
            for relation in (">=", ">"):
                proof = growth(name, fact, strict=strict)
                if not shown(text, condition, proof, relation):
                    continue
                accepted += 1
                for _ in range(200):
                    x, y = draw.uniform(-2, 3), draw.uniform(-2, 3)
                    if eval(condition, {"x": x, "y": y}):
                        v = value(text, x, y)
                        assert v > 0 if relation == ">" else v >= -1e-12
    assert accepted > 10


def test_numbers_as_factors() -> None:
    """A positive number changes nothing, and 0 shows nothing."""
    assert shown("exp(x) - 1", "0 <= x", growth("x", 0, factor=number(Fraction(2, 3))))
    assert not shown("exp(x) - 1", "0 <= x", growth("x", 0, factor=number(0)))
    assert not shown("-x", "0 <= x", growth("x", 0, factor=number(0)))
