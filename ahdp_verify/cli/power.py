"""`ahdp-verify power`: the most that an adversary can learn, and plots of it."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from ahdp_verify.cli.documents import Printer
from ahdp_verify.cli.exit_codes import PROVED
from ahdp_verify.cli.options import (
    GENEROUS,
    JsonOption,
    LimitsInAll,
)
from ahdp_verify.search.limits import enforce_limits

OptionalSource = Annotated[
    str,
    typer.Argument(
        metavar="[FILE[:NAME]]",
        help="A mechanism: its records are the domain, and the power against it is printed too.",
        show_default=False,
    ),
]
Demands = Annotated[
    str,
    typer.Option(
        metavar="LIST",
        show_default=False,
        help=(
            'One record for each demand, optionally with its value, for example "log(2), log(3)" '
            'or "a: 1/2, b: oo"; a name such as eps gives formulas.'
        ),
    ),
]
Extra = Annotated[
    int | None,
    typer.Option(
        metavar="T",
        help="At most T records that the adversary has not seen; prints a table for t = 1 to T.",
        show_default=False,
    ),
]
OneMore = Annotated[bool, typer.Option("--one-more", help="Exactly one unknown record.")]
Known = Annotated[
    int | None,
    typer.Option(metavar="I", help="Record number I is present or absent.", show_default=False),
]
Datasets = Annotated[
    str,
    typer.Option(
        metavar="LIST", help='These datasets, by counts: "0,0; 1,0; 0,1".', show_default=False
    ),
]
Given = Annotated[
    str,
    typer.Option(
        metavar="COUNTS",
        help="The records that the adversary has seen, by counts; none if omitted.",
        show_default=False,
    ),
]
PrivateRelation = Annotated[
    Literal["ahdp", "add-remove", "swap"],
    typer.Option(help="The relation under which the mechanisms are private."),
]
OneLevel = Annotated[
    str,
    typer.Option(metavar="EXPR", help="The level; the demand if omitted.", show_default=False),
]
Everywhere = Annotated[
    bool,
    typer.Option(
        "--everywhere", help="Require privacy on all datasets, not only on the hypotheses."
    ),
]
Figure = Annotated[
    Literal["cap", "cap-2"] | None,
    typer.Option(
        help="Plot a figure of the paper, with the exact limit, to the file of --plot.",
        show_default=False,
    ),
]
Save = Annotated[
    str,
    typer.Option(metavar="CERT", help="Save the record of the (last) optimum.", show_default=False),
]
PowerPlot = Annotated[
    str,
    typer.Option(
        metavar="PICTURE",
        help="Plot the power against t to a file such as power.png (needs matplotlib).",
        show_default=False,
    ),
]


def power_command(
    source: OptionalSource = "",
    demands: Demands = "",
    extra: Extra = None,
    one_more: OneMore = False,
    known: Known = None,
    datasets: Datasets = "",
    given: Given = "",
    relation: PrivateRelation = "ahdp",
    level: OneLevel = "",
    everywhere: Everywhere = False,
    figure: Figure = None,
    save: Save = "",
    plot: PowerPlot = "",
    as_json: JsonOption = False,
    limits: LimitsInAll = GENEROUS,
) -> int:
    """Print the most that an adversary can learn from any private mechanism, exactly, with a
    certificate.
    """
    import ahdp_verify.plots as plots
    from ahdp_verify.cli.power_question import PowerOptions, run_power
    from ahdp_verify.cli.sources import file_of, load_named_mechanism, output_path

    printer = Printer(as_json, source)
    if figure is not None:
        plots.draw_figure(figure, plot)
        printer.show("done", (), lambda: {"figure": figure, "written": [plot]})
        return PROVED
    if save and source:
        output_path(save, "--save", file_of(source))
    asked = PowerOptions(
        demands=demands,
        extra=extra,
        one_more=one_more,
        known=known,
        datasets=datasets,
        given=given,
        relation=relation,
        level=level,
        everywhere=everywhere,
        save=save,
        plot=plot,
    )
    with enforce_limits(limits, "working out the power"):
        mechanism = load_named_mechanism(source).mechanism if source else None
        return run_power(asked, mechanism, printer)
