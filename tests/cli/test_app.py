"""The commands: what they print, where, and their exit codes; every bad input is one sentence."""

from __future__ import annotations

import ast
import os
import signal
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from ahdp_verify.cli import app as cli
from tests.cli.bench import PROVED, REFUTED, Bench, content

ROOT = Path(__file__).resolve().parents[2]


def test_the_program_has_these_exit_codes(bench: Bench) -> None:
    bench.write(content(claims=PROVED + REFUTED))
    for words, code in (
        (["verify", "sum.toml"], 1),
        (["verify", "none.toml"], 2),
        (["verify", "sum.toml", "--level", "eps"], 0),
        ([], 2),
    ):
        process = bench.spawn(*words)
        _, err = process.communicate(timeout=120)
        assert process.returncode == code and "Traceback" not in err, err


def test_the_program_prints_on_any_terminal(bench: Bench) -> None:
    bench.write(content().replace('"sum"', '"s\\u00fcm"'))
    process = bench.spawn(
        "verify",
        "sum.toml",
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": "ascii"},
    )
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "") and out.startswith('Proved: "s\\xfcm" is AHDP')


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_is_one_line_and_130(bench: Bench) -> None:
    bench.write("import time\nprint('running', flush=True)\ntime.sleep(60)\n", "slow.py")
    process = bench.spawn("verify", "slow.py:claim")
    assert process.stdout is not None and process.stdout.readline() == "running\n"
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (
        130,
        "ahdp-verify: verify was interrupted; the answers above remain valid\n",
    )
    assert time.monotonic() - began < 30


@pytest.mark.skipif(sys.platform == "win32", reason="pipes")
def test_a_closed_pipe_is_silent(bench: Bench) -> None:
    process = bench.spawn("verify", bench.write(content()))
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert (process.wait(timeout=120), process.stderr.read()) == (141, "")
    process.stderr.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full")
def test_a_full_disk_is_one_sentence(bench: Bench) -> None:
    with Path("/dev/full").open("w") as full:
        process = bench.spawn("verify", bench.write(content()), stdout=full)
        _, err = process.communicate(timeout=120)
    assert (
        process.returncode == 2
        and err.startswith("ahdp-verify: stdout: results cannot be written there")
        and err.count("\n") == 1
    )


def test_the_console_script_is_this_program() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"ahdp-verify": "ahdp_verify.cli.app:main"} and callable(cli.main)


COMMANDS = [command for command in cli.app.registered_commands if command.callback is not None]
FILES = sorted(Path(cli.__file__).parent.glob("*.py"))
# A command's file imports these at its top, and everything else inside the functions that use it.
LIGHT = (
    "canonical_json",
    "cli",
    "datasets",
    "files",
    "kernel",
    "programs",
    "search",
    "start",
    "verdicts",
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_is_the_function_of_its_file(command: Any) -> None:
    found = (command.callback.__module__, command.callback.__name__)
    assert found == (f"ahdp_verify.cli.{command.name}", f"{command.name}_command")


def test_every_command_ends_with_the_exit_code_that_its_function_returns() -> None:
    assert len(COMMANDS) == 23
    for command in COMMANDS:
        function = getattr(command.callback, "__wrapped__", None)
        assert function is not None and function.__annotations__["return"] == "int", command.name


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_command_waits_for_what_only_another_one_needs(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    at_top = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    named = [
        alias.name if isinstance(node, ast.Import) else f"{node.module}.{alias.name}"
        for node in at_top
        for alias in node.names
    ]
    own = [name.split(".")[1] for name in named if name.startswith("ahdp_verify.")]
    assert [name for name in own if name not in LIGHT] == []
    used = {getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(tree)}
    assert not used & {"import_module", "__import__"}, "a name in a string is not found by search"


def test_what_is_bad_about_all_claims_of_a_file_is_reported_once(bench: Bench) -> None:
    file = bench.write(content(claims=PROVED + PROVED))
    assert bench.sentence("calibrate", file, "--parameter", "b").count("b is not a parameter") == 1
