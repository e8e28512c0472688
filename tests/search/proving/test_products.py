"""Products of facts that make up a target: multipliers are expanded by SymPy, with HiGHS and
without it, and whatever HiGHS proposes.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ahdp_verify.kernel.errors import Missing
from ahdp_verify.kernel.numbers.algebra import Polynomial
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.proving import float_multipliers, products
from ahdp_verify.search.proving.float_multipliers import Candidate, exact_multipliers
from ahdp_verify.search.proving.products import find_multipliers, prove_by_products
from tests.sweeps import examples

FACTS = ("x", "y", "1 - x", "1 - y", "x - y^2", "2*x + y - 1/3")


def polynomial(text: str) -> Polynomial:
    return normal(parse(text, "test"), Context.empty()).num


def candidates(texts: tuple[str, ...] = FACTS) -> list[Candidate]:
    """The empty product, and each fact by itself: the first is strict."""
    return [
        ((), polynomial("1"), False, True),
        *(((i,), polynomial(t), False, False) for i, t in enumerate(texts)),
    ]


def expanded(found: products.Products, texts: tuple[str, ...] = FACTS) -> sympy.Expr:
    """The sum of the products, by SymPy."""
    total = sympy.Integer(0)
    for multiplier, numbers in found.terms:
        assert multiplier > 0
        product = sympy.Rational(multiplier.numerator, multiplier.denominator)
        for i in numbers:
            product *= sympy.sympify(texts[i].replace("^", "**"), rational=True)
        total += product
    return sympy.expand(total)


@pytest.fixture(autouse=True)
def even_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """HiGHS is asked about few products, too."""
    monkeypatch.setattr(products, "SMALL", 0)


@pytest.fixture(params=["HiGHS", "Z3 alone", "a wrong proposal"])
def solver(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Who finds the multipliers."""
    if request.param == "Z3 alone":

        def missing() -> None:
            raise Missing("power", "highspy", "power")

        monkeypatch.setattr(float_multipliers, "load_highs", missing)
    elif request.param == "a wrong proposal":
        monkeypatch.setattr(products, "likely_candidates", lambda *_: [1])
    name: str = request.param
    return name


@pytest.mark.parametrize(
    ("target", "strict", "exists"),
    [
        ("x + 2*y", False, True),
        ("x", True, False),
        ("x + 2*y + 1/1000", True, True),
        ("3*x - 3*y^2 + 1 - x", False, True),
        ("x - 2", False, False),
        ("y^2 - x", False, False),
        ("1", True, True),
        ("0", False, True),
        ("0", True, False),
        ("2/3", False, True),
        ("x*y", False, False),
    ],
)
def test_multipliers_are_found_where_they_exist(
    solver: str, target: str, strict: bool, exists: bool
) -> None:
    """Existence by hand."""
    goal = polynomial(target)
    found = find_multipliers(goal, candidates(), strict, Limits(seconds=20).clock())
    assert (found is not None) == exists
    if found is not None:
        assert expanded(found) == sympy.expand(sympy.sympify(target.replace("^", "**")))
        assert not strict or any(not numbers for _, numbers in found.terms)


@settings(
    max_examples=examples(100, 8),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(st.fractions(0, 5, max_denominator=7), min_size=7, max_size=7))
def test_a_sum_of_products_is_found_again(multipliers: list[Fraction]) -> None:
    total = Polynomial({})
    for c, (_, p, _, _) in zip(multipliers, candidates(), strict=True):
        total = total + p.scale(c)
    found = find_multipliers(total, candidates(), False, Limits(seconds=20).clock())
    assert found is not None
    wanted = sum(
        sympy.Rational(c.numerator, c.denominator)
        * sympy.sympify(t.replace("^", "**"), rational=True)
        for c, t in zip(multipliers, ("1", *FACTS), strict=True)
    )
    assert sympy.expand(expanded(found) - wanted) == 0


def test_products_of_two_facts(solver: str) -> None:
    """x (1 - x) + y is a product and a fact; it is negative nowhere on the unit square."""
    here = Context.empty()
    for text in ("x", "1 - x", "y"):
        here = here.given(polynomial(text), ">=")
    clock = Limits(seconds=20).clock()
    assert prove_by_products(polynomial("x - x^2 + y"), ">=", here, clock) is not None
    assert prove_by_products(polynomial("x - x^2 + y - 1/2"), ">=", here, clock) is None


@pytest.mark.parametrize(
    ("target", "chosen", "strict", "expected"),
    [
        ("x + 2", [0, 1], True, [(2, ()), (1, (0,))]),
        ("x + 2", [0], False, None),  # nothing brings x
        ("2 - x", [0, 1], False, None),  # a negative multiplier
        ("x", [0, 1], True, None),  # no strict one
        ("x", [0, 1, 3], False, [(1, (0,))]),
        ("0", [0, 1], False, []),
    ],
)
def test_multipliers_are_exact(
    target: str, chosen: list[int], strict: bool, expected: list[tuple[int, tuple[int, ...]]] | None
) -> None:
    """By hand."""
    found = exact_multipliers(polynomial(target), candidates(), chosen, strict)
    assert found == expected


def test_an_equation_may_have_any_multiplier() -> None:
    listed = [((0,), polynomial("x - y"), True, False), ((1,), polynomial("y"), False, False)]
    assert exact_multipliers(polynomial("2*y - x"), listed, [0, 1], False) == [
        (-1, (0,)),
        (1, (1,)),
    ]
