"""The zeros of F(e, r), r = exp(-g e), with rational coefficients: irreducible factors, and each
zero of a factor between two rational numbers.

At e != 0 an irreducible factor has simple zeros only, and no two factors share one: otherwise e and
exp(e) would both be algebraic, against Lindemann. So bisection with a derivative of known sign
isolates every zero, a derivative that does not vanish gives the sign beside an end, and the
dominant term the sign in the tail.

>>> from ahdp_verify.search.limits import Limits
>>> f = {(1, Fraction(0)): Fraction(1), (0, Fraction(-1)): Fraction(-1)}                                     # e - exp(-e)
>>> (root,), last = zeros_of_factor(f, True, VariableInterval(constant(0), None, False, False), Limits().clock())
>>> fine = refine_root(root, 20, Limits().clock())
>>> fine.low < Fraction(567143290, 10**9) < fine.high, last
(True, 1)
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import flint

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, log_of
from ahdp_verify.kernel.numbers.ball import START, constant_sign, enclose
from ahdp_verify.kernel.numbers.ball_between import Terms, sign_between
from ahdp_verify.kernel.rules.exponential_sign import (
    PRECISIONS,
    VariableInterval,
    exponential_polynomial,
    tail_sign,
    terms_derivative,
    vanishing_order,
)
from ahdp_verify.search.limits import Clock, OutOfLimits

LARGE = (
    -3,
    -2,
    -1,
    0,
    1,
    2,
    3,
    4,
    6,
    8,
)  # pieces beside an end are tried that are 2^-k long for these k, and for their multiples
FINE = (
    Fraction(1, 1 << 16),
    Fraction(1, 1 << 60),
)  # pieces below these widths get balls of more bits
SMALL = 20  # bits to which zeros are isolated at first
NEAR = Fraction(1, 1 << 16)  # cases are split this near to a zero without a closed form
# of a polynomial that is factored; measured: these take up to 8 s, and 27 terms of degree 2000 take
# 29 s
MOST_DEGREE, MOST_TERMS = 400, 2000
Factors = list[tuple[Terms, int]]


@dataclass(frozen=True, slots=True)
class IsolatedRoot:
    """The one zero of a factor between two rational numbers (equal where the zero is rational);
    `exact` where it has a closed form.
    """

    low: Fraction
    high: Fraction
    exact: Ratio | None
    factor: Terms
    odd: bool


def factored_terms(f: Terms) -> tuple[Fraction, Fraction, Factors]:
    """(c, a, irreducible factors with their powers) with f = c exp(a e) times the product."""
    top = max(a for _, a in f)
    n = math.lcm(*((top - a).denominator for _, a in f))
    g = Fraction(math.gcd(*(int((top - a) * n) for _, a in f)), n) or Fraction(1)
    unit, parts = irreducible_factors({(k, int((top - a) / g)): c for (k, a), c in f.items()})
    listed: Factors = []
    for part, power in parts:
        table = {(k, -g * j): c for (k, j), c in part.items()}
        if len(table) == 1 and (0, -g) in table:
            top -= g * power
        else:
            listed.append((table, power))
    return unit, top, listed


def irreducible_factors(
    powers: Mapping[tuple[int, ...], Fraction],
) -> tuple[Fraction, list[tuple[dict[tuple[int, ...], Fraction], int]]]:
    """(c, factors with their powers) with c times their product equal to a polynomial, given by the
    exponents of its monomials.

    Raises Unsupported where that would take long: the factorisation cannot be interrupted.
    """
    count = len(next(iter(powers)))
    if len(powers) > MOST_TERMS or any(
        max(column) > MOST_DEGREE for column in zip(*powers, strict=True)
    ):
        raise Unsupported(
            "a polynomial of too high a degree; write it in fewer or rounder multiples of the "
            "parameter"
        )
    ring = flint.fmpq_mpoly_ctx.get(
        tuple(f"x{j}" for j in range(count)), "lex"
    )  # python-flint 0.9 cannot factor over fmpz above 32 bits
    unit, parts = ring.from_dict(
        {k: flint.fmpq(c.numerator, c.denominator) for k, c in powers.items()}
    ).factor()
    return as_fraction(unit), [
        ({tuple(map(int, k)): as_fraction(c) for k, c in part.to_dict().items()}, int(power))
        for part, power in parts
    ]


def as_fraction(c: flint.fmpq) -> Fraction:
    """The same rational number."""
    return Fraction(int(c.p), int(c.q))


def sign_at(f: Terms, x: Fraction, clock: Clock) -> int:
    """The sign of f at a rational point where it is not 0."""
    point, bits = constant(x), START
    while bits <= clock.limits.bits:
        found = sign_between(f, point, point, bits)
        if found is not None:
            return found
        bits *= 4
    raise OutOfLimits(
        "bits", f"{clock.limits.bits} bits", "determining the sign of an exponential polynomial"
    )


def sign_on(f: Terms, low: Ratio, high: Ratio, width: Fraction) -> int | None:
    """The sign of f between two constants, None if a ball does not show it; narrow pieces get
    more bits.
    """
    return sign_between(
        f,
        low,
        high,
        next(
            (bits for bits, least in zip(PRECISIONS, FINE, strict=False) if width > least),
            PRECISIONS[-1],
        ),
    )


def point_between(low: Fraction, u: Fraction, v: Fraction) -> Fraction:
    """A point between u and v: the middle, or where v is much further from `low` than u, a power
    of 2 about as far in factors from both.
    """
    near, far = u - low, v - low
    if near <= 0 or far < 8 * near:
        return (u + v) / 2
    k = (binary_size(near) + binary_size(far)) // 2
    return low + Fraction(2) ** k


def binary_size(x: Fraction) -> int:
    """About the logarithm to base 2 of x > 0."""
    return x.numerator.bit_length() - x.denominator.bit_length()


@dataclass(slots=True)
class ZeroScan:
    """The search for the zeros of an irreducible factor inside an interval: `stops` cut it,
    `brackets` hold one zero each.

    With `proving`, every piece without a zero gets a ball that shows its sign, and the first zero
    ends the search.
    """

    f: Terms
    where: VariableInterval
    clock: Clock
    proving: bool
    stops: list[Fraction]
    brackets: list[tuple[Fraction, Fraction]]
    last: int = 0  # the sign beyond the last zero

    def run(self) -> None:
        """The stops and brackets filled in."""
        if constant_sign(self.where.low) == -1 and vanishing_order(self.f, constant(0))[0]:
            raise Unsupported("a polynomial that vanishes at 0, inside the interval")
        low = self.beside(self.where.low, 1)
        if self.where.high is None:
            high = max(low, self.far())
        else:
            high = self.beside(self.where.high, -1)
            while high < low:
                low, high = (
                    self.beside(self.where.low, 1, low),
                    self.beside(self.where.high, -1, high),
                )
        self.stops.append(low)
        self.last = sign_at(self.f, high, self.clock)
        self.middle(low, high)

    def far(self) -> Fraction:
        """A point beyond which the dominant term decides."""
        x = Fraction(max(1, math.ceil(enclose(self.where.low)[1])))
        while tail_sign(self.f, x) is None:
            self.clock.count(1, "looking for the dominant term")
            x *= 2
        return x

    def beside(self, end: Ratio, side: int, before: Fraction | None = None) -> Fraction:
        """A point on a side of an end, nearer than `before`, up to which the first derivative
        that does not vanish at the end keeps its sign.
        """
        _, g = vanishing_order(self.f, end)
        low, high = enclose(end, self.clock.limits.bits)
        for k in self.lengths():
            self.clock.count(1, "examining the neighbourhood of an end")
            fine = Fraction(2) ** k
            x = (
                (math.floor(high * fine) + 1) / fine
                if side > 0
                else (math.ceil(low * fine) - 1) / fine
            )
            if before is not None and (before - x) * side <= 0:
                continue
            other = self.where.high if side > 0 else self.where.low
            if other is not None and constant_sign((other - constant(x)).scale(side)) != 1:
                continue
            ends = (end, constant(x)) if side > 0 else (constant(x), end)
            if sign_on(g, *ends, 1 / fine) is not None:
                return x
        raise Unsupported("an interval that is too short, or empty")

    def lengths(self) -> Iterator[int]:
        """Exponents k, as far as the allowed bits go."""
        yield from LARGE
        k = 2 * LARGE[-1]
        while k < self.clock.limits.bits:
            yield k
            k *= 2

    def middle(self, low: Fraction, high: Fraction) -> None:
        """The stops up to `high` and the brackets between; nothing more once a zero is found
        while proving.
        """
        slope, start = terms_derivative(self.f), Fraction(math.floor(enclose(self.where.low)[0]))
        todo = [(low, high)]
        while todo and not (self.proving and self.brackets):
            u, v = todo.pop()
            self.clock.count(1, "isolating zeros")
            a, b = constant(u), constant(v)
            if u == v or sign_on(self.f, a, b, v - u) is not None:
                self.stops += [v] if v != u else []
                continue
            if sign_on(slope, a, b, v - u) is not None:
                change = sign_at(self.f, u, self.clock) != sign_at(self.f, v, self.clock)
                self.brackets += [(u, v)] if change else []
                if change or not self.proving:
                    self.stops.append(v)
                    continue
            point = point_between(start, u, v)
            todo += [(point, v), (u, point)]


def scan_for_zeros(f: Terms, where: VariableInterval, clock: Clock, proving: bool) -> ZeroScan:
    """The finished search."""
    scan = ZeroScan(f, where, clock, proving, [], [])
    scan.run()
    return scan


def closed_form_zeros(f: Terms) -> list[Ratio] | None:
    """All real zeros of a polynomial of low degree in e or in one power of exp(e), as constants;
    None for any other.
    """
    if all(not a for _, a in f):
        return quadratic_zeros(
            [f.get((k, Fraction(0)), Fraction(0)) for k in range(max(k for k, _ in f) + 1)]
        )
    if any(k for k, _ in f):
        return None
    if len(f) == 2:
        (a, c), (b, d) = ((a, c) for (_, a), c in f.items())
        return [log_of(constant(-d / c)).scale(1 / (a - b))] if d / c < 0 else []
    g, p = exponential_polynomial(f)
    found = quadratic_zeros(p)
    return (
        None if found is None else [log_of(x).scale(-1 / g) for x in found if constant_sign(x) == 1]
    )


def quadratic_zeros(p: list[Fraction]) -> list[Ratio] | None:
    """The real zeros of a polynomial of degree 1 or 2 without a double zero; None for any other
    degree.
    """
    if len(p) == 2:
        return [constant(-p[0] / p[1])]
    if len(p) != 3:
        return None
    c, b, a = p
    if b * b < 4 * a * c:
        return []
    root = algebra.ratio_power(constant(b * b - 4 * a * c), constant(Fraction(1, 2)))
    return [(constant(-b) + root.scale(s)).scale(1 / (2 * a)) for s in (1, -1)]


def zeros_of_factor(
    f: Terms, odd: bool, where: VariableInterval, clock: Clock
) -> tuple[list[IsolatedRoot], int]:
    """(the zeros of an irreducible factor inside the interval in any order, its sign beyond the
    last of them).
    """
    try:
        exact = closed_form_zeros(f)
    except Unsupported:  # numbers too large to be factored
        exact = None
    linear = exact is not None and len(f) == 2 and set(f) == {(0, Fraction(0)), (1, Fraction(0))}
    if linear and exact is not None and is_strictly_inside(exact[0], where):
        x = enclose(exact[0])[0]
        rising = f[(1, Fraction(0))] > 0
        return [IsolatedRoot(x, x, exact[0], f, odd)], 1 if rising else -1
    scan = scan_for_zeros(f, where, clock, False)
    return [
        with_closed_form(IsolatedRoot(u, v, None, f, odd), exact or []) for u, v in scan.brackets
    ], scan.last


def is_strictly_inside(v: Ratio, where: VariableInterval) -> bool:
    """Whether a constant lies strictly between the ends."""
    return constant_sign(v - where.low) == 1 and (
        where.high is None or constant_sign(where.high - v) == 1
    )


def with_closed_form(root: IsolatedRoot, exact: list[Ratio]) -> IsolatedRoot:
    """The root with the closed form that lies in its bracket, if there is one."""
    found = next(
        (
            x
            for x in exact
            if constant_sign(x - constant(root.low)) == 1
            and constant_sign(constant(root.high) - x) == 1
        ),
        None,
    )
    return replace(root, exact=found)


def refine_root(root: IsolatedRoot, bits: int, clock: Clock) -> IsolatedRoot:
    """The same root between rational numbers that are at most 2^-bits apart."""
    low, high = root.low, root.high
    if high - low <= Fraction(1, 1 << bits):
        return root
    below = sign_at(root.factor, low, clock)
    while high - low > Fraction(1, 1 << bits):
        clock.check("narrowing the interval around a zero")
        middle = (low + high) / 2
        if sign_at(root.factor, middle, clock) == below:
            low = middle
        else:
            high = middle
    return replace(root, low=low, high=high)


def enclosing_multiples(root: IsolatedRoot, clock: Clock) -> tuple[Fraction, Fraction]:
    """The neighbouring multiples of NEAR between which a root lies: the same ones from whatever
    interval it was found.
    """
    bits = SMALL
    while bits < clock.limits.bits and root.low // NEAR != root.high // NEAR:
        root, bits = refine_root(root, bits, clock), 2 * bits
    n = root.low // NEAR
    return n * NEAR, (n + 1) * NEAR


def ordered_roots(roots: list[IsolatedRoot], clock: Clock) -> tuple[IsolatedRoot, ...]:
    """The roots in ascending order between numbers that do not overlap."""
    bits = SMALL
    while bits <= clock.limits.bits:
        roots = sorted((refine_root(r, bits, clock) for r in roots), key=lambda r: (r.low, r.high))
        if all(r.high < s.low for r, s in itertools.pairwise(roots)):
            return tuple(roots)
        bits *= 2
    raise OutOfLimits("bits", f"{clock.limits.bits} bits", "separating zeros")
