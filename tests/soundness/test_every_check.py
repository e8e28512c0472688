"""A part of `make checks`: some forged records are refused, and each is accepted once the only
check that stops it is disabled.
"""

from __future__ import annotations

import doctest
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHECKS = ROOT / "checks"
SOURCES = sorted(path.name for path in CHECKS.glob("*.py") if ">>>" in path.read_text())

SAMPLE = """
import sys
sys.path[:0] = [{root!r}, {checks!r}]
import programs, run
program = programs.load({name!r})
records = run.stored({name!r})[::{step}]
checks = {{check.number: check for check in program.switches.checks}}
shown = set()
for record in records:
    found = run.outcome(program, record)
    assert found.refusal is not None, record
    for number in found.stopping[:4]:
        if program.counts(checks[number]) and run.without(program, checks[number], record) is None:
            shown.add(number)
print(len(records), len(shown))
"""


@pytest.mark.parametrize(("name", "step"), [("kernel", 120), ("recheck", 150)])
def test_forged_records_are_refused_and_a_check_less_lets_some_through(
    name: str, step: int
) -> None:
    program = SAMPLE.format(root=str(ROOT), checks=str(CHECKS), name=name, step=step)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    line = [sys.executable, "-c", program]
    done = subprocess.run(
        line, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    records, shown = map(int, done.stdout.split())
    assert records >= 5 and shown >= 2


@pytest.mark.parametrize("name", SOURCES)
def test_what_the_tools_say_of_themselves_is_true(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(CHECKS))
    module = __import__(name.removesuffix(".py"))
    assert doctest.testmod(module).attempted > 0
    assert doctest.testmod(module).failed == 0
