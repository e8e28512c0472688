"""Events of positive probability and their exact probability under a concrete distribution.

    E is a box without some atoms, and some atoms outside it
    ------------------------------------------------------------------------------
    P[E] = integral of the density over the box + sum of the atoms that belong to E

An event is one set of outputs: a box without some of the atoms in it, together with some atoms
outside it.  A box gives for each output an interval (an end may be missing, and may depend on
earlier outputs) or a set of values; or it is a set of joint outcomes of finite outputs. Intervals
are half open, low <= output < high, and an atom inside one belongs to the event unless it is
excluded.  The printed text, `is_in_event` and `event_probability` refer to this one set;
`check_event` refuses an event that does not determine it.  If finite and other outputs depend on
each other, the law is considered for each combination of finite values, which ends may then
mention.

>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name, number
>>> from ahdp_verify.kernel.model.outputs import real
>>> event = Event(intervals=(("s", number(1), None),))
>>> law = exp(-Abs(name("s"))) / 2
>>> str(event), event_probability(law, (), (real("s"),), event, (("s", (number(0),)),)).key
('s >= 1', '1/2*exp(1)^(-1)')
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from math import prod
from operator import contains

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.event import Event, IntervalEnd, Points
from ahdp_verify.kernel.model.mechanism import JOINT, Output, outcome_count, outcomes
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, ratio_names, replace_name, symbol
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.integration import (
    cuts,
    factors_by_output,
    integral,
    nonnegative_value,
)
from ahdp_verify.kernel.rules.iterated_totals import total_of_slices
from ahdp_verify.kernel.terms.expression import Expression, names, sqrt, substitute
from ahdp_verify.kernel.terms.functions import erf

Atoms = tuple[tuple[Expression, Expression], ...]
Factors = tuple[tuple[Output, Expression], ...]  # of a law, one for each output
Spans = Mapping[str, tuple[tuple[Expression, ...], IntervalEnd, IntervalEnd]]  # points, low, high


def is_in_box(event: Event, outputs: Mapping[str, Expression]) -> bool:
    """Whether constants and labels, one for each output, lie in the box; a label is in no interval.

    Raises Unsupported if two constants could not be compared.
    """
    if not event.continuous:
        return False
    if event.outcomes:
        return tuple(outputs.values()) in event.outcomes
    if any(outputs[n] not in listed for n, listed in event.values):
        return False
    return all(
        _between(outputs[n], _at(low, outputs), _at(high, outputs))
        for n, low, high in event.intervals
    )


def _between(value: Expression, low: IntervalEnd, high: IntervalEnd) -> bool:
    """Whether low <= value < high."""
    if value.head == "label":
        return False
    here = Context.empty()
    at = normal(value, here)
    if low is not None and sign_of_difference(at, normal(low, here), here) < 0:
        return False
    return high is None or sign_of_difference(at, normal(high, here), here) < 0


def is_in_event(event: Event, outputs: Mapping[str, Expression]) -> bool:
    """Whether constants and labels, one for each output in their order, belong to the event.

    Raises Unsupported if two constants could not be compared.
    """
    if len(outputs) == 1:
        (value,) = outputs.values()
        if value in event.atoms:
            return True
        if value in event.without:
            return False
    return is_in_box(event, outputs)


def sign_of_difference(a: Ratio, b: Ratio, here: Context) -> int:
    """The sign of a - b; Unsupported if the context does not know it."""
    signs = here.ratio_signs(a - b)
    if len(signs) != 1:
        raise Unsupported("the points of the law could not be ordered")
    return next(iter(signs))


def ascending_points(points: list[Ratio], here: Context) -> tuple[Ratio, ...]:
    """The points in ascending order, each once (insertion sort by exact comparison)."""
    result: list[Ratio] = []
    for p in points:
        place = next(
            (i for i, q in enumerate(result) if sign_of_difference(p, q, here) <= 0), len(result)
        )
        if place == len(result) or sign_of_difference(p, result[place], here) != 0:
            result.insert(place, p)
    return tuple(result)


def interval_probability(
    law: Expression,
    output: Output,
    points: tuple[Expression, ...],
    low: IntervalEnd,
    high: IntervalEnd,
    here: Context,
) -> Ratio:
    """The integral or sum of a law over low <= output < high."""
    listed, first, last = points_of_interval(output.name, points, low, high, here)
    if first is not None and last is not None and first >= last:
        return constant(0)
    return integral(law, output.name, output.kind, listed, here, first, last)


# an event leaves most outputs unconstrained, which is where the total has been found already
_known_probability = lru_cache(maxsize=1024)(interval_probability)


def points_of_interval(
    output: str, points: tuple[Expression, ...], low: IntervalEnd, high: IntervalEnd, here: Context
) -> tuple[tuple[Ratio, ...], int | None, int | None]:
    """The points and ends of an interval in ascending order, and the indices of both ends."""
    ends = [normal(e, here) if e is not None else None for e in (low, high)]
    given = cuts(points, output, here)
    listed = ascending_points([*given, *(e for e in ends if e is not None)], here)
    first, last = (None if e is None else end_position(e, listed, here) for e in ends)
    if len(given) < len(points):
        from ahdp_verify.kernel.rules.antiderivatives import Cuts

        listed = Cuts(listed, tuple(e for e in points if output in names(e)))
    return listed, first, last


def end_position(end: Ratio, listed: tuple[Ratio, ...], here: Context) -> int:
    """The index of an end among the points."""
    return next(i for i, p in enumerate(listed) if sign_of_difference(p, end, here) == 0)


def joint_probability(
    law: Expression,
    outputs: tuple[Output, ...],
    chosen: tuple[tuple[Expression, ...], ...] | None,
    here: Context,
) -> Ratio:
    """The probability of joint outcomes of finite outputs, of all of them for None; each must be an
    outcome and be listed once.
    """
    if chosen is not None and (
        len(set(chosen)) < len(chosen) or not _are_outcomes(chosen, outputs)
    ):
        raise Unsupported("an event lists an outcome twice, or something that is not an outcome")
    keys = [o.name for o in outputs]
    listed = (
        outcomes(outputs) if chosen is None else (dict(zip(keys, o, strict=True)) for o in chosen)
    )
    return sum((nonnegative_value(substitute(law, at), here) for at in listed), constant(0))


def _are_outcomes(chosen: tuple[tuple[Expression, ...], ...], outputs: tuple[Output, ...]) -> bool:
    values = [frozenset(o.values) for o in outputs]
    return all(len(o) == len(values) and all(map(contains, values, o)) for o in chosen)


def event_probability(
    law: Expression, atoms: Atoms, outputs: tuple[Output, ...], event: Event, points: Points
) -> Ratio:
    """The exact probability of an event under a distribution without names other than the outputs.

    Unsupported for an event that `check_event` refuses, or whose probability has no closed form
    here.
    """
    check_event(event, atoms, outputs)
    here = Context.empty(frozenset(o.name for o in outputs if o.kind == "integer"))
    held = (nonnegative_value(mass, here) for _, mass in atoms_in_event(event, atoms, outputs))
    total = sum(held, constant(0))
    if event.outcomes:
        return total + joint_probability(law, outputs, event.outcomes, here)
    if not event.continuous:
        return total
    return total + box_probability(law, outputs, event, dict(points), here)


def atoms_in_event(event: Event, atoms: Atoms, outputs: tuple[Output, ...]) -> Atoms:
    """The atoms that belong to an event, each with its probability."""
    return tuple((at, mass) for at, mass in atoms if is_in_event(event, {outputs[0].name: at}))


def check_event(event: Event, atoms: Atoms, outputs: tuple[Output, ...]) -> None:
    """Nothing if an event determines one set of outputs and is written without redundancy;
    Unsupported otherwise.
    """
    finite = {o.name for o in outputs if o.kind == "finite"}
    spoken = [n for n, _, _ in event.intervals] + [n for n, _ in event.values]
    misplaced = {n for n, _, _ in event.intervals} & finite or {n for n, _ in event.values} - finite
    if (
        not isinstance(event.continuous, bool)
        or misplaced
        or not set(spoken) <= {o.name for o in outputs}
    ):
        raise Unsupported("an event refers to something that the mechanism does not have")
    if len(set(spoken)) < len(spoken) or any(
        low is None and high is None for _, low, high in event.intervals
    ):
        raise Unsupported("an event names an output twice, or gives an interval without an end")
    if event.outcomes and (event.intervals or event.values or len(finite) < len(outputs)):
        raise Unsupported("joint outcomes must be the whole event, and need finite outputs")
    listed = {o.name: o.values for o in outputs}
    if any(len(set(vs)) < len(vs) or not set(vs) <= set(listed[n]) for n, vs in event.values):
        raise Unsupported("an event lists a value twice, or something that is not a value")
    if not event.continuous and (spoken or event.outcomes or event.without):
        raise Unsupported("an event without a box must list what is in it")
    check_points(event, atoms, outputs)


def check_points(event: Event, atoms: Atoms, outputs: tuple[Output, ...]) -> None:
    """Nothing if `without` are atoms inside the box and `atoms` are atoms outside it, each listed
    once; Unsupported otherwise.
    """
    if atoms and any(
        names(end) for _, low, high in event.intervals for end in (low, high) if end is not None
    ):
        raise Unsupported("the ends of an interval beside atoms must be constants")
    within = {at for at, _ in atoms if is_in_box(event, {outputs[0].name: at})}
    named = (*event.without, *event.atoms)
    if len(set(named)) < len(named):
        raise Unsupported("an event names an atom twice")
    if not set(event.without) <= within:
        raise Unsupported("an event excludes something that is not an atom inside its box")
    if not set(event.atoms) <= {at for at, _ in atoms} - within:
        raise Unsupported("an event adds something that is not an atom outside its box")


def _probability_by_cases(
    law: Expression,
    outputs: tuple[Output, ...],
    event: Event,
    points: dict[str, tuple[Expression, ...]],
    here: Context,
) -> Ratio:
    """The probability of a box as the sum over the values of the finite outputs, which are
    substituted in the law, the ends and the points.
    """
    chosen, finite = dict(event.values), [o for o in outputs if o.kind == "finite"]
    listed = [chosen.get(o.name, o.values) for o in finite]
    if outcome_count(finite) > JOINT:
        raise Unsupported(f"there are more than {JOINT} combinations of finite outputs")
    rest, total = tuple(o for o in outputs if o.kind != "finite"), constant(0)
    for values in itertools.product(*listed):
        put = {o.name: v for o, v in zip(finite, values, strict=True)}
        intervals = tuple((n, _at(low, put), _at(high, put)) for n, low, high in event.intervals)
        places = {n: tuple(substitute(e, put) for e in listed_) for n, listed_ in points.items()}
        total = total + box_probability(
            substitute(law, put), rest, Event(intervals=intervals), places, here
        )
    return total


def _at(end: IntervalEnd, values: Mapping[str, Expression]) -> IntervalEnd:
    """An end of an interval at values of outputs."""
    return None if end is None else substitute(end, values)


def half_space_probability(
    law: Expression, outputs: tuple[Output, ...], event: Event, here: Context
) -> Ratio:
    """The probability that independent normal outputs lie on one side of a line or plane, or
    anywhere; Rejected or Unsupported for any other law or event.

        s_i ~ N(m_i, v_i), independent      a_1 s_1 + ... + a_n s_n + b is its own normal output
        --------------------------------------------------------------------------------------
        P[a.s + b >= 0] = F((a.m + b)/sqrt(a^2.v)),  F the distribution function of N(0, 1)
    """
    from ahdp_verify.kernel.rules.notions import normal_density

    listed = normal_density(law, outputs, (), here)
    if not event.intervals:
        return constant(1)
    if len(event.intervals) > 1 or None not in event.intervals[0]:
        raise Unsupported("a half-space has one end")
    ((key, low, high),) = event.intervals
    (end,) = (e for e in (low, high) if e is not None)
    mean = rest = gap = symbol(key) - normal(end, here)
    spread = constant(0)
    for output, (centre, v) in zip(outputs, listed, strict=True):
        at = [replace_name(gap, output.name, constant(k)) for k in (0, 1)]
        slope = at[1] - at[0]
        mean, spread = replace_name(mean, output.name, centre), spread + slope**2 * v
        rest = rest - slope * symbol(output.name)
    if ratio_names(rest) or ratio_names(spread):
        raise Unsupported("the end of a half-space is not linear in the outputs")
    share = erf(to_expression(mean) / sqrt(to_expression(spread.scale(2))))
    above = (constant(1) + normal(share, here)).scale(Fraction(1, 2))
    return above if low is not None else constant(1) - above


def box_probability(
    law: Expression,
    outputs: tuple[Output, ...],
    event: Event,
    points: dict[str, tuple[Expression, ...]],
    here: Context,
) -> Ratio:
    """The probability of a box: the product of the totals of the output groups, each of which
    must be free of outputs; of a mixed distribution, case by case.

    Where ends or points depend on earlier outputs, it is integrated over one output after another.
    """
    if not points and len(outputs) > 1 and all(o.kind == "real" for o in outputs):
        with suppress(Rejected, Undecided, Unsupported):
            return half_space_probability(law, outputs, event, here)
    spoken = [*((n, ends) for n, *ends in event.intervals), *points.items()]
    slanted = any(e is not None and names(e) - {n} for n, listed in spoken for e in listed)
    prefactor, groups = factors_by_output(law, tuple(o.name for o in outputs))
    slanted = slanted or any(len(names(g) & {o.name for o in outputs}) > 1 for g in groups)
    if slanted and any(o.kind == "finite" for o in outputs):
        return _probability_by_cases(law, outputs, event, points, here)
    # for a mixed law each case has a total of its own, and only their sum is known to be 1
    total = nonnegative_value(prefactor, here)
    if total.is_zero:
        return total
    ends, values = {n: (low, high) for n, low, high in event.intervals}, dict(event.values)
    spans = {o.name: (points.get(o.name, ()), *ends.get(o.name, (None, None))) for o in outputs}
    factors = tuple(zip(outputs, groups, strict=True))
    if slanted:
        return total * _slanted_probability(factors, spans, here)
    for output, group in factors:
        if output.kind == "finite":
            listed = tuple((v,) for v in values.get(output.name, output.values))
            total = total * joint_probability(group, (output,), listed, here)
        else:
            total = total * _known_probability(group, output, *spans[output.name], here)
    return total


def _product_of_totals(factors: Factors, spans: Spans, here: Context) -> Ratio:
    """The product of the totals of the factors; Unsupported if one depends on an output."""
    totals = [interval_probability(f, o, *spans[o.name], here) for o, f in factors]
    if any(map(ratio_names, totals)):
        raise Unsupported("a total depends on an output")
    return prod(totals, start=constant(1))


def _slanted_probability(factors: Factors, spans: Spans, here: Context) -> Ratio:
    """The integral of a product of factors, one for each output, over a box of which the ends and
    points of an output depend on earlier ones.
    """
    (output, factor), rest = factors[0], factors[1:]
    span = spans[output.name]
    if not rest:
        return interval_probability(factor, output, *span, here)
    with suppress(Undecided, Unsupported):
        return _product_of_totals(factors, spans, here)
    listed, first, last = points_of_interval(output.name, *span, here)

    def value(upper: int, piece: Context) -> Ratio:
        if (first is not None and upper <= first) or (last is not None and upper > last):
            return constant(0)
        inner = _slanted_probability(rest, spans, piece)
        return nonnegative_value(factor, piece) * inner

    return total_of_slices(output, listed, value, here)


def total_probability(
    law: Expression, atoms: Atoms, outputs: tuple[Output, ...], points: Points
) -> Ratio:
    """The total mass of a law."""
    finite = all(o.kind == "finite" for o in outputs)
    if finite and len(outputs) > 1 and outcome_count(outputs) <= JOINT:
        return joint_probability(law, outputs, None, Context.empty())
    return event_probability(law, atoms, outputs, Event(), points)
