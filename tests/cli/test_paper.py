"""`ahdp-verify paper`: its lines, files and exit codes; it fails where an expectation is missing
or a repair is swapped for what is printed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from ahdp_verify import recheck
from ahdp_verify.cli.app import app
from ahdp_verify.paper import statements
from ahdp_verify.paper.statements import STATEMENTS, stored
from tests.answering import cluster_of


def run(*words: str) -> Result:
    alone = () if "--scheduler" in words else ("--workers", "1")
    result = CliRunner().invoke(app, ["paper", *alone, *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_one_statement_is_reported_in_full() -> None:
    found = run("claim:2 (B1)")
    assert found.exit_code == 0
    lines = found.stdout.splitlines()
    assert lines[0].split()[:3] == ["claim:2", "(B1)", "holds"]
    assert lines[1].startswith("  printed: There is an $")
    assert lines[-1] == "1 statement: 1 holds; 1 as expected"


def test_an_unknown_statement() -> None:
    found = run("claim:9")
    assert found.exit_code == 2
    assert found.stderr.count("\n") == 1
    assert found.stderr.startswith("ahdp-verify: claim:9: there is no such statement; ")


def test_files_are_written(tmp_path: Path) -> None:
    page, table, records = tmp_path / "paper.html", tmp_path / "paper.md", tmp_path / "records"
    assert (
        run(
            "def:pureDP", "--html", str(page), "--markdown", str(table), "--save", str(records)
        ).exit_code
        == 0
    )
    assert page.read_text().startswith("<!doctype html>")
    assert "| def:pureDP | holds | proved" in table.read_text()
    saved = sorted(records.iterdir())
    assert len(saved) == len(STATEMENTS["pure_dp"].checks)
    for path in saved:
        recheck(path)


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    found = run("def:pureDP", "--html", str(tmp_path / "no" / "paper.html"))
    assert (found.exit_code, found.stderr.count("\n")) == (2, 1)


def test_two_reports_are_two_files(tmp_path: Path) -> None:
    place = str(tmp_path / "paper")
    found = run("def:pureDP", "--html", place, "--markdown", place)
    assert found.exit_code == 2 and "the same file as --html" in found.stderr
    assert not (tmp_path / "paper").exists()


def test_a_statement_without_time_is_unknown() -> None:
    """Its checks share the seconds of the statement; what is not answered in them is not called
    true or false.
    """
    found = run("def:pureDP", "--seconds", "1e-9")
    assert found.exit_code == 1
    assert (
        "open, NOT AS EXPECTED unknown" in found.stdout
        and "stopped after 1e-09 s while going through the statement" in found.stdout
    )
    assert "give --seconds a larger value" in found.stdout
    assert run("def:pureDP", "--seconds", "60", "--megabytes", "2000").exit_code == 0


def test_limits_that_are_none() -> None:
    found = run("def:pureDP", "--seconds", "-1")
    assert (found.exit_code, found.stderr.count("\n")) == (2, 1)


REPAIRS = [  # a row, the file of its repair, and that of what is printed
    (
        "claim_2_b1",
        "geometric-count-of-one-value-any-others.toml",
        "multiset-weights-sizes-0-to-2-as-printed.toml",
    ),
    ("count_as_query", "weighted-count.toml", "weighted-count-as-printed-without-noise.toml"),
    ("size_estimate", "weighted-count.toml", "frequency-size-of-distinct-records.toml"),
    (
        "claim_4_proof",
        "power-upper-bound-presence.toml",
        "power-upper-bound-presence-wrong-exponent.toml",
    ),
    (
        "e2",
        "power-lower-bound-any-number-of-values.toml",
        "power-lower-bound-any-number-of-values-inverted.toml",
    ),
]


def test_without_an_expectation_it_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    row = STATEMENTS["count_as_query"]
    without = replace(row, checks=(replace(row.checks[0], expect=""), *row.checks[1:]))
    monkeypatch.setitem(STATEMENTS, "count_as_query", without)
    result = run(row.label)
    assert result.exit_code == 1
    assert "the row states no expected answer" in result.stderr


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the paper's files that the toolkit reads instead."""
    for part in ("paper", "laws"):
        shutil.copytree(stored.proofs_folder() / part, tmp_path / part)
    monkeypatch.setattr("ahdp_verify.paper.statements.stored.proofs_folder", lambda: tmp_path)
    monkeypatch.setattr("ahdp_verify.paper.statements.questions.proofs_folder", lambda: tmp_path)
    stored.file_content.cache_clear()
    yield tmp_path / "paper"
    stored.file_content.cache_clear()


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("identifier", "repaired", "printed"), REPAIRS)
def test_with_the_printed_definition_in_place_of_the_repaired_one_it_fails(
    identifier: str, repaired: str, printed: str, copied: Path
) -> None:
    shutil.copy(copied / printed, copied / repaired)
    stored.file_content.cache_clear()
    found = run(STATEMENTS[identifier].label)
    assert found.exit_code == 1
    assert "was expected" in found.stderr


# a cluster


def test_a_cluster_answers_the_same(dask_cluster: Any) -> None:
    """A row of proofs and refutations whose records are not stored."""
    here = run("def:pureDP")
    there = run("def:pureDP", "--scheduler", dask_cluster.scheduler_address)
    assert (there.stdout, there.stderr, there.exit_code) == (here.stdout, "", 0)


def refuting(record: Any) -> Any:
    return {**record, "verdict": "refuted"}


def failing(error: Exception) -> Any:
    def fails(records: Any) -> Any:
        raise error

    return fails


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda records: "no JSON",
            "def:pureDP: the answer of a worker was not accepted (Expecting",
        ),
        (lambda records: json.dumps([refuting(r) for r in records]), "was not accepted ("),
        (
            lambda records: ValueError("no"),
            "a worker of the cluster failed (ValueError: no), so its",
        ),
        (failing(ConnectionError()), ""),
    ],
)
def test_no_row_rests_on_what_a_worker_says(
    make: Any, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = run("def:pureDP")
    records = json.loads(statements.propose_records(json.dumps({"row": "pure_dp", "limits": {}})))
    assert len(records) >= 2
    monkeypatch.setattr(statements, "cluster", cluster_of(lambda function, text: make(records)))
    there = run("def:pureDP", "--scheduler", "tcp://nowhere:1")
    assert (there.stdout, there.exit_code) == (here.stdout, 0)
    assert said in there.stderr and bool(said) == bool(there.stderr)


def test_a_cluster_has_its_own_workers() -> None:
    result = CliRunner().invoke(app, ["paper", "--workers", "2", "--scheduler", "tcp://nowhere:1"])
    assert result.exit_code == 2 and "--workers: a cluster has its own" in result.stderr
