"""The lines of statements about numbers: inequalities, and how much the answer to a query changes.

>>> from ahdp_verify.explanation.numbered_lines import LineWriter
>>> from ahdp_verify.search.verify import verify
>>> found = verify(Inequality.of({"a": "a > 0"}, "a + 1", ">", "1"))
>>> explain_inequality_claim(found.claim, found.certificate, Teller(LineWriter()))
'3'
"""

from __future__ import annotations

from functools import partial

from ahdp_verify.explanation.evidence import (
    ExplainLeaf,
    explain_closed_leaf,
    explain_evidence,
    explain_lemmas,
    explain_requirement,
)
from ahdp_verify.explanation.introduction import introduce_facts
from ahdp_verify.explanation.numbered_lines import comparison_piece
from ahdp_verify.explanation.teller import Facts, Teller
from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import Certificate, Evidence, InequalityLeaf
from ahdp_verify.kernel.model.entry_changes import entry_changes
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.composition import nonnegative_condition
from ahdp_verify.kernel.terms.expression import TRUE, ZERO, Expression


def explain_changes(claim: SensitivityClaim, shown: Certificate, teller: Teller) -> str:
    """The lines of a claim of sensitivity: one case for each way in which an entry may change."""
    teller.lines.say(
        f"The entries are numbers x with {claim.inputs.values}, and one of them changes."
    )
    numbers = []
    for i, change in enumerate(entry_changes(claim.query, claim.inputs), 1):
        teller.lines.say(f"Case {i}: the answer is {change.before} before, {change.after} after.")
    for (here, gap), found in zip(claim.tasks, shown.evidence, strict=True):
        known = introduce_facts(here, teller, lambda i, fact: "assumed", "Known facts:")
        shows = comparison_piece(gap, ">=", ZERO)
        numbers.append(teller.lines.add("to be shown", shows, head=True))
        side = nonnegative_condition("a bound", here, gap)[0]
        leaf = explain_leaf_between(side.dominated, side.dominating, side.level, teller)
        with teller.lines.inside():
            explain_evidence(found, here, known, teller, leaf)
    return teller.lines.add(f"from {' and '.join(numbers)}", str(claim), head=True)


def explain_inequality_claim(claim: Inequality, shown: Certificate, teller: Teller) -> str:
    """The lines of a statement about numbers."""
    for key, condition in claim.parameters:
        teller.lines.say(
            f"{key} is any real number" + ("" if condition == TRUE else f" with {condition}")
        )
    known = introduce_facts(claim.here, teller, lambda i, fact: "assumed", "Known facts:")
    numbers = []
    for gap, found in zip(claim.gaps, shown.evidence, strict=True):
        numbers.append(
            teller.lines.add(
                "to be shown", comparison_piece(gap, ">" if claim.strict else ">=", ZERO), head=True
            )
        )
        side = nonnegative_condition("a gap", claim.here, gap)[0]
        leaf = (
            partial(_strict, gap=gap, teller=teller)
            if claim.strict
            else explain_leaf_between(side.dominated, side.dominating, side.level, teller)
        )
        with teller.lines.inside():
            explain_evidence(found, claim.here, known, teller, leaf)
    return teller.lines.add(
        f"from {' and '.join(numbers)}",
        comparison_piece(claim.left, claim.relation, claim.right),
        head=True,
    )


def _strict(leaf: Evidence, here: Context, known: Facts, gap: Expression, teller: Teller) -> None:
    if not isinstance(leaf, InequalityLeaf):
        raise Rejected("a strict inequality needs one proof")
    here, known = explain_lemmas(leaf.lemmas, here, known, teller)
    explain_requirement(
        normal(gap, here), ">", leaf.proofs[0] if leaf.proofs else None, here, known, teller
    )


def explain_leaf_between(
    dominated: Dominated, dominating: Dominating, level: Expression, teller: Teller
) -> ExplainLeaf:
    """The explanation of a leaf of dominated <= exp(level) * dominating."""
    return lambda leaf, here, known: explain_closed_leaf(
        leaf, dominated, dominating, level, here, known, teller
    )
