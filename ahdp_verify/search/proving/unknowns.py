"""Evidence for inequalities in unknown numbers, from the procedures that prove privacy: each gap
plus 1 is compared with 1.

>>> from ahdp_verify.search.limits import Limits
>>> growth = Inequality.of({"a": "a >= 0"}, "a + 1", "<=", "exp(a)")
>>> [e.form for e in inequality_certificate(growth, Limits().clock()).evidence]
['direct']
"""

from __future__ import annotations

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import (
    CaseSplit,
    Certificate,
    Declined,
    Evidence,
    InequalityLeaf,
    Lemma,
    Mass,
)
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, refusal_text
from ahdp_verify.kernel.rules.inequalities import (
    check_sign,
    extend_context,
    sign_polynomial,
    split_cases,
)
from ahdp_verify.kernel.terms.expression import ONE, ZERO, Expression, add
from ahdp_verify.search.limits import Clock, OutOfLimits
from ahdp_verify.search.proving.case_splits import contradiction_leaf, split_by_sign
from ahdp_verify.search.proving.draft import Draft, polynomial_tree, with_lemmas
from ahdp_verify.search.proving.inequality import prove_inequality
from ahdp_verify.search.proving.open_region import open_region_text
from ahdp_verify.search.proving.regions import NOT_FOUND
from ahdp_verify.search.proving.requirement import prove_requirement

DEPTH = 6  # case splits of a strict statement


def inequality_certificate(
    statement: Inequality | SensitivityClaim, clock: Clock
) -> Certificate | Declined:
    """Evidence for every gap, to be checked; or why there is none."""
    found: list[Evidence] = []
    for here, gap in statement.tasks:
        try:
            shown = (
                positivity_evidence(gap, here, clock, DEPTH)
                if statement.strict
                else prove_inequality(Dominated(ONE), Dominating(add(gap, ONE)), ZERO, here, clock)
            )
        except OutOfLimits as stop:
            return Declined("statement", stop.reason)
        except (Undecided, Unsupported, Rejected, ZeroDivisionError) as reason:
            return Declined("statement", refusal_text(reason))
        if shown is None:
            relation = ">" if statement.strict else ">="
            return Declined("statement", unproved_text(gap, relation, here, clock))
        found.append(shown)
    return Certificate(
        statement.fingerprint, False, (), Mass((), ()), tuple(found), tuple(range(len(found)))
    )


def unproved_text(gap: Expression, relation: str, here: Context, clock: Clock) -> str:
    """That no proof of a gap was found, and what is known of where it is least."""
    said = f"no proof of {gap} {relation} 0 was found"
    try:
        clock.check("looking at what is left")
        p = sign_polynomial(normal(gap, here), here)
        return f"{said} ({open_region_text(p, relation, here)})"
    except (*NOT_FOUND, OutOfLimits):
        return said


def certificate_by_steps(
    statement: Inequality, steps: tuple[Inequality, ...], clock: Clock
) -> Certificate | Declined:
    """Evidence that adds up the gaps of steps, each shown in turn; or why there is none."""
    listed = tuple(gap for step in steps for gap in step.gaps[:1])
    found = []
    for gap in () if statement.strict else statement.gaps:
        try:
            shown = evidence_from_steps(gap, listed, statement.here, clock)
        except OutOfLimits as stop:
            return Declined("steps", stop.reason)
        except (Undecided, Unsupported, Rejected, ZeroDivisionError) as reason:
            return Declined("steps", refusal_text(reason))
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


def evidence_from_steps(
    gap: Expression, steps: tuple[Expression, ...], here: Context, clock: Clock
) -> Evidence | None:
    """Evidence for gap >= 0 with a lemma for each step, in the cases that the steps need."""
    draft = Draft(here)
    for step in steps:
        shown = prove_inequality(
            Dominated(ONE), Dominating(add(step, ONE)), ZERO, draft.here, clock
        )
        if shown is None:
            return None
        if isinstance(shown, CaseSplit):
            split = zip(
                shown.cases,
                split_cases(shown, extend_context(shown.lemmas, draft.here)),
                strict=True,
            )
            inside = [
                (relation, evidence_from_steps(gap, steps, case, clock))
                for (relation, _), (case, _) in split
            ]
            done = tuple((relation, e) for relation, e in inside if e is not None)
            return (
                with_lemmas(draft.lemmas, CaseSplit(shown.lemmas, shown.guard, done))
                if len(done) == len(inside)
                else None
            )
        if not isinstance(shown, InequalityLeaf) or shown.form == "never":
            return with_lemmas(draft.lemmas, shown)
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
    last = prove_inequality(
        Dominated(ONE), Dominating(add(gap, ONE)), ZERO, draft.here, clock
    ) or contradiction_evidence(gap, steps, draft, clock)
    return None if last is None else with_lemmas(draft.lemmas, last)


def contradiction_evidence(
    gap: Expression, steps: tuple[Expression, ...], draft: Draft, clock: Clock
) -> Evidence | None:
    """Evidence that the gap cannot be negative: with the divisors of all steps at hand, products
    of facts contradict that; what was taken is in the draft.
    """
    here = draft.here
    for e in (gap, *steps):
        divisor = algebra.multiply_factors(algebra.ONE, normal(e, here).den)
        if algebra.polynomial_names(divisor):
            draft.offer(Lemma("sign", (polynomial_tree(divisor),), ">"))
    guard = sign_polynomial(normal(gap, draft.here), draft.here)
    never = contradiction_leaf(draft.here.given(guard, "<"), clock)
    return (
        None
        if never is None
        else CaseSplit(
            (), polynomial_tree(guard), ((">=", InequalityLeaf((), "direct")), ("<", never))
        )
    )


def positivity_evidence(
    gap: Expression, here: Context, clock: Clock, depth: int
) -> Evidence | None:
    """Evidence for gap > 0, by signs, by a proof, or case by case."""
    clock.check("strict inequalities")
    if here.contradictory:
        return InequalityLeaf((), "never", ())
    try:
        r = normal(gap, here)
        try:
            check_sign(r, ">", None, here)
            return InequalityLeaf((), "direct")
        except Rejected:
            found = prove_requirement(r, ">", here, clock)
            return None if found is None else InequalityLeaf(found[0], "direct", (found[1],))
    except Undecided as missing:
        return (
            None
            if depth <= 0
            else split_by_sign(
                missing.guard,
                lambda case, left: positivity_evidence(gap, case, clock, left),
                here,
                clock,
                depth,
            )
        )
