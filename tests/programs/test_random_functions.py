"""Random functions on given noises against the trees that are made of them, in exact arithmetic.

The trees are walked here, by Python's own arithmetic of fractions, and not by the package.  Noises
are often small whole numbers, so that equal values are met.
"""

from __future__ import annotations

import inspect
import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from types import CodeType
from typing import Any

import pytest

from ahdp_verify import argmax, coin, exponential, laplace, noise_program
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.program import (
    Coin,
    Draw,
    Goto,
    If,
    Program,
    Release,
    Stop,
    Tree,
    Winner,
)
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.programs import exploring, loop
from ahdp_verify.programs.words import drawing_with
from tests.programs.random_functions import random_function

WORDS = {
    "laplace": laplace,
    "exponential": exponential,
    "coin": coin,
    "argmax": argmax,
    "Fraction": Fraction,
}
Log = list[tuple[str, Fraction]]  # the laws and scales of the draws


@dataclass(slots=True)
class Chance:
    """Noises and coins that depend on a seed and on how many noises were drawn before."""

    seed: int
    drawn: Log = field(default_factory=list)

    def draw(self, law: str, scale: Any) -> Fraction:
        """The next noise."""
        self.drawn.append((law, Fraction(scale)))
        of_this = random.Random(f"{self.seed} {len(self.drawn)}")
        small = self.seed % 2 == 0
        found = Fraction(of_this.randint(-4, 4)) if small else Fraction(of_this.random()) * 8 - 4
        return abs(found) if law == "exponential" else found

    def coin(self, probability: Any) -> bool:
        """How a coin falls."""
        return bool(random.Random(f"coin {self.seed} {len(self.drawn)}").random() < probability)

    def argmax(self, values: Iterable[Any], gap: bool = False) -> Any:
        """The first greatest, and by how much it leads."""
        first, *others = sorted(enumerate(values), key=lambda pair: -pair[1])
        if not gap:
            return first[0]
        return first[0], *(first[1] - second for _, second in others[:1])


@cache
def compiled(e: Expression) -> CodeType:
    """An expression as code over fractions."""
    text = re.sub(r"\bq\[(\d+)\]", r"q__\1", str(e))
    return compile(re.sub(r"(?<!\w)(\d+)", r"F(\1)", text).replace("^", "**"), "tree", "eval")


def value(e: Expression, names: dict[str, Fraction]) -> Fraction:
    """The value of an expression."""
    return Fraction(eval(compiled(e), {"F": Fraction}, dict(names)))


def walked(program: Program, answers: list[Fraction], eps: Fraction, seed: int) -> tuple[Any, Log]:
    """What a tree releases, and what it draws."""
    chance, released, left = Chance(seed), [], list(answers)
    names = {"eps": eps, **{f"q__{i}": a for i, a in enumerate(answers, 1)}}
    tree: Tree = program.start
    while not isinstance(tree, Stop):
        match tree:
            case Draw():
                names[tree.noise] = chance.draw(tree.law, value(tree.scale, names))
                tree = tree.then
            case Release():
                label = tree.item.head == "label"
                released.append(tree.item.args[0] if label else value(tree.item, names))
                tree = tree.then
            case If():
                gap = value(tree.value, names)
                tree = tree.yes if gap > 0 or (gap == 0 and not tree.strict) else tree.no
            case Coin():
                tree = tree.yes if chance.coin(value(tree.probability, names)) else tree.no
            case Winner():
                tree = tree.branches[chance.argmax([value(v, names) for v in tree.values])]
            case Goto():
                state = program.state(tree.state)
                names = {"eps": eps, **{key: value(e, names) for key, e in tree.registers}}
                if left:
                    names["q"] = left.pop(0)
                tree = state.body if "q" in names else state.end
            case _:
                raise AssertionError(tree)
    return released, chance.drawn


def flat(given: Any) -> list[Any]:
    """What an output is released as, item by item."""
    if isinstance(given, list | tuple):
        return [item for part in given for item in flat(part)]
    return [str(given).lower() if given is None or isinstance(given, bool) else given]


def ran(
    f: Callable[..., Any], answers: list[Fraction], eps: Fraction, seed: int
) -> tuple[Any, Log]:
    """What a function releases, and what it draws."""
    chance = Chance(seed)
    with drawing_with(chance):
        found = f(list(answers), eps)
        released = flat(list(found) if inspect.isgenerator(found) else found)
    return released, chance.drawn


def function(seed: int) -> Callable[..., Any]:
    """The random function of a seed."""
    names: dict[str, Any] = {**WORDS, "__name__": "random_function"}
    exec(random_function(seed), names)
    found: Callable[..., Any] = names["f"]
    return found


def compare(seed: int, queries: int | None) -> bool:
    """Whether the function is a program; if it is one, they do the same on 12 inputs."""
    f = function(seed)
    try:
        program = noise_program(parameters={"eps": "eps > 0"})(f).program(queries)
    except BadInput:
        return False
    for run in range(12):
        rng = random.Random(run)
        count = rng.randint(1, 4) if queries is None else queries
        answers = [Fraction(rng.randint(-8, 8), rng.choice((1, 2))) for _ in range(count)]
        eps = Fraction(rng.choice((1, 2, 5)), rng.choice((1, 3)))
        expected = walked(program, answers, eps, run)
        assert ran(f, answers, eps, run) == expected, random_function(seed)
    return True


@pytest.fixture(autouse=True)
def _few_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions with many paths are refused, which saves time."""
    monkeypatch.setattr(exploring, "LEAVES", 60)
    monkeypatch.setattr(loop, "MOST_STATES", 8)


@pytest.mark.parametrize(("queries", "least"), [(None, 12), (2, 25)])
def test_a_tree_does_what_the_function_does(queries: int | None, least: int) -> None:
    # most of the others have too many paths, or use the number of queries
    assert sum(compare(seed, queries) for seed in range(60)) >= least
