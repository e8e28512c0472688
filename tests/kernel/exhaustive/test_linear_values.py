"""Linear values against exact fractions and 60 digits."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from ahdp_verify.kernel.exhaustive.arrays import LIMIT, Array, NotLinear, np
from ahdp_verify.kernel.exhaustive.linear_values import (
    Linear,
    add_linear,
    linear_entry,
    linear_of_array,
    linear_of_constant,
    linear_signs,
    multiply_linear,
    scale_linear,
    select_linear,
    subtract_linear,
)
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of, log_of
from tests.sweeps import examples

COLUMN = st.lists(st.integers(-50, 50), min_size=4, max_size=4)
BASES: list[tuple[Ratio, Callable[[], mpf]]] = [
    (constant(1), lambda: mpf(1)),
    (log_of(constant(2)), lambda: mp.log(2)),
    (exp_of(constant(-1)), lambda: mp.exp(-1)),
    (constant(1) / (constant(1) + exp_of(constant(1))), lambda: 1 / (1 + mp.exp(1))),
]


def read(a: Linear) -> list[mpf]:
    """The values in 60 digits, through the exact constants at each place."""
    mp.dps = 60
    shape = np.broadcast_shapes((1, 4), *(p.column.shape for p in a.parts.values()))
    columns = [np.broadcast_to(p.column, shape)[0] for p in a.parts.values()]
    values = {
        p.base.key: v()
        for p, v in (
            (p, next(v for b, v in [*BASES, *PRODUCTS] if b.key == p.base.key))
            for p in a.parts.values()
        )
    }
    assert all(
        abs(int(c[i])) <= p.bound
        for c, p in zip(columns, a.parts.values(), strict=True)
        for i in range(4)
    )
    return [
        sum(
            (
                mpf(int(c[i])) * values[p.base.key]
                for c, p in zip(columns, a.parts.values(), strict=True)
            ),
            mpf(0),
        )
        / a.den
        for i in range(4)
    ]


def pair(
    b: tuple[Ratio, Callable[[], mpf]], c: tuple[Ratio, Callable[[], mpf]]
) -> list[tuple[Ratio, Callable[[], mpf]]]:
    """The bases of a product of two bases, if it is one monomial."""
    product = b[0] * c[0]
    return (
        [(next(iter(linear_of_constant(product).parts.values())).base, lambda: b[1]() * c[1]())]
        if len(linear_of_constant(product).parts) == 1
        else []
    )


PRODUCTS = [one for b in BASES for c in BASES for one in pair(b, c)]


def value(columns: list[list[int]], den: int) -> Linear:
    """A value from a column for each base."""
    total = Linear({}, 1)
    for (base, _), column in zip(BASES, columns, strict=True):
        total = add_linear(
            total,
            multiply_linear(linear_of_array(np.array([column]), den), linear_of_constant(base)),
        )
    return total


def near(a: list[mpf], b: list[mpf]) -> bool:
    return all(abs(x - y) < mpf(10) ** -40 for x, y in zip(a, b, strict=True))


@settings(max_examples=examples(60, 8), deadline=None)
@given(
    st.lists(COLUMN, min_size=4, max_size=4),
    st.lists(COLUMN, min_size=4, max_size=4),
    st.integers(1, 6),
    st.integers(1, 6),
    st.integers(-9, 9),
)
def test_arithmetic_is_that_of_the_numbers(
    left: list[list[int]], right: list[list[int]], d: int, e: int, k: int
) -> None:
    a, b = value(left, d), value(right, e)
    x, y = read(a), read(b)
    assert near(read(add_linear(a, b)), [p + q for p, q in zip(x, y, strict=True)])
    assert near(read(subtract_linear(a, b)), [p - q for p, q in zip(x, y, strict=True)])
    assert near(read(scale_linear(a, k)), [k * p for p in x])
    where = np.array([[True, False, True, False]])
    assert near(read(select_linear(where, a, b)), [x[0], y[1], x[2], y[3]])
    one, other = (
        value([left[0], left[1], [0] * 4, [0] * 4], d),
        value([right[0], right[1], [0] * 4, [0] * 4], e),
    )
    assert near(
        read(multiply_linear(one, other)),
        [p * q for p, q in zip(read(one), read(other), strict=True)],
    )
    assert near(
        read(multiply_linear(value([left[0], [0] * 4, [0] * 4, [0] * 4], d), b)),
        [mpf(n) / d * q for n, q in zip(left[0], y, strict=True)],
    )
    assert [int(s) for s in np.broadcast_to(linear_signs(a), (1, 4))[0]] == [
        0 if abs(p) < mpf(10) ** -40 else 1 if p > 0 else -1 for p in x
    ]


def convergents() -> list[tuple[int, int]]:
    """Fractions p/q so near to log 2 that floats do not tell p and q log 2 apart: the continued
    fraction, by exact arithmetic in 80 digits.
    """
    mp.dps = 80
    x, listed, (a, b), (c, d) = mp.log(2), [], (0, 1), (1, 0)
    for _ in range(34):
        n = int(mp.floor(x))
        (a, b), (c, d) = (c, d), (n * c + a, n * d + b)
        listed.append((c, d))
        x = 1 / (x - n)
    return listed


def test_signs_that_floats_do_not_settle_are_exact() -> None:
    mp.dps = 80
    for p, q in convergents():
        if max(p, q) >= LIMIT:
            break
        gap = subtract_linear(
            multiply_linear(
                linear_of_array(np.array([[q]])), linear_of_constant(log_of(constant(2)))
            ),
            linear_of_array(np.array([[p]])),
        )
        assert int(linear_signs(gap)[0, 0]) == int(mp.sign(q * mp.log(2) - p))


def test_what_leaves_62_bits_is_refused() -> None:
    big = linear_of_array(np.array([[LIMIT - 1]]))
    for act in (
        lambda: add_linear(big, big),
        lambda: subtract_linear(big, scale_linear(big, -1)),
        lambda: multiply_linear(big, big),
        lambda: scale_linear(big, 2),
        lambda: linear_of_constant(constant(LIMIT)),
        lambda: add_linear(
            linear_of_constant(constant(Fraction(1, 2**40))),
            linear_of_constant(constant(Fraction(1, 3**30))),
        ),
    ):
        with pytest.raises(NotLinear):
            act()


def test_the_value_at_a_place_is_exact() -> None:
    a = value([[1, 2, 3, 4], [0, 1, 0, -1], [0] * 4, [0] * 4], 3)
    columns: list[Array] = [p.column[0] for p in a.parts.values()]
    assert (
        linear_entry(a, [int(c[3]) for c in columns])
        - (constant(Fraction(4, 3)) - log_of(constant(2)).scale(Fraction(1, 3)))
    ).is_zero


@settings(max_examples=examples(60, 8))
@given(COLUMN, COLUMN, COLUMN, COLUMN)
def test_products_of_roots_keep_their_rational_factor(
    a: list[int], b: list[int], c: list[int], d: list[int]
) -> None:
    """(a + b r) (c + d r) for r = sqrt(2) is (a c + 2 b d) + (a d + b c) r."""
    root = exp_of(log_of(constant(2)).scale(Fraction(1, 2)))

    def value(whole: list[int], of_root: list[int]) -> Linear:
        times = multiply_linear(linear_of_array(np.array([of_root])), linear_of_constant(root))
        return add_linear(linear_of_array(np.array([whole])), times)

    found = multiply_linear(value(a, b), value(c, d))
    parts: dict[str, list[Fraction]] = {
        key: [Fraction(int(n), found.den) for n in p.column[0]] for key, p in found.parts.items()
    }
    assert parts.pop("1") == [w * y + 2 * x * z for w, x, y, z in zip(a, b, c, d, strict=True)]
    assert list(parts.values()) == [[w * z + x * y for w, x, y, z in zip(a, b, c, d, strict=True)]]
