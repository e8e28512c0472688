"""Medians of the time that verdicts take, as a table on stdout and in build/bench.md.

A figure is the median of several runs in one process, mechanism construction and checking included;
the machine's speed varies, so compare rows of one table only, never two tables.
"""

from __future__ import annotations

import itertools
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path

import enumeration
import overrun
import power

from ahdp_verify.analysis.arguments import examine
from ahdp_verify.files.argument_file import ArgumentFile
from ahdp_verify.files.load import load
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyClaim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.model.privacy import ahdp
from ahdp_verify.kernel.terms.expression import Abs, exp
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify

ROOT = Path(__file__).resolve().parent.parent
RUNS = 5
Row = tuple[str, str, float]


def weighted_count(records: int, pairs: int) -> Claim:
    """A weighted count over so many records with so many different pairs (shift, level)."""
    domain = Domain([(i, Fraction(1 + i % pairs, pairs)) for i in range(records)])
    s = real("s")
    return ahdp(
        Mechanism(
            domain,
            outputs=[s],
            density=exp(-Abs(s - domain.sum(lambda x, eps: eps))) / 2,
            name="weighted count",
        )
    )


def first_claim(name: str) -> AnyClaim | Inequality:
    """The first claim of a file below proofs/."""
    claim: AnyClaim | Inequality = load(ROOT / "proofs" / f"{name}.toml").claims[0]
    return claim


def timed(make: Callable[[], AnyClaim | Inequality]) -> tuple[str, float]:
    """The verdict in one word and the median of the seconds that it takes."""
    seconds, word = [], ""
    for _ in range(RUNS):
        start = time.perf_counter()
        word = type(verify(make(), Limits(seconds=120))).__name__
        seconds.append(time.perf_counter() - start)
    return word, statistics.median(seconds)


def domains() -> Iterator[Row]:
    """How the cost grows with the number of records of a domain."""
    for records, pairs in ((10, 10), (1000, 10), (1000, 1000)):
        word, seconds = timed(partial(weighted_count, records, pairs))
        yield f"domain of {records} records, {pairs} different (shift, level)", word, seconds


def files() -> Iterator[Row]:
    """The first claim of some stored files."""
    for name in (
        "paper/linear-query-universal",
        "paper/mean-numerator-and-denominator",
        "paper/linear-regression-d-8",
        "paper/linear-regression-upper-triangle-d-8",
        "field/laplace-prefix-sums-of-ten-queries",
        "field/one-time-rappor-two-values",
        "public/laplace-threshold-one-user",
    ):
        word, seconds = timed(partial(first_claim, name))
        yield f"{name}, first claim", word, seconds


def slow() -> Iterator[Row]:
    """The files that take too long for the test suite, all claims: whether every answer is the
    expected one.
    """
    for name in (ROOT / "proofs" / "slow.txt").read_text().split():
        file, start = load(ROOT / "proofs" / name), time.perf_counter()
        verdicts = (
            [examine(file.argument).verdict]
            if isinstance(file, ArgumentFile)
            else [verify(claim, Limits(seconds=240)) for claim in file.claims]
        )
        found = [verdict.outcome for verdict in verdicts]
        right = all(note.expect in ("", word) for note, word in zip(file.notes, found, strict=True))
        yield (
            f"{name}, {len(found)} claims",
            "as expected" if right else "NOT as expected",
            time.perf_counter() - start,
        )


def table(rows: list[Row]) -> str:
    """The rows in Markdown, with the cost of 1,000 records against 10."""
    lines = [
        "| what | verdict | median seconds |",
        "| --- | --- | --- |",
        *(f"| {what} | {word} | {seconds:.3f} |" for what, word, seconds in rows),
    ]
    small, large, different = (seconds for _, _, seconds in rows[:3])
    lines += [
        "",
        f"1,000 records with 10 different pairs cost {large / small:.2f} times 10 records; all "
        f"different: {different:.2f} ms per pair.",
    ]
    return "\n".join(lines)


def main() -> int:
    """The table, printed and written."""
    rows = []
    for row in itertools.chain(domains(), files(), slow()):
        print(f"{row[2]:8.3f} s  {row[1]:8} {row[0]}", file=sys.stderr, flush=True)
        rows.append(row)
    text = f"{table(rows)}\n\n{enumeration.table()}\n\n{power.table()}\n\n{overrun.table()}"
    target = ROOT / "build" / "bench.md"
    target.parent.mkdir(exist_ok=True)
    target.write_text(text + "\n")
    print(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
