"""The options that several commands share, each declared once, as types for the arguments of a
command.

An option of a single command is declared in the file of that command.
"""

from __future__ import annotations

from inspect import Parameter
from typing import Annotated, Any, Literal, get_args, get_origin

import typer

from ahdp_verify.search.limits import Limits

USUAL = Limits()
GENEROUS = Limits(seconds=600.0)  # for a single question, or for checking what a search found

# The subject of a command.

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
SourcesArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE[:NAME]...",
        help=(
            "Any number of: a .toml file, FILE:NAME for one of its claims, FILE.py:NAME for an "
            "object of a Python file (which is run), or a folder for all .toml files in it."
        ),
        show_default=False,
    ),
]


def not_empty(context: typer.Context, option: typer.CallbackParam, value: str) -> str:
    """The value of an option; a usage error for an empty one, such as of an unset variable, which
    would otherwise be taken for an option that is not there.
    """
    given = context.get_parameter_source(str(option.name))
    if given is not None and given.name == "COMMANDLINE" and not value.strip():
        raise typer.BadParameter("it is empty; write a value, or leave the option out")
    return value


LevelOption = Annotated[
    str,
    typer.Option(
        metavar="EXPR",
        help="Use this level instead of that of each claim.",
        show_default=False,
        callback=not_empty,
    ),
]
RelationOption = Annotated[
    str,
    typer.Option(
        metavar="R",
        help="Use this relation instead of that of each claim.",
        show_default=False,
        callback=not_empty,
    ),
]
ValuesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="The value of a parameter of the mechanism; repeat it for several parameters.",
    ),
]

QueriesOption = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        help="Of a noise program: for N queries, instead of any number of them.",
        show_default=False,
    ),
]
FunctionOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Of a noise program in a Python file: the value of an option; repeat it for several.",
        show_default=False,
    ),
]

# Who works on it.


def workers_for(usually: str) -> Any:
    """The option --workers of a command that usually has this number of processes."""
    return typer.Option(
        "--workers",
        metavar="N",
        min=1,
        max=1024,
        help=f"Number of processes that share the work (default: {usually}).",
        show_default=False,
    )


def scheduler_for(work: str, again: str) -> Any:
    """The option --scheduler of a command whose work can be given away; `again` is how its answers
    are checked.
    """
    return typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help=f"Let the workers of a Dask cluster {work}; {again}.",
        show_default=False,
    )


WorkersOption = Annotated[int | None, workers_for("1, for many files one per core")]

# How the question is answered.

JsonOption = Annotated[
    bool,
    typer.Option(
        "--json", help="Print a JSON document for each answer, one per line, instead of text."
    ),
]

PlainOption = Annotated[
    bool,
    typer.Option("--plain", help="On a terminal too: one line for each answer, and no colours."),
]
TrustOption = Annotated[
    Literal["all", "kernel"],
    typer.Option(help="With kernel, a proof that rests on solver attestation is not accepted."),
]
SeedOption = Annotated[
    int | None,
    typer.Option(
        metavar="S",
        help="Random seed; a different one for each run if omitted.",
        show_default=False,
    ),
]
PlotOption = Annotated[
    str,
    typer.Option(
        metavar="PICTURE",
        help="Plot the curve to a file such as curve.png (needs matplotlib).",
        show_default=False,
    ),
]

# Limits: a command takes them as one argument, `limits`, and has an option for each of these fields
# of it. A search has all five, anything else only time and memory.


def time_and_memory(time: str, memory: str) -> dict[str, Any]:
    """The options for the time and the memory that are limited as these words say."""
    spent = f"Limit on the {time}, in seconds."
    held = f"Limit on the {memory}, in MB beyond what the program itself uses."
    return {
        "seconds": Annotated[float, typer.Option(metavar="N", help=spent)],
        "megabytes": Annotated[int, typer.Option(metavar="N", help=held)],
    }


def limits_for_each(one: str) -> dict[str, Any]:
    """The options of a command that spends at most these limits on each of several items."""
    return time_and_memory(f"processor time for {one}", f"memory for {one}")


FOR_ONE_CLAIM = limits_for_each("one claim")
PIECES = typer.Option(
    metavar="N", help="Limit on the cases, boxes and products tried for one claim."
)
RECORDS = typer.Option(metavar="N", help="Largest dataset tried as a counterexample.")
BITS = typer.Option(metavar="N", help="Highest precision of an interval enclosure, in bits.")
OF_A_SEARCH = {
    "seconds": FOR_ONE_CLAIM["seconds"],
    "pieces": Annotated[int, PIECES],
    "records": Annotated[int, RECORDS],
    "bits": Annotated[int, BITS],
    "megabytes": FOR_ONE_CLAIM["megabytes"],
}
SearchLimits = Annotated[Limits, OF_A_SEARCH]
LimitsWithoutRecords = Annotated[Limits, {k: v for k, v in OF_A_SEARCH.items() if k != "records"}]
TimeForOneClaim = Annotated[Limits, {"seconds": OF_A_SEARCH["seconds"]}]
LimitsInAll = Annotated[Limits, time_and_memory("total time", "memory")]


def limit_options(parameter: Parameter) -> list[Parameter]:
    """The options in place of a parameter of a command that takes `Limits`: one for each limit,
    with that of its default; none for another parameter.
    """
    if get_origin(parameter.annotation) is not Annotated:
        return []
    kind, asked = get_args(parameter.annotation)
    if kind is not Limits:
        return []
    return [
        Parameter(
            key, Parameter.KEYWORD_ONLY, default=getattr(parameter.default, key), annotation=a
        )
        for key, a in asked.items()
    ]
