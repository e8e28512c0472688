"""`ahdp-verify tighten`: a table of least levels for each relation."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ahdp_verify.cli.console import progress
from ahdp_verify.cli.documents import Data, Printer
from ahdp_verify.cli.exit_codes import PROVED, UNKNOWN
from ahdp_verify.cli.options import (
    USUAL,
    BitsOption,
    JsonOption,
    MegabytesOption,
    PiecesOption,
    RecordsOption,
    RelationOption,
    SecondsOption,
    SourcesArgument,
    WorkersOption,
)
from ahdp_verify.cli.several import Answered, answer_files, listed_sources
from ahdp_verify.search.limits import Limits, enforce_limits

if TYPE_CHECKING:
    from ahdp_verify.analysis.levels.table import LevelRow, Levels
    from ahdp_verify.kernel.terms.expression import Expression


def tighten_command(
    sources: SourcesArgument,
    relation: RelationOption = "",
    workers: WorkersOption = None,
    as_json: JsonOption = False,
    seconds: SecondsOption = USUAL.seconds,
    pieces: PiecesOption = USUAL.pieces,
    records: RecordsOption = USUAL.records,
    bits: BitsOption = USUAL.bits,
    megabytes: MegabytesOption = USUAL.megabytes,
) -> int:
    """Print the exact least level of every record, and where it is attained; exit code 3 if it is
    only enclosed.
    """
    listed = listed_sources(sources, ".toml", "mechanism file")
    limits = Limits(seconds=seconds, pieces=pieces, records=records, bits=bits, megabytes=megabytes)
    return answer_files(
        listed,
        partial(print_tables, relation=relation, limits=limits, as_json=as_json),
        workers,
        as_json=as_json,
        doing="working out the least levels of",
        counted="table",
        with_table=True,
    )


def print_tables(source: str, relation: str, limits: Limits, as_json: bool = False) -> Answered:
    """What was done with a file: a table of least levels is printed for each relation."""
    from ahdp_verify.analysis.levels.tighten import tighten
    from ahdp_verify.cli.claims import READING, relations_of
    from ahdp_verify.cli.sources import load_named_mechanism

    printer = Printer(as_json, source)
    with enforce_limits(limits, READING):
        file = load_named_mechanism(source)
    exact = []
    asked = (relation,) if relation else relations_of(file)
    for i, r in enumerate(asked):
        with progress(i, len(asked)) as report:
            report(f"least {r} levels")
            levels = tighten(file.mechanism, r, limits=limits)
        word = "exact" if levels.exact else "enclosed"
        printer.show(word, str(levels).splitlines(), partial(levels_data, levels))
        exact.append(levels.exact)
    return Answered(
        PROVED if all(exact) else UNKNOWN, tuple("exact" if e else "enclosed" for e in exact)
    )


def levels_data(levels: Levels) -> Data:
    """The least level of each record (or of what else the relation lists), and one expression for
    all of them where there is one.
    """
    from ahdp_verify.analysis.answer_data import text_or_none

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
