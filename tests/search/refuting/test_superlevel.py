"""Intervals on which one density exceeds a multiple of the other, found in floats.

What is expected of an interval is computed by hand or with the normal distribution of `math.erfc`.
"""

from __future__ import annotations

import math

import pytest

from ahdp_verify.kernel.model.outputs import integer, real
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.refuting.superlevel import (
    log_function,
    sample_outputs,
    superlevel_events,
)

S = real("s")


def intervals(
    p: str, q: str, level: float, points: tuple[str, ...] = ()
) -> list[tuple[float, float]]:
    """The ends of what is found."""
    laws = parse(p), parse(q)
    found = superlevel_events(laws, S, level, tuple(map(parse, points)))
    return [
        (-math.inf if a is None else float(a.args[0]), math.inf if b is None else float(b.args[0]))
        for event in found
        for _, a, b in event.intervals
    ]


def normal_below(x: float, mean: float = 0.0) -> float:
    return math.erfc(-(x - mean) / math.sqrt(2)) / 2


@pytest.mark.parametrize("level", [0.5, 1.0, 3.0, 10.0, 30.0])
def test_gaussian_noise_exceeds_every_level_in_a_tail(level: float) -> None:
    """The loss at s of centres 0 and 1 is 1/2 - s."""
    ((low, high), *_) = intervals("exp(-s^2/2)", "exp(-(s - 1)^2/2)", level)
    assert low == -math.inf and high <= 1 / 2 - level
    assert normal_below(high) > math.exp(level) * normal_below(high, 1.0) > 0


def test_the_interval_of_cauchy_noise_is_where_the_loss_exceeds_the_level() -> None:
    level = 0.95  # of at most log((3 + sqrt(5))/2) = 0.9624, at s = -0.618
    ((low, high), *_) = intervals("1/(1 + s^2)", "1/(1 + (s - 1)^2)", level)
    assert low < (1 - math.sqrt(5)) / 2 < high
    for s in (low, high):
        assert math.log((1 + (s - 1) ** 2) / (1 + s**2)) >= level


def test_nothing_above_the_largest_loss() -> None:
    assert intervals("1/(1 + s^2)", "1/(1 + (s - 1)^2)", 0.9625) == []
    assert intervals("exp(-abs(s))", "exp(-abs(s - 1))", 1.0001, ("0", "1")) == []


def test_an_end_at_a_point_of_the_law_is_that_point() -> None:
    law = "piecewise(({}, 0 <= s and s <= 1), (0, true))"
    ((low, high), *_) = intervals(law.format("2 - 2*s"), law.format("1"), 0.6, ("0", "1"))
    assert low == 0 and high <= 1 - math.exp(0.6) / 2


def test_where_only_the_second_density_vanishes() -> None:
    p, q = "piecewise((1, 0 <= s and s <= 1), (0, true))", "piecewise((1/2, 1/2 <= s), (0, true))"
    ((low, high), *_) = intervals(p, q, 5.0, ("0", "1/2", "1"))
    assert (low, high) == (0, 1 / 2)


def test_whole_outputs_are_left_to_others() -> None:
    laws = parse("exp(-k^2)"), parse("exp(-(k - 1)^2)")
    assert list(superlevel_events(laws, integer("k"), 1.0, ())) == []


@pytest.mark.parametrize(
    ("text", "at", "sign", "size"),
    [
        ("exp(-s^2)", 100.0, 1, -1e4),
        ("exp(-s^2) + exp(-s^2 - 1)", 100.0, 1, -1e4 + math.log1p(math.exp(-1))),
        ("-3*exp(s)", 1000.0, -1, 1000 + math.log(3)),
        ("(1 + exp(s))^(-2)", 1000.0, 1, -2000.0),
        ("s^3", -2.0, -1, math.log(8)),
        ("s - s", 1.0, 0, -math.inf),
        ("piecewise((exp(s), s > 2), (1, true))", 1.0, 1, 0.0),
    ],
)
def test_logarithms_do_not_overflow(text: str, at: float, sign: int, size: float) -> None:
    found, value = log_function(parse(text))({"s": at})
    assert found == sign and (value == size or abs(value - size) < 1e-9 * abs(size) + 1e-12)


def test_samples_are_beside_the_points_and_far_out() -> None:
    found = sample_outputs((0.0, 1.0))
    assert found == sorted(found) and found[0] < -(10**6) and found[-1] > 10**6
    assert any(0 < s < 1e-8 for s in found) and any(-1e-8 < s < 0 for s in found)
