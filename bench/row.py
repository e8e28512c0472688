"""One row of the table of `make bench`, and how its times are measured.

Times are processor time on one core, that of solvers included, since the machine may be running
other work; a figure is the median of a few runs in one process.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass

from ahdp_verify.search import resources

RUNS = 3
SHORTEST = 0.05  # seconds of one run, for what takes less


@dataclass(frozen=True, slots=True)
class Row:
    """A piece of work, its answer, the seconds that it takes, and those of a peer for the same work
    (or for as much of it as the peer does).

    aim  what the figure should be at most: seconds, or a multiple of the peer ("5 x")
    """

    work: str
    answer: str
    ours: float
    peer: str = ""
    theirs: float | None = None
    aim: str = ""

    @property
    def ratio(self) -> float | None:
        """Ours over theirs."""
        return None if not self.theirs else self.ours / self.theirs

    @property
    def is_met(self) -> bool | None:
        """Whether the aim is met; None without one."""
        if not self.aim:
            return None
        number, _, times = self.aim.partition(" ")
        if not times:
            return self.ours <= float(number)
        return self.ratio is not None and self.ratio <= float(number)


def measured(action: Callable[[], object], runs: int = RUNS) -> tuple[float, str]:
    """The median of the seconds that an action takes, and what it gives; a quick one is repeated in
    each run, since the clock of the processor counts milliseconds on some systems.
    """
    taken, answer = [], ""
    for _ in range(runs):
        start, times = resources.processor_time(), 0
        while not times or resources.processor_time() - start < SHORTEST:
            answer, times = str(action()), times + 1
        taken.append((resources.processor_time() - start) / times)
    return statistics.median(taken), answer


def unit() -> float:
    """The seconds of a fixed piece of plain Python, by which runs on different days are
    compared.
    """

    def work() -> int:
        total = 0
        for i in range(1_000_000):
            total += i * i % 7
        return total

    return measured(work, 5)[0]
