"""Refusals, and the bounds that every check keeps.

Three things can be said of a record that is not accepted, and they are never confused:
`Rejected` (something that has to be shown is not), `NotCovered` (this program does not do what the
record needs, or not within its bounds), and `Unreadable` (there is no record to look at).
"""

from __future__ import annotations

import time

FILE_BYTES = 64_000_000
NESTING = 1_000  # of brackets in a file
TREE_DEPTH = 200
TREE_NODES = 2_000_000
DIGITS = 3_000  # of a number in a record
BITS = 1 << 17  # of a number in the arithmetic
POWER = 64  # of a polynomial with several terms
TERMS = 50_000  # of a polynomial
COMBINATIONS = 4_096  # of values of finite outputs
DATASETS = 3_000  # of an enumeration


class Rejected(Exception):
    """Something that has to be shown is not shown."""


class Undecided(Rejected):
    """A sign that is needed is not known."""


class NotCovered(Exception):
    """The record needs what this program does not do, or not within its bounds."""


class Unreadable(Exception):
    """There is no record to look at."""


def need(condition: bool, reason: str) -> None:
    """Nothing, if the condition holds."""
    if not condition:
        raise Rejected(reason)


def cover(condition: bool, reason: str) -> None:
    """Nothing, if the condition holds; else the record is beyond this program."""
    if not condition:
        raise NotCovered(reason)


class Clock:
    """The processor time that is left for one record.  It is asked inside the arithmetic."""

    def __init__(self) -> None:
        self.start(0)

    def start(self, seconds: float) -> None:
        """From now on, so many seconds of processor time; 0 is without end."""
        self.seconds, self.calls = seconds, 0
        self.end = time.process_time() + seconds if seconds else float("inf")

    def ask(self) -> None:
        """Nothing, if there is time left."""
        self.calls += 1
        if self.calls % 16 == 0 and time.process_time() > self.end:
            raise NotCovered(f"it takes longer than {self.seconds:g} s of processor time")


CLOCK = Clock()
