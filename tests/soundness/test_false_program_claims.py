"""Claims about noise programs that are false or have no meaning, and that were once proved in an
adversarial review.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from ahdp_verify.kernel.checker import check, refute_program
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.evidence.alignment import Alignment, PathShifts, WholeRuns
from ahdp_verify.kernel.evidence.program_counterexample import OutputEvent, ProgramCounterexample
from ahdp_verify.kernel.model.answers import Answers, RecordAnswers
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.program import (
    Contest,
    Draw,
    Goto,
    If,
    Program,
    Release,
    State,
    Stop,
    Tree,
)
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.rules.compared import ComparedValues
from ahdp_verify.kernel.terms.expression import TRUE, ZERO, component, label, name, number
from ahdp_verify.kernel.terms.grammar import parse


def proved(claim: ProgramClaim, *moves: tuple[PathShifts, ...]) -> None:
    check(claim, Alignment(claim.fingerprint, (), tuple(map(WholeRuns, moves))))


def shifted(*by: int) -> PathShifts:
    return PathShifts((tuple((("", Fraction(d)),) if d else () for d in by),))


def said_of(value: str) -> Tree:
    """Whether the value is positive."""
    yes, no = (Release(label(word), Stop()) for word in ("yes", "no"))
    return If(parse(value), True, yes, no)


def test_a_parameter_cannot_be_an_answer_in_disguise() -> None:
    # noise of scale q[1] on the answer q[1]: at q = 1 against q = 2 the output depends on the scale
    noisy = Draw("nu", "laplace", parse("q[1]"), Release(parse("q[1] + nu"), Stop()))
    with pytest.raises(BadInput, match="parameters"):
        Program("p", (("q[1]", parse("0 < q[1]")),), Answers(1), noisy)


def test_a_noise_cannot_cancel_an_answer_by_having_its_name() -> None:
    # q > rho for Laplace noise rho loses 1 nat, but q[1] - q[1] > 0 loses nothing
    wait = State("wait", ("rho",), said_of("q - rho"), Stop())
    start = Draw("q[1]", "laplace", parse("1"), Goto("wait", (("rho", parse("q[1]")),)))
    with pytest.raises(BadInput, match=r"q\[1\]"):
        Program("p", (), Answers(None), start, (wait,))


@pytest.mark.parametrize(
    ("parameters", "tree"),
    [
        (("T", "q"), Release(component(name("q"), name("T")), Stop())),
        (
            ("T", "nu"),
            Draw("nu[1]", "laplace", parse("1"), Release(component(name("nu"), name("T")), Stop())),
        ),
    ],
    ids=["answer", "noise"],
)
def test_a_computed_index_does_not_hide_an_answer_or_a_noise(
    parameters: tuple[str, ...], tree: Tree
) -> None:
    with pytest.raises(BadInput):
        Program("p", tuple((key, TRUE) for key in parameters), Answers(2), tree)


@pytest.mark.parametrize("delta", ["T", "-1 * T^2", "1 - T"])
def test_a_delta_that_may_be_negative_is_not_proved(delta: str) -> None:
    nothing = Program("p", (("T", TRUE),), Answers(1), Release(label("a"), Stop()))
    proved(ProgramClaim(nothing, "all", ZERO, parse("T^2")), (shifted(),))
    with pytest.raises(Rejected, match="T"):
        proved(ProgramClaim(nothing, "all", ZERO, parse(delta)), (shifted(),))


@pytest.mark.parametrize("value", ["1/T", "log(T)", "exp(1/T)"])
@pytest.mark.parametrize(
    "tree", [said_of, lambda value: Release(parse(value), Stop())], ids=["compared", "released"]
)
def test_what_has_no_value_at_some_parameters_is_neither_compared_nor_released(
    tree: Callable[[str], Tree], value: str
) -> None:
    Program("p", (("T", parse("0 < T")),), Answers(1), tree(value))
    with pytest.raises(BadInput, match="is not known to have a value"):
        Program("p", (("T", TRUE),), Answers(1), tree(value))


@pytest.mark.parametrize(("relation", "demand"), [("swap", "1"), ("ahdp", "oo")])
def test_a_claim_that_compares_nothing_is_not_proved(relation: str, demand: str) -> None:
    inputs = RecordAnswers(Domain([(1, parse(demand))]), (parse("sum(x)"),))
    exact = Program("p", (), inputs, Release(parse("q[1]"), Stop()))
    level = parse("eps") if relation == "ahdp" else ZERO
    with pytest.raises(Rejected, match="compares nothing"):
        proved(ProgramClaim(exact, relation, level))


def shown_certain(demand: str, *values: tuple[str, str]) -> None:
    """That a program which always says the same is refuted at the level eps of its first record."""
    inputs = RecordAnswers(Domain([(1, parse(demand)), (2, number(1))]), (parse("sum(x)"),))
    silent = Program("p", (("T", TRUE),), inputs, Release(label("a"), Stop()))
    claim = ProgramClaim(silent, "ahdp", parse("eps"))
    given = tuple((key, parse(value)) for key, value in values)
    sides = ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(0)))
    refute_program(claim, ProgramCounterexample(given, *sides, OutputEvent((label("a"),))))


def test_a_negative_demand_does_not_refute_a_program_that_ignores_its_input() -> None:
    # at T = -1 the level of the first record would be -1, and 1 > exp(-1)
    with pytest.raises(Rejected, match="0 <= T does not hold"):
        shown_certain("T", ("T", "-1"))


def test_a_demand_mentions_parameters_only() -> None:
    with pytest.raises(BadInput, match="zz"):
        shown_certain("zz", ("T", "1"))


def test_a_parameter_has_a_number_as_its_value() -> None:
    with pytest.raises(Rejected, match="not a constant"):
        shown_certain("1", ("T", "zz"))


@pytest.mark.parametrize("rows", [0, 2, 4])
def test_a_contest_needs_shifts(rows: int) -> None:
    # without noise the number of the greatest answer changes, and no level is enough
    exact = Program("argmax", (), Answers(None), Contest((), parse("q"), False))
    with pytest.raises(Rejected, match="one row of shifts"):
        proved(ProgramClaim(exact, "all", ZERO), (PathShifts(((),) * rows),))


def test_values_at_which_a_demand_is_negative_are_not_compared() -> None:
    inputs = RecordAnswers(Domain([(1, name("T"))]), (parse("0*sum(x)"),))
    still = Program("p", (("T", TRUE),), inputs, Release(parse("q[1]"), Stop()))
    claim = ProgramClaim(still, "add-remove", ZERO)
    shown = Alignment(claim.fingerprint, (), (WholeRuns((shifted(),)),) * 2)
    check(claim, shown, None, ComparedValues((("T", number(1)),)))
    with pytest.raises(Rejected, match="0 <= T does not hold"):
        check(claim, shown, None, ComparedValues((("T", number(-1)),)))
