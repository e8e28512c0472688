"""What `ahdp-verify experiment` does: its lines on stdout, the tables and pictures in its folder, and its exit code."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from ahdp_verify import jsonfile, plots
from ahdp_verify.console import INTERRUPTED, PROVED, complain, counted, say
from ahdp_verify.errors import BadInput
from ahdp_verify.experiments import examples, figures

DRAWS = 10_000_000
MOST = 1_000_000_000  # trials or draws


@dataclass(frozen=True, slots=True)
class Asked:
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


USED = {"examples": ()}  # the options beside trials, seed and out


def run(asked: Asked) -> int:
    """The exit code: 0 if all is done, 130 if the experiment was interrupted; what was finished is written."""
    plots.library("experiment")
    for option in ("data", "sizes", "thresholds", "correlation", "training"):
        if getattr(asked, option) not in ("", None) and option not in USED[asked.name]:
            raise BadInput(f"--{option}", f"{asked.name} has no use for it", "leave it out")
    if asked.trials is not None and asked.trials > MOST:
        raise BadInput("--trials", f"{asked.trials} are too many", f"ask for at most {MOST}")
    return RUNS[asked.name](asked, folder(asked.out))


def folder(path: str) -> Path:
    """The folder, which exists; BadInput where it cannot."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise BadInput("--out", f"{path} cannot be made ({error})", "name another folder") from None
    return Path(path)


def run_examples(asked: Asked, place: Path) -> int:
    """The exit code of ex:sum and ex:mean."""
    number = asked.trials or DRAWS
    chunks = 2 * -(-number // examples.CHUNK)
    with counted(chunks, f"times {min(number, examples.CHUNK):,} draws of ex:mean") as step:
        found = examples.examples(number, asked.seed, step)
    for line in examples.summary(found):
        say(line)
    tables = {"examples.csv": examples.moments_csv(found, asked.seed), "emp-dist.csv": examples.histogram_csv(found, asked.seed)}
    written(tables, figures.draw_examples(found, place), place)
    return ended(sum(example.drawn.number for example in found), len(examples.CASES) * number, "draws")


def written(tables: dict[str, str], pictures: Iterable[Path], place: Path) -> None:
    """The tables are in the folder, and all files are named."""
    for name, text in tables.items():
        jsonfile.write_text(text, place / name)
    say("written: " + ", ".join(str(path) for path in (*(place / name for name in tables), *pictures)))


def ended(done: int, asked: int, what: str) -> int:
    """The exit code after so many of the trials that were asked for."""
    if done == asked:
        return PROVED
    complain(f"interrupted after {done:,} of {asked:,} {what}; what is written is about these")
    return INTERRUPTED


RUNS: dict[str, Callable[[Asked, Path], int]] = {"examples": run_examples}
