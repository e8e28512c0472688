"""A dataset as a vector of public length: n numbers of people, each of whom may change theirs.

`Entries` says how many entries there are (a number, or an expression in whole parameters), and what
each may be.  A query is an expression in parameters and

    x[1], x[n]               the entry at a position
    sum(e), product(e), maximum(e), minimum(e), ordered(e, k)
        over all entries, with x the entry and i its position; the last is the k-th smallest
    total(e, k, a, b)        the sum for k = a, a + 1, ..., b, with x[k], x[k + 1], x[2*k] ... in e

A body e may hold further such parts that do not depend on its counter, as in
sum(abs(x - sum(x)/n)).  How a query changes with one entry is derived in
`ahdp_verify.kernel.model.entry_moves`.

>>> X = Entries("n", "0 <= x <= 1", {"n": "n >= 3"})
>>> print(X.size, dict(X.parameters)["n"], *X.whole)
n 3 <= n and floor(n) == n n
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model import declarations as reading
from ahdp_verify.kernel.model.declarations import NamedConditions, from_canonical, set_fields
from ahdp_verify.kernel.model.mechanism import NUMBER, NameScope, check_kind
from ahdp_verify.kernel.terms.expression import (
    AGGREGATES,
    LEAVES,
    ONE,
    TRUE,
    ZERO,
    Expression,
    conjuncts,
    eq,
    floor,
    from_json,
    name,
    names,
    number,
    substitute,
    to_json,
    transform,
)
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.words import is_name

OVER_ENTRIES = (*AGGREGATES, "product", "ordered", "total")
ENTRY, POSITION = name("x"), "i"  # inside all of these but total, which names its own counter


@dataclass(frozen=True, slots=True, init=False)
class Entries:
    """Vectors of `size` numbers x that satisfy the condition `values`; `parameters` are those of
    both, whole where the size mentions them.

    Raises BadInput for a size that is not a number of entries, and for malformed conditions.
    """

    size: Expression
    values: Expression
    parameters: NamedConditions

    def __init__(
        self,
        size: object,
        values: object,
        parameters: Mapping[str, object] | NamedConditions = (),
    ) -> None:
        n = parse(size, "size") if isinstance(size, str) else reading.exact_expression(size, "size")
        if isinstance(parameters, Mapping):
            parameters = reading.declared_conditions(parameters, "parameter")
        listed = dict.fromkeys(sorted(names(n)), TRUE) | dict(parameters)
        whole = {key: _whole(key, c) if key in names(n) else c for key, c in listed.items()}
        condition = reading.read_condition(values, "values")
        set_fields(self, size=n, values=condition, parameters=tuple(whole.items()))
        reading.check_names([*whole, POSITION, "x"], "entries")
        reading.check_conditions(self.parameters, whole, "parameter")
        reading.check_conditions((("x", condition),), (*whole, "x"), "entry")
        check_kind(n, (NUMBER,), NameScope("size", frozenset(whole), frozenset(), {}))
        if n.head == "number" and (n.args[0] < 1 or n.args[0].denominator != 1):
            raise BadInput("entries", f"there are {n} entries", "use a whole number from 1")

    @property
    def whole(self) -> frozenset[str]:
        """The parameters that are integers."""
        return frozenset(key for key, c in self.parameters if _whole(key, c) == c)

    def to_json(self) -> Any:
        """The canonical JSON: {"entries": size, "each": condition, "parameters": [[name,
        condition], ...]}.
        """
        named = reading.named_to_json(self.parameters)
        return {"entries": to_json(self.size), "each": to_json(self.values), "parameters": named}

    @classmethod
    def from_json(cls, data: Any) -> Entries:
        """The vectors of their canonical JSON; BadInput for anything else."""
        return from_canonical(_entries, cls.to_json, data, "entries")

    def opened(self, part: Expression) -> tuple[Expression, str, Expression, Expression]:
        """Body, counter, first and last position of a part that runs over entries."""
        if part.head == "total":
            body, counter, first, last = part.args
            return body, counter.args[0], first, last
        entry = Expression("index", (ENTRY, name(POSITION)))
        return substitute(part.args[0], {"x": entry}), POSITION, ONE, self.size

    def check_query(self, e: Expression, where: str, inner: frozenset[str] = frozenset()) -> None:
        """BadInput unless e is a number that each vector, the parameters and the names in `inner`
        determine.
        """
        outer = frozenset(key for key, _ in self.parameters)
        of_vector, inside = (
            NameScope(where, known, frozenset(), {}, met=False) for known in (outer, outer | inner)
        )
        for part in parts(e):
            if (k := position(part)) is not None:
                check_kind(k, (NUMBER,), inside)
                continue
            body, counter, *others = self.opened(part)
            taken = outer | inner | {"x"} if part.head == "total" else frozenset[str]()
            if not is_name(counter) or counter in taken:
                raise BadInput(where, f"{counter} cannot be a counter", "use a new letter")
            for other in (*others, *(part.args[1:] if part.head == "ordered" else ())):
                check_kind(other, (NUMBER,), of_vector)
            self.check_query(body, where, frozenset((counter,)))
        check_kind(transform(e, lambda p: ZERO if is_part(p) else None), (NUMBER,), inside)


def is_part(e: Expression) -> bool:
    """Whether the value of a node is read off the entries."""
    return e.head in OVER_ENTRIES or position(e) is not None


def parts(e: Expression) -> Iterator[Expression]:
    """The outermost parts of a query."""
    if is_part(e):
        yield e
    elif e.head not in LEAVES:
        for a in e.args:
            yield from parts(a)


def position(e: Expression) -> Expression | None:
    """The position k of an entry x[k]; None for anything else."""
    if e.head == "index" and e.args[0] == ENTRY:
        k: Expression = e.args[1]
        return k
    one = e.head == "name" and e.args[0].startswith("x[")
    return number(e.args[0][2:-1]) if one else None


def _whole(key: str, condition: Expression) -> Expression:
    """The condition that a parameter satisfies another one and is an integer."""
    integer = eq(floor(name(key)), name(key))
    if integer in conjuncts(condition):
        return condition
    return integer if condition == TRUE else condition & integer


def _entries(data: Any) -> Entries:
    named = reading.named_from_json(data["parameters"])
    return Entries(from_json(data["entries"]), from_json(data["each"]), named)
