"""NumPy for exact work: arrays of integers below 62 bits, distinct rows, and floats near logarithms
with a proven error bound.

NumPy is an optional extra and slow to load: it is imported at the first use of an attribute of
`np`; if it is not installed, that raises `Unsupported` with `MISSING`.

>>> [round(float(x), 12) for x in approximate_logarithms(np.array([1, 2, 1000]))]
[0.0, 0.69314718056, 6.907755278982]
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, log_of
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.normal_form import message_text

Array = Any  # an array of integers (int64), truth values or floats; each function says which
LIMIT = 1 << 62  # integers in arrays stay below it, so that a sum of two cannot overflow int64
PRECISIONS = (128, 512, 2048)
DENSE = 1 << 22  # keys below it are looked up in a table instead of sorted
MISSING = "numpy is not installed; install ahdp-verify[enumeration]"


def numpy_module() -> Any:
    """The module numpy; Unsupported where it is not installed."""
    try:
        import numpy
    except ImportError:
        raise Unsupported(MISSING) from None
    return numpy


class NumPy:
    """The attributes of the module numpy, under the same names."""

    def __getattr__(self, key: str) -> Any:
        found = getattr(numpy_module(), key)
        setattr(self, key, found)
        return found


np: Any = NumPy()


class NotLinear(Unsupported):
    """An expression that is not a `Linear`; it is computed value by value."""


def guard_overflow(bound: int) -> int:
    """The bound itself, unless an array of this bound could overflow."""
    if bound >= LIMIT:
        raise NotLinear("integers of more than 62 bits")
    return bound


def column_bound(column: Array) -> int:
    """A bound on the size of the entries of a column."""
    return max(abs(int(column.max(initial=0))), abs(int(column.min(initial=0))))


# floats above it have full 53-bit precision, even after a division by a denominator
NORMAL = Fraction(1, 2**900)
# an error negligible against those of logarithms, which are compared up to 2^-45 at best
TINY = Fraction(1, 2**70)


def approximate_float(r: Ratio, slack: Fraction = Fraction(0)) -> float:
    """A float within 2^-52 |r| + slack of a constant r: the float nearest to the middle of an
    enclosure, whose width is at most 2^-60 |r| or slack.
    """
    try:
        for bits in PRECISIONS:
            low, high = enclose(r, bits)
            middle = (low + high) / 2
            if high - low <= slack or (
                (high - low) * 2**60 <= abs(middle) and (not middle or abs(middle) > NORMAL)
            ):
                return float(middle)
    except (Unsupported, OverflowError):
        raise Unsupported(f"{message_text(r)} is out of the range of floats") from None
    raise Unsupported(f"{message_text(r)} is too near to 0 for a float of full precision")


def row_codes(columns: Sequence[Array]) -> tuple[Array, int]:
    """One integer for each row of the columns, equal only for equal rows, and a strict upper bound
    of these integers; for each cell, if the columns have the shape of a grid or 1 along an axis.
    """
    key, size = np.zeros(1, dtype=np.int64), 1
    for column in sorted(columns, key=np.size):
        low, high = int(column.min()), int(column.max())
        if size * (high - low + 1) >= LIMIT:
            key, column = (
                np.unique(c, return_inverse=True)[1].reshape(c.shape) for c in (key, column)
            )
            size, low, high = int(key.max()) + 1, 0, int(column.max())
        span = high - low + 1
        size = guard_overflow(size * span)
        key = (key * np.int64(span) - np.int64(low)) + column  # the smaller arrays first
    return key, size


def distinct_rows(columns: Sequence[Array]) -> tuple[Array, Array]:
    """The index of one representative of every distinct row of the columns, and for each row the
    number of its representative.
    """
    key, size = row_codes(columns)
    if size > max(DENSE, 4 * key.size):
        _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
        return first, inverse.reshape(key.shape)
    place = np.full(size, -1, dtype=np.int64)
    place[key] = np.arange(key.size).reshape(key.shape)
    present = np.flatnonzero(place >= 0)
    first = place[present]
    place[present] = np.arange(len(present))
    return first, place.take(key)


CELLS = 8  # bits of a number in [1/2, 1) that choose its row of logarithms
_centres: list[Array] = []


def _cells() -> tuple[Array, Array]:
    """The middles of the cells of [1/2, 1), and floats near their logarithms."""
    if not _centres:
        middles = [
            Fraction(2 * i + 1, 1 << (CELLS + 2)) + Fraction(1, 2) for i in range(1 << CELLS)
        ]
        _centres.extend(
            (
                np.array([float(c) for c in middles]),
                np.array([approximate_float(log_of(constant(c))) for c in middles]),
            )
        )
    return _centres[0], _centres[1]


LOG_2 = 0.6931471805599453  # within 2^-53


def approximate_logarithms(n: Array) -> Array:
    """Floats near log n for positive integers, with an error below 2^-49 (1 + log n).

    n = 2^e m with m in [1/2, 1), and m = c (1 + r) with c the middle of its cell of width 2^-9, so
    |r| < 2^-9 and log m = log c + r - r^2/2 + r^3/3 - r^4/4 + r^5/5 up to r^6/5.  The conversion of
    n has a relative error of 2^-53; m - c is exact; each other step adds at most 2^-52 of a term,
    and the terms are at most e log 2, 0.7, and 2^-9.
    """
    middles, logs = _cells()
    m, e = np.frexp(n.astype(np.float64))
    cell = ((m - 0.5) * float(2 << CELLS)).astype(np.int64)
    c = middles[cell]
    r = (m - c) / c
    series = r * (1.0 - r * (0.5 - r * (1.0 / 3.0 - r * (0.25 - r * 0.2))))
    return e * LOG_2 + (logs[cell] + series)
