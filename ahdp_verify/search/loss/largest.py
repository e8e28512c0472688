"""Which of several candidate levels is the largest: decided exactly for constants, by simple exact
samples where names are left.

A sample only chooses; whether the choice suffices for all values is left to the prover.

>>> from ahdp_verify.kernel.terms.expression import name
>>> a, b = name("a"), name("b")
>>> points = ({"a": number(1), "b": number(2)}, {"a": number(3), "b": number(2)})
>>> print(largest_candidate(LevelCandidate(a, "large s"), LevelCandidate(b, "small s"), samples=points).level)
max(a, b)
>>> both = largest_candidate(LevelCandidate(a, "large s"), LevelCandidate(-a, "small s"), LevelCandidate(abs(a), "s = a", False), samples=points)
>>> print(both.level, both.where, both.attained)
abs(a) large s or small s True
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import abs_of, normal, to_expression
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    Max,
    add,
    name,
    names,
    number,
    oo,
    substitute,
    transform,
)
from ahdp_verify.search.intervals import RealInterval, interval_of
from ahdp_verify.search.loss.linear_peaks import Coordinates
from ahdp_verify.search.loss.peak import Peak
from ahdp_verify.search.refuting.small_inputs import assignments

EMPTY = Context.empty()
MOST = 8  # samples that are drawn
PARTS = tuple(map(Fraction, ("1/64", "1/8", "3/8", "5/8", "7/8", "63/64")))
FEW_PARTS = PARTS[1:5:3]  # for one of several names
Sample = dict[str, Expression]


@dataclass(frozen=True, slots=True)
class LevelCandidate:
    """A level that some event attains (`attained`) or approaches, with its origin; oo for an
    unbounded loss.

    `example` is a pair of inputs whose laws were compared, without an event; the loss rises to the
    level as `grows` is added to both again and again, if it is there.
    """

    level: Expression
    where: str
    attained: bool = True
    peaks: tuple[Peak, ...] = ()
    example: Counterexample | None = None
    grows: tuple[int, ...] = ()


@lru_cache(maxsize=64)  # the claims about one mechanism, at several levels, share them
def condition_samples(conditions: tuple[tuple[str, Expression], ...]) -> tuple[Sample, ...]:
    """Simple exact values of the names that satisfy their conditions, also with values of one name
    spread over its interval; one empty sample without names.
    """
    found = list(assignments(conditions, {}, MOST))
    parts = PARTS if len(conditions) == 1 else FEW_PARTS
    for key, condition in conditions if found else ():
        where = interval_of(condition, key) if names(condition) == {key} else None
        alone = not any(key in names(c) for other, c in conditions if other != key)
        for x in numbers_inside(where, parts) if where is not None and alone else ():
            sample = {**found[0], key: number(x)}
            found += [sample] if sample not in found else []
    return tuple(found) or ({},)


def numbers_inside(where: RealInterval, parts: Sequence[Fraction] = PARTS) -> Iterator[Fraction]:
    """Numbers in the interval at some distances from its ends."""
    low, high = where.bounds
    if low is not None and high is not None:
        yield from (low + (high - low) * f for f in parts if low < high)
    elif low is not None:
        yield from (low + f / (1 - f) for f in parts)


def level_at_sample(level: Expression, sample: Sample) -> Ratio | None:
    """The constant that a level is at a sample; None where it has no value there."""
    try:
        return normal(substitute(level, sample), EMPTY)
    except (Undecided, Unsupported, ZeroDivisionError):
        return None


def largest_at_sample(levels: Sequence[Expression], sample: Sample) -> frozenset[int]:
    """The numbers of the levels that are largest at a sample (all that are not known to be
    smaller).
    """
    best: list[tuple[int, Ratio]] = []
    for i, level in enumerate(levels):
        r = level_at_sample(level, sample)
        if r is None:
            continue
        order = 1 if not best else constant_sign(r - best[0][1])
        if order == 1:
            best = [(i, r)]
        elif order != -1:
            best.append((i, r))
    return frozenset(i for i, _ in best)


def hitting_set(sets: Sequence[frozenset[int]], order: Iterable[int]) -> tuple[int, ...] | None:
    """Few numbers that meet every set, the first of equals preferred; None if these numbers do
    not.
    """
    left, chosen, allowed = list(sets), [], list(order)
    while left:
        best = max(allowed, key=lambda i: sum(i in s for s in left), default=None)
        if best is None or not any(best in s for s in left):
            return None
        chosen.append(best)
        left = [s for s in left if best not in s]
    return tuple(chosen)


def largest_candidate(
    *choices: LevelCandidate, samples: Sequence[Sample], here: Context = EMPTY
) -> LevelCandidate:
    """The largest of the choices: one of them, or the maximum of those that are largest at some
    sample.
    """
    infinite = next((c for c in choices if c.level == oo), None)
    first = infinite or (choices[0] if len(choices) == 1 else absolute_candidate(choices, here))
    return first or largest_at_samples(choices, samples)


def absolute_candidate(choices: Sequence[LevelCandidate], here: Context) -> LevelCandidate | None:
    """The choice |a| among choices a, -a and |a|, reached if a and -a are; None if they are not
    such choices.
    """
    try:
        values = [normal(with_opaque_logarithms(c.level), here) for c in choices]
        sizes = [abs_of(v, here) for v in values]
    except (Undecided, Unsupported, ZeroDivisionError):
        return None
    for c, v in zip(choices, values, strict=True):
        if all((size - v).is_zero for size in sizes):
            reached = [(d, w) for d, w in zip(choices, values, strict=True) if d.attained]
            if any((w - v).is_zero for _, w in reached):
                return next(d for d, w in reached if (w - v).is_zero)
            if any((a + b).is_zero for _, a in reached for _, b in reached):
                return replace(maximum_of_candidates([d for d, _ in reached]), level=c.level)
            return c
    return None


def largest_at_samples(
    choices: Sequence[LevelCandidate], samples: Sequence[Sample]
) -> LevelCandidate:
    """The maximum of those choices that are largest at some sample."""
    levels = [c.level for c in choices]
    if not any(names(level) for level in levels):
        samples = ({},)
    sets = [s for s in (largest_at_sample(levels, sample) for sample in samples) if s] or [
        frozenset(range(len(choices)))
    ]
    first = [i for i, c in enumerate(choices) if c.attained]
    reached, least = (
        hitting_set(sets, first),
        hitting_set(sets, [*first, *range(len(choices))]) or (),
    )
    if reached is None:
        return maximum_of_candidates([choices[i] for i in least])
    whole = maximum_of_candidates([choices[i] for i in reached])
    shorter = len(least) < len(reached) and is_canonical_zero(whole.level - choices[least[0]].level)
    return replace(whole, level=choices[least[0]].level) if shorter else whole


def with_opaque_logarithms(e: Expression) -> Expression:
    """The expression with logarithms as names, so that their arguments are not examined."""
    return transform(
        e,
        lambda node: (
            name(f"log_{hashlib.sha256(str(node).encode()).hexdigest()}")
            if node.head == "log"
            else None
        ),
    )


def is_canonical_zero(e: Expression) -> bool:
    """True if the expression is 0 by its canonical form."""
    try:
        return normal(with_opaque_logarithms(e), EMPTY).is_zero
    except (Undecided, Unsupported, ZeroDivisionError):
        return False


def maximum_of_candidates(chosen: Sequence[LevelCandidate]) -> LevelCandidate:
    """The maximum of choices each of which is the largest somewhere; |a| for a and -a."""
    first = chosen[0]
    if len(chosen) == 1:
        return first
    where = " or ".join(dict.fromkeys(c.where for c in chosen if c.where))
    peaks = tuple(p for c in chosen for p in c.peaks)
    return LevelCandidate(
        maximum_expression([c.level for c in chosen]),
        where,
        all(c.attained for c in chosen),
        peaks,
        first.example,
        first.grows,
    )


def maximum_expression(levels: Sequence[Expression]) -> Expression:
    """The maximum as a tree."""
    if len(levels) == 2 and is_canonical_zero(levels[0] + levels[1]):
        return Abs(levels[0])
    return Max(*levels)


def sum_of_largest_peaks(
    listed: Coordinates, samples: Sequence[Sample], here: Context = EMPTY
) -> LevelCandidate:
    """The supremum of a sum of independent log-likelihood ratios: the sum of the largest peaks."""
    chosen = [
        largest_candidate(*(candidate_of_peak(p) for p in found), samples=samples, here=here)
        for found in listed
        if found
    ]
    if not chosen:
        return LevelCandidate(number(0), "everywhere")
    endless = [c for c in chosen if c.level == oo]
    if endless:
        return endless[0]
    level = add(*(c.level for c in chosen))
    return LevelCandidate(
        level,
        peak_places_text([c.where for c in chosen if c.where]),
        all(c.attained for c in chosen),
        tuple(p for c in chosen for p in c.peaks),
    )


def candidate_of_peak(p: Peak) -> LevelCandidate:
    """The peak as a choice."""
    return LevelCandidate(
        oo if p.value is None else to_expression(p.value), p.where, p.attained, (p,)
    )


def peak_places_text(listed: list[str]) -> str:
    """A short description of where the coordinates have their peaks."""
    distinct = list(dict.fromkeys(listed))
    if len(distinct) <= 2:
        return ", ".join(distinct) or "everywhere"
    return (
        "in the tail of every output"
        if all(w.startswith(("large", "small")) for w in distinct)
        else ", ".join(distinct[:2]) + ", ..."
    )
