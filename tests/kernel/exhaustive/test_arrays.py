"""Arrays: numbers for rows, and logarithms compared with 60 digits of mpmath."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.exhaustive.arrays import (
    LIMIT,
    TINY,
    NotLinear,
    approximate_float,
    approximate_logarithms,
    column_bound,
    distinct_rows,
    guard_overflow,
    np,
    row_codes,
)
from ahdp_verify.kernel.numbers.algebra import constant, exp_of, log_of
from tests.sweeps import examples

WHOLE = st.integers(-LIMIT + 1, LIMIT - 1) | st.integers(-5, 5)


@settings(max_examples=examples(200, 12), deadline=None)
@given(st.lists(st.tuples(WHOLE, WHOLE, st.integers(-2, 2)), min_size=1, max_size=12))
def test_rows_are_numbered_as_python_tells_them_apart(rows: list[tuple[int, int, int]]) -> None:
    columns = [np.array([row[j] for row in rows], dtype=np.int64) for j in range(3)]
    key, size = row_codes(columns)
    assert all(0 <= k < size for k in key)
    first, inverse = distinct_rows(columns)
    assert len(first) == len(set(rows)) == len({int(k) for k in key})
    assert [rows[first[i]] for i in inverse] == rows


@pytest.mark.parametrize("value", [LIMIT, LIMIT + 1, 2**70])
def test_a_bound_that_is_too_large_is_refused(value: int) -> None:
    assert guard_overflow(LIMIT - 1) == LIMIT - 1
    with pytest.raises(NotLinear):
        guard_overflow(value)


def test_a_bound_counts_the_smallest_entry_too() -> None:
    assert (
        column_bound(np.array([3, -LIMIT + 1])) == LIMIT - 1
        and column_bound(np.array([], dtype=np.int64)) == 0
    )


def within(n: int, value: float) -> bool:
    """Whether a float is as near to log n as `approximate_logarithms` says."""
    mp.dps = 60
    exact = mp.log(n)
    return bool(abs(mpf(value) - exact) <= mpf(2) ** -49 * (1 + exact))


@settings(max_examples=examples(300, 12), deadline=None)
@given(
    st.lists(
        st.integers(1, LIMIT - 1)
        | st.integers(1, 3000)
        | st.integers(0, 61).map(lambda k: 2**k)
        | st.integers(2, 61).map(lambda k: 2**k - 1),
        min_size=1,
        max_size=50,
    )
)
def test_logarithms_have_the_error_that_is_stated(listed: list[int]) -> None:
    assert all(
        within(n, float(x))
        for n, x in zip(
            listed, approximate_logarithms(np.array(listed, dtype=np.int64)), strict=True
        )
    )


def test_logarithms_at_the_edges_of_the_cells() -> None:
    listed = [(2**60 >> 9) * (256 + i) + d for i in range(257) for d in (-1, 0, 1)]
    assert all(
        within(n, float(x))
        for n, x in zip(
            listed, approximate_logarithms(np.array(listed, dtype=np.int64)), strict=True
        )
    )


@pytest.mark.parametrize(
    "value",
    [Fraction(1), Fraction(2), Fraction(10**30 + 1, 10**30), Fraction(1, 10**30), Fraction(3, 7)],
)
def test_floats_are_near_the_constants(value: Fraction) -> None:
    mp.dps = 80
    exact = mp.log(mpf(value.numerator) / value.denominator)
    assert abs(mpf(approximate_float(log_of(constant(value)))) - exact) <= mpf(2) ** -52 * abs(
        exact
    )


def test_what_has_no_near_float_is_refused() -> None:
    hidden = log_of(
        constant(2) + log_of(constant(4)) - log_of(constant(2)).scale(2) - constant(1)
    )  # log(1), a form that is seen to be 0
    assert approximate_float(hidden) == 0.0
    with pytest.raises(Unsupported):
        approximate_float(constant(10) ** 400)
    tiny = log_of(constant(1) + exp_of(constant(-5000)))  # e^-5000
    with pytest.raises(Unsupported):
        approximate_float(tiny)
    assert abs(approximate_float(tiny, TINY)) <= 2.0**-69
