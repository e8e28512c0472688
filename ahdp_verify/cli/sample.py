"""`ahdp-verify sample`: the outputs of a mechanism as a table, on stdout or in a file."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Annotated

import typer

from ahdp_verify.cli.console import emit, say
from ahdp_verify.cli.exit_codes import PROVED
from ahdp_verify.cli.option_values import assigned, read_input
from ahdp_verify.cli.options import (
    GENEROUS,
    MegabytesInAll,
    SecondsInAll,
    Seed,
    Source,
    Values,
)
from ahdp_verify.files.argument_file import ArgumentFile
from ahdp_verify.files.load import load
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.composite import AnyMechanism
from ahdp_verify.kernel.terms import canonical_json as jsonfile
from ahdp_verify.kernel.terms.printing import is_seen, named_path, quoted
from ahdp_verify.search.limits import Limits, within

if TYPE_CHECKING:
    from ahdp_verify.sampling.floats import Columns


def sample_command(
    source: Source,
    dataset: Annotated[
        str,
        typer.Option(
            metavar="INPUT",
            show_default=False,
            help=(
                'What the mechanism is run on: counts in the order of the records ("0,1"), query '
                'answers, a value, or records with their unknowns ("eps=1, f=2; eps=oo, f=0").'
            ),
        ),
    ],
    values: Values = None,
    size: Annotated[int, typer.Option(metavar="N", help="How many draws.")] = 10,
    seed: Seed = None,
    out: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Write the table into this file instead of stdout.",
            show_default=False,
        ),
    ] = "",
    seconds: SecondsInAll = GENEROUS.seconds,
    megabytes: MegabytesInAll = GENEROUS.megabytes,
) -> int:
    """Run a mechanism N times on one input: its outputs as comma-separated values, a column for
    each.
    """
    with within(Limits(seconds=seconds, megabytes=megabytes), "drawing"):
        file = load(source)
        if isinstance(file, ArgumentFile):
            raise BadInput(
                named_path(source),
                "it is about a statement, so there is nothing to be run",
                "give a file about a mechanism",
            )
        return draw(file.mechanism, dataset, values or [], size, seed, out)


def draw(
    mechanism: AnyMechanism,
    dataset: str,
    values: list[str],
    size: int,
    seed: int | None,
    out: str,
) -> int:
    """The exit code of the draws, which are a table on stdout or in the file, all of them or
    none.
    """
    from ahdp_verify.sampling.sample import sampled

    place = jsonfile.writable(out) if out else None
    columns = sampled(
        mechanism,
        read_input(mechanism, dataset, "--dataset"),
        size,
        seed,
        assigned(mechanism, values),
    )
    if place is None:
        emit(table(columns))
    else:
        jsonfile.write_text(table(columns), place)
        say(f"written: {named_path(out)} ({size:,} draws)")
    return PROVED


def table(columns: Columns) -> str:
    r"""Draws as comma-separated values: the names of the outputs, then a line for each draw; a
    number can be read back without loss.

    >>> from ahdp_verify.sampling.floats import np
    >>> table({"s": np.array([0.1, "nothing"], dtype=object), "k": np.array([3, -1])})
    's,k\n0.1,3\nnothing,-1\n'
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*(map(cell, c.tolist()) for c in columns.values()), strict=True))
    return text.getvalue()


def cell(value: object) -> object:
    """A value in the table; a label that a reader would not see as it is stands in quotes, with
    escapes.
    """
    return quoted(value) if isinstance(value, str) and not all(map(is_seen, value)) else value
