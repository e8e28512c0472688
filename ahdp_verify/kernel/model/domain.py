"""What a mechanism is given: a multiset of records, real query answers, or the value of one person.

A record is a pair (value, demand): the demand is the privacy loss in nats that its owner accepts,
from 0 to oo.  A `Domain` lists the records that a dataset may hold, or is universal: one generic
record with named unknowns stands for all that satisfy its conditions. A dataset is a finite
multiset of records (all of N^W, the empty one included), so order never matters.  For datasets D,
D' and a level alpha the weighted add-remove distance is d(D, D') = sum over records w of alpha(w)
|h(w) - h'(w)|, with 0 * oo = 0 here and only here (paper, def:newDP and A:multisets).

>>> W = Domain([(0, 0), (1, 1), ("none", oo)])
>>> D, E = Multiset(W, [2, 1, 0]), Multiset(W, [0, 3, 0])
>>> (D + E).counts, (D - E).counts, D.size
((2, 4, 0), (2, 0, 0), 3)
>>> str(distance(D, E, lambda x, eps: eps))
'2'
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import and_
from typing import Any

from ahdp_verify.kernel.errors import BadInput, Undecided, Unsupported
from ahdp_verify.kernel.model import declarations as reading
from ahdp_verify.kernel.model.comparisons import (
    Alternatives,
    alternatives,
    check_all_met,
    did_you_mean,
)
from ahdp_verify.kernel.model.declarations import (
    Named,
    Value,
    bindings,
    distinct,
    fill,
    from_canonical,
    value_from_json,
    value_key,
    value_text,
    value_to_json,
)
from ahdp_verify.kernel.numbers.context import Context, branch, normal, to_expression
from ahdp_verify.kernel.numbers.limits_at_infinity import limit
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms.expression import (
    Expression,
    add,
    eq,
    name,
    names,
    number,
    oo,
    substitute,
    sum_over_records,
)
from ahdp_verify.kernel.terms.sympy_trees import is_sympy

Body = Callable[[Expression, Expression], object] | ex.Arithmetic | int
DEMAND = Expression("<=", (ex.ZERO, name("eps")))


@dataclass(frozen=True, slots=True, init=False)
class Record:
    """One person: `value`, an exact constant, a label or a tuple of those, and `demand` in [0,
    oo], in nats.
    """

    value: Value
    demand: Expression

    def __init__(self, value: object, demand: object) -> None:
        fill(self, value=reading.read_value(value), demand=reading.read_demand(demand))

    def __str__(self) -> str:
        return f"({value_text(self.value)}, {self.demand})"

    @property
    def bindings(self) -> dict[str, Expression]:
        """What x (or x[1], x[2], ...) and eps stand for in the body of a sum over records."""
        return bindings(self.value, "x") | {"eps": self.demand}

    @property
    def rationals(self) -> dict[str, Fraction]:
        """Those of the bindings that are rational numbers."""
        return {k: v.args[0] for k, v in self.bindings.items() if v.head == "number"}


def record(pair: object) -> Record:
    """The record of a pair (value, demand), or the record itself; BadInput for anything else."""
    if isinstance(pair, Record):
        return pair
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        raise BadInput("record", f"{str(pair)[:60]} is not a pair", "write (value, demand)")
    return Record(*pair)


def body(f: Body) -> Expression:
    """The expression of a function f(x, eps), called on the names x and eps, or of an
    expression.
    """
    found = _called(f) if callable(f) and not is_sympy(f) else f
    if isinstance(found, bool):
        cure = (
            "write x == 1, eq(x, 1) or piecewise((1, x == 1), (0, True)) with the x and eps "
            "that the function is given"
        )
        raise BadInput("record expression", f"it is just {found}, whatever the record is", cure)
    if ex.is_label(found):
        raise BadInput(
            "record expression",
            f"it is the text {str(found)[:60]!r}",
            'write a function, for example lambda x, eps: x == "yes"',
        )
    return reading.exactly(found, "record expression")


def _called(f: Callable[[Expression, Expression], object]) -> object:
    """f at the names x and eps; BadInput where f hands them to a function of SymPy, which knows
    names of its own only.
    """
    try:
        return f(name("x"), name("eps"))
    except ValueError as error:
        if not is_sympy(error):
            raise
        cure = (
            'use exp, Abs, piecewise ... of ahdp_verify inside it, or SymPy symbols called "x" '
            'and "eps" in place of the function'
        )
        raise BadInput(
            "record expression",
            f"SymPy cannot compute with the x and eps of a function ({str(error)[:80]})",
            cure,
        ) from None


@dataclass(frozen=True, slots=True, init=False)
class Domain:
    """The records that a dataset may hold: `records` in a fixed order, or, if universal, the
    `unknowns` of one generic record.

    `unknowns` and `parameters` are names with conditions; eps, the demand in [0, oo], is an unknown
    of every universal domain. Raises BadInput for an empty domain, a record listed twice, and
    values with different numbers of parts.
    """

    records: tuple[Record, ...]
    unknowns: Named
    parameters: Named

    def __init__(self, records: Iterable[object]) -> None:
        listed = tuple(record(pair) for pair in records)
        reading.check_values([r.value for r in listed], "domain")
        distinct(
            listed,
            "domain",
            lambda r: f"the record {r}",
            lambda r: (value_key(r.value), value_key(r.demand)),
        )
        fill(self, records=listed, unknowns=(), parameters=())

    @classmethod
    def universal(
        cls, unknowns: Mapping[str, object], parameters: Mapping[str, object] | None = None
    ) -> Domain:
        """The domain of all records whose unknowns satisfy their conditions, for all parameters
        that satisfy theirs.

        A condition is a text or an expression, "" for none; "x[8]" declares a vector, its condition
        speaks of each part as x.
        """
        return _universal(
            reading.declared(unknowns, "unknown"), reading.declared(parameters or {}, "parameter")
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

    @property
    def choices(self) -> dict[str, Alternatives]:
        """What x (or x[1], x[2], ...) may be; demands and the unknowns of a universal domain are
        any numbers, and are left out.
        """
        return choices_of(("x", [r.value for r in self.records])) if self.records else {}

    def bindings(self, item: object) -> dict[str, Expression]:
        """What x (or x[1], x[2], ...) and eps stand for at a record."""
        return record(item).bindings

    def sum(self, f: Body) -> Expression:
        """The sum of f(x, eps) over the records of the dataset, each as often as it occurs."""
        return sum_over_records(body(f))

    def max(self, f: Body) -> Expression:
        """The largest f(x, eps) of the records that are present; undefined on the empty dataset."""
        return Expression("maximum", (body(f),))

    def min(self, f: Body) -> Expression:
        """The smallest f(x, eps) of the records that are present; undefined on the empty
        dataset.
        """
        return Expression("minimum", (body(f),))

    @property
    def size(self) -> Expression:
        """The number of records in the dataset."""
        return sum_over_records(ex.ONE)

    def count(self, what: Body | Record | tuple[object, object]) -> Expression:
        """How often the dataset holds a record of the domain, or records that satisfy a
        condition on x and eps, as in x == "yes".
        """
        return sum_over_records(
            ex.indicator(self.condition(what) if isinstance(what, Record | tuple) else body(what))
        )

    def condition(self, item: object) -> Expression:
        """The condition on x and eps that singles a record of the domain out; BadInput for a
        record that is not listed.
        """
        listed = record(item)
        if listed not in self.records:
            raise BadInput("count", f"{listed} is no record of the domain", _cure(listed, self))
        return singled_out(listed)

    @property
    def counts(self) -> tuple[Expression, ...]:
        """How often the dataset holds each of the listed records."""
        return tuple(sum_over_records(ex.indicator(singled_out(r))) for r in self.records)

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
    def from_json(cls, data: Any) -> Domain:
        """The domain of its canonical JSON; BadInput for anything else."""
        return from_canonical(_build_domain, cls.to_json, data, "domain")


def singled_out(listed: Record) -> Expression:
    """The condition on x and eps that one record satisfies."""
    return reduce(and_, (eq(name(key), part) for key, part in listed.bindings.items()))


def choices_of(*named: tuple[str, Sequence[Value]]) -> dict[str, Alternatives]:
    """What the names of values, or of their parts, may be."""
    tables = [(base, [bindings(value, base) for value in values]) for base, values in named]
    columns = [{key: [table[key] for table in listed] for key in listed[0]} for _, listed in tables]
    return {key: found for column in columns for key, found in alternatives(column).items()}


def _cure(r: Record, domain: Domain) -> str:
    """Which record may have been meant by one that is not listed."""
    usual = "count a listed record or a condition on x and eps"
    for key, part in r.bindings.items():
        choice = domain.choices.get(key)
        if part.head == "label" and choice and part.args[0] not in choice.labels:
            return did_you_mean(part.args[0], choice.labels, usual)
    return usual


def _universal(unknowns: Named, parameters: Named) -> Domain:
    if "eps" not in dict(unknowns):
        unknowns = (("eps", DEMAND), *unknowns)
    unknowns = tuple((key, _with_demand(c) if key == "eps" else c) for key, c in unknowns)
    keys = [key for key, _ in (*parameters, *unknowns)]
    reading.check_names(keys, "universal domain")
    reading.check_conditions(parameters, (key for key, _ in parameters), "parameter")
    reading.check_conditions(unknowns, keys, "unknown")
    domain = Domain.__new__(Domain)
    fill(domain, records=(), unknowns=unknowns, parameters=parameters)
    return domain


def _with_demand(condition: Expression) -> Expression:
    if condition in (ex.TRUE, DEMAND):
        return DEMAND
    return condition if condition.head == "and" and DEMAND in condition.args else DEMAND & condition


def _build_domain(data: Any) -> Domain:
    if "records" in data:
        return Domain(
            (value_from_json(value), ex.from_json(demand)) for value, demand in data["records"]
        )
    return _universal(
        reading.named_from_json(data["unknowns"]), reading.named_from_json(data["parameters"])
    )


@dataclass(frozen=True, slots=True, init=False)
class Multiset:
    """A dataset: `counts` says how often it holds each record of a listed `domain`, in the domain's
    order (paper, A:multisets).

    Built from all counts, from a table record -> count, or from the records themselves; nothing is
    the empty dataset.
    """

    counts: tuple[int, ...]
    domain: Domain

    def __init__(self, domain: Domain, contents: Iterable[object] = ()) -> None:
        if domain.is_universal:
            raise BadInput(
                "dataset", "the records of a universal domain are not listed", "use Domain([...])"
            )
        fill(self, counts=_counts(domain, contents), domain=domain)

    def __hash__(self) -> int:
        return hash(self.counts)

    def __str__(self) -> str:
        return "{" + ", ".join(f"{r}" if c == 1 else f"{c} x {r}" for r, c in self.held) + "}"

    def __add__(self, other: Multiset) -> Multiset:
        return self._merge(other, lambda a, b: a + b)

    def __sub__(self, other: Multiset) -> Multiset:
        return self._merge(other, lambda a, b: max(0, a - b))

    def _merge(self, other: Multiset, f: Callable[[int, int], int]) -> Multiset:
        _check_same_domain(self, other)
        return Multiset(
            self.domain, [f(a, b) for a, b in zip(self.counts, other.counts, strict=True)]
        )

    @property
    def held(self) -> tuple[tuple[Record, int], ...]:
        """The records that occur, with their counts, in the domain's order."""
        return tuple((r, c) for r, c in zip(self.domain.records, self.counts, strict=True) if c)

    @property
    def size(self) -> int:
        """|D|, the number of records with their multiplicities."""
        return sum(self.counts)

    def project(self) -> dict[Value, int]:
        """How often each value occurs, whatever the demands; values that do not occur are left
        out.
        """
        table: dict[Value, int] = {}
        for r, c in self.held:
            table[r.value] = table.get(r.value, 0) + c
        return table

    def to_json(self) -> Any:
        """The canonical JSON: [[value, demand, count], ...] for the records that occur, in the
        domain's order.
        """
        return [[value_to_json(r.value), ex.to_json(r.demand), c] for r, c in self.held]

    @classmethod
    def from_json(cls, data: Any, domain: Domain) -> Multiset:
        """The dataset over `domain` of its canonical JSON; BadInput for anything else."""
        return from_canonical(
            lambda data: cls(
                domain,
                {
                    Record(value_from_json(value), ex.from_json(demand)): count
                    for value, demand, count in data
                },
            ),
            cls.to_json,
            data,
            "dataset",
        )


def _check_same_domain(D: Multiset, E: Multiset) -> None:
    if D.domain != E.domain:
        raise BadInput("dataset", "the datasets belong to different domains", "use one domain")


def _counts(domain: Domain, contents: Iterable[object]) -> tuple[int, ...]:
    if isinstance(contents, Mapping):
        return _tally(domain, contents.items())
    listed = list(contents)
    if not listed or not all(isinstance(c, int) for c in listed):
        return _tally(domain, ((item, 1) for item in listed))
    if len(listed) != len(domain.records):
        raise BadInput(
            "dataset",
            f"{len(listed)} counts are given for {len(domain.records)} records",
            "give one count per record",
        )
    return tuple(_count(c) for c in listed)


def _tally(domain: Domain, pairs: Iterable[tuple[object, object]]) -> tuple[int, ...]:
    counts = dict.fromkeys(domain.records, 0)
    for item, count in pairs:
        counts[_listed(domain, counts, record(item))] += _count(count)
    return tuple(counts.values())


def _listed(domain: Domain, records: Container[Record], r: Record) -> Record:
    """The record of the domain that r is, in whichever way its constants are written: 2*log(2)
    is log(4).
    """
    if r in records:
        return r
    key = _key(r)
    found = next((other for other in domain.records if _key(other) == key), None)
    if found is None:
        raise BadInput("dataset", f"{r} is no record of the domain", "use listed records only")
    return found


def _key(r: Record) -> tuple[object, object]:
    """What equal records share."""
    return reading.value_key(r.value), reading.value_key(r.demand)


def _count(count: object) -> int:
    if not isinstance(count, int) or isinstance(count, bool) or count < 0:
        raise BadInput("dataset", f"{str(count)[:60]} is no count", "counts are 0, 1, 2, ...")
    return count


def at_record(e: Expression, r: Record, here: Context) -> Expression:
    """The canonical value of an expression in x and eps at a record; at demand oo its limit,
    where eps == oo holds and eps < oo does not.
    """
    return at_bindings(e, r.bindings, here)


GROWING = (
    "@0"  # the demand on its way to oo: a name of its own, since a parameter may be called eps too
)


def at_bindings(e: Expression, bound: Mapping[str, Expression], here: Context) -> Expression:
    """The same for a record that is given as values of names, eps among them."""
    try:
        return _at_bindings(e, bound, here)
    except Unsupported:
        if e.head not in ("+", "max", "min") or not any(node == oo for node in ex.walk(e)):
            raise
        return _with_oo(e.head, [at_bindings(a, bound, here) for a in e.args], here)


def _with_oo(head: str, values: list[Expression], here: Context) -> Expression:
    """A sum, a largest or a smallest of values in (-oo, oo]."""
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
        e = branch(e, here.at_infinity(GROWING) if infinite else here)
    if e == oo:
        return oo
    return limit(e, GROWING, here) if infinite else to_expression(normal(e, here))


def _compare_with_oo(e: Expression) -> Expression | None:
    return substitute(e, {"eps": oo}) if e.head in ex.CONDITIONS and oo in e.args else None


def distance(D: Multiset, E: Multiset, level: Body) -> Expression:
    """d(D, E), the sum of level(x, eps) |h(x, eps) - h'(x, eps)|; oo as soon as two counts differ
    where the level is oo.

    Records of equal counts add 0, whatever their level.  Raises BadInput for different domains and
    a level without a value, NotWorkedOut for one whose value was not found.
    """
    _check_same_domain(D, E)
    f, terms = body(level), []
    check_all_met(f, D.domain.choices, "level")
    for r, a, b in zip(D.domain.records, D.counts, E.counts, strict=True):
        try:
            terms += [(abs(a - b), at_record(f, r, Context.empty()))] if a != b else []
        except (Undecided, Unsupported, ZeroDivisionError) as error:
            raise reading.without_value(
                error,
                "level",
                f"at the record {r} {f}",
                "use a level with a limit in [0, oo] at demand oo",
            ) from error
    return (
        oo
        if any(at == oo for _, at in terms)
        else add(*(ex.multiply(number(c), at) for c, at in terms))
    )


@dataclass(frozen=True, slots=True)
class Queries:
    """The input is `n` real query answers q[1], ..., q[n], unbounded."""

    n: int

    def __post_init__(self) -> None:
        if (
            not isinstance(self.n, int)
            or isinstance(self.n, bool)
            or not 1 <= self.n <= reading.MANY
        ):
            raise BadInput(
                "queries", f"{str(self.n)[:60]} is no number of queries", f"use 1 to {reading.MANY}"
            )

    @property
    def bound(self) -> tuple[str, ...]:
        """The names of the answers."""
        return tuple(f"q[{i}]" for i in range(1, self.n + 1))

    def to_json(self) -> Any:
        """The canonical JSON: {"queries": n}."""
        return {"queries": self.n}

    @property
    def choices(self) -> dict[str, Alternatives]:
        """Answers may be any numbers."""
        return {}

    @classmethod
    def from_json(cls, data: Any) -> Queries:
        """The queries of their canonical JSON; BadInput for anything else."""
        return from_canonical(lambda data: cls(data["queries"]), cls.to_json, data, "queries")


@dataclass(frozen=True, slots=True, init=False)
class Values:
    """The input is one person's value, v (or v[1], v[2], ...), one of finitely many: numbers,
    labels or vectors (the local model).
    """

    values: tuple[Value, ...]

    def __init__(self, values: Iterable[object]) -> None:
        listed = tuple(reading.read_value(value) for value in values)
        reading.check_values(listed, "values")
        distinct(listed, "values", lambda value: f"the value {value_text(value)}", value_key)
        fill(self, values=listed)

    @property
    def bound(self) -> tuple[str, ...]:
        """The names that stand for the value."""
        return tuple(self.bindings(self.values[0]))

    @property
    def choices(self) -> dict[str, Alternatives]:
        """What v and other (or v[1], other[1], ...) may be."""
        return choices_of(("v", self.values), ("other", self.values))

    def bindings(self, value: object, base: str = "v") -> dict[str, Expression]:
        """What v (or v[1], v[2], ...) stands for at a value; other bases name the neighbour's
        value.
        """
        return bindings(reading.read_value(value), base)

    def to_json(self) -> Any:
        """The canonical JSON: {"values": [value, ...]}."""
        return {"values": [value_to_json(value) for value in self.values]}

    @classmethod
    def from_json(cls, data: Any) -> Values:
        """The values of their canonical JSON; BadInput for anything else."""
        return from_canonical(
            lambda data: cls(value_from_json(value) for value in data["values"]),
            cls.to_json,
            data,
            "values",
        )
