"""The records beside the mechanism files: every decided claim has one, of the very claim, and the checker accepts each; nothing else lies there.

What is missing on purpose is larger than 100 kB and listed in proofs/large.txt: those claims are proved anew by tests/test_proofs.py.
"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from ahdp_verify.files import load
from ahdp_verify.storage import recheck
from ahdp_verify.tables import MechanismFile

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted((ROOT / "proofs").glob("*/*.toml"))
specification = importlib.util.spec_from_file_location("store", ROOT / "proofs" / "store.py")
assert specification is not None and specification.loader is not None
store = importlib.util.module_from_spec(specification)
specification.loader.exec_module(store)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_decided_claim_has_a_record_that_the_checker_accepts(path: Path) -> None:
    file = load(path)
    for claim, note, place in zip(file.claims, file.notes, store.places(path, len(file.claims)), strict=True):
        if note.expect in ("refused", "unknown") or str(place.relative_to(store.ROOT)) in store.LISTED:
            assert not place.exists()
            continue
        assert json.loads(place.read_text())["fingerprint"] == claim.fingerprint
        verdict = recheck(place)
        if isinstance(file, MechanismFile) and note.expect:
            assert verdict.word.lower().startswith(note.expect)


def test_there_are_no_records_of_other_claims() -> None:
    assert store.orphans(FILES) == []
