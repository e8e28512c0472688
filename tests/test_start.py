"""Ctrl-C and SIGTERM: one sentence, the exit code of shells, no child, no half-written file.

Every process signals by a line or a file that it has reached the point at which the signal is sent;
nothing waits for a time, only for events.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}
BOTH = pytest.mark.parametrize("number", list(CODES), ids=["Ctrl-C", "SIGTERM"])
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="children are looked for in /proc")
AS_COMMAND = (
    "import sys; sys.argv[0] = 'ahdp-verify'; from ahdp_verify import start; "
    "from ahdp_verify.cli import console; start.mark_loaded()\n"
)
HARD = (
    '"(set-logic QF_NIA)(declare-const x Int)(declare-const y Int)(declare-const z Int)(assert '
    '(= (+ (* x x x) (* y y y) (* z z z)) 114))(check-sat)"'
)


def started(*arguments: str, path: Path | None = None, **more: str) -> subprocess.Popen[str]:
    """A process of this package with a group of its own."""
    paths = os.pathsep.join(str(p) for p in (path, ROOT) if p)
    return subprocess.Popen(
        [sys.executable, *arguments],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env=os.environ | {"PYTHONPATH": paths} | more,
    )


def until(seen: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """What is waited for is there; the process has not ended before."""
    while not seen():
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


def children(pid: int) -> list[int]:
    """The children of a process, and theirs."""
    try:
        listed = [
            int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        ]
    except OSError:
        return []
    return listed + [inner for child in listed for inner in children(child)]


def running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def ends_well(process: subprocess.Popen[str], number: int, *, whole_group: bool = False) -> str:
    """The process ends as it should; what it said on stderr."""
    known = children(process.pid)
    if whole_group:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    _, said = process.communicate(timeout=120)
    assert process.returncode == CODES[signal.Signals(number)], said
    assert (
        "Traceback" not in said
        and "Exception" not in said
        and said.count("\n") == 1
        and said.startswith("ahdp-verify: ")
    ), said
    deadline = time.monotonic() + 60
    while any(map(running, known)):
        assert time.monotonic() < deadline, "a child is still there"
        time.sleep(0.01)
    return said


@BOTH
@pytest.mark.parametrize("slow", ["typer", "flint"])  # by the app, and by a command
def test_while_modules_are_loaded(number: signal.Signals, slow: str, tmp_path: Path) -> None:
    """A module of that name, found first, says that it is being loaded and goes on with that for
    ever.
    """
    (tmp_path / f"{slow}.py").write_text(
        "import os, time\nopen(os.environ['READY'], 'w').close()\nwhile True:\n    time.sleep(1)\n"
    )
    process = started("-m", "ahdp_verify", "list", path=tmp_path, READY=str(tmp_path / "ready"))
    until((tmp_path / "ready").exists, process)
    ends_well(process, number)


@BOTH
def test_while_a_solver_works(number: signal.Signals) -> None:
    program = (
        f"from ahdp_verify.search.solvers.processes import "
        f"z3_answer\nsys.exit(console.run_outermost(lambda: len(z3_answer({HARD}, 600).word), "
        f"'asking'))"
    )
    process = started("-c", AS_COMMAND + program)
    until(lambda: bool(children(process.pid)), process)
    ends_well(process, number, whole_group=True)


def test_a_solver_ends_with_a_process_that_is_killed() -> None:
    process = started(
        "-c",
        AS_COMMAND
        + f"from ahdp_verify.search.solvers.processes import z3_answer\nz3_answer({HARD}, 600)",
    )
    until(lambda: bool(children(process.pid)), process)
    (solver,) = children(process.pid)
    until(
        lambda: (
            "SigBlk" in Path(f"/proc/{solver}/status").read_text()
            and b"z3" in Path(f"/proc/{solver}/maps").read_bytes()
        ),
        process,
    )
    process.kill()
    process.communicate(timeout=120)
    while running(solver):
        time.sleep(0.01)


@BOTH
def test_while_statements_are_worked_on(number: signal.Signals) -> None:
    program = (
        "def action():\n    from ahdp_verify.paper.statements import results\n    for _ in "
        "results(workers=2): pass\n    return 0\n"
        "if __name__ == '__main__':\n    sys.exit(console.run_outermost(action, 'going through the "
        "paper'))"
    )
    process = started("-c", AS_COMMAND + program)
    until(lambda: len(children(process.pid)) >= 2, process)
    ends_well(process, number, whole_group=True)


@BOTH
@pytest.mark.parametrize("step", ["os.fsync", "os.replace", "os.chmod"])
def test_while_a_record_is_written(number: signal.Signals, step: str, tmp_path: Path) -> None:
    (tmp_path / "sum.json").write_text("old")
    program = (
        f"import os, time\ndef wait(*a, **k):\n    print('here', flush=True)\n    while True: "
        f"time.sleep(1)\n{step} = wait\n"
        "import ahdp_verify.canonical_json as jsonfile\nimport pathlib\n"
        "pathlib.Path.replace = lambda self, target: os.replace(self, target)\n"
        f"sys.exit(console.run_outermost(lambda: jsonfile.write_json([1] * 10000, "
        f"{str(tmp_path / 'sum.json')!r}) or 0, 'saving'))"
    )
    process = started("-c", AS_COMMAND + program)
    assert process.stdout is not None and process.stdout.readline() == "here\n"
    ends_well(process, number)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("sum.json", "old")]


def test_a_second_signal_is_not_waited_for(tmp_path: Path) -> None:
    """What swallows the first one cannot swallow the second one."""
    program = (
        "import time\nimport ahdp_verify.canonical_json as jsonfile\n"
        f"jsonfile.UNFINISHED.add({str(tmp_path / 'half')!r})\nopen({str(tmp_path / 'half')!r}, "
        f"'w').close()\ntold = []\n"
        "while True:\n    try:\n        told or told.append(print('here', flush=True))\n        "
        "time.sleep(1)\n"
        "    except BaseException:\n        print('swallowed', flush=True)\n"
    )
    process = started("-c", AS_COMMAND + program)
    assert process.stdout is not None and process.stdout.readline() == "here\n"
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "swallowed\n"
    ends_well(process, signal.SIGINT)
    assert not list(tmp_path.iterdir())


def test_a_sigterm_that_is_swallowed_ends_the_process_all_the_same() -> None:
    program = (
        "import time\nstart.PATIENCE = 0.1\ntold = []\nwhile True:\n    try:\n"
        "        told or told.append(print('here', flush=True))\n        time.sleep(1)\n    "
        "except BaseException:\n        pass\n"
    )
    process = started("-c", AS_COMMAND + program)
    assert process.stdout is not None and process.stdout.readline() == "here\n"
    ends_well(process, signal.SIGTERM)


def test_a_program_that_is_not_the_command_keeps_its_own_handlers() -> None:
    program = (
        "import signal, ahdp_verify; print(signal.getsignal(signal.SIGTERM) is "
        "signal.SIG_DFL, signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert done.stdout == "True True\n"


def test_what_was_ignored_on_purpose_stays_ignored() -> None:
    """nohup, and jobs that a shell runs in the background."""
    program = (
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        + AS_COMMAND
        + "print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert done.stdout == "True\n"
