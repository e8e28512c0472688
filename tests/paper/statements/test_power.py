"""Rows about power: the questions that only they ask, and what they may not claim.  Figures are
those of the paper's statement table (E1, O1 to O3), or by hand.
"""

from __future__ import annotations

import pytest

from ahdp_verify import BadInput, Domain, extra_records, log, name
from ahdp_verify.analysis.moments.enclosure import enclosure
from ahdp_verify.analysis.power import best_powers
from ahdp_verify.analysis.power.best import BestMechanism
from ahdp_verify.paper.statements import SECTIONS, STATEMENTS
from ahdp_verify.paper.statements.questions import (
    best_power_check,
    level_in_file,
    optimum_formula_check,
)
from ahdp_verify.paper.statements.row import Check, CheckAnswer


def ask(check: Check) -> CheckAnswer:
    return check.ask(lambda said: None)


def formulas(k: int, t: int, condition: str = "eps > 0") -> tuple[BestMechanism, ...]:
    return best_powers(
        Domain([(i, name("eps")) for i in range(k)]),
        extra_records(t),
        parameters={"eps": condition},
    )


@pytest.mark.parametrize(
    ("k", "value", "word"),
    [
        (1, "1/(1 + exp(-eps))", "proved"),
        (4, "1/(1 + 4*exp(-eps))", "proved"),
        (4, "1/(1 + 3*exp(-eps))", "refuted"),
    ],
)
def test_a_formula_on_all_intervals(k: int, value: str, word: str) -> None:
    """claim:2 A2; for k = 4 the toolkit finds two intervals that meet."""
    answer = ask(optimum_formula_check(lambda: formulas(k, 1), "eps > 0", value))
    assert (answer.word, answer.only) == (word, "")


def test_intervals_that_leave_something_out_are_reported() -> None:
    """Without the first interval, without the last one, and with a gap between two."""
    pieces = formulas(4, 1)
    assert len(pieces) == 2
    for left in (pieces[:1], pieces[1:]):
        answer = ask(
            optimum_formula_check(lambda left=left: left, "eps > 0", "1/(1 + 4*exp(-eps))")
        )  # type: ignore[misc]
        assert answer.word == "proved"
        assert "eps" in answer.only
    gap = (*formulas(1, 1, "0 < eps and eps < 1"), *formulas(1, 1, "eps >= 2"))
    assert ask(optimum_formula_check(lambda: gap, "eps > 0", "1/(1 + exp(-eps))")).only
    missed = (*formulas(1, 1, "0 < eps and eps < 1"), *formulas(1, 1, "eps > 1"))
    assert ask(optimum_formula_check(lambda: missed, "eps > 0", "1/(1 + exp(-eps))")).only
    whole = (*formulas(1, 1, "0 < eps and eps < 1"), *formulas(1, 1, "eps >= 1"))
    assert ask(optimum_formula_check(lambda: whole, "eps > 0", "1/(1 + exp(-eps))")).only == ""
    assert ask(optimum_formula_check(lambda: whole, "eps >= 0", "1/(1 + exp(-eps))")).only


@pytest.mark.parametrize(
    ("value", "relation", "word"),
    [
        ("36/119", "==", "proved"),
        ("36/118", "==", "refuted"),
        ("1/6", ">", "proved"),
        ("36/119", "<", "refuted"),
    ],
)
def test_against_extra_records(value: str, relation: str, word: str) -> None:
    """O2 at t = 3."""
    assert ask(best_power_check("log(2), log(3)", 3, value, relation=relation)).word == word


def test_against_extra_records_everywhere() -> None:
    assert (
        "all datasets" in ask(best_power_check("log(2), oo", 1, "2/3", everywhere=True)).line
    )  # the value of demand oo is always named


def test_the_level_in_a_file() -> None:
    assert enclosure(level_in_file("paper/multiset-weights-1-value-2-more-q-half.toml", 2)).agrees(
        "0.826678573184"
    )  # E1: log(16/7)
    assert level_in_file("paper/multiset-weights-1-value-2-more-q-half.toml", 1) == log(2)
    with pytest.raises(BadInput, match="it states no level"):
        level_in_file("paper/power-upper-bound-presence-wrong-exponent.toml", 1)


def test_conjectures_are_called_that_and_claim_listed_values_only() -> None:
    for row in (STATEMENTS["ball_bound_attained"], STATEMENTS["extension_is_free"]):
        assert row.kind == "conjecture"
        assert all(check.only for check in row.checks if check.role == "printed")


def test_all_statements_of_the_part_are_there() -> None:
    listed = {title: {row.identifier for row in rows} for title, rows in SECTIONS}
    assert listed["What an adversary learns"] >= {"claim_1_a", "claim_4_proof", "power_remark"}
    assert {f"e{i}" for i in range(1, 6)} <= listed["Errata"]
    assert listed["Beyond the paper"] >= {
        "exact_limit",
        "one_value",
        "overshoot",
        "powers_homogeneous",
        "powers_weighted",
    }
