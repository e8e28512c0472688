"""The results of an experiment, and its table: comma-separated values below comment lines on how
they were obtained.

>>> print(csv_table(("n", "error"), [(10, 0.25)], ("seed 1",)), end="")
# seed 1
n,error
10,0.25
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ahdp_verify.sampling import Array


@dataclass(frozen=True, slots=True)
class MethodCurve:
    """One method at all sizes.

    method   its name
    values   measure -> one number for each size
    limit    what the first measure tends to as records become many, None where nothing is known
    kind     "method" for the paper's five, "baseline" for what is not private, "variant" for
             others, which are in the table only
    """

    method: str
    values: Mapping[str, Array]
    limit: float | None = None
    kind: str = "method"

    @property
    def main(self) -> Array:
        """The first measure."""
        return next(iter(self.values.values()))


@dataclass(frozen=True, slots=True)
class Curves:
    """All methods of an experiment.

    label      the paper's label of the figure, without "fig:"; files are named after it
    title      what is drawn, in a few words
    axes       (label of the sizes, label of the first measure), with units
    caption    what the figure shows, and how that differs from the paper
    notes      how the numbers came about: seed, trials, mechanisms
    found      what the paper says beside what was found
    reference  a level to compare with, and its name
    variants   the caption of the picture of the variants
    """

    label: str
    title: str
    axes: tuple[str, str]
    sizes: tuple[int, ...]
    lines: tuple[MethodCurve, ...]
    caption: str
    notes: tuple[str, ...]
    found: tuple[str, ...]
    trials: tuple[int, int]
    reference: tuple[float, str] | None = None
    variants: str = ""

    def with_found(self, found: tuple[str, ...]) -> Curves:
        """The same with the comparison."""
        return replace(self, found=found)

    @property
    def ranking(self) -> tuple[MethodCurve, ...]:
        """The paper's methods, the smallest error at the largest size first."""
        return tuple(
            sorted(
                (line for line in self.lines if line.kind != "variant"),
                key=lambda line: float(line.main[-1]),
            )
        )

    @property
    def csv(self) -> str:
        """One row for each size and method."""
        measures = list(self.lines[0].values)
        rows = [
            (
                size,
                line.method,
                *(line.values[m][i] for m in measures),
                "" if line.limit is None else line.limit,
            )
            for line in self.lines
            for i, size in enumerate(self.sizes)
        ]
        return csv_table(
            ("size", "method", *measures, "limit"),
            rows,
            (f"counterpart of fig:{self.label}: {self.caption}", *self.notes, *self.found),
        )

    @property
    def summary(self) -> tuple[str, ...]:
        """The methods in order, and the paper's words beside what was found."""
        first = next(iter(self.lines[0].values))
        return (
            f"{self.title}, {self.trials[0]} trials: {first.replace('_', ' ')} at size "
            f"{self.sizes[-1]}",
            *(
                f"  {line.main[-1]:<12.6g} {line.method}"
                + ("" if line.limit is None else f" (limit {line.limit:.6g})")
                for line in self.ranking
            ),
            *self.found,
        )


def csv_table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], comments: Iterable[str]
) -> str:
    """The text of a table: comments behind #, names of columns, rows; numbers with 10 digits."""
    text = io.StringIO()
    text.writelines(f"# {' '.join(line.split())}\n" for line in comments)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([f"{v:.10g}" if isinstance(v, float) else v for v in row] for row in rows)
    return text.getvalue()


def trials_text(done: int, asked: int) -> str:
    """How many trials there were."""
    return f"{done} trials for each size" + (
        f" ({asked} were asked for; interrupted)" if done < asked else ""
    )


def nested_subsets(rng: Any, number: int, sizes: Sequence[int]) -> Array:
    """One random subset of each size, each within the next, as rows of 0.0 and 1.0."""
    rank = rng.permutation(number)
    return (rank[None, :] < np.array(sizes)[:, None]).astype(float)
