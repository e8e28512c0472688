"""Events that violate p <= exp(level) p' + delta for two concrete distributions p and p'.

Each output is examined separately: between the breakpoints of both densities log(p / p') is linear,
so the best region is a piece, a tail that is cut far enough out, or a neighbourhood of a point.
Tails expose a scale that depends on the data, pieces where p' vanishes a support that does.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.evidence.event import Event, Points
from ahdp_verify.kernel.model.mechanism import JOINT, Output
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of, log_of
from ahdp_verify.kernel.numbers.ball import constant_sign, enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.events import event_with_atoms, joint_probability
from ahdp_verify.kernel.rules.events import is_in_box as inside_box
from ahdp_verify.kernel.rules.hockey_stick import has_no_facts
from ahdp_verify.kernel.rules.inequalities import log_form
from ahdp_verify.kernel.rules.integration import (
    density_factors,
    factors_by_output,
    piece_bounds,
    piece_context,
)
from ahdp_verify.kernel.terms.expression import Expression, names, number, substitute
from ahdp_verify.search.proving.antiderivatives import points_with_antiderivatives
from ahdp_verify.search.proving.residues import has_floors
from ahdp_verify.search.proving.total_mass import output_breakpoints, sort_in_context
from ahdp_verify.search.refuting.joint_events import is_joint, joint_events
from ahdp_verify.search.refuting.mixture_events import (
    float_near,
    mixture_events,
    smallest_denominator_between,
)
from ahdp_verify.search.refuting.normal_events import normal_events
from ahdp_verify.search.refuting.radial_events import radial_events
from ahdp_verify.search.refuting.slanted_events import slanted_event
from ahdp_verify.search.refuting.superlevel import superlevel_events

MixedLaw = tuple[Expression, tuple[tuple[Expression, Expression], ...]]


@dataclass(frozen=True, slots=True)
class LinearRegion:
    """An interval on which log(p / p') = slope * output + height; `infinite` if p' vanishes
    there and p does not.
    """

    low: Ratio | None
    high: Ratio | None
    slope: Ratio
    height: Ratio
    infinite: bool = False


def linear_regions(
    output: Output, p: Expression, q: Expression, here: Context, *, some: bool = False
) -> tuple[tuple[Ratio, ...], list[LinearRegion]]:
    """The points of both distributions and the regions between them where p does not vanish; with
    `some`, those where the log-likelihood ratio is linear.
    """
    if has_no_facts(here):
        cuts, found = _regions_without_facts(output, p, q, here.integers, some)
        return cuts, list(found)
    return _linear_regions(output, p, q, here, some)


@lru_cache(maxsize=64)  # claims at several levels are refuted at the same two distributions
def _regions_without_facts(
    output: Output, p: Expression, q: Expression, integers: frozenset[str], some: bool
) -> tuple[tuple[Ratio, ...], tuple[LinearRegion, ...]]:
    cuts, found = _linear_regions(output, p, q, Context.empty(integers), some)
    return cuts, tuple(found)


def _linear_regions(
    output: Output, p: Expression, q: Expression, here: Context, some: bool
) -> tuple[tuple[Ratio, ...], list[LinearRegion]]:
    found = {r.key: r for law in (p, q) for r in _breakpoints(law, output, here)}
    cuts = sort_in_context(list(found.values()), here)
    endless, result = has_floors((p, q)), []
    for i, j, upper in piece_bounds(len(cuts)) if cuts else [(None, None, 0)]:
        low, high = (cuts[i] if i is not None else None), (cuts[j] if j is not None else None)
        try:
            found_here = region_between(
                output,
                (p, q),
                (low, high),
                piece_context(output.name, output.kind, cuts, upper, here),
            )
        except (Undecided, Unsupported):
            if some or (endless and (low is None or high is None)):
                continue  # infinitely many pieces: a violating event may be among the first of them
            raise
        result += [found_here] if found_here is not None else []
    return cuts, result


def _breakpoints(law: Expression, output: Output, here: Context) -> tuple[Ratio, ...]:
    """The points of one law."""
    if has_no_facts(here):
        return _breakpoints_without_facts(law, output, here.integers)
    return tuple(output_breakpoints(law, output, here))


@lru_cache(maxsize=64)
def _breakpoints_without_facts(
    law: Expression, output: Output, integers: frozenset[str]
) -> tuple[Ratio, ...]:
    return tuple(output_breakpoints(law, output, Context.empty(integers)))


def region_between(
    output: Output,
    laws: tuple[Expression, Expression],
    ends: tuple[Ratio | None, Ratio | None],
    spot: Context,
) -> LinearRegion | None:
    """The region between two points; None where p vanishes."""
    (c, e), (d, f) = (log_form(law, spot) for law in laws)
    if c.is_zero:
        return None
    if d.is_zero:
        return LinearRegion(*ends, constant(0), constant(0), True)
    gap = e - f if (c - d).is_zero else e - f + log_of(c / d)
    split = algebra.linear_coefficients(gap.num, output.name)
    if split is None:
        raise Unsupported(
            "a log-likelihood ratio was not found to be linear between the breakpoints"
        )
    return LinearRegion(*ends, Ratio(split[0], gap.den), Ratio(split[1], gap.den))


def is_unbounded_above(r: LinearRegion) -> bool:
    """True if the log-likelihood ratio grows without bound on the region."""
    if r.infinite:
        return True
    s = constant_sign(r.slope)
    return (s == 1 and r.high is None) or (s == -1 and r.low is None)


def region_supremum(r: LinearRegion) -> Ratio:
    """The supremum of the log-likelihood ratio on a region on which it is bounded."""
    s = constant_sign(r.slope)
    end = r.high if s == 1 else r.low
    return r.height if not s or end is None else r.slope * end + r.height


def rational_between(low: Ratio | None, high: Ratio | None) -> Fraction:
    """A simple rational strictly between two constants; either may be missing."""
    a = enclose(low)[1] if low is not None else None
    b = enclose(high)[0] if high is not None else None
    if a is None:
        return Fraction(0) if b is None else Fraction(math.ceil(b) - 1)
    if b is None:
        return Fraction(math.floor(a) + 1)
    if a >= b:
        raise Unsupported("no rational number was found between two very close constants")
    return smallest_denominator_between(a, b)


def exceeding_part(r: LinearRegion, wanted: Ratio) -> tuple[Expression | None, Expression | None]:
    """The part of a region on which the log-likelihood ratio exceeds `wanted`; the region is
    unbounded in it or its supremum exceeds it.
    """
    ends = tuple(to_expression(e) if e is not None else None for e in (r.low, r.high))
    s = constant_sign(r.slope)
    if r.infinite or not s:
        return ends[0], ends[1]
    crossing = (wanted - r.height) / r.slope
    low, high = (_later(r.low, crossing), r.high) if s == 1 else (r.low, _earlier(r.high, crossing))
    cut = number(rational_between(low, high))
    return (cut, ends[1]) if s == 1 else (ends[0], cut)


def _later(a: Ratio | None, b: Ratio) -> Ratio:
    return b if a is None or constant_sign(b - a) == 1 else a


def _earlier(a: Ratio | None, b: Ratio) -> Ratio:
    return b if a is None or constant_sign(a - b) == 1 else a


def is_mixed(law: Expression, outputs: tuple[Output, ...]) -> bool:
    """Whether a factor of a law mentions a finite output beside one that is not finite."""
    finite = frozenset(o.name for o in outputs if o.kind == "finite")
    others = frozenset(o.name for o in outputs) - finite
    return any(names(f) & finite and names(f) & others for f in density_factors(law))


def likely_events(
    p: MixedLaw, q: MixedLaw, outputs: tuple[Output, ...], level: Ratio, delta: Ratio
) -> Iterator[tuple[Event, tuple[Points, Points]]]:
    """Events that may violate the claimed bound under p, with the breakpoints of both densities; to
    be tested by the checker.
    """
    here = Context.empty(frozenset(o.name for o in outputs if o.kind == "integer"))
    if not p[1] and not q[1]:
        yield from normal_events((p[0], q[0]), outputs, level, here)
        yield from radial_events((p[0], q[0]), outputs, level, here)
    if constant_sign(delta) == 1:
        slanted = slanted_event((p[0], q[0]), outputs, to_expression(level), here)
        if slanted is not None:
            yield slanted
    if is_mixed(p[0], outputs) or is_mixed(q[0], outputs):
        yield from mixed_events(p[0], q[0], outputs, level, delta, here)
        return
    if all(o.kind != "finite" for o in outputs) and is_joint(p[0], outputs):
        with suppress(Undecided, Unsupported):  # an end of an event may depend on earlier outputs
            yield from linear_events(p, q, outputs, level, delta, here)
        yield from joint_events((p[0], q[0]), outputs, here)
        return
    try:
        yield from linear_events(p, q, outputs, level, delta, here)
    except (Undecided, Unsupported):
        if len(outputs) > 1 or outputs[0].kind == "finite":
            raise
        chosen, gain = likely_atoms(p, q, level, here)
        rest = delta - gain if constant_sign(delta) == 1 else delta
        if constant_sign(rest) in (0, 1):
            for event, tables in nonlinear_events((p[0], q[0]), outputs[0], level, rest, here):
                yield event_with_atoms(event, positive_atoms(p, q, here), outputs, chosen), tables


def nonlinear_events(
    laws: tuple[Expression, Expression], output: Output, level: Ratio, delta: Ratio, here: Context
) -> Iterator[tuple[Event, tuple[Points, Points]]]:
    """Such intervals where the log-likelihood ratio is not linear between the points: by exact
    probabilities of cells, and where these find nothing, by the densities in floats.
    """
    found = False
    with suppress(Undecided, Unsupported):
        for found_here in mixture_events(laws, output, level, delta, here):
            found = True
            yield found_here
    if found:
        return
    cuts = sort_in_context(
        list({r.key: r for law in laws for r in output_breakpoints(law, output, here)}.values()),
        here,
    )
    points = tuple(map(to_expression, cuts))
    factors = [factors_by_output(law, (output.name,))[1][0] for law in laws]
    stored = [points_with_antiderivatives(law, output, cuts, here) for law in factors]
    first, second = (((output.name, listed),) for listed in stored)
    for event in superlevel_events(laws, output, float_near(level), points):
        yield event, (first, second)


def positive_atoms(p: MixedLaw, q: MixedLaw, here: Context) -> tuple[Expression, ...]:
    """The points of mass that have a probability on one side at least."""
    pairs = zip(p[1], q[1], strict=True)
    return tuple(
        at for (at, a), (_, b) in pairs if not all(normal(e, here).is_zero for e in (a, b))
    )


def likely_atoms(
    p: MixedLaw, q: MixedLaw, level: Ratio, here: Context
) -> tuple[tuple[Expression, ...], Ratio]:
    """The points of mass that violate the bound under p, and by how much in total."""
    chosen, gain = [], constant(0)
    for (at, a), (_, b) in zip(p[1], q[1], strict=True):
        excess = normal(a, here) - exp_of(level) * normal(b, here)
        if constant_sign(excess) == 1:
            chosen.append(at)
            gain = gain + excess
    return tuple(chosen), gain


def mixed_events(
    p: Expression,
    q: Expression,
    outputs: tuple[Output, ...],
    level: Ratio,
    delta: Ratio,
    here: Context,
) -> Iterator[tuple[Event, tuple[Points, Points]]]:
    """Such events for one combination of finite values each, with the points that the laws have
    for any combination.
    """
    finite, rest = (
        [o for o in outputs if o.kind == "finite"],
        tuple(o for o in outputs if o.kind != "finite"),
    )
    found: list[Event] = []
    tables: dict[str, dict[str, Ratio]] = {o.name: {} for o in rest}
    for values in itertools.product(*(o.values for o in finite)):
        put = {o.name: v for o, v in zip(finite, values, strict=True)}
        laws = [substitute(law, put) for law in (p, q)]
        for o, a, b in zip(
            rest,
            *(factors_by_output(law, tuple(o.name for o in rest))[1] for law in laws),
            strict=True,
        ):
            tables[o.name] |= {r.key: r for law in (a, b) for r in output_breakpoints(law, o, here)}
        listed = linear_events((laws[0], ()), (laws[1], ()), rest, level, delta, here, some=True)
        found += [
            replace(event, values=tuple((k, (v,)) for k, v in put.items())) for event, _ in listed
        ]
    shared = tuple(
        (key, tuple(to_expression(r) for r in sort_in_context(list(table.values()), here)))
        for key, table in tables.items()
    )
    yield from ((event, (shared, shared)) for event in found)


def linear_events(
    p: MixedLaw,
    q: MixedLaw,
    outputs: tuple[Output, ...],
    level: Ratio,
    delta: Ratio,
    here: Context,
    *,
    some: bool = False,
) -> Iterator[tuple[Event, tuple[Points, Points]]]:
    """Such events where the log-likelihood ratio of every output is linear between the points; with
    `some`, between some of them.
    """
    if all(o.kind == "finite" for o in outputs):
        yield from finite_events(p[0], q[0], outputs, level, here)
        return
    atoms, listed = likely_atoms(p, q, level, here)[0], positive_atoms(p, q, here)
    chosen: list[tuple[Output, LinearRegion]] = []
    tables: tuple[list[tuple[str, tuple[Expression, ...]]], ...] = ([], [])
    total, endless = constant(0), False
    factors = [factors_by_output(law, tuple(o.name for o in outputs)) for law in (p[0], q[0])]
    groups, scale = [of for _, of in factors], [normal(f, here) for f, _ in factors]
    if scale[0].is_zero or scale[1].is_zero:
        yield from one_sided_events(groups, scale, atoms, listed, outputs, here)
        return
    slack = log_of(scale[0] / scale[1]) if not (scale[0] - scale[1]).is_zero else constant(0)
    total = slack
    values: list[tuple[str, tuple[Expression, ...]]] = []
    certain: list[
        tuple[str, tuple[Expression, ...]]
    ] = []  # what has probability 0 on the other side, whatever the other outputs are
    for output, a, b in zip(outputs, *groups, strict=True):
        if output.kind == "finite":
            v, gain = best_value(output, a, b, here)
            values.append((output.name, (v,)))
            endless, total = endless or gain is None, total + (gain or constant(0))
            certain += [(output.name, (v,))] if gain is None else []
            continue
        cuts, found = linear_regions(output, a, b, here, some=some)
        for table, law in zip(tables, (a, b), strict=True):
            own = {r.key for r in _breakpoints(law, output, here)}
            kept = tuple(c for c in cuts if c.key in own)
            table.append((output.name, points_with_antiderivatives(law, output, kept, here)))
        if not found:
            continue
        best = (
            next((r for r in found if r.infinite), None)
            or next((r for r in found if is_unbounded_above(r)), None)
            or best_region(found)
        )
        chosen.append((output, best))
        endless = endless or is_unbounded_above(best)
        total = total if is_unbounded_above(best) else total + region_supremum(best)
    points_ = tuple(tables[0]), tuple(tables[1])
    if certain:
        yield Event(values=tuple(certain)), points_
    if atoms:
        yield Event(atoms=atoms, continuous=False), points_
    if constant_sign(delta) == 1 and len(outputs) == 1 and chosen:
        for event in excess_events(
            outputs[0],
            linear_regions(outputs[0], groups[0][0], groups[1][0], here)[1],
            level - slack,
        ):
            yield event_with_atoms(event, listed, outputs, atoms), points_
    if chosen and (endless or constant_sign(total - level) == 1):
        event = Event(intervals=exceeding_box(chosen, total, level), values=tuple(values))
        inner = tuple(
            at for at in listed if at not in atoms or inside_box(event, {outputs[0].name: at})
        )
        yield event_with_atoms(event, inner, outputs, atoms), points_


def one_sided_events(
    groups: list[tuple[Expression, ...]],
    scale: list[Ratio],
    atoms: tuple[Expression, ...],
    listed: tuple[Expression, ...],
    outputs: tuple[Output, ...],
    here: Context,
) -> Iterator[tuple[Event, tuple[Points, Points]]]:
    """Such events where one density at least is 0 everywhere: points of mass, and every output
    that the other side has not.
    """
    tables = tuple(
        tuple(
            (
                o.name,
                tuple(
                    to_expression(c)
                    for c in sort_in_context(output_breakpoints(law, o, here), here)
                ),
            )
            for o, law in zip(outputs, of, strict=True)
            if o.kind != "finite" and not prefactor.is_zero
        )
        for of, prefactor in zip(groups, scale, strict=True)
    )
    if not scale[0].is_zero:
        yield event_with_atoms(Event(), listed, outputs, atoms), (tables[0], tables[1])
    if atoms:
        yield Event(atoms=atoms, continuous=False), (tables[0], tables[1])


def exceeding_box(
    chosen: list[tuple[Output, LinearRegion]], total: Ratio, level: Ratio
) -> tuple[tuple[str, Expression | None, Expression | None], ...]:
    """Intervals, at most one for each output, such that the log-likelihood ratio exceeds the level
    on the whole box.
    """
    sloped = [r for _, r in chosen if constant_sign(r.slope) and not r.infinite]
    rigid = constant(0)
    for _, r in chosen:
        if not is_unbounded_above(r):
            rigid = rigid + region_supremum(r)
    share = (total - level).scale(Fraction(1, 2 * max(1, len(sloped))))
    result = []
    for output, r in chosen:
        wanted = level - rigid if is_unbounded_above(r) else region_supremum(r) - share
        if is_unbounded_above(r) and not r.infinite:
            wanted = wanted + constant(abs(enclose(rigid)[1].__ceil__()) + 1)
        low, high = exceeding_part(r, wanted)
        if low is not None or high is not None:
            result.append((output.name, integer_end(output, low), integer_end(output, high)))
    return tuple(result)


def best_region(found: list[LinearRegion]) -> LinearRegion:
    """The region of the largest supremum, flat and unbounded ones first among equals."""
    best = found[0]
    for r in found[1:]:
        s = constant_sign(region_supremum(r) - region_supremum(best))
        if s == 1 or (s == 0 and _simple(r) > _simple(best)):
            best = r
    return best


def _simple(r: LinearRegion) -> tuple[bool, bool]:
    return (constant_sign(r.slope) == 0, r.low is None or r.high is None)


def excess_events(output: Output, found: list[LinearRegion], level: Ratio) -> Iterator[Event]:
    """Intervals on which p > exp(level) p', neighbours joined."""
    spans: list[list[Expression | None]] = []
    for r in found:
        if not (is_unbounded_above(r) or constant_sign(region_supremum(r) - level) == 1):
            continue
        low, high = closely_cut_part(r, level)
        if spans and spans[-1][1] is not None and spans[-1][1] == low:
            spans[-1][1] = high
        else:
            spans.append([low, high])
    for low, high in spans:
        ends = integer_end(output, low), integer_end(output, high)
        yield Event(intervals=((output.name, *ends),)) if ends != (None, None) else Event()


def integer_end(output: Output, end: Expression | None) -> Expression | None:
    """The end of an interval, for a whole output as the next whole number: no output lies
    between the two.
    """
    if end is None or output.kind != "integer" or end.head != "number":
        return end
    return number(math.ceil(end.args[0]))


def closely_cut_part(r: LinearRegion, level: Ratio) -> tuple[Expression | None, Expression | None]:
    """The part of a region where the log-likelihood ratio exceeds the level, cut within 10^-12 of
    the crossing.
    """
    ends = tuple(to_expression(e) if e is not None else None for e in (r.low, r.high))
    s = constant_sign(r.slope)
    if r.infinite or not s:
        return ends[0], ends[1]
    crossing = (level - r.height) / r.slope
    step = constant(Fraction(1, 10**12))
    if s == 1:
        inner = r.low is not None and constant_sign(crossing - r.low) != 1
        return (ends[0] if inner else number(rational_between(crossing, crossing + step))), ends[1]
    inner = r.high is not None and constant_sign(r.high - crossing) != 1
    return ends[0], (ends[1] if inner else number(rational_between(crossing - step, crossing)))


def best_value(
    output: Output, a: Expression, b: Expression, here: Context
) -> tuple[Expression, Ratio | None]:
    """The value of a finite coordinate with the largest ratio, and its logarithm (None for
    infinity).
    """
    best: tuple[Expression, Ratio | None] | None = None
    for v in output.values:
        p, q = (normal(substitute(law, {output.name: v}), here) for law in (a, b))
        if p.is_zero:
            continue
        if q.is_zero:
            return v, None
        gain = log_of(p / q)
        if best is None or (best[1] is not None and constant_sign(gain - best[1]) == 1):
            best = v, gain
    if best is None:
        raise Unsupported("no value of a coordinate has positive probability")
    return best


def finite_events(
    p: Expression, q: Expression, outputs: tuple[Output, ...], level: Ratio, here: Context
) -> Iterator[tuple[Event, tuple[Points, Points]]]:
    """The joint outcomes that violate the bound, or a product of coordinate values when there are
    too many.
    """
    count = 1
    for o in outputs:
        count *= len(o.values)
    if count > JOINT:
        groups = zip(
            *(factors_by_output(law, tuple(o.name for o in outputs))[1] for law in (p, q)),
            strict=True,
        )
        values = tuple(
            (o.name, (best_value(o, a, b, here)[0],))
            for o, (a, b) in zip(outputs, groups, strict=True)
        )
        yield Event(values=values), ((), ())
        return
    factor, listed = exp_of(level), [_probabilities(law, outputs, here.integers) for law in (p, q)]
    outcomes = tuple(
        outcome
        for outcome, a, b in zip(
            itertools.product(*(o.values for o in outputs)), *listed, strict=True
        )
        if constant_sign(a - factor * b) == 1
    )
    if outcomes:
        yield Event(outcomes=outcomes), ((), ())


@lru_cache(maxsize=16)  # claims at several levels are refuted at the same two distributions
def _probabilities(
    law: Expression, outputs: tuple[Output, ...], integers: frozenset[str]
) -> tuple[Ratio, ...]:
    """The probability of each joint outcome, in order."""
    here = Context.empty(integers)
    listed = itertools.product(*(o.values for o in outputs))
    return tuple(joint_probability(law, outputs, (outcome,), here) for outcome in listed)


MISSING = (Unsupported, Undecided, ZeroDivisionError)
