"""Events for two distributions whose log-likelihood ratio is not linear between the breakpoints:
sums of exponentials, such as mixtures.

The output line is cut into cells, the probabilities of all cells are computed exactly under both
laws, and the run of neighbouring cells of largest ratio (with a delta: of largest hockey-stick
divergence) is tried. As long as none violates the claimed bound, the cell of largest ratio is cut
again; the last cells are half-lines, whose ratio tends to the limit in the tail.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.evidence.event import Event, Points
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of
from ahdp_verify.kernel.numbers.ball import constant_sign, enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.events import interval_probability
from ahdp_verify.kernel.rules.integration import piece_bounds, piece_context
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.search.proving.float_filter import SamplePoints
from ahdp_verify.search.proving.total_mass import output_breakpoints, sort_in_context

ROUNDS = 6  # rounds in which cells are cut
TRIED = 4  # runs of cells whose hockey-stick divergence is computed in each round
TIE = 1e-9  # relative: a ratio this close to exp(level) is compared exactly
SHARES = (
    Fraction(3, 8),
    Fraction(5, 8),
)  # a cell is cut at the simplest rational number between these fractions of its width
FAR = (300, 1000, 2000)  # distances at which tails are compared exactly
End = Ratio | None


@dataclass(frozen=True, slots=True)
class CellRun:
    """Neighbouring cells low <= output < high with their probabilities under both distributions."""

    low: End
    high: End
    p: Ratio
    q: Ratio


def mixture_events(
    laws: tuple[Expression, Expression], output: Output, level: Ratio, delta: Ratio, here: Context
) -> Iterator[tuple[Event, tuple[Points, Points]]]:
    """Intervals whose probability under the first distribution violates the claimed bound; none if
    cutting does not find one.
    """
    cuts = sort_in_context(
        list({r.key: r for law in laws for r in output_breakpoints(law, output, here)}.values()),
        here,
    )
    table = ((output.name, tuple(to_expression(c) for c in cuts)),)
    ends = initial_ends(cuts, output.kind)
    known: dict[tuple[str, str], CellRun] = {}
    likely = constant_sign(delta) == 1 or may_exceed_level(laws, output, cuts, level, here)
    for _ in range(ROUNDS if likely else 0):
        cells = [
            measure_cell(laws, output, table[0][1], pair, here, known)
            for pair in itertools.pairwise((None, *ends, None))
        ]
        for run in best_runs(cells, level, delta):
            if constant_sign(run.p - exp_of(level) * run.q - delta) == 1:
                low, high = (
                    to_expression(e) if e is not None else None for e in (run.low, run.high)
                )
                yield (
                    Event(intervals=((output.name, low, high),))
                    if (low, high) != (None, None)
                    else Event(),
                    (table, table),
                )
                return
        ends = refine_cells(ends, cells, output.kind)
    for pair in far_tails(ends):
        try:
            run = measure_cell(laws, output, table[0][1], pair, here, known)
        except BadInput:  # a probability that is a number of too many digits
            return
        if constant_sign(run.p - exp_of(level) * run.q - delta) == 1:
            low, high = (None if e is None else to_expression(e) for e in pair)
            yield Event(intervals=((output.name, low, high),)), (table, table)
            return


def far_tails(ends: list[Ratio]) -> Iterator[tuple[End, End]]:
    """Half-lines so far out that no float tells their probabilities from 0: there the ratio is
    close to its limit, which it may approach as slowly as 1 + 1/s does.
    """
    low, high = enclose(ends[0])[0].__floor__(), enclose(ends[-1])[1].__ceil__()
    for distance in FAR:
        yield None, constant(low - distance)
        yield constant(high + distance), None


def initial_ends(cuts: tuple[Ratio, ...], kind: str) -> list[Ratio]:
    """The points of the laws, one number between any two of them, and two more on either side."""
    if not cuts:
        return [constant(-1), constant(0), constant(1)]
    low, high = enclose(cuts[0])[0].__floor__(), enclose(cuts[-1])[1].__ceil__()
    inner = [[a, *inner_number(a, b, kind)] for a, b in itertools.pairwise(cuts)]
    return [
        constant(low - 5),
        constant(low - 1),
        *(e for pair in inner for e in pair),
        cuts[-1],
        constant(high + 1),
        constant(high + 5),
    ]


def inner_number(a: Ratio, b: Ratio, kind: str) -> list[Ratio]:
    """A simple number well inside a cell; none if a cell of whole numbers holds only one."""
    low, high = enclose(a)[1], enclose(b)[0]
    if kind == "integer":
        whole = ((low + high) / 2).__floor__()
        return [constant(whole)] if low < whole < high else []
    return (
        [
            constant(
                smallest_denominator_between(
                    low + (high - low) * SHARES[0], low + (high - low) * SHARES[1]
                )
            )
        ]
        if low < high
        else []
    )


def smallest_denominator_between(a: Fraction, b: Fraction) -> Fraction:
    """The fraction of smallest denominator strictly between a and b."""
    whole = a.__floor__()
    if whole + 1 < b:
        return Fraction(0) if a < 0 < b else Fraction(whole + 1)
    if a == whole:
        return whole + 1 / Fraction((1 / (b - whole)).__floor__() + 1)
    return whole + 1 / smallest_denominator_between(1 / (b - whole), 1 / (a - whole))


def may_exceed_level(
    laws: tuple[Expression, Expression],
    output: Output,
    cuts: tuple[Ratio, ...],
    level: Ratio,
    here: Context,
) -> bool:
    """False if the ratio is below exp(level) at all of some points of every piece; a sample, in
    floats, so that nothing is integrated in vain.
    """
    factor = nonnegative_float(exp_of(level)) * (1 - TIE)
    for i, j, upper in piece_bounds(len(cuts)) if cuts else [(None, None, 0)]:
        spot = piece_context(output.name, output.kind, cuts, upper, here)
        p, q = (normal(law, spot) for law in laws)
        low, high = (float_near(cuts[k]) if k is not None else None for k in (i, j))
        if any(end is not None and math.isinf(end) for end in (low, high)):
            return True
        listed = [float(x) for x in piece_samples(low, high, output.kind)]
        points = SamplePoints(len(listed), {output.name: listed})
        values = zip(points.ratio(p), points.ratio(q), strict=True)
        if not all(one <= factor * other for one, other in values):
            return True
    return False


def float_near(r: Ratio) -> float:
    """A number near a constant."""
    return nearest_float(sum(enclose(r), Fraction(0)) / 2)


def piece_samples(low: float | None, high: float | None, kind: str) -> list[float]:
    """Points of a piece: inside, close to its ends, and far out."""
    if low is None or high is None:
        base, side = (low, 1) if low is not None else (high, -1) if high is not None else (0.0, 1)
        found = [base + side * d for d in (1e-6, 0.5, 1.0, 3.0, 10.0, 40.0, 200.0)]
    else:
        found = [low + (high - low) * share for share in (1e-6, 0.1, 0.3, 0.5, 0.7, 0.9, 1 - 1e-6)]
    if kind == "integer":
        found = sorted(
            {
                float(round(x))
                for x in found
                if (low is None or round(x) >= low) and (high is None or round(x) < high)
            }
        )
    return found


def measure_cell(
    laws: tuple[Expression, Expression],
    output: Output,
    given: tuple[Expression, ...],
    ends: tuple[End, End],
    here: Context,
    known: dict[tuple[str, str], CellRun],
) -> CellRun:
    """The cell between two ends with its probabilities, computed once."""
    low, high = ends
    key = ("" if low is None else low.key, "" if high is None else high.key)
    if key not in known:
        sides = [to_expression(e) if e is not None else None for e in ends]
        p, q = (interval_probability(law, output, given, sides[0], sides[1], here) for law in laws)
        known[key] = CellRun(low, high, p, q)
    return known[key]


def best_runs(cells: list[CellRun], level: Ratio, delta: Ratio) -> list[CellRun]:
    """A few runs of cells, those of largest ratio first, or with a delta those of largest
    hockey-stick divergence; rounded numbers decide only the order.
    """
    factor = nearest_float(enclose(exp_of(level))[0]) if constant_sign(delta) == 1 else 0.0
    sizes = [(nonnegative_float(c.p), nonnegative_float(c.q)) for c in cells]
    scored = []
    for i in range(len(cells)):
        p = q = 0.0
        for j in range(i, len(cells)):
            p, q = p + sizes[j][0], q + sizes[j][1]
            score = (
                p - (factor * q if q else 0.0)
                if factor
                else (p / q if q > 0 else float("inf") if p > 0 else 0.0)
            )
            scored.append((score, p, i, j))
    chosen = sorted(scored, key=lambda s: (-round(s[0], 9), -s[1]))[:TRIED]
    return [join_cells(cells[i : j + 1]) for _, _, i, j in chosen if j - i + 1 < len(cells)]


def nonnegative_float(r: Ratio) -> float:
    """A number near a constant >= 0."""
    return nearest_float(max(Fraction(0), enclose(r)[1]))


def nearest_float(value: Fraction) -> float:
    """A number near a fraction; infinite where no float is near."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def join_cells(cells: list[CellRun]) -> CellRun:
    """The union of neighbouring cells."""
    p, q = constant(0), constant(0)
    for c in cells:
        p, q = p + c.p, q + c.q
    return CellRun(cells[0].low, cells[-1].high, p, q)


def refine_cells(ends: list[Ratio], cells: list[CellRun], kind: str) -> list[Ratio]:
    """The ends and further ones inside the cells of largest ratio; beyond the last ends at four
    times the width so far.
    """
    scores = [
        nonnegative_float(c.p) / nonnegative_float(c.q) if nonnegative_float(c.q) > 0 else 0.0
        for c in cells
    ]
    wanted = {i for i in range(len(cells)) if scores[i] >= 0.98 * max(scores)}
    width = max(Fraction(4), enclose(ends[-1])[1] - enclose(ends[0])[0]).__ceil__()
    result: list[Ratio] = []
    for i, c in enumerate(cells):
        if c.low is not None:
            result.append(c.low)
        if i in wanted and c.low is not None and c.high is not None:
            result += inner_number(c.low, c.high, kind)
        elif i in wanted and c.low is None:
            result.append(constant(enclose(ends[0])[0].__floor__() - width))
        elif i in wanted:
            result.append(constant(enclose(ends[-1])[1].__ceil__() + width))
    return result
