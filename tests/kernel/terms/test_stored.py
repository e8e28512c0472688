"""Evidence of another shape is refused where it is read: each change below left a record
acceptable to the first reader.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ahdp_verify.canonical_json as jsonfile
from ahdp_verify import BadInput, recheck

RECORDS = Path(__file__).resolve().parents[3] / "proofs"


def first_with(*wanted: str) -> Any:
    """The smallest stored record whose text holds all of these."""
    listed = sorted(RECORDS.glob("*/certificates/*.json"), key=lambda p: (p.stat().st_size, p.name))
    texts = (p.read_text() for p in listed)
    return json.loads(next(t for t in texts if all(w in t for w in wanted)))


def below(data: Any) -> Any:
    """All tables below a node, itself included."""
    if isinstance(data, dict):
        yield data
    for child in (
        data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    ):
        yield from below(child)


@pytest.mark.parametrize(
    ("kind", "field", "wrong"),
    [
        ("lemma", "proofs", 1),
        ("case split", "cases", [[{"q": "1"}]]),
        ("case split", "cases", "one"),
        ("certificate", "evidence", "200810ec"),
        ("certificate", "uses", [True]),
        ("pieces", "points", [["a"]]),
        ("products", "terms", [[{"q": "1"}, ["0"]]]),
        ("mass", "values", [{"q": "1"}]),
        ("exp sign", "low", "0"),
    ],
)
def test_evidence_of_another_shape_is_refused(
    kind: str, field: str, wrong: Any, tmp_path: Path
) -> None:
    record = first_with(f'"is":"{kind}"', '"verdict":"proved"')
    next(t for t in below(record["certificate"]) if t.get("is") == kind)[field] = wrong
    refused(record, tmp_path)


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("points", [{"e": "4"}, []]),
        ("points", [[["s", ["0"]]], []]),
        ("first", [True]),
        ("parameters", [["a", "b"]]),
    ],
)
def test_counterexamples_of_another_shape_are_refused(
    field: str, wrong: Any, tmp_path: Path
) -> None:
    record = first_with('"verdict":"refuted"', '"points"')
    record["counterexample"][field] = wrong
    refused(record, tmp_path)


def refused(record: Any, folder: Path) -> None:
    place = folder / "record.json"
    place.write_text(json.dumps(jsonfile.seal({k: v for k, v in record.items() if k != "sha256"})))
    with pytest.raises(BadInput, match="does not have the expected content"):
        recheck(place)
