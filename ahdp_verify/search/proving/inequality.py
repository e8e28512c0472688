"""Inequalities between two densities: forms, lemmas, products, and case splits where a sign is
missing.

Accepts densities whose logarithm, or whose difference, is piecewise polynomial in names and
exponentials. The answer is exact; what cannot be decided is left to the next procedure. One
requirement of a form is proved in `search.proving.requirement`; case splits are in
`search.proving.case_splits`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import (
    CaseSplit,
    Evidence,
    InequalityLeaf,
    Lemma,
    Proof,
)
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial
from ahdp_verify.kernel.numbers.hypotheses import OF_RELATION, Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.inequalities import (
    Requirement,
    extend_context,
    requirements,
    sign_polynomial,
    split_cases,
)
from ahdp_verify.kernel.terms.expression import Expression, names, walk
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving import one_variable as exppoly
from ahdp_verify.search.proving.absolute_values import absolute_arguments
from ahdp_verify.search.proving.bernstein import box_cut_guard
from ahdp_verify.search.proving.case_splits import (
    DEPTH,
    Continuation,
    absolute_value_cases,
    contradiction_leaf,
    split_absolute_value,
    split_by_residue,
    split_by_sign,
    split_into_cases,
)
from ahdp_verify.search.proving.draft import with_lemmas
from ahdp_verify.search.proving.float_filter import SamplePoints
from ahdp_verify.search.proving.integers import (
    few_values_guard,
    is_integer_guard,
    narrowing_lemmas,
    split_preference,
)
from ahdp_verify.search.proving.normalisers import has_normalisers
from ahdp_verify.search.proving.powers import leaf_by_powers
from ahdp_verify.search.proving.requirement import prove_requirement
from ahdp_verify.search.proving.residues import has_floors, open_residue
from ahdp_verify.search.proving.squares import square_split
from ahdp_verify.search.proving.tactics import Hopeless, Tactic, first_answer

FORMS = ("zero", "log", "direct")
UNDONE = ("zero", "direct", "log")  # for levels in which the direct form undoes logarithms
NORMALISED = ("zero", "direct")  # the log form cannot compare two normalisers


class NeedsBoxSplit(Exception):
    """An inequality between sums of exponentials may be proved once the sign of a guard splits
    their box.
    """

    def __init__(self, guard: Polynomial) -> None:
        self.guard = guard
        super().__init__(guard.key)


def prove_inequality(
    dominated: Dominated,
    dominating: Dominating,
    level: Expression,
    here: Context,
    clock: Clock,
    *,
    upper: bool = True,
    depth: int = DEPTH,
    light: bool = False,
) -> Evidence | None:
    """Evidence for dominated <= exp(level) * dominating here (>= with `upper` false), or None;
    `light` tries nothing that is slow.
    """
    clock.count(1, "splitting cases")
    asked = InequalityForms(dominated, dominating, level, here, upper)

    def again(case: Context, left: int) -> Evidence | None:
        return prove_inequality(
            dominated, dominating, level, case, clock, upper=upper, depth=left, light=light
        )

    return first_answer(TACTICS, OpenCase(asked, again, clock, depth, light))


@dataclass(frozen=True, slots=True)
class OpenCase:
    """One inequality in one case: `again` proves it in a smaller case, to at most `depth` more
    cases; `light` tries nothing that is slow.
    """

    asked: InequalityForms
    again: Continuation
    clock: Clock
    depth: int
    light: bool

    @property
    def here(self) -> Context:
        """What is known in this case."""
        return self.asked.here


def impossible_case(case: OpenCase) -> Evidence | None:
    """The case does not occur."""
    return InequalityLeaf((), "never", ()) if case.here.contradictory else None


def with_narrow_ranges(case: OpenCase) -> Evidence | None:
    """Whole numbers have the ranges that the facts leave them; asked once, at the top."""
    if case.depth != DEPTH or not (lemmas := narrowing_lemmas(case.here, Context.empty())):
        return None
    rest = case.again(extend_context(lemmas, case.here), case.depth - 1)
    if rest is None:
        raise Hopeless
    return with_lemmas(lemmas, rest)


def known_signs(case: OpenCase) -> Evidence | None:
    """The signs of the facts settle it, the log form included."""
    return leaf_by_signs(case.asked, FORMS[:2])


def whole_exponents(case: OpenCase) -> Evidence | None:
    """Whole numbers in exponents are split into cases."""
    if case.depth <= 0 or not (steps := whole_exponent_guards(case.asked)):
        return None
    guard = min(steps, key=split_preference)
    return final(split_absolute_value(guard, case.again, case.here, case.clock, case.depth))


def known_signs_undone(case: OpenCase) -> Evidence | None:
    """The signs of the facts settle the direct form."""
    return leaf_by_signs(case.asked, FORMS[2:])


def larger_logarithm(case: OpenCase) -> Evidence | None:
    """A level that is the largest of several logarithms is split into cases."""
    here, depth = case.here, case.depth
    if depth <= 0 or (compared := logarithm_guard(case.asked.level, here)) is None:
        return None
    return final(
        split_into_cases(compared, case.again, here, depth, absolute_value_cases(compared, here))
    )


def zeros_in_one_name(case: OpenCase) -> Evidence | None:
    """The zeros of a polynomial in one name and its exponential decide."""
    here = case.here
    if (single := one_name_requirement(case.asked)) is None:
        return None
    if (shown := exppoly.exp_sign_proof(single, ">=", here, case.clock)) is not None:
        return InequalityLeaf((), "direct", (shown,))
    return (
        final(contradiction_leaf(here, case.clock)) if exppoly.is_decidable(single, here) else None
    )


def forms_and_cases(case: OpenCase) -> Evidence | None:
    """The requirements of the forms, or the cases that they leave open."""
    return evidence_by_forms(case.asked, case.again, case.clock, case.depth, case.light)


def powers_of_bases(case: OpenCase) -> Evidence | None:
    """Powers of polynomials are compared by their bases."""
    asked, here = case.asked, case.here
    if case.light or not asked.upper:
        return None
    question = asked.dominated, asked.dominating, asked.level
    try:
        return leaf_by_powers(question, here, case.clock)
    except Undecided as missing:
        if not isinstance(missing.guard, Polynomial):
            return None
        return split_by_sign(missing.guard, case.again, here, case.clock, case.depth)
    except (Unsupported, ZeroDivisionError):
        return None


def final(found: Evidence | None) -> Evidence:
    """What was found; Hopeless where that is nothing."""
    if found is None:
        raise Hopeless
    return found


TACTICS: tuple[Tactic[OpenCase, Evidence], ...] = (
    Tactic("never", impossible_case, "a contradictory case needs no proof"),
    Tactic("narrow ranges", with_narrow_ranges, "all later tactics do better on narrower ranges"),
    Tactic("signs", known_signs, "once counts have values, this settles most cases"),
    Tactic(
        "whole exponents",
        whole_exponents,
        "no product of facts handles whole numbers in exponents",
    ),
    Tactic("signs, direct", known_signs_undone, "it only needs the direct form"),
    Tactic(
        "larger logarithm",
        larger_logarithm,
        "a density times the root of a product of logarithms has no polynomial form",
    ),
    Tactic("zeros", zeros_in_one_name, "it decides, so nothing needs to be tried after it"),
    Tactic("powers", powers_of_bases, "the bases have a far lower degree"),
    Tactic("forms", forms_and_cases, "the only one that searches"),
)


def evidence_by_forms(
    asked: InequalityForms, again: Continuation, clock: Clock, depth: int, light: bool
) -> Evidence | None:
    """Evidence from the forms of an inequality, tried in order, or from the cases of what they
    leave open; None if there is none.
    """
    guard, here = None, asked.here
    floored = has_floors((asked.dominated, asked.dominating))
    forms = (
        NORMALISED
        if has_normalisers(asked.dominated, asked.dominating, here)
        else UNDONE
        if has_varying_logarithm(asked.level) and not is_polynomial(asked, "log")
        else FORMS
    )
    if forms is NORMALISED and fails_in_floats(asked):
        return None
    for form in forms:
        try:
            if (
                floored
                and (next_case := open_residue((r for r, _ in asked.requirements(form)), here))
                is not None
            ):
                return split_by_residue(*next_case, again, here, depth)
            inside = open_absolute_values(asked, form)
            found = closed_leaf(asked, form, clock, light) or (
                None if light else parametric_square(asked, form, clock)
            )
        except Undecided as missing:
            return split_by_sign(missing.guard, again, here, clock, depth)
        except NeedsBoxSplit as box:
            return split_into_cases(
                box.guard, again, here, depth + 1, (">=", "<=")
            )  # the smallest box limits the depth
        except (Unsupported, ZeroDivisionError):
            continue
        if found is not None:
            return found
        guard = guard or min(inside, key=split_preference, default=None)
        if form == "log" and guard is not None:
            break
    empty = contradiction_leaf(here, clock) if here.facts and depth < DEPTH and not light else None
    if empty is not None:
        return empty
    return (
        None
        if guard is None or depth <= 0
        else split_absolute_value(guard, again, here, clock, depth)
    )


def parametric_square(asked: InequalityForms, form: str, clock: Clock) -> Evidence | None:
    """Evidence for a form with one requirement, by a square whose coefficient has parameters."""
    listed = asked.requirements(form)
    return square_split(listed[0][0], form, asked.here, clock) if len(listed) == 1 else None


def is_polynomial(asked: InequalityForms, form: str) -> bool:
    """Whether what a form requires, known signs aside, is about polynomials in names only."""
    here = asked.here
    try:
        listed = [
            r.num
            for r, relation in asked.requirements(form)
            if not here.ratio_signs(r) <= OF_RELATION[relation]
        ]
    except (Undecided, Unsupported, ZeroDivisionError):
        return False
    return all(a.kind == "name" for p in listed for a in algebra.polynomial_atoms(p))


def fails_in_floats(asked: InequalityForms) -> bool:
    """Whether the inequality seems to fail at a point where all facts hold, so that no proof need
    be searched for.
    """
    try:
        ((r, _),) = asked.requirements("direct")
        p = sign_polynomial(r, asked.here)
    except (Undecided, Unsupported, ZeroDivisionError):
        return False
    return not SamplePoints.of(asked.here, algebra.polynomial_names(p)).may_hold(p)


def open_absolute_values(asked: InequalityForms, form: str) -> list[Polynomial]:
    """The arguments of absolute values of unknown sign in the requirements of a form, the innermost
    first.
    """
    found: dict[str, Polynomial] = {}
    for r, _ in asked.requirements(form):
        for p in (r.num, *(f for f, _ in r.den)):
            found.update((w.key, w) for w in absolute_arguments(p))
    return list(found.values())


def evidence_along_plan(
    plan: Evidence,
    dominated: Dominated,
    dominating: Dominating,
    level: Expression,
    here: Context,
    clock: Clock,
    depth: int = DEPTH,
) -> Evidence | None:
    """Evidence in the cases of another proof, or None: what splits one output of a law splits
    the others too.
    """
    if isinstance(plan, InequalityLeaf) and plan.form == "never":
        return plan
    if not isinstance(plan, CaseSplit):
        lemmas = plan.lemmas if isinstance(plan, InequalityLeaf) else ()
        case = extend_context(lemmas, here)
        forms = (plan.form,) if isinstance(plan, InequalityLeaf) and not plan.proofs else ()
        rest = leaf_by_signs(
            InequalityForms(dominated, dominating, level, case, True), forms
        ) or prove_inequality(dominated, dominating, level, case, clock, depth=depth)
        return None if rest is None else with_lemmas(lemmas, rest)
    if (
        depth == DEPTH  # a law that vanishes in some cases only does so in their leaves
        and (
            at_once := leaf_by_signs(
                InequalityForms(dominated, dominating, level, here, True), ("zero",)
            )
        )
        is not None
    ):
        return at_once
    done = []
    for (case, further), (relation, _) in zip(
        split_cases(plan, extend_context(plan.lemmas, here)), plan.cases, strict=True
    ):
        found = evidence_along_plan(further, dominated, dominating, level, case, clock, depth - 1)
        if found is None:
            return None
        done.append((relation, found))
    return CaseSplit(plan.lemmas, plan.guard, tuple(done))


class InequalityForms:
    """An inequality in one context, and what each form requires there, computed when first asked
    for.
    """

    def __init__(
        self,
        dominated: Dominated,
        dominating: Dominating,
        level: Expression,
        here: Context,
        upper: bool,
    ) -> None:
        self.dominated, self.dominating, self.level, self.here, self.upper = (
            dominated,
            dominating,
            level,
            here,
            upper,
        )
        self._found: dict[str, list[Requirement]] = {}

    def requirements(self, form: str) -> list[Requirement]:
        """What the form requires; raises what
        `ahdp_verify.kernel.rules.inequalities.requirements` raises.
        """
        if form not in self._found:
            self._found[form] = requirements(
                self.dominated, self.dominating, self.level, form, self.here, self.upper
            )
        return self._found[form]


def leaf_by_signs(asked: InequalityForms, forms: tuple[str, ...]) -> InequalityLeaf | None:
    """A leaf that the signs of the facts settle, in one of the forms, or None; with counts put
    in, that is most of them.
    """
    for form in forms:
        try:
            if all(
                asked.here.ratio_signs(r) <= OF_RELATION[relation]
                for r, relation in asked.requirements(form)
            ):
                return InequalityLeaf((), form)
        except (Undecided, Unsupported, ZeroDivisionError):
            continue
    return None


def has_varying_logarithm(level: Expression) -> bool:
    """True if a logarithm of what depends on names stands in the level."""
    return any(n.head == "log" and names(n) for n in walk(level))


def logarithm_guard(level: Expression, here: Context) -> Polynomial | None:
    """What decides which of several logarithms the level is: split first, since a density times the
    root of a product of them has no polynomial form.
    """
    if level.head not in ("max", "min", "abs") or not has_varying_logarithm(level):
        return None
    try:
        inside = absolute_arguments(normal(level, here).num)
    except (Undecided, Unsupported, ZeroDivisionError):
        return None
    return next(
        (w for w in inside if any(a.kind == "log" for a in algebra.polynomial_atoms(w))), None
    )


def one_name_requirement(asked: InequalityForms) -> Polynomial | None:
    """The requirement of the direct form if it is a polynomial in one name and its exponential,
    else None.
    """
    try:
        ((r, _),) = asked.requirements("direct")
        p = sign_polynomial(r, asked.here)
    except (Undecided, Unsupported, ZeroDivisionError):
        return None
    return None if exppoly.only_name(p) is None else p


def whole_exponent_guards(asked: InequalityForms) -> list[Polynomial]:
    """Guards in whole numbers that stand in exponents of a sum, inside absolute values or with few
    values left: no product of facts handles those.
    """
    found: dict[str, Polynomial] = {}
    few = cache(lambda key: few_values_guard(key, asked.here))
    try:
        listed = asked.requirements("log")
    except (Undecided, Unsupported, ZeroDivisionError):
        return []
    for r, _ in listed:
        for p in (r.num, *(f for f, _ in r.den)):
            for a in sorted(algebra.polynomial_atoms(p)):
                if a.kind == "exp":
                    found.update((w.key, w) for w in guards_of_exponential(a, asked.here, few))
    return list(found.values())


def guards_of_exponential(
    exponential: algebra.Atom, here: Context, few_values: Callable[[str], Polynomial | None]
) -> list[Polynomial]:
    """The guards of one exponential; `few_values` gives the `few_values_guard` of a name."""
    inside = [
        w
        for w in absolute_arguments(algebra.polynomial_of_atom(exponential))
        if is_integer_guard(w, here)
    ]
    few = map(few_values, sorted(algebra.atom_names(exponential)))
    return inside or [w for w in few if w is not None]


def closed_leaf(
    asked: InequalityForms, form: str, clock: Clock, light: bool
) -> InequalityLeaf | None:
    """A closed leaf in one form, or None."""
    lemmas: tuple[Lemma, ...] = ()
    proofs: list[Proof] = []
    here = asked.here
    for r, relation in asked.requirements(form):
        if here.ratio_signs(r) <= OF_RELATION[relation]:
            proofs.append(None)
            continue
        if form == "zero":
            return None
        answer = prove_requirement(r, relation, here, clock, light)
        if (
            answer is None
            and not light
            and (guard := box_cut_guard(sign_polynomial(r, here), here)) is not None
        ):
            raise NeedsBoxSplit(guard)
        if answer is None:
            return None
        more, proof = answer
        lemmas, here = (*lemmas, *more), extend_context(more, here)
        proofs.append(proof)
    return InequalityLeaf(lemmas, form, () if all(p is None for p in proofs) else tuple(proofs))
