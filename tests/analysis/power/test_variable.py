"""The one variable of an optimum: its value for levels of each kind, and its trees against floating
point.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from ahdp_verify import Domain
from ahdp_verify.analysis.power.claims import best_claim
from ahdp_verify.analysis.power.variable import Variable, variable_of
from ahdp_verify.decimals import approximate_rational
from ahdp_verify.kernel.errors import NotWorkedOut
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, truth
from ahdp_verify.kernel.rules.best_power import BestClaim
from ahdp_verify.kernel.terms.expression import Expression, log, name, number, pi, sqrt, substitute
from ahdp_verify.plots import float_value as value_near

EPS = name("eps")


def of(*demands: Any, **parameters: str) -> tuple[BestClaim, Variable]:
    W = Domain(list(enumerate(demands)))
    rows = [(0,) * len(demands), (1,) * len(demands)]
    claim = best_claim(W, rows, ["0"], [[(0, 0, 1)]], 1, parameters=parameters)
    return claim, variable_of(claim, [])


@pytest.mark.parametrize(
    ("demands", "text"),
    [
        ((log(2), log(3)), "exp(-1)"),
        (("1/2", "1/3", 1), "exp(-1/6)"),
        ((log(2) / 1, "3/4"), "exp(-3/4)"),
        (("1/2", 0), "exp(-1/2)"),
    ],
)
def test_constant_levels(demands: Any, text: str) -> None:
    claim, variable = of(*demands)
    if variable.atom is not None:
        assert variable.text in (text, "exp(-1/4)")
    for cost in claim.costs():
        assert cost is not None
        tree = variable.tree(variable.number(cost))
        assert math.isclose(value_near(tree), float(approximate_rational(cost)), rel_tol=1e-12)


@pytest.mark.parametrize(
    ("demands", "root"),
    [((EPS,), 1), ((EPS / 2, EPS), 2), ((2 * EPS, EPS / 3), 3), ((EPS / 2, EPS / 3, log(2)), 6)],
)
@pytest.mark.parametrize("condition", ["eps > 0", "eps > log(2)", "eps < 1/10", "3 < eps < 4"])
def test_levels_in_eps(demands: Any, root: int, condition: str) -> None:
    """The sample satisfies the condition, and trees have the values of their functions there."""
    claim, variable = of(
        *demands, eps=condition if "<" not in condition or "3" in condition else f"0 < {condition}"
    )
    assert variable.root == root and variable.field.sample is not None
    value = number(root) * log(number(1 / variable.field.sample))
    assert all(truth(substitute(c, {"eps": value}), Context.empty()) for _, c in claim.parameters)
    q = variable.field.variable
    for f in (q, 1 / (1 + q), (q - Fraction(1, 2)) / (2 * q + 3), q * 0, q**3 / 7):
        tree = substitute(variable.tree(f), {"eps": value})
        assert math.isclose(value_near(tree), float(f), abs_tol=1e-12)
    for cost in claim.costs():
        assert (
            cost is not None
            and (normal(variable.tree(variable.number(cost)), Context.empty()) - cost).is_zero
        )


@pytest.mark.parametrize("demands", [(EPS, "1/2"), (sqrt(2), 1), (pi,), (EPS * EPS, EPS)])
def test_levels_without_one_exponential(demands: tuple[Expression, ...]) -> None:
    with pytest.raises(NotWorkedOut, match="level"):
        claim, variable = of(*demands, eps="eps > 0")
        [variable.number(cost) for cost in claim.costs() if cost is not None]


def test_conditions_that_nothing_satisfies() -> None:
    for condition in ("0 < eps < 0", "eps > 1000"):
        with pytest.raises(NotWorkedOut, match="no value that satisfies"):
            of(EPS, eps=condition)
