"""Section 4: enclosures of sin, cos, atan, erf and theta3 on intervals.

Ends are those of `enclosures`.  Inside, numbers are whole multiples of 2^-P with a bound of the
error in units.

    sin, cos   x = k pi/2 + r with 0 <= r < pi/2: Taylor's series; where an interval may hold a
               multiple of pi/2 at which the function is 1 or -1, that value is added
    atan       increasing; pi/2 - atan(1/x) for x > 1, then atan(x) = 2 atan(x/(1 + sqrt(1 + x^2)))
    erf        increasing; 2 x exp(-x^2)/sqrt(pi) times the sum of (2 x^2)^n/(1 * 3 * ... * (2 n + 1))
    erfc       1 - erf, for x >= 1, with as many bits: for x >= 9, exp(-x^2)/(x sqrt(pi)) times the sum
               of (-1)^n 1 * 3 * ... * (2 n - 1)/(2 x^2)^n, which lies between any two sums of first
               terms
"""

from __future__ import annotations

import math

from recheck import enclosures
from recheck.enclosures import (
    BITS_KEPT,
    End,
    Interval,
    floor_of_end,
    greatest,
    least,
    less,
    multiply,
    of_rational,
    plus_end,
    reciprocal,
    rounded,
    times_end,
)
from recheck.limits import CLOCK, Undecided, cover

P = 2 * BITS_KEPT
FAR = 64  # sin and cos are worked out for |x| < 2^FAR
HALVINGS = 8
LARGE = 15  # 1 - erf(x) < 2^-BITS_KEPT from here on
FAR_OUT = 9  # 1 - erf loses at most 120 bits below
ONE: End = (1, 0)
TERMS = 20  # exp(-TERMS^2) < 2^-BITS_KEPT


def fixed(a: End, p: int) -> int:
    """a in units of 2^-p, rounded down."""
    return a[0] << (a[1] + p) if a[1] + p >= 0 else a[0] >> -(a[1] + p)


def negative(a: Interval) -> Interval:
    (m, e), (n, f) = a
    return (-n, f), (-m, e)


def around(value: int, error: int) -> Interval:
    """The interval of value +- error units of 2^-P."""
    return rounded(value - error, -P, False), rounded(value + error, -P, True)


# sin and cos


def quarter(p: int) -> tuple[int, int]:
    """pi/2 in units of 2^-p: (low, high)."""
    a, b = enclosures.arctan_inverse(5, p)
    c, d = enclosures.arctan_inverse(239, p)
    return 8 * a - 2 * d, 8 * b - 2 * c


def wave_at(x: End, quarters: int) -> Interval:
    """sin(x + quarters * pi/2)."""
    cover(x[0].bit_length() + x[1] < FAR, "an angle is too large")
    p = P + FAR
    low, high = quarter(p)
    y = fixed(x, p)
    k = y // high
    r = (
        y - k * low
    ) >> FAR  # off by at most |k| (high - low) + 1 units of 2^-p, less than 2 of 2^-P
    error = (abs(k) * (high - low) >> FAR) + 2
    term, out, n = (1 << P, 0, 0) if (k + quarters) % 2 else (r, 0, 1)
    odd, count = n, 0
    while term:
        out += term
        term = -((term * r >> P) * r >> P) // ((2 * count + 1 + odd) * (2 * count + 2 + odd))
        count += 1
        if abs(term) <= 1:
            break
    error += 4 * count + 8
    out = -out if (k + quarters) % 4 >= 2 else out
    found = around(out, error)
    return greatest([found[0], (-1, 0)]), least([found[1], ONE])


def wave(a: Interval, quarters: int) -> Interval:
    """sin(x + quarters * pi/2) for the x of an interval."""
    CLOCK.ask()
    cover(a[0][0].bit_length() + a[0][1] < FAR, "an angle is too large")
    cover(a[1][0].bit_length() + a[1][1] < FAR, "an angle is too large")
    ends = [wave_at(x, quarters) for x in a]
    low, high = least([e[0] for e in ends]), greatest([e[1] for e in ends])
    turns = [multiply((x, x), reciprocal(tuple_of_quarter())) for x in a]
    first, last = -floor_of_end(negative(turns[0])[1]), floor_of_end(turns[1][1])
    for k in range(first, min(last, first + 5) + 1):  # x = k pi/2 may lie in the interval
        if (k + quarters) % 4 == 1:
            high = ONE
        if (k + quarters) % 4 == 3:
            low = (-1, 0)
    return low, high


def tuple_of_quarter() -> Interval:
    low, high = enclosures.pi()
    return (low[0], low[1] - 1), (high[0], high[1] - 1)


def sin(a: Interval) -> Interval:
    """sin of the numbers of an interval."""
    return wave(a, 0)


def cos(a: Interval) -> Interval:
    """cos of the numbers of an interval."""
    return wave(a, 1)


# atan


def atan_at(x: End) -> Interval:
    if x[0] < 0:
        return negative(atan_at((-x[0], x[1])))
    if x[0] == 0:
        return (0, 0), (0, 0)
    if less(ONE, x):
        low, high = reciprocal((x, x))
        quarter_turn, inner = tuple_of_quarter(), (atan_at(low)[0], atan_at(high)[1])
        return enclosures.add(quarter_turn, negative(inner))
    y, one = fixed(x, P), 1 << P
    for _ in range(HALVINGS):  # each step adds at most 2 units; the slope of what follows is <= 1
        y = (y << P) // (one + math.isqrt((one << P) + y * y))
    square, term, out, k = y * y >> P, y, 0, 0
    while term:
        out += (term if k % 2 == 0 else -term) // (2 * k + 1)
        term = term * square >> P
        k += 1
    return around(out << HALVINGS, (3 * HALVINGS + 4 * k + 8) << HALVINGS)


def atan(a: Interval) -> Interval:
    """atan of the numbers of an interval."""
    CLOCK.ask()
    return atan_at(a[0])[0], atan_at(a[1])[1]


# erf


def erf_at(x: End) -> Interval:
    if x[0] < 0:
        return negative(erf_at((-x[0], x[1])))
    if x[0] == 0:
        return (0, 0), (0, 0)
    if not less(x, (LARGE, 0)):
        return plus_end(ONE, (-1, -BITS_KEPT), False), ONE
    square = times_end(x, x, False), times_end(x, x, True)
    series = (
        erf_series(2 * fixed(square[0], P), False),
        erf_series(2 * fixed(square[1], P) + 2, True),
    )
    root = enclosures.exp(multiply(enclosures.log(enclosures.pi()), of_rational_half()))
    found = multiply(multiply((x, x), series), enclosures.exp(negative(square)))
    low, high = multiply(found, multiply(of_rational(2), reciprocal(root)))
    return low, least([high, ONE])


def erf_series(y: int, up: bool) -> End:
    """The sum of y^n/(1 * 3 * ... * (2 n + 1)) for y >= 0 in units of 2^-P."""
    term, out, n = 1 << P, 0, 0
    while term or y >> P >= 2 * n + 1:  # from then on terms fall by half at least every time or two
        out += term
        n += 1
        term = ((term * y >> P) + up) // (2 * n + 1) + (up and term > 0)
        if up and term <= 2 and y >> P < n:
            break
    return rounded(out + (8 if up else 0), -P, up)


def of_rational_half() -> Interval:
    return (1, -1), (1, -1)


def erf(a: Interval) -> Interval:
    """erf of the numbers of an interval."""
    CLOCK.ask()
    return erf_at(a[0])[0], erf_at(a[1])[1]


def erfc_at(x: End) -> Interval:
    """1 - erf(x) for x >= 1."""
    if less(x, (FAR_OUT, 0)):
        return enclosures.add((ONE, ONE), negative(erf_at(x)))
    square = multiply((x, x), (x, x))
    ratio = reciprocal(multiply(square, of_rational(2)))
    out = term = of_rational(1)
    bounds = [out]
    for n in range(1, FAR_OUT * FAR_OUT):  # terms fall as long as 2 n - 1 < 2 x^2
        term = negative(multiply(term, multiply(ratio, of_rational(2 * n - 1))))
        out = enclosures.add(out, term)
        bounds.append(out)
    ends = bounds[-2:]
    series = least([e[0] for e in ends]), greatest([e[1] for e in ends])
    root = enclosures.exp(multiply(enclosures.log(enclosures.pi()), of_rational_half()))
    scale = reciprocal(multiply((x, x), root))
    return multiply(multiply(enclosures.exp(negative(square)), scale), series)


def erfc(a: Interval) -> Interval:
    """1 - erf of the numbers of an interval, all >= 1: it falls."""
    CLOCK.ask()
    return erfc_at(a[1])[0], erfc_at(a[0])[1]


# theta3


def theta3(a: Interval) -> Interval:
    """The sum of exp(-x k^2) over all whole k, for the numbers x of an interval, all > 0.

    theta3(x) = sqrt(pi/x) theta3(pi^2/x), so an x below 1 is replaced by a larger one.  The terms
    after k = TERMS fall by half at least each, and so are together at most twice the first of them.
    """
    CLOCK.ask()
    if a[0][0] <= 0:
        raise Undecided("an enclosure of the argument of theta3 contains 0")
    if less(a[0], ONE):
        if not less(a[1], (2, 0)):
            raise Undecided("an enclosure of the argument of theta3 is too wide")
        ratio = multiply(enclosures.pi(), reciprocal(a))
        root = enclosures.exp(multiply(enclosures.log(ratio), of_rational_half()))
        return multiply(root, theta3(multiply(enclosures.pi(), ratio)))
    out = of_rational(1)
    for k in range(1, TERMS + 2):
        term = enclosures.exp(multiply(a, of_rational(-k * k)))
        out = enclosures.add(out, multiply(term, of_rational(2)))
    rest = times_end(term[1], (4, 0), True)
    return out[0], plus_end(out[1], rest, True)
