"""`ahdp-verify simulate`: draws from both output distributions of a saved refutation."""

from __future__ import annotations

from typing import Annotated

import typer

from ahdp_verify.cli.console import print_line, report_invalid_record
from ahdp_verify.cli.exit_codes import PROVED
from ahdp_verify.cli.options import GENEROUS, MegabytesInAllOption, SecondsInAllOption, SeedOption
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.terms.printing import named_path
from ahdp_verify.search.limits import Limits, enforce_limits


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
    seconds: SecondsInAllOption = GENEROUS.seconds,
    megabytes: MegabytesInAllOption = GENEROUS.megabytes,
) -> int:
    """Draw from both output distributions of a saved refutation, and print how often its event
    occurs, next to the exact probabilities.
    """
    from ahdp_verify.files import records as storage
    from ahdp_verify.kernel.refuted import Refuted
    from ahdp_verify.sampling.simulate import simulate

    try:
        with enforce_limits(Limits(seconds=seconds, megabytes=megabytes), "counting the event"):
            verdict = storage.recheck(certificate)
            if not isinstance(verdict, Refuted):
                raise BadInput(
                    named_path(certificate),
                    "it is a proof, so there is no event to count",
                    "give the file of a refutation",
                )
            lines = str(simulate(verdict, samples=samples, rng=seed)).splitlines()
    except Rejected as why:
        return report_invalid_record(certificate, why)
    for line in lines:
        print_line(line)
    return PROVED
