"""The input of a mechanism: a multiset of records, real query answers, or the value of one person.

A record is a pair (value, demand): the demand is the privacy loss in nats that its owner accepts,
from 0 to oo.  A `Domain` lists the records that a dataset may hold, or is universal: one generic
record with named unknowns stands for all that satisfy its conditions. A dataset is a finite
multiset of records (all of N^W, the empty one included), so order never matters (datasets
themselves are in `ahdp_verify.datasets`).

>>> W = Domain([(0, 0), (1, 1), ("none", oo)])
>>> print(W.records[2], W.sum(lambda x, eps: eps))
("none", oo) sum(eps)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ahdp_verify.kernel.errors import BadInput, Unsupported
from ahdp_verify.kernel.model import declarations as reading
from ahdp_verify.kernel.model.alternatives import Alternatives, alternatives
from ahdp_verify.kernel.model.canonical import Canonical
from ahdp_verify.kernel.model.declarations import (
    NamedConditions,
    Value,
    check_no_duplicates,
    set_fields,
    value_bindings,
    value_from_json,
    value_key,
    value_text,
    value_to_json,
)
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.limits_at_infinity import limit_at_infinity
from ahdp_verify.kernel.numbers.normal_form import branch_value, normal, to_expression
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms.expression import (
    Expression,
    eq,
    name,
    names,
    oo,
    substitute,
    sum_over_records,
)

if TYPE_CHECKING:
    from ahdp_verify.kernel.model.record_expression import Body

DEMAND = Expression("<=", (ex.ZERO, name("eps")))


def neighbour_name(key: str) -> str:
    """The name of a part of the neighbour's value: other for v, other[2] for v[2]."""
    return "other" + key.removeprefix("v")


class Inputs(Canonical):
    """What every kind of input has: `bound`, the names that stand for its parts, the `relations`
    that fit it, the usual one first, the `cure` for others, and the `noun` of a scope.

    A mechanism may use no `reserved` name for anything else.  `pair_names` are those that a level
    between two inputs may use.  States and moves are told by
    `ahdp_verify.kernel.model.replacements.InputRules`.
    """

    __slots__ = ()
    relations: tuple[str, ...]
    noun = cure = ""
    parameters: NamedConditions = ()

    @property
    def bound(self) -> tuple[str, ...]:
        """The names that stand for parts of the input."""
        raise NotImplementedError

    @property
    def reserved(self) -> frozenset[str]:
        """The names, without part numbers, that mean the input."""
        return frozenset(key.split("[")[0] for key in (*self.bound, *self.pair_names))

    @property
    def pair_names(self) -> frozenset[str]:
        """In the local model v and other, or their parts; else none."""
        local = self.bound if self.relations == ("any",) else ()
        return frozenset((*local, *map(neighbour_name, local)))

    @property
    def choices(self) -> dict[str, Alternatives]:
        """The possible values of those names that are not arbitrary numbers."""
        return {}

    def check_parameters(self, parameters: Iterable[str]) -> None:
        """BadInput where the description of the input mentions anything but these parameters."""


@dataclass(frozen=True, slots=True, init=False)
class Record:
    """One person: `value`, an exact constant, a label or a tuple of those, and `demand` in [0,
    oo], in nats.
    """

    value: Value
    demand: Expression

    def __init__(self, value: object, demand: object) -> None:
        set_fields(self, value=reading.read_value(value), demand=reading.read_demand(demand))

    def __str__(self) -> str:
        return f"({value_text(self.value)}, {self.demand})"

    @property
    def bindings(self) -> dict[str, Expression]:
        """The values of x (or x[1], x[2], ...) and eps in the body of a sum over records."""
        return value_bindings(self.value, "x") | {"eps": self.demand}

    @property
    def rationals(self) -> dict[str, Fraction]:
        """Those of the bindings that are rational numbers."""
        return {k: v.args[0] for k, v in self.bindings.items() if v.head == "number"}


def as_record(pair: object) -> Record:
    """The record of a pair (value, demand), or the record itself; BadInput for anything else."""
    if isinstance(pair, Record):
        return pair
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        raise BadInput("record", f"{str(pair)[:60]} is not a pair", "write (value, demand)")
    return Record(*pair)


@dataclass(frozen=True, slots=True, init=False)
class Domain(Inputs):
    """The records that a dataset may hold: `records` in a fixed order, or, if universal, the
    `unknowns` of one generic record.

    `unknowns` and `parameters` are names with conditions; eps, the demand in [0, oo], is an unknown
    of every universal domain. Raises BadInput for an empty domain, a record listed twice, and
    values with different numbers of parts.
    """

    records: tuple[Record, ...]
    unknowns: NamedConditions
    parameters: NamedConditions
    relations = ("ahdp", "hdp", "add-remove", "swap")
    noun, cure = "datasets", "use ahdp, hdp, add-remove or swap for datasets"
    where = "domain"

    def __init__(self, records: Iterable[object]) -> None:
        listed = tuple(as_record(pair) for pair in records)
        reading.check_values([r.value for r in listed], "domain")
        check_no_duplicates(
            listed,
            "domain",
            lambda r: f"the record {r}",
            lambda r: (value_key(r.value), value_key(r.demand)),
        )
        set_fields(self, records=listed, unknowns=(), parameters=())

    @classmethod
    def universal(
        cls, unknowns: Mapping[str, object], parameters: Mapping[str, object] | None = None
    ) -> Domain:
        """The domain of all records whose unknowns satisfy their conditions, for all parameters
        that satisfy theirs.

        A condition is a text or an expression, "" for none; "x[8]" declares a vector, and its
        condition refers to each part as x.
        """
        return _universal(
            reading.declared_conditions(unknowns, "unknown"),
            reading.declared_conditions(parameters or {}, "parameter"),
        )

    @property
    def is_universal(self) -> bool:
        """True when one generic record stands for all."""
        return not self.records

    @property
    def bound(self) -> tuple[str, ...]:
        """The names that stand for parts of the record inside sum, maximum and minimum."""
        return (
            tuple(key for key, _ in self.unknowns)
            if self.is_universal
            else tuple(self.records[0].bindings)
        )

    def check_parameters(self, parameters: Iterable[str]) -> None:
        """BadInput for a demand that mentions anything else."""
        for r in self.records:
            reading.check_known(r.demand, parameters, f"demand of {r}")

    @property
    def reserved(self) -> frozenset[str]:
        """x, and the unknowns of a universal domain."""
        return frozenset(("x", *(key.split("[")[0] for key, _ in self.unknowns)))

    @property
    def choices(self) -> dict[str, Alternatives]:
        """The possible values of x (or x[1], x[2], ...); demands and the unknowns of a universal
        domain are any numbers, and are omitted.
        """
        return choices_of(("x", [r.value for r in self.records])) if self.records else {}

    def bindings(self, item: object) -> dict[str, Expression]:
        """The values of x (or x[1], x[2], ...) and eps at a record."""
        return as_record(item).bindings

    def sum(self, f: Body) -> Expression:
        """The sum of f(x, eps) over the records of the dataset, each as often as it occurs."""
        return sum_over_records(_body(f))

    def max(self, f: Body) -> Expression:
        """The largest f(x, eps) of the records that are present; undefined on the empty dataset."""
        return Expression("maximum", (_body(f),))

    def min(self, f: Body) -> Expression:
        """The smallest f(x, eps) of the records that are present; undefined on the empty
        dataset.
        """
        return Expression("minimum", (_body(f),))

    @property
    def size(self) -> Expression:
        """The number of records in the dataset."""
        return sum_over_records(ex.ONE)

    def count(self, what: Body | Record | tuple[object, object]) -> Expression:
        """How often the dataset holds a record of the domain, or records that satisfy a
        condition on x and eps, as in x == "yes".
        """
        return sum_over_records(
            ex.indicator(self.condition(what) if isinstance(what, Record | tuple) else _body(what))
        )

    def condition(self, item: object) -> Expression:
        """The condition on x and eps that identifies a record of the domain; BadInput for a record
        that is not listed.
        """
        listed = as_record(item)
        if listed not in self.records:
            from ahdp_verify.kernel.model.suggestions import cure_of_record

            cure = cure_of_record(listed.bindings, self.choices)
            raise BadInput("count", f"{listed} is not a record of the domain", cure)
        return _record_condition(listed)

    @property
    def counts(self) -> tuple[Expression, ...]:
        """How often the dataset holds each of the listed records."""
        return tuple(sum_over_records(ex.indicator(_record_condition(r))) for r in self.records)

    def to_json(self) -> Any:
        """The canonical JSON: {"records": [[value, demand], ...]}, or {"unknowns": [[name,
        condition], ...], "parameters": ...}.
        """
        if self.is_universal:
            return {
                "unknowns": reading.named_to_json(self.unknowns),
                "parameters": reading.named_to_json(self.parameters),
            }
        return {"records": [[value_to_json(r.value), ex.to_json(r.demand)] for r in self.records]}

    @classmethod
    def of_json(cls, data: Any) -> Domain:
        """The domain of JSON that may not be canonical."""
        if "records" in data:
            return cls((value_from_json(value), ex.from_json(e)) for value, e in data["records"])
        named = (reading.named_from_json(data[key]) for key in ("unknowns", "parameters"))
        return _universal(*named)


def _body(f: Body) -> Expression:
    from ahdp_verify.kernel.model.record_expression import record_expression

    return record_expression(f)


def _record_condition(listed: Record) -> Expression:
    """The condition on x and eps that one record satisfies."""
    return ex.conjunction(eq(name(key), part) for key, part in listed.bindings.items())


def choices_of(*named: tuple[str, Sequence[Value]]) -> dict[str, Alternatives]:
    """The possible values of the names of values, or of their parts."""
    tables = [(base, [value_bindings(value, base) for value in values]) for base, values in named]
    columns = [{key: [table[key] for table in listed] for key in listed[0]} for _, listed in tables]
    return {key: found for column in columns for key, found in alternatives(column).items()}


def _universal(unknowns: NamedConditions, parameters: NamedConditions) -> Domain:
    if "eps" not in dict(unknowns):
        unknowns = (("eps", DEMAND), *unknowns)
    unknowns = tuple((key, _with_demand(c) if key == "eps" else c) for key, c in unknowns)
    keys = [key for key, _ in (*parameters, *unknowns)]
    reading.check_names(keys, "universal domain")
    reading.check_conditions(parameters, (key for key, _ in parameters), "parameter")
    reading.check_conditions(unknowns, keys, "unknown")
    domain = Domain.__new__(Domain)
    set_fields(domain, records=(), unknowns=unknowns, parameters=parameters)
    return domain


def _with_demand(condition: Expression) -> Expression:
    if condition in (ex.TRUE, DEMAND):
        return DEMAND
    return condition if condition.head == "and" and DEMAND in condition.args else DEMAND & condition


def value_at_record(e: Expression, r: Record, here: Context) -> Expression:
    """The canonical value of an expression in x and eps at a record; at demand oo its limit,
    where eps == oo holds and eps < oo does not.
    """
    return value_at_bindings(e, r.bindings, here)


# the demand on its way to oo: a name of its own, since a parameter may be called eps too
GROWING = "@0"


def value_at_bindings(e: Expression, bound: Mapping[str, Expression], here: Context) -> Expression:
    """The same for a record that is given as values of names, eps among them."""
    try:
        return _at_bindings(e, bound, here)
    except Unsupported:
        if e.head not in ("+", "max", "min") or not any(node == oo for node in ex.walk(e)):
            raise
        return _with_oo(e.head, [value_at_bindings(a, bound, here) for a in e.args], here)


def _with_oo(head: str, values: list[Expression], here: Context) -> Expression:
    """A sum, maximum or minimum of values in (-oo, oo]."""
    finite = [v for v in values if v != oo]
    if any(node == oo for v in finite for node in ex.walk(v)):
        raise Unsupported("oo is a part of a value")
    if len(finite) < len(values) and (head != "min" or not finite):
        return oo
    return to_expression(normal(Expression(head, tuple(finite)), here))


def _at_bindings(e: Expression, bound: Mapping[str, Expression], here: Context) -> Expression:
    infinite = bound.get("eps") == oo and "eps" in names(e)
    e = (
        ex.transform(
            substitute(e, {k: v for k, v in bound.items() if k != "eps"}), _compare_with_oo
        )
        if infinite
        else substitute(e, bound)
    )
    if infinite:
        e = substitute(e, {"eps": name(GROWING)})
    while e.head == "piecewise":
        e = branch_value(e, here.at_infinity(GROWING) if infinite else here)
    if e == oo:
        return oo
    return limit_at_infinity(e, GROWING, here) if infinite else to_expression(normal(e, here))


def _compare_with_oo(e: Expression) -> Expression | None:
    return substitute(e, {"eps": oo}) if e.head in ex.CONDITIONS and oo in e.args else None


@dataclass(frozen=True, slots=True)
class Queries(Inputs):
    """The input is `n` real query answers q[1], ..., q[n], unbounded."""

    n: int
    relations = ("one", "all", "increasing", "decreasing")
    noun = "query answers"
    cure = "use one, all, increasing or decreasing for query answers"
    where, keys = "queries", {"n": "queries"}

    def __post_init__(self) -> None:
        if type(self.n) is not int or not 1 <= self.n <= reading.MANY:
            raise BadInput(
                "queries",
                f"{str(self.n)[:60]} is not a number of queries",
                f"use 1 to {reading.MANY}",
            )

    @property
    def bound(self) -> tuple[str, ...]:
        """The names of the answers."""
        return tuple(f"q[{i}]" for i in range(1, self.n + 1))


@dataclass(frozen=True, slots=True, init=False)
class Values(Inputs):
    """The input is one person's value, v (or v[1], v[2], ...), one of finitely many: numbers,
    labels or vectors (the local model).
    """

    values: tuple[Value, ...]
    relations, noun, cure = ("any",), "values", "use any for single values"
    where = "values"

    def __init__(self, values: Iterable[object]) -> None:
        listed = tuple(reading.read_value(value) for value in values)
        reading.check_values(listed, "values")
        check_no_duplicates(
            listed, "values", lambda value: f"the value {value_text(value)}", value_key
        )
        set_fields(self, values=listed)

    @property
    def bound(self) -> tuple[str, ...]:
        """The names that stand for the value."""
        return tuple(self.bindings(self.values[0]))

    @property
    def choices(self) -> dict[str, Alternatives]:
        """The possible values of v and other (or v[1], other[1], ...)."""
        return choices_of(("v", self.values), ("other", self.values))

    def bindings(self, value: object, base: str = "v") -> dict[str, Expression]:
        """The names of v (or v[1], v[2], ...) with their values; another base names the neighbour's
        value.
        """
        return value_bindings(reading.read_value(value), base)

    def to_json(self) -> Any:
        """The canonical JSON: {"values": [value, ...]}."""
        return {"values": [value_to_json(value) for value in self.values]}

    @classmethod
    def of_json(cls, data: Any) -> Values:
        """The values of JSON that may not be canonical."""
        return cls(map(value_from_json, data["values"]))
