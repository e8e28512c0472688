"""`ahdp-verify report`: its lines, files and exit codes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import ahdp_verify.canonical_json as jsonfile
from ahdp_verify.cli.app import app
from ahdp_verify.files.load import load
from ahdp_verify.search.verify import verify
from tests.reporting.pages import check_page

# of two real outputs there is no picture, which would take most of the time
FILE = """
format = 2
name = "noisy count"
domain.records = [["0", "1"], ["1", "2"]]
[mechanism]
outputs = [{name = "s", kind = "real"}, {name = "t", kind = "real"}]
density = "exp(-abs(s - sum(x)) - abs(t))/4"
[[claim]]
name = "demand"
relation = "ahdp"
expect = "proved"
[[claim]]
name = "too low"
relation = "ahdp"
level = "eps/3"
expect = "refuted"
"""


def run(*words: str) -> Result:
    result = CliRunner().invoke(app, ["report", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "count.toml"
    path.write_text(FILE)
    return path


def test_a_file_is_reported(file: Path, tmp_path: Path) -> None:
    page, text = tmp_path / "page.html", tmp_path / "page.md"
    found = run(str(file), "--html", str(page), "--markdown", str(text))
    assert found.exit_code == 1
    assert found.stdout.splitlines() == [
        "Proved: noisy count is AHDP at level eps",
        "Refuted: noisy count is AHDP at level eps/3",
        f"2 claims: 1 refuted, 1 proved; written: {page}, {text}",
    ]
    reader = check_page(page.read_text(encoding="utf-8"))
    assert hashlib.sha256(file.read_bytes()).hexdigest() in reader.text
    assert "too low" in reader.text
    assert f"ahdp-verify verify {file} --save records/" in reader.text


def test_one_claim_of_a_file(file: Path, tmp_path: Path) -> None:
    found = run(f"{file}:demand", "--markdown", str(tmp_path / "page.md"))
    assert found.exit_code == 0
    assert found.stdout.count("\n") == 2
    assert hashlib.sha256(file.read_bytes()).hexdigest() in (tmp_path / "page.md").read_text()


def records(file: Path, folder: Path) -> list[Path]:
    """The records of the claims of a file."""
    folder.mkdir()
    places = [folder / f"{i}.json" for i in (1, 2)]
    for claim, place in zip(load(file).claims, places, strict=True):
        verify(claim).save(place)
    return places


def test_records_are_checked_again(file: Path, tmp_path: Path) -> None:
    right, wrong = records(file, tmp_path / "records")
    forged = json.loads(wrong.read_text())
    forged["counterexample"]["event"]["intervals"] = []
    del forged["sha256"]
    jsonfile.write_json(jsonfile.seal(forged), wrong)
    found = run(str(tmp_path / "records"), "--markdown", str(tmp_path / "page.md"))
    assert found.exit_code == 1
    assert found.stdout.splitlines()[1].startswith("Not accepted: noisy count is AHDP")
    text = (tmp_path / "page.md").read_text()
    assert "The checker does not accept this record" in text
    assert f"ahdp-verify recheck {wrong} {right}" in text


def test_what_is_not_a_mechanism_is_reported_as_such(file: Path, tmp_path: Path) -> None:
    file.write_text(FILE.replace("/4", "/3"))
    found = run(str(file), "--markdown", str(tmp_path / "page.md"))
    assert found.exit_code == 2
    assert "This mechanism is not well defined" in (tmp_path / "page.md").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["count.toml"], "report: no place is named for it; give --html FILE, "),
        (["count.toml", "--html", "count.toml", "--force"], "the report is about this file"),
        (["count.toml", "--html", "a.html", "--browser", "x"], "--browser: it is for a PDF"),
        (["count.toml", "--pdf", "a.pdf", "--browser", "nowhere"], "--browser: nowhere is not a"),
        (["missing.toml", "--html", "a.html"], "missing.toml"),
        (["count.toml", "missing.json", "--html", "a.html"], "missing.json"),
        (["count.toml:none", "--html", "a.html"], "none is called none"),
        (["empty", "--html", "a.html"], "this folder contains no mechanism file or record"),
        (["count.toml", "--html", "nowhere/a.html"], "there is no folder nowhere"),
    ],
)
def test_mistakes(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    found = run(*words)
    assert found.exit_code == 2
    assert found.stdout == ""  # nothing is decided before a mistake is found
    assert found.stderr.count("\n") == 1
    assert said in found.stderr
    assert not (tmp_path / "a.html").exists()
    assert file.read_text() == FILE


PROGRAM = """format = 2
name = "above threshold"
[parameters]
eps = "eps > 0"
[domain]
queries = "n"
[program]
start = ["rho ~ laplace(2/eps)", "goto wait"]
[program.state.wait]
keeps = ["rho"]
query = ["nu ~ laplace(4/eps)", "if q + nu >= rho", ["output true", "stop"], "output false", "goto wait"]
[[claim]]
relation = "all"
level = "eps"
expect = "proved"
[[claim]]
name = "too good"
relation = "all"
level = "eps/2"
expect = "refuted"
"""


def test_a_file_about_a_noise_program_is_reported_and_shown(tmp_path: Path) -> None:
    source, page = tmp_path / "above.toml", tmp_path / "above.html"
    source.write_text(PROGRAM)
    found = run(str(source), "--html", str(page))
    assert found.exit_code == 1 and "2 claims: 1 refuted, 1 proved" in found.output
    text = page.read_text("utf-8")
    assert "if q + nu &gt;= rho" in text and "The event is that exactly this is output: " in text
    shown = CliRunner().invoke(app, ["show", str(source)]).output
    assert "\n    if q + nu >= rho\n        output true\n" in shown
    assert "makes no set of outputs more than exp(eps) times as likely" in shown
