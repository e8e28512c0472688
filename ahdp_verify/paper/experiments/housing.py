"""California housing from the user's file: eight covariates and a target, rescaled linearly to [-1,
1], rows to train on and rows to test on.

The rescaling takes the least and greatest value of each column of the whole file; as in the paper,
these bounds count as public.
"""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ahdp_verify import BadInput
from ahdp_verify.files import display_name, file_content, named_path
from ahdp_verify.sampling import Array

COLUMNS = (
    "longitude",
    "latitude",
    "housing_median_age",
    "total_rooms",
    "total_bedrooms",
    "population",
    "households",
    "median_income",
    "median_house_value",
)
HEADER = ",".join(COLUMNS)
LARGEST = 64_000_000  # bytes of the file; the usual one has 1.4 million
# the usual split of the file with 20,000 rows: the first 17,000 train, the last 3,000 test
TRAINING = 17_000
CURE = f"give a comma-separated file whose first line is {HEADER}"


@dataclass(frozen=True, slots=True)
class Housing:
    """Covariates x, rows by 8, and targets y in [-1, 1], for training and for testing; one unit
    of y is that many US dollars.
    """

    train_x: Array
    train_y: Array
    test_x: Array
    test_y: Array
    dollars: float


def housing_setting(data: Housing) -> dict[str, Any]:
    """The data as JSON can hold them."""
    return {field.name: np.asarray(getattr(data, field.name)).tolist() for field in fields(Housing)}


def read_housing_setting(setting: Any) -> Housing:
    """The data of a setting."""
    arrays = {name: np.array(value, dtype=float) for name, value in setting.items()}
    return Housing(**(arrays | {"dollars": setting["dollars"]}))


def load_housing(path: str, training: int = TRAINING) -> Housing:
    """The data of a file, whose first rows are for training and the others for testing; BadInput
    for a file of any other form."""
    rows = read_housing(path)
    if len(rows) <= training:
        cure = f"use --training with a number below {len(rows)}" if len(rows) > 1 else CURE
        raise BadInput(
            named_path(path), f"it has {len(rows):,} rows, and {training:,} are to train on", cure
        )
    low, high = rows.min(axis=0), rows.max(axis=0)
    for name, bottom, top in zip(COLUMNS, low, high, strict=True):
        if not 0 < top - bottom < math.inf:
            raise BadInput(
                named_path(path),
                f"the column {name} has only one value"
                if top == bottom
                else f"the column {name} is too wide for floats",
                CURE,
            )
    scaled = np.clip(2 * (rows - low) / (high - low) - 1, -1, 1)
    x, y = scaled[:, :-1], scaled[:, -1]
    return Housing(
        x[:training], y[:training], x[training:], y[training:], float(high[-1] - low[-1]) / 2
    )


def read_housing(path: str) -> Array:
    """The numbers of the file, rows by columns in the order of `COLUMNS`."""
    try:
        lines = csv.reader(
            io.StringIO(file_content(path, LARGEST, CURE).decode("utf-8-sig"), newline="")
        )
        header = [name.strip() for name in next(lines, [])]
        if sorted(header) != sorted(COLUMNS):
            raise BadInput(
                named_path(path),
                f"its first line is {display_name(','.join(header)) or 'empty'}",
                CURE,
            )
        found = [_numbers(path, lines.line_num, row) for row in lines if row]
    except (UnicodeDecodeError, csv.Error, ValueError) as error:
        raise BadInput(
            named_path(path), f"it cannot be read: it is not comma-separated text ({error})", CURE
        ) from None
    if not found:
        raise BadInput(named_path(path), "it has a first line and no rows", CURE)
    return np.array(found)[:, [header.index(name) for name in COLUMNS]]


def _numbers(path: str, line: int, row: list[str]) -> list[float]:
    """The numbers of one line; BadInput naming the line where one is missing, not a number or not
    finite.
    """
    if len(row) != len(COLUMNS):
        raise BadInput(
            named_path(path), f"line {line} has {len(row)} values in place of {len(COLUMNS)}", CURE
        )
    for text in row:
        try:
            good = math.isfinite(float(text))
        except ValueError:
            good = False
        if not good:
            raise BadInput(
                named_path(path),
                f"line {line} has {text[:30] or 'nothing'!r} where a finite number belongs",
                "leave such rows out",
            )
    return [float(text) for text in row]
