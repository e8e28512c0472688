"""What a row concludes from its answers: outcome and grade are never better than the weakest
finding (by hand).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from ahdp_verify.paper.statements.row import Check, CheckAnswer, Finding, PaperRow, Result

NOBODY = lambda tell: CheckAnswer("unknown", "nobody was asked")  # noqa: E731


def result(*found: tuple[str, str, str, dict[str, object]]) -> Result:
    """A result of (role, answer, expected, further fields of the check)."""
    checks = tuple(Check(NOBODY, expect, role, **more) for role, _, expect, more in found)  # type: ignore[arg-type]
    return Result(
        PaperRow("row", "row", "says", checks),
        tuple(
            Finding(c, CheckAnswer(word, ""))
            for c, (_, word, _, _) in zip(checks, found, strict=True)
        ),
    )


@pytest.mark.parametrize(
    ("found", "outcome", "grade"),
    [
        ([("printed", "proved", "proved", {})], "holds", "proved"),
        ([("printed", "refuted", "refuted", {})], "false", "refuted"),
        (
            [("printed", "refuted", "refuted", {}), ("repair", "proved", "proved", {})],
            "repaired",
            "proved",
        ),
        (
            [("printed", "refuted", "refuted", {}), ("repair", "refuted", "refuted", {})],
            "false",
            "refuted",
        ),
        ([("printed", "refuted", "refuted", {"denies": True})], "holds", "proved"),
        ([("printed", "proved", "proved", {"denies": True})], "false", "refuted"),
        (
            [("printed", "refused", "refused", {}), ("repair", "proved", "proved", {})],
            "repaired",
            "proved",
        ),
        (
            [("printed", "proved", "proved", {}), ("more", "unknown", "proved", {})],
            "open",
            "unknown",
        ),
        (
            [
                ("printed", "proved", "proved", {"only": "k = 2"}),
                ("printed", "proved", "proved", {}),
            ],
            "holds",
            "verified for k = 2",
        ),
        (
            [
                ("printed", "proved", "proved", {"given": ("minimax",)}),
                ("printed", "proved", "proved", {}),
            ],
            "holds",
            "proved, given minimax",
        ),
        (
            [
                ("printed", "proved", "proved", {"given": ("minimax",)}),
                ("printed", "proved", "proved", {"only": "k = 2"}),
            ],
            "holds",
            "verified for k = 2, given minimax",
        ),
        (
            [("printed", "proved", "proved", {}), ("more", "proved", "proved", {"only": "k = 2"})],
            "holds",
            "proved",
        ),
        (
            [
                ("printed", "refuted", "refuted", {"only": "q = 1/2"}),
                ("repair", "proved", "proved", {"only": "k = 1", "given": ("a limit",)}),
            ],
            "repaired",
            "verified for k = 1, given a limit",
        ),
    ],
)
def test_outcome_and_grade(
    found: list[tuple[str, str, str, dict[str, object]]], outcome: str, grade: str
) -> None:
    made = result(*found)
    assert (made.outcome, made.grade) == (outcome, grade)


@pytest.mark.parametrize(
    ("word", "expect"),
    list(
        product(("proved", "refuted", "refused", "unknown"), ("proved", "refuted", "refused", ""))
    ),
)
def test_a_row_passes_if_every_answer_is_the_expected_one(word: str, expect: str) -> None:
    assert result(("printed", word, expect, {}), ("printed", "proved", "proved", {})).passed is (
        word == expect
    )


def test_a_conjecture_does_not_hold_and_can_be_false() -> None:
    for word, outcome, grade in (
        ("proved", "conjecture", "verified for t = 2"),
        ("refuted", "false", "refuted"),
        ("unknown", "open", "unknown"),
    ):
        row = PaperRow(
            "row", "row", "says", (Check(NOBODY, "proved", only="t = 2"),), kind="conjecture"
        )
        made = Result(row, (Finding(row.checks[0], CheckAnswer(word, "")),))
        assert (made.outcome, made.grade) == (outcome, grade)


def test_what_a_scope_leaves_out_lowers_the_grade() -> None:
    row = PaperRow("row", "row", "says", (Check(NOBODY, "proved"),))
    assert (
        Result(
            row,
            (
                Finding(
                    row.checks[0], CheckAnswer("proved", "", only="datasets of at most 3 records")
                ),
            ),
        ).grade
        == "verified for datasets of at most 3 records"
    )
    assert (
        Result(row, (Finding(row.checks[0], CheckAnswer("proved", "", given=("a fact",))),)).grade
        == "proved, given a fact"
    )


def test_rows_without_checks_have_no_formal_content_and_the_others_ask_about_what_is_printed() -> (
    None
):
    assert (
        Result(PaperRow("row", "row", "says", kind="data not available", note="why"), ()).outcome
        == "data not available"
    )
    with pytest.raises(ValueError, match="formal content"):
        PaperRow("row", "row", "says")
    with pytest.raises(ValueError, match="printed"):
        PaperRow("row", "row", "says", (replace(Check(NOBODY, "proved"), role="more"),))
