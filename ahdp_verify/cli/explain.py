"""`ahdp-verify explain`: a saved proof or refutation as numbered steps, on stdout or in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ahdp_verify.cli.documents import Data, Printer
from ahdp_verify.cli.exit_codes import PROVED
from ahdp_verify.cli.layout import terminal_width
from ahdp_verify.cli.options import (
    GENEROUS,
    JsonOption,
    LimitsInAll,
)
from ahdp_verify.cli.recheck import report_invalid_record
from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.terms.printing import named_path
from ahdp_verify.search.limits import enforce_limits

if TYPE_CHECKING:
    from ahdp_verify.explanation import Explanation


def explain_command(
    certificate: Annotated[
        str,
        typer.Argument(
            metavar="CERT", help="A record written by verify --save.", show_default=False
        ),
    ],
    kind: Annotated[
        Literal["text", "markdown", "latex"],
        typer.Option("--format", help="The output format; latex gives a complete document."),
    ] = "text",
    output: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="Write to this file instead of stdout.", show_default=False
        ),
    ] = "",
    every: Annotated[
        bool, typer.Option("--all", help="Omit nothing, however long the explanation gets.")
    ] = False,
    as_json: JsonOption = False,
    limits: LimitsInAll = GENEROUS,
) -> int:
    """Print a saved proof or refutation as numbered steps, each with its reason."""
    from ahdp_verify.cli.sources import output_path
    from ahdp_verify.explanation import explain

    printer = Printer(as_json, certificate)
    if output:
        output_path(output, "--output", certificate)
    try:
        with enforce_limits(limits, "explaining it"):
            found = explain(certificate, every=every)
            width = terminal_width() if kind == "text" and not output else None
            text = found.in_format(kind) if width is None else found.within(width)
    except Rejected as why:
        return report_invalid_record(named_path(certificate), why, printer)
    if output:
        from ahdp_verify.kernel.terms import canonical_json as jsonfile

        jsonfile.write_text(text, output)
    lines = () if output else text.splitlines()
    printer.show("valid", lines, lambda: explanation_data(found, output))
    return PROVED


def explanation_data(found: Explanation, output: str) -> Data:
    """The numbered lines as they are printed, and the file to which they were written, if
    any.
    """
    lines = [
        {
            "number": line.number,
            "text": line.text,
            "reason": line.reason,
            "depth": line.depth,
            "below": list(line.below),
        }
        for line in found.shown
    ]
    return {"title": found.title, "lines": lines, "written": [output] if output else []}
