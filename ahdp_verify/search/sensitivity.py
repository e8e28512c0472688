"""Verdicts on claims of sensitivity: vectors at which a claim fails, then a proof of its cases.

A proof is one piece of evidence for each case of `kernel.model.entry_changes`. The checker judges
both.

>>> from ahdp_verify.kernel.model.entries import Entries
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> X = Entries("n", "0 <= x <= 1")
>>> print(verify_sensitivity(SensitivityClaim(X, parse("maximum(x)"), parse("1/2")), Limits()).text)
n = 1, x[1] = 0, x[1]' = 1: 1 against 1/2
"""

from __future__ import annotations

import itertools
from typing import Any

from ahdp_verify.kernel.checker import check, refute_inequality
from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.alignment import Alignment
from ahdp_verify.kernel.evidence.certificate import ByRule, Declined
from ahdp_verify.kernel.evidence.of_vectors import AppliedAlignment
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.refuted import RefutedInequality
from ahdp_verify.kernel.rules.applied import RULE
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Clock, Limits
from ahdp_verify.search.proving import compared_inputs as comparing
from ahdp_verify.search.proving.unknowns import inequality_certificate
from ahdp_verify.search.refuting.answers import Decide, refutation_at_vectors
from ahdp_verify.search.refuting.vectors import ROUNDED, Question, jumps_beyond
from ahdp_verify.search.stopping import stop_at_limits
from ahdp_verify.search.wording import unknown_verdict
from ahdp_verify.verdicts import Verdict

TRIED = 3  # of the jumps that seem to exceed the bound


def verify_sensitivity(claim: SensitivityClaim, limits: Limits) -> Verdict:
    """Proved, Refuted or Unknown for a claim of sensitivity."""
    clock, reasons = limits.clock(), list[Declined]()
    with clock.running(), stop_at_limits(reasons):
        refuted = sensitivity_refutation(claim, clock)
        if refuted is not None:
            return refuted
        found = inequality_certificate(claim, clock)
        if isinstance(found, Declined):
            reasons.append(found)
        else:
            try:
                return check(claim, found, None, comparing.find_compared_inputs(claim))
            except Rejected as why:
                reasons.append(Declined("checker", why.reason))
    return unknown_verdict(claim, reasons)


def sensitivity_refutation(claim: SensitivityClaim, clock: Clock) -> RefutedInequality | None:
    """A vector at which the answer moves by more than the bound, if one is found."""
    question = Question(claim.inputs, claim.query, claim.bound)
    for jump in itertools.islice(jumps_beyond(question, clock), TRIED):
        for tried, most in itertools.product((jump, jump.shortened()), ROUNDED):
            try:
                return refute_inequality(claim, tried.values(most))
            except Rejected:
                continue
    return None


def verify_applied(claim: AppliedClaim, limits: Limits, decide: Decide) -> Verdict:
    """Proved if both premises are, Refuted if the claim fails between two vectors; otherwise
    Unknown, with what was found about each premise.
    """
    clock, reasons, proofs = limits.clock(), list[Declined](), list[Any]()
    with clock.running(), stop_at_limits(reasons):
        for premise in (claim.base, claim.sensitivity):
            found = decide(premise, limits, trust="kernel")
            if isinstance(found, Proved):
                proofs.append(found.certificate)
            else:
                reasons.append(Declined("laws", f"a premise is {found.outcome}: {found}"))
        if not reasons:
            try:
                by = proof_of_answers(claim, *proofs)
                return check(claim, by, None, comparing.find_compared_inputs(claim))
            except Rejected as why:
                reasons.append(Declined("checker", why.reason))
        refuted = refutation_at_vectors(claim, clock, decide)
        if not isinstance(refuted, Declined):
            return refuted
        reasons.append(refuted)
    return unknown_verdict(claim, reasons)


def proof_of_answers(claim: AppliedClaim, of_base: Any, of_query: Any) -> ByRule | AppliedAlignment:
    """The proof from those of the two premises."""
    if isinstance(of_base, Alignment):
        return AppliedAlignment(claim.fingerprint, of_base, of_query)
    return ByRule(claim.fingerprint, RULE, 1, None, (of_base, of_query), ())
