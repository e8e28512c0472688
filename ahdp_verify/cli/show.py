"""`ahdp-verify show`: what was understood of a file, or of an entry of the catalogue, in sentences
and formulas; nothing is decided.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from ahdp_verify.cli.console import print_line, print_text
from ahdp_verify.cli.documents import Printer
from ahdp_verify.cli.exit_codes import PROVED
from ahdp_verify.cli.options import JsonOption
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.printing import display_name, named_path

if TYPE_CHECKING:
    from ahdp_verify.files.argument_file import ArgumentFile
    from ahdp_verify.files.load import AnyFile
    from ahdp_verify.files.program_file import ProgramFile
    from ahdp_verify.files.sensitivity_file import SensitivityFile

Subject = Annotated[
    str,
    typer.Argument(
        metavar="FILE[:NAME]|catalogue:NAME|NAME",
        help="A mechanism file, or the name of a mechanism of the catalogue (ahdp-verify list).",
        show_default=False,
    ),
]
AsToml = Annotated[
    bool,
    typer.Option(
        "--toml",
        help="Print a mechanism file instead, in which every density is written out.",
    ),
]


def show_command(source: Subject, as_toml: AsToml = False, as_json: JsonOption = False) -> int:
    """Print what a file says, as it was understood: the input, the distribution of the output as a
    formula, and each claim in a sentence. Nothing is decided.
    """
    from ahdp_verify.cli.sources import CATALOGUE, is_file_name, load_any

    named = source if is_file_name(source) or source.startswith(CATALOGUE) else CATALOGUE + source
    file = load_any(named)
    if as_toml:
        print_text(written_out(named, file))
        return PROVED
    lines = list(lines_of(file))
    if as_json:
        claims = [str(claim) for claim in file.claims]
        Printer(True, named).show("shown", lines, lambda: {"claims": claims})
    else:
        for line in lines:
            print_line(line)
    return PROVED


def written_out(source: str, file: AnyFile) -> str:
    """The mechanism file with every density written out, or the noise program with every statement;
    BadInput for a file of another kind.
    """
    from ahdp_verify.files.mechanism_file import MechanismFile
    from ahdp_verify.files.program_file import ProgramFile
    from ahdp_verify.files.program_text import program_toml
    from ahdp_verify.files.written import expanded
    from ahdp_verify.kernel.model.program import Program

    if isinstance(file, ProgramFile) and isinstance(file.program, Program):
        return program_toml(file.program, zip(file.claims, file.notes, strict=True))
    if not isinstance(file, MechanismFile):
        raise BadInput(
            "--toml",
            f"{named_path(source)} contains neither a mechanism given by one density nor a program",
            "leave --toml out",
        )
    return expanded(file)


def lines_of(file: AnyFile) -> Iterator[str]:
    """The file in sentences; formulas and programs are indented."""
    from ahdp_verify.files.argument_file import ArgumentFile
    from ahdp_verify.files.mechanism_file import MechanismFile
    from ahdp_verify.files.program_file import ProgramFile
    from ahdp_verify.files.sensitivity_file import SensitivityFile
    from ahdp_verify.files.written import laws_text
    from ahdp_verify.kernel.model.notion_claim import NotionClaim
    from ahdp_verify.reporting.blocks import Paragraph
    from ahdp_verify.reporting.mechanisms import mechanism_blocks
    from ahdp_verify.reporting.sentences import protection, protection_of_notion

    if isinstance(file, ArgumentFile):
        yield from argument_lines(file)
        return
    if isinstance(file, ProgramFile):
        yield from program_file_lines(file)
        return
    if isinstance(file, SensitivityFile):
        yield from query_lines(file)
        return
    yield f"Mechanism: {file.mechanism}"
    for block in mechanism_blocks(file.mechanism):
        if isinstance(block, Paragraph):
            text = block.text.strip().replace("ε", "eps")  # as expressions write it
            yield f"    {text}" if block.kind == "display" else text
    if isinstance(file, MechanismFile) and file.laws:
        yield from laws_text(file.laws).splitlines()
    if not file.claims:
        yield "The file makes no claim."
    for i, (claim, note) in enumerate(zip(file.claims, file.notes, strict=True), 1):
        name = f" ({display_name(note.name)})" if note.name else ""
        yield ""
        yield f"Claim {i}{name}: {claim}"
        said = protection_of_notion(claim) if isinstance(claim, NotionClaim) else protection(claim)
        yield "".join(map(str, said))
        if note.expect:
            yield f"The file expects: {note.expect}."


def query_lines(file: SensitivityFile) -> Iterator[str]:
    """A query on entries, and the claims about it."""
    from ahdp_verify.kernel.model.sensitivity import SensitivityClaim

    conditions = "".join(f", {c}" for _, c in file.inputs.parameters if str(c) != "true")
    yield f"Query: {file.query}"
    yield f"on {file.inputs.size} entries x with {file.inputs.values}{conditions}"
    for i, (claim, note) in enumerate(zip(file.claims, file.notes, strict=True), 1):
        yield ""
        yield f"Claim {i}{f' ({display_name(note.name)})' if note.name else ''}: {claim}"
        moves = claim if isinstance(claim, SensitivityClaim) else claim.sensitivity
        yield (
            f"If one entry changes, the answer moves by at most {moves.bound}, however many entries "
            "there are and whatever they are."
        )
        if note.expect:
            yield f"The file expects: {note.expect}."


def program_file_lines(file: ProgramFile) -> Iterator[str]:
    """A noise program, statement by statement, and the claims about it."""
    from ahdp_verify.display.program_text import program_text
    from ahdp_verify.kernel.model.program import Program
    from ahdp_verify.reporting.sentences import protection

    program = file.program
    text = program_text(program) if isinstance(program, Program) else f"{program}, a function"
    yield from f"Noise program: {text}".splitlines()
    if not file.claims:
        yield "The file makes no claim."
    for i, (claim, note) in enumerate(zip(file.claims, file.notes, strict=True), 1):
        yield ""
        yield f"Claim {i}{f' ({display_name(note.name)})' if note.name else ''}: {claim}"
        yield "".join(map(str, protection(claim)))
        if note.expect:
            yield f"The file expects: {note.expect}."


def argument_lines(file: ArgumentFile) -> Iterator[str]:
    """A statement with the steps of the argument for it."""
    from ahdp_verify.kernel.terms.expression import TRUE

    argument = file.argument
    yield f"Statement: {argument.statement}"
    for key, condition in argument.statement.parameters:
        yield f"    for all real {key}" + (f" with {condition}" if condition != TRUE else "")
    for i in range(len(argument.steps)):
        yield str(argument.claim(i)).capitalize()
