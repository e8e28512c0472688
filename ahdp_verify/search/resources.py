"""The processor time and the memory that this process has taken, with that of solvers that worked
for it.

>>> processor_time() > 0 and resident_bytes() > 0
True
"""

from __future__ import annotations

import math
import os
import sys
import time

# seconds between two looks at the processor time and at the memory, by the clock on the wall, which
# takes 0.2 microseconds; measured: the first of them takes 2, the second 10, and a search asks
# tens of thousands of times in a second
TIME_EVERY = 0.001
MEMORY_EVERY = 0.02

NEVER = (-math.inf, 0)

_elsewhere = 0.0
_taken: tuple[float, float] = NEVER  # when it was looked at, and what was seen
_held: tuple[float, int] = NEVER


def processor_time() -> float:
    """The seconds of processor time that this process has taken, as measured at most TIME_EVERY
    ago, and the solvers that worked for it.
    """
    global _taken
    now = time.monotonic()
    if now - _taken[0] >= TIME_EVERY:
        _taken = now, time.process_time()
    return _taken[1] + _elsewhere


def _look_anew() -> None:
    """A process that is forked off starts at a time of 0."""
    global _taken, _held
    _taken = _held = NEVER


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_look_anew)


def charge_seconds(seconds: float) -> None:
    """Time that another process used on behalf of this one is added."""
    global _elsewhere
    _elsewhere += max(0.0, seconds)


def resident_bytes() -> int:
    """The bytes of memory that this process holds, as measured at most MEMORY_EVERY ago; the most
    it ever held where the system does not report the current amount.
    """
    global _held
    now = time.monotonic()
    if now - _held[0] >= MEMORY_EVERY:
        _held = now, _resident()
    return _held[1]


def _resident() -> int:
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        import resource  # noqa: PLC0415 - it is not on every system, and needed only where there is no /proc

        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
