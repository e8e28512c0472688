"""A claim of sensitivity: by how much the answer to a query moves when one entry changes.

    |f(D') - f(D)| <= b    for all vectors D, D' that differ in one entry
    ---------------------------------------------------------------------
                   the sensitivity of f is at most b

f    a query on vectors of n entries (`ahdp_verify.kernel.model.entries`)
b    the bound, an expression in the parameters; it may depend on the position i of the entry, and
     then bounds how far that entry moves the answer

D and D' may be exchanged, so that f(D') - f(D) <= b for all of them says it all.  The claim is
refuted by a vector, with numbers for its parameters, and another value of one entry:

>>> from ahdp_verify.kernel.terms.grammar import parse
>>> mean = SensitivityClaim(Entries("n", "0 <= x <= 1"), parse("sum(x)/n"), parse("1/4"))
>>> half = {"n": "2", "x[1]": "0", "x[2]": "1", "x[1]'": "1"}
>>> print(mean, *(r.as_rational for r in mean.sides_at(tuple((k, parse(v)) for k, v in half.items()))))
the sensitivity of sum(x)/n is at most 1/4 1/2 1/4
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key, reduce
from operator import and_

from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.model.canonical import Canonical
from ahdp_verify.kernel.model.declarations import NamedConditions
from ahdp_verify.kernel.model.entries import POSITION, Entries, is_part, position
from ahdp_verify.kernel.model.entry_changes import depends, entry_changes
from ahdp_verify.kernel.model.entry_norms import change_of_root
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.inequality import UnknownValues as UnknownValues
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, truth
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms.expression import Expression, number, substitute
from ahdp_verify.kernel.terms.printing import display_name

EMPTY = Context.empty()


@dataclass(frozen=True, slots=True)
class SensitivityClaim(Canonical):
    """The claim that the answer to `query` moves by at most `bound` when one entry changes."""

    inputs: Entries
    query: Expression
    bound: Expression
    name: str = ""
    relation, strict = "<=", False
    where, keys = "sensitivity", {"query": "sensitivity"}

    def __post_init__(self) -> None:
        if not isinstance(self.inputs, Entries) or not isinstance(self.name, str):
            raise BadInput("sensitivity", "it is not about entries", "give Entries and a query")
        self.inputs.check_query(self.query, "query")
        self.inputs.check_query(self.bound, "bound", frozenset((POSITION,)))
        if any(map(is_part, ex.walk(self.bound))):
            raise BadInput("bound", "it depends on the entries", "use parameters and i only")

    def __str__(self) -> str:
        said = f"the sensitivity of {self.query} is at most {self.bound}"
        return f"{display_name(self.name)}: {said}" if self.name else said

    @property
    def parameters(self) -> NamedConditions:
        """The parameters, and an entry, with their conditions."""
        whole = (
            ex.eq(ex.floor(ex.name(key)), ex.name(key))
            for key in sorted(ex.names(self.inputs.size))
        )
        parts = (self.inputs.values, self.inputs.size >= ex.ONE, *whole)
        entry = reduce(and_, (c for c in parts if c != ex.TRUE))
        return (*self.inputs.parameters, ("x", entry))

    @property
    def tasks(self) -> tuple[tuple[Context, Expression], ...]:
        """What has to be >= 0, each with what is known there."""
        found: list[tuple[Context, Expression]] = []
        for c in entry_changes(self.query, self.inputs):
            bound = substitute(self.bound, {POSITION: c.at})
            gaps = change_of_root(c, bound) or (ex.add(bound, c.before, ex.negative(c.after)),)
            found += [(c.here, gap) for gap in gaps]
        return tuple(found)

    def sides_at(self, values: UnknownValues) -> tuple[Ratio, Ratio]:
        """By how much the answer moves at these values, and the bound there."""
        before, after, bound = self.answers_at(values)
        return after - before, bound

    def answers_at(self, values: UnknownValues) -> tuple[Ratio, Ratio, Ratio]:
        """The answer before and after the change at these values, and the bound there; Rejected
        unless they are those of the parameters, of the entries x[1], ..., x[n], and a new one,
        x[k]', of one of them.
        """
        count = len(self.inputs.parameters)
        given, new = dict(values[:count]), values[-1][1]
        vector = [value for _, value in values[count:-1]]
        at, n = int(values[-1][0][2:-2]), _integer(substitute(self.inputs.size, given))
        keys = [*(k for k, _ in self.inputs.parameters), *(f"x[{k}]" for k in range(1, n + 1))]
        if [k for k, _ in values] != [*keys, f"x[{at}]'"] or not 1 <= at <= n:
            raise Rejected("the values are not those of the parameters and the entries")
        if any(ex.names(value) for _, value in values):
            raise Rejected("a value is not a constant")
        for key in ex.names(self.inputs.size):
            _integer(given[key])
        conditions = [substitute(c, given) for _, c in self.inputs.parameters]
        each = substitute(self.inputs.values, given)
        conditions += [substitute(each, {"x": entry}) for entry in (*vector, new)]
        if not all(truth(condition, EMPTY) for condition in conditions):
            raise Rejected("a condition of the parameters or entries does not hold")
        query, place = substitute(self.query, given), {**given, POSITION: number(at)}
        changed = [*vector[: at - 1], new, *vector[at:]]
        sides = [normal(answer(query, self.inputs, v, given), EMPTY) for v in (vector, changed)]
        return sides[0], sides[1], normal(substitute(self.bound, place), EMPTY)


Statement = Inequality | SensitivityClaim  # what is proved gap by gap


def answer(
    query: Expression,
    inputs: Entries,
    vector: Sequence[Expression],
    given: Mapping[str, Expression],
) -> Expression:
    """The answer to a query, in which parameters have the values `given`, on a vector; Rejected if
    it has none.
    """

    def value(p: Expression) -> Expression | None:
        if not is_part(p):
            return None
        if (k := position(p)) is not None:
            if not 1 <= (place := _integer(k)) <= len(vector):
                raise Rejected(f"there is no entry {place}")
            return vector[place - 1]
        body, counter, *ends = inputs.opened(p)
        body = ex.transform(body, lambda q: None if depends(q, counter) else value(q))
        first, last = (_integer(substitute(end, given)) for end in ends)
        terms = [
            ex.transform(substitute(body, {counter: number(k)}), value)
            for k in range(first, last + 1)
        ]
        if p.head != "ordered":
            return JOINED[p.head](*terms)
        if not 1 <= (rank := _integer(p.args[1])) <= len(terms):
            raise Rejected(f"there is no entry of rank {rank}")
        return sorted(terms, key=cmp_to_key(_compare))[rank - 1]

    return ex.transform(query, value)


JOINED = {
    "sum": ex.add,
    "total": ex.add,
    "product": ex.multiply,
    "maximum": ex.Max,
    "minimum": ex.Min,
}


def _integer(e: Expression) -> int:
    """The value of a constant that is an integer; Rejected for any other."""
    found = normal(e, EMPTY).as_rational
    if found is None or found.denominator != 1:
        raise Rejected(f"{e} is not an integer")
    return int(found)


def _compare(a: Expression, b: Expression) -> int:
    found = constant_sign(normal(a, EMPTY) - normal(b, EMPTY))
    if found is None:
        raise Rejected(f"which of {a} and {b} is larger is not known")
    return found
