"""A dataset as a vector of public length: n numbers, one from each person, who may change theirs.

`Entries` says how many entries there are (a number, or an expression in parameters, which are then
whole), and what each may be.  A query is an expression in parameters and

    x[1], x[n]               the entry at a position
    sum(e), product(e), maximum(e), minimum(e), ordered(e, k)
        over all entries, with x the entry and i its position; the last is the k-th smallest
    total(e, k, a, b)        the sum for k = a, a + 1, ..., b, with x[k], x[k + 1] ... in e

A body e may hold further such parts that do not depend on its counter, as in
sum(abs(x - sum(x)/n)).  How a query changes with one entry is derived in
`ahdp_verify.kernel.model.entry_changes`.

>>> X = Entries("n", "0 <= x <= 1", {"n": "n >= 3"})
>>> print(X.size, X.values, dict(X.parameters)["n"])
n 0 <= x and x <= 1 3 <= n
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model import declarations as reading
from ahdp_verify.kernel.model.canonical import Canonical
from ahdp_verify.kernel.model.declarations import NamedConditions, set_fields
from ahdp_verify.kernel.model.mechanism import NUMBER, NameScope, check_kind
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms.expression import Expression, name, names
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.words import is_name

OVER_ENTRIES = (*ex.AGGREGATES, "product", "ordered", "total")
ENTRY, POSITION = name("x"), "i"  # inside all of these but total, which names its own counter


@dataclass(frozen=True, slots=True, init=False)
class Entries(Canonical):
    """Vectors of `size` numbers x that satisfy the condition `values`; `parameters` are those of
    both, and those of the size are whole.

    Raises BadInput for a size that is not a number of entries, and for malformed conditions.
    """

    size: Expression
    values: Expression
    parameters: NamedConditions

    where, keys = "entries", {"size": "entries", "values": "each"}

    def __init__(
        self, size: object, values: object, parameters: Mapping[str, object] | NamedConditions = ()
    ) -> None:
        n = parse(size, "size") if isinstance(size, str) else reading.exact_expression(size, "size")
        named = dict(reading.declared_conditions(parameters, "parameter"))
        named |= {key: ex.TRUE for key in sorted(names(n)) if key not in named}
        condition = reading.read_condition(values, "values")
        set_fields(self, size=n, values=condition, parameters=tuple(named.items()))
        reading.check_names([*named, POSITION, "x"], "entries")
        reading.check_conditions(self.parameters, named, "parameter")
        reading.check_conditions((("x", condition),), (*named, "x"), "entry")
        check_kind(n, (NUMBER,), NameScope("size", frozenset(named), frozenset(), {}))
        if any(is_part(e) for e in ex.walk(condition)):
            raise BadInput("values", "an entry is not described by entries", "use x and parameters")
        if n.head == "number" and (n.args[0] < 1 or n.args[0].denominator != 1):
            raise BadInput("entries", f"there are {n} entries", "use a whole number from 1")

    @property
    def whole(self) -> frozenset[str]:
        """The parameters that are integers."""
        return names(self.size)

    def opened(self, part: Expression) -> tuple[Expression, str, Expression, Expression]:
        """Body, counter, first and last position of a part that runs over entries."""
        if part.head == "total":
            body, counter, first, last = part.args
            return body, str(counter.args[0]), first, last
        entry = Expression("index", (ENTRY, name(POSITION)))
        body = ex.transform(
            part.args[0], lambda q: q if is_part(q) else entry if q == ENTRY else None
        )
        return body, POSITION, ex.ONE, self.size

    def check_query(self, e: Expression, where: str, inner: frozenset[str] = frozenset()) -> None:
        """BadInput unless e is a number that each vector, the parameters and the names in `inner`
        determine.
        """
        outer = frozenset(key for key, _ in self.parameters)
        outside, inside = (
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
                check_kind(other, (NUMBER,), outside)
            self.check_query(body, where, frozenset((counter,)))
        plain = ex.transform(e, lambda p: ex.ZERO if is_part(p) else None)
        check_kind(plain, (NUMBER,), inside)


def is_part(e: Expression) -> bool:
    """Whether the value of a node is read off the entries."""
    return e.head in OVER_ENTRIES or position(e) is not None


def parts(e: Expression) -> Iterator[Expression]:
    """The outermost parts of a query."""
    if is_part(e):
        yield e
    elif e.head not in ex.LEAVES:
        for a in e.args:
            yield from parts(a)


def position(e: Expression) -> Expression | None:
    """The position k of an entry x[k]; None for anything else."""
    if e.head == "index" and e.args[0] == ENTRY:
        k: Expression = e.args[1]
        return k
    return ex.number(e.args[0][2:-1]) if e.head == "name" and e.args[0][:2] == "x[" else None
