"""Proofs of claims with a delta about programs that draw Gaussian noise."""

from __future__ import annotations

import math
from typing import Any

import pytest
from scipy import optimize, stats

from ahdp_verify import argmax, dp, explain, gaussian, laplace, noise_program, verify
from ahdp_verify.search.programs.cuts import end_of_tail, tail


@noise_program(parameters={"sigma": "sigma > 0", "delta": "0 < delta and delta < 1"})
def answer(queries: Any, sigma: Any, delta: Any) -> Any:
    return queries[0] + gaussian(sigma)


@noise_program(parameters={"T": ""})
def above(queries: Any, T: Any) -> Any:
    rho = gaussian(10)
    for q in queries:
        if q + gaussian(20) >= T + rho:
            yield True
            return
        yield False


@noise_program(parameters={})
def largest(queries: Any) -> Any:
    return argmax(q + gaussian(10) for q in queries)


def word(*claimed: Any, **more: Any) -> str:
    return verify(dp(*claimed, **more)).word


def test_the_gaussian_mechanism_for_all_parameters() -> None:
    level = "sqrt(2*log(1/delta))/sigma + 1/(2*sigma^2)"
    assert word(answer, level, "all", queries=1, delta="delta") == "Proved"
    assert word(answer, f"{level} - 1/1000", "all", queries=1, delta="delta") == "Unknown"


def test_the_gaussian_mechanism_with_the_usual_scale() -> None:
    # sqrt(2 log(1.25/delta)) < 4845/1000 for delta = 10^-5, and eps <= 1 (Dwork, Roth 2014, A.1)
    @noise_program(parameters={"eps": "0 < eps and eps <= 1"})
    def usual(queries: Any, eps: Any) -> Any:
        return queries[0] + gaussian(4845 / (1000 * eps))

    assert math.sqrt(2 * math.log(1.25e5)) < 4.845 < math.sqrt(2 * math.log(1.25e5)) + 1e-3
    assert word(usual, "eps", "all", queries=1, delta="1/100000") == "Proved"
    assert word(usual, "eps", "all", queries=1, delta="1/1000000") == "Unknown"


def least(of_threshold: float, of_answer: float, drawn: int, delta: float) -> float:
    """The least cost of shifts of two sizes over their deviations, where one noise of the first
    kind and `drawn` of the second are cut.
    """

    def cost(z: float) -> float:
        mills = [2 * stats.norm.pdf(z) / z]
        rest = (delta - mills[0]) / drawn
        if rest <= 0:
            return math.inf
        other = optimize.brentq(lambda y: 2 * stats.norm.pdf(y) / y - rest, 0.1, 30)
        return z * of_threshold + other * of_answer

    found = optimize.minimize_scalar(cost, bounds=(4, 9), method="bounded")
    return float(found.fun) + (of_threshold**2 + of_answer**2) / 2


def test_sparse_vector_for_a_fixed_number_of_queries() -> None:
    # the threshold is shifted by 1, the answer above it by 2
    expected = least(1 / 10, 2 / 20, 10, 1e-6)
    assert word(above, f"{expected + 0.01:.4f}", "all", queries=10, delta="1/1000000") == "Proved"
    assert word(above, f"{expected + 0.01:.4f}", "all", delta="1/1000000") == "Unknown"


def test_noisy_max() -> None:
    # the noise of the winner is shifted by 2; five noises are cut
    z = optimize.brentq(lambda y: 2 * stats.norm.pdf(y) / y - 1e-5 / 5, 1, 9)
    expected = 2 * z / 10 + 4 / 200
    assert word(largest, f"{expected + 0.001:.4f}", "all", queries=5, delta="1/100000") == "Proved"
    assert word(largest, f"{expected - 0.001:.4f}", "all", queries=5, delta="1/100000") == "Unknown"


def test_what_needs_no_cut_has_none() -> None:
    @noise_program(parameters={"eps": "eps > 0"})
    def both(queries: Any, eps: Any) -> Any:
        return queries[0] + laplace(1 / eps), gaussian(1)

    for delta in ("0", "1/100"):
        verdict = verify(dp(both, "eps", "all", queries=1, delta=delta))
        assert verdict.word == "Proved" and "cut noise" not in str(verdict)


def test_reasons() -> None:
    none = str(verify(dp(answer, "1/sigma", "all", queries=1)))
    assert "at the price of a delta > 0" in none and "no exact probabilities" in none
    many = str(verify(dp(above, "1", "all", delta="1/1000")))
    assert "give a number of queries" in many
    dear = str(verify(dp(largest, "1/2", "all", queries=3, delta="1/100000")))
    assert "alone costs" in dear


def test_what_is_told_of_a_proof() -> None:
    told = str(explain(verify(dp(largest, "1", "all", queries=3, delta="1/100000"))))
    assert "but with probability 1/100000 or less" in told
    assert "t*abs(s)/b^2 + s^2/(2*b^2)" in told
    whole = str(
        explain(verify(dp(answer, "5/sigma + 1/(2*sigma^2)", "all", queries=1, delta="1/100000")))
    )
    assert "between -t and t = 9*sigma/2" in whole


@pytest.mark.parametrize("z", [1.0, 4.0, 8.0])
def test_tails(z: float) -> None:
    assert tail(z) >= 2 * stats.norm.sf(z)
    assert end_of_tail(tail(z)) == pytest.approx(z)
