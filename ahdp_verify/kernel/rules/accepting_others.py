"""The certificates of claims that are not about one mechanism given by its density."""

from __future__ import annotations

from collections.abc import Callable

from ahdp_verify.kernel.evidence.certificate import BestTest, Optimum
from ahdp_verify.kernel.evidence.of_vectors import AppliedAlignment
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.rules.accepting import Acceptance
from ahdp_verify.kernel.rules.alignment import accept_alignment
from ahdp_verify.kernel.rules.applied import accept_applied
from ahdp_verify.kernel.rules.best_power import accept_optimum
from ahdp_verify.kernel.rules.power import accept_best_test


def accept_other(
    claim: object, certificate: object, accept: Callable[..., Acceptance]
) -> Acceptance:
    """What an optimum, a test, or shifts of noises show, if they prove the claim; Rejected
    otherwise.
    """
    match certificate:
        case Optimum():
            return accept_optimum(claim, certificate)
        case BestTest():
            return accept_best_test(claim, certificate)
        case AppliedAlignment() if isinstance(claim, AppliedClaim):
            return accept_applied(claim, certificate, accept)
    return accept_alignment(claim, certificate)
