"""Exercises: right answers in any form are accepted, wrong ones come back with a reason, and what
cannot be read is neither.
"""

from __future__ import annotations

import json

import pytest

from ahdp_verify.classroom.exercises import (
    ChoiceExercise,
    ClaimExercise,
    EventExercise,
    RecordExercise,
    ValueExercise,
)
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.model.privacy import ahdp, dp, hdp
from ahdp_verify.kernel.terms.expression import Abs, eq, exp, name, number, oo
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.verify import verify

S = real("s")
W = Domain([(0, 1), (1, 2)])
SUM = Mechanism(
    W, outputs=[S], density=exp(-Abs(S - W.sum(lambda x, eps: x))) / 2, name="noisy sum"
)
LEVEL = ClaimExercise(lambda level: ahdp(SUM, level), "level")


@pytest.mark.parametrize("answer", ["x", "1", "x + 0*eps", "abs(x)", "log(3)", "eps", " x "])
def test_every_level_that_holds_is_right(answer: str) -> None:
    assert LEVEL.check(answer).accepted is True


@pytest.mark.parametrize("answer", ["x/2", "0", "999/1000*x", "log(2)"])
def test_a_level_that_is_too_small_comes_back_with_a_counterexample(answer: str) -> None:
    found = LEVEL.check(answer)
    assert found.accepted is False
    assert "Counterexample: {} against {(1, 2)}" in found.text


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, "Give an answer"),
        ("  ", "Give an answer"),
        ("2*(1 + x", "parenthesis is never closed"),
        ("y", "the name y is not known"),
        ("-1", "-1"),
        ("x > 1", "1 < x is a condition"),
        ("x; import os", "could not be used"),
    ],
)
def test_what_cannot_be_read_is_neither_right_nor_wrong(answer: str | None, said: str) -> None:
    found = LEVEL.check(answer)
    assert found.accepted is None and said in found.text


def test_an_infinite_level_says_nothing() -> None:
    assert LEVEL.check("oo").accepted is False
    assert "It says nothing" in LEVEL.check("oo").text


def test_an_answer_uses_only_the_names_that_it_may() -> None:
    only_numbers = ClaimExercise(lambda level: ahdp(SUM, level), "level", using=())
    assert only_numbers.check("1").accepted is True
    assert only_numbers.check("x").text.startswith(
        "This answer could not be used: level: it uses x"
    )


def test_with_a_best_answer_only_that_one_is_right() -> None:
    best = ClaimExercise(lambda level: ahdp(SUM, level), best=lambda: number(1), using=())
    assert [best.check(answer).accepted for answer in ("1", "2/2", "2", "1/2")] == [
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("answer", "accepted"),
    [
        ("1/(1 + exp(-a))", True),
        ("exp(a)/(exp(a) + 1)", True),
        ("1 - 1/(1 + exp(a))", True),
        ("exp(a)/(exp(a) + 2)", False),
        ("1", False),
        ("b", None),
    ],
)
def test_a_value_in_a_parameter(answer: str, accepted: bool | None) -> None:
    exercise = ValueExercise(parse("exp(a)/(1 + exp(a))"), "the share", {"a": "a > 0"})
    found = exercise.check(answer)
    assert found.accepted is accepted
    assert accepted is not False or "At a = " in found.text


def test_a_constant_is_not_told_to_who_has_it_wrong() -> None:
    exercise = ValueExercise(number("3/4"), "the share")
    assert exercise.check("0.75").accepted is True
    low, near = exercise.check("1/2"), exercise.check("0.751")
    assert (low.accepted, near.accepted) == (False, False)
    assert "too small" in low.text and "too large" in near.text and "it is near" in near.text
    assert "3/4" not in low.text + near.text


@pytest.mark.parametrize(
    ("event", "accepted"),
    [
        ("s < 0", True),
        ("s >= 1", True),
        ("s >= 0", False),
        ("s < 0 or s >= 0", False),
        ("s", None),
        ("x < 1", None),
    ],
)
def test_an_event_refutes_or_does_not(event: str, accepted: bool | None) -> None:
    """The sum of {} is 0, that of {(1, 2)} is 1, and the claim allows exp(1/2): P(s >= 0) is 1/2
    against 1 - exp(-1)/2 = 0.82, a factor of 1.63, which exp(1/2) = 1.65 just allows.
    """
    exercise = EventExercise(ahdp(SUM, "1/2"), (0, 0), (0, 1))
    assert exercise.check(event).accepted is accepted


def test_datasets_of_an_answer() -> None:
    exercise = EventExercise(ahdp(SUM, "1/2"))
    assert exercise.check("s < 0", "0, 0", "0, 1").accepted is True
    assert exercise.check("s < 0", "0, 1", "0, 0").accepted is True
    # two records away, the claim allows exp(1), and the event has the factor exp(2)
    assert exercise.check("s < 0", "0, 0", "0, 2").accepted is True
    for first in ("", None, "0", "0, -1", "a, b", "0, 99999999"):
        assert exercise.check("s < 0", first, "0, 1").accepted is None


def test_nothing_is_refuted_at_an_infinite_distance() -> None:
    assert EventExercise(ahdp(SUM, oo), (0, 0), (0, 1)).check("s < 0").accepted is False


@pytest.mark.parametrize(
    "claim", [hdp(SUM), dp(SUM, 1, "swap"), ahdp(SUM, number(1), delta=number("1/10"))]
)
def test_other_claims_do_not_bound_an_event_by_the_distance(claim: Claim) -> None:
    with pytest.raises(BadInput, match="is not about adding a record"):
        EventExercise(claim)


def test_a_path_between_datasets_stays_where_the_mechanism_is_defined() -> None:
    """Sizes 1 and 3 only: no two datasets are neighbouring, so nothing is claimed."""
    odd = Mechanism(
        W,
        outputs=[S],
        density=exp(-Abs(S - W.size)) / 2,
        defined=eq(W.size, 1) | eq(W.size, 3),
    )
    found = EventExercise(ahdp(odd, number("1/2"))).check("s < 1", "1, 0", "1, 2")
    assert found.accepted is None and "several records" in found.text


def test_choices() -> None:
    exercise = ChoiceExercise(
        {
            "level x": ahdp(SUM, name("x")),
            "level x/2": ahdp(SUM, name("x") / 2),
            "vacuous": hdp(SUM),
            "tangent": Inequality.of({"y": ""}, "1 + y", "<=", "exp(y)"),
        }
    )
    accepted = [exercise.check(choice).accepted for choice in exercise.choices]
    assert accepted == [True, False, False, True]
    assert exercise.check("another").accepted is None


def test_records() -> None:
    genuine = json.dumps(verify(ahdp(SUM, name("x"))).to_json())
    exercise = RecordExercise(
        {"genuine": genuine, "changed": genuine.replace('"1"', '"3"', 1), "none": "{}"}
    )
    assert genuine != exercise.records["changed"]
    accepted = [exercise.check(choice).accepted for choice in exercise.choices]
    assert accepted == [True, False, False]
    assert "/" not in exercise.check("changed").text  # no name of a temporary file
    assert exercise.check("another").accepted is None
