"""`calibrate` returns the end of a range with a proof on its side and a refutation next to it; what
cannot be calibrated is refused in one sentence.
"""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from ahdp_verify.analysis.parameters.calibrate import Calibration, calibrate
from ahdp_verify.decimals import approximate_rational
from ahdp_verify.kernel.checker import check, refute
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import Expression, name
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits

LIMITS = Limits(seconds=60)
EMPTY = Context.empty()
W = Domain([(0, 1), (1, 1), (3, 2)])


def law(text: str) -> Expression:
    return parse(text, "law")


def noisy_sum(level: str = "1/2", relation: str = "ahdp", where: str = "b > 0") -> Claim:
    """The sum of values 0, 1 (demand 1) and 3 (demand 2) with Laplace noise of scale b."""
    m = Mechanism(
        W,
        outputs=[real("s")],
        density=law("exp(-abs(s - sum(x))/b)/(2*b)"),
        parameters={"b": where},
        name="noisy sum",
    )
    return Claim(m, relation, law(level))


def response(keep: str, where: str, level: str, parameter: str) -> Claim:
    density = law(f"piecewise(({keep}, r == v), (1 - ({keep}), true))")
    return Claim(
        Mechanism(
            Values([0, 1]),
            outputs=[finite("r", [0, 1])],
            density=density,
            parameters={parameter: where},
            name="response",
        ),
        "any",
        law(level),
    )


def supported(found: Calibration) -> bool:
    """The proof starts (ends) at the value, and the refutation lies within 10^-9 of it on the
    other side.
    """
    assert found.proof is not None and found.refutation is not None and found.value is not None
    check(found.proof.claim, found.proof.certificate)
    refute(found.refutation.claim, found.refutation.counterexample)
    gap = approximate_rational(
        normal(
            found.value - dict(found.refutation.counterexample.parameters)[found.parameter], EMPTY
        )
    )
    return 0 <= (gap if found.side == "least" else -gap) <= Fraction(1, 10**9)


# By hand: the loss of a record of value x is x/b; that of randomised response is log(p/(1 - p)).
BY_HAND = [
    (noisy_sum("eps"), "b", "least", "3/2", True),  # max of 1/1 and 3/2
    (noisy_sum("1/2", "add-remove"), "b", "least", "6", True),
    (response("p", "1/2 < p < 1", "log(3)", "p"), "p", "greatest", "3/4", True),
    (response("exp(a)/(exp(a) + 1)", "a > 0", "log(5/2)", "a"), "a", "greatest", "log(5/2)", True),
    (response("exp(a)/(exp(a) + 1)", "a > 0", "a^2", "a"), "a", "least", "1", True),
]


@pytest.mark.parametrize(("claim", "parameter", "side", "value", "attained"), BY_HAND)
def test_the_value_is_that_found_by_hand(
    claim: Claim, parameter: str, side: str, value: str, attained: bool
) -> None:
    found = calibrate(claim, parameter, LIMITS)
    assert (found.side, found.exact, found.attained) == (side, True, attained) and supported(found)
    assert (
        found.value is not None
        and (normal(found.value, EMPTY) - normal(parse(value, "value"), EMPTY)).is_zero
    )
    assert isinstance(found.proof, Proved) and found.proof.trusts == ()


def test_a_value_without_a_closed_form_is_rounded_to_the_proved_side() -> None:
    """The largest root of log(1 + e) = e/2, by bisection in floats here."""
    found = calibrate(response("(1 + e)/(2 + e)", "e > 0", "e/2", "e"), "e", LIMITS)
    low, high = 2.0, 3.0
    for _ in range(60):
        m = (low + high) / 2
        low, high = (m, high) if math.log1p(m) > m / 2 else (low, m)
    assert not found.exact and supported(found) and found.value is not None
    value = found.value.args[0]
    assert Fraction(high) <= value <= Fraction(high) + Fraction(1, 10**9)
    assert "to 9 digits" in found.text


def test_an_end_that_does_not_belong_to_the_range() -> None:
    """A shift by 1 of the point where the law starts is private only where nothing is shifted:
    at a = 0, not from there on.
    """
    m = Mechanism(
        Queries(1),
        outputs=[real("s")],
        density=law("exp(-abs(s - a*q[1]))/2"),
        parameters={"a": "0 <= a <= 2"},
        name="shift",
    )
    found = calibrate(Claim(m, "one", law("0")), "a", LIMITS)
    assert (
        found.side == "greatest"
        and found.value == parse("0", "value")
        and found.attained
        and supported(found)
    )


def test_both_ends_of_a_range_can_be_asked_for() -> None:
    claim = response("p", "0 < p < 1", "log(3)", "p")
    with pytest.raises(BadInput, match="ask for the least or for the greatest value"):
        calibrate(claim, "p", LIMITS)
    ends = [calibrate(claim, "p", LIMITS, side=side) for side in ("least", "greatest")]
    assert [str(e.value) for e in ends] == ["1/4", "3/4"] and all(supported(e) for e in ends)


def test_the_line_says_it_all() -> None:
    line = calibrate(noisy_sum("eps"), "b", LIMITS).line(12)
    assert line.startswith(
        "least b = 3/2, exactly; noisy sum is AHDP at level eps, proved for b >= 3/2 and refuted "
        "for 0 < b < 3/2; scope: all datasets, 3/2 <= b; "
    )
    assert "trusts: the checker alone; refuted at b = " in line


def test_a_notebook_shows_the_line_without_live_markup() -> None:
    page = calibrate(noisy_sum("eps"), "b", LIMITS)._repr_html_()
    assert (
        "proved for b &gt;= 3/2 and refuted for 0 &lt; b &lt; 3/2<br>scope: all datasets, 3/2 "
        "&lt;= b<br>" in page
    )


@pytest.mark.parametrize(
    ("claim", "parameter", "side", "said"),
    [
        (noisy_sum(), "c", None, "c is not a parameter of noisy sum; known are b"),
        (noisy_sum(where="b == 2"), "b", None, "b is fixed by its condition"),
        (
            noisy_sum("1/2", "add-remove", "b > 6"),
            "b",
            None,
            "the claim is true for b > 6, so there is nothing to calibrate",
        ),
        (
            noisy_sum("1/2", "add-remove", "0 < b < 1"),
            "b",
            None,
            "the claim is false for every b that its condition allows",
        ),
        (noisy_sum(), "b", "lowest", "'lowest' is not known; use least or greatest"),
        (
            noisy_sum("eps"),
            "b",
            "greatest",
            "there is no greatest value: the claim is proved for b >= 3/2; ask for the least",
        ),
    ],
)
def test_bad_input_is_one_sentence(claim: Claim, parameter: str, side: str, said: str) -> None:
    with pytest.raises(BadInput) as refusal:
        calibrate(claim, parameter, LIMITS, side=side)  # type: ignore[arg-type]
    assert said in str(refusal.value)


def test_several_open_parameters_are_refused() -> None:
    m = Mechanism(
        W,
        outputs=[real("s")],
        density=law("exp(-abs(s - sum(x))/b)/(2*b)"),
        parameters={"b": "b > 0", "n": "n > 0"},
        name="noisy sum",
    )
    with pytest.raises(BadInput, match="n is left open; fix it by a condition such as n == 3"):
        calibrate(Claim(m, "add-remove", name("n")), "b", LIMITS)
