"""`ahdp-verify report`: claims are decided, records are checked again, and a page, a text or a PDF
about them is written.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated

import typer

from ahdp_verify.cli.console import progress
from ahdp_verify.cli.documents import Data, Printer
from ahdp_verify.cli.exit_codes import (
    BAD,
    PROVED,
    REFUTED,
    UNKNOWN,
    outcome_exit_code,
    worst_exit_code,
)
from ahdp_verify.cli.options import (
    USUAL,
    JsonOption,
    SearchLimits,
    TrustOption,
)
from ahdp_verify.kernel.errors import BadInput, OutOfLimits, Rejected
from ahdp_verify.kernel.terms.printing import named_path
from ahdp_verify.search.limits import Limits, enforce_limits

if TYPE_CHECKING:
    from ahdp_verify.files.load import AnyFile
    from ahdp_verify.reporting import Subject

LARGEST = 1_000_000_000  # bytes of a file whose digest is worked out
EMPTY_HANDED = ("no place is named for it", "give --html FILE, --markdown FILE or --pdf FILE")


ReportSources = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE|CERT...",
        help=(
            "Mechanism files (FILE:NAME for one claim), whose claims are decided, and records "
            "written by verify --save, which are checked again. A folder stands for all .toml "
            "files in it or, if it has none, for all .json files."
        ),
        show_default=False,
    ),
]
HtmlOption = Annotated[
    str,
    typer.Option(metavar="FILE", help="Write one self-contained HTML page.", show_default=False),
]
MarkdownOption = Annotated[
    str,
    typer.Option(
        metavar="FILE", help="Write the same without pictures, as Markdown.", show_default=False
    ),
]
PdfOption = Annotated[
    str,
    typer.Option(
        metavar="FILE",
        help="Write the page as a PDF, which Chromium or Chrome makes.",
        show_default=False,
    ),
]
BrowserOption = Annotated[
    str,
    typer.Option(
        metavar="PROGRAM",
        help="The Chromium or Chrome for --pdf, if it is not found by itself.",
        show_default=False,
    ),
]
ForceOption = Annotated[
    bool, typer.Option("--force", help="Replace a file that is not such a report.")
]


def report_command(
    sources: ReportSources,
    html: HtmlOption = "",
    markdown: MarkdownOption = "",
    pdf: PdfOption = "",
    browser: BrowserOption = "",
    force: ForceOption = False,
    trust: TrustOption = "all",
    as_json: JsonOption = False,
    limits: SearchLimits = USUAL,
) -> int:
    """Write a page about claims that can be attached to a review: what was found, and why it can be
    believed.
    """
    from ahdp_verify.reporting import report_on
    from ahdp_verify.reporting.writing import check_places, find_browser

    places = {"html": html or None, "markdown": markdown or None, "pdf": pdf or None}
    if not any(places.values()):
        raise BadInput("report", *EMPTY_HANDED)
    if browser and not pdf:
        raise BadInput("--browser", "it is for a PDF", "give --pdf FILE too, or leave it out")
    check_places(places, force=force)
    names = listed(sources)
    keep_sources(names, places.values())
    if pdf:
        find_browser(browser)
    subjects = tuple(found_subjects(names, limits, trust, as_json=as_json))
    printer = Printer(as_json)
    with progress(len(subjects), len(subjects)) as report:
        report("writing the report")
        made = report_on(subjects, limits=limits)
        made.save(
            html=places["html"],
            markdown=places["markdown"],
            pdf=places["pdf"],
            browser=browser,
            force=force,
        )
    written = [path for path in places.values() if path]
    line = f"{made}; written: {', '.join(map(named_path, written))}"
    printer.show("done", (line,), lambda: {"claims": len(subjects), "written": written})
    return worst_exit_code(map(subject_exit_code, subjects))


def keep_sources(sources: tuple[str, ...], places: Iterable[str | None]) -> None:
    """BadInput if the report would replace a file that it is about."""
    read = {os.path.realpath(path_of(source)) for source in sources}
    for place in places:
        if place is not None and os.path.realpath(place) in read:
            raise BadInput(
                named_path(place), "the report is about this file", "name a different file"
            )


def listed(sources: list[str]) -> tuple[str, ...]:
    """The files that are named, and those in folders; BadInput for a folder with neither kind."""
    from ahdp_verify.cli.several import listed_sources

    found: list[str] = []
    for source in sources:
        ending = ".toml"
        if os.path.isdir(source) and not holds(source, ".toml"):
            ending = ".json"
        found += [one.named for one in listed_sources([source], ending, "mechanism file or record")]
    return tuple(dict.fromkeys(found))


def holds(folder: str, ending: str) -> bool:
    """Whether a folder, or one inside it that is not hidden, has a file with this ending."""
    for _, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        if any(name.endswith(ending) and not name.startswith(".") for name in files):
            return True
    return False


def found_subjects(
    sources: tuple[str, ...], limits: Limits, trust: str, *, as_json: bool = False
) -> Iterator[Subject]:
    """What was found of every claim, a line for each on stdout; every file is read before the first
    claim is decided, and BadInput is raised for one that cannot be.
    """
    from ahdp_verify.cli.claims import READING
    from ahdp_verify.cli.sources import load_any
    from ahdp_verify.files.records import read_saved_record

    read: list[tuple[str, AnyFile | None]] = []
    for source in sources:
        with enforce_limits(limits, READING):
            is_record = source.endswith(".json")
            if is_record:
                read_saved_record(source)
            read.append((source, None if is_record else load_any(source)))
    for source, file in read:
        coming = (
            subject_of_record(source, limits, trust)
            if file is None
            else subjects_of_file(source, file, limits, trust)
        )
        printer = Printer(as_json, source)
        for subject in coming:
            line = f"{subject.word}: {subject.text}"
            why = subject.no_verdict.reason if subject.verdict is None else ""
            data = partial(subject_data, subject)
            printer.show(subject.outcome, (line,), data, claim=subject.origin.name, reason=why)
            yield subject


def subject_data(subject: Subject) -> Data:
    """What was found of a claim, as data."""
    from ahdp_verify.analysis.answer_data import verdict_data
    from ahdp_verify.analysis.arguments import Examination
    from ahdp_verify.cli.verify_job import argument_data

    verdict, found = subject.verdict, subject.found
    if verdict is None:
        return {"outcome": subject.outcome, "statement": subject.text}
    argument = {"argument": argument_data(found)} if isinstance(found, Examination) else {}
    return {**verdict_data(verdict), "expected": subject.origin.expect, **argument}


def digest(source: str) -> str:
    """The SHA-256 of a file, which may be named with a claim in it."""
    from ahdp_verify.kernel.terms.canonical_json import file_bytes

    return sha256(file_bytes(path_of(source), LARGEST, "split it")).hexdigest()


def path_of(source: str) -> str:
    """The file of FILE or FILE:NAME.

    >>> path_of("a/b.toml:claim"), path_of("b.json")
    ('a/b.toml', 'b.json')
    """
    found = re.fullmatch(r"(.*\.(?:py|toml)):[^/]*", source, re.DOTALL)
    return found[1] if found else source


def subject_of_record(source: str, limits: Limits, trust: str) -> Iterator[Subject]:
    """A saved record, checked again; one that the checker does not accept is reported as such."""
    from ahdp_verify.files import records as storage
    from ahdp_verify.reporting import NoVerdict, Origin, Subject

    origin = Origin(source, digest(source), is_record=True)
    claim = str(storage.read_saved_record(source).claim)
    with progress(0, 1) as report:
        report(f"checking {named_path(source)}")
        try:
            found = storage.recheck(source, trust=trust, limits=limits)
        except Rejected as why:
            yield Subject(NoVerdict(claim, "invalid", why.reason), origin)
            return
        except OutOfLimits as stop:
            yield Subject(NoVerdict(claim, "unknown", stop.reason), origin)
            return
    yield Subject(found, origin)


def subjects_of_file(source: str, file: AnyFile, limits: Limits, trust: str) -> Iterator[Subject]:
    """The claims of a file, decided one after the other."""
    from ahdp_verify.analysis.arguments import examine
    from ahdp_verify.cli.claims import NotedClaim, noted_claims
    from ahdp_verify.cli.program_claims import Changes, noted_program_claims
    from ahdp_verify.files.argument_file import ArgumentFile
    from ahdp_verify.files.program_file import ProgramFile
    from ahdp_verify.files.sensitivity_file import SensitivityFile
    from ahdp_verify.reporting import NoVerdict, Origin, Subject
    from ahdp_verify.search.verify import verify

    kept = digest(source)
    if isinstance(file, ArgumentFile):
        with progress(0, 1) as report:
            found = examine(file.argument, limits, report)
        yield Subject(found, Origin(source, kept, note=file.note, expect=file.expect))
        return
    asked: tuple[NotedClaim, ...]
    if isinstance(file, SensitivityFile):
        asked = tuple(zip(file.claims, file.notes, strict=True))
    elif isinstance(file, ProgramFile):
        asked = noted_program_claims(file, Changes())
    else:
        asked = noted_claims(file, "", "")
    for i, (claim, note) in enumerate(asked):
        origin = Origin(source, kept, name=note.name, note=note.note, expect=note.expect)
        with progress(i, len(asked)) as report:
            try:
                verdict = verify(claim, limits=limits, progress=report, trust=trust)
            except BadInput as error:
                yield Subject(NoVerdict(str(claim), "refused", str(error)), origin)
                continue
        yield Subject(verdict, origin)


def subject_exit_code(subject: Subject) -> int:
    """The exit code of one claim, as verify and recheck have it."""
    if subject.outcome in ("invalid", "refused"):
        return REFUTED if subject.outcome == "invalid" else BAD
    of_argument = {"not valid": REFUTED, "open": UNKNOWN}.get(subject.argument, PROVED)
    return worst_exit_code([outcome_exit_code(subject.outcome, subject.origin.expect), of_argument])
