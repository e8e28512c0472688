"""Random noise programs: no exact loss exceeds the level that was proved, and the level is the
least.
"""

from __future__ import annotations

import math
import random

import pytest

from ahdp_verify.analysis.levels.programs import ProgramLevel, least_levels
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.chance import output_probability
from ahdp_verify.kernel.terms.expression import Expression, number, oo, substitute
from ahdp_verify.search.limits import Limits
from tests.random_programs import events, random_neighbours, random_program

NUMBER = 200
PAIRS = 8
TIGHT = ("attained", "limit", "to a thousandth")


def at(value: Ratio) -> float:
    """The number as a float."""
    low, high = enclose(value)
    return float((low + high) / 2)


def level_of(seed: int) -> tuple[Program, str, ProgramLevel]:
    """A random program, its relation and its least level."""
    program, relation = random_program(seed)
    found = least_levels(program, relation, limits=Limits(seconds=20))
    return program, relation, found.rows[0]


def largest_loss(program: Program, relation: str, eps: Expression, rng: random.Random) -> float:
    """The largest loss of the outputs at some neighbours."""
    most, given = 0.0, {"eps": eps}
    for _ in range(PAIRS):
        first, second = random_neighbours(program, relation, rng)
        for event in events(program, rng):
            p, other = (at(output_probability(program, q, given, event)) for q in (first, second))
            if p > 0:
                most = max(most, math.log(p / other) if other > 0 else math.inf)
    return most


@pytest.mark.sweep(15)
@pytest.mark.parametrize("seed", range(NUMBER))
def test_no_loss_exceeds_the_level(seed: int) -> None:
    program, relation, row = level_of(seed)
    rng = random.Random(seed)
    if row.level is None or row.level == oo:
        return
    for eps in (number("1/3"), number(2)):
        level = at(normal(substitute(row.level, {"eps": eps}), Context.empty()))
        assert largest_loss(program, relation, eps, rng) <= level + 1e-9


def test_losses_are_seen_where_there_are_any() -> None:
    """So the comparison above can fail: on some programs the loss comes close to the level."""
    near = 0
    for seed in range(12):
        program, relation, row = level_of(seed)
        if row.level is not None and row.level != oo:
            level = at(normal(substitute(row.level, {"eps": number(2)}), Context.empty()))
            near += largest_loss(program, relation, number(2), random.Random(seed)) > 0.8 * level
    assert near >= 3


@pytest.mark.sweep(0)
@pytest.mark.parametrize("share", [0.95])
def test_levels_are_the_least(share: float) -> None:
    """Attained, a limit, or shown to a thousandth; infinite ones by an output that is
    impossible.
    """
    tight = sum(level_of(seed)[2].shown in TIGHT for seed in range(NUMBER))
    assert tight >= share * NUMBER


@pytest.mark.parametrize("seeds", [range(15)])
def test_the_first_levels_are_the_least(seeds: range) -> None:
    assert all(level_of(seed)[2].shown in TIGHT for seed in seeds)
