"""The table of the paper's statements as files: Markdown, and an index of files and records.

The HTML page is in `ahdp_verify.paper.page`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from ahdp_verify.paper.statements import SECTIONS, Result


def sections(found: Iterable[Result]) -> Iterator[tuple[str, list[Result]]]:
    """The results by section, in order."""
    titles = {row.identifier: title for title, rows in SECTIONS for row in rows}
    for title, group in groupby(found, key=lambda result: titles.get(result.row.identifier, "")):
        yield title, list(group)


def outcome_counts(found: Iterable[Result]) -> str:
    """How many statements have which outcome."""
    listed, tally = list(found), dict[str, int]()
    for result in listed:
        tally[result.outcome] = tally.get(result.outcome, 0) + 1
    many = "statement" if len(listed) == 1 else "statements"
    return (
        f"{len(listed)} {many}: "
        + ", ".join(f"{n} {outcome}" for outcome, n in tally.items())
        + f"; {sum(r.passed for r in listed)} as expected"
    )


def markdown_report(found: list[Result]) -> str:
    """The table: statement, what becomes of it, its grade, and what is wrong or was repaired."""
    parts = ["# The paper, statement by statement", "", outcome_counts(found) + "."]
    for title, group in sections(found):
        parts += [
            "",
            f"## {title}",
            "",
            "| statement | outcome | grade | remark |",
            "| --- | --- | --- | --- |",
        ]
        parts += [
            f"| {markdown_cell(r.row.label)} | {r.outcome}{'' if r.passed else ', **not as expected**'} | "
            f"{markdown_cell(r.grade)} | {markdown_cell(r.row.note)} |"
            for r in group
        ]
    return "\n".join(parts) + "\n"


def findings_index(found: list[Result]) -> str:
    """Statement -> file -> verdict -> record, one line for each finding; files and records are
    links below proofs/.
    """
    parts = [
        "# Index of the statements",
        "",
        "Made by `make certificates`.  A finding without a file is asked in Python, in "
        "`ahdp_verify/paper/statements/`.",
        "",
        "| statement | identifier | asked | file | verdict | record |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for result in found:
        for f in result.found:
            a = f.answer
            parts.append(
                f"| {markdown_cell(result.row.label)} | {result.row.identifier} | {markdown_cell(f.check.says)} "
                f"| {link(a.file)} | {a.word} | {link(a.record)} |"
            )
    return "\n".join(parts) + "\n"


def link(path: str) -> str:
    """A link in Markdown, nothing for no path."""
    return f"[{Path(path).name}]({path})" if path else ""


def markdown_cell(text: str) -> str:
    """A text inside a table."""
    return text.replace("|", "\\|").replace("\n", " ")
