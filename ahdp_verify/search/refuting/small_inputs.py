"""Counterexamples by enumeration: small inputs first, every neighbouring pair in both directions,
exact distributions.

The search is by size, so what it finds in a finite domain is a smallest counterexample. Parameters,
query answers and the unknowns of a universal domain are tried at simple exact values that satisfy
their conditions: a fixed list of simple numbers, ends that belong to an interval, and the simplest
rational numbers of an interval that contains none of the list.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from ahdp_verify.kernel.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
    Instance,
    delta_of_move,
    law_at,
    level_of_move,
)
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.real_values import RealValues
from ahdp_verify.kernel.model.replacements import INTERVAL
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, truth
from ahdp_verify.kernel.terms.expression import (
    ZERO,
    Expression,
    names,
    number,
    oo,
    substitute,
    walk,
)
from ahdp_verify.search.floating_point import clear_truth, float_value
from ahdp_verify.search.intervals import RealInterval, interval_of
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.refuting.events import MISSING, likely_events
from ahdp_verify.search.refuting.float_screen import FloatScreen
from ahdp_verify.search.refuting.worst_values import conditions_of_parts, worst_value_pairs

EMPTY = Context.empty()
NICE = tuple(
    Fraction(x)
    for x in ("1", "1/2", "2", "0", "-1", "1/10", "3", "10", "1/100", "-1/2", "5", "100")
)
NUMBERS = tuple(map(number, NICE))
COUNT = (ZERO, *(number(c) for c in range(1, 16)))  # shared, so large domains cost little
# a distance of query answers, or copies of a record, at which a loss that grows towards a limit is
# within a thousandth of it, for a level of 1
FAR = 40
GIVEN = 8  # combinations of parameter values that are tried
DRAWN = 40  # instances of a universal record that are tried for each
ENDS = 12  # pairs of simple values of a person tried before the worst are sought in floats
CROWDS = 12  # records of a universal domain of which many copies are tried
SURE, MANY = 4, 600  # datasets above SURE records are tried only while fewer than MANY pairs were
Conditions = tuple[tuple[str, Expression], ...]


def condition_holds(condition: Expression, values: Mapping[str, Expression]) -> bool | None:
    """Whether a condition holds at exact values; None while it mentions others or is not
    decided.
    """
    mentioned = names(condition)
    point = {key: float_value(values[key]) for key in mentioned if key in values}
    clear = clear_truth(condition, point)
    if clear is not None or len(point) < len(mentioned):
        return clear
    try:
        return truth(substitute(condition, values), EMPTY)
    except (Undecided, Unsupported, ZeroDivisionError):
        return None


def assignments(
    conditions: Conditions, given: Mapping[str, Expression], most: int, seed: int = 0
) -> Iterator[dict[str, Expression]]:
    """Simple exact values of the named quantities that satisfy all conditions, from seeded
    orders of the simple values.
    """
    draw, seen = random.Random(seed), set()
    mentions: dict[str, list[Expression]] = {key: [] for key, _ in conditions}
    for _, condition in conditions:
        for mentioned in names(condition) & mentions.keys():
            mentions[mentioned].append(condition)
    for attempt in range(3 * most):
        table = _first(conditions, mentions, given, draw if attempt else None)
        if table is None:
            return
        chosen = tuple(table.values())
        if chosen not in seen:
            seen.add(chosen)
            yield table
        if len(seen) >= most or not conditions:
            return


def _first(
    conditions: Conditions,
    mentions: Mapping[str, list[Expression]],
    given: Mapping[str, Expression],
    draw: random.Random | None,
) -> dict[str, Expression] | None:
    """The first assignment, name by name, that no condition forbids; the order of values is
    drawn, or as listed.
    """
    known, untried = dict(given), list[Iterator[Expression]]()
    while True:
        if len(untried) < len(conditions):
            untried.append(iter(values_to_try(*conditions[len(untried)], known, draw)))
        elif all(condition_holds(c, known) for _, c in conditions):
            return {key: known[key] for key, _ in conditions}
        while untried:
            key = conditions[len(untried) - 1][0]
            if _takes_next(key, untried[-1], known, mentions[key]):
                break
            untried.pop()
            known.pop(key, None)
        else:
            return None


def _takes_next(
    key: str,
    untried: Iterator[Expression],
    known: dict[str, Expression],
    conditions: Iterable[Expression],
) -> bool:
    """Whether the name could be given a further value that no condition forbids."""
    for value in untried:
        known[key] = value
        if all(condition_holds(c, known) is not False for c in conditions):
            return True
    return False


def values_to_try(
    key: str, condition: Expression, known: Mapping[str, Expression], draw: random.Random | None
) -> list[Expression]:
    """Simple exact values of one name, in the order in which they are tried."""
    inside = substitute(condition, known) if known else condition
    values = [*NUMBERS, *values_in_interval(key, inside)]
    if draw is not None:
        draw.shuffle(values)
    return values


@lru_cache(maxsize=4096)
def values_in_interval(key: str, condition: Expression) -> tuple[Expression, ...]:
    """Exact values for a name whose condition leaves it an interval: ends (without roots) that
    belong to it, and the simplest numbers inside where no number of the list lies.
    """
    where = interval_of(condition, key)
    if where is None or where.is_empty:
        return ()
    ends = [
        e
        for e, closed in ((where.low, where.low_closed), (where.high, where.high_closed))
        if e is not None and closed and e not in NUMBERS
    ]
    ends = [
        e for e in ends if not any(n.head == "^" for n in walk(e))
    ]  # exact arithmetic with roots takes long
    inside = (
        ()
        if any(where.contains(v) for v in NUMBERS)
        else tuple(map(number, simplest_numbers(where)))
    )
    return *inside, *dict.fromkeys(ends)


def simplest_numbers(where: RealInterval) -> Iterator[Fraction]:
    """The simplest rational number inside, and the simplest ones below and above it."""
    middle = where.simplest
    if middle is None:
        return
    yield middle
    for part in (RealInterval(where.low, number(middle)), RealInterval(number(middle), where.high)):
        other = None if part.is_empty else part.simplest
        if other is not None and where.contains(number(other)):
            yield other


def neighbouring_inputs(claim: Claim, clock: Clock, most_records: int) -> Iterator[Counterexample]:
    """Pairs of inputs that are one move apart, with parameter values, smallest first; the event is
    still to be found.
    """
    m = claim.mechanism
    parameters = m.parameters
    for given in assignments(parameters, {}, GIVEN):
        base = Counterexample(tuple(given.items()), (), (), (), Event())
        yield from neighbouring_inputs_at(claim, base, given, clock, most_records)


def neighbouring_inputs_at(
    claim: Claim,
    base: Counterexample,
    given: Mapping[str, Expression],
    clock: Clock,
    most_records: int,
) -> Iterator[Counterexample]:
    """The candidate pairs for one choice of parameters."""
    m = claim.mechanism.inputs
    if isinstance(m, Values):
        sides = [v if isinstance(v, tuple) else (v,) for v in m.values]
        yield from (replace(base, first=a, second=b) for a, b in itertools.permutations(sides, 2))
    elif isinstance(m, Queries):
        yield from query_pairs(claim.relation, m.n, base)
    elif isinstance(m, Domain) and m.is_universal:
        yield from universal_pairs(claim, m, base, given, most_records)
    elif isinstance(m, RealValues):
        ends = list(real_pairs(m, base, given))
        yield from ends[:ENDS]
        yield from worst_value_pairs(claim, base, given, clock)
        yield from ends[ENDS:]
    elif isinstance(m, Domain):
        yield from dataset_pairs(claim, len(m.records), base, most_records)


def real_pairs(
    values: RealValues, base: Counterexample, given: Mapping[str, Expression]
) -> Iterator[Counterexample]:
    """Pairs of ends of what the conditions allow, and of other simple values."""
    conditions = conditions_of_parts(values.conditions)
    listed = [tuple(v for _, v in w) for w in simple_records(conditions, given)]
    for first, second in itertools.permutations(dict.fromkeys(listed), 2):
        yield replace(base, first=first, second=second)


def query_pairs(relation: str, n: int, base: Counterexample) -> Iterator[Counterexample]:
    """Query answers, all at 0 or one far above or below the others, and their moves by whole
    steps of one pattern.
    """
    low, high = INTERVAL[relation]
    ends = sorted({low, high} - {0})
    patterns: list[tuple[int, ...]] = []
    if relation == "one":
        patterns = [tuple(e if i == j else 0 for j in range(n)) for i in range(n) for e in ends]
    else:
        patterns = [tuple(e for _ in range(n)) for e in ends]
        patterns += [
            tuple(a if j % 2 else b for j in range(n))
            for a, b in itertools.permutations((low, high), 2)
        ]
        patterns += [
            tuple(a if j < k else b for j in range(n))
            for k in range(1, n)
            for a, b in itertools.permutations((low, high), 2)
        ]
    for start in dict.fromkeys(((0,) * n, (FAR,) + (0,) * (n - 1), (0,) + (FAR,) * (n - 1))):
        for pattern in dict.fromkeys(patterns):
            here, there = (
                tuple(number(q) for q in side)
                for side in (start, (q + p for q, p in zip(start, pattern, strict=True)))
            )
            yield replace(base, first=here, second=there)
            yield replace(base, first=there, second=here)


def counts_with_total(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All counts of `parts` records with the given total."""
    for chosen in itertools.combinations_with_replacement(range(parts), total):
        counts = [0] * parts
        for i in chosen:
            counts[i] += 1
        yield tuple(counts)


def dataset_pairs(
    claim: Claim, records: int, base: Counterexample, most_records: int, least: int = 0
) -> Iterator[Counterexample]:
    """Pairs of datasets one move apart, by the size of the larger one."""
    tried = 0
    for size in range(least, most_records + 1):
        if size > SURE and tried > MANY:
            return
        for counts in counts_with_total(size, records):
            for other in neighbouring_counts(claim.relation, counts):
                a, b = (
                    tuple(COUNT[c] if c < len(COUNT) else number(c) for c in side)
                    for side in (counts, other)
                )
                tried += 2
                yield replace(base, first=a, second=b)
                yield replace(base, first=b, second=a)


def neighbouring_counts(relation: str, counts: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The datasets one addition away, or one replacement away (each pair once)."""
    for i in range(len(counts)):
        if relation in ("ahdp", "add-remove"):
            yield tuple(c + (j == i) for j, c in enumerate(counts))
            continue
        for k in range(i + 1, len(counts)):
            if counts[i]:
                yield tuple(c - (j == i) + (j == k) for j, c in enumerate(counts))


def universal_pairs(
    claim: Claim,
    domain: Domain,
    base: Counterexample,
    given: Mapping[str, Expression],
    most_records: int,
) -> Iterator[Counterexample]:
    """Pairs of small datasets made of concrete instances of the generic record."""
    drawn: list[Instance] = []
    for table in assignments(domain.unknowns, given, DRAWN):
        w = tuple(table.items())
        drawn.append(w)
        if claim.relation in ("ahdp", "add-remove"):
            yield from _both(replace(base, instances=(w,), first=(number(0),), second=(number(1),)))
    if claim.relation in ("ahdp", "add-remove"):
        for v, w in itertools.product(drawn[:6], drawn[:6]) if most_records > 1 else ():
            if v != w:
                yield from _both(
                    replace(
                        base,
                        instances=(v, w),
                        first=(number(1), number(0)),
                        second=(number(1), number(1)),
                    )
                )
        return
    for v, w in itertools.permutations(drawn, 2):
        yield replace(
            base, instances=(v, w), first=(number(1), number(0)), second=(number(0), number(1))
        )


def corner_assignments(
    conditions: Conditions, given: Mapping[str, Expression]
) -> Iterator[dict[str, Expression]]:
    """Values at ends of what each condition allows, 1 for an end that is infinite, that satisfy
    all conditions.
    """
    found: list[tuple[Expression, ...]] = []
    for key, condition in conditions:
        where = interval_of(substitute(condition, given), key)
        found.append(
            NUMBERS[:1]
            if where is None
            else tuple(
                dict.fromkeys(NUMBERS[0] if e is None else e for e in (where.high, where.low))
            )
        )
    for values in itertools.islice(itertools.product(*found), DRAWN):
        table = {key: v for (key, _), v in zip(conditions, values, strict=True)}
        if all(condition_holds(c, {**given, **table}) for _, c in conditions):
            yield table


def simple_records(conditions: Conditions, given: Mapping[str, Expression]) -> list[Instance]:
    """Records of a universal domain of which there may be many: those at ends first."""
    listed = itertools.chain(
        corner_assignments(conditions, given), assignments(conditions, given, CROWDS)
    )
    return list(dict.fromkeys(tuple(table.items()) for table in listed))[:CROWDS]


def crowd_pairs(claim: Claim) -> Iterator[Counterexample]:
    """For a universal domain, pairs of datasets with many copies of one record beside the record
    that moves: where a loss is close to its limit.
    """
    m = claim.mechanism.inputs
    if not isinstance(m, Domain) or not m.is_universal:
        return
    many = number(FAR)
    for given in assignments(claim.mechanism.parameters, {}, 1):
        for chosen in itertools.permutations(
            simple_records(m.unknowns, given), 2 if claim.relation in ("ahdp", "add-remove") else 3
        ):
            below, above = (
                ((many, number(0)), (many, number(1)))
                if len(chosen) == 2
                else ((many, number(1), number(0)), (many, number(0), number(1)))
            )
            yield from _both(Counterexample(tuple(given.items()), chosen, below, above, Event()))


def _both(example: Counterexample) -> Iterator[Counterexample]:
    yield example
    yield replace(example, first=example.second, second=example.first)


def candidate_counterexamples(
    claim: Claim,
    clock: Clock,
    listed: Iterable[Counterexample],
    screen: FloatScreen | None = None,
) -> Iterator[Counterexample]:
    """The candidates, each with an event that seems to violate the bound; with a screen, only those
    at which floats see that it may.
    """
    for example in listed:
        clock.count(1, "trying small inputs")
        try:
            level = level_of_move(claim, example)
            if level == oo or (screen is not None and screen.sees_no_violation(example, level)):
                continue
            laws = [law_at(claim, example, side) for side in (example.first, example.second)]
            delta = normal(delta_of_move(claim, example), EMPTY)
            for event, points in likely_events(
                laws[0], laws[1], claim.mechanism.outputs, normal(level, EMPTY), delta
            ):
                yield replace(example, event=event, points=points)
        except (*MISSING, Rejected, BadInput):
            continue
