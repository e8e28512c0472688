"""`ahdp-verify recheck`: saved proofs and refutations are checked again, with a line for each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ahdp_verify.cli.documents import NO_DATA, Data, Printer
from ahdp_verify.cli.exit_codes import PROVED, REFUTED, UNKNOWN, worst_exit_code
from ahdp_verify.cli.options import (
    GENEROUS,
    JsonOption,
    TrustOption,
    WorkersOption,
    limits_for_each,
)
from ahdp_verify.cli.several import Answered, answer_files, listed_sources, run_answered
from ahdp_verify.kernel.errors import BadInput, OutOfLimits, Rejected
from ahdp_verify.kernel.terms.printing import named_path, one_line
from ahdp_verify.search.limits import Limits, enforce_limits

if TYPE_CHECKING:
    from ahdp_verify.kernel.rules.compared import CheckableClaim
    from ahdp_verify.kernel.unknown import Verdict


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
    as_json: JsonOption = False,
    limits: Annotated[Limits, limits_for_each("one file")] = GENEROUS,
) -> int:
    """Check saved proofs and refutations again, starting from the mechanism."""
    listed = listed_sources(certificates, ".json", "record")
    return answer_files(
        listed,
        partial(
            recheck_file,
            known=expected_verdicts(file, limits) if file else None,
            files=", ".join(map(named_path, file or ())),
            trust=trust,
            limits=limits,
            as_json=as_json,
        ),
        workers,
        as_json=as_json,
        doing="checking",
        counted="record",
        with_table=False,
    )


def expected_verdicts(files: list[str], limits: Limits) -> dict[str, str]:
    """The verdicts that the files expect of their claims, by the fingerprints of these."""
    from ahdp_verify.cli.claims import READING
    from ahdp_verify.cli.sources import load_any

    known: dict[str, str] = {}
    for name in files:
        with enforce_limits(limits, READING):
            of = load_any(name)
        known |= {
            claim.fingerprint: note.expect for claim, note in zip(of.claims, of.notes, strict=True)
        }
    return known


def recheck_file(
    path: str,
    known: dict[str, str] | None,
    files: str,
    trust: str,
    limits: Limits,
    as_json: bool = False,
) -> Answered:
    """What was done with one saved file, whose lines are printed, one for each record in it;
    BadInput for a file that is not a saved record, or whose claim is not among the known ones.

    A valid but vacuous proof counts as unknown, unless one of `files` expects a vacuous one.
    """
    from ahdp_verify.files.documents import records_in

    def need_known(claim: CheckableClaim) -> None:
        if known is not None and claim.fingerprint not in known:
            raise BadInput(
                named_path(path),
                f"it says that {claim}, which is not a claim of {files}",
                "verify that file again with --save",
            )

    printer = Printer(as_json, path)
    answers = [
        run_answered(
            partial(recheck_record, record, place, known or {}, trust, limits, need_known, printer),
            f"checking {place}",
            printer.refuse,
        )
        for record, place in records_in(path)
    ]
    outcomes = tuple(word for answered in answers for word in answered.outcomes)
    return Answered(worst_exit_code(answered.code for answered in answers), outcomes)


def recheck_record(
    record: Any,
    place: str,
    known: dict[str, str],
    trust: str,
    limits: Limits,
    need_known: Callable[[CheckableClaim], None],
    printer: Printer,
) -> Answered:
    """What was done with one record, whose line is printed."""
    from ahdp_verify.files import records as storage

    try:
        with enforce_limits(limits, f"checking {place}"):
            verdict = storage.recheck_record(record, place, trust=trust, need_wanted=need_known)
            line = f"valid: {place}: {verdict}"
    except Rejected as why:
        return Answered(report_invalid_record(place, why, printer), ("invalid",))
    except OutOfLimits as stop:
        line = f"not checked: {place}: {stop.reason}"
        printer.show("unknown", (line,), lambda: NO_DATA, reason=stop.reason)
        return Answered(UNKNOWN, ("unknown",))
    is_open = verdict.outcome == "vacuous" and known.get(verdict.claim.fingerprint) != "vacuous"
    word = "vacuous" if is_open else "valid"
    printer.show(word, (line,), partial(checked_data, verdict))
    return Answered(UNKNOWN if is_open else PROVED, (word,))


def report_invalid_record(place: str, why: Rejected, printer: Printer) -> int:
    """The exit code of a record that the checker rejects; the reason is printed on stdout."""
    reason = one_line(why.reason, 300)
    printer.show("invalid", (f"invalid: {place}: {reason}",), lambda: NO_DATA, reason=reason)
    return REFUTED


def checked_data(verdict: Verdict) -> Data:
    """What the checker found, as data."""
    from ahdp_verify.analysis.answer_data import verdict_data

    return verdict_data(verdict)
