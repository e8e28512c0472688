"""Claims that are shared among processes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ahdp_verify.cli.verify_shared import claim_of_data
from ahdp_verify.kernel.record import OTHER_CLAIMS

ROOT = Path(__file__).resolve().parents[2]

RECORDS = {
    key: next(
        (p for p in sorted(ROOT.glob("proofs/*/certificates/*.json")) if key in told(p)), None
    )
    for told in [lambda p: json.loads(p.read_text())["claim"]]
    for key in ("sensitivity", "applied", "program", "notion")
}


@pytest.mark.parametrize("key", RECORDS)
def test_every_kind_of_claim_reaches_a_process(key: str) -> None:
    """The JSON of stored claims; a kind that is not read ends the process."""
    path = RECORDS[key]
    assert isinstance(path, Path)
    data = json.loads(path.read_text())["claim"]
    assert isinstance(claim_of_data(data), OTHER_CLAIMS[key])
