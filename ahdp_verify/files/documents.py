"""The records in a file: the one that `verify --save` wrote, or those in the documents, one per
line, that `verify --json` printed.

A document says more than its record (a text, the processor time), which is of no use to the checker
and is not looked at.

>>> import tempfile
>>> path = Path(tempfile.mkdtemp(), "answers.jsonl")
>>> documents = [{"file": "a.toml", "seconds": 0.25, "record": {"format": 3}}] * 2
>>> _ = path.write_text("".join(json.dumps(document) + "\\n" for document in documents))
>>> [record for record, _ in records_in(path)]
[{'format': 3}, {'format': 3}]
"""

from __future__ import annotations

import json
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import Any

import ahdp_verify.canonical_json as jsonfile
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.printing import named_path

DOCUMENT_KEYS = {"file", "record"}  # by which a document is told from a record
START, LONGEST = '"file"', 20  # its first key, and how far from the start of a file it may be


def only_record(path: str | Path) -> tuple[Any, str]:
    """The record in a file, and the file's name for messages; BadInput if it holds several."""
    found = records_in(path)
    if len(found) > 1:
        raise BadInput(
            named_path(path),
            f"it contains {len(found)} documents, and one is needed",
            "copy the line of one of them to a file of its own",
        )
    return found[0]


def records_in(path: str | Path) -> tuple[tuple[Any, str], ...]:
    """The records in a file, each with its place for messages; None for a document without one.

    Raises BadInput naming the path for anything that is neither a JSON document, exact, nor a
    document or lines of documents that `verify --json` printed.
    """
    shown = named_path(path)
    content = jsonfile.file_bytes(path, jsonfile.LARGEST, "save it again")
    documents = _documents(content, shown)
    if not documents:
        return ((jsonfile.exact_json(content, shown), shown),)
    places = [f"{shown}, line {i}" if len(documents) > 1 else shown for i, _ in documents]
    for (_, document), place in zip(documents, places, strict=True):
        check_exact(document["record"], place)
    return tuple((d["record"], place) for (_, d), place in zip(documents, places, strict=True))


def _documents(content: bytes, shown: str) -> list[tuple[int, dict[str, Any]]]:
    """The documents in a file with their lines; none if it begins as no document does."""
    if START.encode() not in content[: 4 * LONGEST]:  # characters have at most four bytes
        return []
    text = content.decode("utf-8", "replace")
    if START not in text[:LONGEST]:
        return []
    with suppress(ValueError, RecursionError):
        return [(1, _document(text))]
    found = []
    for i, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                found.append((i, _document(line)))
            except (ValueError, RecursionError):
                raise BadInput(
                    f"{shown}, line {i}",
                    "it is not a complete document of verify --json",
                    "verify the claim again",
                ) from None
    return found


def _document(text: str) -> dict[str, Any]:
    """The document in a text; ValueError for anything else."""
    found = json.loads(text, parse_float=Decimal, object_pairs_hook=_distinct)
    if not isinstance(found, dict) or not set(found) >= DOCUMENT_KEYS:
        raise ValueError("it is not a document")
    return found


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        raise ValueError("a key is repeated")
    return table


def check_exact(record: Any, place: str) -> None:
    """BadInput if a number in a record is not exact."""
    try:
        jsonfile.canonical_text(record)
    except (TypeError, ValueError):  # a Decimal, or no number
        raise BadInput(place, "a number in its record is not exact", "verify it again") from None
