"""Proofs by enumeration: the claim on all datasets of at most n records, one size after the other.

    the certificate claims size n      every pair of datasets of at most n records is compared
    ------------------------------------------------------------------------------------------
                        the claim on datasets of at most n records

The total of the law is shown either for all inputs, or for each dataset as it is compared.
"""

from __future__ import annotations

from collections.abc import Iterator

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import Certificate, Enumeration
from ahdp_verify.kernel.exhaustive.distribution_table import Tick
from ahdp_verify.kernel.exhaustive.enumerate import EnumerationJob, ignore_message, proved_sizes
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
    for size in proved_sizes(claim, job):
        yield Acceptance(size, (attested_by,) if job.done else ())
