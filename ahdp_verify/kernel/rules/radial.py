"""Noise whose density falls off with the Euclidean distance, in two or three real outputs.

    p(s; D) = c exp(-k |s - a(D)|)      k > 0
    ---------------------------------------------------------------------------
    the total of p is c V / k^n                n = 2: V = 2 pi;  n = 3: V = 8 pi

    p as above at D and D', with the same c >= 0 and k      L >= 0      L^2 >= k^2 |a(D) - a(D')|^2
    ---------------------------------------------------------------------------------------------
    p(s; D) <= exp(L) p(s; D') for all s

The total is k^n times the integral of r^(n-1) exp(-k r), which is (n - 1)!, over the sphere of
radius 1, whose surface is 2 pi or 4 pi.  The second rule is the triangle inequality: |s - a(D')| <=
|s - a(D)| + |a(D) - a(D')|.  The distance has to be written as the square root of a polynomial that
is the sum of the squares of s_i - a_i; a level may contain one square root as a factor.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import InequalityLeaf
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import NONNEGATIVE, Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.accepting import rely_on
from ahdp_verify.kernel.rules.inequalities import check_sign_by, extend_context
from ahdp_verify.kernel.rules.integration import check_points
from ahdp_verify.kernel.rules.obligations import Task
from ahdp_verify.kernel.terms.expression import (
    Expression,
    multiply,
    name,
    names,
    number,
    pi,
    substitute,
)

SPHERES = {2: 2, 3: 8}  # surface of the unit sphere times (n - 1)!, in units of pi
HALF = number("1/2")


@dataclass(frozen=True, slots=True)
class RadialLaw:
    """factor * exp(-rate * distance of the outputs from the centre), rate > 0."""

    factor: Ratio
    rate: Ratio
    centre: tuple[Ratio, ...]


def radial_law(law: Expression, outputs: tuple[Output, ...], here: Context) -> RadialLaw:
    """The law in this form; Rejected if it does not have it."""
    keys = [o.name for o in outputs]
    if len(keys) not in SPHERES or any(o.kind != "real" for o in outputs):
        raise Rejected("noise of a distance has two or three real outputs")
    outer, factor = _apart(law, "exp", keys)
    root, rate = _apart(outer.args[0], "^", keys)
    k, square = -normal(rate, here), normal(root.args[0], here)
    if root.args[1] != HALF or here.ratio_signs(k) != {1}:
        raise Rejected("the density does not fall off with a distance")
    spots = [normal(name(key), here) for key in keys]
    steps = [normal(substitute(root.args[0], {key: name(key) + 1}), here) - square for key in keys]
    centre = [
        s - (step - constant(1)).scale(Fraction(1, 2)) for s, step in zip(spots, steps, strict=True)
    ]
    spoken = set().union(*(names(to_expression(a)) for a in centre))
    if spoken & set(keys) or not (square - _squared_distance(spots, centre)).is_zero:
        raise Rejected("the root is not a Euclidean distance from a point")
    return RadialLaw(normal(factor, here), k, tuple(centre))


def radial_total(law: Expression, outputs: tuple[Output, ...], here: Context) -> Ratio:
    """The total of the law, which is >= 0 if this is."""
    rely_on("the rule of radial noise")
    for o in outputs:
        check_points(o.name, o.kind, (), here)  # no fact speaks of an output
    found = radial_law(law, outputs, here)
    total = found.factor * normal(multiply(number(SPHERES[len(outputs)]), pi), here)
    for _ in outputs:
        total = total / found.rate
    return total


def share_of_box(law: Expression, outputs: tuple[Output, ...], event: Event, least: bool) -> Ratio:
    """A bound of the probability of a bounded box under such a law of total 1: it is at least the
    volume times the density at the farthest distance from the centre that occurs in the box, and at
    most that at the nearest; Rejected or Unsupported for other laws and events.
    """
    here = Context.empty()
    found, ends = radial_law(law, outputs, here), {key: both for key, *both in event.intervals}
    if not (radial_total(law, outputs, here) - constant(1)).is_zero:
        raise Rejected("the total was not shown to be 1")
    share, square = found.factor, constant(0)
    for output, centre in zip(outputs, found.centre, strict=True):
        low, high = (
            None if e is None else normal(e, here) for e in ends.get(output.name, (None, None))
        )
        if low is None or high is None or constant_sign(high - low) != 1:
            raise Rejected("a box is bounded")
        below, above = low - centre, centre - high
        inside = constant_sign(below) in (-1, 0) and constant_sign(above) in (-1, 0)
        order = constant_sign(below * below - above * above)
        if order is None or None in (constant_sign(below), constant_sign(above)):
            raise Rejected("the distance of a box from the centre is not decided")
        gap = below if (order == 1) == least else above
        square = square + (constant(0) if inside and not least else gap * gap)
        share = share * (high - low)
    far = normal(multiply(to_expression(-found.rate), to_expression(square) ** HALF), here)
    return share * exp_of(far)


def check_radial(task: Task, outputs: tuple[Output, ...], leaf: InequalityLeaf) -> None:
    """Nothing if the level is at least the rate times the distance of the two centres."""
    here = extend_context(leaf.lemmas, task.obligation.here)
    check_sign_by(radial_excess(task, outputs, here), ">=", leaf.proofs, here)


def radial_excess(task: Task, outputs: tuple[Output, ...], here: Context) -> Ratio:
    """What has to be >= 0: the square of the level minus that of the rate times the distance of the
    two centres; Rejected unless the densities, both of total 1, differ in their centres only.
    """
    small, large = (radial_law(law, outputs, here) for law in task.laws)
    if not (small.rate - large.rate).is_zero:
        raise Rejected("the two densities differ by more than their centre")
    distance = _squared_distance(small.centre, large.centre)
    return _square(task.obligation.level, here) - small.rate * small.rate * distance


def _squared_distance(one: Iterable[Ratio], other: Iterable[Ratio]) -> Ratio:
    gaps = [a - b for a, b in zip(one, other, strict=True)]
    return sum((g * g for g in gaps), constant(0))


def _square(level: Expression, here: Context) -> Ratio:
    """The square of a level that is shown to be >= 0."""
    factors = _factors(level)
    roots = [f.args[0] for f in factors if f.head == "^" and f.args[1] == HALF]
    rest = normal(multiply(*(f for f in factors if f.head != "^" or f.args[1] != HALF)), here)
    if len(roots) > 1 or not here.ratio_signs(rest) <= ({1} if roots else NONNEGATIVE):
        raise Rejected("the level was not shown to be >= 0")
    return rest * rest * (normal(roots[0], here) if roots else constant(1))


def _factors(e: Expression) -> list[Expression]:
    return [f for a in e.args for f in _factors(a)] if e.head == "*" else [e]


def _apart(e: Expression, head: str, keys: list[str]) -> tuple[Expression, Expression]:
    """The one factor that mentions outputs, which has this head, and the product of the others."""
    factors = _factors(e)
    spoken = [f for f in factors if not names(f).isdisjoint(keys)]
    if len(spoken) != 1 or spoken[0].head != head:
        raise Rejected("the density is not a factor times an exponential of a distance")
    return spoken[0], multiply(*(f for f in factors if f is not spoken[0]))
