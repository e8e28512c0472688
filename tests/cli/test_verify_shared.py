"""Claims that are shared among processes."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import pytest

from ahdp_verify.cli.verify_shared import claim_of_data
from ahdp_verify.kernel.record import OTHER_CLAIMS

PROOFS = Path(__file__).resolve().parents[2] / "proofs"
IN_FILES = OTHER_CLAIMS.keys() - {"best", "guess"}  # optima are computed, and stand in no file


@functools.cache
def stored_claims() -> dict[str, Any]:
    """The JSON of a stored claim of each kind that has a key of its own."""
    listed = (json.loads(p.read_text())["claim"] for p in PROOFS.glob("*/certificates/*.json"))
    return {key: claim for claim in listed for key in OTHER_CLAIMS.keys() & claim.keys()}


@pytest.mark.parametrize("key", sorted(IN_FILES))
def test_every_kind_of_claim_reaches_a_process(key: str) -> None:
    """A kind that is not read there ends the process, again and again."""
    read = claim_of_data(stored_claims()[key])
    assert isinstance(read, OTHER_CLAIMS[key])
    assert read.to_json() == stored_claims()[key]
