"""One proof for all records of an exponential mechanism over counts: the level is a bound of what a
record adds to a score.
"""

from __future__ import annotations

import pytest

from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.privacy import ahdp
from ahdp_verify.kernel.terms.expression import eq, name, number
from ahdp_verify.laws import exponential_mechanism, mechanism
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.proving.claim import has_normaliser
from ahdp_verify.search.verify import verify

W = Domain([(i, 1) for i in range(12)])
COUNTS = {i: W.count(eq(name("x"), i)) for i in range(12)}
CHOICE = mechanism(W, {"r": exponential_mechanism(COUNTS, 2, 1)})


def test_twelve_candidates_have_one_proof() -> None:
    found = verify(ahdp(CHOICE), Limits(seconds=30))
    assert found.outcome == "proved"
    assert "one proof for all records" in str(found)


@pytest.mark.parametrize("level", ["99/100", "1/2"])
def test_a_lower_level_has_none(level: str) -> None:
    few = Domain([(i, 1) for i in range(3)])
    counts = {i: few.count(eq(name("x"), i)) for i in range(3)}
    choice = mechanism(few, {"r": exponential_mechanism(counts, 2, 1)})
    assert verify(ahdp(choice, number(level)), Limits(seconds=20)).outcome == "refuted"


def test_only_a_sum_of_exponentials_of_the_data_is_a_normaliser() -> None:
    assert has_normaliser(CHOICE.density)
    assert not has_normaliser(1 / (1 + W.size))
