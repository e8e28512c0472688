"""Section 6: inputs, and the move from one to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from recheck.claims import ADDED, AMOUNTS, OWN_LEVEL, Claim
from recheck.forms import constant_sign
from recheck.limits import Rejected, cover, need
from recheck.places import other
from recheck.shapes import Named, Record, fields, listed, text
from recheck.signs import Context, at_record, truth
from recheck.trees import (
    AGGREGATES,
    Tree,
    at_most,
    is_number,
    make,
    minus,
    number,
    read,
    substitute,
    walk,
)

Side = tuple[Tree, ...]


def given(data: Any) -> Tree:
    """A tree in a counterexample."""
    (data,) = fields(data, "e", "a value")
    return read(data)


def given_list(data: Any) -> list[Tree]:
    return [given(d) for d in listed(data)]


def given_named(data: Any) -> list[tuple[str, Tree]]:
    return [(text(n), given(e)) for n, e in (listed(pair, 2) for pair in listed(data))]


def need_constant(e: Tree) -> None:
    """Raises unless e is built from numbers, pi and arithmetic, and has a value."""
    need(not e.names, "a given value is not a constant")
    need(not any(n.head in AGGREGATES for n in walk(e)), "a given value is not a constant")
    Context().form(e)


@dataclass(frozen=True)
class Setting:
    """Two inputs, with the parameters put in: `here` has their values."""

    claim: Claim
    here: Context
    records: tuple[Record, ...]
    before: Side
    after: Side


def read_setting(claim: Claim, parameters: Any, instances: Any, before: Any, after: Any) -> Setting:
    """The inputs: steps 1 and 2 of section 6, without `defined`."""
    here = with_parameters(claim, given_named(parameters))
    concrete = [dict(given_named(r)) for r in listed(instances)]
    need(not concrete or bool(claim.unknowns), "a listed domain has instances")
    records = claim.records or [in_order(r, claim.bound) for r in concrete]
    for r in records:
        need_record(claim, r, here)
    sides = tuple(given_list(before)), tuple(given_list(after))
    for side in sides:
        need_side(claim, side, len(records))
        need_in_region(claim, side, here)
    return Setting(claim, here, tuple(records), *sides)


def with_parameters(claim: Claim, values: Named) -> Context:
    """The parameters have these exact values, and all conditions hold."""
    names = [n for n, _ in claim.parameters]
    need(sorted(n for n, _ in values) == sorted(names), "not every parameter has one value")
    for _, v in values:
        need_constant(v)
    here = Context(values={n: Context().form(v) for n, v in values})
    for n, c in claim.parameters:
        need(truth(c, here), f"the condition of the parameter {n!r} does not hold")
    return here


def in_order(record: Record, names: Sequence[str]) -> Record:
    need(sorted(record) == sorted(names), "a record does not give every unknown")
    return {n: record[n] for n in names}


def need_record(claim: Claim, record: Record, here: Context) -> None:
    """Raises unless the record is one of the domain."""
    for n, v in record.items():
        if claim.unknowns and not (n == "eps" and v.head == "oo"):
            need_constant(v)
    if "eps" in record:
        need(truth(at_most(number(0), record["eps"]), here), "a demand is below 0")
    for _, c in claim.unknowns:
        need(truth(substitute(c, record), here), "a record does not satisfy a condition")


def need_side(claim: Claim, side: Side, records: int) -> None:
    if claim.values:
        known = any(tuple(v.values()) == side for v in claim.values)
        need(known, "a value is not listed")
    elif claim.bound:
        need(len(side) == records, "there is not one count for each record")
        for n in side:
            whole = is_number(n) and isinstance(n.value, int) and n.value >= 0
            need(whole, "a count is not a whole number from 0")
            cover(n.value <= 10**9, "a count is too large")
    else:
        need(len(side) == len(claim.direct), "there is not one number for each query answer")
        for v in side:
            need_constant(v)


def need_in_region(claim: Claim, side: Side, here: Context) -> None:
    """Raises unless a value that is not listed satisfies all its conditions."""
    for _, c in claim.region:
        at = dict(zip(claim.direct, side, strict=True))
        need(truth(substitute(c, at), here), "a value does not satisfy a condition")


# the move


def level_of_move(s: Setting) -> Tree | None:
    """The level of the move from one input to the other; None if the inputs are not neighbours."""
    claim = s.claim
    if claim.values:
        if s.before == s.after:
            return None
        v, w = (dict(zip(claim.direct, side, strict=True)) for side in (s.before, s.after))
        return at_record(claim.level, {**v, **other(w)}, s.here)
    if claim.region:
        return level_in_region(s)
    if not claim.bound:
        return claim.level if answers_move(s) else None
    gaps = [b.value - a.value for a, b in zip(s.before, s.after, strict=True)]
    moved = sorted((i for i, gap in enumerate(gaps) if gap), key=lambda i: gaps[i])
    steps = [gaps[i] for i in moved]
    if steps not in ([[1], [-1]] if claim.relation in ADDED else [[-1, 1]]):
        return None
    if claim.relation == "hdp":
        old, new = (s.records[i] for i in moved)
        for k in ("eps", *claim.public):
            if not truth(make("==", old[k], new[k]), s.here):
                return None
    first = s.records[moved[0]]
    return at_record(claim.level, first, s.here) if claim.relation in OWN_LEVEL else claim.level


def level_in_region(s: Setting) -> Tree | None:
    """The level of two values that are known to differ; None of others."""
    v, w = (dict(zip(s.claim.direct, side, strict=True)) for side in (s.before, s.after))
    gaps = [Context().form(minus(w[n], e)) for n, e in v.items()]
    if not any(constant_sign(gap) in (1, -1) for gap in gaps):
        return None
    return at_record(s.claim.level, {**v, **other(w)}, s.here)


def delta_of_move(s: Setting) -> Tree:
    """The delta of the move from one input to the other."""
    if s.claim.relation != "ahdp" or s.claim.delta.names.isdisjoint(s.claim.bound):
        return s.claim.delta
    moved = next(i for i, (a, b) in enumerate(zip(s.before, s.after, strict=True)) if a is not b)
    return at_record(s.claim.delta, s.records[moved], s.here)


def answers_move(s: Setting) -> bool:
    low, high = AMOUNTS[s.claim.relation]
    found = [s.here.form(minus(b, a)).rational for a, b in zip(s.before, s.after, strict=True)]
    gaps = [gap for gap in found if gap is not None]
    need(len(gaps) == len(found), "the change of a query answer is not rational")
    if s.claim.relation == "one" and sum(gap != 0 for gap in gaps) != 1:
        return False
    return any(all(low <= sign * gap <= high for gap in gaps) for sign in (1, -1))


def finite_level(s: Setting) -> Tree:
    """The level of the move from one input to the other, which is not oo."""
    level = level_of_move(s)
    if level is None:
        raise Rejected("no move leads from one input to the other")
    need(level.head != "oo", "the level of the move is infinite")
    return level


def need_small(s: Setting, size: int) -> None:
    """Raises if one of the inputs has more than `size` records."""
    for side in (s.before, s.after):
        need(sum(n.value for n in side) <= size, "a dataset is larger than it may be")
