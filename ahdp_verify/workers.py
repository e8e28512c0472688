"""Independent tasks, shared among processes of this machine or among the workers of a Dask cluster.

A task is a call of one function with arguments of its own; its results come in the order in which
the tasks were given. Processes of this machine end with this one, however it ends, and run its own
code: what they answer is this program's word. A cluster runs whatever is installed there, so that
its answers are only proposals, which the caller has checked again.

A process that is lost (killed, or out of memory) costs a retry of what it was working on. A task
that twice was in work when a process was lost is tried once more alone; if that process is lost
too, the task is given up and its result is `LOST`.

>>> with local_processes(1) as processes:
...     list(TaskRun(processes, abs, [("first", (-3,)), ("nothing to do", None), ("last", (4,))]))
[('first', 3), ('nothing to do', None), ('last', 4)]
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, Protocol, TypeVar

from ahdp_verify.kernel.errors import BadInput, Missing
from ahdp_verify.search.solvers.processes import end_with_parent, hold_signals
from ahdp_verify.start import collect_garbage_rarely

__all__ = (
    "LOST",
    "ONE_TASK",
    "Cluster",
    "LocalProcesses",
    "TaskRun",
    "Workers",
    "cluster",
    "local_processes",
)

Key = TypeVar("Key")
SUSPECT, GIVEN_UP = 2, 3  # losses after which a task is tried alone, and after which it is given up
IN_WORK = 256  # tasks that a cluster is given at a time, however many workers it has
CONNECTING = 10  # seconds within which the scheduler of a cluster has to answer


class Lost(Enum):
    """The result of a task whose process was lost whenever it was tried."""

    LOST = "lost"


LOST = Lost.LOST
ONE_TASK = threading.Lock()  # held by a task that must not share its process with another one


class Workers(Protocol):
    """Where tasks are worked on: at most `room` of them at a time."""

    @property
    def room(self) -> int: ...

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """The call, worked on from now on; its future raises `lost` if its process was lost."""

    @property
    def lost(self) -> type[Exception]: ...

    def renew(self) -> bool:
        """Whether lost processes were replaced, so that a task may be tried again."""


class LocalProcesses:
    """Processes of this machine, started with the first task."""

    lost: type[Exception] = BrokenProcessPool

    def __init__(self, number: int) -> None:
        self.number, self.room = number, number + 1  # one more waits, so that no process does
        self._others = set(multiprocessing.active_children())
        self._pool = self._started()

    def _started(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self.number, multiprocessing.get_context("spawn"), _begin_process, (os.getpid(),)
        )

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """The call, worked on from now on."""
        with hold_signals():
            return self._pool.submit(function, *arguments)

    def renew(self) -> bool:
        """New processes in place of the lost ones."""
        # the pool waits for all of its processes, and for ever for one that was started while it
        # was ending the others
        self.kill()
        self._pool.shutdown(cancel_futures=True)
        self._pool = self._started()
        return True

    def kill(self) -> None:
        """No process is left, whatever it was working on."""
        for child in set(multiprocessing.active_children()) - self._others:
            child.kill()

    def close(self) -> None:
        """What is not yet begun is abandoned."""
        self._pool.shutdown(cancel_futures=True)


def _begin_process(parent: int) -> None:
    """What a worker process does before its first task."""
    end_with_parent(parent)
    collect_garbage_rarely()


class Cluster:
    """The workers of a Dask cluster, which replaces lost ones itself."""

    room = IN_WORK

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client, KilledWorker  # noqa: PLC0415 - it is an extra
        except ImportError:
            raise Missing("--scheduler", "distributed", "cluster") from None
        connect: Any = Client  # it has no types
        for name in ("distributed", "tornado"):  # what they say of lost workers is no answer
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            self._client = connect(address, timeout=CONNECTING, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise BadInput(
                "--scheduler",
                f"no Dask scheduler answers at {address!r} ({type(error).__name__})",
                "give the address that it printed when it was started, such as tcp://node:8786",
            ) from None
        self._executor = self._client.get_executor(pure=False)
        self.lost: type[Exception] = KilledWorker

    @property
    def threads(self) -> int:
        """The threads of all its workers, at least one."""
        listed: dict[str, int] = self._client.nthreads()
        return max(1, sum(listed.values()))

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """The call, worked on from now on."""
        future: Future[Any] = self._executor.submit(function, *arguments)
        return future

    def renew(self) -> bool:
        """False: the scheduler has tried again already."""
        return False

    def close(self) -> None:
        """What is not finished is abandoned; the cluster stays."""
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._client.close()


@contextmanager
def local_processes(number: int) -> Iterator[LocalProcesses]:
    """So many processes of this machine; what is unfinished when the block is left by an error, or
    by Ctrl-C, is abandoned.
    """
    processes = LocalProcesses(number)
    try:
        yield processes
    except BaseException:
        processes.kill()
        raise
    finally:
        processes.close()


@contextmanager
def cluster(address: str) -> Iterator[Cluster]:
    """The workers of the cluster whose scheduler is at this address; BadInput if none answers,
    Missing without the library.
    """
    workers = Cluster(address)
    try:
        yield workers
    finally:
        with suppress(Exception):  # the answers are there, whatever becomes of the connection
            workers.close()


@dataclass(slots=True, eq=False)
class _Task(Generic[Key]):
    """A call and what became of it; without arguments there is nothing to do."""

    key: Key
    arguments: tuple[Any, ...] | None
    future: Future[Any] | None = None
    losses: int = 0

    @property
    def is_done(self) -> bool:
        return self.arguments is None or (self.future is not None and self.future.done())


class TaskRun(Generic[Key]):
    """The calls of `function` for the tasks, pairs of a key and of the arguments (None for nothing
    to do), of which new ones are taken only as workers become free.

    Iterating gives each key with its result, in the order of the tasks; the result of a call that
    raised is the exception.
    """

    def __init__(
        self,
        workers: Workers,
        function: Callable[..., Any],
        tasks: Iterable[tuple[Key, tuple[Any, ...] | None]],
    ) -> None:
        self._workers, self._function, self._tasks = workers, function, iter(tasks)
        self._waiting: deque[_Task[Key]] = deque()  # those whose results were not yet given
        self._exhausted = False

    def __iter__(self) -> Iterator[tuple[Key, Any]]:
        while True:
            self._try_lost_again()
            if not self._fill():
                return
            task = self._waiting[0]
            if self._is_lost(task):
                continue
            if task.is_done:
                yield self._waiting.popleft().key, _result(task)
            else:
                in_work = [task.future for task in self._waiting if task.future is not None]
                wait([f for f in in_work if not f.done()], return_when=FIRST_COMPLETED)

    def with_finished(self) -> Iterator[tuple[Key, Any]]:
        """The same as iterating, but an interrupt is raised only after the results that are there,
        those of tasks that failed excepted.
        """
        try:
            yield from self
        except KeyboardInterrupt:
            for key, result in self.finished():
                if result is not LOST and not isinstance(result, Exception):
                    yield key, result
            raise

    def finished(self) -> Iterator[tuple[Key, Any]]:
        """The keys and results that are there and were not yet given: what is kept of a run that
        was interrupted.
        """
        for task in tuple(self._waiting):
            if task.future is not None and task.is_done and not self._is_lost(task):
                self._waiting.remove(task)
                yield task.key, _result(task)

    def _fill(self) -> bool:
        """Whether a result is still to come; the workers have as much to do as they have room
        for.
        """
        unfinished = [task for task in self._waiting if not task.is_done]
        alone = any(task.losses >= SUSPECT for task in unfinished)
        room = 1 if alone else self._workers.room
        begun = [task for task in unfinished if task.future is not None]
        for task in sorted(
            (task for task in unfinished if task.future is None), key=lambda t: -t.losses
        ):
            if len(begun) >= room:
                break
            begun.append(self._begin(task))
        while not alone and not self._exhausted and len(begun) < room:
            given = next(self._tasks, None)
            if given is None:
                self._exhausted = True
                break
            task = _Task(*given)
            self._waiting.append(task)
            if task.arguments is not None:
                begun.append(self._begin(task))
            elif len(self._waiting) == 1:
                break
        return bool(self._waiting)

    def _begin(self, task: _Task[Key]) -> _Task[Key]:
        try:
            task.future = self._workers.submit(self._function, *(task.arguments or ()))
        except self._workers.lost:  # a process was lost since the last look
            task.future = Future()
            task.future.set_exception(self._workers.lost())
        return task

    def _try_lost_again(self) -> None:
        """The tasks whose process was lost are to be begun again, or given up."""
        if not any(map(self._is_lost, self._waiting)):
            return
        renewed = self._workers.renew()
        for task in filter(self._is_lost, self._waiting):
            task.losses += 1
            task.future = None
            if not renewed or task.losses >= GIVEN_UP:
                task.future = Future()
                task.future.set_result(LOST)

    def _is_lost(self, task: _Task[Key]) -> bool:
        if task.future is None or not task.future.done():
            return False
        return task.future.cancelled() or isinstance(task.future.exception(), self._workers.lost)


def _result(task: _Task[Key]) -> Any:
    if task.future is None:
        return None
    error = task.future.exception()
    return task.future.result() if error is None else error
