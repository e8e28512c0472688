"""Proofs by enumeration: the claim on all datasets of at most n records, one size after the other.

    the certificate claims size n      every pair of datasets of at most n records is compared
    ------------------------------------------------------------------------------------------
                        the claim on datasets of at most n records

The total of the law is shown either for all inputs, or for each dataset as it is compared.

The rows of an enumeration may be shown in parts: within `in_parts` a size is shown once each of its
parts is, wherever `shown_part` was called for it. Whoever calls it elsewhere is trusted to have
called it: processes of this machine that run this program are, and anybody else is named in the
acceptance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace

from ahdp_verify.kernel.errors import Rejected, Unsupported
from ahdp_verify.kernel.evidence.certificate import Certificate, Enumeration
from ahdp_verify.kernel.exhaustive.distribution_table import Tick
from ahdp_verify.kernel.exhaustive.enumerate import EnumerationJob, ignore_message, proved_sizes
from ahdp_verify.kernel.exhaustive.violation import ClaimViolated
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.rules.accepting import Acceptance, rely_on
from ahdp_verify.kernel.rules.total_mass import check_mass, check_matching_claim


def claimed_job(
    claim: Claim,
    certificate: Certificate,
    tick: Tick | None = None,
    done: int = 0,
    attested_by: str = "",
) -> EnumerationJob:
    """The enumeration that a certificate claims, once its mass is checked."""
    rely_on("the exhaustive enumeration")
    check_matching_claim(claim, certificate)
    (evidence,) = certificate.evidence
    if not isinstance(evidence, Enumeration) or certificate.uses or certificate.conditions:
        raise Rejected("a certificate by enumeration contains nothing else")
    massive = certificate.mass.evidence != ()
    if massive:
        check_mass(claim.mechanism, certificate.mass, certificate.counts)
    elif certificate.mass.values or certificate.counts:
        raise Rejected("the mass states values without any evidence")
    if done and (not attested_by or not 0 < done < evidence.size):
        raise Rejected("resumed sizes name no source, or no larger size remains to be checked")
    return EnumerationJob(evidence.size, massive, tick or ignore_message, done)


def accepted_sizes(
    claim: Claim, job: EnumerationJob, attested_by: str = ""
) -> Iterator[Acceptance]:
    """One acceptance for each size up to which all datasets are compared."""
    parts, resumed = _parts.get(), (attested_by,) if job.done else ()
    if parts is not None:
        for shown in sizes_in_parts(claim, job, parts):
            yield replace(shown, trusts=(*resumed, *shown.trusts))
        return
    for size in proved_sizes(claim, job):
        yield Acceptance(size, resumed)


@dataclass(frozen=True, slots=True)
class ShownPart:
    """What one part of an enumeration shows: the claim with this fingerprint on datasets from
    `done` to `most` records, as far as this part of the rows goes.

    violated   where it fails instead: two inputs, and their place among all violations
    undecided  why it is not decided, "" if it is
    """

    fingerprint: str
    numbers: tuple[int, int, int, int, bool]  # part, parts, done, most, massive
    violated: ClaimViolated | None = None
    undecided: str = ""


@dataclass(frozen=True, slots=True)
class Parts:
    """How an enumeration is shown in parts: `show` has each part of a job shown, once `worthwhile`
    says that it is; sizes that are shown before need no parts. `attested_by` names who is believed
    to have shown them, "" for processes of this machine.
    """

    show: Callable[[Claim, EnumerationJob], tuple[ShownPart, ...]]
    worthwhile: Callable[[], bool]
    attested_by: str = ""


_parts: ContextVar[Parts | None] = ContextVar("parts", default=None)


@contextmanager
def in_parts(parts: Parts) -> Iterator[None]:
    """In the block, enumerations are shown in parts."""
    token = _parts.set(parts)
    try:
        yield
    finally:
        _parts.reset(token)


def shown_part(claim: Claim, job: EnumerationJob) -> ShownPart:
    """What the part of a job shows."""
    numbers = (job.part, job.parts, job.done, job.most, job.massive)
    try:
        for _ in proved_sizes(claim, job):
            pass
    except ClaimViolated as violated:
        return ShownPart(claim.fingerprint, numbers, violated)
    except (Rejected, Unsupported) as why:
        return ShownPart(claim.fingerprint, numbers, undecided=why.reason)
    return ShownPart(claim.fingerprint, numbers)


def sizes_in_parts(claim: Claim, job: EnumerationJob, parts: Parts) -> Iterator[Acceptance]:
    """One acceptance for each size up to which the claim is shown: the last one by all parts,
    unless they were not worthwhile.
    """
    alone = proved_sizes(claim, job)
    while not parts.worthwhile():
        size = next(alone, None)
        if size is None:
            return
        yield Acceptance(size, ())
        job = replace(job, done=size)
    if job.done < job.most:
        check_parts(claim, job, parts.show(claim, job))
        said = f"{parts.attested_by} (up to {job.most} records)"
        yield Acceptance(job.most, (said,) if parts.attested_by else ())


def check_parts(claim: Claim, job: EnumerationJob, shown: tuple[ShownPart, ...]) -> None:
    """Nothing if these are all parts of the job, and each is shown.

    Raises ClaimViolated at the first violation of all, Rejected for what is not decided.
    """
    wanted = [(i, len(shown), job.done, job.most, job.massive) for i in range(len(shown))]
    if not shown or sorted(part.numbers for part in shown) != wanted:
        raise Rejected("the parts are not those of the enumeration")
    if any(part.fingerprint != claim.fingerprint for part in shown):
        raise Rejected("a part is one of another claim")
    violations = [part.violated for part in shown if part.violated is not None]
    if violations:
        raise min(violations, key=lambda violated: violated.place)
    for part in shown:
        if part.undecided:
            raise Rejected(part.undecided)


def part_of(job: EnumerationJob, part: int, parts: int) -> EnumerationJob:
    """One of so many parts of a job."""
    return replace(job, part=part, parts=parts)
