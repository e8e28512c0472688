"""A certificate for a whole claim: the total mass, then every distinct inequality once, or one
schema for all records.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import CaseSplit, Certificate, Declined, Evidence, Mass
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism, dataset_nodes
from ahdp_verify.kernel.numbers.normal_form import refusal_text
from ahdp_verify.kernel.rules.obligations import (
    Obligation,
    Task,
    input_states,
    mechanism_frame,
    tasks,
)
from ahdp_verify.kernel.rules.schema import (
    LEVEL,
    check_conditions_of_records,
    contribution_name,
    has_schema,
    schema_tasks,
    schema_values,
)
from ahdp_verify.kernel.terms.expression import (
    ONE,
    TRUE,
    ZERO,
    Expression,
    aggregates,
    name,
    names,
    number,
    walk,
)
from ahdp_verify.search.limits import Clock, OutOfLimits
from ahdp_verify.search.proving.coordinates import Memory, coordinate_evidence
from ahdp_verify.search.proving.draft import polynomial_tree
from ahdp_verify.search.proving.exchanging import evidence_by_exchange
from ahdp_verify.search.proving.hockey_stick import Choices, divergence_evidence
from ahdp_verify.search.proving.inequality import evidence_along_plan, prove_inequality
from ahdp_verify.search.proving.integers import few_values_guard
from ahdp_verify.search.proving.open_region import slack_text
from ahdp_verify.search.proving.radial import (
    excess_over_distance,
    may_be_radial,
    radial_evidence,
)
from ahdp_verify.search.proving.requirement import SchemaConditionNeeded
from ahdp_verify.search.proving.reversal import evidence_undone
from ahdp_verify.search.proving.total_mass import mass_certificate

CONDITIONS = 12  # most conditions of one schema
MANY = 6  # records from which a schema is tried


@dataclass(frozen=True, slots=True)
class ProofMemory:
    """What the obligations of one claim share: coordinates with their levels, and how parts count
    towards a divergence.
    """

    coordinates: Memory = field(default_factory=dict)
    choices: Choices = field(default_factory=dict)


def certify(claim: Claim, counts: bool, clock: Clock) -> Certificate | Declined:
    """A certificate to be checked, or the reason why there is none."""
    where = "linear (counts)" if counts else "linear"
    try:
        if counts and is_written_in_counts(claim):
            return Declined(
                where,
                "every record sum is the count of one record, so a proof in counts would be the "
                "same",
            )
        total = mass_certificate(claim.mechanism, counts, clock)
        if isinstance(total, Declined):
            return total
        if (
            not counts
            and has_schema(claim)
            and (found := certify_by_schema(claim, total, clock)) is not None
        ):
            return found
        return certify_each_obligation(claim, counts, total, clock, where)
    except OutOfLimits as stop:
        return Declined(where, stop.reason)
    except (Undecided, Unsupported, Rejected) as reason:
        return Declined(where, refusal_text(reason))


def is_written_in_counts(claim: Claim) -> bool:
    """Whether each record sum counts one record and each record is counted, so that a proof in
    counts would be identical.
    """
    inputs = claim.mechanism.inputs
    if not isinstance(inputs, Domain) or inputs.is_universal:
        return False
    rows = mechanism_frame(claim.mechanism, False).rows
    unit = [tuple(ONE if i == j else ZERO for j in range(len(rows))) for i in range(len(rows))]
    return all(n.head == "sum" for n in dataset_nodes(claim.mechanism)) and all(
        rows.count(u) == 1 for u in unit
    )


def has_few_counts(claim: Claim) -> bool:
    """Whether there are more record sums than records, and every record has a few counts only: then
    counts are fewer names with fewer cases, measured to be ten times as fast.
    """
    inputs = claim.mechanism.inputs
    if not isinstance(inputs, Domain) or inputs.is_universal or claim.mechanism.defined == TRUE:
        return False
    nodes = dataset_nodes(claim.mechanism)
    if len(nodes) <= len(inputs.records) or any(n.head != "sum" for n in nodes):
        return False
    return all(
        few_values_guard(n, state.here) is not None
        for state in input_states(claim.mechanism, True)
        for n in state.here.integers & mechanism_frame(claim.mechanism, True).integers
    )


def has_summed_conditions(mechanism: Mechanism) -> bool:
    """Whether the conditions of the records of a universal domain, summed, say something more about
    the record sums than their signs.
    """
    plain, summed = (set(mechanism_frame(mechanism, counts).conditions) for counts in (False, True))
    return bool(summed - plain)


def certify_each_obligation(
    claim: Claim, counts: bool, total: Mass, clock: Clock, where: str
) -> Certificate | Declined:
    """A certificate with evidence for every obligation."""
    pieces: dict[Evidence, int] = {}
    uses: list[int] = []
    memory = ProofMemory()
    plan: tuple[Evidence, int] | None = (
        None  # evidence that split cases, and the number of its part
    )
    planned: tuple[Obligation | None, int] = (None, 0)  # an obligation, and how many of its parts
    done: tuple[Obligation, Evidence] | None = None  # the last one, where it is about all outputs
    for task in tasks(claim, counts):
        clock.check("proving inequalities")
        if planned[0] is not task.obligation:
            plan, planned = None, (task.obligation, 0)
        planned = task.obligation, planned[1] + 1
        found = (
            evidence_undone(claim, done, task.obligation)
            or exchanged_evidence(claim, task, plan, planned[1])
            or task_evidence(claim, task, clock, memory, None if plan is None else plan[0])
        )
        if isinstance(found, CaseSplit):
            plan = found, planned[1]
        if found is None:
            return Declined(where, f"no proof was found for: {task.text}{_slack(task)}")
        done = (task.obligation, found) if claim.delta != ZERO else None
        uses.append(pieces.setdefault(found, len(pieces)))
    return Certificate(claim.fingerprint, counts, (), total, tuple(pieces), tuple(uses))


def exchanged_evidence(
    claim: Claim, task: Task, plan: tuple[Evidence, int] | None, part: int
) -> Evidence | None:
    """The evidence for another part of the same obligation with names exchanged, if that shows
    this one.
    """
    if plan is None or task.part is None or claim.delta != ZERO:
        return None
    return evidence_by_exchange(plan[0], task, plan[1], part)


def _slack(task: Task) -> str:
    """The least slack of an inequality without delta that was not proved, as far as it is found."""
    if task.obligation.delta != ZERO or task.part is None:
        return ""
    found = slack_text(*task.laws, task.obligation.level, task.obligation.here)
    return f" ({found})" if found else ""


def certify_by_schema(claim: Claim, total: Mass, clock: Clock) -> Certificate | None:
    """A certificate with one proof for all records: the conditions under which it works are
    collected during the proof, then checked for each record.
    """
    if sum(1 for _ in zip(schema_values(claim), range(MANY), strict=False)) < MANY:
        return None
    conditions = list(signs_of_contributions(claim)) or [ZERO]
    for _ in range(CONDITIONS):
        try:
            pieces = [
                task_evidence(claim, task, clock, ProofMemory())
                for task in schema_tasks(claim, tuple(conditions))
            ]
        except SchemaConditionNeeded as wanted:
            conditions.append(polynomial_tree(wanted.condition))
            continue
        except (Undecided, Unsupported, Rejected):
            return None
        return _filled(claim, tuple(conditions), total, pieces)
    return None


def _filled(
    claim: Claim, conditions: tuple[Expression, ...], total: Mass, pieces: list[Evidence | None]
) -> Certificate | None:
    proofs = [p for p in pieces if p is not None]
    if len(proofs) < len(pieces):
        return None
    try:
        check_conditions_of_records(claim, conditions)
    except (Rejected, Undecided, Unsupported):
        return None
    distinct = list(dict.fromkeys(proofs))
    return Certificate(
        claim.fingerprint,
        False,
        conditions,
        total,
        tuple(distinct),
        tuple(distinct.index(p) for p in proofs),
    )


def signs_of_contributions(claim: Claim) -> Iterator[Expression]:
    """@level >= 0, and contributions that are >= 0 at every record: conditions to start from."""
    listed = list(schema_values(claim))
    for key in listed[0] if listed else ():
        if all(f[key].head == "number" and f[key].args[0] >= 0 for f in listed):
            yield LEVEL if key == LEVEL.args[0] else contribution_name(int(key[2:]) - 1)
    if has_normaliser(claim.mechanism.density):
        yield from (LEVEL - name(key) for key in listed[0] if _at_most_level(listed, key))


def _at_most_level(listed: list[dict[str, Expression]], key: str) -> bool:
    """Whether a contribution is at most the level, as rational numbers, at every record."""
    sides = [(f[key], f[LEVEL.args[0]]) for f in listed]
    return key != LEVEL.args[0] and all(
        c.head == bound.head == "number" and c.args[0] <= bound.args[0] for c, bound in sides
    )


def has_normaliser(density: Expression) -> bool:
    """Whether a density is divided by a sum of exponentials in sums over records: then each weight
    is compared with each other, and what a record adds to one has to be at most its level.
    """
    return any(
        e.head == "^"
        and e.args[1] == number(-1)
        and e.args[0].head == "+"
        and any(part.head == "exp" and aggregates(part) for part in e.args[0].args)
        for e in walk(density)
    )


def task_evidence(
    claim: Claim, task: Task, clock: Clock, memory: ProofMemory, plan: Evidence | None = None
) -> Evidence | None:
    """Evidence for one inequality, or None; the cases of a plan, evidence for another part of
    the same obligation, are tried first.
    """
    if claim.delta != ZERO:
        return divergence_evidence(claim, task.obligation, clock, memory.choices)
    if task.part is None:
        return coordinate_evidence(claim.mechanism, task.obligation, clock, memory.coordinates)
    if may_be_radial(claim.mechanism):
        excess = excess_over_distance(claim.mechanism, task)
        if excess is not None:
            return radial_evidence(excess, task.obligation.here, clock)
    (dominated, dominating), level, here = task.laws, task.obligation.level, task.obligation.here
    ways = [partial(prove_inequality, dominated, dominating, level, here, clock)]
    if isinstance(plan, CaseSplit):
        # the cases of an output that these laws do not depend on are tried last
        occurring = names(dominated) | names(dominating) | names(level)
        place = 0 if names(plan.guard) <= occurring else 1
        way = partial(evidence_along_plan, plan, dominated, dominating, level, here, clock)
        ways.insert(place, way)
    return next((found for way in ways if (found := way()) is not None), None)
