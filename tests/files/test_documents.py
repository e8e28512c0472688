"""The records in documents: found in one line, in several, and in a document laid out by hand;
nothing that is not exact gets through."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ahdp_verify import BadInput, recheck, verify
from ahdp_verify.catalogue import CATALOGUE
from ahdp_verify.files.documents import only_record, records_in

RECORD = {"format": 3, "claim": ["1/2"]}


def document(record: Any = RECORD) -> dict[str, Any]:
    return {"file": "a.toml", "claim": "", "seconds": 0.25, "record": record}


def written(folder: Path, text: str) -> Path:
    path = folder / "found.json"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_record_a_document_and_several(tmp_path: Path) -> None:
    for text in (json.dumps(RECORD), json.dumps(document()), json.dumps(document(), indent=2)):
        assert only_record(path := written(tmp_path, text)) == (RECORD, str(path))
    path = written(tmp_path, f"{json.dumps(document())}\r\n\n{json.dumps(document(None))}\n")
    assert records_in(path) == ((RECORD, f"{path}, line 1"), (None, f"{path}, line 3"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (json.dumps(document({"format": 3, "level": 0.5})), "a number in its record is not exact"),
        (json.dumps(document({"level": float("nan")})), "a number in its record is not exact"),
        (
            json.dumps(document()).replace('"format": 3', '"format": 3, "format": 3'),
            "line 1: it is not",
        ),
        (f"{json.dumps(document())}\n{{", "line 2: it is not a complete document"),
        (
            f"{json.dumps(document())}\n{json.dumps(RECORD)}",
            "line 2: it is not a complete document",
        ),
        ('{"file": "a.toml"}', "line 1: it is not a complete document"),
        ("", "not a complete JSON document"),
    ],
)
def test_what_is_not_exact_or_no_document_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        recheck(written(tmp_path, text))


def test_a_changed_record_in_a_document_is_refused(tmp_path: Path) -> None:
    entry = CATALOGUE[0]
    verdict = verify(entry.claims[0].claim)
    record = verdict.to_json()
    assert str(recheck(written(tmp_path, json.dumps(document(record))))) == str(verdict)
    record["claim"]["mechanism"]["name"] = "another"
    with pytest.raises(BadInput, match="it was changed after it was saved"):
        recheck(written(tmp_path, json.dumps(document(record))))
