"""`ahdp-verify bench`: the tables, as lines and as documents."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import Result
from typer.testing import CliRunner

from ahdp_verify.catalogue import field_suite
from ahdp_verify.cli.app import app


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["bench", *words])


def test_a_row_has_its_verdict_level_time_and_size() -> None:
    result = run("field", "M8", "M10")
    head, first, second, third, last = result.stdout.splitlines()
    assert result.exit_code == 0
    assert head.split("  ")[0] == "id" and "seconds  bytes" in head
    for line in (first, second):
        assert "smart_sum_with_plain_blocks: 2*eps" in line and "CheckDP up to 70 s" in line
        assert "refuted  oo" in line
    assert "refuted  1/eps" in third and "NOT" not in third
    assert last.startswith("3 rows in ")


def test_a_document_for_each_row() -> None:
    found = [
        json.loads(line)["answer"] for line in run("field", "M20", "--json").stdout.splitlines()
    ]
    assert len(found) == 9
    assert {row["id"] for row in found} == {"M20"} and all(row["as_known"] for row in found)
    flips = {row["relation"]: row["verdict"] for row in found if row["queries"] in (2, 10)}
    assert flips == {"all": "refuted", "increasing": "proved"}  # field.md


def test_an_answer_that_is_not_the_known_one_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    row = next(row for row in field_suite.FIELD if row.id == "M1")
    wrong = replace(row, verdict="refuted")
    monkeypatch.setattr(field_suite, "FIELD", (wrong,))
    result = run("field")
    assert result.exit_code == 1 and "proved, NOT refuted" in result.stdout


def test_another_suite_or_row_is_refused() -> None:
    result = run("fields")
    assert result.exit_code == 2 and "use field, functions" in result.stderr
    result = run("field", "M16")
    assert result.exit_code == 2 and "no row is called 'M16'" in result.stderr


def test_queries_on_vectors_are_a_suite_too() -> None:
    result = run("functions", "steps")
    head, *rows, last = result.stdout.splitlines()
    assert result.exit_code == 0 and last.startswith("12 rows in ")
    assert head.split()[:3] == ["query", "mechanism", "noise"]
    assert sum("  proved " in row for row in rows) == sum("  refuted " in row for row in rows) == 6
    for row in rows:  # the middle one of three entries moves two differences, that of two one
        if "  half " in row:
            assert "n = 3, holds for n = 2" in row and "x[2]' = 1" in row
    found = json.loads(run("functions", "mean", "--json").stdout.splitlines()[0])["answer"]
    assert found["query"] == "sum(x)/n" and found["sensitivity"] == "1/n" and found["as_known"]
