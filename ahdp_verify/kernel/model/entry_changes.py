"""How a query on a vector changes with one entry: locality, for every number of entries at once.

    f(D) = F(rest, y)      f(D') = F(rest, z)      F(rest, z) - F(rest, y) <= b for all rest, y, z
    ----------------------------------------------------------------------------------------------
                                       f(D') - f(D) <= b

D, D'   vectors that differ in the entry at position j: y before, z after.  Each position that the
        query names (x[1], x[n]) is a case, any other position is one more; so is each choice of the
        terms of a total that mention the entry
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
from ahdp_verify.kernel.model.neighbours import assume_all, assume_known_facts, rest_name
from ahdp_verify.kernel.numbers.hypotheses import ANY, Context, Signs
from ahdp_verify.kernel.numbers.normal_form import is_whole, known_truth, normal, to_expression
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms.expression import ONE, ZERO, Expression, conjuncts, names, transform

Pair = tuple[Expression, Expression]
RANKED = ("ordered", "maximum", "minimum")
ABOVE, BELOW = frozenset((0, 1)), frozenset((-1, 0))


def vector_context(inputs: Entries) -> Context:
    """What is known about the parameters of vectors of at least one entry."""
    conditions = (*(c for _, c in inputs.parameters), inputs.size >= ONE)
    return assume_all(conditions, Context.empty(inputs.whole))


def entry_changes(query: Expression, inputs: Entries) -> Iterator[Change]:
    """How a query changes with one entry, case by case; Unsupported where that is not known."""
    here = vector_context(inputs)
    every = tuple(dict.fromkeys(_all_parts(query, inputs)))
    places = dict.fromkeys(k for p in every for k in _read(p, inputs))
    for k in (*places, *(end for p in every if p.head == "total" for end in p.args[2:])):
        if not is_whole(normal(k, here), here):
            raise Unsupported(f"the position {k} is not known to be an integer")
    for k in places:
        for gap in (k - ONE, inputs.size - k):
            if not here.ratio_signs(normal(gap, here)) <= ABOVE:
                raise Unsupported(
                    f"the position {k} is not known to lie between 1 and {inputs.size}"
                )
    named = {normal(e, here).key: e for e in map(position, every) if e is not None}
    terms = [(p, k) for p in every if p.head == "total" for k in _positions(p, inputs)]
    for at in (*named.values(), None):
        for kept in itertools.product((True, False), repeat=len(terms)):
            case = _Case(inputs, here, frozenset(named if at is None else ()))
            if case.begin(at, tuple(itertools.compress(terms, kept))):
                before, after = case.value(query, 0), case.value(query, 1)
                yield Change(case.here, case.at, before, after)


@dataclass(frozen=True, slots=True)
class Change:
    """The position of the changed entry, the query before and after, and what is known there."""

    here: Context
    at: Expression
    before: Expression
    after: Expression


def depends(q: Expression, counter: str) -> bool:
    """Whether a part inside the body of another one depends on its counter."""
    return (k := position(q)) is not None and counter in names(k)


def _all_parts(e: Expression, inputs: Entries) -> Iterator[Expression]:
    """The parts of a query, and those inside them that do not depend on a counter."""
    for p in parts(e):
        yield p
        if position(p) is None:
            body, counter, *_ = inputs.opened(p)
            for q in parts(body):
                yield from () if depends(q, counter) else _all_parts(q, inputs)


def _positions(p: Expression, inputs: Entries) -> tuple[Expression, ...]:
    """The positions in the body of a part that depend on its counter."""
    body, counter, *_ = inputs.opened(p)
    found = (k for k in map(position, parts(body)) if k is not None and counter in names(k))
    return tuple(dict.fromkeys(found))


def _place(k: Expression, counter: str, at: Expression, here: Context) -> Expression:
    """The value of a counter for which a position is `at`."""
    start, second = (normal(ex.substitute(k, {counter: e}), here) for e in (ZERO, ONE))
    step = second - start
    line = start + step * normal(ex.name(counter), here)
    if not step.as_rational or not (normal(k, here) - line).is_zero:
        raise Unsupported(f"the position {k} is not a multiple of {counter} and a constant")
    return to_expression((normal(at, here) - start) / step)


def _read(p: Expression, inputs: Entries) -> Iterator[Expression]:
    """The positions and ranks that a part needs to exist."""
    if (k := position(p)) is not None:
        yield k
        return
    _, counter, *ends = inputs.opened(p)
    yield from p.args[1:] if p.head == "ordered" else ()
    for k in _positions(p, inputs):
        yield from (ex.substitute(k, {counter: end}) for end in ends)


@dataclass(slots=True)
class _Case:
    """The changed entry, before and after, and the names that were introduced so far for the rest.

    `apart` are positions that are known not to be that of the changed entry.
    """

    inputs: Entries
    here: Context
    apart: frozenset[object]
    at: Expression = ZERO
    changed: tuple[Expression, ...] = ()
    known: dict[object, Expression] = field(default_factory=dict)
    terms: tuple[Pair, ...] = ()
    ranks: tuple[tuple[Expression, Expression, Expression], ...] = ()

    def begin(self, at: Expression | None, terms: tuple[Pair, ...]) -> bool:
        """Names the changed entry, and notes the terms of totals that mention it, by the positions
        in them at which it stands; False if there are no such terms.
        """
        self.at = self.any_place(ONE, self.inputs.size) if at is None else at
        self.changed = (self.any_entry(), self.any_entry())
        for p, k in terms:
            _, counter, first, last = self.inputs.opened(p)
            place = _place(k, counter, self.at, self.here)
            apart = (normal(place - other, self.here) for of, other in self.terms if of == p)
            broken = any(gap.as_rational and gap.as_rational.denominator != 1 for gap in apart)
            if broken or False in (
                known_truth(c, self.here) for c in (first <= place, place <= last)
            ):
                return False
            self.given(first <= place, place <= last)
            self.terms = (*self.terms, (p, place))
        return True

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
            self.here = assume_known_facts(condition, self.here)

    def any_place(self, first: Expression, last: Expression, key: object = None) -> Expression:
        """A name for any position from the first to the last."""
        place = self.fresh(key)
        self.given(first <= place, place <= last)
        return place

    def any_entry(self, key: object = None) -> Expression:
        """A name for any entry."""
        entry = self.fresh(key)
        self.given(ex.substitute(self.inputs.values, {"x": entry}))
        return entry

    def entry(self, k: Expression, side: int | None) -> Expression:
        """The entry at a position before or after, without a side one that does not change;
        Unsupported if it is not known whether that is the entry that changes.
        """
        gap, key = normal(k - self.at, self.here), normal(k, self.here).key
        if side is not None and gap.is_zero:
            return self.changed[side]
        if side is not None and key not in self.apart and 0 in self.here.ratio_signs(gap):
            said = f"it is not known whether x[{k}] is the entry that changes"
            raise Unsupported(f"{said}; state how many entries there are at least")
        return self.known[key] if key in self.known else self.any_entry(key)

    def term(self, body: Expression, counter: str, k: Expression, side: int | None) -> Expression:
        """The body of a part at a position, before or after; without a side, any term."""
        return transform(
            ex.substitute(body, {counter: k}),
            lambda q: None if (at := position(q)) is None else self.entry(at, side),
        )

    def part(self, p: Expression) -> Pair:
        """A part of a query before and after."""
        if (k := position(p)) is not None:
            return self.entry(k, 0), self.entry(k, 1)
        body, counter, *_ = self.inputs.opened(p)
        fixed = {q: self.part(q) for q in parts(body) if not depends(q, counter)}
        bodies = [transform(body, {q: e[side] for q, e in fixed.items()}.get) for side in (0, 1)]
        places = [place for of, place in self.terms if of == p]
        if p.head != "total":
            places = [_place(k, counter, self.at, self.here) for k in _positions(p, self.inputs)]
        terms = [[self.term(bodies[s], counter, k, s) for k in places] for s in (0, 1)]
        others = self.inputs.size - ex.number(len(places))
        if p.head in RANKED and len(places) != 1:
            raise Unsupported(f"not one term of {p} mentions each entry")
        if bodies[0] == bodies[1]:
            return self.joined(p, bodies[0], terms[0]), self.joined(p, bodies[0], terms[1])
        if p.head != "sum":
            raise Unsupported(f"each term of {p} depends on all entries, and it is not a sum")
        if p not in self.known:
            self.any_place(ONE, self.inputs.size, (p, "place"))
            self.given(self.fresh((p, "slack")) >= ZERO)
            self.fresh(p)
        there = [self.term(e, counter, self.known[p, "place"], None) for e in bodies]
        change = others * (there[1] - there[0]) - self.known[p, "slack"]
        return ex.add(self.known[p], *terms[0]), ex.add(self.known[p], change, *terms[1])

    def joined(self, p: Expression, body: Expression, terms: list[Expression]) -> Expression:
        """A part whose terms depend on their own entries only, from the rest and changed terms."""
        if p.head in RANKED:
            k = {"maximum": self.inputs.size, "minimum": ONE}.get(p.head, p.args[-1])
            (e,) = terms
            if p.head != "minimum":
                e = ex.Max(self.rank(p, body, k - ONE), e)
            return e if p.head == "maximum" else ex.Min(self.rank(p, body, k), e)
        if p not in self.known:
            self.bound(p, body, self.fresh(p), self.inputs.size - ex.number(len(terms)))
        return (ex.multiply if p.head == "product" else ex.add)(self.known[p], *terms)

    def rank(self, p: Expression, body: Expression, k: Expression) -> Expression:
        """The k-th smallest of the others: a name, in its order with those of other ranks."""
        key = (p.args[0], normal(k, self.here).key)
        if key not in self.known:
            found = self.fresh(key)
            self.bound(p, body, found, ONE)
            for of, rank, other in self.ranks:
                signs = self.here.ratio_signs(normal(k - rank, self.here))
                if of == p.args[0] and (signs <= ABOVE or signs <= BELOW):
                    self.given(other <= found if signs <= ABOVE else found <= other)
            self.ranks = (*self.ranks, (p.args[0], k, found))
        return self.known[key]

    def bound(self, p: Expression, body: Expression, rest: Expression, many: Expression) -> None:
        """Notes what is known about the other terms or factors, from what is known of any."""
        other = replace(self, known=dict(self.known))
        _, counter, first, last = self.inputs.opened(p)
        e = other.term(body, counter, other.any_place(first, last), None)
        sides = (a for c in conjuncts(self.inputs.values) for a in c.args if c.head in ("<", "<="))
        ends = {ZERO: None, **{a: None for a in sides if "x" not in names(a)}}
        for end in (ZERO,) if p.head in ("product", "total") else ends:
            signs, amount = other.signs(e, end), ex.multiply(many, end) if end != ZERO else ZERO
            if signs <= ABOVE:
                self.given(amount <= rest)
            if signs <= BELOW and p.head != "product":
                self.given(rest <= amount)
        if p.head == "product" and other.signs(e, ZERO) <= ABOVE and other.signs(e, ONE) <= BELOW:
            self.given(rest <= ONE)

    def signs(self, e: Expression, c: Expression) -> Signs:
        """The signs that e - c may have, whichever branch of e holds."""
        if e.head == "piecewise":
            return Signs().union(*(self.signs(value, c) for value in e.args[::2]))
        even = c == ZERO and e.head == "^" and e.args[1] in map(ex.number, (2, 4, 6))
        try:
            found = self.here.ratio_signs(normal(e - c, self.here))
        except (Undecided, Unsupported, ZeroDivisionError):
            found = ANY
        return found & ABOVE if even else found
