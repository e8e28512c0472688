"""Inequalities between two laws: forms, lemmas, products, and case splits where a sign is missing.

Accepts every law whose logarithm, or whose difference, is piecewise polynomial in names and exponentials.  The answer is exact; what it
cannot do it leaves to the next procedure.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ahdp_verify import algebra
from ahdp_verify.algebra import Polynomial, Ratio
from ahdp_verify.certificate import CaseSplit, Closed, Evidence, Lemma, Products, Proof
from ahdp_verify.context import OF_RELATION, Context, is_whole, normal
from ahdp_verify.decide import exppoly
from ahdp_verify.decide.matching import matched, normalised
from ahdp_verify.decide.monotone import monotone, sign_by_bounds
from ahdp_verify.decide.polynomial import by_squares, cut, false_on_box, inside_a_box, shown_on_box
from ahdp_verify.decide.products import DEGREES, find
from ahdp_verify.decide.residues import has_floors, open_residue
from ahdp_verify.decide.rewrite import (
    Draft,
    bounded,
    bounds,
    by_coefficients,
    constants,
    equated,
    exponentials,
    floors,
    inner_absolutes,
    prefixed,
    product,
    rounded,
    sign_lemmas,
    tree,
    triangles,
    whole_numbers,
)
from ahdp_verify.decide.samples import Samples
from ahdp_verify.decide.whole import few_values, first_value, in_steps, narrowed, preference, sharpened
from ahdp_verify.errors import Rejected, Undecided, Unsupported
from ahdp_verify.expression import Expression, names, walk
from ahdp_verify.limits import Clock
from ahdp_verify.proof import Requirement, cases, extended, polynomial, requirements

DEPTH = 14  # most nested case splits
FORMS = ("zero", "log", "direct")
UNDONE = ("zero", "direct", "log")  # for levels in which the direct form undoes logarithms
NORMALISED = ("zero", "direct")  # the log form cannot compare two normalisers
Go = Callable[[Context, int], Evidence | None]


class Wanted(Exception):
    """A schema is proved if `condition` >= 0 holds for the contributions and the level of every record."""

    def __init__(self, condition: Polynomial) -> None:
        self.condition = condition
        super().__init__(condition.key)


class Wide(Exception):
    """An inequality between sums of exponentials may be proved once the sign of a guard splits their box."""

    def __init__(self, guard: Polynomial) -> None:
        self.guard = guard
        super().__init__(guard.key)


def prove(
    before: Expression, after: Expression, level: Expression, here: Context, clock: Clock, *, upper: bool = True, depth: int = DEPTH, light: bool = False
) -> Evidence | None:
    """Evidence for exp(level) before >= after here (<= with `upper` false), or None; `light` tries nothing that takes long."""
    clock.count(1, "splitting cases")
    if here.contradictory:
        return Closed((), "never", ())

    def again(case: Context, left: int) -> Evidence | None:
        return prove(before, after, level, case, clock, upper=upper, depth=left, light=light)

    if depth == DEPTH and (lemmas := narrowed(here, Context.empty())):
        rest = again(extended(lemmas, here), depth - 1)
        return None if rest is None else prefixed(lemmas, rest)
    asked = Asked(before, after, level, here, upper)
    if (at_once := by_signs(asked, FORMS[:2])) is not None:
        return at_once
    if depth > 0 and (steps := in_exponents(asked)):
        return settled(min(steps, key=preference), again, here, clock, depth)
    if (at_once := by_signs(asked, FORMS[2:])) is not None:
        return at_once
    if depth > 0 and (compared := logs_compared(level, here)) is not None:
        return split(compared, again, here, depth, two_cases(compared, here))
    if (single := in_one_name(asked)) is not None:
        if (shown := exppoly.proof(single, ">=", here, clock)) is not None:
            return Closed((), "direct", (shown,))
        if exppoly.decides(single, here):
            return contradiction(here, clock)
    guard = None
    floored = has_floors((before, after))
    forms = NORMALISED if normalised(before, after, here) else UNDONE if of_logs(level) else FORMS
    if forms is NORMALISED and refuted_in_floats(before, after, level, here, upper):
        return None
    for form in forms:
        try:
            if floored and (next_case := open_residue((r for r, _ in requirements(before, after, level, form, here, upper)), here)) is not None:
                return by_residue(*next_case, again, here, depth)
            inside = absolutes(before, after, level, form, here, upper)
            found = leaf(before, after, level, form, here, clock, upper, light)
        except Undecided as missing:
            return by_sign(missing.guard, again, here, clock, depth)
        except Wide as box:
            return split(box.guard, again, here, depth + 1, (">=", "<="))  # how deep it goes, the smallest box says
        except (Unsupported, ZeroDivisionError):
            continue
        if found is not None:
            return found
        guard = guard or min(inside, key=preference, default=None)
        if form == "log" and guard is not None:
            break
    empty = contradiction(here, clock) if here.facts and depth < DEPTH and not light else None
    if empty is not None:
        return empty
    return None if guard is None or depth <= 0 else settled(guard, again, here, clock, depth)


def refuted_in_floats(before: Expression, after: Expression, level: Expression, here: Context, upper: bool) -> bool:
    """Whether the inequality seems to fail at a point where all facts hold, so that no proof need be looked for."""
    try:
        ((r, _),) = requirements(before, after, level, "direct", here, upper)
        p = polynomial(r, here)
    except (Undecided, Unsupported, ZeroDivisionError):
        return False
    return not Samples.of(here, algebra.polynomial_names(p)).may_hold(p)


def absolutes(before: Expression, after: Expression, level: Expression, form: str, here: Context, upper: bool) -> list[Polynomial]:
    """What stands inside absolute values of unknown sign in the requirements of a form, the innermost first."""
    found: dict[str, Polynomial] = {}
    for r, _ in requirements(before, after, level, form, here, upper):
        for p in (r.num, *(f for f, _ in r.den)):
            found.update((w.key, w) for w in inner_absolutes(p))
    return list(found.values())


def along(plan: Evidence, before: Expression, after: Expression, level: Expression, here: Context, clock: Clock, depth: int = DEPTH) -> Evidence | None:
    """Evidence in the cases of another proof, or None: what splits one output of a law splits the others too."""
    if isinstance(plan, Closed) and plan.form == "never":
        return plan
    if not isinstance(plan, CaseSplit):
        lemmas = plan.lemmas if isinstance(plan, Closed) else ()
        rest = prove(before, after, level, extended(lemmas, here), clock, depth=depth)
        return None if rest is None else prefixed(lemmas, rest)
    if (at_once := by_signs(Asked(before, after, level, here, True), ("zero",))) is not None:
        return at_once
    done = []
    for (case, further), (relation, _) in zip(cases(plan, extended(plan.lemmas, here)), plan.cases, strict=True):
        found = along(further, before, after, level, case, clock, depth - 1)
        if found is None:
            return None
        done.append((relation, found))
    return CaseSplit(plan.lemmas, plan.guard, tuple(done))


class Asked:
    """An inequality in one context, and what each form requires there, worked out when first asked for."""

    def __init__(self, before: Expression, after: Expression, level: Expression, here: Context, upper: bool) -> None:
        self.here = here
        self._laws, self._upper, self._found = (before, after, level), upper, dict[str, list[Requirement]]()

    def requirements(self, form: str) -> list[Requirement]:
        """What the form requires; raises what `ahdp_verify.proof.requirements` raises."""
        if form not in self._found:
            self._found[form] = requirements(*self._laws, form, self.here, self._upper)
        return self._found[form]


def by_signs(asked: Asked, forms: tuple[str, ...]) -> Closed | None:
    """A leaf that the signs of the facts settle, in one of the forms, or None; with counts put in, that is most of them."""
    for form in forms:
        try:
            if all(asked.here.ratio_signs(r) <= OF_RELATION[relation] for r, relation in asked.requirements(form)):
                return Closed((), form)
        except (Undecided, Unsupported, ZeroDivisionError):
            continue
    return None


def of_logs(level: Expression) -> bool:
    """True if a logarithm of what depends on names stands in the level."""
    return any(n.head == "log" and names(n) for n in walk(level))


def logs_compared(level: Expression, here: Context) -> Polynomial | None:
    """What decides which of several logarithms the level is: told apart first, for a law times the root of a product of them has no polynomial form."""
    if level.head not in ("max", "min", "abs") or not of_logs(level):
        return None
    try:
        inside = inner_absolutes(normal(level, here).num)
    except (Undecided, Unsupported, ZeroDivisionError):
        return None
    return next((w for w in inside if any(a.kind == "log" for a in algebra.atoms(w))), None)


def in_one_name(asked: Asked) -> Polynomial | None:
    """The requirement of the direct form if it is a polynomial in one name and its exponential, else None."""
    try:
        ((r, _),) = asked.requirements("direct")
        p = polynomial(r, asked.here)
    except (Undecided, Unsupported, ZeroDivisionError):
        return None
    return None if exppoly.one_name(p) is None else p


def in_exponents(asked: Asked) -> list[Polynomial]:
    """Guards in whole numbers that stand in exponents of a sum, inside absolute values or with few values left: no product of facts resolves those."""
    found: dict[str, Polynomial] = {}
    try:
        listed = asked.requirements("log")
    except (Undecided, Unsupported, ZeroDivisionError):
        return []
    for r, _ in listed:
        for p in (r.num, *(f for f, _ in r.den)):
            for a in algebra.atoms(p):
                if a.kind == "exp":
                    found.update((w.key, w) for w in whole_guards(a, asked.here))
    return list(found.values())


def whole_guards(exponential: algebra.Atom, here: Context) -> list[Polynomial]:
    """The guards of one exponential."""
    inside = [w for w in inner_absolutes(algebra.of_monomial(((exponential, 1),))) if in_steps(w, here)]
    few = (few_values(n, here) for n in sorted(algebra.names_of(exponential)))
    return inside or [w for w in few if w is not None]


def nested_in(inside: list[Polynomial]) -> Polynomial | None:
    """The first of these that stands inside another of them."""
    return next((w for w in inside if any(v != w and w in inner_absolutes(v) for v in inside)), None)


def two_cases(guard: Polynomial, here: Context) -> tuple[str, ...]:
    """The cases of an absolute value: two, or three where whole numbers make the strict ones stronger."""
    return ("<", "=", ">") if is_whole(Ratio(guard), here) else (">=", "<=")


def leaf(before: Expression, after: Expression, level: Expression, form: str, here: Context, clock: Clock, upper: bool, light: bool) -> Closed | None:
    """A closed leaf in one form, or None."""
    lemmas: tuple[Lemma, ...] = ()
    proofs: list[Proof] = []
    for r, relation in requirements(before, after, level, form, here, upper):
        if here.ratio_signs(r) <= OF_RELATION[relation]:
            proofs.append(None)
            continue
        if form == "zero":
            return None
        answer = requirement(r, relation, here, clock, light)
        if answer is None and not light and (guard := cut(polynomial(r, here), here)) is not None:
            raise Wide(guard)
        if answer is None:
            return None
        more, proof = answer
        lemmas, here = (*lemmas, *more), extended(more, here)
        proofs.append(proof)
    return Closed(lemmas, form, () if all(p is None for p in proofs) else tuple(proofs))


def requirement(r: Ratio, relation: str, here: Context, clock: Clock, light: bool = False) -> tuple[tuple[Lemma, ...], Proof] | None:
    """Lemmas and a proof of r >= 0 (or > 0) here, or None."""
    p = polynomial(r, here)
    if not algebra.polynomial_names(p):
        return None
    draft = Draft(here)
    rest = triangles(p, draft)
    if relation == ">=" and draft.here.signs(rest) <= {0, 1}:
        if rest.terms:
            draft.terms.append((Fraction(1), (draft.take_sign(rest),)))
        return draft.lemmas, Products(tuple(draft.terms))
    covered = matched(rest, draft, clock) if relation == ">=" else None
    if covered is not None:
        return draft.lemmas, Products((*draft.terms, *covered.terms))
    if bent(rest):
        return None
    if (inner := nested_in(inner_absolutes(rest))) is not None:
        raise Undecided(inner)
    for w in inner_absolutes(rest):
        if curved(w) and sign_lemmas(w, here, clock):
            raise Undecided(w)
    if wanted := schema_names(rest):
        raise Wanted(rest) if wanted == algebra.polynomial_names(rest) else Unsupported("contributions and level are mixed with other names")
    rest = equated(rest, draft)
    proof = quick(rest, relation, draft, clock)
    if proof is None and (shown := exponential(rest, relation, draft, clock)) is not None:
        return shown
    if proof is None and (light or exppoly.decides(rest, here) or false_on_box(rest, here)):
        return None
    if proof is None and not Samples.of(here, algebra.polynomial_names(p)).may_hold(p):
        return None
    if proof is None and relation == ">=":
        proof = monotone(rest, draft, clock)
    if proof is None and relation == ">=":
        trial = draft.copy()
        if shown_on_box(rest, trial, clock):
            return trial.lemmas, Products(tuple(trial.terms))
        if not inside_a_box(rest, here) and by_squares(rest, trial, clock):
            return trial.lemmas, Products(tuple(trial.terms))
        if cut(rest, here) is not None:
            return None  # smaller boxes are the way on
        if factored(eliminated(rest, trial), trial, clock):
            return trial.lemmas, Products(tuple(trial.terms))
    proof = proof or thorough(rest, relation, draft, clock)
    return None if proof is None else (draft.lemmas, Products((*draft.terms, *proof.terms)))


def exponential(p: Polynomial, relation: str, draft: Draft, clock: Clock) -> tuple[tuple[Lemma, ...], Proof] | None:
    """What shows p >= 0 (or > 0) by the zeros of polynomials in one name and its exponential, p itself or all its coefficients, or None."""
    bounded(p, draft, clock)
    shown = exppoly.proof(p, relation, draft.here, clock)
    if shown is None:
        trial = draft.copy()
        found = relation == ">=" and by_coefficients(p, trial, clock)
        return (trial.lemmas, Products(tuple(trial.terms))) if found else None
    if not draft.terms:
        return draft.lemmas, shown
    number = draft.take(Lemma("proved", (tree(p),), relation, (shown,)))
    return draft.lemmas, Products((*draft.terms, (Fraction(1), (number,))))


def bent(p: Polynomial) -> bool:
    """Whether p is a sum of exponentials with an absolute value of unknown sign in an exponent: its cases are easier than p."""
    return len(p.terms) > 2 and any(a.kind == "exp" and inner_absolutes(algebra.of_monomial(a.payload[0])) for a in algebra.atoms(p))


def curved(w: Polynomial) -> bool:
    """Whether w has exponentials, logarithms or products of names: then products of facts may tell its sign."""
    return any(a.kind in ("exp", "log") and algebra.names_of(a) for a in algebra.atoms(w)) or any(sum(e for _, e in m) > 1 for m in w.terms)


def schema_names(p: Polynomial) -> frozenset[str]:
    """The names of contributions and level of a schema in p."""
    return frozenset(n for n in algebra.polynomial_names(p) if n.startswith("@c") or n == "@level")


def eliminated(p: Polynomial, draft: Draft) -> Polynomial:
    """What is left of p >= 0 after names that occur in one term c * name, c > 0, were replaced by a lower bound that a fact gives."""
    for m, c in list(p.terms.items()):
        if len(m) != 1 or m[0][1] != 1 or m[0][0].kind != "name" or c <= 0 or sum(m[0][0] in dict(n) for n in p.terms) > 1:
            continue
        for i, f in enumerate(draft.here.facts):
            k = f.polynomial.terms.get(m, Fraction(0))
            rest = f.polynomial - algebra.of_monomial(m, k)
            if k > 0 and rest.terms and m[0][0] not in algebra.atoms(rest) and algebra.atoms(rest) <= algebra.atoms(p):
                draft.terms.append((c / k, (i,)))
                p = p - f.polynomial.scale(c / k)
                break
    return p


def factored(p: Polynomial, draft: Draft, clock: Clock) -> bool:
    """Whether p >= 0 was shown by the signs of its factors, each proved for itself; the draft then holds it."""
    clock.check("factoring")
    found = product(p, draft, lambda f: signed_factor(f, draft, clock))
    if found is None or found[0] <= 0:
        return False
    draft.terms.append(found)
    return True


def signed_factor(f: Polynomial, draft: Draft, clock: Clock) -> bool:
    """Whether the draft could be given the sign of a factor: the one that it has at points where all facts hold, by longer and longer products."""
    points = Samples.of(draft.here, algebra.polynomial_names(f))
    fitting = [q for q in (f, -f) if points.may_hold(q)]
    for degrees in ((), (1,), (1, 2)):
        for q in fitting:
            trial = Draft(draft.here)
            proof = thorough(q, ">=", trial, clock, degrees) if degrees else quick(q, ">=", trial, clock)
            if proof is not None:
                for lemma in (*trial.lemmas, Lemma("proved", (tree(q),), ">=", (Products((*trial.terms, *proof.terms)),))):
                    draft.take(lemma)
                return True
    return False


def quick(p: Polynomial, relation: str, draft: Draft, clock: Clock) -> Products | None:
    """A proof from the facts that are there."""
    return find(p, relation, draft.here, clock, degrees=(1,))


def thorough(p: Polynomial, relation: str, draft: Draft, clock: Clock, degrees: tuple[int, ...] = DEGREES) -> Products | None:
    """A proof after facts about absolute values, exponentials, whole numbers and constants were added."""
    bounds(p, draft)
    floors(p, draft)
    exponentials(p, draft)
    if draft.here.integers:
        whole_numbers(draft)
    if any(a.kind == "floor" for a in algebra.atoms(p)):
        rounded(p, draft, clock)
    constants(p, draft)
    return find(p, relation, draft.here, clock, degrees)


def by_sign(guard: object, go: Go, here: Context, clock: Clock, depth: int) -> Evidence | None:
    """The proof continued with the sign of the guard: known by lemmas, or in cases; absolute values inside the guard are split first."""
    if not isinstance(guard, Polynomial):
        return None
    if (next_case := open_residue((Ratio(guard),), here)) is not None:
        return by_residue(*next_case, go, here, depth)
    inside = [w for w in inner_absolutes(guard) if len(here.signs(w)) > 1]
    if inside:
        return split(inside[0], go, here, depth, two_cases(inside[0], here)) if depth > 0 else None
    lemmas = sign_by_bounds(guard, here, clock) or sign_lemmas(guard, here, clock)
    try:
        larger = extended(lemmas, here)
    except Rejected:  # one of the lemmas fixed a name in those after it
        larger = here
    if lemmas and larger.signs(guard) < here.signs(guard):
        rest = go(larger, depth)
        return None if rest is None else prefixed(lemmas, rest)
    if depth > 0 and (found := exppoly.separating(guard, here, clock)) is not None:
        return split(found[0], go, here, depth, ("<", "=", ">") if found[1] else ("<=", ">="))
    return split(guard, go, here, depth, ("<", "=", ">")) if depth > 0 else None


def by_residue(lemmas: tuple[Lemma, ...], guard: Polynomial, go: Go, here: Context, depth: int) -> Evidence | None:
    """The proof in the cases of a residue, after lemmas that say between what it lies."""
    rest = split(guard, go, extended(lemmas, here), depth, ("<", "=", ">")) if depth > 0 else None
    return None if rest is None else prefixed(lemmas, rest)


def settled(guard: Polynomial, go: Go, here: Context, clock: Clock, depth: int) -> Evidence | None:
    """The proof with the sign of what stands inside an absolute value: by lemmas where exponentials may fix it, else in cases."""
    lemmas = sign_lemmas(guard, here, clock) if any(a.kind in ("exp", "log") for a in algebra.atoms(guard)) else ()
    if lemmas:
        rest = go(extended(lemmas, here), depth)
        return None if rest is None else prefixed(lemmas, rest)
    if (found := exppoly.separating(guard, here, clock)) is not None:
        return split(found[0], go, here, depth, ("<", "=", ">") if found[1] else ("<=", ">="))
    guard = first_value(guard, here)
    return split(guard, go, here, depth, two_cases(guard, here))


def split(guard: Polynomial, go: Go, here: Context, depth: int, relations: tuple[str, ...]) -> Evidence | None:
    """The proof in the cases of a guard, or None as soon as a case has none."""
    expression, done = tree(guard), []
    frame = CaseSplit((), expression, tuple((r, Closed()) for r in relations))
    try:
        listed = cases(frame, here)
    except Undecided:
        return None
    for (case, _), relation in zip(listed, relations, strict=True):
        lemmas, case = sharpened(guard, relation, case, here)
        rest = Closed((), "never", ()) if case.contradictory else go(case, depth - 1)
        if rest is None:
            return None
        done.append((relation, prefixed(lemmas, rest)))
    return CaseSplit((), expression, tuple(done))


def contradiction(here: Context, clock: Clock) -> Closed | None:
    """A leaf that shows that no state is in this case, or None."""
    draft = Draft(here)
    if here.integers:
        whole_numbers(draft)
    for f in here.facts:
        exponentials(f.polynomial, draft)
        constants(f.polynomial, draft)
    try:
        found = find(algebra.ZERO, ">", draft.here, clock, degrees=(1, 2) if len(draft.here.facts) < 16 else (1,))
    except Rejected:
        return None
    return None if found is None else Closed(draft.lemmas, "never", (found,))
