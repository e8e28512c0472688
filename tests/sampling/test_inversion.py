"""Draws from smooth densities, held against SciPy's own distributions and against exact cells."""

from __future__ import annotations

import pytest
from scipy import stats

from ahdp_verify.kernel.errors import NotWorkedOut
from ahdp_verify.kernel.model.domain import Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import integer, real
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.sampling.goodness_of_fit import goodness_of_fit
from ahdp_verify.sampling.sample import sample

LAWS = {
    "exp(-(s - v)^2/8)/(2*sqrt(2*pi))": lambda v: stats.norm(v, 2),
    "1/(pi*(1 + (s - v)^2))": lambda v: stats.cauchy(v),
    "exp(-(s - v))/(1 + exp(-(s - v)))^2": lambda v: stats.logistic(v),
    "2/(pi*sqrt(3)*(1 + (s - v)^2/3)^2)": lambda v: stats.t(3, v),
    "(1 + abs(s - v))*exp(-abs(s - v))/4": None,
    "piecewise((6*s*(1 - s), 0 <= s and s <= 1), (0, true))": lambda v: stats.beta(2, 2),
}


def mechanism(density: str) -> Mechanism:
    return Mechanism(Values([0, 3]), outputs=[real("s")], density=parse(density), name="smooth")


@pytest.mark.parametrize("density", LAWS)
def test_draws_follow_the_law(density: str) -> None:
    """Kolmogorov and Smirnov's test where SciPy knows the law, and exact cells everywhere."""
    m = mechanism(density)
    for v in (0, 3):
        law = LAWS[density]
        if law is not None:
            assert stats.kstest(sample(m, v, 2000, v + 1), law(v).cdf).pvalue > 1e-4
        found = goodness_of_fit(m, v, 1000, v + 1)
        assert found.p_value > 1e-4 and found.freedom


def test_a_law_without_a_total_is_refused() -> None:
    with pytest.raises(NotWorkedOut, match=r"total|no way to draw"):
        sample(mechanism("1/(1 + abs(s - v))"), 0, 100, 1)


def test_whole_outputs_are_drawn_from_a_table() -> None:
    """The sum of two geometric noises of ratio 1/2; its exact probabilities are those of the
    cells.
    """
    law = parse("(1/2)^abs(k - v)*(3*abs(k - v) + 5)/27")
    m = Mechanism(Values([0, 3]), outputs=[integer("k")], density=law, name="two noises")
    for v in (0, 3):
        found = goodness_of_fit(m, v, 1000, v + 1)
        assert found.p_value > 1e-4 and found.freedom
