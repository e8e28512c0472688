"""Refutations of claims about the field's programs: which fail is stated in field.md."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

from ahdp_verify.kernel.checker import refute_program
from ahdp_verify.kernel.errors import Missing
from ahdp_verify.kernel.model.answers import Answers, RecordAnswers
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.program import Coin, Draw, If, Program, Release, Stop, Tree
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.refuted import RefutedProgram
from ahdp_verify.kernel.terms.expression import TRUE, label
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits, OutOfLimits
from ahdp_verify.search.programs.bad_inputs import counterexamples
from ahdp_verify.search.solvers import linear_programme
from tests.programs_by_hand import (
    NO,
    YES,
    adaptive_sparse_vector,
    block_sums_without_noise,
    drawn,
    noisy_max,
    sparse_vector,
    sum_of_answers,
)


def refuted(
    program: Program, relation: str, level: str = "eps", queries: int | None = None
) -> RefutedProgram | None:
    """The first proposal, which the checker has to accept."""
    claim = ProgramClaim(program, relation, parse(level), queries=queries)
    example = next(counterexamples(claim, Limits().clock()), None)
    return None if example is None else refute_program(claim, example)


def loss(found: RefutedProgram | None) -> float:
    """The privacy loss of a refutation."""
    assert found is not None
    if found.loss is None:
        return math.inf
    low, high = enclose(found.loss)
    return float((low + high) / 2)


def queries(found: RefutedProgram | None) -> int:
    """The number of queries of a refutation."""
    assert found is not None
    return len(found.counterexample.first)


M13 = noisy_max(3, "laplace", released="value")
M14 = noisy_max(3, "exponential", released="value")
M19 = sparse_vector("2/eps", "2/eps", released="q + nu")
M20 = sparse_vector("4/eps", "4/(3*eps)")
M20_TWO = sparse_vector("4/eps", "4/(3*eps)", 2)
M21 = sparse_vector("2/eps", "", None)
M22 = sparse_vector("2/eps", "2/eps", None)
M28 = adaptive_sparse_vector("q + a")
M29 = sparse_vector("2/eps", "2/eps")


@pytest.mark.parametrize(
    ("program", "relation", "least", "most"),
    [
        (sum_of_answers(5, "1/eps"), "all", 5, 5),  # M3
        (sum_of_answers(5, "1/(2*eps)"), "one", 5, 2),  # M5
        (M13, "all", 3, 1.5),
        (M13, "increasing", 3, 1.5),
        (M19, "all", 3, 1.5),
        (M20, "all", 2, 1.5),
        (M20_TWO, "increasing", 4, 1.5),
        (M22, "all", 3, 1.5),
        (M22, "increasing", 5, 1.5),
        (M28, "all", 4, 13 / 8),
        (M29, "all", 3, 1.5),
        (sparse_vector("1/eps", "2/eps", law="geometric"), "all", 3, 2),  # G17, half the noise
    ],
)
def test_wrong_programs_are_refuted_with_the_fewest_queries(
    program: Program, relation: str, least: int, most: float
) -> None:
    found = refuted(program, relation)
    assert queries(found) == least
    assert 1 < loss(found) <= most + 1e-12
    assert found is not None and dict(found.counterexample.parameters)["eps"] == parse("1")


@pytest.mark.parametrize(
    ("program", "relation", "least"),
    [
        (block_sums_without_noise(), "one", 2),  # M8
        (M14, "all", 3),
        (M14, "increasing", 3),
        (M21, "all", 2),
        (M21, "increasing", 2),
    ],
)
def test_impossible_outputs_are_found(program: Program, relation: str, least: int) -> None:
    found = refuted(program, relation)
    assert queries(found) == least
    assert loss(found) == math.inf
    assert found is not None and dict(found.counterexample.parameters)["eps"] == parse("1")


@pytest.mark.parametrize(
    ("program", "relation", "n"),
    [
        (noisy_max(2, "laplace", released="value"), "all", None),
        (M22, "all", 2),
        (M22, "increasing", 4),
        (M20, "all", 1),
        (M20_TWO, "increasing", 3),
        (M29, "all", 2),
        (noisy_max(4, "laplace"), "all", None),
        (noisy_max(4, "geometric"), "all", None),
        (sparse_vector("2/eps", "4/eps"), "all", 4),
        (sparse_vector("2/eps", "4/eps", law="geometric"), "all", 4),
    ],
)
def test_nothing_is_proposed_for_true_claims(
    program: Program, relation: str, n: int | None
) -> None:
    assert refuted(program, relation, queries=n) is None


@pytest.mark.parametrize(
    ("program", "relation", "n", "least"),
    [
        (noisy_max(5, "laplace"), "all", None, "eps"),
        (noisy_max(5, "laplace"), "increasing", None, "eps/2"),
        (noisy_max(5, "exponential"), "all", None, "eps"),
        (noisy_max(5, "geometric"), "all", None, "eps"),
        (sparse_vector("2/eps", "4/eps"), "all", 3, "3*eps/4"),
        (sparse_vector("2/eps", "4/eps"), "all", 4, "eps"),
        (sparse_vector("2/eps", "4/eps", law="geometric"), "all", 4, "eps"),
        (M20, "all", 1, "eps/4"),
        (M20, "all", 3, "7*eps/4"),
        (M20_TWO, "all", 5, "13*eps/4"),
        (M22, "all", 8, "4*eps"),
        (sparse_vector("3/eps", "6/eps", released="q + fresh"), "all", 4, "eps"),  # M24
        (sparse_vector("2/eps", "4/eps", released="q + nu - T - rho"), "all", 4, "eps"),  # M25
        (adaptive_sparse_vector("q + a - T - rho"), "all", 4, "eps"),  # M27
    ],
)
def test_a_thousandth_below_the_least_level_is_refuted(
    program: Program, relation: str, n: int | None, least: str
) -> None:
    below = ProgramClaim(program, relation, parse(f"999/1000*({least})"), queries=n)
    example = next(counterexamples(below, Limits().clock()))
    assert loss(refute_program(below, example)) > 0.999 * 0.25
    assert refuted(program, relation, f"1001/1000*({least})", n) is None


def test_losses_that_grow_as_eps_shrinks_are_found_at_a_small_eps() -> None:
    tree = Draw("nu", "laplace", parse("eps"), Release(parse("q[1] + nu"), Stop()))  # M10
    program = Program("", (("eps", parse("0 < eps")),), Answers(1), tree)
    found = refuted(program, "one")
    assert found is not None
    assert dict(found.counterexample.parameters)["eps"] == parse("1/10")
    assert loss(found) == pytest.approx(10)


def test_running_sums_are_bounded_where_two_noises_suffice() -> None:
    tree: Tree = Stop()
    for i in (4, 3, 2, 1):
        tree = Release(parse(" + ".join(f"q[{j}] + x{j}" for j in range(1, i + 1))), tree)
    draws = drawn([f"x{i}" for i in (1, 2, 3, 4)], "laplace", "1/eps", tree)
    program = Program("", (("eps", parse("0 < eps")),), Answers(4), draws)
    assert refuted(program, "one") is None  # M6
    assert 1 < loss(refuted(program, "all")) <= 4


# datasets


def on_records(answers: list[str], records: list[tuple[int, int]]) -> Program:
    """Noisy max of answers computed from a dataset; its parameter is called e."""
    program = noisy_max(len(answers), "laplace", "2/e", parameter="e")
    return replace(program, inputs=RecordAnswers(Domain(records), tuple(map(parse, answers))))


ONE_EACH = [(1, 1), (2, 1), (3, 1)]
COUNTS = ["count(x == 1)", "count(x == 2)", "count(x == 3)"]


@pytest.mark.parametrize(
    ("answers", "records", "level"),
    [
        (COUNTS, ONE_EACH, "e/2"),  # the first answer only
        (["sum(x/3)", "sum(2*x/3)", "sum(x)"], [(1, 1)], "e/3"),  # i/n
    ],
)
def test_personal_levels_are_refuted_a_thousandth_below(
    answers: list[str], records: list[tuple[int, int]], level: str
) -> None:
    program = on_records(answers, records)
    found = refuted(program, "ahdp", f"999/1000*{level}")
    assert found is not None
    gap = [b - a for a, b in zip(*_sides(found), strict=True)]
    assert sorted(map(abs, gap)) == [0] * (len(records) - 1) + [1]
    assert refuted(program, "ahdp", f"1001/1000*{level}") is None


def test_who_moves_all_answers_alike_costs_noisy_max_nothing() -> None:
    program = on_records(["size"] * 3, ONE_EACH)
    assert refuted(program, "add-remove", "1/1000*e") is None


def test_records_are_swapped() -> None:
    program = on_records(COUNTS, ONE_EACH)
    found = refuted(program, "swap", "999/1000*e")
    assert found is not None
    gap = [b - a for a, b in zip(*_sides(found), strict=True)]
    assert sorted(gap) == [-1, 0, 1]


def _sides(found: RefutedProgram) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    return found.counterexample.first, found.counterexample.second


def test_a_threshold_is_chosen_where_counts_cannot_be_negative() -> None:
    test = If(parse("q[1] + nu - T"), False, Release(YES, Stop()), Release(NO, Stop()))
    program = Program(
        "",
        (("e", parse("0 < e")), ("T", TRUE)),
        RecordAnswers(Domain([(1, 1)]), (parse("size"),)),
        Draw("nu", "laplace", parse("1/e"), test),
    )
    found = refuted(program, "add-remove", "999/1000*e")
    assert found is not None
    assert min(found.counterexample.first) >= 0
    assert loss(found) > 0.999


# the search itself


def test_without_highs_the_same_programs_are_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> Iterator[None]:
        raise Missing("power", "highspy", "power")

    monkeypatch.setattr(linear_programme, "highs_solution", missing)
    assert queries(refuted(M20, "all")) == 2
    assert loss(refuted(M21, "all")) == math.inf
    assert queries(refuted(M29, "all")) == 3


def test_coins_and_delta() -> None:
    tree = Coin(parse("1/2"), Release(parse("q[1]"), Stop()), Release(label("none"), Stop()))
    program = Program("", (), Answers(1), tree)
    claim = ProgramClaim(program, "all", parse("1"), parse("1/4"))
    example = next(counterexamples(claim, Limits().clock()))
    found = refute_program(claim, example)
    assert found.second_probability.is_zero and found.first_probability.as_rational == Fraction(
        1, 2
    )
    within = replace(claim, delta=parse("1/2"))
    assert next(counterexamples(within, Limits().clock()), None) is None


def test_the_limits_stop_the_search() -> None:
    claim = ProgramClaim(M22, "increasing", parse("eps"))
    with pytest.raises(OutOfLimits):
        next(counterexamples(claim, Limits(pieces=3).clock()))
