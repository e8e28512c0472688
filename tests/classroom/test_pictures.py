"""The figures of the notebooks."""

from __future__ import annotations

import math
import xml.etree.ElementTree as xml
from fractions import Fraction

import pytest

pytest.importorskip("matplotlib", reason="the extra plots")

from ahdp_verify.analysis.testing.tradeoff import tradeoff
from ahdp_verify.classroom import pictures
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.model.privacy import ahdp
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms.expression import Abs, exp, number, oo
from ahdp_verify.search.verify import verify

S = real("s")
W = Domain([(1, 1), (2, 2)])
SUM = Mechanism(
    W, outputs=[S], density=exp(-Abs(S - W.sum(lambda x, eps: x))) / 2, name="noisy sum"
)
XS = pictures.spots(-2, 4, 30)
POINTS = [float(x) for x in XS]


def test_a_picture_is_an_image_with_a_text() -> None:
    shown = pictures.picture(lambda axes: axes.plot([0, 1], label="$a$ <b>"), 'a "line" <i>')
    element = xml.fromstring(shown._repr_html_())
    assert (element.tag, element.get("role")) == ("figure", "img")
    assert element.get("aria-label") == 'a "line" <i>'
    (svg,) = element
    assert svg.get("width") == "100%" and svg.get("height") is None and svg.get("viewBox")
    both = pictures.row(shown, shown)._repr_html_()
    assert both.count("<figure") == 2 and "flex-wrap:wrap" in both


def test_densities_are_those_of_the_mechanism() -> None:
    axes = pictures.density_picture(SUM, ([0, 0], [0, 1]), XS).figure.axes[0]
    for line, centre in zip(axes.lines, (0, 2), strict=True):
        assert list(line.get_ydata()) == pytest.approx(
            [math.exp(-abs(x - centre)) / 2 for x in POINTS]
        )
    assert [t.get_text() for t in axes.get_legend().get_texts()] == ["{}", "{(2, 2)}"]


@pytest.mark.parametrize("level", [number(1), oo])
def test_the_loss_lies_between_the_distances(level) -> None:
    axes = pictures.loss_picture(SUM, ([0, 0], [1, 0]), XS, level).figure.axes[0]
    losses = list(axes.lines[0].get_ydata())
    assert losses == pytest.approx([abs(x - 1) - abs(x) for x in POINTS])


def test_an_event_is_shaded_where_it_holds() -> None:
    refuted = verify(ahdp(SUM, "1/2"))
    assert isinstance(refuted, Refuted) and str(refuted.counterexample.event) == "s < 0"
    axes = pictures.event_picture(refuted, XS).figure.axes[0]
    shaded = [x for area in axes.collections for x in area.get_paths()[0].vertices[:, 0]]
    assert len(axes.collections) == 2 and max(shaded) <= 0


def test_a_trade_off_curve_and_its_region() -> None:
    curve = tradeoff(SUM, [0, 0], [1, 0])
    axes = pictures.tradeoff_picture(curve, number(1)).figure.axes[0]
    xs, ys = axes.lines[-1].get_data()
    assert (xs[0], ys[0], xs[-1], ys[-1]) == (0, 1, 1, 0)
    corner = axes.patches[0].get_xy()[1]
    assert corner == pytest.approx([1 / (1 + math.e)] * 2)


def test_bars_and_budgets() -> None:
    bars = pictures.bars_picture(["a", "b"], [("one", [number(1), number("1/2")])], "bars")
    assert [bar.get_height() for bar in bars.figure.axes[0].patches] == [1, 0.5]
    spent = [("0", Fraction(1, 2), Fraction(0)), ("1", Fraction(1, 2), Fraction(1, 4))]
    budget = pictures.budget_picture(spent, ("size", "sum"), 1)
    tops = [bar.get_y() + bar.get_height() for bar in budget.figure.axes[0].patches]
    assert tops == [0.5, 0.5, 0.5, 0.75]
