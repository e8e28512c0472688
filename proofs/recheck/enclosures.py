"""Section 4: enclosures of constants.

An end is a pair (m, e) of whole numbers: m * 2^e.  Exponents are as large as they come, so that
exp(-10^18) is a number like others.  Every operation rounds outwards to BITS_KEPT bits.

    exp   x = k log 2 + r with 0 <= r < 1: Taylor's series of exp(r) in whole multiples of 2^-P
    log   x = f 2^k with 1 <= f < 2: 2 artanh((f - 1)/(f + 1)) + k log 2
    pi    16 arctan(1/5) - 4 arctan(1/239)
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from recheck.limits import CLOCK, Undecided, cover

BITS_KEPT = 288
LARGEST = 4_096  # exp(x) is worked out for |x| < 2^LARGEST
End = tuple[int, int]
Interval = tuple[End, End]


def rounded(m: int, e: int, up: bool) -> End:
    """A number of at most BITS_KEPT bits that is not above (`up`: not below) m * 2^e."""
    extra = m.bit_length() - BITS_KEPT
    if extra <= 0:
        return (m, e) if m else (0, 0)
    return (-(-m >> extra) if up else m >> extra), e + extra


def of_rational(q: int | Fraction) -> Interval:
    n, d = q.numerator, q.denominator
    shift = max(0, BITS_KEPT + d.bit_length() - n.bit_length())
    low, rest = divmod(n << shift, d)
    return rounded(low, -shift, False), rounded(low + (rest > 0), -shift, True)


def times_end(a: End, b: End, up: bool) -> End:
    return rounded(a[0] * b[0], a[1] + b[1], up)


def plus_end(a: End, b: End, up: bool) -> End:
    """The sum; a term that is too small to matter moves it by one unit of what is kept."""
    if not a[0] or not b[0]:
        return b if not a[0] else a
    if a[1] + a[0].bit_length() < b[1] + b[0].bit_length():
        a, b = b, a
    lead = a[0].bit_length() - 1 + a[1]
    floor_of_grid = lead - 2 * BITS_KEPT
    if b[0].bit_length() + b[1] <= floor_of_grid:
        small = 1 if b[0] > 0 else -1
        small = small if (small > 0) == up else 0
        b = (small, floor_of_grid)
    low = min(a[1], b[1]) if b[0] else a[1]
    return rounded((a[0] << (a[1] - low)) + (b[0] << (b[1] - low) if b[0] else 0), low, up)


def sign_of_end(a: End) -> int:
    return (a[0] > 0) - (a[0] < 0)


def less(a: End, b: End) -> bool:
    """Whether a < b, exactly: signs first, then the places of the leading bits."""
    s, t = sign_of_end(a), sign_of_end(b)
    if s != t or not s:
        return s < t
    top_a, top_b = a[0].bit_length() + a[1], b[0].bit_length() + b[1]
    if top_a != top_b:
        return (top_a < top_b) == (s > 0)
    low = min(a[1], b[1])
    return a[0] << (a[1] - low) < b[0] << (b[1] - low)


def least(ends: list[End]) -> End:
    out = ends[0]
    for e in ends[1:]:
        out = e if less(e, out) else out
    return out


def greatest(ends: list[End]) -> End:
    out = ends[0]
    for e in ends[1:]:
        out = e if less(out, e) else out
    return out


def add(a: Interval, b: Interval) -> Interval:
    return plus_end(a[0], b[0], False), plus_end(a[1], b[1], True)


def multiply(a: Interval, b: Interval) -> Interval:
    CLOCK.ask()
    if a[0][0] >= 0 and b[0][0] >= 0:
        return times_end(a[0], b[0], False), times_end(a[1], b[1], True)
    lows = [times_end(x, y, False) for x in a for y in b]
    highs = [times_end(x, y, True) for x in a for y in b]
    return least(lows), greatest(highs)


def reciprocal_end(a: End, up: bool) -> End:
    """1/a for a != 0."""
    shift = a[0].bit_length() + BITS_KEPT
    low, rest = divmod(1 << shift, a[0])
    return rounded(low + (1 if rest and up else 0), -shift - a[1], up)


def reciprocal(a: Interval) -> Interval:
    if sign_of_end(a[0]) * sign_of_end(a[1]) <= 0:
        raise Undecided("an enclosure of a divisor contains 0")
    return reciprocal_end(a[1], False), reciprocal_end(a[0], True)


def power(a: Interval, n: int) -> Interval:
    out = of_rational(1)
    while n:
        out, a, n = multiply(out, a) if n % 2 else out, multiply(a, a) if n > 1 else a, n // 2
    return out


def sign(a: Interval) -> int | None:
    """The sign of every number of the interval, or None."""
    low, high = sign_of_end(a[0]), sign_of_end(a[1])
    return low if low == high else None


def floor_of_end(a: End) -> int:
    cover(a[0].bit_length() + a[1] < 1 << 16, "a constant is too large for its floor")
    return a[0] << a[1] if a[1] >= 0 else a[0] >> min(-a[1], a[0].bit_length() + 1)


# whole multiples of 2^-p: a lower bound, and by how many units the value may lie above it


def exp_series(r: int, p: int) -> tuple[int, int]:
    """exp(r 2^-p) for 0 <= r <= 2^p: (low, high).

    A term is the last one times r 2^-p / k, rounded down twice, so it is at most 2 units short; the
    rest after a term below one unit is at most 6 units.
    """
    term, out, k = 1 << p, 1 << p, 0
    while term:
        k += 1
        term = (term * r >> p) // k
        out += term
    return out, out + 2 * k + 8


def artanh_series(n: int, d: int, p: int) -> tuple[int, int]:
    """artanh(n/d) for 0 <= n/d <= 1/3: (low, high).

    Powers of (n/d)^2 are rounded down and at most 2 units short, terms at most 3; the rest after a
    power below one unit is at most 2 units.
    """
    square, term, k, count = (n * n << p) // (d * d), (n << p) // d, 1, 1
    out = term
    while term:
        term = term * square >> p
        k += 2
        out += term // k
        count += 1
    return out, out + 4 * count + 4


@cache
def log_two(p: int) -> tuple[int, int]:
    low, high = artanh_series(1, 3, p)
    return 2 * low, 2 * high


def exp_end(a: End, up: bool) -> End:
    if not a[0]:
        return (1, 0)
    size = a[0].bit_length() + a[1]
    if size < -BITS_KEPT:  # |x| < 2^-288: 1 + x <= exp(x) <= 1 + 2 |x|
        away = (a[0] > 0) == up
        return plus_end((1, 0), (1 if up else -1, -BITS_KEPT), up) if away else (1, 0)
    cover(size < LARGEST, "an exponent is too large")
    p = 2 * BITS_KEPT + max(size, 0)
    x = (
        a[0] << (a[1] + p)
        if a[1] + p >= 0
        else (-(-a[0] >> -(a[1] + p)) if up else a[0] >> -(a[1] + p))
    )
    low, high = log_two(p)
    k = x // high
    r = x - k * (low if (k >= 0) == up else high)
    if r < 0:
        k, r = k - 1, r + (high if up else low)
    found = exp_series(max(0, min(r, 1 << p)), p)
    return rounded(found[1] if up else found[0], k - p, up)


def exp(a: Interval) -> Interval:
    CLOCK.ask()
    return exp_end(a[0], False), exp_end(a[1], True)


def log_end(a: End, up: bool) -> End:
    p, length = 2 * BITS_KEPT, a[0].bit_length()
    k = length - 1 + a[1]
    m, one = a[0], 1 << (length - 1)  # f = m / one
    found = artanh_series(m - one, m + one, p)
    low, high = log_two(p)
    out = 2 * found[up] + k * (high if (k >= 0) == up else low)
    return rounded(out, -p, up)


def log(a: Interval) -> Interval:
    CLOCK.ask()
    if a[0][0] <= 0:
        raise Undecided("an enclosure of the argument of a logarithm contains 0")
    return log_end(a[0], False), log_end(a[1], True)


@cache
def pi() -> Interval:
    p = 2 * BITS_KEPT
    (a, b), (c, d) = arctan_inverse(5, p), arctan_inverse(239, p)
    return rounded(16 * a - 4 * d, -p, False), rounded(16 * b - 4 * c, -p, True)


def arctan_inverse(n: int, p: int) -> tuple[int, int]:
    """arctan(1/n): every term is at most one unit off, and so is the rest."""
    term, out, k = (1 << p) // n, 0, 0
    while term:
        out += (term if k % 2 == 0 else -term) // (2 * k + 1)
        term //= n * n
        k += 1
    return out - 2 * k - 2, out + 2 * k + 2
