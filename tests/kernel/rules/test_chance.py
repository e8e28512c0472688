"""Exact probabilities of outputs: values of the field, quadrature, sums by brute force, total 1."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.integrate import quad

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.evidence.program_counterexample import Between, OutputEvent
from ahdp_verify.kernel.model.answers import Answers
from ahdp_verify.kernel.model.program import (
    Coin,
    Draw,
    If,
    Program,
    Release,
    Stop,
    Tree,
    Winner,
    draws,
)
from ahdp_verify.kernel.numbers.algebra import Ratio, constant
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.chance import output_probability
from ahdp_verify.kernel.terms.expression import Expression, label, number, substitute
from ahdp_verify.kernel.terms.grammar import parse
from tests.programs_by_hand import NO, YES, drawn, noisy_max, sparse_vector

TENTH = {"eps": number(Fraction(1, 10))}
UNIT = {"eps": number(1)}


def labels(text: str) -> OutputEvent:
    """The event of labels: y, n or a digit each."""
    return OutputEvent(tuple({"y": YES, "n": NO}.get(c, label(c)) for c in text))


def interval(low: object, high: object) -> Between:
    """A closed interval; None is no bound."""
    ends = [None if end is None else number(Fraction(str(end))) for end in (low, high)]
    return Between(*ends)


def value(r: Ratio) -> float:
    """The number, to about 15 digits."""
    low, high = enclose(r)
    return float((low + high) / 2)


def probability(
    program: Program, q: Sequence[object], given: dict[str, Expression], event: OutputEvent
) -> float:
    """The probability as a float."""
    answers = tuple(Fraction(str(x)) for x in q)
    return value(output_probability(program, answers, given, event))


def loss(
    program: Program,
    first: Sequence[object],
    second: Sequence[object],
    given: dict[str, Expression],
    event: OutputEvent,
) -> float:
    """The privacy loss of the event, to 6 digits."""
    p, q = (probability(program, side, given, event) for side in (first, second))
    return round(math.log(p / q), 6)


def largest_loss_of_answers(program: Program, given: dict[str, Expression]) -> float:
    """The largest |loss| of a run that ends at its first yes or has none: from ten answers 1 to a
    shape of field.md, of length 10, both ways.
    """
    base, half = (1,) * 10, 5
    shapes = [
        (0, *base[1:]),
        (2, *base[1:]),
        (2,) + (0,) * 9,
        (0,) + (2,) * 9,
        (2,) * half + (0,) * half,
        (0,) * half + (2,) * half,
        (2,) * 10,
        (0,) * 10,
    ]
    pairs: list[tuple[Sequence[int], Sequence[int]]] = [(base, shape) for shape in shapes]
    crossed = (1,) * half + (0,) * half
    pairs += [(crossed, crossed[::-1])]
    events = [labels("n" * k + "y") for k in range(10)] + [labels("n" * 10)]
    return max(
        abs(loss(program, one, other, given, event)) for one, other in pairs for event in events
    )


# values of field.md


def test_noisy_max_has_the_losses_of_the_field() -> None:
    far, near = (1,) * 5, (0, 2, 2, 2, 2)
    assert loss(noisy_max(5, "laplace"), far, near, TENTH, labels("1")) == 0.094615  # M11
    assert loss(noisy_max(5, "exponential"), far, near, TENTH, labels("1")) == 0.1  # M12
    released = noisy_max(5, "laplace", released="value")
    event = OutputEvent((interval(None, 0),))
    assert loss(released, (0,) * 5, (1,) * 5, TENTH, event) == 0.25  # M13: n eps/2


def test_sparse_vector_has_the_losses_of_the_field() -> None:
    right, wrong = sparse_vector("2/eps", "4/eps"), sparse_vector("4/eps", "4/(3*eps)")
    for program, threshold, expected in (
        (right, Fraction(1, 2), 0.088526),  # M17
        (right, Fraction(1), 0.088230),  # M18, which is the same with c = 1
        (wrong, Fraction(1), 0.172471),  # M20
    ):
        given = {**TENTH, "T": number(threshold)}
        assert largest_loss_of_answers(program, given) == expected


@pytest.mark.parametrize(("n", "expected"), [(10, 0.420032), (20, 0.876290)])
def test_sparse_vector_without_a_stop_has_the_loss_of_the_field(n: int, expected: float) -> None:
    half, given = n // 2, {**TENTH, "T": number(1)}
    shape, event = (2,) * half + (0,) * half, labels("n" * half + "y" * half)
    program = sparse_vector("2/eps", "2/eps", None)
    assert loss(program, (1,) * n, shape, given, event) == expected  # M22


def test_a_noisy_answer_that_is_released_costs_five_eps() -> None:
    program = sparse_vector("2/eps", "2/eps", released="q + nu")
    event = OutputEvent((NO,) * 9 + (interval(None, -1),))
    given = {**TENTH, "T": number(0)}
    assert loss(program, (0,) * 10, (1,) * 10, given, event) == 0.5  # M19: n eps/2


def test_answers_without_noise_contradict_each_other() -> None:
    program = sparse_vector("2/eps", "", None)  # M21
    given = {**TENTH, "T": number(0)}
    assert output_probability(program, (Fraction(0), Fraction(1)), given, labels("yn")).is_zero
    assert probability(program, (1, 0), given, labels("yn")) > 0


# other computations


def laplace(x: float, b: float) -> float:
    """The density of Laplace noise."""
    return math.exp(-abs(x) / b) / (2 * b)


def above(x: float, b: float) -> float:
    """The probability of Laplace noise above x."""
    return math.exp(-x / b) / 2 if x > 0 else 1 - math.exp(x / b) / 2


def integrated(f: Callable[[float], float], points: Sequence[float]) -> float:
    """The integral of f, which may have kinks at some points."""
    ends = [-200.0, *sorted(points), 200.0]
    return math.fsum(quad(f, a, b, limit=200)[0] for a, b in itertools.pairwise(ends))


@pytest.mark.parametrize("q", [(0, 0, 0), (1, "-1/2", 2), (-1, 3, "1/3")])
def test_sparse_vector_agrees_with_quadrature(q: tuple[object, ...]) -> None:
    program = sparse_vector("2/eps", "4/eps", 2)
    numbers = [float(Fraction(str(x))) for x in q]

    def density(rho: float) -> float:
        one, two, three = (above(0.25 + rho - x, 4) for x in numbers)
        return laplace(rho, 2) * (1 - one) * two * (1 - three)

    found = probability(program, q, {**UNIT, "T": number(Fraction(1, 4))}, labels("nyn"))
    assert found == pytest.approx(integrated(density, [0, *(x - 0.25 for x in numbers)]), rel=1e-9)


def test_a_gap_that_is_released_agrees_with_quadrature() -> None:
    program = sparse_vector("2/eps", "4/eps", released="q + nu - T - rho")
    event = OutputEvent((NO, interval(1, "5/2")))

    def density(rho: float) -> float:
        hit = above(1 + rho + 1, 4) - above(2.5 + rho + 1, 4)
        return laplace(rho, 2) * (1 - above(rho - 2, 4)) * hit

    found = probability(program, (2, -1), {**UNIT, "T": number(0)}, event)
    assert found == pytest.approx(integrated(density, [-3.5, -2, 0, 2]), rel=1e-9)


def test_the_largest_of_exponential_noises_agrees_with_quadrature() -> None:
    program = noisy_max(3, "exponential", "3")

    def density(x: float) -> float:
        below = [max(0.0, 1 - math.exp(-(x + 1 - q) / 3)) if x + 1 > q else 0.0 for q in (0, 2.5)]
        return math.exp(-x / 3) / 3 * below[0] * below[1] if x > 0 else 0.0

    found = probability(program, (0, 1, "5/2"), UNIT, labels("2"))
    assert found == pytest.approx(integrated(density, [0, 1.5]), rel=1e-9)


def geometric(k: int, b: float) -> float:
    """The probability of a value of two-sided geometric noise."""
    y = math.exp(-1 / b)
    return (1 - y) / (1 + y) * y ** abs(k)


def test_whole_number_noise_agrees_with_sums_and_keeps_ties() -> None:
    program = noisy_max(3, "geometric")

    def summed(q: tuple[int, int, int]) -> float:
        laws = [{k + x: geometric(k, 2) for k in range(-90, 91)} for x in q]
        return math.fsum(
            p
            * math.fsum(r for k, r in laws[1].items() if k <= v)
            * math.fsum(r for k, r in laws[2].items() if k <= v)
            for v, p in laws[0].items()
        )

    for q in ((0, 1, 0), (-1, 2, 1)):
        assert probability(program, q, UNIT, labels("1")) == pytest.approx(summed(q), rel=1e-12)
    assert loss(program, (0, 1, 0), (-1, 2, 1), UNIT, labels("1")) == 0.868845


def test_whole_number_sparse_vector_agrees_with_sums() -> None:
    program = sparse_vector("2/eps", "4/eps", law="geometric")
    laws = [{k: geometric(k, b) for k in range(-300, 301)} for b in (2, 4)]
    tails = dict(zip(laws[1], itertools.accumulate(laws[1].values()), strict=True))  # P(nu <= k)
    q, wanted = (2, -1, 0), 0.0
    for rho, p in laws[0].items():
        cut = [tails.get(1 + rho - x - 1, 0.0 if rho < 0 else 1.0) for x in q]
        wanted += p * cut[0] * cut[1] * (1 - cut[2])
    found = probability(program, q, {**UNIT, "T": number(1)}, labels("nny"))
    assert found == pytest.approx(wanted, rel=1e-12)


def test_whole_number_noise_at_fractions_and_strict_rows() -> None:
    test = If(parse("2*x - 2*q[1]"), True, Release(YES, Stop()), Release(NO, Stop()))
    program = Program("", (), Answers(1), Draw("x", "geometric", parse("1"), test))
    for q, least in (("1/2", 1), ("1", 2), ("-1", 0), ("-3/2", -1)):
        wanted = math.fsum(geometric(k, 1) for k in range(least, 60))
        assert probability(program, (q,), {}, labels("y")) == pytest.approx(wanted, rel=1e-12)


def test_the_two_largest_in_order_need_no_cycle() -> None:
    values = tuple(parse(f"q[{i}] + x{i}") for i in (1, 2, 3))
    branches = []
    for i in range(3):
        rest = [j for j in range(3) if j != i]
        inner = tuple(Release(label(f"{i + 1}{j + 1}"), Stop()) for j in rest)
        branches.append(Winner(tuple(values[j] for j in rest), inner))
    tree = drawn(["x1", "x2", "x3"], "laplace", "1", Winner(values, tuple(branches)))
    program = Program("", (), Answers(3), tree)
    events = [label(f"{i}{j}") for i, j in itertools.permutations((1, 2, 3), 2)]
    q = (Fraction(0), Fraction(1), Fraction(-1, 2))
    found = [output_probability(program, q, {}, OutputEvent((e,))) for e in events]
    assert (sum(found, constant(0)) - constant(1)).is_zero

    def density(x: float) -> float:  # of the second, x2 > x1 > x3
        return laplace(x, 1) * above(x - 1, 1) * (1 - above(x + 0.5, 1))

    assert value(found[2]) == pytest.approx(integrated(density, [-0.5, 0, 1]), rel=1e-9)


# events


def test_ends_of_intervals_and_constants_that_coincide_with_released_numbers() -> None:
    first = If(parse("q[1]"), True, Release(parse("3"), Stop()), Release(parse("q[1] + x"), Stop()))
    program = Program("", (), Answers(1), Draw("x", "laplace", parse("1"), first))
    for q, low, high, wanted in (
        (1, 3, 3, 1.0),
        (1, 0, 3, 1.0),
        (1, "7/2", None, 0.0),
        (1, None, "5/2", 0.0),
        (0, 3, 3, 0.0),
        (0, 3, None, math.exp(-3) / 2),
        (0, -1, 0, (1 - math.exp(-1)) / 2),
        (-1, 2, 1, 0.0),
        (0, None, None, 1.0),
    ):
        event = OutputEvent((interval(low, high),))
        assert probability(program, (q,), {}, event) == pytest.approx(wanted, rel=1e-12)


def test_an_event_has_as_many_items_as_are_released() -> None:
    program = sparse_vector("2/eps", "4/eps")
    given = {**UNIT, "T": number(0)}
    for text in ("n", "nnn", "yn", "", "yy"):
        assert probability(program, (0, 0), given, labels(text)) == 0
    number_for_label = OutputEvent((interval(None, None),))
    assert probability(program, (0, 0), given, number_for_label) == 0
    program = sparse_vector("2/eps", "2/eps", released="q + nu")
    assert probability(program, (0,), given, labels("y")) == 0


def test_coins_multiply_and_may_be_irrational() -> None:
    tree: Tree = Coin(parse("1/3"), Release(YES, Stop()), Release(NO, Stop()))
    tree = Coin(parse("exp(-eps)"), tree, Release(NO, Stop()))
    program = Program("", (("eps", parse("0 < eps")),), Answers(1), tree)
    found = output_probability(program, (Fraction(0),), UNIT, labels("y"))
    assert value(found) == pytest.approx(math.exp(-1) / 3)
    rest = output_probability(program, (Fraction(0),), UNIT, labels("n"))
    assert (found + rest - constant(1)).is_zero


def test_comparisons_without_noise_decide_exactly() -> None:
    inner = If(parse("q[1] - 1"), False, Release(label("one"), Stop()), Release(NO, Stop()))
    program = Program(
        "", (), Answers(1), If(parse("q[1] - 1"), True, Release(label("more"), Stop()), inner)
    )
    for q, wanted in (("1", "one"), ("1001/1000", "more"), ("999/1000", "no")):
        event = OutputEvent((label(wanted),))
        assert output_probability(program, (Fraction(q),), {}, event).as_rational == 1


# total 1

SMALL = st.fractions(-2, 2, max_denominator=3)


@st.composite
def programs(
    draw: st.DrawFn, laws: Sequence[str] = ("laplace", "exponential", "geometric"), most: int = 3
) -> tuple[Program, list[OutputEvent]]:
    """A program that compares noises along a chain, and all its outputs."""
    law = draw(st.sampled_from(laws))
    n = draw(st.integers(1, most))
    leaves = iter(range(100))
    events = []

    def tree(k: int) -> Tree:
        if k == n:
            name = label(str(next(leaves)))
            if draw(st.booleans()):
                events.append(OutputEvent((name,)))
                return Release(name, Stop())
            cut = draw(SMALL) if law != "geometric" else Fraction(draw(st.integers(-1, 1)))
            upper = cut if law != "geometric" else cut + 1
            events.append(OutputEvent((name, interval(None, cut))))
            events.append(OutputEvent((name, interval(upper, None))))
            return Release(name, Release(parse(f"q[1] - x{draw(st.integers(0, n - 1))}"), Stop()))
        other = f"- x{k - 1}" if k else ""
        value = parse(f"x{k} {other} + {draw(st.sampled_from(['q[1]', '-q[2]', '1/2', '0']))}")
        return Draw(
            f"x{k}",
            law,
            parse(draw(st.sampled_from(["1", "2", "1/2"]))),
            If(value, draw(st.booleans()), tree(k + 1), tree(k + 1)),
        )

    return Program("", (), Answers(2), tree(0)), events


@settings(max_examples=40, deadline=None)
@given(programs(), st.integers(-2, 2), SMALL)
def test_all_outputs_together_have_probability_one(
    found: tuple[Program, list[OutputEvent]], first: int, second: Fraction
) -> None:
    program, events = found
    q = (Fraction(first), second)
    parts = [output_probability(program, q, {}, event) for event in events]
    assert (sum(parts, constant(0)) - constant(1)).is_zero
    assert all(-1e-12 <= value(part) <= 1 + 1e-12 for part in parts)


# what is refused


def refused(tree: Tree, laws: Sequence[str], given: dict[str, Expression] | None = None) -> str:
    """The reason for which the output yes of a tree has no probability."""
    for i, law in reversed(list(enumerate(laws, 1))):
        tree = Draw(f"x{i}", law, parse("s"), tree)
    program = Program("", (("s", parse("0 < s")),), Answers(1), tree)
    with pytest.raises(Unsupported) as why:
        output_probability(program, (Fraction(0),), given or {"s": number(1)}, labels("y"))
    return why.value.reason


def if_positive(*values: str) -> Tree:
    """Releases yes if all values are positive."""
    tree: Tree = Release(YES, Stop())
    for value in reversed(values):
        tree = If(parse(value), True, tree, Stop())
    return tree


@pytest.mark.parametrize(
    ("values", "laws", "reason"),
    [
        (["x1 + x2 - x3"], ["laplace"] * 3, "three noises"),
        (["x1 - 2*x2"], ["laplace"] * 2, "different factors"),
        (["x1 - x2"], ["laplace", "geometric"], "whole-number noise"),
        (["x1 - x2", "x1 + x2"], ["laplace"] * 2, "sum and the difference"),
        (["x1 - x2 + 1", "x2 - x3 + 1", "x3 - x1 + 1"], ["laplace"] * 3, "cycle"),
        (["x1"], ["gumbel"], "Gumbel"),
        (["x1"], ["gaussian"], "Gaussian"),
    ],
)
def test_what_cannot_be_eliminated_is_refused(
    values: list[str], laws: list[str], reason: str
) -> None:
    assert reason in refused(if_positive(*values), laws)


def test_values_that_are_not_rational_are_refused() -> None:
    assert "not a rational number" in refused(
        if_positive("x1"), ["laplace"], {"s": parse("sqrt(2)")}
    )
    assert "not a rational number" in refused(
        if_positive("x1 - s"), ["laplace"], {"s": parse("log(2)")}
    )


def test_noise_that_is_not_compared_has_total_one() -> None:
    program = Program("", (), Answers(1), Draw("x", "gumbel", parse("1"), if_positive("q[1]")))
    assert output_probability(program, (Fraction(1),), {}, labels("y")).as_rational == 1


@pytest.mark.parametrize("law", ["laplace", "geometric"])
def test_bounds_on_two_noises_that_exclude_each_other(law: str) -> None:
    for shift, empty in (("+ 1/2", False), ("- 1/2", True)):
        tree = drawn(["x1", "x2"], law, "1", if_positive(f"x1 - x2 {shift}", "x2 - x1 + 1/2"))
        program = Program("", (), Answers(1), tree)
        found = output_probability(program, (Fraction(0),), {}, labels("y"))
        assert found.is_zero is empty


def test_whole_noises_that_cannot_be_in_order_have_probability_zero() -> None:
    values = ["x1", "2*x2 - 2*x1 + 1", "1 - 2*x2"]  # x1 >= 1, x2 >= x1, x2 <= 0
    for law in ("laplace", "geometric"):
        tree = Draw("x2", law, parse("2"), if_positive(*values))
        program = Program("", (), Answers(1), Draw("x1", law, parse("4"), tree))
        found = output_probability(program, (Fraction(0),), {}, labels("y"))
        assert found.is_zero is (law == "geometric")


# running the tree at all noises

SIXTHS = 6  # all numbers below are multiples of 1/6, as integers
REACH = 40  # noises beyond have a probability below 1e-8
Grid = NDArray[Any]
Released = tuple[Expression | Grid, ...]


def sixths(e: Expression, values: dict[str, Grid]) -> Grid:
    """The values of a linear expression on a grid of noises and answers."""

    def at(chosen: str) -> Fraction:
        unit = {key: number(int(key == chosen)) for key in values}
        found = normal(substitute(e, unit), Context.empty()).as_rational
        assert found is not None
        return found

    total: Grid = np.full(next(iter(values.values())).shape, int(at("none") * SIXTHS))
    for key, array in values.items():
        total = total + int(at(key) - at("none")) * array
    return total


def runs(tree: Tree, values: dict[str, Grid], mass: Grid) -> Iterator[tuple[Grid, Released]]:
    """The mass with which each path of a tree is taken at noises, and what it releases there."""
    match tree:
        case Draw():
            y = math.exp(-1 / value(normal(tree.scale, Context.empty())))
            law = (1 - y) / (1 + y) * y ** np.abs(values[tree.noise] / SIXTHS)
            yield from runs(tree.then, values, mass * law)
        case If():
            at = sixths(tree.value, values)
            taken = at > 0 if tree.strict else at >= 0
            yield from runs(tree.yes, values, mass * taken)
            yield from runs(tree.no, values, mass * ~taken)
        case Release():
            item = tree.item if tree.item.head == "label" else sixths(tree.item, values)
            for there, rest in runs(tree.then, values, mass):
                yield there, (item, *rest)
        case Stop():
            yield mass, ()


def inside(released: Released, event: OutputEvent) -> Grid:
    """Where on the grid outputs lie in an event."""
    found: Grid = np.array(len(released) == len(event.items))
    for item, wanted in zip(released, event.items, strict=False):
        if isinstance(item, Expression) or isinstance(wanted, Expression):
            found = found & (item is wanted or item == wanted)
            continue
        if wanted.low is not None:
            found = found & (item >= sixths(wanted.low, {"": item}))
        if wanted.high is not None:
            found = found & (item <= sixths(wanted.high, {"": item}))
    return found


@settings(max_examples=15, deadline=None)
@given(programs(("geometric",), most=2), st.integers(-1, 1), SMALL)
def test_whole_number_programs_agree_with_all_runs(
    found: tuple[Program, list[OutputEvent]], first: int, second: Fraction
) -> None:
    program, events = found
    noises = sorted({d.noise for d in draws(program.start)})  # each drawn on every path
    ks = np.meshgrid(*[np.arange(-REACH, REACH + 1) * SIXTHS] * len(noises))
    values: dict[str, Grid] = dict(zip(noises, ks, strict=True))
    for key, q in (("q[1]", Fraction(first)), ("q[2]", second)):
        values[key] = np.full(ks[0].shape, int(q * SIXTHS))
    taken = list(runs(program.start, values, np.ones(ks[0].shape)))
    for event in events:
        wanted = sum(float((mass * inside(items, event)).sum()) for mass, items in taken)
        exact = output_probability(program, (Fraction(first), second), {}, event)
        assert value(exact) == pytest.approx(wanted, abs=1e-7)
