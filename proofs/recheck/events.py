"""Section 6: events, and their probability under a law at one input."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from typing import Any, Literal

from recheck.closed_forms import Stored
from recheck.forms import Form, constant, constant_sign, total, tree_of
from recheck.inputs import given, given_list
from recheck.limits import COMBINATIONS, Rejected, cover, need
from recheck.normals import half_space
from recheck.places import Output, combinations, grouped, number_of_combinations
from recheck.shapes import Record, fields, listed, text
from recheck.signs import Context, sign_of
from recheck.totals import need_points, nonnegative, on_piece, simple_total, total_over
from recheck.trees import Tree, substitute
from recheck.written import Law

Points = Mapping[str, Sequence[Tree]]


@dataclass(frozen=True)
class Event:
    """The box without the points in `without`, together with the points in `atoms`."""

    continuous: bool = True
    intervals: Mapping[str, tuple[Tree | None, Tree | None]] | None = None
    values: Mapping[str, tuple[Tree, ...]] | None = None
    outcomes: tuple[tuple[Tree, ...], ...] = ()
    without: tuple[Tree, ...] = ()
    atoms: tuple[Tree, ...] = ()

    @property
    def is_bounded(self) -> bool:
        """Whether it is a box of two outputs or more, with both ends for each."""
        ends = [e for both in (self.intervals or {}).values() for e in both]
        return len(ends) > 2 and None not in ends


EVERYTHING = Event()


def distinct(data: Sequence[Any], what: str) -> None:
    need(len(set(data)) == len(data), f"{what} is listed twice")


def read_event(data: Any, outputs: Sequence[Output]) -> Event:
    wanted = "continuous intervals values outcomes without atoms"
    continuous, spans, sets, outcomes, without, atoms = fields(data, wanted, "the event")
    need(isinstance(continuous, bool), "`continuous` is neither true nor false")
    intervals = [read_interval(row, outputs) for row in listed(spans)]
    values = [read_set(row, outputs) for row in listed(sets)]
    rows = [tuple(given_list(row)) for row in listed(outcomes)]
    distinct([n for n, _ in intervals] + [n for n, _ in values], "an output")
    distinct(rows, "an outcome")
    left, more = given_list(without), given_list(atoms)
    distinct(left, "a point")
    distinct(more, "a point")
    if rows:
        need(all(o.kind == "finite" for o in outputs), "outcomes of outputs that are not finite")
        need(not intervals and not values, "an event has outcomes and a box")
        for r in rows:
            fits = len(r) == len(outputs)
            need(fits, "an outcome has too many or too few values")
            known = all(v in o.values for v, o in zip(r, outputs, strict=True))
            need(known, "an outcome has a value that its output does not take")
    if not continuous:
        need(
            not (intervals or values or rows or left),
            "an event without a box has intervals, values, outcomes or `without`",
        )
    return Event(continuous, dict(intervals), dict(values), tuple(rows), tuple(left), tuple(more))


def output_of(text_: Any, outputs: Sequence[Output]) -> Output:
    for o in outputs:
        if o.name == text_:
            return o
    raise Rejected("an event mentions an unknown output")


def read_interval(
    row: Any, outputs: Sequence[Output]
) -> tuple[str, tuple[Tree | None, Tree | None]]:
    n, *ends = listed(row, 3)
    need(output_of(n, outputs).kind != "finite", "an interval of a finite output")
    low, high = (None if e is None else given(e) for e in ends)
    need(low is not None or high is not None, "an interval has no end")
    return n, (low, high)


def read_set(row: Any, outputs: Sequence[Output]) -> tuple[str, tuple[Tree, ...]]:
    n, values = listed(row, 2)
    o, found = output_of(n, outputs), given_list(values)
    need(o.kind == "finite", "values of an output that is not finite")
    need(all(v in o.values for v in found), "an event has a value that its output does not take")
    distinct(found, "a value")
    return n, tuple(found)


def in_event(event: Event, law: Law, here: Context) -> set[Tree]:
    """The atoms that belong to the event; raises if it is not decided which are in the box."""
    points = [point for point, _ in law.atoms]
    inside = {p for p in points if is_in_box(p, event, law, here)}
    need(set(event.without) <= inside, "a point in `without` is not an atom inside the box")
    outside = set(points) - inside
    need(set(event.atoms) <= outside, "a point in `atoms` is not an atom outside the box")
    return (inside - set(event.without)) | set(event.atoms)


def is_in_box(point: Tree, event: Event, law: Law, here: Context) -> bool:
    if not event.continuous:
        return False
    span = (event.intervals or {}).get(law.outputs[0].name)
    if span is None:
        return True
    if point.head == "label":
        return False
    low, high = (None if e is None else here.form(e) for e in span)
    a = here.form(point)
    if low is not None and decided(a - low) < 0:
        return False
    return high is None or decided(a - high) < 0


def decided(r: Form) -> int:
    s = constant_sign(r)
    if s is None:
        raise Rejected("it is not known whether an atom lies in the box")
    return s


def probability(
    law: Law, event: Event, points: Mapping[str, Sequence[Tree]], here: Context
) -> Form:
    """The probability of the event under the law at one input, a constant."""
    whole = [o.name for o in law.outputs if o.kind == "integer"]
    here = here.with_whole_names(whole)
    chosen = in_event(event, law, here)
    masses = [(point, nonnegative(mass, here)) for point, mass in law.atoms]
    found = total(mass for point, mass in masses if point in chosen)
    for c in outcomes_of(law, event) if event.continuous else ():
        found = found + box(law, event, points, c, here)
    return found


def outcomes_of(law: Law, event: Event) -> Iterator[Record]:
    """The combinations of values of the finite outputs that lie in the box.

    If there are too many, only the empty combination: then outputs are treated one by one.
    """
    names = [o.name for o in law.outputs]
    if event.outcomes:
        yield from (dict(zip(names, row, strict=True)) for row in event.outcomes)
    elif number_of_combinations(law.outputs) > COMBINATIONS:
        yield {}
    else:
        for c in combinations(list(law.outputs)):
            if all(v in values_in(event, n, (v,)) for n, v in c.items()):
                yield c


def values_in(event: Event, n: str, every: tuple[Tree, ...]) -> tuple[Tree, ...]:
    """The values of a finite output that lie in the box."""
    return (event.values or {}).get(n, every)


def box(law: Law, event: Event, points: Points, c: Record, here: Context) -> Form:
    """The probability of the box by the density, at these values of the finite outputs."""
    if not points and len(law.outputs) > 1 and all(o.kind == "real" for o in law.outputs):
        side = only_end(event)
        if side is not False:
            return half_space(law, side, here)
    rest = [o for o in law.outputs if o.name not in c]
    prefactor, laws = grouped(substitute(law.density, c), rest)
    found = nonnegative(prefactor, here)
    spans = {o.name: Span.of(o.name, event, points, c) for o in rest}
    factors = list(zip(rest, laws, strict=True))
    listed_here = {o.name for o in rest}
    together = any(len(part.names & listed_here) > 1 for part in laws)
    if together or any(e.names for s in spans.values() for e in s.everything):
        cover(all(o.kind != "finite" for o in rest), "there are too many outputs")
        return found if found.is_zero else found * one_after_another(factors, spans, here)
    for o, part in factors:
        if found.is_zero:
            return found
        if o.kind == "finite":
            earlier = {p.name for p in rest} - {o.name}
            cover(part.names.isdisjoint(earlier), "there are too many outputs")
            o = Output(o.name, o.kind, values_in(event, o.name, o.values))
            share = total_over([o], part, [], here)
        else:
            ordered, ends = spans[o.name].in_order(here)
            share = total_over([o], part, ordered, here, ends)
        found = found * share
    return found


def only_end(event: Event) -> tuple[str, Tree, bool] | Literal[False] | None:
    """The output with the only end, that end, and whether it is the lower one; None if there is no
    end, False if there are more.
    """
    intervals = event.intervals or {}
    ends = [(n, e, e is low) for n, (low, high) in intervals.items() for e in (low, high) if e]
    return False if len(ends) > 1 else ends[0] if ends else None


@dataclass(frozen=True)
class Span:
    """The interval of an output, which may have no end on a side, and the points of its law."""

    low: Tree | None
    high: Tree | None
    points: tuple[Tree, ...]
    stored: tuple[Tree, ...]  # antiderivatives

    @classmethod
    def of(cls, n: str, event: Event, points: Points, c: Record) -> Span:
        ends = (event.intervals or {}).get(n, (None, None))
        low, high = (None if e is None else substitute(e, c) for e in ends)
        listed = [substitute(e, c) for e in points.get(n, ())]
        stored = tuple(e for e in listed if n in e.names)
        return cls(low, high, tuple(e for e in listed if e not in stored), stored)

    @property
    def everything(self) -> list[Tree]:
        return [e for e in (self.low, self.high, *self.points) if e is not None]

    def in_order(self, here: Context) -> tuple[Stored, tuple[int | None, int | None]]:
        """The ends and points in ascending order, and which of them are the ends."""
        ordered = in_ascending_order([here.form(e) for e in self.everything], here)
        low, high = (
            None if e is None else ordered.index(here.form(e)) for e in (self.low, self.high)
        )
        return Stored(ordered, self.stored), (low, high)


def one_after_another(
    factors: list[tuple[Output, Tree]], spans: Mapping[str, Span], here: Context
) -> Form:
    """The total of a product of factors >= 0; ends and points may depend on earlier outputs.

    on a piece from u to v, factor j times the total over the later outputs is a sum of exponentials
    ------------------------------------------------------------------------------------------------
    the total over output j and the later ones is the sum of the integrals from u to v
    """
    if (apart := product_of_totals(factors, spans, here)) is not None:
        return apart
    (o, part), rest = factors[0], factors[1:]
    ordered, (low, high) = spans[o.name].in_order(here)
    if not rest:
        return total_over([o], part, ordered, here, (low, high))
    need_points(o, ordered, here)
    found = []
    for i in range(0 if low is None else low + 1, (len(ordered) if high is None else high) + 1):
        inside = on_piece(o, ordered, i, here)
        later = one_after_another(rest, spans, inside)
        value = tree_of(nonnegative(part, inside) * later)
        found.append(simple_total(value, o, ordered, i, here, False))
    return total(found)


def product_of_totals(
    factors: list[tuple[Output, Tree]], spans: Mapping[str, Span], here: Context
) -> Form | None:
    """The product of the totals of several factors, if none of them depends on an output."""
    found = constant(1)
    for o, part in factors if len(factors) > 1 else ():
        try:
            ordered, ends = spans[o.name].in_order(here)
            share = total_over([o], part, ordered, here, ends)
        except Rejected:
            return None
        if share.names:
            return None
        found = found * share
    return found if len(factors) > 1 else None


def in_ascending_order(points: list[Form], here: Context) -> list[Form]:
    """The points in ascending order, without duplicates."""

    def order(p: Form, q: Form) -> int:
        return sign_of(p - q, here)

    return sorted(dict.fromkeys(points), key=cmp_to_key(order))


def read_points(data: Any, outputs: Sequence[Output]) -> dict[str, list[Tree]]:
    rows = [listed(row, 2) for row in listed(data)]
    distinct([text(n) for n, _ in rows], "an output")
    for n, _ in rows:
        need(output_of(n, outputs).kind != "finite", "there are points of a finite output")
    return {n: given_list(points) for n, points in rows}
