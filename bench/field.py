"""The programs of the field: one row for each, and the whole suite."""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from row import Row

from ahdp_verify.catalogue.field_suite import FIELD


def rows() -> Iterator[Row]:
    """All of them; the time is that of the program, the verdict and the least level."""
    taken = []
    for row in FIELD:
        found = row.decided()
        taken.append(found.seconds)
        asked = "any number of" if row.queries is None else str(row.queries)
        work = f"{row.id}, {row.name}, {row.relation}, {asked} queries"
        right = "" if row.is_as_known(found) else ", NOT AS KNOWN"
        answer = f"{found.outcome}, least level {found.level} ({found.shown}), {found.size} bytes"
        yield Row(work, answer + right, found.seconds, row.others, aim="2")
    yield Row("the programs of the field, all", f"{len(taken)} rows", sum(taken), aim="30")
    yield Row("the programs of the field, median", "", statistics.median(taken), aim="0.3")
