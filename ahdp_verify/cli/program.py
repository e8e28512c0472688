"""`ahdp-verify program`: the noise program that a Python function is, as a file of data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ahdp_verify.cli.documents import Printer
from ahdp_verify.cli.exit_codes import PROVED
from ahdp_verify.cli.options import FunctionOptions, JsonOption, LevelOption, QueriesOption
from ahdp_verify.cli.options import RelationOption as Relation
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.printing import named_path

if TYPE_CHECKING:
    from ahdp_verify.files.mechanism_file import ClaimNote
    from ahdp_verify.kernel.model.program_claim import ProgramClaim

Function = Annotated[
    str,
    typer.Argument(
        metavar="FILE.py:NAME",
        help="A function of a Python file (which is run), wrapped by @noise_program; or a .toml "
        "file about a noise program.",
        show_default=False,
    ),
]
OutputFile = Annotated[
    str,
    typer.Option(
        "--output", metavar="FILE", help="Write it to FILE instead of stdout.", show_default=False
    ),
]


def program_command(
    source: Function,
    queries: QueriesOption = None,
    options: FunctionOptions = None,
    relation: Relation = "",
    level: LevelOption = "",
    output: OutputFile = "",
    as_json: JsonOption = False,
) -> int:
    """Print the noise program that a Python function is, as a file that verify reads: its states,
    and every step as a statement. Nothing is decided.
    """
    import ahdp_verify.canonical_json as jsonfile
    from ahdp_verify.cli.console import print_text
    from ahdp_verify.cli.program_claims import Changes, function_with, noted_program_claims
    from ahdp_verify.cli.sources import file_of, load_any, output_path
    from ahdp_verify.files.program_file import ProgramFile
    from ahdp_verify.files.program_text import program_toml
    from ahdp_verify.kernel.model.program import Program

    place = output_path(output, "--output", file_of(source)) if output else None
    file = load_any(source)
    if not isinstance(file, ProgramFile):
        raise BadInput(
            named_path(source), "it is not about a noise program", "name a function, svt.py:above"
        )
    given = tuple(options or ())
    claims: tuple[tuple[ProgramClaim, ClaimNote], ...] = ()
    if level or relation or file.claims:
        claims = noted_program_claims(file, Changes(level, relation, queries, given))
        program = claims[0][0].program
    elif isinstance(file.program, Program) and not given and queries is None:
        program = file.program
    else:
        program = function_with(file.program, given).program(queries)
    text = program_toml(program, claims, note=origin_of(file, source))
    if place is None and not as_json:
        print_text(text)
        return PROVED
    lines = text.splitlines()
    if place is not None:
        jsonfile.write_text(text, place)
        lines = [f"written: {named_path(output)}"]
    data = {"program": program.to_json(), "fingerprint": program.fingerprint}
    Printer(as_json, source).show("done", lines, lambda: data)
    return PROVED


def origin_of(file: object, source: str) -> str:
    """Where a program comes from, if that is a Python function: the file and the SHA-256 of the
    text of the function; "" otherwise.
    """
    from ahdp_verify.files.program_file import ProgramFile
    from ahdp_verify.programs import NoiseProgram

    if not isinstance(file, ProgramFile) or not isinstance(file.program, NoiseProgram):
        return ""
    return f"from {named_path(source)}, SHA-256 of its source {file.program.source_digest}"
