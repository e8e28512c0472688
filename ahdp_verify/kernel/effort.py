"""A counter of the work done by the arithmetic, so that a computation can be interrupted inside one
step of a search.

The arithmetic calls `spend` as it proceeds.  Every `EVERY` units each watch is called, and raises
where its limit is reached; nothing here knows of limits, and without a watch nothing is
interrupted. Once a watch has raised it is called at every further `spend`, so that code which
catches one overrun and falls back is interrupted by the next.

>>> class Strict:
...     left, room = 0.0, 0
...     def look(self) -> None:
...         raise RuntimeError("enough")
>>> with watched_by(Strict()):
...     spend(10 * EVERY)
Traceback (most recent call last):
    ...
RuntimeError: enough
>>> spend(10 * EVERY)
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

EVERY = 1000  # units between two calls of `look`; a unit and a call each take about a microsecond


class Watch(Protocol):
    """A limit on the work: `look` raises when it is reached; `seconds_left` are the seconds of
    processor time until then, `memory_left` the bytes.
    """

    @property
    def room(self) -> int:
        """The bytes that are left, never negative."""

    @property
    def left(self) -> float:
        """The seconds that are left, never negative."""

    def look(self) -> None:
        """Nothing, while the work may continue."""


_watches: ContextVar[tuple[Watch, ...]] = ContextVar("watches", default=())
_left = EVERY


def spend(units: int = 1) -> None:
    """Nothing, while every watch lets the work continue."""
    global _left
    _left -= units
    if _left < 0:
        _look()


def _look() -> None:
    global _left
    for watch in _watches.get():
        watch.look()
    _left = EVERY


def seconds_left() -> float:
    """The seconds that every watch still allows; infinite without a watch.  For libraries that take
    a time limit themselves.
    """
    return min((watch.left for watch in _watches.get()), default=math.inf)


def memory_left() -> int | None:
    """The bytes of memory that every watch still allows; None without a watch."""
    return min((watch.room for watch in _watches.get()), default=None)


@contextmanager
def watched_by(watch: Watch) -> Iterator[None]:
    """Inside, `watch` is called every `EVERY` units, after the watches that are active already."""
    token = _watches.set((*_watches.get(), watch))
    try:
        yield
    finally:
        _watches.reset(token)
