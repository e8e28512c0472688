"""`ahdp-verify paper`: a line for each statement as soon as it is decided, and reports in files."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ahdp_verify.cli.console import print_error, print_line, progress
from ahdp_verify.cli.documents import Data, Printer
from ahdp_verify.cli.exit_codes import PROVED, REFUTED
from ahdp_verify.cli.options import (
    GENEROUS,
    JsonOption,
    limits_for_each,
    scheduler_for,
    workers_for,
)
from ahdp_verify.kernel.errors import BadInput, Missing
from ahdp_verify.search.limits import Limits

if TYPE_CHECKING:
    from ahdp_verify.paper.statements import Result

WIDE = 30  # width of the column of labels, in characters


def paper_command(
    label: Annotated[
        str,
        typer.Argument(
            metavar="[LABEL]",
            help='One statement, such as "claim:2 (B1)", or all whose labels begin with this text; '
            "every statement if omitted.",
            show_default=False,
        ),
    ] = "",
    html: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Write a self-contained HTML report with formulas, figures and counterexamples.",
            show_default=False,
        ),
    ] = "",
    markdown: Annotated[
        str, typer.Option(metavar="FILE", help="Write the table as Markdown.", show_default=False)
    ] = "",
    save: Annotated[
        str,
        typer.Option(
            metavar="FOLDER", help="Save the records that the run produces.", show_default=False
        ),
    ] = "",
    figures: Annotated[
        str,
        typer.Option(
            metavar="FOLDER",
            help="Folder with the figures of ahdp-verify experiment, for the report.",
            show_default=False,
        ),
    ] = "",
    workers: Annotated[int | None, workers_for("1, for many statements one per core")] = None,
    scheduler: Annotated[
        str,
        scheduler_for("go through the statements", "the checker reaches their verdicts again here"),
    ] = "",
    as_json: JsonOption = False,
    limits: Annotated[Limits, limits_for_each("one statement")] = GENEROUS,
) -> int:
    """Check the paper statement by statement: whether each holds, what repairs it, and how much of
    it is proved.
    """
    import ahdp_verify.canonical_json as jsonfile
    from ahdp_verify.cli.option_values import make_folder
    from ahdp_verify.cli.several import number_of_workers
    from ahdp_verify.paper import report
    from ahdp_verify.paper.statements import STATEMENTS, matching_identifiers

    places = [jsonfile.writable_path(path) for path in (html, markdown) if path]
    if len(set(places)) < len(places):
        raise BadInput("--markdown", "it would be the same file as --html", "name two files")
    folder = make_folder(save) if save else None
    identifiers = matching_identifiers(label) if label else tuple(STATEMENTS)
    number = number_of_workers(workers, len(identifiers), scheduler)
    if find_spec("highspy") is None:
        print_error(
            f"{Missing('the statements about the best power stay unknown', 'highspy', 'power')}"
        )
    found = []
    coming = found_results(identifiers, number, scheduler, limits)
    printer = Printer(as_json)
    for result in print_results(identifiers, coming, printer, every=bool(label)):
        found.append(result)
        if folder:
            save_records(result, folder)
    if html or markdown:
        write_reports(found, html, markdown, Path(figures) if figures else None)
    failed = [result for result in found if not result.passed]
    if not as_json:
        print_line(report.outcome_counts(found))
    for result in failed:
        print_error(f"{result.row.label}: {mismatch(result)}")
    return REFUTED if failed else PROVED


def found_results(
    identifiers: tuple[str, ...], workers: int, scheduler: str, limits: Limits
) -> Iterator[Result]:
    """The results, found by so many processes or with the help of a cluster."""
    from ahdp_verify.cli.several import report_failure
    from ahdp_verify.paper.statements import results, results_with_cluster

    if not scheduler:
        return results(identifiers, min(workers, len(identifiers)), limits=limits)
    said = set[str]()

    def failed(label: str, why: object) -> None:
        if isinstance(why, Exception):
            report_failure(why, "its statements are worked out", said)
        elif isinstance(why, str):
            print_error(
                f"{label}: the answer of a worker was not accepted ({why}); what it does not show "
                f"is worked out here"
            )

    return results_with_cluster(identifiers, scheduler, limits, failed)


def print_results(
    identifiers: tuple[str, ...], coming: Iterator[Result], printer: Printer, *, every: bool
) -> Iterator[Result]:
    """The results, each printed as soon as it is available; with `every`, with all its findings."""
    from ahdp_verify.paper.statements import SECTIONS

    titles = {rows[0].identifier: title for title, rows in SECTIONS}
    last = len(identifiers) - 1
    for i in itertools.count():
        with progress(min(i, last), len(identifiers)) as report:
            report(identifiers[min(i, last)].replace("_", " "))
            result = next(coming, None)
        if result is None:
            return
        if result.row.identifier in titles and not every and not printer.as_json:
            print_line(f"-- {titles[result.row.identifier]}")
        lines = result_lines(result, every=every)
        printer.show(
            result.outcome, lines, partial(result_data, result), claim=result.row.identifier
        )
        yield result


def result_data(result: Result) -> Data:
    """What became of a statement, and what was found of each of its checks."""
    row = result.row
    findings = [
        {
            "role": f.check.role,
            "says": f.check.says,
            "word": f.answer.word,
            "line": f.answer.line,
            "expect": f.check.expect,
            "expected": f.expected,
        }
        for f in result.found
    ]
    return {
        "label": row.label,
        "says": row.says,
        "kind": row.kind,
        "section": row.section,
        "outcome": result.outcome,
        "grade": result.grade,
        "passed": result.passed,
        "note": row.note,
        "findings": findings,
    }


def result_lines(result: Result, *, every: bool = False) -> list[str]:
    """The lines of a result: label, outcome and grade; with `every`, also the printed claim and
    the findings.
    """
    row = result.row
    head = f"{row.label:{WIDE}} {result.outcome + ('' if result.passed else ', NOT AS EXPECTED'):10} {result.grade}".rstrip()
    if not every:
        return [head + (f"; {row.note}" if row.note and result.outcome != "holds" else "")]
    said = [head, f"  printed: {row.says}", *([f"  note: {row.note}"] if row.note else [])]
    return said + [
        f"  {f.check.role}: {f.check.says + ': ' if f.check.says else ''}{f.answer.line}"
        + ("" if f.expected else f" (expected: {f.check.expect or 'nothing'})")
        for f in result.found
    ]


def mismatch(result: Result) -> str:
    """What was found and what was expected instead, for the first check that differs."""
    first = next(f for f in result.found if not f.expected)
    wanted = (
        f"{first.check.expect} was expected"
        if first.check.expect
        else "the row states no expected answer"
    )
    return (
        f"{first.answer.word}, but {wanted}: "
        f"{f'{first.check.says}: ' if first.check.says else ''}{first.answer.line}"
    )


def save_records(result: Result, folder: Path) -> None:
    """The records that this run produced are in the folder."""
    import ahdp_verify.canonical_json as jsonfile

    stem = "".join(c if c.isalnum() else "-" for c in result.row.label).strip("-")
    for i, record in enumerate((r for f in result.found for r in f.answer.records), 1):
        jsonfile.write_json(record, folder / f"{stem}-{i}.json")


def write_reports(found: list[Result], html: str, markdown: str, pictures: Path | None) -> None:
    """The reports are in their files."""
    import ahdp_verify.canonical_json as jsonfile
    from ahdp_verify.paper import page, report

    if html:
        jsonfile.write_text(page.html_page(found, pictures), html)
    if markdown:
        jsonfile.write_text(report.markdown_report(found), markdown)
