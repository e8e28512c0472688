"""Each error is one plain sentence made of its fields, and all of them share one ancestor."""

from __future__ import annotations

import pytest

from ahdp_verify.kernel.errors import (
    AhdpError,
    BadInput,
    GrammarError,
    Rejected,
    Undecided,
    Unsupported,
)


def test_bad_input_says_where_why_and_what_to_do() -> None:
    error = BadInput("level", "-1 is negative", "levels lie in [0, oo]")
    assert (error.where, error.reason, error.cure) == (
        "level",
        "-1 is negative",
        "levels lie in [0, oo]",
    )
    assert str(error) == "level: -1 is negative; levels lie in [0, oo]"


def test_bad_input_without_a_cure_ends_after_the_reason() -> None:
    assert str(BadInput("level", "-1 is negative")) == "level: -1 is negative"


def test_a_grammar_error_is_bad_input_with_a_position() -> None:
    error = GrammarError("density", 7, "a number is missing", "write one")
    assert isinstance(error, BadInput)
    assert error.position == 7
    assert str(error) == "density: at character 7, a number is missing; write one"


def test_undecided_carries_its_guard() -> None:
    guard = object()
    assert Undecided(guard).guard is guard


@pytest.mark.parametrize("kind", [Unsupported, Rejected])
def test_a_reason_is_the_whole_sentence(kind: type[Unsupported] | type[Rejected]) -> None:
    error = kind("step 3 does not follow")
    assert error.reason == str(error) == "step 3 does not follow"


@pytest.mark.parametrize(
    "error",
    [BadInput("a", "b"), GrammarError("a", 1, "b"), Undecided(0), Unsupported("a"), Rejected("a")],
)
def test_one_handler_catches_everything_that_is_raised_on_purpose(error: AhdpError) -> None:
    with pytest.raises(AhdpError):
        raise error
