"""Section 12: the probability that noises satisfy linear inequalities, exactly.

One noise x after another is integrated out.  What is left is a sum over cells: a list of
inequalities in the other noises, and a sum of

    c  product of y^k exp(r y)      c a constant, k whole, r rational

In a cell, one of the lower bounds of x is the greatest, and one of the upper bounds the least.  The
cells of each choice of the two have the inequalities that say so; between these two bounds the
antiderivative is a sum of the same form.  Bounds that tie do so with probability 0.

Whole-number noise comes last.  Its bounds are rounded to whole numbers, ties belong to the first of
the bounds, and in place of the antiderivative F there is S with S(x) - S(x + 1) = x^k exp(r x).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from recheck.forms import NOTHING, UNIT, Form, constant, exp_of, total
from recheck.limits import CLOCK, NotCovered, cover
from recheck.runs import Noise
from recheck.trees import Number

MOST_CELLS = 20_000
Vector = tuple[tuple[str, Number], ...]  # sorted, none is 0
Key = tuple[tuple[str, int, Number], ...]  # (y, k, r) with k or r not 0, sorted
Terms = dict[Key, Form]


@dataclass(frozen=True)
class Bound:
    """vector + shift >= 0, or > 0 if it is strict."""

    vector: Vector
    shift: Number
    strict: bool = False


Cell = frozenset[Bound]


def probability(noises: Mapping[str, Noise], bounds: list[Bound]) -> Form:
    """The probability that independent noises satisfy all inequalities."""
    used = {n for b in bounds for n, _ in b.vector}
    continuous = [n for n in used if noises[n].law != "geometric"]
    cells: dict[Cell, Terms] = {}
    first = simplified(bounds)
    if first is not None:
        cells[first] = {(): UNIT}
    for whole, names in ((False, continuous), (True, sorted(used - {*continuous}))):
        left = set(names)
        while left:
            x = min(left, key=lambda n: (crossings(n, bounds), n))
            left.remove(x)
            cells = without(cells, x, noises[x], whole)
            bounds = [b for b in bounds if x not in dict(b.vector)]
    return total(c for terms in cells.values() for c in terms.values())


def crossings(n: str, bounds: list[Bound]) -> int:
    """How many other noises are compared with this one."""
    return len({m for b in bounds if n in dict(b.vector) for m, _ in b.vector})


def without(cells: dict[Cell, Terms], x: str, noise: Noise, whole: bool) -> dict[Cell, Terms]:
    """The cells once the noise is integrated (or summed) out; it is drawn by its law."""
    out: dict[Cell, Terms] = {}
    for cell, terms in cells.items():
        for piece, density in pieces(x, noise):
            for found, value in integrated([*cell, piece], x, multiplied(terms, density), whole):
                out[found] = summed(out.get(found, {}), value)
                cover(len(out) <= MOST_CELLS, "a probability has too many cells")
    return out


def pieces(x: str, noise: Noise) -> Iterator[tuple[Bound, Terms]]:
    """The density, or the probability of a whole number, on each side of 0."""
    scale = noise.scale.rational
    if scale is None or noise.law in ("gumbel", "gaussian"):
        raise NotCovered("the probability of a comparison of such noise")
    rate = 1 / Fraction(scale)
    if noise.law == "exponential":
        yield Bound(((x, 1),), 0), {((x, 0, -rate),): constant(rate)}
    elif noise.law == "laplace":
        yield Bound(((x, 1),), 0), {((x, 0, -rate),): constant(rate / 2)}
        yield Bound(((x, -1),), 0), {((x, 0, rate),): constant(rate / 2)}
    else:
        y = exp_of(constant(-rate))
        at_zero = (UNIT - y) / (UNIT + y)
        yield Bound(((x, 1),), 0), {((x, 0, -rate),): at_zero}
        yield Bound(((x, -1),), -1), {((x, 0, rate),): at_zero}


# inequalities


def bound_of(slopes: Mapping[str, Number], shift: Number, strict: bool) -> Bound:
    """The inequality, divided by the size of its first coefficient."""
    vector = [(n, Fraction(slopes[n])) for n in sorted(slopes) if slopes[n]]
    size = abs(vector[0][1]) if vector else Fraction(1)
    return Bound(tuple((n, c / size) for n, c in vector), shift / size, strict)


def simplified(bounds: Iterable[Bound]) -> Cell | None:
    """The strongest inequality for each vector; None where they contradict each other."""
    best: dict[Vector, Bound] = {}
    for b in bounds:
        if not b.vector:
            if b.shift < 0 or (b.strict and b.shift == 0):
                return None
            continue
        old = best.get(b.vector)
        if old is None or (b.shift, not b.strict) < (old.shift, not old.strict):
            best[b.vector] = b
    for vector, b in best.items():
        opposite = best.get(tuple((n, -c) for n, c in vector))
        if opposite is not None:
            room = b.shift + opposite.shift
            if room < 0 or (room == 0 and (b.strict or opposite.strict)):
                return None
    return frozenset(best.values())


@dataclass(frozen=True)
class End:
    """An end of an interval of x: the sum of a vector and a number, which belongs to it or not."""

    vector: Vector
    value: Number
    strict: bool

    def minus(self, other: End, strict: bool = False) -> Bound:
        """The inequality self >= other, or self > other."""
        slopes = dict(self.vector)
        for n, c in other.vector:
            slopes[n] = slopes.get(n, 0) - c
        return bound_of(slopes, self.value - other.value, strict)


def ends(bounds: Iterable[Bound], x: str, side: int, whole: bool) -> list[End]:
    """The lower (side 1) or upper (side -1) bounds of x, the strongest for each vector, in
    order.
    """
    best: dict[Vector, End] = {}
    for b in bounds:
        slopes = dict(b.vector)
        c = slopes.pop(x, 0)
        if c * side <= 0:
            continue
        end = End(
            tuple((n, -k / Fraction(c)) for n, k in slopes.items()),
            -b.shift / Fraction(c),
            b.strict,
        )
        end = rounded(end, side) if whole else end
        old = best.get(end.vector)
        if old is None or (end.value - old.value) * side > 0:
            best[end.vector] = end
    return [best[v] for v in sorted(best, key=str)]


def rounded(end: End, side: int) -> End:
    """The end of whole numbers x, where the other noises are whole numbers too."""
    cover(all(c.denominator == 1 for _, c in end.vector), "whole numbers with different factors")
    n = math.ceil(end.value) if side > 0 else math.floor(end.value)
    return End(end.vector, n + side if end.strict and n == end.value else n, False)


def integrated(
    bounds: list[Bound], x: str, terms: Terms, whole: bool
) -> Iterator[tuple[Cell, Terms]]:
    """(a cell, the integral of the terms over x there), for each choice of the bounds of x."""
    CLOCK.ask()
    others = [b for b in bounds if x not in dict(b.vector)]
    lows, highs = ends(bounds, x, 1, whole), ends(bounds, x, -1, whole)
    for i, low in choices(lows):
        for j, high in choices(highs):
            told = [low.minus(b, k < i) for k, b in enumerate(lows) if k != i] if low else []
            told += [b.minus(high, k < j) for k, b in enumerate(highs) if k != j] if high else []
            told += [high.minus(low)] if low and high else []
            cell = simplified([*others, *told])
            if cell is not None:
                yield cell, integral(terms, x, low, high, whole)


def choices(listed: list[End]) -> list[tuple[int, End | None]]:
    return [*enumerate(listed)] or [(0, None)]


# sums of products of powers and exponentials


def summed(a: Terms, b: Terms) -> Terms:
    out = dict(a)
    for key, c in b.items():
        out[key] = out[key] + c if key in out else c
    return {key: c for key, c in out.items() if not c.is_zero}


def multiplied(a: Terms, b: Terms) -> Terms:
    out: Terms = {}
    for i, c in a.items():
        out = summed(out, {product_of_keys(i, j): c * d for j, d in b.items()})
    return out


@cache
def product_of_keys(i: Key, j: Key) -> Key:
    powers: dict[str, tuple[int, Number]] = {n: (k, r) for n, k, r in i}
    for n, k, r in j:
        k0, r0 = powers.get(n, (0, 0))
        powers[n] = (k0 + k, r0 + r)
    return tuple(sorted((n, k, r) for n, (k, r) in powers.items() if k or r))


def integral(terms: Terms, x: str, low: End | None, high: End | None, whole: bool) -> Terms:
    """The integral, or the sum, of the terms over x from one end to the other, both included."""
    after = End(high.vector, high.value + 1, False) if high and whole else high
    side = 1 if whole else -1  # of what is found at the lower end
    out: Terms = {}
    for key, c in terms.items():
        k, r = next(((k, r) for n, k, r in key if n == x), (0, 0))
        cover(low is not None or r > 0, "an integral that diverges")
        cover(high is not None or r < 0, "an integral that diverges")
        rest: Terms = {tuple(part for part in key if part[0] != x): c}
        primitive = (sums_from if whole else antiderivative)(k, r)
        for end, sign in ((low, side), (after, -side)):
            for power, factor in primitive.items():
                value = multiplied(at_end(power, r, end), {(): factor.scaled(sign)}) if end else {}
                out = summed(out, multiplied(rest, value))
    return out


@cache
def antiderivative(k: int, r: Number) -> dict[int, Form]:
    """{power: factor}: the sum of factor x^power exp(r x) has the derivative x^k exp(r x)."""
    if not r:
        return {k + 1: constant(Fraction(1, k + 1))}
    rate = Fraction(r)
    return {
        k - i: constant(Fraction((-1) ** i * math.perm(k, i)) / rate ** (i + 1))
        for i in range(k + 1)
    }


@cache
def sums_from(k: int, r: Number) -> dict[int, Form]:
    """{power: factor}: S(x), the sum of factor x^power exp(r x), has S(x) - S(x + 1) = x^k exp(r
    x).

    The coefficients of x^k, x^(k-1), ... give one factor after another.
    """
    y, found = exp_of(constant(r)), dict[int, Form]()
    for j in range(k, -1, -1):
        later = total(c.scaled(math.comb(i, j)) for i, c in found.items() if i > j + (r == 0))
        wanted = (UNIT if j == k else NOTHING) + y * later
        if r:
            found[j] = wanted / (UNIT - y)
        else:
            found[j + 1] = -wanted.scaled(Fraction(1, j + 1))
    return found


def at_end(power: int, r: Number, end: End) -> Terms:
    """x^power exp(r x), where x is the end."""
    line: Terms = {((n, 1, 0),): constant(c) for n, c in end.vector}
    if end.value:
        line[()] = constant(end.value)
    out: Terms = {tuple((n, 0, r * c) for n, c in end.vector if r): exp_of(constant(r * end.value))}
    for _ in range(power):
        out = multiplied(out, line)
    return out


def forget() -> None:
    """Frees the sums of earlier records."""
    sums_from.cache_clear()
