"""`ahdp-verify tighten`: a table of least levels for each relation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ahdp_verify.cli.console import print_line, progress
from ahdp_verify.cli.exit_codes import PROVED, UNKNOWN, worst_exit_code
from ahdp_verify.cli.options import (
    USUAL,
    BitsOption,
    MegabytesOption,
    PiecesOption,
    RecordsOption,
    RelationOption,
    SecondsOption,
    SourceArgument,
)
from ahdp_verify.search.limits import Limits, enforce_limits

if TYPE_CHECKING:
    from ahdp_verify.files.mechanism_file import MechanismFile


def tighten_command(
    source: SourceArgument,
    relation: RelationOption = "",
    seconds: SecondsOption = USUAL.seconds,
    pieces: PiecesOption = USUAL.pieces,
    records: RecordsOption = USUAL.records,
    bits: BitsOption = USUAL.bits,
    megabytes: MegabytesOption = USUAL.megabytes,
) -> int:
    """Print the exact least level of every record, and where it is attained; exit code 3 if it is
    only enclosed.
    """
    from ahdp_verify.cli.claims import READING, relations_of
    from ahdp_verify.files.load import load_mechanism

    limits = Limits(seconds=seconds, pieces=pieces, records=records, bits=bits, megabytes=megabytes)
    with enforce_limits(limits, READING):
        file = load_mechanism(source)
    asked = (relation,) if relation else relations_of(file)
    return worst_exit_code(
        [print_levels(file, r, limits, (i, len(asked))) for i, r in enumerate(asked)]
    )


def print_levels(file: MechanismFile, relation: str, limits: Limits, part: tuple[int, int]) -> int:
    """The exit code of one table of least levels; it is printed."""
    from ahdp_verify.analysis.levels.tighten import tighten

    with progress(*part) as report:
        report(f"least {relation} levels")
        levels = tighten(file.mechanism, relation, limits=limits)
    for line in str(levels).splitlines():
        print_line(line)
    return PROVED if levels.exact else UNKNOWN
