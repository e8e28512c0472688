"""Pictures: what is drawn, read back from the figure before it is written, agrees with STATEMENTS
or a closed form; and a picture is written to the named file.
"""

from __future__ import annotations

import itertools
import math
import shutil
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("matplotlib")

from ahdp_verify import BadInput, Domain, Mechanism, plots, tradeoff
from ahdp_verify.analysis.divergence.curve import DeltaCurve, delta_curve
from ahdp_verify.analysis.power.table import power_table
from ahdp_verify.kernel.model.domain import Values
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.terms.expression import exp, log, number, oo
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.plots import (
    constant_label,
    curve_points,
    draw_curve,
    draw_figure,
    draw_power,
    draw_tradeoff,
    float_value,
)

NOISY = Mechanism(
    Domain([(0, 1), (1, 1)]),
    outputs=[real("s")],
    density=parse("exp(-abs(s - sum(x)))/2", "law"),
    name="noisy sum",
)
FLIP = Mechanism(
    Values([0, 1]),
    outputs=[finite("r", [0, 1])],
    density=parse("piecewise((3/4, r == v), (1/4, true))", "law"),
    name="flip",
)
COIN = Mechanism(Domain([("a", log(2))]), outputs=[finite("r", [0, 1])], density="1/2", name="coin")


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The figures that would have been written."""
    figures: list[Any] = []
    monkeypatch.setattr(plots, "save_figure", lambda figure, path: figures.append(figure))
    return figures


def lines(figure: Any) -> dict[str, tuple[list[float], list[float]]]:
    """The points of each line that has a label."""
    return {
        line.get_label(): (list(map(float, line.get_xdata())), list(map(float, line.get_ydata())))
        for line in figure.axes[0].lines
    }


# O4 of STATEMENTS: claim:1, claim:2 A2, claim:2 A1, exact limit
CAP = {  # eps = 1/2, by k
    1: (1, 0.62245933120185, 0.39346934028737, 0.24491866240371),
    2: (0.62245933120185, 0.45186276187761, 0.15481812174618, 0.059985151193622),
    3: (0.45186276187761, 0.35466124439244, 0.060916184227997, 0.014691482994426),
    5: (0.29187513274058, 0.24797569390761, 0.0094309292261225, 0.00088127082867918),
    10: (0.15482809896025, 0.14153667448865, 8.8942426068131e-5, 7.7663827348089e-7),
}
CAP_2 = {  # k = 2, by eps
    0.1: (0.52497918747894, 0.35591307120722, 0.0090559170060627, 0.0024958392284321),
    0.5: CAP[2],
    1: (0.73105857863, 0.57611688476583, 0.39957640089373, 0.21355226703407),
    2: (0.88079707797788, 0.7869860421616, 0.74764507241551, 0.58002565838597),
    5: (0.99330714907572, 0.98670329104227, 0.98656950593159, 0.97340777331684),
}


@pytest.mark.parametrize(("which", "table", "last"), [("cap", CAP, 10), ("cap-2", CAP_2, 5)])
def test_the_figures_of_the_paper(
    which: str, table: dict[float, tuple[float, ...]], last: float, drawn: list[Any]
) -> None:
    draw_figure(which, "x.png")
    shown = lines(drawn[0])
    curves = [
        next(points for label, points in shown.items() if label.startswith(start))
        for start in ("one record", "t = 1", "t → ∞, the paper", "t → ∞, exact")
    ]
    for xs, ys in curves:
        at = {round(x, 9): y for x, y in zip(xs, ys, strict=True)}
        assert max(at) == last
        for x, row in table.items():
            assert math.isclose(at[x], row[curves.index((xs, ys))], rel_tol=1e-10)
    floors = [ys[0] for label, (_, ys) in shown.items() if label.startswith("blind")]
    assert floors == ([] if which == "cap" else [1 / 2, 1 / 3])


def test_a_figure_that_is_not_known(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="--figure: 'cap-3' is not known; use cap or cap-2"):
        draw_figure("cap-3", str(tmp_path / "x.png"))
    with pytest.raises(BadInput, match="--figure: it needs an output file; give --plot FILE"):
        draw_figure("cap", "")
    assert not list(tmp_path.iterdir())


# power, by O1 and S1: k = 1, q = 1/2


def test_power_against_t(drawn: list[Any]) -> None:
    draw_power(power_table(Domain([("a", log(2))]), 4, mechanism=COIN), "x.png")
    shown = lines(drawn[0])
    guess = [1 / 2, 1 / 3, 1 / 4, 1 / 5]
    for label, expected in (
        ("best power, exact", [2 / 3, 1 / 2, 4 / 9, 2 / 5]),
        ("power against coin", guess),
        ("blind guess", guess),
    ):
        assert shown[label][0] == [1, 2, 3, 4] and shown[label][1] == pytest.approx(
            expected, rel=1e-12
        )
    assert shown["its limit, exact"][1] == pytest.approx([1 / 3] * 2) and shown[
        "the paper's bound of the limit"
    ][1] == pytest.approx([1 / 2] * 2)


def test_power_of_which_only_bounds_are_known(drawn: list[Any]) -> None:
    """What is attained is drawn as such, and so is the bound; nothing is called exact."""
    table = power_table(Domain([("a", log(2))]), 1)
    (row,) = table.rows
    found = row.best.found
    assert found.high is not None
    above = replace(found.high, value=Fraction(3, 4))
    for low, high, reached, bound in (
        (found.low, above, [2 / 3], [3 / 4]),
        (None, above, [], [3 / 4]),
        (found.low, None, [2 / 3], []),
    ):
        draw_power(
            replace(
                table,
                rows=(
                    replace(row, best=replace(row.best, found=replace(found, low=low, high=high))),
                ),
            ),
            "x.png",
        )
        shown = lines(drawn[-1])
        assert (
            shown["best power, lower bound (attained)"][1] == reached
            and shown["upper bound of the best power"][1] == bound
        )
        assert "best power, exact" not in shown


def test_power_of_one_t(drawn: list[Any]) -> None:
    """q = 0: 1 (everything is released), and so are limit and bound."""
    draw_power(power_table(Domain([("a", oo)]), 1), "x.png")
    shown = lines(drawn[0])
    assert (
        shown["best power, exact"] == ([1.0], [1.0])
        and shown["its limit, exact"][1] == [1.0, 1.0] == shown["the paper's bound of the limit"][1]
    )


# curves of delta: 1 - exp(-(1 - t)/2) for Laplace noise of scale 1 and a shift by 1


def test_a_curve_of_delta(drawn: list[Any]) -> None:
    draw_curve(delta_curve(NOISY, ["1", "0", "1/2", oo]), "x.png")
    (_, points) = drawn[0].axes[0].lines
    assert list(points.get_xdata()) == [1, 0, 0.5]  # level oo has no place
    assert list(points.get_ydata()) == pytest.approx([0, -math.expm1(-1 / 2), -math.expm1(-1 / 4)])
    line = drawn[0].axes[0].lines[0]
    assert all(
        y >= -math.expm1(-(1 - x) / 2) - 1e-12
        for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)
    )  # the true curve is convex in exp(level)


def test_a_curve_of_one_point_or_none(drawn: list[Any]) -> None:
    draw_curve(delta_curve(NOISY, ["0"]), "x.png")
    assert [list(line.get_xdata()) for line in drawn[0].axes[0].lines] == [[0], [0]]
    with pytest.raises(BadInput, match="--plot: no point of the curve is a number"):
        draw_curve(delta_curve(NOISY, [oo]), "x.png")
    with pytest.raises(BadInput, match="--plot: no point of the curve is a number"):
        draw_curve(DeltaCurve(()), "x.png")


@pytest.mark.parametrize(
    ("levels", "values"),
    [
        ([0.0, math.log(3)], [1.0, 0.0]),
        ([math.log(3), 0.0], [0.0, 1.0]),
        ([0.0, 1.0, 1.0, 2.0], [0.5, 0.25, 0.125, 0.0]),
        ([0.0, 800.0], [1.0, 0.0]),
        ([0.0, 1e-12], [1.0, 0.5]),
        ([2.0], [0.5]),
    ],
)
def test_lines_are_straight_in_exp(levels: list[float], values: list[float]) -> None:
    """A point that is the share w of the way in exp(level) is the share w of the way in value;
    points are met; no level is too large for a float.
    """
    xs, ys = curve_points(levels, values)
    points = sorted(zip(levels, values, strict=True))
    assert (
        xs == sorted(xs)
        and (xs[0], ys[0]) == points[0]
        and all(
            any(x == a and abs(y - p) < 1e-12 for x, y in zip(xs, ys, strict=True))
            for a, p in points
        )
    )
    for (a, p), (b, r) in itertools.pairwise(points):
        for x, y in zip(xs, ys, strict=True):
            if a < x < b < 100:
                assert math.isclose(
                    y, p + (r - p) * math.expm1(x - a) / math.expm1(b - a), abs_tol=1e-12
                )
    assert min(values) - 1e-15 <= min(ys) and max(ys) <= max(values) + 1e-15


# trade-off: lying with probability 1/4 has the vertices (0, 1), (1/4, 1/4), (1, 0), and level log 3
# leaves nothing else


def test_a_tradeoff(drawn: list[Any]) -> None:
    curve = tradeoff(FLIP, "0", "1")
    draw_tradeoff(curve, "x.png", log(3))
    shown = lines(drawn[0])
    (label,) = (label for label in shown if label.startswith("the best tests"))
    assert shown[label] == ([0, 0.25, 1], [1, 0.25, 0]) and label == "the best tests, level log(3)"
    assert shown["uninformative outputs"] == ([0, 1], [1, 0])
    (region,) = drawn[0].axes[0].patches
    assert (
        region.get_xy()[:5].tolist() == [[0, 1], [0.25, 0.25], [1, 0], [1, 1], [0, 1]]
        and region.get_label() == "possible at level log(3)"
    )
    draw_tradeoff(curve, "x.png")
    assert not drawn[1].axes[0].patches
    draw_tradeoff(curve, "x.png", oo)
    assert (
        drawn[2].axes[0].patches[0].get_xy()[1].tolist() == [0, 0]
        and drawn[2].axes[0].patches[0].get_label() == "possible at level ∞"
    )


# files


MAGIC = {
    ".png": b"\x89PNG",
    ".PNG": b"\x89PNG",
    ".pdf": b"%PDF",
    ".svg": b"<?xml",
    ".jpg": b"\xff\xd8\xff",
}


@pytest.mark.parametrize("ending", MAGIC)
def test_the_ending_names_the_format(ending: str, tmp_path: Path) -> None:
    draw_curve(delta_curve(NOISY, ["0", "1"]), tmp_path / f"a.b{ending}")
    assert [path.name for path in tmp_path.iterdir()] == [f"a.b{ending}"] and (
        tmp_path / f"a.b{ending}"
    ).read_bytes().startswith(MAGIC[ending])


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("picture", "no ending names its format"),
        ("picture.", "no ending names its format"),
        (".png", "no ending names its format"),
        ("there", "no ending names its format"),
        ("picture.xyz", "Format 'xyz' is not supported"),
        ("no/folder/x.png", "there is no folder"),
        ("there.png", "it is a folder"),
        ("x" * 300 + ".png", "too long"),
    ],
)
def test_files_that_cannot_be_written(name: str, reason: str, tmp_path: Path) -> None:
    """In one sentence; and no other file is written instead."""
    (tmp_path / "there").mkdir()
    (tmp_path / "there.png").mkdir()
    with pytest.raises(BadInput, match=reason) as caught:
        draw_curve(delta_curve(NOISY, ["0", "1"]), tmp_path / name)
    assert str(caught.value).startswith(str(tmp_path / name)) and "\n" not in str(caught.value)
    assert {path.name for path in tmp_path.rglob("*")} == {"there", "there.png"}


@pytest.mark.skipif(shutil.which("xelatex") is not None, reason="the format can be written here")
def test_a_format_that_needs_more_than_matplotlib(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="the picture cannot be written"):
        draw_figure("cap", str(tmp_path / "x.pgf"))


@pytest.mark.parametrize("name", [r"a $\foo{ b$", "cost $x_1$ & <b>", "50% of $", r"\frac"])
def test_dollars_in_names_are_dollars(name: str, tmp_path: Path) -> None:
    """matplotlib takes what stands between two of them for mathematics, and stops at what is
    none.
    """
    M = Mechanism(Domain([("a", log(2))]), outputs=[finite("r", [0, 1])], density="1/2", name=name)
    draw_power(power_table(Domain([("a", log(2))]), 1, mechanism=M), tmp_path / "a.svg")
    draw_curve(delta_curve(M, ["0"]), tmp_path / "b.svg")
    written = (tmp_path / "b.svg").read_text()  # texts are outlines there, and comments
    quoted = (
        '"' + name.replace("\\", "\\\\") + '"'
    )  # as a JSON text, since it holds more than letters and simple signs
    assert (
        f"<!-- least delta of "
        f"{quoted.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')} (ahdp) -->"
        in written
    )


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(
        BadInput, match=r"--plot: matplotlib is not installed; pip install 'ahdp-verify\[plots\]'"
    ):
        draw_figure("cap", "x.png")


def test_numbers_and_texts() -> None:
    assert (
        math.isclose(float_value(exp(number(-1)) / 3), math.exp(-1) / 3, rel_tol=1e-15)
        and float_value(number("1/8")) == 0.125
    )
    assert (
        constant_label(oo) == "∞"
        and constant_label(log(2)) == "log(2)"
        and constant_label(number("-1/3")) == "-1/3"
    )
    assert constant_label(sum((exp(number(-n)) for n in range(1, 30)), number(0))).startswith(
        "0.58197"
    )  # 1/(e - 1) = 0.581976...
