"""Worker processes for long computations; they end with this process, however it ends.

>>> with worker_pool(1) as submit:
...     submit(abs, -3).result()
3
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

from ahdp_verify.search.solvers.processes import end_with_parent, hold_signals


@contextmanager
def worker_pool(workers: int) -> Iterator[Callable[..., Future[Any]]]:
    """A function that runs a call in one of the processes; calls that are unfinished when the block
    is left by an error, or by Ctrl-C, are abandoned.
    """
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(
        workers, multiprocessing.get_context("spawn"), end_with_parent, (os.getpid(),)
    )

    def submit(function: Callable[..., Any], *arguments: Any, **options: Any) -> Future[Any]:
        with hold_signals():
            return pool.submit(function, *arguments, **options)

    try:
        yield submit
    except BaseException:
        for child in set(multiprocessing.active_children()) - before:
            child.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
