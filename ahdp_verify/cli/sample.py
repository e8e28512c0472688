"""What `ahdp-verify sample` does: its table on stdout or in a file, and its exit code."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

from ahdp_verify.cli.analysis_commands import assigned, read_input
from ahdp_verify.cli.console import PROVED, emit, say
from ahdp_verify.kernel.model.composite import AnyMechanism
from ahdp_verify.kernel.terms import canonical_json as jsonfile
from ahdp_verify.kernel.terms.printing import is_seen, named_path, quoted
from ahdp_verify.sampling.floats import Columns
from ahdp_verify.sampling.sample import sampled


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of the command, as they were given."""

    dataset: str
    values: tuple[str, ...] = ()
    size: int = 10
    seed: int | None = None
    out: str = ""


def run(asked: Asked, mechanism: AnyMechanism) -> int:
    """The exit code of the draws, which are a table on stdout or in the file, all of them or
    none.
    """
    place = jsonfile.writable(asked.out) if asked.out else None
    columns = sampled(
        mechanism,
        read_input(mechanism, asked.dataset, "--dataset"),
        asked.size,
        asked.seed,
        assigned(mechanism, list(asked.values)),
    )
    if place is None:
        emit(table(columns))
    else:
        jsonfile.write_text(table(columns), place)
        say(f"written: {named_path(asked.out)} ({asked.size:,} draws)")
    return PROVED


def table(columns: Columns) -> str:
    r"""Draws as comma-separated values: the names of the outputs, then a line for each draw; a
    number can be read back without loss.

    >>> from ahdp_verify.sampling.floats import np
    >>> table({"s": np.array([0.1, "nothing"], dtype=object), "k": np.array([3, -1])})
    's,k\n0.1,3\nnothing,-1\n'
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*(map(cell, c.tolist()) for c in columns.values()), strict=True))
    return text.getvalue()


def cell(value: object) -> object:
    """A value in the table; a label that a reader would not see as it is stands in quotes, with
    escapes.
    """
    return quoted(value) if isinstance(value, str) and not all(map(is_seen, value)) else value
