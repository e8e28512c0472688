"""Formulas in record sums: collecting terms changes no value at random datasets, and expectations
are those computed from all parts.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from random import Random

import pytest

from ahdp_verify.analysis.moments.record_sums import RecordSums
from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.numbers.algebra import Ratio, constant
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import (
    Expression,
    exp,
    name,
    number,
    substitute,
    sum_over_records,
    transform,
)
from ahdp_verify.kernel.terms.grammar import parse
from tests.sweeps import swept

F = Fraction
EMPTY = Context.empty()
X, EPS = name("x"), name("eps")
People = list[tuple[Fraction, Fraction]]


def at(e: Expression, people: People) -> Fraction | None:
    """The value of a formula at a dataset of (x, eps), l = 7, by the definition of a sum over
    records.
    """

    def total(node: Expression) -> Expression | None:
        if node.head != "sum":
            return None
        values = [
            normal(
                substitute(node.args[0], {"x": number(x), "eps": number(eps), "l": number(7)}),
                EMPTY,
            )
            for x, eps in people
        ]
        return number(sum((v.as_rational for v in values if v.as_rational is not None), F(0)))

    return normal(substitute(transform(e, total), {"l": number(7)}), EMPTY).as_rational


def people(seed: int) -> People:
    rng = Random(seed)
    return [(F(rng.randint(-5, 5)), F(rng.randint(0, 3), 2)) for _ in range(rng.randint(0, 6))]


FORMULAS = [
    "sum(x - l) + l - sum(x)",
    "sum(eps*(x - l)/2) - 3*sum(x)*l",
    "sum(x)^2 + sum(2*x)*sum(eps) - 4*sum(x*x)",
    "sum(x)/(1 + l*l) - sum(3*x/(1 + l*l))",
    "sum(min(eps, 1)*x) - sum(x)",
    "sum((x - l)*(x + l)) + l*l*sum(1)",
    "sum(x) - sum(x)",
    "abs(sum(x) - l) + sum(x)",
]


@pytest.mark.parametrize("text", FORMULAS)
def test_gathering_changes_no_value(text: str) -> None:
    table, tree = RecordSums(("x", "eps")), parse(text)
    named = transform(tree, lambda e: name(str(table.symbol(e))) if e.head == "sum" else None)
    found = table.gathered(normal(named, EMPTY), EMPTY)
    for seed in range(12):
        assert at(found, people(seed)) == at(tree, people(seed)), str(found)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        (FORMULAS[0], "l - l*size"),
        ("sum(x) - sum(x)", "0"),
        ("sum(exp(-eps)*x - x) + sum(x)", "sum(exp(-eps)*x)"),
        ("sum(x) - l*sum(eps)", "sum(x) - l*sum(eps)"),
    ],
)
def test_what_cancels_is_gone(text: str, short: str) -> None:
    table = RecordSums(("x", "eps"))
    named = transform(
        parse(text), lambda e: name(str(table.symbol(e))) if e.head == "sum" else None
    )
    assert str(table.gathered(normal(named, EMPTY), EMPTY)) == short


@pytest.mark.parametrize("seed", swept(range(8), 3))
def test_the_expectation_over_random_parts(seed: int) -> None:
    """Each record stays with probability eps/2; the oracle goes through all 2^n parts."""
    group = people(seed)
    table = RecordSums(("x", "eps"))
    s, t = table.symbol(sum_over_records(X)), table.symbol(sum_over_records(EPS * X + 1))
    formula: Ratio = s * t + s * s - t + constant(5)
    found = table.gathered(table.kept(formula, EPS / 2), EMPTY)
    expected = F(0)
    for stays in itertools.product((True, False), repeat=len(group)):
        probability, a, b = F(1), F(0), F(0)
        for (x, eps), here in zip(group, stays, strict=True):
            probability *= eps / 2 if here else 1 - eps / 2
            a, b = (a + x, b + eps * x + 1) if here else (a, b)
        expected += probability * (a * b + a * a - b + 5)
    assert at(found, group) == expected


def test_what_is_not_a_polynomial_of_degree_2_is_refused() -> None:
    table = RecordSums(("x", "eps"))
    s = table.symbol(sum_over_records(X))
    largest = table.symbol(Expression("maximum", (X,)))
    for formula in (
        s * s * s,
        constant(1) / (s * s + constant(1)),
        largest,
        normal(exp(name(s.key)), EMPTY),
    ):
        with pytest.raises(Unsupported):
            table.kept(formula, EPS)
