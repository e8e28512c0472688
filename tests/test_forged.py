"""Records of proofs by laws that prove nothing: sealed, with fitting fingerprints, each wrong in one way that a checker might overlook.

The stand-alone checker refuses them too: tests/test_recheck.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ahdp_verify import BadInput, Rejected, jsonfile, recheck

ROOT = Path(__file__).resolve().parent.parent
FORGED = {
    "runs-where-an-output-allows": "hangs on s, an earlier output",  # the second part is defined on datasets of at most s records, s released before
    "delta-above-one": "2 is out of range",
    "undeclared-demand": "the name zz is not known",
    "pulled-back-to-no-record": "becomes no record of the part's domain",  # of a domain without records, over which everything is private
    "pulled-back-to-a-label": "becomes no record of the part's domain",
    "pulled-back-to-oo": "becomes no record of the part's domain",
    "pulled-back-to-a-quotient": "the sign of g is not known",  # 1/g, where g may be 0
    "swap-with-negative-delta": "1 side conditions",
    "reads-a-label": 'may be the label "NULL"',  # an atom of the first part, of which the law of the second says nothing
    "parameter-called-like-an-unknown": "f already names a part of the input",  # f = 0 for the parameter would be assumed of all records
}


def test_all_are_tested() -> None:
    assert {path.stem for path in (ROOT / "tests" / "forged").glob("*.json")} == set(FORGED)


@pytest.mark.parametrize("stem", FORGED)
def test_the_checker_refuses(stem: str) -> None:
    path = ROOT / "tests" / "forged" / f"{stem}.json"
    record = jsonfile.read(path)
    assert jsonfile.is_sealed(record) and record["verdict"] == "proved"
    with pytest.raises((BadInput, Rejected)) as caught:
        recheck(path)
    assert FORGED[stem] in str(caught.value)
