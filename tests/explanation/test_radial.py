"""Noise of a distance: its proofs and refutations are told, and bounds are said to be bounds.

The probabilities of boxes are integrated here by mpmath.
"""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

from ahdp_verify import Mechanism, Refuted, dp, exp, explain, name, pi, real, sqrt, verify
from ahdp_verify.analysis.answer_data import verdict_data
from ahdp_verify.display.verdict_html import verdict_html
from ahdp_verify.kernel.model.real_values import RealValues
from ahdp_verify.reporting import report


def planar() -> Mechanism:
    gaps = [(name(f"s[{i}]") - name(f"v[{i}]")) ** 2 for i in (1, 2)]
    return Mechanism(
        RealValues({"v[2]": "0 <= v and v <= 1"}),
        outputs=[real("s[1]"), real("s[2]")],
        density=exp(-sqrt(gaps[0] + gaps[1])) / (2 * pi),
        name="planar",
    )


@pytest.fixture(scope="module")
def refuted() -> Refuted:
    found = verify(dp(planar(), "7/5", "any"))
    assert isinstance(found, Refuted)
    return found


def share(refuted: Refuted, centre: int) -> mpmath.mpf:
    """The probability of the box of the event, by numerical integration."""
    ends = [[Fraction(str(e)) for e in both] for _, *both in refuted.counterexample.event.intervals]
    sides = [[mpmath.mpf(e.numerator) / e.denominator for e in both] for both in ends]
    return mpmath.quad(
        lambda s, t: mpmath.exp(-mpmath.hypot(s - centre, t - centre)) / (2 * mpmath.pi), *sides
    )


def test_a_proof_and_a_refutation_are_told(refuted: Refuted) -> None:
    gaps = [(name(f"v[{i}]") - name(f"other[{i}]")) ** 2 for i in (1, 2)]
    proof = str(explain(verify(dp(planar(), sqrt(gaps[0] + gaps[1]), "any"))))
    assert "the distance of (s[1], s[2]) from (v[1], v[2])), so its total is 1" in proof
    assert "by the triangle inequality it is enough that L >= 0" in proof
    told = str(explain(refuted))
    assert "at D the event has at least the probability" in told
    assert "at D' the event has at most the probability" in told


def test_bounds_of_probabilities_are_printed_as_bounds_and_are_some(refuted: Refuted) -> None:
    # the counterexample is (1, 1) against (0, 0)
    text, data, page = refuted.text, verdict_data(refuted)["witness"], report([refuted]).markdown
    least = mpmath.mpf(text.partition("at least ")[2].split()[0])
    most = mpmath.mpf(text.partition("at most ")[2].split(",")[0])
    assert least < share(refuted, 1) and share(refuted, 0) < most
    for key, end in (("first_probability", "at_most"), ("second_probability", "at_least")):
        assert data[key]["exact"] is None and data[key][end] is None
    assert data["loss"]["exact"] is None and data["delta"]["at_most"] is None
    assert "lower bound of the probability at the first input" in page
    assert "upper bound of the probability at the second input" in page
    assert "with these bounds" in page
    html = verdict_html(refuted)
    assert "at least " in html and "at most " in html
