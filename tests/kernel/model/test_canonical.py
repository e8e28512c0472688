"""What is read is what was written: claims of every kind, most from stored records, with each part
left out, added, replaced or written in another way.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from ahdp_verify.analysis.power.claims import best_claim
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.composite import claim_from_json
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite
from ahdp_verify.kernel.record import OTHER_CLAIMS
from ahdp_verify.kernel.rules.power import GuessClaim
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms.grammar import parse
from tests.kernel.rules.test_applied import MEAN
from tests.stored import RECORDS

FLIPPED = Values(["a", "b"])
FLIP = Mechanism(
    FLIPPED,
    outputs=[finite("r", ["a", "b"])],
    density=parse("piecewise((3/4, r == v), (1/4, true))"),
)
LISTED = Domain([("a", ex.log(2)), ("b", "1/3")])
NOT_STORED: dict[str, Any] = {
    "applied": MEAN,
    "best": best_claim(LISTED, [(0, 0), (1, 0)], ["0", "1"], [[(0, 0, "1/2")], [(1, 1, 1)]], "2/3"),
    "guess": GuessClaim(
        FLIP, (), ((ex.label("a"),), (ex.label("b"),)), ("a", "b"), ex.number(0), ex.ONE
    ),
}
KINDS = (*OTHER_CLAIMS, "rule", "assumed", "density", "records", "unknowns", "queries", "reals")


def smallest_claim(key: str) -> Any:
    """The smallest stored claim in which something has this key."""
    if key in NOT_STORED:
        return NOT_STORED[key].to_json()
    wanted = f'"{key}":'
    listed = sorted(RECORDS, key=lambda p: (p.stat().st_size, p.name))
    claims = (json.loads(p.read_text())["claim"] for p in listed if wanted in p.read_text())
    return next(claim for claim in claims if wanted in json.dumps(claim, separators=(",", ":")))


def read(data: Any) -> Any:
    kind = next((k for key, k in OTHER_CLAIMS.items() if key in data), None)
    return claim_from_json(data) if kind is None else kind.from_json(data)


def tables(data: Any) -> Iterator[dict[str, Any]]:
    """All tables in JSON."""
    if isinstance(data, dict):
        yield data
    for part in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from tables(part)


@pytest.mark.parametrize("key", KINDS)
def test_a_claim_is_read_and_written_again(key: str) -> None:
    data = smallest_claim(key)
    claim = read(data)
    assert claim.to_json() == data
    assert read(json.loads(json.dumps(data))) == claim


@pytest.mark.parametrize("key", KINDS)
def test_a_claim_with_a_part_missing_added_or_of_another_type_is_refused(key: str) -> None:
    data = smallest_claim(key)
    for table in tables(data):
        for name in list(table):
            kept = table.pop(name)
            for wrong in (None, 1.5, {"e": "1"}, [[["x"]]], 7, True):
                if wrong == kept and type(wrong) is type(kept):
                    continue
                if name == "queries" or (name in ("everywhere", "whole") and wrong is True):
                    continue  # another claim
                table[name] = wrong
                refused(data)
                del table[name]
            refused(data)
            table[name] = kept
        table["more"] = None
        refused(data)
        del table["more"]
    assert read(data).to_json() == data


@pytest.mark.parametrize("key", KINDS)
def test_a_number_that_is_written_in_another_way_is_refused(key: str) -> None:
    text = json.dumps(smallest_claim(key))
    changed = text.replace('"1"', '"2/2"')
    if changed != text:
        refused(json.loads(changed))


def refused(data: Any) -> None:
    with pytest.raises(BadInput):
        read(data)
