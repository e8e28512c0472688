"""Methods that a later module gives to a class of an earlier one: the class names them, the package
says where they are.

The earlier module loads nothing for it and believes nothing of it.  `ahdp_verify` gives what it has
when it is imported.

>>> given("no such method")
Traceback (most recent call last):
ahdp_verify.kernel.errors.BadInput: no such method: the package that has it is not loaded; import ahdp_verify
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ahdp_verify.kernel.errors import BadInput

_METHODS: dict[str, Callable[..., Any]] = {}


def give(key: str, method: Callable[..., Any]) -> None:
    """From now on `given(key)` is this method."""
    _METHODS[key] = method


def given(key: str) -> Callable[..., Any]:
    """The method of that name; BadInput where none was given."""
    if key not in _METHODS:
        raise BadInput(key, "the package that has it is not loaded", "import ahdp_verify")
    return _METHODS[key]
