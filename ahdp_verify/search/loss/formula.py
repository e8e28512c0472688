"""One formula for all records: the largest privacy loss when the record added has the names x and
eps as its value and demand.

The value of this expression in x and eps at each record of the domain is that record's candidate.
"""

from __future__ import annotations

from dataclasses import replace

from ahdp_verify.kernel.model.domain import Domain, Record, value_at_record
from ahdp_verify.kernel.model.mechanism import dataset_nodes
from ahdp_verify.kernel.model.neighbours import (
    DominatedInput,
    DominatingInput,
    assume_known_facts,
    rest_name,
)
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.rules.obligations import mechanism_context
from ahdp_verify.kernel.terms.expression import ZERO, Expression, add, name, number, oo
from ahdp_verify.search.loss.candidates import DOWN, FAILED, UP, LossSearch, loss_supremum
from ahdp_verify.search.loss.largest import LevelCandidate, Sample

MOST = 40  # records at which candidates are compared
LARGE = number(50)  # substituted for the demand oo in a comparison


def level_formula(search: LossSearch) -> tuple[Expression, Context] | None:
    """The formula and what is known of x and eps, with a candidate offered for every record; None
    where there is none.

    There is none for labels, counts of single records, and scales that depend on the data.
    """
    inputs = search.mechanism.inputs
    if search.claim.relation != "ahdp" or not isinstance(inputs, Domain) or inputs.is_universal:
        return None
    nodes = dataset_nodes(search.mechanism)
    if any(n.head != "sum" for n in nodes):
        return None
    here = signs_of_records(mechanism_context(search.mechanism), inputs.records)
    without = {n: rest_name(j) for j, n in enumerate(nodes)}
    joined = {n: add(rest_name(j), n.args[0]) for j, n in enumerate(nodes)}
    general = replace(
        search, samples=samples_at_records(search, inputs.records), seen={}, factors={}, here=here
    )
    try:
        found = {
            UP: loss_supremum(general, DominatedInput(joined), DominatingInput(without), here),
            DOWN: loss_supremum(general, DominatedInput(without), DominatingInput(joined), here),
        }
        offers = {
            (i, d): candidate_at_record(choice, r, search)
            for d, choice in found.items()
            for i, r in enumerate(inputs.records)
        }
    except FAILED:
        return None
    for key, choice in offers.items():
        search.offer(key, choice)
    return (found[UP].level, here) if found[UP].level == found[DOWN].level else None


def signs_of_records(here: Context, records: tuple[Record, ...]) -> Context:
    """The context with the sign of every part of a record that has one sign in all records;
    demands are never negative.
    """
    here = assume_known_facts(name("eps") >= ZERO, here)
    for key in records[0].bindings:
        numbers = [v.args[0] for v in (r.bindings[key] for r in records) if v.head == "number"]
        if (
            key != "eps"
            and len(numbers) == len(records)
            and (min(numbers) >= 0 or max(numbers) <= 0)
        ):
            here = assume_known_facts(
                name(key) >= ZERO if min(numbers) >= 0 else name(key) <= ZERO, here
            )
    return here


def samples_at_records(search: LossSearch, records: tuple[Record, ...]) -> tuple[Sample, ...]:
    """The samples of the search at every record (at the first few, if there are many)."""
    bound = [{k: LARGE if v == oo else v for k, v in r.bindings.items()} for r in records[:MOST]]
    return tuple({**s, **b} for b in bound for s in search.samples)


def candidate_at_record(
    choice: LevelCandidate, record: Record, search: LossSearch
) -> LevelCandidate:
    """The choice at one record."""
    level = value_at_record(choice.level, record, mechanism_context(search.mechanism))
    return replace(choice, level=level, where="any output" if level == ZERO else choice.where)
