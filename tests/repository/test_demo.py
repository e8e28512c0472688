"""`make demo` ends with a summary that is true of the records, whatever files it was asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ahdp_verify.files.load import load
from ahdp_verify.files.records import save
from ahdp_verify.search.verify import verify
from tests.repository.test_readme import ROOT
from tools.demo_summary import claims, main


def folder_of(folder: Path, *chosen: tuple[str, int]) -> Path:
    """A folder with the records of these claims of files under proofs/paper, by their numbers."""
    for stem, number in chosen:
        claim = load(ROOT / f"proofs/paper/{stem}.toml").claims[number - 1]
        save(verify(claim), folder / f"{stem}-{number}.json")
    return folder


def test_the_makefile_ends_the_demo_with_it() -> None:
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\ndemo:")[2]
    lines = recipe.partition("\n\n")[0].splitlines()
    assert lines[-1] == "\t@.venv/bin/python tools/demo_summary.py $(SAVED)"
    assert sum("ahdp-verify verify" in line for line in lines) == 1


def test_it_counts_and_tells_a_refutation_beside_a_proof_of_the_same_mechanism(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    chosen = (
        ("exact-size", 4),
        ("exact-size", 6),
        *(("linear-query-three-records", i) for i in (6, 7, 8)),
    )
    folder = folder_of(tmp_path, *chosen)
    assert main(str(folder)) == 0
    said = capsys.readouterr().out
    words = " ".join(said.split())
    assert words.startswith("What you have seen Decided and saved: 5 claims about")
    assert "2 claims are true: proved" in words and "2 claims are false" in words
    assert "1 claim is true only because nothing is compared" in words
    assert "is swap DP at level 1 (scope: all datasets)" in words
    assert (
        "is swap DP at level 999/1000 {(0, 0)} against {(2, oo)}, event s < 0: probability 1/2"
        in words
    )
    for number in (6, 7):
        assert f"explain {folder}/linear-query-three-records-{number}.json" in said
    prose = [line for line in said.splitlines() if not line.startswith("    ")]
    assert max(map(len, prose)) <= 80


@pytest.mark.parametrize(
    ("chosen", "without"),
    [
        ([("exact-size", 4)], " true: proved"),
        ([("exact-size", 6)], " false, as"),
        ([], "For example"),
    ],
)
def test_it_says_nothing_of_what_there_is_none(
    chosen: list[tuple[str, int]], without: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(str(folder_of(tmp_path, *chosen)))
    assert without not in capsys.readouterr().out


def test_one_and_several() -> None:
    assert claims(1, "be") == "1 claim is" and claims(0) == "0 claims"


def test_it_is_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "tools/demo_summary.py", str(ROOT / "nowhere")],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and done.stdout.startswith(
        "\nWhat you have seen\n\nDecided and saved: 0 claims"
    )
