"""The draws of an experiment: one trial after the other, shared among processes of this machine, or
among the workers of a Dask cluster.

Every trial has a generator of its own that depends only on the seed and its number, so the results
are the same whoever draws. Processes of this machine run this program. Of what a cluster draws, one
trial in `CHECKED` is drawn again here, and no worker is told which; an answer in which one differs
is rejected as a whole. The other trials are not verified, and `notes` says so.

>>> coin = Trials(fair_coins, {"tosses": 3})
>>> [int(sum(tosses)) for tosses in DrawnHere()(coin, 4, 1)]
[2, 1, 2, 1]
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Any, Protocol

import numpy as np

from ahdp_verify import Rejected
from ahdp_verify.files import UNREADABLE, one_line
from ahdp_verify.sampling import Array
from ahdp_verify.workers import ONE_TASK, TaskRun, Workers, cluster, local_processes

BLOCK = 25  # trials of one task, fewer if there are not
TASKS = 16  # tasks of this size
CHECKED = 20
# relative, since another machine may sum the same numbers in another order; a forged number that is
# as near to the true one changes no figure
CLOSE = 1e-6
LONGEST = 300  # characters of a reason

Run = Callable[[int, Any], Array]  # (number of the trial, its generator) -> numbers
Step = Callable[[], None]
Numbers = list[Array]
Task = tuple[range, tuple[Callable[[Any], Run], str, int, int, int]]


def no_step() -> None:
    """No progress report."""


@dataclass(frozen=True, slots=True)
class Trials:
    """What a trial is: `make`, a function of a module, makes it from a setting that JSON can
    hold; `called` is what several are called.
    """

    make: Callable[[Any], Run]
    setting: Any
    called: str = "trials"

    @property
    def text(self) -> str:
        """The setting as JSON."""
        return json.dumps(self.setting)


def fair_coins(setting: Any) -> Run:
    """Trials that toss some coins."""
    return lambda number, rng: rng.integers(0, 2, setting["tosses"]).astype(float)


class Draws(Protocol):
    """Who draws: called with trials, how many, and a seed, it returns their results in order.

    An interrupt ends the trials; those that are finished are returned, unless there is none.
    `notes` says what is to be known of the draws.
    """

    def __call__(self, trials: Trials, asked: int, seed: int) -> Numbers: ...

    @property
    def notes(self) -> tuple[str, ...]: ...


@dataclass(slots=True)
class DrawnHere:
    """All trials are drawn in this process; `step` is called after each."""

    step: Step = no_step
    notes: tuple[str, ...] = ()

    def __call__(self, trials: Trials, asked: int, seed: int) -> Numbers:
        return run_trials(trials.make(trials.setting), asked, seed, self.step)


def run_trials(run: Run, asked: int, seed: int, step: Step) -> Numbers:
    """The results of up to `asked` trials.

    An interrupt ends the trials; those that are finished are returned, unless there is none.
    """
    found: Numbers = []
    try:
        for i in range(asked):
            found.append(trial(run, seed, i))
            step()
    except KeyboardInterrupt:
        if not found:
            raise
    return found


def trial(run: Run, seed: int, number: int) -> Array:
    """One trial."""
    return run(number, np.random.default_rng((seed, number)))


@lru_cache(maxsize=1)
def run_of(make: Callable[[Any], Run], setting: str) -> Run:
    """The trials of a setting, made once for all tasks of a process."""
    return make(json.loads(setting))


def block_text(make: Callable[[Any], Run], setting: str, seed: int, first: int, end: int) -> str:
    """The results of the trials of a block as JSON: what a worker answers."""
    with ONE_TASK:
        run = run_of(make, setting)
        return json.dumps([np.asarray(trial(run, seed, i)).tolist() for i in range(first, end)])


def blocks(asked: int) -> Iterator[range]:
    """The trials of each task."""
    size = max(1, min(BLOCK, asked // TASKS))
    return (range(i, min(i + size, asked)) for i in range(0, asked, size))


def block_tasks(trials: Trials, asked: int, seed: int) -> Iterator[Task]:
    """The tasks of the workers."""
    text = trials.text
    return ((b, (trials.make, text, seed, b.start, b.stop)) for b in blocks(asked))


def finished_blocks(
    where: AbstractContextManager[Workers],
    tasks: Iterator[Task],
    accept: Callable[[range, Any], Numbers],
    step: Step,
) -> Numbers:
    """The results of all tasks, in order; after an interrupt, of those whose answers are there."""
    found: dict[int, Numbers] = {}
    try:
        with where as workers:
            for block, answer in TaskRun(workers, block_text, tasks).with_finished():
                found[block.start] = accept(block, answer)
                for _ in block:
                    step()
    except KeyboardInterrupt:
        if not found:
            raise
    return list(chain.from_iterable(found[first] for first in sorted(found)))


@dataclass(slots=True)
class DrawnByProcesses:
    """The trials are shared among so many processes of this machine."""

    number: int
    step: Step = no_step
    notes: tuple[str, ...] = ()

    def __call__(self, trials: Trials, asked: int, seed: int) -> Numbers:
        def accept(block: range, answer: Any) -> Numbers:
            if isinstance(answer, Exception):
                raise answer
            if isinstance(answer, str):
                return [np.asarray(numbers, dtype=float) for numbers in json.loads(answer)]
            run = trials.make(trials.setting)  # its process was lost whenever it was tried
            return [trial(run, seed, i) for i in block]

        tasks = block_tasks(trials, asked, seed)
        return finished_blocks(local_processes(self.number), tasks, accept, self.step)


@dataclass(slots=True)
class DrawnByCluster:
    """The trials are shared among the workers of the cluster with this address; `failed` is told
    why an answer was rejected, or the exception of a worker.
    """

    address: str
    failed: Callable[[str | Exception], None]
    step: Step = no_step
    called: str = ""
    drawn: int = 0
    again: int = 0
    chosen: random.Random = field(default_factory=random.SystemRandom)

    @property
    def notes(self) -> tuple[str, ...]:
        """How many trials the cluster drew, and how many of them were verified."""
        return (
            f"drawn by a cluster: {self.drawn:,} {self.called}, of which {self.again:,}, chosen at "
            f"random, were drawn again here and agree; the others were not verified",
        )

    def __call__(self, trials: Trials, asked: int, seed: int) -> Numbers:
        self.called, run = trials.called, trials.make(trials.setting)
        checked = frozenset(self.chosen.sample(range(asked), -(-asked // CHECKED)))

        def accept(block: range, answer: Any) -> Numbers:
            if isinstance(answer, str):
                mine = {i: trial(run, seed, i) for i in block if i in checked}
                try:
                    found = read_block(answer, block, shape, mine)
                    self.drawn, self.again = self.drawn + len(block), self.again + len(mine)
                    return found
                except UNREADABLE as error:
                    self.failed(one_line(str(error), LONGEST))
            elif isinstance(answer, Exception):
                self.failed(answer)
            return [trial(run, seed, i) for i in block]

        tasks, shape = block_tasks(trials, asked, seed), trial(run, seed, 0).shape
        return finished_blocks(cluster(self.address), tasks, accept, self.step)


def read_block(
    answer: str, block: range, shape: tuple[int, ...], mine: dict[int, Array]
) -> Numbers:
    """The results that an answer states, in which those that were drawn again here have to be
    right: Rejected, or what else `UNREADABLE` lists, for any other.
    """
    found = np.asarray(json.loads(answer), dtype=float)
    if found.shape != (len(block), *shape):
        raise Rejected("its numbers are not those of the trials")
    for i, numbers in mine.items():
        if not np.allclose(found[i - block.start], numbers, rtol=CLOSE, atol=0, equal_nan=True):
            raise Rejected(f"trial {i}, drawn again here, gives other numbers")
    return list(found)
