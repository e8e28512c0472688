"""The canonical JSON of claims and of what they are about: the fields of a dataclass, by name.

What a field holds is written as `ahdp_verify.kernel.terms.stored` states, an expression as its tree
alone.  JSON is read by the types with which the fields are declared, and only if writing what was
read gives the same again.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True, slots=True)
... class Named(Canonical):
...     values: tuple[int, ...]
...     name: str
...     keys = {"values": "listed"}
>>> Named((1, 2), "both").to_json()
{'listed': [1, 2], 'name': 'both'}
>>> Named.from_json({"listed": [1, 2], "name": "both"})
Named(values=(1, 2), name='both')
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, ClassVar, Self

from ahdp_verify.kernel.model.declarations import from_canonical
from ahdp_verify.kernel.terms.fingerprint import digest
from ahdp_verify.kernel.terms.stored import field_types, from_stored, to_stored


class Canonical:
    """A dataclass with a canonical JSON.

    where      what messages call it
    keys       the keys of fields whose keys are not their names; "a.b" is the key b inside a
    readers    of fields whose declared type does not tell how they are read
    """

    __slots__ = ()
    where: ClassVar[str] = "claim"
    keys: ClassVar[Mapping[str, str]] = {}
    readers: ClassVar[Mapping[str, Callable[[Any], Any]]] = {}

    def to_json(self) -> Any:
        """The canonical JSON."""
        shown: dict[str, Any] = {}
        for field, _, outer, inner in self._places():
            place = shown.setdefault(outer, {}) if inner else shown
            place[inner or outer] = to_stored(getattr(self, field), tagged=False)
        return shown

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """The thing of its canonical JSON; BadInput for anything else."""
        return from_canonical(cls.of_json, cls.to_json, data, cls.where)

    @classmethod
    def of_json(cls, data: Any) -> Self:
        """The thing of JSON that may not be canonical."""
        return cls(**cls.fields_of_json(data))

    @classmethod
    def fields_of_json(cls, data: Any) -> dict[str, Any]:
        """The fields of JSON that may not be canonical."""
        found = {}
        for field, kind, outer, inner in cls._places():
            value = data[outer][inner] if inner else data[outer]
            if field in cls.readers:
                found[field] = cls.readers[field](value)
            else:
                found[field] = from_stored(kind, value, f"{field} of {cls.where}", tagged=False)
        return found

    @classmethod
    def _places(cls) -> Iterator[tuple[str, Any, str, str]]:
        """The fields, each with its type and the key under which it is written, inside another one
        or not.
        """
        own: Any = cls
        for field, kind in field_types(own).items():
            outer, _, inner = cls.keys.get(field, field).partition(".")
            yield field, kind, outer, inner

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the canonical JSON, in hexadecimal."""
        return _fingerprint(self)


class Listed:
    """A dataclass whose canonical JSON is the list of its fields."""

    __slots__ = ()

    def to_json(self) -> Any:
        """The canonical JSON."""
        own: Any = type(self)
        return [to_stored(getattr(self, field), tagged=False) for field in field_types(own)]

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """The thing of its canonical JSON."""
        own: Any = cls
        listed = zip(field_types(own).values(), data, strict=True)
        return cls(*(from_stored(kind, value, tagged=False) for kind, value in listed))


@lru_cache(maxsize=8)
def _fingerprint(thing: Canonical) -> str:
    return digest(thing.to_json())
