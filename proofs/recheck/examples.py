"""Section 6: counterexamples.  Section 9: the law of a mechanism made of others, at one input."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cmp_to_key
from typing import Any

from recheck.claims import (
    ADDED,
    AMOUNTS,
    OWN_LEVEL,
    Claim,
    Named,
    Output,
    Record,
    combinations,
    fields,
    grouped,
    is_equal,
    listed,
    number_of_combinations,
    other,
    text,
)
from recheck.forms import UNIT, Form, constant_sign, exp_of, total
from recheck.limits import COMBINATIONS, NotCovered, Rejected, cover, need
from recheck.signs import Context, at_record, sign_of, truth
from recheck.totals import nonnegative, total_over
from recheck.trees import (
    AGGREGATES,
    Tree,
    at_most,
    is_number,
    make,
    minus,
    name,
    number,
    plus,
    read,
    rebuild,
    substitute,
    times,
    walk,
)

LARGEST_SAMPLE = 16
Side = tuple[Tree, ...]
Points = Mapping[str, Sequence[Tree]]


def given(data: Any) -> Tree:
    """A tree in a counterexample."""
    (data,) = fields(data, "e", "a value")
    return read(data)


def given_list(data: Any) -> list[Tree]:
    return [given(d) for d in listed(data)]


def given_named(data: Any) -> list[tuple[str, Tree]]:
    return [(text(n), given(e)) for n, e in (listed(pair, 2) for pair in listed(data))]


def need_constant(e: Tree) -> None:
    """Nothing, if e is built from numbers, pi and arithmetic, and has a value."""
    need(not e.names, "a given value is no constant")
    need(not any(n.head in AGGREGATES for n in walk(e)), "a given value is no constant")
    Context().form(e)


@dataclass(frozen=True)
class Setting:
    """Two inputs, with the parameters put in: `here` has their values."""

    claim: Claim
    here: Context
    records: tuple[Record, ...]
    before: Side
    after: Side


def read_setting(claim: Claim, parameters: Any, instances: Any, before: Any, after: Any) -> Setting:
    """The inputs: steps 1 and 2 of section 6, without `defined`."""
    here = with_parameters(claim, given_named(parameters))
    concrete = [dict(given_named(r)) for r in listed(instances)]
    need(not concrete or bool(claim.unknowns), "there are records of a listed domain")
    records = claim.records or [in_order(r, claim.bound) for r in concrete]
    for r in records:
        need_record(claim, r, here)
    sides = tuple(given_list(before)), tuple(given_list(after))
    for side in sides:
        need_side(claim, side, len(records))
    return Setting(claim, here, tuple(records), *sides)


def with_parameters(claim: Claim, values: Named) -> Context:
    """The parameters have these exact values, and all conditions hold."""
    names = [n for n, _ in claim.parameters]
    need(sorted(n for n, _ in values) == sorted(names), "not every parameter has one value")
    for _, v in values:
        need_constant(v)
    here = Context(values={n: Context().form(v) for n, v in values})
    for n, c in claim.parameters:
        need(truth(c, here), f"the condition of the parameter {n!r} does not hold")
    return here


def in_order(record: Record, names: Sequence[str]) -> Record:
    need(sorted(record) == sorted(names), "a record has not every unknown")
    return {n: record[n] for n in names}


def need_record(claim: Claim, record: Record, here: Context) -> None:
    """Nothing, if the record is one of the domain."""
    for n, v in record.items():
        if claim.unknowns and not (n == "eps" and v.head == "oo"):
            need_constant(v)
    if "eps" in record:
        need(truth(at_most(number(0), record["eps"]), here), "a demand is below 0")
    for _, c in claim.unknowns:
        need(truth(substitute(c, record), here), "a record does not satisfy a condition")


def need_side(claim: Claim, side: Side, records: int) -> None:
    if claim.values:
        known = any(tuple(v.values()) == side for v in claim.values)
        need(known, "a value is not listed")
    elif claim.bound:
        need(len(side) == records, "there is not one count for each record")
        for n in side:
            whole = is_number(n) and isinstance(n.value, int) and n.value >= 0
            need(whole, "a count is not a whole number from 0")
            cover(n.value <= 10**9, "a count is too large")
    else:
        need(len(side) == len(claim.direct), "there is not one number for each query answer")
        for v in side:
            need_constant(v)


# the move


def level_of_move(s: Setting) -> Tree | None:
    """The level of the move from one input to the other; None where no move leads there."""
    claim = s.claim
    if claim.values:
        if s.before == s.after:
            return None
        v, w = (dict(zip(claim.direct, side, strict=True)) for side in (s.before, s.after))
        return at_record(claim.level, {**v, **other(w)}, s.here)
    if not claim.bound:
        return claim.level if answers_move(s) else None
    gaps = [b.value - a.value for a, b in zip(s.before, s.after, strict=True)]
    moved = sorted((i for i, gap in enumerate(gaps) if gap), key=lambda i: gaps[i])
    steps = [gaps[i] for i in moved]
    if steps not in ([[1], [-1]] if claim.relation in ADDED else [[-1, 1]]):
        return None
    if claim.relation == "hdp":
        old, new = (s.records[i] for i in moved)
        for k in ("eps", *claim.public):
            if not truth(make("==", old[k], new[k]), s.here):
                return None
    first = s.records[moved[0]]
    return at_record(claim.level, first, s.here) if claim.relation in OWN_LEVEL else claim.level


def answers_move(s: Setting) -> bool:
    low, high = AMOUNTS[s.claim.relation]
    found = [s.here.form(minus(b, a)).rational for a, b in zip(s.before, s.after, strict=True)]
    gaps = [gap for gap in found if gap is not None]
    need(len(gaps) == len(found), "a query answer moves by what is not rational")
    if s.claim.relation == "one" and sum(gap != 0 for gap in gaps) != 1:
        return False
    return any(all(low <= sign * gap <= high for gap in gaps) for sign in (1, -1))


def finite_level(s: Setting) -> Tree:
    """The level of the move from one input to the other, which is not oo."""
    level = level_of_move(s)
    if level is None:
        raise Rejected("no move leads from one input to the other")
    need(level.head != "oo", "the level of the move is infinite")
    return level


# laws at one input


@dataclass(frozen=True)
class Law:
    """The law at one input: no names but its outputs'."""

    outputs: tuple[Output, ...]
    density: Tree
    atoms: tuple[tuple[Tree, Tree], ...] = ()


@dataclass(frozen=True)
class At:
    """An input."""

    here: Context
    records: tuple[Record, ...]
    side: Side


def value_of_sum(node: Tree, at: At) -> Tree:
    """A sum, maximum or minimum over the records of the dataset."""
    row = [(n, r) for n, r in zip(at.side, at.records, strict=True) if n.value]
    try:
        found = [(n, at_record(node.args[0], r, at.here)) for n, r in row]
    except Rejected as why:
        if node.args[0].names - {k for r in at.records for k in r} - set(at.here.values):
            raise NotCovered("a sum over records that reads an output") from why
        raise
    if node.head == "sum":
        return plus(number(0), *(times(n, c) for n, c in found))
    if not found:
        return name("@empty")  # of no records there is none; nothing is known of this name
    return make(AGGREGATES[node.head], *(c for _, c in found))


def put_in(e: Tree, claim: Claim, at: At) -> Tree:
    """e at the input."""
    direct: dict[str, Tree] = {}
    if not claim.bound:
        direct = dict(zip(claim.direct, at.side, strict=True))

    def node(part: Tree) -> Tree | None:
        if part.head in AGGREGATES:
            return value_of_sum(part, at)
        return direct.get(part.value) if part.head == "name" else None

    return rebuild(e, node)


def law_at(claim: Claim, at: At) -> Law:
    """The law of a mechanism at an input at which it is defined."""
    if claim.law == "assumed":
        raise Rejected("an abstract mechanism has no law")
    if claim.law:
        return MADE_OF[claim.law](claim, at)
    need(truth(put_in(claim.defined, claim, at), at.here), "the mechanism is not defined there")
    atoms = tuple((point, put_in(mass, claim, at)) for point, mass in claim.atoms)
    return Law(tuple(claim.outputs), put_in(claim.density, claim, at), atoms)


def without_atoms(law: Law) -> Law:
    cover(not law.atoms, "a part has atoms")
    return law


def law_of_several(claim: Claim, at: At) -> Law:
    """`compose` and `product`: a later part may read what an earlier one releases."""
    laws = [law_at(p, at) for p in claim.parts]
    if len(laws) == 1:
        return laws[0]
    outputs = [o for law in laws for o in without_atoms(law).outputs]
    everything = [*(o.name for o in outputs), *(n for n, _ in claim.parameters)]
    need(len(set(everything)) == len(everything), "a name is declared twice")
    return Law(tuple(outputs), times(*(law.density for law in laws)))


def law_of_mixture(claim: Claim, at: At) -> Law:
    laws = [without_atoms(law_at(p, at)) for p in claim.parts]
    need_weights(claim.formulas, at.here)
    alike = all(law.outputs == laws[0].outputs for law in laws)
    need(alike, "the parts of a mixture have different outputs")
    terms = (times(w, law.density) for w, law in zip(claim.formulas, laws, strict=True))
    return Law(laws[0].outputs, plus(*terms))


def need_weights(weights: Sequence[Tree], here: Context) -> None:
    for w in weights:
        need(truth(at_most(number(0), w), here), "a probability is below 0")
    need(here.form(plus(*weights)) == UNIT, "the probabilities do not add up to 1")


def law_of_sample(claim: Claim, at: At) -> Law:
    """The sum over all samples."""
    keep = [at_record(claim.formulas[0], r, at.here) for r in at.records]
    for p in keep:
        for bound in (at_most(number(0), p), at_most(p, number(1))):
            need(truth(bound, at.here), "what is kept has no probability")
    size = sum(n.value for n in at.side)
    cover(size <= LARGEST_SAMPLE, f"a sample of more than {LARGEST_SAMPLE} records")
    terms, outputs = [], None
    for kept in itertools.product(*(range(n.value + 1) for n in at.side)):
        there = replace(at, side=tuple(map(number, kept)))
        law = without_atoms(law_at(claim.parts[0], there))
        outputs = law.outputs
        chance = chances(at.side, kept, keep)
        terms.append(times(law.density, *chance))
    assert outputs is not None
    return Law(outputs, plus(*terms))


def chances(side: Side, kept: Iterable[int], keep: Sequence[Tree]) -> list[Tree]:
    """Factors of the probability of a sample."""
    out = []
    for n, k, p in zip(side, kept, keep, strict=True):
        out.append(number(math.comb(n.value, k)))
        out += [p] * k + [minus(number(1), p)] * (n.value - k)
    return out


def law_of_part(claim: Claim, at: At) -> Law:
    return law_at(claim.parts[0], at)


def law_of_normalised(claim: Claim, at: At) -> Law:
    """exp(g) over the sum of exp(g) over all combinations."""
    score = make("exp", put_in(claim.formulas[0], claim, at))
    every = [substitute(score, c) for c in combinations(claim.outputs)]
    cover(len(every) <= COMBINATIONS, "there are too many outputs")
    below = make("^", plus(*every), number(-1))
    return Law(tuple(claim.outputs), times(score, below))


def law_of_pull_back(claim: Claim, at: At) -> Law:
    records = tuple(becomes(claim, r, at.here) for r in at.records)
    return law_at(claim.parts[0], replace(at, records=records))


def becomes(claim: Claim, record: Record, here: Context) -> Record:
    """The record of the part's domain that a record is pulled back to."""
    (part,) = claim.parts
    new = {}
    for n, f in zip(part.bound, claim.formulas, strict=True):
        if f.head == "name" and f.value in record:
            new[n] = record[f.value]
        else:
            new[n] = f if f.head in ("label", "oo") else at_record(f, record, here)
    if not part.records:
        need_record(part, new, here)
        return new
    for r in part.records:
        if all(is_the_same(new[k], v, here) for k, v in r.items()):
            return r
    raise Rejected("a record becomes none of the part's domain")


def is_the_same(a: Tree, b: Tree, here: Context) -> bool:
    if a is b:
        return True
    if not a.label_free or not b.label_free:
        return False
    return (here.form(a) - here.form(b)).is_zero


def law_of_post_process(claim: Claim, at: At) -> Law:
    if len(claim.parts) == 2:
        return law_of_second(claim, at)
    law = law_at(claim.parts[0], at)
    if all(o.kind == "finite" for o in law.outputs):
        return law_of_values(claim, law)
    return law_of_shifted(claim, law, at.here)


def law_of_second(claim: Claim, at: At) -> Law:
    """The sum over the first part's outputs of probability times law."""
    first, second = (without_atoms(law_at(p, at)) for p in claim.parts)
    cover(all(o.kind == "finite" for o in first.outputs), "a part reads infinitely many outputs")
    both = times(first.density, second.density)
    terms = [substitute(both, c) for c in combinations(list(first.outputs))]
    cover(len(terms) <= 1024, "there are too many outputs")
    return Law(second.outputs, plus(*terms))


def law_of_values(claim: Claim, law: Law) -> Law:
    """Finite outputs: for each list of values, all combinations of outputs that give it."""
    found: dict[tuple[Tree, ...], list[Tree]] = {}
    for c in combinations(list(law.outputs)):
        computed = [substitute(f, c) for f in claim.formulas]
        key = tuple(listed_value(o, e) for o, e in zip(claim.outputs, computed, strict=True))
        found.setdefault(key, []).append(substitute(law.density, c))
    cover(len(found) <= 1024, "there are too many outputs")
    cover(all(o.kind == "finite" for o in claim.outputs), "a real output of finitely many values")
    pairs: list[Tree] = []
    for key, terms in found.items():
        conditions = [make("==", name(o.name), v) for o, v in zip(claim.outputs, key, strict=True)]
        both = conditions[0]
        for c in conditions[1:]:
            both = make("and", both, c)
        pairs += [plus(*terms), both]
    return Law(
        tuple(claim.outputs), make("piecewise", *pairs, number(0), make("boolean", value=True))
    )


def listed_value(output: Output, e: Tree) -> Tree:
    for v in output.values:
        if is_equal(e, v):
            return v
    raise NotCovered("a computed value is not recognised")


def law_of_shifted(claim: Claim, law: Law, here: Context) -> Law:
    """a e + b of each output, a and b rational, a not 0."""
    inner = {o.name: o for o in law.outputs}
    back: Record = {}
    factor = UNIT
    for o, f in zip(claim.outputs, claim.formulas, strict=True):
        (n,) = f.names if len(f.names) == 1 else ("",)
        cover(n in inner and n not in back and inner[n].kind == o.kind, "such a formula")
        zero, one = (here.form(substitute(f, {n: number(k)})).rational for k in (0, 1))
        cover(zero is not None and one is not None and zero != one, "such a formula")
        assert zero is not None and one is not None
        a, b = one - zero, zero
        line = here.form(minus(f, plus(times(number(a), name(n)), number(b))))
        cover(line.is_zero, "such a formula")
        cover(o.kind == "real" or (a == 1 and b == 0), "such a formula")
        need(o.values == inner[n].values, "an output takes other values")
        back[n] = times(make("^", number(a), number(-1)), plus(name(o.name), number(-b)))
        factor = factor.scaled(1 / abs(Fraction(a)))
    cover(len(back) == len(inner), "a part of the outputs")
    cover(not law.atoms, "a part has atoms")
    scaled = times(number(factor.rational or 0), substitute(law.density, back))
    return Law(tuple(claim.outputs), scaled)


MADE_OF = {
    "compose": law_of_several,
    "product": law_of_several,
    "mixture": law_of_mixture,
    "subsample": law_of_sample,
    "group": law_of_part,
    "normalised": law_of_normalised,
    "pull_back": law_of_pull_back,
    "post_process": law_of_post_process,
}


# events


@dataclass(frozen=True)
class Event:
    """The box without the points in `without`, together with the points in `atoms`."""

    continuous: bool = True
    intervals: Mapping[str, tuple[Tree | None, Tree | None]] | None = None
    values: Mapping[str, tuple[Tree, ...]] | None = None
    outcomes: tuple[tuple[Tree, ...], ...] = ()
    without: tuple[Tree, ...] = ()
    atoms: tuple[Tree, ...] = ()


EVERYTHING = Event()


def distinct(data: Sequence[Any], what: str) -> None:
    need(len(set(data)) == len(data), f"{what} is listed twice")


def read_event(data: Any, outputs: Sequence[Output]) -> Event:
    wanted = "continuous intervals values outcomes without atoms"
    continuous, spans, sets, outcomes, without, atoms = fields(data, wanted, "the event")
    need(isinstance(continuous, bool), "whether there is a box is not said")
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
        need(not (intervals or values or rows or left), "an event without a box has one")
    return Event(continuous, dict(intervals), dict(values), tuple(rows), tuple(left), tuple(more))


def output_of(text_: Any, outputs: Sequence[Output]) -> Output:
    for o in outputs:
        if o.name == text_:
            return o
    raise Rejected("an event mentions what is no output")


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
    """The atoms that belong to the event; each is in the box or outside it, for sure."""
    points = [point for point, _ in law.atoms]
    inside = {p for p in points if is_in_box(p, event, law, here)}
    need(set(event.without) <= inside, "a point that is left out is no atom inside the box")
    outside = set(points) - inside
    need(set(event.atoms) <= outside, "a point that is added is no atom outside the box")
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
        raise Rejected("whether an atom lies in the box is not known")
    return s


def probability(
    law: Law, event: Event, points: Mapping[str, Sequence[Tree]], here: Context
) -> Form:
    """The probability of the event; all that is left is a constant."""
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

    Where there are too many of them, there is the empty combination: every output by itself.
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
    """What the density says of the box, with these values of the finite outputs."""
    rest = [o for o in law.outputs if o.name not in c]
    prefactor, laws = grouped(substitute(law.density, c), rest)
    found = nonnegative(prefactor, here)
    for i, (o, part) in enumerate(zip(rest, laws, strict=True)):
        if found.is_zero:
            return found
        if o.kind == "finite":
            earlier = {p.name for p in rest} - {o.name}
            cover(part.names.isdisjoint(earlier), "there are too many outputs")
            o = Output(o.name, o.kind, values_in(event, o.name, o.values))
            share = total_over([o], part, [], here)
        else:
            share = total_between(o, part, event, points, c, here, {p.name for p in rest[:i]})
        need(not share.names, "a total mentions an output")
        found = found * share
    return found


def total_between(
    o: Output, part: Tree, event: Event, points: Points, c: Record, here: Context, earlier: set[str]
) -> Form:
    """The total of a factor over the interval of its output."""
    span = (event.intervals or {}).get(o.name, (None, None))
    low, high = (None if e is None else here.form(substitute(e, c)) for e in span)
    marks = [here.form(substitute(e, c)) for e in points.get(o.name, ())]
    ordered = in_ascending_order([e for e in (low, high, *marks) if e is not None], here)
    need(all(p.names <= earlier for p in ordered), "a point mentions a later output")
    ends = tuple(None if e is None else ordered.index(e) for e in (low, high))
    return total_over([o], part, ordered, here, (ends[0], ends[1]))


def in_ascending_order(points: list[Form], here: Context) -> list[Form]:
    """Equal ones once."""
    return sorted(dict.fromkeys(points), key=cmp_to_key(lambda p, q: sign_of(p - q, here)))


def read_points(data: Any, outputs: Sequence[Output]) -> dict[str, list[Tree]]:
    rows = [listed(row, 2) for row in listed(data)]
    distinct([text(n) for n, _ in rows], "an output")
    for n, _ in rows:
        need(output_of(n, outputs).kind != "finite", "there are points of a finite output")
    return {n: given_list(points) for n, points in rows}


# the whole


def require_example(claim: Claim, concrete: Claim, data: Any, size: int | None) -> None:
    """one move of level L leads between the inputs     both laws have total 1
    P(event) > exp(L) Q(event) + delta
    --------------------------------------------------------------------------
    the claim is refuted

    `concrete` is the claim with instances in place of abstract mechanisms.
    """
    wanted = "parameters instances before after event points"
    parameters, records, before, after, event, points = fields(data, wanted, "the counterexample")
    s = read_setting(claim, parameters, records, before, after)
    level = finite_level(s)
    if size is not None:
        need_small(s, size)
    found = []
    for side, marks in zip((s.before, s.after), listed(points, 2), strict=True):
        law = law_at(concrete, At(s.here, s.records, side))
        where = read_points(marks, law.outputs)
        everything = probability(law, EVERYTHING, where, s.here)
        need(everything == UNIT, "a law has not the total 1")
        chosen = read_event(event, law.outputs)
        found.append(probability(law, chosen, where, s.here))
    p, q = found
    need(constant_sign(q) in (0, 1), "a probability is not known to be >= 0")
    excess = p - exp_of(s.here.form(level)) * q - s.here.form(claim.delta)
    need(constant_sign(excess) == 1, "the event is not too likely")


def need_small(s: Setting, size: int) -> None:
    """Nothing, if neither input has more records than that."""
    for side in (s.before, s.after):
        need(sum(n.value for n in side) <= size, "a dataset is larger than it may be")
