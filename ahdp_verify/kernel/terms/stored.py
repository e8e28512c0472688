"""The exact JSON of dataclasses, field by field, read back as the types that their fields are
declared with.

    an expression    {"e": tree}                     only the tree, where `tagged` is false
    a rational       {"q": "p/r"}
    a tuple          [parts ...]
    a dataclass      {fields}, and {"is": its name, fields} for one of a closed set of kinds
    a claim          what its own `to_json` returns
    all else         itself: a text, an integer, a truth value, null

Nothing in Python prevents a text where a list of numbers belongs.  So evidence is refused when it
is read unless every part has its declared type, also where no check would have used it: a truth
value is no integer, a missing or an additional field is refused, and so is a float.

>>> from dataclasses import dataclass
>>> @dataclass
... class Uses:
...     uses: tuple[int, ...]
...     of: Expression | None
>>> to_stored(Uses((0, 1), expression.name("s")))
{'uses': [0, 1], 'of': {'e': ['name', 's']}}
>>> from_stored(Uses, {"uses": [0, 1], "of": None})
Uses(uses=(0, 1), of=None)
>>> from_stored(Uses, {"uses": [0, True], "of": None})
Traceback (most recent call last):
    ...
ahdp_verify.kernel.errors.BadInput: certificate: a part of it does not have the expected content; use a file that ahdp-verify saved
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Never, Union, cast, get_args, get_origin, get_type_hints

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms import expression
from ahdp_verify.kernel.terms.exact import rational
from ahdp_verify.kernel.terms.expression import Expression

DEPTH = 400  # guards Python's recursion limit
CACHED = 512  # types whose parts are kept; the package has fewer
CURE = "use a file that ahdp-verify saved"
NAMES: dict[Any, str] = {}  # of the kinds, by their class


def name_kinds(kinds: Mapping[str, type]) -> None:
    """These classes have these names in JSON."""
    NAMES.update({kind: text for text, kind in kinds.items()})
    _keys.cache_clear()


def to_stored(thing: Any, tagged: bool = True) -> Any:
    """The exact JSON of a thing."""
    kind: Any = type(thing)
    if kind is tuple:
        return [to_stored(part, tagged) for part in thing]
    form, parts = _form(kind)
    if form in ("e", "q"):
        text = expression.to_json(thing) if form == "e" else str(thing)
        return {form: text} if tagged else text
    if form != "fields":
        return thing.to_json() if form == "own" else thing
    shown = {key: to_stored(getattr(thing, key), tagged) for key in parts}
    return {"is": NAMES[kind], **shown} if kind in NAMES else shown


def from_stored(kind: Any, data: Any, where: str = "certificate", *, tagged: bool = True) -> Any:
    """The thing of this type whose JSON it is; BadInput naming `where` for anything else."""
    return _read(kind, data, where, tagged, 0)


def _read(kind: Any, data: Any, where: str, tagged: bool, depth: int) -> Any:
    if depth > DEPTH:
        raise BadInput(where, "it is nested too deep", CURE)
    form, parts = _form(kind)
    if form == "union":
        kind = next((part for part in parts if _may_be(part, data, tagged)), Never)
        form, parts = _form(kind)
    if form == "plain" and type(data) is parts:
        return data
    if form == "plain" or not _may_be(kind, data, tagged):
        raise BadInput(where, "a part of it does not have the expected content", CURE)
    depth += 1
    if form == "tuple":
        each = parts[:1] * len(data) if parts[1:] == (...,) else parts
        return tuple(
            [_read(part, d, where, tagged, depth) for part, d in zip(each, data, strict=True)]
        )
    if form == "fields":
        return kind(**{k: _read(part, data[k], where, tagged, depth) for k, part in parts.items()})
    if form == "e":
        return expression.from_json(data["e"] if tagged else data)
    return rational(data["q"], where) if form == "q" else kind.from_json(data)


def _may_be(kind: Any, data: Any, tagged: bool) -> bool:
    """Whether JSON data is of a type, as far as its outermost part tells."""
    form, parts = _form(kind)
    if form == "tuple":
        return type(data) is list and (parts[1:] == (...,) or len(parts) == len(data))
    if form == "own" or (form == "e" and not tagged):
        return data is not None
    if form == "plain" or type(data) is not dict:
        return type(data) is parts
    if form in ("e", "q"):
        return len(data) == 1 and form in data and (form == "e" or type(data["q"]) is str)
    return data.get("is") == NAMES.get(kind) and data.keys() == _keys(kind)


@lru_cache(maxsize=CACHED)
def _keys(kind: Any) -> frozenset[str]:
    """The keys of the JSON of a dataclass."""
    return frozenset((*field_types(kind), *(("is",) if kind in NAMES else ())))


@lru_cache(maxsize=CACHED)
def _form(kind: Any) -> tuple[str, Any]:
    """How things of a type are written, and its parts: those of a union or tuple, the types of its
    fields, or the type itself.
    """
    if get_origin(kind) in (Union, UnionType, tuple):
        return "tuple" if get_origin(kind) is tuple else "union", get_args(kind)
    if kind in (Expression, Fraction):
        return "e" if kind is Expression else "q", kind
    if hasattr(kind, "to_json") or not is_dataclass(kind):
        return "own" if hasattr(kind, "to_json") else "plain", kind or NoneType
    return "fields", field_types(cast(Any, kind))


@lru_cache(maxsize=CACHED)
def field_types(kind: Any) -> dict[str, Any]:
    """The types of the fields of a dataclass, in order."""
    known = get_type_hints(kind)
    return {f.name: known[f.name] for f in fields(kind) if f.init and f.compare}
