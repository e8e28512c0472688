"""The paper's statements: every one has the answers that are expected of it, the index says what was found, and none is missing.

The expectations in the modules come from the paper and from the statement table beside it (where it is present, its labels are compared).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ahdp_verify import BadInput
from ahdp_verify.report import index
from ahdp_verify.statements import MODULES, SECTIONS, Result, load, named, result_of, results
from ahdp_verify.statements.row import Answer

ROOT = Path(__file__).resolve().parent.parent
FOUND: dict[str, Result] = {}


def found(module: str) -> Result:
    """The result of a module, worked out once."""
    if module not in FOUND:
        FOUND[module] = next(results([module]))
    return FOUND[module]


@pytest.mark.parametrize("module", MODULES)
def test_a_statement_has_the_answers_that_are_expected(module: str) -> None:
    result = found(module)
    assert result.passed, [f"{f.answer.word}, not {f.check.expect}: {f.answer.line}" for f in result.found if not f.expected]
    assert result.outcome != "open"
    assert all(f.check.expect for f in result.found)


@pytest.mark.parametrize("module", MODULES)
def test_the_index_says_what_is_found(module: str) -> None:
    """proofs/INDEX.md is made by `make certificates`."""
    lines = (ROOT / "proofs" / "INDEX.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if f" | {module} | " in line] == [line for line in index([found(module)]).splitlines() if f" | {module} | " in line]


def test_every_module_is_in_the_contents_once_and_labels_differ() -> None:
    files = {path.stem for path in (ROOT / "ahdp_verify" / "statements").glob("*.py")} - {"__init__", "row", "checks", "stored", "contents"}
    assert sorted(MODULES) == sorted(files)
    assert len({load(module).label for module in MODULES}) == len(MODULES)
    assert [name for _, names in SECTIONS for name in names] == list(MODULES)


def test_a_row_is_found_by_its_label_or_the_beginning_of_it() -> None:
    assert named("claim:2 (B1)") == named("claim_2_b1") == ("claim_2_b1",)
    assert "claim_2_b1" in named("claim:2")
    with pytest.raises(BadInput, match=r"^claim:2 \(B11\): there is no such statement; write for example .*claim:2\(b1\)"):
        named("claim:2 (B11)")


def test_the_same_row_in_other_processes() -> None:
    """With several workers the answers come in the same order."""
    modules = ("pure_dp", "claim_2_b1", "pure_dp")
    assert [(r.row.label, r.outcome, r.grade) for r in results(modules, workers=2)] == [(found(m).row.label, found(m).outcome, found(m).grade) for m in modules]


def test_an_answer_that_is_missing_is_seen() -> None:
    row = load("pure_dp")
    with pytest.raises(ValueError, match="shorter"):
        result_of(row, [Answer("proved", "")])
