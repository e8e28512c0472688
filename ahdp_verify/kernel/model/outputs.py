"""The words for outputs: `real`, `integer` and `finite`.

>>> print(real("s"), [str(part) for part in finite("r", ["yes", "no"], 2)])
s ['r[1]', 'r[2]']
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import overload

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.declarations import MANY
from ahdp_verify.kernel.model.mechanism import Output


@overload
def real(text: str, size: None = None) -> Output: ...
@overload
def real(text: str, size: int) -> tuple[Output, ...]: ...
def real(text: str, size: int | None = None) -> Output | tuple[Output, ...]:
    """A real output, or the outputs text[1], ..., text[size]."""
    return _outputs(text, size, "real", ())


@overload
def integer(text: str, size: None = None) -> Output: ...
@overload
def integer(text: str, size: int) -> tuple[Output, ...]: ...
def integer(text: str, size: int | None = None) -> Output | tuple[Output, ...]:
    """An output that is any integer, negative ones included, or the outputs text[1], ...,
    text[size].
    """
    return _outputs(text, size, "integer", ())


@overload
def finite(text: str, values: Iterable[object], size: None = None) -> Output: ...
@overload
def finite(text: str, values: Iterable[object], size: int) -> tuple[Output, ...]: ...
def finite(
    text: str, values: Iterable[object], size: int | None = None
) -> Output | tuple[Output, ...]:
    """An output that is one of finitely many numbers or labels, or the outputs text[1], ...,
    text[size].
    """
    return _outputs(text, size, "finite", tuple(values))


def _outputs(
    text: str, size: int | None, kind: str, values: tuple[object, ...]
) -> Output | tuple[Output, ...]:
    if size is None:
        return Output(text, kind, values)
    if not isinstance(size, int) or isinstance(size, bool) or not 1 <= size < MANY:
        raise BadInput(
            f"output {text}", f"{str(size)[:60]} is not a number of parts", f"use 1 to {MANY - 1}"
        )
    return tuple(Output(f"{text}[{i}]", kind, values) for i in range(1, size + 1))
