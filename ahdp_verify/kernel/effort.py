"""How much work the arithmetic has done, so that it can be stopped from inside and not only between
two steps of a search.

The arithmetic calls `spend` as it goes on.  Every so many units whoever is watching is asked, and
raises where its limit is reached; nothing here knows of limits, and without a watch nothing is ever
stopped.  Once a watch has raised it is asked at every further call, so that code which answers one
overrun with a fallback is stopped by the next.

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

EVERY = 1000  # units between two looks; a unit is about a microsecond, a look about one too


class Watch(Protocol):
    """Who is asked: `look` raises where the limit is reached, `seconds_left` are the seconds of
    processor time until then, `memory_left` the bytes.
    """

    @property
    def room(self) -> int:
        """Bytes that are left, never below 0."""

    @property
    def left(self) -> float:
        """Seconds that are left, never below 0."""

    def look(self) -> None:
        """Nothing, while the work may go on."""


_watches: ContextVar[tuple[Watch, ...]] = ContextVar("watches", default=())
_left = EVERY


def spend(units: int = 1) -> None:
    """Nothing, while every watch lets the work go on."""
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
    """The seconds that whoever watches allows at most; infinite if nobody does.  For libraries
    that are told a limit and keep it.
    """
    return min((watch.left for watch in _watches.get()), default=math.inf)


def memory_left() -> int | None:
    """The bytes of memory that whoever watches allows at most to be taken from now on; None if
    nobody does.
    """
    return min((watch.room for watch in _watches.get()), default=None)


@contextmanager
def watched_by(watch: Watch) -> Iterator[None]:
    """Inside, `watch` is asked every so often, after the watches that are there already."""
    token = _watches.set((*_watches.get(), watch))
    try:
        yield
    finally:
        _watches.reset(token)
