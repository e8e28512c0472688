"""`ahdp-verify experiment`: a summary on stdout, the tables and figures in a folder."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ahdp_verify.cli.console import print_error, step_counter
from ahdp_verify.cli.documents import Data, Printer
from ahdp_verify.cli.exit_codes import PROVED
from ahdp_verify.cli.options import JsonOption, scheduler_for, workers_for
from ahdp_verify.cli.several import number_of_workers, report_failure
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.printing import named_path
from ahdp_verify.start import WATCH

if TYPE_CHECKING:
    from fractions import Fraction

    from ahdp_verify.paper.experiments.draws import Draws, Step
    from ahdp_verify.paper.experiments.generated import GeneratedRecords
    from ahdp_verify.paper.experiments.outcome import Curves

    Experiment = Callable[
        [GeneratedRecords, tuple[int, ...], tuple[Fraction, ...], int, int, Draws], Curves
    ]

DRAWS = 10_000_000
MOST = 1_000_000_000  # draws
MOST_TRIALS = 1_000_000
STEP_OF_SIZES = 1000  # of the usual sizes of regression

# The options that apply to each experiment, besides trials, seed and out.
OPTIONS = {
    "examples": (),
    "mean": ("sizes", "thresholds", "correlation"),
    "frequency": ("sizes", "thresholds", "correlation"),
    "regression": ("data", "sizes", "thresholds", "training"),
}


@dataclass(frozen=True, slots=True)
class ExperimentOptions:
    """The options of the command, as they were given."""

    name: str
    trials: int | None = None
    seed: int = 1
    out: str = "experiments"
    data: str = ""
    sizes: str = ""
    thresholds: str = ""
    correlation: float | None = None
    training: int | None = None
    workers: int = 1
    scheduler: str = ""
    as_json: bool = False


Name = Annotated[
    Literal["examples", "mean", "frequency", "regression"],
    typer.Argument(
        metavar="NAME", help="examples, mean, frequency or regression.", show_default=False
    ),
]
Trials = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        show_default=False,
        help=(
            "Number of trials for each size; if omitted 5000, or 200 for regression, as in the "
            "paper. For examples: number of draws, 10000000 if omitted."
        ),
    ),
]
FixedSeed = Annotated[
    int, typer.Option(metavar="S", min=0, help="Random seed; the same seed gives the same tables.")
]
Folder = Annotated[
    str,
    typer.Option(metavar="FOLDER", help="Folder for tables and figures; created if missing."),
]
DataFile = Annotated[
    str,
    typer.Option(
        metavar="FILE",
        help="California housing as comma-separated values, for regression.",
        show_default=False,
    ),
]
Sizes = Annotated[
    str,
    typer.Option(
        metavar="LIST", help='Numbers of records, such as "1000, 2000".', show_default=False
    ),
]
Thresholds = Annotated[
    str,
    typer.Option(
        metavar="LIST",
        help='Thresholds of the Sample Mechanism, such as "0.5, 2".',
        show_default=False,
    ),
]
Correlation = Annotated[
    float | None,
    typer.Option(
        metavar="R",
        show_default=False,
        help=(
            "Correlation of value and demand in generated data (mean, frequency); if omitted "
            "-0.84, that of the paper's data."
        ),
    ),
]
Training = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        show_default=False,
        help="Rows of the data file for training, the rest for testing; 17000 if omitted.",
    ),
]


def experiment_command(
    name: Name,
    trials: Trials = None,
    seed: FixedSeed = 1,
    out: Folder = "experiments",
    data: DataFile = "",
    sizes: Sizes = "",
    thresholds: Thresholds = "",
    correlation: Correlation = None,
    training: Training = None,
    workers: Annotated[int | None, workers_for("1")] = None,
    scheduler: Annotated[
        str, scheduler_for("draw", "some draws, chosen at random, are drawn again here")
    ] = "",
    as_json: JsonOption = False,
) -> int:
    """Run an example or experiment of the paper with the verified mechanisms; tables as CSV,
    figures as PNG and SVG.
    """
    return run_experiment(
        ExperimentOptions(
            name=name,
            trials=trials,
            seed=seed,
            out=out,
            data=data,
            sizes=sizes,
            thresholds=thresholds,
            correlation=correlation,
            training=training,
            workers=number_of_workers(workers, 1, scheduler),
            scheduler=scheduler,
            as_json=as_json,
        )
    )


def run_experiment(asked: ExperimentOptions) -> int:
    """The exit code: 0 if all is done, 130 if the experiment was interrupted; what is finished is
    written either way.
    """
    import ahdp_verify.paper.experiments  # noqa: F401 - it says so if NumPy is not installed
    import ahdp_verify.plots as plots

    plots.figure_module("experiment")
    for option in ("data", "sizes", "thresholds", "correlation", "training"):
        if getattr(asked, option) not in ("", None) and option not in OPTIONS[asked.name]:
            raise BadInput(f"--{option}", f"it does not apply to {asked.name}", "leave it out")
    most = MOST if asked.name == "examples" else MOST_TRIALS
    if asked.trials is not None and asked.trials > most:
        raise BadInput("--trials", f"{asked.trials} are too many", f"ask for at most {most}")
    return RUNS[asked.name](asked)


def draws_of(asked: ExperimentOptions, step: Step) -> Draws:
    """Who draws; `step` is called after each trial."""
    from ahdp_verify.paper.experiments.draws import DrawnByCluster, DrawnByProcesses, DrawnHere

    said = set[str]()

    def failed(why: str | Exception) -> None:
        if isinstance(why, Exception):
            report_failure(why, "its draws are made", said)
        else:
            print_error(f"the answer of a worker was not accepted ({why}); its draws are made here")

    if asked.scheduler:
        return DrawnByCluster(asked.scheduler, failed, step)
    return DrawnByProcesses(asked.workers, step) if asked.workers > 1 else DrawnHere(step)


def results_folder(path: str) -> Path:
    """The folder, created if it is missing; BadInput if that fails."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else str(error)
        raise BadInput(
            "--out", f"{named_path(path)} cannot be created ({said})", "name another folder"
        ) from None
    return Path(path)


def run_examples(asked: ExperimentOptions) -> int:
    """The exit code of ex:sum and ex:mean."""
    from ahdp_verify.paper.experiments import examples, figures

    place, number = results_folder(asked.out), asked.trials or DRAWS
    printer = Printer(asked.as_json)
    chunks = len(examples.CASES) * -(-number // examples.CHUNK)
    with step_counter(chunks, f"times {min(number, examples.CHUNK):,} draws of ex:mean") as step:
        draw = draws_of(asked, step)
        found = examples.draw_examples_twice(number, asked.seed, draw)
    tables = {
        "examples.csv": examples.moments_csv(found, asked.seed),
        "emp-dist.csv": examples.histogram_csv(found, asked.seed),
    }
    written = write_results(tables, draw.notes, place, lambda: figures.draw_examples(found, place))
    done, wanted = sum(e.drawn.number for e in found), len(examples.CASES) * number
    lines = (*examples.examples_summary(found), *draw.notes, written_line(written))
    data = results_data(asked, (done, wanted), draw.notes, written)
    printer.show("done" if done == wanted else "interrupted", lines, lambda: data)
    return trials_exit_code(done, wanted, "draws")


def run_mean(asked: ExperimentOptions) -> int:
    """The exit code of experiment 1."""
    from ahdp_verify.paper.experiments import generated, mean

    records = generated.generate_weights(mean.NUMBER, read_correlation(asked), asked.seed)
    return run_on_generated(
        asked, records, mean.SIZES, mean.THRESHOLDS, mean.TRIALS, mean.mean_curves
    )


def run_frequency(asked: ExperimentOptions) -> int:
    """The exit code of experiment 2."""
    from ahdp_verify.paper.experiments import frequency, generated

    records = generated.generate_education(frequency.NUMBER, read_correlation(asked), asked.seed)
    return run_on_generated(
        asked,
        records,
        frequency.SIZES,
        frequency.THRESHOLDS,
        frequency.TRIALS,
        frequency.frequency_curves,
    )


def run_on_generated(
    asked: ExperimentOptions,
    records: GeneratedRecords,
    usual: tuple[int, ...],
    thresholds: tuple[Fraction, ...],
    trials: int,
    make: Experiment,
) -> int:
    """The exit code of an experiment on generated records, with its usual sizes, thresholds and
    number of trials.
    """
    from ahdp_verify.paper.experiments.methods import read_thresholds

    sizes, chosen = (
        read_sizes(asked.sizes, usual, len(records.x)),
        read_thresholds(asked.thresholds, thresholds),
    )
    return run_curves(
        asked,
        asked.trials or trials,
        lambda number, draw: make(records, sizes, chosen, number, asked.seed, draw),
    )


def run_regression(asked: ExperimentOptions) -> int:
    """The exit code of experiment 3."""
    from ahdp_verify.paper.experiments import housing, regression
    from ahdp_verify.paper.experiments.methods import read_thresholds

    if not asked.data:
        raise BadInput(
            "--data",
            "regression needs the California housing data, which is not part of this package",
            housing.CURE,
        )
    data = housing.load_housing(asked.data, asked.training or housing.TRAINING)
    most = len(data.train_y)
    usual = tuple(range(STEP_OF_SIZES, most + 1, STEP_OF_SIZES)) or (most,)
    sizes, chosen = (
        read_sizes(asked.sizes, usual, most),
        read_thresholds(asked.thresholds, regression.THRESHOLDS),
    )
    return run_curves(
        asked,
        asked.trials or regression.TRIALS,
        lambda number, draw: regression.regression_curves(
            data, sizes, chosen, number, asked.seed, draw
        ),
    )


def run_curves(asked: ExperimentOptions, trials: int, make: Callable[[int, Draws], Curves]) -> int:
    """The exit code of an experiment with curves; its summary is printed, and its table and
    figures are written.
    """
    from ahdp_verify.paper.experiments import figures

    place, printer = results_folder(asked.out), Printer(asked.as_json)
    with step_counter(trials, f"trials of {asked.name}") as step:
        draw = draws_of(asked, step)
        curves = make(trials, draw)
    written = write_results(
        {f"{curves.label}.csv": curves.csv},
        draw.notes,
        place,
        lambda: figures.draw_curves(curves, place),
    )
    done = curves.trials[0]
    lines = (*curves.summary, *draw.notes, written_line(written))
    data = results_data(asked, (done, trials), draw.notes, written) | curves_data(curves)
    printer.show("done" if done == trials else "interrupted", lines, lambda: data)
    return trials_exit_code(done, trials, "trials")


def results_data(
    asked: ExperimentOptions, trials: tuple[int, int], notes: tuple[str, ...], written: list[str]
) -> Data:
    """What was run, how many of the trials that were asked for, and the files with the results."""
    done, wanted = trials
    return {
        "experiment": asked.name,
        "seed": asked.seed,
        "trials": done,
        "trials_asked": wanted,
        "notes": list(notes),
        "written": written,
    }


def curves_data(curves: Curves) -> Data:
    """The measures of each method at all sizes: averages over the trials, rounded."""
    methods = [
        {
            "method": line.method,
            "kind": line.kind,
            "values": {measure: [finite(v) for v in row] for measure, row in line.values.items()},
            "limit": line.limit,
        }
        for line in curves.lines
    ]
    return {"sizes": list(curves.sizes), "methods": methods}


def finite(value: float) -> float | None:
    """A number that JSON can hold, None for one that is not finite."""
    return float(value) if math.isfinite(value) else None


def write_results(
    tables: dict[str, str],
    notes: tuple[str, ...],
    place: Path,
    picture: Callable[[], Iterable[Path]],
) -> list[str]:
    """The files in the folder, which hold the tables, below the notes, and then the figures."""
    import ahdp_verify.canonical_json as jsonfile

    for name, text in tables.items():
        jsonfile.write_text("".join(f"# {line}\n" for line in notes) + text, place / name)
    return [str(path) for path in (*(place / name for name in tables), *picture())]


def written_line(paths: list[str]) -> str:
    """The files that were written, on a line."""
    return f"written: {', '.join(map(named_path, paths))}"


def trials_exit_code(done: int, asked: int, what: str) -> int:
    """The exit code after so many of the trials that were asked for."""
    if done == asked:
        return PROVED
    print_error(
        f"interrupted after {done:,} of {asked:,} {what}; what is written covers only these"
    )
    return WATCH.code


def read_sizes(text: str, usual: tuple[int, ...], most: int) -> tuple[int, ...]:
    """The sizes of a list such as "1000, 2000", sorted and without repetition, or the usual ones
    for an empty text; BadInput for anything else.
    """
    parts = [part.strip() for part in text.split(",")]
    if not text:
        return usual
    if not all(
        part.isascii() and part.isdigit() and len(part) < 10 and 1 <= int(part) <= most
        for part in parts
    ):
        raise BadInput(
            "--sizes",
            f"{text[:60]} is not a list of numbers from 1 to {most}",
            'write for example "1000, 2000"',
        )
    return tuple(sorted({int(part) for part in parts}))


def read_correlation(asked: ExperimentOptions) -> float:
    """The correlation of the normal pairs; BadInput unless it lies in [-1, 1]."""
    from ahdp_verify.paper.experiments import generated

    found = generated.CORRELATION if asked.correlation is None else asked.correlation
    if not -1 <= found <= 1:
        raise BadInput(
            "--correlation",
            f"{found} lies outside [-1, 1]",
            "a correlation is a number from -1 to 1",
        )
    return found


RUNS: dict[str, Callable[[ExperimentOptions], int]] = {
    "examples": run_examples,
    "mean": run_mean,
    "frequency": run_frequency,
    "regression": run_regression,
}
