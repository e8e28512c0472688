"""The canonical text of JSON data and its SHA-256, by which certificates identify a claim.

A sealed record carries the SHA-256 of everything else in it.  A seal detects damage (a truncated
file, a changed number), not forgery: a record with a new seal still has to pass the checker.

>>> canonical_text(seal({"b": [1, None], "a": "1/2"}))
'{"a":"1/2","b":[1,null],"sha256":"efce74322928a30e43ac12bccb403cbb96edd5c87a949d4c046935b554039bf9"}'
>>> is_sealed(seal({"a": "1/2"})), is_sealed(seal({"a": "1/2"}) | {"a": "1/3"})
(True, False)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from ahdp_verify.kernel.errors import BadInput

SEAL = "sha256"


def canonical_text(data: object) -> str:
    """The canonical text of JSON data: keys sorted, no spaces, ASCII only."""
    try:
        return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except RecursionError:
        raise BadInput("JSON", "it is nested too deep", "write it flatter") from None


def digest(data: object) -> str:
    """The SHA-256 of the canonical text, in hexadecimal."""
    return hashlib.sha256(canonical_text(data).encode()).hexdigest()


def seal(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with its seal."""
    return {**record, SEAL: digest(dict(record))}


def is_sealed(record: Mapping[str, Any]) -> bool:
    """Whether the seal is that of everything else in the record."""
    return record.get(SEAL) == digest({key: value for key, value in record.items() if key != SEAL})
