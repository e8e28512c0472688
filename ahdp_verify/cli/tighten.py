"""`ahdp-verify tighten`: a table of least levels for each relation."""

from __future__ import annotations

from ahdp_verify.cli.claims import READING, relations_of
from ahdp_verify.cli.console import progress, say
from ahdp_verify.cli.exit_codes import PROVED, UNKNOWN, worst
from ahdp_verify.cli.options import (
    USUAL,
    Bits,
    Megabytes,
    Pieces,
    Records,
    Relation,
    Seconds,
    Source,
)
from ahdp_verify.files.load import load_mechanism
from ahdp_verify.files.mechanism_file import MechanismFile
from ahdp_verify.search.limits import Limits, within


def tighten_command(
    source: Source,
    relation: Relation = "",
    seconds: Seconds = USUAL.seconds,
    pieces: Pieces = USUAL.pieces,
    records: Records = USUAL.records,
    bits: Bits = USUAL.bits,
    megabytes: Megabytes = USUAL.megabytes,
) -> int:
    """Print the exact least level of every record, and where it is attained; 3 if it is only
    enclosed.
    """
    limits = Limits(seconds=seconds, pieces=pieces, records=records, bits=bits, megabytes=megabytes)
    with within(limits, READING):
        file = load_mechanism(source)
    asked = (relation,) if relation else relations_of(file)
    return worst([tightened(file, r, limits, (i, len(asked))) for i, r in enumerate(asked)])


def tightened(file: MechanismFile, relation: str, limits: Limits, part: tuple[int, int]) -> int:
    """The exit code of one table of least levels, which is printed."""
    from ahdp_verify.analysis.levels.tighten import tighten

    with progress(*part) as report:
        report(f"least {relation} levels")
        levels = tighten(file.mechanism, relation, limits=limits)
    for line in str(levels).splitlines():
        say(line)
    return PROVED if levels.exact else UNKNOWN
