"""The processor time and the memory that this process has taken, with that of solvers that worked
for it.

>>> processor_time() > 0 and resident_bytes() > 0
True
"""

from __future__ import annotations

import os
import sys
import time

# seconds between two looks: at the memory, which takes about 10 microseconds, and at the processor
# time, which is a call of the system of 2 microseconds or more, where the time of day takes 0.2
MEMORY_EVERY, PROCESSOR_EVERY = 0.02, 0.001

_elsewhere = 0.0
_taken = (-1.0, 0.0)
_held = (-1.0, 0)


def processor_time() -> float:
    """The seconds of processor time that this process has taken, and the solvers that worked for
    it, as measured at most PROCESSOR_EVERY ago.
    """
    global _taken
    now = time.monotonic()
    if not 0 <= now - _taken[0] < PROCESSOR_EVERY:
        _taken = now, time.process_time()
    return _taken[1] + _elsewhere


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
    if not 0 <= now - _held[0] < MEMORY_EVERY:
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
