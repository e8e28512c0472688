"""The range of a parameter of a noise program: proved up to the value that the theory gives, and
refuted next to it.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from ahdp_verify.analysis.parameters.calibrate import calibrate
from ahdp_verify.analysis.parameters.program_margins import choices_of_margins
from ahdp_verify.analysis.parameters.ranges import ranges
from ahdp_verify.decimals import approximate_rational
from ahdp_verify.kernel.checker import check, refute_program
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.answers import Answers
from ahdp_verify.kernel.model.declarations import NamedConditions
from ahdp_verify.kernel.model.program import Draw, If, Program, Release, Stop
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.refuted import RefutedProgram
from ahdp_verify.kernel.terms.expression import TRUE, number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.intervals import RealInterval
from ahdp_verify.search.limits import Limits
from tests.programs_by_hand import NO, YES, noisy_max, sparse_vector, sum_of_answers

B = ("b", parse("0 < b"))
EMPTY = Context.empty()


def in_b(program: Program) -> Program:
    """A program by hand, with b in place of eps."""

    def renamed(data: object) -> object:
        if isinstance(data, dict):
            return {key: renamed(value) for key, value in data.items()}
        if isinstance(data, list):
            return [renamed(value) for value in data]
        return "b" if data == "eps" else data

    return Program.from_json(renamed(program.to_json()))


# Values of field.md with eps = 1/b at a fixed level: M17 and its broken twin M20 (level 3/2 eps for 2
# queries, 7/4 eps for 3), M11 (and half of it for answers that only increase); by hand, the loss of a
# sum is 1/scale.
FIELD = [
    (sparse_vector("2*eps", "4*eps"), "all", "1", None, Fraction(1)),
    (sparse_vector("2*eps", "4*eps"), "all", "1/3", 5, Fraction(3)),
    (sparse_vector("4*eps", "4*eps/3"), "all", "1", 2, Fraction(3, 2)),
    (sparse_vector("4*eps", "4*eps/3"), "all", "1", 3, Fraction(7, 4)),
    (noisy_max(3, "laplace", "2*eps"), "all", "1", None, Fraction(1)),
    (noisy_max(3, "laplace", "2*eps"), "increasing", "1", None, Fraction(1, 2)),
    (sum_of_answers(3, "eps"), "one", "1/2", None, Fraction(2)),
]
SVT, SUM = in_b(FIELD[0][0]), in_b(FIELD[-1][0])


@pytest.mark.parametrize(("program", "relation", "level", "queries", "least"), FIELD)
def test_the_least_scale_is_that_of_the_field(
    program: Program, relation: str, level: str, queries: int | None, least: Fraction
) -> None:
    claim = ProgramClaim(in_b(program), relation, parse(level), queries=queries)
    found = calibrate(claim, "b")
    assert found.side == "least" and found.value == number(least) and found.attained
    assert found.proof is not None and isinstance(found.refutation, RefutedProgram)
    check(found.proof.claim, found.proof.certificate)
    refute_program(found.refutation.claim, found.refutation.counterexample)
    at = dict(found.refutation.counterexample.parameters)["b"]
    gap = least - approximate_rational(normal(at, EMPTY))
    assert 0 <= gap <= Fraction(1, 10**9)


def test_a_value_that_is_not_shown_to_be_the_end_is_not_called_exact() -> None:
    found = calibrate(ProgramClaim(SUM, "one", parse("1/2")), "b")
    assert not found.exact and "least b = 2, to 9 digits" in found.text
    assert found.bounds.low != found.bounds.high == number(2)


def test_the_greatest_eps_at_a_level_that_is_not_rational() -> None:
    claim = ProgramClaim(sum_of_answers(2, "1/eps"), "one", parse("log(3)"))
    found = calibrate(claim, "eps")
    assert (found.side, str(found.value)) == ("greatest", "log(3)")


def threshold_at_once(fixed: str) -> Program:
    """One query against a noisy threshold: either noise can make up for the move of the answer."""
    test = If(parse("q[1] + nu - rho"), False, Release(YES, Stop()), Release(NO, Stop()))
    drawn = Draw("rho", "laplace", parse(fixed), Draw("nu", "laplace", parse("b"), test))
    return Program("threshold", (B,), Answers(1), drawn)


def test_every_alignment_that_is_the_cheapest_somewhere_is_found() -> None:
    # by hand: the cost is the smaller one of 1/3 and 1/b
    program = threshold_at_once("3")
    claim = ProgramClaim(program, "all", parse("1/4"))
    where = RealInterval(number(0))
    choices = choices_of_margins(claim, "b", where, Limits().clock())
    assert {tuple(map(str, choice)) for choice in choices} == {("-1/12",), ("(b/4 - 1)/b",)}
    assert str(calibrate(claim, "b").value) == "4"


def test_a_claim_that_either_alignment_proves_is_true_for_all_values() -> None:
    claim = ProgramClaim(threshold_at_once("3"), "all", parse("1/2"))
    found = ranges(claim)
    assert found.exact and all(isinstance(piece.verdict, Proved) for piece in found.pieces)
    with pytest.raises(BadInput, match="there is nothing to calibrate"):
        calibrate(claim, "b")


def test_a_refutation_says_nothing_of_other_values() -> None:
    found = ranges(ProgramClaim(SUM, "one", parse("1/2")))
    below, above = found.pieces
    assert isinstance(below.verdict, RefutedProgram) and not below.decided and not found.exact
    assert isinstance(above.verdict, Proved) and above.interval.text("b") == "b >= 2"
    assert found.lines[0].startswith("Refuted for one value in 0 < b < 2: ")
    assert "not decided elsewhere in it; at b = " in found.lines[0]


def test_parameters_that_only_move_answers_may_stay_open() -> None:
    claim = ProgramClaim(SVT, "all", parse("1"))
    assert [key for key, _ in claim.parameters] == ["b", "T"]
    with pytest.raises(BadInput, match="no noise and no level depends on T; name one of b"):
        calibrate(claim, "T")


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ((B, ("c", parse("0 < c"))), "c is left open"),
        ((("b", parse("b == 2")),), "b is fixed by its condition"),
    ],
)
def test_what_cannot_be_calibrated_is_refused(parameters: NamedConditions, said: str) -> None:
    scale = "b*c" if len(parameters) == 2 else "b"
    drawn = Draw("nu", "laplace", parse(scale), Release(parse("q[1] + nu"), Stop()))
    program = Program("noisy", (*parameters, ("T", TRUE)), Answers(1), drawn)
    with pytest.raises(BadInput, match=said):
        calibrate(ProgramClaim(program, "one", parse("1")), "b")
