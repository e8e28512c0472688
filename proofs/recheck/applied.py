"""Section 13: a mechanism on query answers, applied to the answers of a query on vectors."""

from __future__ import annotations

from typing import Any

from recheck.certificates import Words
from recheck.claims import Claim, Named, digest, fields
from recheck.evidence import Evidence
from recheck.limits import need
from recheck.notions import NotionClaim, require_notion
from recheck.rules import require_proof
from recheck.signs import POS
from recheck.trees import is_true
from recheck.vectors import VectorClaim, require_vector_claim


class AppliedClaim:
    """What `base` claims, for answers of `query` divided by the bound of its sensitivity."""

    def __init__(self, data: Any) -> None:
        base, to = fields(data, "applied to", "the claim")
        need(isinstance(base, dict), "the claim on answers is not an object")
        self.base = NotionClaim(base) if "notion" in base else Claim(base)
        self.query, self.fingerprint = VectorClaim(to), digest(data)
        on = self.on_answers
        need(sorted(on.inputs) == ["queries"], "a mechanism is not one on query answers")
        need(is_true(on.defined), "a mechanism is not defined for all answers")
        need(on.relation in ("one", "all"), "a relation does not let the answers move")
        need(on.relation == "all" or on.inputs["queries"] == 1, "one entry moves all answers")
        need(all(n != "x" for n, _ in on.parameters), "a parameter has the name of an entry")
        need("i" not in self.query.bound.names, "a bound depends on the position")

    @property
    def on_answers(self) -> Claim:
        return self.base.bounds if isinstance(self.base, NotionClaim) else self.base

    @property
    def unknowns(self) -> Named:
        """The parameters of the mechanism, then those of the query and an entry, each once."""
        return list(dict.fromkeys((*self.on_answers.parameters, *self.query.unknowns)))


def require_applied(said: AppliedClaim, proof: Evidence, words: Words) -> None:
    """the claim on answers is proved     the query moves by at most the bound     the bound is > 0
    -----------------------------------------------------------------------------------------------
    the claim is proved
    """
    need(proof.claim == said.fingerprint, "the certificate belongs to another claim")
    need(proof.kind == "by rule" and proof.rule == "by_sensitivity", "the rule is another one")
    need(proof.version == 1 and proof.stated is None, "the rule has another version or premise")
    need(not proof.evidence and len(proof.premises) == 2, "the rule has two premises, and no sides")
    here = said.query.here
    need(here.signs(here.form(said.query.bound)) <= POS, "the bound is not known to be > 0")
    if isinstance(said.base, NotionClaim):
        require_notion(said.base, proof.premises[0], words)
    else:
        require_proof(said.base, proof.premises[0], words)
    require_vector_claim(said.query, proof.premises[1])
