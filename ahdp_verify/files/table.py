"""The tables of a TOML file, key by key: what is missing, unknown or of the wrong type is one
sentence with the dotted name of the key.

>>> table = read_table({"name": "sum"}, "mechanism", ("name", "density"))
>>> table.text("name")
'sum'
>>> table.text("density")
Traceback (most recent call last):
ahdp_verify.kernel.errors.BadInput: mechanism.density: the key is missing; add a line density = ...
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from ahdp_verify.kernel.errors import BadInput, closest
from ahdp_verify.kernel.terms.expression import Expression, label
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.printing import display_name, quoted

FORMAT = 2
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def check_format(document: Mapping[str, Any]) -> None:
    """BadInput unless the file has the current format; for format 1 the message states what to
    change.
    """
    if "format" not in document:
        raise BadInput("format", "the key is missing", f"add a line format = {FORMAT}")
    found = document["format"]
    if type(found) is int and found == 1:
        raise BadInput(
            "format",
            "format 1 is no longer supported",
            "write format = 2, rule for law, inclusion_probability for keep, and [inequality] for "
            "[statement]",
        )
    if type(found) is not int or found != FORMAT:
        raise BadInput(
            "format",
            f"{display_name(str(found)[:40])} is not a supported format",
            f"write format = {FORMAT} as the first line",
        )


@dataclass(frozen=True, slots=True)
class FileTable:
    """A table of the file with its dotted name."""

    content: Mapping[str, Any]
    where: str

    def at(self, key: str) -> str:
        shown = key if WORD.fullmatch(key) else quoted(key)
        return f"{self.where}.{shown}" if self.where else shown

    def get(self, key: str, default: object) -> Any:
        """The value of a key, or its default; BadInput for a missing key without one."""
        if key not in self.content and default is None:
            raise BadInput(self.at(key), "the key is missing", f"add a line {key} = ...")
        return self.content.get(key, default)

    def text(self, key: str, default: str | None = None) -> str:
        return required_text(self.get(key, default), self.at(key))

    def items(self, key: str, default: tuple[()] | None = None) -> list[Any]:
        found = self.get(key, default)
        if not isinstance(found, list | tuple):
            raise BadInput(
                self.at(key),
                f"{type_text(found)} stands where a list is expected",
                f"write [[{self.at(key)}]]" if isinstance(found, dict) else f"write {key} = [...]",
            )
        return list(found)

    def table(self, key: str, keys: tuple[str, ...]) -> FileTable:
        return read_table(self.get(key, None), self.at(key), keys)

    def texts(self, key: str) -> dict[str, str]:
        """A table of texts, empty if it is missing."""
        inner = read_table(self.get(key, {}), self.at(key), None)
        return {word: inner.text(word) for word in inner.content}


def read_table(content: object, where: str, keys: tuple[str, ...] | None) -> FileTable:
    """The table with this dotted name; BadInput for a key that is not in `keys`, unless that is
    None.
    """
    if not isinstance(content, Mapping):
        raise BadInput(
            where,
            f"{type_text(content)} stands where a table is expected",
            "write it as {key = ...} or under its own heading",
        )
    table = FileTable(content, where)
    for key in content:
        if keys is not None and key not in keys:
            raise BadInput(
                table.at(key),
                "the key is not known",
                closest(key, keys, "the keys here are"),
            )
    return table


def type_text(value: object) -> str:
    if isinstance(value, bool):
        return f"the bare word {str(value).lower()}"
    if isinstance(value, int | float):
        return f"the bare number {str(value)[:40]}"
    return (
        "a text"
        if isinstance(value, str)
        else "a list"
        if isinstance(value, list)
        else "a table"
        if isinstance(value, dict)
        else "a date or time"
    )


def plain_number(value: object) -> str:
    """A bare value of a file as text, a number without an exponent, which texts do not have.

    >>> plain_number(1e-5), plain_number(0.5), plain_number(True)
    ('0.00001', '0.5', 'true')
    """
    finite = isinstance(value, float) and math.isfinite(value)
    return f"{Decimal(repr(value)):f}" if finite else str(value).lower()


def required_text(value: object, where: str) -> str:
    if not isinstance(value, str):
        cure = (
            f'write "{plain_number(value)[:40]}" with quotes'
            if isinstance(value, bool | int | float)
            else "write a text in double quotes"
        )
        raise BadInput(where, f"{type_text(value)} stands where a quoted text is expected", cure)
    return value


def whole_number(text: str, where: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,3}", text):
        raise BadInput(
            where, f"{text[:40]!r} is not a whole number from 1 to 9999", 'write for example "3"'
        )
    return int(text)


def scalar_from_text(given: object, where: str, parameters: Mapping[str, str]) -> Expression:
    """The label or the constant of a text."""
    text = required_text(given, where).strip()
    if text in parameters:
        raise BadInput(
            where,
            f"{text} is a parameter, and values are constants or labels",
            "use a universal domain for unknown values",
        )
    return label(text) if WORD.fullmatch(text) and text not in ("pi", "oo") else parse(text, where)


def value_from_entry(given: object, where: str, parameters: Mapping[str, str]) -> object:
    if isinstance(given, list):
        return tuple(
            scalar_from_text(part, f"{where}[{i}]", parameters) for i, part in enumerate(given, 1)
        )
    return scalar_from_text(given, where, parameters)
