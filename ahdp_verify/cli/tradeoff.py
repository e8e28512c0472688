"""`ahdp-verify tradeoff`: the error rates of the best tests between two inputs, and a plot of
them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ahdp_verify.cli.documents import Data, Printer
from ahdp_verify.cli.exit_codes import ANSWERS, PROVED
from ahdp_verify.cli.options import (
    GENEROUS,
    JsonOption,
    LimitsInAll,
    PlotOption,
    SourceArgument,
    ValuesOption,
)
from ahdp_verify.search.limits import enforce_limits

if TYPE_CHECKING:
    from ahdp_verify.analysis.testing.tradeoff import Tradeoff
    from ahdp_verify.kernel.model.mechanism import Mechanism


def tradeoff_command(
    source: SourceArgument,
    first: Annotated[
        str,
        typer.Option(
            metavar="INPUT",
            show_default=False,
            help=(
                "The first input, whose false rejection is the type I error: counts in the order "
                'of the records ("0,1"), query answers, or a value.'
            ),
        ),
    ],
    second: Annotated[
        str, typer.Option(metavar="INPUT", help="The second input.", show_default=False)
    ],
    level: Annotated[
        str,
        typer.Option(
            metavar="EXPR",
            show_default=False,
            help=(
                "A level, possibly in x and eps: also print whether the curve lies in the privacy "
                "region of the distance between the two inputs at this level (exit code 0 if it "
                "does, 1 if not)."
            ),
        ),
    ] = "",
    values: ValuesOption = None,
    plot: PlotOption = "",
    as_json: JsonOption = False,
    limits: LimitsInAll = GENEROUS,
) -> int:
    """Print how well two inputs can be distinguished: the exact error rates of the best tests,
    and the level that they imply.
    """
    from ahdp_verify.cli.sources import load_named_mechanism

    with enforce_limits(limits, "working out the trade-off"):
        return print_tradeoff(
            load_named_mechanism(source).mechanism,
            (first, second),
            level,
            values or [],
            plot,
            Printer(as_json, source),
        )


def print_tradeoff(
    mechanism: Mechanism,
    sides: tuple[str, str],
    level: str,
    values: list[str],
    plot: str,
    printer: Printer,
) -> int:
    """The exit code of the trade-off curve of two inputs, which is printed: 0 inside the region
    of the level, 1 outside, 3 if that was not decided; 0 without a level.
    """
    import ahdp_verify.plots as plots
    from ahdp_verify.analysis.answer_data import value_data
    from ahdp_verify.analysis.inputs import distance_between
    from ahdp_verify.analysis.testing.error_rates import satisfies
    from ahdp_verify.analysis.testing.tradeoff import tradeoff
    from ahdp_verify.cli.option_values import parameter_settings, read_input
    from ahdp_verify.kernel.terms.grammar import parse

    if plot:
        plots.figure_module()
        plots.check_picture_path(plot)
    parameters = parameter_settings(mechanism, values)
    first, second = (
        read_input(mechanism, text, option)
        for text, option in zip(sides, ("--first", "--second"), strict=True)
    )
    distance = (
        distance_between(mechanism, first, second, parse(level, "--level"), parameters)
        if level
        else None
    )
    curve = tradeoff(mechanism, first, second, parameters=parameters)
    if plot:
        plots.draw_tradeoff(curve, plot, distance)
    inside = None if distance is None else satisfies(curve, distance)
    answer = {True: "inside", False: "not inside", None: "possibly inside"}[inside]
    line = (
        f"{answer} the privacy region of level {distance}, which is the distance of the two "
        f"inputs at {parse(level, '--level')}"
        if level
        else ""
    )
    printer.show(
        answer if level else "exact",
        (*str(curve).splitlines(), *([line] if line else [])),
        lambda: {**tradeoff_data(curve, plot), "distance": value_data(distance), "inside": inside},
    )
    return ANSWERS[inside] if level else PROVED


def tradeoff_data(curve: Tradeoff, path: str) -> Data:
    """The vertices of the curve with the best tests there, the curve between them, and the file of
    the plot, if any.
    """
    from ahdp_verify.analysis.answer_data import value_data

    vertices = [
        {"type_1": value_data(v.alpha), "type_2": value_data(v.beta), "rejects": str(v.test)}
        for v in curve.vertices
    ]
    pieces = [
        {"from": str(p.low.alpha), "to": str(p.high.alpha), "type_2": str(p.beta)}
        for p in curve.pieces
    ]
    return {
        "first": curve.first,
        "second": curve.second,
        "vertices": vertices,
        "pieces": pieces,
        "total_variation": value_data(curve.total_variation),
        "level": value_data(curve.level),
        "written": [path] if path else [],
    }
