"""Proofs by laws: a tree whose inner nodes are laws, whose leaves are proofs of mechanisms that are written out, or assumptions.

A composite is proved by the law that makes it, or by that law at the level that its parts give and a second law that leads from there to
the claim (a swap is two additions, one level for all is a level for each).  What the tree says is checked by `ahdp_verify.checker`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce
from operator import and_

from ahdp_verify.certificate import ByLaw, Declined, Evidence, Proven, Stated
from ahdp_verify.composite import Abstract, AnyClaim, Composite
from ahdp_verify.decide.linear import prove
from ahdp_verify.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.expression import TRUE, Expression, Max, add, conjuncts, eq, exp, log, multiply, negative, number, oo, piecewise, walk
from ahdp_verify.laws import LAWS, Side, rule
from ahdp_verify.limits import Clock, OutOfLimits
from ahdp_verify.privacy import Claim

Leaf = Callable[[Claim], Proven | Declined]
WHERE = "laws"


@dataclass(slots=True)
class Derivation:
    """One search for a tree: how a leaf is proved, the clock, and what is proved already, by fingerprint."""

    leaf: Leaf
    clock: Clock
    done: dict[str, Proven | Declined] = field(default_factory=dict)

    def derive(self, claim: AnyClaim) -> Proven | Declined:
        """A proof of a claim, by laws where it is about a composite; or why there is none."""
        key = claim.fingerprint
        if key not in self.done:
            self.done[key] = self.leaf(claim) if isinstance(claim, Claim) else self.by_laws(claim)
        return self.done[key]

    def by_laws(self, claim: AnyClaim) -> Proven | Declined:
        """A proof by the law that makes the mechanism, or by a law that leads from there to the claim."""
        reasons: list[Declined] = []
        for law, stated in steps(claim):
            found = self.by_law(claim, law, stated)
            if isinstance(found, ByLaw):
                return found
            reasons.append(found)
        return reasons[0] if reasons else Declined(WHERE, f"no law leads to a claim of {claim.relation} about {claim.mechanism}")

    def by_law(self, claim: AnyClaim, law: str, stated: Stated | None) -> ByLaw | Declined:
        """A proof by one law, its premises proved first."""
        try:
            wanted = rule(claim, law, LAWS[law].version, stated)
            evidence = []
            for side in wanted.sides:
                shown = self.side(side)
                if shown is None:
                    return Declined(WHERE, f"{law} asks that {side.text}, which was not shown")
                evidence.append(shown)
            premises = []
            for i, premise in enumerate(wanted.premises):
                proof = self.given(claim, i) or self.derive(premise)
                if isinstance(proof, Declined):
                    return Declined(WHERE, f"{premise}, which {law} builds on, was not proved ({proof.procedure}: {proof.reason})")
                premises.append(proof)
        except (Undecided, Unsupported, Rejected, BadInput, ZeroDivisionError) as reason:
            return Declined(WHERE, f"{law}: {reason}")
        except OutOfLimits as stop:
            return Declined(WHERE, stop.reason)
        return ByLaw(claim.fingerprint, law, LAWS[law].version, stated, tuple(premises), tuple(evidence))

    def given(self, claim: AnyClaim, i: int) -> Proven | None:
        """The proof of part number i that came with a composite."""
        m = claim.mechanism
        return m.proofs[i] if isinstance(m, Composite) and i < len(m.proofs) else None

    def side(self, side: Side) -> Evidence | None:
        """Evidence for a side condition."""
        self.clock.check("side conditions")
        return prove(side.before, side.after, side.level, side.here, self.clock)


def steps(claim: AnyClaim) -> list[tuple[str, Stated | None]]:
    """The laws that may lead to a claim, with what they start from."""
    m = claim.mechanism
    if isinstance(m, Abstract) and m.relation == claim.relation:
        return [("assumed", None)]
    listed: list[tuple[str, Stated | None]] = [(m.law, None)] if isinstance(m, Composite) else []
    relation, level = (m.relation, m.level) if isinstance(m, Abstract) else natural(m) if isinstance(m, Composite) else ("add-remove", claim.level)
    if relation == claim.relation or relation not in ("ahdp", "add-remove"):
        return listed
    stated = Stated(relation, level, m.delta if isinstance(m, Abstract) else claim.delta)
    return [*listed, *(("to_ahdp" if claim.relation == "ahdp" else "to_swap", stated) for _ in "1" if claim.relation in ("ahdp", "swap"))]


def natural(m: Composite) -> tuple[str, Expression]:
    """The relation and the level that the law gives a composite."""
    levels = [part.level for part in m.parts]
    relation = m.parts[0].relation if m.parts else "ahdp"
    if m.law == "mixture":
        return relation, branched(levels, lambda finite: Max(*finite) if len(finite) > 1 else finite[0], oo)
    if m.law == "subsample":
        keep = m.formulas[0]
        sampled = branched(levels, lambda finite: log(add(number(1), multiply(keep, add(exp(finite[0]), number(-1))))), piecewise((0, eq(keep, 0)), (oo, True)))
        return "ahdp", sampled
    if m.law == "normalised":
        return relation, add(m.formulas[2], negative(m.formulas[1]))
    return relation, branched(levels, lambda finite: add(*finite), oo)


def branched(levels: list[Expression], joined: Callable[[list[Expression]], Expression], infinite: Expression) -> Expression:
    """What `joined` makes of the levels, and `infinite` where one of them is oo: in branches, as oo is no number to compute with."""
    if not any(node == oo for level in levels for node in walk(level)):
        return joined(levels)
    found: list[tuple[Expression, Expression]] = []
    for chosen in itertools.product(*(branches(level) for level in levels)):
        values = [value for value, _ in chosen]
        conditions = tuple(dict.fromkeys(c for _, condition in chosen for c in conjuncts(condition) if c != TRUE))
        here = reduce(and_, conditions) if conditions else TRUE
        found.append((infinite if oo in values else joined(values), here))
    return found[0][0] if found[0][1] == TRUE else piecewise(*found)


def branches(level: Expression) -> list[tuple[Expression, Expression]]:
    """The values of a level with the conditions under which each is taken, if no earlier one is."""
    if level.head != "piecewise":
        return [(level, TRUE)]
    listed = []
    for value, condition in zip(level.args[::2], level.args[1::2], strict=True):
        listed += [(v, c if condition == TRUE else condition if c == TRUE else condition & c) for v, c in branches(value)]
    return listed
