"""Section 3: the inequalities that have to be shown for a claim."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from recheck.claims import ADDED, AMOUNTS, OWN_LEVEL, Claim
from recheck.forms import tree_of
from recheck.limits import CLOCK, Rejected, cover, need
from recheck.places import Place, neighbour, places, query_number, whole_valued
from recheck.signs import Context, assume, known_truth
from recheck.summed import summed
from recheck.trees import (
    AGGREGATES,
    Tree,
    at_most,
    branches,
    conjuncts,
    is_number,
    is_true,
    make,
    minus,
    name,
    number,
    plus,
    rebuild,
    substitute,
    times,
    walk,
)

Nodes = Mapping[Tree, Tree]  # nodes of the law, with their values


@dataclass(frozen=True)
class Kind:
    """A record that can be added: what it contributes to each sum, its level and conditions."""

    row: tuple[Tree, ...]
    level: Tree
    conditions: tuple[Tree, ...]
    place: Place


@dataclass(frozen=True)
class Move:
    """The nodes of the law at both inputs, the conditions, and the level.

    If there are `differences`, the inputs are the same unless one of these is not 0.
    """

    before: Nodes
    after: Nodes
    conditions: tuple[Tree, ...]
    level: Tree
    differences: tuple[Tree, ...] | None = None

    def key(self) -> tuple[object, ...]:
        nodes = *self.before.values(), *self.after.values(), *self.before, *self.after
        return nodes, self.conditions, self.level


@dataclass(frozen=True)
class Frame:
    """The sums over records of the law: what they are for the rest, and what may be added."""

    nodes: tuple[Tree, ...]
    rest: tuple[Tree, ...]
    kinds: tuple[Kind, ...]
    conditions: tuple[Tree, ...]
    here: Context

    def joined(self, row: Sequence[Tree]) -> Nodes:
        """The sums over the rest and one more record."""
        rows = zip(self.nodes, self.rest, row, strict=True)
        return {n: make(AGGREGATES[n.head], r, c) for n, r, c in rows}

    def alone(self) -> Nodes:
        return dict(zip(self.nodes, self.rest, strict=True))


def sums_over_records(*roots: Tree) -> tuple[Tree, ...]:
    """In the order of first appearance."""
    return tuple(n for n in walk(*roots) if n.head in AGGREGATES)


def sums_of_delta(claim: Claim) -> tuple[Tree, ...]:
    """The sum of a delta over the records, if it depends on the record: adding one adds its own."""
    own = claim.relation == "ahdp" and not claim.delta.names.isdisjoint(claim.bound)
    return (make("sum", claim.delta),) if own else ()


def frame(claim: Claim, counts: bool, deltas: bool = False) -> Frame:
    nodes = sums_over_records(claim.density, *(m for _, m in claim.atoms), claim.defined)
    if deltas:
        nodes = tuple(dict.fromkeys((*nodes, *sums_of_delta(claim))))
    kinds = kinds_of_records(claim, nodes)
    if counts and claim.records:
        return frame_of_counts(claim, nodes, kinds)
    rest = tuple(name(f"@{j}") for j in range(1, len(nodes) + 1))
    conditions = [c for _, c in claim.region]
    whole = []
    for j, n in enumerate(nodes):
        column = [k.row[j] for k in kinds]
        if all(is_never_below_0(k.row[j], k.place.here) for k in kinds):
            conditions.append(at_most(number(0), rest[j]))
        if n.head != "sum" and claim.records and all(map(is_number, column)):
            values = sorted(c.value for c in column)
            conditions.append(at_most(number(values[0]), rest[j]))
            conditions.append(at_most(rest[j], number(values[-1])))
        if all(map(whole_valued, column)):
            whole += [rest[j].value, f"@c{j + 1}"]
    if counts and claim.unknowns:
        known = {("<=", claim.base.form(c.args[1])) for c in conditions}
        for head, f in dict.fromkeys(summed(claim, nodes, rest, len(places(claim)) > 1)):
            if (head, f) not in known:
                conditions.append(make(head, number(0), tree_of(f)))
    here = claim.base.with_whole_names(whole)
    return Frame(nodes, rest, tuple(kinds), tuple(conditions), here)


def is_never_below_0(e: Tree, here: Context) -> bool:
    """True only if every value of e is known to be >= 0."""
    return all(known_truth(at_most(number(0), v), here, Rejected) is True for v in branches(e))


def frame_of_counts(claim: Claim, nodes: tuple[Tree, ...], kinds: list[Kind]) -> Frame:
    """The state of a dataset is how often each record occurs."""
    need(
        all(n.head == "sum" for n in nodes),
        "`counts` does not allow a maximum or minimum over records",
    )
    often = [name(f"#{w}") for w in range(1, len(kinds) + 1)]
    rest = tuple(
        plus(*(times(k.row[j], h) for k, h in zip(kinds, often, strict=True)))
        for j in range(len(nodes))
    )
    conditions = tuple(at_most(number(0), h) for h in often)
    here = claim.base.with_whole_names(h.value for h in often)
    return Frame(nodes, rest, tuple(kinds), conditions, here)


def kinds_of_records(claim: Claim, nodes: tuple[Tree, ...]) -> list[Kind]:
    own = claim.relation in OWN_LEVEL
    kinds = [
        Kind(
            tuple(p.at(n.args[0]) for n in nodes),
            p.at(claim.level) if own else claim.level,
            p.conditions,
            p,
        )
        for p in places(claim)
    ]
    if claim.unknowns and demand_is_idle(claim, nodes, kinds[0].conditions):
        return kinds[:1]
    return kinds


def demand_is_idle(claim: Claim, nodes: tuple[Tree, ...], conditions: Iterable[Tree]) -> bool:
    """Whether nothing depends on the demand, which only has to be large enough.

    Then every record of demand oo has a twin of finite demand.
    """
    if "eps" in claim.level.names or any("eps" in n.names for n in nodes):
        return False
    said = [p for c in conditions for p in conjuncts(c) if "eps" in p.names]
    return all(
        p.head in ("<", "<=") and p.args[1] is name("eps") and "eps" not in p.args[0].names
        for p in said
    )


def state_context(claim: Claim, f: Frame, conditions: Iterable[Tree], *at: Nodes) -> Context:
    """The facts of a move or state: from parameters, conditions, and `defined` at its inputs."""
    defined = [rebuild(claim.defined, nodes.get) for nodes in at if not is_true(claim.defined)]
    return assume([*conditions, *defined], f.here)


# moves


def moves(claim: Claim, f: Frame) -> list[Move]:
    """The moves of finite level, in order; equal ones once."""
    if claim.values:
        found = list(moves_of_values(f))
    elif claim.region:
        found = [move_in_region(claim)]
    elif claim.relation in AMOUNTS:
        found = list(moves_of_answers(claim))
    elif claim.relation in ADDED:
        found = [
            Move(f.alone(), f.joined(k.row), (*f.conditions, *k.conditions), k.level)
            for k in f.kinds
        ]
    else:
        found = list(replacements(claim, f))
    if claim.bound or claim.region or claim.values:
        found = [m for m in found if m.level.head != "oo"]
    once: dict[tuple[object, ...], Move] = {}
    for m in found:
        once.setdefault(m.key(), m)
    return list(once.values())


def moves_of_values(f: Frame) -> Iterator[Move]:
    for k in f.kinds:
        before, after = ({name(n): v for n, v in side.items()} for side in k.place.record)
        yield Move(before, after, (), k.level)


def move_in_region(claim: Claim) -> Move:
    """Every value that satisfies the conditions becomes every other one."""
    to = {n: name(neighbour(n)) for n in claim.direct}
    here = [c for _, c in claim.region]
    there = [substitute(c, to) for c in here]
    gaps = tuple(plus(w, times(number(-1), name(n))) for n, w in to.items())
    return Move({}, {name(n): w for n, w in to.items()}, (*here, *there), claim.level, gaps)


def moves_of_answers(claim: Claim) -> Iterator[Move]:
    low, high = map(number, AMOUNTS[claim.relation])
    amounts = {name(q): query_number(q) for q in claim.direct}
    steps = [{q: d} for q, d in amounts.items()] if claim.relation == "one" else [amounts]
    for step in steps:
        bounds = tuple(make("and", at_most(low, d), at_most(d, high)) for d in step.values())
        after = {q: plus(q, d) for q, d in step.items()}
        yield Move({}, after, bounds, claim.level, tuple(step.values()))


def replacements(claim: Claim, f: Frame) -> Iterator[Move]:
    """One record becomes another; for `hdp` of equal demand and equal public parts."""
    kept = ("eps", *claim.public) if claim.relation == "hdp" else ()
    primed = {u: name(u + "'") for u, _ in claim.unknowns if u not in kept}
    cover(len(f.kinds) <= 1000, "there are too many records")
    if claim.records:
        pairs = list(itertools.permutations(f.kinds, 2))
    else:
        swap = claim.relation == "swap"
        pairs = [(a, b) for a in f.kinds for b in f.kinds if a is b or swap]
    same = not claim.records
    for old, new in pairs:
        CLOCK.ask()
        row = [substitute_all(c, primed) for c in new.row]
        also = [substitute_all(c, primed) for c in new.conditions]
        alike: list[Tree] = []
        if claim.records and kept:
            alike = [make("==", old.place.record[k], new.place.record[k]) for k in kept]
        sure = [known_truth(c, claim.base, Rejected) for c in alike]
        if False not in sure:
            open_ = [c for c, known in zip(alike, sure, strict=True) if known is None]
            said = (*f.conditions, *old.conditions, *also, *open_)
            endless = old.place.values is not None
            changed = [u for u in primed if not (endless and u == "eps")]
            differ = tuple(changed_by(u) for u in changed) if same and old is new else None
            yield Move(f.joined(old.row), f.joined(row), said, old.level, differ)


def substitute_all(e: Tree, values: Mapping[str, Tree]) -> Tree:
    return substitute(e, values) if values else e


def changed_by(u: str) -> Tree:
    """u' - u."""
    return plus(name(u + "'"), times(number(-1), name(u)))


def schema(claim: Claim, conditions: Sequence[Tree]) -> tuple[Frame, list[Move]]:
    """The one move that stands for all additions of records.

    every record of finite level satisfies every condition
    ------------------------------------------------------
    what holds for contributions @c1, @c2, ... and a level @level that satisfy the conditions holds
    for every record
    """
    need(
        claim.relation in ADDED and bool(claim.records),
        "`conditions` need ahdp or add-remove over listed records",
    )
    need(is_number(claim.delta) and claim.delta.value == 0, "`conditions` do not allow a delta")
    f = frame(claim, False)
    row = [name(f"@c{j}") for j in range(1, len(f.nodes) + 1)]
    for k in f.kinds:
        values = {c.value: v for c, v in zip(row, k.row, strict=True)} | {"@level": k.level}
        for c in conditions if k.level.head != "oo" else ():
            signs = f.here.signs(claim.base.form(substitute(c, values)))
            need(-1 not in signs, "a record does not satisfy a condition")
    said = (*f.conditions, *(at_most(number(0), c) for c in conditions))
    return f, [Move(f.alone(), f.joined(row), said, name("@level"))]


@dataclass(frozen=True)
class Inequality:
    """P <= exp(level) Q, where P is the law with the nodes `small`, and Q that with `large`."""

    here: Context
    small: Nodes
    large: Nodes
    level: Tree
    delta: Tree


def inequalities(
    claim: Claim, counts: bool, conditions: Sequence[Tree] = ()
) -> Iterator[Inequality]:
    """The inequalities that have to be shown for a claim, in order."""
    need(not (conditions and counts), "`conditions` do not allow `counts`")
    f = frame(claim, counts, deltas=True)
    listed = moves(claim, f)
    if conditions:
        f, listed = schema(claim, conditions)
    for m in listed:
        CLOCK.ask()
        here = state_context(claim, f, m.conditions, m.before, m.after)
        delta = claim.delta
        for n in sums_of_delta(claim):
            delta = minus(m.after[n], m.before[n])
        yield Inequality(here, m.before, m.after, m.level, delta)
        if claim.relation not in ("swap", "any", "all"):
            yield Inequality(here, m.after, m.before, m.level, delta)


def states(claim: Claim, f: Frame) -> list[Nodes]:
    """The nodes of the law in every state of the input."""
    if claim.values:
        return [{name(n): v for n, v in value.items()} for value in claim.values]
    return [f.alone()]


def need_datasets_with_records(claim: Claim) -> None:
    """Raises unless the empty dataset is excluded or the law uses no maximum and no minimum."""
    nodes = sums_over_records(claim.density, *(m for _, m in claim.atoms), claim.defined)
    if all(n.head == "sum" for n in nodes):
        return

    def empty(node: Tree) -> Tree | None:
        return number(0) if node.head == "sum" else None

    excluded = known_truth(rebuild(claim.defined, empty), Context(), Rejected) is False
    need(
        excluded,
        "a mechanism with a maximum or minimum over records is defined for the empty dataset",
    )
