"""Case splits: evidence is a tree whose inner nodes split by the sign of a guard.

    here, g > 0 |- claim      here, g = 0 |- claim      here, g < 0 |- claim
    ------------------------------------------------------------------------
                               here |- claim

here    the facts at a node, and those of its lemmas
g       the guard, any expression with a normal form; cases may be joined, as in g >= 0

A leaf is accepted if it proves what the claim needs there, or if its facts contradict each other.
"""

from __future__ import annotations

from collections.abc import Callable

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import CaseSplit, Evidence, InequalityLeaf
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.rules.inequalities import (
    check_contradiction,
    check_leaf,
    extend_context,
    split_cases,
)
from ahdp_verify.kernel.terms.expression import Expression

LeafCheck = Callable[[Evidence, Context], None]


def check_cases(evidence: Evidence, here: Context, leaf: LeafCheck) -> None:
    """Nothing if every leaf of the evidence is accepted in the context of its case; Rejected
    otherwise.
    """
    if isinstance(evidence, CaseSplit):
        here = extend_context(evidence.lemmas, here)
        for case, rest in split_cases(evidence, here):
            check_cases(rest, case, leaf)
    elif isinstance(evidence, InequalityLeaf) and evidence.form == "never":
        check_contradiction(evidence.proofs, extend_context(evidence.lemmas, here))
    else:
        leaf(evidence, here)


def inequality_check(dominated: Dominated, dominating: Dominating, level: Expression) -> LeafCheck:
    """The test of a leaf: dominated <= exp(level) * dominating."""

    def leaf(evidence: Evidence, here: Context) -> None:
        if not isinstance(evidence, InequalityLeaf):
            raise Rejected("an inequality needs a proof by products")
        check_leaf(evidence, dominated, dominating, level, here)

    return leaf
