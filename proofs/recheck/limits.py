"""Exceptions, and the bounds that all checks respect.

There are three reasons why a record is not accepted, and they are kept apart: `Rejected` (something
that has to be shown is not shown), `NotCovered` (this program does not implement what the record
needs, or not within its bounds), and `Unreadable` (there is no record to check).

The bounds guard time and memory only: without one, a check takes longer and accepts nothing false.
"""

from __future__ import annotations

import time

FILE_BYTES = 64_000_000  # of a file
NESTING = 1_000  # of brackets in a file
TREE_DEPTH = 200  # as FORMAT.md, section 2
TREE_NODES = 2_000_000  # different trees of one record
DIGITS = 3_000  # of a number in a record
BITS = 1 << 17  # of a number in the arithmetic
POWER = 64  # largest power of a polynomial with several terms
TERMS = 50_000  # of a polynomial, or of a product before it is collected
COMBINATIONS = 4_096  # of values of finite outputs
DATASETS = 3_000  # of an enumeration


class Rejected(Exception):
    """Something that has to be shown is not shown."""


class Undecided(Rejected):
    """A required sign is not known."""


class NotCovered(Exception):
    """The record needs something that this program does not implement, or not within its bounds."""


class Unreadable(Exception):
    """There is no record to check."""


def need(condition: bool, reason: str) -> None:
    """Raises `Rejected` unless the condition holds."""
    if not condition:
        raise Rejected(reason)


def cover(condition: bool, reason: str) -> None:
    """Raises `NotCovered` unless the condition holds."""
    if not condition:
        raise NotCovered(reason)


class Clock:
    """The processor time left for one record.  The arithmetic calls `ask` regularly."""

    def __init__(self) -> None:
        self.start(0)

    def start(self, seconds: float) -> None:
        """Allows this many seconds of processor time from now on; 0 means no limit."""
        self.seconds, self.calls = seconds, 0
        self.end = self.earliest = float("inf")
        if seconds:
            self.end, self.earliest = time.process_time() + seconds, time.monotonic() + seconds

    def ask(self) -> None:
        """Raises unless there is time left.

        One thread computes, so its processor time is no longer than the time that passed, which
        costs a tenth to ask for.
        """
        self.calls += 1
        if self.calls % 16 or time.monotonic() <= self.earliest:
            return
        if time.process_time() > self.end:
            raise NotCovered(f"it exceeds {self.seconds:g} s of processor time")


CLOCK = Clock()
