"""Section 13: a mechanism on query answers, applied to the answers of a query on vectors."""

from __future__ import annotations

from typing import Any

from recheck.alignments import require_alignment
from recheck.certificates import Words
from recheck.claims import Claim
from recheck.evidence import one_of
from recheck.examples import require_event
from recheck.forms import constant_sign, tree_of
from recheck.inputs import Setting, given_named, with_parameters
from recheck.limits import need
from recheck.notions import NotionClaim, require_excess, require_notion
from recheck.programs import ProgramClaim
from recheck.rules import require_meaning, require_proof
from recheck.shapes import Named, digest, fields, listed
from recheck.signs import POS
from recheck.trees import Tree, is_true
from recheck.vectors import VectorClaim, answers_of, require_vector_claim

BEFORE, AFTER = [{"e": ["label", "before"]}], [{"e": ["label", "after"]}]


class AppliedClaim:
    """What `base` claims, for answers of `query` divided by the bound of its sensitivity."""

    def __init__(self, data: Any) -> None:
        base, to = fields(data, "applied to", "the claim")
        need(isinstance(base, dict), "the claim on answers is not an object")
        kind = "notion" if "notion" in base else "program" if "program" in base else ""
        kinds: dict[str, Any] = {"notion": NotionClaim, "program": ProgramClaim, "": Claim}
        self.base, self.query, self.fingerprint = kinds[kind](base), VectorClaim(to), digest(data)
        on = self.on_answers
        if isinstance(on, ProgramClaim):
            need(not on.records, "a program is not one on query answers")
            need(not on.whole, "a program takes whole numbers only")
            self.count = on.count
        else:
            need(sorted(on.inputs) == ["queries"], "a mechanism is not one on query answers")
            need(is_true(on.defined), "a mechanism is not defined for all answers")
            self.count = on.inputs["queries"]
        need(on.relation in ("one", "all"), "a relation does not let the answers move")
        need(on.relation == "all" or self.count == 1, "one entry moves all answers")
        own = on.unknowns if isinstance(on, ProgramClaim) else on.parameters
        need(all(n != "x" for n, _ in own), "a parameter has the name of an entry")
        need("i" not in self.query.bound.names, "a bound depends on the position")

    @property
    def on_answers(self) -> Any:
        return self.base.bounds if isinstance(self.base, NotionClaim) else self.base

    @property
    def unknowns(self) -> Named:
        """The parameters of the mechanism, then those of the query and an entry, each once."""
        on = self.on_answers
        own = on.unknowns if isinstance(on, ProgramClaim) else on.parameters
        return list(dict.fromkeys((*own, *self.query.unknowns)))


def require_applied(said: AppliedClaim, data: Any, words: Words) -> None:
    """the claim on answers is proved     the query moves by at most the bound     the bound is > 0
    -----------------------------------------------------------------------------------------------
    the claim is proved
    """
    here = said.query.here
    need(here.signs(here.form(said.query.bound)) <= POS, "the bound is not known to be > 0")
    if isinstance(said.base, ProgramClaim):
        claim, shifts, moved = fields(data, "claim of_program of_query", "the certificate")
        need(claim == said.fingerprint, "the certificate belongs to another claim")
        require_alignment(said.base, one_of("alignment")(shifts))
        require_vector_claim(said.query, one_of("certificate")(moved))
        return
    proof = one_of("by rule")(data)
    need(proof.claim == said.fingerprint, "the certificate belongs to another claim")
    need(proof.rule == "by_sensitivity", "the rule is another one")
    need(proof.version == 1 and proof.stated is None, "the rule has another version or premise")
    need(not proof.evidence and len(proof.premises) == 2, "the rule has two premises, and no sides")
    if isinstance(said.base, NotionClaim):
        require_notion(said.base, proof.premises[0], words)
    else:
        require_proof(said.base, proof.premises[0], words)
    require_vector_claim(said.query, proof.premises[1])


def require_failure_at_vectors(said: AppliedClaim, data: Any) -> None:
    """an entry at one position of each vector changes     the bound is > 0
    the claim on answers fails between the answers before and after, divided by the bound
    -------------------------------------------------------------------------------------
    the claim is refuted
    """
    need(not isinstance(said.base, ProgramClaim), "a program is not refuted by vectors")
    vectors, there = fields(data, "vectors there", "the counterexample")
    rows = [given_named(v) for v in listed(vectors, said.count)]
    many = len(said.query.parameters)
    need(len({(*r[:many], r[-1][0]) for r in rows}) == 1, "the vectors change at several places")
    before, after = list[Tree](), list[Tree]()
    for row in rows:
        first, second, bound = answers_of(said.query, row)
        need(constant_sign(bound) == 1, "the bound is not > 0")
        before.append(tree_of(first / bound))
        after.append(tree_of(second / bound))
    claim, fixed = said.on_answers, dict(rows[0][:many])
    require_meaning(claim)
    need(claim.level.head != "oo", "a level is infinite")
    wanted = "parameters instances first second event points"
    if isinstance(said.base, NotionClaim):
        order, points, there = fields(there, "order points counterexample", "the counterexample")
    given, records, one, other, event, marks = fields(there, wanted, "the counterexample")
    named = given_named(given)
    need(all(fixed.get(n, v) is v for n, v in named), "a parameter has two values")
    need(not records, "there are no records")
    need([one, other] in ([BEFORE, AFTER], [AFTER, BEFORE]), "the inputs are before and after")
    sides = (tuple(before), tuple(after)) if one == BEFORE else (tuple(after), tuple(before))
    s = Setting(claim, with_parameters(claim, named), (), *sides)
    if isinstance(said.base, NotionClaim):
        require_excess(said.base, s, claim.level, (order, points, event, marks))
    else:
        require_event(claim, s, (claim.level, claim.delta), (event, marks))
