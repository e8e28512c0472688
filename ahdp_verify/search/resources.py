"""The processor time and the memory that this process has taken, with that of solvers that worked
for it.

>>> processor_time() > 0 and resident_bytes() > 0
True
"""

from __future__ import annotations

import os
import sys
import time

MEMORY_EVERY = (
    0.02  # seconds between two looks at the memory, each of which takes about 10 microseconds
)


_elsewhere = 0.0


_held = (-1.0, 0)


def processor_time() -> float:
    """The seconds of processor time that this process has taken, and the solvers that worked for
    it.
    """
    return time.process_time() + _elsewhere


def charge_seconds(seconds: float) -> None:
    """Time that another process used on behalf of this one is added."""
    global _elsewhere
    _elsewhere += max(0.0, seconds)


def resident_bytes() -> int:
    """The bytes of memory that this process holds, as measured at most MEMORY_EVERY ago; the most
    it ever held where the system does not report the current amount.
    """
    global _held
    now = time.monotonic()  # a tenth of the time that processor time takes to ask
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
