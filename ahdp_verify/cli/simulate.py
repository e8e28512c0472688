"""`ahdp-verify simulate`: draws from both output distributions of a saved refutation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ahdp_verify.cli.documents import Data, Printer
from ahdp_verify.cli.exit_codes import PROVED
from ahdp_verify.cli.options import (
    GENEROUS,
    JsonOption,
    LimitsInAll,
    SeedOption,
)
from ahdp_verify.cli.recheck import report_invalid_record
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.terms.printing import named_path
from ahdp_verify.search.limits import enforce_limits

if TYPE_CHECKING:
    from ahdp_verify.sampling.simulate import Simulation


def simulate_command(
    certificate: Annotated[
        str,
        typer.Argument(
            metavar="CERT", help="A refutation written by verify --save.", show_default=False
        ),
    ],
    samples: Annotated[
        int, typer.Option(metavar="N", help="Number of draws from each of the two distributions.")
    ] = 100_000,
    seed: SeedOption = None,
    as_json: JsonOption = False,
    limits: LimitsInAll = GENEROUS,
) -> int:
    """Draw from both output distributions of a saved refutation, and print how often its event
    occurs, next to the exact probabilities.
    """
    from ahdp_verify.files import records as storage
    from ahdp_verify.kernel.refuted import Refuted, RefutedProgram
    from ahdp_verify.kernel.verdict import Proved
    from ahdp_verify.sampling.simulate import simulate

    printer = Printer(as_json, certificate)
    try:
        with enforce_limits(limits, "counting the event"):
            verdict = storage.recheck(certificate)
            if not isinstance(verdict, Refuted | RefutedProgram):
                said = "is a proof" if isinstance(verdict, Proved) else "has no event to count"
                cure = "give the file of a refutation by an event"
                raise BadInput(named_path(certificate), f"it {said}", cure)
            found = simulate(verdict, samples=samples, rng=seed)
    except Rejected as why:
        return report_invalid_record(named_path(certificate), why, printer)
    printer.show("done", str(found).splitlines(), lambda: simulation_data(found))
    return PROVED


def simulation_data(found: Simulation) -> Data:
    """The refutation, and for each input the estimate of the event's probability with a 95 %
    interval, which are rounded, beside the exact one.
    """
    from ahdp_verify.analysis.answer_data import value_data, verdict_data

    estimates = [
        {
            "input": e.text,
            "draws": e.samples,
            "hits": e.hits,
            "estimate": e.share,
            "interval": list(e.interval),
            "probability": value_data(e.exact),
        }
        for e in (found.first, found.second)
    ]
    return {**verdict_data(found.refuted), "estimates": estimates}
