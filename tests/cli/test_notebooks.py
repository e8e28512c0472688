"""`ahdp-verify notebooks`: the list, and what is started for one notebook."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ahdp_verify.classroom.lessons import LESSONS, lesson, notebook_path
from ahdp_verify.cli.app import app
from ahdp_verify.kernel.errors import BadInput

RUNNER = CliRunner()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The lines with which programs would be started; every library is there."""
    lines: list[list[str]] = []

    def run(line: list[str], check: bool) -> subprocess.CompletedProcess[bytes]:
        lines.append(line)
        return subprocess.CompletedProcess(line, 0)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    return lines


def test_all_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    done = RUNNER.invoke(app, ["notebooks"])
    assert done.exit_code == 0
    listed = " ".join(done.stdout.split())
    for number in range(1, 11):
        assert f"{number} {lesson(number).title} ({lesson(number).minutes} minutes)" in listed
    goals = [line for line in done.stdout.splitlines() if line.startswith("   ")]
    assert max(map(len, goals)) <= 40
    assert len([line for line in goals if line.startswith("   - ")]) == sum(
        len(found.goals) for found in LESSONS
    )


def test_one_is_opened_on_this_computer_only(started: list[list[str]]) -> None:
    assert RUNNER.invoke(app, ["notebooks", "4"]).exit_code == 0
    (line,) = started
    assert line[:4] == [sys.executable, "-m", "marimo", "run"]
    assert Path(line[4]) == notebook_path(4) and Path(line[4]).is_file()
    assert line[line.index("--host") + 1] == "127.0.0.1"
    assert "--headless" not in line and "--port" not in line


def test_a_port_and_no_browser(started: list[list[str]]) -> None:
    RUNNER.invoke(app, ["notebooks", "1", "--port", "2800", "--no-browser"])
    (line,) = started
    assert "--headless" in line and line[line.index("--port") + 1] == "2800"


def test_a_copy_is_edited(
    started: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert RUNNER.invoke(app, ["notebooks", "2", "--edit"]).exit_code == 0
    own = tmp_path / lesson(2).file
    assert own.read_bytes() == notebook_path(2).read_bytes()
    own.write_text("mine", encoding="utf-8")
    RUNNER.invoke(app, ["notebooks", "2", "--edit"])
    assert own.read_text(encoding="utf-8") == "mine"
    assert [line[3:5] for line in started] == [["edit", str(own)]] * 2


def test_a_missing_library_is_named_with_the_cure(
    started: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    done = RUNNER.invoke(app, ["notebooks", "1"])
    assert done.exit_code == 2 and started == []
    assert done.stderr == (
        "ahdp-verify: notebooks: marimo is not installed; pip install 'ahdp-verify[notebooks]'\n"
    )


@pytest.mark.parametrize("number", ["0", "11"])
def test_a_number_that_is_none(number: str) -> None:
    done = RUNNER.invoke(app, ["notebooks", number])
    assert done.exit_code == 2
    assert done.stderr == f"ahdp-verify: notebooks: there is no notebook {number}; choose 1 to 10\n"


def test_a_notebook_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "is_file", lambda self: False)
    with pytest.raises(BadInput, match="install the package again"):
        notebook_path(3)
