"""The worst two values of an interval: against calculus by hand, and against a fine grid of the
densities written down here in plain Python.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import pytest

from ahdp_verify.analysis.levels.tighten import tighten
from ahdp_verify.catalogue import local_intervals as local
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.model.real_values import RealValues
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms.expression import log, number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.verify import verify

UNIT = RealValues({"v": "0 <= v <= 1"})
Density = Callable[[float, float], float]


def noisy(query: str, inputs: RealValues = UNIT) -> Mechanism:
    return Mechanism(inputs, outputs=[real("s")], density=parse(f"exp(-abs(s - ({query})))/2"))


@pytest.mark.parametrize(
    ("query", "spread", "inputs"),
    [
        # v^2 (1 - v) is largest at 2/3, where it is 4/27
        ("27/4*v^2*(1 - v)", 1, UNIT),
        # v^4 (1 - v) is largest at 4/5, where it is 256/3125
        ("3125/256*v^4*(1 - v)", 1, UNIT),
        # its ends are 0, and v^3 - v is -+2/sqrt(27) at +-1/sqrt(3): no simple fraction
        ("v^3 - v", 4 / math.sqrt(27), RealValues({"v": "-1 <= v <= 1"})),
        # the smallest of a paraboloid lies inside the square
        ("(v[1] - 1/3)^2 + (v[2] - 3/5)^2", 4 / 9 + 9 / 25, RealValues({"v[2]": "0 <= v <= 1"})),
        # a narrow peak near 7/10
        ("1/(1 + 400*(v - 7/10)^2)", 1 - 1 / 197, UNIT),
    ],
)
def test_the_worst_values_may_lie_inside(query: str, spread: float, inputs: RealValues) -> None:
    """Laplace noise of scale 1 loses exactly the range of its query."""
    mechanism = noisy(query, inputs)
    below, above = (number(Fraction(math.floor(spread * k), 1000)) for k in (995, 1005))
    found = verify(Claim(mechanism, "any", below))
    assert isinstance(found, Refuted)
    assert not isinstance(verify(Claim(mechanism, "any", above)), Refuted)


def test_the_worst_value_inside_is_a_simple_fraction() -> None:
    found = verify(Claim(noisy("27/4*v^2*(1 - v)"), "any", number("99/100")))
    assert isinstance(found, Refuted)
    sides = {str(found.counterexample.first[0]), str(found.counterexample.second[0])}
    assert "2/3" in sides and sides & {"0", "1"}


def one_bit(v: float, b: float) -> float:
    often = (1 + v * (math.e - 1)) / (math.e + 1)
    return often if b == 1 else 1 - often


def window(v: float, t: float) -> float:
    half = math.exp(0.5)
    c, p = (half + 1) / (half - 1), (math.e - half) / (2 * half + 2)
    low = v * (c + 1) / 2 - (c - 1) / 2
    return p if low <= t <= low + c - 1 else p / math.e if abs(t) <= c else 0.0


def laplace(v: float, s: float) -> float:
    return math.exp(-abs(s - v) / 2) / 4


def staircase(v: float, s: float) -> float:
    height = (1 - math.exp(-1)) / (2 * (1 + math.exp(-1)))
    return height * math.exp(-math.floor(abs(s - v) / 2 + 0.5))


@pytest.mark.parametrize(
    ("make", "density", "low", "outputs"),
    [
        (local.one_bit_mean, one_bit, 0, [0.0, 1.0]),
        (local.piecewise_mechanism, window, -1, [k / 20 for k in range(-81, 82)]),
        (local.local_laplace, laplace, -1, [k / 10 for k in range(-50, 51)]),
        (local.local_staircase, staircase, -1, [k / 10 + 0.003 for k in range(-80, 81)]),
    ],
)
def test_published_mechanisms_lose_exactly_eps(
    make: Callable[..., Mechanism], density: Density, low: int, outputs: list[float]
) -> None:
    """At eps = 1 the largest ratio of the densities on a grid is exp(1) for all of them."""
    values = [low + (1 - low) * k / 20 for k in range(21)]
    seen = max(
        math.log(density(v, t) / density(w, t))
        for v, w in itertools.permutations(values, 2)
        for t in outputs
        if density(w, t) > 0
    )
    assert abs(seen - 1) < 1e-9
    mechanism = make(local.EPS, local.POSITIVE)
    assert isinstance(verify(Claim(mechanism, "any", local.EPS)), Proved)
    assert isinstance(verify(Claim(mechanism, "any", parse("999/1000*eps"))), Refuted)
    (row,) = tighten(mechanism, "any").rows
    assert row.level == local.EPS


def test_least_levels_at_ends_that_depend_on_a_parameter() -> None:
    """P[b = 1] is linear in v, between (1 + m)/(2 + m) at m and 1/(2 + m) at 0."""
    M = Mechanism(
        RealValues({"v": "0 <= v <= m"}),
        outputs=[finite("b", [0, 1])],
        density=parse("piecewise(((1 + v)/(2 + m), b == 1), ((1 + m - v)/(2 + m), true))"),
        parameters={"m": "m > 0"},
    )
    (row,) = tighten(M, "any").rows
    assert row.level == log(parse("1 + m"))
