"""Sign queries that arise during a computation: a sign that a form needs is derived from the facts,
or the answer is shown to be the same for all signs.

>>> from ahdp_verify.kernel.numbers.algebra import constant, exp_of, symbol
>>> clock, here = Limits().clock(), Context.empty().given(symbol("eps").num, ">")
>>> p = (exp_of(symbol("eps")) - constant(1)).num
>>> len(here.signs(p)), sorted(learn_sign(p, here, clock).signs(p))
(3, [1])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.terms.expression import TRUE, Expression, piecewise, walk
from ahdp_verify.search.limits import Clock, Limits, OutOfLimits
from ahdp_verify.search.proving.case_splits import contradiction_leaf
from ahdp_verify.search.proving.requirement import prove_requirement

T = TypeVar("T")
# seconds for one query; measured: a sign that is found at all is found in a tenth of this
BRIEF = 1.0
SPLITS = 3  # signs on which cases are split
LEARNED = 8  # signs that are derived, one after the other, before a form is abandoned


def answer_with_signs(
    here: Context, clock: Clock, ask: Callable[[Context], T]
) -> tuple[Context, T]:
    """The answer in this context, or in it with the signs added that the answer needs and that
    follow from its facts.
    """
    for _ in range(LEARNED):
        try:
            return here, ask(here)
        except Undecided as missing:
            here = learn_sign(missing.guard, here, clock)
    return here, ask(here)


def answer_by_cases(
    here: Context,
    clock: Clock,
    ask: Callable[[Context], T],
    equal: Callable[[T, T], bool],
    join: Callable[[Expression, dict[str, T]], T],
    *,
    depth: int = SPLITS,
) -> T:
    """The answer of `ask`; where it needs signs that do not follow from the facts and the answers
    differ, joined from those in the cases "<", ">", "=" of a guard.

    Answers are never split on a guard that depends on the rest of the input.
    """
    try:
        return answer_with_signs(here, clock, ask)[1]
    except Undecided as missing:
        guard = missing.guard
        if depth == 0 or not isinstance(guard, Polynomial):
            raise
        cases = ((r, here.given(guard, r)) for r in ("<", ">", "="))
        found = {
            r: answer_by_cases(case, clock, ask, equal, join, depth=depth - 1)
            for r, case in cases
            if not is_contradictory(case, clock)
        }
        listed = list(found.values())
        if listed and all(equal(listed[0], other) for other in listed[1:]):
            return listed[0]
        if not found or has_state_names(algebra.polynomial_names(guard)):
            raise Unsupported("the answer depends on a sign that is not known") from None
        return join(to_expression(Ratio(guard)), found)


def expression_by_sign(guard: Expression, found: dict[str, Expression]) -> Expression:
    """One expression for the cases of a sign."""
    conditions = {"<": guard < 0, ">": guard > 0}
    last = found.get("=", list(found.values())[-1])
    return piecewise(*((e, conditions[r]) for r, e in found.items() if e != last), (last, TRUE))


def brief_clock(clock: Clock) -> Clock:
    """A clock for one sign query, which may use a small part of the time left."""
    return Limits(seconds=max(0.01, min(BRIEF, clock.left))).clock()


def is_contradictory(case: Context, clock: Clock) -> bool:
    """True if the facts of a case were found to contradict each other."""
    try:
        return case.contradictory or contradiction_leaf(case, brief_clock(clock)) is not None
    except OutOfLimits:
        return False


def learn_sign(guard: object, here: Context, clock: Clock) -> Context:
    """The context with the strict sign of a guard that its facts imply; Undecided(guard) if none
    was found.
    """
    if isinstance(guard, Polynomial) and not has_state_names(algebra.polynomial_names(guard)):
        for p in (guard, -guard):
            if is_implied(p, ">", here, clock):
                return here.given(p, ">")
    raise Undecided(guard)


def is_implied(p: Polynomial, relation: str, here: Context, clock: Clock) -> bool:
    """True if a proof of p >= 0, or p > 0, was found."""
    try:
        return prove_requirement(Ratio(p), relation, here, brief_clock(clock)) is not None
    except (Undecided, Unsupported, Rejected, ZeroDivisionError, OutOfLimits):
        return False


def has_state_names(used: frozenset[str]) -> bool:
    """True if one of the names stands for the rest of the input: aggregates and counts begin with @
    or #, query answers are q[...].
    """
    return any(n[0] in "@#" or n.startswith("q[") for n in used)


def with_known_signs(level: Expression, here: Context, clock: Clock) -> Expression:
    """The level with |u| written as u or -u where the facts imply the sign of a sum u."""
    if level.head in ("max", "min"):
        return Expression(level.head, tuple(with_known_signs(a, here, clock) for a in level.args))
    if not any(node.head in ("abs", "max", "min") for node in walk(level)):
        return level
    try:
        r = normal(level, here)
        wider = context_with_signs(r, here, clock)
        return level if wider is here else to_expression(normal(level, wider))
    except (Undecided, Unsupported, ZeroDivisionError, OutOfLimits):
        return level


def context_with_signs(r: Ratio, here: Context, clock: Clock) -> Context:
    """The context with the signs that it implies of the sums inside the absolute values of r."""
    for a in sorted(algebra.polynomial_atoms(r.num)):
        inside = a.payload[0].num if a.kind == "abs" else algebra.ZERO
        if len(inside.terms) < 2 or here.signs(inside) <= {0, 1} or here.signs(inside) <= {0, -1}:
            continue
        for p in (inside, -inside):
            if is_implied(p, ">=", here, clock):
                here = here.given(p, ">=")
                break
    return here
