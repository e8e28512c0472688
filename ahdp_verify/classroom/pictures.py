"""The figures of the notebooks: each is drawn for a width of 400 pixels, so that two of them stand
side by side on a screen and below each other on a phone.

No number in a figure is part of a verdict.  Curves differ in colour and in their dashes, so that
nothing depends on colour alone.

>>> shown = picture(lambda axes: axes.plot([0, 1], [1, 0]), "a falling line")._repr_html_()
>>> print(shown[:46])
<figure role="img" aria-label="a falling line"
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ahdp_verify.analysis.divergence.curve import DeltaCurve
from ahdp_verify.analysis.inputs import law_at_input
from ahdp_verify.analysis.testing.error_rates import privacy_region
from ahdp_verify.analysis.testing.tradeoff import Tradeoff
from ahdp_verify.display.markup import escape_html
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms.expression import Expression, number, oo, substitute
from ahdp_verify.plots import curve_points, figure_module, float_value, tradeoff_points

WIDTH, HEIGHT = 4.6, 3.3  # inches; at 100 dots an inch a little more than a phone is wide
BLUE, ORANGE, INK, GREEN = "#1a5fb4", "#c64600", "#333333", "#d9ead3"
LOOKS = ((BLUE, "-", "//"), (ORANGE, "--", "\\\\"))
FIGURE = "flex:1 1 300px;max-width:470px;margin:0"


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure of matplotlib, with a text for those who do not see it."""

    figure: Any
    text: str

    def _repr_html_(self) -> str:
        """The figure as an inline SVG that is as wide as there is room."""
        content = io.StringIO()
        for part in self.figure.findobj(lambda part: hasattr(part, "set_parse_math")):
            part.set_parse_math(False)
        self.figure.savefig(content, format="svg", metadata={"Date": None})
        _, _, drawn = content.getvalue().partition("<svg ")
        sized = re.sub(r'^(.*?)width="[^"]*" height="[^"]*"', r"\1", drawn, count=1, flags=re.S)
        said = escape_html(self.text)
        return (
            f'<figure role="img" aria-label="{said}" style="{FIGURE}"><svg width="100%" {sized}'
            f"</figure>"
        )


@dataclass(frozen=True, slots=True)
class Row:
    """Pictures beside each other, or below each other where there is no room."""

    pictures: tuple[Picture, ...]

    def _repr_html_(self) -> str:
        """The pictures in a flexible row."""
        inner = "".join(p._repr_html_() for p in self.pictures)
        return f'<div style="display:flex;flex-wrap:wrap;gap:1rem;background:#fff">{inner}</div>'


def row(*pictures: Picture) -> Row:
    """The pictures beside each other."""
    return Row(pictures)


def picture(draw: Callable[[Any], object], text: str, height: float = HEIGHT) -> Picture:
    """A figure with one pair of axes, on which `draw` has drawn."""
    figure = figure_module("the figures of the notebooks").Figure(
        figsize=(WIDTH, height), layout="constrained"
    )
    axes = figure.subplots()
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK)
    draw(axes)
    if axes.get_legend() is None and axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=9, framealpha=0.9, edgecolor="#dddddd")
    return Picture(figure, text)


def spots(low: int, high: int, steps: int = 120) -> list[Fraction]:
    """Exact points from low to high, whole numbers among them if `steps` allows."""
    return [low + Fraction((high - low) * i, steps) for i in range(steps + 1)]


def curve(e: Expression, key: str, xs: Iterable[Fraction]) -> list[float]:
    """The values of an expression in one name at exact points, rounded."""
    return [float_value(substitute(e, {key: number(x)})) for x in xs]


def densities(
    mechanism: Mechanism, inputs: Sequence[object], xs: Sequence[Fraction]
) -> list[list[float]]:
    """The densities of the one output at the inputs, a list for each."""
    (output,) = mechanism.outputs
    return [curve(law_at_input(mechanism, at).density, output.name, xs) for at in inputs]


def density_picture(
    mechanism: Mechanism,
    inputs: tuple[object, object],
    xs: Sequence[Fraction],
    event: Callable[[Fraction], bool] | None = None,
) -> Picture:
    """The densities of the output at two datasets, over an event if there is one."""
    names = [law_at_input(mechanism, at).text for at in inputs]
    ys, points = densities(mechanism, inputs, xs), [float(x) for x in xs]
    inside = [event is not None and event(x) for x in xs]

    def draw(axes: Any) -> None:
        for values, name, (colour, dashes, hatch) in zip(ys, names, LOOKS, strict=True):
            axes.plot(points, values, color=colour, linestyle=dashes, linewidth=2, label=name)
            if any(inside):
                axes.fill_between(
                    points, values, where=inside, color=colour, alpha=0.3, hatch=hatch, linewidth=0
                )
        top = 1.4 * max(map(max, ys))
        axes.set(xlabel=f"output {mechanism.outputs[0].name}", ylabel="density", ylim=(0, top))

    return picture(draw, f"The density of the output at {names[0]} and at {names[1]}.")


def loss_picture(
    mechanism: Mechanism,
    inputs: tuple[object, object],
    xs: Sequence[Fraction],
    level: Expression,
) -> Picture:
    """The privacy loss at every output, and the band that the level allows."""
    (output,) = mechanism.outputs
    first, second = (law_at_input(mechanism, at).density for at in inputs)
    ratio = curve(first / second, output.name, xs)
    losses = [math.log(value) for value in ratio]
    allowed = float("inf") if level == oo else float_value(level)

    def draw(axes: Any) -> None:
        most = 1.6 * max(*map(abs, losses), 0.2, allowed if allowed < 20 else 0)
        axes.axhspan(-min(allowed, most), min(allowed, most), color=GREEN, label="allowed")
        axes.plot([float(x) for x in xs], losses, color=INK, linewidth=2, label="privacy loss")
        axes.set(xlabel=f"output {output.name}", ylabel="nats", ylim=(-most, most))

    return picture(draw, f"The privacy loss at every output; the level allows {allowed:.4g} nats.")


def bars_picture(
    columns: Sequence[str],
    series: Sequence[tuple[str, Sequence[Expression]]],
    text: str,
    ylabel: str = "probability",
) -> Picture:
    """Groups of bars, one for each column, with a bar in each for every series."""
    width = 0.8 / len(series)

    def draw(axes: Any) -> None:
        for i, (name, values) in enumerate(series):
            colour, _, hatch = LOOKS[i % 2]
            axes.bar(
                [k + (i - (len(series) - 1) / 2) * width for k in range(len(columns))],
                list(map(float_value, values)),
                width=0.9 * width,
                color=colour,
                alpha=0.75,
                hatch=hatch,
                edgecolor="white",
                label=name,
            )
        axes.set_xticks(range(len(columns)), columns)
        axes.set(ylabel=ylabel, ylim=(0, None))
        axes.margins(y=0.35)

    return picture(draw, text)


def tradeoff_picture(found: Tradeoff, level: Expression) -> Picture:
    """A trade-off curve, over the region of error rates that a level allows."""
    corner = float_value(privacy_region(level).corner)

    def draw(axes: Any) -> None:
        axes.fill([0, corner, 1, 1, 0], [1, corner, 0, 1, 1], color=GREEN, label="allowed")
        axes.plot([0, corner, 1], [1, corner, 0], color=INK, linewidth=1, linestyle=":")
        axes.plot(*tradeoff_points(found), color=BLUE, linewidth=2, label="best tests")
        axes.set(xlabel="type I error", ylabel="type II error", xlim=(0, 1), ylim=(0, 1))
        axes.set_aspect("equal")

    return picture(draw, f"{found.title}: trade-off curve and allowed region.", 4.2)


def event_picture(refuted: Refuted, xs: Sequence[Fraction]) -> Picture:
    """Both densities of a counterexample about one real output, with its event shaded if that is an
    interval.
    """
    example, mechanism = refuted.counterexample, refuted.written.mechanism
    bounds = example.event.intervals[0][1:] if len(example.event.intervals) == 1 else None
    ends = [None if end is None else float_value(end) for end in bounds or ()]
    inputs = [[c.args[0].numerator for c in side] for side in (example.first, example.second)]

    def inside(x: Fraction) -> bool:
        return (ends[0] is None or ends[0] <= x) and (ends[1] is None or x <= ends[1])

    return density_picture(mechanism, (inputs[0], inputs[1]), xs, inside if ends else None)


def level_picture(least: Expression, key: str, here: Fraction, claimed: Expression) -> Picture:
    """The least level as a function of one number from 1/2 to 1, the claimed level, and a point."""
    xs = spots(0, 1, 100)[50:99]
    level = float_value(claimed)

    def draw(axes: Any) -> None:
        axes.axhspan(0, level, color=GREEN, label="allowed")
        axes.plot([float(x) for x in xs], curve(least, key, xs), color=INK, label="least level")
        axes.plot(
            [float(here)], curve(least, key, [here]), "o", color=BLUE, markersize=9, label="chosen"
        )
        axes.set(xlabel=key, ylabel="nats", ylim=(-0.1, 4))
        axes.legend(loc="upper left", fontsize=9)

    return picture(draw, f"The least level against {key}; the claim allows {level:.4g} nats.")


def budget_picture(
    spent: Sequence[tuple[str, Fraction, Fraction]], parts: tuple[str, str], budget: Fraction | int
) -> Picture:
    """Two levels on top of each other for every value, below or above the line of the budget."""
    columns = [value for value, _, _ in spent]
    first, second = ([float(entry[i]) for entry in spent] for i in (1, 2))

    def draw(axes: Any) -> None:
        for values, below, part, (colour, _, hatch) in zip(
            (first, second), (None, first), parts, LOOKS, strict=True
        ):
            axes.bar(
                columns,
                values,
                bottom=below,
                color=colour,
                alpha=0.75,
                hatch=hatch,
                edgecolor="white",
                label=part,
                width=0.6,
            )
        axes.axhline(float(budget), color=INK, linestyle=":", label="budget")
        most = max(float(budget), *(a + b for a, b in zip(first, second, strict=True)))
        axes.set(xlabel="value x", ylabel="level, nats", ylim=(0, 1.5 * most))

    return picture(draw, f"The levels of {parts[0]} and {parts[1]} for each value, and the budget.")


def function_picture(
    e: Expression,
    key: str,
    xs: Sequence[Fraction],
    ylabel: str,
    marked: Sequence[tuple[str, Expression]] = (),
    identity: str = "",
) -> Picture:
    """An expression in one name as a curve, with marked points, and the line y = x if it has a
    name.
    """
    points = [float(x) for x in xs]

    def draw(axes: Any) -> None:
        axes.plot(points, curve(e, key, xs), color=BLUE, linewidth=2, label=ylabel)
        if identity:
            axes.plot(
                points, points, color=INK, linestyle=":", linewidth=2, label=identity, zorder=3
            )
        for text, at in marked:
            x, y = float_value(at), float_value(substitute(e, {key: at}))
            axes.plot([x], [y], "o", color=ORANGE, markersize=8)
            axes.annotate(text, (x, y), (6, -12), textcoords="offset points", fontsize=9)
        axes.set(xlabel=key, ylabel=ylabel, ylim=(0, None))

    return picture(draw, f"The {ylabel} against {key}.")


def delta_picture(found: DeltaCurve, level: Fraction, slack: Fraction) -> Picture:
    """The least delta at some levels, and the pair that is claimed; where the least delta was only
    enclosed, its upper bound.
    """
    points = [(float(x), float(high)) for x, _, high in found.coordinates]

    def draw(axes: Any) -> None:
        axes.plot(*curve_points(*map(list, zip(*points, strict=True))), color=BLUE)
        axes.plot(*zip(*points, strict=True), "o", color=BLUE, label="least delta")
        axes.plot([float(level)], [float(slack)], "D", color=ORANGE, markersize=9, label="claimed")
        axes.set(xlabel="level, nats", ylabel="delta", ylim=(-0.02, max(0.6, 1.3 * points[0][1])))

    return picture(
        draw, f"The least delta against the level, and the claim {slack} at {level}.", 4.2
    )
