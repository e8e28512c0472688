"""`ahdp-verify recheck`: saved proofs and refutations are checked again, with a line for each."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from ahdp_verify.cli.console import print_line, report_invalid_record, run_shielded
from ahdp_verify.cli.exit_codes import PROVED, UNKNOWN, worst_exit_code
from ahdp_verify.cli.options import GENEROUS, TrustOption, megabytes_for, seconds_for
from ahdp_verify.kernel.errors import BadInput, OutOfLimits, Rejected
from ahdp_verify.kernel.terms.printing import named_path
from ahdp_verify.search.limits import Limits, enforce_limits


def recheck_command(
    certificates: Annotated[
        list[str],
        typer.Argument(
            metavar="CERT...", help="Files written by verify --save.", show_default=False
        ),
    ],
    file: Annotated[
        str,
        typer.Option(
            metavar="FILE[:NAME]",
            help="Accept only records of claims in this file.",
            show_default=False,
        ),
    ] = "",
    trust: TrustOption = "all",
    seconds: Annotated[float, seconds_for("one file")] = GENEROUS.seconds,
    megabytes: Annotated[int, megabytes_for("one file")] = GENEROUS.megabytes,
) -> int:
    """Check saved proofs and refutations again, starting from the mechanism."""
    from ahdp_verify.cli.claims import READING
    from ahdp_verify.files.load import load

    limits = Limits(seconds=seconds, megabytes=megabytes)
    with enforce_limits(limits, READING):
        of = load(file) if file else None
    known = (
        {claim.fingerprint: note.expect for claim, note in zip(of.claims, of.notes, strict=True)}
        if of is not None
        else None
    )
    return worst_exit_code(
        [
            run_shielded(
                partial(recheck_file, path, known, file, trust, limits),
                f"checking {named_path(path)}",
            )
            for path in certificates
        ]
    )


def recheck_file(
    path: str, known: dict[str, str] | None, file: str, trust: str, limits: Limits
) -> int:
    """The exit code of one saved file, whose line is printed; BadInput for a file that is not a
    saved record, or whose claim is not among the known ones.

    A valid but vacuous proof counts as unknown, unless `file` expects a vacuous one.
    """
    from ahdp_verify.files import records as storage

    try:
        with enforce_limits(limits, f"checking {named_path(path)}"):
            if (
                known is not None
                and (claim := storage.read_saved_record(path).claim).fingerprint not in known
            ):
                raise BadInput(
                    named_path(path),
                    f"it says that {claim}, which is not a claim of {named_path(file)}",
                    "verify that file again with --save",
                )
            verdict = storage.recheck(path, trust=trust)
            line = f"valid: {named_path(path)}: {verdict}"
    except Rejected as why:
        return report_invalid_record(path, why)
    except OutOfLimits as stop:
        print_line(f"not checked: {named_path(path)}: {stop.reason}")
        return UNKNOWN
    print_line(line)
    return (
        UNKNOWN
        if verdict.outcome == "vacuous"
        and (known or {}).get(verdict.claim.fingerprint) != "vacuous"
        else PROVED
    )
