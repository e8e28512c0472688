"""The lines of statements about numbers: inequalities, and how much the answer to a query changes.

>>> from ahdp_verify.explanation.numbered_lines import LineWriter
>>> from ahdp_verify.search.verify import verify
>>> found = verify(Inequality.of({"a": "a > 0"}, "a + 1", ">", "1"))
>>> explain_inequality_claim(found.claim, found.certificate, Teller(LineWriter()))
'3'
"""

from __future__ import annotations

import re
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
from ahdp_verify.kernel.model.entries import position
from ahdp_verify.kernel.model.entry_changes import entry_changes
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.composition import nonnegative_condition
from ahdp_verify.kernel.terms.expression import TRUE, ZERO, Expression, name, walk

MOST_NAMES = 100  # in one case of a change of an entry, more than there ever are


def words_for_entries(claim: SensitivityClaim) -> tuple[str, dict[str, Expression]]:
    """A sentence about the names in the cases of a change, and the names that are shown for those
    of the checker: x becomes x', and r1, r2 ... are what the other entries contribute; where the
    query names positions, u1, u2 ... are all of these.
    """
    taken = {key for key, _ in claim.parameters}
    free = [a for a in "urstwyz" if not any(re.fullmatch(f"{a}[0-9]+", key) for key in taken)]
    if any(position(part) is not None for part in walk(claim.query)):
        said = f"{free[0]}1, {free[0]}2 ... are entries, and what the other entries contribute."
        return said, {f"@{k}": name(f"{free[0]}{k}") for k in range(1, MOST_NAMES)}
    letter = "r" if "r" in free else free[0]
    said = (
        f"The entry x at position i becomes x', and {letter}1, {letter}2 ... are what the other "
        "entries contribute."
    )
    own = {"@1": name("i"), "@2": name("x"), "@3": name("x'")}
    return said, own | {f"@{k}": name(f"{letter}{k - 3}") for k in range(4, MOST_NAMES)}


def explain_changes(claim: SensitivityClaim, shown: Certificate, teller: Teller) -> str:
    """The lines of a claim of sensitivity: one case for each way in which an entry may change."""
    teller.lines.say(
        f"The entries are numbers x with {claim.inputs.values}, and one of them changes."
    )
    said, spoken = words_for_entries(claim)
    teller.lines.say(said)
    teller, numbers = teller.afresh(spoken), list[str]()
    for i, change in enumerate(entry_changes(claim.query, claim.inputs), 1):
        before, after = map(teller.show, (change.before, change.after))
        teller.lines.say(f"Case {i}: the answer is {before} before, {after} after.")
    for (here, gap), found in zip(claim.tasks, shown.evidence, strict=True):
        known = introduce_facts(here, teller, lambda i, fact: "assumed", "Known facts:")
        shows = comparison_piece(teller.show(gap), ">=", ZERO)
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
