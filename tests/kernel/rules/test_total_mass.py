"""A total that was shown for a mechanism is not shown again for its other claims, and the verdicts
are the same.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import Certificate, Mass, TotalLeaf
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.record import read_record
from ahdp_verify.kernel.rules.total_mass import check_mass, rules_of_mass

STORED = Path(__file__).parents[3] / "proofs"


def stored(folder: str, name: str) -> tuple[Claim, Certificate]:
    """The claim and the proof of a stored record."""
    kept = read_record(
        json.loads((STORED / folder / "certificates" / f"{name}.json").read_text(encoding="utf-8"))
    )
    assert isinstance(kept.claim, Claim)
    assert isinstance(kept.evidence, Certificate)
    return kept.claim, kept.evidence


def test_the_rules_of_a_total_are_named_each_time() -> None:
    claim, proof = stored(
        "public", "staircase-count-eps-log-2-1"
    )  # infinitely many steps: repetition
    rules_of_mass.cache_clear()
    first, second = check(claim, proof), check(claim, proof)
    assert rules_of_mass.cache_info().hits == 1
    assert first.beyond == second.beyond == ("the rule of repetition",)


def test_what_was_not_shown_is_not_shown_the_second_time() -> None:
    claim, proof = stored("paper", "linear-query-three-records-1")
    check_mass(claim.mechanism, proof.mass, proof.counts)
    for mass in (Mass((), ()), Mass((TotalLeaf((), ()),), proof.mass.values)):
        for _ in range(2):
            with pytest.raises((Rejected, Undecided, Unsupported)):
                check_mass(claim.mechanism, mass, proof.counts)
