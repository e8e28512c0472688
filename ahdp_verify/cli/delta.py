"""`ahdp-verify delta`: a table of least deltas for each relation, and a plot of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ahdp_verify.cli.console import progress
from ahdp_verify.cli.documents import Data, Printer
from ahdp_verify.cli.exit_codes import PROVED, UNKNOWN, worst_exit_code
from ahdp_verify.cli.options import (
    USUAL,
    JsonOption,
    PlotOption,
    RelationOption,
    SearchLimits,
    SourceArgument,
)
from ahdp_verify.search.limits import Limits, enforce_limits

if TYPE_CHECKING:
    from ahdp_verify.analysis.divergence.curve import DeltaCurve
    from ahdp_verify.files.mechanism_file import MechanismFile
    from ahdp_verify.kernel.model.claim import Claim


def delta_command(
    source: SourceArgument,
    levels: Annotated[
        str,
        typer.Option(
            metavar="L,L,...",
            show_default=False,
            help=(
                'Levels, for example "0,1/2,log(3)"; if omitted, nine evenly spaced ones up to '
                "the level of the first claim, or 2."
            ),
        ),
    ] = "",
    plot: PlotOption = "",
    relation: RelationOption = "",
    as_json: JsonOption = False,
    limits: SearchLimits = USUAL,
) -> int:
    """Print the least delta at each level, exact or enclosed; exit code 3 if one is only
    enclosed.
    """
    from ahdp_verify.cli.claims import READING, relations_of
    from ahdp_verify.cli.sources import load_named_mechanism

    with enforce_limits(limits, READING):
        file = load_named_mechanism(source)
        asked = tuple(
            first_claim(file, r) for r in ((relation,) if relation else relations_of(file))
        )
    return print_delta_tables(asked, levels, plot, limits, Printer(as_json, source))


def first_claim(file: MechanismFile, relation: str) -> Claim:
    """The first claim of a file about a relation, or one at level 0."""
    from ahdp_verify.kernel.model.claim import Claim
    from ahdp_verify.kernel.terms.grammar import parse

    listed = (c for c in file.claims if isinstance(c, Claim) and c.relation == relation)
    return next(listed, Claim(file.mechanism, relation, parse("0", "--level")))


def print_delta_tables(
    asked: tuple[Claim, ...], levels: str, plot: str, limits: Limits, printer: Printer
) -> int:
    """The exit code of tables of least deltas, one for each relation: 3 if a delta is only
    enclosed, else 0.
    """
    import ahdp_verify.plots as plots
    from ahdp_verify.analysis.divergence.curve import delta_curve, usual_levels
    from ahdp_verify.cli.option_values import split_list
    from ahdp_verify.kernel.terms.grammar import parse

    if plot:
        plots.figure_module()
        plots.check_picture_path(plot)
    codes = []
    for i, claim in enumerate(asked):
        at: Any = (
            [parse(text, "--levels") for text in split_list(levels)]
            if levels
            else usual_levels(claim)
        )
        with progress(i, len(asked)) as report:
            curve = delta_curve(claim, at, limits=limits, progress=report)
        word = "exact" if curve.exact else "enclosed"
        path = plot if len(asked) == 1 or not plot else numbered_path(plot, i + 1)
        if plot:
            plots.draw_curve(curve, path)
        printer.show(word, str(curve).splitlines(), partial(curve_data, curve, path))
        codes.append(PROVED if curve.exact else UNKNOWN)
    return worst_exit_code(codes)


def numbered_path(path: str, i: int) -> str:
    """curve-2.png for curve.png."""
    stem, dot, ending = path.rpartition(".")
    return f"{stem}-{i}{dot}{ending}" if dot else f"{path}-{i}"


def curve_data(curve: DeltaCurve, path: str) -> Data:
    """The least delta at each level, and the file of the plot, if any."""
    from ahdp_verify.analysis.answer_data import bounds_data

    claim = curve.points[0].claim
    points = [
        {
            "level": str(point.level),
            "delta": bounds_data(point.bounds),
            "where": point.where,
            "exact": point.exact,
            "reason": point.reason,
        }
        for point in curve.points
    ]
    return {
        "mechanism": claim.mechanism.name,
        "relation": claim.relation,
        "points": points,
        "written": [path] if path else [],
    }
