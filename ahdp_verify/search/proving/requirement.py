"""One requirement r >= 0 or r > 0 in one context: the lemmas and products that prove it, from what
is quick to what takes long.

Absolute values are taken out in pairs first, and sums of exponentials matched term by term.  What
is left is asked of the facts as they are (`quick`), of zeros and coefficients (`exponential`), of
monotonicity, boxes, squares and factors, and at last of longer products of more facts (`thorough`).
Where the sign of a part would help more, that part is raised as `Undecided`.

>>> from ahdp_verify.kernel.numbers.normal_form import assume, normal
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> from ahdp_verify.search.limits import Limits
>>> here = assume(parse("x - y <= d and y - x <= d"), Context.empty())
>>> lemmas, proof = requirement(normal(parse("d + abs(s - x) - abs(s - y)"), here), ">=", here, Limits().clock())
>>> [lemma.kind for lemma in lemmas]
['triangle', 'bound', 'sign']
"""

from __future__ import annotations

from fractions import Fraction

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import Lemma, Products, Proof
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.rules.inequalities import polynomial
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving import one_variable as exppoly
from ahdp_verify.search.proving.absolute_values import bounds, inner_absolutes, nested_in, triangles
from ahdp_verify.search.proving.bernstein import (
    by_squares,
    cut,
    false_on_box,
    inside_a_box,
    shown_on_box,
)
from ahdp_verify.search.proving.draft import Draft, tree
from ahdp_verify.search.proving.exponentials import constants, equated, exponentials
from ahdp_verify.search.proving.float_filter import Samples
from ahdp_verify.search.proving.integers import rounded, whole_numbers
from ahdp_verify.search.proving.monotone import monotone
from ahdp_verify.search.proving.normalisers import matched
from ahdp_verify.search.proving.products import DEGREES, find
from ahdp_verify.search.proving.residues import floors
from ahdp_verify.search.proving.signs import bounded, by_coefficients, product, sign_lemmas


class Wanted(Exception):
    """A schema is proved if `condition` >= 0 holds for the contributions and the level of every
    record.
    """

    def __init__(self, condition: Polynomial) -> None:
        self.condition = condition
        super().__init__(condition.key)


def requirement(
    r: Ratio, relation: str, here: Context, clock: Clock, light: bool = False
) -> tuple[tuple[Lemma, ...], Proof] | None:
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
        raise (
            Wanted(rest)
            if wanted == algebra.polynomial_names(rest)
            else Unsupported("contributions and level are mixed with other names")
        )
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


def quick(p: Polynomial, relation: str, draft: Draft, clock: Clock) -> Products | None:
    """A proof from the facts that are there."""
    return find(p, relation, draft.here, clock, degrees=(1,))


def thorough(
    p: Polynomial, relation: str, draft: Draft, clock: Clock, degrees: tuple[int, ...] = DEGREES
) -> Products | None:
    """A proof after facts about absolute values, exponentials, whole numbers and constants were
    added.
    """
    bounds(p, draft)
    floors(p, draft)
    exponentials(p, draft)
    if draft.here.integers:
        whole_numbers(draft)
    if any(a.kind == "floor" for a in algebra.atoms(p)):
        rounded(p, draft, clock)
    constants(p, draft)
    return find(p, relation, draft.here, clock, degrees)


def exponential(
    p: Polynomial, relation: str, draft: Draft, clock: Clock
) -> tuple[tuple[Lemma, ...], Proof] | None:
    """What shows p >= 0 (or > 0) by the zeros of polynomials in one name and its exponential, p
    itself or all its coefficients, or None.
    """
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
    """Whether p is a sum of exponentials with an absolute value of unknown sign in an exponent:
    its cases are easier than p.
    """
    return len(p.terms) > 2 and any(
        a.kind == "exp" and inner_absolutes(algebra.of_monomial(a.payload[0]))
        for a in algebra.atoms(p)
    )


def curved(w: Polynomial) -> bool:
    """Whether w has exponentials, logarithms or products of names: then products of facts may
    tell its sign.
    """
    return any(a.kind in ("exp", "log") and algebra.names_of(a) for a in algebra.atoms(w)) or any(
        sum(e for _, e in m) > 1 for m in w.terms
    )


def schema_names(p: Polynomial) -> frozenset[str]:
    """The names of contributions and level of a schema in p."""
    return frozenset(n for n in algebra.polynomial_names(p) if n.startswith("@c") or n == "@level")


def eliminated(p: Polynomial, draft: Draft) -> Polynomial:
    """What is left of p >= 0 after names that occur in one term c * name, c > 0, were replaced
    by a lower bound that a fact gives.
    """
    for m, c in list(p.terms.items()):
        if (
            len(m) != 1
            or m[0][1] != 1
            or m[0][0].kind != "name"
            or c <= 0
            or sum(m[0][0] in dict(n) for n in p.terms) > 1
        ):
            continue
        for i, f in enumerate(draft.here.facts):
            k = f.polynomial.terms.get(m, Fraction(0))
            rest = f.polynomial - algebra.of_monomial(m, k)
            if (
                k > 0
                and rest.terms
                and m[0][0] not in algebra.atoms(rest)
                and algebra.atoms(rest) <= algebra.atoms(p)
            ):
                draft.terms.append((c / k, (i,)))
                p = p - f.polynomial.scale(c / k)
                break
    return p


def factored(p: Polynomial, draft: Draft, clock: Clock) -> bool:
    """Whether p >= 0 was shown by the signs of its factors, each proved for itself; the draft
    then holds it.
    """
    clock.check("factoring")
    found = product(p, draft, lambda f: signed_factor(f, draft, clock))
    if found is None or found[0] <= 0:
        return False
    draft.terms.append(found)
    return True


def signed_factor(f: Polynomial, draft: Draft, clock: Clock) -> bool:
    """Whether the draft could be given the sign of a factor: the one that it has at points where
    all facts hold, by longer and longer products.
    """
    points = Samples.of(draft.here, algebra.polynomial_names(f))
    fitting = [q for q in (f, -f) if points.may_hold(q)]
    for degrees in ((), (1,), (1, 2)):
        for q in fitting:
            trial = Draft(draft.here)
            proof = (
                thorough(q, ">=", trial, clock, degrees)
                if degrees
                else quick(q, ">=", trial, clock)
            )
            if proof is not None:
                for lemma in (
                    *trial.lemmas,
                    Lemma("proved", (tree(q),), ">=", (Products((*trial.terms, *proof.terms)),)),
                ):
                    draft.take(lemma)
                return True
    return False
