"""Draws from a noise program: its tree is walked by all runs at once, each step by those that are
at it.

Runs that wait for the next query in the same control state, after as many outputs, are at the same
step again.  With given noises the runs follow these instead of drawing, so that a program can be
compared with the function from which it was made.  Floats; nothing here is part of a proof.

>>> from ahdp_verify.kernel.model.program import Draw, If, Release, Stop
>>> from ahdp_verify.kernel.terms.expression import label
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> high = If(parse("q[1] + nu"), True, Release(label("yes"), Stop()), Release(parse("nu"), Stop()))
>>> program = Program("sign", (), Answers(1), Draw("nu", "laplace", parse("2"), high))
>>> round(sample_program(program, [1], {}, size=10_000, rng=1).counts()["yes",] / 10_000, 1)
0.7
>>> run_program(program, [1], {}, [[0.5], [-4.0]]).outputs()
[['yes'], [-4.0]]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ahdp_verify.datasets import Multiset
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Undecided, Unsupported
from ahdp_verify.kernel.evidence.program_counterexample import Between, OutputEvent
from ahdp_verify.kernel.model.answers import Answers, RecordAnswers, answer_names, answers_at
from ahdp_verify.kernel.model.declarations import exact_expression
from ahdp_verify.kernel.model.program import (
    Coin,
    Contest,
    Draw,
    Goto,
    If,
    Program,
    Release,
    Tree,
    Winner,
)
from ahdp_verify.kernel.numbers.normal_form import truth
from ahdp_verify.kernel.terms.expression import Expression, substitute
from ahdp_verify.sampling.floats import EMPTY, Array, Columns, evaluate_columns, np
from ahdp_verify.sampling.one_output import random_generator
from ahdp_verify.sampling.sample import number_of_draws

NUMBER, NONE = -1, -2  # what stands at a place of an output beside the labels, which count from 0


@dataclass(slots=True)
class ProgramDraws:
    """The outputs of many runs: `kinds[k]` is the place in `labels` of output number k of each run,
    or says that it is a number, which is in `numbers[k]`, or that there is none.
    """

    size: int
    labels: list[str] = field(default_factory=list)
    kinds: list[Array] = field(default_factory=list)
    numbers: list[Array] = field(default_factory=list)

    def outputs(self) -> list[list[str | float]]:
        """The outputs of each run."""
        return [list(self._of_run(i)) for i in range(self.size)]

    def columns(self) -> Columns:
        """The outputs by their places, "output 1" first: labels, numbers, and "" for none."""
        found = {}
        for i, (kinds, numbers) in enumerate(zip(self.kinds, self.numbers, strict=True), 1):
            column = numbers.astype(object)
            column[kinds == NONE] = ""
            for k, word in enumerate(self.labels):
                column[kinds == k] = word
            found[f"output {i}"] = column
        return found

    def counts(self) -> Counter[tuple[str, ...]]:
        """How many runs had each outcome: its labels, with "#" for a number."""
        outcomes, which = self.outcomes()
        times = np.bincount(which, minlength=len(outcomes)).tolist()
        found: Counter[tuple[str, ...]] = Counter()
        for outcome, k in zip(outcomes, times, strict=True):
            found[outcome] += k
        return +found

    def outcomes(self) -> tuple[list[tuple[str, ...]], Array]:
        """The outcomes, and for each run the place of its outcome among them."""
        width = len(self.labels) + 2
        outcomes: list[tuple[str, ...]] = [()]
        which = np.zeros(self.size, dtype=np.int64)
        for kinds in self.kinds:
            which = which * width + (kinds - NONE)
            there = np.flatnonzero(np.bincount(which, minlength=len(outcomes) * width))
            outcomes = [(*outcomes[k // width], *self._word(k % width + NONE)) for k in there]
            which = np.searchsorted(there, which)
        return outcomes, which

    def occurrences(self, event: OutputEvent) -> int:
        """How many runs had outputs in an event."""
        inside = np.full(self.size, len(event.items) <= len(self.kinds))
        for kinds in self.kinds[len(event.items) :]:
            inside &= kinds == NONE
        before = np.zeros(self.size)
        for kinds, numbers, item in zip(self.kinds, self.numbers, event.items, strict=False):
            if isinstance(item, Between):
                value = numbers - before if event.increments else numbers
                inside &= (kinds == NUMBER) & _lies_in(value, item)
                before = numbers
            else:
                word = item.args[0]
                inside &= kinds == (self.labels.index(word) if word in self.labels else NONE - 1)
        return int(inside.sum())

    def _word(self, kind: int) -> tuple[str, ...]:
        return () if kind == NONE else ("#" if kind == NUMBER else self.labels[kind],)

    def release(self, place: int, rows: Array, item: str | Array) -> None:
        """The runs in some rows release an item at a place."""
        while len(self.kinds) <= place:
            self.kinds.append(np.full(self.size, NONE, dtype=np.int32))
            self.numbers.append(np.full(self.size, np.nan))
        if isinstance(item, str):
            if item not in self.labels:
                self.labels.append(item)
            self.kinds[place][rows] = self.labels.index(item)
        else:
            self.kinds[place][rows] = NUMBER
            self.numbers[place][rows] = item

    def _of_run(self, i: int) -> Iterator[str | float]:
        for kinds, numbers in zip(self.kinds, self.numbers, strict=True):
            if kinds[i] >= 0:
                yield self.labels[kinds[i]]
            elif kinds[i] == NUMBER:
                yield float(numbers[i])


def _lies_in(value: Array, wanted: Between) -> Array:
    """Which numbers lie in an interval; nan, where there is none, does not."""
    low, high = (
        end if e is None else float(evaluate_columns(e, {}))
        for e, end in ((wanted.low, -np.inf), (wanted.high, np.inf))
    )
    return (value >= low) & (value <= high)


class NoiseSource(Protocol):
    """Where noises come from."""

    def noise(self, law: str, scale: float, rows: Array, place: int) -> Array:
        """The noises of the runs in some rows, which have used as many as `place`."""

    def falls(self, probability: float, rows: Array, place: int) -> Array:
        """How the coins of the runs fall."""


@dataclass(frozen=True, slots=True)
class DrawnNoise:
    """New noises of a NumPy generator."""

    rng: Any

    def noise(self, law: str, scale: float, rows: Array, place: int) -> Array:
        """New noises."""
        del place
        if law == "geometric":
            p, n = -np.expm1(-1 / scale), len(rows)
            return (self.rng.geometric(p, n) - self.rng.geometric(p, n)).astype(float)
        if law == "exponential":
            return self.rng.exponential(scale, len(rows))
        return getattr(self.rng, "normal" if law == "gaussian" else law)(0.0, scale, len(rows))

    def falls(self, probability: float, rows: Array, place: int) -> Array:
        """New coins."""
        del place
        return self.rng.random(len(rows)) < probability


@dataclass(frozen=True, slots=True)
class GivenNoise:
    """The noises of each run, in the order of drawing; a coin uses one too, and falls on True below
    its probability.
    """

    noises: Array

    def noise(self, law: str, scale: float, rows: Array, place: int) -> Array:
        """The noises at that place; BadInput if there are none."""
        del law, scale
        if place >= self.noises.shape[1]:
            raise BadInput("noises", f"there are only {self.noises.shape[1]}", "give more")
        return self.noises[rows, place]

    def falls(self, probability: float, rows: Array, place: int) -> Array:
        """Coins from the noises at that place."""
        return self.noise("coin", 1.0, rows, place) < probability


def sample_program(
    program: Program,
    answers: Sequence[object] | Multiset,
    parameters: Mapping[str, object],
    *,
    size: int,
    rng: object = None,
) -> ProgramDraws:
    """Independent runs of a program on given query answers.

    answers     exact numbers or, for answers computed from records, a Multiset
    parameters  exact values that satisfy their conditions
    rng         a NumPy generator, a seed, or None for a new one
    """
    source = DrawnNoise(random_generator(rng))
    return _walk(program, answers, parameters, source, number_of_draws(size))


def run_program(
    program: Program,
    answers: Sequence[object] | Multiset,
    parameters: Mapping[str, object],
    noises: object,
) -> ProgramDraws:
    """The runs of a program on given noises: a row for each run, in the order of drawing."""
    given = np.asarray(noises, dtype=float)
    if given.ndim != 2:
        raise BadInput("noises", "they are not a table", "give a row of noises for each run")
    return _walk(program, answers, parameters, GivenNoise(given), len(given))


@dataclass(frozen=True, slots=True)
class _Group:
    """Runs at the same step: their rows, the values of names, and how many outputs and noises they
    have had.
    """

    rows: Array
    values: Mapping[str, Array]
    outputs: int = 0
    noises: int = 0

    def those(self, which: Array) -> _Group:
        """The runs in some places of the group."""
        values = {k: v[which] if np.ndim(v) else v for k, v in self.values.items()}
        return _Group(self.rows[which], values, self.outputs, self.noises)


@dataclass(slots=True)
class _Walk:
    """All runs of a program."""

    program: Program
    fixed: Mapping[str, float]  # parameters, and query answers that are always there
    source: NoiseSource
    found: ProgramDraws
    waiting: dict[tuple[str, int, int], list[_Group]] = field(default_factory=dict)

    def step(self, tree: Tree, group: _Group) -> None:
        """Takes a group through a tree, until every run ends or waits."""
        if not len(group.rows):
            return
        rows, at = group.rows, group.noises
        match tree:
            case Draw():
                noise = self.source.noise(tree.law, float(self.value(tree.scale, group)), rows, at)
                values = {**group.values, tree.noise: noise}
                self.step(tree.then, _Group(rows, values, group.outputs, at + 1))
            case Coin():
                share = float(self.value(tree.probability, group))
                after = _Group(rows, group.values, group.outputs, at + 1)
                self.split(tree, self.source.falls(share, rows, at), after)
            case If():
                value = np.broadcast_to(self.value(tree.value, group), len(rows))
                self.split(tree, value > 0 if tree.strict else value >= 0, group)
            case Winner():
                values_ = [np.broadcast_to(self.value(v, group), len(rows)) for v in tree.values]
                first = np.argmax(np.stack(values_), axis=0)
                for i, branch in enumerate(tree.branches):
                    self.step(branch, group.those(first == i))
            case Release():
                label = tree.item.head == "label"
                item = tree.item.args[0] if label else self.value(tree.item, group)
                self.found.release(group.outputs, rows, item)
                self.step(tree.then, _Group(rows, group.values, group.outputs + 1, at))
            case Goto():
                kept = {key: self.value(e, group) for key, e in tree.registers}
                key = (tree.state, group.outputs, at)
                self.waiting.setdefault(key, []).append(_Group(rows, kept, group.outputs, at))

    def contest(self, contest: Contest, listed: Sequence[float], group: _Group) -> None:
        """Every run draws for each answer in turn, and releases which value is the greatest."""
        values, at = list[Array](), 0
        for answer in listed:
            one = {"q": np.float64(answer)}
            for noise, law, scale in contest.draws:
                drawn = self.source.noise(law, float(self.value(scale, group)), group.rows, at)
                one, at = {**one, noise: drawn}, at + 1
            value = evaluate_columns(contest.value, {**self.fixed, **one})
            values.append(np.broadcast_to(value, len(group.rows)))
        table = np.stack(values)
        self.found.release(0, group.rows, np.argmax(table, axis=0).astype(float))
        if contest.gap and len(listed) > 1:
            second, first = np.sort(table, axis=0)[-2:]
            self.found.release(1, group.rows, first - second)

    def split(self, tree: If | Coin, holds: Array, group: _Group) -> None:
        """Takes the runs for which something holds one way, the others the other way."""
        self.step(tree.yes, group.those(holds))
        self.step(tree.no, group.those(~holds))

    def value(self, e: Expression, group: _Group) -> Array:
        """The value of an expression in each run."""
        return evaluate_columns(e, {**self.fixed, **group.values})

    def query(self, answer: float | None) -> None:
        """Every waiting run is asked a query, or told that none is left."""
        waiting, self.waiting = self.waiting, {}
        for (name, _, _), groups in waiting.items():
            state = self.program.state(name)
            joined = _joined(groups)
            if answer is None:
                self.step(state.end, joined)
                continue
            values = {**joined.values, "q": np.float64(answer)}
            group = _Group(joined.rows, values, joined.outputs, joined.noises)
            self.step(state.body, group)


def _joined(groups: list[_Group]) -> _Group:
    first = groups[0]
    values = {
        key: np.concatenate([np.broadcast_to(g.values[key], len(g.rows)) for g in groups])
        for key in first.values
    }
    rows = np.concatenate([g.rows for g in groups])
    return _Group(rows, values, first.outputs, first.noises)


def _walk(
    program: Program,
    answers: Sequence[object] | Multiset,
    parameters: Mapping[str, object],
    source: NoiseSource,
    size: int,
) -> ProgramDraws:
    fixed = _parameter_values(program, parameters)
    listed = _answer_values(program, answers)
    walk = _Walk(program, fixed, source, ProgramDraws(size))
    if isinstance(program.start, Contest):
        walk.contest(program.start, listed, _Group(np.arange(size), {}))
        return walk.found
    if not program.states:
        fixed |= dict(zip(answer_names(program.inputs), listed, strict=True))
    walk.step(program.start, _Group(np.arange(size), {}))
    for answer in (*listed, None) if program.states else ():
        walk.query(answer)
    return walk.found


def _parameter_values(program: Program, given: Mapping[str, object]) -> dict[str, float]:
    """The parameters as floats; BadInput for a missing one, and for one outside its condition."""
    exact = {}
    for key, _ in program.parameters:
        if key not in given:
            raise BadInput(program.name, f"the parameter {key} has no value", "give it one")
        exact[key] = exact_expression(given[key], key)
    for key, condition in program.parameters:
        try:
            if not truth(substitute(condition, exact), EMPTY):
                raise BadInput(key, f"{exact[key]} does not satisfy {condition}", "change it")
        except (Undecided, Unsupported) as why:
            raise NotWorkedOut(key, f"{condition} was not decided ({why})", "use numbers") from None
    return {key: float(evaluate_columns(e, {})) for key, e in exact.items()}


def _answer_values(program: Program, given: Sequence[object] | Multiset) -> list[float]:
    """The query answers as floats; BadInput if they do not fit the program."""
    inputs = program.inputs
    if isinstance(inputs, RecordAnswers):
        if not isinstance(given, Multiset) or given.domain != inputs.domain:
            raise BadInput("answers", "they are computed from records", "give a Multiset of them")
        return [float(a) for a in answers_at(inputs, given.counts)]
    if isinstance(given, Multiset):
        raise BadInput("answers", "the program is given query answers", "list them")
    found = [float(evaluate_columns(exact_expression(a, "answers"), {})) for a in given]
    if inputs.n is not None and len(found) != inputs.n:
        raise BadInput("answers", f"there are {len(found)}", f"the program has {inputs.n}")
    if not found:
        raise BadInput("answers", "there are none", "give at least one")
    if isinstance(inputs, Answers) and inputs.whole and any(a != int(a) for a in found):
        raise BadInput("answers", "they are not whole numbers", "the program expects these")
    return found
