"""Queries on vectors by six mechanisms: one row for each mechanism and noise, and the whole
suite.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from row import Row

from ahdp_verify.catalogue.functions_suite import FUNCTIONS, MECHANISMS, RIGHT


def rows() -> Iterator[Row]:
    """All of them; the time is that of the verdict with its range."""
    taken: dict[tuple[str, bool], list[float]] = {}
    wrong: dict[tuple[str, bool], int] = {}
    for row in FUNCTIONS:
        found, key = row.decided(), (row.mechanism.id, row.noise == RIGHT)
        taken.setdefault(key, []).append(found.seconds)
        wrong[key] = wrong.get(key, 0) + (not row.is_as_known(found))
    for mechanism in MECHANISMS:
        for right in (True, False):
            times = taken[mechanism.id, right]
            noise = "the right noise" if right else "half of it"
            missed = wrong[mechanism.id, right]
            answer = "all as known" if not missed else f"{missed} NOT AS KNOWN"
            work = f"{len(times)} queries on vectors, {mechanism.id}, {noise}, the longest"
            yield Row(work, answer, max(times), aim="1")
    every = [seconds for times in taken.values() for seconds in times]
    yield Row("queries on vectors, all", f"{len(every)} rows", sum(every))
    yield Row("queries on vectors, median", "", statistics.median(every), aim="1")
