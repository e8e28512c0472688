"""Section 13: by how much the answer to a query on vectors moves when one entry changes."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cmp_to_key, partial
from typing import Any

from recheck.evidence import Evidence, descend, require_at_most
from recheck.forms import Form, constant_sign, of_name, tree_of
from recheck.inputs import given_named, need_constant
from recheck.limits import Rejected, need
from recheck.meaning import NUMBER, Reading, need_conditions, need_names
from recheck.shapes import Named, digest, fields, read_named, text
from recheck.signs import ANY, NEG, NIL, POS, Context, Signs, assume, is_whole, known_truth, truth
from recheck.trees import (
    AGGREGATES,
    ARITIES,
    OF_VECTORS,
    Tree,
    at_most,
    conjuncts,
    make,
    minus,
    name,
    need_scoped,
    negated,
    number,
    plus,
    read,
    rebuild,
    substitute,
    times,
)

QUERY = {**ARITIES, **OF_VECTORS}
RUNNING = (*AGGREGATES, "product", "ordered", "total")
ABOVE, BELOW = POS | NIL, NEG | NIL
PART = re.compile(r"x\[([1-9][0-9]*)\]")
NEW = re.compile(r"x\[([1-9][0-9]*)\]'")


# queries


def position(e: Tree) -> Tree | None:
    """k of x[k]; None for anything else."""
    if e.head == "index" and is_entry(e.args[0]):
        return e.args[1]
    found = PART.fullmatch(e.value) if e.head == "name" else None
    return number(int(found[1])) if found else None


def is_entry(e: Tree) -> bool:
    return e.head == "name" and e.value == "x"


def is_read(e: Tree) -> bool:
    return e.head in RUNNING or position(e) is not None


def parts(e: Tree) -> Iterator[Tree]:
    """The outermost nodes that are read off the entries, from left to right."""
    if is_read(e):
        yield e
    else:
        for a in e.args:
            yield from parts(a)


def varies(q: Tree, counter: str) -> bool:
    k = position(q)
    return k is not None and counter in k.names


class VectorClaim:
    """The claim that `query` moves by at most `bound` when one of `size` entries changes."""

    def __init__(self, data: Any) -> None:
        query, bound, inputs, called = fields(data, "sensitivity bound inputs name", "the claim")
        text(called)
        size, each, named = fields(inputs, "entries each parameters", "the entries")
        self.fingerprint = digest(data)
        self.query, self.bound = read(query, 0, QUERY), read(bound)
        self.size, self.each = read(size), read(each)
        self.parameters: Named = read_named(named)
        self.need_meaning()

    def need_meaning(self) -> None:
        keys = [n for n, _ in self.parameters]
        need_names([*keys, "i", "x"])
        need_conditions(self.parameters, keys)
        need_conditions([("x", self.each)], [*keys, "x"])
        need_scoped(self.size, keys)
        Reading().need(self.size, NUMBER)
        need(self.size.head != "number" or self.is_count(self.size.value), "no number of entries")
        self.need_query(self.query, frozenset())
        need_scoped(self.bound, [*keys, "i"])
        Reading(strict=False).need(self.bound, NUMBER)

    @staticmethod
    def is_count(value: Any) -> bool:
        return bool(value >= 1 and value.denominator == 1)

    def need_query(self, e: Tree, inner: frozenset[str]) -> None:
        """Raises unless vectors, parameters and the names in `inner` determine e."""
        outer = frozenset(n for n, _ in self.parameters)
        for p in parts(e):
            k = position(p)
            if k is not None:
                self.need_number(k, outer | inner)
                continue
            body, counter, first, last = self.opened(p)
            taken = outer | inner | {"x"} if p.head == "total" else frozenset[str]()
            need(counter not in taken, "a counter has the name of something else")
            need_names([counter])
            ranks = p.args[1:] if p.head == "ordered" else ()
            for other in (first, last, *ranks):
                self.need_number(other, outer)
            self.need_query(body, frozenset((counter,)))
        self.need_number(rebuild(e, lambda p: number(0) if is_read(p) else None), outer | inner)

    @staticmethod
    def need_number(e: Tree, known: frozenset[str]) -> None:
        need(all(node.head not in OF_VECTORS for node in walk_all(e)), "a part is out of place")
        need_scoped(e, known)
        Reading(strict=False).need(e, NUMBER)

    def opened(self, p: Tree) -> tuple[Tree, str, Tree, Tree]:
        """Body, counter, first and last position of a node that runs over entries."""
        if p.head == "total":
            need(p.args[1].head == "name", "a counter is not a name")
            return p.args[0], str(p.args[1].value), p.args[2], p.args[3]

        def at(node: Tree) -> Tree | None:
            if is_read(node):
                return node
            return make("index", node, name("i")) if is_entry(node) else None

        return rebuild(p.args[0], at), "i", number(1), self.size

    @property
    def unknowns(self) -> Named:
        """The parameters and one entry; what the size mentions is whole."""
        condition = make("and", self.each, at_most(number(1), self.size))
        for n in sorted(self.size.names):
            condition = make("and", condition, make("==", make("floor", name(n)), name(n)))
        return [*self.parameters, ("x", condition)]

    @property
    def here(self) -> Context:
        conditions = [*(c for _, c in self.parameters), at_most(number(1), self.size)]
        return assume(conditions, Context().with_whole_names(self.size.names))

    def every_part(self, e: Tree) -> Iterator[Tree]:
        """The parts, and those inside their bodies that do not vary with the counter."""
        for p in parts(e):
            yield p
            if position(p) is None:
                body, counter, *_ = self.opened(p)
                for q in parts(body):
                    if not varies(q, counter):
                        yield from self.every_part(q)

    def positions(self, p: Tree) -> list[Tree]:
        """The positions in a body that vary with its counter."""
        body, counter, *_ = self.opened(p)
        found = (position(q) for q in parts(body) if varies(q, counter))
        return list(dict.fromkeys(k for k in found if k is not None))

    def need_places(self, every: Sequence[Tree], here: Context) -> None:
        """Raises unless all positions and ranks are whole, from 1 to the size."""
        asked: list[Tree] = []
        for p in every:
            k = position(p)
            if k is not None:
                asked.append(k)
                continue
            _, counter, *ends = self.opened(p)
            asked += p.args[1:] if p.head == "ordered" else ()
            asked += [substitute(k, {counter: end}) for k in self.positions(p) for end in ends]
        ends = [end for p in every if p.head == "total" for end in p.args[2:]]
        for k in (*asked, *ends):
            need(is_whole(here.form(k), here), "a position is not known to be whole")
        for k in asked:
            for gap in (minus(k, number(1)), minus(self.size, k)):
                need(here.signs(here.form(gap)) <= ABOVE, "a position may be out of range")

    def changes(self) -> Iterator[tuple[Context, Tree]]:
        """What has to be >= 0, with what is known there, case by case."""
        here = self.here
        every = list(dict.fromkeys(self.every_part(self.query)))
        self.need_places(every, here)
        named: dict[Form, Tree] = {}
        for p in every:
            k = position(p)
            if k is not None:
                named[here.form(k)] = k
        terms = [(p, k) for p in every if p.head == "total" for k in self.positions(p)]
        for at in (*named.values(), None):
            for kept in itertools.product((True, False), repeat=len(terms)):
                case = Case(self, here, frozenset(named) if at is None else frozenset())
                if case.begins(at, list(itertools.compress(terms, kept))):
                    before, after = case.value(self.query, 0), case.value(self.query, 1)
                    bound = substitute(self.bound, {"i": case.at})
                    for gap in gaps(case.here, bound, before, after):
                        yield case.here, gap


def gaps(here: Context, bound: Tree, before: Tree, after: Tree) -> list[Tree]:
    """What shows that the answer grows by at most the bound; for two roots of sums, which are as
    long as the vectors of what is squared in them, that their difference is no longer than the
    bound.
    """
    plain = [plus(bound, before, negated(after))]
    old, new = summands(before), summands(after)
    if old is None or new is None or len(old) != len(new):
        return plain
    moved: list[Tree] = []
    for p, q in zip(old, new, strict=True):
        if is_square(p) and is_square(q):
            moved.append(squared(minus(q.args[0], p.args[0])))
        elif p is not q or not here.signs(here.form(p)) <= ABOVE:
            return plain
    return [bound, minus(squared(bound), plus(*moved))]


def summands(e: Tree) -> list[Tree] | None:
    """The terms below a square root, sums in them taken apart; None for anything else."""
    if e.head != "^" or e.args[1] is not number(Fraction(1, 2)):
        return None
    found: list[Tree] = []
    left = [e.args[0]]
    while left:
        first, *left = left
        if first.head == "+":
            left = [*first.args, *left]
        else:
            found.append(first)
    return found


def is_square(e: Tree) -> bool:
    return e.head == "^" and e.args[1] is number(2)


def squared(e: Tree) -> Tree:
    return make("^", e, number(2))


def walk_all(e: Tree) -> Iterator[Tree]:
    yield e
    for a in e.args:
        yield from walk_all(a)


class Case:
    """One way in which an entry changes, and the names for what the others determine."""

    def __init__(self, claim: VectorClaim, here: Context, apart: frozenset[Form]) -> None:
        self.claim, self.here, self.apart, self.at = claim, here, apart, number(0)
        self.changed: tuple[Tree, Tree] = (self.at, self.at)
        self.known: dict[object, Tree] = {}
        self.placed: list[tuple[Tree, Tree]] = []
        self.ranks: list[tuple[Tree, Tree, Tree]] = []

    def named(self, key: object) -> Tree:
        new = name(f"@{len(self.known) + 1}")
        self.known[new if key is None else key] = new
        return new

    def given(self, *conditions: Tree) -> None:
        self.here = assume(conditions, self.here)

    def place(self, first: Tree, last: Tree, key: object = None) -> Tree:
        found = self.named(key)
        self.given(at_most(first, found), at_most(found, last))
        return found

    def any_entry(self, key: object = None) -> Tree:
        found = self.named(key)
        self.given(substitute_free(self.claim.each, found))
        return found

    def begins(self, at: Tree | None, terms: Sequence[tuple[Tree, Tree]]) -> bool:
        """Names the entry that changes; False if some term cannot mention it."""
        self.at = self.place(number(1), self.claim.size) if at is None else at
        self.changed = (self.any_entry(), self.any_entry())
        for p, k in terms:
            _, counter, first, last = self.claim.opened(p)
            place = self.solved(k, counter)
            form = self.here.form(place)
            for other in (form - self.here.form(t) for of, t in self.placed if of is p):
                gap = other.rational
                if gap is not None and gap.denominator != 1:
                    return False
            inside = (at_most(first, place), at_most(place, last))
            if any(known_truth(c, self.here, Rejected) is False for c in inside):
                return False
            self.given(*inside)
            self.placed.append((p, place))
        return True

    def solved(self, k: Tree, counter: str) -> Tree:
        """The value of the counter for which k is the position of the entry that changes."""
        here = self.here
        start, second = (here.form(substitute(k, {counter: e})) for e in (number(0), number(1)))
        step = second - start
        line = start + step * of_name(counter)
        rational = step.rational or Fraction(0)
        need(
            rational != 0 and (here.form(k) - line).is_zero,
            "a position is not a multiple of its counter and a constant",
        )
        return tree_of((here.form(self.at) - start).scaled(1 / Fraction(rational)))

    def value(self, e: Tree, side: int) -> Tree:
        found = {p: self.part(p)[side] for p in parts(e)}
        return rebuild(e, found.get)

    def entry(self, k: Tree, side: int | None) -> Tree:
        form = self.here.form(k)
        gap = form - self.here.form(self.at)
        if side is not None and gap.is_zero:
            return self.changed[side]
        if side is not None and form not in self.apart:
            need(0 not in self.here.signs(gap), "an entry may be the one that changes")
        return self.known[form] if form in self.known else self.any_entry(form)

    def term(self, body: Tree, counter: str, k: Tree, side: int | None) -> Tree:
        def at(node: Tree) -> Tree | None:
            found = position(node)
            return None if found is None else self.entry(found, side)

        return rebuild(substitute(body, {counter: k}), at)

    def part(self, p: Tree) -> tuple[Tree, Tree]:
        """A part before and after."""
        k = position(p)
        if k is not None:
            return self.entry(k, 0), self.entry(k, 1)
        body, counter, *_ = self.claim.opened(p)
        fixed = {q: self.part(q) for q in parts(body) if not varies(q, counter)}
        bodies = [rebuild(body, {q: e[s] for q, e in fixed.items()}.get) for s in (0, 1)]
        if p.head == "total":
            places = [t for of, t in self.placed if of is p]
        else:
            places = [self.solved(at, counter) for at in self.claim.positions(p)]
        ranked = p.head in ("ordered", "maximum", "minimum")
        need(not ranked or len(places) == 1, "not one term mentions each entry")
        terms = [[self.term(bodies[s], counter, t, s) for t in places] for s in (0, 1)]
        many = minus(self.claim.size, number(len(places)))
        if bodies[0] is bodies[1]:
            return self.joined(p, bodies[0], terms[0], many), self.joined(
                p, bodies[0], terms[1], many
            )
        need(p.head == "sum", "each term depends on all entries, and it is not a sum")
        if p not in self.known:
            self.place(number(1), self.claim.size, (p, "place"))
            self.given(at_most(number(0), self.named((p, "slack"))))
            self.named(p)
        there = [self.term(e, counter, self.known[p, "place"], None) for e in bodies]
        moved = minus(times(many, minus(there[1], there[0])), self.known[p, "slack"])
        return plus(self.known[p], *terms[0]), plus(self.known[p], moved, *terms[1])

    def joined(self, p: Tree, body: Tree, terms: Sequence[Tree], many: Tree) -> Tree:
        """A part of what the others contribute and the terms that mention the entry."""
        if p.head in ("ordered", "maximum", "minimum"):
            rank = {"maximum": self.claim.size, "minimum": number(1)}.get(p.head, p.args[-1])
            (e,) = terms
            if p.head != "minimum":
                e = make("max", self.rank(p, body, minus(rank, number(1))), e)
            return e if p.head == "maximum" else make("min", self.rank(p, body, rank), e)
        if p not in self.known:
            self.bound(p, body, self.named(p), many)
        return make("*" if p.head == "product" else "+", self.known[p], *terms)

    def rank(self, p: Tree, body: Tree, k: Tree) -> Tree:
        key = (p.args[0], self.here.form(k))
        if key not in self.known:
            found = self.named(key)
            self.bound(p, body, found, number(1))
            for of, rank, other in self.ranks:
                signs = self.here.signs(self.here.form(minus(k, rank)))
                if of is p.args[0] and signs <= ABOVE:
                    self.given(at_most(other, found))
                elif of is p.args[0] and signs <= BELOW:
                    self.given(at_most(found, other))
            self.ranks.append((p.args[0], k, found))
        return self.known[key]

    def bound(self, p: Tree, body: Tree, rest: Tree, many: Tree) -> None:
        """Notes what follows for the others from what holds for any term."""
        other = Case(self.claim, self.here, self.apart)
        other.at, other.changed, other.known = self.at, self.changed, dict(self.known)
        _, counter, first, last = self.claim.opened(p)
        e = other.term(body, counter, other.place(first, last), None)
        ends = {number(0): None}
        if p.head not in ("product", "total"):
            for c in conjuncts(self.claim.each):
                if c.head in ("<", "<="):
                    ends.update((a, None) for a in c.args if "x" not in a.names)
        for end in ends:
            signs = other.signs(e, end)
            amount = number(0) if end is number(0) else times(many, end)
            if signs <= ABOVE:
                self.given(at_most(amount, rest))
            if signs <= BELOW and p.head != "product":
                self.given(at_most(rest, amount))
        if (
            p.head == "product"
            and other.signs(e, number(0)) <= ABOVE
            and other.signs(e, number(1)) <= BELOW
        ):
            self.given(at_most(rest, number(1)))

    def signs(self, e: Tree, c: Tree) -> Signs:
        """The signs that e - c may have, whichever branch of e holds."""
        if e.head == "piecewise":
            return frozenset[int]().union(*(self.signs(v, c) for v in e.args[::2]))
        try:
            found = self.here.signs(self.here.form(minus(e, c)))
        except Rejected:
            found = ANY
        even = c is number(0) and e.head == "^" and e.args[1] in (number(2), number(4), number(6))
        return found & ABOVE if even else found


def substitute_free(condition: Tree, entry: Tree) -> Tree:
    """A condition with x replaced."""
    return rebuild(condition, lambda node: entry if is_entry(node) else None)


# proofs and refutations


def require_vector_claim(said: VectorClaim, proof: Evidence) -> None:
    """in every case: the bound and the answer before exceed the answer after
    ------------------------------------------------------------------------
    the answer moves by at most the bound
    """
    need(proof.kind == "certificate", "evidence of another kind is required")
    need(proof.claim == said.fingerprint, "the certificate belongs to another claim")
    plain = not proof.counts and not proof.conditions
    need(plain and not proof.mass.values and not proof.mass.evidence, "a query has no mass")
    wanted = list(said.changes())
    need(proof.uses == list(range(len(wanted))), "expected exactly one use for each case")
    need(len(proof.evidence) == len(wanted), "expected exactly one piece of evidence for each case")
    for (here, gap), evidence in zip(wanted, proof.evidence, strict=True):
        need(evidence.kind in ("closed", "case split"), "evidence of another kind is required")
        sides = number(1), plus(gap, number(1)), number(0)
        descend(evidence, here, partial(require_at_most, *sides))


def require_jump(said: VectorClaim, data: Any) -> None:
    """two vectors that differ in one entry, and the answer moves by more than the bound
    ----------------------------------------------------------------------------------
    the claim is refuted
    """
    (values,) = fields(data, "values", "the counterexample")
    before, after, bound = answers_of(said, given_named(values))
    need(constant_sign(bound - after + before) == -1, "the answer does not move too far")


def answers_of(said: VectorClaim, rows: Named) -> tuple[Form, Form, Form]:
    """The answers before and after the change that is given, and the bound there."""
    for _, v in rows:
        need_constant(v)
    keys = [n for n, _ in said.parameters]
    given = dict(rows[: len(keys)])
    need(list(given) == keys and len(rows) > len(keys) + 1, "not every parameter has one value")
    n = integer(substitute(said.size, given))
    need(
        [k for k, _ in rows[len(keys) : -1]] == [f"x[{i}]" for i in range(1, n + 1)],
        "not every entry has one value",
    )
    new = NEW.fullmatch(rows[-1][0])
    if new is None:
        raise Rejected("no entry changes")
    at, before = int(new[1]), [v for _, v in rows[len(keys) : -1]]
    need(1 <= at <= n, "the entry that changes does not exist")
    after = [*before[: at - 1], rows[-1][1], *before[at:]]
    here = Context()
    for _, c in said.parameters:
        need(truth(substitute(c, given), here), "a condition of a parameter does not hold")
    for n_ in sorted(said.size.names):
        need(is_whole(here.form(given[n_]), here), "a number of entries is not whole")
    for entry in (*before, rows[-1][1]):
        each = substitute_free(substitute(said.each, given), entry)
        need(truth(each, here), "an entry does not satisfy its condition")
    sides = [here.form(answer(said, said.query, v, given)) for v in (before, after)]
    bound = here.form(substitute(said.bound, {**given, "i": number(at)}))
    return sides[0], sides[1], bound


def integer(e: Tree) -> int:
    found = Context().form(e).rational
    if found is None or found.denominator != 1:
        raise Rejected("a constant is not an integer")
    return int(found)


def answer(said: VectorClaim, e: Tree, vector: Sequence[Tree], given: Mapping[str, Tree]) -> Tree:
    """The answer to a query on a vector, as an expression without names."""

    def value(p: Tree) -> Tree | None:
        k = position(p)
        if k is not None:
            at = integer(substitute(k, given))
            need(1 <= at <= len(vector), "there is no such entry")
            return vector[at - 1]
        if p.head not in RUNNING:
            return None
        body, counter, *ends = said.opened(p)
        body = rebuild(body, lambda q: None if varies(q, counter) else value(q))
        first, last = (integer(substitute(end, given)) for end in ends)
        terms = [
            rebuild(substitute(body, {counter: number(k)}), value) for k in range(first, last + 1)
        ]
        if p.head == "ordered":
            rank = integer(substitute(p.args[1], given))
            need(1 <= rank <= len(terms), "there is no such rank")
            return sorted(terms, key=cmp_to_key(compared))[rank - 1]
        if p.head in ("maximum", "minimum"):
            return make("max" if p.head == "maximum" else "min", *terms)
        return make("*", *terms) if p.head == "product" else plus(number(0), *terms)

    return substitute(rebuild(e, value), given)


def compared(a: Tree, b: Tree) -> int:
    here = Context()
    found = constant_sign(here.form(substitute(a, {})) - here.form(b))
    if found is None:
        raise Rejected("which of two terms is larger is not known")
    return found
