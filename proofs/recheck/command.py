"""The command line: one line for each record, then the totals.

The exit code is 0 if every record is accepted or attested by solvers that it names; otherwise 2 if
a file cannot be read or its process died, 1 if a record is rejected, and 3 if one is not covered.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib
import multiprocessing
import os
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from recheck.records import (
    ACCEPTED,
    FAILED,
    NOT_COVERED,
    REJECTED,
    UNREADABLE,
    WORD,
    Answer,
    check_file,
)

resource: Any = None
with contextlib.suppress(ImportError):  # not every system has such limits
    resource = importlib.import_module("resource")

ORDER = (ACCEPTED, WORD, NOT_COVERED, REJECTED, UNREADABLE, FAILED)
STACK_BYTES = 512_000_000
FRAMES = 20_000
SECONDS, MEGABYTES = 300, 4_000
OBJECTS = 20_000  # between two searches for cycles of objects, which takes 8 % of the time at 700


def main(arguments: list[str]) -> int:
    options = read_options(arguments)
    found: dict[Path, Answer] = {}
    files = []
    for path in options.paths:
        try:
            files += records_in(path)
        except OSError as why:
            found[path] = Answer(UNREADABLE, f"it cannot be read: {why.strerror or 'an error'}")
    files = [f for f in dict.fromkeys(files) if f not in found]
    try:
        for path, answer in answers(files, options):
            found[path] = answer
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    show(found, options.quiet)
    return exit_code(found)


def read_options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="recheck",
        description="Check stored proofs and refutations, independently of ahdp_verify.",
    )
    parser.add_argument("paths", nargs="+", type=Path, help="records, or folders of records")
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="print only records that are not accepted"
    )
    parser.add_argument(
        "-j", "--jobs", type=int, default=os.cpu_count() or 1, help="number of processes"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=SECONDS,
        help="limit of the processor time for each record; 0: none",
    )
    parser.add_argument(
        "--megabytes",
        type=int,
        default=MEGABYTES,
        help="limit of the memory of each process; 0: none",
    )
    options = parser.parse_args(arguments)
    if options.jobs < 1 or options.seconds < 0 or options.megabytes < 0:
        parser.error("the number of processes must be at least 1, and limits must not be negative")
    return options


def records_in(path: Path) -> list[Path]:
    """The records of a folder, or the path itself."""
    if path.is_dir():
        os.listdir(path)  # raises if it cannot be read
        return sorted(path.rglob("*.json"))
    return [path]


def size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return 0


# processes


def answers(files: list[Path], options: argparse.Namespace) -> Iterator[tuple[Path, Answer]]:
    """The answer for each file.  If a process dies, the files left are checked again one by one."""
    limits = options.seconds, options.megabytes
    left, tasks = dict.fromkeys(files), batches(files)
    with contextlib.suppress(BrokenProcessPool):
        for path, answer in in_parallel(tasks, min(options.jobs, len(tasks)), limits):
            left.pop(path)
            yield path, answer
    for path in left:
        try:
            yield from in_parallel([[path]], 1, limits)
        except BrokenProcessPool:
            yield path, Answer(FAILED, "the process that checked it died")


def batches(files: list[Path]) -> list[list[Path]]:
    """The files in groups, each of which one process checks: those whose names differ in the number
    at the end are about one mechanism, whose mass is then checked once.

    The largest come first, so that no process ends long after the others.
    """
    found: dict[tuple[Path, str], list[Path]] = {}
    for path in files:
        found.setdefault((path.parent, path.stem.rstrip("0123456789")), []).append(path)
    return sorted(found.values(), key=lambda batch: sum(map(size_of, batch)), reverse=True)


def in_parallel(
    tasks: list[list[Path]], jobs: int, limits: tuple[float, int]
) -> Iterator[tuple[Path, Answer]]:
    if not tasks:
        return
    start = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, start, prepare, limits) as pool:
        waiting = {pool.submit(in_thread, [*map(str, t)], limits[0]): t for t in tasks}
        for done in as_completed(waiting):
            yield from zip(waiting[done], done.result(), strict=True)


def prepare(seconds: float, megabytes: int) -> None:
    """Limits the memory of this process, on systems that support it."""
    gc.set_threshold(OBJECTS)
    most = megabytes * 1_000_000 + STACK_BYTES
    with contextlib.suppress(ValueError, OSError):
        if resource is not None and megabytes:
            resource.setrlimit(resource.RLIMIT_AS, (most, most))


def in_thread(paths: list[str], seconds: float) -> list[Answer]:
    """The answer for each file, computed on a stack that is large enough for deep expressions."""
    found: list[Answer] = []

    def run() -> None:
        for path in paths:
            found.append(check_file(Path(path), seconds))

    sys.setrecursionlimit(FRAMES)
    threading.stack_size(STACK_BYTES)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return found


# what is printed


def show(found: dict[Path, Answer], quiet: bool) -> None:
    for path, answer in sorted(found.items()):
        if not quiet or answer.verdict != ACCEPTED:
            link = " " if answer.verdict == WORD else ": "
            print(printable(f"{path}: {answer.verdict}{link}{answer.why}"))
    totals = Counter(a.verdict for a in found.values())
    words = [f"{totals[v]} {v}{' solvers' * (v == WORD)}" for v in ORDER if totals[v]]
    print(", ".join(words) or "no records")


def printable(text: str) -> str:
    """The text on one line, with characters escaped that are not printable."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)


def exit_code(found: dict[Path, Answer]) -> int:
    verdicts = {a.verdict for a in found.values()}
    for code, those in ((2, {UNREADABLE, FAILED}), (1, {REJECTED}), (3, {NOT_COVERED})):
        if verdicts & those:
            return code
    return 0 if found else 2
