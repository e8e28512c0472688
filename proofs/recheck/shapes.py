"""Section 1: the shapes of what records contain, read from JSON."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from recheck.limits import need
from recheck.trees import Tree, read

Record = dict[str, Tree]
Named = list[tuple[str, Tree]]


def digest(data: Any) -> str:
    """The SHA-256 of the canonical text."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def fields(data: Any, wanted: str, what: str) -> list[Any]:
    """The values of an object that has exactly these fields."""
    need(isinstance(data, dict) and set(data) == set(wanted.split()), f"{what} has other fields")
    return [data[k] for k in wanted.split()]


def text(data: Any) -> str:
    need(isinstance(data, str), "expected a string")
    return str(data)


def listed(data: Any, length: int | None = None) -> list[Any]:
    good = isinstance(data, list) and length in (None, len(data))
    need(good, "not a list of the expected length")
    return list(data)


def read_named(data: Any) -> Named:
    """The names of a list of pairs with their trees."""
    return [(text(n), read(e)) for n, e in (listed(pair, 2) for pair in listed(data))]


def read_value(data: Any, base: str) -> Record:
    """The parts of a value, by name."""
    if isinstance(data, list) and data[:1] == ["vector"]:
        need(len(data) > 1, "a value has no parts")
        return {f"{base}[{i}]": read(part) for i, part in enumerate(data[1:], 1)}
    return {base: read(data)}
