"""`ahdp-verify tighten`: a table of least levels for each relation."""

from __future__ import annotations

from functools import partial

from ahdp_verify.cli.console import print_line, progress
from ahdp_verify.cli.exit_codes import PROVED, UNKNOWN
from ahdp_verify.cli.options import (
    USUAL,
    BitsOption,
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


def tighten_command(
    sources: SourcesArgument,
    relation: RelationOption = "",
    workers: WorkersOption = None,
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
        partial(print_tables, relation=relation, limits=limits),
        workers,
        doing="working out the least levels of",
        counted="table",
        with_table=True,
    )


def print_tables(source: str, relation: str, limits: Limits) -> Answered:
    """What was done with a file: a table of least levels is printed for each relation."""
    from ahdp_verify.analysis.levels.tighten import tighten
    from ahdp_verify.cli.claims import READING, relations_of
    from ahdp_verify.files.load import load_mechanism

    with enforce_limits(limits, READING):
        file = load_mechanism(source)
    exact = []
    asked = (relation,) if relation else relations_of(file)
    for i, r in enumerate(asked):
        with progress(i, len(asked)) as report:
            report(f"least {r} levels")
            levels = tighten(file.mechanism, r, limits=limits)
        for line in str(levels).splitlines():
            print_line(line)
        exact.append(levels.exact)
    return Answered(
        PROVED if all(exact) else UNKNOWN, tuple("exact" if e else "enclosed" for e in exact)
    )
