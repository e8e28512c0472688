"""Shapes: polynomials that are equal up to a renaming have one shape, and the names correspond."""

from __future__ import annotations

import itertools

import pytest

from ahdp_verify.kernel.numbers.algebra import Polynomial
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import name, substitute
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.proving.renaming import Shape

NAMES = ("e", "a", "b", "c", "d")
LAWS = (
    "1 - exp(-e*(a - b)/2)/2 - exp(-e*(a - c)/2)/2 + exp(-e*(2*a - b - c)/2)/3",
    "exp(e)*exp(e*(a + c - b - d)/2) - exp(e*(a - b)/2)",
    "e*a + e*b + exp(a*c) + exp(b*d)",
)


def polynomial(text: str, renamed: dict[str, str]) -> Polynomial:
    tree = substitute(parse(text), {old: name(new) for old, new in renamed.items()})
    return normal(tree, Context.empty()).num


@pytest.mark.parametrize("text", LAWS)
def test_a_renaming_keeps_the_shape_and_its_names_correspond(text: str) -> None:
    first = polynomial(text, {})
    shape = Shape.of(first)
    assert shape is not None
    for order in itertools.permutations(NAMES):
        renamed = dict(zip(NAMES, order, strict=True))
        second = polynomial(text, renamed)
        other = Shape.of(second)
        assert other is not None
        assert other.key == shape.key
        back = dict(zip(shape.names, other.names, strict=True))
        assert polynomial(text, back) == second


def test_other_polynomials_have_other_shapes() -> None:
    keys = set()
    for text in (*LAWS, "exp(a) - 2", "exp(2*a) - 2", "exp(a) - 3", "exp(a) - 2*a", "a - 2"):
        shape = Shape.of(polynomial(text, {}))
        assert shape is not None
        keys.add(shape.key)
    assert len(keys) == len(LAWS) + 5


def test_other_functions_have_no_shape() -> None:
    assert Shape.of(polynomial("abs(a) - b", {})) is None


def test_the_shape_of_a_bound_needs_its_names() -> None:
    shape = Shape.of(polynomial("exp(a*b) - 1", {}))
    assert shape is not None
    assert shape.key_of(polynomial("a - 1", {})) is not None
    assert shape.key_of(polynomial("c - 1", {})) is None
