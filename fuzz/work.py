"""One case after the other, where they are run: here, in processes of this machine, or by the
workers of a Dask cluster.

A case is determined by its seed, so it is the same wherever it is run. What a worker of a cluster
reports as wrong is reproduced here; that it found nothing in the other cases is not verified.
Processes of this machine end where a case hangs; a worker of a cluster does not, and its case stays
without an outcome.
"""

from __future__ import annotations

import faulthandler
import json
import math
import random
import resource
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, fields
from typing import Any

from ahdp_verify.files import UNREADABLE
from ahdp_verify.workers import LOST, ONE_TASK, LocalProcesses, TaskRun, cluster, local_processes
from fuzz.case import Outcome
from fuzz.generate import KINDS
from fuzz.oracle import lines

HANG = 60.0  # seconds of processor time after which a case is taken to hang
IDLE = 20  # times as many seconds on the clock
FRESH = 1500  # cases of a process after which it is replaced, since caches grow
MEMORY = 6 << 30  # bytes of address space of one process
ENDED = (
    f"its process ended whenever it was tried: it crashes, or takes more than {HANG:g} s of "
    f"processor time"
)


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


def case_text(seed: int, only: str) -> str:
    """The outcome of a case as JSON: what a worker of a cluster answers."""
    with ONE_TASK:  # the threads of a worker share its processor time
        return json.dumps(asdict(case(seed, only)))


def guarded_case(seed: int, only: str) -> str:
    """The same in a process of its own, which ends where a case hangs or takes all memory."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    faulthandler.register(signal.SIGPROF, chain=True)  # says where it hangs
    timers = {signal.ITIMER_PROF: HANG, signal.ITIMER_REAL: IDLE * HANG}
    for timer, seconds in timers.items():
        signal.setitimer(timer, seconds)
    try:
        return case_text(seed, only)
    finally:
        for timer in timers:
            signal.setitimer(timer, 0)


def outcome(seed: int, text: Any) -> Outcome:
    """The outcome that a text states; ValueError, or what else `UNREADABLE` lists, for any other
    text.
    """
    out = Outcome(**json.loads(text))
    for field in fields(Outcome):
        value = getattr(out, field.name)
        if field.type.startswith("list") and not all(isinstance(v, str) for v in value):
            raise ValueError(f"{field.name} is no list of texts")
        if field.type == "str" and not isinstance(value, str):
            raise ValueError(f"{field.name} is no text")
    whole = isinstance(out.settled, int) and out.seed == seed
    if not whole or out.kind not in kinds() or not 0 <= out.seconds < math.inf:
        raise ValueError("it is not the outcome of this case")
    return out


def outcomes_of_processes(seeds: range, only: str, number: int) -> Iterator[Outcome]:
    """The outcomes, from so many processes of this machine; an interrupt comes after those that
    are there.
    """
    for first in range(0, len(seeds), FRESH * number):
        with local_processes(number) as processes:
            yield from guarded_outcomes(processes, seeds[first : first + FRESH * number], only)


def guarded_outcomes(processes: LocalProcesses, seeds: range, only: str) -> Iterator[Outcome]:
    """The outcomes; that of a case that ends every process says so."""
    run = TaskRun(processes, guarded_case, ((seed, (seed, only)) for seed in seeds))
    for seed, text in run.with_finished():
        if isinstance(text, Exception):
            raise text
        yield (
            Outcome("lost", seed=seed, over=[ENDED], seconds=HANG)
            if text is LOST
            else outcome(seed, text)
        )


def outcomes_of_cluster(
    seeds: range, only: str, address: str, failed: Callable[[str], None]
) -> Iterator[Outcome]:
    """The outcomes, from the workers of a cluster; what a worker finds wrong is run again here, and
    so is a case without an answer, and `failed` is told of answers that do not stand.
    """
    with cluster(address) as workers, local_processes(1) as here:
        run = TaskRun(workers, case_text, ((seed, (seed, only)) for seed in seeds))
        for seed, text in run.with_finished():
            out: Outcome | None = None
            with suppress(*UNREADABLE):
                out = outcome(seed, text)
            if out is not None and not out.is_finding:
                yield out
                continue
            (again,) = guarded_outcomes(here, range(seed, seed + 1), only)
            if out is None:
                failed(f"seed {seed}: a worker gave no outcome, so it is run here")
            elif not again.is_finding:
                failed(f"seed {seed}: what a worker found does not occur here: {out.findings}")
            yield again
