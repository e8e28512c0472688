"""Exit codes: 0 proved or valid, 1 refuted or invalid, 2 usage error or bad input, 3 unknown; among
several answers 2 takes precedence over 1, 1 over 3, and 3 over 0.

A process ended by a signal exits with 128 + the signal's number, as shells report it; `start` has
these codes.

>>> worst_exit_code([PROVED, UNKNOWN, REFUTED]), worst_exit_code([UNKNOWN, PROVED]), worst_exit_code([BAD, REFUTED]), worst_exit_code([])
(1, 3, 2, 0)
>>> outcome_exit_code("proved"), outcome_exit_code("vacuous"), outcome_exit_code("vacuous", expected="vacuous")
(0, 3, 0)
"""

from __future__ import annotations

from collections.abc import Iterable

PROVED, REFUTED, BAD, UNKNOWN = range(4)  # or valid, invalid, usage error or bad input, undecided
INTERRUPTED, CLOSED = 130, 141  # 128 + the signal's number, as shells report it

OUTCOMES = {"proved": PROVED, "refuted": REFUTED, "unknown": UNKNOWN, "vacuous": UNKNOWN}
ANSWERS = {True: PROVED, False: REFUTED, None: UNKNOWN}

# The epilogue of --help.
EXPLAINED = (
    "Exit codes: 0 proved or valid; 1 refuted or invalid; 2 usage error or bad input; 3 unknown, "
    "or proved vacuously unless the file expects that. Among several answers, 2 takes precedence "
    "over 1, 1 over 3, and 3 over 0."
)
EXPLAINED_OF_EXPERIMENT = (
    "Exit codes: 0 done; 2 usage error or bad input; 130 interrupted (what is finished is written "
    "all the same)."
)


def outcome_exit_code(outcome: str, expected: str = "") -> int:
    """The exit code of a verdict; a vacuous proof counts as proved only where it is expected."""
    return PROVED if outcome == expected == "vacuous" else OUTCOMES[outcome]


def worst_exit_code(codes: Iterable[int]) -> int:
    """The exit code of several answers: bad input before refuted before unknown before proved."""
    found = set(codes)
    return next((code for code in (BAD, REFUTED, UNKNOWN) if code in found), PROVED)
