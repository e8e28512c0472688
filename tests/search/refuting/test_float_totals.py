"""Totals of laws in floats against closed forms, which are worked out by hand in the comments."""

from __future__ import annotations

import math

import pytest

from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.terms.expression import Abs, Expression, eq, exp, number, piecewise
from ahdp_verify.search.refuting.float_totals import FloatTotals, integral, tail

W = Domain([(1, 1), (2, 1)])
POINT: dict[Expression, float] = {W.size: 3.0}
s, t, k, b = real("s"), real("t"), integer("k"), finite("b", ("no", "yes"))


def total(*outputs: object, density: Expression) -> float:
    """The total of a law where there are three records."""
    found = FloatTotals.of(Mechanism(W, outputs=outputs, density=density))  # type: ignore[arg-type]
    assert found is not None
    return found.at(POINT)


@pytest.mark.parametrize("scale", ["1/100", "1", "500"])
def test_laplace_noise_of_any_scale(scale: str) -> None:
    law = exp(-Abs(s - W.size) / number(scale)) / (2 * number(scale))
    assert total(s, density=law) == pytest.approx(1, abs=1e-8)


def test_two_sided_geometric_noise() -> None:
    # the sum of q^|k - n| over all k is 1 + 2 (q + q^2 + ...) = (1 + q)/(1 - q), q = 1/e
    assert total(k, density=exp(-Abs(k - W.size))) == pytest.approx(
        (1 + math.exp(-1)) / (1 - math.exp(-1)), abs=1e-9
    )


def test_products_and_finite_outputs() -> None:
    # a product of two Laplace laws, a quarter of it for one value and all of it for the other
    one = exp(-Abs(s - W.size)) / 2
    other = exp(-Abs(t)) / 2
    law = one * other * piecewise((1, eq(b, "no")), (4, True)) / 4
    assert total(s, t, b, density=law) == pytest.approx(5 / 4, abs=1e-8)


def test_a_total_that_is_not_1_is_seen() -> None:
    law = exp(-Abs(s - W.size)) * 7 / 15
    assert total(s, density=law) == pytest.approx(14 / 15, abs=1e-8)


def test_what_does_not_decay_has_no_total() -> None:
    with pytest.raises(ValueError, match="tail"):
        tail(lambda low, high: math.log((high + 1) / (low + 1)))  # the integral of 1/(x + 1)


def test_integrals_of_smooth_functions() -> None:
    assert integral(math.sin, 0.0, math.pi) == pytest.approx(2, abs=1e-11)
    assert integral(lambda x: x**9, 0.0, 1.0) == pytest.approx(1 / 10, abs=1e-12)
