"""Canonical JSON in files: one text for one content, written whole or not at all, read only if it is exact.

A sealed record carries the SHA-256 of everything else in it.  A seal finds damage (a file cut off, a number changed on the way), no
forgery: whoever writes a new seal still has to convince the checker.  Floats, repeated keys and numbers of thousands of digits are
refused, whoever wrote them.

>>> text(seal({"b": [1, None], "a": "1/2"}))
'{"a":"1/2","b":[1,null],"sha256":"efce74322928a30e43ac12bccb403cbb96edd5c87a949d4c046935b554039bf9"}'
>>> is_sealed(seal({"a": "1/2"})), is_sealed(seal({"a": "1/2"}) | {"a": "1/3"})
(True, False)
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from ahdp_verify.errors import BadInput

LARGEST = 64_000_000  # bytes of one file; a hundred times the largest certificate seen
SEAL = "sha256"


def text(data: object) -> str:
    """The canonical text of JSON data: keys sorted, no spaces, ASCII only."""
    try:
        return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except RecursionError:
        raise BadInput("JSON", "it is nested too deep", "write it flatter") from None


def digest(data: object) -> str:
    """The SHA-256 of the canonical text, in hexadecimal."""
    return hashlib.sha256(text(data).encode()).hexdigest()


def seal(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with its seal."""
    return {**record, SEAL: digest(dict(record))}


def is_sealed(record: Mapping[str, Any]) -> bool:
    """Whether the seal is that of everything else in the record."""
    return record.get(SEAL) == digest({key: value for key, value in record.items() if key != SEAL})


def write(data: object, path: str | Path) -> None:
    """The file holds the canonical text of `data`, all of it; where that fails, whatever was there before is still there.

    Raises BadInput naming the path for a folder, a device, a folder that does not exist, and whatever the system refuses.
    """
    write_text(text(data) + "\n", path)


def write_text(content: str, path: str | Path) -> None:
    """The same for any text."""
    target = writable(path)
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_text(content, encoding="utf-8")
        beside.replace(target)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise BadInput(str(path), f"it cannot be written ({error.strerror})", "check the folder and its permissions") from None


def writable(path: str | Path) -> Path:
    """The file behind the path, links followed; BadInput unless it is, or may become, an ordinary file in a folder that exists."""
    try:
        target = Path(path).resolve()
        if target.is_dir() or (target.exists() and not target.is_file()):
            raise BadInput(str(path), "it is a folder" if target.is_dir() else "it is no ordinary file", "name a file, for example sum.json")
        if not target.parent.is_dir():
            raise BadInput(str(path), f"there is no folder {Path(path).parent}", "make it first")
    except (OSError, RuntimeError, ValueError) as error:
        raise BadInput(str(path), f"it cannot be a file ({error})", "choose another path") from None
    return target


def read(path: str | Path) -> Any:
    """The JSON data of a file; BadInput naming the path for what is no file, no text, no whole JSON document, or not exact."""
    content = _content(Path(path))
    try:
        return json.loads(content, parse_float=_inexact, parse_constant=_inexact, object_pairs_hook=_distinct)
    except RecursionError:
        raise BadInput(str(path), "it is nested too deep", "save it again") from None
    except (ValueError, BadInput) as error:
        said = error.reason if isinstance(error, BadInput) else f"it is no whole JSON document ({error})"
        raise BadInput(str(path), said, "save it again") from None


def _content(path: Path) -> str:
    try:
        if not path.is_file():
            reason = "it is a folder" if path.is_dir() else "it is no ordinary file" if path.exists() else "there is no such file"
            raise BadInput(str(path), reason, "check the path")
        if path.stat().st_size > LARGEST:
            raise BadInput(str(path), f"the file has more than {LARGEST} bytes", "save it again")
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(str(path), f"byte {error.start + 1} is not UTF-8 text", "name a file that ahdp-verify saved") from None
    except (OSError, ValueError) as error:
        raise BadInput(str(path), f"it cannot be read ({error})", "check the path and its permissions") from None


def _inexact(number: str) -> NoReturn:
    raise BadInput("JSON", f"the number {number[:40]} in it is not exact", "")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        raise BadInput("JSON", "a key is repeated in it", "")
    return table
