"""Counterparts of the paper's figures, each as PNG and SVG; lines differ in colour (safe for the
colour-blind), dashes and markers.
"""

from __future__ import annotations

import math
import textwrap
from pathlib import Path
from typing import Any

import numpy as np

from ahdp_verify import plots
from ahdp_verify.paper.experiments.examples import EDGES, TRUE_MEAN, Example, published_mean
from ahdp_verify.paper.experiments.outcome import Curves, MethodCurve

WIDE, ENDINGS = 112, (".png", ".svg")
INCHES = (7.2, 5.4)
# Okabe and Ito's colours, told apart in grey by dashes and markers
STYLES: tuple[tuple[str, Any, str], ...] = (
    ("#0072B2", "-", "o"),
    ("#D55E00", "--", "s"),
    ("#009E73", "-.", "^"),
    ("#CC79A7", (0, (1, 1)), "D"),
    ("#000000", (0, (6, 1.5, 1, 1.5, 1, 1.5)), "v"),
    ("#E69F00", "-", "x"),
    ("#56B4E9", "--", "+"),
    ("#8a6d00", "-.", "1"),
)


def draw_curves(curves: Curves, folder: Path) -> list[Path]:
    """The errors of the paper's methods against the size, with the exact limits as thin lines,
    and apart those of the variants; where the pictures are.
    """
    found = draw_kind(curves, "method", folder)
    return found + (
        draw_kind(curves, "variant", folder)
        if any(line.kind == "variant" for line in curves.lines)
        else []
    )


def draw_kind(curves: Curves, kind: str, folder: Path) -> list[Path]:
    """The picture of the lines of one kind, with what is not private and the level of
    comparison; where it is.
    """
    varied = kind == "variant"
    figure = plots.figure_module().Figure(figsize=INCHES, dpi=plots.DOTS, layout="constrained")
    axes = figure.subplots()
    for line, style in zip(
        (line for line in curves.lines if line.kind == kind), STYLES, strict=False
    ):
        add_line(axes, curves, line, style)
    for line in curves.lines:
        if line.kind == "baseline":
            axes.plot(
                curves.sizes,
                line.main,
                color="#777777",
                linewidth=2.2,
                alpha=0.6,
                label=line.method,
            )
    if curves.reference is not None:
        axes.axhline(
            curves.reference[0],
            color="#777777",
            linewidth=0.9,
            linestyle=(0, (8, 3)),
            label=curves.reference[1],
        )
    axes.set(xlabel=curves.axes[0], ylabel=curves.axes[1], yscale="log", xlim=(0, None))
    label_logarithmic_axis(axes)
    axes.set_title(curves.title + (", variants" if varied else ""), fontsize=11)
    style_axes_of_paper(axes)
    axes.legend(
        loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=2, frameon=False, fontsize=8.5
    )
    return save_with_caption(
        figure,
        curves.label + ("-variants" if varied else ""),
        curves.variants if varied else curves.caption,
        folder,
    )


def add_line(axes: Any, curves: Curves, line: MethodCurve, style: tuple[str, Any, str]) -> None:
    """One method, and the level to which it tends, where that is known and not 0."""
    colour, dashes, marker = style
    axes.plot(
        curves.sizes,
        line.main,
        color=colour,
        linestyle=dashes,
        marker=marker,
        markersize=4.5,
        linewidth=1.5,
        label=line.method,
    )
    if line.limit:
        axes.axhline(line.limit, color=colour, linewidth=0.8, linestyle=":", zorder=1)


def label_logarithmic_axis(axes: Any) -> None:
    """A logarithmic axis has ticks at round numbers, written as such."""
    low, high = axes.get_ylim()
    digits = (1, 1.5, 2, 3, 4, 6, 8) if high < 12 * low else (1, 2, 5)
    ticks = [
        d * 10.0**k
        for k in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        for d in digits
    ]
    kept = [t for t in ticks if low <= t <= high]
    axes.minorticks_off()
    axes.set_yticks(kept, [f"{t:g}" for t in kept])


def draw_examples(found: tuple[Example, ...], folder: Path) -> list[Path]:
    """The histograms of ex:mean, one below the other, each with the exact density; where the
    pictures are.
    """
    figure = plots.figure_module().Figure(figsize=INCHES, dpi=plots.DOTS, layout="constrained")
    panels = figure.subplots(len(found), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    width = EDGES[1] - EDGES[0]
    for axes, example in zip(panels, found, strict=True):
        density = example.drawn.bins / (example.drawn.number * width)
        axes.stairs(
            density, EDGES, fill=True, color="#c9c9c9", label=f"{example.drawn.number:,} draws"
        )
        axes.plot(
            (EDGES[1:] + EDGES[:-1]) / 2,
            np.asarray(example.expected) / width,
            color=plots.ACCENT,
            linewidth=1.5,
            label="exact distribution",
        )
        exact = published_mean(example.domain)
        axes.axvline(
            exact,
            color=plots.ACCENT,
            linewidth=1.2,
            linestyle="--",
            label=f"exact mean {exact:.4f}",
        )
        axes.axvline(
            TRUE_MEAN, color=plots.INK, linewidth=1, linestyle=":", label=f"true mean {TRUE_MEAN}"
        )
        axes.set(ylabel="density, 1/unit of x", title=example.name, ylim=(0, None), xlim=(-1, 5))
        style_axes_of_paper(axes)
    panels[-1].set_xlabel("published mean, units of x")
    return save_with_caption(figure, "emp-dist", CAPTION, folder)


CAPTION = (
    "ex:mean: the published mean (a + L(2))/max(c + L(1), 1) as it is stated, and as the "
    "authors computed it (the paper's figure belongs to the lower panel)."
)


def style_axes_of_paper(axes: Any) -> None:
    """Grid, frame and legend in the one style."""
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=plots.INK)
    axes.legend(frameon=True, framealpha=0.9, edgecolor="#dddddd", fontsize=8.5)


def save_with_caption(figure: Any, stem: str, caption: str, folder: Path) -> list[Path]:
    """The figure with its caption as PNG and SVG; where they are."""
    figure.supxlabel(textwrap.fill(caption, WIDE), fontsize=7.5, x=0.02, ha="left", color=plots.INK)
    paths = [folder / f"{stem}{ending}" for ending in ENDINGS]
    for path in paths:
        plots.save_figure(figure, path)
    return paths
