"""Evidence with names exchanged: taken where the inputs are treated alike, refused elsewhere."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from ahdp_verify.kernel.evidence.certificate import Evidence
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Queries
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite
from ahdp_verify.kernel.model.privacy import dp
from ahdp_verify.kernel.rules.obligations import Task, tasks
from ahdp_verify.kernel.terms.expression import eq, exp, name, piecewise
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.proving.claim import ProofMemory, task_evidence
from ahdp_verify.search.proving.exchanging import evidence_by_exchange, exchange
from ahdp_verify.search.verify import verify


def choice(factor: Fraction) -> Claim:
    """The exponential mechanism on two queries, the second of which counts `factor` times."""
    one, two, i = exp(name("q[1]") / 2), exp(name("q[2]") * factor / 2), finite("i", [1, 2])
    law = piecewise((one, eq(i, 1)), (two, True)) / (one + two)
    return dp(Mechanism(Queries(2), outputs=[i], density=law), 1, neighbours="all")


def evidence(claim: Claim) -> tuple[list[Task], Evidence]:
    """The tasks of a claim, and the evidence for the first."""
    listed = list(tasks(claim, False))
    found = task_evidence(claim, listed[0], Limits().clock(), ProofMemory())
    assert found is not None
    return listed, found


def test_what_shows_one_output_shows_the_other_with_its_names_exchanged() -> None:
    listed, found = evidence(choice(Fraction(1)))
    other = evidence_by_exchange(found, listed[1], 1, 2)
    assert other is not None and other != found
    assert evidence_by_exchange(other, listed[0], 1, 2) == found  # twice is nothing


def test_queries_that_are_treated_differently_are_not_exchanged() -> None:
    """exp(q[2]/4) in place of exp(q[2]/2): the products no longer add up to the requirement."""
    claim = choice(Fraction(1, 2))
    listed, found = evidence(claim)
    assert evidence_by_exchange(found, listed[1], 1, 2) is None
    assert verify(claim).outcome == "proved"


def test_neither_is_a_smaller_level_shown() -> None:
    listed, found = evidence(choice(Fraction(1)))
    low = replace(listed[1].obligation, level=listed[1].obligation.level * Fraction(9, 10))
    assert evidence_by_exchange(found, replace(listed[1], obligation=low), 1, 2) is None


@pytest.mark.parametrize(
    ("occurring", "wanted"),
    [
        (("q[1]", "q[2]", "e"), {"q[1]": "q[2]", "q[2]": "q[1]"}),
        (("q[1]", "e"), {}),
        (("q[1]", "q[2]", "@d1"), {}),
        (("q[12]", "q[3]", "e"), {}),
    ],
)
def test_every_name_has_its_counterpart(occurring: tuple[str, ...], wanted: dict[str, str]) -> None:
    assert {n: e.args[0] for n, e in exchange(occurring, 1, 2).items()} == wanted
