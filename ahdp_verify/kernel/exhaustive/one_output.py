"""Laws of one real or integer output without names: single exponentials between points, compared
exactly.

Where two densities are c exp(k s + m) and c' exp(k' s + m'), the logarithm of their ratio is
linear in s.  So p <= exp(level) p' holds on an interval if it holds at its finite ends (as a
limit), and if at an infinite end the slope k' - k points the right way.  The points are the zeros
of the guards whose sign `normal` needs: a linear guard changes its sign at one point.

>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.outputs import real
>>> s = real("s")
>>> p, q = (piecewise_law(exp(-Abs(s - c)) / 2, s) for c in (0, 1))
>>> [point.key for point in p.points], is_dominated(p, q, constant(1)), is_dominated(p, q, constant(1).scale(0))
(['0'], True, False)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import (
    Polynomial,
    Ratio,
    constant,
    exp_of,
    exponential_form,
    log_of,
)
from ahdp_verify.kernel.numbers.ball import constant_sign, enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.events import ascending_points, sign_of_difference
from ahdp_verify.kernel.rules.integration import (
    exponentials_total,
    piece_bounds,
    piece_context,
)
from ahdp_verify.kernel.terms.expression import Expression

MOST = 200  # points of one distribution; guards the running time


@dataclass(frozen=True, slots=True)
class ExponentialPiece:
    """c exp(rate * s + shift) between two points; `factor` is c, which is >= 0."""

    factor: Ratio
    rate: Ratio
    shift: Ratio


@dataclass(frozen=True, slots=True)
class PiecewiseLaw:
    """A distribution of one output: ascending points, and one piece more than points."""

    output: Output
    points: tuple[Ratio, ...]
    pieces: tuple[ExponentialPiece, ...]


def _output_context(output: Output) -> Context:
    """What is known about an output before it is compared with points."""
    return Context.empty(frozenset((output.name,)) if output.kind == "integer" else frozenset())


def piecewise_law(law: Expression, output: Output) -> PiecewiseLaw:
    """The law as single exponentials; Unsupported if it has another form, Rejected if it is
    negative somewhere.
    """
    points: tuple[Ratio, ...] = ()
    here = _output_context(output)
    while len(points) <= MOST:
        try:
            laws = [
                normal(law, piece_context(output.name, output.kind, points, upper, here))
                for _, _, upper in piece_bounds(len(points))
            ]
            listed = tuple(
                _exponential_piece(_without_bars(r, output.name), output.name) for r in laws
            )
            return PiecewiseLaw(output, points, listed)
        except Undecided as missing:
            more = ascending_points(
                [*points, *_sign_changes(_innermost_bars(missing.guard, output.name), output)], here
            )
            if len(more) == len(points):
                raise Unsupported("a sign in the law is unknown between its points") from None
            points = more
    raise Unsupported(f"a law of more than {MOST} points")


def _without_bars(r: Ratio, variable: str) -> Ratio:
    """The ratio itself; Undecided with the argument of an absolute value in it, if that mentions
    the variable.
    """
    for p in (r.num, *(f for f, _ in r.den)):
        for a in sorted(algebra.polynomial_atoms(p)):
            if a.kind == "abs" and variable in algebra.atom_names(a):
                raise Undecided(a.payload[0].num)
            if a.kind == "exp":
                _without_bars(
                    Ratio(algebra.polynomial_of_monomial(a.payload[0]), a.payload[1]), variable
                )
    return r


def _innermost_bars(guard: object, variable: str) -> object:
    """The argument of the innermost absolute value in a guard; the guard itself if there is
    none.
    """
    for a in sorted(algebra.polynomial_atoms(guard)) if isinstance(guard, Polynomial) else ():
        if a.kind == "abs" and variable in algebra.atom_names(a):
            return _innermost_bars(a.payload[0].num, variable)
    return guard


def _sign_changes(guard: object, output: Output) -> list[Ratio]:
    """Where the sign of a linear guard changes; for integers, the first numbers of the new sign."""
    split = None
    if isinstance(guard, Polynomial):
        split = algebra.linear_coefficients(guard, output.name)
    if split is None or not split[0].terms or any(map(algebra.polynomial_names, split)):
        raise Unsupported("the law has branches that are not linear in the output")
    root = Ratio(-split[1]) / Ratio(split[0])
    if output.kind != "integer":
        return [root]
    exact = root.as_rational
    if exact is not None:
        return [constant(math.ceil(exact)), constant(math.floor(exact) + 1)]
    low, high = (math.floor(end) for end in enclose(root, 256))
    if low != high:
        raise Unsupported("a branch of the law changes too close to an integer")
    return [constant(low + 1)]


def _exponential_piece(law: Ratio, variable: str) -> ExponentialPiece:
    """A law on one piece as a single exponential."""
    zero = constant(0)
    if law.is_zero:
        return ExponentialPiece(zero, zero, zero)
    c, m, constants = algebra.primitive_part(law.num)
    try:
        rest, rate, shift = exponential_form(m, variable)
    except Unsupported:
        raise Unsupported(
            "between two points the law was not found to be a single exponential"
        ) from None
    factor = Ratio(algebra.polynomial_of_monomial(rest, c), law.den) * Ratio(constants)
    if algebra.ratio_names(factor) or algebra.ratio_names(rate) or algebra.ratio_names(shift):
        raise Unsupported("between two points the law was not found to be a single exponential")
    if constant_sign(factor) != 1:
        raise (
            Rejected("the law was not shown to be nonnegative")
            if constant_sign(factor) == -1
            else Unsupported("the sign of the law could not be decided")
        )
    return ExponentialPiece(factor, rate, shift)


def is_dominated(p: PiecewiseLaw, q: PiecewiseLaw, level: Ratio) -> bool:
    """Whether p <= exp(level) q everywhere (for densities: up to single points); Unsupported if
    that could not be decided.
    """
    return all(
        _is_piece_dominated(a, b, level, _closed_ends(p, ends))
        for a, b, ends in _common_pieces(p, q)
    )


_PieceEnds = tuple[Ratio | None, Ratio | None]


def _common_pieces(
    p: PiecewiseLaw, q: PiecewiseLaw
) -> Iterator[tuple[ExponentialPiece, ExponentialPiece, _PieceEnds]]:
    """The pieces of both distributions between all their points; None is an infinite end."""
    points = ascending_points([*p.points, *q.points], Context.empty())
    for i, j, _ in piece_bounds(len(points)):
        u, v = (None if i is None else points[i]), (None if j is None else points[j])
        yield _piece_above(p, u), _piece_above(q, u), (u, v)


def _closed_ends(one: PiecewiseLaw, ends: _PieceEnds) -> _PieceEnds:
    """The first and the last place of a piece; for real outputs its ends."""
    u, v = ends
    return (u, v - constant(1)) if one.output.kind == "integer" and v is not None else ends


def largest_ratio(p: PiecewiseLaw, q: PiecewiseLaw) -> Ratio | None:
    """The least upper bound of p / q where p > 0, None for infinity."""
    result = constant(0)
    for a, b, ends in _common_pieces(p, q):
        if a.factor.is_zero:
            continue
        u, v = _closed_ends(p, ends)
        slope = 0 if b.factor.is_zero else known_sign(b.rate - a.rate)
        if b.factor.is_zero or (u is None and slope > 0) or (v is None and slope < 0):
            return None
        for e in [e for e in (u, v) if e is not None] or [constant(0)]:
            result = larger_constant(
                result, a.factor / b.factor * exp_of((a.rate - b.rate) * e + a.shift - b.shift)
            )
    return result


def larger_constant(a: Ratio, b: Ratio) -> Ratio:
    """The larger of two constants."""
    return a if known_sign(a - b) >= 0 else b


def hockey_stick_divergence(p: PiecewiseLaw, q: PiecewiseLaw, level: Ratio) -> Ratio:
    """The hockey-stick divergence: the total of max(0, p - exp(level) q)."""
    total = constant(0)
    for a, b, ends in _common_pieces(p, q):
        if (part := _violating_interval(a, b, level, ends, p.output)) is not None:
            mass, other = (_piece_mass(piece, part, p.output) for piece in (a, b))
            total = total + mass - exp_of(level) * other
    return total


def _violating_interval(
    a: ExponentialPiece, b: ExponentialPiece, level: Ratio, ends: _PieceEnds, output: Output
) -> _PieceEnds | None:
    """The part of a piece on which a > exp(level) b, an interval since log(a / b) is linear;
    None if it is empty.
    """
    u, v = ends
    if a.factor.is_zero or b.factor.is_zero:
        return None if a.factor.is_zero else ends
    rise = a.rate - b.rate
    slope = known_sign(rise)
    if slope == 0:
        return None if _is_value_dominated(a, b, level, constant(0)) else ends
    change = (level + b.shift - a.shift - log_of(a.factor / b.factor)) / rise
    if output.kind == "integer":
        change = _first_beyond(change, lambda s: _is_value_dominated(a, b, level, s) == (slope < 0))
    low = change if slope > 0 and (u is None or known_sign(change - u) > 0) else u
    high = change if slope < 0 and (v is None or known_sign(v - change) > 0) else v
    if low is not None and high is not None and known_sign(high - low) <= 0:
        return None
    return low, high


def _first_beyond(change: Ratio, beyond: Callable[[Ratio], bool]) -> Ratio:
    """The first integer beyond a sign change, which lies near it."""
    n = math.floor(enclose(change, 256)[0])
    for candidate in (n, n + 1, n + 2):
        if beyond(constant(candidate)):
            return constant(candidate)
    raise Unsupported("where two densities cross could not be decided")


def _piece_mass(a: ExponentialPiece, ends: _PieceEnds, output: Output) -> Ratio:
    """The total of a piece between two ends; the upper end of an integer output is not included."""
    if a.factor.is_zero:
        return constant(0)
    law = a.factor * exp_of(a.rate * algebra.symbol(output.name) + a.shift)
    return exponentials_total(
        law, output.name, output.kind, ends[0], ends[1], _output_context(output)
    )


def _piece_above(one: PiecewiseLaw, u: Ratio | None) -> ExponentialPiece:
    """The piece of a law just above u, or below all points for None."""
    if u is None:
        return one.pieces[0]
    return one.pieces[
        sum(1 for point in one.points if sign_of_difference(point, u, Context.empty()) <= 0)
    ]


def _is_piece_dominated(
    p: ExponentialPiece, q: ExponentialPiece, level: Ratio, ends: tuple[Ratio | None, Ratio | None]
) -> bool:
    """Whether p <= exp(level) q on one interval."""
    if p.factor.is_zero:
        return True
    if q.factor.is_zero:
        return False
    slope = known_sign(q.rate - p.rate)
    if (ends[0] is None and slope > 0) or (ends[1] is None and slope < 0):
        return False
    listed = [e for e in ends if e is not None] or [constant(0)]
    return all(_is_value_dominated(p, q, level, e) for e in listed)


def _is_value_dominated(p: ExponentialPiece, q: ExponentialPiece, level: Ratio, s: Ratio) -> bool:
    """Whether the level is kept at one point, for positive factors: if they are equal, a comparison
    of exponents remains.
    """
    gap = level + (q.rate - p.rate) * s + q.shift - p.shift
    if p.factor.key == q.factor.key:
        return known_sign(gap) >= 0
    return known_sign(exp_of(gap) * q.factor - p.factor) >= 0


def known_sign(r: Ratio) -> int:
    """The sign of a constant."""
    s = constant_sign(r)
    if s is None:
        raise Unsupported("a comparison of two probabilities could not be decided")
    return s
