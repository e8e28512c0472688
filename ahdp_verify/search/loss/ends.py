"""Unknowns that a level may not mention, set to the ends of the intervals that their conditions
allow, or to simple values between them.

The supremum of a level over an unknown is searched for at its lowest and highest value, or in the
limit where there is none, and where floating point finds it inside; whether it lies there is left
to the prover.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, neighbour_name
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.real_values import RealValues
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.limits_at_infinity import limit_at_infinity
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression, truth
from ahdp_verify.kernel.terms.expression import Expression, conjuncts, name, names, substitute
from ahdp_verify.search.highest_place import turning_places
from ahdp_verify.search.loss.largest import LevelCandidate, Sample, largest_candidate

CORNERS = 256  # most combinations of ends that are tried
SAMPLES = 3  # of the other names, at which a place inside has to be the same
UnknownTable = dict[
    str, Expression | None
]  # values of unknowns; None for one that grows without bound
LevelAtCorner = tuple[LevelCandidate, UnknownTable]
UnknownBound = tuple[
    Expression, bool, bool
]  # an end, whether it is an upper one, whether it may be met


def eliminate_unknowns(
    claim: Claim, choice: LevelCandidate, samples: Sequence[Sample], here: Context
) -> LevelCandidate:
    """The choice with every unknown that a level may not mention at an end of its conditions,
    where that is largest.
    """
    m = claim.mechanism
    allowed = {k for k, _ in m.parameters} | (
        {k for k, _ in _unknowns(m)} if claim.relation in ("ahdp", "hdp") else set()
    )
    unwanted = sorted(names(choice.level) - allowed)
    if not unwanted:
        return choice
    found: list[LevelAtCorner] = [(choice, {})]
    for u in unwanted:
        listed = unknown_bounds(m, u, here)
        inside = _places_inside(choice.level, u, listed, samples)
        found = [end for corner in found for end in _ends(corner, u, (*listed, *inside))][:CORNERS]
    corners = [
        c
        for c, table in found
        if not names(c.level) - allowed and is_possible_corner(m, table, here)
    ]
    if not corners:
        raise Unsupported(f"the level of all records depends on {', '.join(unwanted)}")
    return largest_candidate(
        *(replace(c, level=canonical_level(c.level, here)) for c in corners),
        samples=samples,
        here=here,
    )


def _places_inside(
    level: Expression, unknown: str, listed: tuple[UnknownBound, ...], samples: Sequence[Sample]
) -> tuple[UnknownBound, ...]:
    """Values between the ends of an unknown at which a level may be largest."""
    ends = [[e for e, above, _ in listed if above is side] for side in (False, True)]
    if [len(side) for side in ends] != [1, 1]:
        return ()
    low, high = (side[0] for side in ends)
    found = turning_places(level, unknown, (low, high), samples[:SAMPLES])
    return tuple((place, True, True) for place in found)


def is_possible_corner(m: Mechanism, table: UnknownTable, here: Context) -> bool:
    """True if the values of a corner satisfy all conditions of the unknowns, or are limits of
    such values (a strict bound is met).
    """
    far = [u for u, value in table.items() if value is None]
    if len(far) > 1:
        return False
    values = {u: value for u, value in table.items() if value is not None}
    there = here.at_infinity(far[0]) if far else here
    listed = [c for _, condition in _unknowns(m) for c in conjuncts(condition)]
    after, _ = unknowns_of_both(m)
    primed = {u: name(key) for u, key in after.items() if key in table}
    try:
        return all(
            truth(substitute(with_bound_included(c), values), there)
            for c in (*listed, *(substitute(c, primed) for c in listed))
        )
    except (Undecided, Unsupported, ZeroDivisionError):
        return False


def with_bound_included(condition: Expression) -> Expression:
    """The condition with its bound included."""
    return Expression("<=", condition.args) if condition.head == "<" else condition


def canonical_level(level: Expression, here: Context) -> Expression:
    """The level in canonical form, if it has one here."""
    try:
        return to_expression(normal(level, here))
    except (Undecided, Unsupported, ZeroDivisionError):
        return level


def _unknowns(m: Mechanism) -> tuple[tuple[str, Expression], ...]:
    if isinstance(m.inputs, RealValues):
        return m.inputs.conditions
    return m.inputs.unknowns if isinstance(m.inputs, Domain) else ()


def unknowns_of_both(m: Mechanism) -> tuple[dict[str, str], tuple[tuple[str, Expression], ...]]:
    """The unknowns of the record (or value) before a move, with their names after it, and those
    names with their conditions.
    """
    listed = _unknowns(m)
    local = isinstance(m.inputs, RealValues)
    after = {u: neighbour_name(u) if local else u + "'" for u, _ in listed}
    there = {u: name(key) for u, key in after.items()}
    return after, tuple((after[u], substitute(c, there)) for u, c in listed)


def unknown_bounds(m: Mechanism, unknown: str, here: Context) -> tuple[UnknownBound, ...]:
    """The ends that the conditions give to an unknown in which they are linear."""
    _, there = unknowns_of_both(m)
    found = []
    named = there if unknown in dict(there) else _unknowns(m)
    for c in (c for _, condition in named for c in conjuncts(condition)):
        if c.head not in ("<", "<=") or unknown not in names(c):
            continue
        try:
            r = normal(c.args[1] - c.args[0], here)
            split = algebra.linear_coefficients(r.num, unknown)
            sign = here.signs(split[0]) if split is not None and not r.den else frozenset[int]()
        except (Undecided, Unsupported, ZeroDivisionError):
            continue
        if split is not None and len(sign) == 1 and 0 not in sign:
            found.append(
                (to_expression(Ratio(-split[1]) / Ratio(split[0])), sign == {-1}, c.head == "<=")
            )
    return tuple(found)


def _ends(
    corner: LevelAtCorner, unknown: str, listed: tuple[UnknownBound, ...]
) -> Iterator[LevelAtCorner]:
    """The choice at every end of an unknown, or in the limit where there is no upper one."""
    choice, table = corner
    if unknown not in names(choice.level):
        yield corner
        return
    values = {k: v for k, v in table.items() if v is not None}
    for end, met in ((substitute(e, values), met) for e, _, met in listed):
        if unknown in names(end):
            continue
        put = {k: None if v is None else substitute(v, {unknown: end}) for k, v in table.items()}
        level, where = (
            substitute(choice.level, {unknown: end}),
            f"{choice.where}, {unknown} = {end}",
        )
        yield (
            replace(choice, level=level, where=where, attained=choice.attained and met),
            {**put, unknown: end},
        )
    if not any(above for _, above, _ in listed):
        try:
            level = limit_at_infinity(choice.level, unknown, Context.empty())
            yield (
                replace(
                    choice, level=level, where=f"{choice.where}, {unknown} large", attained=False
                ),
                {**table, unknown: None},
            )
        except (Undecided, Unsupported, ZeroDivisionError):
            return
