"""The rule `by_sensitivity`: a mechanism on query answers, applied to vectors of entries.

    the claim about M, on answers      the sensitivity of f is at most b      b > 0
    -------------------------------------------------------------------------------
                the claim about M, applied to answers of f divided by b

M, f, b    as in `ahdp_verify.kernel.model.applied`

Where one entry changes, each answer of f / b moves by at most 1, so the two lists of answers are
neighbouring, or equal.
"""

from __future__ import annotations

from collections.abc import Callable

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import ByRule
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.entry_changes import vector_context
from ahdp_verify.kernel.numbers.normal_form import message_text, normal
from ahdp_verify.kernel.rules.accepting import Acceptance, rely_on

RULE = "by_sensitivity"


def accept_applied(
    claim: AppliedClaim, certificate: ByRule, accept: Callable[..., Acceptance]
) -> Acceptance:
    """Accepted, if both premises are proved, and the bound of the sensitivity is known to be
    > 0; Rejected otherwise.
    """
    said = (certificate.claim, certificate.rule, certificate.version, certificate.stated)
    if said != (claim.fingerprint, RULE, 1, None) or certificate.evidence:
        raise Rejected("the certificate belongs to another claim or rule")
    here = vector_context(claim.sensitivity.inputs)
    bound = normal(claim.sensitivity.bound, here)
    if not here.ratio_signs(bound) <= {1}:
        raise Rejected(f"the bound {message_text(bound)} is not known to be > 0")
    rely_on("the rule of sensitivity")
    of_mechanism, of_query = certificate.premises
    shown = [accept(claim.base, of_mechanism), accept(claim.sensitivity, of_query)]
    return Acceptance(None, tuple(sorted({name for part in shown for name in part.trusts})))
