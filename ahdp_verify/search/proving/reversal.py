"""Evidence for a move undone, from evidence for the move itself.

A move of query answers from q to q + d, where d lies between -1 and 1, is undone by one from
q' = q + d to q' + d' with d' = -d, which lies there too.  So evidence for either direction becomes
evidence for the other one with q + d in place of q and -d in place of d; where facts are named by
their numbers, the number of such a fact becomes that of what it says then.  The checker decides.

>>> from fractions import Fraction
>>> from ahdp_verify.kernel.evidence.certificate import InequalityLeaf, Lemma
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.rules.obligations import obligations
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> law = parse("exp(-abs(s - q[1]))/2", "law")
>>> claim = Claim(Mechanism(Queries(1), outputs=[real("s")], density=law), "one", parse("1/2"))
>>> forwards, backwards = obligations(claim)
>>> leaf = InequalityLeaf((Lemma("sign", (name("q[1]") - 1,)),), "log", (Products(((Fraction(1), (0, 2)),)),))
>>> found = Reversal.of(claim, forwards).evidence(leaf)
>>> str(found.lemmas[0].arguments[0]), found.proofs[0].terms
('q[1] + @d1 - 1', ((Fraction(1, 1), (1, 2)),))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.evidence.certificate import BoxCover, Evidence, ExpSign, Monotone, Products
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Queries
from ahdp_verify.kernel.numbers.hypotheses import Context, Fact
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.obligations import Obligation
from ahdp_verify.kernel.terms.expression import Expression, name, names, negative, substitute
from ahdp_verify.search.proving.draft import polynomial_tree

# the relation of which both directions are listed (`ONE_WAY` has those of which one is) though a move
# of the same kind undoes each of its moves
UNDONE = "one"


def evidence_undone(
    claim: Claim, done: tuple[Obligation, Evidence] | None, obligation: Obligation
) -> Evidence | None:
    """Evidence for an obligation from that for the one whose two sides it exchanges; None where it
    is another one, or its moves are not undone by moves of the same kind.
    """
    if done is None:
        return None
    other, found = done
    exchanged = dict(other.dominated) == dict(obligation.dominating)
    if not exchanged or dict(other.dominating) != dict(obligation.dominated):
        return None
    reversal = Reversal.of(claim, other)
    try:
        return None if reversal is None else reversal.evidence(found)
    except Unsupported:
        return None


@dataclass(frozen=True, slots=True)
class Reversal:
    """What stands in place of each name, and the number of each fact where that is so."""

    values: Mapping[str, Expression]
    numbers: tuple[int, ...]

    @staticmethod
    def of(claim: Claim, obligation: Obligation) -> Reversal | None:
        """That of the moves of an obligation; None where they are not undone by moves of the same
        kind.
        """
        if not isinstance(claim.mechanism.inputs, Queries) or claim.relation != UNDONE:
            return None
        after = {**obligation.dominated, **obligation.dominating}
        values = {q.args[0]: moved for q, moved in after.items()}
        shifts = {n for moved in after.values() for n in names(moved)} - values.keys()
        values |= {n: negative(name(n)) for n in shifts}
        said = [_said(fact, values) for fact in obligation.here.facts]
        known = list(obligation.here.facts)
        if any(fact not in known for fact in said):
            return None
        return Reversal(values, tuple(known.index(fact) for fact in said))

    def evidence(self, given: Any) -> Any:
        """The evidence, or a part of it, for the move undone."""
        match given:
            case Expression():
                return substitute(given, self.values)
            case tuple():
                return tuple([self.evidence(part) for part in given])
            case Products():
                return Products(
                    tuple((c, tuple(map(self.number, facts))) for c, facts in given.terms)
                )
            case ExpSign():
                high = None if given.high is None else self.number(given.high)
                factors = self.evidence(given.factors)
                return replace(given, factors=factors, low=self.number(given.low), high=high)
            case BoxCover() | Monotone():
                raise Unsupported("the facts of a box or a slope are not those of the other move")
        if not is_dataclass(given) or isinstance(given, type):
            return given
        return type(given)(*(self.evidence(getattr(given, f.name)) for f in fields(given)))

    def number(self, i: int) -> int:
        """The number of a fact; those that the evidence adds keep theirs."""
        return self.numbers[i] if i < len(self.numbers) else i


def _said(fact: Fact, values: Mapping[str, Expression]) -> Fact:
    """What a fact says with these values."""
    there = substitute(polynomial_tree(fact.polynomial), values)
    return Fact(normal(there, Context.empty()).num, fact.relation)
