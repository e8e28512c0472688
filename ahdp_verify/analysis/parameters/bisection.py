"""The ends of a range enclosed by halving, where no function says where they lie.

>>> where = RealInterval(number(0), None, False, False)
>>> print(*(f"{x}" for x in _values_outward(where, 1)))
1/8 1/4 1/2 1 2 4 8 16 32
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ahdp_verify.analysis.parameters.pieces import RangePiece
from ahdp_verify.analysis.parameters.range_search import HERE, RangeSearch, undecided_piece
from ahdp_verify.kernel.checker import refute
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms.expression import ZERO, Expression, number
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.intervals import RealInterval
from ahdp_verify.search.loss.margins import restrict_parameter

STEPS = 48  # halvings of a bracket
NARROW = Fraction(1, 10**10)  # width of a bracket that is narrow enough


def pieces_by_bisection(
    run: RangeSearch, where: RealInterval, refuted: Refuted
) -> list[RangePiece]:
    """The pieces below and above a refuted value where no function bounds the range of its event:
    the ends enclosed by halving.
    """
    at = dict(refuted.counterexample.parameters)[run.parameter]
    point = RealInterval(at, at, True, True)
    middle = RangePiece(
        point,
        refute(restrict_parameter(run.written, run.parameter, point), refuted.counterexample),
        True,
    )
    below, above = (
        RealInterval(where.low, at, where.low_closed, False),
        RealInterval(at, where.high, False, where.high_closed),
    )
    found = [middle]
    if not below.is_empty:
        found = [*_pieces_on_side(run, below, -1), *found]
    if not above.is_empty:
        found += _pieces_on_side(run, above, 1)
    return found


def _pieces_on_side(run: RangeSearch, where: RealInterval, direction: int) -> list[RangePiece]:
    """The pieces of an interval at whose near end (the lower one for direction 1) the claim is
    refuted, in order.
    """
    near = where.low if direction > 0 else where.high
    proved: tuple[Expression, Proved] | None = None
    refuted = ZERO if near is None else near
    for x in _values_outward(where, direction):
        verdict = run.verdict(_part_beyond(where, x, direction))
        if isinstance(verdict, Proved):
            proved = (x, verdict)
            break
        refuted = x if _is_refuted_at(run, x) else refuted
    for _ in range(STEPS if proved is not None else 0):
        a, b = _rational(refuted), _rational(proved[0] if proved is not None else refuted)
        if abs(a - b) < NARROW * max(Fraction(1), abs(a)):
            break
        middle = number(((a + b) / 2).limit_denominator(1 << 40))
        verdict = run.verdict(_part_beyond(where, middle, direction))
        if isinstance(verdict, Proved):
            proved = (middle, verdict)
        elif _is_refuted_at(run, middle):
            refuted = middle
        else:
            break
    return _as_pieces(run, where, direction, refuted, proved)


def _as_pieces(
    run: RangeSearch,
    where: RealInterval,
    direction: int,
    refuted: Expression,
    proved: tuple[Expression, Proved] | None,
) -> list[RangePiece]:
    """Unknown up to the last refuted value, that value, unknown up to the first proved one, and
    the proved piece.
    """
    near = where.low if direction > 0 else where.high
    listed: list[RangePiece] = []
    point = RealInterval(refuted, refuted, True, True)
    if refuted != near:
        listed += [
            undecided_piece(
                run,
                _ordered(near, refuted, direction),
                "the claim was refuted only at isolated values",
            )
        ]
        at_point = run.verdict(point)
        listed += [RangePiece(point, at_point, isinstance(at_point, Refuted))]
    if proved is None:
        far = where.high if direction > 0 else where.low
        closed = where.high_closed if direction > 0 else where.low_closed
        listed += [
            undecided_piece(
                run,
                _ordered(refuted, far, direction, closed),
                "no value was found beyond which the claim is proved",
            )
        ]
    else:
        listed += [undecided_piece(run, _ordered(refuted, proved[0], direction), HERE)]
        listed += [RangePiece(_part_beyond(where, proved[0], direction), proved[1])]
    return listed if direction > 0 else listed[::-1]


def _ordered(
    a: Expression | None, b: Expression | None, direction: int, closed: bool = False
) -> RealInterval:
    return RealInterval(a, b, False, closed) if direction > 0 else RealInterval(b, a, closed, False)


def _is_refuted_at(run: RangeSearch, x: Expression) -> bool:
    """True if the claim is refuted at one value."""
    return isinstance(run.verdict(RealInterval(x, x, True, True)), Refuted)


def _rational(x: Expression) -> Fraction:
    return RealInterval(x).bounds[0] or Fraction(0)


def _values_outward(where: RealInterval, direction: int) -> Iterator[Expression]:
    """Values ever further from the near end of an interval."""
    low, high = where.bounds
    near, far = (low, high) if direction > 0 else (high, low)
    start = near if near is not None else Fraction(0)
    for k in range(-3, 6):
        step = (
            Fraction(2) ** k if far is None else abs(far - start) * (1 - Fraction(1, 2 ** (k + 4)))
        )
        yield number(start + direction * step)


def _part_beyond(where: RealInterval, x: Expression, direction: int) -> RealInterval:
    """The part of an interval from a value on."""
    return (
        RealInterval(x, where.high, True, where.high_closed)
        if direction > 0
        else RealInterval(where.low, x, where.low_closed, True)
    )
