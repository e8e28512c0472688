"""Statements about unknown numbers: evidence for each gap, from the procedures that prove privacy:
the gap plus 1 is compared with 1.

>>> from ahdp_verify.search.limits import Limits
>>> growth = Statement.of({"a": "a >= 0"}, "a + 1", "<=", "exp(a)")
>>> [e.form for e in statement_certificate(growth, Limits().clock()).evidence]
['direct']
"""

from __future__ import annotations

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import (
    CaseSplit,
    Certificate,
    Closed,
    Declined,
    Evidence,
    Lemma,
    Mass,
)
from ahdp_verify.kernel.model.inequality import Statement
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, sentence
from ahdp_verify.kernel.rules.inequalities import cases, extended, polynomial, require
from ahdp_verify.kernel.terms.expression import ONE, ZERO, Expression, add
from ahdp_verify.search.limits import Clock, OutOfLimits
from ahdp_verify.search.proving.case_splits import by_sign, contradiction
from ahdp_verify.search.proving.draft import Draft, prefixed, tree
from ahdp_verify.search.proving.inequality import prove
from ahdp_verify.search.proving.requirement import requirement

DEPTH = 6  # case splits of a strict statement


def statement_certificate(statement: Statement, clock: Clock) -> Certificate | Declined:
    """Evidence for every gap, to be checked; or why there is none."""
    found: list[Evidence] = []
    here = statement.here
    for gap in statement.gaps:
        try:
            shown = (
                positive(gap, here, clock, DEPTH)
                if statement.strict
                else prove(Dominated(ONE), Dominating(add(gap, ONE)), ZERO, here, clock)
            )
        except OutOfLimits as stop:
            return Declined("statement", stop.reason)
        except (Undecided, Unsupported, Rejected, ZeroDivisionError) as reason:
            return Declined("statement", sentence(reason))
        if shown is None:
            return Declined(
                "statement", f"no proof of {gap} {'>' if statement.strict else '>='} 0 was found"
            )
        found.append(shown)
    return Certificate(
        statement.fingerprint, False, (), Mass((), ()), tuple(found), tuple(range(len(found)))
    )


def by_steps(
    statement: Statement, steps: tuple[Statement, ...], clock: Clock
) -> Certificate | Declined:
    """Evidence that adds up the gaps of steps, each shown on the way; or why there is none."""
    listed = tuple(gap for step in steps for gap in step.gaps[:1])
    found = []
    for gap in () if statement.strict else statement.gaps:
        try:
            shown = added(gap, listed, statement.here, clock)
        except OutOfLimits as stop:
            return Declined("steps", stop.reason)
        except (Undecided, Unsupported, Rejected, ZeroDivisionError) as reason:
            return Declined("steps", sentence(reason))
        if shown is None:
            return Declined("steps", "the steps do not add up to the statement")
        found.append(shown)
    return (
        Certificate(
            statement.fingerprint, False, (), Mass((), ()), tuple(found), tuple(range(len(found)))
        )
        if found
        else Declined("steps", "the statement is strict")
    )


def added(
    gap: Expression, steps: tuple[Expression, ...], here: Context, clock: Clock
) -> Evidence | None:
    """Evidence for gap >= 0 with a lemma for each step, in the cases that the steps need."""
    draft = Draft(here)
    for step in steps:
        shown = prove(Dominated(ONE), Dominating(add(step, ONE)), ZERO, draft.here, clock)
        if shown is None:
            return None
        if isinstance(shown, CaseSplit):
            split = zip(shown.cases, cases(shown, extended(shown.lemmas, draft.here)), strict=True)
            inside = [
                (relation, added(gap, steps, case, clock)) for (relation, _), (case, _) in split
            ]
            done = tuple((relation, e) for relation, e in inside if e is not None)
            return (
                prefixed(draft.lemmas, CaseSplit(shown.lemmas, shown.guard, done))
                if len(done) == len(inside)
                else None
            )
        if not isinstance(shown, Closed) or shown.form == "never":
            return prefixed(draft.lemmas, shown)
        for lemma in shown.lemmas:
            draft.take(lemma)
        proof = shown.proofs[-1] if shown.proofs else None
        draft.take(
            Lemma(
                "sign" if proof is None else "proved",
                (step,),
                ">=",
                () if proof is None else (proof,),
            )
        )
    last = prove(Dominated(ONE), Dominating(add(gap, ONE)), ZERO, draft.here, clock) or absurd(
        gap, steps, draft, clock
    )
    return None if last is None else prefixed(draft.lemmas, last)


def absurd(
    gap: Expression, steps: tuple[Expression, ...], draft: Draft, clock: Clock
) -> Evidence | None:
    """Evidence that the gap cannot be negative: with the divisors of all steps at hand, products
    of facts contradict that; what was taken is in the draft.
    """
    here = draft.here
    for e in (gap, *steps):
        divisor = algebra.expand(algebra.ONE, normal(e, here).den)
        if algebra.polynomial_names(divisor):
            draft.offer(Lemma("sign", (tree(divisor),), ">"))
    guard = polynomial(normal(gap, draft.here), draft.here)
    never = contradiction(draft.here.given(guard, "<"), clock)
    return (
        None
        if never is None
        else CaseSplit((), tree(guard), ((">=", Closed((), "direct")), ("<", never)))
    )


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
        return (
            None
            if depth <= 0
            else by_sign(
                missing.guard,
                lambda case, left: positive(gap, case, clock, left),
                here,
                clock,
                depth,
            )
        )
