"""Divergences over several outputs against sums over a fine grid, and what a forged divergence must
not get past the checker; deltas of each record against their definition.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ahdp_verify.analysis.divergence.delta import delta
from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.evidence.certificate import (
    AnyCertificate,
    Certificate,
    HockeyStickLeaf,
    HockeyStickPart,
    InequalityLeaf,
    Lemma,
)
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.model.privacy import ahdp
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import (
    ONE,
    ZERO,
    Abs,
    Expression,
    eq,
    exp,
    expression,
    log,
    name,
    number,
    oo,
    piecewise,
)
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify
from tests.sweeps import examples

v, s, t = name("v"), real("s"), real("t")
BITS = Values([0, 1])
TWO = Mechanism(BITS, outputs=[s, t], density=exp(-Abs(s - v) - Abs(t - v)) / 4, name="two noises")
QUICK = Limits(seconds=20)


def value(e: Expression) -> float:
    low, high = enclose(normal(e, Context.empty()))
    return float(low + high) / 2


def on_a_grid(rates: tuple[float, float], shifts: tuple[float, float], level: float) -> float:
    """The divergence of two shifted Laplace noises from two that are not, by the midpoint rule."""
    step = 1 / 64
    sides = []
    for rate, shift in zip(rates, shifts, strict=True):
        far = 25 / rate
        at = np.arange(-far, far + 2, step) + step / 2
        sides.append([rate / 2 * np.exp(-rate * np.abs(at - c)) for c in (shift, 0.0)])
    p, q = (np.outer(sides[0][i], sides[1][i]) for i in (0, 1))
    return float(np.clip(p - math.exp(level) * q, 0, None).sum() * step * step)


@settings(max_examples=examples(60, 6), deadline=None)
@given(
    st.sampled_from([(1, 1), (1, 2), (Fraction(1, 2), 1)]),
    st.sampled_from([(1, 1), (1, Fraction(1, 2)), (1, -1)]),
    st.sampled_from([0, Fraction(1, 4), Fraction(3, 4), 1]),
)
def test_the_divergence_of_two_noises_is_the_sum_over_a_grid(
    rates: tuple[Fraction, Fraction], shifts: tuple[Fraction, Fraction], level: Fraction
) -> None:
    (a, b), (c, d) = rates, shifts
    law = exp(-a * Abs(s - c * v) - b * Abs(t - d * v)) * (Fraction(a) * b / 4)
    found = delta(Mechanism(BITS, outputs=[s, t], density=law), number(level), "any", QUICK)
    wanted = on_a_grid((float(a), float(b)), (float(c), float(d)), float(level))
    assert found.exact, found.reason
    assert abs(value(found.low) - wanted) < 1e-4


def test_two_geometric_noises_add_up_over_all_pairs_of_whole_numbers() -> None:
    j, k = integer("j"), integer("k")
    law = (Abs(j - v), Abs(k - v))
    density = exp(-log(3) * law[0]) / 2 * (exp(-log(2) * law[1]) / 3)
    found = delta(Mechanism(BITS, outputs=[j, k], density=density), log(2), "any", QUICK)
    far = range(-60, 61)
    one, two = ({i: r ** abs(i) / z for i in range(-61, 62)} for r, z in ((1 / 3, 2), (1 / 2, 3)))
    wanted = math.fsum(
        max(0.0, one[i - 1] * two[m - 1] - 2 * one[i] * two[m]) for i, m in product(far, far)
    )
    assert found.exact and math.isclose(value(found.low), wanted, rel_tol=1e-9)


@pytest.mark.parametrize("order", [0, 1])
def test_a_flipped_bit_and_a_noisy_one_are_compared_in_either_order(order: int) -> None:
    bit = finite("r", [0, 1])
    density = piecewise((number(Fraction(2, 3)), eq(bit, v)), (number(Fraction(1, 3)), True))
    outputs = [bit, t] if order == 0 else [t, bit]
    M = Mechanism(BITS, outputs=outputs, density=density * exp(-Abs(t - v)) / 2)
    found = delta(M, 1, "any", QUICK)
    # sup over events: the bit says v (2/3 against 1/3) or not (1/3 against 2/3)
    at = np.arange(-40, 41, 1e-4) + 5e-5
    p, q = np.exp(-np.abs(at)) / 2, np.exp(-np.abs(at - 1)) / 2
    pairs = ((2 / 3, 1 / 3), (1 / 3, 2 / 3))
    wanted = sum(np.clip(a * p - math.e * b * q, 0, None).sum() * 1e-4 for a, b in pairs)
    assert abs(value(found.high) - wanted) < 1e-6


def proof(m: Mechanism = TWO, slack: str = "42/100") -> tuple[Claim, Certificate]:
    claim = Claim(m, "any", ONE, number(slack))
    found = verify(claim, limits=QUICK)
    assert isinstance(found, Proved) and isinstance(found.certificate, Certificate)
    return claim, found.certificate


def put(certificate: Certificate, leaf: HockeyStickLeaf) -> Certificate:
    return replace(certificate, evidence=(leaf, *certificate.evidence[1:]))


def first_leaf(certificate: AnyCertificate) -> HockeyStickLeaf:
    assert isinstance(certificate, Certificate)
    leaf = certificate.evidence[0]
    assert isinstance(leaf, HockeyStickLeaf)
    return leaf


def test_a_slice_has_neither_lemmas_nor_a_final_proof() -> None:
    claim, certificate = proof()
    leaf = first_leaf(certificate)
    inner = leaf.choices[0]
    assert isinstance(inner, HockeyStickLeaf)
    for wrong in (
        replace(inner, lemmas=(Lemma("square", (ONE,)),)),
        replace(inner, final=InequalityLeaf((), "log", ())),
        HockeyStickPart("none", InequalityLeaf()),
        HockeyStickPart("whole"),
    ):
        forged = put(certificate, replace(leaf, choices=(wrong, *leaf.choices[1:])))
        with pytest.raises(Rejected, match="pieces of the next one"):
            check(claim, forged)


def test_pieces_must_not_be_left_out_doubled_or_said_to_count_less() -> None:
    claim, certificate = proof()
    leaf = first_leaf(certificate)
    none = HockeyStickPart("none", InequalityLeaf((), "log", (None, None)))
    for i, inner in enumerate(leaf.choices):
        assert isinstance(inner, HockeyStickLeaf)
        fewer = replace(leaf, choices=leaf.choices[:i] + leaf.choices[i + 1 :])
        doubled = replace(leaf, choices=(inner, *leaf.choices))
        for wrong in (fewer, doubled):
            with pytest.raises(Rejected):
                check(claim, put(certificate, wrong))
        for j, choice in enumerate(inner.choices):
            if isinstance(choice, HockeyStickPart) and choice.counts == "excess":
                listed = (*inner.choices[:j], none, *inner.choices[j + 1 :])
                low = replace(inner, choices=listed)
                whole = (*leaf.choices[:i], low, *leaf.choices[i + 1 :])
                with pytest.raises(Rejected):
                    check(claim, put(certificate, replace(leaf, choices=whole)))


def test_points_of_a_slice_must_ascend_and_must_not_mention_its_output() -> None:
    claim, certificate = proof()
    leaf = first_leaf(certificate)
    for i, inner in enumerate(leaf.choices):
        assert isinstance(inner, HockeyStickLeaf)
        for points in (tuple(reversed(inner.points)), (*inner.points[:-1], t.symbol)):
            low = replace(inner, points=points)
            whole = (*leaf.choices[:i], low, *leaf.choices[i + 1 :])
            if points != inner.points:
                with pytest.raises(Rejected):
                    check(claim, put(certificate, replace(leaf, choices=whole)))


# deltas of each record

x, y = name("x"), real("y")
PEOPLE = Domain([(0, 1), (1, 1), (2, 3), (1, oo)])
SUM = Mechanism(PEOPLE, outputs=[y], density=exp(-Abs(y - PEOPLE.sum(x))) / 2, name="sum")
LEVEL = Fraction(1, 2)


def least(shift: int) -> float:
    """1 - exp((level - shift)/2), the divergence of Laplace noise of scale 1 moved by `shift`."""
    return max(0.0, 1 - math.exp((float(LEVEL) - shift) / 2))


@pytest.mark.parametrize("share", ["1", "1001/1000", "999/1000"])
def test_a_delta_of_each_record_is_compared_with_the_divergence_of_that_record(
    share: str,
) -> None:
    exact = piecewise((ZERO, eq(x, ZERO)), (1 - exp((number(LEVEL) - x) / 2), True))
    found = verify(ahdp(SUM, number(LEVEL), delta=number(share) * exact), limits=QUICK)
    assert found.outcome == ("refuted" if Fraction(share) < 1 else "proved")


def test_every_record_needs_its_own_delta() -> None:
    """Of the deltas 1/5, 1/4 and 1/2 for x = 1 and x = 2, those that hold are >= the least ones."""
    for at_one, at_two in product(("1/5", "1/4", "1/2", "3/5"), repeat=2):
        slack = piecewise((ZERO, eq(x, 0)), (number(at_one), eq(x, 1)), (number(at_two), True))
        found = verify(ahdp(SUM, number(LEVEL), delta=slack), limits=QUICK)
        holds = float(Fraction(at_one)) >= least(1) and float(Fraction(at_two)) >= least(2)
        assert found.outcome == ("proved" if holds else "refuted")


def test_a_delta_may_be_a_function_of_value_and_demand() -> None:
    claim = ahdp(SUM, lambda x, eps: eps, delta=lambda x, eps: x / 4)
    assert str(claim.delta) == "x/4" and claim.delta_nodes == (SUMMED,)
    assert verify(claim, limits=QUICK).outcome == "proved"  # nobody's value exceeds his demand
    for share, wanted in ((Fraction(1, 4), "proved"), (Fraction(1, 5), "refuted")):
        kept = ahdp(SUM, lambda x, eps: x / 2, delta=lambda x, eps, a=share: x * a)
        holds = all(1 - math.exp(-k / 4) <= share * k for k in (1, 2))
        assert verify(kept, limits=QUICK).outcome == wanted and holds == (wanted == "proved")


SUMMED = Expression("sum", (x / 4,))


def test_only_ahdp_has_a_delta_of_each_record() -> None:
    for relation in ("add-remove", "swap", "hdp"):
        with pytest.raises(BadInput, match="x"):
            Claim(SUM, relation, ONE, expression(x / 4))
    with pytest.raises(BadInput, match="v"):
        Claim(TWO, "any", ONE, expression(v / 4))


def test_the_stored_claim_of_a_constant_delta_is_as_before() -> None:
    claim = ahdp(SUM, 1, delta=Fraction(1, 2))
    assert claim.delta_nodes == () and claim.to_json()["delta"] == "1/2"
