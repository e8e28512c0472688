"""Section 12: claims about noise programs, read from JSON, with all names, laws and values
checked.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from recheck.claims import AMOUNTS
from recheck.forms import UNIT
from recheck.limits import cover, need
from recheck.lines import Line, Slopes, gathered, line_of
from recheck.meaning import (
    AMOUNT,
    MOST_PARTS,
    NUMBER,
    Reading,
    base_of,
    choices_of,
    need_conditions,
    need_names,
    need_rows,
)
from recheck.shapes import Named, Record, digest, fields, listed, read_named, read_value, text
from recheck.signs import NIL, POS, Context, assume, at_record, truth
from recheck.trees import (
    AGGREGATES,
    Tree,
    at_most,
    is_number,
    name,
    need_scoped,
    number,
    read,
    rebuild,
    walk,
)

LAWS = ("laplace", "geometric", "exponential", "gumbel", "gaussian")
OF_RECORDS = ("ahdp", "add-remove", "swap")
LEAVES = 4096  # paths of one tree
OTHER = "#other"  # an answer that does not win a contest, and how it changes


@dataclass(frozen=True)
class Step:
    """What a program does first, and then one of `branches`.

    `key` is the noise that is drawn, or the state in which the next query is awaited; `values` are
    the scale, the values that are compared, the probability, the item, or those of `registers`.
    `draws` are the noises of a contest, with their laws and scales, and `strict` its gap.
    """

    kind: str
    key: str = ""
    law: str = ""
    values: tuple[Tree, ...] = ()
    strict: bool = False
    registers: tuple[str, ...] = ()
    branches: tuple[Step, ...] = ()
    draws: tuple[tuple[str, str, Tree], ...] = ()


def read_step(data: Any) -> Step:
    need(bool(listed(data)), "a step is empty")
    kind, *said = data
    if kind == "stop":
        listed(said, 0)
        return Step("stop")
    if kind == "draw":
        key, law, scale, then = listed(said, 4)
        return Step(kind, text(key), text(law), (read(scale),), branches=(read_step(then),))
    if kind == "if":
        value, relation, *both = listed(said, 4)
        need(relation in (">", ">="), "a comparison is neither > nor >=")
        return Step(kind, "", "", (read(value),), relation == ">", (), of_steps(both))
    if kind == "winner":
        values, branches = listed(said, 2)
        return Step(kind, values=tuple(map(read, listed(values))), branches=of_steps(branches))
    if kind == "coin":
        probability, *both = listed(said, 3)
        return Step(kind, values=(read(probability),), branches=of_steps(both))
    if kind == "release":
        item, then = listed(said, 2)
        return Step(kind, values=(read(item),), branches=(read_step(then),))
    if kind == "contest":
        draws, value, gap = listed(said, 3)
        need(isinstance(gap, bool), "a gap is neither true nor false")
        rows = (listed(row, 3) for row in listed(draws))
        drawn = tuple((text(key), text(law), read(scale)) for key, law, scale in rows)
        return Step(kind, values=(read(value),), strict=gap, draws=drawn)
    need(kind == "goto", "a step is of unknown kind")
    state, registers = listed(said, 2)
    named = read_named(registers)
    return Step(
        kind, text(state), "", tuple(e for _, e in named), False, tuple(n for n, _ in named)
    )


def of_steps(data: Any) -> tuple[Step, ...]:
    return tuple(map(read_step, listed(data)))


def leaves(step: Step) -> int:
    return sum(map(leaves, step.branches)) or 1


@dataclass(frozen=True)
class State:
    registers: tuple[str, ...]
    body: Step
    end: Step


@dataclass(frozen=True)
class Move:
    """By how much each answer changes, in amounts that lie between the ends in `box`; the constant
    has the name "".

    single: one answer changes, of any number.  scaled: moves of t times this, 0 <= t <= 1, as well.
    """

    level: Tree
    changes: Mapping[str, Slopes]
    box: tuple[tuple[str, int, int], ...] = ()
    single: bool = False
    scaled: bool = False


class ProgramClaim:
    """A claim about a noise program; `count` is the number of queries, None for any number."""

    def __init__(self, data: Any) -> None:
        program, relation, level, delta, self.queries = fields(
            data, "program relation level delta queries", "the claim"
        )
        self.relation, self.level, self.delta = text(relation), read(level), read(delta)
        self.fingerprint = digest(data)
        called, parameters, inputs, start, states = fields(
            program, "name parameters inputs start states", "the program"
        )
        text(called)
        self.unknowns: Named = read_named(parameters)
        self.own = [n for n, _ in self.unknowns]
        need_names([*self.own, "q"])
        need_conditions(self.unknowns, self.own)
        self.here = assume([c for _, c in self.unknowns], Context())
        self.records: list[Record] = []
        self.contributions: list[list[Slopes]] = []
        self.constants: list[Line] = []
        self.read_inputs(inputs)
        self.start = read_step(start)
        self.states: dict[str, State] = {}
        for row in listed(states):
            key, registers, body, end = listed(row, 4)
            need(text(key) not in self.states, "two states have one name")
            kept = tuple(map(text, listed(registers)))
            self.states[key] = State(kept, read_step(body), read_step(end))
        self.check_steps()
        self.check_said()

    def read_inputs(self, data: Any) -> None:
        need(isinstance(data, dict), "the inputs are not an object")
        if "queries" not in data:
            self.read_records(*fields(data, "domain answers", "the inputs"))
            return
        n, whole = fields(data, "queries whole", "the inputs")
        need(isinstance(whole, bool), "`whole` is neither true nor false")
        self.whole = whole
        good = n == "n" or (type(n) is int and 0 < n <= MOST_PARTS)
        need(good, "the number of query answers is not a positive integer")
        self.fixed: int | None = None if n == "n" else n

    def read_records(self, domain: Any, answers: Any) -> None:
        """Each answer is linear in sums over listed records, of rational numbers."""
        (rows,) = fields(domain, "records", "the domain")
        pairs = (listed(row, 2) for row in listed(rows))
        self.records = [{**read_value(value, "x"), "eps": read(eps)} for value, eps in pairs]
        need(bool(self.records), "there are no records")
        need_rows(self.records, self.own)
        self.answers = [read(e) for e in listed(answers)]
        need(0 < len(self.answers) <= MOST_PARTS, "there are no answers, or too many")
        self.fixed = len(self.answers)
        columns = [answer_of(e, self.records) for e in self.answers]
        self.constants = [line for line, _ in columns]
        self.contributions = [
            [gathered([("", row[i])]) for _, row in columns] for i in range(len(self.records))
        ]
        self.whole = all(c.denominator == 1 for _, row in columns for c in row)

    @property
    def count(self) -> int | None:
        return self.fixed if self.queries is None else self.queries

    def names_of(self, n: int | None) -> list[str]:
        """The names of n answers; of any number of them, the one in a round."""
        return ["q"] if n is None else [f"q[{i}]" for i in range(1, n + 1)]

    @property
    def is_contest(self) -> bool:
        return self.start.kind == "contest"

    # what steps may be

    def check_steps(self) -> None:
        waits = bool(self.states) or self.is_contest
        need(waits == (self.fixed is None), "states do not fit the number of queries")
        need(not self.states or not self.is_contest, "a contest stands for a whole program")
        answers = frozenset([] if self.states else self.names_of(self.fixed))
        self.check_step(self.start, answers, False)
        cover(leaves(self.start) <= LEAVES, "a program has too many paths")
        for state in self.states.values():
            need_names([*self.own, "q", *state.registers])
            kept = frozenset(state.registers)
            self.check_step(state.body, kept | {"q"}, False)
            self.check_step(state.end, kept, True)
            cover(
                max(map(leaves, (state.body, state.end))) <= LEAVES, "a program has too many paths"
            )

    def check_step(self, step: Step, bound: frozenset[str], last: bool) -> None:
        """Raises unless names are bound, and values are linear in what is."""
        need(
            len(step.branches) == BRANCHES.get(step.kind, len(step.values)),
            "a step has too few branches",
        )
        if step.kind == "draw":
            self.check_draw(step.key, step.law, step.values[0], bound)
            bound |= {step.key}
        elif step.kind == "coin":
            self.check_number(step.values[0], self.own)
            p = self.here.form(step.values[0])
            within = self.here.signs(p) | self.here.signs(UNIT - p) <= POS | NIL
            need(within, "a probability is not known to lie in [0, 1]")
        else:
            for key, law, scale in step.draws:
                self.check_draw(key, law, scale, bound)
                bound |= {key}
            for e in step.values:
                if step.kind != "release" or e.head != "label":
                    self.check_number(e, [*self.own, *bound])
                    line_of(e, bound, self.here)
        if step.kind == "winner":
            need(len(step.values) > 1, "a winner among fewer than two")
        need(step.kind != "contest" or step is self.start, "a contest stands for a whole program")
        if step.kind == "goto":
            need(not last, "a step waits for a query when none is left")
            need(step.key in self.states, "a step leads to an unknown state")
            need(step.registers == self.states[step.key].registers, "a step sets other registers")
        for branch in step.branches:
            self.check_step(branch, bound, last)

    def check_draw(self, key: str, law: str, scale: Tree, bound: frozenset[str]) -> None:
        need_names([key])
        free = key not in bound and key not in self.own and base_of(key) != "q"
        need(free, "a noise has the name of something else")
        need(law in LAWS, "a noise has an unknown law")
        self.check_number(scale, self.own)
        need(self.here.signs(self.here.form(scale)) == POS, "a scale is not known to be > 0")

    def check_number(self, e: Tree, known: list[str]) -> None:
        need_scoped(e, known)
        need(all(n.head not in ("label", "oo") for n in walk(e)), "a value is not a number")
        Reading().need(e, NUMBER)

    def check_said(self) -> None:
        need(
            self.relation in (OF_RECORDS if self.records else AMOUNTS),
            "its relation does not fit the inputs",
        )
        if self.queries is not None:
            need(self.fixed is None, "a number of queries where it is fixed already")
            n = self.queries
            need(
                type(n) is int and 0 < n <= MOST_PARTS,
                "the number of queries is not a positive integer",
            )
        ahdp = self.relation == "ahdp"
        need_scoped(self.level, [*self.own, *(self.records[0] if ahdp else ())])
        Reading(choices_of(self.records) if ahdp else {}).need(self.level, *AMOUNT)
        if ahdp and "eps" in self.own and "eps" in self.level.names:
            alike = all(r["eps"] is name("eps") for r in self.records)
            need(alike, "eps is both a demand and a parameter")
        need(self.level.head != "oo", "an infinite level allows everything")
        need(not is_number(self.level) or self.level.value >= 0, "a level is below 0")
        need_scoped(self.delta, self.own)
        Reading().need(self.delta, NUMBER)
        need(
            not is_number(self.delta) or 0 <= self.delta.value <= 1, "delta does not lie in [0, 1]"
        )

    def need_demands(self, here: Context) -> None:
        """Raises unless every demand is >= 0, where `here` has the values of the parameters."""
        for record in self.records:
            need(truth(at_most(number(0), record["eps"]), here), "a demand is below 0")

    # moves

    def level_at(self, record: Record) -> Tree:
        return at_record(self.level, record, self.here) if self.relation == "ahdp" else self.level

    @cached_property
    def moves(self) -> list[Move]:
        """The moves that a proof has to treat, in order."""
        if self.records:
            return list(self.moves_of_records())
        names = self.names_of(self.count)
        if self.is_contest and self.count is None:
            if self.relation == "one":
                return [move for sign in (1, -1) for move in self.contest_moves(sign)]
            names.append(OTHER)
        if self.relation == "one":
            return [self.single_move(n, sign) for sign in (1, -1) for n in names]
        ends = [AMOUNTS["increasing"], AMOUNTS["decreasing"]]
        changes: dict[str, Slopes] = {n: {n: 1} for n in names}
        return [
            Move(self.level, changes, tuple((n, *pair) for n in names))
            for pair in ([AMOUNTS["all"]] if self.relation == "all" else ends)
        ]

    def contest_moves(self, sign: int) -> list[Move]:
        """The winner's answer changes by 1 or -1; or another one does, and with it the greatest of
        the other values by some part of that.
        """
        part = (OTHER, min(sign, 0), max(sign, 0))
        own: dict[str, Slopes] = {"q": {"": sign}, OTHER: {}}
        others: dict[str, Slopes] = {"q": {}, OTHER: {OTHER: 1}}
        return [Move(self.level, own, scaled=True), Move(self.level, others, (part,))]

    def single_move(self, moved: str, amount: int) -> Move:
        """One answer changes by this amount; of any number of answers, one of them."""
        changes: dict[str, Slopes] = {n: {} for n in self.names_of(self.count)}
        changes[moved] = {"": amount}
        return Move(self.level, changes, (), self.count is None, True)

    def moves_of_records(self) -> Iterator[Move]:
        names = self.names_of(self.fixed)
        rows = [dict(zip(names, row, strict=True)) for row in self.contributions]
        if self.relation == "swap":
            for lost, gained in itertools.permutations(rows, 2):
                yield Move(self.level, {n: difference(gained[n], lost[n]) for n in names})
            return
        for record, row in zip(self.records, rows, strict=True):
            level = self.level_at(record)
            if level.head != "oo":
                yield Move(level, row)
                yield Move(level, {n: difference({}, row[n]) for n in names})


BRANCHES = {"draw": 1, "release": 1, "if": 2, "coin": 2, "goto": 0, "stop": 0, "contest": 0}


def difference(a: Slopes, b: Slopes) -> Slopes:
    return gathered([*a.items(), *((n, -c) for n, c in b.items())])


def answer_of(e: Tree, records: list[Record]) -> tuple[Line, list[Any]]:
    """(the answer in names of its sums, what each record adds to it)."""
    need_scoped(e, (), records[0])
    Reading(choices_of(records), strict=False).need(e, NUMBER)
    sums = list(dict.fromkeys(n for n in walk(e) if n.head in AGGREGATES))
    need(bool(sums) and all(n.head == "sum" for n in sums), "an answer is not a sum over records")
    names = {n: name(f"@{i}") for i, n in enumerate(sums, 1)}
    line = line_of(rebuild(e, names.get), frozenset(n.value for n in names.values()), Context())
    added = []
    for r in records:
        weights = {names[n].value: weight(n.args[0], r) for n in sums}
        added.append(sum(c * weights[n] for n, c in line.slopes))
    return line, added


def weight(body: Tree, record: Record) -> Any:
    value = at_record(body, record, Context())
    need(value.head != "oo", "a record has an infinite weight")
    found = Context().form(value).rational
    need(found is not None, "a record adds something that is not rational to an answer")
    return found
