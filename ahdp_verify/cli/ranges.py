"""`ahdp-verify ranges`: the values of its one parameter for which each claim holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    from ahdp_verify.analysis.parameters.pieces import Ranges
    from ahdp_verify.cli.claims import OneClaim
    from ahdp_verify.kernel.model.claim import Claim
    from ahdp_verify.kernel.model.program_claim import ProgramClaim


def ranges_command(
    source: SourceArgument,
    level: LevelOption = "",
    relation: RelationOption = "",
    queries: QueriesOption = None,
    options: FunctionOptions = None,
    as_json: JsonOption = False,
    limits: SearchLimits = USUAL,
) -> int:
    """Print for which values of its one parameter each claim is proved and for which it is
    refuted; exit code 3 if an interval is undecided.
    """
    from ahdp_verify.cli.claims import READING
    from ahdp_verify.cli.program_claims import Changes, claims_of_one

    with enforce_limits(limits, READING):
        changes = Changes(level, relation, queries, tuple(options or ()))
        claims = claims_of_one(source, changes)
    return print_ranges(claims, limits, Printer(as_json, source))


def print_ranges(claims: tuple[OneClaim, ...], limits: Limits, printer: Printer) -> int:
    """The exit code of the ranges of claims, with a line for each interval: 3 if one is
    undecided.
    """
    from ahdp_verify.analysis.parameters.ranges import ranges
    from ahdp_verify.cli.claims import run_each_claim

    def one(claim: Claim | ProgramClaim, part: tuple[int, int]) -> int:
        with progress(*part) as report:
            found = ranges(claim, limits, report)
        printer.show("exact" if found.exact else "open", found.lines, lambda: ranges_data(found))
        return PROVED if found.exact else UNKNOWN

    return run_each_claim(claims, one, "looking for the range of", printer)


def ranges_data(found: Ranges) -> Data:
    """The pieces into which the values of the parameter fall, each with its verdict; `decided` says
    whether that is the one at every value of the piece.
    """
    from ahdp_verify.analysis.answer_data import claim_data, interval_data, verdict_data

    pieces = [
        {
            "interval": interval_data(piece.interval, found.parameter),
            "decided": piece.decided,
            "verdict": verdict_data(piece.verdict),
        }
        for piece in found.pieces
    ]
    return {
        **claim_data(found.claim),
        "parameter": found.parameter,
        "exact": found.exact,
        "holds": [interval_data(i, found.parameter) for i in found.holds],
        "pieces": pieces,
        "missing": found.reason,
    }
