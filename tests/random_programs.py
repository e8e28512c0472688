"""Random noise programs whose outputs have exact probabilities, and random neighbouring inputs.

The comparisons of a program form a tree of noises: all with one threshold, or all with the greatest
value.  Whole-number noise comes with whole answers.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.evidence.program_counterexample import Between, OutputEvent
from ahdp_verify.kernel.model.answers import Answers
from ahdp_verify.kernel.model.linear_form import LinearForm
from ahdp_verify.kernel.model.program import (
    Draw,
    If,
    Program,
    Release,
    Stop,
    Tree,
    Winner,
)
from ahdp_verify.kernel.model.program_paths import Path, PathTable
from ahdp_verify.kernel.terms.expression import Expression, label, number
from ahdp_verify.kernel.terms.grammar import parse

RELATIONS = ("one", "all", "increasing")
EPS = ("eps", parse("eps > 0"))
SCALES = ("1/eps", "2/eps", "3/(2*eps)", "4/eps", "2/(3*eps)")
Pair = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]


def random_program(seed: int) -> tuple[Program, str]:
    """A program and a relation for its inputs, the same for the same seed."""
    rng = random.Random(seed)
    kind = rng.choice((Threshold, Greatest))
    law = rng.choice(("laplace", "laplace", "laplace", "exponential", "geometric"))
    n = rng.choice((1, 2, 2, 3)) if kind is Threshold else rng.choice((2, 3, 3))
    tree = kind(rng, law, n).tree()
    program = Program(f"random {seed}", (EPS,), Answers(n, law == "geometric"), tree)
    return program, rng.choice(RELATIONS)


@dataclass(frozen=True, slots=True)
class Threshold:
    """Answers, or sums of two, are compared with one noisy threshold or, sometimes, without
    noise.
    """

    rng: random.Random
    law: str
    n: int

    def tree(self) -> Tree:
        """The whole tree."""
        return Draw("rho", self.law, parse(self.rng.choice(SCALES)), self._answer(1))

    def _answer(self, i: int) -> Tree:
        if i > self.n:
            return Stop()
        rng = self.rng
        value = f"q[{i}]"
        if i > 1 and rng.random() < 0.3:
            value += rng.choice((" + ", " - ")) + "q[1]"
        noisy = rng.random() < 0.9
        value += f" + z{i}" * noisy
        test = f"{value} - rho - {rng.choice((0, 0, 1, 3))}"
        yes = self._released(i, value if noisy else "", rng.random() < 0.5)
        no = Release(label("below"), self._answer(i + 1))
        tree: Tree = If(parse(test), rng.random() < 0.5, yes, no)
        return Draw(f"z{i}", self.law, parse(rng.choice(SCALES)), tree) if noisy else tree

    def _released(self, i: int, value: str, stops: bool) -> Tree:
        after: Tree = Stop() if stops else self._answer(i + 1)
        kind = self.rng.random()
        if value and kind < 0.15 and self.law != "geometric":
            return Release(parse(f"{value} - rho"), after)
        if value and kind < 0.3 and self.law != "geometric":
            fresh = Release(parse(f"q[{i}] + y{i}"), after)
            return Draw(f"y{i}", self.law, parse(self.rng.choice(SCALES)), fresh)
        return Release(label("above"), after)


@dataclass(frozen=True, slots=True)
class Greatest:
    """The greatest of several noisy answers; then a comparison with fresh noise, or none."""

    rng: random.Random
    law: str
    n: int

    def tree(self) -> Tree:
        """The whole tree."""
        rng = self.rng
        common = parse(rng.choice(SCALES))
        scales = [
            common if rng.random() < 0.7 else parse(rng.choice(SCALES)) for _ in range(self.n)
        ]
        values = [f"q[{i}] + z{i}" for i in range(1, self.n + 1)]
        releases_value = rng.random() < 0.2 and self.law != "geometric"
        compares = rng.random() < 0.4
        branches = tuple(
            self._branch(i, value, releases_value, compares) for i, value in enumerate(values, 1)
        )
        tree: Tree = Winner(tuple(map(parse, values)), branches)
        for i in reversed(range(self.n)):
            tree = Draw(f"z{i + 1}", self.law, scales[i], tree)
        return tree

    def _branch(self, i: int, value: str, releases_value: bool, compares: bool) -> Tree:
        tree: Tree = Stop()
        if compares:
            yes, no = (Release(label(word), Stop()) for word in ("above", "below"))
            test = If(parse(f"q[{i}] + y - 1"), False, yes, no)
            tree = Draw("y", self.law, parse("2/eps"), test)
        return Release(label(f"{i}"), Release(parse(value), tree) if releases_value else tree)


def random_neighbours(program: Program, relation: str, rng: random.Random) -> Pair:
    """Two neighbouring inputs."""
    n, whole = program.inputs.n or 1, program.inputs.whole
    steps = (0, 1) if whole else (Fraction(0), Fraction(1, 3), Fraction(1))
    first = [Fraction(rng.choice((0, 0, 1, 2, -2, 5, -5))) for _ in range(n)]
    sign = rng.choice((1, -1))
    if relation == "one":
        i = rng.randrange(n)
        move = [Fraction(sign * rng.choice(steps)) if j == i else Fraction(0) for j in range(n)]
    elif relation == "increasing":
        move = [Fraction(sign * rng.choice(steps)) for _ in range(n)]
    else:
        move = [Fraction(rng.choice((1, -1)) * rng.choice(steps)) for _ in range(n)]
    return tuple(first), tuple(a + d for a, d in zip(first, move, strict=True))


def events(program: Program, rng: random.Random) -> Iterator[OutputEvent]:
    """An event for each sequence of labels that can be released, with a random half-line for each
    number.
    """
    paths = PathTable(program).runs(program.inputs.n or 1)
    for _, group in itertools.groupby(sorted(paths, key=_word), key=_word):
        path = next(group)
        yield OutputEvent(tuple(_wanted(item, rng) for item in path.items))


def _word(path: Path) -> list[str]:
    return ["#" if isinstance(item, LinearForm) else str(item) for item in path.items]


def _wanted(item: Expression | LinearForm, rng: random.Random) -> Expression | Between:
    if not isinstance(item, LinearForm):
        return item
    end = number(rng.choice((-3, 0, 1, 4)))
    return Between(end, None) if rng.random() < 0.5 else Between(None, end)
