"""Plots by matplotlib (the extra `plots`); no number in them is part of a verdict."""

from __future__ import annotations

import io
import itertools
import math
import re
import textwrap
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import ahdp_verify.canonical_json as jsonfile
from ahdp_verify.analysis.divergence.curve import DeltaCurve
from ahdp_verify.analysis.power.closed_forms import (
    limit_bound,
    limit_power,
    one_record_power,
    swap_power,
)
from ahdp_verify.analysis.power.table import PowerTable
from ahdp_verify.analysis.testing.error_rates import privacy_region
from ahdp_verify.analysis.testing.tradeoff import Tradeoff
from ahdp_verify.decimals import SHORT, approximate_rational, decimal
from ahdp_verify.kernel.errors import BadInput, Missing
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import Expression, number, substitute
from ahdp_verify.kernel.terms.printing import named_path, one_line

__all__ = (
    "ACCENT",
    "DOTS",
    "INK",
    "draw_curve",
    "draw_power",
    "draw_tradeoff",
    "figure_module",
    "figure_svg",
    "save_figure",
    "svg_text",
    "tradeoff_figure",
)

INK, ACCENT, SHADE, EDGE = "#333333", "#1a5fb4", "#d9ead3", "#4e8a3a"
INCHES, SQUARE, DOTS = (6.4, 4.0), (5.6, 5.6), 150
WIDE = 56  # characters of one line of a title
MARKED = 40  # most vertices that are marked
FINE = 16  # points of a line
FIGURES = ("cap", "cap-2")
FILE = "name a file such as curve.png in a folder that exists"


def figure_module(where: str = "--plot") -> Any:
    """matplotlib's figure module, which draws without a screen; Missing, about `where`, if
    matplotlib is not installed.
    """
    try:
        from matplotlib import figure  # noqa: PLC0415 - it is an extra, and slow to load
    except ImportError:
        raise Missing(where, "matplotlib", "plots") from None
    return figure


def draw_curve(curve: DeltaCurve, path: str | Path) -> None:
    """The curve is in the file at `path`, whose ending names the format.

    A filled point is exact; an empty one is an upper bound, and the bar below it reaches down to
    the lower bound.  The lines between are straight in exp(level), in which the least delta is
    convex: they bound it from above.
    """
    points = curve.coordinates
    if not points:
        raise BadInput(
            "--plot",
            "no point of the curve is a number",
            "give constant levels, and values for the parameters",
        )
    figure = figure_module().Figure(figsize=INCHES, dpi=DOTS, layout="constrained")
    axes = figure.subplots()
    levels, low, high = ([float(part) for part in column] for column in zip(*points, strict=True))
    axes.plot(*curve_points(levels, high), color=ACCENT, linewidth=1.5)
    exact = [a == b for a, b in zip(low, high, strict=True)]
    for filled, face in ((True, ACCENT), (False, "white")):
        at = [i for i, e in enumerate(exact) if e is filled]
        if not at:
            continue
        axes.plot(
            [levels[i] for i in at],
            [high[i] for i in at],
            color=ACCENT,
            markerfacecolor=face,
            linestyle="none",
            marker="o",
            markersize=5,
            clip_on=False,
            zorder=3,
        )
    axes.vlines(levels, low, high, color=ACCENT, linewidth=4, alpha=0.35)
    said = "least delta" if all(exact) else "bounds of the least delta"
    axes.set(xlabel="level, nats", ylabel=said, title=curve.title, ylim=(0, None))
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK)
    save_figure(figure, path)


def draw_tradeoff(curve: Tradeoff, path: str | Path, level: object = None) -> None:
    """A plot of the trade-off curve is in the file at `path`; with a level, the privacy region of
    that level is shaded.
    """
    save_figure(tradeoff_figure(curve, level), path)


def tradeoff_figure(curve: Tradeoff, level: object = None) -> Any:
    """The same, drawn.

    The dotted line is the curve of uninformative outputs; a curve close to the axes belongs to
    inputs that are easily distinguished.
    """
    region = None if level is None else privacy_region(level)
    figure = figure_module().Figure(figsize=SQUARE, dpi=DOTS, layout="constrained")
    axes = figure.subplots()
    if region is not None:
        corner = float_value(region.corner)
        axes.fill(
            [0, corner, 1, 1, 0],
            [1, corner, 0, 1, 1],
            color=SHADE,
            alpha=0.7,
            linewidth=0,
            label=f"possible at level {constant_label(region.level)}",
        )
        axes.plot([0, corner, 1], [1, corner, 0], color=EDGE, linewidth=1.2, linestyle="--")
    axes.plot(
        [0, 1], [1, 0], color=INK, linewidth=0.8, linestyle=":", label="uninformative outputs"
    )
    axes.plot(
        *tradeoff_points(curve),
        color=ACCENT,
        linewidth=2,
        label=f"the best tests, level {constant_label(curve.level)}",
        clip_on=False,
        zorder=3,
    )
    corners = (
        [v for i, v in enumerate(curve.vertices) if has_bend(curve, i)]
        if len(curve.vertices) <= MARKED
        else []
    )
    axes.plot(
        [float_value(v.alpha) for v in corners],
        [float_value(v.beta) for v in corners],
        color=ACCENT,
        linestyle="none",
        marker="o",
        markersize=5,
        clip_on=False,
        zorder=4,
    )
    before, after = (one_line(text, 40) for text in (curve.first, curve.second))
    axes.set(
        xlabel=f"type I error: taking {before} for {after}",
        ylabel=f"type II error: taking {after} for {before}",
    )
    title = one_line(curve.title, 160)
    axes.set_title(
        title
        if len(title) <= WIDE
        else textwrap.fill(title.partition(f": {before}")[0], WIDE) + f"\n{before} or {after}",
        fontsize=11,
    )
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK)
    axes.legend(loc="upper right", frameon=True, framealpha=0.9, edgecolor="#dddddd", fontsize=9)
    return figure


def draw_power(table: PowerTable, path: str | Path) -> None:
    """The best power against t is in the file at `path`, with its limit, the paper's bound of
    the limit, and the success probability of a blind guess.
    """
    figure = figure_module().Figure(figsize=INCHES, dpi=DOTS, layout="constrained")
    axes = figure.subplots()
    ts = [row.t for row in table.rows]
    said = "best power, exact" if table.exact else "best power, lower bound (attained)"
    reached = [
        (row.t, float_value(row.best.attained))
        for row in table.rows
        if row.best.attained is not None
    ]
    axes.plot(
        [t for t, _ in reached],
        [y for _, y in reached],
        color=ACCENT,
        linewidth=1.5,
        marker="o",
        markersize=5,
        label=said,
    )
    if not table.exact:
        bounded = [
            (row.t, float_value(row.best.bound)) for row in table.rows if row.best.bound is not None
        ]
        axes.plot(
            [t for t, _ in bounded],
            [y for _, y in bounded],
            color=ACCENT,
            linestyle="none",
            marker="v",
            markersize=6,
            markerfacecolor="white",
            label="upper bound of the best power",
        )
    if table.against:
        sharp = all(row.against.exact for row in table.rows if row.against)
        what = "power" if sharp else "upper bound of the power"
        axes.plot(
            ts,
            [float_value(row.against.high) for row in table.rows if row.against],
            color=EDGE,
            linewidth=1.2,
            marker="s",
            markersize=4,
            label=textwrap.shorten(f"{what} against {table.against}", 60),
        )
    axes.axhline(
        float_value(table.limit),
        color=ACCENT,
        linewidth=1.2,
        linestyle="--",
        label="its limit, exact",
    )
    axes.axhline(
        float_value(table.bound),
        color=INK,
        linewidth=0.9,
        linestyle=":",
        label="the paper's bound of the limit",
    )
    axes.plot(
        ts,
        [1 / row.hypotheses for row in table.rows],
        color=INK,
        linewidth=0.8,
        marker=".",
        label="blind guess",
    )
    axes.set(
        xlabel="t, most records that the adversary has not seen",
        ylabel="power",
        ylim=(0, 1),
        title=table.title,
    )
    axes.xaxis.set_major_locator(tick_locator(integer=True))
    style_axes(axes)
    save_figure(figure, path)


def draw_figure(which: str, path: str) -> None:
    """A figure of the paper is in the file at `path`: "cap" (against k, at eps = 1/2) or "cap-2"
    (against eps, for k = 2), with the exact limit.
    """
    if which not in FIGURES:
        raise BadInput("--figure", f"{which!r} is not known", f"use {' or '.join(FIGURES)}")
    if not path:
        raise BadInput("--figure", "it needs an output file", "give --plot FILE")
    save_figure(paper_figure(which), path)


def figure_svg(which: str) -> str:
    """The same figure as the text of an SVG."""
    return svg_text(paper_figure(which))


def svg_text(figure: Any) -> str:
    """A figure as the text of an SVG element for a page: letters are text, dollars in names are
    dollars, and equal figures give equal texts.
    """
    from matplotlib import rc_context  # noqa: PLC0415 - it is an extra, and slow to load

    plain_dollars(figure)
    text = io.StringIO()
    with (
        warnings.catch_warnings(),
        rc_context({"svg.fonttype": "none", "svg.hashsalt": "ahdp-verify"}),
    ):
        warnings.simplefilter("ignore")  # the reader's fonts draw the letters, not those found here
        figure.savefig(
            text, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Type", "Format"))
        )
    found = text.getvalue()
    return re.sub(r"<metadata>.*?</metadata>", "", found[found.index("<svg") :], flags=re.DOTALL)


def plain_dollars(figure: Any) -> None:
    """No text of the figure is read as mathematics, whatever is between dollars."""
    for text in figure.findobj(lambda part: hasattr(part, "set_parse_math")):
        text.set_parse_math(False)


def paper_figure(which: str) -> Any:
    """A figure of the paper, drawn."""
    figure = figure_module().Figure(figsize=INCHES, dpi=DOTS, layout="constrained")
    axes = figure.subplots()
    half, against_k = number(Fraction(1, 2)), which == "cap"
    spots: list[tuple[int, Expression]] = (
        [(k, half) for k in range(1, 11)]
        if against_k
        else [(2, number(Fraction(i, 20))) for i in range(1, 101)]
    )
    xs = [float(k) if against_k else float(i + 1) / 20 for i, (k, _) in enumerate(spots)]
    domains = [Domain([(i, eps) for i in range(k)]) for k, eps in spots]
    style = {"marker": "o", "markersize": 4} if against_k else {}
    curves = (
        ("one record, swap (claim:1)", [swap_power(k, eps) for k, eps in spots], INK, "-"),
        ("t = 1, add-remove (claim:2, A2)", [one_record_power(d) for d in domains], EDGE, "-"),
        ("t → ∞, the paper's bound (claim:2, A1)", [limit_bound(d) for d in domains], ACCENT, ":"),
        ("t → ∞, exact", [limit_power(d) for d in domains], ACCENT, "-"),
    )
    for label, values, colour, dashes in curves:
        axes.plot(
            xs,
            list(map(float_value, values)),
            color=colour,
            linestyle=dashes,
            linewidth=1.5,
            label=label,
            **style,
        )
    for k in () if against_k else (2, 3):
        axes.axhline(
            1 / k, color="#999999", linewidth=0.8, linestyle="--", label=f"blind guess among {k}"
        )
    axes.set(
        xlabel="k, number of values (eps = 1/2)" if against_k else "eps, nats (k = 2)",
        ylabel="power",
        ylim=(0, 1.02),
        title=f"best power against {'the number of values' if against_k else 'the level'}",
    )
    style_axes(axes)
    return figure


def tick_locator(**options: Any) -> Any:
    """A locator of ticks."""
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415 - as in library()

    return MaxNLocator(**options)


def style_axes(axes: Any) -> None:
    """Grid, frame and legend in the one style."""
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK)
    axes.legend(frameon=True, framealpha=0.9, edgecolor="#dddddd", fontsize=9)


def save_figure(figure: Any, path: str | Path) -> None:
    """The picture is in the file at `path`, whose ending names the format; dollars in names are
    dollars, no mathematics.
    """
    check_picture_path(path)
    plain_dollars(figure)
    content = io.BytesIO()
    try:
        figure.savefig(content, format=Path(path).suffix[1:].lower())
    except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: a format that needs TeX
        raise BadInput(named_path(path), f"the picture cannot be written ({error})", FILE) from None
    jsonfile.write_bytes(content.getvalue(), path)


def check_picture_path(path: str | Path) -> None:
    """BadInput, before anything is worked out, where no picture can be written."""
    if len(Path(path).suffix) < 2:
        raise BadInput(
            named_path(path), "the picture cannot be written (no ending names its format)", FILE
        )
    jsonfile.writable_path(path)


def float_value(e: Expression) -> float:
    """About the value of a constant."""
    return float(approximate_rational(normal(e, Context.empty())))


def constant_label(e: Expression) -> str:
    """A constant that is short, else its decimal; ∞ for oo."""
    return (
        "∞"
        if e.head == "oo"
        else str(e)
        if len(str(e)) <= SHORT
        else decimal(normal(e, Context.empty()))
    )


def has_bend(curve: Tradeoff, i: int) -> bool:
    """Whether a straight part of the curve ends at a vertex."""
    beside = curve.pieces[max(0, i - 1) : i + 1]
    return len(beside) < 2 or any(p.straight for p in beside)


def tradeoff_points(curve: Tradeoff) -> tuple[list[float], list[float]]:
    """Points of the curve: its vertices, and more where it is not straight."""
    xs: list[float] = []
    ys: list[float] = []
    for piece in curve.pieces:
        low, high = float_value(piece.low.alpha), float_value(piece.high.alpha)
        xs, ys = [*xs, low], [*ys, float_value(piece.low.beta)]
        for i in range(1, FINE) if not piece.straight else ():
            x = Fraction(low) + (Fraction(high) - Fraction(low)) * i**2 / FINE**2
            xs, ys = (
                [*xs, float(x)],
                [*ys, float_value(substitute(piece.beta, {"alpha": number(x)}))],
            )
    return [*xs, 1.0], [*ys, float_value(curve.vertices[-1].beta)]


def curve_points(levels: list[float], values: list[float]) -> tuple[list[float], list[float]]:
    """Points of the lines, straight in exp(level), between given points."""
    points = sorted(zip(levels, values, strict=True))
    xs, ys = [points[0][0]], [points[0][1]]
    for (a, p), (b, q) in itertools.pairwise(points):
        for i in range(1, FINE + 1):
            x = a + (b - a) * i / FINE
            xs.append(x)
            part = (
                1.0 if b == a else math.exp(x - b) * math.expm1(a - x) / math.expm1(a - b)
            )  # of the way in exp(level)
            ys.append(p + (q - p) * part)
    return xs, ys
