"""Decimals that are right: against digits from mpmath, and refusals."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

from ahdp_verify import BadInput, exp, log, name, sqrt
from ahdp_verify.analysis.moments import enclosure
from ahdp_verify.kernel.terms.expression import Expression, number

CONSTANTS = [
    (exp(1), mpmath.e),
    (log(2), mpmath.ln2),
    (sqrt(2) / 7, mpmath.sqrt(2) / 7),
    (exp(exp(2)), None),
    (Expression("Ei", (number(-1),)), None),
    (1 / number(3), None),
]


@pytest.mark.parametrize("digits", [1, 12, 40])
@pytest.mark.parametrize("e", [pair[0] for pair in CONSTANTS])
def test_digits(e: Expression, digits: int) -> None:
    with mpmath.workdps(80):
        true = {
            str(exp(1)): mpmath.e,
            str(log(2)): mpmath.log(2),
            str(sqrt(2) / 7): mpmath.sqrt(2) / 7,
            str(exp(exp(2))): mpmath.exp(mpmath.exp(2)),
            "Ei(-1)": mpmath.ei(-1),
        }
        expected = true.get(str(e), mpmath.mpf(1) / 3)
        found = enclosure(e, digits)
        assert abs(mpmath.mpf(found.decimal) - expected) <= mpmath.mpf(
            10
        ) ** -digits and found.high - found.low <= Fraction(1, 2 * 10**digits)
        assert str(found).endswith(f"within 1e-{digits}")


def test_agreement_with_a_printed_decimal_is_rounding() -> None:
    third = enclosure("1/3")
    assert (
        third.agrees("0.3333")
        and third.agrees("0.33")
        and not third.agrees("0.3334")
        and not third.agrees("0.3332")
    )
    assert enclosure(exp(-9)).agrees("1.2340980408667955e-4") and not enclosure(exp(-9)).agrees(
        "1.2340980408667956e-4"
    )
    assert enclosure("1/2").contains("1/2") and not third.contains("0.3333")


@pytest.mark.parametrize(
    ("e", "said"),
    [
        (name("a"), "depends on a"),
        (0.5, "float"),
        ("1/0", "1/0 has no value"),
        ("log(0)", r"log\(0\) has no value"),
        ("x +", "character"),
    ],
)
def test_what_is_not_a_constant(e: object, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        enclosure(e)


def test_bad_arguments() -> None:
    for digits in (0, 1001, "3", True):
        with pytest.raises(BadInput, match="not a number of decimal places"):
            enclosure("1", digits)  # type: ignore[arg-type]
    for text in ("abc", "", "nan", "inf"):
        with pytest.raises(BadInput, match="is not a decimal"):
            enclosure("1").agrees(text)
