"""`ahdp-verify calibrate`: the least or greatest value of a parameter for which each claim is
proved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ahdp_verify.cli.console import progress
from ahdp_verify.cli.documents import Data, Printer
from ahdp_verify.cli.exit_codes import PROVED, UNKNOWN
from ahdp_verify.cli.options import (
    USUAL,
    FunctionOptions,
    JsonOption,
    LevelOption,
    QueriesOption,
    RelationOption,
    SearchLimits,
    SourceArgument,
)
from ahdp_verify.search.limits import Limits, enforce_limits

if TYPE_CHECKING:
    from ahdp_verify.analysis.parameters.calibrate import Calibration
    from ahdp_verify.cli.claims import OneClaim
    from ahdp_verify.kernel.model.claim import Claim
    from ahdp_verify.kernel.model.program_claim import ProgramClaim

LeastOrGreatest = Literal["least", "greatest"]


def calibrate_command(
    source: SourceArgument,
    parameter: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The parameter whose least or greatest value is sought.",
            show_default=False,
        ),
    ],
    side: Annotated[
        LeastOrGreatest | None,
        typer.Option(help="Which of the two to find, where both make sense.", show_default=False),
    ] = None,
    digits: Annotated[
        int,
        typer.Option(
            metavar="N", help="Digits of the decimal shown with an exact value.", min=1, max=1000
        ),
    ] = 12,
    level: LevelOption = "",
    relation: RelationOption = "",
    queries: QueriesOption = None,
    options: FunctionOptions = None,
    as_json: JsonOption = False,
    limits: SearchLimits = USUAL,
) -> int:
    """Print the least noise (or the largest weight) for which each claim is proved, with the
    proof; exit code 3 if none was found.
    """
    from ahdp_verify.cli.claims import READING
    from ahdp_verify.cli.program_claims import Changes, claims_of_one

    with enforce_limits(limits, READING):
        changes = Changes(level, relation, queries, tuple(options or ()))
        claims = claims_of_one(source, changes)
    return calibrate_claims(claims, parameter, side, digits, limits, Printer(as_json, source))


def calibrate_claims(
    claims: tuple[OneClaim, ...],
    parameter: str,
    side: LeastOrGreatest | None,
    digits: int,
    limits: Limits,
    printer: Printer,
) -> int:
    """The exit code of the least or greatest value of a parameter, with a line for each claim: 3 if
    none was found, 2 for a claim that cannot have one.
    """
    from ahdp_verify.analysis.parameters.calibrate import calibrate
    from ahdp_verify.cli.claims import run_each_claim

    def one(claim: Claim | ProgramClaim, part: tuple[int, int]) -> int:
        with progress(*part) as report:
            found = calibrate(claim, parameter, limits, report, side=side)
        is_found = found.value is not None and found.proof is not None
        word = "exact" if is_found and found.exact else "enclosed" if is_found else "unknown"
        printer.show(
            word, (found.line(digits),), lambda: calibration_data(found), reason=found.reason
        )
        return PROVED if is_found else UNKNOWN

    return run_each_claim(claims, one, "calibrating", printer)


def calibration_data(found: Calibration) -> Data:
    """The end of the range in which the claim is proved, with the proof and the refutation beyond.

    `value` is where the claim is proved, perhaps only beyond it (`attained`); `end` is what is
    known of the end of the range itself.
    """
    from ahdp_verify.analysis.answer_data import (
        bounds_data,
        claim_data,
        interval_data,
        value_data,
        verdict_data,
    )

    return {
        **claim_data(found.claim),
        "parameter": found.parameter,
        "side": found.side,
        "value": value_data(found.value),
        "exact": found.exact,
        "attained": found.attained,
        "end": bounds_data(found.bounds),
        "holds": [interval_data(i, found.parameter) for i in found.ranges.holds],
        "proof": None if found.proof is None else verdict_data(found.proof),
        "refutation": None if found.refutation is None else verdict_data(found.refutation),
    }
