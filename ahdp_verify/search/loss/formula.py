"""One formula for all records: the law is moved by a record whose value and demand are left as the
names x and eps.

What comes out is the largest loss as an expression in x and eps; its value at each record of the
domain is that record's candidate.
"""

from __future__ import annotations

from dataclasses import replace

from ahdp_verify.kernel.model.domain import Domain, Record, at_record
from ahdp_verify.kernel.model.mechanism import dataset_nodes
from ahdp_verify.kernel.model.neighbours import (
    DominatedInput,
    DominatingInput,
    assume_what_is_known,
    rest_name,
)
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.rules.obligations import base
from ahdp_verify.kernel.terms.expression import ZERO, Expression, add, name, number, oo
from ahdp_verify.search.loss.candidates import DOWN, FAILED, UP, Search, supremum
from ahdp_verify.search.loss.largest import Choice, Sample

MOST = 40  # records at which candidates are compared
LARGE = number(50)  # stands for the demand oo in a comparison


def formula(search: Search) -> tuple[Expression, Context] | None:
    """The formula and what is known of x and eps, with a candidate offered for every record; None
    where there is none.

    There is none for labels, counts of single records and scales that come from the data.
    """
    inputs = search.mechanism.inputs
    if search.claim.relation != "ahdp" or not isinstance(inputs, Domain) or inputs.is_universal:
        return None
    nodes = dataset_nodes(search.mechanism)
    if any(n.head != "sum" for n in nodes):
        return None
    here = signs_of_records(base(search.mechanism), inputs.records)
    without = {n: rest_name(j) for j, n in enumerate(nodes)}
    joined = {n: add(rest_name(j), n.args[0]) for j, n in enumerate(nodes)}
    general = replace(
        search, samples=at_records(search, inputs.records), seen={}, factors={}, here=here
    )
    try:
        found = {
            UP: supremum(general, DominatedInput(joined), DominatingInput(without), here),
            DOWN: supremum(general, DominatedInput(without), DominatingInput(joined), here),
        }
        offers = {
            (i, d): at(choice, r, search)
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
    here = assume_what_is_known(name("eps") >= ZERO, here)
    for key in records[0].bindings:
        numbers = [v.args[0] for v in (r.bindings[key] for r in records) if v.head == "number"]
        if (
            key != "eps"
            and len(numbers) == len(records)
            and (min(numbers) >= 0 or max(numbers) <= 0)
        ):
            here = assume_what_is_known(
                name(key) >= ZERO if min(numbers) >= 0 else name(key) <= ZERO, here
            )
    return here


def at_records(search: Search, records: tuple[Record, ...]) -> tuple[Sample, ...]:
    """The samples of the search at every record (at the first few, if there are many)."""
    bound = [{k: LARGE if v == oo else v for k, v in r.bindings.items()} for r in records[:MOST]]
    return tuple({**s, **b} for b in bound for s in search.samples)


def at(choice: Choice, record: Record, search: Search) -> Choice:
    """The choice at one record."""
    level = at_record(choice.level, record, base(search.mechanism))
    return replace(choice, level=level, where="any output" if level == ZERO else choice.where)
