"""Proofs by composition rules: a tree whose inner nodes are rules, and whose leaves are assumptions
or proofs for mechanisms given by their density.

A composite is proved by the rule that builds it, or by that rule at the level that its parts give
and a second rule from there to the claim (a swap is two additions, one level for all is a level for
each); where these rules are not tight, from its joint distribution as one expression. The tree is
checked by `ahdp_verify.kernel.checker`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from ahdp_verify.kernel.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import (
    AnyCertificate,
    ByRule,
    Declined,
    Evidence,
    StatedPremise,
)
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import (
    PAIRS,
    AbstractMechanism,
    AnyClaim,
    Composite,
    CompositeClaim,
    composite_context,
)
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.numbers.hypotheses import ANY, Context
from ahdp_verify.kernel.numbers.normal_form import normal, refusal_text
from ahdp_verify.kernel.rules.composition import (
    COMPOSITION_RULES,
    SideCondition,
    move_kinds,
)
from ahdp_verify.kernel.rules.joint_law import abstract_mechanisms, takes_sample
from ahdp_verify.kernel.rules.notions import ADDED, any_rule_conditions
from ahdp_verify.kernel.terms.expression import (
    ZERO,
    Expression,
    Min,
    add,
    multiply,
    names,
    number,
    oo,
    sqrt,
)
from ahdp_verify.search.limits import Clock, OutOfLimits
from ahdp_verify.search.parts import relation_and_level
from ahdp_verify.search.proving.inequality import prove_inequality

Leaf = Callable[[Claim | NotionClaim], AnyCertificate | Declined]
WHERE = "laws"


@dataclass(slots=True)
class Derivation:
    """One search for a tree: how a leaf is proved, the clock, and what is proved already, by
    fingerprint.
    """

    leaf: Leaf
    clock: Clock
    done: dict[str, AnyCertificate | Declined] = field(default_factory=dict)

    def derive(self, claim: AnyClaim | NotionClaim) -> AnyCertificate | Declined:
        """A proof of a claim, by composition rules where it is about a composite; or the reason why
        there is none.
        """
        key = claim.fingerprint
        if key not in self.done:
            self.done[key] = (
                self.by_rules(claim) if isinstance(claim, CompositeClaim) else self.leaf(claim)
            )
        return self.done[key]

    def by_rules(self, claim: AnyClaim) -> AnyCertificate | Declined:
        """A proof by the rule that builds the mechanism, or by a rule that leads from there to the
        claim; else what the last of them lacks.
        """
        answer = Declined(
            WHERE,
            f"no composition rule yields a claim of relation {claim.relation} about "
            f"{claim.mechanism}",
        )
        for rule, stated in applicable_rules(claim):
            found = self.by_rule(claim, rule, stated)
            if isinstance(found, ByRule):
                return found
            answer = found
        whole = self.by_rule(claim, "written_out", None) if is_written_out(claim) else answer
        return whole if isinstance(whole, ByRule) else answer

    def by_rule(
        self, claim: AnyClaim | NotionClaim, rule: str, stated: StatedPremise | None
    ) -> ByRule | Declined:
        """A proof by one rule, its premises proved first."""
        try:
            wanted = any_rule_conditions(claim, rule, COMPOSITION_RULES[rule].version, stated)
            evidence = []
            for side in wanted.sides:
                shown = self.side(side)
                if shown is None:
                    return Declined(WHERE, f"{rule}: {missing_text(side)}")
                evidence.append(shown)
            premises = []
            for i, premise in enumerate(wanted.premises):
                proof = (self.given(claim, i) if stated is None else None) or self.derive(premise)
                if isinstance(proof, Declined):
                    return Declined(WHERE, f"{rule}: a premise was not proved: {proof.reason}")
                premises.append(proof)
        except OutOfLimits as stop:
            return Declined(WHERE, stop.reason)
        except Undecided as missing:
            return Declined(
                WHERE,
                f"{rule}: {refusal_text(missing)}; state it as a condition on a parameter or an "
                "unknown",
            )
        except ZeroDivisionError:
            return Declined(WHERE, f"{rule}: a formula may divide by 0")
        except (Unsupported, Rejected, BadInput) as reason:
            return Declined(WHERE, f"{rule}: {refusal_text(reason)}")
        return ByRule(
            claim.fingerprint,
            rule,
            COMPOSITION_RULES[rule].version,
            stated,
            tuple(premises),
            tuple(evidence),
        )

    def given(self, claim: AnyClaim | NotionClaim, i: int) -> AnyCertificate | None:
        """The proof of part number i, at its level, that came with a composite."""
        if isinstance(claim, NotionClaim):
            return None
        m = claim.mechanism
        kept = m.proofs[i] if isinstance(m, Composite) and i < len(m.proofs) else None
        return kept if isinstance(kept, AnyCertificate) else None

    def side(self, side: SideCondition) -> Evidence | None:
        """Evidence for a side condition."""
        self.clock.check("side conditions")
        return prove_inequality(side.dominated, side.dominating, side.level, side.here, self.clock)


def is_written_out(claim: AnyClaim) -> bool:
    """Whether the joint distribution of a composite may be one expression for all its inputs."""
    m = claim.mechanism
    return (
        isinstance(m, Composite)
        and claim.relation != PAIRS
        and not abstract_mechanisms(m)
        and not takes_sample(m)
    )


def missing_text(side: SideCondition) -> str:
    """What is missing where a side condition was not shown; a condition with names in it may still
    hold.
    """
    open_ = any(names(e) for e in (side.dominated, side.dominating, side.level))
    return side.text + (", and this was not shown to suffice" if open_ else "")


def applicable_rules(claim: AnyClaim) -> list[tuple[str, StatedPremise | None]]:
    """The rules that may lead to a claim, with their stated premises; the one whose reason is most
    informative comes last.
    """
    m = claim.mechanism
    if isinstance(m, AbstractMechanism) and m.relation == claim.relation:
        return [("assumed", None)]
    listed: list[tuple[str, StatedPremise | None]] = (
        [(m.rule, None)]
        if isinstance(m, Composite)
        else [("interchangeable", None)]
        if claim.relation == "any"
        else []
    )
    if claim.delta != ZERO and claim.relation != PAIRS:
        bounds = bounds_of_delta(claim)
        listed = [*((r, StatedPremise(claim.relation, b, ZERO)) for r, b in bounds), *listed]
    relation, level, delta = starting_claim(claim)
    rule = {
        ("add-remove", "ahdp"): "to_ahdp",
        ("add-remove", "swap"): "to_swap",
        ("ahdp", "swap"): "to_swap",
    }.get((relation, claim.relation))
    return [*listed, (rule, StatedPremise(relation, level, delta))] if rule is not None else listed


def bounds_of_delta(claim: AnyClaim) -> Iterator[tuple[str, Expression]]:
    """Bounds of zCDP and GDP that may give a level and a delta: those that the parts of a composite
    state, if its levels are read as such.
    """
    m = claim.mechanism
    if not isinstance(m, Composite) or m.rule not in ADDED:
        return
    levels = [part.level for part in m.parts]
    if oo in levels:
        return
    yield "zcdp_to_delta", add(*levels)
    yield "gdp_to_delta", sqrt(add(*(multiply(e, e) for e in levels)))


def starting_claim(claim: AnyClaim) -> tuple[str, Expression, Expression]:
    """The relation, level and delta known of a mechanism, or, for one given by its density, those
    that would suffice for the claim.
    """
    m = claim.mechanism
    if isinstance(m, AbstractMechanism):
        return m.relation, m.level, m.delta
    if isinstance(m, Composite):
        return *relation_and_level(m), claim.delta
    if claim.relation == "swap":
        return "add-remove", multiply(number(Fraction(1, 2)), claim.level), claim.delta
    levels = (
        list(dict.fromkeys(p.at(claim.level) for p in move_kinds(claim)))
        if claim.relation == "ahdp"
        else [claim.level]
    )
    finite = [e for e in levels if e != oo]
    return "add-remove", smallest_level(finite, composite_context(m)) if finite else oo, claim.delta


def smallest_level(levels: list[Expression], here: Context) -> Expression:
    """The smallest of levels that are not oo."""
    least = levels[0]
    for e in levels[1:]:
        try:
            signs = here.ratio_signs(normal(e, here) - normal(least, here))
        except (Undecided, Unsupported, ZeroDivisionError):
            signs = ANY
        least = least if signs <= {0, 1} else e if signs <= {-1, 0} else Min(least, e)
    return least
