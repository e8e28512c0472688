"""The options that several commands share, each declared once, as types for the arguments of a
command.

What only one command has is declared in the file of that command.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from ahdp_verify.search.limits import Limits

USUAL = Limits()
GENEROUS = Limits(seconds=600.0)  # for what is asked once, and checks what took a search to find

# What a command is about.

SourceArgument = Annotated[
    str,
    typer.Argument(
        metavar="FILE[:NAME]",
        help=(
            "A .toml file, FILE:NAME for one of its claims, or FILE.py:NAME for an object of a "
            "Python file (which is run)."
        ),
        show_default=False,
    ),
]
LevelOption = Annotated[
    str,
    typer.Option(
        metavar="EXPR",
        help="Ask about this level instead of that of each claim.",
        show_default=False,
    ),
]
RelationOption = Annotated[
    str,
    typer.Option(
        metavar="R",
        help="Ask about this relation instead of that of each claim.",
        show_default=False,
    ),
]
ValuesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="The value of a parameter of the mechanism; may be repeated.",
    ),
]

# How it is answered.

TrustOption = Annotated[
    Literal["all", "kernel"],
    typer.Option(help="With kernel, a proof on the word of solvers does not count."),
]
SeedOption = Annotated[
    int | None,
    typer.Option(
        metavar="S",
        help="Seed of the draws; another one each time if it is left out.",
        show_default=False,
    ),
]
PlotOption = Annotated[
    str,
    typer.Option(
        metavar="PICTURE",
        help="Draw the curve into a file such as curve.png (needs matplotlib).",
        show_default=False,
    ),
]

# Limits: of a search, which has all five, and of what has a time and a memory only.


def seconds_for(one: str) -> Any:
    """--seconds of a command that has so much time for each of several."""
    return typer.Option("--seconds", metavar="N", help=f"Processor time for {one}, in seconds.")


def megabytes_for(one: str) -> Any:
    """--megabytes of a command that has so much memory for each of several."""
    return typer.Option(
        "--megabytes",
        metavar="N",
        help=f"Memory for {one}, in MB beyond what the program takes itself.",
    )


SecondsOption = Annotated[float, seconds_for("one claim")]
PiecesOption = Annotated[
    int, typer.Option(metavar="N", help="Cases, boxes and products tried for one claim.")
]
RecordsOption = Annotated[
    int, typer.Option(metavar="N", help="Largest dataset tried as a counterexample.")
]
BitsOption = Annotated[int, typer.Option(metavar="N", help="Largest precision of an enclosure.")]
MegabytesOption = Annotated[int, megabytes_for("one claim")]
SecondsInAllOption = Annotated[float, typer.Option("--seconds", metavar="N", help="Time, in all.")]
MegabytesInAllOption = Annotated[
    int,
    typer.Option(
        "--megabytes", metavar="N", help="Memory, in MB beyond what the program takes itself."
    ),
]
