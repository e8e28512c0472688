"""Figures: what is drawn is what was computed, every line has a name, and no two lines look alike
without their colours.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("matplotlib")

from ahdp_verify.paper.experiments import figures  # noqa: E402
from ahdp_verify.paper.experiments.draws import DrawnHere  # noqa: E402
from ahdp_verify.paper.experiments.examples import draw_examples_twice  # noqa: E402
from ahdp_verify.paper.experiments.outcome import Curves, MethodCurve  # noqa: E402

NAMES = ("one", "two", "three", "four", "five")


def curves(*extra: MethodCurve) -> Curves:
    lines = tuple(
        MethodCurve(name, {"error": np.array([2.0 * i + 1, i + 0.5])}, i / 4)
        for i, name in enumerate(NAMES)
    )
    return Curves(
        "X",
        "a title",
        ("records", "error, kg"),
        (10, 20),
        (*lines, *extra),
        "the caption",
        (),
        (),
        (1, 1),
        (3.0, "a level"),
        "another caption",
    )


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The figures that are written meanwhile."""
    kept: list[Any] = []
    monkeypatch.setattr(figures.plots, "save_figure", lambda figure, path: kept.append(figure))
    return kept


def test_the_lines_are_those_of_the_experiment(drawn: list[Any], tmp_path: Path) -> None:
    paths = figures.draw_curves(
        curves(MethodCurve("plain", {"error": np.array([1.0, 1.0])}, None, "baseline")), tmp_path
    )
    assert [path.name for path in paths] == ["X.png", "X.svg"] and drawn[0] is drawn[1]
    (axes,) = drawn[0].axes
    shown = {line.get_label(): line for line in axes.lines if not line.get_label().startswith("_")}
    assert list(shown) == [*NAMES, "plain", "a level"] and [
        text.get_text() for text in axes.get_legend().get_texts()
    ] == list(shown)
    for i, name in enumerate(NAMES):
        assert shown[name].get_xdata().tolist() == [10, 20] and shown[
            name
        ].get_ydata().tolist() == [2 * i + 1, i + 0.5]
    limits = [line.get_ydata()[0] for line in axes.lines if line.get_label().startswith("_")]
    assert limits == [0.25, 0.5, 0.75, 1.0]
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_title()) == (
        "records",
        "error, kg",
        "a title",
    ) and drawn[0].get_supxlabel() == "the caption"


def test_variants_have_a_picture_of_their_own(drawn: list[Any], tmp_path: Path) -> None:
    paths = figures.draw_curves(
        curves(MethodCurve("other", {"error": np.array([1.0, 9.0])}, None, "variant")), tmp_path
    )
    assert [path.name for path in paths] == ["X.png", "X.svg", "X-variants.png", "X-variants.svg"]
    labels = [
        [line.get_label() for line in figure.axes[0].lines if not line.get_label().startswith("_")]
        for figure in (drawn[0], drawn[2])
    ]
    assert (
        labels == [[*NAMES, "a level"], ["other", "a level"]]
        and drawn[2].get_supxlabel() == "another caption"
    )


def test_lines_can_be_told_apart_in_grey() -> None:
    assert len({str(dashes) + marker for _, dashes, marker in figures.STYLES}) == len(
        figures.STYLES
    )
    assert len({marker for _, _, marker in figures.STYLES}) == len(figures.STYLES)


def test_ticks_are_round_and_inside(drawn: list[Any], tmp_path: Path) -> None:
    """Between 0.25 and 9 with a margin of 5 percent of log 36 on either side, that is from 0.209
    to 10.8.
    """
    figures.draw_curves(curves(), tmp_path)
    axes = drawn[0].axes[0]
    low, high = axes.get_ylim()
    assert [text.get_text() for text in axes.get_yticklabels()] == [
        "0.5",
        "1",
        "2",
        "5",
        "10",
    ] and all(low <= tick <= high for tick in axes.get_yticks())


def test_the_histogram(drawn: list[Any], tmp_path: Path) -> None:
    found = draw_examples_twice(500, 1, DrawnHere())
    assert [path.name for path in figures.draw_examples(found, tmp_path)] == [
        "emp-dist.png",
        "emp-dist.svg",
    ]
    for axes, example in zip(drawn[0].axes, found, strict=True):
        heights = axes.patches[0].get_data().values
        assert float(heights.sum() * 0.05) == pytest.approx(1 - sum(example.drawn.outside) / 500)
        assert example.name == axes.get_title()
    figures.draw_examples(found[:1], tmp_path)
    assert len(drawn[-1].axes) == 1
