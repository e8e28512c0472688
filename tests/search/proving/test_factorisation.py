"""Factors multiply to the polynomial, and a square of high degree in a constant is found to be
one.
"""

from __future__ import annotations

import pytest

from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.proving.factorisation import polynomial_factors

# a polynomial, and the powers of its factors beside monomials
SQUARES = (
    ("1 + 2*exp(6 - s) + exp(12 - 2*s)", [2]),
    ("1 + 2*exp(32 - 4*s) + exp(64 - 8*s)", [2]),
    ("1 + 3*exp(200 - s) + 3*exp(400 - 2*s) + exp(600 - 3*s)", [3]),
    ("exp(2/3 - s) - exp(2/5)", [1]),
    ("1 - exp(-2*s)", [1, 1]),
    ("x^41 - 1", [1]),  # of a degree that is not factored
)


@pytest.mark.parametrize(("text", "powers"), SQUARES)
def test_factors_multiply_to_the_polynomial(text: str, powers: list[int]) -> None:
    p = normal(parse(text), Context.empty()).num
    c, found = polynomial_factors(p)
    assert algebra.multiply_factors(algebra.ONE, found).scale(c) == p
    assert sorted(k for f, k in found if len(f.terms) > 1) == powers
