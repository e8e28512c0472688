"""`ahdp-verify recheck`: saved proofs and refutations are checked again, with a line for each."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from ahdp_verify.cli.console import print_line, report_invalid_record
from ahdp_verify.cli.exit_codes import PROVED, UNKNOWN
from ahdp_verify.cli.options import (
    GENEROUS,
    TrustOption,
    WorkersOption,
    megabytes_for,
    seconds_for,
)
from ahdp_verify.cli.several import Answered, answer_files, listed_sources
from ahdp_verify.kernel.errors import BadInput, OutOfLimits, Rejected
from ahdp_verify.kernel.terms.printing import named_path
from ahdp_verify.search.limits import Limits, enforce_limits

if TYPE_CHECKING:
    from ahdp_verify.kernel.rules.compared import CheckableClaim


def recheck_command(
    certificates: Annotated[
        list[str],
        typer.Argument(
            metavar="CERT...",
            help="Files written by verify --save, or folders for all .json files in them.",
            show_default=False,
        ),
    ],
    file: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE[:NAME]",
            help="Accept only records of claims in this file; repeat it for several files.",
            show_default=False,
        ),
    ] = None,
    trust: TrustOption = "all",
    workers: WorkersOption = None,
    seconds: Annotated[float, seconds_for("one file")] = GENEROUS.seconds,
    megabytes: Annotated[int, megabytes_for("one file")] = GENEROUS.megabytes,
) -> int:
    """Check saved proofs and refutations again, starting from the mechanism."""
    limits = Limits(seconds=seconds, megabytes=megabytes)
    listed = listed_sources(certificates, ".json", "record")
    return answer_files(
        listed,
        partial(
            recheck_file,
            known=expected_verdicts(file, limits) if file else None,
            files=", ".join(map(named_path, file or ())),
            trust=trust,
            limits=limits,
        ),
        workers,
        doing="checking",
        counted="record",
        with_table=False,
    )


def expected_verdicts(files: list[str], limits: Limits) -> dict[str, str]:
    """The verdicts that the files expect of their claims, by the fingerprints of these."""
    from ahdp_verify.cli.claims import READING
    from ahdp_verify.files.load import load

    known: dict[str, str] = {}
    for name in files:
        with enforce_limits(limits, READING):
            of = load(name)
        known |= {
            claim.fingerprint: note.expect for claim, note in zip(of.claims, of.notes, strict=True)
        }
    return known


def recheck_file(
    path: str, known: dict[str, str] | None, files: str, trust: str, limits: Limits
) -> Answered:
    """What was done with one saved file, whose line is printed; BadInput for a file that is not a
    saved record, or whose claim is not among the known ones.

    A valid but vacuous proof counts as unknown, unless one of `files` expects a vacuous one.
    """
    from ahdp_verify.files import records as storage

    def need_known(claim: CheckableClaim) -> None:
        if known is not None and claim.fingerprint not in known:
            raise BadInput(
                named_path(path),
                f"it says that {claim}, which is not a claim of {files}",
                "verify that file again with --save",
            )

    try:
        with enforce_limits(limits, f"checking {named_path(path)}"):
            verdict = storage.recheck(path, trust=trust, need_wanted=need_known)
            line = f"valid: {named_path(path)}: {verdict}"
    except Rejected as why:
        return Answered(report_invalid_record(path, why), ("invalid",))
    except OutOfLimits as stop:
        print_line(f"not checked: {named_path(path)}: {stop.reason}")
        return Answered(UNKNOWN, ("unknown",))
    print_line(line)
    is_open = (
        verdict.outcome == "vacuous" and (known or {}).get(verdict.claim.fingerprint) != "vacuous"
    )
    return Answered(UNKNOWN if is_open else PROVED, ("vacuous" if is_open else "valid",))
