"""The rules of proof: each accepts what it states and rejects mutations; 0 >= 1 follows from
nothing.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from ahdp_verify.kernel.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import CaseSplit, InequalityLeaf, Lemma, Products
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.numbers.algebra import Ratio, constant
from ahdp_verify.kernel.numbers.hypotheses import Context, Fact
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.inequalities import (
    LEMMAS,
    check_contradiction,
    check_leaf,
    check_sign,
    combination,
    extend_context,
    requirements,
    split_cases,
)
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    evaluate,
    exp,
    floor,
    name,
    number,
    piecewise,
)

A, B, N = name("a"), name("b"), name("n")
EMPTY = Context.empty(frozenset(("n",)))
REFUSALS = (
    Rejected,
    Undecided,
    Unsupported,
    BadInput,
    TypeError,
    ValueError,
    KeyError,
    IndexError,
    AttributeError,
)  # the checker makes Rejected of all


def given(*facts: tuple[Expression, str]) -> Context:
    here = EMPTY
    for e, relation in facts:
        here = here.given(normal(e, EMPTY).num, relation)
    return here


def only(*numbers: int, c: int | Fraction = 1) -> Products:
    return Products(((Fraction(c), numbers),))


# (lemma, context, the fact that it adds)
TRUE_LEMMAS = {
    "sign": (Lemma("sign", (A * B,), ">="), given((A, ">="), (B, ">=")), A * B),
    "proved": (Lemma("proved", (A - B,), ">=", (only(0),)), given((A - B, ">=")), A - B),
    "exp": (Lemma("exp", (A,)), EMPTY, exp(A) - 1 - A),
    "order": (Lemma("order", (B, A), ">=", (only(0),)), given((A - B, ">=")), exp(A) - exp(B)),
    "triangle": (Lemma("triangle", (A, B)), EMPTY, Abs(A) + Abs(A - B) - Abs(B)),
    "absolute": (Lemma("absolute", (A,)), EMPTY, Abs(A) - A),
    "bound": (
        Lemma("bound", (A, B), ">=", (only(0), only(1))),
        given((B - A, ">="), (B + A, ">=")),
        B - Abs(A),
    ),
    "whole": (Lemma("whole", (N,)), given((N, ">")), N - 1),
    "square": (Lemma("square", (A - B,)), EMPTY, (A - B) ** number(2)),
    "floor": (Lemma("floor", (A,)), EMPTY, A - floor(A)),
}


def test_every_kind_of_lemma_is_tested() -> None:
    assert set(TRUE_LEMMAS) == set(LEMMAS)


@pytest.mark.parametrize("kind", sorted(TRUE_LEMMAS))
def test_a_lemma_adds_the_fact_that_it_names(kind: str) -> None:
    lemma, here, fact = TRUE_LEMMAS[kind]
    after = extend_context((lemma,), here)
    assert len(after.facts) == len(here.facts) + 1
    assert after.facts[-1].relation == ">="
    assert after.facts[-1].polynomial == normal(fact, here).num


@pytest.mark.parametrize("kind", sorted(TRUE_LEMMAS))
def test_a_lemma_with_too_many_or_too_few_expressions_is_rejected(kind: str) -> None:
    lemma, here, _ = TRUE_LEMMAS[kind]
    for arguments in ((), (*lemma.arguments, A)):
        with pytest.raises(Rejected):
            extend_context((Lemma(lemma.kind, arguments, lemma.relation, lemma.proofs),), here)


NONE = (None, None)
FALSE_LEMMAS = [
    (Lemma("sign", (A,), ">="), EMPTY),
    (Lemma("sign", (number(-1),), ">="), EMPTY),
    (Lemma("sign", (exp(1) - 3,), ">"), EMPTY),
    (Lemma("sign", (A,), "="), given((A, ">="))),
    (Lemma("sign", (A,), ">"), given((A, ">="))),
    (Lemma("sign", (number(-1),), "!="), EMPTY),
    (Lemma("sign", (number(-1),), "=="), EMPTY),
    (Lemma("sign", (number(-1),), ""), EMPTY),
    (Lemma("proved", (number(-1),), "!=", (None,)), EMPTY),
    (Lemma("proved", (A,), "=", (only(0),)), given((A, ">="))),
    (Lemma("proved", (A,), "<=", (only(0),)), given((A, ">="))),
    (Lemma("proved", (A,), ">", (only(0),)), given((A, ">="))),
    (Lemma("proved", (A,), ">=", ()), given((A, ">="))),
    (Lemma("proved", (A,), ">=", (only(0), None)), given((A, ">="))),
    (Lemma("order", (A, B), ">=", (only(0),)), given((A - B, ">="))),
    (Lemma("order", (B, A), ">=", NONE), EMPTY),
    (Lemma("order", (B, A), ">", (only(0),)), given((A - B, ">="))),
    (Lemma("order", (B, A), "=", (only(0),)), given((A - B, "="))),
    (Lemma("order", (B, A), "<=", (only(0),)), given((A - B, ">="))),
    (Lemma("floor", (A,), "="), EMPTY),
    (Lemma("floor", (A,), "<="), EMPTY),
    (Lemma("floor", (A,), "!="), EMPTY),
    (Lemma("floor", (1 / A,)), EMPTY),
    (Lemma("bound", (A, B), ">=", (only(0), only(0))), given((B - A, ">="), (B + A, ">="))),
    (Lemma("bound", (A, B), ">=", (only(0),)), given((B - A, ">="), (B + A, ">="))),
    (Lemma("whole", (N,)), given((N, ">="))),
    (Lemma("whole", (A,)), given((A, ">"))),
    (Lemma("whole", (N / 2,)), given((N, ">"))),
    (Lemma("whole", (N - A,)), given((N - A, ">"))),
    (Lemma("whole", (exp(N),)), given((N, ">"))),
    (Lemma("axiom", (A,)), EMPTY),
    (Lemma("exp", (1 / A,)), EMPTY),
    (Lemma("exp", (name("s") ** A,)), EMPTY),
    (Lemma("sign", (Expression("oo"),), ">"), EMPTY),
    (Lemma("sign", (Expression("label", ("yes",)),), ">"), EMPTY),
    (Lemma("sign", (Expression("sum", (A,)),), ">="), EMPTY),
]


@pytest.mark.parametrize(
    ("lemma", "here"),
    FALSE_LEMMAS,
    ids=lambda t: f"{t.kind} {t.relation}" if isinstance(t, Lemma) else "",
)
def test_a_false_or_unproved_lemma_is_refused(lemma: Lemma, here: Context) -> None:
    with pytest.raises(REFUSALS):
        extend_context((lemma,), here)


def test_floors_are_whole() -> None:
    here = EMPTY.given(normal(floor(A), EMPTY).num, ">")
    assert (
        extend_context((Lemma("whole", (floor(A),)),), here).facts[-1].polynomial
        == normal(floor(A) - 1, EMPTY).num
    )


def test_a_floor_is_less_than_one_below() -> None:
    assert extend_context((Lemma("floor", (A,), ">"),), EMPTY).facts[-1] == Fact(
        normal(floor(A) + 1 - A, EMPTY).num, ">"
    )
    assert extend_context((Lemma("order", (B, A), ">", (only(0),)),), given((A - B, ">"))).facts[
        -1
    ] == Fact(normal(exp(A) - exp(B), EMPTY).num, ">")


SAMPLES = st.fractions(-4, 4, max_denominator=7)


@hypothesis.given(
    SAMPLES, SAMPLES, st.fractions(-2, 2, max_denominator=3), st.sampled_from((">=", ">"))
)
def test_a_floor_lemma_is_true(a: Fraction, b: Fraction, k: Fraction, relation: str) -> None:
    """Against Python's floor: the lemma about a + k b + k is true at all a and b."""
    r = A + number(k) * B + number(k)
    fact = extend_context((Lemma("floor", (r,), relation),), EMPTY).facts[-1]
    value = evaluate(to_expression(Ratio(fact.polynomial)), {"a": a, "b": b})
    gap = (a + k * b + k) - math.floor(a + k * b + k)
    assert value == (gap if relation == ">=" else 1 - gap) and fact.relation == relation


# products

HERE = given((A, ">="), (B, ">"), (A - B, "="))


def test_products_add_up() -> None:
    total, strict = combination(
        Products(((Fraction(2), (0, 1)), (Fraction(-3), (2,)), (Fraction(1), ()))), HERE
    )
    assert total == normal(2 * A * B - 3 * (A - B) + 1, EMPTY).num
    assert strict


@pytest.mark.parametrize(
    ("terms", "strict"),
    [
        (((1, (0,)),), False),
        (((1, (1,)),), True),
        (((1, (1, 0)),), False),
        (((1, (2,)),), False),
        ((), False),
        (((1, (0,)), (1, ())), True),
    ],
)
def test_a_combination_is_strict_only_if_a_term_is(terms: Any, strict: bool) -> None:
    assert combination(Products(tuple((Fraction(c), n) for c, n in terms)), HERE)[1] is strict


BAD_TERMS = [
    ((Fraction(-1), (0,)),),
    ((Fraction(0), (0,)),),
    ((Fraction(-1), ()),),
    ((Fraction(1), (-1,)),),
    ((Fraction(1), (3,)),),
    ((Fraction(1), (10**30,)),),
    ((1, (0,)),),
    ((True, (0,)),),
    ((1.0, (0,)),),
    (("1", (0,)),),
    ((None, (0,)),),
    ((Fraction(1), (0.0,)),),
    ((Fraction(1), ("0",)),),
    ((Fraction(1), (None,)),),
    ((Fraction(1), 0),),
    ((Fraction(1),),),
    (Fraction(1),),
    7,
    None,
    ((Fraction(1), (float("nan"),)),),
]


@pytest.mark.parametrize("terms", BAD_TERMS, ids=str)
def test_forged_products_are_refused(terms: Any) -> None:
    with pytest.raises(REFUSALS):
        combination(Products(terms), HERE)


def test_a_requirement_takes_exactly_its_products() -> None:
    check_sign(normal(A * B, HERE), ">=", only(0, 1), HERE)
    for wrong in (only(0), only(0, 0), only(0, 1, c=2), only(1)):
        with pytest.raises(Rejected):
            check_sign(normal(A * B, HERE), ">=", wrong, HERE)
    with pytest.raises(Rejected):
        check_sign(normal(A * B, HERE), ">", only(0, 1), HERE)


def test_a_negative_divisor_turns_the_inequality_round() -> None:
    here = given((A, "<"), (B, ">"))
    check_sign(normal(B / A, here), "<=", None, here)
    with pytest.raises(Rejected):
        check_sign(normal(B / A, here), ">=", only(1), here)


# 0 >= 1

ATTEMPTS: list[tuple[Lemma, ...]] = [
    (),
    *[
        (Lemma(kind, arguments, relation, proofs),)
        for kind in LEMMAS
        for relation in (">=", ">", "=", "<", "<=", "!=")
        for arguments, proofs in [
            ((number(-1),), ()),
            ((number(-1),), (None,)),
            ((number(0),), (None,)),
            ((number(1), number(-1)), (None, None)),
            ((number(1), number(-1)), (None,)),
            ((number(0), number(-1)), (None, None)),
            ((name("z"),), ()),
            ((name("z"), name("z")), (None, None)),
            ((-1 - Abs(name("z")),), (None,)),
        ]
    ],
]


def test_nothing_proves_0_at_least_1() -> None:
    accepted = 0
    for lemmas in ATTEMPTS:
        try:
            here = extend_context(lemmas, EMPTY)
        except REFUSALS:
            continue
        accepted += 1
        last = tuple(range(len(here.facts)))
        for proof in (
            None,
            Products(()),
            *[only(*last[:k], c=c) for k in range(len(last) + 1) for c in (1, -1)],
        ):
            with pytest.raises(REFUSALS):
                check_sign(constant(-1), ">=", proof, here)
            with pytest.raises(REFUSALS):
                check_contradiction((proof,), here)
        with pytest.raises(REFUSALS):
            check_contradiction((), here)
    assert accepted > 5


# case splits


@pytest.mark.parametrize(
    "relations", [(">=", "<"), ("<=", ">"), ("<", "=", ">"), (">=", "<="), (">=", "<=", "=")]
)
def test_covering_cases_are_accepted(relations: tuple[str, ...]) -> None:
    assert len(
        split_cases(CaseSplit((), A, tuple((r, InequalityLeaf()) for r in relations)), EMPTY)
    ) == len(relations)


BAD_CASES = [
    (),
    (">=",),
    ("<",),
    ("<", ">"),
    ("=",),
    ("!=", "="),
    (">=", "<", "!="),
    (">", ">", "="),
    ("", "<", ">="),
    ("=>", "<"),
    (None, "<"),
    (">=", "<", "foo"),
]


@pytest.mark.parametrize("relations", BAD_CASES, ids=str)
def test_cases_that_leave_something_out_or_mean_nothing_are_refused(
    relations: tuple[Any, ...],
) -> None:
    with pytest.raises(REFUSALS):
        split_cases(CaseSplit((), A, tuple((r, InequalityLeaf()) for r in relations)), EMPTY)


def test_a_case_is_empty_only_if_its_facts_contradict_each_other() -> None:
    check_contradiction((), given((A, ">"), (A, "<")))
    check_contradiction(
        (Products(((Fraction(1), (0,)), (Fraction(1), (1,)))),), given((A, ">"), (-A, ">="))
    )
    for here in (EMPTY, given((A, ">=")), given((A, ">="), (A, "<="))):
        with pytest.raises(Rejected):
            check_contradiction((), here)


# forms

P, Q = exp(-Abs(A)), exp(-Abs(A - 1))


@pytest.mark.parametrize("upper", [True, False])
def test_the_log_form_asks_for_both_factors(upper: bool) -> None:
    side = 1 if upper else -1
    (exponent, _), (coefficient, _) = requirements(
        Dominated(3 * Q), Dominating(2 * P), B, "log", EMPTY, upper
    )
    assert (exponent - normal(side * (B - Abs(A) + Abs(A - 1)), EMPTY)).is_zero
    assert (coefficient - normal(side * number(-1), EMPTY)).is_zero


@pytest.mark.parametrize("upper", [True, False])
def test_the_zero_form_is_about_the_smaller_side(upper: bool) -> None:
    nothing = piecewise((0, Expression("boolean", (True,))))
    small, large = (nothing, P) if upper else (P, nothing)
    check_leaf(InequalityLeaf((), "zero"), Dominated(small), Dominating(large), B, EMPTY, upper)
    with pytest.raises(Rejected):
        check_leaf(InequalityLeaf((), "zero"), Dominated(large), Dominating(small), B, EMPTY, upper)


@pytest.mark.parametrize("upper", [True, False])
def test_the_direct_form_has_a_side(upper: bool) -> None:
    less, more = number(Fraction(1, 4)), number(Fraction(1, 2))
    small, large = (less, more) if upper else (more, less)
    check_leaf(
        InequalityLeaf((), "direct"), Dominated(small), Dominating(large), number(0), EMPTY, upper
    )
    with pytest.raises(Rejected):
        check_leaf(
            InequalityLeaf((), "direct"),
            Dominated(large),
            Dominating(small),
            number(0),
            EMPTY,
            upper,
        )


@pytest.mark.parametrize("form", ["log", "direct", "zero", "never", "axiom", "", None, 3])
def test_no_form_proves_a_false_inequality(form: Any) -> None:
    for proofs in ((), (None,), (None, None), (only(), only()), (only(),), (None, None, None)):
        with pytest.raises(REFUSALS):
            check_leaf(
                InequalityLeaf((), form, proofs),
                Dominated(number(Fraction(3, 4))),
                Dominating(number(Fraction(1, 4))),
                number(1),
                EMPTY,
            )


@pytest.mark.parametrize("kind", sorted(set(TRUE_LEMMAS) - {"sign", "proved", "order", "floor"}))
def test_a_lemma_of_fixed_relation_says_no_other(kind: str) -> None:
    """FORMAT.md: only >= is used there, so a record that says > is another record, and is
    refused.
    """
    lemma, here, _ = TRUE_LEMMAS[kind]
    for relation in (">", "=", "<=", "<"):
        with pytest.raises(Rejected):
            extend_context((replace(lemma, relation=relation),), here)
