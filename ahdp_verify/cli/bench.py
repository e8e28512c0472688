"""`ahdp-verify bench`: a suite of programs, with verdicts, least levels and times, as one table."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from ahdp_verify.cli.documents import Printer
from ahdp_verify.cli.exit_codes import PROVED, REFUTED
from ahdp_verify.cli.options import USUAL, JsonOption, SecondsOption
from ahdp_verify.kernel.errors import BadInput, closest

if TYPE_CHECKING:
    from ahdp_verify.catalogue.field_suite import Answered, SuiteRow

FIELD_SUITE = "field"
SuiteName = Annotated[
    str,
    typer.Argument(
        metavar="SUITE",
        help="field: the noise programs on which the tools of the field are measured.",
        show_default=False,
    ),
]
Ids = Annotated[
    list[str] | None,
    typer.Argument(metavar="[ID...]", help="Only these rows, for example M17.", show_default=False),
]


def bench_command(
    suite: SuiteName,
    ids: Ids = None,
    as_json: JsonOption = False,
    seconds: SecondsOption = USUAL.seconds,
) -> int:
    """Decide a suite of programs and print a table: verdicts, least levels, times, sizes of records,
    and the times of other tools. Ends with 1 if an answer differs from the known one.
    """
    from ahdp_verify.analysis.levels.table import aligned_lines
    from ahdp_verify.catalogue.field_suite import FIELD, HEAD
    from ahdp_verify.search.limits import Limits

    if suite != FIELD_SUITE:
        raise BadInput("SUITE", f"{suite[:40]!r} is not a suite", f"use {FIELD_SUITE}")
    known = list(dict.fromkeys(row.id for row in FIELD))
    for key in ids or ():
        if key not in known:
            raise BadInput("ID", f"no row is called {key[:40]!r}", closest(key, known, "they are"))
    chosen = [row for row in FIELD if not ids or row.id in ids]
    found = [row.decided(Limits(seconds=seconds)) for row in chosen]
    printer = Printer(as_json)
    cells = [row.cells(answer) for row, answer in zip(chosen, found, strict=True)]
    head, *lines = aligned_lines([HEAD, *cells])
    if not as_json:
        printer.show("listed", (head,), dict)
    for row, answer, line in zip(chosen, found, lines, strict=True):
        printer.show("listed", (line,), partial(row_data, row, answer))
    taken = sorted(answer.seconds for answer in found)
    total, median = sum(taken), taken[len(taken) // 2]
    if not as_json:
        text = (
            f"{len(taken)} rows in {total:.1f} s; median {median:.3f} s, longest {taken[-1]:.3f} s"
        )
        printer.show("listed", (text,), dict)
    right = all(row.is_as_known(answer) for row, answer in zip(chosen, found, strict=True))
    return PROVED if right else REFUTED


def row_data(row: SuiteRow, found: Answered) -> dict[str, object]:
    """A row as data."""
    return {
        "id": row.id,
        "program": row.name,
        "relation": row.relation,
        "queries": row.queries,
        "claim": str(row.claim),
        "verdict": found.outcome,
        "least": None if found.level is None else str(found.level),
        "shown": found.shown,
        "seconds": round(found.seconds, 4),
        "bytes": found.size,
        "others": row.others,
        "as_known": row.is_as_known(found),
    }
