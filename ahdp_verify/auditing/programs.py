"""Draws from a running program: a command, a Python function, or files that it wrote.

A command runs once for each input, without a shell.  Its last two arguments are the input, as it
was written after --at, and the number of draws; where {at} or {size} stand in the command they are
put there instead.  On its standard input it finds one line of JSON, {"input": ..., "size": ...},
with the input as in `plain_inputs` ("oo" for an infinite demand).  It prints one draw per line; of
several outputs, the values separated by commas, in the order of the outputs, or below a line with
their names.

>>> read_draw_table("s,r\\n1.5,yes\\n-2,no\\n", ("r", "s"), "a.csv")
{'r': ['yes', 'no'], 's': [1.5, -2.0]}
>>> run_command("echo 3 4", "7", 7, 2, 10.0)
'3 4 7 2\\n'
"""

from __future__ import annotations

import csv
import importlib
import inspect
import io
import json
import math
import runpy
import shlex
import subprocess
import sys
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.printing import named_path, one_line

MOST_BYTES = 500_000_000  # of one file of draws
SHOWN = 300  # characters of what a failing program wrote


def run_command(command: str, text: str, plain: Any, size: int, seconds: float) -> str:
    """What a command prints for an input; BadInput where it cannot be started, fails or takes too
    long.

    text, plain  the input as it was written, and as plain Python
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadInput("--run", f"it is not a command ({error})", "close the quotes") from None
    if not words:
        raise BadInput("--run", "it is empty", 'give a command, such as "python my.py"')
    filled = [w.replace("{at}", text).replace("{size}", str(size)) for w in words]
    filled += [] if filled != words else [text, str(size)]
    line = json.dumps({"input": json_value(plain), "size": size}) + "\n"
    shown = one_line(command, 60)
    try:
        done = subprocess.run(
            filled, input=line, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        raise BadInput(
            f"--run {shown}",
            f"it did not end within {seconds:g} s at {text}",
            "give --timeout a larger value, or ask for fewer draws",
        ) from None
    except OSError as error:
        raise BadInput(
            f"--run {shown}",
            f"it cannot be started ({error.strerror})",
            "give the path of a program; a shell is used only if you name one",
        ) from None
    except UnicodeDecodeError:
        raise BadInput(f"--run {shown}", "its output is not UTF-8 text", "print numbers") from None
    if done.returncode:
        said = one_line(" ".join(done.stderr.split()) or "nothing on stderr", SHOWN)
        raise BadInput(
            f"--run {shown}",
            f"at {text} it ended with exit code {done.returncode}: {said}",
            "fix it",
        )
    return done.stdout


def json_value(plain: Any) -> Any:
    """An input as JSON: an infinite number as "oo"."""
    if isinstance(plain, list | tuple):
        return [json_value(v) for v in plain]
    if isinstance(plain, dict):
        return {k: json_value(v) for k, v in plain.items()}
    return "oo" if plain == math.inf else plain


def read_draw_table(
    text: str, names: Sequence[str], where: str, labels: Container[str] = ()
) -> dict[str, list[Any]]:
    """The columns of a table of draws, one for each output; BadInput for a line of another width,
    with its number.

    A first line with the names of the outputs is optional, and gives their order.  What can be read
    as a number is one, unless it is one of the `labels` that the outputs have.
    """
    rows = [(i, row) for i, row in enumerate(csv.reader(io.StringIO(text)), 1) if row]
    order = list(names)
    if rows and sorted(cell.strip() for cell in rows[0][1]) == sorted(names):
        order = [cell.strip() for cell in rows.pop(0)[1]]
    columns: dict[str, list[Any]] = {key: [] for key in names}
    for number, row in rows:
        if len(row) != len(order):
            raise BadInput(
                f"{where}, line {number}",
                f"it has {len(row)} values, and a draw has {len(order)}",
                f"write {','.join(names)} on each line",
            )
        for key, cell in zip(order, row, strict=True):
            columns[key].append(draw_value(cell.strip(), labels))
    return columns


def draw_value(text: str, labels: Container[str]) -> float | str:
    """A drawn value: a number where it can be read as one and is no label, else the text."""
    try:
        return text if text in labels else float(text)
    except ValueError:
        return text


def read_draw_file(
    path: str, names: Sequence[str], labels: Container[str] = ()
) -> dict[str, list[Any]]:
    """The columns of a CSV file of draws."""
    where = named_path(path)
    try:
        if Path(path).stat().st_size > MOST_BYTES:
            raise BadInput(where, f"it has more than {MOST_BYTES:,} bytes", "give fewer draws")
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput(
            where, f"it cannot be read ({error.strerror})", "give a file of draws"
        ) from None
    except UnicodeDecodeError:
        raise BadInput(where, "it is not UTF-8 text", "write the draws as CSV") from None
    return read_draw_table(text, names, where, labels)


def load_function(target: str) -> Callable[..., Any]:
    """The function of "module:function" or "file.py:function", which is imported, so run."""
    module, _, key = target.rpartition(":")
    if not module or not key:
        raise BadInput(
            "--python", f"{one_line(target, 60)} names no function", "write module:function"
        )
    try:
        with redirect_stdout(sys.stderr):  # what it prints is not part of the answer
            if module.endswith(".py"):
                found = runpy.run_path(module).get(key)
            else:
                sys.path.insert(0, "")  # as `python -m` does: a module of the current folder
                found = getattr(importlib.import_module(module), key, None)
    except Exception as error:
        said = one_line(" ".join(str(error).split()), SHOWN)
        raise BadInput(
            f"--python {one_line(target, 60)}",
            f"loading it failed with {type(error).__name__}: {said}",
            "fix the module",
        ) from None
    if not callable(found):
        raise BadInput(
            f"--python {one_line(target, 60)}",
            f"{one_line(module, 40)} defines no function {one_line(key, 40)}",
            "write module:function",
        )
    function: Callable[..., Any] = found
    return function


def draws_of_function(function: Callable[..., Any], names: Sequence[str]) -> Callable[..., Any]:
    """A function (input, size) of the draws of a user's function.

    One with a parameter `size`, or with two that have no default, is called once, as
    function(input, size), and returns all draws; any other is called `size` times with the input
    alone, and each time returns one draw.  A draw is a value, or, of several outputs, a tuple in
    their order or a dict; all draws together are a sequence of these, or a dict of columns.
    """

    return lambda value, size: as_columns(drawn(function, value, size), names)


def outputs_of_function(function: Callable[..., Any]) -> Callable[..., list[Any]]:
    """The same for a function that is audited as a noise program: what it returns is one output, a
    value or a list of values, or a list of all outputs.
    """
    return lambda value, size: list(drawn(function, value, size))


def drawn(function: Callable[..., Any], value: Any, size: int) -> Any:
    """What a user's function returns for all draws; BadInput, with its error, if it fails."""
    try:
        with redirect_stdout(sys.stderr):
            match size_parameter(function):
                case "":
                    return [function(value) for _ in range(size)]
                case "size":
                    return function(value, size=size)
                case _:
                    return function(value, size)
    except Exception as error:
        said = one_line(" ".join(str(error).split()), SHOWN)
        raise BadInput(
            "--python", f"the function failed with {type(error).__name__}: {said}", "fix it"
        ) from None


def size_parameter(function: Callable[..., Any]) -> str:
    """The name of the parameter that takes the number of draws, "" where there is none.

    >>> size_parameter(lambda value, count: 0), size_parameter(lambda value, scale=1: 0)
    ('count', '')
    """
    try:
        listed = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return ""
    wanted = [
        p.name
        for p in listed.values()
        if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty
    ]
    return "size" if "size" in listed else wanted[1] if len(wanted) > 1 else ""


def as_columns(made: Any, names: Sequence[str]) -> dict[str, Any]:
    """Draws as columns; BadInput for draws that are not values of the outputs."""
    if isinstance(made, Mapping):
        return dict(made)
    if isinstance(made, str) or not isinstance(made, Iterable):
        raise BadInput(
            "--python",
            f"the function returned a {type(made).__name__} for all draws",
            "return a list with one draw after the other, or leave the parameter size out",
        )
    listed = list(made)
    if len(names) == 1 and not any(isinstance(row, Mapping) for row in listed):
        return {names[0]: listed}
    if all(isinstance(row, Mapping) and set(row) >= set(names) for row in listed):
        return {key: [row[key] for row in listed] for key in names}
    if all(isinstance(row, list | tuple) and len(row) == len(names) for row in listed):
        return {key: [row[i] for row in listed] for i, key in enumerate(names)}
    raise BadInput(
        "--python",
        f"a draw is not a tuple of {len(names)} values",
        f"return ({', '.join(names)}) for each draw",
    )
