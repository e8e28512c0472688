"""The moves that replace one record by another (hdp, swap), the value of one person (any), or query
answers by others (one, all, increasing, decreasing).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.model.declarations import value_bindings, value_text
from ahdp_verify.kernel.model.domain import Queries, Record, Values
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

INTERVAL = {"one": (-1, 1), "all": (-1, 1), "increasing": (0, 1), "decreasing": (-1, 0)}


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
