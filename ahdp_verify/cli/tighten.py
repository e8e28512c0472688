"""`ahdp-verify tighten`: a table of least levels for each relation."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ahdp_verify.cli.console import progress
from ahdp_verify.cli.documents import Data, Printer
from ahdp_verify.cli.exit_codes import PROVED, UNKNOWN
from ahdp_verify.cli.options import (
    USUAL,
    FunctionOptions,
    JsonOption,
    QueriesOption,
    RelationOption,
    SearchLimits,
    SourcesArgument,
    WorkersOption,
)
from ahdp_verify.cli.several import Answered, answer_files, listed_sources
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.printing import named_path
from ahdp_verify.search.limits import Limits, enforce_limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from ahdp_verify.analysis.levels.programs import ProgramLevel, ProgramLevels
    from ahdp_verify.analysis.levels.table import LevelRow, Levels
    from ahdp_verify.cli.program_claims import Changes
    from ahdp_verify.files.mechanism_file import MechanismFile
    from ahdp_verify.kernel.terms.expression import Expression


NotionOption = Annotated[
    Literal["zcdp", "gdp"] | None,
    typer.Option(help="The least rho of zCDP or mu of GDP instead.", show_default=False),
]


def tighten_command(
    sources: SourcesArgument,
    relation: RelationOption = "",
    queries: QueriesOption = None,
    options: FunctionOptions = None,
    notion: NotionOption = None,
    delta: Annotated[
        str,
        typer.Option(
            metavar="EXPR",
            help="Instead, print the least level, one for all moves, at which the mechanism is "
            "private with this delta.",
            show_default=False,
        ),
    ] = "",
    workers: WorkersOption = None,
    as_json: JsonOption = False,
    limits: SearchLimits = USUAL,
) -> int:
    """Print the exact least level of every record, and where it is attained; exit code 3 if it is
    only enclosed. Of a noise program: one level for all moves, or one for each record.
    """
    from ahdp_verify.cli.program_claims import Changes

    listed = listed_sources(sources, ".toml", "mechanism file")
    if notion is not None:
        if delta or queries is not None or options:
            said = "it asks for another bound than --delta, and not of noise programs"
            raise BadInput("--notion", said, "leave --delta, --queries and --set out")
        return answer_files(
            listed,
            partial(print_notion, relation=relation, notion=notion, run=(limits, as_json)),
            workers,
            as_json=as_json,
            doing="working out the least bounds of",
            counted="file",
            with_table=False,
        )
    return answer_files(
        listed,
        partial(
            print_tables,
            changes=Changes("", relation, queries, tuple(options or ())),
            limits=limits,
            as_json=as_json,
            delta=delta,
        ),
        workers,
        as_json=as_json,
        doing="working out the least levels of",
        counted="table",
        with_table=True,
    )


def print_notion(source: str, relation: str, notion: str, run: tuple[Limits, bool]) -> Answered:
    """What was done with a file: the least rho or mu is printed for each relation."""
    from ahdp_verify.cli.renyi import print_bounds

    code = print_bounds(source, relation, notion, [None], run)
    return Answered(code, ("exact" if code == PROVED else "unknown",))


def print_tables(
    source: str, changes: Changes, limits: Limits, as_json: bool = False, delta: str = ""
) -> Answered:
    """What was done with a file: a table of least levels is printed for each relation, or with a
    delta one level.
    """
    from ahdp_verify.analysis.levels.tighten import tighten
    from ahdp_verify.cli.claims import READING, relations_of
    from ahdp_verify.cli.program_claims import check_no_program_options, programs_with_relations
    from ahdp_verify.cli.sources import load_any
    from ahdp_verify.files.load import only_mechanism
    from ahdp_verify.files.program_file import ProgramFile

    printer = Printer(as_json, source)
    listed: list[tuple[str, Callable[..., Levels | ProgramLevels]]]
    with enforce_limits(limits, READING):
        file = load_any(source)
        if isinstance(file, ProgramFile):
            if delta:
                said = (
                    f"{named_path(source)} is about a noise program, of which levels have delta 0"
                )
                raise BadInput("--delta", said, "leave it out, or verify a claim with a delta")
            listed = [
                (relation, partial(tighten, program, relation, queries=queries))
                for program, relation, queries in programs_with_relations(file, changes)
            ]
        elif delta:
            check_no_program_options(changes, source)
            return print_levels_at_delta(
                only_mechanism(file, source), changes, delta, limits, printer
            )
        else:
            check_no_program_options(changes, source)
            of = only_mechanism(file, source)
            asked = (changes.relation,) if changes.relation else relations_of(of)
            listed = [(r, partial(tighten, of.mechanism, r)) for r in asked]
    exact = []
    for i, (relation, ask) in enumerate(listed):
        with progress(i, len(listed)) as report:
            report(f"least {relation} level" + ("" if isinstance(file, ProgramFile) else "s"))
            levels = ask(limits=limits)
        word = "exact" if levels.exact else "enclosed"
        printer.show(word, str(levels).splitlines(), partial(levels_data, levels))
        exact.append(levels.exact)
    return Answered(
        PROVED if all(exact) else UNKNOWN, tuple("exact" if e else "enclosed" for e in exact)
    )


def print_levels_at_delta(
    of: MechanismFile, changes: Changes, delta: str, limits: Limits, printer: Printer
) -> Answered:
    """What was done with a file: the least level at a delta is printed for each relation."""
    from ahdp_verify.analysis.answer_data import value_data, verdict_data
    from ahdp_verify.analysis.levels.at_delta import level_at_delta
    from ahdp_verify.cli.claims import relations_of
    from ahdp_verify.kernel.terms.grammar import parse

    asked, said = ((changes.relation,) if changes.relation else relations_of(of)), []
    for i, relation in enumerate(asked):
        with progress(i, len(asked)) as report:
            found = level_at_delta(of.mechanism, parse(delta, "--delta"), relation, limits, report)
        word = "unknown" if found.level is None else "exact" if found.exact else "enclosed"
        proof = found.proof if found.calibration is None else found.calibration.proof
        data = {
            "mechanism": of.mechanism.name,
            "relation": relation,
            "delta": delta,
            "level": value_data(found.level),
            "proof": None if proof is None else verdict_data(proof),
        }
        printer.show(word, (str(found),), partial(dict, data), reason=found.reason)
        said.append(word)
    return Answered(UNKNOWN if "unknown" in said else PROVED, tuple(said))


def levels_data(levels: Levels | ProgramLevels) -> Data:
    """The least level of each record (or of what else the relation lists), and one expression for
    all of them where there is one.
    """
    from ahdp_verify.analysis.answer_data import text_or_none
    from ahdp_verify.analysis.levels.programs import ProgramLevels

    if isinstance(levels, ProgramLevels):
        return {
            "program": levels.program.name,
            "relation": levels.relation,
            "queries": levels.queries,
            "level": text_or_none(levels.level if levels.exact else None),
            "rows": [program_row_data(row) for row in levels.rows],
            "notes": list(levels.remarks),
        }
    return {
        "mechanism": levels.claim.mechanism.name,
        "relation": levels.claim.relation,
        "level": text_or_none(levels.level),
        "rows": [row_data(row) for row in levels.rows],
        "notes": list(levels.notes),
    }


def row_data(row: LevelRow) -> Data:
    """The least level of one record, with the losses of both directions that support it."""
    from ahdp_verify.analysis.answer_data import bounds_data
    from ahdp_verify.analysis.bounds import Bounds
    from ahdp_verify.kernel.terms.expression import ZERO

    def loss(e: Expression | None) -> Data | None:
        if e is None:
            return None
        if row.exact:
            return bounds_data(Bounds(e, e))
        return bounds_data(Bounds(e if e == row.low and e != ZERO else None, None))

    return {
        "record": row.record,
        "least": bounds_data(row.bounds),
        "upward": loss(row.upward),
        "downward": loss(row.downward),
        "where": row.where,
        "exact": row.exact,
        "reason": row.reason,
    }


def program_row_data(row: ProgramLevel) -> Data:
    """The least level of some moves, and the refutation that shows that lower ones fail."""
    from ahdp_verify.analysis.answer_data import bounds_data, program_witness_data

    witness = None if row.refutation is None else program_witness_data(row.refutation)
    return {
        "record": row.moves,
        "least": bounds_data(row.bounds),
        "where": row.where,
        "shown": row.shown,
        "exact": row.exact,
        "reason": row.reason,
        "witness": witness,
    }
