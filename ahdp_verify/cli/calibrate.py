"""`ahdp-verify calibrate`: the least or greatest value of a parameter for which each claim is proved."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from ahdp_verify.cli.claims import READING, each, questions
from ahdp_verify.cli.console import progress, say
from ahdp_verify.cli.exit_codes import PROVED, UNKNOWN
from ahdp_verify.cli.options import (
    USUAL,
    Bits,
    Level,
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

Side = Literal["least", "greatest"]


def calibrate_command(
    source: Source,
    parameter: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The parameter whose least or greatest value is looked for.",
            show_default=False,
        ),
    ],
    side: Annotated[
        Side | None,
        typer.Option(help="Which value, where both could be meant.", show_default=False),
    ] = None,
    digits: Annotated[
        int,
        typer.Option(
            metavar="N", help="Digits of the decimal beside an exact value.", min=1, max=1000
        ),
    ] = 12,
    level: Level = "",
    relation: Relation = "",
    seconds: Seconds = USUAL.seconds,
    pieces: Pieces = USUAL.pieces,
    records: Records = USUAL.records,
    bits: Bits = USUAL.bits,
    megabytes: Megabytes = USUAL.megabytes,
) -> int:
    """Print the least noise (or the largest weight) for which each claim is proved, with the
    proof; 3 if none was found.
    """
    limits = Limits(seconds=seconds, pieces=pieces, records=records, bits=bits, megabytes=megabytes)
    with within(limits, READING):
        claims = tuple(claim for claim, _ in questions(load_mechanism(source), level, relation))
    return calibrated(claims, parameter, side, digits, limits)


def calibrated(
    claims: tuple[Claim, ...], parameter: str, side: Side | None, digits: int, limits: Limits
) -> int:
    """The exit code of the least or greatest value of a parameter, one line for each claim: 3 if
    none was found, 2 if only such as have no such value.
    """
    from ahdp_verify.analysis.parameters.calibrate import calibrate

    def one(claim: Claim, part: tuple[int, int]) -> int:
        with progress(*part) as report:
            found = calibrate(claim, parameter, limits, report, side=side)
        say(found.line(digits))
        return PROVED if found.value is not None and found.proof is not None else UNKNOWN

    return each(claims, one, "calibrating")
