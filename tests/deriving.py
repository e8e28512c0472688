"""What composition rules alone prove of a claim: the search and the checker, without the search for
counterexamples with which `verify` continues.
"""

from __future__ import annotations

from typing import Any

from ahdp_verify import Claim, Limits, Proved, verify
from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.evidence.certificate import AnyCertificate, Declined
from ahdp_verify.search.proving.composition import Derivation


def by_rules(claim: Any) -> Proved | Declined:
    """The checker's verdict on the tree that is found, or what is missing."""

    def leaf(part: Claim) -> AnyCertificate | Declined:
        found = verify(part)
        return found.certificate if isinstance(found, Proved) else Declined("laws", str(found))

    found = Derivation(leaf, Limits().clock()).by_rules(claim)
    return found if isinstance(found, Declined) else check(claim, found)
