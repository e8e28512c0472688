"""What a claim compares: two neighbouring inputs to which it applies, or a proof that there are none.

Inputs are looked for among small ones, at simple values of what is open, and at the numbers that
`defined` names; unknowns that a condition fixes are put in.  The checker tests what is found, so an
error here costs an answer only.

>>> from ahdp_verify.domain import Queries
>>> from ahdp_verify.expression import ONE as CONSTANT
>>> from ahdp_verify.mechanism import Mechanism, finite
>>> from ahdp_verify.privacy import dp
>>> def said(defined):
...     M = Mechanism(Queries(1), outputs=[finite("s", [0])], density=CONSTANT, defined=defined)
...     return find(dp(M, 1, "one"))
>>> found = said("q[1] >= 100")
>>> print(*found.before, *found.after)
100 101
>>> said("q[1] == 0").uses
(0, 0)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from ahdp_verify.argument import Statement, Values
from ahdp_verify.certificate import Closed, Evidence
from ahdp_verify.counterexample import Counterexample
from ahdp_verify.decide.finite import assignments, candidates
from ahdp_verify.decide.places import failures
from ahdp_verify.decide.splits import contradiction
from ahdp_verify.domain import Domain, Queries
from ahdp_verify.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.event import Event
from ahdp_verify.expression import ONE, TRUE, ZERO, Expression, conjuncts, name, names, number, oo, substitute, walk
from ahdp_verify.guess import GuessClaim
from ahdp_verify.limits import Clock, Limits, OutOfLimits
from ahdp_verify.optimum import BestClaim
from ahdp_verify.privacy import Claim
from ahdp_verify.reading import Named
from ahdp_verify.relation import INTERVAL, excluded
from ahdp_verify.scope import At, Claimed, Compared, Nothing, Pair, bare, check_compared, comparisons_of

SECONDS = 3.0  # for one claim; nearly all take a few milliseconds
SMALL = 3  # records in datasets that are tried one by one
PAIRS = 400  # of these
COPIES = 24  # records of which many copies are tried
GIVEN = 4  # choices of parameter values
COMPARISONS = 500  # that are shown to be impossible, one by one
SQUARED = 700  # records of a domain whose replacements are listed
FAILING = (Rejected, BadInput, Undecided, Unsupported, ZeroDivisionError, ArithmeticError, ValueError, KeyError, IndexError)


def find(claim: Claimed, size: int | None = None, clock: Clock | None = None) -> Compared | None:
    """Two inputs that the claim compares, values of its unknowns, or a proof that there are none; None if neither was found."""
    clock = clock or Limits(seconds=SECONDS).clock()
    try:
        for found in itertools.chain(proposals(claim, size, clock), nothing(claim, size, clock)):
            clock.count(1, "looking for what a claim compares")
            try:
                check_compared(claim, size, found)
            except FAILING:
                continue
            return found
    except (OutOfLimits, *FAILING):
        return None
    return None


def proposals(claim: Claimed, size: int | None, clock: Clock) -> Iterator[Compared]:
    """Inputs that may be compared, or values of unknowns that may satisfy all conditions."""
    if isinstance(claim, GuessClaim):
        yield At(())
    elif isinstance(claim, Statement | BestClaim):
        yield from map(At, values(claim.parameters, clock))
    else:
        said = bare(claim, size)
        for example in examples(said, clock):
            yield Pair(example.parameters, example.instances, example.before, example.after)


def values(unknowns: Named, clock: Clock) -> Iterator[Values]:
    """Values of unknowns at which all conditions seem to hold, simple ones first."""
    for table in assignments(unknowns, {}, GIVEN):
        yield tuple(table.items())
    if unknowns:
        yield from itertools.islice(failures(Statement(solved(unknowns), ONE, "<=", ZERO), clock), GIVEN)


def solved(unknowns: Named) -> Named:
    """The same conditions, each beside the last unknown that it speaks of, which it may fix."""
    keys = [key for key, _ in unknowns]
    table: dict[str, list[Expression]] = {key: [] for key in keys}
    for part in (c for _, condition in unknowns for c in conjuncts(condition)):
        last = max((keys.index(n) for n in names(part) if n in table), default=0)
        table[keys[last]].append(part)
    return tuple((key, joined(parts)) for key, parts in table.items())


def joined(parts: Iterable[Expression]) -> Expression:
    """The conjunction of conditions."""
    listed = [p for p in parts if p != TRUE]
    result = TRUE if not listed else listed[0]
    for part in listed[1:]:
        result = Expression("and", (result, part))
    return result


def examples(claim: Claim, clock: Clock) -> Iterator[Counterexample]:
    """Pairs of inputs, as counterexamples without an event."""
    yield from itertools.islice(candidates(claim, clock, SMALL), PAIRS)
    for given in itertools.islice(values(claim.mechanism.parameters, clock), GIVEN):
        base = Counterexample(given, (), (), (), Event())
        inputs = claim.mechanism.inputs
        if isinstance(inputs, Queries):
            yield from answers(claim, base, clock)
        elif isinstance(inputs, Domain):
            yield from crowds(claim, inputs, base, clock)


def answers(claim: Claim, base: Counterexample, clock: Clock) -> Iterator[Counterexample]:
    """Lists of query answers inside `defined`, and what one of a few moves makes of them."""
    n, (low, high) = claim.mechanism.inputs.bound, INTERVAL[claim.relation]
    given, defined = dict(base.parameters), claim.mechanism.defined
    at = {key: name(f"a{i}") for i, key in enumerate(n)}
    for step in (Fraction(1), Fraction(1, 2), Fraction(1, 1000)):
        for moved in [(i,) for i in range(len(n))] if claim.relation == "one" else [tuple(range(len(n))), *((i,) for i in range(len(n)))]:
            shifts = [number(step if low < high and high > 0 else -step) if i in moved else ZERO for i in range(len(n))]
            there = {key: at[key] + d for key, d in zip(n, shifts, strict=True)}
            inside = joined((*conjuncts(substitute(defined, {**given, **at})), *conjuncts(substitute(defined, {**given, **there}))))
            unknowns = tuple((a.args[0], TRUE) for a in at.values())
            unknowns = (*unknowns[:-1], (unknowns[-1][0], inside))
            for found in itertools.islice(values(unknowns, clock), 2):
                before = tuple(v for _, v in found)
                yield replace(base, before=before, after=tuple(plus(v, d) for v, d in zip(before, shifts, strict=True)))


def plus(a: Expression, b: Expression) -> Expression:
    """The sum of two constants."""
    return number(a.args[0] + b.args[0]) if a.head == b.head == "number" else a + b


def crowds(claim: Claim, domain: Domain, base: Counterexample, clock: Clock) -> Iterator[Counterexample]:
    """Datasets with as many copies of a record as numbers in `defined` suggest, and a neighbour of each."""
    given = dict(base.parameters)
    if domain.is_universal:
        records = [tuple(v) for v in itertools.islice(instances(domain, given, clock), 4)]
        records = list(dict.fromkeys(records))
        places: Iterable[tuple[int, ...]] = [(i,) for i in range(len(records))]
        places = [*places, *itertools.permutations(range(len(records)), 2)]
    else:
        records = []
        few = range(min(COPIES, len(domain.records)))
        places = [(i,) for i in few]
        replaced = claim.relation in ("hdp", "swap")
        places = alike(claim, domain) if replaced else [*places, *itertools.permutations(few, 2)]
    length = len(records) if domain.is_universal else len(domain.records)
    for where, much in itertools.product(itertools.islice(places, 4 * COPIES), suggested(claim.mechanism.defined, given)):
        clock.count(1, "looking for what a claim compares")
        yield from neighbours(claim.relation, replace(base, instances=tuple(records)), where, much, length)


def neighbours(relation: str, base: Counterexample, where: tuple[int, ...], much: int, length: int) -> Iterator[Counterexample]:
    """A dataset of many copies of one record and its neighbours, by one more record of the place named last, or by a replacement."""
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
    yield replace(base, before=before, after=after)
    if len(where) == 2 and relation in ("ahdp", "add-remove") and much:
        both = list(moved)
        both[where[0]] -= 1
        yield replace(base, before=tuple(map(number, both)), after=after)


def instances(domain: Domain, given: dict[str, Expression], clock: Clock) -> Iterator[Values]:
    """Concrete records of a universal domain."""
    for table in assignments(domain.unknowns, given, GIVEN):
        yield tuple(table.items())
    unknowns = tuple((key, substitute(c, given)) for key, c in domain.unknowns)
    for found in itertools.islice(failures(Statement(solved(unknowns), ONE, "<=", ZERO), clock), GIVEN):
        table = dict(found)
        yield tuple((key, table[key]) for key, _ in domain.unknowns)
    for at_oo in assignments(tuple((k, substitute(c, {"eps": oo})) for k, c in domain.unknowns if k != "eps"), given, 1):
        yield tuple((key, oo if key == "eps" else at_oo[key]) for key, _ in domain.unknowns)


def alike(claim: Claim, domain: Domain) -> list[tuple[int, ...]]:
    """Pairs of listed records of which one may become the other, from each group of equal demands and public parts the first ones."""
    groups: dict[object, list[int]] = {}
    parts = ("eps", *claim.public) if claim.relation == "hdp" else ()
    for i, record in enumerate(domain.records):
        groups.setdefault(tuple(record.bindings[part] for part in parts), []).append(i)
    return [pair for group in groups.values() for pair in itertools.permutations(group[:3], 2)]


def suggested(defined: Expression, given: dict[str, Expression]) -> list[int]:
    """How many copies to try: a few, and the whole numbers around those that a condition names."""
    found = {0: None, 1: None, 2: None}
    for node in walk(substitute(defined, given)):
        if node.head == "number" and abs(node.args[0]) <= 10**6:
            near = int(node.args[0])
            found |= dict.fromkeys(k for k in (near - 1, near, near + 1, near - 2) if k >= 0)
    return list(found)[:COPIES]


def nothing(claim: Claimed, size: int | None, clock: Clock) -> Iterator[Nothing]:
    """Proofs that nothing is compared."""
    if isinstance(claim, GuessClaim):
        return
    for counts in (False, True) if countable(claim) else (False,):
        shown = impossible(claim, size, counts, clock)
        if shown is not None:
            yield shown


def countable(claim: Claimed) -> bool:
    """Whether facts may be written in counts of listed records."""
    if isinstance(claim, Statement | BestClaim | GuessClaim):
        return False
    inputs = claim.mechanism.inputs
    return isinstance(inputs, Domain) and not inputs.is_universal and len(inputs.records) <= 16


def impossible(claim: Claimed, size: int | None, counts: bool, clock: Clock) -> Nothing | None:
    """A proof that each comparison is impossible; None where one may be possible."""
    if not isinstance(claim, Statement | BestClaim | GuessClaim):
        inputs = claim.mechanism.inputs
        if isinstance(inputs, Domain) and len(inputs.records) > SQUARED and claim.relation in ("hdp", "swap"):
            return None
    pieces: dict[Evidence, int] = {}
    uses: list[int | None] = []
    for comparison in comparisons_of(claim, size, counts):
        clock.count(1, "looking for what a claim compares")
        if any(excluded(c, comparison.here) for c in comparison.conditions):
            uses.append(None)
            continue
        found = Closed((), "never", ()) if comparison.here.contradictory else contradiction(comparison.here, clock)
        if found is None or len(uses) > COMPARISONS:
            return None
        uses.append(pieces.setdefault(found, len(pieces)))
    return Nothing(counts, tuple(pieces), tuple(uses))
