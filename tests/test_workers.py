"""Tasks that processes share: results in order, lost processes, what is kept of an interrupted
run.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ahdp_verify import workers
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.workers import LOST, LocalProcesses, TaskRun, cluster, local_processes

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals")


def answer(number: int, seconds: float = 0.0) -> int:
    time.sleep(seconds)
    return number


def ends_once(marker: Path, number: int) -> int:
    """The process that runs this first is killed."""
    if not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def ends_always(number: int) -> int:
    """Every process that runs this with 3 is killed."""
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.fixture
def two() -> Iterator[LocalProcesses]:
    with local_processes(2) as processes:
        yield processes


def test_results_come_in_the_order_of_the_tasks(two: LocalProcesses) -> None:
    tasks = [(i, (i, 0.3 if i == 0 else 0.0)) for i in range(9)]
    assert list(TaskRun(two, answer, tasks)) == [(i, i) for i in range(9)]


def test_tasks_are_taken_only_as_processes_become_free(two: LocalProcesses, tmp_path: Path) -> None:
    unfinished: list[int] = []  # when each task was taken, itself included

    def tasks() -> Iterator[tuple[int, tuple[Path, int, float]]]:
        for i in range(50):
            unfinished.append(i + 1 - len(list(tmp_path.iterdir())))
            yield i, (tmp_path / str(i), i, 0.0)

    assert len(list(TaskRun(two, leaves_a_mark, tasks()))) == 50
    assert max(unfinished) <= two.room


def test_what_a_call_raises_is_its_result(two: LocalProcesses) -> None:
    (_, first), (_, second) = TaskRun(two, divmod, [("a", (1, 0)), ("b", (7, 2))])
    assert isinstance(first, ZeroDivisionError) and second == (3, 1)


def test_a_lost_process_costs_a_retry(two: LocalProcesses, tmp_path: Path) -> None:
    tasks = [(i, (tmp_path / "lost", i)) for i in range(6)]
    assert list(TaskRun(two, ends_once, tasks)) == [(i, i) for i in range(6)]


def test_only_the_task_that_ends_every_process_is_given_up(two: LocalProcesses) -> None:
    found = dict(TaskRun(two, ends_always, [(i, (i,)) for i in range(8)]))
    assert found.pop(3) is LOST
    assert found == {i: i for i in range(8) if i != 3}


def test_what_is_finished_is_kept(two: LocalProcesses, tmp_path: Path) -> None:
    """The first task is still in work when the run is interrupted, the others are done."""
    tasks = [(i, (tmp_path / str(i), i, 60.0 if i == 0 else 0.0)) for i in range(3)]
    run = TaskRun(two, leaves_a_mark, tasks)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    threading.Thread(target=alarm_once_marked, args=(tmp_path,)).start()
    found = []
    try:
        with pytest.raises(KeyboardInterrupt):
            for pair in run.with_finished():
                found.append(pair)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert found == [(1, 1), (2, 2)]
    two.kill()


def leaves_a_mark(mark: Path, number: int, seconds: float) -> int:
    time.sleep(seconds)
    mark.touch()
    return number


def alarm_once_marked(folder: Path) -> None:
    """An alarm once the second and the third task are done, and their results have arrived."""
    while not all((folder / name).exists() for name in "12"):
        time.sleep(0.05)
    time.sleep(1)
    os.kill(os.getpid(), signal.SIGALRM)


def test_a_cluster_that_does_not_answer_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(workers, "CONNECTING", 0.5)
    for address in ("tcp://127.0.0.1:9", "nonsense://1", ""):
        with (
            pytest.raises(BadInput, match=r"^--scheduler: no Dask scheduler answers"),
            cluster(address),
        ):
            pass


def test_a_pool_that_broke_is_not_waited_for(two: LocalProcesses) -> None:
    """A process that the pool itself does not end, as one that was started while it was ending the
    others, keeps its shutdown waiting for ever.
    """
    assert list(TaskRun(two, answer, [(i, (i, 0.2)) for i in range(4)])) == [
        (i, i) for i in range(4)
    ]
    first, second = two._pool._processes.values()
    second.terminate = lambda: None
    os.kill(first.pid, signal.SIGKILL)
    renewal = threading.Thread(target=two.renew, daemon=True)
    renewal.start()
    renewal.join(60)
    assert not renewal.is_alive()
    assert two.submit(answer, 7).result() == 7
