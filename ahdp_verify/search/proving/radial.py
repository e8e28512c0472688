"""Evidence for noise of a Euclidean distance: its total, and a level that bounds the distance.

Where the density of two or three real outputs is a factor times exp(-rate * distance), the checker
knows the total, and needs only that the square of the level is at least that of the rate times the
distance of the two centres.
"""

from __future__ import annotations

from contextlib import suppress

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import InequalityLeaf, Mass, TotalLeaf
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.neighbours import Nodes, substitute_nodes
from ahdp_verify.kernel.numbers.algebra import Ratio, constant
from ahdp_verify.kernel.numbers.hypotheses import OF_RELATION, Context
from ahdp_verify.kernel.numbers.normal_form import to_expression
from ahdp_verify.kernel.rules.obligations import Task, input_states
from ahdp_verify.kernel.rules.radial import SPHERES, radial_excess, radial_law, radial_total
from ahdp_verify.kernel.terms.expression import Expression, multiply, sqrt
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


def radial_loss(
    mechanism: Mechanism, first: Nodes, second: Nodes, here: Context
) -> Expression | None:
    """The largest loss from one input to another, next to the centre of the first: the rate times
    the distance of the two centres; None for laws of another form.
    """
    if not may_be_radial(mechanism):
        return None
    try:
        one, other = (
            radial_law(substitute_nodes(mechanism.density, nodes), mechanism.outputs, here)
            for nodes in (first, second)
        )
    except MISSING:
        return None
    if not ((one.rate - other.rate).is_zero and (one.factor - other.factor).is_zero):
        return None
    gaps = [a - b for a, b in zip(one.centre, other.centre, strict=True)]
    squared = sum((g * g for g in gaps), constant(0))
    return multiply(to_expression(one.rate), sqrt(to_expression(squared)))


def excess_over_distance(mechanism: Mechanism, task: Task) -> Ratio | None:
    """What is >= 0 where the level bounds the rate times the distance of the two centres, which is
    the largest loss: no other form does with less. None for laws of another form.
    """
    with suppress(*MISSING):
        return radial_excess(task, mechanism.outputs, task.obligation.here)
    return None


def radial_evidence(excess: Ratio, here: Context, clock: Clock) -> InequalityLeaf | None:
    """Evidence that this excess is >= 0, or None."""
    if here.ratio_signs(excess) <= OF_RELATION[">="]:
        return InequalityLeaf((), "radial", ())
    shown = prove_requirement(excess, ">=", here, clock)
    if shown is None:
        return None
    lemmas, proof = shown
    return InequalityLeaf(lemmas, "radial", (proof,))
