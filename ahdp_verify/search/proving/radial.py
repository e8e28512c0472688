"""Evidence for noise of a Euclidean distance: its total, and a level that bounds the distance.

Where the density of two or three real outputs is a factor times exp(-rate * distance), the checker
knows the total, and needs only that the square of the level is at least that of the rate times the
distance of the two centres.
"""

from __future__ import annotations

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import InequalityLeaf, Mass, TotalLeaf
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.neighbours import substitute_nodes
from ahdp_verify.kernel.numbers.algebra import constant
from ahdp_verify.kernel.numbers.hypotheses import OF_RELATION
from ahdp_verify.kernel.rules.obligations import Task, input_states
from ahdp_verify.kernel.rules.radial import SPHERES, radial_excess, radial_total
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving.requirement import prove_requirement

MISSING = (Rejected, Undecided, Unsupported, ZeroDivisionError)


def may_be_radial(mechanism: Mechanism) -> bool:
    """Whether there are as many real outputs as the rule takes."""
    outputs = mechanism.outputs
    return len(outputs) in SPHERES and all(o.kind == "real" for o in outputs)


def radial_mass(mechanism: Mechanism, counts: bool) -> Mass | None:
    """Evidence that the law has total 1 in every state; None if it has another form."""
    if not may_be_radial(mechanism):
        return None
    states = list(input_states(mechanism, counts))
    try:
        totals = [
            radial_total(substitute_nodes(mechanism.density, s.nodes), mechanism.outputs, s.here)
            for s in states
        ]
    except MISSING:
        return None
    if not all((total - constant(1)).is_zero for total in totals):
        return None
    return Mass((), (TotalLeaf(),) * len(states))


def radial_evidence(mechanism: Mechanism, task: Task, clock: Clock) -> InequalityLeaf | None:
    """Evidence that the level bounds the distance of the two centres, or None."""
    if not may_be_radial(mechanism):
        return None
    here = task.obligation.here
    try:
        excess = radial_excess(task, mechanism.outputs, here)
    except MISSING:
        return None
    if here.ratio_signs(excess) <= OF_RELATION[">="]:
        return InequalityLeaf((), "radial", ())
    shown = prove_requirement(excess, ">=", here, clock)
    if shown is None:
        return None
    lemmas, proof = shown
    return InequalityLeaf(lemmas, "radial", (proof,))
