"""Whether the fields of a record that was read have the types that their annotations state,
recursively.

A reader builds dataclasses from JSON field by field; nothing in Python prevents a string where a
list of numbers belongs. Evidence of the wrong shape is refused when it is read, even where no check
would have used it.

>>> from dataclasses import dataclass
>>> @dataclass
... class Uses:
...     uses: tuple[int, ...]
...     name: str | None
>>> has_shape(Uses((0, 1), None)), has_shape(Uses((0, True), None)), has_shape(Uses("01", None))
(True, False, False)
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

KINDS = 256  # dataclasses whose annotations are cached; the package has far fewer


def has_shape(thing: Any) -> bool:
    """Whether every field of a dataclass has the type that its annotation states; nested ones were
    checked before.
    """
    return all(_fits(getattr(thing, name), hint) for name, hint in _hints(thing.__class__))


@lru_cache(maxsize=KINDS)
def _hints(kind: Any) -> tuple[tuple[str, Any], ...]:
    known = get_type_hints(kind)
    return tuple((f.name, known[f.name]) for f in fields(kind) if f.init)


def _fits(value: object, hint: Any) -> bool:
    origin, parts = _form(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, part) for part in parts)
    if origin is tuple:
        return _fits_tuple(value, parts)
    if hint is None or hint is NoneType:
        return value is None
    return type(value) is hint if isinstance(hint, type) else is_dataclass(value)


@lru_cache(maxsize=KINDS)
def _form(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    return get_origin(hint), get_args(hint)


def _fits_tuple(value: object, parts: tuple[Any, ...]) -> bool:
    if type(value) is not tuple:
        return False
    if len(parts) == 2 and parts[1] is Ellipsis:
        return all(_fits(v, parts[0]) for v in value)
    return len(value) == len(parts) and all(map(_fits, value, parts))
