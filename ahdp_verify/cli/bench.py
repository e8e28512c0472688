"""`ahdp-verify bench`: a suite of claims, with verdicts, ranges or least levels, and times, as one
table.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ahdp_verify.cli.documents import Printer
from ahdp_verify.cli.exit_codes import PROVED, REFUTED
from ahdp_verify.cli.options import USUAL, JsonOption, TimeForOneClaim
from ahdp_verify.kernel.errors import BadInput, closest

if TYPE_CHECKING:
    from ahdp_verify.catalogue.field_suite import Answered, SuiteRow
    from ahdp_verify.catalogue.functions_suite import FunctionAnswer, FunctionRow

SUITES = ("field", "functions")
SuiteName = Annotated[
    str,
    typer.Argument(
        metavar="SUITE",
        help="field: the noise programs on which the tools of the field are measured; functions: "
        "queries on vectors by six mechanisms, with right and with half the noise.",
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
    limits: TimeForOneClaim = USUAL,
) -> int:
    """Decide a suite of claims and print a table: of noise programs with least levels, sizes of
    records, and the times of other tools; of queries on vectors with the range of n, and the
    vectors of refutations. Ends with 1 if an answer differs from the known one.
    """
    from ahdp_verify.analysis.levels.table import aligned_lines

    rows, head, data, note = rows_of_suite(suite)
    known = list(dict.fromkeys(row.id for row in rows))
    for key in ids or ():
        if key not in known:
            raise BadInput("ID", f"no row is called {key[:40]!r}", closest(key, known, "they are"))
    chosen = [row for row in rows if not ids or row.id in ids]
    found = [row.decided(limits) for row in chosen]
    printer = Printer(as_json)
    cells = [row.cells(answer) for row, answer in zip(chosen, found, strict=True)]
    first, *lines = aligned_lines([head, *cells])
    if not as_json:
        printer.show("listed", (first,), dict)
    for row, answer, line in zip(chosen, found, lines, strict=True):
        printer.show("listed", (line,), partial(data, row, answer))
    taken = sorted(answer.seconds for answer in found)
    total, median = sum(taken), taken[len(taken) // 2]
    if not as_json:
        text = (
            f"{len(taken)} rows in {total:.1f} s; median {median:.3f} s, longest {taken[-1]:.3f} s"
        )
        printer.show("listed", (note, text) if note else (text,), dict)
    right = all(row.is_as_known(answer) for row, answer in zip(chosen, found, strict=True))
    return PROVED if right else REFUTED


def rows_of_suite(suite: str) -> tuple[tuple[Any, ...], tuple[str, ...], Any, str]:
    """The rows of a suite, the head of its table, what makes data of a row and its answer, and what
    a row rests on beyond the checker.
    """
    if suite == "field":
        from ahdp_verify.catalogue.field_suite import FIELD, HEAD

        return FIELD, HEAD, row_data, ""
    if suite == "functions":
        from ahdp_verify.catalogue.functions_suite import COLUMNS, FUNCTIONS, NOTE

        return FUNCTIONS, COLUMNS, function_data, NOTE
    raise BadInput("SUITE", f"{suite[:40]!r} is not a suite", closest(suite, SUITES, "use"))


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


def function_data(row: FunctionRow, found: FunctionAnswer) -> dict[str, object]:
    """A row of the functions suite as data."""
    return {
        "id": row.id,
        "query": row.query.text,
        "sensitivity": row.query.bound,
        "mechanism": row.mechanism.id,
        "noise": str(row.noise),
        "claim": row.claim,
        "verdict": found.outcome,
        "where": found.where,
        "shown_by": found.shown,
        "seconds": round(found.seconds, 4),
        "as_known": row.is_as_known(found),
    }
