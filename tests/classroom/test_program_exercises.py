"""Exercises about noise programs: outputs that refute a claim are accepted whatever they are, and
what is no pair of inputs, or no output, is told apart from what refutes nothing.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from ahdp_verify import dp, laplace, noise_program, number
from ahdp_verify.classroom.program_exercises import OutputsExercise, fraction_of
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.grammar import parse


@noise_program(parameters={"eps": "eps > 0"})
def signs(queries, eps):
    rho = laplace(1 / eps)
    for q in queries:
        yield q >= rho


EXERCISE = OutputsExercise(dp(signs, "eps", "increasing"), (("eps", number(1)),))


@pytest.mark.parametrize(
    ("outputs", "first", "second"),
    [
        ("true, false", "1, 0", "1, 1"),  # 0 < rho <= 1 against 1 < rho <= 1
        ('"True" , FALSE', "(1, 1)", "(1, 0)"),
        ("false, true, false", "0, 0.5, 0", "0, 1/2, 1"),
    ],
)
def test_every_refutation_is_right(outputs: str, first: str, second: str) -> None:
    found = EXERCISE.check(outputs, first, second)
    assert found.accepted is True and "the claim is false" in found.text


@pytest.mark.parametrize(
    ("outputs", "first", "second", "said"),
    [
        ("true", "0", "1", "with probability 1/2, with 1 with probability"),  # 1 - exp(-1)/2
        ("false", "0", "1", "the factor is not more"),  # 1/2 against exp(-1)/2: exactly e
        ("true, false", "1, 0", "0, 1", "no pair that the claim is about"),
        ("true", "0", "2", "no pair that the claim is about"),
        ("true", "0", "0, 0", "the same form"),
    ],
)
def test_what_refutes_nothing(outputs: str, first: str, second: str, said: str) -> None:
    found = EXERCISE.check(outputs, first, second)
    assert found.accepted is False and said in found.text


@pytest.mark.parametrize(
    ("outputs", "first", "second", "said"),
    [
        ("true", "0", " ", "Give an answer"),
        (None, "0", "1", "Give an answer"),
        ("yes", "0", "1", "'yes' is no output; use true and false"),
        ("true", "a", "1", "could not be used"),
        ("true", "0,0,0,0,0,0,0", "1", "there are 7 of them"),
    ],
)
def test_what_is_not_judged(outputs: str | None, first: str, second: str, said: str) -> None:
    found = EXERCISE.check(outputs, first, second)
    assert found.accepted is None and said in found.text


def test_an_answer_is_a_fraction() -> None:
    assert fraction_of(parse("1/3 + 8/3")) == 3 and fraction_of(parse("0.5")) == Fraction(1, 2)
    for text in ("log(2)", "x"):
        with pytest.raises(BadInput, match="no fraction"):
            fraction_of(parse(text))
