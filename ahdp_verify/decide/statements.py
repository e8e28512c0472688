"""Statements about unknown numbers: evidence for each gap, and values of the unknowns at which one fails.

A proof comes from the same procedures as proofs of privacy: the gap plus 1 is compared with 1.  Values are tried from simple ones on, in
floating point; what fails there is left to the checker, which computes exactly.

>>> from ahdp_verify.limits import Limits
>>> false = Statement.of({"a": "a >= 0"}, "a^2", "<=", "a")
>>> next(failures(false, Limits().clock()))
(('a', Expression(head='number', args=(Fraction(2, 1),))),)
"""

from __future__ import annotations

import itertools
import math
import operator
import random
from collections.abc import Callable, Iterator
from fractions import Fraction

from ahdp_verify import algebra
from ahdp_verify.argument import Statement, Values
from ahdp_verify.certificate import CaseSplit, Certificate, Closed, Declined, Evidence, Lemma, Mass
from ahdp_verify.context import Context, normal
from ahdp_verify.decide.draft import Draft, prefixed, tree
from ahdp_verify.decide.linear import prove
from ahdp_verify.decide.requirement import requirement
from ahdp_verify.decide.splits import by_sign, contradiction
from ahdp_verify.errors import Rejected, Undecided, Unsupported
from ahdp_verify.expression import ONE, ZERO, Expression, add, number
from ahdp_verify.limits import Clock, OutOfLimits
from ahdp_verify.proof import cases, extended, polynomial, require

SIMPLE = tuple(Fraction(v) for v in ("0", "1", "2", "1/2", "-1", "3", "1/3", "4", "1/4", "3/10", "-1/2", "-2", "1/10", "10", "9/10", "3/2", "2/3", "3/4", "1/100", "99/100", "100"))
GRID = 6_000  # combinations of simple values that are tried
DRAWN = 4_000  # random points after them
SLACK = 1e-9  # of the size of a gap that counts as negative
DEPTH = 6  # case splits of a strict statement


def statement_certificate(statement: Statement, clock: Clock) -> Certificate | Declined:
    """Evidence for every gap, to be checked; or why there is none."""
    found: list[Evidence] = []
    here = statement.here
    for gap in statement.gaps:
        try:
            shown = positive(gap, here, clock, DEPTH) if statement.strict else prove(add(gap, ONE), ONE, ZERO, here, clock)
        except OutOfLimits as stop:
            return Declined("statement", stop.reason)
        except (Undecided, Unsupported, Rejected, ZeroDivisionError) as reason:
            return Declined("statement", str(reason))
        if shown is None:
            return Declined("statement", f"no proof of {gap} {'>' if statement.strict else '>='} 0 was found")
        found.append(shown)
    return Certificate(statement.fingerprint, False, (), Mass((), ()), tuple(found), tuple(range(len(found))))


def by_steps(statement: Statement, steps: tuple[Statement, ...], clock: Clock) -> Certificate | Declined:
    """Evidence that adds up the gaps of steps, each shown on the way; or why there is none."""
    listed = tuple(gap for step in steps for gap in step.gaps[:1])
    found = []
    for gap in () if statement.strict else statement.gaps:
        try:
            shown = added(gap, listed, statement.here, clock)
        except OutOfLimits as stop:
            return Declined("steps", stop.reason)
        except (Undecided, Unsupported, Rejected, ZeroDivisionError) as reason:
            return Declined("steps", str(reason))
        if shown is None:
            return Declined("steps", "the steps do not add up to the statement")
        found.append(shown)
    return Certificate(statement.fingerprint, False, (), Mass((), ()), tuple(found), tuple(range(len(found)))) if found else Declined("steps", "the statement is strict")


def added(gap: Expression, steps: tuple[Expression, ...], here: Context, clock: Clock) -> Evidence | None:
    """Evidence for gap >= 0 with a lemma for each step, in the cases that the steps need."""
    draft = Draft(here)
    for step in steps:
        shown = prove(add(step, ONE), ONE, ZERO, draft.here, clock)
        if shown is None:
            return None
        if isinstance(shown, CaseSplit):
            split = zip(shown.cases, cases(shown, extended(shown.lemmas, draft.here)), strict=True)
            inside = [(relation, added(gap, steps, case, clock)) for (relation, _), (case, _) in split]
            done = tuple((relation, e) for relation, e in inside if e is not None)
            return prefixed(draft.lemmas, CaseSplit(shown.lemmas, shown.guard, done)) if len(done) == len(inside) else None
        if not isinstance(shown, Closed) or shown.form == "never":
            return prefixed(draft.lemmas, shown)
        for lemma in shown.lemmas:
            draft.take(lemma)
        proof = shown.proofs[-1] if shown.proofs else None
        draft.take(Lemma("sign" if proof is None else "proved", (step,), ">=", () if proof is None else (proof,)))
    last = prove(add(gap, ONE), ONE, ZERO, draft.here, clock) or absurd(gap, steps, draft, clock)
    return None if last is None else prefixed(draft.lemmas, last)


def absurd(gap: Expression, steps: tuple[Expression, ...], draft: Draft, clock: Clock) -> Evidence | None:
    """Evidence that the gap cannot be negative: with the divisors of all steps at hand, products of facts contradict that; what was taken is in the draft."""
    here = draft.here
    for e in (gap, *steps):
        divisor = algebra.expand(algebra.ONE, normal(e, here).den)
        if algebra.polynomial_names(divisor):
            draft.offer(Lemma("sign", (tree(divisor),), ">"))
    guard = polynomial(normal(gap, draft.here), draft.here)
    never = contradiction(draft.here.given(guard, "<"), clock)
    return None if never is None else CaseSplit((), tree(guard), ((">=", Closed((), "direct")), ("<", never)))


def positive(gap: Expression, here: Context, clock: Clock, depth: int) -> Evidence | None:
    """Evidence for gap > 0, by signs, by a proof, or case by case."""
    clock.check("strict inequalities")
    if here.contradictory:
        return Closed((), "never", ())
    try:
        r = normal(gap, here)
        try:
            require(r, ">", None, here)
            return Closed((), "direct")
        except Rejected:
            found = requirement(r, ">", here, clock)
            return None if found is None else Closed(found[0], "direct", (found[1],))
    except Undecided as missing:
        return None if depth <= 0 else by_sign(missing.guard, lambda case, left: positive(gap, case, clock, left), here, clock, depth)


def failures(statement: Statement, clock: Clock) -> Iterator[Values]:
    """Values of the unknowns at which the statement seems to fail, simple ones first."""
    keys = [key for key, _ in statement.parameters]
    for point in points(keys):
        clock.check("looking for values at which the statement fails")
        if fails(statement, dict(zip(keys, map(float, point), strict=True))):
            yield tuple((key, number(value)) for key, value in zip(keys, point, strict=True))


def points(keys: list[str]) -> Iterator[tuple[Fraction, ...]]:
    """Combinations of simple values, those with simple values first, then random ones with small denominators."""
    if not keys:
        yield ()
        return
    width = max(2, min(len(SIMPLE), int(GRID ** (1 / len(keys)))))
    yield from sorted(itertools.product(SIMPLE[:width], repeat=len(keys)), key=lambda p: sum(SIMPLE.index(v) for v in p))
    source = random.Random(0)
    for _ in range(DRAWN):
        yield tuple(Fraction(source.choice((-1, 1, 1)) * source.randint(0, 60), source.choice((1, 2, 5, 10, 20))) for _ in keys)


def fails(statement: Statement, point: dict[str, float]) -> bool:
    """Whether all conditions hold at a point and the statement does not, as far as floating point tells."""
    try:
        if not all(value(condition, point) for _, condition in statement.parameters):
            return False
        gap = value(statement.gaps[0], point)
        size = 1.0 + abs(value(statement.left, point))
    except (ArithmeticError, ValueError, KeyError, TypeError):
        return False
    if statement.relation == "==":
        return abs(gap) > SLACK * size
    return bool(gap < -SLACK * size or (statement.strict and gap == 0))


def value(e: Expression, point: dict[str, float]) -> float:
    """About the value of an expression, 1.0 and 0.0 for a condition that holds or fails; KeyError for a head that has none."""
    if e.head in ("name", "number"):
        return point[e.args[0]] if e.head == "name" else float(e.args[0])
    if e.head == "boolean":
        return float(e.args[0])
    if e.head == "piecewise":
        return next(value(v, point) for v, c in zip(e.args[::2], e.args[1::2], strict=True) if value(c, point))
    return float(FLOATS[e.head](*(value(a, point) for a in e.args)))


FLOATS: dict[str, Callable[..., float]] = {
    "pi": lambda: math.pi, "+": lambda *a: math.fsum(a), "*": lambda *a: math.prod(a), "^": math.pow, "exp": math.exp, "log": math.log, "abs": abs, "floor": math.floor,
    "sign": lambda a: (a > 0) - (a < 0), "max": max, "min": min, "mod": lambda a, b: a - b * math.floor(a / b), "binomial": lambda n, k: math.comb(int(n), int(k)),
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, "and": lambda *a: all(a), "or": lambda *a: any(a), "not": operator.not_,
}  # fmt: skip
