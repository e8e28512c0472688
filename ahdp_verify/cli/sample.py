"""`ahdp-verify sample`: the outputs of a mechanism as a table, on stdout or in a file."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Annotated

import typer

from ahdp_verify.cli.console import print_text
from ahdp_verify.cli.documents import Data, Printer
from ahdp_verify.cli.exit_codes import PROVED
from ahdp_verify.cli.options import (
    GENEROUS,
    JsonOption,
    LimitsInAll,
    SeedOption,
    SourceArgument,
    ValuesOption,
)
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.printing import is_visible, named_path, quoted
from ahdp_verify.search.limits import enforce_limits

if TYPE_CHECKING:
    from ahdp_verify.files.program_file import ProgramFile
    from ahdp_verify.kernel.model.composite import AnyMechanism
    from ahdp_verify.sampling.floats import Columns


def sample_command(
    source: SourceArgument,
    dataset: Annotated[
        str,
        typer.Option(
            metavar="INPUT",
            show_default=False,
            help=(
                'The input of the mechanism: counts in the order of the records ("0,1"), query '
                'answers, a value, or records by their unknowns ("eps=1, f=2; eps=oo, f=0").'
            ),
        ),
    ],
    values: ValuesOption = None,
    size: Annotated[int, typer.Option(metavar="N", help="Number of draws.")] = 10,
    seed: SeedOption = None,
    out: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Write the table to this file instead of stdout.",
            show_default=False,
        ),
    ] = "",
    as_json: JsonOption = False,
    limits: LimitsInAll = GENEROUS,
) -> int:
    """Run a mechanism, or a noise program, N times on one input, and print its outputs as
    comma-separated values, one column for each.
    """
    from ahdp_verify.cli.sources import file_of, load_any, output_path
    from ahdp_verify.files.argument_file import ArgumentFile
    from ahdp_verify.files.program_file import ProgramFile
    from ahdp_verify.files.sensitivity_file import SensitivityFile

    with enforce_limits(limits, "drawing"):
        file = load_any(source)
        if isinstance(file, ArgumentFile | SensitivityFile):
            raise BadInput(
                named_path(source),
                "it is about a statement, so there is nothing to run",
                "give a file about a mechanism",
            )
        if out:
            output_path(out, "--out", file_of(source))
        given = values or []
        if isinstance(file, ProgramFile):
            columns = program_columns(file, dataset, given, size, seed)
        else:
            columns = mechanism_columns(file.mechanism, dataset, given, size, seed)
        return print_draws(columns, size, out, Printer(as_json, source))


def mechanism_columns(
    mechanism: AnyMechanism, dataset: str, values: list[str], size: int, seed: int | None
) -> Columns:
    """The draws of each output of a mechanism."""
    from ahdp_verify.cli.option_values import parameter_settings, read_input
    from ahdp_verify.sampling.sample import sample_columns

    at = read_input(mechanism, dataset, "--dataset")
    return sample_columns(mechanism, at, size, seed, parameter_settings(mechanism, values))


def program_columns(
    file: ProgramFile, dataset: str, values: list[str], size: int, seed: int | None
) -> Columns:
    """The outputs of runs of a noise program, by their places."""
    from ahdp_verify.cli.option_values import split_list
    from ahdp_verify.cli.program_claims import (
        program_asked,
        program_with_values,
        read_program_input,
    )
    from ahdp_verify.sampling.programs import sample_program

    found, settings = program_with_values(file, values)
    program = program_asked(found, len(split_list(dataset)))
    at = read_program_input(program, dataset, "--dataset")
    return sample_program(program, at, settings, size=size, rng=seed).columns()


def print_draws(columns: Columns, size: int, out: str, printer: Printer) -> int:
    """The exit code of the draws; they are written as a table to stdout or to a file, all of them
    or none.
    """
    import ahdp_verify.canonical_json as jsonfile

    text = draws_csv(columns)
    if not out and not printer.as_json:
        print_text(text)
        return PROVED
    lines = text.splitlines()
    if out:
        jsonfile.write_text(text, jsonfile.writable_path(out))
        lines = [f"written: {named_path(out)} ({size:,} draws)"]
    printer.show("done", lines, lambda: draws_data(columns, size, out))
    return PROVED


def draws_data(columns: Columns, size: int, out: str) -> Data:
    """The draws of each output in order, or the file that they were written to."""
    listed = None if out else {name: column.tolist() for name, column in columns.items()}
    return {"size": size, "draws": listed, "written": [out] if out else []}


def draws_csv(columns: Columns) -> str:
    r"""Draws as comma-separated values: the names of the outputs, then a line for each draw; a
    number can be read back without loss.

    >>> from ahdp_verify.sampling.floats import np
    >>> draws_csv({"s": np.array([0.1, "nothing"], dtype=object), "k": np.array([3, -1])})
    's,k\n0.1,3\nnothing,-1\n'
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*(map(csv_value, c.tolist()) for c in columns.values()), strict=True))
    return text.getvalue()


def csv_value(value: object) -> object:
    """A value in the table; a label with invisible characters is quoted and escaped."""
    return quoted(value) if isinstance(value, str) and not all(map(is_visible, value)) else value
