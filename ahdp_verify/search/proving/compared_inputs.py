"""Two neighbouring inputs that a claim compares, or a proof that there are none.

Inputs are searched among small ones, at simple values of parameters and unknowns, and at the
numbers that occur in `defined`; unknowns that a condition fixes are substituted. The checker tests
the result, so an error here can only lose an answer.

>>> from ahdp_verify.kernel.model.domain import Queries
>>> from ahdp_verify.kernel.terms.expression import ONE as CONSTANT
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import finite
>>> from ahdp_verify.kernel.model.privacy import dp
>>> def said(defined):
...     M = Mechanism(Queries(1), outputs=[finite("s", [0])], density=CONSTANT, defined=defined)
...     return find_compared_inputs(dp(M, 1, "one"))
>>> found = said("q[1] >= 100")
>>> print(*found.before, *found.after)
100 101
>>> said("q[1] == 0").uses
(0, 0)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from ahdp_verify.kernel.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import Evidence, InequalityLeaf
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.declarations import NamedConditions
from ahdp_verify.kernel.model.domain import Domain, Queries
from ahdp_verify.kernel.model.inequality import Inequality, UnknownValues
from ahdp_verify.kernel.model.replacements import INTERVAL
from ahdp_verify.kernel.numbers.normal_form import known_truth
from ahdp_verify.kernel.rules.compared import (
    CheckableClaim,
    Compared,
    ComparedPair,
    ComparedValues,
    NothingCompared,
    OfUnknowns,
    bare_claim,
    check_compared,
    claim_comparisons,
)
from ahdp_verify.kernel.rules.power import GuessClaim
from ahdp_verify.kernel.terms.expression import (
    ONE,
    TRUE,
    ZERO,
    Expression,
    conjuncts,
    name,
    names,
    number,
    oo,
    substitute,
    walk,
)
from ahdp_verify.search.limits import Clock, Limits, OutOfLimits
from ahdp_verify.search.proving.case_splits import contradiction_leaf
from ahdp_verify.search.refuting.small_inputs import (
    NUMBERS,
    assignments,
    condition_holds,
    neighbouring_inputs_at,
    values_in_interval,
)
from ahdp_verify.search.refuting.values import (
    exact_values,
    float_values,
    random_points,
    simple_points,
)

SECONDS = 3.0  # seconds for one claim; measured: nearly all take a few milliseconds
SHARE = 4  # at most one part in SHARE of the time left
LOOKING = "looking for two inputs that the claim compares"
LISTED = 2000  # combinations of simple values that are tried
MANY = 40  # unknowns that are varied together
SMALL = 3  # records in datasets that are tried one by one
PAIRS = 400  # pairs of such datasets
FREE = 6  # query answers that may all move at once
STEPS = tuple(map(Fraction, ("1", "1/2", "1/1000")))
COPIES = 24  # records of which many copies are tried
GIVEN = 4  # choices of parameter values that are tried
COMPARISONS = 500  # comparisons that are shown to be impossible, one by one
SQUARED = 700  # records of a domain whose replacements are listed
FAILING = (
    Rejected,
    BadInput,
    Undecided,
    Unsupported,
    ZeroDivisionError,
    ArithmeticError,
    ValueError,
    KeyError,
    IndexError,
)


def find_compared_inputs(
    claim: CheckableClaim, size: int | None = None, clock: Clock | None = None
) -> Compared | None:
    """Two inputs that the claim compares, values of its unknowns, or a proof that there are
    none; None if neither was found.
    """
    seconds = SECONDS if clock is None else min(SECONDS, max(0.01, clock.left / SHARE))
    for propose in (propose_smallest, propose_nothing, propose_larger):  # fast proposals come first
        found = first_accepted(claim, size, propose, Limits(seconds=seconds).clock())
        if found is not None:
            return found
    return None


Proposer = Callable[[CheckableClaim, int | None, Clock], Iterator[Compared]]


def first_accepted(
    claim: CheckableClaim, size: int | None, propose: Proposer, clock: Clock
) -> Compared | None:
    """The first proposal that the checker accepts."""
    with suppress(OutOfLimits, MemoryError, RecursionError, *FAILING), clock.running(LOOKING):
        for found in propose(claim, size, clock):
            clock.count(1, LOOKING)
            try:
                check_compared(claim, size, found)
            except FAILING:
                continue
            return found
    return None


def propose_smallest(claim: CheckableClaim, size: int | None, clock: Clock) -> Iterator[Compared]:
    """The smallest inputs, at the first values of parameters; values of unknowns that are chosen
    one by one.
    """
    if isinstance(claim, GuessClaim):
        yield ComparedValues(())
    elif isinstance(claim, OfUnknowns):
        yield from map(ComparedValues, values_in_turn(claim.parameters))
    else:
        said = bare_claim(claim, size)
        for given in values_in_turn(said.mechanism.parameters):
            base = Counterexample(given, (), (), (), Event())
            yield from map(
                pair_without_event,
                itertools.islice(
                    neighbouring_inputs_at(said, base, dict(given), clock, SMALL), PAIRS
                ),
            )


def pair_without_event(example: Counterexample) -> ComparedPair:
    """The two inputs of a counterexample without its event."""
    return ComparedPair(example.parameters, example.instances, example.first, example.second)


def propose_larger(claim: CheckableClaim, size: int | None, clock: Clock) -> Iterator[Compared]:
    """Inputs that may be compared, or values of unknowns that may satisfy all conditions."""
    if isinstance(claim, GuessClaim):
        return
    if isinstance(claim, OfUnknowns):
        yield from map(ComparedValues, satisfying_values(claim.parameters, clock))
    else:
        yield from map(pair_without_event, compared_examples(bare_claim(claim, size), clock))


def satisfying_values(unknowns: NamedConditions, clock: Clock) -> Iterator[UnknownValues]:
    """Values of unknowns at which all conditions seem to hold, simple ones first."""
    yield from values_in_turn(unknowns)
    if len(unknowns) > MANY:
        return
    for table in assignments(unknowns, {}, GIVEN):
        yield tuple(table.items())
    if unknowns:
        yield from itertools.islice(values_found_in_floats(unknowns, clock), GIVEN)


def values_found_in_floats(unknowns: NamedConditions, clock: Clock) -> Iterator[UnknownValues]:
    """Values at which all conditions hold in floating point, with those that a condition fixes
    substituted.
    """
    statement = Inequality(conditions_by_last_unknown(unknowns), ONE, "<=", ZERO)
    for choice in itertools.chain(
        itertools.islice(simple_points(statement), LISTED), random_points(statement)
    ):
        clock.check(LOOKING)
        if float_values(statement, choice) is not None:
            yield exact_values(statement, choice)


def values_in_turn(unknowns: NamedConditions) -> Iterator[UnknownValues]:
    """The first simple value of each unknown that its own condition allows, where no condition
    mentions a later one.
    """
    table: dict[str, Expression] = {}
    for key, condition in unknowns:
        here = substitute(condition, table)
        value = next(
            (
                v
                for v in (*NUMBERS, *values_in_interval(key, here))
                if condition_holds(here, {key: v})
            ),
            None,
        )
        if value is None:
            return
        table[key] = value
    yield tuple(table.items())


def conditions_by_last_unknown(unknowns: NamedConditions) -> NamedConditions:
    """The same conditions, each with the last unknown that it mentions, which it may fix."""
    keys = [key for key, _ in unknowns]
    table: dict[str, list[Expression]] = {key: [] for key in keys}
    for part in (c for _, condition in unknowns for c in conjuncts(condition)):
        last = max((keys.index(n) for n in names(part) if n in table), default=0)
        table[keys[last]].append(part)
    return tuple((key, conjunction(parts)) for key, parts in table.items())


def conjunction(parts: Iterable[Expression]) -> Expression:
    """The conjunction of conditions."""
    listed = [p for p in parts if p != TRUE]
    result = TRUE if not listed else listed[0]
    for part in listed[1:]:
        result = Expression("and", (result, part))
    return result


def compared_examples(claim: Claim, clock: Clock) -> Iterator[Counterexample]:
    """Pairs of inputs, as counterexamples without an event."""
    kind = claim.mechanism.inputs
    for given in itertools.islice(satisfying_values(claim.mechanism.parameters, clock), GIVEN):
        base = Counterexample(given, (), (), (), Event())
        yield from itertools.islice(
            neighbouring_inputs_at(claim, base, dict(given), clock, SMALL), PAIRS
        )
        if isinstance(kind, Queries):
            yield from answer_examples(claim, base, clock)
        elif isinstance(kind, Domain):
            yield from crowd_examples(claim, kind, base, clock)


def answer_examples(claim: Claim, base: Counterexample, clock: Clock) -> Iterator[Counterexample]:
    """Lists of query answers inside `defined`, and their neighbours when a move shifts one answer
    by a given step.
    """
    keys, (low, high) = claim.mechanism.inputs.bound, INTERVAL[claim.relation]
    given, defined = dict(base.parameters), claim.mechanism.defined
    at = [name(f"a{i}") for i in range(len(keys))]
    few = claim.relation != "one" and len(keys) <= FREE
    for step, i in itertools.product(STEPS, range(len(keys))):
        first = number(step if high > 0 else -step)
        shifts = [first if i == j else name(f"d{j}") if few else ZERO for j in range(len(keys))]
        there = [a + d for a, d in zip(at, shifts, strict=True)]
        sides = (dict(zip(keys, side, strict=True)) for side in (at, there))
        inside = conjunction(
            c for side in sides for c in conjuncts(substitute(defined, {**given, **side}))
        )
        open_ = [d for d in shifts if d.head == "name"]
        bounds = [(d.args[0], (number(low) <= d) & (d <= number(high))) for d in open_]
        unknowns = [*((a.args[0], TRUE) for a in at), *bounds]
        unknowns[-1] = (unknowns[-1][0], conjunction((unknowns[-1][1], inside)))
        for found in itertools.islice(satisfying_values(tuple(unknowns), clock), 2):
            table = dict(found)
            before = tuple(table[a.args[0]] for a in at)
            moved = (table.get(d.args[0], ZERO) if d.head == "name" else d for d in shifts)
            yield replace(base, first=before, second=tuple(map(sum_of_constants, before, moved)))


def sum_of_constants(a: Expression, b: Expression) -> Expression:
    """The sum of two constants."""
    return number(a.args[0] + b.args[0]) if a.head == b.head == "number" else a + b


def crowd_examples(
    claim: Claim, domain: Domain, base: Counterexample, clock: Clock
) -> Iterator[Counterexample]:
    """Datasets with as many copies of a record as numbers in `defined` suggest, and a neighbour
    of each.
    """
    given = dict(base.parameters)
    if domain.is_universal:
        records = [tuple(v) for v in itertools.islice(record_instances(domain, given, clock), 4)]
        records = list(dict.fromkeys(records))
        spots: Iterable[tuple[int, ...]] = [(i,) for i in range(len(records))]
        spots = [*spots, *itertools.permutations(range(len(records)), 2)]
    else:
        records = []
        few = range(min(COPIES, len(domain.records)))
        replaced = claim.relation in ("hdp", "swap")
        spots = (
            replaceable_records(claim, domain)
            if replaced
            else [*((i,) for i in few), *itertools.permutations(few, 2)]
        )
    length = len(records) if domain.is_universal else len(domain.records)
    for where, much in itertools.product(
        itertools.islice(spots, 4 * COPIES), suggested_copies(claim.mechanism.defined, given)
    ):
        clock.count(1, LOOKING)
        yield from crowd_neighbours(
            claim.relation, replace(base, instances=tuple(records)), where, much, length
        )


def crowd_neighbours(
    relation: str, base: Counterexample, where: tuple[int, ...], much: int, length: int
) -> Iterator[Counterexample]:
    """A dataset of many copies of one record and its neighbours, by one more record with the index
    given last, or by a replacement.
    """
    counts = [0] * length
    counts[where[0]] = much
    moved = list(counts)
    if relation in ("ahdp", "add-remove"):
        moved[where[-1]] += 1
    elif len(where) == 1 or much == 0:
        return
    else:
        moved[where[0]] -= 1
        moved[where[1]] += 1
    before, after = (tuple(map(number, side)) for side in (counts, moved))
    yield replace(base, first=before, second=after)
    if len(where) == 2 and relation in ("ahdp", "add-remove") and much:
        both = list(moved)
        both[where[0]] -= 1
        yield replace(base, first=tuple(map(number, both)), second=after)


def record_instances(
    domain: Domain, given: dict[str, Expression], clock: Clock
) -> Iterator[UnknownValues]:
    """Concrete records of a universal domain."""
    for table in assignments(domain.unknowns, given, GIVEN):
        yield tuple(table.items())
    unknowns = tuple((key, substitute(c, given)) for key, c in domain.unknowns)
    for found in itertools.islice(values_found_in_floats(unknowns, clock), GIVEN):
        table = dict(found)
        yield tuple((key, table[key]) for key, _ in domain.unknowns)
    for at_oo in assignments(
        tuple((k, substitute(c, {"eps": oo})) for k, c in domain.unknowns if k != "eps"), given, 1
    ):
        yield tuple((key, oo if key == "eps" else at_oo[key]) for key, _ in domain.unknowns)


def replaceable_records(claim: Claim, domain: Domain) -> list[tuple[int, ...]]:
    """Pairs of listed records of which one may become the other, from each group of equal
    demands and public parts the first ones.
    """
    groups: dict[object, list[int]] = {}
    parts = ("eps", *claim.public) if claim.relation == "hdp" else ()
    for i, record in enumerate(domain.records):
        groups.setdefault(tuple(record.bindings[part] for part in parts), []).append(i)
    return [pair for group in groups.values() for pair in itertools.permutations(group[:3], 2)]


def suggested_copies(defined: Expression, given: dict[str, Expression]) -> list[int]:
    """How many copies to try: a few, and the whole numbers around those that a condition names."""
    found = {0: None, 1: None, 2: None}
    for node in walk(substitute(defined, given)):
        if node.head == "number" and abs(node.args[0]) <= 10**6:
            near = int(node.args[0])
            found |= dict.fromkeys(k for k in (near - 1, near, near + 1, near - 2) if k >= 0)
    return list(found)[:COPIES]


def propose_nothing(
    claim: CheckableClaim, size: int | None, clock: Clock
) -> Iterator[NothingCompared]:
    """Proofs that the claim compares no two inputs."""
    if isinstance(claim, GuessClaim):
        return
    for counts in (False, True) if allows_counts(claim) else (False,):
        shown = prove_nothing_compared(claim, size, counts, clock)
        if shown is not None:
            yield shown


def allows_counts(claim: CheckableClaim) -> bool:
    """Whether facts may be written in counts of listed records."""
    if isinstance(claim, OfUnknowns | GuessClaim):
        return False
    inputs = claim.mechanism.inputs
    return isinstance(inputs, Domain) and not inputs.is_universal and len(inputs.records) <= 16


def prove_nothing_compared(
    claim: CheckableClaim, size: int | None, counts: bool, clock: Clock
) -> NothingCompared | None:
    """A proof that each comparison is impossible; None where one may be possible."""
    if not isinstance(claim, OfUnknowns | GuessClaim):
        inputs = claim.mechanism.inputs
        if (
            isinstance(inputs, Domain)
            and len(inputs.records) > SQUARED
            and claim.relation in ("hdp", "swap")
        ):
            return None
    pieces: dict[Evidence, int] = {}
    uses: list[int | None] = []
    for comparison in claim_comparisons(claim, size, counts):
        clock.count(1, LOOKING)
        if any(known_truth(c, comparison.here) is False for c in comparison.conditions):
            uses.append(None)
            continue
        found = (
            InequalityLeaf((), "never", ())
            if comparison.here.contradictory
            else contradiction_leaf(comparison.here, clock)
        )
        if found is None or len(uses) > COMPARISONS:
            return None
        uses.append(pieces.setdefault(found, len(pieces)))
    return NothingCompared(counts, tuple(pieces), tuple(uses))
