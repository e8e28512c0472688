"""Which check does what: each is taken away in turn, and the forged records are put to the program again.

    python checks/run.py kernel|recheck [--find N] [--seed S] [--table FILE]

A check earns its place by a forged record that it alone stops: refused by the program, accepted once
this one check is gone. Such records are kept in `checks/forged/`, one line each. The table lists
every check with its record; what nothing notices is printed as a survivor, with its explanation from
`checks/explained.toml` if there is one. Exit code 1 if a survivor has no explanation, if an
explanation is of no survivor, or if the program accepts a forged record.

With `--find N`, N more records are forged from true ones and those that show something new are kept.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import signal
import sys
import time
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(HERE)]

import programs  # noqa: E402
from forge import Record, forged  # noqa: E402
from switches import Check  # noqa: E402

TRIED = 60  # forged records tried for one check; those that it refused last come first
KEPT = 40  # candidates kept for one check while searching
PATIENCE = 30  # seconds for one check: without it a program may run for ever
LAST = 6  # of the switches that a record asked, how many from the end make it a candidate


@dataclass(slots=True)
class Survey:
    """The forged records by the checks that they asked last, the smallest first."""

    candidates: dict[int, list[tuple[int, int, Record]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, record: Record, asked: list[int]) -> None:
        size = len(json.dumps(record))
        for back, number in enumerate(reversed(asked[-LAST:])):
            kept = self.candidates[number]
            kept.append((back, size, record))
            if len(kept) > 2 * KEPT:
                kept.sort(key=lambda entry: entry[:2])
                del kept[KEPT:]

    def of(self, check: Check) -> list[Record]:
        listed = sorted(self.candidates.get(check.number, ()), key=lambda entry: entry[:2])
        return [record for _, _, record in listed[:TRIED]]


class TooLong(BaseException):
    """A run without a check did not come to an end."""


def _stop(signum: int, frame: Any) -> None:
    raise TooLong


def stored(name: str) -> list[Record]:
    """The forged records that are kept for a program."""
    path = HERE / "forged" / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def asked_by(program: programs.Program, record: Record) -> tuple[bool, list[int]]:
    """Whether the program accepts the record, and the switches that it asked, in order."""
    program.switches.asked.clear()
    accepted = program.accepts(record)
    return accepted, list(program.switches.asked)


def shown_by(program: programs.Program, check: Check, records: list[Record]) -> Record | None:
    """A record that only this check stops; None if there is none among these."""
    if not records:
        return None
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(PATIENCE)
    try:
        with program.switches.off(check):
            return next((record for record in records if program.accepts(record)), None)
    except TooLong:
        return None
    finally:
        signal.alarm(0)
        program.forget()


def mutants(program: programs.Program, count: int, seed: int) -> Iterator[Record]:
    """Forged records: true ones changed."""
    rng, seeds = random.Random(seed), program.seeds()
    for _ in range(count):
        yield forged(rng.choice(seeds), seeds, rng)


def progress(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def surveyed(program: programs.Program, records: Iterator[Record], what: str) -> tuple[Survey, list[Record]]:
    """Which checks refuse which records, and the records that the program accepts."""
    survey, accepted = Survey(), []
    for i, record in enumerate(records):
        taken, asked = asked_by(program, record)
        if taken:
            accepted.append(record)
        else:
            survey.add(record, asked)
        if i % 200 == 0:
            progress(f"{what}: {i} records")
    progress("")
    return survey, accepted


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", choices=programs.NAMES)
    parser.add_argument("--find", type=int, default=0, metavar="N", help="forge N more records")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the forged records")
    parser.add_argument("--table", type=Path, help="write the table of checks to this file")
    options = parser.parse_args()
    program = programs.load(options.program)
    survey, accepted = surveyed(program, iter(stored(options.program)), "forged records")
    found = {
        check.key: record
        for check in program.switches.checks
        if (record := shown_by(program, check, survey.of(check))) is not None
    }
    if options.find:
        print(f"seed {options.seed}", file=sys.stderr)
        more, _ = surveyed(program, mutants(program, options.find, options.seed), "forging")
        for check in program.switches.checks:
            progress(check.key[:100])
            if check.key not in found and (record := shown_by(program, check, more.of(check))):
                found[check.key] = record
        progress("")
        keep(options.program, found)
    return report(options.program, program, found, accepted, options.table)


def keep(name: str, found: dict[str, Record]) -> None:
    """The records that are needed, each once, in the order of their text."""
    lines = sorted({json.dumps(record, sort_keys=True, separators=(",", ":")) for record in found.values()})
    path = HERE / "forged" / f"{name}.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))


def report(
    name: str, program: programs.Program, found: dict[str, Record], accepted: list[Record], table: Path | None
) -> int:
    """The exit code, once everything is printed."""
    checks = [check for check in program.switches.checks if program.counts(check)]
    reasons = tomllib.loads((HERE / "explained.toml").read_text()).get(name, {})
    survivors = [check for check in checks if check.key not in found]
    unexplained = [check for check in survivors if check.key not in reasons]
    idle = sorted(set(reasons) - {check.key for check in survivors})
    for check in unexplained:
        print(f"survives: {check.key} (line {check.line})")
    for key in idle:
        print(f"explained, but not a survivor: {key}")
    for record in accepted:
        print(f"ACCEPTED, and must not be: {json.dumps(record)[:200]}")
    print(
        f"{name}: {len(checks)} checks, {len({json.dumps(r) for r in found.values()})} forged records, "
        f"{len(checks) - len(survivors)} checks that alone stop one of them, "
        f"{len(survivors) - len(unexplained)} survivors explained, {len(unexplained)} unexplained"
    )
    if table is not None:
        table.write_text(listing(name, checks, found, reasons))
    return 1 if unexplained or idle or accepted else 0


def listing(name: str, checks: list[Check], found: dict[str, Record], reasons: dict[str, str]) -> str:
    """The table in Markdown: each check with the forged record that it alone stops."""
    lines = [f"# The checks of {name}", "", "| check | forged record that it alone stops |", "| --- | --- |"]
    for check in checks:
        record = found.get(check.key)
        said = f"`{record['sha256'][:12]}`" if record else reasons.get(check.key, "none")
        lines.append(f"| `{check.key.replace('|', chr(92) + '|')}` | {said} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
