"""Verdicts on claims of zCDP, Rényi DP and GDP.

>>> from ahdp_verify.kernel.model.domain import Queries
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.model.privacy import dp
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> law = parse("exp(-(s - q[1])^2/2)/sqrt(2*pi)")
>>> M = Mechanism(Queries(1), outputs=[real("s")], density=law, name="noisy answer")
>>> def leaf(claim):
...     return Declined("linear", "not asked")
>>> found = verify_notion(NotionClaim(dp(M, "1/2", "one"), "zcdp"), Limits(), leaf)
>>> print(found.word, found.claim)
Proved noisy answer is zCDP with rho = 1/2, as DP for one moving answer
"""

from __future__ import annotations

from ahdp_verify.kernel.checker import check, refute_notion
from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import AnyCertificate, Declined
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.proving import compared_inputs as comparing
from ahdp_verify.search.proving.composition import Derivation, Leaf
from ahdp_verify.search.proving.notions import certify_notion
from ahdp_verify.search.refuting.notions import candidate_violations
from ahdp_verify.search.stopping import stop_at_limits
from ahdp_verify.search.wording import unknown_verdict
from ahdp_verify.verdicts import Verdict

FEW = 8  # violations that are worked out before a proof is tried


def verify_notion(claim: NotionClaim, limits: Limits, leaf: Leaf) -> Verdict:
    """Proved, RefutedNotion or Unknown; `leaf` proves claims with levels."""
    clock, reasons = limits.clock(), list[Declined]()
    with clock.running(), stop_at_limits(reasons):
        violations = candidate_violations(claim, clock)
        for _, example in zip(range(FEW), violations, strict=False):
            try:
                return refute_notion(claim, example)
            except Rejected:
                continue

        def inner(part: Claim | NotionClaim) -> AnyCertificate | Declined:
            return certify_notion(part, derivation) if isinstance(part, NotionClaim) else leaf(part)

        derivation = Derivation(inner, clock)
        found = certify_notion(claim, derivation)
        if not isinstance(found, Declined):
            try:
                return check(claim, found, None, comparing.find_compared_inputs(claim))
            except Rejected as why:
                found = Declined("checker", why.reason)
        reasons.append(found)
        for example in violations:
            try:
                return refute_notion(claim, example)
            except Rejected:
                continue
    return unknown_verdict(claim, reasons)
