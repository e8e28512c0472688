"""Random noise programs: no exact probability contradicts a level that an alignment proves, and the
two checkers compute the same probabilities.

The probabilities are those of the second checker, which shares no code with the package.  Levels
are those of the cheapest alignments, so that a mistake in a cost or in a condition would show.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest
from recheck import forms, integrals, signs, trees
from recheck.evidence import one_of
from recheck.forms import Form
from recheck.limits import NotCovered
from recheck.lines import Line
from recheck.outcomes import at_parameters, chance
from recheck.programs import ProgramClaim as SecondClaim
from recheck.records import check_record
from recheck.runs import Walker

from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.errors import BadInput, Rejected, Unsupported
from ahdp_verify.kernel.evidence.program_counterexample import ProgramCounterexample
from ahdp_verify.kernel.model.answers import Answers
from ahdp_verify.kernel.model.program import (
    Coin,
    Contest,
    Draw,
    Goto,
    If,
    Program,
    Release,
    State,
    Stop,
    Tree,
    Winner,
)
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.rules.chance import output_probability
from ahdp_verify.kernel.terms.expression import Expression, label
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.stored import from_stored
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.programs.decide import (
    cost_units,
    propose_alignment,
    sample_parameters,
)

LAWS = (("laplace",), ("geometric",), ("exponential", "laplace"))
PROGRAMS = 70  # tried with one seed; a third of them have an alignment


class Maker:
    """Random programs on two or three answers, or on any number of them."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.laws: tuple[str, ...] = LAWS[0]

    def value(self, noises: list[str], answers: list[str]) -> Expression:
        pick = self.rng.sample
        used = pick(noises, min(len(noises), self.rng.choice((1, 1, 2))))
        used += pick(answers, self.rng.choice((0, 1, 1)))
        signed = [f"{self.rng.choice(('', '-1*'))}{name}" for name in used]
        return parse(" + ".join([*signed, self.rng.choice(("0", "0", "1", "-1"))]))

    def tree(
        self, depth: int, noises: list[str], answers: list[str], end: Callable[[], Tree]
    ) -> Tree:
        """A tree of at most so many steps on each path, which ends with `end`."""

        def rest(*more: str) -> Tree:
            return self.tree(depth - 1, [*noises, *more], answers, end)

        kind = self.rng.random()
        if depth == 0:
            return Release(label(self.rng.choice("ab")), end())
        if not noises or (kind < 0.3 and len(noises) < 3):
            new = f"x{len(noises)}"
            scale = parse(self.rng.choice(("1", "2", "4")))
            return Draw(new, self.rng.choice(self.laws), scale, rest(new))
        if kind < 0.75:
            value = self.value(noises, answers)
            return If(value, self.rng.random() < 0.5, rest(), rest())
        if kind < 0.85:
            values = self.value(noises, answers), self.value(noises, answers)
            return Winner(values, (rest(), rest()))
        if kind < 0.9:
            return Coin(parse("1/3"), rest(), rest())
        return Release(self.value(noises, answers), rest())

    def program(self) -> Program:
        self.laws = self.rng.choice(LAWS)
        whole = self.laws == ("geometric",) and self.rng.random() < 0.7
        kind = self.rng.random()
        if kind < 0.6:
            start = self.tree(self.rng.randint(3, 6), [], ["q[1]", "q[2]"], Stop)
            return Program("fixed", (), Answers(2, whole), start)
        if kind < 0.7:
            value = parse(self.rng.choice(("q + x", "2*q + x", "-1*q + x")))
            drawn = (("x", self.rng.choice(self.laws), parse("2")),)
            return Program("contest", (), Answers(None, whole), Contest(drawn, value, kind < 0.65))

        def again() -> Tree:
            return Goto("wait", (("r", parse("r")),)) if self.rng.random() < 0.7 else Stop()

        wait = State("wait", ("r",), self.tree(self.rng.randint(2, 4), ["r"], ["q"], again), Stop())
        start = Draw(
            "s", self.rng.choice(self.laws), parse("2"), Goto("wait", (("r", parse("s")),))
        )
        return Program("rounds", (), Answers(None, whole), start, (wait,))

    def inputs(
        self, relation: str, count: int, whole: bool
    ) -> tuple[list[Fraction], list[Fraction]]:
        """Answers, and neighbouring ones."""
        first = [Fraction(self.rng.randint(-6, 6), 1 if whole else 2) for _ in range(count)]
        steps = (-1, 0, 1) if whole else (-1, Fraction(-1, 2), 1)
        moved = [Fraction(self.rng.choice(steps)) for _ in first]
        if relation == "one":
            only = self.rng.randrange(count)
            moved = [d if i == only else Fraction(0) for i, d in enumerate(moved)]
        if relation == "increasing":
            sign = self.rng.choice((1, -1))
            moved = [sign * abs(d) for d in moved]
        return first, [a + d for a, d in zip(first, moved, strict=True)]


def cheapest(claim: ProgramClaim) -> Proved | None:
    """The claim at the level of the cheapest alignment that is found."""
    clock = Limits(seconds=5).clock()
    with clock.running():
        found = propose_alignment(claim, cost_units(claim, sample_parameters(claim)), clock)
    if not isinstance(found, tuple) or found[1] is None:
        return None
    at_level = replace(claim, level=found[1])
    proof = replace(found[0], claim=at_level.fingerprint)
    try:
        return check(at_level, proof, None, sample_parameters(at_level))
    except Rejected:
        return None


def number(value: Form) -> float:
    if value.is_zero:
        return 0.0
    (m, e), _ = forms.enclosed(value)
    return float(Fraction(m) * Fraction(2) ** e)


def outputs(path: Any, rng: random.Random) -> Any:
    """The JSON of an event that the outputs of a path may have."""
    items: list[Any] = []
    for item in path.items:
        low = str(rng.randint(-3, 3))
        high = rng.choice((None, {"e": low}, {"e": "4"}))
        between = {"is": "between", "low": {"e": low}, "high": high}
        items.append(between if isinstance(item, Line) else {"e": ["label", item.value]})
    return {"is": "outputs", "items": items, "increments": False}


def forget() -> None:
    for module in (forms, integrals, signs, trees):
        module.forget()


@pytest.mark.parametrize("seed", [1, 2])
def test_no_probability_contradicts_a_proved_level(seed: int) -> None:
    maker, losses = Maker(seed), list[float]()
    for _ in range(PROGRAMS):
        try:
            program = maker.program()
        except BadInput:
            continue
        relation = maker.rng.choice(("all", "one", "increasing"))
        proved = cheapest(ProgramClaim(program, relation, parse("1")))
        if proved is None:
            continue
        forget()
        record = json.loads(json.dumps(proved.to_json()))
        assert check_record(record).verdict == "accepted"
        said = SecondClaim(record["claim"])
        here, count = at_parameters(said, []), program.inputs.n or 3
        level = number(here.form(said.level))
        paths = list(islice(Walker(said, here).whole_runs(count), 60))
        for path in maker.rng.sample(paths, min(3, len(paths))):
            event = one_of("outputs")(outputs(path, maker.rng))
            sides = maker.inputs(relation, count, said.whole)
            try:
                p, q = (number(chance(said, here, list(side), event)) for side in sides)
            except NotCovered:
                continue
            if p > 1e-14:
                losses.append((math.log(p / q) if q > 0 else math.inf) - level)
    assert len(losses) > 20 and max(losses) < 1e-9
    assert sum(loss > -1e-9 for loss in losses) > 5  # so the levels are not too high either


@pytest.mark.parametrize("seed", [3, 4])
def test_both_checkers_compute_the_same_probabilities(seed: int) -> None:
    maker, compared = Maker(seed), 0
    for _ in range(PROGRAMS):
        try:
            program = maker.program()
        except BadInput:
            continue
        claim = ProgramClaim(program, "all", parse("1"))
        forget()
        said = SecondClaim(json.loads(json.dumps(claim.to_json())))
        here, count = at_parameters(said, []), program.inputs.n or 2
        path = maker.rng.choice(list(islice(Walker(said, here).whole_runs(count), 60)))
        side, _ = maker.inputs("all", count, said.whole)
        event = outputs(path, maker.rng)
        inputs = {"parameters": [], "first": [], "second": []}
        read = from_stored(
            ProgramCounterexample, {"is": "inputs and outputs", **inputs, "event": event}
        )
        assert isinstance(read, ProgramCounterexample)
        try:
            first = output_probability(program, tuple(side), {}, read.event)
            second = number(chance(said, here, side, one_of("outputs")(event)))
        except (Unsupported, NotCovered):
            continue
        compared += 1
        assert float(enclose(first)[0]) == pytest.approx(second, abs=1e-12)
    assert compared > 30
