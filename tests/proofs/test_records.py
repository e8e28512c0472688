"""The records beside the mechanism files: every decided claim has one, of exactly this claim, and
the checker accepts each; there are no other files.

What is missing on purpose is larger than 100 kB and listed in proofs/large.txt: those claims are
proved again by tests/proofs/test_answers.py.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
from pathlib import Path

import pytest

from ahdp_verify.files.load import load
from ahdp_verify.files.records import recheck
from ahdp_verify.kernel.verdict import Proved

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "proofs").glob("*/[!.]*.toml"))
specification = importlib.util.spec_from_file_location("store", ROOT / "tools" / "store.py")
assert specification is not None and specification.loader is not None
store = importlib.util.module_from_spec(specification)
specification.loader.exec_module(store)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_decided_claim_has_a_record_that_the_checker_accepts(path: Path) -> None:
    file = load(path)
    for claim, note, place in zip(
        file.claims, file.notes, store.places(path, len(file.claims)), strict=True
    ):
        if (
            note.expect in ("refused", "unknown")
            or str(place.relative_to(store.ROOT)) in store.LISTED
        ):
            assert not place.exists()
            continue
        assert place.stat().st_size <= store.LARGE
        verdict = recheck(place)
        assert verdict.claim.fingerprint == claim.fingerprint
        assert note.expect in ("", verdict.outcome)
        if isinstance(verdict, Proved):
            assert verdict.scope.size is None, "a record for small datasets is none for all"


def test_every_record_belongs_to_a_claim() -> None:
    """Those that are stored, and those that are too large to be stored."""
    known = store.all_places(FILES)
    assert store.orphans(known) == []
    assert {str(place.relative_to(store.ROOT)) for place in known} >= store.LISTED


def test_files_are_named_by_what_they_are_and_the_index_lists_them() -> None:
    """No two files have one name, one identifier, or only case or underscores apart."""
    names = [path.stem for path in FILES]
    assert len(set(names)) == len(names)
    assert [name for name in names if not re.fullmatch(r"[a-z0-9-]{1,60}", name)] == []
    known = [found for path in FILES if (found := store.identifier(path))]
    assert len(set(known)) == len(known) and not set(known) & set(names)
    index = (ROOT / "proofs" / "INDEX.md").read_text(encoding="utf-8")
    assert index.endswith(store.list_of(FILES))


def test_what_is_up_to_date_stays_and_what_is_not_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record that was changed is rejected although its claim is the same, so it is made anew,
    byte for byte.
    """
    monkeypatch.setattr(store, "ROOT", tmp_path)
    (tmp_path / "folder").mkdir()
    file = Path(
        shutil.copy(
            ROOT / "tests" / "testing" / "example_project" / "mechanisms" / "coin.toml",
            tmp_path / "folder",
        )
    )
    assert len(store.store(file)) == 2
    first, second = store.places(file, 2)
    kept = [place.read_bytes() for place in (first, second)]
    assert store.store(file) == []
    first.write_bytes(kept[0].replace(b'"inputs":"values"', b'"inputs":"datasets"'))
    second.unlink()
    assert [line.partition(":")[0] for line in store.store(file)] == [
        "folder/certificates/coin-1.json",
        "folder/certificates/coin-2.json",
    ]
    assert [place.read_bytes() for place in (first, second)] == kept
    (tmp_path / "gone" / "certificates").mkdir(parents=True)
    shutil.copy(first, tmp_path / "gone" / "certificates")
    assert store.orphans(store.all_places([file])) == [
        tmp_path / "gone" / "certificates" / first.name
    ]
