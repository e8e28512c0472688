"""Limits that stop every search and every check, always with a reason that names the limit to
raise.

A `Limits` is what the user allows; `Limits.clock` starts a `Clock`, which a search asks at every
step, and which the arithmetic asks as it goes on inside `with clock.running():`. Time is processor
time, so a busy machine does not change an answer. Reaching a limit is neither a failure nor a
verdict: the search turns the `OutOfLimits` into a `Declined` with its reason. Nothing here bounds
privacy: a bound on the privacy loss is called a level.

>>> clock = Limits(pieces=100).clock()
>>> clock.count(100, "trying case splits")
>>> clock.count(1, "trying case splits")
Traceback (most recent call last):
    ...
ahdp_verify.kernel.errors.OutOfLimits: stopped after 100 pieces while trying case splits; give --pieces a larger value
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace

from ahdp_verify.kernel import effort
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.errors import OutOfLimits as OutOfLimits
from ahdp_verify.search import resources

MOST_SECONDS = 10**9  # thirty years: a number and not oo, so that it can be handed to a solver
MOST_BITS = (
    1 << 20
    # here exp(3/7) takes 0.8 s, measured on one core: no single step may keep the clock from being
    # asked for long
)
MOST_COUNT = 10**12
MEGABYTE = 1 << 20
# seconds granted for writing the result once the time is over: this many, and a twentieth of the
# time allowed
LAST_WORDS = 0.4
LEAST = 0.01  # seconds that a part of a search gets, however little time is left
WORKING = "working out expressions"  # the activity reported before a search reports its own


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one search may use.

    seconds   processor time for one claim, that of its solvers included, above 0; with the next the
              only limits by which an answer depends on the machine
    megabytes memory for one claim, beyond what the process held when it began, at least 1
    bits      largest precision of a ball, at least 53
    pieces    largest number of cases, boxes and products considered for one claim, at least 1
    records   largest number of records in a dataset that is tried as a counterexample, at least 0

    Anything else raises BadInput, which names the field.
    """

    seconds: float = 60.0
    bits: int = 4096
    pieces: int = 20_000
    records: int = 12
    megabytes: int = 2000

    def __repr__(self) -> str:
        changed = (
            f"{f.name}={getattr(self, f.name):.9g}"
            for f in fields(self)
            if getattr(self, f.name) != f.default
        )
        return f"Limits({', '.join(changed)})"

    def __post_init__(self) -> None:
        _within("seconds", self.seconds, 0, MOST_SECONDS)
        if self.seconds == 0:
            raise BadInput(
                "seconds", "0 allows no search at all", "give a number above 0, such as 60"
            )
        _whole("bits", self.bits, 53, MOST_BITS)
        _whole("pieces", self.pieces, 1, MOST_COUNT)
        _whole("records", self.records, 0, MOST_COUNT)
        _whole("megabytes", self.megabytes, 1, MOST_COUNT)

    def clock(self, now: Callable[[], float] = resources.processor_time) -> Clock:
        """A clock that starts now; `now` gives the time in seconds."""
        return Clock(self, now)


class Clock:
    """Counts what one search has used of its `limits`: the time and the memory since it was
    made, and `pieces`.
    """

    __slots__ = ("__weakref__", "_end", "_held", "_now", "limits", "pieces", "what")

    def __init__(self, limits: Limits, now: Callable[[], float] = resources.processor_time) -> None:
        self.limits, self.pieces, self.what = limits, 0, WORKING
        self._now, self._end = now, now() + limits.seconds
        self._held = resources.resident_bytes()

    @property
    def left(self) -> float:
        """The seconds that are left, never below 0; what a solver may be given."""
        return max(0.0, self._end - self._now())

    @property
    def room(self) -> int:
        """The bytes of memory that are left, never below 0."""
        return max(0, self.limits.megabytes * MEGABYTE - (resources.resident_bytes() - self._held))

    def part(self, share: float = 1, most: float = MOST_SECONDS) -> Limits:
        """The same limits, with one part in `share` of the seconds left, and at most `most`."""
        return replace(self.limits, seconds=max(LEAST, min(most, self.left / share)))

    def check(self, what: str) -> None:
        """Passes while time and memory are left; then raises OutOfLimits, whose reason names the
        activity ("trying case splits").
        """
        self.what = what
        self.look()

    def count(self, pieces: int = 1, what: str = "searching") -> None:
        """Passes while these pieces more are allowed and time is left; then raises OutOfLimits."""
        self.pieces += pieces
        if self.pieces > self.limits.pieces:
            raise OutOfLimits("pieces", f"{self.limits.pieces} pieces", what)
        self.check(what)

    def look(self) -> None:
        """The same as `check`, naming the last step."""
        if self._now() >= self._end:
            raise OutOfLimits("seconds", f"{self.limits.seconds:g} s", self.what)
        if resources.resident_bytes() - self._held > self.limits.megabytes * MEGABYTE:
            raise OutOfLimits("megabytes", f"{self.limits.megabytes} MB", self.what)

    @contextmanager
    def running(self, what: str = "") -> Iterator[Clock]:
        """Inside, the arithmetic stops itself with OutOfLimits once this clock, or one around
        it, is over.
        """
        self.what = what or self.what
        with effort.watched_by(self):
            yield self


@contextmanager
def enforce_limits(limits: Limits | None, what: str) -> Iterator[None]:
    """Inside, these limits hold as well as those that hold already; None adds none."""
    if limits is None:
        yield
        return
    with limits.clock().running(what):
        yield


def _within(where: str, value: float, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadInput(
            where,
            f"{value!r} is neither an int nor a float",
            f"give a number from {least} to {most}",
        )
    if not least <= value <= most:
        raise BadInput(where, f"{value} is out of range", f"give a number from {least} to {most}")


def _whole(where: str, value: int, least: int, most: int) -> None:
    if not isinstance(value, int):
        raise BadInput(
            where, f"{value!r} is not a whole number", f"give a whole number from {least} to {most}"
        )
    _within(where, value, least, most)
