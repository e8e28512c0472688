"""What is drawn are the distributions: values at points and of outcomes, and what belongs to the
event.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from ahdp_verify import (
    Abs,
    Domain,
    Mechanism,
    Values,
    eq,
    exp,
    finite,
    integer,
    label,
    name,
    piecewise,
    real,
)
from ahdp_verify.analysis.inputs import law_at_input
from ahdp_verify.kernel.errors import NotWorkedOut
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.terms.expression import Expression, number
from ahdp_verify.reporting.figures import (
    FIRST,
    LawPair,
    apart,
    atom_bars,
    chosen_bars,
    density_values,
    drawn_points,
    finite_bars,
    integer_bars,
    law_figure,
)
from tests.reporting.pages import read_page

W, s = Domain([(1, 1)]), real("s")


def pair_of(m: Mechanism, first: object, second: object, event: Event | None = None) -> LawPair:
    return LawPair(law_at_input(m, first), law_at_input(m, second), 1.0, event)


def laplace(scale: int = 1) -> Mechanism:
    return Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size) / scale) / (2 * scale))


@pytest.mark.parametrize("scale", [1, 1000])
def test_densities_are_drawn_where_they_are(scale: int) -> None:
    pair = pair_of(laplace(scale), [0], [1])
    grid = drawn_points(pair)
    found = density_values(pair.second, grid)
    wanted = [math.exp(-abs(x - 1) / scale) / (2 * scale) for x in grid]
    assert found == pytest.approx(wanted)
    assert grid[0] < -3 * scale < 3 * scale < grid[-1] < 9 * scale
    assert all(np.min(np.abs(grid - cut)) < 1e-6 * scale for cut in (0, 1))


def clamped() -> Mechanism:
    """Laplace noise clamped to values from 0 on, with NULL in a tenth of the cases."""
    law = piecewise((exp(-Abs(s - W.size)) * 9 / 20, s > 0), (0, True))
    below = exp(-W.size) * 9 / 20
    return Mechanism(W, outputs=[s], density=law, atoms={0: below, "NULL": Fraction(1, 10)})


def test_single_points_have_bars_of_their_own() -> None:
    event = Event(intervals=(("s", number(0), number(1)),))
    bars = atom_bars(pair_of(clamped(), [0], [1], event))
    assert [(bar.name, bar.inside) for bar in bars] == [("0", True), ("NULL", False)]
    assert [bar.first for bar in bars] == pytest.approx([0.45, 0.1])
    assert [bar.second for bar in bars] == pytest.approx([0.45 / math.e, 0.1])
    without = Event(continuous=False, atoms=(label("NULL"),))
    assert [bar.inside for bar in atom_bars(pair_of(clamped(), [0], [1], without))] == [False, True]


def response(k: int) -> Mechanism:
    r = finite("r", range(k))
    law = piecewise((Fraction(1, 2), eq(r, name("v"))), (Fraction(1, 2 * (k - 1)), True))
    return Mechanism(Values(range(k)), outputs=[r], density=law)


def test_outcomes_have_their_probabilities() -> None:
    event = Event(outcomes=((number(1),),))
    bars = finite_bars(pair_of(response(3), 0, 1, event))
    assert [bar.first for bar in bars] == [0.5, 0.25, 0.25]
    assert [bar.second for bar in bars] == [0.25, 0.5, 0.25]
    assert [bar.inside for bar in bars] == [False, True, False]
    by_values = Event(values=(("r", (number(0), number(2))),))
    listed = finite_bars(pair_of(response(3), 0, 1, by_values))
    assert [bar.inside for bar in listed] == [True, False, True]


def test_of_many_outcomes_the_event_and_the_largest_differences_are_drawn() -> None:
    event = Event(outcomes=((number(49),),))
    bars = finite_bars(pair_of(response(50), 20, 30, event))
    shown = chosen_bars(bars)
    assert len(shown) == 16
    assert {"20", "30", "49"} <= {bar.name for bar in shown}
    assert law_figure(pair_of(response(50), 20, 30))[1] == "34 of 50 outcomes"


def test_whole_numbers_have_their_probabilities() -> None:
    k = integer("k")
    m = Mechanism(
        W, outputs=[k], density=2 ** -Abs(k - W.size - 500) / Expression("number", (Fraction(3),))
    )
    bars = integer_bars(pair_of(m, [0], [1], Event(intervals=(("k", None, number(500)),))))
    shown = {int(bar.name): bar for bar in bars}
    for place, bar in shown.items():
        assert bar.first == pytest.approx(2.0 ** -abs(place - 500) / 3)
        assert bar.second == pytest.approx(2.0 ** -abs(place - 501) / 3)
        assert bar.inside == (place < 500)
    assert {498, 500, 501, 503} <= set(shown)
    assert "outcomes of probability" in law_figure(pair_of(m, [0], [1]))[1]


def test_texts_in_a_picture_are_texts() -> None:
    hostile = "<b>&\"' $x_1$ \\frac"[:16]
    r = finite("r", [hostile, "other"])
    law = piecewise((Fraction(2, 3), eq(r, name("v"))), (Fraction(1, 3), True))
    m = Mechanism(Values([hostile, "other"]), outputs=[r], density=law)
    svg, left = law_figure(pair_of(m, hostile, "other", Event(outcomes=((label("other"),),))))
    assert left == ""
    reader = read_page(svg)
    assert hostile in reader.text
    assert {tag for tag, _ in reader.elements} <= {
        "svg",
        "defs",
        "style",
        "g",
        "path",
        "text",
        "use",
        "rect",
        "clippath",
        "pattern",
        "tspan",
    }
    assert FIRST in svg
    assert svg == law_figure(pair_of(m, hostile, "other", Event(outcomes=((label("other"),),))))[0]


def test_pictures_on_one_page_have_names_of_their_own() -> None:
    svg = law_figure(pair_of(laplace(), [0], [1]))[0]
    ids = [{str(a["id"]) for _, a in read_page(apart(svg, n)).elements if "id" in a} for n in "ab"]
    assert ids[0]
    assert not ids[0] & ids[1]


def test_two_real_outputs_have_no_picture() -> None:
    t = real("t")
    m = Mechanism(W, outputs=[s, t], density=exp(-Abs(s - W.size) - Abs(t)) / 4)
    with pytest.raises(NotWorkedOut, match="the output has 2 parts"):
        law_figure(pair_of(m, [0], [1]))
