"""Every limit stops a search with a sentence that names it; every limit without a meaning is
refused.
"""

from __future__ import annotations

import dataclasses
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ahdp_verify.kernel.errors import AhdpError, BadInput
from ahdp_verify.search.limits import (
    MOST_BITS,
    MOST_COUNT,
    MOST_SECONDS,
    Clock,
    Limits,
    OutOfLimits,
)


class Time:
    """A time that passes only when told to."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


def test_the_defaults_are_the_documented_ones() -> None:
    assert Limits() == Limits(seconds=60, bits=4096, pieces=20_000, records=12)


def test_limits_are_frozen_and_given_by_name() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Limits().seconds = 1  # type: ignore[misc]
    with pytest.raises(TypeError):
        Limits(60)  # type: ignore[call-arg]


def test_time_that_is_left_does_not_stop_a_search() -> None:
    now = Time()
    clock = Limits(seconds=60).clock(now)
    assert clock.left == 60
    now.seconds += 59
    clock.check("trying case splits")
    assert clock.left == 1


@pytest.mark.parametrize(("seconds", "shown"), [(60, "60 s"), (0.5, "0.5 s"), (3600, "3600 s")])
def test_time_that_is_up_stops_with_the_whole_reason(seconds: float, shown: str) -> None:
    now = Time()
    clock = Limits(seconds=seconds).clock(now)
    now.seconds += seconds
    with pytest.raises(OutOfLimits) as stop:
        clock.check("trying case splits")
    assert (
        stop.value.reason
        == str(stop.value)
        == f"stopped after {shown} while trying case splits; give --seconds a larger value"
    )
    assert (stop.value.limit, stop.value.what) == ("seconds", "trying case splits")
    assert isinstance(stop.value, AhdpError)
    assert clock.left == 0


def test_time_is_never_left_below_0() -> None:
    now = Time()
    clock = Limits(seconds=1).clock(now)
    now.seconds += 5
    assert clock.left == 0


def test_counting_asks_for_the_time_too() -> None:
    now = Time()
    clock = Limits(seconds=1).clock(now)
    now.seconds += 2
    with pytest.raises(OutOfLimits, match="--seconds"):
        clock.count(1, "splitting boxes")


@given(st.integers(1, 50), st.lists(st.integers(0, 20), max_size=20))
def test_pieces_stop_exactly_when_their_sum_is_too_large(most: int, steps: list[int]) -> None:
    clock = Clock(Limits(pieces=most))
    counted = 0
    for step in steps:
        counted += step
        if counted <= most:
            clock.count(step, "splitting boxes")
            continue
        with pytest.raises(OutOfLimits) as stop:
            clock.count(step, "splitting boxes")
        assert (
            stop.value.reason
            == f"stopped after {most} pieces while splitting boxes; give --pieces a larger value"
        )
        assert stop.value.limit == "pieces"
    assert clock.pieces == counted


def test_two_clocks_of_the_same_limits_count_apart() -> None:
    limits = Limits(pieces=1)
    limits.clock().count()
    limits.clock().count()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *[
            ("seconds", value)
            for value in (0, 0.0, -1, math.inf, math.nan, 10**400, True, "60", None)
        ],
        *[("bits", value) for value in (52, MOST_BITS + 1, 64.0, True, "64", None)],
        *[("pieces", value) for value in (0, -1, MOST_COUNT + 1, 1.5, False)],
        *[("records", value) for value in (-1, MOST_COUNT + 1, 2.0, True)],
    ],
)
def test_a_limit_without_a_meaning_is_refused_by_name(field: str, value: object) -> None:
    with pytest.raises(BadInput) as refusal:
        Limits(**{field: value})  # type: ignore[arg-type]
    assert refusal.value.where == field
    assert refusal.value.cure.startswith("give a ")


def test_the_ends_of_every_range_are_allowed() -> None:
    Limits(seconds=1e-9, bits=53, pieces=1, records=0)
    Limits(seconds=MOST_SECONDS, bits=MOST_BITS, pieces=MOST_COUNT, records=MOST_COUNT)
