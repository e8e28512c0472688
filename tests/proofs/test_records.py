"""The records beside the mechanism files: every decided claim has one, of exactly this claim, and
there are no other files. The checker accepts the records, in the suite of a few files with every
kind of evidence, in a sweep of all.

What is missing on purpose is larger than 100 kB and listed in proofs/large.txt: `make bench` proves
those claims again.
"""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ahdp_verify.files.load import load
from ahdp_verify.files.records import recheck
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.verdict import Proved
from tests.stored import kinds_of_file
from tests.sweeps import covering

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "proofs").glob("*/[!.]*.toml"))
specification = importlib.util.spec_from_file_location("store", ROOT / "tools" / "store.py")
assert specification is not None and specification.loader is not None
store = importlib.util.module_from_spec(specification)
specification.loader.exec_module(store)


def decided(path: Path) -> Iterator[tuple[Claim, str, Path]]:
    """The claims of a file that have a record, the verdicts that they expect, "" for any, and the
    places of the records.
    """
    file = load(path)
    places = store.places(path, len(file.claims))
    for claim, note, place in zip(file.claims, file.notes, places, strict=True):
        if (
            note.expect in ("refused", "unknown")
            or str(place.relative_to(store.ROOT)) in store.LISTED
        ):
            assert not place.exists()
        else:
            yield claim, note.expect, place


def test_every_decided_claim_has_a_record_and_every_record_a_claim() -> None:
    known = set()
    for path in FILES:
        for claim, expected, place in decided(path):
            record = json.loads(place.read_text(encoding="utf-8"))
            assert place.stat().st_size <= store.LARGE
            assert record["fingerprint"] == claim.fingerprint
            assert {"vacuous": "proved"}.get(expected, expected) in ("", record["verdict"])
            known.add(place)
    assert store.orphans(known) == []


def test_what_is_too_large_to_be_stored_belongs_to_a_claim() -> None:
    listed = [store.ROOT / place for place in store.LISTED]
    files = [f for f in FILES if any(place.stem.startswith(f.stem) for place in listed)]
    assert store.all_places(files) >= {*listed}


@pytest.mark.parametrize(
    "path",
    covering(FILES, kinds_of_file, 24),
    ids=lambda path: f"{path.parent.name}/{path.stem}",
)
def test_the_checker_accepts_the_records(path: Path) -> None:
    """So does proofs/recheck (tests/recheck/test_recheck.py)."""
    for claim, expected, place in decided(path):
        verdict = recheck(place)
        assert verdict.claim.fingerprint == claim.fingerprint
        assert expected in ("", verdict.outcome)
        if isinstance(verdict, Proved):
            assert verdict.scope.size is None, "a record for small datasets is none for all"


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
