"""Inequalities between two laws: forms, lemmas, products, and case splits where a sign is missing.

Accepts every law whose logarithm, or whose difference, is piecewise polynomial in names and exponentials.  The answer is exact; what it
cannot do it leaves to the next procedure.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from ahdp_verify import algebra
from ahdp_verify.algebra import Polynomial, Ratio
from ahdp_verify.ball import enclose
from ahdp_verify.certificate import CaseSplit, Closed, Evidence, Lemma, Products, Proof
from ahdp_verify.context import OF_RELATION, Context
from ahdp_verify.decide.matching import matched, normalised
from ahdp_verify.decide.monotone import monotone, sign_by_bounds
from ahdp_verify.decide.products import find
from ahdp_verify.decide.rewrite import Draft, bounds, constants, exponentials, inner_absolutes, prefixed, sign_lemmas, tree, triangles, whole_numbers
from ahdp_verify.decide.samples import Samples
from ahdp_verify.errors import Rejected, Undecided, Unsupported
from ahdp_verify.expression import Expression
from ahdp_verify.integrate import is_whole
from ahdp_verify.limits import Clock
from ahdp_verify.proof import cases, extended, polynomial, requirements

DEPTH = 14  # most nested case splits
FORMS = ("zero", "log", "direct")
NORMALISED = ("zero", "direct")  # the log form cannot compare two normalisers
Go = Callable[[Context, int], Evidence | None]


class Wanted(Exception):
    """A schema is proved if `condition` >= 0 holds for the contributions and the level of every record."""

    def __init__(self, condition: Polynomial) -> None:
        self.condition = condition
        super().__init__(condition.key)


def prove(
    before: Expression, after: Expression, level: Expression, here: Context, clock: Clock, *, upper: bool = True, depth: int = DEPTH, light: bool = False
) -> Evidence | None:
    """Evidence for exp(level) before >= after here (<= with `upper` false), or None; `light` tries nothing that takes long."""
    clock.count(1, "splitting cases")
    if here.contradictory:
        return Closed((), "never", ())

    def again(case: Context, left: int) -> Evidence | None:
        return prove(before, after, level, case, clock, upper=upper, depth=left, light=light)

    guard, forms = None, NORMALISED if normalised(before, after, here) else FORMS
    if forms is NORMALISED and refuted_in_floats(before, after, level, here, upper):
        return None
    for form in forms:
        try:
            inside = absolutes(before, after, level, form, here, upper)
            found = leaf(before, after, level, form, here, clock, upper, light)
        except Undecided as missing:
            return by_sign(missing.guard, again, here, clock, depth)
        except (Unsupported, ZeroDivisionError):
            continue
        if found is not None:
            return found
        guard = guard or min(inside, key=lambda p: (len(algebra.polynomial_names(p)), p.key), default=None)
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
    proof = quick(rest, relation, draft, clock)
    if proof is None and light:
        return None
    if proof is None and not Samples.of(here, algebra.polynomial_names(p)).may_hold(p):
        return None
    if proof is None and relation == ">=":
        proof = monotone(rest, draft, clock)
    if proof is None and relation == ">=":
        trial = draft.copy()
        if factored(eliminated(rest, trial), trial, clock):
            return trial.lemmas, Products(tuple(trial.terms))
    proof = proof or thorough(rest, relation, draft, clock)
    return None if proof is None else (draft.lemmas, Products((*draft.terms, *proof.terms)))


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
    """Whether p >= 0 was shown by a monomial factor >= 0 and a proof for the rest; the draft then holds it."""
    c, m, primitive = algebra.content(p)
    if not m or primitive == algebra.ONE or not draft.here.signs(algebra.of_monomial(m)) <= {0, 1}:
        return False
    core = primitive if c > 0 else -primitive
    trial = Draft(draft.here)
    proof = quick(core, ">=", trial, clock) or thorough(core, ">=", trial, clock)
    if proof is None:
        return False
    for lemma in (*trial.lemmas, Lemma("proved", (tree(core),), ">=", (proof,))):
        draft.take(lemma)
    draft.terms.append((Fraction(1), (draft.take_sign(p),)))
    return True


def quick(p: Polynomial, relation: str, draft: Draft, clock: Clock) -> Products | None:
    """A proof from the facts that are there."""
    return find(p, relation, draft.here, clock, degrees=(1,))


def thorough(p: Polynomial, relation: str, draft: Draft, clock: Clock) -> Products | None:
    """A proof after facts about absolute values, exponentials, whole numbers and constants were added."""
    bounds(p, draft)
    exponentials(p, draft)
    if draft.here.integers:
        whole_numbers(draft)
    constants(p, draft)
    return find(p, relation, draft.here, clock)


def by_sign(guard: object, go: Go, here: Context, clock: Clock, depth: int) -> Evidence | None:
    """The proof continued with the sign of the guard: known by lemmas, or in cases; absolute values inside the guard are split first."""
    if not isinstance(guard, Polynomial):
        return None
    inside = [w for w in inner_absolutes(guard) if len(here.signs(w)) > 1]
    if inside:
        return split(inside[0], go, here, depth, two_cases(inside[0], here)) if depth > 0 else None
    lemmas = sign_by_bounds(guard, here, clock) or sign_lemmas(guard, here, clock)
    if lemmas:
        rest = go(extended(lemmas, here), depth)
        return None if rest is None else prefixed(lemmas, rest)
    return split(guard, go, here, depth, ("<", "=", ">")) if depth > 0 else None


def settled(guard: Polynomial, go: Go, here: Context, clock: Clock, depth: int) -> Evidence | None:
    """The proof with the sign of what stands inside an absolute value: by lemmas where exponentials may fix it, else in cases."""
    lemmas = sign_lemmas(guard, here, clock) if any(a.kind in ("exp", "log") for a in algebra.atoms(guard)) else ()
    if lemmas:
        rest = go(extended(lemmas, here), depth)
        return None if rest is None else prefixed(lemmas, rest)
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
        lemmas, case = sharpened(guard, relation, case)
        rest = Closed((), "never", ()) if case.contradictory else go(case, depth - 1)
        if rest is None:
            return None
        done.append((relation, prefixed(lemmas, rest)))
    return CaseSplit((), expression, tuple(done))


def sharpened(guard: Polynomial, relation: str, case: Context) -> tuple[tuple[Lemma, ...], Context]:
    """The lemma that a whole number above (below) 0 is at least 1 (at most -1), and the case with it; n = c for irrational c is such a case too."""
    if relation == "=":
        guard = above_floor(guard, case)
    if relation not in ("<", "=", ">") or case.contradictory or not guard.terms or not is_whole(Ratio(guard), case):
        return (), case
    lemmas = (Lemma("whole", (tree(-guard if relation == "<" else guard),)),)
    try:
        return lemmas, extended(lemmas, case)
    except Rejected:
        return (), case


def above_floor(guard: Polynomial, here: Context) -> Polynomial:
    """n - k for a guard c * (n - v) with a whole-number name n and an irrational constant v between k and k + 1; zero for another guard."""
    named = [m for m in guard.terms if len(m) == 1 and m[0][0].kind == "name" and m[0][0].payload in here.integers and m[0][1] == 1]
    if len(named) != 1:
        return algebra.ZERO
    n = algebra.of_monomial(named[0])
    value = (n - guard.scale(1 / guard.terms[named[0]]))
    if value.as_rational is not None or algebra.polynomial_names(value):
        return algebra.ZERO
    return n - algebra.of_monomial((), Fraction(math.floor(enclose(Ratio(value))[0])))


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
