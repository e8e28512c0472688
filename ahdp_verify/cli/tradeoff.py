"""`ahdp-verify tradeoff`: the error rates of the best tests between two inputs, and a plot of
them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ahdp_verify.cli.console import print_line
from ahdp_verify.cli.exit_codes import ANSWERS, PROVED
from ahdp_verify.cli.options import (
    GENEROUS,
    MegabytesInAllOption,
    PlotOption,
    SecondsInAllOption,
    SourceArgument,
    ValuesOption,
)
from ahdp_verify.search.limits import Limits, enforce_limits

if TYPE_CHECKING:
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
    seconds: SecondsInAllOption = GENEROUS.seconds,
    megabytes: MegabytesInAllOption = GENEROUS.megabytes,
) -> int:
    """Print how well two inputs can be distinguished: the exact error rates of the best tests,
    and the level that they imply.
    """
    from ahdp_verify.files.load import load_mechanism

    with enforce_limits(Limits(seconds=seconds, megabytes=megabytes), "working out the trade-off"):
        return print_tradeoff(
            load_mechanism(source).mechanism, (first, second), level, values or [], plot
        )


def print_tradeoff(
    mechanism: Mechanism, sides: tuple[str, str], level: str, values: list[str], plot: str
) -> int:
    """The exit code of the trade-off curve of two inputs, which is printed: 0 inside the region
    of the level, 1 outside, 3 if that was not decided; 0 without a level.
    """
    import ahdp_verify.plots as plots
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
    for line in str(curve).splitlines():
        print_line(line)
    if plot:
        plots.draw_tradeoff(curve, plot, distance)
    if distance is None:
        return PROVED
    inside = satisfies(curve, distance)
    answer = {True: "inside", False: "not inside", None: "possibly inside"}[inside]
    print_line(
        f"{answer} the privacy region of level {distance}, which is the distance of the two "
        f"inputs at {parse(level, '--level')}"
    )
    return ANSWERS[inside]
