"""The canonical text of JSON data and its SHA-256, by which certificates identify a claim.

>>> canonical_text({"b": [1, None], "a": "1/2"})
'{"a":"1/2","b":[1,null]}'
"""

from __future__ import annotations

import hashlib
import json

from ahdp_verify.kernel.errors import BadInput


def canonical_text(data: object) -> str:
    """The canonical text of JSON data: keys sorted, no spaces, ASCII only."""
    try:
        return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except RecursionError:
        raise BadInput("JSON", "it is nested too deep", "write it flatter") from None


def digest(data: object) -> str:
    """The SHA-256 of the canonical text, in hexadecimal."""
    return hashlib.sha256(canonical_text(data).encode()).hexdigest()
