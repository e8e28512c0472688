"""The lines of evidence: lemmas, cases, and what a leaf requires, each with its reason.

What a certificate does not contain is computed again by the checker's own functions: the fact of a
lemma, the requirements of a form, the sign of a factor.

>>> from ahdp_verify.kernel.numbers.algebra import symbol
>>> from ahdp_verify.explanation.numbered_lines import LineWriter
>>> e = symbol("e")
>>> here, teller = Context.empty().given(e.num, ">="), Teller(LineWriter())
>>> known = teller.introduced(here, lambda i, fact: "known")
>>> said = explain_requirement(e.scale(Fraction(2)), ">=", Products(((Fraction(2), (0,)),)), here, known, teller)
>>> teller.lines.done[-1].text, teller.lines.done[-1].reason
('2*e >= 0', 'it equals 2*(1)')
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from ahdp_verify.explanation.numbered_lines import LinePiece, comparison_piece
from ahdp_verify.explanation.teller import (
    Facts,
    Teller,
    explain_identity,
    number_list,
    products_text,
    sufficient_facts,
)
from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import (
    BoxCover,
    CaseSplit,
    Evidence,
    ExpSign,
    InequalityLeaf,
    Lemma,
    Monotone,
    Products,
    Proof,
)
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Ratio, constant
from ahdp_verify.kernel.numbers.derivative import ratio_derivative
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.exponential_sign import (
    VariableInterval,
    coefficients_value,
    exponential_image,
    exponential_polynomial,
    exponential_terms,
    fact_end,
    fact_interval,
    factor_polynomial,
    piece_signs,
    sturm_sign,
    terms_value,
)
from ahdp_verify.kernel.rules.inequalities import (
    check_contradiction,
    check_leaf,
    check_sign,
    combination,
    extend_context,
    requirements,
    sign_polynomial,
    split_cases,
)
from ahdp_verify.kernel.rules.regions import approach_to
from ahdp_verify.kernel.terms.expression import ZERO, Expression, add, exp, multiply, name, number

MOVING = {1: "upwards", -1: "downwards"}
ExplainLeaf = Callable[[Evidence, Context, Facts], None]
PLAIN = {
    "exp": "exp(t) >= 1 + t",
    "triangle": "triangle inequality",
    "absolute": "|w| >= w",
    "square": "squares are not negative",
    "whole": "a whole number above 0 is at least 1",
    "floor": "a number is at least its floor, and less than 1 above it",
    "order": "exp is increasing",
    "bound": "|w| is at most what is at least w and -w",
}
BRIEF = 30  # most characters of an expression inside a reason
CASES = 2  # down to which depth a case is a part of its own


def explain_evidence(
    found: Evidence, here: Context, known: Facts, teller: Teller, leaf: ExplainLeaf
) -> None:
    """The lines of evidence: lemmas and cases, then the leaf."""
    if isinstance(found, CaseSplit):
        here, known = explain_lemmas(found.lemmas, here, known, teller)
        for i, (case, rest) in enumerate(split_cases(found, here), 1):
            fact, outermost = case.facts[-1], teller.lines.depth <= CASES
            stands = teller.lines.add(
                f"case {i} of {len(found.cases)}",
                "Suppose ",
                teller.fact(fact.polynomial, fact.relation),
                ".",
                head=outermost,
            )
            with teller.lines.inside():
                explain_evidence(rest, case, {**known, len(case.facts) - 1: stands}, teller, leaf)
    elif isinstance(found, InequalityLeaf) and found.form == "never":
        found = leaf_without_spare_lemmas(
            found,
            lambda less: check_contradiction(less.proofs, extend_context(less.lemmas, here)),
            len(here.facts),
        )
        here, known = explain_lemmas(found.lemmas, here, known, teller)
        explain_impossible_case(found.proofs, here, known, teller)
    else:
        leaf(found, here, known)


def explain_impossible_case(
    proofs: tuple[Proof, ...], here: Context, known: Facts, teller: Teller
) -> None:
    """The line on a case that does not occur."""
    text, proof = "this case does not occur", proofs[0] if proofs else None
    if isinstance(proof, Products):
        teller.tell(f"0 = {products_text(proof, known)}, which is > 0", text)
        return
    about = {n for p, signs in here.known.items() if not signs for n in algebra.polynomial_names(p)}
    used = sufficient_facts(lambda context: context.contradictory, here, about)
    teller.tell(
        f"{number_list([known[i] for i in used])} contradict each other"
        if used
        else "the facts contradict each other",
        text,
    )


def explain_lemmas(
    given: tuple[Lemma, ...], here: Context, known: Facts, teller: Teller
) -> tuple[Context, Facts]:
    """The context with the fact of each lemma, and the line in which each appears."""
    known = dict(known)
    for lemma in given:
        larger = extend_context((lemma,), here)
        known[len(here.facts)] = explain_lemma(lemma, here, larger, known, teller)
        here = larger
    return here, known


def explain_lemma(
    lemma: Lemma, here: Context, larger: Context, known: Facts, teller: Teller
) -> str:
    """The line of one lemma, and below it what its condition rests on."""
    fact, args = larger.facts[-1], [normal(a, here) for a in lemma.arguments]
    line = teller.fact(fact.polynomial, fact.relation)
    if lemma.kind == "sign" or (lemma.kind == "proved" and lemma.proofs[0] is None):
        return teller.tell(teller.sure(args[0], lemma.relation, here, known), line)
    if lemma.kind == "proved" and isinstance(lemma.proofs[0], Products):
        return teller.tell(explain_identity(args[0], lemma.proofs[0], here, known, teller), line)
    if lemma.kind == "proved":
        return explain_requirement(args[0], lemma.relation, lemma.proofs[0], here, known, teller)
    stands = teller.tell(lemma_reason(lemma, args, teller), line)
    conditions = {
        "order": lambda: [(args[1] - args[0], lemma.relation)],
        "bound": lambda: [(args[1] - args[0], ">="), (args[1] + args[0], ">=")],
        "whole": lambda: [(args[0], ">")],
    }
    with teller.lines.inside():
        for (r, relation), proof in zip(
            conditions.get(lemma.kind, list)(), lemma.proofs or (None,), strict=False
        ):
            explain_requirement(r, relation, proof, here, known, teller, "since ")
    return stands


def lemma_reason(lemma: Lemma, args: list[Ratio], teller: Teller) -> str:
    """The reason of a lemma, with its arguments if they are short."""
    plain = PLAIN[lemma.kind]
    shown = [str(teller.ratio(a)) for a in args]
    if lemma.kind == "exp" and len(shown[0]) <= BRIEF:
        plain += f" for t = {shown[0]}"
    if lemma.kind == "triangle" and max(map(len, shown)) <= BRIEF:
        plain += f" |u| + |u - v| >= |v| for u = {shown[0]}, v = {shown[1]}"
    return plain + (", multiplied out" if any(a.den for a in args) else "")


def explain_requirement(
    r: Ratio,
    relation: str,
    proof: Proof,
    here: Context,
    known: Facts,
    teller: Teller,
    *lead: LinePiece,
) -> str:
    """The line of one requirement r `relation` 0, with what proves it."""
    if r.is_zero and proof is None:
        return teller.tell("equal when simplified", *lead, comparison_piece(ZERO, relation, ZERO))
    if proof is None:
        sure = teller.sure(r, relation, here, known)
        return teller.tell(sure, *lead, teller.compare(r, relation))
    if isinstance(proof, ExpSign):
        return explain_factor_signs(r, relation, proof, here, known, teller, *lead)
    if isinstance(proof, Monotone):
        return explain_growth(r, relation, proof, here, teller, *lead)
    if isinstance(proof, CaseSplit):
        check_sign(r, relation, proof, here)
        why = f"in the cases of {teller.show(proof.guard)}"
    elif isinstance(proof, BoxCover):
        check_sign(r, relation, proof, here)
        why = f"by enclosures on at most {proof.pieces} pieces of the box of the names"
    else:
        combination(proof, here)
        why = explain_identity(r, proof, here, known, teller)
    return teller.tell(why, *lead, teller.compare(r, relation))


def explain_growth(
    r: Ratio, relation: str, proof: Monotone, here: Context, teller: Teller, *lead: LinePiece
) -> str:
    """The line of a requirement that grows from the bound of a name on, and below it what holds at
    the bound and of the slope.
    """
    check_sign(r, relation, proof, here)
    p, to = sign_polynomial(r, here), approach_to(proof.name, proof.side, proof.fact, here)
    factor = normal(proof.factor, extend_context(proof.lemmas, to.way))
    end = "-oo" if proof.side > 0 else "oo"
    end = end if to.end is None else str(teller.ratio(to.end))
    strict = relation == ">" and proof.strict
    times = "it" if factor.as_rational == 1 else f"{teller.ratio(factor)} times it"
    said = f"{times} grows from {teller.show(name(proof.name))} = {end} {MOVING[proof.side]}"
    stands = teller.tell(said, *lead, teller.compare(r, relation))
    least, weighted = to.least(factor * Ratio(p), p), factor * Ratio(p)
    slope = ratio_derivative(weighted, proof.name).scale(proof.side)
    with teller.lines.inside():
        low, steep = (">=", ">") if strict else (relation, ">=")
        teller.tell("shown there", f"at {end}: ", teller.compare(least, low))
        teller.tell("shown on the way from there", "slope: ", teller.compare(slope, steep))
    return stands


def explain_factor_signs(
    r: Ratio,
    relation: str,
    proof: Proof,
    here: Context,
    known: Facts,
    teller: Teller,
    *lead: LinePiece,
) -> str:
    """The line of a requirement about one name and its exponential, and below it the sign of
    each factor.
    """
    p = sign_polynomial(r, here)
    (variable,) = algebra.polynomial_names(p)
    if not isinstance(proof, ExpSign):
        raise Rejected("a proof is products or an exp sign")
    if here.facts[proof.low].relation == "=":
        v = fact_end(here.facts[proof.low], variable)[0]
        stands = teller.tell(
            f"at the one value of {teller.show(name(variable))}, {teller.ratio(v)}, from "
            f"({known[proof.low]})",
            *lead,
            teller.compare(r, relation),
        )
        with teller.lines.inside():
            teller.tell(
                "substituted",
                "there it is ",
                teller.ratio(terms_value(exponential_terms(p, variable), v)),
            )
        return stands
    where = fact_interval(proof.low, proof.high, variable, here)
    ends = number_list([known[i] for i in (proof.low, proof.high) if i is not None])
    stands = teller.tell(
        f"by the signs of its factors for {interval_text(where, variable, teller)}, from {ends}",
        *lead,
        teller.compare(r, relation),
    )
    with teller.lines.inside():
        split = [
            multiply_power(teller.ratio(Ratio(factor_polynomial(f, here))), k)
            for f, k, _ in proof.factors
        ]
        if len(proof.factors) > 1 or proof.factors[0][1] > 1:
            reason = "multiplied out" + (
                "; the sign is that of the numerator, as its divisors have known signs"
                if r.den
                else ""
            )
            teller.tell(reason, comparison_piece(teller.ratio(Ratio(p)), "=", multiply(*split)))
        for f, k, points in proof.factors:
            if k % 2 or relation == ">":
                explain_factor_sign(factor_polynomial(f, here), points, where, variable, teller)
            else:
                teller.tell(
                    "an even power",
                    comparison_piece(
                        multiply_power(teller.ratio(Ratio(factor_polynomial(f, here))), k),
                        ">=",
                        ZERO,
                    ),
                )
    return stands


def multiply_power(e: Expression, k: int) -> Expression:
    """e ^ k."""
    return e if k == 1 else Expression("^", (e, number(k)))


def interval_text(where: VariableInterval, variable: str, teller: Teller) -> str:
    """low <= e < high."""
    low = f"{teller.ratio(where.low)} {'<=' if where.low_included else '<'} "
    high = (
        ""
        if where.high is None
        else f" {'<=' if where.high_included else '<'} {teller.ratio(where.high)}"
    )
    return f"{low}{teller.show(name(variable))}{high}"


def explain_factor_sign(
    f: algebra.Polynomial,
    points: tuple[Fraction, ...],
    where: VariableInterval,
    variable: str,
    teller: Teller,
) -> None:
    """The line of a factor that has one sign inside the interval, with the reason."""
    table = exponential_terms(f, variable)
    sign = (piece_signs(table, points, where) if points else sturm_sign(table, where))[0]
    line = teller.fact(f, ">" if sign > 0 else "<")
    e = teller.show(name(variable))
    if points:
        tail = (
            f", and beyond {points[-1]} its leading term outweighs all others"
            if where.high is None
            else ""
        )
        cut = (
            f"an enclosure of it excludes 0 on each of the pieces cut at {e} = "
            f"{', '.join(map(str, points))}"
        )
        teller.tell(
            f"{cut}; next to an end of the range its first derivative that is not 0 there has one "
            f"sign{tail}",
            line,
        )
        return
    g, coefficients = exponential_polynomial(table)
    if len(coefficients) == 1:
        teller.tell("exp is positive", line)
        return
    ends = f"{0 if where.high is None else exponential_at(where.high, g)} and {exponential_at(where.low, g)}"
    shown = add(
        *(
            multiply(number(c), multiply_power(name("R"), k)) if k else number(c)
            for k, c in reversed(list(enumerate(coefficients)))
            if c
        )
    )
    if len(coefficients) == 2:
        root = -coefficients[0] / coefficients[1]
        why = f"its only root in R is {root}"
    else:
        why = "Sturm's theorem counts no root of it there"
    side = "positive" if coefficients_value(coefficients, sturm_point(where, g)) > 0 else "negative"
    teller.tell(
        f"up to a positive exponential it is {shown} with R = {exp(multiply(number(-g), e))} "
        f"between {ends}; {why}, and it is {side} in the middle",
        line,
    )


def exponential_at(v: Ratio, g: Fraction) -> Expression:
    """exp(-g v)."""
    return to_expression(algebra.exp_of(v.scale(-g)))


def sturm_point(where: VariableInterval, g: Fraction) -> Fraction:
    """A point between the images of the ends, the one at which the sign is taken."""
    b = exponential_image(where.low, g)[1]
    return ((Fraction(0) if where.high is None else exponential_image(where.high, g)[0]) + b) / 2


def explain_closed_leaf(
    leaf: Evidence,
    dominated: Dominated,
    dominating: Dominating,
    level: Expression,
    here: Context,
    known: Facts,
    teller: Teller,
    *,
    upper: bool = True,
) -> None:
    """The lines of a closed leaf: its lemmas, and each thing that its form requires."""
    if not isinstance(leaf, InequalityLeaf):
        raise Rejected("an inequality needs products")
    leaf = leaf_without_spare_lemmas(
        leaf,
        lambda less: check_leaf(less, dominated, dominating, level, here, upper),
        len(here.facts),
    )
    here, known = explain_lemmas(leaf.lemmas, here, known, teller)
    if leaf.form == "never":
        explain_impossible_case(leaf.proofs, here, known, teller)
        return
    wanted = requirements(dominated, dominating, level, leaf.form, here, upper)
    proofs = leaf.proofs or (None,) * len(wanted)
    zero = [r.is_zero for r, _ in wanted]
    for i, ((r, relation), proof) in enumerate(zip(wanted, proofs, strict=True)):
        if (i and zero[1]) or (not i and zero == [True, False]):
            # exponentials, or factors in front of them, that are equal on both sides need no line
            continue
        explain_requirement(
            r, relation, proof, here, known, teller, ALONE if i and zero[0] else FORMS[leaf.form][i]
        )


FORMS = {
    "log": ("in logarithms, ", "and for the factors in front of the exponentials, "),
    "zero": ("the smaller side is 0: ",),
    "direct": ("right side minus left side: ",),
}
ALONE = "right side minus left side, without what is equal in both: "


def leaf_without_spare_lemmas(
    leaf: InequalityLeaf, accepted: Callable[[InequalityLeaf], None], given: int
) -> InequalityLeaf:
    """The leaf without lemmas that it does not need; what remains is still accepted."""
    spare = uncited_lemmas(leaf, given)
    shorter = leaf
    for i in reversed(spare):
        shorter = leaf_without_lemma(shorter, i, given)
    if spare and is_accepted(accepted, shorter):
        return shorter
    for i in reversed(spare[-LEMMAS_TRIED:]):
        less = leaf_without_lemma(leaf, i, given)
        if i in uncited_lemmas(leaf, given) and is_accepted(accepted, less):
            leaf = less
    return leaf


LEMMAS_TRIED = 30  # most lemmas that are dropped one by one if not all can be dropped together


def is_accepted(accepted: Callable[[InequalityLeaf], None], leaf: InequalityLeaf) -> bool:
    """Whether a leaf is accepted."""
    try:
        accepted(leaf)
    except (Rejected, Undecided, Unsupported, ZeroDivisionError):
        return False
    return True


def cited_facts(proof: Proof) -> set[int]:
    """The facts that a proof names."""
    if isinstance(proof, Products):
        return {n for _, facts in proof.terms for n in facts}
    if isinstance(proof, Monotone):
        return set() if proof.fact is None else {proof.fact}
    return (
        {n for n in (proof.low, proof.high) if n is not None}
        if isinstance(proof, ExpSign)
        else set()
    )


def uncited_lemmas(leaf: InequalityLeaf, given: int) -> list[int]:
    """The lemmas whose facts are not cited by any proof that is needed."""
    used = {n for proof in leaf.proofs for n in cited_facts(proof)}
    spare = []
    for i in reversed(range(len(leaf.lemmas))):
        if given + i in used:
            used |= {n for proof in leaf.lemmas[i].proofs for n in cited_facts(proof)}
        else:
            spare.append(i)
    return spare[::-1]


def leaf_without_lemma(leaf: InequalityLeaf, i: int, given: int) -> InequalityLeaf:
    """The leaf without lemma i, later facts renumbered; a proof that cites its fact becomes
    invalid, and is not accepted.
    """
    fact = given + i

    def down(n: int) -> int:
        return -1 if n == fact else n - (n > fact)

    def moved(proof: Proof) -> Proof:
        if isinstance(proof, Products):
            return Products(tuple((c, tuple(map(down, facts))) for c, facts in proof.terms))
        if isinstance(proof, Monotone):
            return replace(proof, fact=None if proof.fact is None else down(proof.fact))
        return (
            replace(
                proof, low=down(proof.low), high=None if proof.high is None else down(proof.high)
            )
            if isinstance(proof, ExpSign)
            else proof
        )

    kept = tuple(
        replace(lemma, proofs=tuple(map(moved, lemma.proofs)))
        for j, lemma in enumerate(leaf.lemmas)
        if j != i
    )
    return InequalityLeaf(kept, leaf.form, tuple(map(moved, leaf.proofs)))


def level_surplus(level: Expression, spent: list[Expression], here: Context, form: str) -> Ratio:
    """The quantity that is >= 0 exactly if the level covers the sum of the levels spent."""
    total = constant(0)
    for e in spent:
        total = total + normal(e, here)
    bound = normal(level, here)
    return bound - total if form == "log" else algebra.exp_of(bound) - algebra.exp_of(total)


def inequality_piece(dominated: Dominated, dominating: Dominating, level: Expression) -> LinePiece:
    """dominated <= exp(level) * dominating, as one formula."""
    return comparison_piece(
        dominated, "<=", dominating if level == ZERO else multiply(exp(level), dominating)
    )
