"""The least delta as a function of the level: one search and one proof for all levels between two
constants.

The level is a parameter of the claim; its least delta is an expression in it, and its certificate
holds for all its values. The rule of an open level concludes from it at each level, and a lower
delta is refuted like any other, so nothing here is believed.

>>> from ahdp_verify.kernel.model.domain import Queries
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.terms.expression import Abs, exp, number
>>> s, q = real("s"), name("q[1]")
>>> M = Mechanism(Queries(1), outputs=[s], density=exp(-Abs(s - q)) / 2, name="Laplace")
>>> family = find_family(Claim(M, "one", ZERO), [number(0), number("1/2")], Limits())
>>> print(family.at(number("1/4"), Limits()))
Laplace: the least delta at level 1/4 (one) is 1 - exp(-3/8) = 0.312711, exactly; query 1
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cmp_to_key, partial

from ahdp_verify.analysis.divergence.delta import (
    DivergenceSearch,
    LeastDelta,
    find_least_delta,
    search_open_state,
)
from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.evidence.certificate import (
    ByRule,
    Certificate,
    InequalityLeaf,
    Mass,
    StatedPremise,
)
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.compared import Compared
from ahdp_verify.kernel.rules.obligations import mechanism_context
from ahdp_verify.kernel.rules.open_level import delta_at_level, with_parameter
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    ZERO,
    Expression,
    exp,
    name,
    substitute,
    transform,
)
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits, OutOfLimits
from ahdp_verify.search.loss.candidates import FAILED, LossSearch, new_loss_search
from ahdp_verify.search.loss.largest import LevelCandidate
from ahdp_verify.search.proving.claim import certify_each_obligation
from ahdp_verify.search.proving.compared_inputs import find_compared_inputs
from ahdp_verify.search.proving.total_mass import mass_certificate
from ahdp_verify.search.refuting.well_defined import check_smallest_inputs
from ahdp_verify.search.simplify import canonical_form, is_same_value, shortest_form, shown_length


@dataclass(frozen=True, slots=True)
class LevelFamily:
    """The least delta at every level between two constants.

    claim     the claim at level 0, whose mechanism, relation and public parts are meant
    search    where candidates of the claim are compared
    level     the name of the parameter that stands for the level
    best      the least delta, an expression in it
    form      the shortest form of it
    stated    the claim with this delta, at all levels between the two
    proof     its proof
    compared  two inputs that the claim compares, if they were found
    """

    claim: Claim
    search: LossSearch
    level: str
    best: LevelCandidate
    form: Expression
    stated: StatedPremise
    proof: Certificate
    compared: Compared | None

    def at(self, level: Expression, limits: Limits) -> LeastDelta | None:
        """The least delta at a level, proved and refuted there; None where that does not
        succeed.
        """
        clock, claim = limits.clock(), replace(self.claim, level=level)
        try:
            with clock.running():
                there = substitute(self.best.level, {self.level: level})
                value = to_expression(normal(there, mechanism_context(claim.mechanism)))
                if value == ZERO:
                    return None
                search = replace(self.search, clock=clock)
                hunt = DivergenceSearch(search, claim, replace(self.best, level=value))
                proof = self._proof(replace(claim, delta=value))
            shortest = partial(self._shortest_form, level)
            found = find_least_delta(hunt, clock, proof, "", shortest)
        except (*FAILED, OutOfLimits):
            return None
        return found if found.exact else None

    def _shortest_form(self, level: Expression, value: Expression, here: Context) -> Expression:
        """The shortest form of the delta at a level. Where a rational level leaves it as many terms
        as it has for all levels, the form for all levels, with the level in it, is as short.
        """
        best = self.best.level
        same_terms = value.head == best.head == "+" and len(value.args) == len(best.args)
        if level.head != "number" or not same_terms:
            return shortest_form(value, here)
        form = transform(substitute(self.form, {self.level: level}), _with_canonical_exponent)
        return (
            min(form, value, key=shown_length)
            if is_same_value(form, value, here)
            else shortest_form(value, here)
        )

    def _proof(self, claim: Claim) -> Proved:
        """The proof of a claim at one of the levels; Rejected where it is none."""
        same = claim.delta == delta_at_level(claim, self.stated)
        certificate = ByRule(
            claim.fingerprint,
            "open_level",
            1,
            self.stated,
            (self.proof,),
            () if same else (InequalityLeaf(),),
        )
        return check(claim, certificate, None, self.compared)


def find_family(claim: Claim, levels: Iterable[Expression], limits: Limits) -> LevelFamily | None:
    """The least delta as a function of the level, between the least and the largest of these
    constants; None if it is not found or not proved within the limits. Raises LawFault for a
    mechanism that is not well defined.
    """
    mechanism, clock = claim.mechanism, limits.clock()
    inputs = mechanism.inputs
    if isinstance(inputs, Domain) and not inputs.is_universal and mechanism.defined != TRUE:
        return None
    try:
        with clock.running():
            check_smallest_inputs(claim, clock)
    except OutOfLimits:
        return None
    try:
        with clock.running():
            ordered = sorted(levels, key=cmp_to_key(_compared_constants))
            low, high, fresh = ordered[0], ordered[-1], _fresh_name(mechanism)
            level = name(fresh)
            between = Expression("and", (low <= level, level <= high))
            opened = replace(
                claim,
                mechanism=with_parameter(mechanism, fresh, between),
                level=level,
                delta=ZERO,
            )
            hunt = DivergenceSearch(new_loss_search(replace(opened, level=ZERO), clock), opened)
            search_open_state(hunt)
            mass = mass_certificate(opened.mechanism, False, clock)
            if hunt.reasons or hunt.best.level == ZERO or not isinstance(mass, Mass):
                return None
            asked = replace(opened, delta=hunt.best.level)
            found = certify_each_obligation(asked, False, mass, clock, "linear")
            compared = find_compared_inputs(replace(claim, level=low), None, clock)
    except (*FAILED, OutOfLimits):
        return None
    if not isinstance(found, Certificate):
        return None
    stated = StatedPremise(claim.relation, between, hunt.best.level)
    form = shortest_form(hunt.best.level, hunt.search.here)
    return LevelFamily(claim, hunt.search, fresh, hunt.best, form, stated, found, compared)


def _with_canonical_exponent(e: Expression) -> Expression | None:
    return exp(canonical_form(e.args[0])) if e.head == "exp" else None


def _compared_constants(a: Expression, b: Expression) -> int:
    """The sign of a - b; 0 where it is not found, since the order only bounds the search."""
    signs = Context.empty().ratio_signs(normal(a - b, Context.empty()))
    return next(iter(signs)) if len(signs) == 1 else 0


def _fresh_name(mechanism: Mechanism) -> str:
    """A name that the mechanism does not use."""
    text = str(mechanism.to_json())
    return next(f"level{i}" for i in range(1, len(text)) if f"level{i}" not in text)
