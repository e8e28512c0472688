"""The moves that replace one record by another (hdp, swap), the value of one person (any), or query
answers by others (one, all, increasing, decreasing).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.model.declarations import value_bindings, value_text
from ahdp_verify.kernel.model.domain import Inputs, Queries, Record, Values, neighbour_name
from ahdp_verify.kernel.model.neighbours import (
    ADDITIONS,
    Frame,
    Move,
    Nodes,
    additions,
    known_value_at_record,
    record_kinds,
)
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import branch_value, normal
from ahdp_verify.kernel.terms.expression import Expression, name, number, oo, substitute

EMPTY = Context.empty()
Parts = tuple[Expression, ...]  # one input, part by part
State = tuple[str, Nodes, Context]  # text, values of the nodes, and what is known of the names
INTERVAL = {"one": (-1, 1), "all": (-1, 1), "increasing": (0, 1), "decreasing": (-1, 0)}


def moved_places(relation: str, before: Sequence[Any], after: Sequence[Any]) -> tuple[int, ...]:
    """The places of the records that move between two datasets, given by their counts: the one that
    is added or removed, or the one that is replaced and the one that replaces it; Rejected unless
    one move of the relation leads from one dataset to the other.
    """
    gaps = {w: b - a for w, (a, b) in enumerate(zip(before, after, strict=True)) if a != b}
    if sorted(gaps.values()) not in ([[1], [-1]] if relation in ADDITIONS else [[-1, 1]]):
        kind = "record" if relation in ADDITIONS else "replacement"
        raise Rejected(f"the two datasets do not differ by one {kind}")
    return tuple(sorted(gaps, key=lambda w: gaps[w]))


def dataset_moves(
    relation: str, level: Expression, f: Frame, here: Context, public: tuple[str, ...]
) -> Iterator[Move]:
    """The moves of a relation on datasets; a move of level oo needs no proof and is omitted."""
    if relation in ADDITIONS:
        yield from additions(relation, level, f, here)
    elif f.domain.is_universal:
        yield from _universal_replacements(relation, level, f, public, here)
    else:
        yield from _replacements(relation, level, f, here, public)


def _replacements(
    relation: str, level: Expression, f: Frame, here: Context, public: tuple[str, ...]
) -> Iterator[Move]:
    for i, old in enumerate(f.domain.records):
        bound = known_value_at_record(level, old, here) if relation == "hdp" else level
        for j, new in enumerate(f.domain.records):
            same = () if relation == "swap" else agreement_conditions(old, new, public, here)
            if i != j and bound != oo and same is not None:
                conditions = (*f.conditions, *same)
                yield Move(
                    f"replace {old} by {new}",
                    f.with_record(f.rows[i]),
                    f.with_record(f.rows[j]),
                    conditions,
                    f.integers,
                    bound,
                )


def known_equal(a: Expression, b: Expression, here: Context) -> bool:
    """True only if two values, which may be labels or oo, are equal."""
    if a == b:
        return True
    return not {a.head, b.head} & {"label", "oo"} and (normal(a, here) - normal(b, here)).is_zero


def agreement_conditions(
    old: Record, new: Record, public: tuple[str, ...], here: Context
) -> tuple[Expression, ...] | None:
    """The conditions under which demand and public parts of two records agree; None where they
    never do.
    """
    kept = []
    for key in ("eps", *public):
        a, b = old.bindings[key], new.bindings[key]
        if a == b:
            continue
        if {"label", "oo"} & {a.head, b.head} or a.head == b.head == "number":
            return None
        gap = normal(a, here) - normal(b, here)
        if 0 not in here.ratio_signs(gap):
            return None
        if not gap.is_zero:
            kept.append(Expression("==", (a, b)))
    return tuple(kept)


def _universal_replacements(
    relation: str, level: Expression, f: Frame, public: tuple[str, ...], here: Context
) -> Iterator[Move]:
    listed = record_kinds(level, f, here)
    kept = {"eps", *public} if relation == "hdp" else set()
    other = {u: name(u + "'") for u, _ in f.domain.unknowns if u not in kept}
    for old in listed:
        for new in listed:
            if old.level == oo or (relation == "hdp" and old is not new):
                continue
            row = tuple(substitute(c, other) for c in new.row)
            conditions = (
                *f.conditions,
                *old.conditions,
                *(substitute(c, other) for c in new.conditions),
            )
            gaps = (
                None
                if old is not new
                else tuple(
                    to - name(u) for u, to in other.items() if u != "eps" or not old.infinite
                )
            )
            yield Move(
                "replace a record",
                f.with_record(old.row),
                f.with_record(row),
                conditions,
                f.integers,
                old.level,
                gaps,
            )


def value_moves(level: Expression, values: Values, here: Context) -> Iterator[Move]:
    """Every ordered pair of values of the local model; a move of level oo needs no proof and is
    omitted.
    """
    for old in values.values:
        for new in values.values:
            if old == new:
                continue
            before, after = value_bindings(old, "v"), value_bindings(new, "v")
            bound = level_between_values(
                substitute(level, {**before, **value_bindings(new, "other")}), here
            )
            if bound == oo:
                continue
            yield Move(
                f"replace {value_text(old)} by {value_text(new)}",
                _by_name(before),
                _by_name(after),
                (),
                frozenset(),
                bound,
            )


def level_between_values(bound: Expression, here: Context) -> Expression:
    """The branch of a level that holds for two given values; the level itself if the branch depends
    on more than the values.
    """
    try:
        while bound.head == "piecewise":
            bound = branch_value(bound, here)
    except (Undecided, Unsupported, ZeroDivisionError):
        return bound
    return bound


def level_of_pair(inputs: Inputs, level: Expression, before: Parts, after: Parts) -> Expression:
    """The level at v = before and other = after."""
    bound = dict(zip(inputs.bound, before, strict=True))
    bound |= dict(zip(map(neighbour_name, inputs.bound), after, strict=True))
    return level_between_values(substitute(level, bound), EMPTY)


def _by_name(bound: Mapping[str, Expression]) -> Nodes:
    return {name(k): v for k, v in bound.items()}


def query_moves(relation: str, level: Expression, queries: Queries) -> Iterator[Move]:
    """Query answers q[i] moving to q[i] + d[i]: one of them, or all, by amounts in the
    relation's interval.
    """
    low, high = INTERVAL[relation]
    for moved in (
        [(i,) for i in range(1, queries.n + 1)]
        if relation == "one"
        else [tuple(range(1, queries.n + 1))]
    ):
        shifts = {name(f"q[{i}]"): name(f"@d{i}") for i in moved}
        conditions = tuple(
            Expression("and", (number(low) <= d, d <= number(high))) for d in shifts.values()
        )
        text = f"query {moved[0]}" if relation == "one" else f"{relation} queries"
        yield Move(
            text,
            {},
            {q: q + d for q, d in shifts.items()},
            conditions,
            frozenset(),
            level,
            tuple(shifts.values()),
        )


class InputRules(Protocol):
    """What a claim about one kind of input is about: its states, its moves, and which concrete
    inputs there are.

    `m` is the mechanism and `claim` the claim, whose modules import this one.
    """

    def states(self, m: Any, here: Context) -> Iterator[State]:
        """Every input is an instance of one of these states."""
        ...

    def moves(self, claim: Any, here: Context) -> Iterator[Move]:
        """Every move of finite level is an instance of one of these."""
        ...

    def nodes(self, m: Any, side: Parts, given: Mapping[str, Expression]) -> Nodes:
        """The values of the nodes at one concrete input; Rejected if it is not an input."""
        ...

    def level_between(
        self, relation: str, level: Expression, before: Parts, after: Parts
    ) -> Expression:
        """The level of the move between two concrete inputs; Rejected if there is no such move."""
        ...


@dataclass(frozen=True, slots=True)
class ValueRules:
    """The local model: any listed value becomes any other."""

    inputs: Values

    def states(self, m: Any, here: Context) -> Iterator[State]:
        """One for each value."""
        for v in self.inputs.values:
            yield f"input {value_text(v)}", _by_name(self.inputs.bindings(v)), here

    def moves(self, claim: Any, here: Context) -> Iterator[Move]:
        """Every ordered pair of values."""
        return value_moves(claim.level, self.inputs, here)

    def nodes(self, m: Any, side: Parts, given: Mapping[str, Expression]) -> Nodes:
        """The value of v, or of its parts; Rejected unless it is listed."""
        if side not in [v if isinstance(v, tuple) else (v,) for v in self.inputs.values]:
            raise Rejected("the input is not one of the mechanism's values")
        return dict(zip(map(name, self.inputs.bound), side, strict=True))

    def level_between(
        self, relation: str, level: Expression, before: Parts, after: Parts
    ) -> Expression:
        """The level at v and other; Rejected for a value beside itself."""
        if before == after:
            raise Rejected("the two values are the same")
        return level_of_pair(self.inputs, level, before, after)


@dataclass(frozen=True, slots=True)
class QueryRules:
    """Query answers move by at most 1, in the directions of the relation."""

    inputs: Queries

    def states(self, m: Any, here: Context) -> Iterator[State]:
        """One for all answers."""
        yield "all query answers", {}, here

    def moves(self, claim: Any, here: Context) -> Iterator[Move]:
        """One for each answer, or one for all together."""
        return query_moves(claim.relation, claim.level, self.inputs)

    def nodes(self, m: Any, side: Parts, given: Mapping[str, Expression]) -> Nodes:
        """The values of the answers."""
        if len(side) != self.inputs.n:
            raise Rejected("the number of query answers is wrong")
        return {name(key): q for key, q in zip(self.inputs.bound, side, strict=True)}

    def level_between(
        self, relation: str, level: Expression, before: Parts, after: Parts
    ) -> Expression:
        """The level itself; Rejected unless the answers differ as the relation allows."""
        low, high = INTERVAL[relation]
        gaps = [normal(b - a, EMPTY).as_rational for a, b in zip(before, after, strict=True)]
        if any(g is None for g in gaps):
            raise Rejected("query answers are rational")
        moved = [g for g in gaps if g]
        legal = any(all(low <= s * g <= high for g in moved if g is not None) for s in (1, -1))
        if not moved or not legal or (relation == "one" and len(moved) > 1):
            raise Rejected(f"the two lists of query answers are not neighbouring ({relation})")
        return level


def rules_of(inputs: Inputs) -> InputRules:
    """The states and moves of inputs that are not datasets; a kind beyond those below tells its
    own.
    """
    if isinstance(inputs, Values):
        return ValueRules(inputs)
    if isinstance(inputs, Queries):
        return QueryRules(inputs)
    return cast(InputRules, inputs)
