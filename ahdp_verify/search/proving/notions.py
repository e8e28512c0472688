"""Proofs of zCDP, Rényi DP and GDP: of one mechanism by its divergences, or by a rule from a level
or from another notion.

The tactics are tried in their order; the rules of `ahdp_verify.kernel.rules.notions` check what
they find.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isqrt

from ahdp_verify.kernel.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import (
    AnyCertificate,
    ByRule,
    Certificate,
    CoordinatesLeaf,
    Declined,
    Evidence,
    HockeyStickLeaf,
    InequalityLeaf,
    StatedPremise,
)
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AbstractMechanism, Composite, composite_context
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, constant
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context, open_factor
from ahdp_verify.kernel.numbers.normal_form import normal, refusal_text, to_expression
from ahdp_verify.kernel.rules import notions as rules
from ahdp_verify.kernel.rules.obligations import Obligation, obligations
from ahdp_verify.kernel.terms.expression import (
    ZERO,
    Expression,
    add,
    exp,
    multiply,
    names,
    negative,
    number,
    oo,
    reciprocal,
    sqrt,
    substitute,
    walk,
)
from ahdp_verify.search.limits import Clock, OutOfLimits
from ahdp_verify.search.proving.case_splits import DEPTH, split_by_sign
from ahdp_verify.search.proving.composition import WHERE, Derivation, is_written_out
from ahdp_verify.search.proving.inequality import prove_inequality
from ahdp_verify.search.proving.requirement import prove_requirement
from ahdp_verify.search.proving.total_mass import mass_certificate, ordered_breakpoints

FAILING = (Unsupported, Rejected, ZeroDivisionError, BadInput, ValueError)
WEAK, STRICT = ("<=", ">"), ("<", "=", ">")
FINE = Fraction(1, 10**15)  # how far below the exact one a rational level of a premise lies
Answer = AnyCertificate | Declined
LeafFound = Callable[[Context], Evidence | None]


def certify_notion(claim: NotionClaim, derivation: Derivation) -> Answer:
    """A certificate to be checked, or the reason why there is none."""
    reasons = []
    for tactic in TACTICS if claim.order is None else OF_ORDER:
        try:
            found = tactic(claim, derivation)
        except OutOfLimits as stop:
            return Declined(WHERE, stop.reason)
        except Undecided as missing:
            found = Declined(WHERE, refusal_text(missing))
        except FAILING:
            continue
        if isinstance(found, Declined):
            reasons.append(found.reason)
        elif found is not None:
            return found
    return Declined(WHERE, "; ".join(dict.fromkeys(reasons)) or f"no rule shows that {claim}")


# one mechanism, given by its density


def as_normal_densities(claim: NotionClaim, derivation: Derivation) -> Answer | None:
    """A proof where both laws of each move are normal densities of one variance."""

    def search(m: Mechanism, obligation: Obligation) -> LeafFound:
        laws = rules.pairs_of_laws(m, (obligation.dominated, obligation.dominating))

        def leaf(here: Context) -> Evidence | None:
            first, second = (rules.normal_density(law, m.outputs, m.atoms, here) for law in laws[0])
            gap, bound = rules.squared_distance(first, second), normal(obligation.level, here)
            if claim.notion == "gdp":
                spare = bound**2 - gap
            else:
                a, factor, here = rules.with_order(claim, here)
                spare = (bound * factor / a).scale(2) - gap
            return _shown(spare, here, derivation.clock)

        return leaf

    m = claim.mechanism
    if not isinstance(m, Mechanism) or any(o.kind != "real" for o in m.outputs):
        return None
    return _certificate(claim, derivation, search, with_mass=False)


def by_exact_divergence(claim: NotionClaim, derivation: Derivation) -> Answer | None:
    """A proof by the integral of p^a q^(1 - a)."""

    def search(m: Mechanism, obligation: Obligation) -> LeafFound:
        laws = rules.pairs_of_laws(m, (obligation.dominated, obligation.dominating))

        def leaf(here: Context) -> Evidence | None:
            a, factor, there = rules.with_order(claim, here)
            points = ordered_breakpoints(laws[0], m.outputs, here)
            listed = tuple(map(to_expression, points))
            spent = rules.divergence_power(m, laws, listed, a, there)
            bound = normal(obligation.level, there) * factor
            most = (a - constant(1)) * bound
            for form in ("direct", "log") if claim.order is not None else ("log", "direct"):
                spare = rules.spare_of(form, most, spent, there)
                final = _shown(spare, there, derivation.clock)
                if final is not None:
                    return HockeyStickLeaf((), listed, (), replace(final, form=form))
            return None

        return leaf

    return None if claim.notion == "gdp" else _certificate(claim, derivation, search)


def by_range(claim: NotionClaim, derivation: Derivation) -> Answer | None:
    """A proof by the range of the loss."""
    if claim.notion == "gdp" or any(o.kind != "finite" for o in claim.mechanism.outputs):
        return None
    factor = number(8) if claim.order is None else multiply(number(8), reciprocal(claim.order))

    def search(m: Mechanism, obligation: Obligation) -> LeafFound:
        laws = rules.pairs_of_laws(m, (obligation.dominated, obligation.dominating))
        width = square_root(multiply(factor, obligation.level), obligation.here)

        def leaf(here: Context) -> Evidence | None:
            a, scale, there = rules.with_order(claim, here)
            leaves = []
            for (p, q), (r, t) in itertools.permutations(laws, 2):
                small, large = Dominated(multiply(p, t)), Dominating(multiply(q, r))
                found = prove_inequality(small, large, width, there, derivation.clock, depth=0)
                if not isinstance(found, InequalityLeaf):
                    return None
                leaves.append(found)
            bound = normal(obligation.level, there) * scale
            final = _shown(bound.scale(8) / a - normal(width, there) ** 2, there, derivation.clock)
            if final is None or final.lemmas:
                return None
            return CoordinatesLeaf((), "log", (width,), tuple(leaves), final.proofs)

        return leaf

    return _certificate(claim, derivation, search)


def _certificate(
    claim: NotionClaim,
    derivation: Derivation,
    search: Callable[[Mechanism, Obligation], LeafFound],
    *,
    with_mass: bool = True,
) -> Answer | None:
    """A certificate with evidence for every obligation, each proved once."""
    bounds, clock = claim.bounds, derivation.clock
    if not isinstance(bounds, Claim):
        return None
    mass = mass_certificate(bounds.mechanism, False, clock) if with_mass else rules.WITHOUT_MASS
    if isinstance(mass, Declined):
        return mass
    pieces: dict[Evidence, int] = {}
    uses = []
    for obligation in obligations(bounds):
        clock.check("proving bounds of divergences")
        find = CasesSearch(search(bounds.mechanism, obligation), claim, clock)
        found = find.by_cases(obligation.here, DEPTH)
        if found is None:
            return Declined(WHERE, f"no proof was found for: {obligation.text}")
        uses.append(pieces.setdefault(found, len(pieces)))
    return Certificate(claim.fingerprint, False, (), mass, tuple(pieces), tuple(uses))


@dataclass(frozen=True, slots=True)
class CasesSearch:
    """A search for evidence, in cases where a sign is missing."""

    leaf: LeafFound
    claim: NotionClaim
    clock: Clock

    def by_cases(self, here: Context, depth: int) -> Evidence | None:
        """Evidence here, or None."""
        self.clock.count(1, "splitting cases")
        if here.contradictory:
            return InequalityLeaf((), "never", ())
        try:
            return self.leaf(here)
        except Undecided as missing:
            guard = missing.guard
            inner = {*(o.name for o in self.claim.mechanism.outputs), rules.ORDER}
            if isinstance(guard, Polynomial) and algebra.polynomial_names(guard) & inner:
                return None
            is_open = isinstance(guard, Polynomial) and len(here.signs(guard)) == 3
            relations = WEAK if is_open else STRICT
            return split_by_sign(guard, self.by_cases, here, self.clock, depth, relations)
        except FAILING:
            return None


def _shown(spare: Ratio, here: Context, clock: Clock) -> InequalityLeaf | None:
    """Why a number is >= 0 here, or None; Undecided where a divisor has no known sign."""
    if here.ratio_signs(spare) <= {0, 1}:
        return InequalityLeaf((), "direct", (None,))
    for f, _ in spare.den:
        if len(here.signs(f)) > 1:
            raise Undecided(open_factor(f, here))
    answer = prove_requirement(spare, ">=", here, clock)
    return None if answer is None else InequalityLeaf(answer[0], "direct", (answer[1],))


def square_root(e: Expression, here: Context) -> Expression:
    """The root of an expression, without a root where it is a square of something >= 0."""
    r = normal(e, here)
    if r.is_zero:
        return ZERO
    if len(r.num.terms) != 1:
        return sqrt(e)
    ((m, c),) = r.num.terms.items()
    scale = [_root_of_square(n) for n in (c.numerator, c.denominator)]
    odd = [k for _, k in (*m.powers, *r.den) if Fraction(k).denominator > 1 or k % 2]
    if odd or 0 in scale:
        return sqrt(e)
    half = algebra.Monomial((a, int(k) // 2) for a, k in m.powers)
    found = Ratio(algebra.polynomial_of_monomial(half, Fraction(*scale)))
    for f, k in r.den:
        found = found / Ratio(f) ** (k // 2)
    return to_expression(found) if here.ratio_signs(found) <= {0, 1} else sqrt(e)


def _root_of_square(n: int) -> int:
    """The root of a square number; 0 for another one."""
    return isqrt(n) if n > 0 and isqrt(n) ** 2 == n else 0


# rules


def by_its_own_rule(claim: NotionClaim, derivation: Derivation) -> Answer | None:
    """A proof by the rule that builds a composite, then by its law as one expression."""
    m = claim.mechanism
    if not isinstance(m, Composite):
        return None
    answer: Answer | None = None
    if m.rule in rules.LIFTED:
        answer = derivation.by_rule(claim, m.rule, None)
    elif m.rule == "normalised" and claim.notion == "zcdp":
        answer = derivation.by_rule(claim, "scores_to_zcdp", None)
    if not isinstance(answer, ByRule) and is_written_out(claim.bounds):
        whole = derivation.by_rule(claim, "written_out", None)
        answer = whole if isinstance(whole, ByRule) or answer is None else answer
    return answer


def from_another_notion(claim: NotionClaim, derivation: Derivation) -> Answer | None:
    """A proof from a level, from zCDP or from GDP, at a bound that just suffices."""
    answer: Answer | None = None
    for rule, bound in premises_that_suffice(claim):
        found = derivation.by_rule(claim, rule, StatedPremise(claim.relation, bound, ZERO))
        if isinstance(found, ByRule):
            return found
        answer = found
    return answer


def premises_that_suffice(claim: NotionClaim) -> Iterator[tuple[str, Expression]]:
    """Rules with bounds of their premises that may give the claim."""
    bound, m = claim.bounds.level, claim.mechanism
    if claim.notion == "renyi" and claim.order is not None:
        yield "zcdp_to_renyi", multiply(bound, reciprocal(claim.order)) if bound != oo else oo
    if claim.notion != "zcdp":
        return
    here = composite_context(m)
    known = [m.level] if isinstance(m, AbstractMechanism) else []
    inside = [node.args[0] for node in walk(bound) if node.head == "exp"]
    inside += [negative(e) for e in inside]
    inside += [node for node in walk(bound) if node.head == "log"]
    listed = [*known, *inside, *levels_of_rate(bound, here)]
    for level in dict.fromkeys(listed):
        yield "pure_to_zcdp", level


def levels_of_rate(rho: Expression, here: Context) -> Iterator[Expression]:
    """Levels L with L (exp(L) - 1)/(exp(L) + 1) <= rho: for a constant the largest, up to a small
    amount; otherwise the root of 2 rho.
    """
    if names(rho):
        try:
            yield square_root(multiply(number(2), rho), here)
        except (Undecided, Unsupported, ZeroDivisionError):
            return
        return
    if rho == oo:
        yield oo
        return
    target = enclose(normal(rho, Context.empty()))[0]
    low, high = Fraction(0), target + 2
    while high - low > FINE:
        middle = (low + high) / 2
        if rate_of_level(middle) <= target:
            low = middle
        else:
            high = middle
    yield number(low.limit_denominator(10**15) - FINE if low > FINE else low)


def rate_of_level(level: Fraction) -> Fraction:
    """An upper bound of L (exp(L) - 1)/(exp(L) + 1), close to it."""
    e = exp(number(level))
    rate = multiply(number(level), add(e, number(-1)), reciprocal(add(e, number(1))))
    return enclose(normal(substitute(rate, {}), Context.empty()))[1] if level else level


TACTICS: tuple[Callable[[NotionClaim, Derivation], Answer | None], ...] = (
    as_normal_densities,  # the form of the law tells at once
    by_its_own_rule,
    by_range,  # finite outputs only
    from_another_notion,
    by_exact_divergence,  # exact, but it may take long
)
# at one order the exact divergence is a number, or of few parameters
OF_ORDER = (
    as_normal_densities,
    by_its_own_rule,
    by_exact_divergence,
    by_range,
    from_another_notion,
)
