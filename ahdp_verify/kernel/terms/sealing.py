"""Sealed records: each carries the SHA-256 of everything else in it.

A seal detects damage (a truncated file, a changed number), not forgery: a record with a new seal
still has to pass the checker.

>>> seal({"b": [1, None], "a": "1/2"})["sha256"][:16]
'efce74322928a30e'
>>> is_sealed(seal({"a": "1/2"})), is_sealed(seal({"a": "1/2"}) | {"a": "1/3"})
(True, False)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ahdp_verify.kernel.terms.fingerprint import digest

SEAL = "sha256"


def seal(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with its seal."""
    return {**record, SEAL: digest(dict(record))}


def is_sealed(record: Mapping[str, Any]) -> bool:
    """Whether the seal is that of everything else in the record."""
    return record.get(SEAL) == digest({key: value for key, value in record.items() if key != SEAL})
