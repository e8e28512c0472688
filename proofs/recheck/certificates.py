"""Section 5: certificates, the proofs of a claim about one mechanism."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from recheck.claims import Claim
from recheck.divergence import require_divergence
from recheck.evidence import Evidence, descend, extended, require, require_at_most
from recheck.forms import exp_of, total
from recheck.limits import need
from recheck.moves import Inequality, inequalities, need_datasets_with_records
from recheck.places import grouped, laws_of_parts
from recheck.radial import require_radial
from recheck.signs import Context
from recheck.totals import require_mass
from recheck.trees import Tree, is_number, rebuild, substitute, times

Words = set[tuple[str, ...]]  # the pairs of solvers by which inequalities are attested


def size_of(proof: Evidence) -> int | None:
    """The largest size of the enumerated datasets, if the proof is an enumeration."""
    if proof.kind != "certificate":
        return None
    sizes = [e.size for e in proof.evidence if e.kind == "enumeration"]
    need(not sizes or len(proof.evidence) == 1, "an enumeration has other evidence beside it")
    return sizes[0] if sizes else None


def require_certificate(claim: Claim, proof: Evidence, words: Words) -> None:
    """the mass is accepted     evidence[uses[k]] is accepted for inequality k, for all k
    every record satisfies the conditions
    --------------------------------------------------------------------------------------
    the claim is proved
    """
    need(not claim.rule, "a certificate of a composite")
    need_datasets_with_records(claim)
    require_mass(claim, proof.mass, proof.counts)
    laws: list[Tree | None] = [None]
    if is_without_delta(claim) and not claim.one_by_one:
        laws = list(laws_of_parts(claim))
    asked = [(i, law) for i in inequalities(claim, proof.counts, proof.conditions) for law in laws]
    need(len(asked) == len(proof.uses), f"{len(asked)} inequalities are required")
    shown: set[Question] = set()
    for (inequality, law), use in zip(asked, proof.uses, strict=True):
        need(0 <= use < len(proof.evidence), "there is no evidence with this index")
        evidence = proof.evidence[use]
        question = Question(*sides_of(inequality, law), inequality.level, inequality.here, use)
        if evidence.kind == "solver word":
            words.add(solvers_of(evidence))
        elif law is None or question not in shown:
            require_inequality(claim, inequality, question, evidence)
            shown.add(question)


class Question(NamedTuple):
    """What is shown of a part of the output space, by which evidence; None: of the whole space."""

    small: Tree | None
    large: Tree | None
    level: Tree
    here: Context
    use: int


def sides_of(asked: Inequality, law: Tree | None) -> tuple[Tree | None, Tree | None]:
    if law is None:
        return None, None
    return rebuild(law, asked.small.get), rebuild(law, asked.large.get)


def is_without_delta(claim: Claim) -> bool:
    return is_number(claim.delta) and claim.delta.value == 0


def solvers_of(evidence: Evidence) -> tuple[str, ...]:
    return tuple(evidence.solvers)


def require_inequality(
    claim: Claim, asked: Inequality, question: Question, evidence: Evidence
) -> None:
    """Raises unless the evidence shows the inequality, on one part or the whole output space."""
    small, large = question.small, question.large
    if small is not None and large is not None and is_radial(evidence):
        sides = small, large
        require_radial(claim.outputs, sides, asked.level, evidence, asked.here)
    elif small is not None and large is not None:
        descend(evidence, asked.here, partial(require_at_most, small, large, asked.level))
    elif is_without_delta(claim):
        descend(evidence, asked.here, partial(require_separate, claim, asked))
    else:
        descend(evidence, asked.here, partial(require_divergence, claim, asked))


def is_radial(evidence: Evidence) -> bool:
    return evidence.kind == "closed" and evidence.form == "radial"


def require_separate(claim: Claim, asked: Inequality, leaf: Evidence, here: Context) -> None:
    """P_j <= exp(levels[j]) Q_j at every value of output j, for all j
    log: level - (sum of levels) >= 0     direct: exp(level) - exp(sum of levels) >= 0
    ----------------------------------------------------------------------------------
    P <= exp(level) Q
    """
    need(leaf.kind == "separate", "evidence of another kind is required")
    here = extended(leaf.lemmas, here)
    prefactor, laws = grouped(claim.density, claim.outputs)
    laws[-1] = times(prefactor, laws[-1])
    need(len(leaf.levels) == len(laws), "there is not one level for each output")
    parts = [
        (substitute(law, {o.name: v}), level)
        for o, law, level in zip(claim.outputs, laws, leaf.levels, strict=True)
        for v in o.values
    ]
    need(len(leaf.leaves) == len(parts), "there is not one leaf for each value")
    for (law, level), shown in zip(parts, leaf.leaves, strict=True):
        small, large = rebuild(law, asked.small.get), rebuild(law, asked.large.get)
        require_at_most(small, large, level, shown, here)
    most, spent = here.form(asked.level), total(here.form(level) for level in leaf.levels)
    need(leaf.form in ("log", "direct"), "a leaf has an unknown form")
    gap = most - spent if leaf.form == "log" else exp_of(most) - exp_of(spent)
    require(gap, ">=", leaf.proofs[0] if leaf.proofs else None, here)
