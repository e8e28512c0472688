"""Numbers are read exactly or refused; expected values are computed with integers, by hand or by
trial division.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.exact import BITS, guard_size, prime_factors, rational

fractions = st.fractions(max_denominator=10**12)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (3, Fraction(3)),
        (-7, Fraction(-7)),
        (Fraction(2, 6), Fraction(1, 3)),
        ("3", Fraction(3)),
        ("+3", Fraction(3)),
        ("-2/6", Fraction(-1, 3)),
        ("0.25", Fraction(1, 4)),
        (".5", Fraction(1, 2)),
        ("5.", Fraction(5)),
        ("1.5/3", Fraction(1, 2)),
        ("  7/2 ", Fraction(7, 2)),
        ("0.1", Fraction(1, 10)),
        ("007", Fraction(7)),
        ("-0", Fraction(0)),
    ],
)
def test_what_reads_as_a_number(written: object, value: Fraction) -> None:
    assert rational(written) == value
    assert type(rational(written)) is Fraction


@pytest.mark.parametrize(
    "written",
    [
        "",
        " ",
        ".",
        "-",
        "1e5",
        "0x10",
        "1_000",
        "1/2/3",
        "1 /2",
        "--1",
        "oo",
        "pi",
        "nan",
        "inf",
        "1/-2",
        "1,5",
        "1" * 1301,
        "1/" + "1" * 1301,
        True,
        None,
        b"1",
        [1],
        1j,
    ],
)
def test_what_does_not(written: object) -> None:
    with pytest.raises(BadInput):
        rational(written)


def test_a_refusal_names_the_input() -> None:
    with pytest.raises(BadInput, match=r"^scale: 'one' is not a number; write"):
        rational("one", "scale")


def test_division_by_zero_is_bad_input() -> None:
    with pytest.raises(BadInput, match="divides by 0"):
        rational("1/0")


@pytest.mark.parametrize(
    ("value", "quoted", "parts"),
    [
        (0.1, '"0.1"', "Fraction(1, 10)"),
        (-2.5, '"-2.5"', "Fraction(-5, 2)"),
        (1e-5, '"1/100000"', "Fraction(1, 100000)"),
        (3.0, '"3.0"', "Fraction(3)"),
    ],
)
def test_a_float_is_refused_with_the_two_ways_to_write_it(
    value: float, quoted: str, parts: str
) -> None:
    with pytest.raises(BadInput, match="is a float, which is not exact") as caught:
        rational(value)
    assert quoted in caught.value.cure and parts in caught.value.cure


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan")])
def test_an_infinite_float_is_refused_with_oo(value: float) -> None:
    with pytest.raises(BadInput, match="write oo for infinity"):
        rational(value)


@given(fractions)
def test_the_text_of_a_fraction_reads_back(value: Fraction) -> None:
    assert rational(str(value)) == value


@given(st.integers(-(10**9), 10**9), st.text("0123456789", min_size=1, max_size=20))
def test_a_decimal_is_its_digits_over_a_power_of_ten(whole: int, digits: str) -> None:
    tail = Fraction(int(digits), 10 ** len(digits))
    assert rational(f"{whole}.{digits}") == (whole - tail if whole < 0 else whole + tail)


@given(st.floats())
def test_no_float_is_a_number(value: float) -> None:
    with pytest.raises(BadInput):
        rational(value)


@given(st.text(max_size=12))
def test_any_text_is_a_number_or_bad_input(text: str) -> None:
    try:
        assert isinstance(rational(text), Fraction)
    except BadInput:
        assert not re.fullmatch(r"-?\d+", text, re.ASCII)


@pytest.mark.parametrize(
    "largest", [Fraction(2**BITS - 1), Fraction(-(2**BITS) + 1), Fraction(1, 2**BITS - 1)]
)
def test_a_number_of_the_largest_size_passes(largest: Fraction) -> None:
    assert guard_size(largest) is largest


@pytest.mark.parametrize("larger", [Fraction(2**BITS), Fraction(-(2**BITS)), Fraction(1, 2**BITS)])
def test_a_larger_number_is_refused(larger: Fraction) -> None:
    with pytest.raises(BadInput, match=f"^power: a number of more than {BITS} bits"):
        guard_size(larger, "power")


@pytest.mark.parametrize(
    ("value", "powers"),
    [
        (Fraction(1), ()),
        (Fraction(12, 5), ((2, 2), (3, 1), (5, -1))),
        (Fraction(1, 1024), ((2, -10),)),
        (Fraction(97), ((97, 1),)),
        (Fraction(2**31 - 1), ((2**31 - 1, 1),)),
        (Fraction(9, 49), ((3, 2), (7, -2))),
    ],
)
def test_primes_of_a_fraction(value: Fraction, powers: tuple[tuple[int, int], ...]) -> None:
    assert prime_factors(value) == powers


@given(st.builds(Fraction, st.integers(1, 10**6), st.integers(1, 10**6)))
def test_the_product_of_the_powers_is_the_number(value: Fraction) -> None:
    powers = prime_factors(value)
    assert powers is not None
    assert prod((Fraction(p) ** e for p, e in powers), start=Fraction(1)) == value
    assert all(e and all(p % d for d in range(2, int(p**0.5) + 1)) for p, e in powers)
    assert [p for p, _ in powers] == sorted({p for p, _ in powers})


@pytest.mark.parametrize(
    "value", [Fraction(65537**2), Fraction(1, 65537 * 65539), Fraction(6 * 65537**3)]
)
def test_two_large_primes_are_not_told_apart(value: Fraction) -> None:
    assert prime_factors(value) is None
