"""Rational functions of one variable against fractions: they are what they are at points, and
ordered by their value at the sample.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

import pytest

from ahdp_verify.analysis.power.rational_functions import (
    FunctionField,
    RationalFunction,
    solve_function_system,
)
from tests.sweeps import swept

F = Fraction


def at(f: RationalFunction, x: Fraction) -> Fraction:
    top, bottom = (
        sum((F(int(c.p), int(c.q)) * x**n for n, c in enumerate(p.coeffs())), F(0))
        for p in (f.num, f.den)
    )
    return top / bottom


def test_arithmetic_is_that_of_values() -> None:
    rng, field = random.Random(3), FunctionField(F(2, 5))
    for _ in range(200):
        f, g = (
            sum((field.of(rng.randint(-3, 3)) * field.variable**n for n in range(3)), field.of(0))
            / (1 + field.variable ** rng.randint(0, 2))
            for _ in range(2)
        )
        x = F(rng.randint(1, 9), 11)
        assert (at(f + g, x), at(f - g, x), at(f * g, x), at(2 - f, x), at(-f, x), at(f**2, x)) == (
            at(f, x) + at(g, x),
            at(f, x) - at(g, x),
            at(f, x) * at(g, x),
            2 - at(f, x),
            -at(f, x),
            at(f, x) ** 2,
        )
        if g:
            assert (
                f / g * g == f and at(1 / g, F(2, 5)) == 1 / at(g, F(2, 5))
                if at(g, F(2, 5)) and at(g, x)
                else True
            )
        assert (f < g) == (at(f, F(2, 5)) < at(g, F(2, 5))) and (f > g) == (
            at(f, F(2, 5)) > at(g, F(2, 5))
        )
        assert (f == g) == all(at(f, F(k, 13)) == at(g, F(k, 13)) for k in range(1, 12))
        assert hash(f) == hash(f + g - g) and math.isclose(
            float(f), float(at(f, F(2, 5))), abs_tol=1e-12
        )


def test_the_order_at_an_exponential() -> None:
    """Q = exp(-1/2) = 0.6065...; polynomials that differ by 10^-40 there are still told apart."""
    field = FunctionField(None, 2)
    q = field.variable
    assert q < F(6066, 10000) and q > F(6065, 10000) and math.isclose(float(q), math.exp(-0.5))
    near = F(round(F(math.exp(-0.5)) * 10**10), 10**10)
    assert field.sign((q - near).num) in (1, -1) and field.sign((q - q).num) == 0
    small = (q - near) ** 8
    assert not small < 0 and small > 0


def test_division_by_nothing() -> None:
    field = FunctionField(F(1, 2))
    with pytest.raises(ZeroDivisionError):
        _ = field.variable / (field.variable - field.variable)


@pytest.mark.parametrize("seed", swept(range(5), 2))
def test_systems_of_equations(seed: int) -> None:
    rng, field = random.Random(seed), FunctionField(F(1, 3))
    entries: list[Any] = [
        F(0),
        F(1),
        F(-2, 3),
        field.variable,
        1 - field.variable,
        1 / (1 + field.variable),
    ]
    matrix = [[rng.choice(entries) for _ in range(4)] for _ in range(4)]
    solution = [rng.choice(entries) for _ in range(4)]
    right = [
        sum((a * x for a, x in zip(row, solution, strict=True)), field.of(0)) for row in matrix
    ]
    found = solve_function_system(matrix, right)
    if found is not None:
        assert all(x == y for x, y in zip(found, solution, strict=True))
    else:
        assert (
            solve_function_system(
                [*matrix[:3], [a + b for a, b in zip(matrix[0], matrix[1], strict=True)]], right
            )
            is None
        )


def test_singular_systems() -> None:
    q = FunctionField(F(1, 3)).variable
    assert solve_function_system([[q, 1 - q], [2 * q, 2 - 2 * q]], [F(1), F(2)]) is None


@pytest.mark.parametrize(("sample", "root"), [(F(1, 3), 1), (None, 2)])
def test_numbers_that_no_float_holds(sample: Fraction | None, root: int) -> None:
    """Q is 1/3 or exp(-1/2); Q^4000 is below all floats, its inverse above them; quotients of
    such numbers are near what they are, and logarithms always.
    """
    field = FunctionField(sample, root)
    q, log = field.variable, math.log(1 / 3) if sample else -1 / 2
    small = q**4000
    assert (
        float(small) == 0.0
        and math.isclose(small.logarithm(), 4000 * log)
        and math.isclose((1 / (-small)).logarithm(), -4000 * log)
    )
    assert math.isclose(float((1 + 2 * small) / (q + small)), math.exp(-log)) and math.isclose(
        float(small / (small + q**4001)), 1 / (1 + math.exp(log))
    )
    with pytest.raises(OverflowError):
        float(1 / small)
