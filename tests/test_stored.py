"""The records beside the mechanism files: every decided claim has one, of the very claim, and the checker accepts each; nothing else lies there.

What is missing on purpose is larger than `store.LARGE`: those claims are proved anew by tests/test_proofs.py.
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

# Proofs of more than 100 kB, found by `make certificates`; the suite proves these claims anew.
LARGE = {
    "field/m31-three-1", "paper/claim-2-witness-k1-t8-eps-2", "paper/claim-2-witness-k1-t8-half", "paper/claim-2-witness-k2-t2-half",
    "paper/claim-2-witness-k2-t4-half", "paper/claim-2-witness-k2-t4-q2-2", "paper/claim-2-witness-k3-t1-eps-2", "paper/claim-2-witness-k4-t1-eps-2",
    "paper/personalised-exponential-symbolic", "paper/personalised-exponential-whole-2", "public/he-05-three-1",
}  # fmt: skip


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_decided_claim_has_a_record_that_the_checker_accepts(path: Path) -> None:
    file = load(path)
    for claim, note, place in zip(file.claims, file.notes, store.places(path, len(file.claims)), strict=True):
        name = f"{path.parent.name}/{place.stem}"
        if note.expect in ("refused", "unknown") or name in LARGE:
            assert not place.exists()
            continue
        assert json.loads(place.read_text())["fingerprint"] == claim.fingerprint
        verdict = recheck(place)
        if isinstance(file, MechanismFile) and note.expect:
            assert verdict.word.lower().startswith(note.expect)


def test_there_are_no_records_of_other_claims() -> None:
    assert store.orphans(FILES) == []
