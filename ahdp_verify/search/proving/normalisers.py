"""Sums of exponentials that are >= 0 because their positive terms cover the negative ones: laws
with a normaliser.

For p_i = g_i / (g_1 + ... + g_n) the inequality p_i <= exp(level) p_i' multiplied out is a sum of
terms c exp(b), and every negative term is at most some positive ones: exp(a) <= exp(b) because b -
a >= 0.  Which weight goes to which term is a transport problem, solved exactly with differences
that are proved only when the flow asks for them, the simplest first.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import Lemma, Products, Proof
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import (
    ONE,
    Monomial,
    Polynomial,
    Ratio,
    constant,
    exp_of,
    log_of,
    polynomial_of_atom,
    polynomial_of_monomial,
)
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import abs_atom, to_expression
from ahdp_verify.kernel.rules.inequalities import log_form, sign_polynomial
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving.absolute_values import absolute_terms, apply_triangle_inequality
from ahdp_verify.search.proving.draft import Draft, polynomial_tree
from ahdp_verify.search.proving.float_filter import SamplePoints
from ahdp_verify.search.proving.products import prove_by_products

NEVER = Products(())  # represents "no proof": the empty sum proves only 0 >= 0, which signs settle
SPLITS = (
    3  # absolute values of unknown sign that one difference may hold after pairs were taken out
)
SHIFTS = (
    3  # rational factors between the two sides that are tried where constants are powers of primes
)


@dataclass(frozen=True, slots=True)
class WeightedExponential:
    """weight * rest * exp(exponent), weight > 0, where rest is a product of names and functions
    that is >= 0.
    """

    weight: Fraction
    rest: Polynomial
    exponent: Ratio


@dataclass(frozen=True, slots=True)
class DifferenceProof:
    """Why a difference is >= 0: lemmas on top of the first `base` facts, and a proof by facts
    with these numbers (None: by signs).
    """

    base: int
    lemmas: tuple[Lemma, ...]
    proof: Proof


Flow = dict[
    tuple[int, int], Fraction
]  # (positive term, negative term) -> weight that the first lends to the second


@dataclass(slots=True)
class ExponentDifferences:
    """Differences of exponents, each proved at most once."""

    here: Context
    clock: Clock
    samples: SamplePoints
    known: dict[Polynomial, DifferenceProof | None] = field(default_factory=dict)

    def reason(self, d: Ratio) -> DifferenceProof | None:
        """Why d >= 0, or None."""
        try:
            p = sign_polynomial(d, self.here)
        except Undecided:
            return None
        if p not in self.known:
            self.known[p] = self._prove(p) if self.samples.may_hold(p) else None
        return self.known[p]

    def _prove(self, p: Polynomial) -> DifferenceProof | None:
        draft = Draft(self.here)
        proof = prove_nonnegative(p, draft, self.clock)
        return (
            None if proof is NEVER else DifferenceProof(len(self.here.facts), draft.lemmas, proof)
        )


def prove_nonnegative(p: Polynomial, draft: Draft, clock: Clock, splits: int = SPLITS) -> Proof:
    """A proof of p >= 0, piecewise linear in its absolute values, whose lemmas the draft has
    taken; NEVER if none is found.
    """
    if draft.here.signs(p) <= {0, 1}:
        return None
    if not algebra.polynomial_names(p):
        return NEVER
    inner = draft.copy()
    inner.terms = []
    c, m, primitive = algebra.primitive_part(p)
    if (
        m
        and draft.here.signs(polynomial_of_monomial(m)) <= {0, 1}
        and (line := prove_by_products(primitive.scale(c), ">=", draft.here, clock, degrees=(1,)))
        is not None
    ):
        number = draft.take_sign(polynomial_of_monomial(m))
        return Products(tuple((d, (number, *numbers)) for d, numbers in line.terms))
    rest = apply_triangle_inequality(p, inner)
    if not inner.here.signs(rest) <= {0, 1}:
        found = prove_with_absolute_values(rest, inner, clock, splits)
        if found is None:
            return NEVER
        inner.terms += found.terms
    elif rest.terms:
        inner.terms.append((Fraction(1), (inner.take_sign(rest),)))
    draft.here, draft.lemmas = inner.here, inner.lemmas
    return Products(tuple(inner.terms))


def prove_with_absolute_values(
    p: Polynomial, draft: Draft, clock: Clock, splits: int
) -> Products | None:
    """A proof of p >= 0 by products of facts and |w| >= w, or by both signs of the argument of an
    absolute value that is subtracted.
    """
    falling: list[tuple[Polynomial, Polynomial]] = []
    for w, factor in absolute_terms(p).items():
        if draft.here.signs(factor) <= {0, 1}:
            for v in (w, -w):
                draft.offer(Lemma("absolute", (polynomial_tree(v),)))
        elif draft.here.signs(factor) == {-1}:
            falling.append((w, -factor))
    if not falling:
        return prove_by_products(p, ">=", draft.here, clock, degrees=(1, 2))
    w, factor = falling[0]
    if splits == 0:
        return None
    over = p + factor * polynomial_of_atom(abs_atom(w))  # p = over - factor |w|
    limit = Ratio(over) / Ratio(factor)
    unit = (
        ONE if not limit.den else factor.scale(1 / abs(algebra.primitive_part(factor)[0]))
    )  # the divisor of the differences limit - w and limit + w
    total = limit.num if not limit.den else over.scale(1 / abs(algebra.primitive_part(factor)[0]))
    proofs = tuple(prove_nonnegative(total - unit * v, draft, clock, splits - 1) for v in (w, -w))
    if NEVER in proofs:
        return None
    try:
        number = draft.take(
            Lemma("bound", (polynomial_tree(w), to_expression(limit)), ">=", proofs)
        )
    except (Rejected, Undecided, Unsupported):
        return None
    if limit.den:
        return Products(((abs(algebra.primitive_part(factor)[0]), (number,)),))
    c = factor.as_rational
    return (
        Products(((c, (number,)),))
        if c is not None
        else Products(((Fraction(1), (draft.take_sign(factor), number)),))
    )


def has_normalisers(dominated: Dominated, dominating: Dominating, here: Context) -> bool:
    """Whether the remainders after the logarithms are sums of exponentials that signs do not
    compare.
    """
    try:
        gap = log_form(dominating, here)[0] - log_form(dominated, here)[0]
        open_sign = not here.ratio_signs(gap) <= {0, 1} and not here.ratio_signs(gap) <= {0, -1}
    except (Undecided, Unsupported, ZeroDivisionError):
        return False
    return open_sign and has_varying_exponentials(gap.num)


def has_varying_exponentials(p: Polynomial) -> bool:
    """Whether p has exponentials of names."""
    return any(a.kind == "exp" and algebra.atom_names(a) for a in algebra.polynomial_atoms(p))


def prove_by_matching(
    p: Polynomial,
    draft: Draft,
    clock: Clock,
    differences: ExponentDifferences | None = None,
    *,
    strict: bool = False,
) -> Products | None:
    """A proof of p >= 0 (or > 0) by covering its negative terms, its lemmas taken into the
    draft; None where they are not covered. The differences may be those of an earlier draft.
    """
    parts = positive_and_negative_terms(p, draft.here)
    if parts is None:
        return None
    if differences is None:
        points = SamplePoints.of(draft.before, algebra.polynomial_names(p))
        differences = ExponentDifferences(draft.here, clock, points)
    if not differences.samples.may_hold(p):
        return None
    for factor in shift_factors(p, *parts):
        transport = Transport(*parts, factor, differences)
        flow = covering_flow(transport)
        if flow is not None and (
            not strict or any(b.rest == ONE for b, _ in unused_terms(transport, flow))
        ):
            trial = draft.copy()
            try:
                proof = flow_products(transport, flow, trial)
            except (
                Rejected
            ):  # a lemma that is used again in another place may speak of facts that are not there
                continue
            draft.here, draft.lemmas, draft.terms = trial.here, trial.lemmas, trial.terms
            return proof
    return None


def positive_and_negative_terms(
    p: Polynomial, here: Context
) -> tuple[list[WeightedExponential], list[WeightedExponential]] | None:
    """The positive and the negative terms of p (the latter without their sign), or None where p is
    not such a sum or has no negative term.
    """
    sides: dict[int, list[WeightedExponential]] = {1: [], -1: []}
    if not has_varying_exponentials(p):
        return None
    for m, c in p.terms.items():
        exponent, rest = exponential_and_rest(m)
        signs = here.signs(rest)
        direction = 1 if signs <= {0, 1} else -1 if signs <= {0, -1} else 0
        if not direction:
            return None
        sides[1 if c * direction > 0 else -1].append(
            WeightedExponential(abs(Fraction(c)), rest.scale(direction), exponent)
        )
    return (sides[1], sides[-1]) if sides[1] and sides[-1] else None


def exponential_and_rest(m: Monomial) -> tuple[Ratio, Polynomial]:
    """(b, r) with m = r * exp(b), r without exponentials and roots."""
    exponent, rest = constant(0), []
    for a, e in m.powers:
        if a.kind == "exp":
            exponent = exponent + Ratio(
                polynomial_of_monomial(a.payload[0], Fraction(e)), a.payload[1]
            )
        elif a.kind == "prime":
            exponent = exponent + log_of(constant(a.payload)).scale(e)
        else:
            rest.append((a, e))
    return exponent, polynomial_of_monomial(Monomial(rest))


def shift_factors(
    p: Polynomial, positive: list[WeightedExponential], negative: list[WeightedExponential]
) -> list[Fraction]:
    """Factors f so that f exp(b) >= exp(a) may hold: 1, and quotients of weights where a level like
    log 4 has become the number 4.
    """
    logs = any(
        inner.kind == "log"
        for a in algebra.polynomial_atoms(p)
        if a.kind == "exp"
        for inner, _ in a.payload[0].powers
    )
    if not logs and not any(a.kind == "prime" for a in algebra.polynomial_atoms(p)):
        return [Fraction(1)]
    quotients = [
        f for f in dict.fromkeys(b.weight / a.weight for b in positive for a in negative) if f != 1
    ]
    return list(dict.fromkeys((Fraction(1), *quotients[:SHIFTS], *step_factors(p))))


def step_factors(p: Polynomial) -> list[Fraction]:
    """The factors by which exponentials of p change when a whole number multiplying a logarithm
    changes by 1: 4 for exp(2 log(2) |y|).
    """
    found: dict[Fraction, None] = {}
    for m in p.terms:
        step = Fraction(1)
        for a, e in m.powers:
            logs = (
                [
                    inner.payload.as_rational
                    for inner, _ in a.payload[0].powers
                    if inner.kind == "log"
                ]
                if a.kind == "exp"
                else []
            )
            if len(logs) == 1 and logs[0] and Fraction(e).denominator == 1:
                step *= logs[0] ** abs(int(e))
        if step != 1:
            found[step] = None
    return list(found)[:SHIFTS]


@dataclass(frozen=True, slots=True)
class Transport:
    """Which positive term may lend to which negative one: where factor * exp(b) >= exp(a) is
    proved for their exponents.
    """

    positive: list[WeightedExponential]
    negative: list[WeightedExponential]
    factor: Fraction
    differences: ExponentDifferences

    def gap(self, i: int, j: int) -> Ratio:
        """The exponent of factor times the positive term i less that of the negative term j."""
        gap = self.positive[i].exponent - self.negative[j].exponent
        return gap if self.factor == 1 else gap + log_of(constant(self.factor))

    def lenders(self, j: int) -> list[int]:
        """The positive terms with the rest of the negative term j, the nearest exponents first."""
        alike = [i for i, b in enumerate(self.positive) if b.rest == self.negative[j].rest]
        return sorted(alike, key=lambda i: len(self.gap(i, j).num.terms))

    def open(self, i: int, j: int) -> bool:
        """Whether the positive term i may lend to the negative term j."""
        return self.differences.reason(self.gap(i, j)) is not None


Path = list[
    tuple[int, int]
]  # (i, j): term i lends to j, and where another pair follows, gives less to the j of that pair


def covering_flow(t: Transport) -> Flow | None:
    """Weights with which the positive terms cover the negative ones, or None if there are none:
    a flow, grown path by path.
    """
    free = [b.weight / t.factor for b in t.positive]
    flow: Flow = {}
    for j, a in enumerate(t.negative):
        missing = a.weight
        while missing:
            path = augmenting_path(j, t, free, flow)
            if path is None:
                return None
            lent = [(i, k) for (i, _), (_, k) in pairwise(path)]
            amount = min(missing, free[path[-1][0]], *(flow[edge] for edge in lent))
            for edge in path:
                flow[edge] = flow.get(edge, Fraction(0)) + amount
            for edge in lent:
                flow[edge] -= amount
            free[path[-1][0]] -= amount
            missing -= amount
    return {edge: amount for edge, amount in flow.items() if amount}


def augmenting_path(start: int, t: Transport, free: list[Fraction], flow: Flow) -> Path | None:
    """A path from a negative term to a positive one that has weight left, or None."""
    reached: dict[int, Path] = {start: []}
    waiting = [start]
    for j in waiting:
        lenders = t.lenders(j)
        for i in (i for i in lenders if free[i] and t.open(i, j)):
            return [*reached[j], (i, j)]
        for i in (i for i in lenders if not free[i]):
            for k in (
                k for (n, k), amount in flow.items() if n == i and amount and k not in reached
            ):
                if t.open(i, j):
                    reached[k] = [*reached[j], (i, j)]
                    waiting.append(k)
    return None


def unused_terms(t: Transport, flow: Flow) -> list[tuple[WeightedExponential, Fraction]]:
    """The positive terms that a flow leaves weight of, with that weight."""
    left = [b.weight for b in t.positive]
    for (i, _), amount in flow.items():
        left[i] -= amount * t.factor
    return [(b, weight) for b, weight in zip(t.positive, left, strict=True) if weight]


def flow_products(t: Transport, flow: Flow, draft: Draft) -> Products:
    """The proof that a flow gives: one fact for each pair, and the sign of the remaining positive
    terms.
    """
    terms: list[tuple[Fraction, tuple[int, ...]]] = []
    for (i, j), amount in flow.items():
        b, a = t.positive[i], t.negative[j]
        fact = order_fact(b, a, t, (i, j), draft)
        terms.append((amount, (fact,) if a.rest == ONE else (draft.take_sign(a.rest), fact)))
    for b, weight in unused_terms(t, flow):
        whole = Ratio(b.rest) * exp_of(b.exponent)
        relation = ">" if b.rest == ONE else ">="
        terms.append((weight, (draft.take_sign(whole.num, relation),)))
    return Products(tuple(terms))


def order_fact(
    b: WeightedExponential,
    a: WeightedExponential,
    t: Transport,
    pair: tuple[int, int],
    draft: Draft,
) -> int:
    """The number of the fact factor * exp(b) >= exp(a)."""
    reason = t.differences.reason(t.gap(*pair))
    if reason is None:
        raise Rejected("a pair that is not proved")
    proof = reason.proof
    numbers: dict[int, int] = {}
    for k, lemma in enumerate(reason.lemmas):
        numbers[reason.base + k] = take_lemma(
            replace(lemma, proofs=tuple(renumber_facts(q, numbers) for q in lemma.proofs)), draft
        )
    proof = renumber_facts(reason.proof, numbers)
    high = b.exponent if t.factor == 1 else b.exponent + log_of(constant(t.factor))
    return draft.take(
        Lemma("order", (to_expression(a.exponent), to_expression(high)), ">=", (proof,))
    )


def renumber_facts(proof: Proof, numbers: dict[int, int]) -> Proof:
    """The proof with facts renamed."""
    return (
        Products(
            tuple((c, tuple(numbers.get(n, n) for n in product)) for c, product in proof.terms)
        )
        if isinstance(proof, Products)
        else proof
    )


def take_lemma(lemma: Lemma, draft: Draft) -> int:
    """The number of the fact that a lemma adds, taken once."""
    base = len(draft.here.facts) - len(draft.lemmas)
    return base + draft.lemmas.index(lemma) if lemma in draft.lemmas else draft.take(lemma)
