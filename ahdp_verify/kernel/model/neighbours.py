"""The moves of a neighbour relation: how neighbouring inputs differ, and the level that bounds the
privacy loss between them.

A move is the step from one input to a neighbouring one.  It replaces nodes of the law (record sums,
values, query answers) by expressions in state names, once for the input before and once for the
input after.  State names cannot be typed by a user: @1, @2 ... are the record aggregates of the
rest of the dataset, #1, #2 ... the counts of its records.  Aggregates are treated as arbitrary real
numbers: what holds for all of them holds for every dataset, however large.

    relation          move                                                      level
    ahdp              add one record (x, eps) of W, or remove it                level(x, eps)
    hdp               one record (x, eps) becomes (x', eps), public parts       level(x, eps)
                      equal
    add-remove        add or remove one record                                  one for all
    swap              one record becomes another                                one for all
    any               one value becomes another (local model)                   level(v, other)
    one, all,         one query answer, or all of them, move by at most 1, in   one for all
    increasing,       any direction or in the named one
    decreasing
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NewType, overload

from ahdp_verify.kernel.errors import BadInput, Undecided, Undefined, Unsupported
from ahdp_verify.kernel.model.domain import Domain, Record, value_at_bindings, value_at_record
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import (
    assume_condition,
    known_truth,
    normal,
    refusal_text,
    to_expression,
)
from ahdp_verify.kernel.terms.expression import (
    Expression,
    Max,
    Min,
    add,
    conjuncts,
    evaluate,
    multiply,
    name,
    names,
    number,
    oo,
    substitute,
    transform,
    walk,
)

RELATIONS = ("ahdp", "hdp", "add-remove", "swap", "any", "one", "all", "increasing", "decreasing")
OF_DATASETS, OF_QUERIES = RELATIONS[:4], RELATIONS[5:]
ADDITIONS = ("ahdp", "add-remove")  # the others replace a record, a value or answers
ONE_WAY = (
    "swap",
    "any",
    "all",
)  # relations whose moves include their inverses, so that one direction of each suffices
Nodes = Mapping[Expression, Expression]

# The two sides of an obligation, dominated <= exp(level) * dominating
# (`rules.obligations.Obligation`): as laws, and as the inputs at which the law is evaluated to get them. They are separate types so that
# swapping the two, which would reverse an inequality, is a type error.
Dominated = NewType("Dominated", Expression)
Dominating = NewType("Dominating", Expression)
DominatedInput = NewType("DominatedInput", Nodes)
DominatingInput = NewType("DominatingInput", Nodes)


@dataclass(frozen=True, slots=True)
class Move:
    """One move: the replacements of nodes before and after, conditions on the names in them, the
    integer names, the level, and a readable name.

    `gaps`: where all of these are 0, the move leads from an input to itself; None for a move that
    never does.
    """

    text: str
    before: Nodes
    after: Nodes
    conditions: tuple[Expression, ...]
    integers: frozenset[str]
    level: Expression
    gaps: tuple[Expression, ...] | None = None


@overload
def substitute_nodes(e: Expression, nodes: DominatedInput) -> Dominated: ...
@overload
def substitute_nodes(e: Expression, nodes: DominatingInput) -> Dominating: ...
@overload
def substitute_nodes(e: Expression, nodes: Nodes) -> Expression: ...
def substitute_nodes(e: Expression, nodes: Nodes) -> Expression:
    """e with its record sums, values or query answers replaced by what they are in one state."""
    return _substituted(e, tuple(nodes.items()))


@lru_cache(maxsize=4096)  # four of five are asked for again, by the cases of a proof
def _substituted(e: Expression, nodes: tuple[tuple[Expression, Expression], ...]) -> Expression:
    return transform(e, dict(nodes).get)


def parameter_context(conditions: tuple[tuple[str, Expression], ...]) -> Context:
    """The context given by the conditions of parameters."""
    return assume_all((condition for _, condition in conditions), Context.empty())


def assume_all(conditions: Iterable[Expression], here: Context) -> Context:
    """The context with the facts of conditions, as far as these have a known form."""
    for condition in conditions:
        here = assume_known_facts(condition, here)
    return here


def assume_known_facts(condition: Expression, here: Context) -> Context:
    """The context with the condition's facts; a condition of an unknown form gives none, which only
    weakens the assumptions.
    """
    try:
        return assume_condition(condition, here)
    except (Undecided, Unsupported, ZeroDivisionError):
        return here


def known_value_at_record(body: Expression, record: Record, here: Context) -> Expression:
    """The canonical value of a record expression at a record; at demand oo its limit, which may
    be oo.
    """
    if (simple := evaluate(body, record.rationals)) is not None:
        return number(simple)
    try:
        value = value_at_record(body, record, here)
        return value if value == oo else to_expression(normal(value, here))
    except ZeroDivisionError:
        raise BadInput(
            str(body), f"it divides by 0 at the record {record}", "change the formula or the domain"
        ) from None
    except Undefined as why:
        raise BadInput(
            str(body),
            f"it has no value at the record {record}: {why}",
            "change the formula or the domain",
        ) from None
    except Undecided as missing:
        reason = f"the value of {body} at the record {record} is not known, since {refusal_text(missing)}"
        raise Unsupported(f"{reason}; state that sign as a condition of a parameter") from None
    except Unsupported as why:
        raise Unsupported(
            f"the value of {body} at the record {record} was not found: {why}"
        ) from None


def finite_weight(node: Expression, record: Record, here: Context) -> Expression:
    """The value of an aggregate's body at a record; an infinite weight is bad input."""
    value = known_value_at_record(node.args[0], record, here)
    if any(part == oo for part in walk(value)):
        raise BadInput(
            str(node),
            f"the record {record} has an infinite weight",
            "bound the weight, for example 1 - exp(-eps) or min(eps, 1)",
        )
    return value


def _joined_aggregate(node: Expression, rest: Expression, contribution: Expression) -> Expression:
    """The aggregate of a dataset: the rest's aggregate and one record's contribution."""
    if node.head == "sum":
        return add(rest, contribution)
    return (Max if node.head == "maximum" else Min)(rest, contribution)


def rest_name(i: int) -> Expression:
    """The state name of aggregate number i of the rest of the dataset."""
    return name(f"@{i + 1}")


def count_name(i: int) -> Expression:
    """The state name of the count of record number i in the rest of the dataset."""
    return name(f"#{i + 1}")


@dataclass(frozen=True, slots=True)
class Frame:
    """The aggregates that occur, their contributions by record, and the state in which they are
    written (counts or opaque).
    """

    domain: Domain
    nodes: tuple[Expression, ...]
    rows: tuple[
        tuple[Expression, ...], ...
    ]  # rows[w][j]: contribution of record w to aggregate j; one generic row if universal
    rest: tuple[Expression, ...]
    conditions: tuple[Expression, ...]
    integers: frozenset[str]
    infinite: tuple[Expression, ...] | None = (
        None  # of a universal domain: the contributions at demand oo
    )

    def with_record(self, row: tuple[Expression, ...]) -> dict[Expression, Expression]:
        """The aggregates of the rest and one record more."""
        return {
            n: _joined_aggregate(n, r, c)
            for n, r, c in zip(self.nodes, self.rest, row, strict=True)
        }

    def alone(self) -> dict[Expression, Expression]:
        """The aggregates of the rest."""
        return dict(zip(self.nodes, self.rest, strict=True))


def frame(
    domain: Domain, nodes: tuple[Expression, ...], here: Context, counts: bool = False
) -> Frame:
    """The frame of the aggregates `nodes`: opaque by default, in counts on demand (finite
    domains, sums only).
    """
    infinite: tuple[Expression, ...] | None = None
    unbounded = here  # what is known of a record with demand oo
    if domain.is_universal:
        rows: tuple[tuple[Expression, ...], ...] = (tuple(n.args[0] for n in nodes),)
        infinite = contributions_at_infinite_demand(domain, nodes, here)
        unbounded = here if infinite is None else infinite_demand_context(domain, here)
        here = assume_all((condition for _, condition in domain.unknowns), here)
    else:
        rows = tuple(tuple(finite_weight(n, r, here) for n in nodes) for r in domain.records)
    if counts:
        return _in_counts(domain, nodes, rows)
    rest = tuple(rest_name(i) for i in range(len(nodes)))
    conditions: list[Expression] = []
    integers: set[str] = set()
    for j, node in enumerate(nodes):
        distinct = tuple(
            dict.fromkeys(row[j] for row in (*rows, *([infinite] if infinite else [])))
        )
        conditions += _aggregate_range(
            node, rest[j], distinct, here, finite=not domain.is_universal
        )
        if infinite is not None and not _nonnegative(infinite[j], unbounded):
            conditions = [c for c in conditions if c != (number(0) <= rest[j])]
        if all(_is_whole_weight(c) for c in distinct):
            integers.add(rest[j].args[0])
    return Frame(domain, nodes, rows, rest, tuple(conditions), frozenset(integers), infinite)


def _is_whole_weight(c: Expression) -> bool:
    """True only if a contribution is an integer, whichever of its branches holds."""
    if c.head in ("piecewise", "+", "*"):
        return all(_is_whole_weight(a) for a in (c.args[::2] if c.head == "piecewise" else c.args))
    return c.head == "number" and c.args[0].denominator == 1


def contributions_at_infinite_demand(
    domain: Domain, nodes: tuple[Expression, ...], here: Context
) -> tuple[Expression, ...] | None:
    """The contributions of a universal domain's record with demand oo, as limits; None if the
    conditions exclude that demand.
    """
    for _, condition in domain.unknowns:
        for c in conjuncts(condition):
            if "eps" not in names(c):
                here = assume_known_facts(c, here)
            elif known_truth(substitute(c, {"eps": oo}), here) is False:
                return None
    row = tuple(
        value_at_bindings(n.args[0], {"eps": oo}, here) if "eps" in names(n.args[0]) else n.args[0]
        for n in nodes
    )
    if any(part == oo for c in row for part in walk(c)):
        raise BadInput(
            "domain",
            "a record with demand oo has an infinite weight",
            'bound the weight, or state the condition "eps < oo"',
        )
    return row


def infinite_demand_context(domain: Domain, here: Context) -> Context:
    """What is known about the unknowns of a record with demand oo: the conditions that do not
    mention the demand.
    """
    return assume_all(
        (c for _, e in domain.unknowns for c in conjuncts(e) if "eps" not in names(c)), here
    )


def _aggregate_range(
    node: Expression,
    rest: Expression,
    contributions: tuple[Expression, ...],
    here: Context,
    finite: bool,
) -> list[Expression]:
    """What is known about an aggregate of any records: a sum of numbers >= 0 is >= 0, an extreme
    lies between the extreme contributions.

    The extreme of no records may be taken to be the smallest (largest) contribution: joined with a
    record it gives that record's own.
    """
    known = [number(0) <= rest] if all(_nonnegative(c, here) for c in contributions) else []
    if node.head != "sum" and finite and all(c.head == "number" for c in contributions):
        values = [c.args[0] for c in contributions]
        known += [number(min(values)) <= rest, rest <= number(max(values))]
    return known


def _nonnegative(c: Expression, here: Context) -> bool:
    if c.head == "number":
        return bool(c.args[0] >= 0)
    if c.head == "piecewise":
        return all(_nonnegative(value, here) for value in c.args[::2])
    try:
        return here.ratio_signs(normal(c, here)) <= {0, 1}
    except (Undecided, Unsupported, ZeroDivisionError):
        return False


def _in_counts(
    domain: Domain, nodes: tuple[Expression, ...], rows: tuple[tuple[Expression, ...], ...]
) -> Frame:
    if domain.is_universal or any(n.head != "sum" for n in nodes):
        raise Unsupported("counts are for sums over a finite domain")
    h = tuple(count_name(w) for w in range(len(rows)))
    rest = tuple(
        add(*(multiply(row[j], h[w]) for w, row in enumerate(rows))) for j in range(len(nodes))
    )
    return Frame(
        domain, nodes, rows, rest, tuple(number(0) <= c for c in h), frozenset(c.args[0] for c in h)
    )


def additions(relation: str, level: Expression, f: Frame, here: Context) -> Iterator[Move]:
    """The moves that add one record; a move of level oo needs no proof and is omitted."""
    before = f.alone()

    def move(text: str, k: _RecordKind) -> Move:
        conditions = (*f.conditions, *k.conditions)
        return Move(text, before, f.with_record(k.row), conditions, f.integers, k.level)

    if f.domain.is_universal:
        kinds = record_kinds(level, f, here)
        yield from (move("add a record", k) for k in kinds if k.level != oo)
        return
    for record, row in zip(f.domain.records, f.rows, strict=True):
        bound = known_value_at_record(level, record, here) if relation == "ahdp" else level
        if bound != oo:
            yield move(f"add {record}", _RecordKind(row, bound, ()))


@dataclass(frozen=True, slots=True)
class _RecordKind:
    """Records of a universal domain with finite demand, or with demand oo: contributions, level,
    and what is known of the unknowns.
    """

    row: tuple[Expression, ...]
    level: Expression
    conditions: tuple[Expression, ...]
    infinite: bool = False


def record_kinds(level: Expression, f: Frame, here: Context) -> list[_RecordKind]:
    """The generic record with finite demand and, where demand oo is possible and makes a
    difference, the one with demand oo.
    """
    parts = [c for _, condition in f.domain.unknowns for c in conjuncts(condition)]
    result = [_RecordKind(f.rows[0], level, tuple(parts))]
    if f.infinite is None or not (
        "eps" in names(level).union(*(names(c) for c in f.rows[0]))
        or any(_beyond(c) for c in parts)
    ):
        return result
    rest = tuple(c for c in parts if "eps" not in names(c))
    bound = value_at_bindings(level, {"eps": oo}, assume_all(rest, here))
    return [*result, _RecordKind(f.infinite, bound, rest, True)]


def _beyond(condition: Expression) -> bool:
    """Whether a condition says more about eps than a lower bound, so that demand oo is not a limit
    of finite demands.
    """
    lower = (
        condition.head in ("<", "<=")
        and condition.args[1] == name("eps")
        and "eps" not in names(condition.args[0])
    )
    return "eps" in names(condition) and not lower
