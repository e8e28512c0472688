"""Evidence for one output from that for another, by an exchange of names.

Mechanisms that treat their inputs alike, such as permute-and-flip or noisy maxima, need for output
j the inequality of output i with the names of query i and query j exchanged. The evidence found for
output i, its names exchanged and the numbers of its facts with them, is then evidence for output j.
It is taken only if the checker accepts it, so that nothing has to be known about the mechanism.

>>> from ahdp_verify.kernel.terms.grammar import parse
>>> swap = exchange(("q[1]", "q[2]", "@d1", "@d2", "e", "q[3]"), 1, 2)
>>> str(exchanged(parse("q[1] - 2*q[3]"), swap, ()))
'q[2] - 2*q[3]'
>>> exchanged(Products(((Fraction(1), (0, 2)),)), swap, (1, 0)).terms
((Fraction(1, 1), (1, 2)),)
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from typing import Any

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import Evidence, Products
from ahdp_verify.kernel.numbers.algebra import Ratio, polynomial_names
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.cases import check_cases, inequality_check
from ahdp_verify.kernel.rules.obligations import Task
from ahdp_verify.kernel.terms.expression import Expression, name, names, substitute

Exchange = dict[str, Expression]
NUMBERED = re.compile(r"(.*?)([1-9][0-9]*)(\]?)")


def evidence_by_exchange(plan: Evidence, task: Task, first: int, second: int) -> Evidence | None:
    """The evidence of output number `first` with the names of that number and of `second`
    exchanged; None if the checker does not accept it for the task.
    """
    (dominated, dominating), level, here = task.laws, task.obligation.level, task.obligation.here
    known = [polynomial_names(fact.polynomial) for fact in here.facts]
    occurring = frozenset[str]().union(names(dominated), names(dominating), *known)
    swap = exchange(occurring, first, second)
    numbers = exchanged_facts(here, swap) if swap else None
    if numbers is None:
        return None
    found: Evidence = exchanged(plan, swap, numbers)
    try:
        check_cases(found, here, inequality_check(dominated, dominating, level))
    except (Rejected, Undecided, Unsupported, ZeroDivisionError):
        return None
    return found


def exchange(occurring: Iterable[str], first: int, second: int) -> Exchange:
    """Which of the names that end in one of two numbers takes the place of which."""
    listed, other = frozenset(occurring), {str(first): second, str(second): first}
    found = {}
    for n in listed:
        parts = NUMBERED.fullmatch(n)
        if parts is not None and parts[2] in other:
            found[n] = name(f"{parts[1]}{other[parts[2]]}{parts[3]}")
    return found if {e.args[0] for e in found.values()} <= listed else {}


def exchanged_facts(here: Context, swap: Exchange) -> tuple[int, ...] | None:
    """The number of the fact that each fact becomes; None if one becomes none of them."""
    places = {(f.polynomial, f.relation): i for i, f in enumerate(here.facts)}
    moved = []
    for fact in here.facts:
        tree = exchanged(to_expression(Ratio(fact.polynomial)), swap, ())
        place = places.get((normal(tree, Context.empty(here.integers)).num, fact.relation))
        if place is None:
            return None
        moved.append(place)
    return tuple(moved)


def exchanged(thing: Any, swap: Exchange, numbers: tuple[int, ...]) -> Any:
    """Evidence with the names exchanged, and the numbers of the facts that it starts from."""
    if isinstance(thing, Expression):
        return substitute(thing, swap)
    if isinstance(thing, tuple):
        return tuple(exchanged(part, swap, numbers) for part in thing)
    if isinstance(thing, Products):
        moved = (
            (c, tuple(numbers[i] if i < len(numbers) else i for i in chosen))
            for c, chosen in thing.terms
        )
        return Products(tuple(moved))
    if is_dataclass(thing) and not isinstance(thing, type | Fraction):
        parts = {f.name: exchanged(getattr(thing, f.name), swap, numbers) for f in fields(thing)}
        return replace(thing, **parts)
    return thing
