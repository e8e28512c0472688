"""Pictures of two neighbouring output distributions, as SVG: both densities, or both probabilities
of each outcome, the band that the level allows, and an event.

Floats throughout: a picture is never part of a verdict.  Needs matplotlib.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ahdp_verify.analysis.inputs import LawAtInput
from ahdp_verify.analysis.testing.error_rates import exponential_breakpoints
from ahdp_verify.kernel.errors import AhdpError, NotWorkedOut
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.terms.expression import Expression, substitute
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.plots import figure_module, float_value, svg_text
from ahdp_verify.sampling.floats import Array, evaluate_columns, np

FIRST, SECOND, BAND, EVENT, GRID = "#1a5fb4", "#a34700", "#f3c9a4", "#b9acd3", "#dddddd"
INCHES = (6.6, 3.4)
FINE, COARSE = 1201, 400  # points of a curve, and of the search for where it is
SMALL = 0.004  # share of the highest density below which the picture ends
NEAR = 1e-9  # a share below which nothing is said to be left out
MOST_BARS, MOST_JOINT = 16, 4096  # outcomes that are drawn, and joint outcomes that are listed
CUT = "choose another pair of inputs to draw"


@dataclass(frozen=True, slots=True)
class LawPair:
    """Two output distributions to be drawn against each other.

    first, second    the distributions; the band is about the second
    level            the level between the two inputs, in nats; None if it is infinite
    event            an event to be shaded, if there is one
    """

    first: LawAtInput
    second: LawAtInput
    level: float | None
    event: Event | None = None


@dataclass(frozen=True, slots=True)
class Bar:
    """One outcome: its name, both probabilities, and whether it belongs to the event."""

    name: str
    first: float
    second: float
    inside: bool


def law_figure(pair: LawPair) -> tuple[str, str]:
    """The picture as SVG, and what it leaves out in words ("" for nothing); NotWorkedOut where
    there is no picture of such distributions.
    """
    with np.errstate(all="ignore"):
        outputs = pair.first.outputs
        single = outputs[0] if len(outputs) == 1 else None
        if single is not None and single.kind == "real":
            return real_figure(pair), ""
        if single is not None and single.kind == "integer":
            bars = integer_bars(pair)
            gone = 1 - min(sum(b.first for b in bars), sum(b.second for b in bars))
            rare = f"outcomes of probability {gone:.2g} together" if gone > NEAR else ""
            return bar_figure(bars, pair), rare
        if all(o.kind == "finite" for o in outputs):
            bars = finite_bars(pair)
            shown = chosen_bars(bars)
            left = f"{len(bars) - len(shown)} of {len(bars)} outcomes"
            return bar_figure(shown, pair), left if len(shown) < len(bars) else ""
    raise NotWorkedOut(
        "picture", f"the output has {len(outputs)} parts, which one picture cannot show", CUT
    )


# one real output


def real_figure(pair: LawPair) -> str:
    """Both densities, the band and the event; atoms in a second panel."""
    grid = drawn_points(pair)
    first, second = (density_values(law, grid) for law in (pair.first, pair.second))
    atoms = atom_bars(pair)
    figure = figure_module("picture").Figure(figsize=INCHES, layout="constrained")
    shares = {"width_ratios": [4, max(1, len(atoms))]} if atoms else {}
    panels = figure.subplots(1, 1 + bool(atoms), squeeze=False, gridspec_kw=shares)[0]
    axes = panels[0]
    highest = float(np.nanmax(np.concatenate((first, second, [0.0])))) or 1.0
    axes.set_ylim(0, 1.12 * highest)
    draw_band(axes, pair.level, lambda **style: axes.fill_between(grid, **style), second)
    axes.plot(grid, first, color=FIRST, linewidth=2, label=one_line(f"at {pair.first.text}", 60))
    axes.plot(
        grid,
        second,
        color=SECOND,
        linewidth=2,
        linestyle=(0, (5, 2)),
        label=one_line(f"at {pair.second.text}", 60),
    )
    for low, high in event_intervals(pair, grid):
        draw_event(axes, low, high)
    axes.set(xlim=(grid[0], grid[-1]), xlabel=pair.first.outputs[0].name, ylabel="density")
    if atoms:
        draw_bars(panels[1], atoms, pair.level)
        panels[1].set(ylabel="probability", xlabel="single points")
    return finished(figure, axes)


def density_values(law: LawAtInput, grid: Array) -> Array:
    """The density at points."""
    found = evaluate_columns(law.density, {law.outputs[0].name: grid})
    return np.broadcast_to(np.asarray(found, dtype=float), grid.shape)


def breakpoints(pair: LawPair) -> list[float]:
    """The points at which a density may bend or jump, and the ends of the event."""
    found: list[float] = []
    for law in (pair.first, pair.second):
        try:
            listed = dict(exponential_breakpoints(law, law.density))
            found += [float_value(point) for point in listed.get(law.outputs[0].name, ())]
        except (AhdpError, ZeroDivisionError, OverflowError):
            continue
    ends = [
        end for _, low, high in (pair.event.intervals if pair.event else ()) for end in (low, high)
    ]
    return sorted({*found, *(float_value(end) for end in ends if end is not None)})


def drawn_points(pair: LawPair) -> Array:
    """The points at which the densities are drawn: where they are not negligible, with a margin."""
    cuts = np.asarray(breakpoints(pair) or [0.0])
    steps = np.concatenate(([0.0], np.logspace(-6, 8, COARSE)))
    reach = np.unique(np.concatenate([cuts[:, None] + side * steps for side in (1, -1)]).ravel())
    for _ in range(2):
        high = np.fmax(density_values(pair.first, reach), density_values(pair.second, reach))
        high = np.where(np.isfinite(high), high, 0.0)
        seen = reach[high > SMALL * float(high.max(initial=0.0))]
        low, top = (float(seen.min()), float(seen.max())) if len(seen) else (-1.0, 1.0)
        low, top = min(low, float(cuts.min())), max(top, float(cuts.max()))
        margin = 0.04 * (top - low) or 1.0
        reach = np.linspace(low - margin, top + margin, FINE)
    beside = 1e-9 * (reach[-1] - reach[0])
    return np.unique(np.concatenate((reach, cuts - beside, cuts + beside)))


def event_intervals(pair: LawPair, grid: Array) -> list[tuple[float, float]]:
    """The interval of the event, cut off at the picture's ends."""
    if pair.event is None or not pair.event.continuous:
        return []
    if not pair.event.intervals:
        return [(float(grid[0]), float(grid[-1]))]
    _, low, high = pair.event.intervals[0]
    return [
        (
            float(grid[0]) if low is None else float_value(low),
            float(grid[-1]) if high is None else float_value(high),
        )
    ]


def atom_bars(pair: LawPair) -> list[Bar]:
    """The points that have a probability of their own."""
    event = pair.event
    return [
        Bar(
            short_name(at),
            constant_float(p),
            constant_float(q),
            event is not None and atom_belongs(event, at),
        )
        for (at, p), (_, q) in zip(pair.first.atoms, pair.second.atoms, strict=True)
    ]


def atom_belongs(event: Event, at: Expression) -> bool:
    """Whether a point with a probability of its own belongs to an event."""
    if at in event.atoms:
        return True
    if not event.continuous or at in event.without:
        return False
    if not event.intervals:
        return True
    if at.head == "label":
        return False
    _, low, high = event.intervals[0]
    place = float_value(at)
    return (low is None or float_value(low) <= place) and (
        high is None or place < float_value(high)
    )


# outcomes


def constant_float(e: Expression) -> float:
    """About the value of a constant."""
    return float(evaluate_columns(e, {}))


def finite_bars(pair: LawPair) -> list[Bar]:
    """All joint outcomes of finite outputs."""
    outputs = pair.first.outputs
    if math.prod(len(o.values) for o in outputs) > MOST_JOINT:
        raise NotWorkedOut("picture", f"there are more than {MOST_JOINT} outcomes", CUT)
    bars = []
    for outcome in itertools.product(*(o.values for o in outputs)):
        here = dict(zip((o.name for o in outputs), outcome, strict=True))
        p, q = (constant_float(substitute(law.density, here)) for law in (pair.first, pair.second))
        bars.append(Bar(", ".join(map(short_name, outcome)), p, q, belongs(pair.event, here)))
    return bars


def belongs(event: Event | None, here: dict[str, Expression]) -> bool:
    """Whether an outcome belongs to an event about finite outputs."""
    if event is None or not event.continuous:
        return False
    if event.outcomes:
        return tuple(here.values()) in event.outcomes
    return all(here[key] in values for key, values in event.values)


def chosen_bars(bars: list[Bar]) -> list[Bar]:
    """The outcomes that are drawn, in their order: those of the event, and those whose
    probabilities differ most.
    """
    if len(bars) <= MOST_BARS:
        return bars
    order = sorted(
        range(len(bars)), key=lambda i: (-bars[i].inside, -abs(bars[i].first - bars[i].second))
    )
    return [bars[i] for i in sorted(order[:MOST_BARS])]


def integer_bars(pair: LawPair) -> list[Bar]:
    """The whole numbers around the highest probabilities."""
    cuts = breakpoints(pair) or [0.0]
    middle = round(sum(cuts) / len(cuts))
    reach = np.arange(middle - 2000, middle + 2001)
    both = [density_values(law, reach) for law in (pair.first, pair.second)]
    high = np.fmax(*both)
    seen = np.flatnonzero(high > 4 * SMALL * high.max(initial=0.0))
    low, top = (int(seen[0]), int(seen[-1])) if len(seen) else (2000, 2000)
    if top - low >= 2 * MOST_BARS:
        peak = int(np.argmax(high))
        low, top = max(low, peak - MOST_BARS), min(top, peak + MOST_BARS)
    spans = event_intervals(pair, np.asarray([reach[0], reach[-1] + 1]))
    return [
        Bar(
            str(int(reach[i])),
            float(both[0][i]),
            float(both[1][i]),
            any(a <= reach[i] < b for a, b in spans) if pair.event else False,
        )
        for i in range(low, top + 1)
    ] + atom_bars(pair)


def short_name(e: Expression) -> str:
    """An outcome as a label of the picture: a label without its quotes."""
    return one_line(e.args[0] if e.head == "label" else str(e), 16)


def bar_figure(bars: Sequence[Bar], pair: LawPair) -> str:
    """Both probabilities of each outcome, with the band and the event."""
    figure = figure_module("picture").Figure(figsize=INCHES, layout="constrained")
    axes = figure.subplots()
    draw_bars(axes, bars, pair.level, (pair.first.text, pair.second.text))
    axes.set(ylabel="probability", xlabel=", ".join(o.name for o in pair.first.outputs))
    return finished(figure, axes)


def draw_bars(
    axes: Any, bars: Sequence[Bar], level: float | None, texts: tuple[str, str] | None = None
) -> None:
    """Two bars for each outcome, the band as a box over both, a shade behind those of the event."""
    places = np.arange(len(bars), dtype=float)
    first, second = (np.asarray([getattr(b, side) for b in bars]) for side in ("first", "second"))
    for place in [i for i, bar in enumerate(bars) if bar.inside]:
        draw_event(axes, place - 0.5, place + 0.5)
    labels = [one_line(f"at {text}", 60) for text in texts] if texts else [None, None]
    axes.bar(places - 0.2, first, 0.38, color=FIRST, label=labels[0], zorder=2)
    axes.bar(
        places + 0.2,
        second,
        0.38,
        color=SECOND,
        hatch="..",
        edgecolor="white",
        linewidth=0,
        label=labels[1],
        zorder=2,
    )
    highest = float(max(first.max(initial=0.0), second.max(initial=0.0))) or 1.0
    axes.set_ylim(0, 1.15 * highest)
    if level is not None:
        low, high = second * math.exp(-level), second * math.exp(min(level, 500.0))
        axes.errorbar(
            places - 0.2,
            (low + high) / 2,
            yerr=(high - low) / 2,
            fmt="none",
            ecolor="#333333",
            elinewidth=1.3,
            capsize=4,
            label=band_label(level) if texts else None,
            zorder=3,
        )
    turned = any(len(bar.name) > 6 for bar in bars) or len(bars) > 10
    axes.set_xticks(
        places,
        [bar.name for bar in bars],
        rotation=45 if turned else 0,
        ha="right" if turned else "center",
        fontsize=8,
    )
    axes.set_xlim(-0.6, len(bars) - 0.4)


def band_label(level: float) -> str:
    """The legend of the band."""
    return f"allowed for the first: the second times exp(±{level:.4g})"


def draw_event(axes: Any, low: float, high: float) -> None:
    """The event is hatched behind everything else."""
    axes.axvspan(
        low,
        high,
        facecolor="#ece8f4",
        edgecolor=EVENT,
        hatch="///",
        linewidth=0,
        label="the event",
        zorder=0,
    )


def draw_band(axes: Any, level: float | None, fill: Any, second: Array) -> None:
    """The band between exp(-level) and exp(level) times the second density."""
    if level is None:
        return
    top = min(level, 500.0)
    fill(
        y1=second * math.exp(-top),
        y2=np.minimum(second * math.exp(top), axes.get_ylim()[1] * 2),
        color=BAND,
        alpha=0.75,
        linewidth=0,
        label=band_label(level),
        zorder=1,
    )


def finished(figure: Any, axes: Any) -> str:
    """The SVG of a figure with its legend below."""
    axes.grid(color=GRID, linewidth=0.6, axis="y")
    axes.set_axisbelow(True)
    for panel in figure.axes:
        panel.spines[["top", "right"]].set_visible(False)
        panel.tick_params(colors="#333333", labelsize=8)
    kept: dict[str, Any] = {}
    for panel in figure.axes:
        handles, labels = panel.get_legend_handles_labels()
        kept = dict(zip(labels, handles, strict=True)) | kept
    figure.legend(
        kept.values(),
        kept.keys(),
        loc="outside lower center",
        ncols=1 if any(len(t) > 40 for t in kept) else 2,
        frameon=False,
        fontsize=8.5,
    )
    return svg_text(figure)


def apart(svg: str, name: str) -> str:
    """The SVG with every name inside it made its own, so that several can stand on one page.

    >>> apart('<g id="a"/><use xlink:href="#a"/>', "f1")
    '<g id="f1-a"/><use xlink:href="#f1-a"/>'
    """
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", svg)
