"""`ahdp-verify ranges`: the values of its one parameter for which each claim holds."""

from __future__ import annotations

from ahdp_verify.cli.claims import READING, each, questions
from ahdp_verify.cli.console import progress, say
from ahdp_verify.cli.exit_codes import PROVED, UNKNOWN
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
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.search.limits import Limits, within


def ranges_command(
    source: Source,
    relation: Relation = "",
    seconds: Seconds = USUAL.seconds,
    pieces: Pieces = USUAL.pieces,
    records: Records = USUAL.records,
    bits: Bits = USUAL.bits,
    megabytes: Megabytes = USUAL.megabytes,
) -> int:
    """Print for which values of its one parameter each claim is proved and for which it is
    refuted; 3 if a piece is undecided.
    """
    limits = Limits(seconds=seconds, pieces=pieces, records=records, bits=bits, megabytes=megabytes)
    with within(limits, READING):
        claims = tuple(claim for claim, _ in questions(load_mechanism(source), "", relation))
    return ranged(claims, limits)


def ranged(claims: tuple[Claim, ...], limits: Limits) -> int:
    """The exit code of the ranges of claims, one line for each piece: 3 if a piece is undecided."""
    from ahdp_verify.analysis.parameters.ranges import ranges

    def one(claim: Claim, part: tuple[int, int]) -> int:
        with progress(*part) as report:
            found = ranges(claim, limits, report)
        for line in found.lines:
            say(line)
        return PROVED if found.exact else UNKNOWN

    return each(claims, one, "looking for the range of")
