"""Mechanisms on many single values: the verdict on all pairs at once, against a table of
Fractions.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from ahdp_verify.kernel.errors import LawFault
from ahdp_verify.kernel.evidence.certificate import Certificate, Enumeration
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms.expression import Abs, eq, log, name, number, piecewise
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.verify import verify

TOP = 12


def clamped(q: Fraction, level: object, *, ends: int = 1) -> Claim:
    """Geometric noise on a value of 0, ..., TOP, clamped to these; `ends` times too much there."""
    s, v = finite("s", range(TOP + 1)), name("v")
    weight = piecewise((ends, eq(s, 0) | eq(s, TOP)), (1 - q, True))
    law = number(q) ** Abs(s - v) * weight / (1 + q)
    return Claim(Mechanism(Values(range(TOP + 1)), outputs=[s], density=law), "any", level)


def table(q: Fraction) -> list[list[Fraction]]:
    """Its probabilities, by summing the tails of the noise."""

    def noise(d: int) -> Fraction:
        return (1 - q) / (1 + q) * q ** abs(d)

    def tail(d: int) -> Fraction:
        """Of noise of at least d >= 0."""
        return q**d / (1 + q)

    return [
        [tail(v) if s == 0 else tail(TOP - v) if s == TOP else noise(s - v) for s in range(TOP + 1)]
        for v in range(TOP + 1)
    ]


def test_a_level_that_grows_with_the_distance() -> None:
    rows = table(Fraction(1, 2))
    assert all(sum(row) == 1 for row in rows)
    assert all(
        p <= 2 ** abs(v - w) * r
        for v, w in itertools.permutations(range(TOP + 1), 2)
        for p, r in zip(rows[v], rows[w], strict=True)
    )
    found = verify(clamped(Fraction(1, 2), log(2) * Abs(name("v") - name("other"))))
    assert isinstance(found, Proved)
    assert found.scope.size is None
    assert isinstance(found.certificate, Certificate)
    assert found.certificate.evidence == (Enumeration(1),)
    assert "the exhaustive enumeration" in found.beyond


def test_a_level_that_is_a_thousandth_too_low() -> None:
    level = log(2) * Fraction(999, 1000) * Abs(name("v") - name("other"))
    found = verify(clamped(Fraction(1, 2), level))
    assert isinstance(found, Refuted)
    rows, example = table(Fraction(1, 2)), found.counterexample
    v, w = (int(str(side[0])) for side in (example.first, example.second))
    # an event at which the two values differ by the factor 2 for each unit between them
    assert any(p == 2 ** abs(v - w) * r for p, r in zip(rows[v], rows[w], strict=True))


def test_a_total_that_is_not_1_is_a_fault_of_the_mechanism() -> None:
    with pytest.raises(LawFault, match="the total is"):
        verify(clamped(Fraction(1, 2), log(2) * TOP, ends=2))
