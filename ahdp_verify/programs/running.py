"""Running the function of a noise program, with numbers or along one path.

Whatever the function raises becomes one sentence that names the program and the line.  What a run
has refused stays refused, even if the function catches the error.

>>> def noisy(queries):
...     yield queries[0] / 0
>>> list(outputs_of(Function(noisy, "noisy"), ([3],), {}))
Traceback (most recent call last):
ahdp_verify.kernel.errors.BadInput: noisy: running it failed with ZeroDivisionError: division by zero; fix the function
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any

from ahdp_verify.kernel.errors import AhdpError, BadInput


@dataclass(frozen=True, slots=True)
class Function:
    """A Python function, and how messages call it."""

    call: Callable[..., Any]
    name: str


class Cut(BaseException):
    """Ends a run where it waits for the next query; no program may catch it."""


def outputs_of(
    function: Function, arguments: tuple[Any, ...], named: Mapping[str, Any]
) -> Generator[Any, None, bool]:
    """What the function yields or, if it returns no generator, the value that it returns; then
    whether it was yielded.  Raises BadInput for whatever the function raises.
    """
    try:
        result = function.call(*arguments, **named)
        if not inspect.isgenerator(result):
            yield result
            return False
        while True:
            try:
                value = next(result)
            except StopIteration as end:
                if end.value is not None:
                    raise BadInput(
                        function.name,
                        "it yields outputs and returns one too",
                        "yield the last output",
                    ) from None
                return True
            yield value
    except (AhdpError, GeneratorExit):
        raise
    except RecursionError:
        raise BadInput(function.name, "it calls itself too often", "use a loop") from None
    except Exception as error:
        raise _failure(function, error) from error


def result_of(function: Function, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    """The list of what the function yields, or the value that it returns."""
    running, listed = outputs_of(function, arguments, named), []
    while True:
        try:
            listed.append(next(running))
        except StopIteration as end:
            return listed if end.value else listed[0]


def _failure(function: Function, error: Exception) -> BadInput:
    """What the function raised, in one sentence."""
    code = getattr(function.call, "__code__", None)
    path = code.co_filename if code else ""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == path and not path.startswith("<")
    ]
    where = f"{function.name}, line {lines[-1]}" if lines else function.name
    said = " ".join(f"{type(error).__name__}: {error}".split())
    return BadInput(where, f"running it failed with {said[:200]}", "fix the function")
