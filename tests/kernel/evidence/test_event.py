"""An event is one set of outputs: its text, its probability and the draws that are counted agree.

The oracle reads the printed text independently, goes through the real line cell by cell, and adds
up lengths times heights and the masses of points; it shares no code with the package.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from ahdp_verify.analysis.testing.error_rates import error_rates
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.domain import Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.events import event_probability, is_in_event
from ahdp_verify.kernel.terms.expression import (
    Expression,
    label,
    log,
    multiply,
    name,
    number,
    piecewise,
)
from ahdp_verify.search.refuting.events import likely_events
from tests.sweeps import examples

np = pytest.importorskip("numpy")
from ahdp_verify.sampling.simulate import count_occurrences  # noqa: E402

S, R, T, V = name("s"), name("r"), name("t"), name("v")
PLACES = [Fraction(i, 2) for i in range(-4, 5)]
POINTS = [*(number(p) for p in PLACES), label("NULL"), label("none")]
Outputs = dict[str, Any]


# the oracle: a reader of printed events


def belongs(text: str, outputs: Outputs) -> bool:
    """Whether outputs (numbers and words by name) belong to the event of a printed text."""
    box, *points = re.split(r",? or (?=the output is )", text)
    if box.startswith("the output is "):
        points, box = [box, *points], "no output"
    if any(is_output(p.removeprefix("the output is "), outputs) for p in points):
        return True
    box, _, left_out = box.partition(" except ")
    parts = (p.rpartition(" = ")[2] for p in left_out.split(" and ")) if left_out else ()
    return not any(is_output(p, outputs) for p in parts) and all(
        any(holds(one, outputs) for one in part.strip("()").split(" or "))
        for part in box.split(" and ")
    )


def is_output(word: str, outputs: Outputs) -> bool:
    listed = (word[1:-1] if word.startswith("(") else word).split(", ")
    return [read(w, outputs) for w in listed] == list(map(numeric, outputs.values()))


def read(word: str, outputs: Outputs) -> Any:
    """A word in quotes, an output, or a sum or quotient of numbers and outputs."""
    if word.startswith('"'):
        return word.strip('"')
    known = {k: numeric(v) for k, v in outputs.items()}
    return eval(
        re.sub(r"\d+", r"mpf(\g<0>)", word), {"mpf": mpf, "log": mp.log, "exp": mp.exp}, known
    )


def numeric(x: Any) -> Any:
    """A number of many digits, or a word."""
    return mpf(x.numerator) / x.denominator if isinstance(x, Fraction | int) else x


def holds(one: str, outputs: Outputs) -> bool:
    """One condition: a chain of comparisons, an equation, or any or no output."""
    if one in ("any output", "no output"):
        return one == "any output"
    sides = re.split(r" (?:<=|<|>=|=) ", one)
    signs = re.findall(r" (<=|<|>=|=) ", one)
    values = [read(side, outputs) for side in sides]
    if any(isinstance(v, str) for v in values) and signs != ["="]:
        return False
    tests: dict[str, Callable[[Any, Any], bool]] = {
        "<=": lambda a, b: a <= b,
        "<": lambda a, b: a < b,
        ">=": lambda a, b: a >= b,
        "=": lambda a, b: a == b,
    }
    return all(tests[k](a, b) for k, a, b in zip(signs, values[:-1], values[1:], strict=True))


def test_the_oracle_reads_texts() -> None:
    half = Fraction(1, 2)
    assert belongs("0 <= s < 1 except s = 1/2", {"s": Fraction(0)})
    assert not belongs("0 <= s < 1 except s = 1/2", {"s": half})
    assert not belongs(
        "0 <= s < 1 except s = 1/2 and s = 0, or the output is 1", {"s": Fraction(0)}
    )
    assert belongs('s < 1 except s = 1/2, or the output is "NULL"', {"s": "NULL"})
    assert not belongs('any output except "NULL"', {"s": "NULL"})
    assert belongs("t >= s + 1/2 and (r = 0 or r = 1)", {"r": 1, "s": half, "t": 1})


def probability_of(
    text: str, heights: list[Fraction], masses: dict[Expression, Fraction]
) -> Fraction:
    """The probability of the event of a text: lengths of pieces times heights, and masses of
    points.
    """
    ends = {abs(Fraction(w)) * sign for w in re.findall(r"\d+(?:/\d+)?", text) for sign in (1, -1)}
    total = Fraction(0)
    for a, b in itertools.pairwise(sorted({*PLACES, *(e for e in ends if abs(e) < 2)})):
        middle = (a + b) / 2
        if belongs(text, {"s": middle}):
            total += heights[int((middle + 2) * 2)] * (b - a)
    return total + sum(m for at, m in masses.items() if belongs(text, {"s": plain_value(at)}))


# one output with points of mass


@st.composite
def mixed(draw: st.DrawFn) -> tuple[list[Fraction], dict[Expression, Fraction]]:
    """Heights of a distribution that is constant between neighbouring places, and masses of points;
    together 1.
    """
    heights = draw(st.lists(st.integers(0, 3), min_size=8, max_size=8))
    chosen = draw(st.lists(st.sampled_from(POINTS), unique=True, max_size=5))
    masses = [draw(st.integers(0 if i else 1, 3)) for i, _ in enumerate(chosen)]
    total = Fraction(sum(heights), 2) + sum(masses)
    if total == 0:
        heights, total = [2, *heights[1:]], Fraction(1)
    return [h / total for h in heights], {
        at: m / total for at, m in zip(chosen, masses, strict=True)
    }


@st.composite
def mixed_events(draw: st.DrawFn, points: list[Expression]) -> Event:
    """Boxes with ends at places and between them, perhaps without an end or empty, perhaps
    without any box.
    """
    ends = st.none() | st.sampled_from([Fraction(i, 4) for i in range(-9, 10)])
    low, high = draw(ends), draw(ends)
    span = ("s", *(None if e is None else number(e) for e in (low, high)))
    boxed = draw(st.integers(0, 4)) > 0
    inside = [p for p in points if boxed and in_span(p, low, high)]
    pick = st.lists(st.sampled_from(inside), unique=True) if inside else st.just([])
    outside = [p for p in points if p not in inside]
    add = st.lists(st.sampled_from(outside), unique=True) if outside else st.just([])
    intervals = (span,) if boxed and (low, high) != (None, None) else ()
    return Event(
        intervals=intervals, atoms=tuple(draw(add)), continuous=boxed, without=tuple(draw(pick))
    )


def in_span(point: Expression, low: Fraction | None, high: Fraction | None) -> bool:
    if (low, high) == (None, None):
        return True
    if point.head == "label":
        return False
    (at,) = point.args
    return (low is None or low <= at) and (high is None or at < high)


def plain_value(e: Expression) -> Any:
    return e.args[0]


def density(heights: list[Fraction]) -> Expression:
    cells = (
        (h, (number(a) <= S) & (number(b) > S))
        for h, (a, b) in zip(heights, itertools.pairwise(PLACES), strict=True)
    )
    return piecewise(*cells, (0, True))


def table(*places: Fraction) -> Any:
    return (("s", tuple(map(number, places))),)


@settings(max_examples=examples(50, 8))
@given(st.data())
def test_text_probability_and_draws_of_a_mixed_law_agree(data: st.DataObject) -> None:
    heights, masses = data.draw(mixed())
    event = data.draw(mixed_events(list(masses)))
    atoms = tuple((at, number(m)) for at, m in masses.items())
    found = event_probability(
        density(heights), atoms, (real("s"),), event, table(*PLACES)
    ).as_rational

    text = str(event)
    expected = probability_of(text, heights, masses)
    assert found == expected, text

    outputs = [*(Fraction(2 * i + 1, 8) for i in range(-8, 8)), *map(plain_value, masses)]
    mechanism = Mechanism(
        Values([0, 1]), outputs=[real("s")], density=density(heights), atoms=atoms
    )
    for at in outputs:
        drawn = np.array([at if isinstance(at, str) else float(at)], dtype=object)
        assert count_occurrences({"s": drawn}, event, mechanism) == belongs(text, {"s": at}), (
            text,
            at,
        )
        value = label(at) if isinstance(at, str) else number(at)
        assert is_in_event(event, {"s": value}) == belongs(text, {"s": at}), (text, at)

    rates = error_rates(mechanism, 0, 1, event)
    assert rates.type_one == number(expected) and rates.type_two == number(1 - expected)


@settings(max_examples=examples(25, 8))
@given(st.data())
def test_the_search_proposes_events_that_are_sets(data: st.DataObject) -> None:
    """Every event that the search tries for two mixed distributions has the probability of its
    printed text under both.
    """
    first, second = data.draw(mixed()), data.draw(mixed())
    points = list(dict.fromkeys([*first[1], *second[1]]))
    laws = [
        (density(h), tuple((at, number(m.get(at, Fraction(0)))) for at in points))
        for h, m in (first, second)
    ]
    level = normal(data.draw(st.sampled_from([number(0), log(number(2))])), Context.empty())
    delta = normal(
        number(data.draw(st.sampled_from([Fraction(0), Fraction(1, 20)]))), Context.empty()
    )
    for event, tables in likely_events(laws[0], laws[1], (real("s"),), level, delta):
        for (h, m), (law, atoms), marks in zip((first, second), laws, tables, strict=True):
            found = event_probability(
                law, atoms, (real("s"),), event, marks or table(*PLACES)
            ).as_rational
            assert found == probability_of(str(event), h, m), str(event)


# several outputs, and an end that depends on an earlier output


@settings(max_examples=examples(30, 8))
@given(st.data())
def test_text_and_probability_of_several_outputs_agree(data: st.DataObject) -> None:
    """r is uniform on three values, s on [0, 1), and t on [s, s + 1), looked at on a grid of
    1/8.
    """
    law = multiply(
        number(Fraction(1, 3)),
        piecewise((1, (number(0) <= S) & (number(1) > S)), (0, True)),
        piecewise((1, (S <= T) & (T < S + 1)), (0, True)),
    )
    outputs = (finite("r", [0, 1, 2]), real("s"), real("t"))
    chosen = data.draw(st.lists(st.sampled_from([0, 1, 2]), unique=True, max_size=3))
    halves = st.none() | st.sampled_from([number(Fraction(i, 2)) for i in range(3)])
    spans = [("s", data.draw(halves), data.draw(halves))]
    spans += [
        ("t", *(None if e is None else S + e for e in (data.draw(halves), data.draw(halves))))
    ]
    event = Event(
        intervals=tuple(span for span in spans if span[1:] != (None, None)),
        values=(("r", tuple(map(number, chosen))),) if data.draw(st.booleans()) else (),
    )
    marks = (("s", (number(0), number(1))), ("t", (S, S + 1)))
    found = event_probability(law, (), outputs, event, marks).as_rational
    text = str(event)
    grid = [Fraction(2 * i + 1, 16) for i in range(8)]
    drawn = [{"r": r, "s": a, "t": a + b} for r in range(3) for a in grid for b in grid]
    inside = [belongs(text, d) for d in drawn]
    assert found == Fraction(sum(inside), len(drawn)), text
    columns = {k: np.array([float(d[k]) for d in drawn]) for k in ("r", "s", "t")}
    assert count_occurrences(
        columns, event, Mechanism(Values([0, 1]), outputs=outputs, density=law)
    ) == sum(inside)
    for d, member in zip(drawn[::7], inside[::7], strict=True):
        assert is_in_event(event, {k: number(x) for k, x in d.items()}) == member


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (
            Event(intervals=(("s", number(0), number(1)),), without=(number("1/2"),)),
            "0 <= s < 1 except s = 1/2",
        ),
        (
            Event(intervals=(("s", number(0), number(1)),), atoms=(label("NULL"),)),
            '0 <= s < 1 or the output is "NULL"',
        ),
        (
            Event(
                intervals=(("s", None, number(1)),),
                without=(number(0), number("1/2")),
                atoms=(number(1),),
            ),
            "s < 1 except s = 0 and s = 1/2, or the output is 1",
        ),
        (Event(), "any output"),
        (Event(without=(label("NULL"),)), 'any output except "NULL"'),
        (Event(continuous=False), "no output"),
        (
            Event(atoms=(number(1), label("NULL")), continuous=False),
            'the output is 1 or the output is "NULL"',
        ),
        (
            Event(
                intervals=(("s", S, None),),
                values=(("r", (number(0), number(1))), ("t", (label("a"),))),
            ),
            's >= s and (r = 0 or r = 1) and t = "a"',
        ),
        (Event(values=(("r", (number(0), number(1))),)), "r = 0 or r = 1"),
        (Event(values=(("r", ()),)), "no output"),
        (
            Event(outcomes=((number(0), label("b")), (number(1), label("a")))),
            'the output is (0, "b") or (1, "a")',
        ),
        (Event(outcomes=((number(0),), (label("b"),))), 'the output is 0 or "b"'),
    ],
)
def test_texts_of_events(event: Event, text: str) -> None:
    assert str(event) == text
