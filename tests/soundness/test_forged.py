"""Forged records that one of the two checkers once accepted: both refuse them, and for each kind
there is a reason why it is false.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from recheck import records

from ahdp_verify.files import records as storage
from ahdp_verify.kernel.errors import AhdpError

sys.path.append(str(Path(__file__).resolve().parents[2] / "checks"))

import hand
import reach

CHECKS = Path(hand.__file__).parent
Record = dict[str, Any]


@pytest.mark.parametrize(
    "forged",
    [
        # weights 3/2 and -1/2 of a finite output beside a real one: no law, yet its total is 1
        reach.negative_laws,
        reach.negative_deltas,  # no difference of two probabilities is below 0 at every event
        # a record of demand oo becomes one that counts, which the formula in its place never shows
        reach.pulled_back,
        reach.twice_a_label,  # what twice a label is, nobody knows
        hand.levels_of_one_way,  # of order 1 + 1/100, the divergence is still more than rho
        hand.of_no_length,  # at h = 0, the law is 0 everywhere
        hand.of_strips,  # the plane in cells 1/1000 wide has a total of 1.16
        hand.without_value,  # at the record 2, an expression is divided by 0, or has no branch
        hand.negative_factors,  # (1/3, 2/3) twice against (2/5, 3/5) twice differs by 25/36 at (0, 0)
        hand.coupled_outputs,  # 12/35 (1, 1/2, 1, 5/12) against 1/4 stays below a factor of 2
        hand.poles,  # -atan(1/(x - y)) is about -pi/2 where x is just above y
    ],
)
def test_both_checkers_refuse(forged: Callable[[], Iterator[Record]], tmp_path: Path) -> None:
    place = tmp_path / "r.json"
    listed = list(forged())
    assert listed
    for record in listed:
        place.write_text(json.dumps(record))
        with pytest.raises(AhdpError):
            storage.recheck(place)
        assert records.check_file(place, 60).verdict in ("rejected", "not covered"), record["claim"]


def test_a_normalised_law_without_outputs_is_bad_input(tmp_path: Path) -> None:
    place = tmp_path / "r.json"
    for record in reach.kinds():
        if record["claim"]["mechanism"].get("rule") == "normalised":
            place.write_text(json.dumps(record))
            with pytest.raises(AhdpError):
                storage.recheck(place)


@pytest.mark.parametrize("program", ["divergences", "hand", "noise", "reach"])
def test_the_forged_records_can_be_made_anew(program: str) -> None:
    line = [sys.executable, str(CHECKS / f"{program}.py")]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(json.loads(text) for text in done.stdout.splitlines()[:100])
