"""How a query on a vector changes with one entry: locality, for every number of entries at once.

    f(D) = F(rest, y)      f(D') = F(rest, z)      F(rest, z) - F(rest, y) <= b for all rest, y, z
    ----------------------------------------------------------------------------------------------
                                       f(D') - f(D) <= b

D, D'   vectors that differ in the entry at position j: y before, z after.  Each position that the
        query names (x[1], x[n]) is a case, any other position is one more
rest    names for what the other entries determine, the same before and after.  They may be any
        numbers that satisfy conditions which hold for every vector, so that more pairs are compared
        than there are, never fewer:
            x[k]             an entry that does not change
            sum, total       the other terms: of one sign if all are; n - 1 times the ends of a sum
            product          the other factors: in [0, 1] if all are
            ordered(e, k)    clip(e, r[k-1], r[k]) is the k-th of e and the others, r in order, and
                             r[0], r[n] anything beyond; a maximum is the n-th, a minimum the first
            nested sum       e(x, g) where g becomes g': the other terms change by (n - 1) d - s in
                             all, d = e(x, g') - e(x, g) at the entry where it is largest, s >= 0

A term of a total mentions the changed entry where one of its positions is j; each choice of such
terms is a case.

>>> from ahdp_verify.kernel.terms.grammar import parse
>>> for change in entry_changes(parse("maximum(x)"), Entries("n", "0 <= x <= 1")):
...     print(change.at, change.before, change.after)
@1 max(@4, @2) max(@4, @3)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.model.entries import Entries, parts, position
from ahdp_verify.kernel.model.neighbours import assume_known_facts, is_excluded, rest_name
from ahdp_verify.kernel.numbers.hypotheses import ANY, Context, Signs
from ahdp_verify.kernel.numbers.normal_form import is_whole, normal, to_expression
from ahdp_verify.kernel.terms.expression import (
    ONE,
    ZERO,
    Expression,
    Max,
    Min,
    add,
    clip,
    conjuncts,
    multiply,
    name,
    names,
    substitute,
    transform,
)

Terms = tuple[Expression, ...]


def vector_context(inputs: Entries) -> Context:
    """What is known about the parameters of vectors of at least one entry."""
    here = Context.empty(inputs.whole)
    for condition in (*(c for _, c in inputs.parameters), inputs.size >= ONE):
        here = assume_known_facts(condition, here)
    return here


@dataclass(frozen=True, slots=True)
class Change:
    """The position of the changed entry, the query before and after, and what is known there."""

    here: Context
    at: Expression
    before: Expression
    after: Expression


def entry_changes(query: Expression, inputs: Entries) -> Iterator[Change]:
    """How a query changes with one entry, case by case; Unsupported where that is not known."""
    every = tuple(dict.fromkeys(all_parts(query, inputs)))
    here = vector_context(inputs)
    named = {normal(k, here).key: k for p in every if (k := position(p)) is not None}
    aggregates = [p for p in every if position(p) is None]
    for at in (*named.values(), None):
        start = _Case(inputs, here, frozenset(named if at is None else ()))
        start.begin(at)
        for chosen in itertools.product(*map(start.choices, aggregates)):
            case = start.copied()
            if case.touch(dict(zip(aggregates, chosen, strict=True))):
                sides = (case.value(query, 0), case.value(query, 1))
                yield Change(case.here, case.at, *sides)


def all_parts(e: Expression, inputs: Entries) -> Iterator[Expression]:
    """The parts of a query, and those inside them that do not depend on a counter."""
    for p in parts(e):
        yield p
        if position(p) is None:
            body, counter, *_ = inputs.opened(p)
            for q in parts(body):
                if not depends(q, counter):
                    yield from all_parts(q, inputs)


def depends(q: Expression, counter: str) -> bool:
    """Whether a part inside the body of another one depends on its counter."""
    return (k := position(q)) is not None and counter in names(k)


def varying(body: Expression, counter: str) -> Terms:
    """The positions in a body that depend on its counter."""
    found = (k for q in parts(body) if (k := position(q)) is not None and depends(q, counter))
    return tuple(dict.fromkeys(found))


@dataclass(slots=True)
class _Case:
    """The changed entry, before and after, and the names that were introduced so far for the rest.

    `apart` are positions that are known not to be that of the changed entry.
    """

    inputs: Entries
    here: Context
    apart: frozenset[object]
    at: Expression = ZERO
    changed: Terms = ()
    known: dict[object, Expression] = field(default_factory=dict)
    touched: dict[Expression, Terms] = field(default_factory=dict)
    done: dict[Expression, Terms] = field(default_factory=dict)
    ranks: tuple[tuple[Expression, Expression, Expression], ...] = ()

    def begin(self, at: Expression | None) -> None:
        """Names the changed entry, and its position if that is any."""
        self.at = self.any_place(ONE, self.inputs.size) if at is None else at
        self.changed = (self.any_entry(), self.any_entry())

    def copied(self) -> _Case:
        """A case that starts from this one."""
        return replace(self, known={**self.known}, done={})

    def value(self, e: Expression, side: int) -> Expression:
        """An expression before or after."""
        return transform(e, {p: self.part(p)[side] for p in parts(e)}.get)

    def fresh(self, key: object = None) -> Expression:
        """A new name, to be found again by its key."""
        new = rest_name(len(self.known))
        self.known[new if key is None else key] = new
        return new

    def given(self, *conditions: Expression) -> None:
        """Notes that conditions hold."""
        for condition in conditions:
            if not is_excluded(~condition, self.here):
                self.here = assume_known_facts(condition, self.here)

    def any_place(self, first: Expression, last: Expression) -> Expression:
        """A name for any position from the first to the last."""
        place = self.fresh()
        self.given(first <= place, place <= last)
        return place

    def any_entry(self, key: object = None) -> Expression:
        """A name for any entry."""
        entry = self.fresh(key)
        self.given(*conjuncts(substitute(self.inputs.values, {"x": entry})))
        return entry

    def entry(self, k: Expression, side: int | None) -> Expression:
        """The entry at a position before or after, without a side one that does not change;
        Unsupported if it is not known whether that is the entry that changes.
        """
        gap, key = normal(k - self.at, self.here), normal(k, self.here).key
        if side is not None and gap.is_zero:
            return self.changed[side]
        if side is not None and key not in self.apart and 0 in self.here.ratio_signs(gap):
            said = f"it is not known whether x[{k}] is the entry at {self.at}"
            raise Unsupported(f"{said}; state how many entries there are at least")
        return self.known[key] if key in self.known else self.any_entry(key)

    def mentions(self, p: Expression) -> Iterator[Expression]:
        """The positions of the terms of a part that mention the changed entry, if they exist."""
        body, counter, *_ = self.inputs.opened(p)
        for k in varying(body, counter):
            start, second = (normal(substitute(k, {counter: e}), self.here) for e in (ZERO, ONE))
            step = second - start
            line = start + step * normal(name(counter), self.here)
            if not step.as_rational or not (normal(k, self.here) - line).is_zero:
                raise Unsupported(f"the position {k} is not a multiple of {counter} and a constant")
            yield to_expression((normal(self.at, self.here) - start) / step)

    def choices(self, p: Expression) -> list[Terms]:
        """The sets of terms of a part that may mention the changed entry; of those that run over
        all entries, one.
        """
        found = tuple(dict.fromkeys(self.mentions(p)))
        if p.head != "total":
            return [found]
        counts = range(len(found), -1, -1)
        listed = [chosen for m in counts for chosen in itertools.combinations(found, m)]
        pairs = {c: itertools.combinations(c, 2) for c in listed}
        return [c for c in listed if not any(self.conflict(s, t) for s, t in pairs[c])]

    def conflict(self, s: Expression, t: Expression) -> bool:
        """Whether two positions are not both whole, since they differ by a fraction."""
        gap = normal(s - t, self.here).as_rational
        return gap is not None and gap.denominator != 1

    def touch(self, touched: dict[Expression, Terms]) -> bool:
        """Notes which terms mention the changed entry, so that they exist; False if they cannot."""
        self.touched = touched
        for p, t in ((p, t) for p, terms in touched.items() for t in terms if p.head == "total"):
            for condition in (p.args[2] <= t, t <= p.args[3]):
                if is_excluded(condition, self.here):
                    return False
                self.given(condition)
        return True

    def term(self, body: Expression, counter: str, k: Expression, side: int | None) -> Expression:
        """The body of a part at a position, before or after; without a side, any term."""
        return transform(
            substitute(body, {counter: k}),
            lambda q: None if (at := position(q)) is None else self.entry(at, side),
        )

    def part(self, p: Expression) -> Terms:
        """A part of a query before and after."""
        if (k := position(p)) is not None:
            return self.entry(k, 0), self.entry(k, 1)
        if p not in self.done:
            self.done[p] = self.changed_part(p)
        return self.done[p]

    def changed_part(self, p: Expression) -> Terms:
        """The same for one that runs over entries."""
        body, counter, *_ = self.inputs.opened(p)
        fixed = {q: self.part(q) for q in parts(body) if not depends(q, counter)}
        bodies = [transform(body, {q: e[side] for q, e in fixed.items()}.get) for side in (0, 1)]
        terms = [
            [self.term(bodies[side], counter, k, side) for k in self.touched[p]] for side in (0, 1)
        ]
        if bodies[0] == bodies[1]:
            return tuple(self.joined(p, bodies[0], listed) for listed in terms)
        if p.head != "sum":
            raise Unsupported(f"each term of {p} depends on all entries, and it is not a sum")
        place, rest, slack = self.any_place(ONE, self.inputs.size), self.fresh(), self.fresh()
        self.given(slack >= ZERO)
        there = [self.term(e, counter, place, None) for e in bodies]
        others = (self.inputs.size - len(terms[0])) * (there[1] - there[0]) - slack
        return add(rest, *terms[0]), add(rest, others, *terms[1])

    def joined(self, p: Expression, body: Expression, terms: list[Expression]) -> Expression:
        """A part whose terms depend on their own entries only, from the rest and changed terms."""
        if p.head in ("ordered", "maximum", "minimum") and len(terms) != 1:
            raise Unsupported(f"not one term of {p} mentions each entry")
        if p.head == "ordered":
            return clip(*terms, self.rank(p, p.args[1] - ONE), self.rank(p, p.args[1]))
        if p.head in ("maximum", "minimum"):
            extreme, k = (Max, self.inputs.size - ONE) if p.head == "maximum" else (Min, ONE)
            return extreme(self.rank(p, k), *terms)
        return (multiply if p.head == "product" else add)(self.rest(p, body), *terms)

    def rank(self, p: Expression, k: Expression) -> Expression:
        """The k-th smallest of the others: a name, in its order with those of other ranks."""
        key = (p.args[0], normal(k, self.here).key)
        if key not in self.known:
            found = self.fresh(key)
            for body, rank, e in self.ranks:
                signs = self.here.ratio_signs(normal(k - rank, self.here))
                if body == p.args[0] and (signs <= {0, 1} or signs <= {-1, 0}):
                    self.given(e <= found if signs <= {0, 1} else found <= e)
            self.ranks = (*self.ranks, (p.args[0], k, found))
        return self.known[key]

    def rest(self, p: Expression, body: Expression) -> Expression:
        """What the other terms or factors amount to: a name, with bounds from those of any term."""
        if p in self.known:
            return self.known[p]
        any_case, rest = self.copied(), self.fresh(p)
        _, counter, first, last = self.inputs.opened(p)
        e = any_case.term(body, counter, any_case.any_place(first, last), None)
        if p.head == "sum":
            many = self.inputs.size - len(self.touched[p])
            ends = [(c, multiply(many, c)) for c in _ends(self.inputs)]
        else:
            ends = [(ZERO, ZERO)]
        self.given(*(c <= rest for at, c in ends if any_case.signs(e, at) <= {0, 1}))
        if p.head != "product":
            self.given(*(rest <= c for at, c in ends if any_case.signs(e, at) <= {-1, 0}))
        elif any_case.signs(e, ZERO) <= {0, 1} and any_case.signs(e, ONE) <= {-1, 0}:
            self.given(rest <= ONE)
        return rest

    def signs(self, e: Expression, c: Expression) -> Signs:
        """The signs that e - c may have, whichever branch of e holds."""
        if e.head == "piecewise":
            return Signs().union(*(self.signs(value, c) for value in e.args[::2]))
        even = e.head == "^" and e.args[1].head == "number" and e.args[1].args[0] % 2 == 0
        try:
            found = self.here.ratio_signs(normal(e - c, self.here))
        except (Undecided, Unsupported, ZeroDivisionError):
            found = ANY
        return found & {0, 1} if even and c == ZERO else found


def _ends(inputs: Entries) -> Iterator[Expression]:
    """What the conditions compare an entry with, and 0."""
    yield ZERO
    for c in conjuncts(inputs.values):
        yield from (
            e for e in c.args if c.head in ("<", "<=") and "x" not in names(e) and e != ZERO
        )


def index_conditions(query: Expression, inputs: Entries) -> Iterator[tuple[Context, Expression]]:
    """What has to be >= 0 so that a query has a value: positions and ranks lie between 1 and n;
    Unsupported unless they are whole.
    """
    known = vector_context(inputs)
    for p in dict.fromkeys(all_parts(query, inputs)):
        if (k := position(p)) is not None:
            yield from _inside(k, known, inputs.size)
            continue
        body, counter, first, last = inputs.opened(p)
        inside = known.with_integers(frozenset((counter,)))
        for condition in (first <= name(counter), name(counter) <= last):
            inside = assume_known_facts(condition, inside)
        if p.head == "ordered":
            yield from _inside(p.args[1], known, inputs.size)
        for k in (first, last):
            _check_whole(k, known)
        for k in varying(body, counter):
            if p.head == "total" or k != name(counter):
                yield from _inside(k, inside, inputs.size)


def _inside(k: Expression, here: Context, size: Expression) -> Iterator[tuple[Context, Expression]]:
    _check_whole(k, here)
    for gap in (k - ONE, size - k):
        if not here.ratio_signs(normal(gap, here)) <= {0, 1}:
            yield here, gap


def _check_whole(k: Expression, here: Context) -> None:
    if not is_whole(normal(k, here), here):
        raise Unsupported(f"the position {k} is not known to be an integer")
