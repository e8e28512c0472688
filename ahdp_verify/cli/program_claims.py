"""The claims of a file about a noise program, or about a Python function that stands for one.

>>> option_values(["c=2", "fair=true", "word=top", "share=1/2"])
{'c': 2, 'fair': True, 'word': 'top', 'share': Fraction(1, 2)}
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from ahdp_verify.cli.claims import OneClaim, noted_claims
from ahdp_verify.cli.option_values import named_values, parameter_settings, read_counts, split_list
from ahdp_verify.cli.sources import load_any
from ahdp_verify.datasets import Multiset
from ahdp_verify.files.load import only_mechanism
from ahdp_verify.files.mechanism_file import ClaimNote
from ahdp_verify.files.program_file import ProgramFile
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.answers import RecordAnswers
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.terms.exact import NUMBER
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.printing import named_path
from ahdp_verify.programs import NoiseProgram

CONSTANTS = {"true": True, "false": False, "none": None}


@dataclass(frozen=True, slots=True)
class Changes:
    """What replaces the level, the relation and the number of queries of every claim, where given,
    and the options of a Python function.
    """

    level: str = ""
    relation: str = ""
    queries: int | None = None
    options: tuple[str, ...] = ()


def option_values(texts: list[str]) -> dict[str, object]:
    """The values of NAME=VALUE: whole numbers, fractions, true, false, none, or texts."""
    found: dict[str, object] = {}
    for key, value in named_values(texts, "c=2").items():
        number = Fraction(value) if NUMBER.fullmatch(value) else None
        if number is None:
            found[key] = CONSTANTS.get(value, value)
        else:
            found[key] = int(number) if number.denominator == 1 else number
    return found


def function_with(program: Program | NoiseProgram, options: tuple[str, ...]) -> NoiseProgram:
    """A function with options of the command line; BadInput for what is no function."""
    if not isinstance(program, NoiseProgram):
        raise BadInput(
            "--set" if options else program.name,
            "only a function in a Python file has options",
            "leave --set out" if options else "name one, as in svt.py:above",
        )
    given = option_values(list(options))
    for key, _ in program.parameters:
        if key in given:
            raise BadInput(
                "--set",
                f"{key} is a parameter, and a verdict is about all its values",
                "declare it as an option of the function to fix it",
            )
    return program(**given)


def noted_program_claims(
    file: ProgramFile, changes: Changes
) -> tuple[tuple[ProgramClaim, ClaimNote], ...]:
    """The claims of a file with their notes; with changes, the claims that result, each once and
    without notes.
    """
    if changes == Changes():
        if not file.claims:
            raise _no_claim(file)
        return tuple(zip(file.claims, file.notes, strict=True))
    level = parse(changes.level, "--level") if changes.level else None
    if file.claims and not changes.options:
        changed = tuple(
            replace(
                claim,
                relation=changes.relation or claim.relation,
                level=claim.level if level is None else level,
                queries=claim.queries if changes.queries is None else changes.queries,
            )
            for claim in file.claims
        )
        return tuple((claim, ClaimNote()) for claim in dict.fromkeys(changed))
    program, queries = _program(file, changes)
    if level is None:
        raise _no_claim(file)
    relation = changes.relation or _usual_relation(program)
    claim = ProgramClaim(program, relation, level, queries=queries)
    return ((claim, ClaimNote()),)


def _program(file: ProgramFile, changes: Changes) -> tuple[Program, int | None]:
    if isinstance(file.program, Program) and not changes.options:
        return file.program, changes.queries
    return function_with(file.program, changes.options).answering(changes.queries)


def claims_of_one(source: str, changes: Changes) -> tuple[OneClaim, ...]:
    """The claims of a source about one mechanism given by its density or one noise program, with
    their notes; with changes, the claims that result.
    """
    file = load_any(source)
    if isinstance(file, ProgramFile):
        return noted_program_claims(file, changes)
    check_no_program_options(changes, source)
    asked = noted_claims(only_mechanism(file, source), changes.level, changes.relation)
    levelled = tuple((c, note) for c, note in asked if isinstance(c, Claim))
    if not levelled:
        raise BadInput(named_path(source), "none of its claims has a level", "give --level")
    return levelled


def programs_with_relations(
    file: ProgramFile, changes: Changes
) -> tuple[tuple[Program, str, int | None], ...]:
    """The programs of a file with the relations and the numbers of queries of its claims, or those
    that are asked for; by default the usual relation, and any number of queries.
    """
    if file.claims and not changes.options:
        listed = (
            (
                claim.program,
                changes.relation or claim.relation,
                claim.queries if changes.queries is None else changes.queries,
            )
            for claim in file.claims
        )
        return tuple({(p.fingerprint, r, n): (p, r, n) for p, r, n in listed}.values())
    program, queries = _program(file, changes)
    return ((program, changes.relation or _usual_relation(program), queries),)


def check_no_program_options(changes: Changes, source: str) -> None:
    """BadInput if an option is given that only noise programs have."""
    if changes.queries is not None or changes.options:
        raise BadInput(
            named_path(source),
            "it is not about a noise program, which alone has --queries and --set",
            "leave these options out",
        )


def program_with_values(
    file: ProgramFile, values: list[str]
) -> tuple[Program | NoiseProgram, dict[str, str]]:
    """The program of a file, with the values of all its parameters; of a Python function, other
    values are options.
    """
    program = file.program
    parameters = {key for key, _ in program.parameters}
    mine = [text for text in values if text.partition("=")[0].strip() in parameters]
    if isinstance(program, NoiseProgram):
        options = [text for text in values if text not in mine]
        return program(**option_values(options)), parameter_settings(program, mine)
    return program, parameter_settings(program, values)


def program_asked(program: Program | NoiseProgram, count: int) -> Program:
    """The program that is asked so many queries."""
    return program.answering(count)[0] if isinstance(program, NoiseProgram) else program


def read_program_input(program: Program, text: str, option: str) -> list[str] | Multiset:
    """The input that a text describes: query answers, or counts in the order of the records."""
    inputs = program.inputs
    if not isinstance(inputs, RecordAnswers):
        return split_list(text)
    return Multiset(inputs.domain, read_counts(inputs.domain, text, option))


def _usual_relation(program: Program) -> str:
    return "ahdp" if isinstance(program.inputs, RecordAnswers) else "all"


def _no_claim(file: ProgramFile) -> BadInput:
    return BadInput(
        file.program.name,
        "it states no claim",
        "give one with --level and --relation, for example --relation all --level eps",
    )
