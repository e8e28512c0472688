"""The standing attack: verdicts of all kinds against an independent oracle, and mutated files,
command lines and records.

    python -m fuzz.run --cases 1000 --seed 1          cases 1, ..., 1000
    python -m fuzz.run --cases 1 --seed 417           case 417 again, with full details

A case is determined by its seed.  Processes of this machine run the cases, or with --scheduler the
workers of a Dask cluster (fuzz.work); one that dies, or that takes too long for one case, is
counted and replaced.  Ctrl-C prints the figures of the cases finished so far.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ahdp_verify import BadInput
from fuzz.case import Outcome
from fuzz.work import case, kinds, outcomes_of_cluster, outcomes_of_processes

UNDECIDED = ("unknown", "refused", "rejected", "answered", "none")


HEAD = (
    *("cases", "proved", "refuted", "unknown", "share", "refused", "other"),
    *("settled", "median", "total"),
)


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
            counted = [a[k] for k in ("proved", "refuted", "unknown", "refused")]
            listed: list[object] = [*counted]
            rate = 100 * self.settled[kind] / self.decided[kind] if self.decided[kind] else 100
            listed.insert(3, f"{100 * a['unknown'] / (a.total() or 1):.1f} %")
            cells = [self.cases[kind], *listed, a.total() - sum(counted), f"{rate:.0f} %"]
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


def attack(outcomes: Iterator[Outcome], figures: Figures, total: int, log: Path | None) -> None:
    """All cases are counted."""
    begun = shown = time.monotonic()
    for out in outcomes:
        note(out, figures, log)
        if time.monotonic() - shown > 5:
            shown = time.monotonic()
            progress(figures, total, shown - begun)


def note(out: Outcome, figures: Figures, log: Path | None) -> None:
    figures.add(out)
    disagree = [x for x in out.suspect if x.startswith("the checkers disagree")]
    if disagree and log is not None:
        with log.with_suffix(".disagree").open("a", encoding="utf-8") as file:
            file.write(report(out, True) + "\n\n")
    if out.is_finding:
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
    parser.add_argument(
        "--workers",
        type=int,
        default=None,
        help="number of processes that share the work (one per core)",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        default="",
        help="let the workers of a Dask cluster run the cases; what they find is run again here",
    )
    parser.add_argument(
        "--log", type=Path, default=None, help="a file to which cases that fail are appended"
    )
    parser.add_argument(
        "--untold",
        action="store_true",
        help="list why the oracle could not decide, and refusals",
    )
    found = parser.parse_args()
    if found.scheduler and found.workers is not None:
        parser.error("a cluster has its own workers; leave --workers or --scheduler out")
    return found


def outcomes(seeds: range, options: argparse.Namespace) -> Iterator[Outcome]:
    """The outcomes of the cases, by processes of this machine or by a cluster."""
    if options.scheduler:
        return outcomes_of_cluster(seeds, options.kind, options.scheduler, failed=say)
    number = min(options.workers or os.cpu_count() or 1, len(seeds))
    return outcomes_of_processes(seeds, options.kind, number)


def say(text: str) -> None:
    """The text is on stderr."""
    print(text, file=sys.stderr, flush=True)


def main() -> int:
    """The attack; 0 if nothing is wrong."""
    options = arguments()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    first = options.seed if options.seed is not None else random.SystemRandom().randrange(10**9)
    seeds = range(first, first + options.cases)
    say(f"seeds {first} to {seeds[-1]}")
    figures = Figures()
    if options.cases == 1:
        out = case(first, options.kind)
        figures.add(out)
        print(report(out, True))
    else:
        try:
            attack(outcomes(seeds, options), figures, options.cases, options.log)
        except KeyboardInterrupt:
            say("interrupted; what is done:")
        except BadInput as why:
            say(str(why))
            return 2
    print(figures.text())
    if options.scheduler:
        print(
            "run by a cluster; what it found was found again here; that it found nothing else was not verified"
        )
    for title, counted in (
        (("could not decide", figures.undecided), ("noted", figures.suspect))
        if options.untold
        else ()
    ):
        print(f"{title}:", *(f"{n:>7}  {why}" for why, n in counted.most_common(60)), sep="\n")
    return 1 if figures.wrong or figures.errors or figures.over else 0


if __name__ == "__main__":
    sys.exit(main())
