"""What each check is needed for: every check is disabled in turn, and the program is run on the
forged records again.

    python checks/run.py [kernel|recheck] [--table FILE]

A check is justified by a forged record that it alone stops: refused by the program, accepted once
this one check is disabled. The records are in `checks/forged/`, one line each (`checks/find.py`
finds them). A check whose records are still refused without it is *backed*: the table names what
refuses them then. A check that no record reaches is a *survivor*, printed with its explanation from
`checks/explained.toml` if there is one. The exit code is 1 if a survivor has no explanation, if an
explanation matches no survivor, or if the program accepts a forged record.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NoReturn

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(HERE)]

import programs
from switches import Check

Record = dict[str, Any]
TRIED = 60  # forged records tried for one check, those that it stops last first
PATIENCE = 20  # seconds for one record without a check: the program may not terminate
MEMORY = 4_000_000_000  # bytes


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a program does with a record: the reason if it refuses it, and the checks at which
    it stops.
    """

    refusal: str | None
    stopping: tuple[int, ...]


@dataclass(slots=True)
class Result:
    """What the forged records show about the checks of a program, by their keys."""

    alone: dict[str, Record] = field(default_factory=dict)
    backed: dict[str, str] = field(default_factory=dict)
    accepted: list[Record] = field(default_factory=list)
    records: int = 0


def text(record: Record) -> str:
    return json.dumps(record, sort_keys=True, separators=(",", ":"))


def stored(name: str) -> list[Record]:
    """The stored forged records for a program."""
    path = HERE / "forged" / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def outcome(program: programs.Program, record: Record) -> Outcome:
    """What the program with all checks does with a record."""
    program.switches.forget()
    refusal = program.refusal(record)
    return Outcome(refusal, program.switches.stopping)


def without(program: programs.Program, check: Check, record: Record) -> str | None:
    """What stops the record without the check: another check, an error, or nothing.

    In a process of its own, since a program without a check may not terminate, or crash.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _answer(program, check, record, writing)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return "no end" if os.WTERMSIG(status) == signal.SIGALRM else "the end of the interpreter"
    found: str | None = json.loads(said) if said else "the end of the interpreter"
    return found


def _answer(program: programs.Program, check: Check, record: Record, pipe: int) -> NoReturn:
    """Ends this process, after the answer for the record is written to the pipe."""
    try:
        signal.alarm(PATIENCE)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        program.switches.forget()
        with program.switches.off(check):
            refusal = program.refusal(record)
        said = None if refusal is None else behind(program, check, refusal)
        os.write(pipe, json.dumps(said).encode())
    finally:
        os._exit(0)


def behind(program: programs.Program, check: Check, refusal: str) -> str:
    """What refuses in place of a check: a Python error, or another check."""
    for mark in ("malformed (", "a traceback ("):
        if mark in refusal:
            return refusal.partition(mark)[2].partition(":")[0]
    fired = [n for n in program.switches.stopping if n != check.number]
    return f"`{program.switches.checks[fired[0]].name}`" if fired else "what is left of it"


def removed(program: programs.Program, records: list[Record]) -> Result:
    """The result of disabling every check in turn."""
    result, reaching = Result(records=len(records)), dict[int, list[tuple[int, Record]]]()
    for record in records:
        found = outcome(program, record)
        if found.refusal is None:
            result.accepted.append(record)
        for place, number in enumerate(found.stopping):
            reaching.setdefault(number, []).append((place, record))
    for check in program.switches.checks:
        if program.counts(check):
            nearest = sorted(reaching.get(check.number, []), key=lambda entry: entry[0])
            one_removed(program, check, [record for _, record in nearest], result)
    return result


def one_removed(
    program: programs.Program, check: Check, records: list[Record], result: Result
) -> None:
    """Runs the program without a check on the records that reach it, until one is accepted."""
    others = Counter[str]()
    for record in records[:TRIED]:
        other = without(program, check, record)
        if other is None:
            result.alone[check.key] = record
            return
        others[other] += 1
    if others:
        result.backed[check.key] = others.most_common(1)[0][0]


# the report


def explanations(name: str) -> list[tuple[str, str]]:
    """Patterns of keys, each with the reason why the checks it matches stop no forged record."""
    data = tomllib.loads((HERE / "explained.toml").read_text())
    return [(p, g["reason"]) for g in data.get(name, ()) for p in g["checks"]]


def explained(check: Check, known: list[tuple[str, str]]) -> tuple[str, str] | None:
    """The pattern that matches a check, and its reason."""
    return next(((p, r) for p, r in known if fnmatchcase(check.name, p.replace("[", "[[]"))), None)


def report(name: str, program: programs.Program, result: Result) -> int:
    """The exit code, once everything is printed."""
    checks = [check for check in program.switches.checks if program.counts(check)]
    known = explanations(name)
    shown = {*result.alone, *result.backed}
    found = {c: explained(c, known) for c in checks if c.key not in shown}
    unexplained = [check.name for check, said in found.items() if said is None]
    used = {said[0] for said in found.values() if said is not None}
    idle = [pattern for pattern, _ in known if pattern not in used]
    for name_ in unexplained:
        print(f"survives: {name_}")
    for pattern in idle:
        print(f"explanation without a survivor: {pattern}")
    for record in result.accepted:
        print(f"FORGED, BUT ACCEPTED: {text(record)[:300]}")
    print(
        f"{name}: {len(checks)} checks, {result.records} forged records; {len(result.alone)} "
        f"checks stop one that no other check stops, "
        f"{len(result.backed)} stop one first and are backed, {len(found)} survive: "
        f"{len(found) - len(unexplained)} explained, {len(unexplained)} unexplained"
    )
    return 1 if unexplained or idle or result.accepted else 0


def listing(name: str, program: programs.Program, result: Result) -> str:
    """The table in Markdown: each check with the forged record that it alone stops."""
    known = explanations(name)
    lines = [f"# The checks of {name}", "", "| check | what it stops |", "| --- | --- |"]
    for check in program.switches.checks:
        if program.counts(check):
            said = cell(check, result, known)
            lines.append(
                "| {} | {} |".format(*(t.replace("|", r"\|") for t in (f"`{check.name}`", said)))
            )
    return "\n".join(lines) + "\n"


def cell(check: Check, result: Result, known: list[tuple[str, str]]) -> str:
    if check.key in result.alone:
        return f"alone: {label(result.alone[check.key])}"
    if check.key in result.backed:
        return f"first; then {result.backed[check.key]}"
    said = explained(check, known)
    return said[1] if said else "nothing"


def label(record: Record) -> str:
    """How the table names a forged record: a text by its beginning, other records by their seal."""
    said = record.get("text", record.get("raw", str(record.get("sha256"))[:12]))
    return f"`{said if len(said) <= 40 else said[:37] + '...'}`"


def both() -> int:
    """The exit code once both programs are done, each in its own process."""
    line = [sys.executable, __file__]
    started = [subprocess.Popen([*line, name]) for name in programs.NAMES]
    return max([process.wait() for process in started])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", choices=programs.NAMES, nargs="?")
    options = parser.parse_args()
    if options.program is None:
        return both()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    program = programs.load(options.program)
    result = removed(program, stored(options.program))
    table = ROOT / "build" / f"checks-{options.program}.md"
    table.parent.mkdir(exist_ok=True)
    table.write_text(listing(options.program, program, result))
    return report(options.program, program, result)


if __name__ == "__main__":
    sys.exit(main())
