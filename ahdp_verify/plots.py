"""Pictures for people, drawn by matplotlib (the extra `plots`); no number in them takes part in a verdict."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

from ahdp_verify.curve import Curve
from ahdp_verify.errors import BadInput

INK, ACCENT = "#333333", "#1a5fb4"
INCHES, DOTS = (6.4, 4.0), 150
FINE = 16  # points of a line


def library() -> Any:
    """matplotlib's figure module, which draws without a screen; BadInput where matplotlib is not installed."""
    try:
        from matplotlib import figure  # noqa: PLC0415 - it is an extra, and slow to load
    except ImportError:
        raise BadInput("--plot", "matplotlib is not installed", "pip install 'ahdp-verify[plots]'") from None
    return figure


def draw(curve: Curve, path: str | Path) -> None:
    """The curve is in the file at `path`, whose ending names the format.

    A point is exact or spans its enclosure.  The lines between are straight in exp(level), in which the least delta is convex: they bound it
    from above.
    """
    points = curve.coordinates
    if not points:
        raise BadInput("--plot", "no point of the curve is a number", "give constant levels, and values to the parameters")
    figure = library().Figure(figsize=INCHES, dpi=DOTS, layout="constrained")
    axes = figure.subplots()
    levels, low, high = ([float(part) for part in column] for column in zip(*points, strict=True))
    axes.plot(*above(levels, high), color=ACCENT, linewidth=1.5)
    axes.plot(levels, high, color=ACCENT, linestyle="none", marker="o", markersize=5, clip_on=False, zorder=3)
    axes.vlines(levels, low, high, color=ACCENT, linewidth=4, alpha=0.35)
    axes.set(xlabel="level, nats", ylabel="least delta", title=curve.title, ylim=(0, None))
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK)
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise BadInput(str(path), f"the picture cannot be written ({error})", "name a file such as curve.png in a folder that exists") from None


def above(levels: list[float], values: list[float]) -> tuple[list[float], list[float]]:
    """Points of the lines, straight in exp(level), between given points."""
    points = sorted(zip(levels, values, strict=True))
    xs, ys = [points[0][0]], [points[0][1]]
    for (a, p), (b, q) in itertools.pairwise(points):
        for i in range(1, FINE + 1):
            x = a + (b - a) * i / FINE
            xs.append(x)
            ys.append(q if b == a else p + (q - p) * math.expm1(x - a) / math.expm1(b - a))
    return xs, ys
