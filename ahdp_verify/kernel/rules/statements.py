"""Inequalities in unknown numbers.

conditions |- g >= 0, for every gap g                   (g > 0 for a strict statement)
-------------------------------------
conditions |- the statement

g    the difference of two sides; an equality has two gaps, each the negative of the other
"""

from __future__ import annotations

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import Certificate, Closed, Evidence, Mass, Proven
from ahdp_verify.kernel.model.inequality import Statement
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.cases import Leaf, descend, inequality
from ahdp_verify.kernel.rules.inequalities import extended, require
from ahdp_verify.kernel.terms.expression import ONE, ZERO, Expression, add


def check_statement(statement: Statement, certificate: Proven) -> None:
    """Nothing if there is evidence that each gap is >= 0, or > 0 for a strict statement; Rejected
    otherwise.
    """
    if not isinstance(certificate, Certificate) or certificate.claim != statement.fingerprint:
        raise Rejected("the certificate belongs to another claim")
    if (
        certificate.conditions
        or certificate.counts
        or certificate.mass != Mass((), ())
        or certificate.uses != tuple(range(len(statement.gaps)))
    ):
        raise Rejected("a statement has evidence for each of its gaps, and nothing else")
    leaf = positive if statement.strict else nonnegative
    for gap, evidence in zip(statement.gaps, certificate.evidence, strict=True):
        descend(evidence, statement.here, leaf(gap))


def nonnegative(gap: Expression) -> Leaf:
    """The test of a leaf: gap >= 0, as 1 <= gap + 1, so that no form of an inequality takes its
    sign from the mass of a law.
    """
    return inequality(Dominated(ONE), Dominating(add(gap, ONE)), ZERO)


def positive(gap: Expression) -> Leaf:
    """The test of a leaf: gap > 0."""

    def leaf(evidence: Evidence, here: Context) -> None:
        if (
            not isinstance(evidence, Closed)
            or evidence.form != "direct"
            or len(evidence.proofs) > 1
        ):
            raise Rejected("a strict inequality needs one proof")
        here = extended(evidence.lemmas, here)
        require(normal(gap, here), ">", evidence.proofs[0] if evidence.proofs else None, here)

    return leaf
