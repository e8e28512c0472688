"""Boxes of several outputs whose law is not a product of one factor for each, such as a mixture of
products.

The two densities are compared in floats at the products of a few values of every output, around the
breakpoints of the laws.  Where their ratio is largest, boxes of several widths are proposed; the
checker computes the probabilities exactly.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.evidence.event import Event, Points
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Ratio, constant
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import to_expression
from ahdp_verify.kernel.rules.integration import factors_by_output
from ahdp_verify.kernel.terms.expression import Expression, names, number
from ahdp_verify.search.floating_point import WITHOUT_VALUE, float_function
from ahdp_verify.search.proving.total_mass import linear_root, output_breakpoints

MOST = 20_000  # products of values at which the laws are compared
AROUND = (0, Fraction(1, 2), 1, 2, 5, 15)  # distances from breakpoints
WIDTHS = (Fraction(1), Fraction(1, 4), Fraction(1, 32), Fraction(1, 512))
TRIED = 2  # products of values around which boxes are proposed
MISSING = (Undecided, Unsupported, ZeroDivisionError)


def is_joint(law: Expression, outputs: tuple[Output, ...]) -> bool:
    """Whether a factor of a law mentions two outputs that are not finite."""
    together = {o.name for o in outputs if o.kind != "finite"}
    _, groups = factors_by_output(law, tuple(o.name for o in outputs))
    return any(len(names(group) & together) > 1 for group in groups)


def joint_points(
    laws: tuple[Expression, Expression], outputs: tuple[Output, ...], here: Context
) -> Points:
    """For each output the points of both laws, which may mention earlier outputs; where two points
    of a later output cross is a point too.
    """
    found: dict[str, dict[str, Ratio]] = {o.name: {} for o in outputs}
    for i, output in reversed(list(enumerate(outputs))):
        earlier = {o.name for o in outputs[:i]}
        own = found[output.name]
        for p in (p for law in laws for p in output_breakpoints(law, output, here)):
            if algebra.ratio_names(p) <= earlier:
                own.setdefault(p.key, p)
        for p, q in itertools.combinations(own.values(), 2):
            gap = p - q
            last = max(
                (j for j in range(i) if outputs[j].name in algebra.ratio_names(gap)), default=i
            )
            if last < i:
                root = linear_root(gap, outputs[last].name)
                for step in (0, 1) if outputs[last].kind == "integer" else (0,):
                    if root is not None:
                        crossing = root + constant(step)
                        found[outputs[last].name].setdefault(crossing.key, crossing)
    return tuple((o.name, tuple(map(to_expression, found[o.name].values()))) for o in outputs)


def joint_events(
    laws: tuple[Expression, Expression], outputs: tuple[Output, ...], here: Context
) -> Iterator[tuple[Event, tuple[Points, Points]]]:
    """Boxes on which the first law is large against the second one, to be tested by the checker."""
    points = joint_points(laws, outputs, here)
    for place in largest_ratios(laws, outputs, points):
        for width in WIDTHS:
            for sides in itertools.product((1, -1), repeat=len(outputs)):
                ends = zip(outputs, place, sides, strict=True)
                box = tuple((o.name, *_ends(o, x, side * width)) for o, x, side in ends)
                yield Event(intervals=box), (points, points)
            if all(o.kind == "integer" for o in outputs):
                break


def _ends(output: Output, x: Fraction, width: Fraction) -> tuple[Expression, Expression]:
    """An interval at x on one side; for a whole output x alone."""
    if output.kind == "integer":
        return number(x), number(x + 1)
    return number(min(x, x + width)), number(max(x, x + width))


def largest_ratios(
    laws: tuple[Expression, Expression], outputs: tuple[Output, ...], points: Points
) -> list[tuple[Fraction, ...]]:
    """The values of the outputs, among a few, at which the ratio of the laws is largest."""
    listed = []
    for output, (_, own) in zip(outputs, points, strict=True):
        constants = [e.args[0] for e in own if e.head == "number"] or [Fraction(0)]
        values = {c + side * d for c in constants for d in AROUND for side in (1, -1)}
        if output.kind == "integer":
            values = {Fraction(math.floor(v)) for v in values}
        listed.append(sorted(values))
    p, q = (float_function(law) for law in laws)
    rated: list[tuple[float, float, tuple[Fraction, ...]]] = []
    for place in itertools.islice(itertools.product(*listed), MOST):
        at = {o.name: float(v) for o, v in zip(outputs, place, strict=True)}
        try:
            a, b = p(at), q(at)
            if a > 0:
                ratio = math.log(a / b) if b > 0 else math.inf
                rated.append((round(ratio, 9), a, place))
        except WITHOUT_VALUE:
            continue
    return [place for _, _, place in sorted(rated, reverse=True)[:TRIED]]
