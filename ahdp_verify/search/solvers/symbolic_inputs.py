"""Symbolic pairs of neighbouring inputs: a solver's model fills in their values to give a
counterexample.

Datasets are whole counts #1, #2, ... of the domain's records, or a few records of a universal
domain with unknowns of their own (alpha~1 belongs to the first other record); maxima and minima are
numbers attained by a present record and exceeded by none. Every filling that satisfies the
conditions is a real input, unlike the opaque sums of `ahdp_verify.kernel.model.neighbours`.

>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.model.privacy import ahdp
>>> s, W = real("s"), Domain([(0, 1), (5, 1)])
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(name("x")))) / 2)
>>> for pair in list(symbolic_pairs(ahdp(M)))[2:]:
...     print(pair.obligation.text, *(str(e) for side in pair.sides for e in side), *map(str, pair.obligation.dominated.values()))
add (5, 1) #1 #2 + 1 #1 #2 5*(#2 + 1)
remove (5, 1) #1 #2 #1 #2 + 1 5*#2
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from operator import or_

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Queries, Record, Values
from ahdp_verify.kernel.model.mechanism import dataset_nodes
from ahdp_verify.kernel.model.neighbours import (
    DominatedInput,
    DominatingInput,
    Nodes,
    count_name,
    known_value_at_record,
    substitute_nodes,
)
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.obligations import (
    Obligation,
    mechanism_context,
    mechanism_frame,
    moves,
)
from ahdp_verify.kernel.terms.expression import (
    ONE,
    TRUE,
    ZERO,
    Expression,
    Max,
    Min,
    add,
    eq,
    multiply,
    name,
    names,
    number,
    oo,
    substitute,
)

SideTerms = tuple[Expression, ...]
MOST_OTHERS = 3  # further records of a universal domain in a dataset


@dataclass(frozen=True, slots=True)
class SymbolicPair:
    """Two inputs that are one move apart, at which a violation dominated > exp(level) * dominating
    is searched for.

    sides       counts, values or query answers of the dominated and of the dominating one, in the
                names that a model fills
    instances   for a universal domain, the unknowns of each record
    filled      the names that a model fills, in the order in which simple values are tried
    """

    obligation: Obligation
    sides: tuple[SideTerms, SideTerms]
    conditions: tuple[Expression, ...]
    filled: tuple[str, ...]
    instances: tuple[tuple[tuple[str, Expression], ...], ...] = ()


def symbolic_pairs(claim: Claim) -> Iterator[SymbolicPair]:
    """Both directions of every move of the claim, fewest records first."""
    inputs = claim.mechanism.inputs
    if isinstance(inputs, Values):
        listed = _value_pairs(claim, inputs)
    elif isinstance(inputs, Queries):
        listed = _query_pairs(claim, inputs.n)
    elif not isinstance(inputs, Domain):
        listed = _real_pairs(claim)
    elif inputs.is_universal:
        listed = _universal_pairs(claim, inputs)
    else:
        listed = _dataset_pairs(claim, inputs)
    given = tuple(c for _, c in claim.mechanism.parameters)
    for pair in listed:
        nodes = (pair.obligation.dominating, pair.obligation.dominated)
        defined = (
            tuple(substitute_nodes(claim.mechanism.defined, n) for n in nodes)
            if claim.mechanism.defined != TRUE
            else ()
        )
        yield SymbolicPair(
            pair.obligation,
            pair.sides,
            (*given, *pair.conditions, *defined),
            pair.filled,
            pair.instances,
        )


def _obligation(
    claim: Claim,
    text: str,
    dominated: DominatedInput,
    dominating: DominatingInput,
    level: Expression,
    whole: frozenset[str] = frozenset(),
) -> Obligation:
    here = mechanism_context(claim.mechanism)
    return Obligation(text, Context((), {}, here.integers | whole), dominated, dominating, level)


def _value_pairs(claim: Claim, inputs: Values) -> Iterator[SymbolicPair]:
    for old in inputs.values:
        for new in inputs.values:
            if old != new:
                dominated, dominating = (
                    {name(k): e for k, e in inputs.bindings(v).items()} for v in (old, new)
                )
                level = substitute(
                    claim.level, {**inputs.bindings(old), **inputs.bindings(new, "other")}
                )
                sides = tuple(v if isinstance(v, tuple) else (v,) for v in (old, new))
                obligation = _obligation(
                    claim, "values", DominatedInput(dominated), DominatingInput(dominating), level
                )
                yield SymbolicPair(obligation, (sides[0], sides[1]), (), ())


def _query_pairs(claim: Claim, n: int) -> Iterator[SymbolicPair]:
    asked = tuple(name(f"q[{i + 1}]") for i in range(n))
    for move in moves(claim):
        moved = tuple(substitute_nodes(q, move.after) for q in asked)
        shifts = sorted(frozenset().union(*(names(m) for m in moved)) - {q.args[0] for q in asked})
        for sides, dominated, dominating in (
            ((moved, asked), move.after, move.before),
            ((asked, moved), move.before, move.after),
        ):
            obligation = _obligation(
                claim, move.text, DominatedInput(dominated), DominatingInput(dominating), move.level
            )
            yield SymbolicPair(
                obligation, sides, move.conditions, (*(q.args[0] for q in asked), *shifts)
            )


def _real_pairs(claim: Claim) -> Iterator[SymbolicPair]:
    """Any two values of one person that satisfy the conditions."""
    asked = tuple(name(key) for key in claim.mechanism.inputs.bound)
    for move in moves(claim):
        moved = tuple(substitute_nodes(v, move.after) for v in asked)
        obligation = _obligation(
            claim,
            move.text,
            DominatedInput(move.before),
            DominatingInput(move.after),
            move.level,
        )
        filled = tuple(v.args[0] for v in (*asked, *moved))
        yield SymbolicPair(obligation, (asked, moved), move.conditions, filled)


def _dataset_pairs(claim: Claim, domain: Domain) -> Iterator[SymbolicPair]:
    here, records = mechanism_context(claim.mechanism), domain.records
    h = tuple(count_name(w) for w in range(len(records)))
    whole = tuple(c.args[0] for c in h)
    for text, old, new, level in _dataset_moves(claim, records, here):
        below, above = (
            tuple(add(c, ONE) if w == i else c for w, c in enumerate(h)) for i in (old, new)
        )
        (dominating, first), (dominated, second) = (
            _state(claim, below, ""),
            _state(claim, above, "'"),
        )
        conditions = (*(c >= ZERO for c in h), *first, *second)
        obligation = _obligation(
            claim,
            text,
            DominatedInput(dominated),
            DominatingInput(dominating),
            level,
            frozenset(whole),
        )
        yield SymbolicPair(obligation, (above, below), conditions, whole)


def _dataset_moves(
    claim: Claim, records: tuple[Record, ...], here: Context
) -> Iterator[tuple[str, int | None, int | None, Expression]]:
    """(text, number of the record that only the dominating dataset has, that only the dominated
    one has, level).
    """
    of_record = claim.relation in ("ahdp", "hdp")
    levels = [
        known_value_at_record(claim.level, r, here) if of_record else claim.level for r in records
    ]
    for i, r in enumerate(records):
        if claim.relation in ("ahdp", "add-remove") and levels[i] != oo:
            yield from ((f"add {r}", None, i, levels[i]), (f"remove {r}", i, None, levels[i]))
        for j, other in enumerate(records if claim.relation in ("hdp", "swap") else ()):
            if (
                i != j
                and levels[i] != oo
                and (claim.relation == "swap" or _same_public(r, other, claim.public))
            ):
                yield (
                    f"replace {r} by {other}",
                    j,
                    i,
                    levels[i],
                )  # the dominated side contains the record whose level is claimed


def _same_public(r: Record, other: Record, public: tuple[str, ...]) -> bool:
    return r.demand == other.demand and all(
        r.bindings.get(part) == other.bindings.get(part) for part in public
    )


def _state(claim: Claim, side: SideTerms, tag: str) -> tuple[Nodes, tuple[Expression, ...]]:
    """What the aggregates are at a dataset of symbolic counts, and the conditions that say so."""
    f = mechanism_frame(claim.mechanism, False)
    nodes: dict[Expression, Expression] = {}
    conditions: list[Expression] = []
    for j, node in enumerate(f.nodes):
        column = [row[j] for row in f.rows]
        if node.head == "sum":
            nodes[node] = add(
                ZERO, *(multiply(v, c) for v, c in zip(column, side, strict=True) if v != ZERO)
            )
            continue
        best = nodes[node] = name(f"@{node.head}{j + 1}{tag}")
        there = [(v, c >= ONE) for v, c in zip(column, side, strict=True)]
        conditions += [
            ~present | (v <= best if node.head == "maximum" else best <= v) for v, present in there
        ]
        conditions.append(reduce(or_, (present & eq(v, best) for v, present in there)))
    return nodes, tuple(conditions)


def _universal_pairs(claim: Claim, domain: Domain) -> Iterator[SymbolicPair]:
    for others in range(MOST_OTHERS + 1):
        yield from _with_others(claim, domain, others)


def _with_others(claim: Claim, domain: Domain, others: int) -> Iterator[SymbolicPair]:
    unknowns = [u for u, _ in domain.unknowns]
    replaced = claim.relation in ("hdp", "swap")
    kept = {"eps", *claim.public} if claim.relation == "hdp" else set()
    tables = [{u: name(u) for u in unknowns}]
    tables += [{u: name(u if u in kept else f"{u}'") for u in unknowns}] if replaced else []
    tables += [{u: name(f"{u}~{k + 1}") for u in unknowns} for k in range(others)]
    conditions = tuple(
        dict.fromkeys(substitute(c, table) for table in tables for _, c in domain.unknowns)
    )
    fixed = (ONE,) * others
    moves_ = (
        [((ONE, ZERO, *fixed), (ZERO, ONE, *fixed))]
        if replaced
        else [((ONE, *fixed), (ZERO, *fixed)), ((ZERO, *fixed), (ONE, *fixed))]
    )
    filled = tuple(dict.fromkeys(e.args[0] for table in tables for e in table.values()))
    for sides in moves_:
        dominated, dominating = (_universal_state(claim, tables, side) for side in sides)
        if dominated is not None and dominating is not None:
            obligation = _obligation(
                claim,
                "records",
                DominatedInput(dominated),
                DominatingInput(dominating),
                claim.level,
            )
            yield SymbolicPair(
                obligation,
                sides,
                conditions,
                filled,
                tuple(tuple(table.items()) for table in tables),
            )


def _universal_state(
    claim: Claim, tables: list[dict[str, Expression]], side: SideTerms
) -> Nodes | None:
    """What the aggregates are at a dataset of a few records; None where one is undefined."""
    held = [table for table, count in zip(tables, side, strict=True) if count != ZERO]
    nodes: dict[Expression, Expression] = {}
    for node in dataset_nodes(claim.mechanism):
        values = [substitute(node.args[0], table) for table in held]
        if node.head != "sum" and not values:
            return None
        nodes[node] = (
            add(ZERO, *values)
            if node.head == "sum"
            else (Max if node.head == "maximum" else Min)(*values)
        )
    return nodes


def rational_value(e: Expression, values: dict[str, Expression]) -> Expression | None:
    """The rational number that an expression is at rational values, as a tree; None if it is
    none.
    """
    try:
        r = normal(substitute(e, values), Context.empty()).as_rational
    except (Undecided, Unsupported, ZeroDivisionError):
        return None
    return None if r is None else number(r)
