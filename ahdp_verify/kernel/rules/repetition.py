"""The total of a law that repeats itself beyond a point.

    here, s > u |- f(s + P) = c f(s)        0 <= c < 1        P = v - u > 0
    ------------------------------------------------------------------------
    here |- the total of f beyond v  =  c / (1 - c) * the total of f from u to v

f        the law as a function of one output s;  u, v two of its points
c        a ratio free of s;  towards -oo with the signs reversed
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, constant, symbol
from ahdp_verify.kernel.numbers.hypotheses import Context, with_ratio_fact
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression, truth
from ahdp_verify.kernel.terms.expression import (
    Expression,
    add,
    name,
    names,
    substitute,
    transform,
    walk,
)


def periodic_total(
    density: Expression,
    variable: str,
    kind: str,
    points: tuple[Ratio, ...],
    upper: int,
    here: Context,
    total_below: Callable[[int], Ratio],
) -> Ratio | None:
    """The total of a law beyond the last (before the first) point, where it repeats itself: f(s +
    P) = c f(s), 0 <= c < 1, from another point on.

    P > 0 is the distance of the two points and c is free of s.  The total beyond is then c + c^2 +
    ... times the total between them.  None if no point has this property, Undecided if one may have
    it once a sign is known.
    """
    last, missing = len(points) - 1, None
    for i in reversed(range(last)) if upper else range(1, last + 1):
        ends = (i, last) if upper else (0, i)
        period = points[ends[1]] - points[ends[0]]
        if here.ratio_signs(period) != {1}:
            continue
        place = here
        for j, b in enumerate(points):
            if j <= i if upper else j >= i:
                s = symbol(variable) - b
                place = with_ratio_fact(
                    s if upper else -s, ">=" if kind == "integer" and upper else ">", place
                )
        try:
            factor = shift_factor(density, variable, period if upper else -period, place)
            if factor is not None and _is_contraction(factor, here):
                parts = (total_below(k) for k in range(ends[0] + 1, ends[1] + 1))
                return sum(parts, constant(0)) * factor / (constant(1) - factor)
        except Undecided as reason:
            missing = (
                missing
                if isinstance(reason.guard, Polynomial)
                and variable in algebra.polynomial_names(reason.guard)
                else missing or reason
            )
        except (Unsupported, ZeroDivisionError):
            continue
    if missing is not None:
        raise missing
    return None


def _is_contraction(factor: Ratio, here: Context) -> bool:
    """True only if 0 <= factor < 1 here."""
    if factor.is_zero:
        return True
    if here.ratio_signs(factor) != {1}:
        return False
    return here.ratio_signs(algebra.log_of(factor)) == {-1} or here.ratio_signs(
        constant(1) - factor
    ) == {1}


def shift_factor(density: Expression, variable: str, period: Ratio, here: Context) -> Ratio | None:
    """The c, free of the variable, with f(variable + period) = c f(variable) here; None where
    there is none, or none was found.
    """
    moved = {variable: add(name(variable), to_expression(period))}
    factor: Ratio | None = None
    for law in _branch_laws(density, moved, here):
        value, after = normal(law, here), normal(substitute(law, moved), here)
        if value.is_zero and after.is_zero:
            continue
        if value.is_zero:
            return None
        ratio = after / value
        if (
            variable in algebra.ratio_names(ratio)
            or not (after - ratio * value).is_zero
            or (factor is not None and not (ratio - factor).is_zero)
        ):
            return None
        factor = ratio
    return constant(0) if factor is None else factor


def _branch_laws(
    law: Expression, moved: Mapping[str, Expression], here: Context
) -> Iterator[Expression]:
    """The possible forms of f where a condition in it is not decided, each with the same branch
    before and after the shift.

    Such a condition must compare the same quantity after the shift as before; Unsupported
    otherwise.
    """
    for node in walk(law):
        if node.head == "piecewise" and not names(node).isdisjoint(moved):
            for branch in _branch_values(node, moved, here):
                yield from _branch_laws(transform(law, {node: branch}.get), moved, here)
            return
    yield law


def _branch_values(
    node: Expression, moved: Mapping[str, Expression], here: Context
) -> list[Expression]:
    """The values that a piecewise node can have here, none of which becomes another by the
    shift.
    """
    found: list[Expression] = []
    for value, condition in zip(node.args[::2], node.args[1::2], strict=True):
        known = [_known_truth(c, here) for c in (condition, substitute(condition, moved))]
        if known == [True, True]:
            return [*found, value]
        if known == [False, False]:
            continue
        if None not in known or not _is_unmoved(condition, moved, here):
            raise Unsupported(f"{condition} may change with a shift")
        found.append(value)
    raise Unsupported("no branch of a piecewise expression holds here")


def _known_truth(condition: Expression, here: Context) -> bool | None:
    try:
        return truth(condition, here)
    except Undecided:
        return None


def _is_unmoved(condition: Expression, moved: Mapping[str, Expression], here: Context) -> bool:
    """True only if a condition compares the same quantities after the move as before."""
    if condition.head in ("and", "or", "not"):
        return all(_is_unmoved(part, moved, here) for part in condition.args)
    if names(condition).isdisjoint(moved):
        return True
    if condition.head not in ("==", "!=", "<", "<="):
        return False
    gap = condition.args[0] - condition.args[1]
    return (normal(substitute(gap, moved), here) - normal(gap, here)).is_zero
