"""The paper's statements: they have the answers that are expected of them (in the suite some of
each outcome and grade, in a sweep all), the index agrees with the results, and none is missing.

Outcomes and grades are those of the statement table beside the paper, where "typo", "repair" and
"false" all have to fail as printed.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import replace
from pathlib import Path

import pytest

from ahdp_verify import BadInput
from ahdp_verify.paper import statements
from ahdp_verify.paper.report import findings_index
from ahdp_verify.paper.statements import (
    SECTIONS,
    STATEMENTS,
    Result,
    matching_identifiers,
    result_of,
    results,
)
from ahdp_verify.paper.statements.row import CheckAnswer, PaperRow
from tests.sweeps import covering

ROOT = Path(__file__).resolve().parents[3]
HOLDS = (
    "pure_dp",
    "neighbours",
    "add_remove_to_swap",
    "swap_to_add_remove",
    "eq_alt_dp",
    "asu22",
    "ex_swap_dp_coin",
    "publish_demands",
    "def_new_dp",
    "single_steps",
    "ex_ahdp",
    "ex_ahdp_via_homo",
    "composition_of_w_ahdp",
    "prop_bc",
    "prop_pp",
    "odds_display",
    "hdp_fails",
    "def_uahdp",
    "prop_bias",
    "conclusion",
)
REPAIRED = ("notation", "ex_swap_dp_other", "d_alpha", "thm_ht", "wider_domain", "e6", "e10")
PROVED = "proved"
MOMENTS = "proved, given moments that the toolkit computes without a certificate"
TABLE = {  # identifier: outcome, the beginning of the grade; nothing after "proved"
    **dict.fromkeys(HOLDS, ("holds", "")),
    **dict.fromkeys(REPAIRED, ("repaired", "")),
    # claim:1 to claim:4 are about any number of values, which no step of the checker ranges over
    # but as a real number
    **dict.fromkeys(
        (
            "claim_1_a",
            "claim_2_a1",
            "claim_2_a2",
            "claim_2_b1",
            "claim_2_b2",
            "claim_3_a1",
            "claim_3_a2",
            "claim_3_b1",
            "claim_3_b2",
            "claim_4_a",
            "claim_4_b",
        ),
        ("holds", "proved, given"),
    ),
    **dict.fromkeys(
        (
            "claim_1_b",
            "claim_2_proof_m",
            "claim_2_proof_rest",
            "claim_3_proof_m",
            "power_bayes",
            "e2",
            "e3",
            "e4",
            "e5",
        ),
        ("repaired", "proved, given"),
    ),
    **dict.fromkeys(("claim_3_proof_rest", "claim_4_proof", "least_demand"), ("repaired", PROVED)),
    **dict.fromkeys(("power_guess", "power_heterogeneous", "power_remark"), ("holds", PROVED)),
    **dict.fromkeys(("power_homogeneous", "fig_cap", "fig_cap_2"), ("holds", "verified for")),
    "after_claim_2": ("holds", "proved, given claim:1 and claim:2"),
    "e1": ("false", "refuted"),
    "sample_mechanism": ("holds", PROVED),
    "sample_mechanism_proof": ("repaired", PROVED),
    "exponential_mechanism": ("repaired", "proved, given"),
    "prop_newdp_privacy": ("holds", PROVED),
    "prop_newdp_utility": ("repaired", MOMENTS),
    "count_as_query": ("repaired", PROVED),
    "weights": ("holds", PROVED),
    "ex_sum": ("repaired", MOMENTS),
    "histogram": ("holds", "proved, given independent noise"),
    "prop_newdp_mean_privacy": ("holds", PROVED),
    "prop_newdp_mean_utility": ("repaired", "proved, given almost-sure limits"),
    "prop_newdp_mean_moments": ("repaired", MOMENTS),
    "ex_mean": ("repaired", MOMENTS),
    "ex_mean_half_demand": ("holds", "proved, given limits"),
    "rem_bias": ("holds", "proved, given almost-sure limits"),
    "lr_text": ("repaired", PROVED),
    "weighted_least_squares": ("holds", "proved, given normal equations"),
    "alg_lr": ("holds", "proved, given composition"),
    "size_estimate": ("repaired", MOMENTS),
    "frequency_bins": ("holds", "proved, given independent noise"),
    "exp_1": ("data not available", ""),
    "exp_2": ("data not available", ""),
    "exp_2_p_value": ("holds", "verified for Cramer's V from 0.3633 on"),
    "exp_3": ("holds", MOMENTS),
    "fig_lr": ("repaired", "proved, given composition"),
    "exponential_unbounded": ("holds", "proved, given"),
    "exponential_deletions": ("holds", "proved, given error rates"),
    "ex_mean_moments": ("holds", "proved, given"),
    "sampling_probabilities": ("holds", PROVED),
    "demand_moments": ("holds", MOMENTS),
}


def kind(identifier: str) -> frozenset[str]:
    """The outcome of a statement, with its grade up to what is given."""
    outcome, grade = TABLE.get(identifier, ("not listed", ""))
    return frozenset([f"{outcome}, {grade.partition(' given')[0]}"])


@pytest.mark.parametrize("identifier", covering(tuple(STATEMENTS), kind, 8))
def test_a_statement(identifier: str) -> None:
    """Its answers are those that are expected, outcome and grade those of the table, and
    proofs/INDEX.md (by `make certificates`) says so; its expectations and repairs are needed.
    """
    result = next(results([identifier]))
    assert result.passed, [
        f"{f.answer.word}, not {f.check.expect}: {f.answer.line}"
        for f in result.found
        if not f.expected
    ]
    assert result.outcome != "open"
    assert all(f.check.expect for f in result.found)
    outcome, grade = TABLE.get(identifier, ("", ""))
    assert result.outcome == (outcome or result.outcome)
    assert result.grade == grade if grade == PROVED else result.grade.startswith(grade)
    lines = (ROOT / "proofs" / "INDEX.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if f" | {identifier} | " in line] == [
        line for line in findings_index([result]).splitlines() if f" | {identifier} | " in line
    ]
    without_expectations(result)
    if result.outcome == "repaired":
        without_repairs(result)


def without_expectations(result: Result) -> None:
    """Whichever expectation is missing, the row fails."""
    for i, found in enumerate(result.found):
        without = replace(found, check=replace(found.check, expect=""))
        assert not replace(
            result, found=(*result.found[:i], without, *result.found[i + 1 :])
        ).passed


def without_repairs(result: Result) -> None:
    """Without its repairs a row says that the statement is false; with another expectation it
    fails.
    """
    row = result.row
    printed = tuple(c for c in row.checks if c.role == "printed")
    answers = result.of("printed")
    assert replace(result, row=replace(row, checks=printed), found=answers).outcome == "false"
    wrong = replace(
        answers[0],
        check=replace(
            answers[0].check, expect="proved" if answers[0].answer.word != "proved" else "refuted"
        ),
    )
    assert not replace(result, found=(wrong, *answers[1:])).passed


def test_every_row_is_in_one_section_once_and_labels_differ() -> None:
    """Also a row that its file makes and forgets to list."""
    listed = [row for _, rows in SECTIONS for row in rows]
    made = [
        value
        for file in pkgutil.iter_modules(statements.__path__)
        for value in vars(importlib.import_module(f"{statements.__name__}.{file.name}")).values()
        if isinstance(value, PaperRow)
    ]
    assert {id(row) for row in made} == {id(row) for row in listed}
    assert [row.identifier for row in listed] == list(STATEMENTS)
    assert len({row.label for row in listed}) == len(listed) == 112


def test_a_row_is_found_by_its_label_or_the_beginning_of_it() -> None:
    assert (
        matching_identifiers("claim:2 (B1)")
        == matching_identifiers("claim_2_b1")
        == ("claim_2_b1",)
    )
    assert "claim_2_b1" in matching_identifiers("claim:2")
    with pytest.raises(
        BadInput,
        match=r"^claim:2 \(B11\): there is no such statement; write for example .*claim:2\(b1\)",
    ):
        matching_identifiers("claim:2 (B11)")


def test_the_same_row_in_other_processes() -> None:
    """With several workers the answers come in the same order."""
    identifiers = ("pure_dp", "count_as_query", "neighbours")
    assert [(r.row.label, r.outcome, r.grade) for r in results(identifiers, workers=2)] == [
        (r.row.label, r.outcome, r.grade) for r in results(identifiers)
    ]


def test_an_answer_that_is_missing_is_seen() -> None:
    row = STATEMENTS["pure_dp"]
    with pytest.raises(ValueError, match="shorter"):
        result_of(row, [CheckAnswer("proved", "")])
