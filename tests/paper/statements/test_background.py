"""The rows on background, AHDP, tests and bias: their content agrees with other computations."""

from __future__ import annotations

import pytest
import sympy

from ahdp_verify.paper.statements.background import clipped_mass
from ahdp_verify.paper.statements.power import errors_at_level_1, errors_of_test
from ahdp_verify.paper.statements.questions import comparison_check


@pytest.mark.parametrize(("m", "n"), [(0, 5), (1, 5), (4, 5), (1, 2)])
def test_the_limits_of_the_example_by_another_program(m: int, n: int) -> None:
    """sympy: m users at (1, d), n - m at (0, E); and the other coupling, which is where the
    printed 1 belongs.
    """
    d, big = sympy.symbols("d E", positive=True)
    centre = m * d / (m * d + (n - m) * big)
    assert sympy.limit(centre, d, 0) == 0 == sympy.limit(centre, big, sympy.oo)
    assert sympy.limit(1 / (m * d + (n - m) * big), big, sympy.oo) == 0
    if m:
        assert sympy.limit(m * big / (m * big + (n - m) * d), big, sympy.oo) == 1


def test_the_coin_by_integration() -> None:
    """sympy: the mass of 1 + L(10) up to -1 and from 3 on, for ten users at (1, 1/100)."""
    s = sympy.Symbol("s", real=True)
    below = sympy.integrate(sympy.exp((s - 1) / 10) / 20, (s, -sympy.oo, -1))
    above = sympy.integrate(sympy.exp(-(s - 1) / 10) / 20, (s, 3, sympy.oo))
    for end, wanted in (("-1", below), ("3", above)):
        assert sympy.simplify(sympy.sympify(str(clipped_mass(end))) - wanted) == 0


def test_the_errors_that_the_rows_quote() -> None:
    """Randomised response at level 1 by hand: both errors 1/(1 + e); the size tells two sizes
    apart without error.
    """
    response, size = (
        errors_of_test("paper/randomised-response-meets-testing-bound.toml", 0, 1, "s == 1", eps=1),
        errors_of_test("paper/exact-size-infinite-demand.toml", [0], [1], "n >= 1"),
    )
    assert {
        sympy.simplify(sympy.sympify(str(e)) - 1 / (1 + sympy.E))
        for e in (response.type_one, response.type_two)
    } == {0}
    assert str(size.type_one) == str(size.type_two) == "0"
    assert sympy.simplify(sympy.sympify(str(errors_at_level_1())) - 1) == 0


@pytest.mark.parametrize(
    ("left", "right"),
    [("max(abs(e - s), abs(e - s - m*f))", "m*abs(f)*501/1000"), ("abs(e - s)", "m*abs(f)/2")],
)
def test_the_bias_of_the_row_cannot_be_raised(left: str, right: str) -> None:
    """Half way between the two sums both biases are m |f|/2; one of them alone may be 0."""
    unknowns = {"e": "", "s": "", "m": "m >= 0", "f": ""}
    assert (
        comparison_check(left, ">=", right, unknowns=unknowns).ask(lambda said: None).word
        == "refuted"
    )
