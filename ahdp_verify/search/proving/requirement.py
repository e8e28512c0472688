"""One requirement r >= 0 or r > 0 in one context: the lemmas and products that prove it, fast
tactics first.

Absolute values are first removed in pairs; the rest is given to the `TACTICS` in their order. Where
the sign of a part would help more, that part is raised as `Undecided`.

>>> from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> from ahdp_verify.search.limits import Limits
>>> here = assume_condition(parse("x - y <= d and y - x <= d"), Context.empty())
>>> lemmas, proof = prove_requirement(normal(parse("d + abs(s - x) - abs(s - y)"), here), ">=", here, Limits().clock())
>>> [lemma.kind for lemma in lemmas]
['triangle', 'bound', 'sign']
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import Lemma, Products, Proof
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.rules.inequalities import sign_polynomial
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving import one_variable as exppoly
from ahdp_verify.search.proving.absolute_values import (
    absolute_arguments,
    add_absolute_bounds,
    apply_triangle_inequality,
    apply_triangle_to_quotients,
    first_nested,
)
from ahdp_verify.search.proving.bernstein import (
    box_cut_guard,
    is_cut_box,
    is_false_on_box,
    prove_by_squares,
    prove_on_box,
)
from ahdp_verify.search.proving.draft import Draft, polynomial_tree
from ahdp_verify.search.proving.exponentials import (
    add_combined_exponents,
    add_constant_bounds,
    add_exponential_facts,
    substitute_fixed_names,
)
from ahdp_verify.search.proving.float_filter import SamplePoints
from ahdp_verify.search.proving.integers import add_integer_gaps, add_rounded_bounds
from ahdp_verify.search.proving.monotone import prove_by_bounds
from ahdp_verify.search.proving.normalisers import prove_by_matching
from ahdp_verify.search.proving.positivity import add_positivity
from ahdp_verify.search.proving.products import DEGREES, prove_by_products
from ahdp_verify.search.proving.regions import (
    is_curved,
    is_smooth,
    is_smooth_or_mixed,
    prove_on_region,
)
from ahdp_verify.search.proving.residues import add_floor_bounds
from ahdp_verify.search.proving.separate import (
    bound_absolute_value,
    open_bound,
    prove_on_named_box,
    prove_separately,
    put_at_end,
)
from ahdp_verify.search.proving.signs import (
    prove_by_coefficients,
    sign_lemmas,
    signed_factorisation,
)
from ahdp_verify.search.proving.squares import prove_by_completed_squares
from ahdp_verify.search.proving.tactics import Hopeless, Tactic, first_answer
from ahdp_verify.search.proving.tails import prove_with_tails

# absolute values of whole numbers that are split into cases rather than bounded; measured: two of
# them have nine cases, each of which takes a few ms
FEW_SPLITS = 2
MANY_FACTS = 30  # beyond which products of two take longer to find than slopes


class SchemaConditionNeeded(Exception):
    """A schema is proved if `condition` >= 0 holds for the contributions and the level of every
    record.
    """

    def __init__(self, condition: Polynomial) -> None:
        self.condition = condition
        super().__init__(condition.key)


Shown = tuple[tuple[Lemma, ...], Proof]  # lemmas, and the proof that comes after them


@dataclass(slots=True)
class Target:
    """What is to be shown: `whole` `relation` 0 here; `rest` is what is left of it once the draft
    is taken off, and `trial` a copy of the draft for tactics that may fail half-way.
    """

    whole: Polynomial
    relation: str
    here: Context
    clock: Clock
    light: bool
    draft: Draft
    trial: Draft
    rest: Polynomial

    @property
    def weak(self) -> bool:
        """Whether >= 0 is to be shown, and not > 0."""
        return self.relation == ">="

    def with_draft(self, proof: Products) -> Shown:
        """The draft, completed by a proof of the rest."""
        return self.draft.lemmas, Products((*self.draft.terms, *proof.terms))

    def prove_again(self, p: Polynomial, here: Context) -> Shown | None:
        """Lemmas and a proof of another requirement, p >= 0, in a larger context."""
        try:
            return prove_requirement(Ratio(p), ">=", here, self.clock, self.light)
        except (Undecided, Unsupported, Rejected):
            return None

    def tried(self) -> Shown:
        """The draft of the trial, which is all that is needed."""
        return self.trial.lemmas, Products(tuple(self.trial.terms))


def prove_requirement(
    r: Ratio, relation: str, here: Context, clock: Clock, light: bool = False
) -> Shown | None:
    """Lemmas and a proof of r >= 0 (or > 0) here, or None."""
    p = sign_polynomial(r, here)
    if not algebra.polynomial_names(p):
        return None
    if unit := constant_factor(p):
        return without_factor(p, unit, relation, clock, here=here, light=light)
    draft = Draft(here)
    rest = apply_triangle_to_quotients(apply_triangle_inequality(p, draft), draft)
    return first_answer(TACTICS, Target(p, relation, here, clock, light, draft, draft, rest))


def constant_factor(p: Polynomial) -> algebra.Monomial:
    """The roots, exponentials and powers of pi, all free of names, that are in every term of p."""
    _, m, _ = algebra.primitive_part(p)
    return algebra.Monomial(
        (a, e) for a, e in m.powers if a.kind in algebra.INVERTIBLE and not algebra.atom_names(a)
    )


def without_factor(
    p: Polynomial,
    unit: algebra.Monomial,
    relation: str,
    clock: Clock,
    *,
    here: Context,
    light: bool,
) -> Shown | None:
    """Lemmas and a proof for p = unit * q by those for q: zeros are found where all coefficients
    are rational.
    """
    scale, draft = algebra.polynomial_of_monomial(unit), Draft(here)
    c, inverse = algebra.monomial_of_powers({a: -e for a, e in unit.powers})
    q = p * algebra.polynomial_of_monomial(inverse, c)
    found = prove_requirement(Ratio(q), relation, here, clock, light)
    if found is None:
        return None
    for lemma in found[0]:
        draft.take(lemma)
    number = draft.take(Lemma("proved", (polynomial_tree(q),), relation, (found[1],)))
    terms = ((Fraction(1), (draft.take_sign(scale, ">"), number)),)
    return draft.lemmas, Products(terms)


def by_known_signs(target: Target) -> Shown | None:
    """The signs of the facts settle it."""
    draft, rest = target.draft, target.rest
    if not target.weak or not draft.here.signs(rest) <= {0, 1}:
        return None
    if rest.terms:
        draft.terms.append((Fraction(1), (draft.take_sign(rest),)))
    return draft.lemmas, Products(tuple(draft.terms))


def term_by_term(target: Target) -> Shown | None:
    """Two sums of exponentials are matched term by term."""
    covered = prove_by_matching(target.rest, target.draft, target.clock) if target.weak else None
    return None if covered is None else target.with_draft(covered)


def largest_absolute_value(target: Target) -> Shown | None:
    """What is left of an absolute value of bounded names is at most a bound of it."""
    if target.weak and bound_absolute_value(target.rest, target.draft, target.prove_again):
        return target.draft.lemmas, Products(tuple(target.draft.terms))
    if target.weak and (guard := open_bound(target.rest, target.here)) is not None:
        raise Undecided(guard)
    return None


def in_parts(target: Target) -> Shown | None:
    """It is a sum of parts in different names, each at least its least value."""
    target.trial = target.draft.copy()
    if target.weak and prove_separately(
        target.rest, target.trial, target.clock, target.prove_again
    ):
        return target.tried()
    return None


def on_named_box(target: Target) -> Shown | None:
    """Its Bernstein coefficients on a box of names are >= 0."""
    target.trial = target.draft.copy()
    if target.weak and prove_on_named_box(target.rest, target.trial):
        return target.tried()
    return None


def at_an_end(target: Target) -> Shown | None:
    """It is linear in a name, and is shown at the end where it is least."""
    target.trial = target.draft.copy()
    if (
        target.weak
        and not target.light
        and put_at_end(target.rest, target.trial, target.prove_again)
    ):
        return target.tried()
    return None


def missing_signs(target: Target) -> Shown | None:
    """The arguments of absolute values are split into cases first."""
    rest = target.rest
    if has_open_absolute_exponent(rest):
        raise Hopeless
    if (inner := first_nested(absolute_arguments(rest))) is not None:
        raise Undecided(inner)
    for w in absolute_arguments(rest):
        if is_nonlinear(w) and sign_lemmas(w, target.here, target.clock):
            raise Undecided(w)
    return None


def as_schema(target: Target) -> Shown | None:
    """A requirement in contributions and the level becomes a condition of the schema."""
    if wanted := schema_names(target.rest):
        raise (
            SchemaConditionNeeded(target.rest)
            if wanted == algebra.polynomial_names(target.rest)
            else Unsupported("contributions and level occur together with other names")
        )
    return None


def from_facts(target: Target) -> Shown | None:
    """Facts as they are add up to it, equal exponentials put together."""
    target.rest = substitute_fixed_names(target.rest, target.draft)
    proof = prove_quickly(target.rest, target.relation, target.draft, target.clock)
    return None if proof is None else target.with_draft(proof)


def by_zeros(target: Target) -> Shown | None:
    """It, or all its coefficients, have no zero in one name and its exponential."""
    return prove_by_zeros(target.rest, target.relation, target.draft, target.clock)


def sieve(target: Target) -> Shown | None:
    """A requirement that is false, decided already, or a quick sign query goes no further."""
    rest, here = target.rest, target.here
    if target.light or exppoly.is_decidable(rest, here) or is_false_on_box(rest, here):
        raise Hopeless
    if not SamplePoints.of(here, algebra.polynomial_names(target.whole)).may_hold(target.whole):
        raise Hopeless
    return None


def by_completed_squares(target: Target) -> Shown | None:
    """It is a sum of squares of linear forms, and of what these leave."""
    trial = target.draft.copy()
    if target.weak and prove_by_completed_squares(target.rest, trial, target.clock):
        return trial.lemmas, Products(tuple(trial.terms))
    return None


def with_tails(target: Target) -> Shown | None:
    """It is positive by balls between two cuts, and by its dominant term beyond them."""
    if absolute_arguments(target.whole):
        return None
    found = prove_with_tails(target.whole, target.relation, target.here, target.clock)
    return None if found is None else ((), found)


def by_slopes(target: Target) -> Shown | None:
    """It is positive on a box by balls, or grows from the bound of a name on, where it has a
    function that no product of facts handles.
    """
    return on_region(target) if is_smooth(target.whole) else None


def by_combined_exponents(target: Target) -> Shown | None:
    """Products of two facts add up to it, with few facts about exponentials: those of exponents as
    they stand in its terms.
    """
    if not target.weak or not is_smooth_or_mixed(target.whole):
        return None
    trial = target.draft.copy()
    add_combined_exponents(target.rest, trial)
    proof = prove_by_products(target.rest, target.relation, trial.here, target.clock, (2,))
    return None if proof is None else (trial.lemmas, Products((*trial.terms, *proof.terms)))


def by_mixed_slopes(target: Target) -> Shown | None:
    """The same, where names stand beside exponentials and there are many facts to multiply."""
    if not is_smooth_or_mixed(target.whole):
        return None
    trial = target.draft.copy()
    add_facts(target.rest, trial, target.clock)
    return on_region(target) if len(trial.here.facts) > MANY_FACTS else None


def on_region(target: Target) -> Shown | None:
    """The same, of any requirement."""
    if absolute_arguments(target.whole):
        return None
    return prove_on_region(target.whole, target.relation, target.here, target.clock)


def by_slopes_at_last(target: Target) -> Shown | None:
    """The same, where that was not tried yet."""
    return None if is_smooth(target.whole) else on_region(target)


def whole_arguments(target: Target) -> Shown | None:
    """The sign of a whole number in an absolute value is left to the caller to split."""
    whole = [
        w
        for w in absolute_arguments(target.rest)
        if algebra.polynomial_names(w) <= target.here.integers
    ]
    if 0 < len(whole) <= FEW_SPLITS:
        raise Hopeless
    return None


def by_monotonicity(target: Target) -> Shown | None:
    """It grows in a name, down to where it is shown."""
    proof = prove_by_bounds(target.rest, target.draft, target.clock) if target.weak else None
    return None if proof is None else target.with_draft(proof)


def on_box(target: Target) -> Shown | None:
    """Its Bernstein coefficients on the box of its names are >= 0."""
    target.trial = target.draft.copy()
    if target.weak and prove_on_box(target.rest, target.trial, target.clock):
        return target.tried()
    return None


def as_squares(target: Target) -> Shown | None:
    """It is a sum of squares, where no box bounds its names."""
    if (
        target.weak
        and not is_cut_box(target.rest, target.here)
        and prove_by_squares(target.rest, target.trial, target.clock)
    ):
        return target.tried()
    return None


def smaller_boxes(target: Target) -> Shown | None:
    """A box that can be cut is left to the caller to cut; that shows little of what is curved."""
    if target.weak and box_cut_guard(target.rest, target.here) is not None:
        if is_curved(target.rest) and (found := on_region(target)) is not None:
            return found
        raise Hopeless
    return None


def by_factors(target: Target) -> Shown | None:
    """Each of its factors has a sign."""
    if not target.weak:
        return None
    left = eliminate_names(target.rest, target.trial)
    return target.tried() if prove_by_factor_signs(left, target.trial, target.clock) else None


def by_products(target: Target) -> Shown | None:
    """Longer products of more facts add up to it."""
    proof = prove_thoroughly(target.rest, target.relation, target.draft, target.clock)
    return None if proof is None else target.with_draft(proof)


def prove_quickly(p: Polynomial, relation: str, draft: Draft, clock: Clock) -> Products | None:
    """A proof from the facts at hand."""
    return prove_by_products(p, relation, draft.here, clock, degrees=(1,))


def prove_thoroughly(
    p: Polynomial, relation: str, draft: Draft, clock: Clock, degrees: tuple[int, ...] = DEGREES
) -> Products | None:
    """A proof after facts about what stands in it were added."""
    add_facts(p, draft, clock)
    return prove_by_products(p, relation, draft.here, clock, degrees)


def add_facts(p: Polynomial, draft: Draft, clock: Clock) -> None:
    """Facts about the absolute values, exponentials, whole numbers and constants in p."""
    add_absolute_bounds(p, draft)
    add_floor_bounds(p, draft)
    add_exponential_facts(p, draft)
    if draft.here.integers:
        add_integer_gaps(draft)
    if any(a.kind == "floor" for a in algebra.polynomial_atoms(p)):
        add_rounded_bounds(p, draft, clock)
    add_constant_bounds(p, draft)


def prove_by_zeros(
    p: Polynomial, relation: str, draft: Draft, clock: Clock
) -> tuple[tuple[Lemma, ...], Proof] | None:
    """What shows p >= 0 (or > 0) by the zeros of polynomials in one name and its exponential, p
    itself or all its coefficients, or None.
    """
    add_positivity(p, draft, clock)
    shown = exppoly.exp_sign_proof(p, relation, draft.here, clock)
    if shown is None:
        trial = draft.copy()
        found = relation == ">=" and prove_by_coefficients(p, trial, clock)
        return (trial.lemmas, Products(tuple(trial.terms))) if found else None
    if not draft.terms:
        return draft.lemmas, shown
    number = draft.take(Lemma("proved", (polynomial_tree(p),), relation, (shown,)))
    return draft.lemmas, Products((*draft.terms, (Fraction(1), (number,))))


def has_open_absolute_exponent(p: Polynomial) -> bool:
    """Whether p is a sum of exponentials with an absolute value of unknown sign in an exponent:
    its cases are easier than p.
    """
    return len(p.terms) > 2 and any(
        a.kind == "exp" and absolute_arguments(algebra.polynomial_of_monomial(a.payload[0]))
        for a in algebra.polynomial_atoms(p)
    )


def is_nonlinear(w: Polynomial) -> bool:
    """Whether w has exponentials, logarithms or products of names: then products of facts may
    tell its sign.
    """
    return any(
        a.kind in ("exp", "log") and algebra.atom_names(a) for a in algebra.polynomial_atoms(w)
    ) or any(sum(e for _, e in m.powers) > 1 for m in w.terms)


def schema_names(p: Polynomial) -> frozenset[str]:
    """The names of contributions and level of a schema in p."""
    return frozenset(n for n in algebra.polynomial_names(p) if n.startswith("@c") or n == "@level")


def eliminate_names(p: Polynomial, draft: Draft) -> Polynomial:
    """What is left of p >= 0 after names that occur in one term c * name, c > 0, were replaced
    by a lower bound that a fact gives.
    """
    for m, c in list(p.terms.items()):
        if (
            m.single is None
            or m.single.kind != "name"
            or c <= 0
            or sum(m.single in dict(n.powers) for n in p.terms) > 1
        ):
            continue
        for i, f in enumerate(draft.here.facts):
            k = f.polynomial.coefficient(m)
            rest = f.polynomial - algebra.polynomial_of_monomial(m, k)
            if (
                k > 0
                and rest.terms
                and m.single not in algebra.polynomial_atoms(rest)
                and algebra.polynomial_atoms(rest) <= algebra.polynomial_atoms(p)
            ):
                draft.terms.append((c / k, (i,)))
                p = p - f.polynomial.scale(c / k)
                break
    return p


def prove_by_factor_signs(p: Polynomial, draft: Draft, clock: Clock) -> bool:
    """Whether p >= 0 was shown by the signs of its factors, each proved for itself; the draft
    then holds it.
    """
    clock.check("factoring")
    found = signed_factorisation(p, draft, lambda f: add_factor_sign(f, draft, clock))
    if found is None or found[0] <= 0:
        return False
    draft.terms.append(found)
    return True


def add_factor_sign(f: Polynomial, draft: Draft, clock: Clock) -> bool:
    """Whether the draft could be given the sign of a factor: the one that it has at points where
    all facts hold, by longer and longer products.
    """
    points = SamplePoints.of(draft.before, algebra.polynomial_names(f))
    trials = {q: Draft(draft.here, draft.before) for q in (f, -f) if points.may_hold(q)}
    for with_facts, degree in ((False, 1), (True, 1), (True, 2)):
        for q, trial in trials.items():
            if with_facts and degree == 1:
                add_facts(q, trial, clock)
            proof = prove_by_products(q, ">=", trial.here, clock, (degree,), points)
            if proof is not None:
                shown = (Products((*trial.terms, *proof.terms)),)
                for lemma in (*trial.lemmas, Lemma("proved", (polynomial_tree(q),), ">=", shown)):
                    draft.take(lemma)
                return True
    return False


TACTICS: tuple[Tactic[Target, Shown], ...] = (
    Tactic("signs", by_known_signs, "it only reads the signs of the facts"),
    Tactic(
        "term by term",
        term_by_term,
        "sums of exponentials that match need no product of facts, and every later tactic makes "
        "them longer",
    ),
    Tactic(
        "absolute value",
        largest_absolute_value,
        "two requirements without it need no cases of the output",
    ),
    Tactic("missing signs", missing_signs, "cases of an absolute value are easier than the whole"),
    Tactic(
        "schema",
        as_schema,
        "contributions stand for many records, so no tactic can decide their sign",
    ),
    Tactic(
        "facts", from_facts, "a linear programme in single facts is small, and often sufficient"
    ),
    Tactic("box of names", on_named_box, "its coefficients are computed without a search"),
    Tactic("parts", in_parts, "a part in one name is decided, and no product of facts is needed"),
    Tactic("zeros", by_zeros, "it decides whatever depends on one name and its exponential only"),
    Tactic("end of a name", at_an_end, "one name less, and what is left is often decided at once"),
    Tactic("sieve", sieve, "the later tactics are slow, and wasted on a false requirement"),
    Tactic("tails", with_tails, "it fails fast where the requirement is 0 somewhere"),
    Tactic("slopes", by_slopes, "products of facts say nothing about most functions"),
    Tactic(
        "completed squares",
        by_completed_squares,
        "a square takes a name away at once, and nothing else shows what is 0 inside",
    ),
    Tactic(
        "whole arguments",
        whole_arguments,
        "its cases are a few whole numbers apart, and far simpler than products with it",
    ),
    Tactic("monotonicity", by_monotonicity, "it leaves a smaller requirement without a case split"),
    Tactic("box", on_box, "Bernstein coefficients on a box are computed without a search"),
    Tactic("squares", as_squares, "for names that the box does not bound"),
    Tactic("smaller boxes", smaller_boxes, "on a smaller box the coefficients are sharper"),
    Tactic(
        "combined exponents",
        by_combined_exponents,
        "exp(t) >= 1 + t for the whole exponent of a term is tight where t is 0, and few facts are "
        "tried in some ms",
    ),
    Tactic(
        "mixed",
        by_mixed_slopes,
        "names beside exponentials need long products; measured: noisy max of two answers takes a "
        "third of the time",
    ),
    Tactic("factors", by_factors, "a factor is simpler than the product, but factoring is slow"),
    Tactic("products", by_products, "the programme grows with every fact and every degree"),
    Tactic("regions", by_slopes_at_last, "products of facts are easier to read"),
)
