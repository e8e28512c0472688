"""Exact numbers in: integers, fractions, decimal strings; floats are refused with the cure.

Also the two pieces of number theory that canonical constants need: factoring into primes (of
numbers that users write, so trial division suffices) and splitting a rational power of a prime into
its whole and its fractional part.

>>> rational("0.25"), rational(3), rational("-2/6")
(Fraction(1, 4), Fraction(3, 1), Fraction(-1, 3))
>>> prime_factors(Fraction(12, 5))
((2, 2), (3, 1), (5, -1))
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from ahdp_verify.kernel.errors import BadInput

# most bits of a numerator or denominator; far beyond any mechanism seen, far below what would
# stall a check
BITS = 4096
PRIMES_BELOW = 1 << 16
NAME = re.compile(
    r"(?:@level|@order|[@#][cd]?[0-9]+|[A-Za-z_]\w*(?:\[[1-9][0-9]*\])?'*)", re.ASCII
)  # names that users type, and state names
NUMBER = re.compile(r"[+-]?([0-9]{1,1300}(\.[0-9]{0,1300})?|\.[0-9]{1,1300})(/[0-9]{1,1300})?")


def rational(value: object, where: str = "number") -> Fraction:
    """The Fraction that `value` (int, Fraction, "p/q" or a decimal string) stands for; a float
    raises BadInput with the cure.
    """
    if isinstance(value, Fraction):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    if isinstance(value, float):
        text = str(float(value))
        cure = (
            f'write "{Fraction(text) if "e" in text else text}" in quotes or '
            f"Fraction({str(Fraction(text)).replace('/', ', ')})"
            if value == value and abs(value) < 1e300
            else "write oo for infinity"
        )
        raise BadInput(where, f"{text} is a float, which is not exact", cure)
    if isinstance(value, str):
        return _of_text(value.strip(), where)
    raise BadInput(
        where,
        f"{type(value).__name__} is not an exact number",
        'use an int, a Fraction or a text such as "0.1" or "1/3"',
    )


def _of_text(text: str, where: str) -> Fraction:
    if not NUMBER.fullmatch(text):
        raise BadInput(
            where, f"{text[:40]!r} is not a number", 'write for example "3", "-1/3" or "0.25"'
        )
    top, _, bottom = text.partition("/")
    if bottom and not int(bottom):
        raise BadInput(where, f"{text[:40]!r} divides by 0", "use another denominator")
    return Fraction(top) / int(bottom or 1)


def guard_size(value: Fraction, where: str = "number") -> Fraction:
    """`value` itself, or BadInput when it has more than `BITS` bits."""
    if value.numerator.bit_length() > BITS or value.denominator.bit_length() > BITS:
        raise BadInput(
            where,
            f"a number of more than {BITS} bits appears",
            "use smaller exponents or fewer digits",
        )
    return value


@lru_cache(maxsize=4096)
def prime_factors(value: Fraction) -> tuple[tuple[int, int], ...] | None:
    """The primes of a positive fraction with their exponents, or None when a prime above 65536
    might be composite.
    """
    powers: dict[int, int] = {}
    for part, direction in ((value.numerator, 1), (value.denominator, -1)):
        p = 2
        while p * p <= part:
            if p > PRIMES_BELOW:
                return None
            while part % p == 0:
                powers[p] = powers.get(p, 0) + direction
                part //= p
            p += 1 if p == 2 else 2
        if part > 1:
            powers[part] = powers.get(part, 0) + direction
    return tuple(sorted(powers.items()))
