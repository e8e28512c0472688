"""The rules by which facts prove an inequality: products, lemmas, and the three forms of the
defining inequality.

    here |- h_i >= 0 for all i        c_k > 0        r = sum over k of c_k * (product of some h_i)
    ------------------------------------------------------------------------------------------
                                       here |- r >= 0

h_i    the facts of the context and of lemmas, polynomials that are >= 0, > 0 or = 0
r      what has to be >= 0;  r > 0 if some c_k multiplies only strict facts
c_k    rational numbers, positive unless an equality is among the facts multiplied

Every function either returns (having accepted) or raises `Rejected`.  A requirement is a ratio that
has to be >= 0 (or > 0) in a context; its divisors have known signs there, so it is a requirement on
a polynomial.

Lemma kinds (each adds one fact):
    sign      p has this sign by the facts about its factors or terms, or, for a constant, by a ball
    proved    p has this sign by a proof
    exp       exp(t) >= 1 + t
    order     exp(b) >= exp(a) because b >= a, or > because b > a
    triangle  |u| + |u - v| >= |v|
    absolute  |w| >= w
    bound     u >= |w| because u >= w and u >= -w
    whole     p >= 1 because p > 0 takes integer values
    square    p^2 >= 0
    floor     r - floor(r) >= 0, or with the relation > floor(r) + 1 - r > 0
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence import certificate
from ahdp_verify.kernel.evidence.certificate import CaseSplit, Evidence, InequalityLeaf, Lemma
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.numbers import algebra, normal_form
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, constant, exp_of, log_of
from ahdp_verify.kernel.numbers.hypotheses import OF_RELATION, Context
from ahdp_verify.kernel.numbers.hypotheses import sign_polynomial as sign_polynomial
from ahdp_verify.kernel.numbers.normal_form import abs_of, floor_of, message_text, normal
from ahdp_verify.kernel.rules.accepting import rely_on
from ahdp_verify.kernel.terms.expression import Expression

STATES = {
    "sign": certificate.SIGN_RELATIONS,
    "proved": certificate.SIGN_RELATIONS,
    "order": (">=", ">"),
    "floor": (">=", ">"),
}  # relations that a lemma may have, if not >= alone
Requirement = tuple[Ratio, str]
ONE, NONE = (
    constant(1),
    constant(0),
)  # what most factors of a law have beside a power of e, or in it


def combination(products: certificate.Products, here: Context) -> tuple[Polynomial, bool]:
    """(the sum of products, whether it is > 0 and not only >= 0); Rejected for a negative
    coefficient or a fact that does not exist.
    """
    total, strict = algebra.ZERO, False
    for c, numbers in products.terms:
        facts = [here.facts[i] for i in numbers if 0 <= i < len(here.facts)]
        if len(facts) != len(numbers) or not isinstance(c, Fraction):
            raise Rejected("a product refers to a fact that does not exist")
        if any(f.relation not in (">=", ">", "=") for f in facts):
            raise Rejected("a product uses a fact that is not an inequality")
        if c <= 0 and not any(f.relation == "=" for f in facts):
            raise Rejected("a product of inequalities has a coefficient that is not positive")
        piece = algebra.polynomial_of_monomial(algebra.UNIT, c)
        for f in facts:
            piece = piece * f.polynomial
        total = total + piece
        strict = strict or (c > 0 and all(f.relation == ">" for f in facts))
    return total, strict


def check_sign(r: Ratio, relation: str, proof: certificate.Proof, here: Context) -> None:
    """Nothing if r `relation` 0 here, by the proof or, without one, by signs; Rejected
    otherwise.
    """
    if proof is None:
        if not here.ratio_signs(r) <= OF_RELATION[relation]:
            raise Rejected(f"{message_text(r)} {relation} 0 does not follow from the known signs")
        return
    if isinstance(proof, certificate.ExpSign):
        from ahdp_verify.kernel.rules.exponential_sign import check_exp_sign

        rely_on("the exponential-sign rule")
        check_exp_sign(sign_polynomial(r, here), relation, proof, here)
        return
    if isinstance(proof, CaseSplit):
        check_evidence(r, relation, proof, here)
        return
    if isinstance(proof, certificate.BoxCover | certificate.Monotone):
        from ahdp_verify.kernel.rules.regions import check_region

        rely_on("the rules of regions")
        check_region(sign_polynomial(r, here), relation, proof, here, REGION_RULES)
        return
    total, strict = combination(proof, here)
    gap = sign_polynomial(r, here) - total
    if gap.terms:  # the facts may contain names whose values are known now
        gap = normal(normal_form.to_expression(Ratio(gap)), here).num
    if gap.terms or relation not in (">=", ">") or (relation == ">" and not strict):
        raise Rejected(f"the products do not add up to {message_text(r)}")


def check_sign_by(
    r: Ratio, relation: str, proofs: tuple[certificate.Proof, ...], here: Context
) -> None:
    """Nothing if r `relation` 0 here, by the one proof there is, or by signs; Rejected
    otherwise.
    """
    if len(proofs) > 1:
        raise Rejected("a sign takes one proof")
    check_sign(r, relation, proofs[0] if proofs else None, here)


def check_evidence(r: Ratio, relation: str, evidence: Evidence, here: Context) -> None:
    """Nothing if r `relation` 0 here, by cases and the one proof of each leaf; Rejected
    otherwise.
    """
    if not isinstance(evidence, CaseSplit | InequalityLeaf):
        raise Rejected("a sign is proved by cases and products")
    here = extend_context(evidence.lemmas, here)
    if isinstance(evidence, CaseSplit):
        for case, rest in split_cases(evidence, here):
            check_evidence(r, relation, rest, case)
    elif evidence.form == "never":
        check_contradiction(evidence.proofs, here)
    elif evidence.form != "direct":
        raise Rejected("a sign is proved in the direct form")
    else:
        check_sign_by(normal(normal_form.to_expression(r), here), relation, evidence.proofs, here)


def extend_context(lemmas: tuple[Lemma, ...], here: Context) -> Context:
    """The context with the fact of each lemma, in order."""
    for lemma in lemmas:
        if lemma.kind not in LEMMAS or lemma.relation not in STATES.get(lemma.kind, (">=",)):
            raise Rejected(f"there is no lemma {lemma.kind!r} with the relation {lemma.relation!r}")
        here = LEMMAS[lemma.kind](lemma, here)
    return here


REGION_RULES = (check_evidence, extend_context)


def _ratios(lemma: Lemma, here: Context, count: int) -> list[Ratio]:
    if len(lemma.arguments) != count:
        raise Rejected(f"the lemma {lemma.kind} takes {count} expressions")
    return [normal(a, here) for a in lemma.arguments]


def _sign(lemma: Lemma, here: Context) -> Context:
    (p,) = _ratios(lemma, here, 1)
    check_sign(p, lemma.relation, None, here)
    return here.given(sign_polynomial(p, here), lemma.relation)


def _proved(lemma: Lemma, here: Context) -> Context:
    (p,), (proof,) = _ratios(lemma, here, 1), lemma.proofs
    check_sign(p, lemma.relation, proof, here)
    return here.given(sign_polynomial(p, here), lemma.relation)


def _exp(lemma: Lemma, here: Context) -> Context:
    (t,) = _ratios(lemma, here, 1)
    return here.given(sign_polynomial(exp_of(t) - constant(1) - t, here), ">=")


def _order(lemma: Lemma, here: Context) -> Context:
    (a, b), (proof,) = _ratios(lemma, here, 2), lemma.proofs
    check_sign(b - a, lemma.relation, proof, here)
    return here.given(sign_polynomial(exp_of(b) - exp_of(a), here), lemma.relation)


def _triangle(lemma: Lemma, here: Context) -> Context:
    u, v = _ratios(lemma, here, 2)
    return here.given(
        sign_polynomial(abs_of(u, here) + abs_of(u - v, here) - abs_of(v, here), here), ">="
    )


def _absolute(lemma: Lemma, here: Context) -> Context:
    (w,) = _ratios(lemma, here, 1)
    return here.given(sign_polynomial(abs_of(w, here) - w, here), ">=")


def _bound(lemma: Lemma, here: Context) -> Context:
    (w, u), (above, below) = _ratios(lemma, here, 2), lemma.proofs
    check_sign(u - w, ">=", above, here)
    check_sign(u + w, ">=", below, here)
    return here.given(sign_polynomial(u - abs_of(w, here), here), ">=")


def _whole(lemma: Lemma, here: Context) -> Context:
    (p,) = _ratios(lemma, here, 1)
    check_sign(p, ">", None, here)
    if not normal_form.is_whole(p, here):
        raise Rejected(f"{message_text(p)} is not known to be an integer")
    return here.given(sign_polynomial(p - constant(1), here), ">=")


def _square(lemma: Lemma, here: Context) -> Context:
    (p,) = _ratios(lemma, here, 1)
    return here.given(sign_polynomial(p * p, here), ">=")


def _floor(lemma: Lemma, here: Context) -> Context:
    (r,) = _ratios(lemma, here, 1)
    gap = r - floor_of(r, here)
    strict = lemma.relation == ">"
    return here.given(sign_polynomial(constant(1) - gap if strict else gap, here), lemma.relation)


LEMMAS: dict[str, Callable[[Lemma, Context], Context]] = {
    "sign": _sign,
    "proved": _proved,
    "exp": _exp,
    "order": _order,
    "triangle": _triangle,
    "absolute": _absolute,
    "bound": _bound,
    "whole": _whole,
    "square": _square,
    "floor": _floor,
}


def split_cases(split: CaseSplit, here: Context) -> list[tuple[Context, Evidence]]:
    """The contexts of the cases of a split with their evidence; Rejected if the cases do not cover
    every sign of the guard.
    """
    guard = normal(split.guard, here)
    covered = {
        sign for relation, _ in split.cases for sign in OF_RELATION.get(relation, frozenset())
    }
    if covered != {-1, 0, 1} or any(relation == "!=" for relation, _ in split.cases):
        raise Rejected("the cases of a split do not cover all signs of the guard")
    return [
        (here.given(sign_polynomial(guard, here), relation), evidence)
        for relation, evidence in split.cases
    ]


def log_form(law: Expression, here: Context) -> tuple[Ratio, Ratio]:
    """(c, e) with law = c * exp(e) here; c = 0 where the law vanishes."""
    if law.head == "*":
        c, e = ONE, NONE
        for factor in law.args:
            d, f = log_form(factor, here)
            c, e = c if d is ONE else c * d, e if f is NONE else e + f
        return c, e
    if law.head == "exp":
        return ONE, normal(law.args[0], here)
    if law.head == "piecewise":
        return log_form(normal_form.branch_value(law, here), here)
    if law.head == "^" and normal(law.args[1], here).as_rational is None:
        base = normal_form.require_positive(normal(law.args[0], here), here)
        return ONE, normal(law.args[1], here) * log_of(base)
    return normal(law, here), NONE


def requirements(
    dominated: Dominated,
    dominating: Dominating,
    level: Expression,
    form: str,
    here: Context,
    upper: bool = True,
) -> list[Requirement]:
    """The requirements that together prove dominated <= exp(level) * dominating in a form; with
    `upper` false, those for >=.

    log     dominating = c exp(e), dominated = c' exp(e'), both >= 0 by the mass: then level + e -
            e' >= 0 and c >= c' suffice
    direct  exp(level) * dominating - dominated, the difference itself
    zero    the smaller side vanishes and the other is >= 0 by the mass
    """
    side = 1 if upper else -1
    if form == "log":
        (c, e), (d, f) = log_form(dominating, here), log_form(dominated, here)
        return [
            ((normal(level, here) + e - f).scale(side), ">="),
            ((c - d).scale(side), ">="),
        ]
    if form == "zero":
        small = normal(dominated if upper else dominating, here)
        return [(-small, ">=")]
    if form == "direct":
        return [
            (
                (
                    exp_of(normal(level, here)) * normal(dominating, here) - normal(dominated, here)
                ).scale(side),
                ">=",
            )
        ]
    raise Rejected(f"{form!r} is not a known form")


def check_leaf(
    leaf: InequalityLeaf,
    dominated: Dominated,
    dominating: Dominating,
    level: Expression,
    here: Context,
    upper: bool = True,
) -> None:
    """Nothing if the leaf proves dominated <= exp(level) * dominating here (>= with `upper`
    false); Rejected otherwise.
    """
    here = extend_context(leaf.lemmas, here)
    if leaf.form == "never":
        check_contradiction(leaf.proofs, here)
        return
    wanted = requirements(dominated, dominating, level, leaf.form, here, upper)
    proofs = leaf.proofs or (None,) * len(wanted)
    if len(proofs) != len(wanted):
        raise Rejected(f"the form {leaf.form} takes {len(wanted)} proofs")
    for (r, relation), proof in zip(wanted, proofs, strict=True):
        check_sign(r, relation, proof, here)


def check_contradiction(proofs: tuple[certificate.Proof, ...], here: Context) -> None:
    """Nothing if the facts contradict each other, by signs or because products prove 0 > 0;
    Rejected otherwise.
    """
    if not proofs or proofs[0] is None:
        if not here.contradictory:
            raise Rejected("the case is not shown to be empty")
        return
    check_sign(constant(0), ">", proofs[0], here)
