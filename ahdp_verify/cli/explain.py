"""`ahdp-verify explain`: a saved proof or refutation as numbered steps, on stdout or in a file."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from ahdp_verify.cli.console import print_line, report_invalid_record
from ahdp_verify.cli.exit_codes import PROVED
from ahdp_verify.cli.options import GENEROUS, MegabytesInAllOption, SecondsInAllOption
from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.search.limits import Limits, enforce_limits


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
    seconds: SecondsInAllOption = GENEROUS.seconds,
    megabytes: MegabytesInAllOption = GENEROUS.megabytes,
) -> int:
    """Print a saved proof or refutation as numbered steps, each with its reason."""
    from ahdp_verify.explanation import explain

    try:
        with enforce_limits(Limits(seconds=seconds, megabytes=megabytes), "explaining it"):
            found = explain(certificate, every=every).in_format(kind)
    except Rejected as why:
        return report_invalid_record(certificate, why)
    if output:
        from ahdp_verify.kernel.terms import canonical_json as jsonfile

        jsonfile.write_text(found, output)
    else:
        for line in found.splitlines():
            print_line(line)
    return PROVED
