"""Counterparts of the paper's figures, each as PNG and SVG; lines differ in colour (safe for the colour-blind), dashes and markers."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import numpy as np

from ahdp_verify import plots
from ahdp_verify.experiments.examples import EDGES, TRUE_MEAN, Example
from ahdp_verify.experiments.outcome import Curves, Line

WIDE, ENDINGS = 112, (".png", ".svg")
INCHES = (7.2, 5.4)
# Okabe and Ito's colours, told apart in grey by dashes and markers
STYLES: tuple[tuple[str, Any, str], ...] = (
    ("#0072B2", "-", "o"), ("#D55E00", "--", "s"), ("#009E73", "-.", "^"), ("#CC79A7", (0, (1, 1)), "D"), ("#000000", (0, (6, 1.5, 1, 1.5, 1, 1.5)), "v"),
    ("#E69F00", "-", "x"), ("#56B4E9", "--", "+"), ("#8a6d00", "-.", "1"),
)  # fmt: skip


def draw_curves(curves: Curves, folder: Path) -> list[Path]:
    """The error of every method of the paper against the size, with the exact limits as thin lines; where the pictures are."""
    figure = plots.library().Figure(figsize=INCHES, dpi=plots.DOTS, layout="constrained")
    axes = figure.subplots()
    for line, style in zip((line for line in curves.lines if line.kind == "method"), STYLES, strict=False):
        add_line(axes, curves, line, style)
    for line in curves.lines:
        if line.kind == "baseline":
            axes.plot(curves.sizes, line.main, color="#777777", linewidth=2.2, alpha=0.6, label=line.method)
    if curves.reference is not None:
        axes.axhline(curves.reference[0], color="#777777", linewidth=0.9, linestyle=(0, (8, 3)), label=curves.reference[1])
    axes.set(xlabel=curves.axes[0], ylabel=curves.axes[1])
    axes.set_title(curves.title, fontsize=11)
    if curves.log:
        axes.set_yscale("log")
    return placed(figure, axes, curves.label, curves.caption, folder)


def add_line(axes: Any, curves: Curves, line: Line, style: tuple[str, Any, str]) -> None:
    """One method, and the level to which it tends, where that is known and not 0."""
    colour, dashes, marker = style
    axes.plot(curves.sizes, line.main, color=colour, linestyle=dashes, marker=marker, markersize=4.5, linewidth=1.5, label=line.method)
    if line.limit:
        axes.axhline(line.limit, color=colour, linewidth=0.8, linestyle=":", zorder=1)
        axes.plot([1.0], [line.limit], marker=marker, markersize=4.5, color=colour, transform=axes.get_yaxis_transform(), clip_on=False, zorder=5)


def draw_examples(found: tuple[Example, ...], folder: Path) -> list[Path]:
    """The histograms of ex:mean, one below the other, each with the exact density; where the pictures are."""
    figure = plots.library().Figure(figsize=INCHES, dpi=plots.DOTS, layout="constrained")
    panels = figure.subplots(len(found), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    width = EDGES[1] - EDGES[0]
    for axes, example in zip(panels, found, strict=True):
        density = example.drawn.bins / (example.drawn.number * width)
        axes.stairs(density, EDGES, fill=True, color="#c9c9c9", label=f"{example.drawn.number:,} draws")
        axes.plot((EDGES[1:] + EDGES[:-1]) / 2, np.asarray(example.expected) / width, color=plots.ACCENT, linewidth=1.5, label="exact law")
        axes.axvline(example.law.mean, color=plots.ACCENT, linewidth=1.2, linestyle="--", label=f"exact mean {example.law.mean:.4f}")
        axes.axvline(TRUE_MEAN, color=plots.INK, linewidth=1, linestyle=":", label=f"true mean {TRUE_MEAN}")
        axes.set(ylabel="density, 1/unit of x", title=example.name, ylim=(0, None), xlim=(-1, 5))
        dressed(axes)
    panels[-1].set_xlabel("published mean, units of x")
    return written(figure, "emp-dist", CAPTION, folder)


CAPTION = "ex:mean: the published mean (a + L(2))/max(c + L(1), 1) as it is stated, and as the authors computed it (the paper's figure belongs to the lower panel)."


def dressed(axes: Any) -> None:
    """Grid, frame and legend in the one style."""
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=plots.INK)
    axes.legend(frameon=True, framealpha=0.9, edgecolor="#dddddd", fontsize=8.5)


def placed(figure: Any, axes: Any, stem: str, caption: str, folder: Path) -> list[Path]:
    """The finished figure of one panel, its legend below it; where the pictures are."""
    dressed(axes)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=2, frameon=False, fontsize=8.5)
    return written(figure, stem, caption, folder)


def written(figure: Any, stem: str, caption: str, folder: Path) -> list[Path]:
    """The figure with its caption as PNG and SVG; where they are."""
    figure.supxlabel(textwrap.fill(caption, WIDE), fontsize=7.5, x=0.02, ha="left", color=plots.INK)
    paths = [folder / f"{stem}{ending}" for ending in ENDINGS]
    for path in paths:
        plots.write(figure, path)
    return paths
