"""Exit codes: 0 proved or valid, 1 refuted or invalid, 2 usage or bad input, 3 unknown; of several
answers 2 comes before 1 before 3 before 0.

A process that a signal ends has the code that shells give it, 128 + the signal's number; `start`
has these.

>>> worst_exit_code([PROVED, UNKNOWN, REFUTED]), worst_exit_code([UNKNOWN, PROVED]), worst_exit_code([BAD, REFUTED]), worst_exit_code([])
(1, 3, 2, 0)
>>> outcome_exit_code("proved"), outcome_exit_code("vacuous"), outcome_exit_code("vacuous", expected="vacuous")
(0, 3, 0)
"""

from __future__ import annotations

from collections.abc import Iterable

PROVED, REFUTED, BAD, UNKNOWN = range(4)  # also valid, invalid, usage or bad input, not decided
INTERRUPTED, CLOSED = 130, 141  # 128 + the signal's number, as shells have it

OUTCOMES = {"proved": PROVED, "refuted": REFUTED, "unknown": UNKNOWN, "vacuous": UNKNOWN}
ANSWERS = {True: PROVED, False: REFUTED, None: UNKNOWN}

# What --help says of them.
EXPLAINED = (
    "Exit codes: 0 proved or valid, 1 refuted or invalid, 2 usage or bad input, 3 unknown, or "
    "proved of nothing (vacuous) unless the file "
    "expects that; of several, 2 comes before 1 before 3 before 0."
)
EXPLAINED_OF_EXPERIMENT = (
    "Exit codes: 0 done, 2 usage or bad input, 130 interrupted; what is finished is then "
    "written all the same."
)


def outcome_exit_code(outcome: str, expected: str = "") -> int:
    """The exit code of a verdict; a proof that compares nothing counts only where that is
    expected.
    """
    return PROVED if outcome == expected == "vacuous" else OUTCOMES[outcome]


def worst_exit_code(codes: Iterable[int]) -> int:
    """The exit code of several answers: bad input before refuted before unknown before proved."""
    found = set(codes)
    return next((code for code in (BAD, REFUTED, UNKNOWN) if code in found), PROVED)
