"""Texts for solvers mean the same as the trees, and no fact in them excludes a possible case:
otherwise unsat would mean nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ahdp_verify.kernel.errors import BadInput, Undecided, Unsupported
from ahdp_verify.kernel.numbers.algebra import ratio_names
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, truth
from ahdp_verify.kernel.terms.expression import (
    ONE,
    ZERO,
    Abs,
    Expression,
    Max,
    add,
    eq,
    exp,
    floor,
    label,
    log,
    multiply,
    name,
    ne,
    number,
    oo,
    pi,
    piecewise,
    sqrt,
    substitute,
    walk,
)
from ahdp_verify.search.solvers.exponents import expand_sum, product_of
from ahdp_verify.search.solvers.processes import SolverAnswer, cvc5_answer, z3_answer
from ahdp_verify.search.solvers.smtlib import Script, connective, decided_truth, real_literal
from tests.strategies import arithmetic, conditions, fractions, smooth
from tests.sweeps import examples

SECONDS = 20.0
EMPTY = Context.empty()
NAMES = ("s", "t")
UNDEFINED = (Undecided, Unsupported, ZeroDivisionError, BadInput)
Solver = Callable[[str, float], SolverAnswer]
both = pytest.mark.parametrize("answer", [z3_answer, cvc5_answer], ids=["z3", "cvc5"])


def pinned(values: dict[str, Fraction]) -> Script:
    script = Script()
    for n, v in values.items():
        script.add("=", script.symbol(n), real_literal(v))
    return script


def points() -> SearchStrategy[dict[str, Fraction]]:
    return st.fixed_dictionaries({n: fractions(6) for n in NAMES})


def value(e: Expression, at: dict[str, Fraction]) -> tuple[Fraction, Fraction] | None:
    """Rational ends around the value of a tree at a point, None where it has none."""
    try:
        r = normal(substitute(e, {n: number(v) for n, v in at.items()}), EMPTY)
        return None if ratio_names(r) else enclose(r)
    except UNDEFINED:
        return None


@settings(max_examples=examples(150, 8))
@given(arithmetic(NAMES, depth=3) | smooth(NAMES, depth=3), points())
def test_a_term_may_have_its_true_value(e: Expression, at: dict[str, Fraction]) -> None:
    ends, script = value(e, at), pinned(at)
    try:
        term = script.term(e)
        if ends is not None:
            script.add(
                "<=",
                real_literal(ends[0] - Fraction(1, 10**12)),
                term,
                real_literal(ends[1] + Fraction(1, 10**12)),
            )
    except Unsupported:
        return
    assert z3_answer(script.text, 5).word != "unsat"


@settings(max_examples=examples(60, 8))
@given(arithmetic(NAMES, depth=3), points(), st.sampled_from([z3_answer, cvc5_answer]))
def test_a_term_without_exponentials_has_no_other_value(
    e: Expression, at: dict[str, Fraction], answer: Solver
) -> None:
    ends = value(e, at)
    inexact = any(
        node.head in ("^", "exp", "log", "pi", "binomial", "label", "oo") for node in walk(e)
    )
    if ends is None or ends[0] != ends[1] or inexact:
        return
    script = pinned(at)
    try:
        script.add("distinct", script.term(e), real_literal(ends[0]))
    except Unsupported:
        return
    assert answer(script.text, 5).word == "unsat"


@settings(max_examples=examples(60, 8))
@given(conditions(NAMES, depth=2), points())
def test_a_condition_holds_where_it_is_true(e: Expression, at: dict[str, Fraction]) -> None:
    try:
        true = truth(substitute(e, {n: number(v) for n, v in at.items()}), EMPTY)
        script = pinned(at)
        condition = script.condition(e)
    except UNDEFINED:
        return
    script.holds(condition if true else f"(not {condition})")
    assert z3_answer(script.text, 5).word != "unsat"


@settings(max_examples=examples(60, 8))
@given(smooth(("eps", "r"), depth=3))
def test_an_expanded_exponent_is_the_same(e: Expression) -> None:
    total = add(ZERO, *(multiply(number(c), product_of(m)) for m, c in expand_sum(e).items()))
    for at in (
        {"eps": Fraction(1, 3), "r": Fraction(5, 2)},
        {"eps": Fraction(2), "r": Fraction(1, 7)},
    ):
        first, second = value(e, at), value(total, at)
        if first is not None and second is not None:
            assert first[0] <= second[1] + Fraction(1, 10**9) and second[0] <= first[1] + Fraction(
                1, 10**9
            )


@both
def test_exponentials_multiply(answer: Solver) -> None:
    a, b, half = name("a"), name("b"), number("1/2")
    for left, right in (
        (exp(a + b), exp(a) * exp(b)),
        (exp(a / 2) ** number(2), exp(a)),
        (exp(-a) * exp(a), ONE),
        (exp(log(number(6)) - log(number(3))), number(2)),
        (exp(a * (b + 1)), exp(a * b) * exp(a)),
        (exp(half) * exp(half), exp(ONE)),
        (number(2) ** a * exp(-a * log(number(2))), ONE),
        (exp(Max(log(number(2)), log(number(4)))), number(4)),
    ):
        script = Script()
        script.add("distinct", script.term(left), script.term(right))
        assert answer(script.text, SECONDS).word == "unsat", str(left)


@both
def test_constants_lie_between_their_ends(answer: Solver) -> None:
    for e, digits in (
        (pi, "3.14159265"),
        (exp(ONE), "2.71828182"),
        (log(number(10)), "2.30258509"),
        (sqrt(number(2)), "1.41421356"),
    ):
        script = Script()
        low, term = script.term(number(digits)), script.term(e)
        script.holds(
            f"(not (and (< {low} {term}) (< {term} (+ {low} {real_literal(Fraction(1, 10**8))}))))"
        )
        assert answer(script.text, SECONDS).word == "unsat", str(e)


@both
def test_branches_that_are_not_taken_assume_nothing(answer: Solver) -> None:
    x = name("x")
    for e in (
        sqrt(x - 1),
        log(x - 1),
        1 / x,
        x ** number("-1/2"),
        x**x,
        (x - 1) ** x,
        (x - 1) ** number("3/2"),
        x ** number("1/999"),
    ):
        script = pinned({"x": Fraction(0)})
        script.add("=", script.term(piecewise((e, x > 0), (7, True))), "7.0")
        assert answer(script.text, SECONDS).word == "sat", str(e)


@both
def test_whole_powers_of_negative_numbers_are_not_excluded(answer: Solver) -> None:
    script = pinned({"x": Fraction(-1)})
    script.add("=", script.term(name("x") ** name("x")), real_literal(Fraction(-1)))
    assert answer(script.text, SECONDS).word == "sat"


@both
def test_whole_numbers_are_whole(answer: Solver) -> None:
    k, x = name("k"), name("x")
    for condition in ((k > 0) & (k < 1), ne(floor(x + k), floor(x) + k) | ne((x + k) % 1, x % 1)):
        script = Script(frozenset({"k"}))
        script.holds(script.condition(condition))
        assert answer(script.text, SECONDS).word == "unsat"


@both
@pytest.mark.parametrize("word", ["div", "select", "t1", "Real", "assert", "_x", "let", "x1", "k"])
def test_any_name_is_a_name(word: str, answer: Solver) -> None:
    script = Script()
    script.holds(
        script.condition(
            (Abs(name(word)) < 1) & (Max(name(word), name("@1")) > 2) & (name("@1") < name("x'"))
        )
    )
    assert answer(script.text, SECONDS).word == "sat"


def test_what_is_settled_is_not_asked() -> None:
    s = name("s")
    assert [
        decided_truth(c)
        for c in (eq(label("a"), label("b")), number(1) < 2, name("e") < oo, eq(oo, oo), s < 1)
    ] == [False, True, True, True, None]
    assert (
        decided_truth((s < 1) & (number(2) < 1)) is False
        and decided_truth(~(s < 1)) is None
        and decided_truth((s < 1) | eq(ONE, 1)) is True
    )
    assert (
        connective("and", ["true", "a", "a"]) == "a"
        and connective("or", []) == "false"
        and connective("not", ["true"]) == "false"
    )
    for refused in (eq(s, label("a")), s * oo < oo, piecewise((oo, s > 0), (1, True)) < oo, s):
        with pytest.raises(Unsupported):
            Script().condition(refused)
    for refused in (label("a"), oo, number(2) ** (10**6 * exp(number(40)))):
        with pytest.raises(Unsupported):
            Script().term(refused)
