"""Exercises about written proofs."""

from __future__ import annotations

import pytest

from ahdp_verify.classroom.proof_exercises import (
    HOLDS,
    FalseLineExercise,
    ProofExercise,
    argument_markdown,
    read_steps,
)
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.steps import Argument, Step

ORDER = Inequality.of({"y": "y >= 0", "z": "z >= 1"}, "exp(y)*z", ">=", "1", name="order")


def argument(text: str) -> Argument:
    return Argument(ORDER, read_steps(ORDER.left, text))


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (">= z\n>= 1", HOLDS),
        (">= z by exp(y) >= 0\n>= 1", "step 1"),
        (">= 2*z\n>= 2\n>= 1", "step 1"),
        (">= z\n>= 2\n>= 1", "step 2"),
        ("== z\n>= 2\n>= 1", "step 1"),
    ],
)
def test_only_the_first_step_that_fails_is_right(text: str, right: str) -> None:
    exercise = FalseLineExercise(argument(text))
    accepted = {choice: exercise.check(choice).accepted for choice in exercise.choices}
    assert [choice for choice, found in accepted.items() if found] == [right]
    assert None not in accepted.values()


def test_a_chain_that_does_not_arrive_is_not_a_proof() -> None:
    exercise = FalseLineExercise(argument(">= z"))
    found = exercise.check(HOLDS)
    assert found.accepted is False and "does not end with 1" in found.text
    assert exercise.check("step 1").accepted is False
    assert exercise.check("step 7").accepted is None


def test_a_later_failure_is_not_the_first() -> None:
    exercise = FalseLineExercise(argument("== z\n>= 2\n>= 1"))
    assert "an earlier step fails" in exercise.check("step 2").text


@pytest.mark.parametrize(
    ("text", "accepted", "said"),
    [
        (">= z\n>= 1", True, "each of the 2 steps"),
        (">= z by exp(y) >= 1, z >= 1\n\n>= 1", True, "each of the 2 steps"),
        ("= z*exp(y)\n>= z since exp(y) >= 1\n>= 1", True, "each of the 3 steps"),
        (">= 1", False, "Step 1 is the statement itself"),
        ("= z*exp(y)\n>= 1", False, "Step 2 is the statement itself"),
        (">= z", False, "does not end with 1"),
        (">= 2*z\n>= 1", False, "Step 1, exp(y)*z >= 2*z, fails at"),
        (">= z by exp(y) >= 2\n>= 1", False, "rests on 2 <= exp(y), which fails at"),
        (">= z by exp(y) >= 1/2\n>= 1", False, "does not follow from"),
        ("<= 2*exp(y)*z\n>= 1", False, "goes against the direction"),
        ("z\n>= 1", None, "line 1: it has no relation"),
        (">= z\n>= ?", None, "line 2"),
        (">= w\n>= 1", None, "the name w is not known"),
        (">= z\n" * 30, None, "at most 20"),
        ("", None, "Give an answer"),
    ],
)
def test_proofs_of_students(text: str, accepted: bool | None, said: str) -> None:
    found = ProofExercise(ORDER).check(text)
    assert found.accepted is accepted and said in found.text


def test_lines_that_cannot_be_read_are_named() -> None:
    with pytest.raises(BadInput, match="line 2"):
        read_steps(parse("z"), ">= 1\nhence 0")


def test_the_markdown_of_an_argument() -> None:
    cited = Step(parse("0"), "==", parse("0"), "by minimax", cited=True)
    text = argument_markdown(Argument(ORDER, (*argument(">= z by exp(y) >= 1").steps, cited)))
    assert text.splitlines() == [
        r"*To show*: $\displaystyle e^{y} \, z \ge 1$, where $0 \le y$, $1 \le z$.",
        "",
        r"**Step 1.** $\displaystyle e^{y} \, z \ge z$ (since $1 \le e^{y}$)",
        "",
        "**Step 2.** by minimax",
    ]
