"""Section 10: inequalities in unknown numbers."""

from __future__ import annotations

from functools import partial
from typing import Any

from recheck.evidence import Evidence, descend, extended, require, require_at_most
from recheck.forms import constant_sign
from recheck.inputs import given_named, need_constant
from recheck.limits import need
from recheck.meaning import NUMBER, Reading, need_conditions, need_names
from recheck.shapes import Named, digest, fields, listed, read_named, text
from recheck.signs import Context, assume, truth
from recheck.trees import Tree, minus, need_scoped, number, plus, read, substitute

ORDERS = ("<=", "<", ">=", ">")


class InequalityClaim:
    """`gaps` have to be >= 0, or > 0 if it is strict."""

    def __init__(self, data: Any) -> None:
        sides, parameters, called = fields(data, "inequality parameters name", "the inequality")
        text(called)
        left, self.relation, right = listed(sides, 3)
        a, b = read(left), read(right)
        self.unknowns: Named = read_named(parameters)
        self.fingerprint = digest(data)
        need(self.relation in (*ORDERS, "=="), "an inequality has an unknown relation")
        self.strict = self.relation in ("<", ">")
        self.gaps = [minus(b, a), minus(a, b)]
        if self.relation != "==":
            self.gaps = self.gaps[:1] if self.relation in ("<=", "<") else self.gaps[1:]
        self.check((a, b))

    def check(self, sides: tuple[Tree, Tree]) -> None:
        names = [n for n, _ in self.unknowns]
        need_names(names)
        need_conditions(self.unknowns, names)
        for e in sides:
            need_scoped(e, names)
            Reading().need(e, NUMBER)

    @property
    def here(self) -> Context:
        return assume([c for _, c in self.unknowns], Context())


def require_inequality_claim(said: InequalityClaim, proof: Evidence) -> None:
    """every gap is >= 0 (> 0 for < and >) wherever the conditions hold
    -------------------------------------------------------------------
    the inequality is proved for all values of its unknowns
    """
    need(proof.kind == "certificate", "evidence of another kind is required")
    need(proof.claim == said.fingerprint, "the certificate belongs to another claim")
    plain = not proof.counts and not proof.conditions
    need(plain and not proof.mass.values and not proof.mass.evidence, "an inequality has no mass")
    need(proof.uses == list(range(len(said.gaps))), "expected exactly one use for each gap")
    need(
        len(proof.evidence) == len(said.gaps), "expected exactly one piece of evidence for each gap"
    )
    for gap, evidence in zip(said.gaps, proof.evidence, strict=True):
        need(evidence.kind in ("closed", "case split"), "evidence of another kind is required")
        if said.strict:
            descend(evidence, said.here, partial(require_above_zero, gap))
        else:
            sides = number(1), plus(gap, number(1)), number(0)
            descend(evidence, said.here, partial(require_at_most, *sides))


def require_above_zero(gap: Tree, leaf: Evidence, here: Context) -> None:
    need(leaf.kind == "closed" and leaf.form == "direct", "evidence of another kind is required")
    here = extended(leaf.lemmas, here)
    need(len(leaf.proofs) <= 1, "there are too many or too few proofs")
    require(here.form(gap), ">", leaf.proofs[0] if leaf.proofs else None, here)


def require_failure(said: InequalityClaim, data: Any) -> None:
    """the conditions hold at exact values     a gap is < 0 there (for < and > also 0)
    --------------------------------------------------------------------------------
    the inequality is refuted
    """
    (values,) = fields(data, "values", "the counterexample")
    at = values_of(said.unknowns, values)
    signs = [constant_sign(Context().form(substitute(gap, at))) for gap in said.gaps]
    need(any(s == -1 or (said.strict and s == 0) for s in signs), "the inequality does not fail")


def values_of(unknowns: Named, data: Any) -> dict[str, Tree]:
    """An exact constant for each unknown, in order; all conditions hold."""
    rows = given_named(data)
    need([n for n, _ in rows] == [n for n, _ in unknowns], "not every unknown has one value")
    for _, v in rows:
        need_constant(v)
    at = dict(rows)
    for n, c in unknowns:
        need(truth(substitute(c, at), Context()), f"the condition of {n!r} does not hold")
    return at
