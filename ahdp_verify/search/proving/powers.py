"""Densities that are powers of polynomials, compared by their logarithms.

    a B^m >= A^m for the bases, each > 0      r > 0
    -----------------------------------------------
              a^r B^(m r) >= A^(m r)

Noise with Student's distribution has a density (1 + s^2/n)^(-(n + 1)/2): as a difference of such
powers the inequality has a high degree, or no polynomial form at all, but it follows from one
between the bases, which is of degree 2.  The level is r log(a); where it is not a logarithm, a is a
rational number below exp(level/r).

>>> from ahdp_verify.kernel.numbers.hypotheses import Context
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> from ahdp_verify.search.limits import Limits
>>> law = parse("(2 + s^2)^(-3/2)")
>>> found = leaf_by_powers((Dominated(law), Dominating(law), parse("1")), Context.empty(), Limits().clock())
>>> found is None, has_powers(law)
(True, True)
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import InequalityLeaf, Lemma, Products
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, constant, exp_of, log_of
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context, sign_of
from ahdp_verify.kernel.numbers.normal_form import (
    branch_value,
    normal,
    signs_of,
    to_expression,
)
from ahdp_verify.kernel.rules.inequalities import sign_polynomial
from ahdp_verify.kernel.terms.expression import Expression, names
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving.draft import Draft, polynomial_tree
from ahdp_verify.search.proving.requirement import prove_requirement

BITS = (3, 6, 12, 24, 40)  # to which exp(level/r) is rounded, in turn
Question = tuple[Dominated, Dominating, Expression]


@dataclass(slots=True)
class LogForm:
    """The logarithm of a law: rest + the sum of power * log(base), bases polynomials > 0."""

    rest: Ratio
    powers: dict[Polynomial, Fraction] = field(default_factory=dict)

    def add(self, law: Expression, power: Fraction, here: Context) -> None:
        """The logarithm of law^power is added."""
        if law.head == "piecewise":
            self.add(branch_value(law, here), power, here)
        elif law.head == "*":
            for factor in law.args:
                self.add(factor, power, here)
        elif law.head == "exp":
            self.rest = self.rest + normal(law.args[0], here).scale(power)
        elif law.head == "^" and law.args[1].head == "number":
            self.add(law.args[0], power * law.args[1].args[0], here)
        else:
            self.add_ratio(normal(law, here), power, here, signs_of(law, here) == {1})

    def add_ratio(self, r: Ratio, power: Fraction, here: Context, positive: bool) -> None:
        """The logarithm of r^power is added; Undecided if r is not known to be > 0."""
        if r.is_zero:
            raise Unsupported("a law that vanishes has no logarithm")
        below = 1
        for f, n in r.den:
            sign = sign_of(f, here)
            below *= sign**n
            self._add_base(f.scale(sign), -power * n, here)
        above = r.num.scale(below)
        if not positive and here.signs(above) != {1}:
            raise Undecided(above)
        self._add_base(above, power, here)

    def _add_base(self, p: Polynomial, power: Fraction, here: Context) -> None:
        """The logarithm of p^power is added, for a p > 0; its primitive part is the base."""
        if not algebra.polynomial_names(p):
            self.rest = self.rest + log_of(Ratio(p)).scale(power)
            return
        c, m, base = algebra.primitive_part(p)
        outer = algebra.polynomial_of_monomial(m)
        if here.signs(outer) != {1}:
            c, outer, base = Fraction(1), algebra.ONE, p
        elif c < 0:
            c, base = -c, -base
        self.rest = self.rest + log_of(Ratio(outer.scale(c))).scale(power)
        if base != algebra.ONE:
            self.powers[base] = self.powers.get(base, Fraction(0)) + power

    def minus(self, other: LogForm) -> LogForm:
        """The logarithm of the ratio of two laws."""
        bases = {**self.powers, **other.powers}
        gaps = {
            b: self.powers.get(b, Fraction(0)) - other.powers.get(b, Fraction(0)) for b in bases
        }
        return LogForm(self.rest - other.rest, {b: k for b, k in gaps.items() if k})

    @property
    def value(self) -> Ratio:
        """The logarithm itself."""
        total = self.rest
        for base, k in self.powers.items():
            total = total + log_of(Ratio(base)).scale(k)
        return total


def log_form_of(law: Expression, here: Context) -> LogForm:
    """The logarithm of a law that is > 0 here."""
    found = LogForm(constant(0))
    found.add(law, Fraction(1), here)
    return found


def has_powers(law: Expression, power: Fraction = Fraction(1)) -> bool:
    """Whether a factor of a law, to a power, is a power of a sum other than itself or its
    reciprocal.
    """
    if law.head == "^" and law.args[1].head == "number":
        return has_powers(law.args[0], power * law.args[1].args[0])
    if law.head in ("*", "piecewise"):
        return any(has_powers(part, power) for part in law.args)
    return law.head == "+" and power not in (1, -1) and bool(names(law))


def leaf_by_powers(question: Question, here: Context, clock: Clock) -> InequalityLeaf | None:
    """A leaf that shows dominated <= exp(level) * dominating by the bases of powers; None if the
    laws are no such powers, or nothing is found.  Undecided where the sign of a base is missing.
    """
    dominated, dominating, level = question
    if not (has_powers(dominated) and has_powers(dominating)):
        return None
    p, q = log_form_of(dominated, here), log_form_of(dominating, here)
    gap = q.minus(p)
    if algebra.ratio_names(gap.rest) or not gap.powers:
        return None
    unit = Fraction(
        math.gcd(*(k.numerator for k in gap.powers.values())),
        math.lcm(*(k.denominator for k in gap.powers.values())),
    )
    bound = normal(level, here)
    for reached in levels_below(bound + gap.rest, unit):
        draft = Draft(here)
        if not bases_compared(gap.powers, unit, reached, draft, clock):
            continue
        level_used = reached.scale(unit) - gap.rest
        found = powers_compared((p, q, level_used), question, bound, draft)
        if found is not None:
            return found
    return None


def levels_below(bound: Ratio, unit: Fraction) -> list[Ratio]:
    """Logarithms of constants that are at most bound / unit, the exact one first where it is
    one.
    """
    exact = bound.scale(1 / unit)
    if algebra.ratio_names(exact):
        return []
    if not exact.num.terms or algebra.log_argument(exact.num) is not None:
        return [exact]
    low, _ = enclose(exp_of(exact))
    listed = [Fraction((low * (1 << bits)).__floor__(), 1 << bits) for bits in BITS]
    return [log_of(constant(a)) for a in listed if a > 0]


def bases_compared(
    powers: dict[Polynomial, Fraction], unit: Fraction, reached: Ratio, draft: Draft, clock: Clock
) -> bool:
    """Whether exp(reached) times the product of base^(power/unit) was shown to be >= 1; the draft
    then holds the fact.
    """
    ratio = exp_of(reached)
    for base, k in powers.items():
        ratio = ratio * Ratio(base) ** int(k / unit)
    goal = ratio - constant(1)
    found = prove_requirement(goal, ">=", draft.here, clock)
    if found is None:
        return False
    lemmas, proof = found
    for lemma in lemmas:
        draft.take(lemma)
    p = sign_polynomial(goal, draft.here)
    draft.take(Lemma("proved", (polynomial_tree(p),), ">=", (proof,)))
    return True


def powers_compared(
    logs: tuple[LogForm, LogForm, Ratio], question: Question, bound: Ratio, draft: Draft
) -> InequalityLeaf | None:
    """The leaf that follows from the order of the logarithms of two laws; None where it does not
    add up.
    """
    p, q, level = logs
    low, high = p.value, level + q.value
    try:
        fact = draft.take(Lemma("order", (to_expression(low), to_expression(high)), ">=", (None,)))
    except (Rejected, Undecided, Unsupported):
        return None
    dominated, dominating, _ = question
    p_law, q_law = normal(dominated, draft.here), normal(dominating, draft.here)
    wanted = sign_polynomial(exp_of(bound) * q_law - p_law, draft.here)
    nearer = sign_polynomial(exp_of(level) * q_law - p_law, draft.here)
    factor = algebra.divide(nearer, draft.here.facts[fact].polynomial)
    rest = wanted - nearer
    if factor is None or draft.here.signs(factor) != {1} or not draft.here.signs(rest) <= {0, 1}:
        return None
    value = factor.as_rational
    terms = [(value, (fact,)) if value else (Fraction(1), (draft.take_sign(factor), fact))]
    if rest.terms:
        terms.append((Fraction(1), (draft.take_sign(rest),)))
    return InequalityLeaf(draft.lemmas, "direct", (Products(tuple(terms)),))
