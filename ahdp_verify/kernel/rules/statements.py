"""Proofs of inequalities in unknown numbers.

    conditions |- g >= 0 for every gap g      (g > 0 for a strict statement)
    ------------------------------------------------------------------------
                         conditions |- the statement

g    the difference of the two sides; an equality has two gaps, each the negative of the other
"""

from __future__ import annotations

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import (
    AnyCertificate,
    Certificate,
    Evidence,
    InequalityLeaf,
    Mass,
)
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim, Statement
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.accepting import OTHER_PROOF, Acceptance, rely_on
from ahdp_verify.kernel.rules.cases import LeafCheck, check_cases, inequality_check
from ahdp_verify.kernel.rules.inequalities import check_sign_by, extend_context
from ahdp_verify.kernel.terms.expression import ONE, ZERO, Expression, add


def check_inequality_proof(statement: Statement, certificate: AnyCertificate) -> None:
    """Nothing if there is evidence that each gap is >= 0, or > 0 for a strict statement; Rejected
    otherwise.
    """
    if not isinstance(certificate, Certificate) or certificate.claim != statement.fingerprint:
        raise Rejected("the certificate belongs to another claim")
    if (
        certificate.conditions
        or certificate.counts
        or certificate.mass != Mass((), ())
        or certificate.uses != tuple(range(len(statement.tasks)))
    ):
        raise Rejected("expected exactly one proof per inequality")
    leaf = _positivity_check if statement.strict else _nonnegative_check
    for (here, gap), evidence in zip(statement.tasks, certificate.evidence, strict=True):
        check_cases(evidence, here, leaf(gap))


def _nonnegative_check(gap: Expression) -> LeafCheck:
    """The test of a leaf: gap >= 0, as 1 <= gap + 1, so that no form of an inequality takes its
    sign from the mass of a law.
    """
    return inequality_check(Dominated(ONE), Dominating(add(gap, ONE)), ZERO)


def _positivity_check(gap: Expression) -> LeafCheck:
    """The test of a leaf: gap > 0."""

    def leaf(evidence: Evidence, here: Context) -> None:
        if not isinstance(evidence, InequalityLeaf) or evidence.form != "direct":
            raise Rejected("a strict inequality needs one proof")
        here = extend_context(evidence.lemmas, here)
        check_sign_by(normal(gap, here), ">", evidence.proofs, here)

    return leaf


def accept_statement(claim: object, certificate: Certificate) -> Acceptance:
    """Accepted, if the evidence shows each gap of a statement to be >= 0 (or > 0), or the bounds of
    a notion to hold.
    """
    if isinstance(claim, NotionClaim):
        from ahdp_verify.kernel.rules.notions import accept_notion

        return accept_notion(claim, certificate)
    if isinstance(claim, SensitivityClaim):
        rely_on("the rule of sensitivity")
    elif not isinstance(claim, Inequality):
        raise Rejected(OTHER_PROOF)
    rely_on("the rule of statements")
    check_inequality_proof(claim, certificate)
    return Acceptance()
