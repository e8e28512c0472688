"""Laws of one real or whole-number output without names: single exponentials between points, compared exactly.

Where two laws are c exp(k s + m) and c' exp(k' s + m'), the logarithm of their ratio is linear in s.  So p <= exp(level) p' holds on an
interval if it holds at its finite ends (as a limit), and if at an infinite end the slope k' - k points the right way.  The points are found
by asking for the sign that `normal` misses: a linear guard changes its sign at one point.

>>> from ahdp_verify.expression import Abs, exp
>>> from ahdp_verify.mechanism import real
>>> s = real("s")
>>> p, q = (line(exp(-Abs(s - c)) / 2, s) for c in (0, 1))
>>> [point.key for point in p.points], below(p, q, constant(1)), below(p, q, constant(1).scale(0))
(['0'], True, False)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ahdp_verify import algebra
from ahdp_verify.algebra import Polynomial, Ratio, constant, exp_of
from ahdp_verify.ball import enclose, sign
from ahdp_verify.context import Context, normal
from ahdp_verify.errors import Rejected, Undecided, Unsupported
from ahdp_verify.event import ascending, sign_between
from ahdp_verify.expression import Expression
from ahdp_verify.integrate import exponential, inside, pieces
from ahdp_verify.mechanism import Output

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

    whole: bool
    points: tuple[Ratio, ...]
    pieces: tuple[Piece, ...]


def context(output: Output) -> Context:
    """What is known of an output before it is compared with points."""
    return Context.empty(frozenset((output.name,)) if output.kind == "integer" else frozenset())


def line(law: Expression, output: Output) -> Line:
    """The law as single exponentials; Unsupported where it is of another form, Rejected where it is negative."""
    points: tuple[Ratio, ...] = ()
    here = context(output)
    while len(points) <= MOST:
        try:
            laws = [normal(law, inside(output.name, output.kind, points, upper, here)) for _, _, upper in pieces(len(points))]
            listed = tuple(piece(settled(r, output.name), output.name) for r in laws)
            return Line(output.kind == "integer", points, listed)
        except Undecided as missing:
            more = ascending([*points, *roots(innermost(missing.guard, output.name), output)], here)
            if len(more) == len(points):
                raise Unsupported("a sign in the law stays unknown between its points") from None
            points = more
    raise Unsupported(f"a law of more than {MOST} points")


def settled(r: Ratio, variable: str) -> Ratio:
    """The ratio itself; Undecided with what stands between bars in it, if that mentions the variable."""
    for p in (r.num, *(f for f, _ in r.den)):
        for a in algebra.atoms(p):
            if a.kind == "abs" and variable in algebra.names_of(a):
                raise Undecided(a.payload[0].num)
            if a.kind == "exp":
                settled(Ratio(algebra.of_monomial(a.payload[0]), a.payload[1]), variable)
    return r


def innermost(guard: object, variable: str) -> object:
    """What stands between the innermost bars of a guard; the guard itself where there are none."""
    inside_ = [a.payload[0].num for a in algebra.atoms(guard) if a.kind == "abs" and variable in algebra.names_of(a)] if isinstance(guard, Polynomial) else []
    return innermost(inside_[0], variable) if inside_ else guard


def roots(guard: object, output: Output) -> list[Ratio]:
    """Where the sign of a linear guard changes; for whole numbers, the first numbers of the new sign."""
    split = algebra.linear(guard, output.name) if isinstance(guard, Polynomial) else None
    if split is None or not split[0].terms or algebra.polynomial_names(split[0]) or algebra.polynomial_names(split[1]):
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
    rest, rate, shift = exponential(m, variable)
    factor = Ratio(algebra.of_monomial(rest, c), law.den) * Ratio(constants)
    if algebra.ratio_names(factor) or algebra.ratio_names(rate) or algebra.ratio_names(shift):
        raise Unsupported("between two points the law is no single exponential")
    if sign(factor) != 1:
        raise Rejected("the law is negative somewhere") if sign(factor) == -1 else Unsupported("the sign of the law is not decided")
    return Piece(factor, rate, shift)


def below(p: Line, q: Line, level: Ratio) -> bool:
    """Whether p <= exp(level) q everywhere (for densities: up to single points); Unsupported where that is not decided."""
    points = ascending([*p.points, *q.points], Context.empty())
    for i, j, _ in pieces(len(points)):
        u, v = (None if i is None else points[i]), (None if j is None else points[j])
        if p.whole and v is not None:
            v = v - constant(1)
        if not piece_below(above(p, u), above(q, u), level, (u, v)):
            return False
    return True


def above(one: Line, u: Ratio | None) -> Piece:
    """The piece of a law just above u, or below all points for None."""
    if u is None:
        return one.pieces[0]
    return one.pieces[sum(1 for point in one.points if sign_between(point, u, Context.empty()) <= 0)]


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
