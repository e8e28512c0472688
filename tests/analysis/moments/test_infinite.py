"""Expectations that are infinite because of a divisor, and those that look infinite and are not
(E12 of STATEMENTS).
"""

from __future__ import annotations

import pytest

from ahdp_verify.analysis.moments.expectation import IntegrableLaw, expectation
from ahdp_verify.analysis.moments.infinite import find_infinite_mean
from ahdp_verify.kernel.model.outputs import integer, real
from ahdp_verify.kernel.numbers.algebra import constant
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import Abs, Expression, exp, name, piecewise
from ahdp_verify.kernel.terms.grammar import parse

EMPTY = Context.empty()
M, N = real("m"), real("n")
A, C = name("a"), name("c")
NOISE = exp(-Abs(M - A)) * exp(-Abs(N - C)) / 4


@pytest.mark.parametrize(
    ("of", "at"),
    [
        ("m/n", "0"),
        ("1/n", "0"),
        ("m/n^3", "0"),
        ("m/(2*n - 3)", "3/2"),
        ("(m + n)/n", "0"),
        ("m*n/(n + 1)", "-1"),
        ("m/abs(n)", "0"),
        ("5 - m/n", "0"),
        ("a/n + m/n", "0"),
        ("m/(n - c)", "c"),
    ],
)
def test_infinite(of: str, at: str) -> None:
    found = find_infinite_mean(parse(of), IntegrableLaw((M, N), NOISE), EMPTY)
    assert found is not None and found.output == "n" and str(found.at) == at
    value = normal(found.density, EMPTY) - normal(exp(-Abs(parse(at) - C)) / 2, EMPTY)
    assert value.is_zero and str(found.reason).startswith(
        "the density of n is continuous and positive at"
    )


@pytest.mark.parametrize(
    "of",
    [
        "n/n",
        "(n^2 - n)/n",
        "m*n/n",
        "0/n",
        "m/max(n, 1)",
        "m/(1 + abs(n))",
        "m",
        "a/n",
        "m/(n + m)",
        "(m - m)/n",
    ],
)
def test_not_shown_to_be_infinite(of: str) -> None:
    """a/n is infinite for a != 0 only, and nothing is known of a; the divisor n + m is none of
    one output.
    """
    assert find_infinite_mean(parse(of), IntegrableLaw((M, N), NOISE), EMPTY) is None


def test_a_known_coefficient_decides() -> None:
    here = EMPTY.given((normal(A, EMPTY) - constant(1)).num, ">")
    assert find_infinite_mean(A / N, IntegrableLaw((M, N), NOISE), here) is not None


@pytest.mark.parametrize(
    "density",
    [
        exp(-Abs(M)) / 2 * Abs(N) * exp(-Abs(N)) / 2,  # vanishes at 0
        exp(-Abs(M)) / 2 * piecewise((exp(1 - N), N.symbol > 1), (0, True)),  # not there
        exp(-Abs(M)) / 2 * exp(-Abs(N - M)) / 2,  # dependent
    ],
)
def test_other_densities(density: Expression) -> None:
    assert find_infinite_mean(M / N, IntegrableLaw((M, N), density), EMPTY) is None


def test_where_it_is_not_shown_the_mean_may_exist() -> None:
    """E[1/|n|] for the density |n| exp(-|n|)/2 is the integral of exp(-|n|)/2, which is 1."""
    assert (
        expectation(1 / Abs(N), IntegrableLaw((N,), Abs(N) * exp(-Abs(N)) / 2), EMPTY).as_rational
        == 1
    )


def test_whole_outputs_have_no_density() -> None:
    n = integer("n")
    assert (
        find_infinite_mean(
            1 / n, IntegrableLaw((n,), exp(-Abs(n))), Context.empty(frozenset(("n",)))
        )
        is None
    )
