"""Laws of one real or whole-number output without names: single exponentials between points,
compared exactly.

Where two laws are c exp(k s + m) and c' exp(k' s + m'), the logarithm of their ratio is linear in
s.  So p <= exp(level) p' holds on an interval if it holds at its finite ends (as a limit), and if
at an infinite end the slope k' - k points the right way.  The points are found by asking for the
sign that `normal` misses: a linear guard changes its sign at one point.

>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.outputs import real
>>> s = real("s")
>>> p, q = (line(exp(-Abs(s - c)) / 2, s) for c in (0, 1))
>>> [point.key for point in p.points], below(p, q, constant(1)), below(p, q, constant(1).scale(0))
(['0'], True, False)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, constant, exp_of, log_of
from ahdp_verify.kernel.numbers.ball import enclose, sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.events import ascending, sign_between
from ahdp_verify.kernel.rules.integration import exponential, inside, piece_total, pieces
from ahdp_verify.kernel.terms.expression import Expression

MOST = 200  # points of one law


@dataclass(frozen=True, slots=True)
class Piece:
    """c exp(rate * s + shift) between two points; `factor` is c, which is >= 0."""

    factor: Ratio
    rate: Ratio
    shift: Ratio


@dataclass(frozen=True, slots=True)
class Line:
    """A law of one output: ascending points, and one piece more than points."""

    output: Output
    points: tuple[Ratio, ...]
    pieces: tuple[Piece, ...]


def context(output: Output) -> Context:
    """What is known of an output before it is compared with points."""
    return Context.empty(frozenset((output.name,)) if output.kind == "integer" else frozenset())


def line(law: Expression, output: Output) -> Line:
    """The law as single exponentials; Unsupported where it is of another form, Rejected where it
    is negative.
    """
    points: tuple[Ratio, ...] = ()
    here = context(output)
    while len(points) <= MOST:
        try:
            laws = [
                normal(law, inside(output.name, output.kind, points, upper, here))
                for _, _, upper in pieces(len(points))
            ]
            listed = tuple(piece(settled(r, output.name), output.name) for r in laws)
            return Line(output, points, listed)
        except Undecided as missing:
            more = ascending([*points, *roots(innermost(missing.guard, output.name), output)], here)
            if len(more) == len(points):
                raise Unsupported("a sign in the law stays unknown between its points") from None
            points = more
    raise Unsupported(f"a law of more than {MOST} points")


def settled(r: Ratio, variable: str) -> Ratio:
    """The ratio itself; Undecided with what stands between bars in it, if that mentions the
    variable.
    """
    for p in (r.num, *(f for f, _ in r.den)):
        for a in algebra.in_order(p):
            if a.kind == "abs" and variable in algebra.names_of(a):
                raise Undecided(a.payload[0].num)
            if a.kind == "exp":
                settled(Ratio(algebra.of_monomial(a.payload[0]), a.payload[1]), variable)
    return r


def innermost(guard: object, variable: str) -> object:
    """What stands between the innermost bars of a guard; the guard itself where there are none."""
    inside_ = (
        [
            a.payload[0].num
            for a in algebra.in_order(guard)
            if a.kind == "abs" and variable in algebra.names_of(a)
        ]
        if isinstance(guard, Polynomial)
        else []
    )
    return innermost(inside_[0], variable) if inside_ else guard


def roots(guard: object, output: Output) -> list[Ratio]:
    """Where the sign of a linear guard changes; for whole numbers, the first numbers of the new
    sign.
    """
    split = algebra.linear(guard, output.name) if isinstance(guard, Polynomial) else None
    if (
        split is None
        or not split[0].terms
        or algebra.polynomial_names(split[0])
        or algebra.polynomial_names(split[1])
    ):
        raise Unsupported("the law has branches that are not linear in the output")
    root = Ratio(-split[1]) / Ratio(split[0])
    if output.kind != "integer":
        return [root]
    exact = root.as_rational
    if exact is not None:
        return [constant(math.ceil(exact)), constant(math.floor(exact) + 1)]
    low, high = (math.floor(end) for end in enclose(root, 256))
    if low != high:
        raise Unsupported("a branch of the law changes too near to a whole number")
    return [constant(low + 1)]


def piece(law: Ratio, variable: str) -> Piece:
    """A law on one piece as a single exponential."""
    zero = constant(0)
    if law.is_zero:
        return Piece(zero, zero, zero)
    c, m, constants = algebra.content(law.num)
    try:
        rest, rate, shift = exponential(m, variable)
    except Unsupported:
        raise Unsupported(
            "between two points the law was not found to be a single exponential"
        ) from None
    factor = Ratio(algebra.of_monomial(rest, c), law.den) * Ratio(constants)
    if algebra.ratio_names(factor) or algebra.ratio_names(rate) or algebra.ratio_names(shift):
        raise Unsupported("between two points the law was not found to be a single exponential")
    if sign(factor) != 1:
        raise (
            Rejected("that the law is nowhere negative was not shown")
            if sign(factor) == -1
            else Unsupported("the sign of the law is not decided")
        )
    return Piece(factor, rate, shift)


def below(p: Line, q: Line, level: Ratio) -> bool:
    """Whether p <= exp(level) q everywhere (for densities: up to single points); Unsupported
    where that is not decided.
    """
    return all(piece_below(a, b, level, closed(p, ends)) for a, b, ends in together(p, q))


Ends = tuple[Ratio | None, Ratio | None]


def together(p: Line, q: Line) -> Iterator[tuple[Piece, Piece, Ends]]:
    """The pieces of both laws between all their points; None is an infinite end."""
    points = ascending([*p.points, *q.points], Context.empty())
    for i, j, _ in pieces(len(points)):
        u, v = (None if i is None else points[i]), (None if j is None else points[j])
        yield above(p, u), above(q, u), (u, v)


def closed(one: Line, ends: Ends) -> Ends:
    """The first and the last place of a piece; for real outputs its ends."""
    u, v = ends
    return (u, v - constant(1)) if one.output.kind == "integer" and v is not None else ends


def worst(p: Line, q: Line) -> Ratio | None:
    """The least upper bound of p / q where p > 0, None for infinity."""
    result = constant(0)
    for a, b, ends in together(p, q):
        if a.factor.is_zero:
            continue
        u, v = closed(p, ends)
        slope = 0 if b.factor.is_zero else decided(b.rate - a.rate)
        if b.factor.is_zero or (u is None and slope > 0) or (v is None and slope < 0):
            return None
        for e in [e for e in (u, v) if e is not None] or [constant(0)]:
            result = larger(
                result, a.factor / b.factor * exp_of((a.rate - b.rate) * e + a.shift - b.shift)
            )
    return result


def larger(a: Ratio, b: Ratio) -> Ratio:
    """The larger of two constants."""
    return a if decided(a - b) >= 0 else b


def excess(p: Line, q: Line, level: Ratio) -> Ratio:
    """The total of max(0, p - exp(level) q)."""
    total = constant(0)
    for a, b, ends in together(p, q):
        if (part := excessive(a, b, level, ends, p.output)) is not None:
            total = total + mass(a, part, p.output) - exp_of(level) * mass(b, part, p.output)
    return total


def excessive(a: Piece, b: Piece, level: Ratio, ends: Ends, output: Output) -> Ends | None:
    """The part of a piece on which a > exp(level) b, an interval since log(a / b) is linear;
    None if it is empty.
    """
    u, v = ends
    if a.factor.is_zero or b.factor.is_zero:
        return None if a.factor.is_zero else ends
    rise = a.rate - b.rate
    slope = decided(rise)
    if slope == 0:
        return None if value_below(a, b, level, constant(0)) else ends
    change = (level + b.shift - a.shift - log_of(a.factor / b.factor)) / rise
    if output.kind == "integer":
        change = first_beyond(change, lambda s: value_below(a, b, level, s) == (slope < 0))
    low = change if slope > 0 and (u is None or decided(change - u) > 0) else u
    high = change if slope < 0 and (v is None or decided(v - change) > 0) else v
    return (
        None if low is not None and high is not None and decided(high - low) <= 0 else (low, high)
    )


def first_beyond(change: Ratio, beyond: Callable[[Ratio], bool]) -> Ratio:
    """The first whole number that is beyond a change, which lies near it."""
    n = math.floor(enclose(change, 256)[0])
    for candidate in (n, n + 1, n + 2):
        if beyond(constant(candidate)):
            return constant(candidate)
    raise Unsupported("where two laws cross is not decided")


def mass(a: Piece, ends: Ends, output: Output) -> Ratio:
    """The total of a piece between two ends; a whole upper end is not included."""
    if a.factor.is_zero:
        return constant(0)
    law = a.factor * exp_of(a.rate * algebra.symbol(output.name) + a.shift)
    return piece_total(law, output.name, output.kind, ends[0], ends[1], context(output))


def above(one: Line, u: Ratio | None) -> Piece:
    """The piece of a law just above u, or below all points for None."""
    if u is None:
        return one.pieces[0]
    return one.pieces[
        sum(1 for point in one.points if sign_between(point, u, Context.empty()) <= 0)
    ]


def piece_below(p: Piece, q: Piece, level: Ratio, ends: tuple[Ratio | None, Ratio | None]) -> bool:
    """The same on one interval."""
    if p.factor.is_zero:
        return True
    if q.factor.is_zero:
        return False
    slope = decided(q.rate - p.rate)
    if (ends[0] is None and slope > 0) or (ends[1] is None and slope < 0):
        return False
    listed = [e for e in ends if e is not None] or [constant(0)]
    return all(value_below(p, q, level, e) for e in listed)


def value_below(p: Piece, q: Piece, level: Ratio, s: Ratio) -> bool:
    """The same at one place, for positive factors: equal ones leave a comparison of exponents."""
    gap = level + (q.rate - p.rate) * s + q.shift - p.shift
    if p.factor.key == q.factor.key:
        return decided(gap) >= 0
    return decided(exp_of(gap) * q.factor - p.factor) >= 0


def decided(r: Ratio) -> int:
    """The sign of a constant."""
    s = sign(r)
    if s is None:
        raise Unsupported("a comparison of two probabilities is not decided")
    return s
