"""The outputs of two distributions as cells in descending order of their likelihood ratio, second /
first.

A cell is a set of outputs on which the ratio is one number (equal numbers make one cell), or an
interval of a real output on which it rises or falls strictly: there both densities are single
exponentials c exp(a s), so that a part of the cell that is cut off by a bound of the ratio has
probabilities in closed form. By the lemma of Neyman and Pearson the best test rejects `first` on
the first cells of the order; so where no two cells have overlapping ranges of the ratio, these
cells determine the trade-off curve of the two distributions.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.analysis.inputs import law_at_input
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> W, s = Domain([(1, 1)]), real("s")
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2)
>>> for cell in cells_by_ratio(law_at_input(M, [0]), law_at_input(M, [1])):
...     print(cell.text, "has", to_expression(cell.first), "and", to_expression(cell.second))
s >= 1 has exp(-1)/2 and 1/2
1/2 <= s < 1 has -exp(-1)/2 + exp(-1/2)/2 and 1/2 - exp(-1/2)/2
0 <= s < 1/2 has 1/2 - exp(-1/2)/2 and -exp(-1)/2 + exp(-1/2)/2
s < 0 has 1/2 and exp(-1)/2
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod

from ahdp_verify.analysis.inputs import LawAtInput
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.kernel.errors import BadInput, Unsupported
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.mechanism import JOINT, Output
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import (
    Ratio,
    constant,
    exp_of,
    exponential_form,
    log_of,
    polynomial_of_monomial,
)
from ahdp_verify.kernel.numbers.ball import constant_sign, enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import is_whole, normal, to_expression
from ahdp_verify.kernel.rules.events import is_in_event
from ahdp_verify.kernel.rules.integration import (
    integral,
    nonnegative_value,
    piece_bounds,
    piece_context,
)
from ahdp_verify.kernel.terms.expression import Expression, substitute, transform, walk
from ahdp_verify.search.proving.total_mass import output_breakpoints, sort_in_context
from ahdp_verify.search.simplify import shortest_form

Quotient = tuple[Ratio, Ratio]  # (q, p) for q / p; not both are 0, and p = 0 is oo
ScaledExponential = tuple[Ratio, Ratio]  # (c, a) for c exp(a s)
FiniteOutputValues = tuple[tuple[str, tuple[Expression, ...]], ...]
EMPTY = Context.empty()
LONGEST, HOPELESS = (
    42,
    240,
)  # characters of an expression beyond which a factored form is searched for, and no longer is
SAME: Quotient = (constant(1), constant(1))


@dataclass(frozen=True, slots=True)
class MonotonePiece:
    """low < output < high, where the laws are the exponentials `first` and `second` and their ratio
    is strictly monotone; `values` of finite outputs are fixed.

    Points of mass do not belong to it.
    """

    output: str
    values: FiniteOutputValues
    low: Ratio | None
    high: Ratio | None
    first: ScaledExponential
    second: ScaledExponential
    points: tuple[Expression, ...] = ()

    __repr__ = short_repr

    @property
    def rising(self) -> bool:
        """Whether the ratio rises with the output, so that the best tests reject large outputs
        first.
        """
        sign = require_sign(self.second[1] - self.first[1])
        if not sign:
            raise Unsupported("the likelihood ratio was not shown to vary where it seems to")
        return sign == 1

    @property
    def event(self) -> Event:
        """The interval."""
        return interval_event(self.output, self.values, self.low, self.high, self.points)

    def ratio_at(self, end: Ratio | None, side: int) -> Quotient:
        """The ratio at an end; a missing one is at `side` times infinity."""
        (c, a), (d, b) = self.first, self.second
        if end is not None:
            return d * exp_of((b - a) * end), c
        return (
            (constant(1), constant(0))
            if require_sign(b - a) == side
            else (constant(0), constant(1))
        )

    def where(self, ratio: Quotient) -> Ratio:
        """The output at which the ratio is a number other than 0 and oo."""
        (c, a), (d, b) = self.first, self.second
        return log_of(ratio[0] * c / (ratio[1] * d)) / (b - a)

    def reached(self, used: Ratio) -> tuple[Ratio, Ratio]:
        """(t, power): the part of the best outputs that has probability `used` under the first
        distribution has probability `power` under the second, and ends at t.
        """
        (c, a), (d, b) = self.first, self.second
        end, side = (self.high, constant(-1)) if self.rising else (self.low, constant(1))
        if a.is_zero:
            t = _finite_end(end) + side * used / c
            grown_second = exp_of(b * t)
        else:
            grown_first = _exponential_at(a, end) + side * a * used / c
            t, grown_second = log_of(grown_first) / a, algebra.ratio_power(grown_first, b / a)
        return t, side * d * (
            (t - _finite_end(end)) if b.is_zero else (grown_second - _exponential_at(b, end)) / b
        )


@dataclass(frozen=True, slots=True)
class RatioCell:
    """Outputs with their probabilities under both distributions, and the range of the ratio, from
    `top` to `bottom`; they are equal where there is no `slope`.
    """

    events: tuple[Event, ...]
    first: Ratio
    second: Ratio
    top: Quotient
    bottom: Quotient
    slope: MonotonePiece | None = None

    __repr__ = short_repr

    @property
    def text(self) -> str:
        """The outputs as text."""
        return events_text(self.events)


def short_expression(r: Ratio) -> Expression:
    """The ratio as an expression, a short one where it would be long or holds logarithms; x^k
    for exp(k log(x)).
    """
    plain = to_expression(r)
    if LONGEST < len(str(plain)) < HOPELESS or any(e.head == "log" for e in walk(plain)):
        plain = shortest_form(plain, EMPTY)
    return transform(plain, _as_power)


def _as_power(e: Expression) -> Expression | None:
    """x^k for exp(k log(x))."""
    inside = e.args[0] if e.head == "exp" else e
    if (
        inside.head == "*"
        and len(inside.args) == 2
        and (inside.args[0].head, inside.args[1].head) == ("number", "log")
        and e.head == "exp"
    ):
        return Expression("^", (inside.args[1].args[0], inside.args[0]))
    return None


def require_sign(r: Ratio) -> int:
    """The sign of a constant; Unsupported where enclosures of 4096 bits leave it open."""
    found = constant_sign(r)
    if found is None:
        raise Unsupported("two constants are too close to each other to be compared")
    return found


def compare_quotients(x: Quotient, y: Quotient) -> int:
    """The sign of x - y; by enclosures where these are apart, which is ten times faster."""
    try:
        (a, A), (b, B), (c, C), (d, D) = map(_enclosure, (*x, *y))
    except Unsupported:  # numbers without an explicit form are compared as balls
        return require_sign(x[0] * y[1] - y[0] * x[1])
    if c * b > A * D or a * d > C * B:
        return 1 if a * d > C * B else -1
    return require_sign(x[0] * y[1] - y[0] * x[1])


@functools.lru_cache(maxsize=16384)
def _enclosure(r: Ratio) -> tuple[Fraction, Fraction]:
    """An enclosure of a constant that is not negative."""
    low, high = enclose(r)
    return max(low, Fraction(0)), high


def _exponential_at(rate: Ratio, at: Ratio | None) -> Ratio:
    """exp(rate at); 0 at the infinite end, where an exponential of finite total vanishes."""
    return constant(0) if at is None else exp_of(rate * at)


def _finite_end(end: Ratio | None) -> Ratio:
    """An end that is finite."""
    if end is None:
        raise Unsupported("a density was not found to decay")
    return end


def _exponential_integral(term: ScaledExponential, low: Ratio | None, high: Ratio | None) -> Ratio:
    """The integral of an exponential of finite total."""
    c, rate = term
    return (
        c * (_finite_end(high) - _finite_end(low))
        if rate.is_zero
        else c * (_exponential_at(rate, high) - _exponential_at(rate, low)) / rate
    )


def interval_event(
    output: str,
    values: FiniteOutputValues,
    low: Ratio | None,
    high: Ratio | None,
    points: tuple[Expression, ...],
) -> Event:
    """low <= output < high, at given values of finite outputs, without points of mass."""
    a, b = (None if e is None else short_expression(e) for e in (low, high))
    found = Event(
        intervals=((output, a, b),) if a is not None or b is not None else (), values=values
    )
    return replace(found, without=tuple(at for at in points if _contains_point(found, at)))


def _constant_cell(events: tuple[Event, ...], first: Ratio, second: Ratio) -> RatioCell:
    """A cell of one ratio; that of its probabilities."""
    return RatioCell(events, first, second, (second, first), (second, first))


def monotone_cell(s: MonotonePiece) -> RatioCell:
    """The cell of an interval on which the ratio varies."""
    ends = s.ratio_at(s.low, -1), s.ratio_at(s.high, 1)
    bottom, top = ends if s.rising else ends[::-1]
    return RatioCell(
        (s.event,),
        _exponential_integral(s.first, s.low, s.high),
        _exponential_integral(s.second, s.low, s.high),
        top,
        bottom,
        s,
    )


def cells_by_ratio(first: LawAtInput, second: LawAtInput) -> tuple[RatioCell, ...]:
    """The cells in descending order of the ratio, those of equal ratio as one; a cell on which it
    varies is cut where it equals 1.

    Unsupported where the ranges of two cells overlap, or a law has no closed form.
    """
    listed = ratio_cells(first, second)
    for which, of in (("first", first), ("second", second)):
        mass = sum((getattr(c, which) for c in listed), constant(0))
        gap = mass - constant(1)
        if not gap.is_zero and constant_sign(gap) is None:
            raise Unsupported(f"the probabilities at {of.text} were not shown to add up to 1")
        if not gap.is_zero:
            raise BadInput(
                f"input {of.text}",
                f"the probabilities add up to {to_expression(mass)}, not to 1",
                "correct the density or the atoms",
            )
    ratios = [c.top for c in listed if c.slope is None]
    parts = [
        part
        for c in listed
        for part in ([c] if c.slope is None else cut_cell(c.slope, [*ratios, SAME]))
    ]
    parts.sort(
        key=functools.cmp_to_key(
            lambda x, y: compare_quotients(y.top, x.top) or compare_quotients(y.bottom, x.bottom)
        )
    )
    if any(compare_quotients(x.bottom, y.top) < 0 for x, y in itertools.pairwise(parts)):
        raise Unsupported(
            "the likelihood ratio takes the same values in two places, so the best tests have no "
            "closed form here"
        )
    return tuple(_merge_cells(parts))


def cut_cell(slope: MonotonePiece, ratios: Iterable[Quotient]) -> list[RatioCell]:
    """The parts of a sloping cell between the given ratios."""
    for r in ratios:
        whole = monotone_cell(slope)
        if compare_quotients(whole.top, r) > 0 and compare_quotients(r, whole.bottom) > 0:
            t = slope.where(r)
            return [
                *cut_cell(replace(slope, high=t), ratios),
                *cut_cell(replace(slope, low=t), ratios),
            ]
    return [monotone_cell(slope)]


def _merge_cells(listed: list[RatioCell]) -> Iterator[RatioCell]:
    """The cells, neighbours of one equal ratio as one."""
    for _, same in itertools.groupby(listed, key=RatioKey):
        group = list(same)
        if len(group) == 1:
            yield group[0]
        else:
            first, second = (
                sum((getattr(c, which) for c in group), constant(0))
                for which in ("first", "second")
            )
            everything = (e for c in listed for e in c.events)
            yield _constant_cell(
                merge_events((e for c in group for e in c.events), everything), first, second
            )


@dataclass(slots=True)
class RatioKey:
    """What cells of one constant ratio have in common."""

    cell: RatioCell

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, RatioKey)
            and self.cell.slope is None
            and other.cell.slope is None
            and compare_quotients(self.cell.top, other.cell.top) == 0
        )


def ratio_cells(first: LawAtInput, second: LawAtInput) -> list[RatioCell]:
    """The cells of two distributions of one mechanism: atoms, outcomes of finite outputs, and the
    pieces of another output for each of these.
    """
    here = Context.empty()
    found = [
        _constant_cell(
            (Event(atoms=(at,), continuous=False),),
            nonnegative_value(p, here),
            nonnegative_value(q, here),
        )
        for (at, p), (_, q) in zip(first.atoms, second.atoms, strict=True)
    ]
    finite, rest = (
        [o for o in first.outputs if o.kind == "finite"],
        [o for o in first.outputs if o.kind != "finite"],
    )
    if len(rest) > 1:
        raise Unsupported("more than one output is not finite")
    if prod(len(o.values) for o in finite) > JOINT:
        raise Unsupported(f"there are more than {JOINT} combinations of finite outputs")
    for outcome in itertools.product(*(o.values for o in finite)):
        put = {o.name: v for o, v in zip(finite, outcome, strict=True)}
        laws = substitute(first.density, put), substitute(second.density, put)
        if rest:
            points_ = tuple(
                at
                for c in found
                for e in c.events
                for at in e.atoms
                if not (c.first.is_zero and c.second.is_zero)
            )
            found += _output_cells(laws, rest[0], tuple((k, (v,)) for k, v in put.items()), points_)
        else:
            found.append(
                _constant_cell(
                    (Event(outcomes=(outcome,)),), *(nonnegative_value(law, here) for law in laws)
                )
            )
    return [c for c in found if not (c.first.is_zero and c.second.is_zero)]


def _output_cells(
    laws: tuple[Expression, Expression],
    output: Output,
    values: FiniteOutputValues,
    atoms: tuple[Expression, ...],
) -> Iterator[RatioCell]:
    """The cells of an output that is not finite, without its points of mass: between two points
    one, or for whole outputs one for each.
    """
    here = Context.empty(frozenset((output.name,)) if output.kind == "integer" else frozenset())
    ends = sort_in_context(
        [
            ceiling_if_integer(p, output, here)
            for law in laws
            for p in output_breakpoints(law, output, here)
        ],
        here,
    )
    for i, j, upper in piece_bounds(len(ends)):
        low, high = (None if k is None else ends[k] for k in (i, j))
        p, q = (
            normal(law, piece_context(output.name, output.kind, ends, upper, here)) for law in laws
        )
        if p.is_zero and q.is_zero:
            continue
        masses = [integral(law, output.name, output.kind, ends, here, i, j) for law in laws]
        if p.is_zero or output.name not in algebra.ratio_names(q / p):
            yield _constant_cell((interval_event(output.name, values, low, high, atoms),), *masses)
        elif output.kind == "real":
            first, second = (_single_exponential(r, output.name) for r in (p, q))
            if (second[1] - first[1]).is_zero:  # written differently, such as 1 and 1/k + (k-1)/k
                event = interval_event(output.name, values, low, high, atoms)
                yield _constant_cell((event,), *masses)
                continue
            yield monotone_cell(MonotonePiece(output.name, values, low, high, first, second, atoms))
        else:
            yield from _integer_cells((p, q), output, values, low, high)


def ceiling_if_integer(p: Ratio, output: Output, here: Context) -> Ratio:
    """A point; of a whole output the next whole number from it on."""
    if output.kind == "real" or is_whole(p, here):
        return p
    if (value := p.as_rational) is None:
        raise Unsupported(f"{to_expression(p)} is not known to be a whole number")
    return constant(-(-value // 1))


def _integer_cells(
    laws: tuple[Ratio, Ratio],
    output: Output,
    values: FiniteOutputValues,
    low: Ratio | None,
    high: Ratio | None,
) -> Iterator[RatioCell]:
    """A cell for every whole number from low to high."""
    count = None if low is None or high is None else (high - low).as_rational
    if low is None or count is None or count > JOINT:
        raise Unsupported(
            f"the likelihood ratio of {output.name} takes infinitely many values"
            if count is None
            else f"it takes more than {JOINT} values"
        )
    for k in range(int(count)):
        at = low + constant(k)
        masses = (algebra.replace_name(law, output.name, at) for law in laws)
        yield _constant_cell(
            (interval_event(output.name, values, at, at + constant(1), ()),), *masses
        )


def _single_exponential(law: Ratio, variable: str) -> ScaledExponential:
    """The law as one exponential c exp(a s)."""
    found = [(exponential_form(m, variable), c) for m, c in law.num.terms.items()]
    rate = found[0][0][1]
    c = sum(
        (
            Ratio(polynomial_of_monomial(rest, k), law.den) * exp_of(shift)
            for (rest, _, shift), k in found
        ),
        constant(0),
    )
    if any(
        not (other - rate).is_zero for (_, other, _), _ in found
    ) or variable in algebra.ratio_names(c):
        raise Unsupported(
            f"where the likelihood ratio varies, the density of {variable} is not a single "
            "exponential"
        )
    return c, rate


def merge_events(events: Iterable[Event], others: Iterable[Event] = ()) -> tuple[Event, ...]:
    """Disjoint events merged into as few as possible: outcomes together, intervals that touch as
    one, and the points of mass in them.

    `others` are all events about the same output: points of mass that they name are left out where
    no event holds them.
    """
    listed = tuple(events)
    points = dict.fromkeys(a for e in (*listed, *others) for a in (*e.atoms, *e.without))
    chosen = [a for a in points if any(_contains_point(e, a) for e in listed)]
    boxes = _merge_touching([e for e in listed if e.continuous and not e.outcomes])
    found = [
        replace(
            box, without=tuple(a for a in points if a not in chosen and _contains_point(box, a))
        )
        for box in boxes
    ]
    outcomes = tuple(o for e in listed for o in e.outcomes)
    found += [Event(outcomes=outcomes)] if outcomes else []
    apart = tuple(a for a in chosen if not any(_contains_point(box, a) for box in boxes))
    return (*found, *([Event(atoms=apart, continuous=False)] if apart else ()))


def _contains_point(event: Event, point: Expression) -> bool:
    """Whether a point of mass of the only output belongs to an event."""
    return is_in_event(event, {event.intervals[0][0] if event.intervals else "": point})


def _merge_touching(listed: list[Event]) -> list[Event]:
    """The intervals, those that touch as one."""
    spans = {(e.values, e.intervals[0][1] if e.intervals else None): e for e in listed}
    met = {
        (e.values, e.intervals[0][2])
        for e in spans.values()
        if e.intervals and e.intervals[0][2] is not None
    }
    found = []
    for (values, low), e in spans.items():
        if low is None or (values, low) not in met:
            name, high = (e.intervals[0][0], e.intervals[0][2]) if e.intervals else ("", None)
            while high is not None and (values, high) in spans:
                high = spans[values, high].intervals[0][2]
            found.append(
                Event(
                    intervals=((name, low, high),) if (low, high) != (None, None) else (),
                    values=values,
                )
            )
    return found


def events_text(events: Iterable[Event]) -> str:
    """Events as text; "" for none."""
    listed = [str(e) for e in events]
    return (", or " if any(", or " in t or " except " in t for t in listed) else " or ").join(
        listed
    )
