"""The standing attack: verdicts of all kinds against an independent oracle, and mutated files,
command lines and records.

    python -m fuzz.run --cases 1000 --seed 1          cases 1, ..., 1000
    python -m fuzz.run --cases 1 --seed 417           case 417 again, with full details

A case is determined by its seed.  Worker processes run the cases; one that dies, or that takes too
long for one case, is counted and replaced.  Ctrl-C prints the figures of the cases finished so far.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import random
import resource
import signal
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from fuzz.case import Outcome
from fuzz.generate import KINDS
from fuzz.oracle import lines

HANG = 60.0  # seconds of processor time in one case after which a worker is taken to hang
IDLE = 20  # times as many seconds on the clock
UNDECIDED = ("unknown", "refused", "rejected", "answered", "none")
FRESH = 1500  # cases after which a worker is replaced, since caches grow
MEMORY = 6 << 30  # bytes of address space of one worker


def kinds() -> dict[str, tuple[int, Callable[[random.Random], Outcome]]]:
    """All kinds of cases, with their weights."""
    return KINDS


def case(seed: int, only: str = "") -> Outcome:
    """The outcome of one case; an exception that escapes from the package is part of it."""
    table = {k: v for k, v in kinds().items() if not only or k in only.split(",")}
    rng = random.Random(seed)
    kind = rng.choices(list(table), [w for w, _ in table.values()])[0]
    out = Outcome(kind)
    lines.begin()
    start = time.process_time()
    try:
        out = table[kind][1](rng)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        out.error = traceback.format_exc()
        out.source = out.source or str(getattr(error, "source", ""))
    out.kind, out.seed = kind, seed
    out.seconds = max(out.seconds, time.process_time() - start)
    return out


def work(pipe: Connection, theirs: Connection, only: str) -> None:
    """What a worker does: seeds come in, outcomes go out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    theirs.close()  # so that this process ends with the main process
    while (seed := pipe.recv()) is not None:
        pipe.send(case(seed, only))


def until_the_end(pipe: Connection, theirs: Connection, only: str) -> None:
    """Runs `work` until the main process ends."""
    with contextlib.suppress(EOFError, BrokenPipeError):
        work(pipe, theirs, only)


@dataclass
class Worker:
    """A worker process and the case that it is at."""

    only: str
    process: Any = None
    pipe: Any = None
    seed: int | None = None
    since: float = 0.0
    used: float = 0.0
    done: int = 0

    def start(self) -> None:
        context = multiprocessing.get_context("fork")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(
            target=until_the_end, args=(theirs, self.pipe, self.only), daemon=True
        )
        self.process.start()
        theirs.close()
        self.done = 0

    def give(self, seed: int) -> None:
        if self.process is None or self.done >= FRESH:
            self.stop()
            self.start()
        self.seed, self.since, self.used = seed, time.monotonic(), self.processor()
        self.pipe.send(seed)

    def processor(self) -> float:
        """Processor time of the worker, children that have ended included, where the system
        tells.
        """
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
            return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError):
            return 0.0

    @property
    def is_stuck(self) -> bool:
        return self.processor() - self.used > HANG or time.monotonic() - self.since > IDLE * HANG

    def take(self) -> Outcome:
        """The outcome that has arrived; a dead worker is one, too."""
        seed = self.seed
        assert seed is not None
        self.seed = None
        try:
            found: Outcome = self.pipe.recv()
            self.done += 1
            return found
        except (EOFError, OSError):
            self.process.join(5)
            code = self.process.exitcode
            self.process = None
            return Outcome("died", seed=seed, error=f"the process ended with {code}")

    def hung(self) -> Outcome:
        """The outcome of a case that does not terminate."""
        seed = self.seed
        assert seed is not None
        self.process.kill()
        self.process.join()
        self.process, self.seed = None, None
        return Outcome(
            "hang", seed=seed, over=[f"still busy after {HANG:g} s of processor time"], seconds=HANG
        )

    def stop(self) -> None:
        if self.process is not None:
            if self.seed is None:
                self.pipe.send(None)
                self.process.join(2)
            if self.process.is_alive():
                self.process.kill()
                self.process.join()
            self.process = None


HEAD = ("cases", "proved", "refuted", "unknown", "refused", "other", "settled", "median", "total")


@dataclass
class Figures:
    """What has been found so far."""

    cases: Counter[str] = field(default_factory=Counter)
    answers: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    settled: Counter[str] = field(default_factory=Counter)
    decided: Counter[str] = field(default_factory=Counter)
    undecided: Counter[str] = field(default_factory=Counter)
    suspect: Counter[str] = field(default_factory=Counter)
    wrong: list[Outcome] = field(default_factory=list)
    errors: list[Outcome] = field(default_factory=list)
    over: list[Outcome] = field(default_factory=list)
    times: list[tuple[float, int, str]] = field(default_factory=list)

    def add(self, out: Outcome) -> None:
        self.cases[out.kind] += 1
        self.answers[out.kind].update(out.answers)
        certain = sum(a not in UNDECIDED for a in out.answers)
        self.decided[out.kind] += bool(certain)
        self.settled[out.kind] += bool(certain and out.settled)
        self.undecided.update(set(out.undecided))
        self.suspect.update(set(out.suspect))
        for flag, kept in (
            (out.wrong, self.wrong),
            (out.error, self.errors),
            (out.over, self.over),
        ):
            if flag:
                kept.append(out)
        self.times.append((out.seconds, out.seed, out.kind))

    def lines(self) -> Iterator[str]:
        """The table of figures."""
        yield f"{'kind':<12}" + "".join(f"{h:>9}" for h in HEAD)
        for kind in sorted(self.cases):
            a, times = self.answers[kind], sorted(t for t, _, k in self.times if k == kind)
            listed = [a[k] for k in ("proved", "refuted", "unknown", "refused")]
            rate = 100 * self.settled[kind] / self.decided[kind] if self.decided[kind] else 100
            cells = [self.cases[kind], *listed, a.total() - sum(listed), f"{rate:.0f} %"]
            cells += [f"{1000 * times[len(times) // 2]:.0f} ms", f"{sum(times):.0f} s"]
            yield f"{kind:<12}" + "".join(f"{c:>9}" for c in cells)
        total, decided = sum(self.cases.values()), sum(self.decided.values())
        undecided = decided - sum(self.settled.values())
        yield f"cases {total}, decided {decided}, of which the oracle could not decide {undecided}"
        failed = len(self.wrong), len(self.errors), len(self.over)
        yield "wrong {}, tracebacks {}, overruns {}".format(*failed)
        self.times.sort()
        slowest = ", ".join(f"{t:.1f} s (seed {s}, {k})" for t, s, k in self.times[:-4:-1])
        yield f"slowest {slowest}"

    def text(self) -> str:
        return "\n".join(self.lines())


def report(out: Outcome, full: bool) -> str:
    """The details of one case that failed."""
    listed = [
        f"seed {out.seed} ({out.kind})",
        *(f"  wrong: {w}" for w in out.wrong),
        *(f"  overrun: {o}" for o in out.over),
    ]
    if out.error:
        listed.append("  " + (out.error if full else out.error.strip().splitlines()[-1]))
    if full:
        listed += [f"  undecided: {u}" for u in out.undecided] + [
            f"  note: {s}" for s in out.suspect
        ]
        listed += [f"  answers: {', '.join(out.answers)}", out.source]
    return "\n".join(listed)


def attack(
    seeds: Iterator[int], workers: list[Worker], figures: Figures, total: int, log: Path | None
) -> None:
    """All cases, each by the next free worker."""
    begun, shown, left = time.monotonic(), 0.0, True
    while True:
        for w in workers:
            if left and w.seed is None:
                seed = next(seeds, None)
                left = seed is not None
                if seed is not None:
                    w.give(seed)
        busy = [w for w in workers if w.seed is not None]
        if not busy:
            return
        ready = wait([w.pipe for w in busy], timeout=1.0)
        for w in busy:
            if w.pipe in ready:
                note(w.take(), figures, log)
            elif w.is_stuck:
                note(w.hung(), figures, log)
        if time.monotonic() - shown > 5:
            shown = time.monotonic()
            progress(figures, total, shown - begun)


def note(out: Outcome, figures: Figures, log: Path | None) -> None:
    figures.add(out)
    disagree = [x for x in out.suspect if x.startswith("the checkers disagree")]
    if disagree and log is not None:
        with log.with_suffix(".disagree").open("a", encoding="utf-8") as file:
            file.write(report(out, True) + "\n\n")
    if out.wrong or out.error or out.over:
        print(report(out, False), file=sys.stderr, flush=True)
        if log is not None:
            with log.open("a", encoding="utf-8") as file:
                file.write(report(out, True) + "\n\n")


def progress(figures: Figures, total: int, seconds: float) -> None:
    done = sum(figures.cases.values())
    rest = seconds / done * (total - done) if done else 0.0
    print(
        f"{done} of {total}; wrong {len(figures.wrong)}, tracebacks {len(figures.errors)}, "
        f"overruns {len(figures.over)}; "
        f"{seconds:.0f} s, about {rest:.0f} s to go",
        file=sys.stderr,
        flush=True,
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="verdicts of all kinds against an independent oracle"
    )
    parser.add_argument("--cases", type=int, default=2000, help="how many cases (2000)")
    parser.add_argument(
        "--seed",
        type=int,
        default=None,
        help="the first seed; without one it is drawn, and printed",
    )
    parser.add_argument(
        "--kind",
        default="",
        help="only cases of these kinds, separated by commas: " + ", ".join(kinds()),
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--log", type=Path, default=None, help="a file to which cases that fail are appended"
    )
    parser.add_argument(
        "--untold",
        action="store_true",
        help="list why the oracle could not decide, and refusals",
    )
    return parser.parse_args()


def main() -> int:
    """The attack; 0 if nothing is wrong."""
    options = arguments()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    first = options.seed if options.seed is not None else random.SystemRandom().randrange(10**9)
    print(f"seeds {first} to {first + options.cases - 1}", file=sys.stderr, flush=True)
    figures = Figures()
    if options.cases == 1:
        out = case(first, options.kind)
        figures.add(out)
        print(report(out, True))
    else:
        workers = [Worker(options.kind) for _ in range(min(options.workers, options.cases))]
        try:
            attack(
                iter(range(first, first + options.cases)),
                workers,
                figures,
                options.cases,
                options.log,
            )
        except KeyboardInterrupt:
            print("interrupted; what is done:", file=sys.stderr)
        finally:
            for w in workers:
                w.stop()
    print(figures.text())
    for title, counted in (
        (("could not decide", figures.undecided), ("noted", figures.suspect))
        if options.untold
        else ()
    ):
        print(f"{title}:", *(f"{n:>7}  {why}" for why, n in counted.most_common(60)), sep="\n")
    return 1 if figures.wrong or figures.errors or figures.over else 0


if __name__ == "__main__":
    sys.exit(main())
