"""Every stored mechanism file: each claim gets the answer that the file expects, and what is decided can be stored and checked again.

The expectations come from the paper's referee notes and from public issue trackers (the files say which case they are); they were written
down, and checked by an independent floating evaluation, before the procedures existed.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ahdp_verify.certificate import Certificate
from ahdp_verify.checker import check, replay
from ahdp_verify.errors import BadInput
from ahdp_verify.files import load
from ahdp_verify.limits import Limits
from ahdp_verify.privacy import Claim
from ahdp_verify.search import verify
from ahdp_verify.verdict import Proved, Refuted, stored

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted((ROOT / "proofs").glob("*/*.toml"))


def answer(claim: Claim) -> str:
    """The verdict in one word; a decided one must survive its own JSON."""
    try:
        verdict = verify(claim, Limits(seconds=240))
    except BadInput:
        return "refused"
    if isinstance(verdict, Proved | Refuted):
        record = stored(json.loads(json.dumps(verdict.to_json())))
        again = check(record.claim, record.evidence) if isinstance(record.evidence, Certificate) else replay(record.claim, record.evidence)
        assert str(again) == str(verdict)
    return type(verdict).__name__.lower()


def test_there_are_files() -> None:
    assert {f.parent.name for f in FILES} >= {"paper", "field", "public"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_claim_gets_its_expected_answer(path: Path) -> None:
    file = load(path)
    wanted = {i: note.expect for i, note in enumerate(file.notes) if note.expect}
    assert wanted, "a stored file says what it expects"
    found = {i: answer(file.claims[i]) for i in wanted}
    assert found == wanted
