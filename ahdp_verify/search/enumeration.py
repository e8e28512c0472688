"""The verdict by enumeration: all datasets of at most so many records, or all values of a person.

The finished sizes are recorded in a file, from which a stopped search continues.

>>> coverage_text(2)
'all datasets of at most 2 records were compared'
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ahdp_verify.kernel.checker import check_enumeration
from ahdp_verify.kernel.errors import (
    BadInput,
    NotWorkedOut,
    Rejected,
    Undecided,
    Unsupported,
    with_location,
)
from ahdp_verify.kernel.evidence.certificate import Certificate, Declined, Enumeration, Mass
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.exhaustive.violation import ClaimViolated
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.record import read_record
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms import canonical_json as jsonfile
from ahdp_verify.kernel.terms.printing import named_path
from ahdp_verify.kernel.unknown import Verdict
from ahdp_verify.search.limits import Limits, OutOfLimits
from ahdp_verify.search.proving.total_mass import mass_certificate
from ahdp_verify.search.refuting.small_inputs import candidate_counterexamples
from ahdp_verify.search.refuting.well_defined import check_more_inputs
from ahdp_verify.search.verdict_search import VerdictSearch

MANY_VALUES = 9  # values of a person from which the table of all of them is made
MOST = 5.0  # seconds for one proof that the total is 1, before it is computed input by input
BRIEF = 5.0  # seconds for the search for an input at which the mechanism is not well defined


def table_of_values(run: VerdictSearch) -> Verdict | None:
    """A decision by the table of the probabilities of all outputs at all values, for many
    values.
    """
    m = run.claim.mechanism
    if not isinstance(m.inputs, Values) or len(m.inputs.values) < MANY_VALUES or m.parameters:
        return None
    if not is_listed(m):
        return None
    run.progress("comparing all values")
    table = certificate_of_size(run, 1)  # a value is compared in one step, whatever the size
    try:
        (found,) = check_enumeration(run.claim, table, run.tick, find=run.compared)
        return found
    except ClaimViolated as violated:
        return _refute_violation(run, violated)
    except Rejected as why:
        run.reasons.append(Declined("finite", why.reason))
        return None


def enumerate_datasets(run: VerdictSearch, size: int, resume: Path | None) -> Verdict | None:
    """A decision on all datasets of at most so many records; finished sizes are recorded in the
    file `resume`, and resumed from it.
    """
    covered = 0 if resume is None else resumed_size(run.claim, resume)
    if covered >= size:
        covered, resume = (
            0,
            None,
        )  # nothing to resume: everything is derived again, and the file stays as it is
    run.covered, run.wanted = covered, size
    certificate = certificate_of_size(run, size)
    attested_by, found = (
        (f"{named_path(resume)} (up to {covered} records)" if covered else ""),
        None,
    )
    try:
        for found in check_enumeration(
            run.claim,
            certificate,
            run.tick,
            done=covered,
            attested_by=attested_by,
            find=run.compared,
        ):
            covered = run.covered = enumeration_size(found.certificate)
            if resume is not None:
                found.save(resume)
        return found
    except ClaimViolated as violated:
        return _refute_violation(run, violated)
    except (OutOfLimits, Rejected) as stop:
        run.reasons.append(
            Declined(
                "finite", f"{stop.reason}; {coverage_text(covered)}" if covered else stop.reason
            )
        )
        if isinstance(stop, Rejected):
            run.faults_of_smallest_inputs()
            check_more_inputs(
                run.claim,
                replace(run.clock.part(most=BRIEF), records=size).clock(),
            )
        return None
    except KeyboardInterrupt:
        kept = f", recorded in {named_path(resume)}" if resume is not None and covered else ""
        raise KeyboardInterrupt(
            f"{coverage_text(covered)}{kept}" if covered else "no dataset size was completed"
        ) from None


def _refute_violation(run: VerdictSearch, violated: ClaimViolated) -> Refuted | None:
    """The refutation at the two inputs at which an enumeration ended."""
    run.progress("describing the counterexample")
    event = Counterexample((), (), violated.before, violated.after, Event())
    refuted = run.refute_by(candidate_counterexamples(run.claim, run.clock, [event]))
    if refuted is None:
        run.reasons.append(
            Declined("finite", f"{violated.reason}, but no violating event was found")
        )
    return refuted


def certificate_of_size(run: VerdictSearch, size: int) -> Certificate:
    """The certificate that asks for an enumeration up to a size."""
    return Certificate(run.claim.fingerprint, False, (), _mass(run), (Enumeration(size),), ())


def is_listed(mechanism: Mechanism) -> bool:
    """Whether the probabilities of all outputs can be listed."""
    from ahdp_verify.kernel.exhaustive.enumerate import is_table  # noqa: PLC0415 - few claims are enumerated

    return is_table(mechanism)


def _mass(run: VerdictSearch) -> Mass:
    """A proof for all inputs that the law has mass 1, or an empty one: then the total is
    computed input by input, which is quicker wherever outputs can be listed.
    """
    if is_listed(run.claim.mechanism):
        return Mass((), ())
    try:
        found = mass_certificate(
            run.claim.mechanism,
            False,
            Limits(seconds=max(0.1, min(MOST, run.clock.left))).clock(),
        )
        return found if isinstance(found, Mass) else Mass((), ())
    except (Undecided, Unsupported, Rejected, OutOfLimits, ZeroDivisionError):
        return Mass((), ())


def resumed_size(claim: Claim, resume: Path) -> int:
    """The dataset size up to which the record in a file proves the claim; 0 if there is no such
    file, BadInput for any other file.
    """
    if not resume.exists():
        return 0
    record = jsonfile.read_json(resume)
    try:
        kept = read_record(record)
    except (BadInput, NotWorkedOut) as error:
        raise with_location(error, f"{named_path(resume)}, {error.where}") from None
    if (
        kept.claim.fingerprint != claim.fingerprint
        or not isinstance(kept.evidence, Certificate)
        or not enumeration_size(kept.evidence)
    ):
        raise BadInput(
            named_path(resume),
            "it does not contain an enumeration for this claim",
            "name another file",
        )
    return enumeration_size(kept.evidence)


def enumeration_size(certificate: object) -> int:
    """The size of an enumeration, 0 for another proof."""
    return (
        0
        if not isinstance(certificate, Certificate)
        else next((e.size for e in certificate.evidence if isinstance(e, Enumeration)), 0)
    )


def coverage_text(size: int) -> str:
    """The datasets that were compared, in words."""
    return f"all datasets of at most {size} record{'s' if size > 1 else ''} were compared"
