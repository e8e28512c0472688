"""Inputs, and intervals for released numbers, at which the prices of a path are paid.

The most likely noises with which a path is taken at answers q have the prices of the path where

    a noise lies far out, at t or beyond, if the prices pull it by all of 1/scale, and is 0
    otherwise rows with a price are tight, and other rows are not, by t if possible

Then the logarithm of the probability changes by the gain, but for what vanishes as t grows.
Released numbers lie beyond the value that they have there, on the side where it is less likely.

Where the gain has no bound, the answers are placed so that the prices contradict the rows at the
second input and not at the first.

>>> from ahdp_verify.kernel.model.linear_form import LinearForm
>>> from ahdp_verify.search.programs.prices import prices_of_move
>>> item = LinearForm.of({"q[1]": Fraction(1), "x": Fraction(1)})
>>> noisy = SampledForm({"x": Fraction(1)}, {"q[1]": Fraction(1)}, Fraction(0))
>>> path = SampledPath(
...     {"x": Fraction(1, 2)}, frozenset(), frozenset(), (), frozenset(), {0: noisy}, (item,), False
... )
>>> prices = prices_of_move(path, {"q[1]": Fraction(1)})
>>> found = placed(path, prices, Inputs(Answers(1), 1, frozenset()), 4)
>>> print(found.chosen["q[1]"], found.event)
0 (-oo, -4]
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.evidence.program_counterexample import Between, OutputEvent
from ahdp_verify.kernel.model.answers import (
    Answers,
    RecordAnswers,
    answer_names,
    answers_at,
    contributions,
)
from ahdp_verify.kernel.terms.expression import Expression, number
from ahdp_verify.search.programs.prices import Prices
from ahdp_verify.search.programs.sampled_paths import SampledForm, SampledPath
from ahdp_verify.search.programs.unknowns import Sum
from ahdp_verify.search.solvers.linear_programme import Programme

NEAR = Fraction(1, 200)  # relative: prices are rounded to small fractions
QUARTER = Fraction(1, 4)
SLACK = 5.0  # what a unit of slack is worth, in units of answers


@dataclass(frozen=True, slots=True)
class Placement:
    """What is chosen: answers or counts of records at the first input, open parameters, an
    event.
    """

    chosen: Mapping[str, Fraction]
    event: OutputEvent


@dataclass(frozen=True, slots=True)
class Inputs:
    """How answers depend on what may be chosen: the answers themselves, or counts of records.

    needed    the records of which the first input has at least one, which is removed
    """

    of: Answers | RecordAnswers
    n: int
    open: frozenset[str]
    needed: frozenset[int] = frozenset()

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of what may be chosen, without parameters."""
        if isinstance(self.of, RecordAnswers):
            return tuple(f"record {i}" for i in range(len(self.of.domain.records)))
        return tuple(f"q[{i}]" for i in range(1, self.n + 1))

    def answers(self) -> dict[str, Sum]:
        """The answers, and the parameters, as sums of what may be chosen."""
        found = {key: Sum.of(key) for key in self.open}
        if not isinstance(self.of, RecordAnswers):
            return found | {key: Sum.of(key) for key in self.keys}
        rows = [contributions(self.of, r) for r in self.of.domain.records]
        empty = answers_at(self.of, (0,) * len(rows))
        for j, key in enumerate(answer_names(self.of)):
            terms: dict[Hashable, Fraction] = dict(
                zip(self.keys, (row[j] for row in rows), strict=True)
            )
            found[key] = Sum({k: c for k, c in terms.items() if c}, empty[j])
        return found

    def declare(self, programme: Programme) -> None:
        """The unknowns of a programme that has to find them, as small as possible."""
        records = isinstance(self.of, RecordAnswers)
        for i, key in enumerate(self.keys):
            low = int(i in self.needed) if records else None
            programme.variable(key, low=low, whole=self.of.whole or records)
        for key in sorted(self.open):
            programme.variable(key, whole=self.of.whole)
        for key in (*self.keys, *sorted(self.open)):
            cost = 1.0 + self.n if key in self.open else 1.0
            programme.variable(("size", key), low=0, cost=cost)
            for sign in (1, -1):
                terms = {("size", key): Fraction(1), key: Fraction(sign)}
                programme.at_least(terms, Fraction(0))


def placed(path: SampledPath, prices: Prices, inputs: Inputs, far: int) -> Placement | None:
    """Inputs and an event at which the gain of prices is reached, but for what vanishes as `far`
    grows; None if there are none.
    """
    programme, answers, wide = Programme(), inputs.answers(), max(far, 1)
    inputs.declare(programme)
    noises = _far_noises(path, prices, programme, far)
    for i, form in enumerate(path.rows):
        total = _total(form, noises, answers)
        if i in prices.rows:
            programme.equal(total.terms, -total.constant)
            continue
        programme.variable(("slack", i), low=0, high=wide, cost=-SLACK)
        total = total - Sum.of(("slack", i))
        programme.at_least(total.terms, -total.constant)
    solution = programme.solve()
    if solution is None:
        return None
    ends: dict[int, Between] = {}
    for i, price in prices.values.items():
        end = number(_total(path.values[i], noises, answers).value(solution))
        ends[i] = Between(end, None) if price > 0 else Between(None, end)
    return _placement(path, inputs, solution, ends)


def _far_noises(
    path: SampledPath, prices: Prices, programme: Programme, far: int
) -> dict[str, Sum]:
    """The noises as unknowns: far out if they are pulled as much as possible, otherwise 0, or as
    near to 0 as the rows allow.
    """
    noises = {}
    for noise, pull in prices.pull(path).items():
        rate, whole = path.rates[noise], noise in path.whole
        if pull >= rate * (1 - NEAR) or (noise not in path.upward and -pull >= rate * (1 - NEAR)):
            programme.variable((noise, "far"), low=far, cost=0.01, whole=whole)
            noises[noise] = Sum.of((noise, "far"), 1 if pull > 0 else -1)
            continue
        noises[noise] = Sum({})
        for sign in (1,) if noise in path.upward else (1, -1):
            cost = 2 * SLACK * (1 + len(path.rows))
            programme.variable((noise, sign), low=0, cost=cost, whole=whole)
            noises[noise] = noises[noise] + Sum.of((noise, sign), sign)
    return noises


def contradicted(path: SampledPath, prices: Prices, inputs: Inputs) -> Placement | None:
    """Inputs and an event that is possible at the first and impossible at the second; None if there
    are none.
    """
    programme, answers = Programme(), inputs.answers()
    inputs.declare(programme)
    programme.variable("room", low=0, high=1, cost=-20.0)
    noises = {}
    for noise in path.rates:
        programme.variable(noise, whole=noise in path.whole)
        noises[noise] = Sum.of(noise)
        if noise in path.upward:
            programme.at_least({noise: Fraction(1), "room": Fraction(-1)}, Fraction(0))
    spare = Sum({})
    for i, form in enumerate(path.rows):
        total = _total(form, noises, answers)
        spare = spare + total.times(prices.rows.get(i, Fraction(0)))
        if i in path.strict or not path.whole.issuperset(form.noises):
            total = total - Sum.of("room")
        programme.at_least(total.terms, -total.constant)
    for noise, pull in prices.pull(path).items():
        spare = spare - Sum.of(noise, pull)  # one-sided noises make up the rest
    programme.at_least({k: -c for k, c in spare.terms.items()}, spare.constant - Fraction(1, 2))
    solution = programme.solve()
    if solution is None or not solution["room"]:
        return None
    price = sum(map(abs, prices.values.values()), Fraction(0))
    width = QUARTER / price if price else QUARTER
    ends = {}
    for i in prices.values:
        centre = _total(path.values[i], noises, answers).value(solution)
        ends[i] = Between(number(centre - width), number(centre + width))
    return _placement(path, inputs, solution, ends)


def _total(form: SampledForm, noises: Mapping[str, Sum], answers: Mapping[str, Sum]) -> Sum:
    total = Sum({}, form.constant)
    for key, c in form.noises.items():
        total = total + noises[key].times(c)
    for key, c in form.given.items():
        total = total + answers[key].times(c)
    return total


def _placement(
    path: SampledPath,
    inputs: Inputs,
    solution: Mapping[Hashable, Fraction],
    ends: Mapping[int, Between],
) -> Placement:
    chosen = {key: solution[key] for key in (*inputs.keys, *inputs.open)}
    anything = Between(None, None)
    known = {i: number(form.constant) for i, form in path.values.items() if form.is_constant}
    ends = {**ends, **{i: Between(value, value) for i, value in known.items()}}
    listed: list[Expression | Between] = [
        item if isinstance(item, Expression) else ends.get(i, anything)
        for i, item in enumerate(path.items)
    ]
    return Placement(chosen, OutputEvent(tuple(listed), path.increments))
