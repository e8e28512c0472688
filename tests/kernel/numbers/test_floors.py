"""The sign of a floor less a number, against its values on a grid."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
from ahdp_verify.kernel.terms.grammar import parse, parse_condition


@pytest.mark.parametrize("low", [Fraction(-7, 2), Fraction(-1), Fraction(0), Fraction(5, 3)])
@pytest.mark.parametrize("width", [Fraction(1, 3), Fraction(2), Fraction(9)])
@pytest.mark.parametrize("closed", [True, False])
def test_the_sign_of_a_floor_less_a_number(low: Fraction, width: Fraction, closed: bool) -> None:
    """Held against the values on a grid that has all steps of the floor and both ends."""
    relation = "<=" if closed else "<"
    here = assume_condition(
        parse_condition(f"{low} {relation} s and s < {low + width}"), Context.empty()
    )
    grid = [low + width * Fraction(i, 360) for i in range(360)][0 if closed else 1 :]
    for n in (Fraction(-2), Fraction(-1, 2), Fraction(0), Fraction(1), Fraction(7, 3)):
        for k in (2, -3):
            signs = {(v > 0) - (v < 0) for v in (k * (math.floor(s / 2) - n) for s in grid)}
            found = here.ratio_signs(normal(parse(f"{k}*(floor(s/2) - ({n}))"), here))
            assert signs <= found
            if len(signs) == 1:
                assert found == signs
