"""`ahdp-verify audit`: draws of a running program, held against the law of a mechanism file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ahdp_verify.cli.console import progress
from ahdp_verify.cli.documents import Data, Printer
from ahdp_verify.cli.exit_codes import PROVED, REFUTED
from ahdp_verify.cli.options import (
    GENEROUS,
    JsonOption,
    LimitsInAll,
    SourceArgument,
    ValuesOption,
)
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.printing import named_path
from ahdp_verify.search.limits import enforce_limits

if TYPE_CHECKING:
    from ahdp_verify.auditing.results import Audit
    from ahdp_verify.files.composite_file import PipelineFile
    from ahdp_verify.files.load import AnyFile
    from ahdp_verify.files.mechanism_file import MechanismFile
    from ahdp_verify.files.program_file import ProgramFile
    from ahdp_verify.kernel.verdict import Proved

EXPLAINED_OF_AUDIT = (
    "Exit codes: 0 the draws are consistent with the law; 1 rejected; 2 usage error or bad input, "
    "or the program failed; 3 nothing could be tested."
)
RunOption = Annotated[
    str,
    typer.Option(
        metavar="COMMAND",
        show_default=False,
        help=(
            "Run this command once for each input, without a shell. Its last two arguments are the "
            "input and the number of draws, unless {at} and {size} stand in it; the same is on its "
            'stdin as JSON, {"input": ..., "size": ...}. It prints one draw per line, of several '
            "outputs separated by commas."
        ),
    ),
]
DrawsOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="CSV",
        show_default=False,
        help="A file of draws for each --at, in the same order; further files may follow the first.",
    ),
]
PythonOption = Annotated[
    str,
    typer.Option(
        metavar="MODULE:FUNCTION",
        show_default=False,
        help=(
            "Call this function as f(input, size) if it has a parameter for the size, else as "
            "f(input) for each draw. FILE.py:FUNCTION works too. The module is run."
        ),
    ),
]
AtOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="INPUT",
        show_default=False,
        help=(
            'An input, as for sample: counts in the order of the records ("0,1"), query answers, a '
            "value. Repeat it; two neighbouring inputs also give a bound of the privacy loss."
        ),
    ),
]


@dataclass(frozen=True, slots=True)
class Asked:
    """The options that say where draws come from, and how they are tested."""

    run: str
    draws: list[str]
    python: str
    at: list[str]
    size: int
    alpha: str
    values: list[str]
    others: list[str]
    timeout: float


def audit_command(
    source: SourceArgument,
    more: Annotated[
        list[str] | None, typer.Argument(metavar="[CSV]...", show_default=False, hidden=True)
    ] = None,
    run: RunOption = "",
    draws: DrawsOption = None,
    python: PythonOption = "",
    at: AtOption = None,
    size: Annotated[int, typer.Option(metavar="N", help="Draws at each input.")] = 20_000,
    alpha: Annotated[
        str,
        typer.Option(
            metavar="P",
            help="Most probability of rejecting a program that draws from the law, all tests together.",
        ),
    ] = "1e-6",
    values: ValuesOption = None,
    other: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            show_default=False,
            help="Also say whether the draws are consistent with this mechanism; repeat it.",
        ),
    ] = None,
    as_json: JsonOption = False,
    html: Annotated[
        str, typer.Option(metavar="PAGE", show_default=False, help="Also write it as a page.")
    ] = "",
    timeout: Annotated[
        float, typer.Option(metavar="S", help="Most seconds for one run of the command.")
    ] = 600.0,
    limits: LimitsInAll = GENEROUS,
) -> int:
    """Hold draws of a running program, at one or several inputs, against the law of a mechanism,
    and bound the privacy loss of the program from below. Of a noise program in a Python file, the
    function itself is run unless --python names another one.
    """
    from ahdp_verify.cli.sources import file_of, output_path
    from ahdp_verify.kernel.terms import canonical_json as jsonfile

    asked = Asked(
        run,
        [*(draws or []), *(more or [])],
        python,
        at or [],
        size,
        alpha,
        values or [],
        other or [],
        timeout,
    )
    check_inputs(asked)
    read = map(str, (file_of(source), *asked.draws, *asked.others))
    place = output_path(html, "--html", *read) if html else None
    printer = Printer(as_json, source)
    with enforce_limits(limits, "auditing"):
        found = run_audit(source, asked, has_draws=bool(draws))
    lines = str(found).splitlines()
    if place is not None:
        from ahdp_verify.auditing.page import audit_page

        jsonfile.write_text(audit_page(found), place)
        lines.append(f"written: {named_path(html)}")
    printer.show(found.outcome, lines, lambda: audit_data(found, html))
    return REFUTED if found.findings else PROVED


def check_inputs(asked: Asked) -> None:
    """Passes, or raises BadInput unless there are inputs, and some time."""
    if not asked.at:
        raise BadInput("--at", "there is no input", "give at least one, for example --at 3 --at 4")
    if asked.timeout <= 0:
        raise BadInput("--timeout", f"{asked.timeout:g} is not above 0", "give seconds")


def check_places(asked: Asked, *, has_draws: bool) -> None:
    """Passes, or raises BadInput unless draws come from one place."""
    given = [bool(asked.run), has_draws, bool(asked.python)]
    if sum(given) != 1:
        raise BadInput(
            "audit",
            "no program is named" if not any(given) else "draws come from two places",
            "give one of --run, --draws and --python",
        )
    if has_draws and len(asked.draws) != len(asked.at):
        raise BadInput(
            "--draws",
            f"there are {len(asked.draws)} files, and {len(asked.at)} inputs",
            "give one file for each --at, in the same order",
        )


def run_audit(source: str, asked: Asked, *, has_draws: bool) -> Audit:
    """What the audit of a program against the law of a file found."""
    from ahdp_verify.auditing.audit import audit
    from ahdp_verify.cli.option_values import parameter_settings, read_input
    from ahdp_verify.cli.sources import load_any
    from ahdp_verify.files.program_file import ProgramFile

    of = load_any(source)
    if isinstance(of, ProgramFile):
        return audit_of_program(of, asked, source)
    check_places(asked, has_draws=has_draws)
    file = lawful(of, source)
    mechanism = file.mechanism
    parameters = parameter_settings(mechanism, asked.values)
    at = [read_input(mechanism, text, "--at") for text in asked.at]
    with progress(0, 1) as report:
        proved, note = proved_claim(file, report)
        found = audit(
            mechanism if proved is None else proved,
            program_draws(asked, mechanism, parameters),
            at,
            size=asked.size,
            alpha=asked.alpha,
            parameters=parameters,
            others={name: lawful(load_any(name), name).mechanism for name in asked.others},
            progress=report,
        )
    return replace(found, notes=(*found.notes, note)) if note else found


def audit_of_program(file: ProgramFile, asked: Asked, source: str) -> Audit:
    """What the audit of a function against a noise program found."""
    from ahdp_verify.auditing import programs
    from ahdp_verify.auditing.audit import audit
    from ahdp_verify.cli.option_values import split_list
    from ahdp_verify.cli.program_claims import (
        program_asked,
        program_with_values,
        read_program_input,
    )
    from ahdp_verify.kernel.model.program import Program

    if asked.run or asked.draws or asked.others:
        raise BadInput(
            named_path(source),
            "it is about a noise program, to which --run, --draws and --other do not apply",
            "name a function of answers and size with --python, or run the program itself",
        )
    if isinstance(file.program, Program) and not asked.python:
        raise BadInput(
            named_path(source), "it holds no function that could be run", "name one with --python"
        )
    found, parameters = program_with_values(file, asked.values)
    program = program_asked(found, len(split_list(asked.at[0])))
    at = [read_program_input(program, text, "--at") for text in asked.at]
    draws = None
    if asked.python:
        draws = programs.outputs_of_function(programs.load_function(asked.python))
    with progress(0, 1) as report:
        proved, note = proved_claim(file, report) if asked.python else (None, "")
        answer = audit(
            found if not asked.python else program if proved is None else proved,
            draws,
            at,
            size=asked.size,
            alpha=asked.alpha,
            parameters=parameters,
            progress=report,
        )
    return replace(answer, notes=(*answer.notes, note)) if note else answer


def lawful(file: AnyFile, source: str) -> MechanismFile | PipelineFile:
    """The file; BadInput for one that is about no mechanism with a law."""
    from ahdp_verify.files.composite_file import PipelineFile
    from ahdp_verify.files.mechanism_file import MechanismFile

    if not isinstance(file, MechanismFile | PipelineFile):
        raise BadInput(
            named_path(source),
            "it is about a statement, so there is nothing to audit",
            "give a file about a mechanism",
        )
    return file


def proved_claim(
    file: MechanismFile | PipelineFile | ProgramFile, report: Callable[[str], None]
) -> tuple[Proved | None, str]:
    """The proof of the first claim of the file that is proved, and a note where none is."""
    from ahdp_verify.kernel.verdict import Proved
    from ahdp_verify.search.verify import verify

    for claim in file.claims:
        report(f"verifying {claim}")
        verdict = verify(claim)
        if isinstance(verdict, Proved) and not verdict.vacuous:
            return verdict, ""
    return None, ("no claim of the file is proved, so no level is certified" if file.claims else "")


def program_draws(asked: Asked, mechanism: Any, parameters: dict[str, str]) -> Any:
    """The draws for each input, or a function that makes them."""
    from ahdp_verify.auditing import programs
    from ahdp_verify.auditing.plain_inputs import plain_input
    from ahdp_verify.cli.option_values import read_input

    names, labels = [o.name for o in mechanism.outputs], output_labels(mechanism)
    if asked.draws:
        return [programs.read_draw_file(path, names, labels) for path in asked.draws]
    if asked.python:
        return programs.draws_of_function(programs.load_function(asked.python), names)
    found = []
    for text in asked.at:
        plain = plain_input(mechanism, read_input(mechanism, text, "--at"), parameters)
        printed = programs.run_command(asked.run, text, plain, asked.size, asked.timeout)
        columns = programs.read_draw_table(printed, names, f"the output of --run at {text}", labels)
        if (drawn := len(columns[names[0]])) != asked.size:
            raise BadInput(
                "--run",
                f"it printed {drawn:,} draws at {text}, and {asked.size:,} were asked for",
                "print one line for each draw, and nothing else on stdout",
            )
        found.append(columns)
    return found


def output_labels(mechanism: Any) -> frozenset[str]:
    """The labels among the values and the points of mass of the outputs."""
    values = [v for o in mechanism.outputs for v in o.values]
    values += [at for at, _ in getattr(mechanism, "atoms", ())]
    return frozenset(v.args[0] for v in values if v.head == "label")


def audit_data(found: Audit, page: str) -> Data:
    """What the audit found, and the file of the page, if any."""
    from ahdp_verify.auditing.results import audit_record

    return {**audit_record(found), "written": [page] if page else []}
